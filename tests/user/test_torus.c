// SPDX-License-Identifier: GPL-2.0
/*
 * The policies of two-dimensional tori: t2w, ttpm, gttpm, tasnem. All destination sets
 * of small tori, random ones of tori to 40x40, rules and figures of t2w, ttpm and
 * gttpm, refusals. What is special about tasnem is in test_tasnem.c.
 *
 * MCFAB_GROUPS: random multicasts in all (default 20000); with fewer than 200000 of
 * them only some of the sets of the 4x4 torus are tried.
 */
#include <stdio.h>
#include <stdlib.h>

#include "lib/graph.h"
#include "lib/tap.h"
#include "lib/torus.h"

static const char *const policies[] = { "t2w", "ttpm", "gttpm", "tasnem" };

/* every source, every set whose number is a multiple of @stride */
static void all_sets(const char *policy, u32 m, u32 n, u32 stride)
{
	u32 nodes = m * n, source, set, i, ndst, dst[16];
	struct torus c;
	struct graph g;

	torus_open(&c, policy, m, n);
	graph_init(&g, 2 * nodes * c.net.topo.ports);
	c.graph = &g;
	for (source = 0; source < nodes; source++) {
		for (set = stride; set < 1u << nodes; set += stride) {
			if (set & BIT(source))
				continue;
			for (i = 0, ndst = 0; i < nodes; i++)
				if (set & BIT(i))
					dst[ndst++] = i;
			torus_multicast(&c, source, dst, ndst);
		}
	}
	/* background unicasts come among them */
	for (source = 0; source < nodes; source++)
		for (i = 0; i < nodes; i++)
			graph_unicast(&g, &c.mc, source, i, 0);
	if (graph_cyclic(&g))
		fail_msg("%s on %ux%u: channel dependencies have a cycle", policy, m, n);
	printf("# %s %ux%u: %llu multicasts\n", policy, m, n, (unsigned long long)c.multicasts);
	graph_exit(&g);
	torus_close(&c);
}

static void test_all_sets(void **state)
{
	u32 p;

	for (p = 0; p < ARRAY_SIZE(policies); p++) {
		all_sets(policies[p], 2, 2, 1);
		all_sets(policies[p], 2, 3, 1);
		all_sets(policies[p], 3, 2, 1);
		all_sets(policies[p], 3, 3, 1);
		all_sets(policies[p], 4, 3, 1);
		all_sets(policies[p], 3, 4, 1);
		/* 11 and 61 have no factor in common with 2^16 */
		all_sets(policies[p], 4, 4, env_thorough() ? 1 : torus_groups() >= 50000 ? 11 : 61);
	}
}

static void test_random_sets(void **state)
{
	static const u32 shapes[][2] = {
		{ 2, 40 }, { 40, 2 }, { 5, 5 }, { 5, 6 }, { 6, 5 }, { 7, 10 }, { 10, 7 }, { 10, 10 },
		{ 13, 13 }, { 16, 16 }, { 20, 33 }, { 33, 20 }, { 39, 39 }, { 40, 40 },
	};
	static u32 dst[1600], mark[1600];
	u32 each = torus_groups() / (ARRAY_SIZE(shapes) * ARRAY_SIZE(policies)) + 1, s, p, i;
	u64 seed = 7;

	for (s = 0; s < ARRAY_SIZE(shapes); s++) {
		u32 nodes = shapes[s][0] * shapes[s][1];

		for (p = 0; p < ARRAY_SIZE(policies); p++) {
			struct torus c;

			torus_open(&c, policies[p], shapes[s][0], shapes[s][1]);
			for (i = 0; i < each; i++) {
				u32 source = rng_below(&seed, nodes);
				/* mostly few; the large sets take all the time */
				u32 most = rng_below(&seed, 8) ? min(nodes - 1, 24u) : nodes - 1;
				u32 ndst = 1 + rng_below(&seed, most);

				random_set(&seed, nodes, source, dst, ndst, mark);
				torus_multicast(&c, source, dst, ndst);
			}
			torus_close(&c);
		}
	}
}

/* Dependencies of larger tori, as far as random sets show them. */
static void test_dependencies(void **state)
{
	static const u32 shapes[][2] = { { 5, 5 }, { 6, 5 }, { 5, 6 }, { 6, 6 }, { 7, 7 } };
	static u32 dst[48], mark[49];
	u64 seed = 13;
	u32 s, p, i;

	for (s = 0; s < ARRAY_SIZE(shapes); s++) {
		u32 nodes = shapes[s][0] * shapes[s][1];

		for (p = 0; p < ARRAY_SIZE(policies); p++) {
			struct torus c;
			struct graph g;

			torus_open(&c, policies[p], shapes[s][0], shapes[s][1]);
			graph_init(&g, 2 * nodes * c.net.topo.ports);
			c.graph = &g;
			for (i = 0; i < 2000; i++) {
				u32 source = rng_below(&seed, nodes);
				u32 ndst = 1 + rng_below(&seed, i % 8 ? 6 : nodes - 1);

				random_set(&seed, nodes, source, dst, ndst, mark);
				torus_multicast(&c, source, dst, ndst);
			}
			for (i = 0; i < nodes * nodes; i++)
				graph_unicast(&g, &c.mc, i / nodes, i % nodes, 0);
			assert_false(graph_cyclic(&g));
			graph_exit(&g);
			torus_close(&c);
		}
	}
}

static void expect_worm(const struct torus *c, u32 index, u32 sender, u32 after, u32 step,
			u32 count, const u32 *dst)
{
	const struct mcfab_plan_worm *worm = &c->mc.plan.worm[index];
	u32 i;

	assert_true(index < c->mc.plan.nworms);
	assert_int_equal(worm->sender, sender);
	assert_int_equal(worm->after, after);
	assert_int_equal(worm->step, step);
	assert_int_equal(worm->count, count);
	for (i = 0; i < count; i++)
		assert_int_equal(c->mc.plan.dst[worm->first + i], dst[i]);
}

/*
 * The TASNEM paper's case study of T2W: (7,8) in a 10x10 torus, the main path ends in
 * (6,8), the longest way is 18. Its destinations are lost; with all nodes both hold.
 */
static void test_t2w_case(void **state)
{
	u32 dst[99], hops[200], node[200], i, way = 0;
	u64 arrival[200];
	struct mcfab_prediction pr = { .node = node, .arrival = arrival, .hops = hops };
	struct mcfab_timing t = { .flits = 1, .link_delay = 1, .consume_delay = 1 };
	const struct mcfab_plan_worm *worm;
	struct torus c;

	torus_open(&c, "t2w", 10, 10);
	torus_multicast(&c, 87, dst, torus_everyone(100, 87, dst));
	assert_int_equal(c.mc.plan.nworms, 11);
	worm = c.mc.plan.worm;
	assert_int_equal(worm[0].count, 9);
	assert_int_equal(c.mc.plan.dst[worm[0].first], torus_node(&c, 8, 8));
	assert_int_equal(c.mc.plan.dst[worm[0].first + 8], torus_node(&c, 6, 8));
	assert_int_equal(mcfab_walk_predict(&c.mc.walk, &t, &pr), 0);
	assert_int_equal(pr.steps, 2);
	assert_int_equal(hops[8], 9);
	assert_int_equal(pr.traffic, 9 + 10 * 9);
	/* the last relay's column is the last worm */
	for (i = worm[10].first; i < worm[10].first + 9; i++)
		way = max(way, hops[8] + hops[i]);
	assert_int_equal(way, 18);
	torus_close(&c);
}

/* Directions, ties, relays, the source's own column. */
static void test_t2w_rules(void **state)
{
	struct torus c;
	u32 relay;

	torus_open(&c, "t2w", 6, 5);
	/* (1,1): columns 2 and 5: + needs 4 hops, - needs 5 */
	relay = torus_node(&c, 5, 1);
	torus_multicast(&c, torus_node(&c, 1, 1), (u32[]){ torus_node(&c, 5, 0), torus_node(&c, 2, 1) }, 2);
	assert_int_equal(c.mc.plan.nworms, 2);
	expect_worm(&c, 0, 7, MCFAB_NONE, 1, 2, (u32[]){ 8, relay | MCFAB_DST_RELAY });
	expect_worm(&c, 1, relay, 0, 2, 1, (u32[]){ 5 });
	/* columns 0 and 3: + needs 5 hops, - needs 4: 0 first, then over the wrap link */
	torus_multicast(&c, 7, (u32[]){ torus_node(&c, 3, 1), torus_node(&c, 0, 1) }, 2);
	expect_worm(&c, 0, 7, MCFAB_NONE, 1, 2, (u32[]){ 6, 9 });
	/* column 4 is as far either way: + */
	torus_multicast(&c, 7, (u32[]){ 10 }, 1);
	expect_worm(&c, 0, 7, MCFAB_NONE, 1, 1, (u32[]){ 10 });
	assert_int_equal(c.mc.plan.worm[0].arg, 1);
	/* the own column: at once; rows 0 and 3: + needs 4 hops, - needs 3 */
	torus_multicast(&c, 7, (u32[]){ torus_node(&c, 1, 3), torus_node(&c, 1, 0), 8, 14 }, 4);
	assert_int_equal(c.mc.plan.nworms, 3);
	expect_worm(&c, 0, 7, MCFAB_NONE, 1, 1, (u32[]){ 8 });
	expect_worm(&c, 1, 7, MCFAB_NONE, 1, 2, (u32[]){ 1, 19 });
	/* (2,1) is a destination and sends */
	expect_worm(&c, 2, 8, 0, 2, 1, (u32[]){ 14 });
	torus_close(&c);
}

/*
 * TTPM on 6 columns and 5 rows from (2,3): mesh A is rows 3, 4, 0, mesh B rows 2, 1.
 *
 *	row 4	. d . . . .	(1,4)
 *	row 3	. . S . d .	(4,3)
 *	row 2	. . d . . .	(2,2)
 *	row 1	d . . d d .	(0,1) (3,1) (4,1)
 *	row 0	d . . . . d	(0,0) (5,0)
 */
static void test_ttpm_rules(void **state)
{
	u32 dst[8], first[3], i;
	static const u32 at[][2] = {
		{ 1, 4 }, { 4, 3 }, { 2, 2 }, { 0, 1 }, { 3, 1 }, { 4, 1 }, { 0, 0 }, { 5, 0 },
	};
	struct torus c, t;

	torus_open(&c, "ttpm", 6, 5);
	for (i = 0; i < 8; i++)
		dst[i] = torus_node(&c, at[i][0], at[i][1]);
	torus_multicast(&c, 20, dst, 8);
	assert_int_equal(c.mc.plan.nworms, 6);
	/* up to row 0 over the wrap link, as many on either side: + */
	expect_worm(&c, 0, 20, MCFAB_NONE, 1, 3,
		    (u32[]){ 26 | MCFAB_DST_RELAY, 2 | MCFAB_DST_RELAY, 5 });
	/* down to row 1, two are to the right */
	expect_worm(&c, 1, 20, MCFAB_NONE, 1, 4, (u32[]){ 14, 8 | MCFAB_DST_RELAY, 9, 10 });
	expect_worm(&c, 2, 20, MCFAB_NONE, 1, 1, (u32[]){ 22 });
	expect_worm(&c, 3, 26, 0, 2, 1, (u32[]){ 25 });
	expect_worm(&c, 4, 2, 0, 2, 1, (u32[]){ 0 });
	expect_worm(&c, 5, 8, 1, 2, 1, (u32[]){ 6 });

	/* GTTPM is the same with x and y exchanged. */
	torus_open(&t, "gttpm", 5, 6);
	for (i = 0; i < 8; i++)
		dst[i] = torus_node(&t, at[i][1], at[i][0]);
	torus_multicast(&t, torus_node(&t, 3, 2), dst, 8);
	assert_int_equal(t.mc.plan.nworms, c.mc.plan.nworms);
	for (i = 0; i < c.mc.plan.ndst; i++) {
		u32 entry = c.mc.plan.dst[i], node = entry & ~MCFAB_DST_RELAY;

		assert_int_equal(t.mc.plan.dst[i], torus_node(&t, node / 6, node % 6) |
				 (entry & MCFAB_DST_RELAY));
	}
	torus_close(&t);

	/* All on the source's row: nothing to go along the column for. */
	first[0] = torus_node(&c, 0, 3);
	first[1] = torus_node(&c, 1, 3);
	first[2] = torus_node(&c, 5, 3);
	torus_multicast(&c, 20, first, 3);
	assert_int_equal(c.mc.plan.nworms, 2);
	expect_worm(&c, 0, 20, MCFAB_NONE, 1, 2, (u32[]){ 19, 18 });
	expect_worm(&c, 1, 20, MCFAB_NONE, 1, 1, (u32[]){ 23 });
	torus_close(&c);
}

static void test_refusals(void **state)
{
	static const struct {
		const char *topology;
		u32 ndims, radix[3];
		const char *want;
	} nets[] = {
		{ "mesh", 2, { 4, 4 }, "cannot serve topology mesh" },
		{ "star", 1, { 4 }, "cannot serve topology star" },
		{ "hypercube", 1, { 4 }, "cannot serve topology hypercube" },
		{ "torus", 3, { 4, 4, 4 }, "needs a torus of 2 dimensions, the fabric has 3" },
		{ "ring", 1, { 8 }, "needs a torus of 2 dimensions, the fabric has 1" },
	};
	u32 i, p;

	for (p = 0; p < ARRAY_SIZE(policies); p++) {
		u32 radix[] = { 4, 4 };
		struct net net;

		for (i = 0; i < ARRAY_SIZE(nets); i++) {
			net_init_as(&net, nets[i].topology, nets[i].ndims, nets[i].radix);
			net.view.vcs = 2;
			net.view.buffer = 32;
			torus_refused(&net, policies[p], "", -EOPNOTSUPP, nets[i].want);
			net_exit(&net);
		}
		net_init_as(&net, "torus", 2, radix);
		net.view.buffer = 32;
		torus_refused(&net, policies[p], "", -EOPNOTSUPP,
			"wrap links need vcs 2, the fabric has 1");
		net.view.vcs = 2;
		torus_refused(&net, policies[p], "", 0, NULL);
		net_exit(&net);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_sets),
		cmocka_unit_test(test_random_sets),
		cmocka_unit_test(test_dependencies),
		cmocka_unit_test(test_t2w_case),
		cmocka_unit_test(test_t2w_rules),
		cmocka_unit_test(test_ttpm_rules),
		cmocka_unit_test(test_refusals),
	};

	return run_tap(tests);
}
