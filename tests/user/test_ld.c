// SPDX-License-Identifier: GPL-2.0
/*
 * The ways between which worms of ld may choose: plans and walks show the first of them only.
 *
 * MCFAB_GROUPS: random multicasts in all (default 20000).
 */
#include <stdlib.h>

#include "lib/net.h"
#include "lib/tap.h"

static const struct shape {
	const char *topology;
	u32 ndims, radix[MCFAB_MAX_DIMS];
} shapes[] = {
	{ "mesh", 1, { 9 } },			{ "mesh", 2, { 5, 6 } },
	{ "mesh", 2, { 2, 9 } },		{ "mesh", 2, { 8, 7 } },
	{ "mesh", 3, { 3, 4, 5 } },		{ "mesh", 4, { 3, 2, 4, 3 } },
	{ "mesh", 6, { 2, 3, 2, 2, 3, 2 } },	{ "hypercube", 1, { 7 } },
};

/* the decision of a header at @at */
static void decide(const struct mcfab_policy *pol, u32 at, u32 *dst, u32 first, u32 last,
		   struct mcfab_decision *out)
{
	struct mcfab_header hdr = {
		.router = at, .in_port = MCFAB_PORT_ANY, .first_port = MCFAB_PORT_ANY,
		.sender = at, .arg = pol->ops->unicast_arg(pol->priv),
		.dst = dst, .first = first, .last = last,
	};

	memset(out, 0, sizeof(*out));
	pol->ops->route(&pol->view, pol->priv, &hdr, out);
}

/* Is the label of @via after that of @at, and not past that of @to? By the list of labels. */
static bool between(const struct mcfab_topo *topo, u32 at, u32 via, u32 to)
{
	u32 i = 0, first = topo->nodes, second = topo->nodes, third = topo->nodes;

	for (i = 0; i < topo->nodes; i++) {
		u32 node = topo->by_label[i];

		first = node == at ? i : first;
		second = node == via ? i : second;
		third = node == to ? i : third;
	}
	return first < third ? first < second && second <= third :
			       first > second && second >= third;
}

static void check_pair(const struct mcfab_policy *pol, const struct mcfab_policy *dp, u32 from,
		       u32 to, bool minimal)
{
	const struct mcfab_topo *topo = pol->view.topo;
	u32 allowed = 0, near = 0, seen = 0, port, i;
	struct mcfab_decision out, plain;
	const struct mcfab_branch *b = out.branch;

	decide(pol, from, &to, 0, 1, &out);
	decide(dp, from, &to, 0, 1, &plain);
	assert_int_equal(out.nbranches, 1);
	assert_int_equal(b->node, MCFAB_NONE);
	assert_int_equal(b->port[0], plain.branch->port[0]);
	for (port = 0; port < topo->ports; port++) {
		u32 via = mcfab_topo_neighbour(topo, from, port);

		if (via == MCFAB_NONE || !between(topo, from, via, to))
			continue;
		if (mcfab_distance(topo, via, to) < mcfab_distance(topo, from, to))
			near |= BIT(port);
		else if (minimal)
			continue;
		allowed |= BIT(port);
	}
	assert_int_equal(b->nports, min(hweight32(allowed), (u32)MCFAB_MAX_ALTERNATIVES));
	for (i = 0; i < b->nports; i++) {
		assert_true(allowed & BIT(b->port[i]));
		assert_false(seen & BIT(b->port[i]));
		/* nearer ones come first */
		assert_int_equal(!!(near & BIT(b->port[i])), i < hweight32(near));
		assert_int_equal(b->vcs[i], 7);	/* all three */
		seen |= BIT(b->port[i]);
	}
}

/* all pairs of nodes */
static void test_ways(void **state)
{
	u32 s, from, to, minimal;

	for (s = 0; s < ARRAY_SIZE(shapes); s++) {
		struct mcfab_policy pol, dp;
		struct mcfab_err err;
		struct net net;

		net_init_vcs(&net, shapes[s].topology, shapes[s].ndims, shapes[s].radix, 3);
		assert_int_equal(net_policy(&net, &dp, "dp", "", &err), 0);
		for (minimal = 0; minimal < 2; minimal++) {
			const char *set = minimal ? "paths=minimal" : "";

			assert_int_equal(net_policy(&net, &pol, "ld", set, &err), 0);
			for (from = 0; from < net.topo.nodes; from++)
				for (to = 0; to < net.topo.nodes; to++)
					if (from != to)
						check_pair(&pol, &dp, from, to, minimal);
			mcfab_policy_close(&pol);
		}
		mcfab_policy_close(&dp);
		net_exit(&net);
	}
}

/* A worm that takes any of its ways: each destination in its turn, never too many hops. */
static u32 stroll(const struct multicast *mc, u32 index, u64 *draw)
{
	const struct mcfab_plan_worm *worm = &mc->plan.worm[index];
	const struct mcfab_topo *topo = mc->pol.view.topo;
	u32 *dst = mc->plan.dst + worm->first, at = worm->sender, first = 0, hops = 0, most;
	u32 end = topo->label[dst[worm->count - 1]], begin = topo->label[at];
	struct mcfab_decision out;

	most = begin < end ? end - begin : begin - end;
	while (first < worm->count) {
		const struct mcfab_branch *b = out.branch;

		decide(&mc->pol, at, dst, first, worm->count, &out);
		if (b->node != MCFAB_NONE) {
			assert_int_equal(b->node, at);
			assert_int_equal(b->node, dst[first++]);
			b++;
		}
		if (first == worm->count)
			break;
		assert_int_equal(b->first, first);
		at = mcfab_topo_neighbour(topo, at, b->port[rng_below(draw, b->nports)]);
		assert_true(++hops <= most);
	}
	return hops;
}

static void test_strolls(void **state)
{
	u32 each = env_number("MCFAB_GROUPS", 20000) / ARRAY_SIZE(shapes) + 1, s, i, w;
	static u32 dst[256], mark[256];
	u64 draw = 5, longer = 0;

	for (s = 0; s < ARRAY_SIZE(shapes); s++) {
		struct multicast mc;
		struct net net;

		net_init_vcs(&net, shapes[s].topology, shapes[s].ndims, shapes[s].radix, 1);
		multicast_init(&mc, &net, "ld", "", net.topo.nodes - 1);
		for (i = 0; i < each; i++) {
			u32 source = rng_below(&draw, net.topo.nodes);
			u32 ndst = random_size(&draw, net.topo.nodes), straight = 0, hops = 0;
			struct mcfab_walk_event event;

			random_set(&draw, net.topo.nodes, source, dst, ndst, mark);
			multicast_plan(&mc, source, dst, ndst);
			for (w = 0; w < mc.plan.nworms; w++) {
				hops += stroll(&mc, w, &draw);
				mcfab_walk_start(&mc.walk, w);
				while (mcfab_walk_next(&mc.walk, &event) == 1)
					straight += event.kind == MCFAB_WALK_HOP;
			}
			assert_true(hops >= straight);
			longer += hops > straight;
		}
		multicast_exit(&mc);
		net_exit(&net);
	}
	/* ways that are not shortest were among them */
	assert_true(longer > each);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ways),
		cmocka_unit_test(test_strolls),
	};

	return run_tap(tests);
}
