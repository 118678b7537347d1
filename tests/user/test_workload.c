// SPDX-License-Identifier: GPL-2.0
/*
 * Random numbers, exponential variates, permutations and the five kinds of
 * traffic. Seeds are fixed: a result is the same on every machine. Statistical
 * tests refuse what would happen to a right program with a probability of less
 * than about 1e-4, on either side.
 */
#include "workload/exponential.h"
#include "workload/workload.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/check.h"
#include "lib/tap.h"

/* Is a chi-square value believable? Wilson and Hilferty's normal approximation. */
static bool chi2_ok(double chi2, double df)
{
	double z = (cbrt(chi2 / df) - (1 - 2 / (9 * df))) / sqrt(2 / (9 * df));

	if (fabs(z) > 3.9)
		note("chi-square %.1f for %.0f degrees of freedom, z = %.2f", chi2, df, z);
	return fabs(z) <= 3.9;
}

static bool uniform(const u64 *count, u32 cells)
{
	double total = 0, chi2 = 0;
	u32 i;

	for (i = 0; i < cells; i++)
		total += count[i];
	for (i = 0; i < cells; i++)
		chi2 += pow(count[i] - total / cells, 2) / (total / cells);
	return chi2_ok(chi2, cells - 1);
}

static void test_random(void **state)
{
	const u64 golden = 0x9e3779b97f4a7c15ULL;
	u64 count[12] = { 0 };
	bool in_range = true, same = true;
	u32 i, x;

	/* first outputs of splitmix64, from its reference program */
	check(mcfab_mix64(golden) == 0xe220a8397b1dcdafULL &&
	      mcfab_mix64(1234567 + golden) == 6457827717110365317ULL &&
	      mcfab_mix64(1234567 + 2 * golden) == 3203168211198807973ULL,
	      "mix64 is splitmix64's finaliser");

	for (i = 0; i < 1200000; i++) {
		x = mcfab_random_below(7, 3, MCFAB_STREAM_DEST, i, 12);
		in_range &= x < 12;
		count[x % 12]++;
		same &= x == mcfab_random_below(7, 3, MCFAB_STREAM_DEST, i, 12);
	}
	check(in_range && same && uniform(count, 12), "random_below is uniform below 12");

	/* Without rejection one residue would come up twice as often as the others. */
	memset(count, 0, sizeof(count));
	for (i = 0; i < 300000; i++)
		count[mcfab_random_below(7, 3, MCFAB_STREAM_DEST, i, 3U << 30) % 3]++;
	check(uniform(count, 3), "random_below is without bias for large bounds");
	check(!mcfab_random_below(7, 3, MCFAB_STREAM_DEST, 0, 1), "random_below 1 is 0");

	/* every coordinate matters, and none is another's */
	check(mcfab_random(1, 2, 3, 4) != mcfab_random(2, 2, 3, 4) &&
	      mcfab_random(1, 2, 3, 4) != mcfab_random(1, 3, 3, 4) &&
	      mcfab_random(1, 2, 3, 4) != mcfab_random(1, 2, 4, 4) &&
	      mcfab_random(1, 2, 3, 4) != mcfab_random(1, 2, 3, 5) &&
	      mcfab_random(1, 2, 3, 4) != mcfab_random(1, 3, 2, 4), "coordinates matter");
}

static long double exact(u64 word)
{
	return 64 * logl(2) - logl((long double)(word | 1));
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static void test_exponential(void **state)
{
	const u32 n = 1000000;
	double *value = malloc(n * sizeof(*value));
	double sum = 0, square = 0, lag = 0, distance = 0, mean;
	long double worst = 0, error;
	bool in_range = true, gaps = true;
	u32 i;

	for (i = 0; i < 64 * 64; i++) {
		/* edges: a run of ones at every place, and its complement */
		u64 word = (~0ULL >> (i % 64)) << (i / 64);

		error = exact(word) - mcfab_exponential(word) / 0x1p56L;
		worst = fmaxl(worst, fabsl(error));
		error = exact(~word) - mcfab_exponential(~word) / 0x1p56L;
		worst = fmaxl(worst, fabsl(error));
	}
	for (i = 0; i < n; i++) {
		u64 word = mcfab_random(11, 0, MCFAB_STREAM_GAP, i);

		value[i] = mcfab_exponential(word) / 0x1p56;
		in_range &= value[i] >= 0 && value[i] < 45;
		error = exact(word) - mcfab_exponential(word) / 0x1p56L;
		worst = fmaxl(worst, fabsl(error));
	}
	note("largest error 2^%.1Lf", log2l(worst));
	check(worst < 0x1p-54L && in_range, "-ln U is exact to 2^-54");

	for (i = 0; i < n; i++) {
		sum += value[i];
		square += value[i] * value[i];
		lag += i ? (value[i] - 1) * (value[i - 1] - 1) : 0;
	}
	mean = sum / n;
	note("mean %.5f variance %.5f", mean, square / n - mean * mean);
	/* standard errors: 1, sqrt(8), 1, each over sqrt(n) */
	check(fabs(mean - 1) < 3.9e-3, "mean of exponential variates is 1");
	check(fabs(square / n - mean * mean - 1) < 11e-3, "their variance is 1");
	check(fabs(lag / n) < 3.9e-3, "neighbours are not correlated");

	qsort(value, n, sizeof(*value), compare);
	for (i = 0; i < n; i++) {
		double p = -expm1(-value[i]);

		distance = fmax(distance, fmax((i + 1.0) / n - p, p - (double)i / n));
	}
	note("Kolmogorov-Smirnov %.3f", distance * sqrt(n));
	/* 2.23 is exceeded once in 10000, 0.33 is fallen short of as rarely */
	check(distance * sqrt(n) < 2.23 && distance * sqrt(n) > 0.33,
	      "they are distributed exponentially (Kolmogorov-Smirnov)");
	free(value);

	for (i = 0; i < 100000; i++) {
		u64 word = mcfab_random(12, 0, MCFAB_STREAM_GAP, i);
		u64 rate = 1 + mcfab_random_below(12, 0, MCFAB_STREAM_KIND, i, MCFAB_RATE_ONE);
		unsigned __int128 want;
		struct mcfab_gap gap;

		if (i % 3 == 0)
			rate = 1 + i % 7;
		want = (unsigned __int128)mcfab_exponential(word) * MCFAB_RATE_ONE / rate >> 24;
		gap = mcfab_exponential_gap(word, rate);
		gaps &= gap.cycles == (u64)(want >> 32) && gap.frac == (u32)want;
	}
	check(gaps, "gaps are variates over the rate, to 2^-32 cycles");
}

/* the gaps of a rate, got ready for once, are those that are computed one by one */
static void test_gaps(void **state)
{
	static const u64 rates[] = {
		1, 2, 3, 1000, 59604, 59605, 97656, 390625, 1000000, 1875000, 99999999, 300000000,
		499999999, 500000000, 500000001, 999999999, MCFAB_RATE_ONE,
	};
	const char *rounds = getenv("MCFAB_GAPS");
	u32 n = rounds ? atoi(rounds) : 1000000, i, j;
	struct mcfab_gaps g;

	for (i = 0; i < ARRAY_SIZE(rates) + 40; i++) {
		u64 rate = i < ARRAY_SIZE(rates) ? rates[i] :
			   1 + mcfab_random_below(14, 0, MCFAB_STREAM_KIND, i,
						  MCFAB_RATE_ONE >> i % 30);
		struct mcfab_gap gap, want;
		u64 word;

		mcfab_gaps_init(&g, rate);
		for (j = 0; j < n / 16; j++) {
			word = mcfab_random(15, i, MCFAB_STREAM_GAP, j);
			if (j % 8 == 1)		/* small ones: long gaps */
				word >>= word % 64;
			if (j % 8 == 2)		/* near the ends of the parts */
				word = (word & GENMASK_ULL(63, 56)) + (s64)(word << 48) / (1LL << 48);
			if (j % 8 == 3)		/* runs of ones */
				word = ~0ULL >> (word % 64) << (word >> 32) % 64;
			if (j < 8)
				word = j / 2 - j % 2 * 3;
			gap = mcfab_gaps_draw(&g, word);
			want = mcfab_exponential_gap(word, rate);
			if (gap.cycles != want.cycles || gap.frac != want.frac)
				fail_msg("rate %llu word %llx: %llu %x, not %llu %x",
					 (unsigned long long)rate, (unsigned long long)word,
					 (unsigned long long)gap.cycles, gap.frac,
					 (unsigned long long)want.cycles, want.frac);
		}
	}
}

static void test_permutation(void **state)
{
	bool bijective = true, inverse = true, same = true, fair = true, pairs = true;
	static const u32 sizes[] = { 1023, 4095, 4096, 65535, 65536, MCFAB_MAX_NODES - 1 };
	static u32 elements[MCFAB_MAX_NODES];
	static u8 seen[MCFAB_MAX_NODES];
	static u64 count[720];
	struct mcfab_domain domain;
	struct mcfab_perm perm;
	u32 n, i, j, key, first;

	for (n = 1; n <= 400 + ARRAY_SIZE(sizes); n++) {
		u32 size = n <= 400 ? n : sizes[n - 401];

		mcfab_domain_init(&domain, size);
		for (key = 0; key < 5; key++) {
			mcfab_perm_init(&perm, &domain, key);
			memset(seen, 0, size);
			first = (u64)size * (key + 1) / 5;
			mcfab_perm_first(&perm, first, elements);
			for (i = 0; i < size; i++) {
				u32 at = mcfab_perm_at(&perm, i);

				same &= i >= first || elements[i] == at;
				bijective &= at < size && !seen[at < size ? at : 0];
				seen[at < size ? at : 0] = 1;
				inverse &= mcfab_perm_place(&perm, at) == i;
			}
		}
	}
	check(bijective, "permutations are bijections");
	check(inverse, "their inverses are inverse");
	check(same, "elements that are asked for together are the same as one by one");

	/* all orders of few elements are equally likely */
	for (n = 2; n <= 6; n++) {
		u32 orders = 1, order;

		memset(count, 0, sizeof(count));
		mcfab_domain_init(&domain, n);
		for (i = 2; i <= n; i++)
			orders *= i;
		for (key = 0; key < 1000 * orders; key++) {
			u32 at[6];

			mcfab_perm_init(&perm, &domain, mcfab_mix64(key));
			for (i = 0; i < n; i++)
				at[i] = mcfab_perm_at(&perm, i);
			/* Lehmer code */
			for (order = 0, i = 0; i < n; i++) {
				u32 less = 0;

				for (j = i + 1; j < n; j++)
					less += at[j] < at[i];
				order = order * (n - i) + less;
			}
			count[order]++;
		}
		if (!uniform(count, orders)) {
			note("orders of %u elements", n);
			fair = false;
		}
	}
	check(fair, "every order of 2 to 6 elements is equally likely");

	for (n = 7; n <= 26; n++) {
		memset(count, 0, sizeof(count));
		mcfab_domain_init(&domain, n);
		for (key = 0; key < 400 * n * n; key++) {
			mcfab_perm_init(&perm, &domain, mcfab_mix64(key));
			i = mcfab_perm_at(&perm, 0);
			j = mcfab_perm_at(&perm, 1);
			count[i * (n - 1) + j - (j > i)]++;
		}
		if (!uniform(count, n * (n - 1))) {
			note("pairs of %u elements", n);
			pairs = false;
		}
	}
	check(pairs, "so is every pair of 7 to 26 elements");
}

static struct mcfab_workload_cfg config(enum mcfab_workload_type kind, u32 dests)
{
	return (struct mcfab_workload_cfg){
		.kind = kind, .count = kind == MCFAB_WORKLOAD_TYPE_LONE, .dests = dests,
		.source = MCFAB_NONE, .rate = 5000000, .multicast_ppm = MCFAB_PPM,
		.interval = 250, .fraction_ppm = MCFAB_PPM,
	};
}

static struct mcfab_workload open_ok(struct mcfab_workload_cfg cfg, u64 seed, u32 nodes)
{
	struct mcfab_workload w;
	struct mcfab_err err = { 0 };

	if (mcfab_workload_open(&w, &cfg, seed, nodes, &err))
		fail_msg("workload refused: %s", err.msg);
	return w;
}

static void test_dests(void **state)
{
	static const struct { u32 nodes, dests; } cases[] = {
		{ 2, 1 }, { 3, 2 }, { 4, 2 }, { 5, 4 }, { 16, 3 }, { 16, 15 }, { 17, 8 },
		{ 256, 10 }, { 256, 255 }, { 1000, 500 },
	};
	static u32 dst[MCFAB_MAX_NODES], again[MCFAB_MAX_NODES];
	static u64 count[70], hits[1000];
	bool distinct = true, even = true, same = true, unicast;
	struct mcfab_workload w;
	u32 i, j, k, n, source;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		u32 rounds = 400000 / cases[i].dests;
		double chi2 = 0, want, p;

		w = open_ok(config(MCFAB_WORKLOAD_TYPE_POISSON, cases[i].dests), 5, cases[i].nodes);
		memset(hits, 0, sizeof(hits));
		for (j = 0; j < rounds; j++) {
			u8 seen[1000] = { 0 };
			u32 node = i % cases[i].nodes;

			n = mcfab_workload_dests(&w, node, j, dst, &unicast);
			distinct &= n == cases[i].dests && !unicast;
			for (k = 0; k < n; k++) {
				distinct &= dst[k] < cases[i].nodes && dst[k] != node &&
					    !seen[dst[k]]++;
				hits[dst[k]]++;
			}
		}
		/* Counts of one draw without replacement have less variance: correct for it. */
		p = (double)cases[i].dests / (cases[i].nodes - 1);
		want = rounds * p;
		for (j = 0; j < cases[i].nodes; j++)
			if (j != i % cases[i].nodes)
				chi2 += pow(hits[j] - want, 2);
		if (p < 1) {
			u32 m = cases[i].nodes - 1;

			chi2 /= want * (1 - p) * m / (m - 1.0);
			even &= chi2_ok(chi2, m - 1);
		} else {
			even &= chi2 == 0;
		}
		mcfab_workload_close(&w);
	}
	check(distinct, "destinations are distinct nodes other than the source");
	check(even, "all nodes are equally likely to be destinations");

	/* all 4-subsets of 8 others */
	w = open_ok(config(MCFAB_WORKLOAD_TYPE_LONE, 4), 6, 9);
	for (i = 0; i < 70000; i++) {
		u32 set = 0, rank = 0;

		mcfab_workload_lone(&w, i, &source, dst);
		for (k = 0; k < 4; k++)
			set |= 1u << (dst[k] - (dst[k] > source));
		for (j = 0; j < set; j++)
			rank += __builtin_popcount(j) == 4;
		count[rank]++;
	}
	check(uniform(count, 70), "all sets of 4 out of 8 are equally likely");
	mcfab_workload_close(&w);

	w = open_ok(config(MCFAB_WORKLOAD_TYPE_POISSON, MCFAB_MAX_NODES - 1), 5, MCFAB_MAX_NODES);
	n = mcfab_workload_dests(&w, 17, 3, dst, &unicast);
	mcfab_workload_dests(&w, 17, 4, again, &unicast);
	mcfab_workload_dests(&w, 17, 3, again, &unicast);
	for (i = 0; i < n; i++)
		same &= dst[i] == again[i];
	check(n == MCFAB_MAX_NODES - 1 && mcfab_workload_max_dests(&w) == n && same,
	      "broadcast to 65535 nodes, the same at every call");
	mcfab_workload_close(&w);
}

static void test_lone(void **state)
{
	struct mcfab_workload_cfg cfg = config(MCFAB_WORKLOAD_TYPE_LONE, 10);
	static u64 count[256];
	struct mcfab_workload w, named;
	u32 i, k, source, other, dst[10], dst2[10];
	struct mcfab_source src;
	bool same = true;

	w = open_ok(cfg, 1, 256);
	cfg.source = 35;
	named = open_ok(cfg, 1, 256);
	for (i = 0; i < 256000; i++) {
		mcfab_workload_lone(&w, i, &source, dst);
		count[source]++;
		if (i >= 1000)
			continue;
		mcfab_workload_lone(&named, i, &other, dst2);
		same &= other == 35;
		for (k = 0; k < 10; k++)
			same &= dst2[k] != 35;
		mcfab_workload_lone(&w, i, &other, dst2);
		same &= other == source && !memcmp(dst, dst2, sizeof(dst));
	}
	check(uniform(count, 256), "lone: sources are uniform");
	check(same, "lone: a multicast depends on seed and index, a given source is kept");
	mcfab_workload_first(&w, 0, &src);
	check(src.gen == U64_MAX, "lone: no streams");
	mcfab_workload_close(&w);
	mcfab_workload_close(&named);
}

static void test_poisson(void **state)
{
	struct mcfab_workload_cfg cfg = config(MCFAB_WORKLOAD_TYPE_POISSON, 10);
	const u32 window = 1000, windows = 20000;
	double sum = 0, square = 0, mean, gaps = 0;
	struct mcfab_workload w, quick;
	struct mcfab_source src, src2;
	u32 i, in = 0, uni = 0, together = 0, dst[10];
	u64 edge = window, before = 0;
	bool unicast, ordered = true;

	cfg.multicast_ppm = 250000;
	w = open_ok(cfg, 9, 256);
	mcfab_workload_first(&w, 3, &src);
	for (i = 0; i < windows; edge += window, i++) {
		for (in = 0; src.gen < edge; in++) {
			ordered &= src.gen >= before;
			before = src.gen;
			if (src.index < 80000) {
				mcfab_workload_dests(&w, 3, src.index, dst, &unicast);
				uni += unicast;
			}
			mcfab_workload_next(&w, 3, &src);
		}
		sum += in;
		square += (double)in * in;
	}
	mean = sum / windows;
	square = square / windows - mean * mean;
	note("messages per 1000 cycles: mean %.3f variance %.3f", mean, square);
	/* 5 expected: standard errors sqrt(5/20000), sqrt((5 + 50) / 20000) */
	check(fabs(mean - 5) < 0.062 && fabs(square - 5) < 0.205,
	      "poisson: counts have the mean and the variance of the rate");
	check(ordered && src.index == (u32)sum, "poisson: in order, numbered without gaps");
	/* 80000 messages, standard error sqrt(80000 / 4 * 3 / 4) = 122 */
	check(abs((int)uni - 60000) < 480, "poisson: three quarters are unicasts");

	cfg.rate = MCFAB_RATE_ONE;
	cfg.count = 100000;
	quick = open_ok(cfg, 9, 256);
	mcfab_workload_first(&quick, 0, &src);
	for (before = U64_MAX, i = 0; src.gen != U64_MAX; i++) {
		together += src.gen == before;
		gaps = src.gen;
		before = src.gen;
		mcfab_workload_next(&quick, 0, &src);
	}
	/* two messages share a cycle with probability 1 / e at this rate */
	check(i == 100000 && fabs(gaps / i - 1) < 0.013 &&
	      fabs(together / 1e5 - exp(-1)) < 0.01,
	      "poisson: one message per cycle, several in one, ends after its count");
	mcfab_workload_next(&quick, 0, &src);
	check(src.gen == U64_MAX, "poisson: an ended stream stays ended");

	mcfab_workload_first(&w, 4, &src);
	mcfab_workload_first(&w, 5, &src2);
	check(src.gen != src2.gen || src.frac != src2.frac, "poisson: nodes differ");
	mcfab_workload_close(&w);
	mcfab_workload_close(&quick);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_exponential),
		cmocka_unit_test(test_gaps),
		cmocka_unit_test(test_permutation),
		cmocka_unit_test(test_dests),
		cmocka_unit_test(test_lone),
		cmocka_unit_test(test_poisson),
	};

	return run_tap(tests);
}
