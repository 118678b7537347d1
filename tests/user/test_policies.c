// SPDX-License-Identifier: GPL-2.0
/* The policies: worked examples, what unicasts follow, and walks that resume. */

#include "lib/net.h"
#include "lib/tap.h"
#include "policies/qg.h"

static const u32 mesh16[] = { 16, 16 };
static const u32 mesh10[] = { 10, 10 };

static const struct mcfab_timing timing = {
	.flits = 32, .prep = 2, .startup = 33, .link_delay = 1, .consume_delay = 1,
	.rounds = MCFAB_ROUNDS_MODE_DELIVERED,
};

/* One number of engine-model.md: hop 10 of a worm of DP on a 16x16 mesh. */
static void test_dp_timing(void **state)
{
	/* Source (3,3), label 60: up its row leftwards, then up the columns. */
	static const u32 dst[] = { 3 * 16 + 1, 6 * 16 + 6, 2 * 16 + 3 };
	u32 node[3], hops[3];
	u64 arrival[3];
	struct mcfab_prediction out = { .node = node, .arrival = arrival, .hops = hops };
	struct multicast mc;
	struct net net;

	net_init(&net, 2, mesh16);
	multicast_init(&mc, &net, "dp", "", 3);
	assert_int_equal(mc.pol.ops->prep, 2);
	multicast_plan(&mc, 3 * 16 + 3, dst, 3);
	assert_int_equal(mc.plan.nworms, 2);
	assert_int_equal(mcfab_walk_predict(&mc.walk, &timing, &out), 0);
	assert_int_equal(node[1], 6 * 16 + 6);
	assert_int_equal(hops[1], 10);
	assert_int_equal(arrival[1], 77);
	assert_int_equal(arrival[1] - timing.flits + 1, 46);
	assert_int_equal(out.completion, 77);
	assert_int_equal(out.longest, 10);
	assert_int_equal(out.traffic, 11);
	assert_int_equal(out.steps, 1);
	assert_int_equal(out.ndst, 3);
	assert_int_equal(out.sum_destination, 69 + 77 + 68);
	assert_int_equal(out.sum_worm, 77 + 68);
	multicast_exit(&mc);
	net_exit(&net);
}

/* Every worm of MP leaves by its own neighbour. */
static void test_mp_first_hops(void **state)
{
	static const u32 radix[] = { 6, 6 };
	/* Source (2,2), even row: higher neighbours +x, +y; lower -x, -y. */
	static const struct {
		u32 x, y, port;
	} cases[] = {
		{ 3, 2, 0 }, { 5, 5, 0 }, { 3, 3, 0 },	/* x > 2, above: through +x */
		{ 2, 3, 2 }, { 0, 3, 2 }, { 1, 5, 2 },	/* x <= 2, above: through +y */
		{ 1, 2, 1 }, { 0, 0, 1 }, { 1, 1, 1 },	/* x < 2, below: through -x */
		{ 2, 1, 3 }, { 5, 1, 3 }, { 3, 0, 3 },	/* x >= 2, below: through -y */
	};
	u32 dst[ARRAY_SIZE(cases)], i, j, left = 0;
	struct mcfab_walk_event event;
	struct multicast mc;
	struct net net;

	net_init(&net, 2, radix);
	for (i = 0; i < ARRAY_SIZE(cases); i++)
		dst[i] = cases[i].y * 6 + cases[i].x;
	multicast_init(&mc, &net, "mp", "", ARRAY_SIZE(dst));
	multicast_plan(&mc, 14, dst, ARRAY_SIZE(dst));
	assert_int_equal(mc.plan.nworms, 4);
	for (i = 0; i < 4; i++) {
		mcfab_walk_start(&mc.walk, i);
		assert_int_equal(mcfab_walk_next(&mc.walk, &event), 1);
		assert_int_equal(event.kind, MCFAB_WALK_HOP);
		assert_int_equal(event.port, mc.plan.worm[i].port);
		assert_false(left & BIT(event.port));
		left |= BIT(event.port);
		for (j = 0; j < ARRAY_SIZE(dst); j++) {
			u32 k, found = 0;

			for (k = 0; k < mc.plan.worm[i].count; k++)
				found += mc.plan.dst[mc.plan.worm[i].first + k] == dst[j];
			assert_int_equal(found, cases[j].port == event.port);
		}
	}
	/* R alone would send the worm to (0,3) along the row and up a later column. */
	multicast_plan(&mc, 14, (u32[]){ 18 }, 1);
	assert_int_equal(mcfab_walk_next(&mc.walk, &event), 1);
	assert_int_equal(event.port, 2);
	multicast_exit(&mc);
	net_exit(&net);
}

static void test_cp_order(void **state)
{
	/* Source (4,4) on 10x10. */
	static const u32 dst[] = {
		44 + 1, 44 + 2,			/* row: two columns, 1 and 2 hops */
		90 + 4, 60 + 4,			/* own column, above: 5 hops */
		0 + 3, 10 + 3,			/* column 3, below: 5 hops */
		80 + 3,				/* column 3, above: 5 hops */
	};
	static const u32 want[] = { 83, 13, 3, 64, 94, 46, 45 };
	static const u32 first[] = { 0, 1, 3, 5, 6 };
	struct multicast mc;
	struct net net;
	u32 i;

	net_init(&net, 2, mesh10);
	net.view.inject = 2;
	multicast_init(&mc, &net, "cp", "", ARRAY_SIZE(dst));
	multicast_plan(&mc, 44, dst, ARRAY_SIZE(dst));
	assert_int_equal(mc.plan.nworms, ARRAY_SIZE(first));
	for (i = 0; i < ARRAY_SIZE(want); i++)
		assert_int_equal(mc.plan.dst[i], want[i]);
	for (i = 0; i < ARRAY_SIZE(first); i++) {
		assert_int_equal(mc.plan.worm[i].first, first[i]);
		assert_int_equal(mc.plan.worm[i].round, i / 2);
		assert_int_equal(mc.plan.worm[i].step, 1);
	}
	multicast_exit(&mc);
	net_exit(&net);
}

/* Rounds: each starts when the one before is delivered. */
static void test_unicast_rounds(void **state)
{
	static const u32 radix[] = { 10 };
	static const u32 dst[] = { 9, 3, 1, 6, 4 };
	static const u32 want[] = { 4, 6, 3, 1, 9 };
	/* t + h + 32 with t = 35, then + 33 after the later of two. */
	static const u64 when[] = { 68, 68, 68 + 33 + 2 + 32, 68 + 33 + 4 + 32,
				    137 + 33 + 4 + 32 };
	struct mcfab_prediction out;
	u32 node[5], i;
	u64 arrival[5];
	struct multicast mc;
	struct net net;

	net_init(&net, 1, radix);
	net.view.inject = 2;
	multicast_init(&mc, &net, "unicast", "", 5);
	multicast_plan(&mc, 5, dst, 5);
	memset(&out, 0, sizeof(out));
	out.node = node;
	out.arrival = arrival;
	assert_int_equal(mcfab_walk_predict(&mc.walk, &timing, &out), 0);
	for (i = 0; i < 5; i++) {
		assert_int_equal(node[i], want[i]);
		assert_int_equal(arrival[i], when[i]);
		assert_int_equal(mc.plan.worm[i].round, i / 2);
	}
	multicast_exit(&mc);
	net_exit(&net);
}

/*
 * The QG paper's worked example. The figure with the destinations is lost; these
 * have its weights, its divisor dimension (N_y = 9 < N_x = 11) and its group sizes.
 */
static const u32 qg_source = 45;	/* (5,4) */
static const u32 qg_dst[] = {
	/* G1, 7: nearest (4,4), farthest (2,1) */
	44, 12, 43, 34, 33, 42, 24,
	/* G2, 4: nearest (5,3), farthest (8,0) */
	35, 8, 19, 36,
	/* G4, 3: nearest (4,5), farthest (0,9) */
	54, 90, 64,
	/* G3, 17: nearest (5,5), farthest (8,9) */
	55, 98, 56, 57, 58, 65, 66, 67, 68, 75, 76, 77, 78, 85, 86, 87, 88,
};

static u32 qg_run(struct net *net, struct qg_work *work, u64 td, u32 *dst)
{
	memcpy(dst, qg_dst, sizeof(qg_dst));
	return qg_form_groups(&net->topo, qg_source, dst, ARRAY_SIZE(qg_dst), td, work);
}

static void test_qg_example(void **state)
{
	static const u32 weight[] = { 13, 11, 13, 25 }, count[] = { 7, 4, 3, 17 };
	u64 keys[40], by_rep[40];
	struct qg_group group[40], primary[4];
	u32 reps[40], spare[40], bucket[5], dst[40], i, mid, upper_x = 0, upper_y = 0, total = 0;
	struct qg_work work = { keys, by_rep, group, primary, reps, spare, bucket };
	struct net net;

	BUILD_BUG_ON(ARRAY_SIZE(qg_dst) != 31);
	net_init(&net, 2, mesh10);
	for (i = 0; i < ARRAY_SIZE(qg_dst); i++) {
		upper_x += qg_dst[i] % 10 > 4;
		upper_y += qg_dst[i] / 10 > 4;
	}
	assert_int_equal(2 * upper_x - ARRAY_SIZE(qg_dst), 11);
	assert_int_equal(2 * upper_y - ARRAY_SIZE(qg_dst), 9);
	assert_int_equal(qg_divisor(&net.topo, qg_dst, ARRAY_SIZE(qg_dst), &mid), 1);
	assert_int_equal(mid, 4);

	/* TD 0.5: only the third group of the paper fails, and is cut in two. */
	assert_int_equal(qg_run(&net, &work, 500000, dst), 5);
	for (i = 0; i < 4; i++) {
		assert_int_equal(primary[i].weight, weight[i]);
		assert_int_equal(primary[i].count, count[i]);
		total += primary[i].weight;
	}
	assert_int_equal(2 * total, 4 * 31);	/* W_av = 15.5 */
	for (i = 0; i < 3; i++)
		assert_int_equal(group[i].count, count[i]);
	assert_int_equal(group[3].count + group[4].count, 17);
	assert_int_equal(group[0].rep, 44);
	assert_int_equal(group[1].rep, 35);
	assert_int_equal(group[2].rep, 54);
	assert_int_equal(group[3].rep, 55);

	/* Its qualification point is 9.5 / 15.5 = 0.6129032...: exact on both sides. */
	assert_int_equal(qg_run(&net, &work, 612903, dst), 5);
	assert_int_equal(qg_run(&net, &work, 612904, dst), 4);
	/* TD 0: no part may exceed the mean; one of the two halves is cut again. */
	assert_int_equal(qg_run(&net, &work, 0, dst), 6);
	net_exit(&net);
}

static void test_qg_steps(void **state)
{
	struct multicast mc;
	struct net net;
	u32 i, senders = 0, last = MCFAB_NONE;

	net_init(&net, 2, mesh10);
	multicast_init(&mc, &net, "qg", "", ARRAY_SIZE(qg_dst));
	assert_int_equal(mc.pol.ops->prep, 16);
	multicast_plan(&mc, qg_source, qg_dst, ARRAY_SIZE(qg_dst));
	for (i = 0; i < mc.plan.nworms; i++) {
		const struct mcfab_plan_worm *worm = &mc.plan.worm[i];

		if (worm->after == MCFAB_NONE) {
			assert_int_equal(worm->step, 1);
			continue;
		}
		assert_int_equal(worm->step, 2);
		senders += worm->sender != last;
		last = worm->sender;
	}
	assert_int_equal(senders, 5);
	multicast_exit(&mc);
	net_exit(&net);
}

/* Base routing of background unicasts. */
static void test_unicast_arg(void **state)
{
	static const struct {
		const char *policy, *set;
		bool label;
	} cases[] = {
		{ "dp", "", true }, { "mp", "", true }, { "qg", "cover=label", true },
		{ "qg", "cover=multipath", true }, { "qg", "", false },
		{ "qg", "cover=chain", false }, { "qg", "routing=west-first", false },
		{ "qg", "routing=negative-first", false },
	};
	struct mcfab_policy pol;
	struct mcfab_err err;
	struct net net;
	u32 i;

	net_init(&net, 2, mesh10);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct mcfab_decision out;
		u32 dst[] = { 18 };	/* from (0,0): (8,1) */
		struct mcfab_header hdr = {
			.router = 9, .first_port = MCFAB_PORT_ANY, .dst = dst, .last = 1,
		};

		assert_int_equal(net_policy(&net, &pol, cases[i].policy, cases[i].set, &err), 0);
		/* At (9,0) label routing goes up; dimension order goes back first. */
		hdr.arg = pol.ops->unicast_arg(pol.priv);
		pol.ops->route(&pol.view, pol.priv, &hdr, &out);
		assert_int_equal(out.branch[0].port[0] == 2, cases[i].label);
		assert_true(out.branch[0].port[0] == 1 || cases[i].label);
		mcfab_policy_close(&pol);
	}
	net_exit(&net);
}

/* ports of a mesh of two dimensions */
enum { EAST, WEST, NORTH, SOUTH };

static bool forbidden(bool negative, u16 from, u16 to)
{
	if (from == (to ^ 1))	/* back */
		return true;
	if (negative)
		return (from == EAST || from == NORTH) && (to == WEST || to == SOUTH);
	return from != WEST && to == WEST;
}

/* no worm of qg with a turn model, and no unicast beside it, makes a forbidden turn */
static void test_turns(void **state)
{
	static const u32 sizes[][2] = { { 16, 16 }, { 5, 9 }, { 12, 3 }, { 2, 2 }, { 1, 8 } };
	u64 rnd = 3, turns = 0, back = 0;
	u32 n, negative, i, w;

	for (n = 0; n < ARRAY_SIZE(sizes); n++) {
		for (negative = 0; negative < 2; negative++) {
			u32 dst[256], mark[256] = { 0 };
			struct multicast mc;
			struct net net;

			net_init(&net, 2, sizes[n]);
			multicast_init(&mc, &net, "qg", negative ? "routing=negative-first" :
								   "routing=west-first",
				       net.topo.nodes);
			for (i = 0; i < 300; i++) {
				u32 source = rng_below(&rnd, net.topo.nodes);
				u32 ndst = random_size(&rnd, net.topo.nodes);

				random_set(&rnd, net.topo.nodes, source, dst, ndst, mark);
				multicast_plan(&mc, source, dst, ndst);
				for (w = 0; w < mc.plan.nworms; w++) {
					struct mcfab_walk_event event;
					u16 last = U16_MAX;

					mcfab_walk_start(&mc.walk, w);
					while (mcfab_walk_listed(&mc.walk, &event) == 1) {
						if (event.kind != MCFAB_WALK_HOP)
							continue;
						if (last != U16_MAX) {
							assert_false(forbidden(negative, last,
									       event.port));
							turns += last != event.port;
							/* what dimension order has not */
							back += last >= NORTH && event.port < NORTH;
						}
						last = event.port;
					}
				}
			}
			multicast_exit(&mc);
			net_exit(&net);
		}
	}
	printf("# %llu turns, %llu of them from north or south\n", (unsigned long long)turns,
	       (unsigned long long)back);
	assert_true(turns > 10000 && back > 1000);
}

/* A dump resumes: seeking to any hop gives what walking gives. */
static void test_walk_seek(void **state)
{
	struct mcfab_walk_event all[256], event;
	struct multicast mc;
	struct net net;
	u32 w, i, n;

	net_init(&net, 2, mesh10);
	multicast_init(&mc, &net, "qg", "cover=multipath", ARRAY_SIZE(qg_dst));
	multicast_plan(&mc, qg_source, qg_dst, ARRAY_SIZE(qg_dst));
	for (w = 0; w < mc.plan.nworms; w++) {
		n = 0;
		mcfab_walk_start(&mc.walk, w);
		while (mcfab_walk_listed(&mc.walk, &event) == 1)
			all[n++] = event;
		for (i = 0; i < 2 * n; i++) {
			u32 hop = (i * 7) % n;

			assert_int_equal(mcfab_walk_seek(&mc.walk, w, hop), 0);
			assert_int_equal(mcfab_walk_listed(&mc.walk, &event), 1);
			assert_int_equal(event.kind, MCFAB_WALK_HOP);
			assert_int_equal(event.from, all[hop].from);
			assert_int_equal(event.to, all[hop].to);
			assert_int_equal(event.port, all[hop].port);
			assert_int_equal(event.hops, all[hop].hops);
		}
	}
	multicast_exit(&mc);
	net_exit(&net);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dp_timing),
		cmocka_unit_test(test_mp_first_hops),
		cmocka_unit_test(test_cp_order),
		cmocka_unit_test(test_unicast_rounds),
		cmocka_unit_test(test_qg_example),
		cmocka_unit_test(test_qg_steps),
		cmocka_unit_test(test_unicast_arg),
		cmocka_unit_test(test_turns),
		cmocka_unit_test(test_walk_seek),
	};

	return run_tap(tests);
}
