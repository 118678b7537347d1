// SPDX-License-Identifier: GPL-2.0
/*
 * Bernoulli and on-off sources: times between messages against chances that are computed cycle by
 * cycle, rates, the steady state from the first cycle on, and what is refused.
 */
#include "workload/geometric.h"
#include "workload/workload.h"

#include <math.h>
#include <stdlib.h>

#include "lib/check.h"
#include "lib/tap.h"
#include "lib/traffic.h"

#define DRAWS	200000u
#define BINS	64u

static struct mcfab_workload_cfg config(enum mcfab_workload_type kind)
{
	return (struct mcfab_workload_cfg){
		.kind = kind, .dests = 1, .source = MCFAB_NONE, .multicast_ppm = MCFAB_PPM,
		.fraction_ppm = MCFAB_PPM, .hotspot_ppm = MCFAB_PPM,
	};
}

static void open_ok(struct mcfab_workload *w, const struct mcfab_workload_cfg *cfg, u64 seed,
		    u32 nodes)
{
	struct mcfab_err err = { 0 };

	if (mcfab_workload_open(w, cfg, seed, nodes, &err))
		fail_msg("refused: %s", err.msg);
}

/* the times between a node's messages have the chances @p[1 .. BINS - 1] */
static void check_gaps(const struct mcfab_workload *w, const double *p, const char *what)
{
	u32 i, gap, count[BINS] = { 0 }, more = 0;
	struct mcfab_source src;
	double rest = 1;
	u64 last;

	mcfab_workload_first(w, 3, &src);
	for (i = 0; i < DRAWS; i++) {
		last = src.gen;
		mcfab_workload_next(w, 3, &src);
		check(src.gen > last && src.index == i + 1, "one message in a cycle");
		gap = min(src.gen - last, (u64)U32_MAX);
		if (gap < BINS)
			count[gap]++;
		else
			more++;
	}
	for (i = 1; i < BINS; i++) {
		if (!near(count[i], DRAWS, p[i]))
			fail_msg("%s: %u of %u gaps are %u cycles, not %.1f", what, count[i], DRAWS,
				 i, DRAWS * p[i]);
		rest -= p[i];
	}
	check(near(more, DRAWS, max(rest, 0.0)), "longer gaps");
}

static void test_bernoulli(void **state)
{
	static const u32 rates[] = { 1000000, 20000000, 300000000, 999999999, 1000000000 };
	struct mcfab_workload_cfg cfg = config(MCFAB_WORKLOAD_TYPE_BERNOULLI);
	struct mcfab_workload w;
	double p[BINS], rate;
	u32 i, k;

	for (i = 0; i < ARRAY_SIZE(rates); i++) {
		cfg.rate = rates[i];
		rate = rates[i] / 1e9;
		for (k = 1; k < BINS; k++)
			p[k] = rate * pow(1 - rate, k - 1);
		open_ok(&w, &cfg, 7 + i, 10);
		check_gaps(&w, p, "bernoulli");
		mcfab_workload_close(&w);
	}
}

/* the smallest rates: means of long gaps */
static void test_rare(void **state)
{
	static const u32 rates[] = { 1, 10, 12345 };
	struct mcfab_workload_cfg cfg = config(MCFAB_WORKLOAD_TYPE_BERNOULLI);
	struct mcfab_source src;
	struct mcfab_workload w;
	double mean;
	u32 i, k;

	for (i = 0; i < ARRAY_SIZE(rates); i++) {
		cfg.rate = rates[i];
		open_ok(&w, &cfg, 8, 10);
		mcfab_workload_first(&w, 3, &src);
		for (k = 0; k < DRAWS; k++)
			mcfab_workload_next(&w, 3, &src);
		mean = (double)src.gen / DRAWS * rates[i] / 1e9;
		check(fabs(mean - 1) < 5 / sqrt(DRAWS), "mean gap");
		mcfab_workload_close(&w);
	}
}

/* words at the ends and on both sides of a bound */
static void test_geometric(void **state)
{
	u64 log = mcfab_geometric_log(MCFAB_PPB / 2);

	check(mcfab_geometric(U64_MAX, log) == 1, "the greatest word");
	check(mcfab_geometric((1ULL << 63) + 4096, log) == 1, "just above one half");
	check(mcfab_geometric((1ULL << 63) - 4096, log) == 2, "just below one half");
	check(mcfab_geometric((1ULL << 60) - 512, log) == 5, "just below a sixteenth");
	check(mcfab_geometric(0, log) >= 64, "the smallest word");
	check(mcfab_geometric(0, mcfab_geometric_log(1)) > 1ULL << 35, "and the smallest chance");
	check(mcfab_geometric(0, mcfab_geometric_log(MCFAB_PPB)) == 1, "what is sure");
	check(mcfab_chance(U64_MAX, mcfab_chance_of(5, 5)), "always");
	check(!mcfab_chance(1ULL << 63, mcfab_chance_of(1, 2)), "above one half");
	check(mcfab_chance((1ULL << 63) - 1, mcfab_chance_of(1, 2)), "below one half");
}

/* chances of gaps, cycle by cycle: from a message, with what happens in the order of the page */
static void onoff_gaps(double alpha, double beta, double r1, double *p)
{
	double on = 1, off = 0, turned;
	u32 k;

	for (k = 1; k < BINS; k++) {
		turned = on * (1 - beta) + off * alpha;
		off = on * beta + off * (1 - alpha);
		p[k] = turned * r1;
		on = turned * (1 - r1);
	}
}

static const struct {
	double alpha, beta, r1;
} onoff[] = {
	{ 0.1, 0.05, 0.3 }, { 0.5, 0.5, 0.02 }, { 0.9, 0.95, 0.4 }, { 1, 1, 0.5 }, { 0.01, 0.2, 1 },
	{ 1, 0.3, 0.1 }, { 0.2, 1, 1 },
};

static struct mcfab_workload_cfg onoff_config(u32 i)
{
	struct mcfab_workload_cfg cfg = config(MCFAB_WORKLOAD_TYPE_ON_OFF);

	cfg.alpha = lround(onoff[i].alpha * 1e9);
	cfg.beta = lround(onoff[i].beta * 1e9);
	cfg.r1 = lround(onoff[i].r1 * 1e9);
	return cfg;
}

static void test_onoff(void **state)
{
	struct mcfab_workload_cfg cfg;
	struct mcfab_workload w;
	double p[BINS];
	u32 i;

	for (i = 0; i < ARRAY_SIZE(onoff); i++) {
		cfg = onoff_config(i);
		onoff_gaps(onoff[i].alpha, onoff[i].beta, onoff[i].r1, p);
		open_ok(&w, &cfg, 7 + i, 10);
		check_gaps(&w, p, "on-off");
		mcfab_workload_close(&w);
	}
}

/* in every cycle as many messages as the rate says, the first one included */
static void check_steady(const struct mcfab_workload_cfg *cfg, double rate)
{
	u32 node, i, nodes = 20000, cycle[12] = { 0 };
	struct mcfab_source src;
	struct mcfab_workload w;

	open_ok(&w, cfg, 3, nodes);
	for (node = 0; node < nodes; node++)
		for (mcfab_workload_first(&w, node, &src); src.gen < ARRAY_SIZE(cycle);
		     mcfab_workload_next(&w, node, &src))
			cycle[src.gen]++;
	for (i = 0; i < ARRAY_SIZE(cycle); i++)
		if (!near(cycle[i], nodes, rate))
			fail_msg("%u messages in cycle %u, not %.1f", cycle[i], i, nodes * rate);
	mcfab_workload_close(&w);
}

static void test_steady(void **state)
{
	struct mcfab_workload_cfg cfg = config(MCFAB_WORKLOAD_TYPE_BERNOULLI);
	double rate;
	u32 i;

	cfg.rate = 30000000;
	check_steady(&cfg, 0.03);
	for (i = 0; i < ARRAY_SIZE(onoff); i++) {
		cfg = onoff_config(i);
		rate = onoff[i].alpha * onoff[i].r1 / (onoff[i].alpha + onoff[i].beta);
		check_steady(&cfg, rate);
		/* the same by its rate */
		cfg.r1 = 0;
		cfg.rate = rate * 1e9;
		check_steady(&cfg, rate);
	}
}

/* count and the only source */
static void test_ends(void **state)
{
	struct mcfab_workload_cfg cfg;
	struct mcfab_source src;
	struct mcfab_workload w;
	u32 i, kind;

	for (kind = 0; kind < 2; kind++) {
		cfg = onoff_config(0);
		if (kind) {
			cfg = config(MCFAB_WORKLOAD_TYPE_BERNOULLI);
			cfg.rate = 1000000;
		}
		cfg.count = 5;
		cfg.source = 3;
		open_ok(&w, &cfg, 3, 8);
		for (i = 0; i < 8; i++) {
			mcfab_workload_first(&w, i, &src);
			check((src.gen == U64_MAX) == (i != 3), "one source");
		}
		mcfab_workload_first(&w, 3, &src);
		for (i = 0; src.gen != U64_MAX; i++)
			mcfab_workload_next(&w, 3, &src);
		check(i == 5, "as many messages as asked for");
		mcfab_workload_close(&w);
	}
}

static void refused(const struct mcfab_workload_cfg *cfg, enum mcfab_option what, const char *words)
{
	struct mcfab_workload w = { 0 };
	struct mcfab_err err = { 0 };

	if (!mcfab_workload_open(&w, cfg, 1, 16, &err))
		fail_msg("accepted, not refused as \"%s\"", words);
	if (!strstr(err.msg, words) || err.what != what)
		fail_msg("\"%s\", not \"%s\"", err.msg, words);
}

static void test_refused(void **state)
{
	struct mcfab_workload_cfg cfg = config(MCFAB_WORKLOAD_TYPE_BERNOULLI);

	refused(&cfg, MCFAB_OPTION_RUN_RATE_PPB, "rate must be at least");
	cfg.rate = MCFAB_PPB + 1;
	refused(&cfg, MCFAB_OPTION_RUN_RATE_PPB, "rate must be at most 1");
	cfg = config(MCFAB_WORKLOAD_TYPE_ON_OFF);
	refused(&cfg, MCFAB_OPTION_RUN_ALPHA_PPB, "needs alpha");
	cfg.alpha = 250000000;
	refused(&cfg, MCFAB_OPTION_RUN_BETA_PPB, "needs beta");
	cfg.beta = 750000000;
	refused(&cfg, MCFAB_OPTION_RUN_RATE_PPB, "needs a rate, or r1");
	cfg.rate = 250000001;
	refused(&cfg, MCFAB_OPTION_RUN_RATE_PPB, "above alpha / (alpha + beta)");
	cfg.r1 = 1;
	refused(&cfg, MCFAB_OPTION_RUN_R1_PPB, "leave one of them out");
	cfg.rate = 0;
	refused(&cfg, MCFAB_OPTION_RUN_R1_PPB, "r1 is below beta / 1000");
	cfg.r1 = MCFAB_PPB + 1;
	refused(&cfg, MCFAB_OPTION_RUN_R1_PPB, "r1 is above 1");
	cfg.rate = 1;
	cfg.r1 = 0;
	refused(&cfg, MCFAB_OPTION_RUN_RATE_PPB, "r1 is below beta / 1000");
	cfg.rate = 1000000;
	cfg.multicast_ppm = 500000;
	refused(&cfg, MCFAB_OPTION_RUN_DESTS, "at least 2 when unicasts");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bernoulli),
		cmocka_unit_test(test_rare),
		cmocka_unit_test(test_geometric),
		cmocka_unit_test(test_onoff),
		cmocka_unit_test(test_steady),
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_refused),
	};

	return run_tap(tests);
}
