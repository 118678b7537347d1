// SPDX-License-Identifier: GPL-2.0
/*
 * Networks as BookSim2's topology anynet describes them:
 *
 *	router|node ID { router|node ID [ LATENCY ] }...
 *
 * Each pair of a line is a link; it may come from both of its ends, or twice. A latency is that of
 * the channel from the line's head to the other end, 1 if no line says it. Where channels between
 * routers differ in it, links get delays of their own; where they do not, the latency is for the
 * fabric's link-delay to say. All nodes' links need the same latency: a fabric has one inject-delay
 * and one consume-delay.
 * Routers become switches, nodes hosts. Ports are numbered as in BookSim2, but from 1 on: those of
 * nodes first, then those of routers, both by their IDs.
 */
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>

#include "graph/graph.h"

#define NO_LATENCY	0
#define MAX_LATENCY	MCFAB_MAX_DELAY

/** struct end - a router and one of its neighbours, or a router and one of its nodes */
struct end {
	u32 router;
	u32 peer;
	u32 latency;		/* of the channel to the peer; NO_LATENCY: not said */
	u32 line;
	u32 port;
	bool node;		/* the peer is a node */
};

struct anynet {
	struct end *end;	/* each link between routers from both ends */
	u32 n, room;
	struct graph *g;
};

static struct end *add_end(struct anynet *a, struct end end)
{
	if (a->n == a->room) {
		a->room = a->room ? 2 * a->room : 256;
		a->end = xrealloc(a->end, a->room, sizeof(*a->end));
	}
	a->end[a->n] = end;
	return &a->end[a->n++];
}

static char *next_word(char **at)
{
	char *word = *at + strspn(*at, " \t\r");

	if (!*word)
		return NULL;
	*at = word + strcspn(word, " \t\r");
	if (**at)
		*(*at)++ = '\0';
	return word;
}

static bool is_number(const char *word)
{
	return word && *word && !word[strspn(word, "0123456789")];
}

/* "router 5" */
static enum status read_name(char **at, const char *kind, bool *node, u32 *id)
{
	const char *word;
	u64 number, most;

	*node = !strcmp(kind, "node");
	if (!*node && strcmp(kind, "router"))
		return usage("\"%.24s\" is neither router nor node", kind);
	word = next_word(at);
	if (!word)
		return usage("the number of a %s is missing", kind);
	if (!is_number(word))
		return usage("%s \"%.24s\" is no number", kind, word);
	most = (*node ? MCFAB_MAX_NODES : MCFAB_GRAPH_SWITCHES_MAX) - 1;
	number = strtoull(word, NULL, 10);
	if (strlen(word) > 10 || number > most)
		return usage("%s %.24s is out of range (0 to %llu)", kind, word, most);
	*id = number;
	return STATUS_OK;
}

static void note_switch(struct anynet *a, u32 id, u32 line)
{
	struct graph_switch *sw = graph_switch(a->g, id);

	if (!sw->ports)
		*sw = (struct graph_switch){ .ports = 1, .line = line };
}

static enum status note_host(struct anynet *a, u32 id, u32 at, u32 line)
{
	struct graph_host *host = graph_host(a->g, id);

	if (host->line && host->at != at)
		return usage("node %u is at router %u already, in line %u", id, host->at,
			     host->line);
	if (!host->line)
		*host = (struct graph_host){ .at = at, .line = line };
	return STATUS_OK;
}

/* A pair of a line: @node, @id its head. */
static enum status take_pair(struct anynet *a, bool node, u32 id, struct end end)
{
	if (node && end.node)
		return usage("node %u and node %u cannot be joined", id, end.peer);
	if (!node && !end.node && id == end.peer)
		return usage("router %u cannot be joined with itself", id);
	end.router = node ? end.peer : id;
	note_switch(a, end.router, end.line);
	if (node || end.node) {
		end.peer = node ? id : end.peer;
		end.node = true;
		add_end(a, end);
		return note_host(a, end.peer, end.router, end.line);
	}
	note_switch(a, end.peer, end.line);
	add_end(a, end);
	add_end(a, (struct end){ .router = end.peer, .peer = id, .line = end.line });
	return STATUS_OK;
}

static enum status take_latency(const char *word, u32 *latency)
{
	u64 value = strtoull(word, NULL, 10);

	if (strlen(word) > 10 || !value || value > MAX_LATENCY)
		return usage("latency %.24s is out of range (1 to %d)", word, MAX_LATENCY);
	*latency = value;
	return STATUS_OK;
}

static enum status take_line(void *data, char *at, u32 line)
{
	struct anynet *a = data;
	enum status status;
	char *word;
	bool node;
	u32 id;

	word = next_word(&at);
	if (!word)
		return STATUS_OK;
	status = read_name(&at, word, &node, &id);
	if (!status && !node)
		note_switch(a, id, line);
	word = next_word(&at);
	while (!status && word) {
		struct end end = { .line = line, .latency = NO_LATENCY };

		status = read_name(&at, word, &end.node, &end.peer);
		word = next_word(&at);
		if (!status && is_number(word)) {
			status = take_latency(word, &end.latency);
			word = next_word(&at);
		}
		if (!status)
			status = take_pair(a, node, id, end);
	}
	return status;
}

/* Of a router the nodes first; of equal ends those with a latency first. */
static int compare(const void *pa, const void *pb)
{
	const struct end *a = pa, *b = pb;

	if (a->router != b->router)
		return a->router < b->router ? -1 : 1;
	if (a->node != b->node)
		return a->node ? -1 : 1;
	if (a->peer != b->peer)
		return a->peer < b->peer ? -1 : 1;
	if (!a->latency != !b->latency)
		return a->latency ? -1 : 1;
	return a->line < b->line ? -1 : a->line > b->line;
}

static bool same_end(const struct end *a, const struct end *b)
{
	return a->router == b->router && a->node == b->node && a->peer == b->peer;
}

/* Ends in order, each once. */
static enum status merge(struct anynet *a, const char *path)
{
	u32 kept = 0;

	if (a->n)
		qsort(a->end, a->n, sizeof(*a->end), compare);
	for (u32 i = 0; i < a->n; i++) {
		struct end *last = kept ? &a->end[kept - 1] : NULL;

		if (!last || !same_end(last, &a->end[i])) {
			a->end[kept++] = a->end[i];
			continue;
		}
		if (!a->end[i].latency || a->end[i].latency == last->latency)
			continue;
		set_location(path, a->end[i].line);
		return usage("latency %u, in line %u it is %u", a->end[i].latency, last->line,
			     last->latency);
	}
	a->n = kept;
	return STATUS_OK;
}

static u32 latency_of(const struct end *end)
{
	return end->latency ? end->latency : 1;
}

/* All links of nodes have one latency; @uneven: not all channels between routers have. */
static enum status check_latencies(const struct anynet *a, const char *path, bool *uneven)
{
	static const char *const what[] = { "channels between routers", "nodes' links" };
	static const char *const option[] = {
		"the fabric's link-delay", "its inject-delay and consume-delay",
	};
	const struct end *first[2] = { NULL, NULL };

	for (u32 i = 0; i < a->n; i++) {
		const struct end *end = &a->end[i], *other = first[end->node];

		if (!other) {
			first[end->node] = end;
			continue;
		}
		if (latency_of(other) == latency_of(end))
			continue;
		if (!end->node) {
			*uneven = true;
			continue;
		}
		set_location(path, end->latency ? end->line : other->line);
		return usage("nodes' links have latencies %u and %u: a fabric has one",
			     latency_of(other), latency_of(end));
	}
	set_location(NULL, 0);
	for (u32 i = 0; i < 2; i++) {
		if (first[i] && first[i]->latency > 1 && (i || !*uneven))
			warning("%s: %s have a latency of %u cycles: that is for %s to say", path,
				what[i], first[i]->latency, option[i]);
	}
	return STATUS_OK;
}

static enum status number_ports(struct anynet *a, const char *path)
{
	for (u32 i = 0; i < a->n; i++) {
		struct end *end = &a->end[i];
		struct graph_switch *sw = &a->g->sw[end->router];

		set_location(path, end->line);
		if (sw->ports == MCFAB_GRAPH_PORTS_MAX)
			return usage("router %u has more than %d links", end->router,
				     MCFAB_GRAPH_PORTS_MAX - 1);
		end->port = sw->ports++;
		if (end->node)
			a->g->host[end->peer].port = end->port;
	}
	return STATUS_OK;
}

static const struct end *other_end(const struct anynet *a, const struct end *end)
{
	const struct end key = { .router = end->peer, .peer = end->router };
	u32 low = 0, high = a->n;

	while (low < high) {
		u32 mid = low + (high - low) / 2;
		const struct end *at = &a->end[mid];

		if (same_end(at, &key))
			return at;
		if (compare(at, &key) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return end;
}

static enum status add_links(const struct anynet *a, const char *path, bool uneven)
{
	enum status status = STATUS_OK;

	for (u32 i = 0; i < a->n && !status; i++) {
		const struct end *end = &a->end[i], *other;

		if (end->node || end->router > end->peer)
			continue;
		other = other_end(a, end);
		set_location(path, end->line);
		status = graph_add_link(a->g, &(struct graph_link){
			.a = end->router, .port_a = end->port,
			.b = end->peer, .port_b = other->port, .line = end->line,
			.way.delay = uneven ? latency_of(end) : 0,
			.back.delay = uneven ? latency_of(other) : 0,
		});
	}
	return status;
}

enum status graph_parse_anynet(char *text, const char *path, struct graph *g)
{
	struct anynet a = { .g = g };
	enum status status = graph_lines(text, path, take_line, &a);
	bool uneven = false;

	if (!status)
		status = merge(&a, path);
	if (!status)
		status = check_latencies(&a, path, &uneven);
	if (!status)
		status = number_ports(&a, path);
	if (!status)
		status = add_links(&a, path, uneven);
	free(a.end);
	return status;
}
