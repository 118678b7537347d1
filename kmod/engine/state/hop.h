/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Mode hop: packets of one flit, in FIFOs. Such a packet is in one place. So one record is enough
 * for it from its first channel to its destination, where other modes take a new record for each
 * channel: a grant writes the channel's VC into the record. And its crossing is one step: it gives
 * back the VC, and leaves the buffer before. The router that grants the channel does all this, in
 * the thread of its shard. Two events follow: the header comes to the next router, and a credit to
 * the one before. (In other modes the shard of the worm's sender moves flits, with five events.)
 *
 * While a packet has a VC but has not crossed, as there is no room or another VC has its turn, its
 * @sent is 0, and @from is the VC in whose buffer it still is. Modes of single flits have two
 * records for it; hop/show.c makes the other one where the boundary looks at all records. There are
 * two in this mode, too, if the packet comes from its source, or from a channel of another shard:
 * each shard has as many records as its own VCs and sources need. Then @parent is the older one.
 */
#ifndef MCFAB_ENGINE_STATE_HOP_H
#define MCFAB_ENGINE_STATE_HOP_H

#include "engine/state/rec.h"

/* hop.c */
u32 mcfab_hop_enter(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr);

/* is there room in a FIFO for one more flit, as far as the router that fills it knows? */
static __always_inline bool mcfab_hop_room(const struct mcfab_engine *e,
					   const struct mcfab_fifo *fifo)
{
	return fifo->entered - fifo->departed < e->hw.buffer;
}

/* a packet has a VC, and its buffer has room: it crosses in this cycle if it gets the channel */
static __always_inline void mcfab_hop_offer(struct mcfab_engine *e, struct mcfab_shard *s, u32 chan,
					    u32 nr, const bool booksim)
{
	struct mcfab_chan *c;

	if (!booksim && !(e->flags & MCFAB_ENG_MULTI)) {
		s->active[s->nactive++] = nr;
		return;
	}
	c = &e->chan[chan];
	if (c->listed)
		return;
	c->listed = 1;
	s->contended[s->ncontended++] = chan;
}

/* of the VCs @allowed of a channel those that no packet has */
static __always_inline u32 mcfab_hop_free(const struct mcfab_engine *e, u32 chan, u32 allowed,
					  const bool booksim)
{
	if (booksim || e->flags & MCFAB_ENG_MULTI)
		return allowed & ~e->chan[chan].used;
	return e->fifo[chan].owned ? 0 : allowed;
}

/* is a VC granted by a router of another shard? Then that shard has the records of its buffer. */
static inline bool mcfab_hop_foreign(const struct mcfab_engine *e, const struct mcfab_shard *s,
				     u32 vc)
{
	return !mcfab_alone(e) && e->shard_of_router[mcfab_vc_from(e, vc)] != s->nr;
}

/**
 * mcfab_hop_grant() - a packet gets a VC
 * @e: engine with MCFAB_ENG_HOPS
 * @s: shard that owns the router
 * @req: its request
 * @chan: the channel
 * @vc: the VC
 * @v: which of the channel's VCs it is
 * @booksim: by the rules of router booksim
 *
 * Context: grant phase.
 * Return: the packet's record from now on.
 */
static __always_inline u32 mcfab_hop_grant(struct mcfab_engine *e, struct mcfab_shard *s,
					   const struct mcfab_request *req, u32 chan, u32 vc,
					   u32 v, const bool booksim)
{
	struct mcfab_fifo *fifo = &e->fifo[vc];
	struct mcfab_use *use = &e->use[chan];
	u32 nr = req->rec, from = e->rec[nr].vc;
	struct mcfab_head *f;
	struct mcfab_rec *r;

	r = &e->rec[nr];
	if (from >= e->hw.nvcs || mcfab_hop_foreign(e, s, from)) {
		nr = mcfab_hop_enter(e, s, nr);
		r = &e->rec[nr];
	} else {
		r->from = from;
		r->parent = MCFAB_NO_REC;
	}
	r->vc = vc;
	r->sent = 0;
	r->waiting = 1;

	f = &e->head[nr];
	f->granted = e->cycle;
	f->hops++;
	f->first = req->first;
	f->last = req->last;
	f->state = req->state;
	f->wanted = req->vcs[0] | req->port[0] << 16;

	s->nheld++;
	fifo->newest = nr;
	fifo->owned = true;
	use->wait += e->cycle - req->since;
	use->flits++;
	if (booksim || e->flags & MCFAB_ENG_MULTI)
		e->chan[chan].used |= BIT(v);
	/* by the rules of router booksim room is looked at when its input port has chosen it */
	if (booksim || mcfab_hop_room(e, fifo))
		mcfab_hop_offer(e, s, chan, nr, booksim);
	return nr;
}

#endif
