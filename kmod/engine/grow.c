// SPDX-License-Identifier: GPL-2.0
/*
 * Pools that become larger during a run.
 *
 * How many messages, worms and deliveries are under way at once depends on the policy and on
 * the load. A pool begins with as many numbers as most runs need. When the boundary looks, a pool
 * of which more than a quarter is in use becomes twice as large, up to its limit (sizes.c). The
 * cycles of these looks and the numbers in use do not depend on threads; the limit follows from
 * the configuration. So threads have no influence on whether a pool runs dry, which ends the run.
 * Some runs begin with less, and look in every cycle (lean.c).
 * A run for which there is no memory fails. A run with messages from outside goes on without: it
 * holds back those who hand them in (outside/accept.c).
 */
#include <linux/memcontrol.h>
#include <linux/sched/mm.h>
#include "base/memory.h"
#include "engine/internal.h"
#include "engine/outside/outside.h"
#include "engine/state/rec.h"

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

/*
 * Get memory for @more numbers of a pool, or, without one, for @more records; @size is their count.
 * Memory is charged before it is there.
 */
static int grow(struct mcfab_engine *e, struct mcfab_pool *pool, u32 *size, u32 more)
{
	/* not e->bytes: the run may have left the mode that some arrays are for */
	u64 before = mcfab_arrays_bytes(e), bytes;
	int ret = -ENOMEM;

	*size += more;
	bytes = mcfab_arrays_bytes(e) - before;
	if (mcfab_memory_charge(bytes)) {
		ret = pool ? mcfab_arrays_grow(e, pool, more) : mcfab_arrays_grow_records(e, more);
		if (ret)
			mcfab_memory_uncharge(bytes);
	}
	if (ret) {
		*size -= more;
		return ret;
	}
	if (pool)
		mcfab_pool_extend(pool, more);
	e->bytes += bytes;
	mutex_lock(&e->results->lock);
	e->results->progress.bytes += bytes;
	mutex_unlock(&e->results->lock);
	return 0;
}

static int grow_pool(struct mcfab_engine *e, struct mcfab_pool *pool)
{
	u32 more = min(pool->size, pool->limit - pool->size);
	int ret = grow(e, pool, &pool->size, more);

	if (ret || !e->run.lean || pool != &e->worm_pool)
		return ret;
	/* each worm may have a delivery in the next cycle */
	e->run.log_reserve = mcfab_log_reserve(e);
	more = min(more, e->log_pool.limit - e->log_pool.size);
	return more ? grow(e, &e->log_pool, &e->log_pool.size, more) : 0;
}

/* let no cycle find too few records, see lean.c */
static int grow_records(struct mcfab_engine *e)
{
	u32 all = mcfab_rec_count(e), more;
	int ret = 0;

	while (!ret && e->hw.nrecs < all &&
	       e->shard->new_rec + mcfab_lean_spare(e) > e->hw.nrecs) {
		more = min(max(e->hw.nrecs / 4, mcfab_lean_spare(e)), all - e->hw.nrecs);
		ret = grow(e, NULL, &e->hw.nrecs, more);
	}
	return ret;
}

static int grow_crowded(struct mcfab_engine *e)
{
	struct mcfab_pool *pool[MCFAB_POOLS];
	int ret = 0;
	u32 i;

	mcfab_pools(e, pool);
	for (i = 0; i < MCFAB_POOLS && !ret; i++) {
		if (likely(!mcfab_pool_crowded(pool[i], e->run.lean ? MCFAB_LEAN_PART : 4)))
			continue;
		ret = grow_pool(e, pool[i]);
		if (ret && e->outside.from) {
			pool[i]->limit = pool[i]->size;
			mcfab_outside_limit(e);
			ret = 0;
		}
	}
	return ret;
}

/**
 * mcfab_pools_grow() - make pools larger of which more than a quarter is in use, and get records
 * @e: engine
 *
 * Context: boundary, at a cycle that does not depend on threads, after complete messages were
 *	    handed over. May sleep; takes the lock of the results. Memory is charged to the
 *	    cgroup of the process that started the run.
 * Return: 0, or -ENOMEM.
 */
int mcfab_pools_grow(struct mcfab_engine *e)
{
	struct mem_cgroup *old = set_active_memcg(e->payer);
	int ret = grow_crowded(e);

	if (!ret)
		ret = grow_records(e);
	set_active_memcg(old);
	return ret;
}
