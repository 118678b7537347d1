// SPDX-License-Identifier: GPL-2.0
/*
 * Runs of patterns, of processes, with and without messages to self, and of messages of several
 * lengths: the same results whatever the number of shards and threads, and however packets are moved.
 */
#include "lib/capture.h"
#include "lib/check.h"
#include "lib/net.h"
#include "lib/runner.h"
#include "lib/tap.h"
#include "workload/workload.h"

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

static void lengths(u32 n, const u32 *length, const u32 *weight)
{
	rc.workload.nlengths = n;
	memcpy(rc.workload.length, length, n * sizeof(*length));
	memcpy(rc.workload.weight, weight, n * sizeof(*weight));
}

static void test_lengths(void **state)
{
	static const enum mcfab_workload_type kind[] = {
		MCFAB_WORKLOAD_TYPE_POISSON, MCFAB_WORKLOAD_TYPE_BERNOULLI,
		MCFAB_WORKLOAD_TYPE_ON_OFF, MCFAB_WORKLOAD_TYPE_FIXED, MCFAB_WORKLOAD_TYPE_BURST,
	};
	static const u32 length[] = { 1, 9, 4, 23 }, weight[] = { 5, 2, 1, 1 };
	u32 i, k;

	for (i = 0; i < ARRAY_SIZE(kind); i++) {
		for (k = 0; k < 4; k++) {
			mesh(8);
			rc.workload.kind = kind[i];
			rc.workload.alpha = 50000000;
			rc.workload.beta = 100000000;
			rc.workload.interval = 400;
			strcpy(rc.policy, k ? "dp" : "unicast");
			rc.workload.dests = k ? 6 : 1;
			if (k)
				rc.workload.rate = 800000;
			if (k == 2 && kind[i] != MCFAB_WORKLOAD_TYPE_BURST)
				rc.workload.multicast_ppm = 100000;
			if (k == 3) {
				fc.switching = MCFAB_SWITCHING_MODE_CUT_THROUGH;
				fc.buffer = 30;
				fc.vc_release = MCFAB_VC_RELEASE_MODE_DRAINED;
			}
			lengths(ARRAY_SIZE(length), length, weight);
			compare();
		}
	}
}

/* one length is the same as flits, in the same mode; so are several equal ones, whatever is drawn */
static void test_one_length(void **state)
{
	static const u32 length[] = { 6, 6, 6 }, weight[] = { 7, 1, 1 };
	struct outcome want, got;
	u32 i;

	for (i = 0; i < 2; i++) {
		mesh(8);
		rc.mtu = i ? 4 : 0;
		once(1, MCFAB_ADVANCE_MODE_AUTO, &want);
		rc.flits = 1;
		lengths(1, length, weight);
		once(1, MCFAB_ADVANCE_MODE_AUTO, &got);
		assert_int_equal(got.hash, want.hash);
		assert_int_equal(got.flights, want.flights);
		lengths(3, length, weight);
		once(1, MCFAB_ADVANCE_MODE_AUTO, &got);
		assert_int_equal(got.hash, want.hash);
		assert_int_equal(got.flights, want.flights);
		assert_string_equal(got.progress.chosen.mode, want.progress.chosen.mode);
	}
}

/* two policies are given the same messages; what they deliver has the messages' lengths */
static void test_same_messages(void **state)
{
	static const char *const policies[] = { "dp", "mp", "qg" };
	static const u32 length[] = { 3, 40 }, weight[] = { 3, 1 };
	struct capture seen = { 0 };
	struct mcfab_workload work;
	struct mcfab_err err;
	struct outcome out;
	u32 p, i, mine;

	for (p = 0; p < ARRAY_SIZE(policies); p++) {
		mesh(8);
		strcpy(rc.policy, policies[p]);
		rc.workload.kind = MCFAB_WORKLOAD_TYPE_BURST;
		rc.workload.dests = 5;
		lengths(2, length, weight);
		assert_int_equal(mcfab_workload_open(&work, &rc.workload, fc.seed, 64, &err), 0);
		capture = &seen;
		once(1, MCFAB_ADVANCE_MODE_AUTO, &out);
		capture = NULL;
		assert_int_equal(seen.nmsg, 64);
		for (i = 0; i < seen.nmsg; i++) {
			mine = mcfab_workload_length(&work, seen.msg[i].source, seen.msg[i].seq);
			assert_int_equal(seen.msg[i].flits, mine);
		}
		for (i = 0; i < seen.ndlv; i++) {
			mine = mcfab_workload_length(&work, seen.dlv[i].source, seen.dlv[i].seq);
			check(seen.dlv[i].tail - seen.dlv[i].header >= mine - 1,
			      "a flit per cycle, one after the other");
		}
		mcfab_workload_close(&work);
		capture_free(&seen);
		memset(&seen, 0, sizeof(seen));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_patterns),
		cmocka_unit_test(test_sets),
		cmocka_unit_test(test_processes),
		cmocka_unit_test(test_lengths),
		cmocka_unit_test(test_one_length),
		cmocka_unit_test(test_same_messages),
	};

	return run_tap(tests);
}
