// SPDX-License-Identifier: GPL-2.0
/*
 * Arithmetic under the statistics: 128-bit numbers, moments, derived numbers,
 * numbers with exponents, histograms, Student's t, channel balance. Everything is compared with the
 * compiler's own 128-bit type or with long double.
 */
#include "stats/channels.h"
#include "stats/derive.h"
#include "stats/histogram.h"
#include "stats/scaled.h"
#include "stats/student.h"
#include "base/random.h"

#include <math.h>
#include <stdlib.h>

#include "lib/check.h"
#include "lib/tap.h"

#define wide	unsigned __int128

static u64 word(u64 index)
{
	return mcfab_random(3, 0, MCFAB_STREAM_DEST, index);
}

/* random words of every length, with runs of ones and zeros now and then */
static u64 ragged(u64 index)
{
	u64 x = word(2 * index), how = word(2 * index + 1);

	if (how % 4 == 0)
		x = ~0ULL;
	if (how % 4 == 1)
		x = 1ULL << (x % 64);
	x >>= (how >> 8) % 64;
	return how % 7 ? x : x - 1;
}

static struct mcfab_u128 narrow(wide a)
{
	return (struct mcfab_u128){ .hi = a >> 64, .lo = a };
}

static wide widen(struct mcfab_u128 a)
{
	return (wide)a.hi << 64 | a.lo;
}

static int bits(wide a)
{
	int n = 0;

	for (; a; a >>= 1)
		n++;
	return n;
}

static void test_u128(void **state)
{
	u64 i;

	for (i = 0; i < 300000; i++) {
		wide a = (wide)ragged(4 * i) << 64 | ragged(4 * i + 1);
		wide b = (wide)ragged(4 * i + 2) << 64 | ragged(4 * i + 3);
		u64 x = ragged(4 * i + 5), shift = i % 128, root, rest, high, low;
		struct mcfab_u128 A, B = narrow(b);

		if (i % 5 == 0)
			a = (u64)a;
		A = narrow(a);

		check(widen(mcfab_u128_add(A, B)) == (wide)(a + b), "sum");
		check(widen(mcfab_u128_sub(A, B)) == (wide)(a - b), "difference");
		check(widen(mcfab_u128_neg(A)) == (wide)-a, "negation");
		check(widen(mcfab_u128_shl(A, shift)) == (wide)(a << shift), "left shift");
		check(widen(mcfab_u128_shr(A, shift)) == a >> shift, "right shift");
		check((mcfab_u128_cmp(A, B) > 0) == (a > b) &&
		      (mcfab_u128_cmp(A, B) < 0) == (a < b) && !mcfab_u128_cmp(A, A), "order");
		check(mcfab_u128_fls(A) == bits(a), "highest bit");
		check(widen(mcfab_mul64((u64)a, x)) == (wide)(u64)a * x, "product of words");
		check(widen(mcfab_u128_mul64(A, x)) == (wide)(a * x), "product");

		root = mcfab_u128_sqrt(A);
		check((wide)root * root <= a, "square root is not too large");
		check(root == U64_MAX || (wide)(root + 1) * (root + 1) > a, "nor too small");
		if (!x)
			continue;
		check(widen(mcfab_u128_div64(A, x, &rest)) == a / x && rest == (u64)(a % x),
		      "quotient and remainder");
		high = (u64)(a >> 64) % x;
		low = (u64)a;
		check(mcfab_div_schoolbook(high, low, x, &rest) ==
		      (u64)(((wide)high << 64 | low) / x) &&
		      rest == (u64)(((wide)high << 64 | low) % x), "by hand");
		check(widen(mcfab_u128_div64_round(A, x)) == a / x + (a % x >= x - a % x),
		      "rounded quotient");
	}
	check(mcfab_u128_to_u64(narrow((wide)1 << 64)) == U64_MAX &&
	      mcfab_u128_to_u64(mcfab_u128(5)) == 5, "narrowing saturates");
	check(mcfab_magnitude(S64_MIN) == 1ULL << 63 && mcfab_magnitude(-3) == 3, "magnitude");
}

static long double value(struct mcfab_scaled a)
{
	return ldexpl(a.bits, a.exponent);
}

static bool near(struct mcfab_scaled got, long double want)
{
	return (got.bits >> 63 || !want) && fabsl(value(got) - want) <= want * 4e-19L;
}

static void test_scaled(void **state)
{
	u64 i;

	for (i = 0; i < 100000; i++) {
		wide a = ((wide)ragged(3 * i) << 64 | ragged(3 * i + 1)) >> word(i) % 128;
		struct mcfab_scaled x = mcfab_scaled_from(narrow(a)), y;
		u64 b = ragged(3 * i + 2);

		y = mcfab_scaled(b);
		check(near(x, a) && value(y) == b, "of whole numbers");
		check(near(mcfab_scaled_mul(x, y), (long double)a * b), "product");
		check(near(mcfab_scaled_sqrt(x), sqrtl(a)) &&
		      near(mcfab_scaled_sqrt(mcfab_scaled_mul(x, y)), sqrtl((long double)a * b)),
		      "root");
		check(mcfab_scaled_round(y) == b, "there and back");
		check(mcfab_scaled_round(x) == (a >> 64 ? U64_MAX : (u64)a), "saturates");
		if (!b)
			continue;
		check(near(mcfab_scaled_div(x, y), (long double)a / b), "quotient");
		x = mcfab_scaled_div(mcfab_scaled((u64)a >> 20), mcfab_scaled(1ULL << (i % 64)));
		check(mcfab_scaled_round(x) == (u64)floorl(value(x) + 0.5L), "to the nearest");
	}
}

/* one sample of @n values, compared with two passes in long double */
static void try_moments(u64 seed, u32 n, s64 base, u64 spread)
{
	struct mcfab_moments m = { 0 };
	long double sum = 0, squares = 0, sd, half;
	s64 low = S64_MAX, high = S64_MIN;
	s64 *x = malloc(n * sizeof(*x));
	__int128 total = 0, square = 0;
	u64 got;
	u32 i;

	for (i = 0; i < n; i++) {
		x[i] = base + (s64)(word(seed + i) % spread);
		mcfab_moments_add(&m, x[i]);
		total += x[i];
		square += (__int128)x[i] * x[i];
		sum += x[i];
		low = min(low, x[i]);
		high = max(high, x[i]);
	}
	for (i = 0; i < n; i++)
		squares += (x[i] - sum / n) * (x[i] - sum / n);
	free(x);
	check(m.count == n && m.min == low && m.max == high && widen(m.sum) == (wide)total &&
	      widen(m.square) == (wide)square, "moments are exact");
	check(fabsl(mcfab_mean(&m, MCFAB_MICRO) - sum / n * 1e6L) <=
	      0.501L + fabsl(sum / n) * 1e-12L, "mean");
	if (n < 2) {
		check(mcfab_deviation(&m, 1) == MCFAB_UNKNOWN &&
		      mcfab_half_width(&m, 1) == MCFAB_UNKNOWN, "nothing from one value");
		return;
	}
	sd = sqrtl(squares / (n - 1)) * 1e6L;
	got = mcfab_deviation(&m, MCFAB_MICRO);
	check(fabsl(got - sd) <= 0.51L + sd * 1e-12L, "standard deviation");
	half = sd / sqrtl(n) * mcfab_student(n - 1) / 1e9L;
	got = mcfab_half_width(&m, MCFAB_MICRO);
	check(fabsl(got - half) <= 0.51L + half * 1e-12L, "half-width");
}

static void test_moments(void **state)
{
	static const u64 spreads[] = { 1, 2, 3, 1000, 1ULL << 20, 1ULL << 33, 1ULL << 40 };
	static const s64 bases[] = { 0, 1, -1, -500, 77, 1LL << 32, -(1LL << 32), 1LL << 42 };
	struct mcfab_moments none = { 0 }, huge = { 0 };
	u32 i, j, n;

	for (i = 0; i < ARRAY_SIZE(spreads); i++) {
		for (j = 0; j < ARRAY_SIZE(bases); j++) {
			for (n = 1; n < 60; n++)
				try_moments(n, n, bases[j], spreads[i]);
			try_moments(i, 3000, bases[j], spreads[i]);
		}
	}
	mcfab_moments_add(&huge, 1LL << 50);
	check(mcfab_mean(&huge, MCFAB_MICRO) == S64_MAX, "a mean saturates");
	check(mcfab_mean(&none, 1) == 0 && mcfab_half_width(&none, 1) == MCFAB_UNKNOWN,
	      "nothing from nothing");
}

static void test_ratio(void **state)
{
	u64 i;

	/* 7000 flits, 256 nodes, 1000 cycles */
	check(mcfab_ratio(7000, 256, 1000, MCFAB_NANO) == 27343750, "offered load");
	check(mcfab_ratio(7000, 0, 1000, MCFAB_NANO) == 0, "no nodes, no load");
	for (i = 0; i < 100000; i++) {
		u64 n = 1 + word(i) % 300, sum = 0;
		struct mcfab_u128 square = mcfab_u128(0);
		long double mean, var = 0, cv, got;
		u64 x[300], k;

		for (k = 0; k < n; k++) {
			x[k] = (word(i + k * k) >> (word(i) >> 8) % 40) % (1ULL << 32);
			sum += x[k];
			square = mcfab_u128_add(square, mcfab_mul64(x[k], x[k]));
		}
		mean = (long double)sum / n;
		for (k = 0; k < n; k++)
			var += (x[k] - mean) * (x[k] - mean) / n;
		cv = sum ? sqrtl(var) / mean * 1e6L : 0;
		got = mcfab_spread_ppm(n, sum, square);
		check(fabsl(got - cv) <= 1.51L, "coefficient of variation");
	}
}

static int compare(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return x < y ? -1 : x > y;
}

static void test_histogram(void **state)
{
	static const u32 quantiles[] = {
		0, 1, 1000, 250000, 500000, 900000, 990000, 999999, 1000000,
	};
	static struct mcfab_histogram h;
	static u32 x[20000];
	u32 b, i, q, n, shift;

	check(mcfab_histogram_low(0) == 0 &&
	      mcfab_histogram_high(MCFAB_HIST_BUCKETS - 1) == U32_MAX &&
	      mcfab_histogram_quantile(&h, 500000) == 0, "ends");
	for (b = 0; b < MCFAB_HIST_BUCKETS; b++) {
		u32 low = mcfab_histogram_low(b), high = mcfab_histogram_high(b);

		check(low <= high && mcfab_histogram_bucket(low) == b &&
		      mcfab_histogram_bucket(high) == b, "edges belong to their bucket");
		check(!b || mcfab_histogram_high(b - 1) + 1 == low, "buckets are without gaps");
		check((u64)(high - low + 1) * 64 <= max(low, 64u), "buckets are at most 1/64 wide");
	}
	for (shift = 0; shift < 30; shift += 3) {
		for (n = 1; n <= ARRAY_SIZE(x); n = n * 5 + 1) {
			memset(&h, 0, sizeof(h));
			for (i = 0; i < n; i++) {
				x[i] = (u32)word(i * 7 + shift) >> shift;
				mcfab_histogram_add(&h, x[i]);
			}
			qsort(x, n, sizeof(*x), compare);
			for (q = 0; q < ARRAY_SIZE(quantiles); q++) {
				u64 rank = ((u64)quantiles[q] * n + 999999) / 1000000;
				u32 want = x[rank ? rank - 1 : 0];
				u32 got = mcfab_histogram_quantile(&h, quantiles[q]);

				check(got >= want && (u64)(got - want) * 64 < max(want, 1u),
				      "quantiles are within 1/64");
			}
		}
	}
}

/* the t distribution's density at @t */
static long double density(long double t, long double n)
{
	return expl(lgammal((n + 1) / 2) - lgammal(n / 2) - logl(n * acosl(-1)) / 2 -
		    (n + 1) / 2 * log1pl(t * t / n));
}

/* probability of 0 .. @t by Simpson's rule */
static long double probability(long double t, long double n)
{
	const int steps = 4000;
	long double sum = density(0, n) + density(t, n);
	int i;

	for (i = 1; i < steps; i++)
		sum += density(t * i / steps, n) * (i & 1 ? 4 : 2);
	return sum * t / steps / 3;
}

static void test_student(void **state)
{
	static const u64 more[] = { 250, 499, 999, 1999, 9999, 100000, 1000000 };
	long double worst = 0, error, t;
	u64 df, before = U64_MAX;
	u32 i;

	for (i = 1; i <= 200 + ARRAY_SIZE(more); i++) {
		df = i <= 200 ? i : more[i - 201];
		t = mcfab_student(df) / 1e9L;
		/* Newton's step from t to the true quantile */
		error = (probability(t, df) - 0.475L) / density(t, df) * 1e9L;
		if (fabsl(error) > fabsl(worst))
			worst = error;
		check(fabsl(error) < 1, "quantile is within 1e-9");
		check(mcfab_student(df) < before, "quantile falls with the degrees of freedom");
		before = mcfab_student(df);
	}
	note("largest error of Student's t: %.2Lf units of 1e-9", worst);
	t = mcfab_student(U32_MAX) / 1e9L;
	check(fabsl(erfcl(t / sqrtl(2)) - 0.05L) < 1e-9L, "the normal distribution is the limit");
	/* as printed in every table */
	check((mcfab_student(1) + 50000) / 100000 == 127062 &&
	      (mcfab_student(19) + 50000) / 100000 == 20930, "12.7062 and 2.0930");
	check(mcfab_student(0) == U64_MAX, "no degrees of freedom, no interval");
}

static void test_channels(void **state)
{
	static u64 flits[500];
	static u32 peer[500];
	struct mcfab_balance got;
	u32 i, round;

	for (round = 0; round < 200; round++) {
		u32 n = 1 + word(round) % 500, channels = 0, used = 0;
		long double sum = 0, square = 0, top = 0, jain, cv;
		u64 cycles = 1 + word(round) % 100000;

		for (i = 0; i < n; i++) {
			flits[i] = word(round * 1000 + i) % (cycles + 1);
			if (word(i) % 8 == round % 8)
				flits[i] = 0;
			/* what does not exist must not count */
			if (word(i + round) % 3) {
				peer[i] = i;
				channels++;
				used += flits[i] > 0;
				sum += flits[i];
				square += (long double)flits[i] * flits[i];
				top = fmaxl(top, flits[i]);
			} else {
				peer[i] = MCFAB_NONE;
				flits[i] = U32_MAX;
			}
		}
		mcfab_channels_balance(flits, peer, n, cycles, &got);
		check(got.channels == channels && got.used == used && got.flits == (u64)sum &&
		      got.max == (u64)top, "channels are counted");
		if (!sum)
			continue;
		jain = sum * sum / (channels * square);
		cv = sqrtl(fmaxl(0, channels * square - sum * sum)) / sum;
		check(flits[got.busiest] == got.max && peer[got.busiest] != MCFAB_NONE, "busiest");
		check(fabsl(got.mean_util - sum / channels / cycles * 1e9L) <= 1.01L &&
		      fabsl(got.max_util - top / cycles * 1e9L) <= 1.01L, "utilisation");
		check(fabsl(got.max_to_mean - top * channels / sum * 1e6L) <= 0.51L,
		      "maximum/mean");
		check(fabsl(got.jain - jain * 1e6L) <= 0.51L, "Jain's index");
		check(fabsl(got.cv - cv * 1e6L) <= 1.51L, "coefficient of variation");
	}
	for (i = 0; i < 10; i++)
		flits[i] = 7;
	mcfab_channels_balance(flits, NULL, 10, 70, &got);
	check(got.jain == 1000000 && !got.cv && got.max_to_mean == 1000000 &&
	      got.mean_util == 100000000 && got.busiest == 0, "equal use");
	for (i = 1; i < 10; i++)
		flits[i] = 0;
	mcfab_channels_balance(flits, NULL, 10, 70, &got);
	check(got.jain == 100000 && got.cv == 3000000 && got.max_to_mean == 10000000,
	      "one channel carries all");
	flits[0] = 0;
	mcfab_channels_balance(flits, NULL, 10, 70, &got);
	check(got.channels == 10 && !got.jain && !got.max_util, "nothing carried");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_u128),
		cmocka_unit_test(test_scaled),
		cmocka_unit_test(test_moments),
		cmocka_unit_test(test_ratio),
		cmocka_unit_test(test_histogram),
		cmocka_unit_test(test_student),
		cmocka_unit_test(test_channels),
	};

	return run_tap(tests);
}
