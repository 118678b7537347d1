// SPDX-License-Identifier: GPL-2.0
#include "engine/lib/breath.h"
#include "engine/lib/pool.h"

/**
 * mcfab_pool_refill() - all numbers are free again
 * @pool: the pool
 *
 * The lowest numbers are taken first, so that a lightly used pool stays small in
 * the cache.
 *
 * Context: start of a run.
 */
void mcfab_pool_refill(struct mcfab_pool *pool)
{
	u32 i;

	for (i = 0; i < pool->size; i++) {
		mcfab_breathe(i + 1);
		pool->free[i] = pool->first + pool->size - 1 - i;
	}
	for (i = 0; i < pool->stocks; i++)
		pool->stock[i].count = 0;
	atomic_set(&pool->top, pool->size);
	pool->dry = false;
	pool->stocked = pool->stocks && mcfab_pool_plenty(pool);
}

/**
 * mcfab_pool_extend() - more numbers, all of them free
 * @pool: the pool; @pool->size has grown, and @pool->free has room for all
 * @more: count of new numbers
 *
 * The new numbers are taken after all numbers that are free now.
 *
 * Context: boundary.
 */
void mcfab_pool_extend(struct mcfab_pool *pool, u32 more)
{
	u32 top = atomic_read(&pool->top), i;

	memmove(&pool->free[more], pool->free, top * sizeof(*pool->free));
	for (i = 0; i < more; i++) {
		mcfab_breathe(i + 1);
		pool->free[i] = pool->first + pool->size - 1 - i;
	}
	atomic_set(&pool->top, top + more);
}

/**
 * mcfab_pool_restock() - empty all stocks, and decide whether they are used from now on
 * @pool: a pool with stocks
 *
 * Context: boundary.
 */
void mcfab_pool_restock(struct mcfab_pool *pool)
{
	u32 top = atomic_read(&pool->top), i;

	for (i = 0; i < pool->stocks; i++) {
		struct mcfab_stock *stock = &pool->stock[i];

		memcpy(&pool->free[top], stock->nr, stock->count * sizeof(*stock->nr));
		top += stock->count;
		stock->count = 0;
	}
	atomic_set(&pool->top, top);
	pool->stocked = mcfab_pool_plenty(pool);
}

/**
 * mcfab_pool_left() - count free numbers, in the pool and in stocks
 * @pool: the pool
 *
 * Context: boundary.
 * Return: the count.
 */
u32 mcfab_pool_left(const struct mcfab_pool *pool)
{
	u32 left = atomic_read(&pool->top), i;

	for (i = 0; i < pool->stocks; i++)
		left += pool->stock[i].count;
	return left;
}

/**
 * mcfab_stocks_add() - are there so many free numbers, in the pool and in stocks?
 * @pool: a pool whose stocks are used
 * @n: count of numbers
 *
 * Reads the stocks, whose lines are in other threads' caches, only if the answer depends on them.
 *
 * Context: boundary.
 */
bool mcfab_stocks_add(const struct mcfab_pool *pool, u32 n)
{
	return atomic_read(&pool->top) + pool->stocks * MCFAB_STOCK >= n &&
	       mcfab_pool_left(pool) >= n;
}

/* fill an empty stock; false: the phase takes more than mcfab_pool.burst says */
static bool fetch(struct mcfab_pool *pool, struct mcfab_stock *stock)
{
	int top = atomic_sub_return(MCFAB_CHUNK, &pool->top);

	if (unlikely(top < 0)) {
		atomic_add(MCFAB_CHUNK, &pool->top);
		mcfab_pool_run_dry(pool);
		return false;
	}
	memcpy(stock->nr, &pool->free[top], MCFAB_CHUNK * sizeof(*stock->nr));
	stock->count = MCFAB_CHUNK;
	return true;
}

/* make room in a full stock; numbers given last stay, as their objects are in the thread's cache */
static void spill(struct mcfab_pool *pool, struct mcfab_stock *stock)
{
	int top = atomic_add_return(MCFAB_CHUNK, &pool->top) - MCFAB_CHUNK;

	memcpy(&pool->free[top], stock->nr, MCFAB_CHUNK * sizeof(*stock->nr));
	memcpy(stock->nr, &stock->nr[MCFAB_CHUNK], MCFAB_CHUNK * sizeof(*stock->nr));
	stock->count = MCFAB_CHUNK;
}

/**
 * mcfab_stock_pop() - mcfab_stock_take() where there are several threads
 * @pool: the pool
 * @shard: number of the shard
 *
 * Context: as mcfab_stock_take().
 * Return: the number, or MCFAB_NONE.
 */
u32 mcfab_stock_pop(struct mcfab_pool *pool, u32 shard)
{
	struct mcfab_stock *stock;

	if (!pool->stocked)
		return mcfab_pool_take(pool);
	stock = &pool->stock[shard];
	if (!stock->count && !fetch(pool, stock))
		return MCFAB_NONE;
	return stock->nr[--stock->count];
}

/**
 * mcfab_stock_push() - mcfab_stock_give() where there are several threads
 * @pool: the pool
 * @shard: number of the shard
 * @nr: the number
 *
 * Context: as mcfab_stock_give().
 */
void mcfab_stock_push(struct mcfab_pool *pool, u32 shard, u32 nr)
{
	struct mcfab_stock *stock;

	if (!pool->stocked) {
		mcfab_pool_give(pool, nr);
		return;
	}
	stock = &pool->stock[shard];
	if (stock->count == MCFAB_STOCK)
		spill(pool, stock);
	stock->nr[stock->count++] = nr;
}
