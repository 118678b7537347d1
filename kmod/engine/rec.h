/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records come from a stack of their shard, that of the router that grants the channel (of
 * the node that injects): only as many lines of memory are touched as packets stay
 * somewhere at once, not one for each place where one could. The shard gets its records
 * back when it hears that they are not in use any more, so it takes and gives them in
 * grant phases alone, and never runs out: it has one for each slot and source. Whoever
 * looks at a record that is not in use, or is taken at this very moment, finds no flits
 * and no flags there. Requests of headers are kept in the same way.
 */
#ifndef MCFAB_ENGINE_REC_H
#define MCFAB_ENGINE_REC_H

#include "engine/engine.h"

/**
 * mcfab_rec_take() - a record that is not in use
 * @e: engine
 * @s: shard that grants the channel, or injects
 *
 * Context: grant phase of the shard.
 * Return: its number; flits and flags are zero.
 */
static inline u32 mcfab_rec_take(const struct mcfab_engine *e, struct mcfab_shard *s)
{
	u32 nr = s->free_rec;

	if (nr == MCFAB_NO_REC)
		return s->new_rec++;
	s->free_rec = e->rec[nr].link;
	return nr;
}

/**
 * mcfab_rec_give() - a record is not in use any more
 * @e: engine
 * @s: shard that took it
 * @nr: the record, with no flits and flags
 *
 * Context: grant phase of the shard.
 */
static inline void mcfab_rec_give(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	e->rec[nr].link = s->free_rec;
	s->free_rec = nr;
}

/* all records in use, one shard's after another's */
#define mcfab_for_each_rec(e, s, nr)						\
	for ((s) = (e)->shard; (s) < (e)->shard + (e)->nshards; (s)++)		\
		for ((nr) = (s)->first_rec; (nr) < (s)->new_rec; (nr)++)	\
			if ((e)->rec[nr].worm != MCFAB_NO_WORM)

/* what it held is through */
static inline void mcfab_rec_clear(struct mcfab_rec *r)
{
	r->worm = MCFAB_NO_WORM;
	r->sent = 0;
	r->freed = 0;
	r->cons = 0;
	r->flags = 0;
	r->counted = false;
}

/** mcfab_ask_take() - a request that is not in use; context: as mcfab_rec_take() */
static inline u32 mcfab_ask_take(struct mcfab_shard *s)
{
	u32 nr = s->free_ask;

	if (nr == MCFAB_NONE)
		return s->new_ask++;
	s->free_ask = s->ask[nr].next;
	return nr;
}

/** mcfab_ask_give() - a request is served; context: as mcfab_rec_give() */
static inline void mcfab_ask_give(struct mcfab_shard *s, u32 nr)
{
	s->ask[nr].next = s->free_ask;
	s->free_ask = nr;
}

#endif
