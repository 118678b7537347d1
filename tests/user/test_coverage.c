// SPDX-License-Identifier: GPL-2.0
/*
 * Do 95 % intervals cover what they are of? Times in the system of M/M/1 queues, whose mean
 * is known, by Lindley's recursion: they are as correlated and as skewed as latencies near
 * saturation. Each seed is a run that the stopping rule ends.
 *
 *	MCFAB_SEEDS=100 build/user/fast/test_coverage
 *
 * for the table in Documentation/statistics.md; fewer seeds by default.
 */
#include "stats/derive.h"
#include "stats/interval.h"
#include "stats/stats.h"
#include "base/random.h"

#include <math.h>
#include <stdlib.h>

#include "lib/check.h"
#include "lib/tap.h"

/* cycles of a mean service time: whole numbers are fine enough then */
#define SERVICE		1000

/*
 * struct tally - what the runs of one load came to
 * @runs: how many
 * @covered: of these, intervals that cover the truth
 * @flagged: of these, intervals that are marked as correlated
 * @half: sum of the half-widths over the truth
 * @mean: sum of the means over the truth
 * @square: sum of their squares
 * @cycles: sum of the windows' lengths in mean service times
 */
struct tally {
	u32 runs;
	u32 covered;
	u32 flagged;
	double half;
	double mean;
	double square;
	double cycles;
};

static double exponential(u32 seed, u64 index)
{
	return -log((mcfab_random(seed, 0, MCFAB_STREAM_DEST, index) + 0.5) * 0x1p-64);
}

/* One run; @precision_ppm 0: a window of @length service times. It begins in equilibrium. */
static void try_queue(u32 seed, double rho, u32 length, u32 precision_ppm, struct tally *t)
{
	double truth = SERVICE / (1 - rho), wait = 0, service, gap, at = 0;
	struct mcfab_stats_cfg cfg = {
		.nodes = 1, .flits = 1, .max_worms = 1, .batches = 20,
		.batch_cycles = length * SERVICE / 20, .precision_ppm = precision_ppm,
	};
	struct mcfab_message msg = {
		.ndst = 1, .worms = 1, .startups = 1, .traffic = 1, .complete = true,
	};
	struct mcfab_interval in;
	struct mcfab_stats st;
	double error;
	u64 i = 0;

	assert_int_equal(mcfab_stats_open(&st, &cfg), 0);
	if (exponential(seed, i++) > -log(rho))
		wait = 0;
	else
		wait = exponential(seed, i++) * truth;
	while (!mcfab_stats_advance(&st, at)) {
		/* until the window may have changed, messages alone */
		do {
			struct mcfab_delivery dlv = { .dst = 1 };

			service = exponential(seed, i++) * SERVICE;
			gap = exponential(seed, i++) * SERVICE / rho;
			dlv.tail = max(lround(wait + service), 1L);
			dlv.header = dlv.tail;
			dlv.part[MCFAB_PART_TRANSFER] = dlv.tail;
			msg.gen = at;
			mcfab_stats_message(&st, &msg, &dlv, 1);
			wait = fmax(0, wait + service - gap);
			at += gap;
		} while (at < st.turn);
	}
	mcfab_stats_interval(&st, MCFAB_CLASS_MULTICAST, MCFAB_METRIC_COMPLETION, &in);
	error = fabs(in.mean / 1e6 - truth);
	t->runs++;
	t->covered += error <= in.half / 1e6;
	t->flagged += in.correlated;
	t->half += in.half / 1e6 / truth;
	t->mean += in.mean / 1e6 / truth;
	t->square += pow(in.mean / 1e6 / truth, 2);
	t->cycles += (double)(mcfab_stats_window_end(&st) - mcfab_stats_window_start(&st)) /
		     SERVICE;
	mcfab_stats_close(&st);
}

/* lower end of Wilson's 99 % interval of a proportion, one-sided */
static double wilson(double p, double n)
{
	const double z = 2.326;

	return (p + z * z / 2 / n - z * sqrt(p * (1 - p) / n + z * z / 4 / n / n)) /
	       (1 + z * z / n);
}

static void report(const char *name, double rho, const struct tally *t)
{
	double n = t->runs, mean = t->mean / n, p = t->covered / n;
	double deviation = sqrt((t->square / n - mean * mean) * n / (n - 1));

	note("%s | %.2f | %u | %.1f %% | %.1f %% | %.1f %% | %.2f %% | %.2f | %.0f", name, rho,
	     t->runs, 100 * p, 100 * wilson(p, n), 100.0 * t->flagged / n, 100 * t->half / n,
	     t->half / n / (1.96 * deviation), t->cycles / n);
}

static u32 seeds(void)
{
	const char *text = getenv("MCFAB_SEEDS");
#ifdef __OPTIMIZE__
	u32 most = 60;
#else
	u32 most = 20;
#endif

	return text ? max(atoi(text), 2) : most;
}

/* Few seeds: the bound is what one in a thousand correct procedures fails. */
static bool covers(const struct tally *t)
{
	double n = t->runs;

	return t->covered >= n * 0.94 - 3.1 * sqrt(n * 0.94 * 0.06);
}

static void test_precision(void **state)
{
	static const struct {
		double rho;
		u32 precision_ppm;
		u32 share;	/* of the seeds: long runs */
	} loads[] = { { 0.5, 50000, 1 }, { 0.9, 50000, 4 }, { 0.97, 100000, 10 } };
	u32 i, k;

	note("run | load | runs | covered | at least | flagged | half-width | / 1.96 sd | length");
	for (i = 0; i < ARRAY_SIZE(loads); i++) {
		u32 share = getenv("MCFAB_SEEDS") ? 1 : loads[i].share;
		struct tally t = { 0 };

		for (k = 0; k < seeds() / share; k++)
			try_queue(k + 1, loads[i].rho, 1000, loads[i].precision_ppm, &t);
		report("precision", loads[i].rho, &t);
		check(covers(&t), "95 % intervals cover the truth");
		/* a run that is much shorter than its queue's memory may pass for overload */
		check(t.flagged * 20 <= t.runs, "hardly a run ends with correlated batches");
		check(t.half / t.runs <= loads[i].precision_ppm / 1e6, "precision");
	}
}

static void test_fixed(void **state)
{
	static const struct {
		double rho;
		u32 length;
	} loads[] = { { 0.5, 1000 }, { 0.5, 20000 }, { 0.9, 20000 }, { 0.9, 100000 } };
	u32 i, k;

	for (i = 0; i < ARRAY_SIZE(loads); i++) {
		struct tally t = { 0 };

		for (k = 0; k < seeds(); k++)
			try_queue(k + 1, loads[i].rho, loads[i].length, 0, &t);
		report("fixed", loads[i].rho, &t);
		check(t.flagged > t.runs / 2 || covers(&t), "of fixed length");
		check(t.cycles == (double)t.runs * loads[i].length, "length");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_precision),
		cmocka_unit_test(test_fixed),
	};

	return run_tap(tests);
}
