// SPDX-License-Identifier: GPL-2.0
/*
 * Mode path-tail: worms on paths, moved by events at their heads and tails (MCFAB_ENG_TAILS),
 * with buffers of any size B. A granted channel belongs to one worm, and every flit that may
 * move does. So the grants say when each flit crosses each channel. Let g(h) be the cycle in
 * which the h-th channel of the path is granted; the header crosses it in this cycle. Flit n
 * (counted from 0) crosses channel i in
 *
 *	cross(i, n) = max over h >= i with (h - i) * B <= n of  g(h) + n - (h - i) * B
 *
 * because flit n crosses when three things have happened. Flit n - 1 has crossed (a cycle
 * earlier). Flit n - B has left the buffer behind the channel (in the same cycle). Flit n has
 * come itself (link-delay); this is never the last of the three if B is no less than the
 * link-delay, since the channels farther on have held up the flit for as long. The last h is
 * the consumption channel. A copy to a node on the way never holds up a flit that goes on: the
 * copy began no later than the next channel was granted.
 *
 * Only the tail's crossing, n = flits - 1, has to be known: it frees the buffer before the
 * channel. It is settled, that is final, when the channel span = (flits - 1) / B hops farther on
 * is granted, and does not happen before that. So there are two events per channel: the grant,
 * and the tail, which leaves the record before the channel as it crosses. tails.h has what
 * follows from a grant.
 *
 * Everything here happens in the move phase of the worm's shard. With one thread and simple
 * rules headers fly ahead instead (flight.c).
 */
#include "engine/message/message.h"
#include "engine/state/flits.h"
#include "engine/state/rec.h"
#include "engine/tail/tails.h"
#include "trace/trace.h"

/**
 * mcfab_tails_exact() - may worms be moved by events at heads and tails, by this file or trees.c?
 * @e: engine; counts, delays and flags are set
 * @why: set to what stands against it
 *
 * Context: any.
 * Return: true if every delivery is the same as flit by flit, to the cycle.
 */
bool mcfab_tails_exact(const struct mcfab_engine *e, const char **why)
{
	*why = NULL;
	if (e->hw.store)
		*why = "switching saf";
	else if (e->flags & MCFAB_ENG_UNEVEN)
		*why = MCFAB_WHY_UNEVEN;
	else if (e->flags & MCFAB_ENG_HEADERS)
		*why = "headers on";
	else if (e->flags & MCFAB_ENG_SHARED)
		*why = "node-bandwidth shared";
	else if (e->flags & MCFAB_ENG_MULTI)
		*why = "several VCs";
	else if (e->hw.link_delay > e->hw.buffer)
		*why = "a link-delay above the buffer";
	else if (e->flags & MCFAB_ENG_LINKS && e->hw.may_cut)
		*why = "a link-delay above 1, and worms that may be cut";
	else if (e->hw.release_sent)
		*why = "vc-release sent";
	else if (e->flags & MCFAB_ENG_CREDITS)
		*why = "a credit-delay";
	return !*why;
}

/**
 * mcfab_path_tails_exact() - are worms paths on which nothing but the next channel holds up a flit?
 * @e: engine; counts, delays and flags are set
 * @why: set to what stands against it
 *
 * Context: any.
 * Return: true if every delivery is the same as flit by flit, to the cycle.
 */
bool mcfab_path_tails_exact(const struct mcfab_engine *e, const char **why)
{
	if (!mcfab_tails_exact(e, why))
		return false;
	if (e->run.branching)
		*why = MCFAB_WHY_BRANCHING;
	else if (e->run.held)
		*why = MCFAB_WHY_HELD;
	return !*why;
}

static u32 len(const struct mcfab_engine *e, u32 nr)
{
	return mcfab_len(e, nr, e->flags);
}

/* the last flit of the packet leaves a record in this cycle */
static __always_inline void leave(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	struct mcfab_rec *r = &e->rec[nr];
	u32 router, vc = r->vc;

	if (r->flags & MCFAB_REC_INJECT) {
		mcfab_outbox_post(&s->outbox[s->nr], MCFAB_EVENT_INJECTED, nr);
		return;
	}
	s->flit_hops += len(e, nr);
	trace_mcfab_release(e, nr);
	mcfab_rec_clear(r, s->nr);
	router = mcfab_vc_from(e, vc);
	if (e->nshards > 1 && e->shard_of_router[router] != s->nr) {
		mcfab_outbox_post(mcfab_outbox_up(e, s, vc), MCFAB_EVENT_RELEASE,
				  mcfab_release_of(e, nr));
		return;
	}
	/* the router belongs to this shard: no event is needed */
	e->owner[vc] = MCFAB_NO_REC;
	mcfab_rec_give(e, s, nr);
	mcfab_router_mark(e, s, router);
}

/* a channel was granted in the grant phase: the header crosses into record @nr */
static void granted(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	struct mcfab_rec *r = &e->rec[nr];

	e->head[nr].crossed = e->cycle;
	mcfab_tails_granted(e, s, &e->worm[r->worm], nr, r->parent);
	mcfab_outbox_post(mcfab_outbox_down(e, s, r->vc), MCFAB_EVENT_HEADER, nr);
}

/* is the node of this record the last thing on the worm's way? */
static bool is_end(const struct mcfab_rec *r)
{
	return !r->waiting && r->newer == MCFAB_NONE;
}

/* a node begins to copy the packet in a record */
static void copied(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	struct mcfab_rec *r = &e->rec[nr];
	struct mcfab_worm *w = &e->worm[r->worm];

	e->head[nr].delivered = e->cycle + e->hw.consume_delay - 1;
	if (is_end(r)) {
		mcfab_tails_hold_back(e, w, nr);
		while (w->crossed < atomic_read(&w->traffic))
			mcfab_tails_settle(e, s, w);
	}
	/* if the tail's crossing of the record's channel is settled, so is the end of the copy */
	if (e->head[nr].hops <= w->crossed)
		mcfab_tails_await_copy(e, s, nr);
	else
		r->flags |= MCFAB_REC_COPYING;
}

/* grants first: is_end() asks whether a channel was granted behind a record that is copied */
static void read_events(struct mcfab_engine *e, struct mcfab_shard *s, struct mcfab_grants *box)
{
	u32 copies = 0, i;

	for (i = 0; i < box->count; i++) {
		u32 event = box->event[i];

		mcfab_breathe(i + 1);
		if (event >> MCFAB_EVENT_SHIFT == MCFAB_EVENT_GRANT)
			granted(e, s, mcfab_event_payload(event));
		else
			box->event[copies++] = event;
	}
	for (i = 0; i < copies; i++)
		copied(e, s, mcfab_event_payload(box->event[i]));
	box->count = 0;
}

/* the last flit is copied to a node */
static void consumed(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	struct mcfab_rec *r = &e->rec[nr];
	u32 worm = r->worm;

	mcfab_rec_deliver(e, s, nr);
	if (!is_end(r))
		return;
	if (!(r->flags & MCFAB_REC_INJECT))
		mcfab_worm_hold(&e->worm[worm], e->cycle + 1 - e->head[nr].granted);
	leave(e, s, nr);
	mcfab_worm_over(e, s, worm);
}

static void turn(struct mcfab_engine *e, struct mcfab_shard *s)
{
	/* a tail crosses less than a packet's length after the last grant that it waits for */
	bool laps = e->run.flits > s->tails.size;
	u32 nr, next, done = 0;

	/* copies before tails: a copy reads its record, which a tail of this cycle may release */
	for (nr = mcfab_wheel_take(&s->copies, e->cycle); nr != MCFAB_NONE; nr = next) {
		next = e->head[nr].next_copy;
		mcfab_breathe(++done);
		s->copies.count--;
		if (mcfab_tails_copy_end(e, nr) == e->cycle)
			consumed(e, s, nr);
		else
			mcfab_wheel_put(&s->copies, &e->head[nr].next_copy, nr, e->cycle);
	}
	for (nr = mcfab_wheel_take(&s->tails, e->cycle); nr != MCFAB_NONE; nr = next) {
		next = e->rec[nr].next_leaving;
		mcfab_breathe(++done);
		s->tails.count--;
		if (!laps || e->head[e->rec[nr].newer].due == e->cycle)
			leave(e, s, nr);
		else
			mcfab_wheel_put(&s->tails, &e->rec[nr].next_leaving, nr, e->cycle);
	}
}

/**
 * mcfab_tails_move() - the move phase of a shard, by heads and tails
 * @e: engine
 * @s: the shard
 *
 * Context: move phase.
 */
void mcfab_tails_move(struct mcfab_engine *e, struct mcfab_shard *s)
{
	u32 i;

	for (i = 0; i < e->nshards; i++)
		if (e->shard[i].grants[s->nr].count)
			read_events(e, s, &e->shard[i].grants[s->nr]);
	turn(e, s);
}

/* flits that the node has had time to copy from a record, whether they have come or not */
static u32 copied_by(const struct mcfab_engine *e, u32 nr)
{
	u64 begun = e->head[nr].delivered - e->hw.consume_delay + 1;

	return min_t(u64, e->cycle - begun + 1, len(e, nr));
}

/* flits that have crossed the channel of a record at the end of this cycle */
static u32 sent(const struct mcfab_engine *e, u32 nr)
{
	u32 flits = len(e, nr), most = flits, room = 0, k;

	if (e->rec[nr].sent == flits)
		return flits;
	for (k = nr; room < flits; k = e->rec[k].newer) {
		const struct mcfab_rec *r = &e->rec[k];

		most = min_t(u64, most, e->cycle - e->head[k].granted + 1 + room);
		room += e->hw.buffer;
		if (r->newer != MCFAB_NONE)
			continue;
		return min(most, r->waiting ? room : copied_by(e, k) + room);
	}
	return most;
}

/**
 * mcfab_tails_show() - write into the records how many flits are in which buffer
 * @e: engine
 *
 * Counts of channels, checks of conservation and failures of links read them.
 *
 * Context: boundary.
 */
void mcfab_tails_show(struct mcfab_engine *e)
{
	u32 i;

	/* sent() reads @sent of its own record only, and only if the whole packet has crossed */
	for (i = mcfab_first_rec(e); i != MCFAB_NO_REC; i = mcfab_next_rec(e, i))
		e->rec[i].sent = sent(e, i);
	for (i = mcfab_first_rec(e); i != MCFAB_NO_REC; i = mcfab_next_rec(e, i)) {
		struct mcfab_rec *r = &e->rec[i];

		e->head[i].cons = r->flags & MCFAB_REC_ABSORB ? min(copied_by(e, i), r->sent) : 0;
		r->freed = 0;
		if (r->waiting)
			continue;
		r->freed = r->newer == MCFAB_NONE ? r->sent : e->rec[r->newer].sent;
		if (r->flags & MCFAB_REC_ABSORB)
			r->freed = min(r->freed, e->head[i].cons);
	}
}

/* last cycle in which a flit moves to a record or is copied from it, if nothing more is granted */
static u64 comes_to_rest(const struct mcfab_engine *e, u32 nr)
{
	u32 flits = len(e, nr), room = 0, n = 0, k;
	u64 last = 0;

	/* the tail's crossing is settled */
	if (e->head[nr].hops <= e->worm[e->rec[nr].worm].crossed)
		return e->rec[nr].flags & MCFAB_REC_ABSORB ? mcfab_tails_copy_end(e, nr) :
							     e->head[nr].due + e->hw.link_delay - 1;
	/* @n: flits that can come to the record; then the cycle in which the last of them comes */
	for (k = nr; k != MCFAB_NONE && n < flits; k = e->rec[k].newer)
		n = min(n + e->hw.buffer, flits);
	for (k = nr; k != MCFAB_NONE && room < n; k = e->rec[k].newer, room += e->hw.buffer)
		last = max(last, e->head[k].granted + n - 1 - room);
	if (!(e->rec[nr].flags & MCFAB_REC_ABSORB))
		return last + e->hw.link_delay - 1;
	return max(last + e->hw.link_delay, e->head[nr].delivered - e->hw.consume_delay + n);
}

/**
 * mcfab_tails_rest() - when all flits have come to rest, if nothing more is granted
 * @e: engine; no event is left
 *
 * The modes that move single flits compute that cycle, too, before they find that nothing moves.
 *
 * Context: boundary.
 * Return: the first cycle without a movement if it is still to come, U64_MAX if not.
 */
u64 mcfab_tails_rest(const struct mcfab_engine *e)
{
	u64 last = 0;
	u32 i;

	for (i = mcfab_first_rec(e); i != MCFAB_NO_REC; i = mcfab_next_rec(e, i))
		if (!mcfab_rec_is_inject(e, i))
			last = max(last, comes_to_rest(e, i));
	return last >= e->cycle ? last + 1 : U64_MAX;
}
