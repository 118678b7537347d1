// SPDX-License-Identifier: GPL-2.0
/*
 * Pools with a stock for each shard: nobody gets a number that is in use, none is lost, and
 * whoever takes and gives in whatever order, they run dry in the same cycle as without stocks,
 * for as many takers.
 */
#include <stdlib.h>

#include "engine/lib/pool.h"
#include "lib/net.h"
#include "lib/tap.h"

#define FIRST	3
#define SIZE	400
#define BURST	100

struct pools {
	struct mcfab_pool pool;
	u32 used[SIZE];		/* numbers in use */
	bool taken[SIZE];
	u32 n;			/* how many are in use */
	u32 refused;		/* takers that got none */
	u32 stocked;		/* cycles with stocks */
};

/* somebody went away with nothing */
static bool alarm;

static struct pools *pools_new(u32 shards)
{
	struct pools *p = calloc(1, sizeof(*p));

	p->pool.first = FIRST;
	p->pool.size = SIZE;
	p->pool.burst = BURST;
	p->pool.stocks = shards > 1 ? shards : 0;
	p->pool.alone = shards == 1;
	p->pool.alarm = &alarm;
	alarm = false;
	p->pool.free = calloc(SIZE, sizeof(u32));
	p->pool.stock = kvzalloc(max(shards, 1U) * sizeof(*p->pool.stock), GFP_KERNEL);
	mcfab_pool_refill(&p->pool);
	return p;
}

static void pools_free(struct pools *p)
{
	kvfree(p->pool.stock);
	free(p->pool.free);
	free(p);
}

static void take(struct pools *p, u32 shard)
{
	u32 nr = mcfab_stock_take(&p->pool, shard);

	if (nr == MCFAB_NONE) {
		p->refused++;
		return;
	}
	assert_in_range(nr, FIRST, FIRST + SIZE - 1);
	assert_false(p->taken[nr - FIRST]);
	p->taken[nr - FIRST] = true;
	p->used[p->n++] = nr;
}

/* the number in use in place @at */
static u32 let_go(struct pools *p, u32 at)
{
	u32 nr = p->used[at];

	p->used[at] = p->used[--p->n];
	p->taken[nr - FIRST] = false;
	return nr;
}

static void check_counts(const struct pools *p)
{
	u32 left = SIZE - p->n;

	assert_int_equal(mcfab_pool_left(&p->pool), left);
	assert_int_equal(mcfab_pool_whole(&p->pool), !p->n);
	assert_true(mcfab_pool_has(&p->pool, left));
	assert_false(mcfab_pool_has(&p->pool, left + 1));
	assert_int_equal(mcfab_pool_dry(&p->pool), !!p->refused);
	assert_int_equal(alarm, !!p->refused);
}

/*
 * A cycle: @takes numbers are taken, then as many as are left of @keep given back, some of them
 * at the boundary. Who does is random.
 */
static void cycle(struct pools *p, u32 shards, u32 takes, u32 keep, u64 *rnd)
{
	u32 one = rng_below(rnd, shards), skew = rng_below(rnd, 3);

	p->stocked += p->pool.stocked;
	while (takes--)
		take(p, skew ? rng_below(rnd, shards) : one);
	one = rng_below(rnd, shards);
	while (p->n > keep) {
		u32 nr = let_go(p, rng_below(rnd, p->n));

		if (skew == 1 && p->n < keep + 20)
			mcfab_pool_give(&p->pool, nr);
		else
			mcfab_stock_give(&p->pool, skew ? rng_below(rnd, shards) : one, nr);
	}
	check_counts(p);
	if (shards > 1)
		mcfab_pool_settle(&p->pool);
	check_counts(p);
}

/* the same takes and gives with each number of shards, until the pool runs dry */
static void test_dry(void **state)
{
	static const u32 shards[] = { 1, 2, 4, 7 };
	u32 i, k, takes, keep, cycles = 0, emptied = 0;
	u64 rnd = 1;

	for (i = 0; i < 100; i++) {
		struct pools *p[ARRAY_SIZE(shards)];
		u32 level = 1 + rng_below(&rnd, SIZE);

		for (k = 0; k < ARRAY_SIZE(shards); k++)
			p[k] = pools_new(shards[k]);
		do {
			/* up and down, and in the end beyond what there is */
			if (!rng_below(&rnd, 10))
				level = 1 + rng_below(&rnd, SIZE);
			takes = rng_below(&rnd, BURST + 1);
			keep = min(rng_below(&rnd, level), p[0]->n + takes);
			for (k = 0; k < ARRAY_SIZE(shards); k++) {
				bool stocked = p[k]->pool.stocked;

				cycle(p[k], shards[k], takes, keep, &rnd);
				assert_int_equal(p[k]->n, p[0]->n);
				assert_int_equal(p[k]->refused, p[0]->refused);
				emptied += stocked && !p[k]->pool.stocked;
			}
			cycles++;
		} while (!p[0]->refused);
		for (k = 0; k < ARRAY_SIZE(shards); k++) {
			assert_int_equal(!p[k]->stocked, shards[k] == 1);
			pools_free(p[k]);
		}
	}
	/* otherwise it shows little */
	assert_true(cycles > 1000 && emptied > 500);
}

/* all of them taken from stocks and given back, over and over: the same few numbers */
static void test_near(void **state)
{
	struct pools *p = pools_new(2);
	u32 i, highest = 0;

	for (i = 0; i < 1000; i++) {
		take(p, i % 2);
		highest = max(highest, p->used[0]);
		mcfab_stock_give(&p->pool, i % 2, let_go(p, 0));
		mcfab_pool_settle(&p->pool);
	}
	assert_true(p->pool.stocked && highest < FIRST + 2 * MCFAB_CHUNK);
	pools_free(p);
}

/* a phase that takes more than was said gets no more than there are */
static void test_beyond(void **state)
{
	struct pools *p = pools_new(2);
	u32 i;

	for (i = 0; i < SIZE + 50; i++)
		take(p, i % 2);
	assert_true(p->refused);
	check_counts(p);
	pools_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dry),
		cmocka_unit_test(test_near),
		cmocka_unit_test(test_beyond),
	};

	return run_tap(tests);
}
