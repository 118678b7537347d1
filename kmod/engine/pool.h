/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pools of numbered objects, filled when a run starts. Every pool is taken from
 * in one phase of a cycle and given back to in the other (or at the boundary),
 * so one atomic counter is all the synchronisation it needs: no taker ever
 * meets a giver. Which number a taker gets depends on the threads' timing;
 * results never depend on the number. That a pool runs dry in some cycle does
 * not depend on timing, because the count of takers in a phase does not. Whoever
 * gets nothing puts the count right again: the givers of the next phase need it.
 */
#ifndef MCFAB_ENGINE_POOL_H
#define MCFAB_ENGINE_POOL_H

#include "engine/counter.h"

/**
 * struct mcfab_pool - free numbers
 * @free: stack of them
 * @first: the lowest number
 * @top: how many are free
 * @size: how many there are
 * @dry: somebody went away with nothing
 * @alone: one thread takes and gives
 */
struct mcfab_pool {
	u32 *free;
	u32 first;
	atomic_t top;
	u32 size;
	bool dry;
	bool alone;
};

/** mcfab_pool_take() - a free number, or MCFAB_NONE when there is none left */
static inline u32 mcfab_pool_take(struct mcfab_pool *pool)
{
	int top = mcfab_count(pool->alone, &pool->top, -1);

	if (unlikely(top < 0)) {
		mcfab_count(pool->alone, &pool->top, 1);
		WRITE_ONCE(pool->dry, true);
		return MCFAB_NONE;
	}
	return pool->free[top];
}

/** mcfab_pool_give() - give a number back */
static inline void mcfab_pool_give(struct mcfab_pool *pool, u32 nr)
{
	pool->free[mcfab_count(pool->alone, &pool->top, 1) - 1] = nr;
}

/** mcfab_pool_dry() - did a taker of this run go away with nothing? */
static inline bool mcfab_pool_dry(const struct mcfab_pool *pool)
{
	return READ_ONCE(pool->dry);
}

void mcfab_pool_refill(struct mcfab_pool *pool);

#endif
