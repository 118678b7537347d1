// SPDX-License-Identifier: GPL-2.0
/* 128-bit numbers, moments, histogram, Student's t. */
#include <kunit/test.h>

#include "base/u128.h"
#include "stats/histogram.h"
#include "stats/moments.h"
#include "stats/student.h"

struct division {
	struct mcfab_u128 a;
	u64 divisor;
	struct mcfab_u128 quotient;
	u64 remainder;
};

static const struct division divisions[] = {
	{ { 0, 0 }, 1, { 0, 0 }, 0 },
	{ { 0, 100 }, 7, { 0, 14 }, 2 },
	{ { 1, 0 }, 2, { 0, 1ULL << 63 }, 0 },
	{ { 1, 0 }, 3, { 0, 0x5555555555555555ULL }, 1 },
	{ { U64_MAX, U64_MAX }, 1, { U64_MAX, U64_MAX }, 0 },
	{ { U64_MAX, U64_MAX }, U64_MAX, { 1, 1 }, 0 },
	{ { U64_MAX - 1, U64_MAX }, U64_MAX, { 0, U64_MAX }, U64_MAX - 1 },
	{ { 0x1234, 0x56789abcdef01234ULL }, 1000000007, { 0x4a9, 0x1c7ec0d3b7d3c9dfULL }, 0 },
};

static void test_division(struct kunit *test)
{
	u32 i;

	/* the last one by its own product: quotient and remainder rebuild the number */
	for (i = 0; i < ARRAY_SIZE(divisions); i++) {
		const struct division *d = &divisions[i];
		struct mcfab_u128 q, back;
		u64 rest;

		q = mcfab_u128_div64(d->a, d->divisor, &rest);
		back = mcfab_u128_add(mcfab_u128_mul64(q, d->divisor), mcfab_u128(rest));
		KUNIT_EXPECT_EQ(test, mcfab_u128_cmp(back, d->a), 0);
		KUNIT_EXPECT_LT(test, rest, d->divisor);
		if (i + 1 == ARRAY_SIZE(divisions))
			break;
		KUNIT_EXPECT_EQ(test, mcfab_u128_cmp(q, d->quotient), 0);
		KUNIT_EXPECT_EQ(test, rest, d->remainder);
	}
}

static void test_product(struct kunit *test)
{
	struct mcfab_u128 p = mcfab_mul64(U64_MAX, U64_MAX);

	KUNIT_EXPECT_EQ(test, p.hi, U64_MAX - 1);
	KUNIT_EXPECT_EQ(test, p.lo, 1);
	p = mcfab_mul64(1ULL << 32, 1ULL << 32);
	KUNIT_EXPECT_EQ(test, p.hi, 1);
	KUNIT_EXPECT_EQ(test, p.lo, 0);
	p = mcfab_u128_shr(mcfab_u128_shl(mcfab_u128(0x123456789abcdefULL), 67), 67);
	KUNIT_EXPECT_EQ(test, p.lo, 0x123456789abcdefULL);
	KUNIT_EXPECT_EQ(test, p.hi, 0);
	KUNIT_EXPECT_EQ(test, mcfab_u128_fls(mcfab_u128_shl(mcfab_u128(1), 127)), 128);
	p = mcfab_u128_neg(mcfab_u128(1));
	KUNIT_EXPECT_EQ(test, p.hi & p.lo, U64_MAX);
}

static void test_root(struct kunit *test)
{
	static const u64 roots[] = { 0, 1, 2, 3, 1000, 65535, U32_MAX, 1ULL << 32, 3037000499ULL,
				     U64_MAX - 1, U64_MAX };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(roots); i++) {
		struct mcfab_u128 square = mcfab_mul64(roots[i], roots[i]);

		KUNIT_EXPECT_EQ(test, mcfab_u128_sqrt(square), roots[i]);
		if (roots[i] < 2)
			continue;
		square = mcfab_u128_sub(square, mcfab_u128(1));
		KUNIT_EXPECT_EQ(test, mcfab_u128_sqrt(square), roots[i] - 1);
	}
}

static void test_moments(struct kunit *test)
{
	static const s64 values[] = { 5, -3, 0, 1LL << 40, -(1LL << 40), 7 };
	struct mcfab_moments m = { 0 };
	struct mcfab_u128 sum;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(values); i++)
		mcfab_moments_add(&m, values[i]);
	KUNIT_EXPECT_EQ(test, m.count, ARRAY_SIZE(values));
	KUNIT_EXPECT_EQ(test, m.min, -(1LL << 40));
	KUNIT_EXPECT_EQ(test, m.max, 1LL << 40);
	KUNIT_EXPECT_FALSE(test, mcfab_moments_magnitude(&m, &sum));
	KUNIT_EXPECT_EQ(test, sum.lo, 9);
	KUNIT_EXPECT_EQ(test, m.square.hi, 1ULL << 17);
	KUNIT_EXPECT_EQ(test, m.square.lo, 25 + 9 + 49);
	mcfab_moments_add(&m, -10);
	KUNIT_EXPECT_TRUE(test, mcfab_moments_magnitude(&m, &sum));
	KUNIT_EXPECT_EQ(test, sum.lo, 1);
}

static void test_histogram(struct kunit *test)
{
	struct mcfab_histogram *h = kunit_kzalloc(test, sizeof(*h), GFP_KERNEL);
	u32 i, low;

	KUNIT_ASSERT_NOT_NULL(test, h);
	for (i = 0; i < MCFAB_HIST_BUCKETS; i++) {
		low = mcfab_histogram_low(i);
		KUNIT_EXPECT_EQ(test, mcfab_histogram_bucket(low), i);
		KUNIT_EXPECT_EQ(test, mcfab_histogram_bucket(mcfab_histogram_high(i)), i);
		if (low >= 128)
			KUNIT_EXPECT_LE(test, mcfab_histogram_high(i) - low, low / 64);
		if (i)
			KUNIT_EXPECT_EQ(test, mcfab_histogram_high(i - 1) + 1, low);
	}
	KUNIT_EXPECT_EQ(test, mcfab_histogram_high(MCFAB_HIST_BUCKETS - 1), U32_MAX);
	KUNIT_EXPECT_EQ(test, mcfab_histogram_quantile(h, 500000), 0);
	for (i = 1; i <= 100; i++)
		mcfab_histogram_add(h, i);
	KUNIT_EXPECT_EQ(test, mcfab_histogram_quantile(h, 0), 1);
	KUNIT_EXPECT_EQ(test, mcfab_histogram_quantile(h, 500000), 50);
	KUNIT_EXPECT_EQ(test, mcfab_histogram_quantile(h, 990000), 99);
	KUNIT_EXPECT_EQ(test, mcfab_histogram_quantile(h, 1000000), 100);
}

static void test_student(struct kunit *test)
{
	/* tables of the 97.5 % quantile, to three decimals */
	static const struct { u64 df; u32 milli; } t[] = {
		{ 1, 12706 }, { 2, 4303 }, { 3, 3182 }, { 4, 2776 }, { 5, 2571 }, { 10, 2228 },
		{ 19, 2093 }, { 20, 2086 }, { 30, 2042 }, { 60, 2000 }, { 100, 1984 },
		{ 120, 1980 }, { 1000, 1962 }, { U32_MAX, 1960 },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(t); i++)
		KUNIT_EXPECT_EQ(test, div_u64(mcfab_student(t[i].df) + 500000, 1000000),
				t[i].milli);
	KUNIT_EXPECT_EQ(test, mcfab_student(0), U64_MAX);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(test_product),
	KUNIT_CASE(test_division),
	KUNIT_CASE(test_root),
	KUNIT_CASE(test_moments),
	KUNIT_CASE(test_histogram),
	KUNIT_CASE(test_student),
	{}
};

static struct kunit_suite suite = { .name = "mcfab_arithmetic", .test_cases = cases };

kunit_test_suite(suite);
