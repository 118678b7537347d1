// SPDX-License-Identifier: GPL-2.0
/* The heap of events and the pools. */
#include <kunit/test.h>

#include "engine/heap.h"
#include "engine/pool.h"
#include "workload/random.h"

#define NODES	50

/* against an array that is searched */
static void test_heap(struct kunit *test)
{
	struct mcfab_event event[NODES + 1];
	u32 place[NODES], i, n, node;
	u64 when[NODES], now = 0, first;
	struct mcfab_heap heap = { .event = event, .place = place };

	for (i = 0; i < NODES; i++) {
		place[i] = MCFAB_NONE;
		when[i] = U64_MAX;
	}
	KUNIT_EXPECT_EQ(test, mcfab_heap_next(&heap), U64_MAX);
	KUNIT_EXPECT_EQ(test, mcfab_heap_begin(&heap, U64_MAX), MCFAB_NONE);
	for (n = 0; n < 20000; n++) {
		i = mcfab_random_below(1, 0, MCFAB_STREAM_DEST, n, NODES);
		when[i] = now + mcfab_random_below(1, 1, MCFAB_STREAM_DEST, n, 40);
		if (n % 16 == 0)
			when[i] = U64_MAX;
		mcfab_heap_set(&heap, i, when[i]);
		for (i = 0, first = U64_MAX; i < NODES; i++)
			first = min(first, when[i]);
		KUNIT_ASSERT_EQ(test, mcfab_heap_next(&heap), first);
		if (n % 4)
			continue;
		now++;
		while ((node = mcfab_heap_begin(&heap, now)) != MCFAB_NONE) {
			KUNIT_ASSERT_EQ(test, when[node], min(first, now));
			when[node] = U64_MAX;
			/* it may get another event, and others may before it */
			if (n % 8) {
				when[node] = now + 1 + node % 3;
				mcfab_heap_set(&heap, node, when[node]);
			}
			i = (node + 1) % NODES;
			if (when[i] != U64_MAX) {
				when[i] = now + 1 + i % 5;
				mcfab_heap_set(&heap, i, when[i]);
			}
			mcfab_heap_end(&heap, node);
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

	mcfab_pool_refill(&pool);
	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		n = mcfab_pool_take(&pool);
		KUNIT_ASSERT_LT(test, n, ARRAY_SIZE(numbers));
		KUNIT_EXPECT_FALSE(test, __test_and_set_bit(n, &taken));
	}
	KUNIT_EXPECT_FALSE(test, mcfab_pool_dry(&pool));
	KUNIT_EXPECT_EQ(test, mcfab_pool_take(&pool), MCFAB_NONE);
	KUNIT_EXPECT_TRUE(test, mcfab_pool_dry(&pool));
	mcfab_pool_give(&pool, 3);
	KUNIT_EXPECT_EQ(test, mcfab_pool_take(&pool), 3);
	mcfab_pool_refill(&pool);
	KUNIT_EXPECT_FALSE(test, mcfab_pool_dry(&pool));
	KUNIT_EXPECT_EQ(test, mcfab_pool_take(&pool), 0);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(test_heap),
	KUNIT_CASE(test_pool),
	{}
};

static struct kunit_suite suite = { .name = "mcfab_structures", .test_cases = cases };

kunit_test_suite(suite);
