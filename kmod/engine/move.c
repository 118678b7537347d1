// SPDX-License-Identifier: GPL-2.0
/*
 * The move phase of a shard: the run's mode reads the grants and moves the shard's worms (flights,
 * whole packets, heads and tails, or flits), and says in which cycle there is more to do.
 */
#include "engine/engine.h"
#include "engine/internal.h"
#include "engine/node/node.h"

/**
 * mcfab_records_next() - earliest cycle with anything to do, in all modes that have records
 * @e: engine
 * @s: the shard
 *
 * Context: end of the move phase.
 * Return: the cycle, U64_MAX: none.
 */
u64 mcfab_records_next(const struct mcfab_engine *e, const struct mcfab_shard *s)
{
	u64 next = s->timers.next;
	u32 i;

	if (s->nactive || s->ndead_worms || s->nmarked)
		return e->cycle + 1;
	for (i = 0; i < e->nshards; i++)
		if (mcfab_outbox_any(&s->outbox[i]))
			return e->cycle + 1;
	for (i = 0; i < e->hw.link_delays; i++) {
		const struct mcfab_credits *credits = &s->credits[i];

		if (s->flying[i].head != MCFAB_NONE)
			next = min(next, mcfab_flying_due(e, s->flying[i].head));
		if (credits->count)
			next = min(next, credits->due[credits->head]);
	}
	/* cycles with credits under way are computed; mode cruise: the last, mcfab_cruise_rest() */
	if (s->credits_until > e->cycle && !(e->flags & MCFAB_ENG_CRUISE))
		return e->cycle + 1;
	if (s->routing.head != MCFAB_NONE)
		next = min(next, e->head[s->routing.head].ready);
	if (s->injecting.head != MCFAB_NONE)
		next = min(next, e->head[s->injecting.head].ready);
	if (s->slow_ports != MCFAB_NONE)
		next = min(next, mcfab_slow_ports_next(e, s));
	return mcfab_next_delivery(e, s, next);
}

/**
 * mcfab_engine_move() - the move phase of one shard
 * @e: engine
 * @s: the shard
 *
 * Context: one thread per shard; no other phase runs. Waits for nothing; has scheduling
 *	    points.
 */
void mcfab_engine_move(struct mcfab_engine *e, struct mcfab_shard *s)
{
	if (s->ndead_worms | s->ndead_blocks | s->ndead_rounds | s->ndead_jobs)
		mcfab_shard_give_back(e, s);
	s->next_event = e->mode->move(e, s);
}
