// SPDX-License-Identifier: GPL-2.0
/*
 * Packets of the policies on up*-down* routing: those of a message that share a list, and
 * background unicasts, which take shortest legal paths without a cycle.
 *
 * MCFAB_SEED: where the random numbers start (default 1).
 */
#include <stdlib.h>
#include "lib/graph.h"
#include "lib/switches.h"

#include "lib/tap.h"

struct check {
	struct switches s;
	struct multicast mc;
	u32 *dst;
	u32 *mark;
};

static void open_network(struct check *c, u64 *state, u32 nr)
{
	switches_any(&c->s, state, nr);
	c->dst = calloc(c->s.net.topo.nodes, sizeof(u32));
	c->mark = calloc(c->s.net.topo.nodes, sizeof(u32));
}

static void close_network(struct check *c)
{
	switches_exit(&c->s);
	free(c->dst);
	free(c->mark);
}

static void assert_same(const struct mcfab_decision *a, const struct mcfab_decision *b)
{
	u32 i;

	assert_int_equal(a->nbranches, b->nbranches);
	for (i = 0; i < a->nbranches; i++) {
		assert_int_equal(a->branch[i].first, b->branch[i].first);
		assert_int_equal(a->branch[i].last, b->branch[i].last);
		assert_int_equal(a->branch[i].node, b->branch[i].node);
		if (a->branch[i].node == MCFAB_NONE)
			assert_int_equal(a->branch[i].port[0], b->branch[i].port[0]);
	}
}

/*
 * A packet at a switch, and then a later one of its message while the first one, further on,
 * is exchanging two destinations of a branch: one of them is there twice.
 */
static void decide(struct check *c, const struct mcfab_header *hdr, u64 *seed,
		   struct mcfab_decision *out)
{
	struct mcfab_policy *pol = &c->mc.pol;
	u32 bytes = c->mc.plan.ndst * sizeof(u32), *before = malloc(bytes), *during = malloc(bytes), i;
	struct mcfab_decision later;

	pol->ops->route(&pol->view, pol->priv, hdr, out);
	memcpy(before, hdr->dst, bytes);
	for (i = 0; i < out->nbranches; i++) {
		const struct mcfab_branch *b = &out->branch[i];

		if (b->node == MCFAB_NONE)
			hdr->dst[b->first + rng_below(seed, b->last - b->first)] =
				hdr->dst[b->first + rng_below(seed, b->last - b->first)];
	}
	memcpy(during, hdr->dst, bytes);
	pol->ops->route(&pol->view, pol->priv, hdr, &later);
	assert_same(out, &later);
	assert_memory_equal(hdr->dst, during, bytes);
	memcpy(hdr->dst, before, bytes);
	free(before);
	free(during);
}

/*
 * Packets of a message share the list that a tree reorders: the second one to come to a
 * switch must find it as it needs it and write nothing, whatever the first did or does
 * further on.
 */
static void test_rewriting(void **state)
{
	u64 seed = env_number("MCFAB_SEED", 1);
	struct mcfab_header *stack;
	struct mcfab_decision out;
	u32 nr, i, n, *copy, up = 0;
	struct check c;

	for (nr = 0; nr < 400; nr++) {
		const struct mcfab_topo *topo = &c.s.net.topo;
		u32 nodes, ndst, visited = 0, pass;

		open_network(&c, &seed, nr);
		nodes = topo->nodes;
		multicast_init(&c.mc, &c.s.net, "bitstring", "", nodes - 1);
		c.mc.pol.view.packets = 2;
		ndst = 1 + rng_below(&seed, nodes - 1);
		stack = calloc(topo->routers * topo->ports + 1, sizeof(*stack));
		copy = calloc(ndst, sizeof(u32));
		i = rng_below(&seed, nodes);
		random_set(&seed, nodes, i, c.dst, ndst, c.mark);
		multicast_plan(&c.mc, i, c.dst, ndst);
		/* the second packet goes where the first went all the way before it */
		for (pass = 0; pass < 2; pass++) {
			n = 0;
			stack[n++] = (struct mcfab_header){
				.router = topo->router[i], .in_port = MCFAB_PORT_ANY,
				.sender = i, .first_port = MCFAB_PORT_ANY,
				.arg = c.mc.plan.worm[0].arg, .dst = c.mc.plan.dst, .last = ndst,
			};
			while (n) {
				struct mcfab_header hdr = stack[--n];
				u32 b;

				visited++;
				memcpy(copy, c.mc.plan.dst, ndst * sizeof(u32));
				decide(&c, &hdr, &seed, &out);
				if (pass)
					assert_memory_equal(copy, c.mc.plan.dst, ndst * sizeof(u32));
				for (b = 0; b < out.nbranches; b++) {
					u32 peer;

					if (out.branch[b].node != MCFAB_NONE)
						continue;
					peer = topo->peer[mcfab_topo_channel(topo, hdr.router,
									     out.branch[b].port[0])];
					stack[n] = hdr;
					stack[n].router = peer / topo->ports;
					stack[n].in_port = peer % topo->ports;
					stack[n].state = out.branch[b].state;
					stack[n].first = out.branch[b].first;
					stack[n++].last = out.branch[b].last;
					up += !!out.branch[b].state;
				}
			}
		}
		assert_true(visited >= 2);
		free(stack);
		free(copy);
		multicast_exit(&c.mc);
		close_network(&c);
	}
	assert_true(up > 100);
}

/* Background unicasts: shortest legal paths under every policy, and without a cycle. */
static void test_unicasts(void **state)
{
	static const char *const policies[] = {
		"binomial", "kbinomial", "ssr", "multidrop", "bitstring",
	};
	u64 seed = env_number("MCFAB_SEED", 1);
	struct check c;
	u32 nr, p, a, b;

	for (nr = 0; nr < 40; nr++) {
		const struct mcfab_topo *topo = &c.s.net.topo;

		open_network(&c, &seed, nr);
		for (p = 0; p < ARRAY_SIZE(policies); p++) {
			struct graph g;

			multicast_init(&c.mc, &c.s.net, policies[p], "", topo->nodes - 1);
			graph_init(&g, topo->routers * topo->ports);
			for (a = 0; a < topo->nodes; a++) {
				for (b = 0; b < topo->nodes; b++) {
					u32 last = MCFAB_NONE, hops = 0;
					struct mcfab_header hdr = {
						.router = topo->router[a], .in_port = MCFAB_PORT_ANY,
						.sender = a, .first_port = MCFAB_PORT_ANY,
						.dst = &b, .last = 1,
					};
					struct mcfab_decision out;

					if (a == b)
						continue;
					if (c.mc.pol.ops->unicast_arg)
						hdr.arg = c.mc.pol.ops->unicast_arg(c.mc.pol.priv);
					for (;;) {
						u32 lane;

						c.mc.pol.ops->route(&c.mc.pol.view, c.mc.pol.priv,
								    &hdr, &out);
						assert_int_equal(out.nbranches, 1);
						if (out.branch[0].node != MCFAB_NONE)
							break;
						lane = mcfab_topo_channel(topo, hdr.router,
									  out.branch[0].port[0]);
						if (last != MCFAB_NONE)
							graph_edge(&g, last, lane);
						last = lane;
						hdr.router = topo->peer[lane] / topo->ports;
						hdr.in_port = topo->peer[lane] % topo->ports;
						hops++;
					}
					assert_int_equal(out.branch[0].node, b);
					assert_int_equal(hops, switches_hops(&c.s, topo->router[a],
									     topo->router[b], false));
				}
			}
			assert_false(graph_cyclic(&g));
			graph_exit(&g);
			multicast_exit(&c.mc);
		}
		close_network(&c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rewriting),
		cmocka_unit_test(test_unicasts),
	};

	return run_tap(tests);
}
