/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records come from stacks. The shard that grants a channel (or whose node injects) takes a
 * record from one of its own stacks. So the engine only touches as many lines of memory as
 * there are packets in buffers at once, not a line for each place where a packet could be. An
 * event tells the shard that a record is not in use any more, so the shard alone takes and gives
 * its records. It never runs out: it has a record for each slot and each source. A reader of a
 * record that is not in use, or is just being taken, finds no flits and no flags there. Requests
 * of headers come from a stack, too.
 *
 * A shard has a stack for each shard that moves flits, so that two threads do not write in one
 * line. Each stack is filled with a chunk of numbers at a time.
 */
#ifndef MCFAB_ENGINE_STATE_REC_H
#define MCFAB_ENGINE_STATE_REC_H

#include "engine/state/engine.h"

u32 mcfab_rec_count(const struct mcfab_engine *e);
void mcfab_rec_share(struct mcfab_engine *e);
u32 mcfab_rec_fill(const struct mcfab_engine *e, struct mcfab_shard *s, u32 mover);

/**
 * mcfab_rec_take() - a record that is not in use
 * @e: engine
 * @s: shard that grants the channel, or injects
 * @mover: number of the worm's shard
 *
 * Context: grant phase of the shard.
 * Return: its number; flits and flags are zero.
 */
static inline u32 mcfab_rec_take(const struct mcfab_engine *e, struct mcfab_shard *s, u32 mover)
{
	u32 nr = s->free_rec[mover];

	if (nr == MCFAB_NO_REC)
		nr = e->nshards == 1 ? s->new_rec++ : mcfab_rec_fill(e, s, mover);
	else
		s->free_rec[mover] = e->rec[nr].next_free;
	e->head[nr].cons = 0;
	e->head[nr].reads = U32_MAX;
	return nr;
}

/**
 * mcfab_rec_begin() - initialise what rules beyond the simplest keep of a new record
 * @e: engine
 * @nr: the record
 * @len: flits of the packet
 * @flags: the engine's rules
 *
 * Context: grant phase of the shard that took the record.
 */
static __always_inline void mcfab_rec_begin(struct mcfab_engine *e, u32 nr, u32 len,
					    const u32 flags)
{
	if (flags & MCFAB_ENG_COPIES)
		e->copies[nr] = MCFAB_NONE;
	if (flags & (MCFAB_ENG_HEADERS | MCFAB_ENG_LENGTHS))
		e->len[nr] = len;
	if (flags & MCFAB_ENG_BRANCHES) {
		e->children[nr] = MCFAB_NONE;
		e->ready[nr] = 0;
	}
	if (flags & MCFAB_ENG_TREES)
		e->trees.tree[nr] = (struct mcfab_tree) { .root = MCFAB_NONE };
}

/**
 * mcfab_rec_clear() - the packet has left a record for good
 * @r: the record
 * @mover: number of the shard that moved its flits
 *
 * Context: any phase of the shard that sees the end.
 */
static inline void mcfab_rec_clear(struct mcfab_rec *r, u32 mover)
{
	r->worm = MCFAB_NO_WORM;
	r->sent = 0;
	r->freed = 0;
	r->flags = 0;
	r->entry = 0;
	r->mover = mover;
}

/**
 * mcfab_rec_give() - a record is not in use any more
 * @e: engine
 * @s: shard that took it
 * @nr: the record; mcfab_rec_clear() was called
 *
 * Context: any phase of the shard.
 */
static inline void mcfab_rec_give(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	u32 *top = &s->free_rec[e->rec[nr].mover];

	e->rec[nr].next_free = *top;
	*top = nr;
}

/* the next record in use after @nr, or MCFAB_NO_REC */
static inline u32 mcfab_next_rec(const struct mcfab_engine *e, u32 nr)
{
	u32 i;

	nr++;
	for (i = 0; i < e->nshards; i++)
		for (nr = max(nr, e->shard[i].first_rec); nr < e->shard[i].new_rec; nr++)
			if (e->rec[nr].worm != MCFAB_NO_WORM)
				return nr;
	return MCFAB_NO_REC;
}

static inline u32 mcfab_first_rec(const struct mcfab_engine *e)
{
	return mcfab_next_rec(e, MCFAB_NO_REC);
}

/** mcfab_request_take() - a request that is not in use; context: as mcfab_rec_take() */
static inline u32 mcfab_request_take(struct mcfab_shard *s)
{
	u32 nr = s->free_request;

	if (nr == MCFAB_NONE)
		return s->new_request++;
	s->free_request = s->request[nr].next;
	return nr;
}

/** mcfab_request_give() - a request is served; context: as mcfab_rec_give() */
static inline void mcfab_request_give(struct mcfab_shard *s, u32 nr)
{
	s->request[nr].next = s->free_request;
	s->free_request = nr;
}

#endif
