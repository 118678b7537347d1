// SPDX-License-Identifier: GPL-2.0
/* See lib/switches.h. */
#include <stdlib.h>
#include "lib/shortest.h"
#include "lib/switches.h"

#include "lib/tap.h"

static void set_levels(struct switches *s, u32 root)
{
	const struct mcfab_topo *topo = &s->net.topo;
	u32 sw, port, level;
	bool more = true;

	s->level = malloc(topo->routers * sizeof(u32));
	for (sw = 0; sw < topo->routers; sw++)
		s->level[sw] = sw == root ? 0 : UINT_MAX;
	for (level = 0; more; level++) {
		more = false;
		for (sw = 0; sw < topo->routers; sw++) {
			for (port = 0; s->level[sw] == level && port < topo->ports; port++) {
				u32 next = mcfab_topo_neighbour(topo, sw, port);

				if (next == MCFAB_NONE || s->level[next] <= level)
					continue;
				s->level[next] = level + 1;
				more = true;
			}
		}
	}
}

bool switches_up(const struct switches *s, u32 sw, u32 port)
{
	u32 next = mcfab_topo_neighbour(&s->net.topo, sw, port);

	assert_int_not_equal(next, MCFAB_NONE);
	return s->level[next] < s->level[sw] || (s->level[next] == s->level[sw] && next < sw);
}

static void search(struct switches *s, u32 from, bool phase, u32 *queue)
{
	const struct mcfab_topo *topo = &s->net.topo;
	u32 n = topo->routers, *hops = s->hops + (2 * from + phase) * n;
	u32 *at = calloc(2 * n, sizeof(u32)), head = 0, tail = 0, port, i;

	memset(at, 0xff, 2 * n * sizeof(u32));
	queue[tail++] = 2 * from + phase;
	at[2 * from + phase] = 0;
	while (head < tail) {
		u32 sw = queue[head] / 2, down = queue[head] % 2;

		head++;
		for (port = 0; port < topo->ports; port++) {
			u32 next = mcfab_topo_neighbour(topo, sw, port), to;

			if (next == MCFAB_NONE || (down && switches_up(s, sw, port)))
				continue;
			to = 2 * next + !switches_up(s, sw, port);
			if (at[to] != UINT_MAX)
				continue;
			at[to] = at[2 * sw + down] + 1;
			queue[tail++] = to;
		}
	}
	for (i = 0; i < n; i++)
		hops[i] = min(at[2 * i], at[2 * i + 1]);
	free(at);
}

static void finish(struct switches *s, u32 root)
{
	u32 n = s->net.topo.routers, i, *queue = calloc(2 * n, sizeof(u32));
	struct mcfab_err err;

	s->net.view.buffer = 640;
	s->net.view.packets = 1;
	s->net.view.updown = mcfab_updown_create(&s->net.topo, root, &err);
	assert_false(IS_ERR_OR_NULL(s->net.view.updown));
	set_levels(s, root);
	s->hops = calloc(2 * n * n, sizeof(u32));
	for (i = 0; i < 2 * n; i++)
		search(s, i / 2, i % 2, queue);
	free(queue);
}

void switches_graph(struct switches *s, struct mcfab_graph *graph, u32 root)
{
	struct mcfab_err err;
	struct net *net = &s->net;

	memset(s, 0, sizeof(*s));
	net->topo.ops = mcfab_topo_find("irregular");
	net->topo.graph = graph;
	assert_int_equal(net->topo.ops->init(&net->topo, &err), 0);
	assert_int_equal(mcfab_topo_alloc(&net->topo), 0);
	free(graph);
	net->view = (struct mcfab_view){
		.topo = &net->topo, .vcs = 1, .inject = 1, .consume = 1, .flits = 32,
		.switching = MCFAB_SWITCHING_MODE_WORMHOLE,
			     .replication = MCFAB_REPLICATION_MODE_ASYNC,
	};
	finish(s, root);
}

void switches_regular(struct switches *s, const char *topology, u32 ndims, const u32 *radix,
		      u32 root)
{
	memset(s, 0, sizeof(*s));
	net_init_as(&s->net, topology, ndims, radix);
	s->net.view.inject = 1;
	finish(s, root);
}

void switches_exit(struct switches *s)
{
	mcfab_updown_put(s->net.view.updown);
	net_exit(&s->net);
	free(s->level);
	free(s->hops);
}

u32 switches_hops(const struct switches *s, u32 from, u32 to, bool down)
{
	return s->hops[(2 * from + down) * s->net.topo.routers + to];
}

void switches_any(struct switches *s, u64 *state, u32 nr)
{
	static const struct {
		const char *topology;
		u32 ndims, radix[3];
	} regular[] = {
		{ "mesh", 2, { 4, 5 } }, { "mesh", 2, { 8, 8 } }, { "mesh", 3, { 3, 2, 3 } },
		{ "torus", 2, { 5, 4 } }, { "torus", 2, { 8, 8 } }, { "torus", 1, { 9 } },
		{ "torus", 2, { 2, 3 } }, { "hypercube", 1, { 5 } }, { "star", 1, { 4 } },
	};
	u32 i = nr / 4 % ARRAY_SIZE(regular), routers;
	struct mcfab_graph *g;

	if (nr % 4 == 3) {
		struct net probe;

		net_init_as(&probe, regular[i].topology, regular[i].ndims, regular[i].radix);
		routers = probe.topo.routers;
		net_exit(&probe);
		switches_regular(s, regular[i].topology, regular[i].ndims, regular[i].radix,
				 rng_below(state, routers));
	} else {
		g = graph_random(state, 16);
		switches_graph(s, g, rng_below(state, g->switches));
	}
}
