// SPDX-License-Identifier: GPL-2.0
/* The nodes' timers and the pools. */
#include <kunit/test.h>

#include "engine/lib/timers.h"
#include "engine/lib/pool.h"
#include "base/random.h"

#define NODES	50

/* against an array that is searched */
static void test_timers(struct kunit *test)
{
	u32 *lists = kunit_kcalloc(test, MCFAB_TIMERS_LISTS, sizeof(u32), GFP_KERNEL);
	struct mcfab_timer event[NODES] = { };
	struct mcfab_timers timers = { .timer = event, .first = lists }, *a = &timers;
	u64 when[NODES], now = 1, first;
	u32 i, n, node;

	KUNIT_ASSERT_NOT_NULL(test, lists);
	for (i = 0; i < NODES; i++)
		when[i] = U64_MAX;
	mcfab_timers_init(a);
	KUNIT_EXPECT_EQ(test, a->next, U64_MAX);
	KUNIT_EXPECT_EQ(test, mcfab_timers_take(a, U64_MAX - 1), MCFAB_NONE);
	for (n = 0; n < 20000; n++) {
		i = mcfab_random_below(1, 0, MCFAB_STREAM_DEST, n, NODES);
		when[i] = now + mcfab_random_below(1, 1, MCFAB_STREAM_DEST, n, 40 << n % 24);
		if (n % 16 == 0)
			when[i] = U64_MAX;
		mcfab_timers_set(a, i, when[i]);
		for (i = 0, first = U64_MAX; i < NODES; i++)
			first = min(first, when[i]);
		KUNIT_ASSERT_EQ(test, a->next, first);
		if (n % 4)
			continue;
		/* the next cycle, or the next one with an event */
		now = n % 64 || first == U64_MAX ? now + 1 : max(first, now + 1);
		while ((node = mcfab_timers_take(a, now)) != MCFAB_NONE) {
			KUNIT_ASSERT_EQ(test, when[node], min(first, now));
			when[node] = U64_MAX;
			/* it may get another event, and others may before it */
			if (n % 8) {
				when[node] = now + 1 + node % 3;
				mcfab_timers_set(a, node, when[node]);
			}
			i = (node + 1) % NODES;
			if (when[i] != U64_MAX) {
				when[i] = now + 1 + i % 5;
				mcfab_timers_set(a, i, when[i]);
			}
			for (i = 0, first = U64_MAX; i < NODES; i++)
				first = min(first, when[i]);
		}
		KUNIT_ASSERT_GT(test, first, now);
	}
}

static void test_pool(struct kunit *test)
{
	u32 numbers[8], i, n;
	unsigned long taken = 0;
	struct mcfab_pool pool = { .free = numbers, .size = ARRAY_SIZE(numbers) };
	bool alarm = false;

	mcfab_pool_refill(&pool);
	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		n = mcfab_pool_take(&pool);
		KUNIT_ASSERT_LT(test, n, ARRAY_SIZE(numbers));
		KUNIT_EXPECT_FALSE(test, __test_and_set_bit(n, &taken));
	}
	KUNIT_EXPECT_FALSE(test, mcfab_pool_dry(&pool));
	KUNIT_EXPECT_EQ(test, mcfab_pool_take(&pool), MCFAB_NONE);
	KUNIT_EXPECT_TRUE(test, mcfab_pool_dry(&pool));
	pool.alarm = &alarm;
	KUNIT_EXPECT_EQ(test, mcfab_pool_take(&pool), MCFAB_NONE);
	KUNIT_EXPECT_TRUE(test, alarm);
	mcfab_pool_give(&pool, 3);
	KUNIT_EXPECT_EQ(test, mcfab_pool_take(&pool), 3);
	mcfab_pool_refill(&pool);
	KUNIT_EXPECT_FALSE(test, mcfab_pool_dry(&pool));
	KUNIT_EXPECT_EQ(test, mcfab_pool_take(&pool), 0);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(test_timers),
	KUNIT_CASE(test_pool),
	{}
};

static struct kunit_suite suite = { .name = "mcfab_structures", .test_cases = cases };

kunit_test_suite(suite);
