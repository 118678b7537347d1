// SPDX-License-Identifier: GPL-2.0
/*
 * The policies that follow a Hamiltonian cycle (hcm-uniform, hcm-fixed, hcm-multipath, rg):
 * the published examples, every multicast in small networks and random ones in
 * large networks against the definitions (lib/cycle.c), channel dependencies, refusals.
 *
 * MCFAB_GROUPS: random multicasts in all (default 20000); below 200000, a tenth of all
 * multicasts in small networks. MCFAB_SEED: where the random numbers start (default 1).
 */
#include <stdio.h>

#include "lib/cycle.h"
#include "lib/graph.h"
#include "lib/net.h"
#include "lib/tap.h"
#include "routing/routing.h"

struct shape {
	const char *topology;
	u32 ndims, radix[MCFAB_MAX_DIMS], weight;
};

static const char *const policies[] = { "hcm-uniform", "hcm-fixed", "rg", "hcm-multipath" };

static bool serves(const struct net *net, const char *policy)
{
	return strcmp(policy, "hcm-multipath") ||
	       (net->topo.ndims == 2 && !strcmp(net->topo.ops->name, "torus"));
}

/* A worm as expected: its destinations in this order, and its length. */
static void expect_worm(struct multicast *mc, u32 index, u32 sender, u32 after, const u32 *dst,
			u32 ndst, u32 hops)
{
	const struct mcfab_plan_worm *worm = &mc->plan.worm[index];
	struct mcfab_walk_event event;
	u32 i, taken = 0;
	int ret;

	assert_true(index < mc->plan.nworms);
	assert_int_equal(worm->sender, sender);
	assert_int_equal(worm->after, after);
	assert_int_equal(worm->count, ndst);
	for (i = 0; i < ndst; i++)
		assert_int_equal(mc->plan.dst[worm->first + i], dst[i]);
	mcfab_walk_start(&mc->walk, index);
	while ((ret = mcfab_walk_next(&mc->walk, &event)) == 1)
		taken += event.kind == MCFAB_WALK_HOP;
	assert_int_equal(ret, 0);
	assert_int_equal(taken, hops);
}

/* Section 4.1 of the Hamiltonian-cycle paper; the printed (0,2) of label 2 is (2,0). */
static void test_torus_example(void **state)
{
	static const u32 radix[] = { 4, 4 };
	static const u32 all[] = { 0, 1, 2, 5, 8, 10, 15, 14, 12 };
	static const u32 high[] = { 15, 14, 12, 0, 1, 2 }, low[] = { 10, 8, 5, 2 };
	static const u32 high_leaders[] = { 15, 0 }, low_leaders[] = { 10, 5 };
	struct multicast mc;
	struct net net;

	net_init_vcs(&net, "torus", 2, radix, 2);
	multicast_init(&mc, &net, "hcm-uniform", "", ARRAY_SIZE(all));
	assert_int_equal(mc.pol.ops->prep, 0);
	multicast_plan(&mc, 11, all, ARRAY_SIZE(all));
	assert_int_equal(mc.plan.nworms, 2);
	expect_worm(&mc, 0, 11, MCFAB_NONE, high, 5, 6);
	expect_worm(&mc, 1, 11, MCFAB_NONE, low, 4, 7);
	multicast_exit(&mc);

	multicast_init(&mc, &net, "hcm-fixed", "", ARRAY_SIZE(all));
	multicast_plan(&mc, 11, all, ARRAY_SIZE(all));
	assert_int_equal(mc.plan.nworms, 2);
	expect_worm(&mc, 0, 11, MCFAB_NONE, high, 6, 7);
	expect_worm(&mc, 1, 11, MCFAB_NONE, low, 3, 5);
	multicast_exit(&mc);

	/* groups of 3 of the 6, of 2 of the 3 */
	multicast_init(&mc, &net, "rg", "", ARRAY_SIZE(all));
	multicast_plan(&mc, 11, all, ARRAY_SIZE(all));
	assert_int_equal(mc.plan.nworms, 5);
	expect_worm(&mc, 0, 11, MCFAB_NONE, high_leaders, 2, 3);
	expect_worm(&mc, 1, 11, MCFAB_NONE, low_leaders, 2, 3);
	expect_worm(&mc, 2, 15, 0, high + 1, 2, 3);
	expect_worm(&mc, 3, 0, 0, high + 4, 2, 2);
	expect_worm(&mc, 4, 10, 1, low + 1, 1, 2);
	multicast_exit(&mc);
	net_exit(&net);
}

/*
 * Section 4.2; 2314 (label 4) does not belong to the high worm of uniform and 2413 belongs
 * to the set.
 */
static void test_star_example(void **state)
{
	static const u32 radix[] = { 4 };
	static const char *const names[] = {
		"3421", "2341", "3241", "2134", "3124", "2314",		/* 19 21 22 1 2 4 */
		"3412", "2413", "4123", "1243",				/* 12 11 9 7 */
	};
	u32 high[6], low[5], all[10], i, source;
	struct multicast mc;
	struct net net;

	net_init_vcs(&net, "star", 1, radix, 2);
	source = net_star_node(&net, "1432");
	for (i = 0; i < ARRAY_SIZE(all); i++)
		all[i] = net_star_node(&net, names[i]);
	memcpy(high, all, sizeof(high));
	memcpy(low, all + 6, 4 * sizeof(u32));
	low[4] = high[5];
	multicast_init(&mc, &net, "hcm-uniform", "", ARRAY_SIZE(all));
	multicast_plan(&mc, source, all, ARRAY_SIZE(all));
	assert_int_equal(mc.plan.nworms, 2);
	expect_worm(&mc, 0, source, MCFAB_NONE, high, 5, 9);
	expect_worm(&mc, 1, source, MCFAB_NONE, low, 5, 9);
	multicast_exit(&mc);

	multicast_init(&mc, &net, "hcm-fixed", "", ARRAY_SIZE(all));
	multicast_plan(&mc, source, all, ARRAY_SIZE(all));
	assert_int_equal(mc.plan.nworms, 2);
	expect_worm(&mc, 0, source, MCFAB_NONE, high, 6, 11);
	expect_worm(&mc, 1, source, MCFAB_NONE, low, 4, 6);
	multicast_exit(&mc);
	net_exit(&net);
}

/* An odd source row, where labels ascend to the left: h1 has x < 2, l1 x > 2. */
static void test_multipath_example(void **state)
{
	static const u32 radix[] = { 6, 4 };
	/* labels 11 16 21 22, 8 5 2 1; the source (2,1) has 9 */
	static const u32 all[] = { 6, 16, 20, 19, 9, 5, 2, 1 };
	static const u32 h1[] = { 6, 19 }, h2[] = { 16, 20 }, l1[] = { 9, 5 }, l2[] = { 2, 1 };
	struct multicast mc;
	struct net net;

	net_init_vcs(&net, "torus", 2, radix, 2);
	multicast_init(&mc, &net, "hcm-multipath", "", ARRAY_SIZE(all));
	multicast_plan(&mc, 8, all, ARRAY_SIZE(all));
	assert_int_equal(mc.plan.nworms, 4);
	expect_worm(&mc, 0, 8, MCFAB_NONE, h1, 2, 5);
	expect_worm(&mc, 1, 8, MCFAB_NONE, h2, 2, 6);
	expect_worm(&mc, 2, 8, MCFAB_NONE, l1, 2, 4);
	expect_worm(&mc, 3, 8, MCFAB_NONE, l2, 2, 2);
	multicast_exit(&mc);
	net_exit(&net);
}

static void open_shape(struct net *net, const struct shape *shape, u32 vcs)
{
	net_init_vcs(net, shape->topology, shape->ndims, shape->radix, vcs);
}

/* Every source with every set of at most @most destinations; of these, one in @share. */
static u64 all_multicasts(struct cycle_check *c, u32 most, u32 share)
{
	u32 nodes = c->net->topo.nodes, source, i, n;
	u64 done = 0, tried = 0;

	for (source = 0; source < nodes; source++) {
		u32 pick[24], dst[24];

		for (n = 1; n <= most; n++) {
			/* combinations of n of the other nodes, in lexicographic order */
			for (i = 0; i < n; i++)
				pick[i] = i;
			for (;;) {
				for (i = 0; i < n; i++)
					dst[i] = pick[i] + (pick[i] >= source);
				if (tried++ % share == 0) {
					cycle_check(c, source, dst, n);
					done++;
				}
				for (i = n; i-- > 0 && pick[i] == nodes - 1 - n + i;)
					;
				if (i == U32_MAX)
					break;
				for (pick[i]++; i + 1 < n; i++)
					pick[i + 1] = pick[i] + 1;
			}
		}
	}
	return done;
}

static void test_every_multicast(void **state)
{
	static const struct shape small[] = {
		{ "torus", 1, { 2 } },		{ "torus", 1, { 3 } },
		{ "ring", 1, { 4 } },		{ "ring", 1, { 9 } },
		{ "torus", 2, { 2, 2 } },	{ "torus", 2, { 3, 2 } },
		{ "torus", 2, { 4, 2 } },	{ "torus", 2, { 5, 2 } },
		{ "torus", 2, { 2, 4 } },	{ "torus", 2, { 3, 4 } },
		{ "torus", 2, { 2, 6 } },	{ "torus", 3, { 2, 2, 2 } },
		{ "torus", 3, { 3, 2, 2 } },	{ "torus", 2, { 4, 4 } },
		{ "star", 1, { 3 } },		{ "star", 1, { 4 } },
	};
	u32 share = env_thorough() ? 1 : 10, s, p, a, b;
	u64 done = 0;

	for (s = 0; s < ARRAY_SIZE(small); s++) {
		struct graph g;
		struct net net;

		open_shape(&net, &small[s], 2);
		/* one graph for all policies: their worms may even meet */
		graph_init(&g, net.topo.routers * net.topo.ports * net.view.vcs);
		for (p = 0; p < ARRAY_SIZE(policies); p++) {
			u32 most = net.topo.nodes - 1;
			struct cycle_check c;

			if (!serves(&net, policies[p]))
				continue;
			cycle_check_init(&c, &net, policies[p], most);
			c.graph = &g;
			done += all_multicasts(&c, most < 23 ? most : 3, share);
			for (a = 0; a < net.topo.nodes; a++)
				for (b = 0; b < net.topo.nodes; b++)
					cycle_check_unicast(&c, a, b);
			cycle_check_exit(&c);
		}
		assert_false(graph_cyclic(&g));
		graph_exit(&g);
		net_exit(&net);
	}
	printf("# %llu multicasts\n", (unsigned long long)done);
}

/* Larger networks: legs between any two nodes, on both sides of the boundary. */
static void test_dependencies(void **state)
{
	static const struct shape medium[] = {
		{ "torus", 2, { 6, 6 } }, { "torus", 2, { 5, 8 } }, { "torus", 3, { 3, 4, 4 } },
		{ "ring", 1, { 15 } },
	};
	u32 s, p;

	for (s = 0; s < ARRAY_SIZE(medium); s++) {
		struct graph g;
		struct net net;

		open_shape(&net, &medium[s], 2);
		graph_init(&g, net.topo.routers * net.topo.ports * net.view.vcs);
		for (p = 0; p < ARRAY_SIZE(policies); p++) {
			struct cycle_check c;

			if (!serves(&net, policies[p]))
				continue;
			cycle_check_init(&c, &net, policies[p], 3);
			c.graph = &g;
			all_multicasts(&c, 3, 7);
			cycle_check_exit(&c);
		}
		assert_false(graph_cyclic(&g));
		graph_exit(&g);
		net_exit(&net);
	}
}

/* With one kind of virtual channel there is a cycle: p and q are what breaks it. */
static void test_one_lane_is_cyclic(void **state)
{
	static const struct shape shapes[] = {
		{ "ring", 1, { 5 } }, { "torus", 2, { 4, 4 } }, { "star", 1, { 4 } },
	};
	u32 s;

	for (s = 0; s < ARRAY_SIZE(shapes); s++) {
		struct cycle_check c;
		struct graph g;
		struct net net;

		open_shape(&net, &shapes[s], 2);
		graph_init(&g, net.topo.routers * net.topo.ports);
		cycle_check_init(&c, &net, "hcm-fixed", 2);
		c.graph = &g;
		c.merge_lanes = true;
		all_multicasts(&c, 2, 1);
		assert_true(graph_cyclic(&g));
		cycle_check_exit(&c);
		graph_exit(&g);
		net_exit(&net);
	}
}

static void test_random_multicasts(void **state)
{
	static const struct shape large[] = {
		{ "ring", 1, { 64 }, 1000 },		{ "torus", 1, { 37 }, 1000 },
		{ "torus", 2, { 6, 6 }, 3000 },		{ "torus", 2, { 5, 10 }, 3000 },
		{ "torus", 2, { 2, 30 }, 1000 },	{ "torus", 2, { 30, 2 }, 1000 },
		{ "torus", 2, { 10, 10 }, 3000 },	{ "torus", 2, { 17, 24 }, 2000 },
		{ "torus", 2, { 40, 40 }, 1500 },	{ "torus", 3, { 3, 5, 4 }, 2000 },
		{ "torus", 3, { 8, 8, 8 }, 1500 },	{ "torus", 4, { 3, 2, 4, 6 }, 1500 },
		{ "torus", 6, { 2, 3, 2, 3, 2, 2 }, 1000 },
		{ "torus", 8, { 2, 2, 2, 2, 2, 2, 2, 2 }, 1000 },
		{ "star", 1, { 4 }, 2000 },		{ "star", 1, { 5 }, 2000 },
		{ "star", 1, { 6 }, 1000 },		{ "star", 1, { 7 }, 300 },
	};
	u64 groups = env_number("MCFAB_GROUPS", 20000), seed = env_number("MCFAB_SEED", 1);
	u64 sum = 0, done = 0;
	u32 s, p;

	for (s = 0; s < ARRAY_SIZE(large); s++)
		sum += large[s].weight;
	for (s = 0; s < ARRAY_SIZE(large); s++) {
		u32 *dst, *mark;
		struct net net;

		open_shape(&net, &large[s], 2 + s % 4);
		dst = calloc(net.topo.nodes, sizeof(*dst));
		mark = calloc(net.topo.nodes, sizeof(*mark));
		for (p = 0; p < ARRAY_SIZE(policies); p++) {
			/* one policy serves some of them only */
			u64 n = groups * large[s].weight / (3 * sum) + 1;
			struct cycle_check c;

			if (!serves(&net, policies[p]))
				continue;
			cycle_check_init(&c, &net, policies[p], net.topo.nodes - 1);
			for (; n; n--, done++) {
				u64 draw = seed + done * 0x10001;
				u32 source = rng_below(&draw, net.topo.nodes);
				u32 ndst = random_size(&draw, net.topo.nodes);

				c.number = done;
				random_set(&draw, net.topo.nodes, source, dst, ndst, mark);
				cycle_check(&c, source, dst, ndst);
				cycle_check_unicast(&c, source, dst[0]);
			}
			cycle_check_exit(&c);
		}
		free(dst);
		free(mark);
		net_exit(&net);
	}
	printf("# %llu multicasts, seed %llu\n", (unsigned long long)done,
	       (unsigned long long)seed);
	assert_true(done >= groups);
}

/* Half the virtual channels before the boundary link, the others on it and after it. */
static void test_virtual_channels(void **state)
{
	static const u32 radix[] = { 4, 4 };
	static const struct {
		u32 router, state, port, vcs, then;
	} hops[] = {
		{ 13, 0, 1, 0x03, 0 },	/* (1,3) to (0,3): common */
		{ 12, 0, 2, 0x1c, 1 },	/* (0,3) to (0,0): the boundary link */
		{ 0, 1, 0, 0x1c, 1 },	/* (0,0) to (1,0): common, behind it */
	};
	struct mcfab_decision out;
	struct multicast mc;
	struct net net;
	u32 i, to = 1;

	net_init_vcs(&net, "torus", 2, radix, 5);
	multicast_init(&mc, &net, "hcm-uniform", "", 1);
	for (i = 0; i < ARRAY_SIZE(hops); i++) {
		struct mcfab_header hdr = {
			.router = hops[i].router, .state = hops[i].state, .sender = 13,
			.in_port = MCFAB_PORT_ANY, .first_port = MCFAB_PORT_ANY,
			.dst = &to, .last = 1,
		};

		/* (1,3) has a boundary link of its own: leave it out by going to (0,0) */
		to = hops[i].router == 13 ? 0 : 1;
		mc.pol.ops->route(&net.view, mc.pol.priv, &hdr, &out);
		assert_int_equal(out.nbranches, 1);
		assert_int_equal(out.branch[0].port[0], hops[i].port);
		assert_int_equal(out.branch[0].vcs[0], hops[i].vcs);
		assert_int_equal(out.branch[0].state, hops[i].then);
	}
	multicast_exit(&mc);
	net_exit(&net);
}

static void test_refusals(void **state)
{
	static const struct {
		struct shape shape;
		u32 vcs, of;	/* policies that refuse: a bit for each */
		const char *why;
	} cases[] = {
		{ { "torus", 2, { 3, 3 } }, 2, 0xf,
		  "no cycle of labels: the last dimension has to be even, not 3" },
		{ { "torus", 2, { 4, 5 } }, 4, 0xf,
		  "no cycle of labels: the last dimension has to be even, not 5" },
		{ { "torus", 3, { 4, 4, 3 } }, 2, 0x7,
		  "no cycle of labels: the last dimension has to be even, not 3" },
		{ { "torus", 2, { 4, 4 } }, 1, 0xf,
		  "worms round a cycle of labels need vcs 2, the fabric has 1" },
		{ { "star", 1, { 4 } }, 1, 0x7,
		  "worms round a cycle of labels need vcs 2, the fabric has 1" },
		{ { "mesh", 2, { 4, 4 } }, 2, 0xf, "cannot serve topology mesh" },
		{ { "hypercube", 1, { 4 } }, 2, 0xf, "cannot serve topology hypercube" },
		{ { "star", 1, { 4 } }, 2, 0x8, "cannot serve topology star" },
		{ { "ring", 1, { 8 } }, 2, 0x8,
		  "hcm-multipath needs a torus of 2 dimensions, not 1" },
		{ { "torus", 3, { 4, 4, 4 } }, 2, 0x8,
		  "hcm-multipath needs a torus of 2 dimensions, not 3" },
	};
	struct mcfab_policy pol;
	struct mcfab_err err;
	u32 i, p;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct net net;

		open_shape(&net, &cases[i].shape, cases[i].vcs);
		for (p = 0; p < ARRAY_SIZE(policies); p++) {
			if (!(cases[i].of & BIT(p)))
				continue;
			assert_int_equal(net_policy(&net, &pol, policies[p], "", &err),
					 -EOPNOTSUPP);
			if (!strstr(err.msg, cases[i].why))
				fail_msg("%s: %s", policies[p], err.msg);
		}
		net_exit(&net);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_torus_example),
		cmocka_unit_test(test_star_example),
		cmocka_unit_test(test_multipath_example),
		cmocka_unit_test(test_every_multicast),
		cmocka_unit_test(test_dependencies),
		cmocka_unit_test(test_one_lane_is_cyclic),
		cmocka_unit_test(test_random_multicasts),
		cmocka_unit_test(test_virtual_channels),
		cmocka_unit_test(test_refusals),
	};

	return run_tap(tests);
}
