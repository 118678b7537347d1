// SPDX-License-Identifier: GPL-2.0
/*
 * Results are a function of the configuration and the seed alone: whatever the
 * number of shards and of threads, a run ends in the same way, in the same cycle,
 * with the same hash and the same counts.
 */
#include <stdio.h>
#include <stdlib.h>
#include "lib/capture.h"
#include "lib/net.h"
#include "lib/runner.h"
#include "lib/shortest.h"

#include "lib/tap.h"

static const char *const policies[] = { "unicast", "dp", "ld", "mp", "cp", "qg" };
static const u32 vcs[] = { 1, 2, 4 };
static struct mcfab_fabric_cfg fc;
static struct mcfab_run_cfg rc;
static u32 runs;

static void mesh(u32 x, u32 y)
{
	mcfab_fabric_defaults(&fc);
	strcpy(fc.name, "f");
	strcpy(fc.topology, "mesh");
	fc.ndims = y ? 2 : 1;
	fc.radix[0] = x;
	fc.radix[1] = y;
	fc.stall_limit = 2000;
	mcfab_run_defaults(&rc);
	rc.flits = 8;
	rc.workload.dests = 6;
	rc.workload.count = 0;
	rc.warmup = 100;
	rc.batch_cycles = 40;
	rc.precision_ppm = 0;
}

static void once(u32 shards, u32 threads, struct outcome *out)
{
	/* most threads leave their team and come back again and again */
	runner_spin(runs % 3 ? 1 : 200);
	fc.shards = shards;
	runner_threads = threads;
	run_engine(&fc, &rc, false, out);
	runner_threads = 1;
	runs++;
	if (out->state == MCFAB_RUN_STATUS_FAILED || out->bad) {
		print_config(&fc, &rc);
		fail_msg("%s, %llu contradictions", out->progress.why, (unsigned long long)out->bad);
	}
}

static void same(const struct outcome *a, const struct outcome *b, u32 shards, u32 threads)
{
	const struct mcfab_progress *pa = &a->progress, *pb = &b->progress;

	if (a->state == b->state && a->hash == b->hash && a->cycle == b->cycle &&
	    pa->messages == pb->messages && pa->deliveries == pb->deliveries &&
	    pa->flit_hops == pb->flit_hops && pa->stalls == pb->stalls &&
	    !strcmp(pa->why, pb->why) && !memcmp(&a->deadlock, &b->deadlock, sizeof(a->deadlock)))
		return;
	print_config(&fc, &rc);
	fail_msg("%u shards, %u threads: state %u hash %llx cycle %llu deliveries %llu (%s), not state %u hash %llx cycle %llu deliveries %llu (%s)",
		 shards, threads, b->state, (unsigned long long)b->hash,
		 (unsigned long long)b->cycle, (unsigned long long)pb->deliveries, pb->why,
		 a->state, (unsigned long long)a->hash, (unsigned long long)a->cycle,
		 (unsigned long long)pa->deliveries, pa->why);
}

/* the run as configured, divided in several ways, some of them with threads */
static enum mcfab_run_status compare(u64 *rnd)
{
	static const u32 shards[] = { 2, 3, 4, 7, 16, 64 };
	struct outcome want, got;
	u32 i, s, t;

	once(1, 1, &want);
	for (i = 0; i < 2; i++) {
		s = shards[rng_below(rnd, ARRAY_SIZE(shards))];
		once(s, 1, &got);
		same(&want, &got, s, 1);
	}
	s = shards[rng_below(rnd, ARRAY_SIZE(shards))];
	t = rng_below(rnd, 4) ? 2 : 3 + rng_below(rnd, 2);
	once(s, t, &got);
	same(&want, &got, s, t);
	return want.state;
}

/* more rules than the defaults, at random */
static void more_rules(u64 *rnd)
{
	if (!rng_below(rnd, 3))
		fc.vc_release = MCFAB_VC_RELEASE_MODE_SENT;
	if (!rng_below(rnd, 3)) {
		fc.link_delay = 1 + rng_below(rnd, 3);
		fc.route_delay = rng_below(rnd, 3);
		fc.consume_delay = 1 + rng_below(rnd, 3);
		fc.inject_delay = rng_below(rnd, 3);
	}
	if (!rng_below(rnd, 4))
		fc.credit_delay = rng_below(rnd, 4);
	if (!rng_below(rnd, 4)) {
		fc.switching = 2 + rng_below(rnd, 2);
		fc.buffer = rc.flits * (1 + rng_below(rnd, 2));
		fc.link_arbitration = 1 + rng_below(rnd, 2);
	} else {
		fc.buffer = 1 + rng_below(rnd, 4);
	}
	if (!rng_below(rnd, 3))
		fc.replication = MCFAB_REPLICATION_MODE_LOCKSTEP;
	if (!rng_below(rnd, 3))
		fc.input_speedup = 1;
	if (fc.input_speedup && fc.link_arbitration == MCFAB_LINK_ARBITRATION_MODE_FLIT &&
	    fc.replication == MCFAB_REPLICATION_MODE_ASYNC)
		fc.allocator = MCFAB_ALLOCATOR_MODE_SEPARABLE;
	if (!rng_below(rnd, 4))
		fc.inject = 1 + rng_below(rnd, 2);
	rc.node_busy = 1 + rng_below(rnd, 3);
	rc.rounds = rng_below(rnd, 3);
	rc.prep_relay = rng_below(rnd, 3);
	fc.seed = rng(rnd);
}

static void test_workloads(void **state)
{
	u32 times = env_thorough() ? 2 : 1;
	u32 p, v, kind, i, ended[MCFAB_RUN_STATUS_CUT + 1] = { 0 };
	u64 rnd = 99;

	for (i = 0; i < times * ARRAY_SIZE(policies) * ARRAY_SIZE(vcs) * 6; i++) {
		struct mcfab_msg_list *list = NULL;

		p = i % ARRAY_SIZE(policies);
		v = i / ARRAY_SIZE(policies) % ARRAY_SIZE(vcs);
		kind = i / (ARRAY_SIZE(policies) * ARRAY_SIZE(vcs)) % 6;
		mesh(6, 6);
		strcpy(rc.policy, policies[p]);
		fc.vcs = vcs[v];
		if (i >= ARRAY_SIZE(policies) * ARRAY_SIZE(vcs) * 6 || rng_below(&rnd, 2))
			more_rules(&rnd);
		rc.workload.rate = 2000000;	/* of 1e9 */
		rc.workload.interval = 400;
		switch (kind) {
		case 0:
			rc.workload.kind = MCFAB_WORKLOAD_TYPE_LONE;
			rc.workload.count = 5;
			break;
		case 1:
			rc.workload.kind = MCFAB_WORKLOAD_TYPE_POISSON;
			rc.workload.multicast_ppm = rng_below(&rnd, 2) ? MCFAB_PPM : 500000;
			break;
		case 2:
			rc.workload.kind = MCFAB_WORKLOAD_TYPE_FIXED;
			break;
		case 3:
			rc.workload.kind = MCFAB_WORKLOAD_TYPE_FIXED;
			rc.workload.network = true;
			rc.workload.interval = 11;
			break;
		case 4:
			rc.workload.kind = MCFAB_WORKLOAD_TYPE_BURST;
			rc.workload.fraction_ppm = 700000;
			break;
		case 5:
			rc.workload.kind = MCFAB_WORKLOAD_TYPE_FILE;
			list = list_random(&rnd, 36, 60, 8, 150);
			rc.workload.list = list;
			break;
		}
		/* the union of dimension order and labels is not free of deadlock */
		if (fc.vc_release == MCFAB_VC_RELEASE_MODE_SENT && strcmp(rc.policy, "unicast"))
			rc.max_cycles = 100000;
		ended[compare(&rnd)]++;
		if (list)
			list_free(list);
	}
	printf("# %u runs; of %u configurations %u were done, %u cut, %u deadlocked; threads came back %llu times\n",
	       runs, i, ended[MCFAB_RUN_STATUS_DONE], ended[MCFAB_RUN_STATUS_CUT],
	       ended[MCFAB_RUN_STATUS_DEADLOCKED], (unsigned long long)runner_returns);
	assert_true(ended[MCFAB_RUN_STATUS_DONE] * 10 > i * 9);
	assert_true(runner_returns > 20);
}

/* hosts in any order, several or none on a switch, so that shards' nodes are scattered */
static void test_irregular(void **state)
{
	u32 i, ended[MCFAB_RUN_STATUS_CUT + 1] = { 0 };
	u64 rnd = 7;

	for (i = 0; i < 60; i++) {
		struct mcfab_graph *graph = graph_random(&rnd, 16);
		struct mcfab_msg_list *list = NULL;

		mesh(1, 1);
		more_rules(&rnd);
		strcpy(fc.topology, "irregular");
		fc.ndims = 0;
		fc.graph = graph;
		fc.vcs = 1 + rng_below(&rnd, 3);
		strcpy(rc.policy, i % 3 ? "test-shortest" : "test-shortest-tree");
		rc.workload.dests = 1 + rng_below(&rnd, graph->hosts - 1);
		rc.max_cycles = 100000;
		if (i % 2) {
			list = list_random(&rnd, graph->hosts, 100, 8, 150);
			rc.workload.kind = MCFAB_WORKLOAD_TYPE_FILE;
			rc.workload.list = list;
		} else {
			rc.workload.kind = MCFAB_WORKLOAD_TYPE_POISSON;
			rc.workload.rate = 5000000;
		}
		ended[compare(&rnd)]++;
		if (list)
			list_free(list);
		free(graph);
	}
	fc.graph = NULL;
	printf("# %u irregular networks: %u were done, %u cut, %u deadlocked\n", i,
	       ended[MCFAB_RUN_STATUS_DONE], ended[MCFAB_RUN_STATUS_CUT],
		       ended[MCFAB_RUN_STATUS_DEADLOCKED]);
	assert_true(ended[MCFAB_RUN_STATUS_DONE] * 2 > i);
}

/* far beyond saturation, until a pool is dry or the time is over */
static void test_saturated(void **state)
{
	u64 rnd = 5;
	u32 p, i;

	for (i = 0; i < 2; i++) {
		for (p = 0; p < ARRAY_SIZE(policies); p++) {
			mesh(5, 4);
			strcpy(rc.policy, policies[p]);
			rc.workload.kind = MCFAB_WORKLOAD_TYPE_POISSON;
			rc.workload.rate = i ? 900000000 : 100000000;
			fc.startup = i ? 0 : 5;
			rc.flits = i ? 2 : 8;
			rc.prep = 0;
			rc.batch_cycles = i ? 100 : 500;
			rc.max_cycles = 20000;
			if (i) {
				fc.inject = 8;
				rc.node_busy = MCFAB_NODE_BUSY_MODE_STARTUP;
			}
			/* unicasts to six nodes each: rounds wait for the injection channel without end */
			assert_int_equal(compare(&rnd), p || i ? MCFAB_RUN_STATUS_SATURATED :
								 MCFAB_RUN_STATUS_CUT);
		}
	}
}

/* so far beyond saturation that messages are counted before older ones that are stuck */
static void test_overtaken(void **state)
{
	u64 rnd = 6;
	u32 p;

	for (p = 0; p < 2; p++) {
		mesh(5, 4);
		strcpy(rc.policy, p ? "dp" : "unicast");
		rc.workload.kind = MCFAB_WORKLOAD_TYPE_POISSON;
		rc.workload.rate = 900000000;
		rc.workload.dests = p ? 6 : 1;
		fc.startup = 0;
		fc.inject = 2;
		rc.flits = 1;
		rc.prep = 0;
		rc.batch_cycles = 5000;
		assert_int_equal(compare(&rnd), MCFAB_RUN_STATUS_SATURATED);
	}
}

/*
 * Many worms of one sender that end in one cycle, all in other shards: the sender's
 * shard hears of all of them at once.
 */
static void test_ends_together(void **state)
{
	struct mcfab_msg_list *list = list_new(32, 32);
	struct outcome want, got;
	u32 i;

	mesh(64, 0);
	fc.startup = 0;
	rc.prep = 0;
	rc.flits = 1;
	strcpy(rc.policy, "dp");
	rc.workload.kind = MCFAB_WORKLOAD_TYPE_FILE;
	rc.workload.list = list;
	/* a channel is granted every other cycle */
	for (i = 0; i < 31; i++) {
		list->cycle[i] = 2 * i;
		list->source[i] = 0;
		list->first[i + 1] = i + 1;
		list->dst[i] = 63 - 2 * i;
	}
	/* and in that cycle one more goes to the next shard */
	list->cycle[31] = 63;
	list->source[31] = 0;
	list->first[32] = 32;
	list->dst[31] = 1;
	once(1, 1, &want);
	assert_int_equal(want.state, MCFAB_RUN_STATUS_DONE);
	assert_int_equal(want.progress.deliveries, 32);
	assert_int_equal(want.cycle, 66);
	for (i = 2; i <= 64; i++) {
		once(i, 1, &got);
		same(&want, &got, i, 1);
	}
	list_free(list);
}

/* threads that come late stay in their team as long as nobody takes their CPUs */
static void test_late(void **state)
{
	struct outcome want, got;
	u64 returns = runner_returns;
	u32 i;

	mesh(8, 8);
	strcpy(rc.policy, "dp");
	rc.workload.kind = MCFAB_WORKLOAD_TYPE_POISSON;
	rc.workload.rate = 2000000;
	once(1, 1, &want);
	runner_preempts = false;
	for (i = 0; i < 6; i++) {
		once(4, 3, &got);
		same(&want, &got, 4, 3);
	}
	assert_int_equal(runner_returns, returns);
	runner_preempts = true;
	for (i = 0; i < 6; i++) {
		once(4, 3, &got);
		same(&want, &got, 4, 3);
	}
	assert_true(runner_returns > returns);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ends_together),
		cmocka_unit_test(test_workloads),
		cmocka_unit_test(test_saturated),
		cmocka_unit_test(test_overtaken),
		cmocka_unit_test(test_irregular),
		cmocka_unit_test(test_late),
	};

	mcfab_policy_register(&test_shortest);
	mcfab_policy_register(&test_shortest_tree);
	return run_tap(tests);
}
