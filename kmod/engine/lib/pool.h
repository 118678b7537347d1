/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pools of numbered objects, filled when a run starts. Numbers of a pool are taken in one
 * phase of a cycle and given back in the other (or at the boundary). So one atomic counter is
 * all the synchronisation that a pool needs: takers and givers never work at once. Which
 * number a taker gets depends on the threads' timing; results never depend on the number.
 * Whether a pool runs dry in some cycle does not depend on timing, because the number of
 * takers in a phase does not. A taker that gets no number puts the count right again for the
 * givers of the next phase.
 *
 * With several shards, each shard keeps a stock of numbers of the pools that every message
 * needs. Stocks are filled from the pool and emptied into it by chunks. Without stocks, the
 * counter's line would go from core to core with each number, and so would the objects, as
 * threads would mix their numbers. But a stock may hold numbers that another shard lacks. So the
 * boundary lets shards use stocks in a cycle only if the pool has more numbers than its phase
 * can take. Else the stocks are emptied, and the pool runs dry as if there were none.
 */
#ifndef MCFAB_ENGINE_LIB_POOL_H
#define MCFAB_ENGINE_LIB_POOL_H

#include "engine/lib/counter.h"

/* numbers that go from a pool to a stock or back at once; a stock fills two lines */
#define MCFAB_CHUNK	15U
#define MCFAB_STOCK	(2 * MCFAB_CHUNK)

/**
 * struct mcfab_stock - free numbers of a pool that one shard keeps
 * @count: number of entries of @nr
 * @nr: the free numbers; the last one is taken next
 */
struct mcfab_stock {
	u32 count;
	u32 nr[MCFAB_STOCK];
} ____cacheline_aligned_in_smp;

/**
 * struct mcfab_pool - free numbers
 * @free: stack of free numbers
 * @stock: [@stocks] stocks of the shards
 * @first: the lowest number
 * @top: count of free numbers, without the numbers in stocks
 * @size: count of all numbers
 * @limit: most numbers to which it may grow, see grow.c
 * @burst: with stocks: most numbers that are taken in a phase
 * @stocks: number of shards with a stock, or 0
 * @stocked: stocks are used in this cycle
 * @dry: a taker got no number
 * @alarm: set together with @dry; NULL: there is none
 * @alone: one thread takes and gives
 */
struct mcfab_pool {
	u32 *free;
	struct mcfab_stock *stock;
	u32 first;
	atomic_t top;
	u32 size;
	u32 limit;
	u32 burst;
	u32 stocks;
	bool stocked;
	bool dry;
	bool alone;
	bool *alarm;
} ____cacheline_aligned_in_smp;

void mcfab_pool_refill(struct mcfab_pool *pool);
void mcfab_pool_extend(struct mcfab_pool *pool, u32 more);
void mcfab_pool_restock(struct mcfab_pool *pool);
u32 mcfab_pool_left(const struct mcfab_pool *pool);
bool mcfab_stocks_add(const struct mcfab_pool *pool, u32 n);
u32 mcfab_stock_pop(struct mcfab_pool *pool, u32 shard);
void mcfab_stock_push(struct mcfab_pool *pool, u32 shard, u32 nr);

static inline void mcfab_pool_run_dry(struct mcfab_pool *pool)
{
	WRITE_ONCE(pool->dry, true);
	if (pool->alarm)
		WRITE_ONCE(*pool->alarm, true);
}

/** mcfab_pool_take() - a free number, or MCFAB_NONE when there is none left */
static inline u32 mcfab_pool_take(struct mcfab_pool *pool)
{
	int top = mcfab_count(pool->alone, &pool->top, -1);

	if (unlikely(top < 0)) {
		mcfab_count(pool->alone, &pool->top, 1);
		mcfab_pool_run_dry(pool);
		return MCFAB_NONE;
	}
	return pool->free[top];
}

/** mcfab_pool_give() - give a number back */
static inline void mcfab_pool_give(struct mcfab_pool *pool, u32 nr)
{
	pool->free[mcfab_count(pool->alone, &pool->top, 1) - 1] = nr;
}

/**
 * mcfab_stock_take() - a free number for a shard
 * @pool: the pool; all takers use this function
 * @shard: number of the shard
 *
 * Context: the phase in which numbers of the pool are taken; the shard's thread.
 * Return: the number, or MCFAB_NONE when there is none left.
 */
static inline u32 mcfab_stock_take(struct mcfab_pool *pool, u32 shard)
{
	return likely(pool->alone) ? mcfab_pool_take(pool) : mcfab_stock_pop(pool, shard);
}

/**
 * mcfab_stock_give() - a shard gives a number back
 * @pool: the pool
 * @shard: number of the shard; another shard may have taken @nr
 * @nr: the number
 *
 * The boundary uses mcfab_pool_give().
 *
 * Context: the phase in which numbers of the pool are given back; the shard's thread.
 */
static inline void mcfab_stock_give(struct mcfab_pool *pool, u32 shard, u32 nr)
{
	if (likely(pool->alone))
		mcfab_pool_give(pool, nr);
	else
		mcfab_stock_push(pool, shard, nr);
}

/*
 * Are there as many numbers as a phase may take, and a chunk more for each shard, which may just
 * have begun a chunk? Then a shard that fetches a chunk always finds a full one.
 */
static inline bool mcfab_pool_plenty(const struct mcfab_pool *pool)
{
	return atomic_read(&pool->top) >= (int)(pool->burst + pool->stocks * MCFAB_CHUNK);
}

/**
 * mcfab_pool_settle() - may stocks be used in the next cycle?
 * @pool: a pool with stocks
 *
 * Context: boundary.
 */
static inline void mcfab_pool_settle(struct mcfab_pool *pool)
{
	if (unlikely(mcfab_pool_plenty(pool) != pool->stocked))
		mcfab_pool_restock(pool);
}

/** mcfab_pool_dry() - has a taker of this run got no number? */
static inline bool mcfab_pool_dry(const struct mcfab_pool *pool)
{
	return READ_ONCE(pool->dry);
}

/**
 * mcfab_pool_has() - are there so many free numbers?
 * @pool: the pool
 * @n: count of numbers
 *
 * Context: boundary.
 */
static inline bool mcfab_pool_has(const struct mcfab_pool *pool, u32 n)
{
	return atomic_read(&pool->top) >= (int)n ||
	       (unlikely(pool->stocked) && mcfab_stocks_add(pool, n));
}

/**
 * mcfab_pool_crowded() - should a pool grow?
 * @pool: the pool
 * @part: a number
 *
 * Context: boundary.
 * Return: true if more than a @part-th is in use, and the pool can grow.
 */
static inline bool mcfab_pool_crowded(const struct mcfab_pool *pool, u32 part)
{
	return pool->size < pool->limit && !mcfab_pool_has(pool, pool->size - pool->size / part);
}

/** mcfab_pool_whole() - is no number in use? Context: boundary. */
static inline bool mcfab_pool_whole(const struct mcfab_pool *pool)
{
	return mcfab_pool_has(pool, pool->size);
}

#endif
