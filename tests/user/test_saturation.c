// SPDX-License-Identifier: GPL-2.0
/*
 * How runs under too great a load end: the verdict, and the steady state that the network has
 * beyond saturation.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "lib/loads.h"
#include "lib/net.h"
#include "lib/shortest.h"
#include "lib/tap.h"

/* a queue with random arrivals and one server: in percent of what it can serve */
static enum mcfab_verdict serve(u32 percent, u64 seed)
{
	struct mcfab_saturation sat;
	struct mcfab_load load;
	u64 gen = 0, free_at = 0;

	assert_int_equal(mcfab_load_open(&load, 0, U64_MAX), 0);
	while (gen < 200000) {
		struct mcfab_load_message msg = { .gen = gen, .over = true };
		struct mcfab_delivery d = { 0 };

		free_at = max(free_at, gen) + 100;
		d.tail = free_at - gen;
		mcfab_load_message(&load, &msg, &d, 1, U64_MAX);
		/* geometric gaps: a Poisson process in cycles */
		do
			gen++;
		while (rng_below(&seed, 10000) >= percent);
	}
	mcfab_load_end(&load, max(gen, free_at));
	mcfab_saturation(&load, 20000, 200000, &sat);
	mcfab_load_close(&load);
	return sat.verdict;
}

static void test_verdict(void **state)
{
	static const u32 loads[] = { 50, 80, 90, 105, 120, 200 };
	u32 i, seed, saturated, seeds = env_thorough() ? 100 : 50;

	for (i = 0; i < ARRAY_SIZE(loads); i++) {
		saturated = 0;
		for (seed = 1; seed <= seeds; seed++)
			saturated += serve(loads[i], seed * 77) == MCFAB_VERDICT_SATURATED;
		printf("# load %u %%: %u of %u are saturated\n", loads[i], saturated, seeds);
		if (loads[i] <= 80)
			assert_in_range(saturated, 0, seeds / 50);
		if (loads[i] >= 120)
			assert_in_range(saturated, seeds - seeds / 50, seeds);
	}
}

/* the end of a run with a window of fixed length, for any number of shards */
static void expect_end(enum mcfab_run_status state, enum mcfab_verdict verdict)
{
	struct run one, more;
	u32 s;

	run(&one, 1);
	printf("# %s at %llu: state %u, verdict %u, %lld of %llu messages not completed\n", rc.policy,
	       (unsigned long long)rc.workload.rate, one.state, one.sat.verdict,
	       (long long)one.sat.growth.sum.lo, (unsigned long long)one.sat.generated);
	assert_int_equal(one.state, state);
	assert_int_equal(one.sat.verdict, verdict);
	for (s = 3; s <= 8; s += 5) {
		run(&more, s);
		assert_int_equal(more.state, one.state);
		assert_int_equal(more.cycle, one.cycle);
		assert_memory_equal(&more.sat, &one.sat, sizeof(one.sat));
		assert_memory_equal(&more.loads, &one.loads, sizeof(one.loads));
		capture_free(&more.got);
	}
	capture_free(&one.got);
}

static void test_saturated(void **state)
{
	/* 255 destinations, one after the other: long, but no sign of saturation */
	mesh(16, 16, "unicast", 10000, 255);
	rc.warmup = 20000;
	rc.batch_cycles = 2500;
	expect_end(MCFAB_RUN_STATUS_DONE, MCFAB_VERDICT_STEADY);
	/* a start-up of 100 cycles for each message is what a node can do */
	mesh(8, 8, "unicast", 8000000, 1);
	fc.startup = 100;
	rc.flits = 4;
	rc.warmup = 5000;
	rc.batch_cycles = 1000;
	expect_end(MCFAB_RUN_STATUS_DONE, MCFAB_VERDICT_STEADY);
	/* the window is complete, but more was generated than completed */
	rc.workload.rate = 12000000;
	expect_end(MCFAB_RUN_STATUS_SATURATED, MCFAB_VERDICT_SATURATED);
	/* fifty times of what it can do: the backlog takes far longer than the window */
	mesh(4, 4, "unicast", 500000000, 1);
	fc.startup = 100;
	rc.warmup = 100;
	rc.batch_cycles = 100;
	expect_end(MCFAB_RUN_STATUS_SATURATED, MCFAB_VERDICT_SATURATED);
	/* the same, its warm-up to be found first, which is in vain */
	rc.warmup = MCFAB_NONE;
	expect_end(MCFAB_RUN_STATUS_SATURATED, MCFAB_VERDICT_SATURATED);
	/* not complete: no verdict */
	mesh(8, 8, "unicast", 12000000, 1);
	fc.startup = 100;
	rc.flits = 4;
	rc.warmup = 5000;
	rc.batch_cycles = 1000;
	rc.max_cycles = 20000;
	expect_end(MCFAB_RUN_STATUS_CUT, MCFAB_VERDICT_UNKNOWN);
	/* a precision that is never reached: the run ends all the same */
	rc.precision_ppm = 1;
	rc.max_cycles = 1000000000;
	expect_end(MCFAB_RUN_STATUS_SATURATED, MCFAB_VERDICT_SATURATED);
	rc.warmup = MCFAB_NONE;
	expect_end(MCFAB_RUN_STATUS_SATURATED, MCFAB_VERDICT_SATURATED);
	mesh(8, 8, "unicast", 0, 1);
	rc.workload.kind = MCFAB_WORKLOAD_TYPE_BURST;
	rc.workload.fraction_ppm = MCFAB_PPM;
	rc.max_cycles = 20;
	expect_end(MCFAB_RUN_STATUS_CUT, MCFAB_VERDICT_UNKNOWN);
}

/* the load that gets through, in flits per node and cycle */
static double accepted(const struct run *r)
{
	return (double)rc.flits * r->loads.sum.accepted / 64 / (r->loads.end - r->loads.start);
}

/* far beyond saturation a run lasts as long as its window, and takes no more memory for a longer */
static void test_beyond(void **state)
{
	static const u32 cycles[] = { 10000, 30000 };
	double first = 0;
	u64 bytes = 0;
	struct run r;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(cycles); i++) {
		mesh(8, 8, "unicast", 900000000, 1);
		rc.flits = 1;
		fc.startup = 0;
		fc.vcs = 2;
		fc.buffer = 4;
		rc.warmup = 5000;
		rc.batch_cycles = cycles[i] / 20;
		expect_end(MCFAB_RUN_STATUS_SATURATED, MCFAB_VERDICT_SATURATED);
		run(&r, 1);
		printf("# %u cycles: accepted %.5f in %llu cycles, %llu bytes, %s\n", cycles[i],
		       accepted(&r), (unsigned long long)(r.loads.end - r.loads.start),
		       (unsigned long long)r.bytes, r.window.timed ? "timed" : "complete");
		assert_true(r.window.timed && !r.window.partial);
		assert_int_equal(r.window.end, 5000 + cycles[i]);
		assert_int_equal(r.loads.end - r.loads.start, cycles[i]);
		assert_in_range(r.cycle, r.window.end, r.window.end + 2048);
		if (i)
			assert_true(fabs(accepted(&r) / first - 1) < 0.03);
		else
			first = accepted(&r);
		if (i)
			assert_int_equal(r.bytes, bytes);
		bytes = r.bytes;
		capture_free(&r.got);
	}
}

/*
 * Hosts whose interfaces are far too slow, and a window that ends long before what was generated
 * in it is delivered: of a run so long it is no 32 parts.
 */
static void test_blurred(void **state)
{
	const struct mcfab_generate gen = {
		.switches = 16, .ports = 8, .hosts = 32, .connectivity = 80, .seed = 3,
	};
	struct mcfab_graph *graph = graph_generate(&gen);

	mesh(4, 4, "multidrop", 0, 6);
	mcfab_fabric_defaults_irregular(&fc);
	strcpy(fc.name, "f");
	strcpy(fc.topology, "irregular");
	fc.graph = graph;
	fc.routing = MCFAB_ROUTING_MODE_UPDOWN;
	rc.workload.kind = MCFAB_WORKLOAD_TYPE_FIXED;
	rc.workload.interval = 2500;
	rc.warmup = MCFAB_NONE;
	rc.batch_cycles = 1000;
	rc.precision_ppm = 50000;
	expect_end(MCFAB_RUN_STATUS_CUT, MCFAB_VERDICT_UNKNOWN);
	free(graph);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_verdict),
		cmocka_unit_test(test_saturated),
		cmocka_unit_test(test_beyond),
		cmocka_unit_test(test_blurred),
	};

	return run_tap(tests);
}
