// SPDX-License-Identifier: GPL-2.0
/*
 * Networks as ibsim's files describe them:
 *
 *	Switch|Hca PORTS "ID"
 *	[PORT] "ID"[PORT] ...
 *
 * A line of a port belongs to the node above it. The other end of a link may have a line, too,
 * which has to agree. A switch with 8 ports becomes one with the ports 0 .. 8, of which 0 is
 * management; every connected port of an adapter becomes a host. Nodes keep their IDs as names;
 * LIDs and GUIDs are not in such files. A port may have the widths and speeds that it enables, as
 * bit masks (w=3 s=7 e=2), or a comment as ibnetdiscover has (# ... 4xHDR): they become rates.
 */
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>

#include "graph/graph.h"
#include "graph/speed.h"

#define NOT_A_PORT	UINT32_MAX

/** struct sim_node - a switch or an adapter */
struct sim_node {
	char *id;
	u32 ports;
	u32 line;
	u32 number;		/* switch in the graph */
	bool is_switch;
};

/** struct sim_end - a port and what its line, or that of its other end, says of it */
struct sim_end {
	u32 node;
	u32 port;
	char *peer;		/* ID */
	u32 peer_port;
	u32 line;
	struct speed speed;
};

struct sim {
	struct sim_node *node;
	struct sim_end *end;
	u32 *by_id;		/* nodes in the order of their IDs */
	u32 nodes, ends;
	u32 node_room, end_room;
	bool masks;		/* ports have some: those that have none are 4xSDR */
	struct speed_rates rates;
};

static void blanks(char **at)
{
	*at += strspn(*at, " \t\r");
}

static u32 eat_number(char **at)
{
	char *end;
	unsigned long value = strtoul(*at, &end, 10);

	if (**at < '0' || **at > '9' || value >= NOT_A_PORT)
		return NOT_A_PORT;
	*at = end;
	return value;
}

/* "ID" in quotes, which is cut out of the line; NULL: there is none */
static char *eat_id(char **at)
{
	char *id = *at + 1, *end;

	if (**at != '"')
		return NULL;
	end = strchr(id, '"');
	if (!end || end == id)
		return NULL;
	*end = '\0';
	*at = end + 1;
	return id;
}

static u32 eat_port(char **at)
{
	u32 port;

	if (**at != '[')
		return NOT_A_PORT;
	++*at;
	port = eat_number(at);
	if (port == NOT_A_PORT || **at != ']')
		return NOT_A_PORT;
	++*at;
	return port;
}

static enum status garbled(const char *what, const char *at)
{
	return usage("%s expected at \"%.24s\"", what, at);
}

static enum status take_node(struct sim *s, char *at, u32 line, bool is_switch)
{
	struct sim_node node = { .line = line, .is_switch = is_switch };
	enum status status;

	blanks(&at);
	node.ports = eat_number(&at);
	if (node.ports == NOT_A_PORT || !node.ports)
		return garbled("a number of ports", at);
	if (node.ports >= MCFAB_GRAPH_PORTS_MAX)
		return usage("%u ports are more than %d", node.ports, MCFAB_GRAPH_PORTS_MAX - 1);
	blanks(&at);
	node.id = eat_id(&at);
	if (!node.id)
		return garbled("\"ID\"", at);
	status = graph_name(node.id);
	if (status)
		return status;
	if (s->nodes == s->node_room) {
		s->node_room = s->node_room ? 2 * s->node_room : 64;
		s->node = xrealloc(s->node, s->node_room, sizeof(*s->node));
	}
	s->node[s->nodes++] = node;
	return STATUS_OK;
}

/* What stands behind a port: "w=3 s=1 e=0", of which each may be missing, or a comment. */
static enum status take_speed(struct sim *s, char *at, struct speed *speed)
{
	static const struct {
		char name;
		u32 most;
	} options[] = { { 'w', 31 }, { 's', 7 }, { 'e', 15 } };
	u32 mask[ARRAY_SIZE(options)] = { 0 }, i;
	bool given = false;

	for (blanks(&at); *at && *at != '#'; blanks(&at)) {
		for (i = 0; i < ARRAY_SIZE(options) && *at != options[i].name; i++)
			;
		if (i == ARRAY_SIZE(options) || at[1] != '=')
			break;
		at += 2;
		mask[i] = eat_number(&at);
		if (mask[i] > options[i].most)
			return usage("%c=: a bit mask of 0 to %u", options[i].name,
				     options[i].most);
		given = true;
	}
	s->masks |= given;
	if (given)
		*speed = speed_of_masks(mask[0], mask[1], mask[2]);
	else
		speed_find(at, speed);
	return STATUS_OK;
}

static enum status take_end(struct sim *s, char *at, u32 line)
{
	struct sim_end end = { .line = line, .node = s->nodes - 1 };
	enum status status;

	if (!s->nodes)
		return usage("a port before any Switch or Hca");
	end.port = eat_port(&at);
	if (end.port == NOT_A_PORT)
		return garbled("[PORT]", at);
	if (!end.port || end.port > s->node[end.node].ports)
		return usage("port %u is not in 1 to %u", end.port, s->node[end.node].ports);
	blanks(&at);
	end.peer = eat_id(&at);
	if (!end.peer)
		return garbled("the other end's \"ID\"", at);
	blanks(&at);
	end.peer_port = eat_port(&at);
	if (end.peer_port == NOT_A_PORT)
		return garbled("[PORT]", at);
	status = take_speed(s, at, &end.speed);
	if (status)
		return status;
	if (s->ends == s->end_room) {
		s->end_room = s->end_room ? 2 * s->end_room : 64;
		s->end = xrealloc(s->end, s->end_room, sizeof(*s->end));
	}
	s->end[s->ends++] = end;
	return STATUS_OK;
}

static enum status take_line(void *data, char *at, u32 line)
{
	/* what ibnetdiscover says more of a node */
	static const char *const ids[] = {
		"vendid=", "devid=", "sysimgguid=", "switchguid=", "caguid=", "rtguid=",
	};
	static const struct {
		const char *word;
		bool is_switch;
	} kinds[] = { { "Switch", true }, { "Hca", false }, { "Ca", false }, { "Rt", false } };
	struct sim *s = data;
	size_t len;

	blanks(&at);
	if (!*at || *at == '#')
		return STATUS_OK;
	if (*at == '[')
		return take_end(s, at, line);
	len = strcspn(at, " \t\r");
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (len == strlen(kinds[i].word) && !strncmp(at, kinds[i].word, len))
			return take_node(s, at + len, line, kinds[i].is_switch);
	for (size_t i = 0; i < ARRAY_SIZE(ids); i++)
		if (!strncmp(at, ids[i], strlen(ids[i])))
			return STATUS_OK;
	return usage("\"%.24s\" is no node or port of ibsim", at);
}

static int compare_nodes(const void *pa, const void *pb, void *arg)
{
	const struct sim *s = arg;
	const struct sim_node *a = &s->node[*(const u32 *)pa], *b = &s->node[*(const u32 *)pb];
	int order = strcmp(a->id, b->id);

	return order ? order : a->line < b->line ? -1 : a->line > b->line;
}

static u32 find_node(const struct sim *s, const char *id)
{
	u32 low = 0, high = s->nodes;

	while (low < high) {
		u32 mid = low + (high - low) / 2;
		int order = strcmp(s->node[s->by_id[mid]].id, id);

		if (!order)
			return s->by_id[mid];
		if (order < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return GRAPH_NONE;
}

static enum status index_nodes(struct sim *s, const char *path)
{
	s->by_id = xcalloc(s->nodes, sizeof(*s->by_id));
	for (u32 i = 0; i < s->nodes; i++)
		s->by_id[i] = i;
	if (s->nodes)
		qsort_r(s->by_id, s->nodes, sizeof(*s->by_id), compare_nodes, s);
	for (u32 i = 1; i < s->nodes; i++) {
		const struct sim_node *a = &s->node[s->by_id[i - 1]], *b = &s->node[s->by_id[i]];

		if (strcmp(a->id, b->id))
			continue;
		set_location(path, b->line);
		return usage("\"%s\" was in line %u already", b->id, a->line);
	}
	return STATUS_OK;
}

static int compare_ends(const void *pa, const void *pb)
{
	const struct sim_end *a = pa, *b = pb;

	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	if (a->port != b->port)
		return a->port < b->port ? -1 : 1;
	return a->line < b->line ? -1 : a->line > b->line;
}

static const struct sim_end *find_end(const struct sim *s, u32 node, u32 port)
{
	struct sim_end key = { .node = node, .port = port };
	u32 low = 0, high = s->ends;

	while (low < high) {
		u32 mid = low + (high - low) / 2;

		if (compare_ends(&s->end[mid], &key) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low < s->ends && s->end[low].node == node && s->end[low].port == port ?
		&s->end[low] : NULL;
}

/* A link is as fast as both its ends. */
static struct graph_way way_of(struct sim *s, const struct sim_end *e, const struct sim_end *back)
{
	bool slower = speed_mbit(&e->speed) < speed_mbit(&back->speed);

	return (struct graph_way){
		.cycles = speed_cycles(&s->rates, slower ? &e->speed : &back->speed),
	};
}

static enum status add_link(struct sim *s, const struct sim_end *e, const struct sim_end *back,
			    struct graph *g)
{
	u32 peer = back->node;
	struct graph_way way = way_of(s, e, back);
	const struct sim_node *a = &s->node[e->node], *b = &s->node[peer], *host;
	struct graph_host *h;

	if (!a->is_switch && !b->is_switch)
		return usage("two adapters are joined without a switch");
	if (a->is_switch && b->is_switch)
		return graph_add_link(g, &(struct graph_link){
			.a = a->number, .port_a = e->port,
			.b = b->number, .port_b = e->peer_port, .line = e->line,
			.way = way, .back = way,
		});
	if (g->hosts == MCFAB_MAX_NODES)
		return usage("more than %d hosts", MCFAB_MAX_NODES);
	host = a->is_switch ? b : a;
	h = graph_host(g, g->hosts);
	h->at = a->is_switch ? a->number : b->number;
	h->port = a->is_switch ? e->port : e->peer_port;
	h->node_port = a->is_switch ? e->peer_port : e->port;
	h->line = e->line;
	h->way = way;
	h->back = way;
	h->name = xstrdup(host->id);
	return STATUS_OK;
}

/* Both ends of a link agree, and it comes from the first of its lines. */
static enum status take_link(struct sim *s, const struct sim_end *e, struct graph *g)
{
	u32 peer = find_node(s, e->peer);
	const struct sim_end *back = find_end(s, peer, e->peer_port);

	if (back->peer_port != e->port || strcmp(back->peer, s->node[e->node].id))
		return usage("the other end, in line %u, leads elsewhere", back->line);
	/* a link to itself comes once, to be refused */
	if (e->line < back->line || (e->line == back->line && e <= back))
		return add_link(s, e, back, g);
	return STATUS_OK;
}

/* The end at which a link has no line. */
static enum status other_end(const struct sim *s, const struct sim_end *e, struct sim_end *other)
{
	u32 peer = find_node(s, e->peer);

	if (peer == GRAPH_NONE)
		return usage("\"%s\" is not in this file", e->peer);
	if (!e->peer_port || e->peer_port > s->node[peer].ports)
		return usage("port %u of \"%s\" is not in 1 to %u", e->peer_port, e->peer,
			     s->node[peer].ports);
	*other = (struct sim_end){ .node = peer, .port = e->peer_port,
				   .peer = s->node[e->node].id, .peer_port = e->port,
				   .line = e->line, .speed = e->speed };
	return STATUS_OK;
}

static void sort_ends(struct sim *s)
{
	if (s->ends)
		qsort(s->end, s->ends, sizeof(*s->end), compare_ends);
}

/* Adds the ends that have no line of their own. */
static enum status complete(struct sim *s, const char *path)
{
	struct sim_end *more = xcalloc(s->ends, sizeof(*more));
	enum status status = STATUS_OK;
	u32 n = 0;

	sort_ends(s);
	for (u32 i = 0; i < s->ends && !status; i++) {
		set_location(path, s->end[i].line);
		status = other_end(s, &s->end[i], &more[n]);
		if (!status && !find_end(s, more[n].node, more[n].port))
			n++;
	}
	if (!status && n) {
		s->end = xrealloc(s->end, s->ends + n, sizeof(*s->end));
		memcpy(s->end + s->ends, more, n * sizeof(*more));
		s->ends += n;
		sort_ends(s);
	}
	free(more);
	return status;
}

static enum status build(struct sim *s, const char *path, struct graph *g)
{
	enum status status = STATUS_OK;

	for (u32 i = 0; i < s->nodes; i++) {
		struct graph_switch *sw;

		if (!s->node[i].is_switch)
			continue;
		if (g->switches == MCFAB_GRAPH_SWITCHES_MAX)
			return usage("%s: more than %d switches", path, MCFAB_GRAPH_SWITCHES_MAX);
		s->node[i].number = g->switches;
		sw = graph_switch(g, g->switches);
		sw->ports = s->node[i].ports + 1;
		sw->line = s->node[i].line;
		sw->name = xstrdup(s->node[i].id);
	}
	for (u32 i = 0; i < s->ends; i++) {
		if (s->masks && !s->end[i].speed.lanes)
			s->end[i].speed = speed_of_masks(0, 0, 0);
		speed_see(&s->rates, &s->end[i].speed);
	}
	for (u32 i = 0; i < s->ends && !status; i++) {
		const struct sim_end *e = &s->end[i];

		set_location(path, e->line);
		if (i && e[-1].node == e->node && e[-1].port == e->port)
			return usage("port %u was in line %u already", e->port, e[-1].line);
		status = take_link(s, e, g);
	}
	if (!status)
		speed_warn(&s->rates, path);
	return status;
}

enum status graph_parse_ibsim(char *text, const char *path, struct graph *g)
{
	struct sim s = { 0 };
	enum status status = graph_lines(text, path, take_line, &s);

	if (!status)
		status = index_nodes(&s, path);
	if (!status)
		status = complete(&s, path);
	if (!status)
		status = build(&s, path, g);
	free(s.node);
	free(s.end);
	free(s.by_id);
	return status;
}
