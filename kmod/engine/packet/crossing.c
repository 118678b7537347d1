// SPDX-License-Identifier: GPL-2.0
/*
 * Mode packet: whole packets instead of flits (MCFAB_ENG_WORM). Where nothing can interrupt
 * a packet that has begun to cross a channel, its crossing is one interval: the header
 * crosses in some cycle, the tail flits - 1 cycles later. Nothing can if the granted channel
 * has room for the whole packet and no other packet gets the link in between
 * (mcfab_crossing_exact() has the conditions), because
 *
 *  - the first crossing, out of the source's memory, has no gaps;
 *  - a later crossing begins no earlier than the header has come, so no flit is missing
 *    when its turn comes, and there are no gaps either;
 *  - a node has room for its whole copy, so the same holds for a copy.
 *
 * All intervals are equally long, so intervals end in the order in which they began. A queue
 * per shard with crossings and copies is all that the engine needs for them. The records of a
 * packet belong to the shard of the router, not to the shard of the worm's sender. All cycles
 * between the ends of intervals may be skipped.
 */
#include "engine/message/message.h"
#include "engine/packet/crossing.h"
#include "engine/state/flits.h"
#include "engine/state/rec.h"
#include "engine/state/turns.h"
#include "trace/trace.h"

/**
 * mcfab_crossing_exact() - may packets be moved as a whole?
 * @e: engine; counts, delays and flags are set
 * @why: set to what stands against it
 *
 * Context: any.
 * Return: true if every delivery is the same as flit by flit, to the cycle.
 */
bool mcfab_crossing_exact(const struct mcfab_engine *e, const char **why)
{
	*why = NULL;
	if (e->hw.store)
		*why = "switching saf";
	else if (e->flags & MCFAB_ENG_UNEVEN)
		*why = MCFAB_WHY_UNEVEN;
	else if (e->flags & MCFAB_ENG_HEADERS)
		*why = "headers on";
	else if (e->flags & MCFAB_ENG_LENGTHS)
		*why = mcfab_why_lengths(e);
	else if (e->flags & MCFAB_ENG_LOCKSTEP)
		*why = "replication lockstep";
	else if (e->flags & MCFAB_ENG_SPEEDUP)
		*why = "input-speedup 1";
	else if (e->flags & MCFAB_ENG_SHARED)
		*why = "node-bandwidth shared";
	else if (e->hw.credit_delay > 1)
		*why = "a credit-delay above 1";
	else if (e->flags & MCFAB_ENG_MULTI && !(e->flags & MCFAB_ENG_PACKET))
		*why = "link-arbitration flit with several VCs";
	else if (e->hw.buffer < e->run.flits)
		*why = "buffers shorter than a packet";
	else if (!e->hw.packet_room && e->hw.release_sent)
		*why = "switching wormhole with vc-release sent";
	else if (e->hw.slots > 1 && e->hw.buffer % e->run.flits)
		*why = "buffers that do not hold whole packets";
	return !*why;
}

/* records come first in the numbering of intervals, then copies */
static struct mcfab_copy *copy_of(const struct mcfab_engine *e, u32 nr)
{
	return &e->copy[nr - e->hw.nrecs];
}

static void begin(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	e->intervals.begun[nr] = e->cycle;
	e->intervals.after[nr] = MCFAB_NONE;
	if (s->fresh == MCFAB_NONE)
		s->fresh = nr;
	mcfab_queue_put(&s->crossing, &e->intervals.after[s->crossing.tail], nr);
}

/* if a channel is free and packets wait for it, put it on the list of channels that choose */
static void offer(struct mcfab_engine *e, struct mcfab_shard *s, u32 chan)
{
	struct mcfab_chan *c = &e->chan[chan];

	if (c->lock != U8_MAX || c->listed || !e->intervals.ready_vcs[chan])
		return;
	c->listed = 1;
	s->contended[s->ncontended++] = chan;
}

/**
 * mcfab_crossing_granted() - a packet has got a channel
 * @e: engine
 * @s: shard that owns the channel's router
 * @nr: record of the packet at the far end
 *
 * Context: grant phase.
 */
void mcfab_crossing_granted(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	struct mcfab_rec *r = &e->rec[nr];
	u32 vc = mcfab_rec_vc(e, nr), chan = mcfab_vc_chan(e, vc);
	struct mcfab_worm *w = &e->worm[r->worm];

	e->intervals.pending[r->parent]++;
	e->intervals.pending[nr] = 0;
	mcfab_count(mcfab_alone(e), &w->live, 1);
	mcfab_count(mcfab_alone(e), &w->traffic, 1);
	mcfab_count64(mcfab_alone(e), &w->channel_cycles, -e->cycle);
	/* counted early: no grant reads the count before the packet has crossed */
	if (e->flags & MCFAB_ENG_CREDITS)
		e->fifo[vc].entered += e->run.flits;
	if (!(e->flags & MCFAB_ENG_MULTI)) {
		begin(e, s, nr);
		return;
	}
	e->intervals.begun[nr] = U64_MAX;
	e->intervals.ready_vcs[chan] |= BIT(vc - chan * e->hw.vcs);
	offer(e, s, chan);
}

/**
 * mcfab_crossing_choose() - choose which packet crosses each free channel with waiting packets
 * @e: engine
 * @s: the shard
 *
 * Context: end of the grant phase.
 */
void mcfab_crossing_choose(struct mcfab_engine *e, struct mcfab_shard *s)
{
	while (s->ncontended) {
		u32 chan = s->contended[--s->ncontended];
		struct mcfab_chan *c = &e->chan[chan];
		u32 vc;

		mcfab_breathe(s->ncontended + 1);
		c->listed = 0;
		/* their grants have made sure of room for whole packets */
		mcfab_take_turns(c, e->hw.vcs, e->intervals.ready_vcs[chan],
				 e->intervals.ready_vcs[chan]);
		vc = chan * e->hw.vcs + c->chosen;
		c->lock = c->chosen;
		e->intervals.ready_vcs[chan] &= ~BIT(c->chosen);
		begin(e, s, mcfab_owner(e, vc));
	}
}

/**
 * mcfab_crossing_copy() - a node begins to copy a packet
 * @e: engine
 * @s: shard that owns the router
 * @nr: number of the copy
 *
 * Context: grant phase.
 */
void mcfab_crossing_copy(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	e->intervals.pending[e->copy[nr].rec]++;
	begin(e, s, e->hw.nrecs + nr);
}

/* the channel is free from the next cycle on */
static void release(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	mcfab_count64(mcfab_alone(e), &e->worm[e->rec[nr].worm].channel_cycles, e->cycle + 1);
	mcfab_outbox_post(mcfab_outbox_up(e, s, mcfab_rec_vc(e, nr)),
			  MCFAB_EVENT_RELEASE, mcfab_release_of(e, nr));
	trace_mcfab_release(e, nr);
}

/* all branches and copies have read the packet in a buffer */
static void drained(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	struct mcfab_rec *r = &e->rec[nr];
	u32 worm = r->worm, vc;
	struct mcfab_worm *w = &e->worm[worm];

	if (r->flags & MCFAB_REC_INJECT) {
		mcfab_outbox_post(&s->outbox[s->nr], MCFAB_EVENT_INJECTED, nr);
	} else {
		vc = mcfab_rec_vc(e, nr);
		s->flit_hops += e->run.flits;
		if (!e->hw.release_sent)
			release(e, s, nr);
		if (e->flags & MCFAB_ENG_CREDITS)
			mcfab_outbox_post(mcfab_outbox_up(e, s, vc),
					  MCFAB_EVENT_CREDIT, vc);
		if (e->hw.release_sent)
			mcfab_outbox_post(mcfab_outbox_up(e, s, vc),
					  MCFAB_EVENT_FREE, nr);
		if (e->hw.slots > 1)
			mcfab_outbox_post(&s->outbox[s->nr], MCFAB_EVENT_FRONT, vc);
		mcfab_rec_clear(r, s->nr);
	}
	if (!mcfab_count(mcfab_alone(e), &w->live, -1))
		mcfab_outbox_post(&s->outbox[e->shard_of_node[w->node]], MCFAB_EVENT_ENDED, worm);
}

/* a branch, or a copy, has read the whole packet */
static void read_off(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	if (!--e->intervals.pending[nr] && !e->rec[nr].waiting)
		drained(e, s, nr);
}

static void crossed(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	u32 vc = mcfab_rec_vc(e, nr), chan = mcfab_vc_chan(e, vc);

	if (e->hw.release_sent)
		release(e, s, nr);
	if (e->flags & MCFAB_ENG_MULTI) {
		e->chan[chan].lock = U8_MAX;
		offer(e, s, chan);
	}
	read_off(e, s, e->rec[nr].parent);
}

static void copied(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	struct mcfab_copy *copy = copy_of(e, nr);
	u32 rec = copy->rec;

	mcfab_copy_deliver(e, s, copy);
	mcfab_copy_remove(e, nr - e->hw.nrecs);
	read_off(e, s, rec);
}

/**
 * mcfab_crossing_move() - the move phase of a shard, by whole packets
 * @e: engine
 * @s: the shard
 *
 * Context: move phase.
 */
void mcfab_crossing_move(struct mcfab_engine *e, struct mcfab_shard *s)
{
	u32 nr, done = 0;

	for (nr = s->fresh; nr != MCFAB_NONE; nr = e->intervals.after[nr]) {
		if (nr >= e->hw.nrecs)
			continue;
		e->head[nr].crossed = e->cycle;
		mcfab_outbox_post(mcfab_outbox_down(e, s, mcfab_rec_vc(e, nr)),
				  MCFAB_EVENT_HEADER, nr);
	}
	s->fresh = MCFAB_NONE;
	s->moved = false;
	while ((nr = s->crossing.head) != MCFAB_NONE &&
	       e->intervals.begun[nr] + e->run.flits - 1 <= e->cycle) {
		s->crossing.head = e->intervals.after[nr];
		mcfab_breathe(++done);
		s->moved = true;
		if (nr < e->hw.nrecs)
			crossed(e, s, nr);
		else
			copied(e, s, nr);
	}
}

/**
 * mcfab_crossing_next() - earliest cycle with anything to do for a shard's packets
 * @e: engine
 * @s: the shard
 *
 * Context: end of the move phase.
 * Return: the cycle, U64_MAX: none.
 */
u64 mcfab_crossing_next(const struct mcfab_engine *e, const struct mcfab_shard *s)
{
	/* modes of single flits compute this cycle, too, so they see a deadlock no earlier */
	if (s->moved || s->ncontended)
		return e->cycle + 1;
	if (s->crossing.head == MCFAB_NONE)
		return U64_MAX;
	return e->intervals.begun[s->crossing.head] + e->run.flits - 1;
}

/**
 * mcfab_crossing_rest() - when the last flit comes to its buffer, if nothing more is granted
 * @e: engine; no interval is under way
 *
 * The modes that move single flits compute cycles for as long as flits are on links.
 *
 * Context: boundary.
 * Return: the first cycle without a movement if it is still to come, U64_MAX if not.
 */
u64 mcfab_crossing_rest(const struct mcfab_engine *e)
{
	u64 last = 0;
	u32 i;

	for (i = mcfab_first_rec(e); i != MCFAB_NO_REC; i = mcfab_next_rec(e, i)) {
		if (!(e->rec[i].flags & MCFAB_REC_INJECT) && e->intervals.begun[i] != U64_MAX)
			last = max(last, e->intervals.begun[i] + e->run.flits - 1 +
					 e->hw.link_delay - 1);
	}
	return last >= e->cycle ? last + 1 : U64_MAX;
}

/**
 * mcfab_crossing_show() - write into the records how many flits are in which buffer
 * @e: engine
 *
 * Counts of channels, checks of conservation and failures of links read them.
 *
 * Context: boundary.
 */
void mcfab_crossing_show(struct mcfab_engine *e)
{
	u32 i, nr;

	for (nr = mcfab_first_rec(e); nr != MCFAB_NO_REC; nr = mcfab_next_rec(e, nr)) {
		struct mcfab_rec *r = &e->rec[nr];

		r->sent = r->flags & MCFAB_REC_INJECT ? e->run.flits : mcfab_crossing_moved(e, nr);
		r->freed = r->waiting ? 0 : e->run.flits;
		e->head[nr].cons = r->flags & MCFAB_REC_ABSORB ? e->run.flits : 0;
	}
	for (i = 0; i < e->nshards; i++) {
		for (nr = e->shard[i].crossing.head; nr != MCFAB_NONE;
		     nr = e->intervals.after[nr]) {
			bool copy = nr >= e->hw.nrecs;
			u32 from = copy ? copy_of(e, nr)->rec : e->rec[nr].parent;
			struct mcfab_rec *r = &e->rec[from];

			r->freed = min(r->freed, mcfab_crossing_moved(e, nr));
			if (copy)
				e->head[from].cons = mcfab_crossing_moved(e, nr);
		}
	}
	for (nr = mcfab_first_rec(e); nr != MCFAB_NO_REC; nr = mcfab_next_rec(e, nr)) {
		/* granted, but another packet is on the link */
		if (!e->rec[nr].sent)
			e->rec[e->rec[nr].parent].freed = 0;
	}
}
