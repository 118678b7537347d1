// SPDX-License-Identifier: GPL-2.0
/*
 * Runs that begin with little memory. Pools and records are made for a crowded network, in which
 * every buffer has its packets. A network of a million routers would need 10 GB then, and most
 * loads that it can carry use a tenth of that. So where it would be much, such a run begins with
 * less, and gets more before a cycle could run out of it (grow.c):
 *
 * - Pools begin with a worm and a message for every second node. The pool of worms, or of messages
 *   under way, of which more than a half is in use becomes twice as large, in whichever cycle that
 *   is. Only messages of every fourth node in one cycle could empty it before. So the messages come
 *   one by one, at random, and seldom. That also gives the boundary the time to count complete
 *   messages before the log is full.
 * - A path worm takes two records in a cycle at most: of its source, and of the channel that its
 *   header crosses. So there are two records that were never in use for each worm that may be
 *   under way.
 * - A message to one node has one delivery. So the log has room for one of each worm.
 */
#include "engine/internal.h"
#include "engine/sizes.h"
#include "engine/state/rec.h"

/* where full pools, or the records of all places, take less they are full from the beginning */
#define LEAN_BYTES	(256ULL << 20)
/* most messages that a node may generate in a cycle, in 1e-9 */
#define LEAN_RATE	4000000ULL
/* least count of records at the beginning */
#define LEAN_RECORDS	1048576U

/**
 * mcfab_lean() - does a run begin with small pools?
 * @e: engine; its mode is chosen
 * @run: the run
 *
 * Context: any.
 * Return: true if it has few messages at a time, and they are paths.
 */
bool mcfab_lean(const struct mcfab_engine *e, const struct mcfab_run_cfg *run)
{
	const struct mcfab_workload_cfg *w = &run->workload;

	return mcfab_full_bytes(e, sizeof(*e->worm)) > LEAN_BYTES && e->flags & MCFAB_ENG_PATHS &&
	       !(e->flags & MCFAB_ENG_HOST) && !e->hw.may_cut && mcfab_run_loads(run) == 1 &&
	       (w->kind == MCFAB_WORKLOAD_TYPE_POISSON ||
		w->kind == MCFAB_WORKLOAD_TYPE_BERNOULLI) &&
	       w->rate <= LEAN_RATE && e->run.max_dests == 1 && e->run.packets == 1;
}

/**
 * mcfab_lean_spare() - records that the next cycle may take
 * @e: engine whose worms are paths
 *
 * Context: any.
 * Return: the most.
 */
u32 mcfab_lean_spare(const struct mcfab_engine *e)
{
	return 2 * e->worm_pool.size;
}

/**
 * mcfab_lean_records() - with how many records a run begins
 * @e: engine; the pool of worms has its size
 *
 * Without a policy the caller asks for the least memory of all runs.
 *
 * Context: any.
 * Return: their number; mcfab_rec_count() if that is not much, if worms may take more records than
 *	   are sure to be there, or if several shards share them.
 */
u32 mcfab_lean_records(const struct mcfab_engine *e)
{
	u32 all = mcfab_rec_count(e);

	if (!mcfab_alone(e) || e->hw.may_cut || (e->pol && !(e->flags & MCFAB_ENG_PATHS)) ||
	    mcfab_full_bytes(e, sizeof(*e->rec) + sizeof(*e->head)) <= LEAN_BYTES)
		return all;
	return min_t(u64, all, max_t(u64, LEAN_RECORDS, 4ULL * mcfab_lean_spare(e)));
}

/**
 * mcfab_lean_mark() - set the mark at which records grow
 * @e: engine
 *
 * Context: boundary, after anything has grown.
 */
void mcfab_lean_mark(struct mcfab_engine *e)
{
	u32 most = e->hw.nrecs;

	e->boundary.rec_high = U32_MAX;
	if (most == mcfab_rec_count(e))
		return;
	/* mcfab_hops_show() may need another record for each one in use */
	if (e->flags & MCFAB_ENG_HOPS)
		most /= 2;
	e->boundary.rec_high = most - mcfab_lean_spare(e);
}

/**
 * mcfab_lean_scarce() - may the next cycles need more of a pool than there is?
 * @e: engine whose pools began small
 *
 * Context: boundary.
 * Return: true if a pool has to grow now.
 */
bool mcfab_lean_scarce(const struct mcfab_engine *e)
{
	return mcfab_pool_crowded(&e->worm_pool, MCFAB_LEAN_PART) ||
	       mcfab_pool_crowded(&e->block_pool, MCFAB_LEAN_PART);
}
