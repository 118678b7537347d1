// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "lib/graph.h"
#include "lib/tap.h"

void graph_init(struct graph *g, u32 lanes)
{
	g->lanes = lanes;
	g->edge = calloc(lanes, lanes);
	g->colour = calloc(lanes, 1);
	assert_true(g->edge && g->colour);
}

void graph_exit(struct graph *g)
{
	free(g->edge);
	free(g->colour);
}

static bool cyclic_from(struct graph *g, u32 a)
{
	u32 b;

	g->colour[a] = 1;
	for (b = 0; b < g->lanes; b++) {
		if (!g->edge[(size_t)a * g->lanes + b] || g->colour[b] == 2)
			continue;
		if (g->colour[b] == 1 || cyclic_from(g, b))
			return true;
	}
	g->colour[a] = 2;
	return false;
}

bool graph_cyclic(struct graph *g)
{
	u32 a;

	memset(g->colour, 0, g->lanes);
	for (a = 0; a < g->lanes; a++)
		if (!g->colour[a] && cyclic_from(g, a))
			return true;
	return false;
}

u32 graph_unicast(struct graph *g, struct multicast *mc, u32 from, u32 to, u32 serial)
{
	const struct mcfab_topo *topo = mc->pol.view.topo;
	u32 vcs = mc->pol.view.vcs, last = MCFAB_NONE, hops = 0, lane;
	struct mcfab_header hdr = {
		.router = topo->router[from], .in_port = MCFAB_PORT_ANY, .sender = from,
		.first_port = MCFAB_PORT_ANY, .serial = serial, .dst = &to, .last = 1,
	};
	struct mcfab_decision out;

	if (mc->pol.ops->unicast_arg)
		hdr.arg = mc->pol.ops->unicast_arg(mc->pol.priv);
	for (;;) {
		mc->pol.ops->route(&mc->pol.view, mc->pol.priv, &hdr, &out);
		assert_int_equal(out.nbranches, 1);
		if (out.branch[0].node != MCFAB_NONE)
			break;
		assert_int_not_equal(out.branch[0].vcs[0], 0);
		lane = mcfab_topo_channel(topo, hdr.router, out.branch[0].port[0]);
		assert_int_not_equal(topo->peer[lane], MCFAB_NONE);
		hdr.in_port = topo->peer[lane] % topo->ports;
		hdr.router = topo->peer[lane] / topo->ports;
		hdr.state = out.branch[0].state;
		lane = lane * vcs + __builtin_ctz(out.branch[0].vcs[0]);
		/* the masks used here have one lane per half: all of a set act alike */
		if (g && last != MCFAB_NONE)
			graph_edge(g, last, lane);
		last = lane;
		assert_true(++hops <= topo->routers);
	}
	assert_int_equal(out.branch[0].node, to);
	assert_int_equal(hdr.router, topo->router[to]);
	return hops;
}
