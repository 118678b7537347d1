// SPDX-License-Identifier: GPL-2.0
/*
 * Pools that become larger during a run.
 *
 * How many messages, worms and deliveries are under way at once depends on the policy and on
 * the load. A pool begins with as many numbers as most runs need. When the boundary looks, a pool
 * of which more than a quarter is in use becomes twice as large, up to its limit (sizes.c). The
 * cycles of these looks and the numbers in use do not depend on threads; the limit follows from
 * the configuration. So threads have no influence on whether a pool runs dry, which ends the run.
 * A run for which there is no memory fails. A run with messages from outside goes on without: it
 * holds back those who hand them in (outside/accept.c).
 */
#include <linux/memcontrol.h>
#include <linux/sched/mm.h>
#include "base/memory.h"
#include "engine/internal.h"
#include "engine/outside/outside.h"

/**
 * mcfab_pools() - all pools of an engine
 * @e: engine
 * @pool: filled in
 *
 * Context: any.
 */
void mcfab_pools(struct mcfab_engine *e, struct mcfab_pool *pool[MCFAB_POOLS])
{
	struct mcfab_pool *all[MCFAB_POOLS] = {
		&e->block_pool, &e->worm_pool, &e->mcast_pool, &e->relay_pool, &e->round_pool,
		&e->log_pool, &e->copy_pool, &e->job_pool,
	};

	memcpy(pool, all, sizeof(all));
}

static bool crowded(const struct mcfab_pool *pool)
{
	return pool->size < pool->limit && !mcfab_pool_has(pool, pool->size - pool->size / 4);
}

static int grow(struct mcfab_engine *e, struct mcfab_pool *pool)
{
	u32 more = min(pool->size, pool->limit - pool->size);
	/* not e->bytes: the run may have left the mode that some arrays are for */
	u64 before = mcfab_arrays_bytes(e), bytes;
	int ret = -ENOMEM;

	pool->size += more;
	bytes = mcfab_arrays_bytes(e) - before;
	if (mcfab_memory_charge(bytes)) {
		ret = mcfab_arrays_grow(e, pool, more);
		if (ret)
			mcfab_memory_uncharge(bytes);
	}
	if (ret) {
		pool->size -= more;
		return ret;
	}
	mcfab_pool_extend(pool, more);
	e->bytes += bytes;
	mutex_lock(&e->results->lock);
	e->results->progress.bytes += bytes;
	mutex_unlock(&e->results->lock);
	return 0;
}

/**
 * mcfab_pools_grow() - make pools larger of which more than a quarter is in use
 * @e: engine
 *
 * Context: boundary, at a cycle that does not depend on threads, after complete messages were
 *	    handed over. May sleep; takes the lock of the results. Memory is charged to the
 *	    cgroup of the process that started the run.
 * Return: 0, or -ENOMEM.
 */
int mcfab_pools_grow(struct mcfab_engine *e)
{
	struct mcfab_pool *pool[MCFAB_POOLS];
	struct mem_cgroup *old;
	int ret = 0;
	u32 i;

	mcfab_pools(e, pool);
	for (i = 0; i < MCFAB_POOLS && !ret; i++) {
		if (likely(!crowded(pool[i])))
			continue;
		old = set_active_memcg(e->payer);
		ret = grow(e, pool[i]);
		set_active_memcg(old);
		if (ret && e->outside.from) {
			pool[i]->limit = pool[i]->size;
			mcfab_outside_limit(e);
			ret = 0;
		}
	}
	return ret;
}
