// SPDX-License-Identifier: GPL-2.0
/* See lib/shortest.h. */
#include <stdlib.h>
#include "lib/net.h"
#include "lib/shortest.h"
#include "routing/routing.h"

#include "lib/tap.h"

struct graph_priv {
	u8 *step;	/* [switches * switches] port to the next switch */
};

/* breadth first from @to: every switch learns the port by which it was not yet reached */
static void reach(const struct mcfab_topo *topo, u8 *step, u32 to)
{
	u32 *queue = calloc(topo->routers, sizeof(u32)), head = 0, tail = 0, port;
	u8 *seen = calloc(topo->routers, 1);

	queue[tail++] = to;
	seen[to] = 1;
	while (head < tail) {
		u32 at = queue[head++];

		/* not always the lowest of parallel links */
		for (port = topo->ports; port-- > 0;) {
			u32 chan = mcfab_topo_channel(topo, at, (port + to) % topo->ports);
			u32 peer = topo->peer[chan];

			if (peer == MCFAB_NONE || seen[peer / topo->ports])
				continue;
			seen[peer / topo->ports] = 1;
			step[peer / topo->ports * topo->routers + to] = peer % topo->ports;
			queue[tail++] = peer / topo->ports;
		}
	}
	assert_int_equal(tail, topo->routers);
	free(queue);
	free(seen);
}

static int shortest_init(const struct mcfab_view *view, const u32 *values, void *priv,
			 struct mcfab_err *err)
{
	const struct mcfab_topo *topo = view->topo;
	struct graph_priv *g = priv;
	u32 i;

	g->step = calloc(topo->routers, topo->routers);
	for (i = 0; i < topo->routers; i++)
		reach(topo, g->step, i);
	return 0;
}

static void shortest_exit(const struct mcfab_view *view, void *priv)
{
	free(((struct graph_priv *)priv)->step);
}

static void shortest_prepare(const struct mcfab_view *view, const void *priv, u32 source,
			     u32 *dst, u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	u32 i;

	for (i = 0; i < ndst; i++) {
		mcfab_plan_worm(plan, source, MCFAB_NONE, MCFAB_PORT_ANY, 0);
		mcfab_plan_dst(plan, dst[i]);
	}
}

static void shortest_route(const struct mcfab_view *view, const void *priv,
			   const struct mcfab_header *hdr, struct mcfab_decision *out)
{
	const struct graph_priv *g = priv;
	u32 node = hdr->dst[hdr->first], to = view->topo->router[node];
	struct mcfab_branch *b = &out->branch[0];

	b->node = to == hdr->router ? node : MCFAB_NONE;
	b->nports = to != hdr->router;
	b->port[0] = g->step[hdr->router * view->topo->routers + to];
	b->vcs[0] = (1u << view->vcs) - 1;
	b->first = hdr->first;
	b->last = hdr->last;
	b->state = 0;
	out->nbranches = 1;
}

struct mcfab_policy_ops test_shortest = {
	.name		= "test-shortest",
	.title		= "separate unicasts over shortest paths",
	.flags		= MCFAB_POLICY_IRREGULAR | MCFAB_POLICY_TORUS | MCFAB_POLICY_SINGLE,
	.priv_size	= sizeof(struct graph_priv),
	.init		= shortest_init,
	.exit		= shortest_exit,
	.prepare	= shortest_prepare,
	.route		= shortest_route,
};

static void tree_prepare(const struct mcfab_view *view, const void *priv, u32 source, u32 *dst,
			 u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	u32 i;

	mcfab_plan_worm(plan, source, MCFAB_NONE, MCFAB_PORT_ANY, 0);
	for (i = 0; i < ndst; i++)
		mcfab_plan_dst(plan, dst[i]);
}

/* a copy for each host here, then a branch for each port */
static void tree_route(const struct mcfab_view *view, const void *priv,
		       const struct mcfab_header *hdr, struct mcfab_decision *out)
{
	const struct graph_priv *g = priv;
	const struct mcfab_topo *topo = view->topo;
	u32 first = hdr->first, i, port;

	out->nbranches = 0;
	for (port = 0; port <= topo->ports; port++) {
		u32 begin = first;

		for (i = first; i < hdr->last; i++) {
			u32 node = mcfab_header_dst(hdr, i) & ~MCFAB_DST_RELAY;
			u32 to = topo->router[node];

			/* hosts first: they come as port 0 */
			if ((to == hdr->router ? 0 : g->step[hdr->router * topo->routers + to] + 1) ==
			    port)
				mcfab_header_move(hdr, i, first++);
		}
		for (i = begin; i < first; i = port ? first : i + 1) {
			struct mcfab_branch *b = &out->branch[out->nbranches++];

			b->node = port ? MCFAB_NONE :
					 mcfab_header_dst(hdr, i) & ~MCFAB_DST_RELAY;
			b->nports = !!port;
			b->port[0] = port - 1;
			b->vcs[0] = (1u << view->vcs) - 1;
			b->first = i;
			b->last = port ? first : i + 1;
			b->state = 0;
		}
	}
}

struct mcfab_policy_ops test_shortest_tree = {
	.name		= "test-shortest-tree",
	.title		= "trees of shortest paths",
	.flags		= MCFAB_POLICY_IRREGULAR | MCFAB_POLICY_TREE,
	.priv_size	= sizeof(struct graph_priv),
	.init		= shortest_init,
	.exit		= shortest_exit,
	.prepare	= tree_prepare,
	.route		= tree_route,
};

struct mcfab_graph *graph_new(u32 switches, u32 hosts, u32 links)
{
	return mcfab_graph_place(calloc(1, mcfab_graph_bytes(switches, hosts, links)), switches,
				 hosts, links);
}

struct mcfab_graph *graph_generate(const struct mcfab_generate *gen)
{
	struct mcfab_err err = {};
	struct mcfab_graph *g;
	u32 links;

	if (mcfab_generate_links(gen, &links, &err))
		return NULL;
	g = graph_new(gen->switches, gen->hosts, links);
	assert_int_equal(mcfab_generate_fill(gen, g, &err), 0);
	return g;
}

/* a port of a switch that nothing is on yet */
static u8 free_port(u64 *state, u8 (*taken)[MCFAB_GRAPH_PORTS_MAX], u32 sw, u32 ports)
{
	u32 port;

	do {
		port = rng_below(state, ports);
	} while (taken[sw][port]);
	taken[sw][port] = 1;
	return port;
}

struct mcfab_graph *graph_random(u64 *state, u32 switches)
{
	u32 s = 1 + rng_below(state, switches), hosts = 2 + rng_below(state, 2 * s + 1);
	u32 extra = s > 1 ? rng_below(state, s + 1) : 0, links = s - 1 + extra, i;
	u8 (*taken)[MCFAB_GRAPH_PORTS_MAX] = calloc(s, sizeof(*taken));
	struct mcfab_graph *g = graph_new(s, hosts, links);

	/* enough for everything that could come to one switch */
	for (i = 0; i < s; i++)
		g->sw[i].ports = min_t(u32, links + hosts + rng_below(state, 3),
				       MCFAB_GRAPH_PORTS_MAX);
	for (i = 0; i < hosts; i++) {
		g->host[i].at = rng_below(state, s);
		g->host[i].port = free_port(state, taken, g->host[i].at, g->sw[g->host[i].at].ports);
	}
	for (i = 0; i < links; i++) {
		struct mcfab_graph_link *l = &g->link[i];

		l->a = i < s - 1 ? i + 1 : rng_below(state, s);
		do {
			l->b = i < s - 1 ? rng_below(state, i + 1) : rng_below(state, s);
		} while (l->a == l->b);
		l->port_a = free_port(state, taken, l->a, g->sw[l->a].ports);
		l->port_b = free_port(state, taken, l->b, g->sw[l->b].ports);
	}
	for (i = 0; i < s; i++)
		g->sw[i].lid = hosts + 1 + i;
	for (i = 0; i < hosts; i++) {
		g->host[i].lid = hosts - i;
		g->host[i].guid = 0x1000 + i;
	}
	free(taken);
	return g;
}
