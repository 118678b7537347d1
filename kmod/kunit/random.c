// SPDX-License-Identifier: GPL-2.0
/* Random numbers, exponential variates, permutations. */
#include <kunit/test.h>

#include "workload/exponential.h"
#include "workload/permutation.h"
#include "base/random.h"

#define DRAWS	20000

static void test_mix(struct kunit *test)
{
	/* splitmix64 with seed 1234567, as published with its reference code */
	static const u64 want[] = {
		6457827717110365317ULL, 3203168211198807973ULL, 9817491932198370423ULL,
		4593380528125082431ULL, 16408922859458223821ULL,
	};
	u64 state = 1234567;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(want); i++) {
		state += 0x9e3779b97f4a7c15ULL;
		KUNIT_EXPECT_EQ(test, mcfab_mix64(state), want[i]);
	}
}

static void test_draws(struct kunit *test)
{
	u32 count[10] = { 0 };
	u32 i;

	for (i = 0; i < DRAWS; i++) {
		u32 value = mcfab_random_below(1, 7, MCFAB_STREAM_DEST, i, 10);

		KUNIT_ASSERT_LT(test, value, 10);
		count[value]++;
	}
	/* 2000 each, standard deviation 42 */
	for (i = 0; i < 10; i++) {
		KUNIT_EXPECT_GT(test, count[i], 1800);
		KUNIT_EXPECT_LT(test, count[i], 2200);
	}
	KUNIT_EXPECT_EQ(test, mcfab_random(1, 2, MCFAB_STREAM_GAP, 3),
			mcfab_random(1, 2, MCFAB_STREAM_GAP, 3));
	KUNIT_EXPECT_NE(test, mcfab_random(1, 2, MCFAB_STREAM_GAP, 3),
			mcfab_random(2, 2, MCFAB_STREAM_GAP, 3));
	KUNIT_EXPECT_NE(test, mcfab_random(1, 2, MCFAB_STREAM_GAP, 3),
			mcfab_random(1, 3, MCFAB_STREAM_GAP, 3));
	KUNIT_EXPECT_NE(test, mcfab_random(1, 2, MCFAB_STREAM_GAP, 3),
			mcfab_random(1, 2, MCFAB_STREAM_KIND, 3));
	KUNIT_EXPECT_NE(test, mcfab_random(1, 2, MCFAB_STREAM_GAP, 3),
			mcfab_random(1, 2, MCFAB_STREAM_GAP, 4));
	KUNIT_EXPECT_EQ(test, mcfab_random_below(9, 9, MCFAB_STREAM_GAP, 9, 1), 0);
}

static void test_exponential(struct kunit *test)
{
	/* -ln(2^-n) = n ln 2; ln 2 in 56 bits: 0xb17217f7d1cf79 */
	u64 ln2 = 0xb17217f7d1cf79ULL, sum = 0, below = 0;
	struct mcfab_gap gap;
	u32 i;

	for (i = 1; i < 64; i++) {
		u64 value = mcfab_exponential(1ULL << (64 - i));
		u64 want = ln2 * i, slack = 256 + (i > 7 ? 1ULL << (i - 7) : 0);

		/* the lowest bit of the word is taken as 1 */
		KUNIT_EXPECT_LE(test, value, want + 64);
		KUNIT_EXPECT_GE(test, value + slack, want);
	}
	KUNIT_EXPECT_LE(test, mcfab_exponential(U64_MAX), 4);
	KUNIT_EXPECT_LT(test, mcfab_exponential(0) >> MCFAB_EXP_BITS, 45);
	for (i = 0; i < DRAWS; i++) {
		u64 value = mcfab_exponential(mcfab_random(1, 0, MCFAB_STREAM_GAP, i));

		sum += value >> 20;
		below += value < ln2;
	}
	/* mean 1, standard error 0.7 %; half of them below the median */
	sum = div_u64(sum, DRAWS);
	KUNIT_EXPECT_GT(test, sum, 97 * (1ULL << 36) / 100);
	KUNIT_EXPECT_LT(test, sum, 103 * (1ULL << 36) / 100);
	KUNIT_EXPECT_GT(test, below, DRAWS / 2 - 300);
	KUNIT_EXPECT_LT(test, below, DRAWS / 2 + 300);

	gap = mcfab_exponential_gap(1ULL << 63, MCFAB_RATE_ONE);
	KUNIT_EXPECT_EQ(test, gap.cycles, 0);
	KUNIT_EXPECT_EQ(test, gap.frac >> 16, 0xb172);
	gap = mcfab_exponential_gap(1ULL << 63, 1);
	KUNIT_EXPECT_EQ(test, div_u64(gap.cycles, 1000), 693147);
}

static void test_permutation(struct kunit *test)
{
	static const u32 sizes[] = { 1, 2, 3, 7, 64, 255, 1000 };
	u32 i, j, key;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct mcfab_domain domain;
		struct mcfab_perm perm;
		u8 *seen = kunit_kzalloc(test, sizes[i], GFP_KERNEL);

		KUNIT_ASSERT_NOT_NULL(test, seen);
		mcfab_domain_init(&domain, sizes[i]);
		for (key = 1; key < 4; key++) {
			mcfab_perm_init(&perm, &domain, mcfab_mix64(key));
			for (j = 0; j < sizes[i]; j++) {
				u32 at = mcfab_perm_at(&perm, j);

				KUNIT_ASSERT_LT(test, at, sizes[i]);
				KUNIT_EXPECT_EQ(test, seen[at], key - 1);
				seen[at] = key;
				KUNIT_EXPECT_EQ(test, mcfab_perm_place(&perm, at), j);
			}
		}
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(test_mix),
	KUNIT_CASE(test_draws),
	KUNIT_CASE(test_exponential),
	KUNIT_CASE(test_permutation),
	{}
};

static struct kunit_suite suite = { .name = "mcfab_random", .test_cases = cases };

kunit_test_suite(suite);
