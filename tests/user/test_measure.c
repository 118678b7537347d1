// SPDX-License-Identifier: GPL-2.0
/*
 * What a run measures: warm-up, batches and the half-widths of what they say, each
 * compared with a naive program that keeps everything and computes in long double.
 */
#include "stats/derive.h"
#include "stats/stats.h"
#include "stats/student.h"

#include <math.h>

#include "lib/check.h"
#include "lib/measure.h"
#include "lib/tap.h"

/* MSER as in the textbook, on the block means of the whole series */
static u32 naive_cut(const u32 *x, u32 n, u32 group, u32 *blocks)
{
	u32 m = n / group, d, j, cut = 0;
	long double best = INFINITY;

	*blocks = m;
	for (d = 0; d + 5 <= m; d++) {
		long double sum = 0, square = 0, mean;

		for (j = d * group; j < m * group; j++)
			sum += x[j];
		mean = sum / ((m - d) * group);
		for (j = d; j < m; j++) {
			long double block = 0;
			u32 k;

			for (k = 0; k < group; k++)
				block += x[j * group + k];
			square += powl(block / group - mean, 2);
		}
		square /= powl(m - d, 2);
		if (square < best * (1 - 1e-14L)) {
			best = square;
			cut = d;
		}
	}
	return cut;
}

static void test_mser(void **state)
{
	static u32 x[40000];
	u32 i, kind, n, group, blocks;
	struct mcfab_mser mser;
	u64 gen;

	for (kind = 0; kind < 6; kind++) {
		for (n = 400; n <= ARRAY_SIZE(x); n *= 10) {
			assert_int_equal(mcfab_mser_open(&mser), 0);
			for (i = 0; i < n; i++) {
				double level = 500;

				if (kind == 1)		/* starts empty, settles after 0.1 n */
					level -= 400 * exp(-(double)i / (0.03 * n));
				if (kind == 2)		/* starts high for 0.2 n */
					level += i < 0.2 * n ? 800 : 0;
				if (kind == 3)		/* never settles */
					level += 2000.0 * i / n;
				if (kind == 4)		/* settles too late to be seen */
					level += i < 0.7 * n ? 800 : 0;
				x[i] = level + 30 * noise(kind * 100000 + i);
				if (kind == 5)		/* numbers at the limit */
					x[i] = U32_MAX - (word(i) & 0xffffff);
				mcfab_mser_add(&mser, 10 * i, x[i]);
			}
			for (group = 5; n / group > MCFAB_MSER_BLOCKS; group *= 2)
				;
			/* full blocks are merged when the next message comes */
			check(mser.size == group && mser.count == n / group, "blocks are merged");
			check(mcfab_mser_cut(&mser) == naive_cut(x, n, group, &blocks),
			      "truncation is that of the textbook");
			if (n < 4000) {
				/* 80 blocks */
				mcfab_mser_close(&mser);
				continue;
			}
			check(mcfab_mser_settled(&mser, &gen) == (kind != 3 && kind != 4),
			      "settled or not");
			if (kind == 1)
				check(gen > 10 * 0.05 * n && gen < 10 * 0.3 * n, "transient");
			if (kind == 2)
				check(gen >= 10 * 0.195 * n && gen < 10 * 0.25 * n, "step");
			mcfab_mser_close(&mser);
		}
	}
	assert_int_equal(mcfab_mser_open(&mser), 0);
	check(!mcfab_mser_settled(&mser, &gen), "nothing is not settled");
	for (i = 0; i < 5 * MCFAB_MSER_LEAST - 1; i++)
		mcfab_mser_add(&mser, i, 7);
	check(!mcfab_mser_settled(&mser, &gen), "too few blocks");
	mcfab_mser_add(&mser, i, 7);
	check(mcfab_mser_settled(&mser, &gen) && gen == 0, "constant: nothing to leave out");
	mcfab_mser_close(&mser);
}

/* correlated series: message i of batch i / per */
static double autoregressive(u32 i, double rho, double *last)
{
	*last = rho * *last + sqrt(1 - rho * rho) * noise(i);
	return 1000 + 100 * *last;
}

#define BASES	20000

/* a series by base batches, and what a naive program makes of it */
struct naive_series {
	long double sum[BASES], count[BASES];
	u32 n;
};

/* naive half-width from @n batches of @per base batches; false: correlated by more than 0.3 */
static bool naive_half(const struct naive_series *x, u32 n, u32 per, long double t,
		       long double *half, long double *lag1, long double *skewness, u32 *filled)
{
	long double sum = 0, count = 0, square = 0, cross = 0, cube = 0, before = 0, phi;
	u32 i, j;

	for (i = 0; i < n * per; i++) {
		sum += x->sum[i];
		count += x->count[i];
	}
	*filled = 0;
	for (i = 0; i < n; i++) {
		long double s = 0, c = 0, r;

		for (j = i * per; j < (i + 1) * per; j++) {
			s += x->sum[j];
			c += x->count[j];
		}
		r = s - sum / count * c;
		square += r * r;
		cube += r * r * r;
		cross += r * before;
		before = r;
		*filled += c > 0;
	}
	*lag1 = cross / square;
	phi = fminl(fmaxl(0, *lag1 + 1.0L / n), 0.99L);
	*half = t / count *
		sqrtl(square * *filled / (*filled - 1) * (1 + phi) / (1 - phi));
	*skewness = cube / n / powl(square / n, 1.5L);
	return phi <= 0.3L;
}

static void try_batches(u32 total, u32 per, double rho, u32 gap)
{
	static struct naive_series x;
	struct mcfab_interval got;
	struct mcfab_batches b;
	u32 i, j, merge, filled, pairs, looks = 0;
	long double half, paired, lag1, skewness, ignored, t, centre, sum = 0, count = 0;
	double last = 0;
	bool good;

	assert_int_equal(mcfab_batches_open(&b, 1, 1000), 0);
	b.start = 77;
	for (i = 0; i < total; i++) {
		x.sum[i] = 0;
		x.count[i] = gap && i % gap == 0 ? 0 : per + word(i) % 3;
		for (j = 0; j < x.count[i]; j++) {
			u64 value = autoregressive(i * 64 + j, rho, &last) * 1000000;
			struct mcfab_batch one = { .count = { 1, 2, 3 } };

			one.sum[MCFAB_METRIC_DESTINATION] = mcfab_u128(value);
			one.sum[MCFAB_METRIC_WORM] = mcfab_u128(3 * value);
			one.sum[MCFAB_METRIC_COMPLETION] = mcfab_u128(value / 1000000);
			one.sum[MCFAB_METRIC_TAIL] = mcfab_u128(value);
			one.sum[MCFAB_METRIC_ADDITIONAL] = mcfab_u128_neg(mcfab_u128(value));
			mcfab_batches_add(&b, 0, &one);
			x.sum[i] += value;
		}
		/* a base batch is longer after every merging */
		if ((i + 1) % (b.span / 1000) == 0) {
			mcfab_batches_end(&b);
			looks += mcfab_batches_look(&b);
		}
	}
	/* merged whenever 512 were over, so that pairs stay aligned */
	for (x.n = total, merge = 1; x.n >= 512; x.n /= 2)
		merge *= 2;
	check(b.count == x.n && b.span == 1000 * merge, "number and length of base batches");
	for (i = 0; i <= x.n; i++)
		check(mcfab_batches_base(&b, i) == 77 + (u64)i * 1000 * merge / 384,
		      "where they begin");
	for (i = 256, j = 0; i <= total; i *= 2)
		j += 1 + (i + i / 2 <= total);
	check(looks == j, "looks at 256 and 384 times powers of two only");
	for (i = 0; i < x.n; i++) {
		long double s = 0, c = 0;

		for (j = i * merge; j < (i + 1) * merge; j++) {
			s += x.sum[j];
			c += x.count[j];
		}
		x.sum[i] = s;
		x.count[i] = c;
	}
	x.n = x.n / 8 * 2;
	check(mcfab_batches_groups(&b) == x.n, "number of batches");
	for (i = 0; i < x.n; i++) {
		long double s = 0, c = 0;
		struct mcfab_batch group;

		for (j = 4 * i; j < 4 * i + 4; j++) {
			s += x.sum[j];
			c += x.count[j];
		}
		sum += s;
		count += c;
		mcfab_batches_group(&b, 0, i, &group);
		check(group.count[0] == (u64)c && group.count[2] == 3 * (u64)c, "counts");
		check(c ? fabsl(mcfab_batch_mean(&group, MCFAB_METRIC_DESTINATION) - s / c) <=
		      0.51L : mcfab_batch_mean(&group, MCFAB_METRIC_DESTINATION) ==
		      MCFAB_UNKNOWN, "mean of a batch");
	}
	mcfab_batches_interval(&b, 0, MCFAB_METRIC_DESTINATION, &got);
	if (x.n < 20) {
		check(got.half == MCFAB_UNKNOWN && !mcfab_batches_precise(&b, 1000000),
		      "too few batches");
		mcfab_batches_close(&b);
		return;
	}
	naive_half(&x, x.n / 2, 8, 1, &paired, &lag1, &skewness, &pairs);
	t = mcfab_student(pairs - 1) / 1e9L;
	naive_half(&x, x.n / 2, 8, t, &paired, &lag1, &skewness, &pairs);
	good = naive_half(&x, x.n, 4, t, &half, &lag1, &ignored, &filled);
	half = fmaxl(half, paired) * (1 + t * fabsl(skewness) / (3 * sqrtl(x.n / 2)));
	centre = sum / count;
	note("%u batches: %.3Lf of %.3Lf, lag-1 %.3Lf, skewness %.3Lf%s", x.n, half / 1e6L,
	     centre / 1e6L, lag1, skewness, good ? "" : ", correlated");
	check(got.observations == filled && fabsl(got.mean - centre) <= 0.51L, "mean");
	check(fabsl(got.lag1 - lag1 * 1e6L) <= 0.51L, "correlation of neighbours");
	check(fabsl(got.half - half) <= 1 + half * 5e-5L, "half-width");
	check(got.correlated == !good, "correlated or not");
	check(mcfab_batches_precise(&b, ceill(half / centre * 1.02e6L) + 1) == good &&
	      !mcfab_batches_precise(&b, floorl(half / centre * 0.98e6L) - 1), "precise");
	mcfab_batches_interval(&b, 0, MCFAB_METRIC_WORM, &got);
	check(fabsl(got.half - 3 * half) <= 3 + half * 2e-4L, "of another metric");
	mcfab_batches_interval(&b, 0, MCFAB_METRIC_COMPLETION, &got);
	check(fabsl(got.half - half) <= half * 1e-2L, "in cycles");
	/* twice as many destinations as messages, and values in cycles */
	mcfab_batches_interval(&b, 0, MCFAB_METRIC_TAIL, &got);
	check(fabsl(got.half / 1e6L - half / 2) <= 1 + half * 1e-4L &&
	      fabsl(got.mean / 1e6L - centre / 2) < 1, "over destinations");
	mcfab_batches_interval(&b, 0, MCFAB_METRIC_ADDITIONAL, &got);
	check(fabsl(got.half / 1e6L - half) <= 1 + half * 1e-4L &&
	      fabsl(got.mean / 1e6L + centre) < 1, "of negative values");
	mcfab_batches_close(&b);
}

static void test_batches(void **state)
{
	try_batches(79, 10, 0, 0);
	try_batches(80, 10, 0, 0);
	try_batches(256, 10, 0.99, 0);
	try_batches(384, 10, 0, 0);
	try_batches(384, 3, -0.9, 0);
	try_batches(511, 3, 0.5, 0);
	try_batches(512, 3, 0.5, 0);
	try_batches(1003, 2, 0.5, 3);
	try_batches(2000, 2, 0.9, 7);
	try_batches(12288, 1, 0.99, 2);
	try_batches(17000, 1, 0.9, 2);
}

/* Two messages now and then: what has few observations is known badly, or not at all. */
static void test_rare(void **state)
{
	struct mcfab_batch one = { .count = { 1, 1, 1 } };
	struct mcfab_interval got;
	struct mcfab_batches b;
	u32 every, i;

	for (every = 4; every < 400; every *= 2) {
		assert_int_equal(mcfab_batches_open(&b, 1, 384), 0);
		for (i = 0; i < 384; i++) {
			one.sum[MCFAB_METRIC_WORM] = mcfab_u128(1000 + i * 37 % 100);
			if (i % every == 0)
				mcfab_batches_add(&b, 0, &one);
			mcfab_batches_end(&b);
		}
		mcfab_batches_interval(&b, 0, MCFAB_METRIC_WORM, &got);
		check(got.observations == (384 + every - 1) / every, "batches with messages");
		check((got.half == MCFAB_UNKNOWN) == (got.observations < 10),
		      "no interval from fewer than ten");
		check(mcfab_batches_precise(&b, 1000000) == (got.observations >= 20),
		      "no end with fewer than twenty");
		mcfab_batches_close(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mser),
		cmocka_unit_test(test_batches),
		cmocka_unit_test(test_rare),
	};

	return run_tap(tests);
}
