// SPDX-License-Identifier: GPL-2.0
/* Mode hop: where a packet gets a record of another shard, see hop.h. */
#include "engine/state/hop.h"

/**
 * mcfab_hop_enter() - a packet that gets a channel needs a record of this shard
 * @e: engine
 * @s: shard that owns the router
 * @nr: the packet's record: of its source, or of a shard before
 *
 * Context: grant phase.
 * Return: its new record.
 */
noinline u32 mcfab_hop_enter(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	const struct mcfab_rec *old = &e->rec[nr];
	u32 vc = old->vc, new = mcfab_rec_take(e, s, s->nr);
	struct mcfab_rec *r = &e->rec[new];
	struct mcfab_fifo *fifo;

	r->worm = old->worm;
	r->straight = old->straight;
	r->parent = nr;
	e->rec[nr].waiting = 0;
	e->head[new].hops = e->head[nr].hops;
	e->head[new].held = old->flags & MCFAB_REC_INJECT ? 0 : e->head[nr].held;
	if (old->flags & MCFAB_REC_INJECT) {
		r->from = MCFAB_NONE;
		/* mode hop alone: where the packet goes */
		e->rec[nr].parent = new;
		return new;
	}
	r->from = vc;
	r->behind = old->behind;
	if (e->flags & MCFAB_ENG_BOOKSIM)
		e->came[vc] = new;
	fifo = &e->fifo[vc];
	if (fifo->last == nr)
		fifo->last = new;
	fifo->front = new;
	return new;
}
