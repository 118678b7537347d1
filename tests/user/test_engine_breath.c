// SPDX-License-Identifier: GPL-2.0
/*
 * A router thread gives others the processor often enough: no stretch of more than 10 ms of its
 * time is without a scheduling point, however much there is to do in a phase and however long
 * the policy takes, as long as each route() takes 1 ms at most and prepare() calls
 * mcfab_policy_resched() in between.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include "fabric/runner.h"
#include "engine/engine.h"
#include "lib/capture.h"
#include "lib/stretch.h"
#include "routing/dimension.h"
#include "routing/routing.h"

#include "lib/tap.h"

#define MOST_US		10000
/* sanitizers make everything slower, but not the clock */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SLOWER		8
#else
#define SLOWER		1
#endif

static u64 cpu_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return ts.tv_sec * 1000000ull + ts.tv_nsec / 1000;
}

static void compute_us(u64 us)
{
	u64 begun = cpu_us();

	while (cpu_us() - begun < us)
		;
}

static u32 prepared, given_up;

/* 20 ms */
static void prepare(const struct mcfab_view *view, const void *priv, u32 source, u32 *dst,
		    u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	u32 i;

	prepared++;
	for (i = 0; i < 20; i++) {
		compute_us(1000);
		if (mcfab_policy_resched(view)) {
			given_up++;
			return;
		}
	}
	for (i = 0; i < ndst; i++) {
		mcfab_plan_worm(plan, source, MCFAB_NONE, MCFAB_PORT_ANY, 0);
		mcfab_plan_dst(plan, dst[i]);
	}
}

static void route(const struct mcfab_view *view, const void *priv, const struct mcfab_header *hdr,
		  struct mcfab_decision *out)
{
	compute_us(1000);
	mcfab_route_path(view, hdr, mcfab_step_dimension, out);
}

static struct mcfab_policy_ops slow = {
	.name		= "test-slow",
	.title		= "takes its time",
	.flags		= MCFAB_POLICY_MESH | MCFAB_POLICY_SINGLE,
	.prepare	= prepare,
	.route		= route,
};

static void set_up(struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc, const char *topology,
		   u32 ndims, u32 radix)
{
	u32 i;

	mcfab_fabric_defaults(fc);
	strcpy(fc->name, "f");
	strcpy(fc->topology, topology);
	fc->ndims = ndims;
	for (i = 0; i < ndims; i++)
		fc->radix[i] = radix;
	mcfab_run_defaults(rc);
	rc->flits = 4;
	rc->workload.kind = MCFAB_WORKLOAD_TYPE_BURST;
	rc->workload.fraction_ppm = MCFAB_PPM;
	stretch_forget();
}

static void check_any(const char *what, const struct outcome *out)
{
	assert_int_not_equal(out->state, MCFAB_RUN_STATUS_FAILED);
	printf("# %s: %llu us\n", what, (unsigned long long)stretch_longest());
	if (stretch_longest() > MOST_US * SLOWER)
		fail_msg("%s: %llu us without a scheduling point", what,
			 (unsigned long long)stretch_longest());
}

static void check(const char *what, const struct outcome *out)
{
	assert_int_equal(out->state, MCFAB_RUN_STATUS_DONE);
	check_any(what, out);
}

static void test_slow_policy(void **state)
{
	static const enum mcfab_advance_mode ways[] = {
		MCFAB_ADVANCE_MODE_AUTO, MCFAB_ADVANCE_MODE_FLIT
	};
	struct mcfab_fabric_cfg fc;
	struct mcfab_run_cfg rc;
	struct outcome out;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(ways); i++) {
		set_up(&fc, &rc, "mesh", 2, 4);
		strcpy(rc.policy, "test-slow");
		rc.advance = ways[i];
		rc.workload.dests = 2;
		run_engine(&fc, &rc, false, &out);
		check("1 ms for each header", &out);
		assert_true(stretch_longest() >= 1000);
	}
	assert_int_equal(prepared, 2 * 16);
	assert_int_equal(given_up, 0);
}

/* everybody to everybody, on trees whose chains are looked for anew for each message */
static void test_broadcasts(void **state)
{
	struct mcfab_fabric_cfg fc;
	struct mcfab_run_cfg rc;
	struct outcome out;

	set_up(&fc, &rc, "hypercube", 1, 7);
	fc.routing = MCFAB_ROUTING_MODE_UPDOWN;
	fc.buffer = 8;
	strcpy(rc.policy, "kbinomial");
	rc.workload.dests = 127;
	run_engine(&fc, &rc, false, &out);
	check("kbinomial, hypercube of 7 dimensions, all to all", &out);
}

/* the same, one in a hundred, with chains of 4096 switches: a weight is a look at each pair */
static void test_large_broadcasts(void **state)
{
	struct mcfab_fabric_cfg fc;
	struct mcfab_run_cfg rc;
	struct outcome out;

	set_up(&fc, &rc, "hypercube", 1, 12);
	fc.routing = MCFAB_ROUTING_MODE_UPDOWN;
	fc.buffer = 8;
	strcpy(rc.policy, "kbinomial");
	rc.workload.dests = 4095;
	rc.workload.fraction_ppm = MCFAB_PPM / 100;
	rc.max_cycles = 200;
	run_engine(&fc, &rc, false, &out);
	check_any("kbinomial, hypercube of 12 dimensions, one of a hundred to all", &out);
}

/* a phase with something to do for each of 16384 nodes */
static void test_many(void **state)
{
	static const struct {
		const char *name;
		enum mcfab_advance_mode advance;
		u32 buffer;
		u32 vcs;
	} ways[] = {
		{ "headers that fly ahead", MCFAB_ADVANCE_MODE_AUTO, 1, 1 },
		{ "flit by flit", MCFAB_ADVANCE_MODE_FLIT, 1, 1 },
		{ "flit by flit, two virtual channels", MCFAB_ADVANCE_MODE_FLIT, 2, 2 },
	};
	struct mcfab_fabric_cfg fc;
	struct mcfab_run_cfg rc;
	struct outcome out;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(ways); i++) {
		set_up(&fc, &rc, "mesh", 2, 128);
		fc.buffer = ways[i].buffer;
		fc.vcs = ways[i].vcs;
		strcpy(rc.policy, "unicast");
		rc.advance = ways[i].advance;
		rc.workload.dests = 1;
		rc.max_cycles = 200;
		run_engine(&fc, &rc, false, &out);
		check_any(ways[i].name, &out);
	}
}

/* cycles that have less than a thousand things to do each, one after the other */
static void test_few(void **state)
{
	struct mcfab_fabric_cfg fc;
	struct mcfab_run_cfg rc;
	struct outcome out;

	set_up(&fc, &rc, "mesh", 2, 31);
	fc.buffer = 2;
	fc.vcs = 2;
	strcpy(rc.policy, "unicast");
	rc.advance = MCFAB_ADVANCE_MODE_FLIT;
	rc.flits = 64;
	rc.workload.dests = 8;
	rc.max_cycles = 2000;
	run_engine(&fc, &rc, false, &out);
	check_any("cycles with few things to do", &out);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_slow_policy),
		cmocka_unit_test(test_broadcasts),
		cmocka_unit_test(test_large_broadcasts),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_few),
	};
	int ret;

	mcfab_policy_register(&slow);
	ret = run_tap(tests);
	mcfab_policy_unregister(&slow);
	return ret;
}
