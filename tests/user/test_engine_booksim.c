// SPDX-License-Identifier: GPL-2.0
/*
 * Latencies of BookSim2 on meshes and tori, under traffic of its patterns, and ours.
 *
 * BookSim2's are means of runs of its router with speculative 1, packets of 5 flits, buffers of 8,
 * 4 virtual channels on meshes and 2 on tori, dimension order, links of one cycle, with periods of
 * 20,000 cycles: two runs on 8x8 (seeds 1 and 2), one on 16x16, where differences of the mean path
 * from that of the pattern are taken out.
 *
 * Run with MCFAB_GROUPS below 200000 (sanitizers) there are fewer cycles, and networks of 8x8 only.
 * Beyond saturation MCFAB_CYCLES are run, 1000000 for the figures of Documentation/decisions.md.
 */
#include <math.h>
#include <stdio.h>
#include "lib/booksim.h"
#include "lib/capture.h"
#include "lib/net.h"

#include "lib/tap.h"

#define FLITS	5
#define LOADS	4

/**
 * struct curve - mean latencies, messages to oneself among them
 * @topology: mesh or torus
 * @radix: of both dimensions
 * @pattern: where messages go
 * @load: flits per node and cycle
 * @want: BookSim2's
 * @within: percent by which ours may differ
 */
struct curve {
	const char *topology;
	u32 radix;
	enum mcfab_traffic_pattern pattern;
	double load[LOADS];
	double want[LOADS];
	double within[LOADS];
};

/* part of BookSim2's messages that go to their own sources: here there are none of these */
static double to_self(const struct curve *c)
{
	switch (c->pattern) {
	case MCFAB_TRAFFIC_PATTERN_UNIFORM:
		return 1. / (c->radix * c->radix);
	case MCFAB_TRAFFIC_PATTERN_TRANSPOSE:
		return 1. / c->radix;
	default:
		return 0;
	}
}

static u32 distance(const struct curve *c, u32 from, u32 to)
{
	u32 d = from > to ? from - to : to - from;

	return strcmp(c->topology, "mesh") ? min(d, c->radix - d) : d;
}

/* channels that a message crosses along one dimension, on average; those to oneself count */
static double mean_distance(const struct curve *c)
{
	u32 from, to, sum = 0;

	if (c->pattern == MCFAB_TRAFFIC_PATTERN_TORNADO) {
		for (from = 0; from < c->radix; from++)
			sum += distance(c, from, (from + c->radix / 2 - 1) % c->radix);
		return 1. * sum / c->radix;
	}
	/* as often to each coordinate: a transpose goes from (x,y) to (y,x) */
	for (from = 0; from < c->radix; from++)
		for (to = 0; to < c->radix; to++)
			sum += distance(c, from, to);
	return 1. * sum / (c->radix * c->radix);
}

/* How far packets go is known, so only what they lose against the law is measured. */
static double latency(const struct curve *c, double load)
{
	u32 nodes = c->radix * c->radix, i, counted = 0;
	struct capture seen = { 0 };
	struct mcfab_fabric_cfg fc;
	struct mcfab_run_cfg rc;
	struct outcome end;
	double lost = 0;

	booksim_configure(&fc, &rc, c->topology, c->radix, strcmp(c->topology, "mesh") ? 2 : 4, FLITS);
	/* as BookSim2 does */
	if (strcmp(c->topology, "mesh"))
		set_params(&rc, "ties=drawn");
	rc.workload.kind = MCFAB_WORKLOAD_TYPE_BERNOULLI;
	rc.workload.pattern = c->pattern;
	rc.workload.dests = 1;
	rc.workload.rate = 1e9 * load / FLITS;
	if (c->pattern == MCFAB_TRAFFIC_PATTERN_UNIFORM)
		rc.workload.rate *= 1 - 1. / nodes;
	rc.warmup = 4000;
	rc.batches = 20;
	rc.batch_cycles = env_thorough() ? 1500 : 150;
	rc.precision_ppm = 0;
	capture = &seen;
	run_engine(&fc, &rc, false, &end);
	capture = NULL;
	if (end.state != MCFAB_RUN_STATUS_DONE || end.bad)
		fail_msg("state %u: %s", end.state, end.progress.why);
	for (i = 0; i < seen.ndlv; i++) {
		u64 gen = seen.dlv[i].gen;

		if (gen < rc.warmup || gen >= rc.warmup + rc.batches * rc.batch_cycles)
			continue;
		lost += seen.dlv[i].tail - booksim_law(seen.dlv[i].hops + 1, FLITS);
		counted++;
	}
	capture_free(&seen);
	return booksim_law(2 * mean_distance(c) + 1, FLITS) + (1 - to_self(c)) * lost / counted;
}

static void test_curves(void **state)
{
	static const char *const names[] = {
		[MCFAB_TRAFFIC_PATTERN_UNIFORM] = "uniform",
		[MCFAB_TRAFFIC_PATTERN_TRANSPOSE] = "transpose",
		[MCFAB_TRAFFIC_PATTERN_TORNADO] = "tornado",
	};
	static const struct curve curves[] = {
#include "booksim-curves.h"
	};
	u32 i, k;

	for (i = 0; i < ARRAY_SIZE(curves); i++) {
		const struct curve *c = &curves[i];

		for (k = 0; k < LOADS && (c->radix == 8 || env_thorough()); k++) {
			double mean = latency(c, c->load[k]), off = 100 * (mean / c->want[k] - 1);

			printf("# %s %ux%u, %s, load %.3f: %.2f, BookSim2 %.2f: %+.2f %%\n",
			       c->topology, c->radix, c->radix, names[c->pattern], c->load[k],
			       mean, c->want[k], off);
			if (fabs(off) > c->within[k] * (env_thorough() ? 1 : 3))
				fail_msg("that is more than %.0f %%", c->within[k]);
		}
	}
}

/**
 * struct far - what an 8x8 mesh accepts beyond saturation, uniform traffic
 * @vcs: virtual channels
 * @flits: length of packets
 * @load: offered flits per node and cycle, messages to oneself among them, as are those of @want
 * @want: flits that BookSim2 accepts, the mean over 1,500,000 cycles (of the last three 80,000)
 */
struct far {
	u32 vcs;
	u32 flits;
	double load;
	double want;
};

/* The same of ours. In a port of BookSim2 the first packet of each VC competes, and more wait. */
static double accepted(const struct far *f, u32 cycles)
{
	struct mcfab_fabric_cfg fc;
	struct mcfab_run_cfg rc;
	struct outcome end;

	booksim_configure(&fc, &rc, "mesh", 8, f->vcs, f->flits);
	fc.inject = f->vcs + 1;
	rc.workload.kind = MCFAB_WORKLOAD_TYPE_BERNOULLI;
	rc.workload.dests = 1;
	rc.workload.rate = 1e9 * f->load / f->flits * 63 / 64;
	rc.warmup = 1000;
	rc.batches = 20;
	rc.batch_cycles = cycles / 20;
	rc.precision_ppm = 0;
	rc.max_cycles = cycles;
	run_engine(&fc, &rc, false, &end);
	if (end.state != MCFAB_RUN_STATUS_CUT || end.bad || end.cycle < cycles)
		fail_msg("state %u: %s", end.state, end.progress.why);
	return 64. / 63 * end.progress.deliveries * f->flits / (64. * end.cycle);
}

static void test_beyond(void **state)
{
	static const struct far runs[] = {
		{ 1, 5, 0.35, 0.3113 }, { 1, 5, 0.70, 0.3102 },
		{ 4, 5, 0.45, 0.4079 }, { 4, 5, 0.70, 0.4058 },
		{ 1, 1, 0.45, 0.3785 }, { 1, 1, 0.70, 0.3755 },
	};
	u32 cycles = env_number("MCFAB_CYCLES", env_thorough() ? 100000 : 20000), i;

	for (i = 0; i < ARRAY_SIZE(runs); i++) {
		const struct far *f = &runs[i];
		double got = accepted(f, cycles), off = 100 * (got / f->want - 1);

		printf("# %u VC, P %u, load %.2f: accepted %.4f, BookSim2 %.4f: %+.2f %%\n", f->vcs,
		       f->flits, f->load, got, f->want, off);
		if (fabs(off) > 3)
			fail_msg("that is more than 3 %%");
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_curves),
		cmocka_unit_test(test_beyond),
	};

	return run_tap(tests);
}
