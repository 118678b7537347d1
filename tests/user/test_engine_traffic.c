// SPDX-License-Identifier: GPL-2.0
/*
 * Runs of patterns and of processes, with and without messages to self: the same results whatever the number of
 * shards and threads, and however packets are moved.
 */
#include "lib/capture.h"
#include "lib/check.h"
#include "lib/net.h"
#include "lib/runner.h"
#include "lib/tap.h"

static struct mcfab_fabric_cfg fc;
static struct mcfab_run_cfg rc;

static void mesh(u32 radix)
{
	mcfab_fabric_defaults(&fc);
	strcpy(fc.name, "f");
	strcpy(fc.topology, "mesh");
	fc.ndims = 2;
	fc.radix[0] = radix;
	fc.radix[1] = radix;
	fc.buffer = 2;
	fc.seed = 17;
	mcfab_run_defaults(&rc);
	strcpy(rc.policy, "unicast");
	rc.flits = 6;
	rc.workload.kind = MCFAB_WORKLOAD_TYPE_POISSON;
	rc.workload.rate = 4000000;
	rc.workload.dests = 1;
	rc.warmup = 100;
	rc.batch_cycles = 100;
	rc.precision_ppm = 0;
}

static void once(u32 shards, enum mcfab_advance_mode advance, struct outcome *out)
{
	fc.shards = shards;
	rc.advance = advance;
	runner_threads = min(shards, 3U);
	run_engine(&fc, &rc, false, out);
	runner_threads = 1;
	if (out->state == MCFAB_RUN_STATUS_FAILED || out->bad) {
		print_config(&fc, &rc);
		fail_msg("%s, %llu contradictions", out->progress.why, (unsigned long long)out->bad);
	}
}

static void compare(void)
{
	static const enum mcfab_advance_mode advance[] = {
		MCFAB_ADVANCE_MODE_FLIT, MCFAB_ADVANCE_MODE_WORM, MCFAB_ADVANCE_MODE_AUTO,
	};
	struct outcome want, got;
	u32 i;

	once(1, MCFAB_ADVANCE_MODE_AUTO, &want);
	check(want.progress.messages, "there are messages");
	for (i = 0; i < ARRAY_SIZE(advance); i++) {
		once(1 + 2 * i, advance[i], &got);
		if (got.hash == want.hash && got.cycle == want.cycle && got.state == want.state &&
		    got.progress.messages == want.progress.messages)
			continue;
		print_config(&fc, &rc);
		fail_msg("pattern %u: hash %llx, not %llx", rc.workload.pattern,
			 (unsigned long long)got.hash, (unsigned long long)want.hash);
	}
}

static void test_patterns(void **state)
{
	enum mcfab_traffic_pattern pattern;
	const u32 radix[] = { 8, 8 };
	struct net net;
	u32 i;

	net_init(&net, 2, radix);
	for (i = 0; i < 4; i++) {
		for (pattern = MCFAB_TRAFFIC_PATTERN_UNIFORM;
		     pattern <= MCFAB_TRAFFIC_PATTERN_HOTSPOT; pattern++) {
			mesh(8);
			rc.workload.topo = &net.topo;
			rc.workload.pattern = pattern;
			rc.workload.self = i % 2;
			rc.workload.nhotspots = 1;
			rc.workload.hotspot[0] = 27;
			rc.workload.hotspot_weight[0] = 1;
			rc.workload.hotspot_ppm = 200000;
			if (i >= 2) {
				strcpy(rc.policy, "dp");
				rc.workload.dests = 5;
				rc.workload.multicast_ppm = 100000;
			}
			compare();
		}
	}
	net_exit(&net);
}

static void test_sets(void **state)
{
	const u32 radix[] = { 8, 8 };
	struct net net;
	u32 i;

	net_init(&net, 2, radix);
	for (i = 0; i < 6; i++) {
		mesh(8);
		rc.workload.topo = &net.topo;
		strcpy(rc.policy, "qg");
		rc.workload.set = MCFAB_DESTINATION_SET_CLUSTERED + i % 3;
		rc.workload.radius = 2;
		rc.workload.dests = 7;
		rc.workload.rate = 500000;
		rc.workload.multicast_ppm = i < 3 ? MCFAB_PPM : 300000;
		rc.workload.pattern = i % 2 ? MCFAB_TRAFFIC_PATTERN_BITCOMP : 0;
		compare();
	}
	net_exit(&net);
}

static void test_processes(void **state)
{
	u32 i;

	for (i = 0; i < 6; i++) {
		mesh(8);
		rc.workload.kind = i < 3 ? MCFAB_WORKLOAD_TYPE_BERNOULLI : MCFAB_WORKLOAD_TYPE_ON_OFF;
		rc.workload.alpha = 50000000;
		rc.workload.beta = 100000000;
		if (i % 3)
			rc.workload.pattern = MCFAB_TRAFFIC_PATTERN_DIAGONAL;
		if (i % 3 == 2)
			rc.workload.count = 20;
		compare();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_patterns),
		cmocka_unit_test(test_sets),
		cmocka_unit_test(test_processes),
	};

	return run_tap(tests);
}
