// SPDX-License-Identifier: GPL-2.0
#include "engine/pool.h"

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

	for (i = 0; i < pool->size; i++)
		pool->free[i] = pool->first + pool->size - 1 - i;
	atomic_set(&pool->top, pool->size);
	pool->dry = false;
}
