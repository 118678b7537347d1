// SPDX-License-Identifier: GPL-2.0
/* Numbers of worms, plans, rounds and jobs that have ended go back to their pools. */
#include "engine/state/engine.h"

/**
 * mcfab_shard_give_back() - give back the numbers that are in the shard's lists of dead numbers
 * @e: engine
 * @s: the shard
 *
 * Context: any phase in which no shard takes such numbers.
 */
void mcfab_shard_give_back(struct mcfab_engine *e, struct mcfab_shard *s)
{
	while (s->ndead_worms) {
		mcfab_breathe(s->ndead_worms);
		mcfab_stock_give(&e->worm_pool, s->nr, s->dead_worm[--s->ndead_worms]);
	}
	while (s->ndead_blocks)
		mcfab_stock_give(&e->block_pool, s->nr, s->dead_block[--s->ndead_blocks]);
	while (s->ndead_rounds)
		mcfab_pool_give(&e->round_pool, s->dead_round[--s->ndead_rounds]);
	while (s->ndead_jobs)
		mcfab_pool_give(&e->job_pool, s->dead_job[--s->ndead_jobs]);
}
