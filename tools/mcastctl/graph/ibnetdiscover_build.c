// SPDX-License-Identifier: GPL-2.0
/*
 * The graph of a file of ibnetdiscover. Every link is there from both ends, which have to agree: a
 * file that was cut off or edited by half does not pass for a smaller network.
 */
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>

#include "graph/ibnetdiscover.h"

static int compare_nodes(const void *pa, const void *pb, void *arg)
{
	const struct ib_file *s = arg;
	const struct ib_node *a = &s->node[*(const u32 *)pa], *b = &s->node[*(const u32 *)pb];

	if (a->is_switch != b->is_switch)
		return a->is_switch ? -1 : 1;
	if (a->guid != b->guid)
		return a->guid < b->guid ? -1 : 1;
	return a->line < b->line ? -1 : a->line > b->line;
}

static u32 find_node(const struct ib_file *s, bool is_switch, u64 guid)
{
	u32 low = 0, high = s->nodes;

	while (low < high) {
		u32 mid = low + (high - low) / 2;
		const struct ib_node *n = &s->node[s->by_guid[mid]];

		if (n->is_switch == is_switch && n->guid == guid)
			return s->by_guid[mid];
		if (n->is_switch == is_switch ? n->guid < guid : n->is_switch)
			low = mid + 1;
		else
			high = mid;
	}
	return GRAPH_NONE;
}

static int compare_ends(const void *pa, const void *pb)
{
	const struct ib_end *a = pa, *b = pb;

	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	if (a->port != b->port)
		return a->port < b->port ? -1 : 1;
	return a->line < b->line ? -1 : a->line > b->line;
}

static const struct ib_end *find_end(const struct ib_file *s, u32 node, u32 port)
{
	u32 low = 0, high = s->ends;

	while (low < high) {
		u32 mid = low + (high - low) / 2;
		const struct ib_end *e = &s->end[mid];

		if (e->node == node && e->port == port)
			return e;
		if (e->node != node ? e->node < node : e->port < port)
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

static enum status index_all(struct ib_file *s, const char *path)
{
	s->by_guid = xcalloc(s->nodes, sizeof(*s->by_guid));
	for (u32 i = 0; i < s->nodes; i++)
		s->by_guid[i] = i;
	if (s->nodes)
		qsort_r(s->by_guid, s->nodes, sizeof(*s->by_guid), compare_nodes, s);
	for (u32 i = 1; i < s->nodes; i++) {
		const struct ib_node *a = &s->node[s->by_guid[i - 1]];
		const struct ib_node *b = &s->node[s->by_guid[i]];

		if (a->is_switch == b->is_switch && a->guid == b->guid) {
			set_location(path, b->line);
			return usage("guid %016llx was in line %u already", b->guid, a->line);
		}
	}
	if (s->ends)
		qsort(s->end, s->ends, sizeof(*s->end), compare_ends);
	for (u32 i = 1; i < s->ends; i++) {
		const struct ib_end *a = &s->end[i - 1], *b = &s->end[i];

		if (a->node == b->node && a->port == b->port) {
			set_location(path, b->line);
			return usage("port %u was in line %u already", b->port, a->line);
		}
	}
	return STATUS_OK;
}

/* What one end says of the other is what the other says of itself. */
static enum status match(const struct ib_file *s, const struct ib_end *e,
			 const struct ib_end **other)
{
	u32 peer = find_node(s, e->to_switch, e->peer_node);
	const struct ib_node *node = &s->node[e->node];
	const struct ib_end *back;
	u32 lid;

	if (peer == GRAPH_NONE)
		return usage("%c-%016llx is not in this file: is it cut off?",
			     e->to_switch ? 'S' : 'H', e->peer_node);
	back = find_end(s, peer, e->peer_port);
	if (!back)
		return usage("%c-%016llx, in line %u, has no line for its port %u",
			     e->to_switch ? 'S' : 'H', e->peer_node, s->node[peer].line,
			     e->peer_port);
	if (back->peer_node != node->guid || back->to_switch != node->is_switch ||
	    back->peer_port != e->port)
		return usage("the other end, in line %u, leads elsewhere", back->line);
	if (e->peer_guid && back->guid && e->peer_guid != back->guid)
		return usage("the other end, in line %u, has port guid %llx, not %llx",
			     back->line, back->guid, e->peer_guid);
	lid = e->to_switch ? s->node[peer].lid : back->lid;
	if (e->peer_lid && lid && e->peer_lid != lid)
		return usage("the other end has lid %u, not %u, by line %u", lid, e->peer_lid,
			     e->to_switch ? s->node[peer].line : back->line);
	*other = back;
	return STATUS_OK;
}

static bool is_aggregation(const struct ib_node *node)
{
	return node->name && strstr(node->name, "Aggregation Node");
}

static void add_host(struct graph *g, const struct ib_file *s, const struct ib_end *e,
		     const struct ib_end *other)
{
	struct graph_host *h = graph_host(g, g->hosts);
	const struct ib_node *node = &s->node[e->node];

	h->guid = e->guid ? e->guid : other->peer_guid;
	h->node_guid = node->guid;
	h->at = s->node[other->node].number;
	h->port = other->port;
	h->lid = e->lid ? e->lid : other->peer_lid;
	h->lmc = e->lmc;
	h->aggregation = is_aggregation(node);
	h->node_port = e->port;
	h->line = e->line;
	h->name = node->name ? xstrdup(node->name) : NULL;
}

static void put_aggregation_last(const char *path, struct graph *g)
{
	struct graph_host *sorted = xcalloc(g->hosts, sizeof(*sorted));
	u32 n = 0;

	for (u32 pass = 0; pass < 2; pass++)
		for (u32 i = 0; i < g->hosts; i++)
			if (g->host[i].aggregation == pass)
				sorted[n++] = g->host[i];
	memcpy(g->host, sorted, g->hosts * sizeof(*sorted));
	free(sorted);
	if (g->host[g->hosts - 1].aggregation)
		for (n = 0; !g->host[n].aggregation; n++)
			;
	set_location(path, g->host[n % g->hosts].line);
	if (n < g->hosts)
		warning("%u aggregation nodes take part in no traffic unless they are named",
			g->hosts - n);
}

static void find_fastest(const struct ib_file *s, struct speed_rates *r)
{
	for (u32 i = 0; i < s->ends; i++)
		speed_see(r, &s->end[i].speed);
}

static enum status make_graph(struct ib_file *s, const char *path, struct graph *g)
{
	enum status status = STATUS_OK;
	struct speed_rates rates = { 0 };

	for (u32 i = 0; i < s->nodes; i++) {
		struct graph_switch *sw;

		if (!s->node[i].is_switch)
			continue;
		if (g->switches == MCFAB_GRAPH_SWITCHES_MAX)
			return usage("%s: more than %d switches", path, MCFAB_GRAPH_SWITCHES_MAX);
		s->node[i].number = g->switches;
		sw = graph_switch(g, g->switches);
		sw->guid = s->node[i].guid;
		sw->ports = s->node[i].ports + 1;
		sw->lid = s->node[i].lid;
		sw->line = s->node[i].line;
		sw->name = s->node[i].name ? xstrdup(s->node[i].name) : NULL;
	}
	find_fastest(s, &rates);
	for (u32 i = 0; i < s->ends && !status; i++) {
		const struct ib_end *e = &s->end[i], *other = NULL;

		set_location(path, e->line);
		status = match(s, e, &other);
		if (status)
			break;
		if (!s->node[e->node].is_switch) {
			if (g->hosts == MCFAB_MAX_NODES)
				return usage("more than %d hosts", MCFAB_MAX_NODES);
			add_host(g, s, e, other);
			g->host[g->hosts - 1].way.cycles = speed_cycles(&rates, &e->speed);
			g->host[g->hosts - 1].back.cycles = speed_cycles(&rates, &other->speed);
		} else if (e->to_switch && e <= other) {
			/* a link to itself comes once, to be refused */
			status = graph_add_link(g, &(struct graph_link){
				.a = s->node[e->node].number, .port_a = e->port,
				.b = s->node[other->node].number, .port_b = other->port,
				.line = e->line,
				.way.cycles = speed_cycles(&rates, &e->speed),
				.back.cycles = speed_cycles(&rates, &other->speed),
			});
		}
	}
	if (!status)
		speed_warn(&rates, path);
	if (!status && g->hosts)
		put_aggregation_last(path, g);
	return status;
}

enum status ib_build(struct ib_file *s, const char *path, struct graph *g)
{
	enum status status = index_all(s, path);

	return status ? status : make_graph(s, path, g);
}
