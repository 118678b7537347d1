// SPDX-License-Identifier: GPL-2.0
/*
 * The move phase of mode cruise, see engine/cruise/cruise.h: headers that were granted a channel
 * cross it, tails cross channels and come to nodes, and the flits of worms that have landed move.
 */
#include "engine/flit/cruise.h"
#include "engine/flit/path.h"
#include "engine/router/router.h"
#include "engine/state/consumer.h"
#include "engine/state/flits.h"

/**
 * mcfab_cruise_exact() - may worms cruise?
 * @e: engine; its flags, shards and delays are set
 * @why: set to what stands against it
 *
 * Context: any.
 * Return: true if every delivery is the same as flit by flit, to the cycle.
 */
bool mcfab_cruise_exact(const struct mcfab_engine *e, const char **why)
{
	u32 hop = e->hw.link_delay + e->hw.route_delay;

	if (!mcfab_paths_exact(e, why))
		return false;
	if (!mcfab_alone(e))
		*why = "several threads";
	else if (e->hw.may_cut)
		*why = MCFAB_WHY_CUT;
	else if (e->flags & MCFAB_ENG_PORTS)
		*why = MCFAB_WHY_PORTS;
	else if (e->hw.packet_room)
		*why = MCFAB_WHY_ROOM;
	else if (!(e->flags & MCFAB_ENG_STAMPS) && !e->hw.lazy_credits)
		*why = "credits that are events";
	else if (hop + e->hw.credit_delay > e->hw.buffer)
		*why = "a buffer shorter than the way of a flit and its credit";
	else if (hop >= e->run.flits)
		*why = "a packet shorter than its header's way";
	return !*why;
}

/* put a worm into the wheel, if it is not there already, for an earlier cycle */
static void expect(struct mcfab_engine *e, struct mcfab_shard *s, struct mcfab_worm *w, u64 due)
{
	if (w->expected)
		return;
	w->expected = true;
	mcfab_wheel_put(&s->tails, &w->next_due, w - e->worm, due);
}

/**
 * mcfab_cruise_granted() - the header of a worm that cruises crosses a channel
 * @e: engine
 * @s: the shard
 * @nr: record behind the channel, the worm's newest
 *
 * Context: beginning of the move phase.
 */
void mcfab_cruise_granted(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	struct mcfab_rec *r = &e->rec[nr];
	struct mcfab_head *f = &e->head[nr];
	u32 worm = r->worm, from = r->older;

	f->crossed = e->cycle;
	f->due = e->cycle + e->run.flits - 1;
	r->onward = MCFAB_NONE;
	e->rec[from].onward = nr;
	if (e->flags & MCFAB_ENG_BOOKSIM)
		e->wire[from].turn |= MCFAB_TURN_USED;
	mcfab_outbox_post(mcfab_outbox_down(e, s, r->vc), MCFAB_EVENT_HEADER, nr);
	if (e->rec[from].flags & MCFAB_REC_INJECT) {
		e->worm[worm].oldest = from;
		expect(e, s, &e->worm[worm], f->due);
	}
}

/**
 * mcfab_cruise_copied() - a node begins to copy the packet of a worm that cruises
 * @e: engine
 * @nr: record of the packet
 *
 * Context: beginning of the move phase.
 */
void mcfab_cruise_copied(struct mcfab_engine *e, u32 nr)
{
	e->head[nr].delivered = e->cycle + e->hw.consume_delay - 1;
	e->head[nr].late = 0;
	e->rec[nr].flags |= MCFAB_REC_COPYING;
	if (e->flags & MCFAB_ENG_BOOKSIM)
		e->wire[nr].turn |= MCFAB_TURN_USED;
}

/* a node takes the last flit of a packet */
static void copied(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	e->head[nr].cons = e->run.flits;
	e->rec[nr].flags &= ~MCFAB_REC_COPYING;
	mcfab_rec_deliver(e, s, nr);
	if (e->flags & MCFAB_ENG_SHARED) {
		mcfab_consumer_of(e, nr)->cruiser = MCFAB_NONE;
		mcfab_consumer_of(e, nr)->last = e->rec[nr].vc;
	}
}

/* the tail of a worm crosses the channel out of its oldest record */
static void cross(struct mcfab_engine *e, struct mcfab_shard *s, struct mcfab_worm *w)
{
	u32 from = w->oldest, nr = e->rec[from].onward;
	struct mcfab_rec *r = &e->rec[nr];

	r->sent = e->run.flits;
	mcfab_path_crossed(e, s, w, nr, r, e->flags);
	mcfab_cruise_credits(e, from, e->run.flits, e->cycle);
	r->older = MCFAB_NONE;
	w->oldest = nr;
	mcfab_path_drained(e, s, from, &e->rec[from], e->flags);
}

/* the tail of a worm comes to the node, from its only record */
static void arrive(struct mcfab_engine *e, struct mcfab_shard *s, struct mcfab_worm *w)
{
	u32 nr = w->oldest;

	copied(e, s, nr);
	mcfab_cruise_credits(e, nr, e->run.flits, e->cycle);
	s->credits_until = e->cycle + e->hw.credit_delay;
	w->newest = MCFAB_NONE;
	mcfab_path_drained(e, s, nr, &e->rec[nr], e->flags);
	mcfab_worm_over(e, s, w - e->worm);
}

/*
 * Cycle in which the tail of a worm moves on from its oldest record, or a node takes its copy. The
 * header is farther on: it has taken less time for the next step than the tail comes after it.
 */
static u64 moves_on(const struct mcfab_engine *e, const struct mcfab_worm *w)
{
	const struct mcfab_rec *r = &e->rec[w->oldest];

	if (r->onward == MCFAB_NONE)
		return mcfab_cruise_arrival(e, w->oldest);
	if (r->flags & MCFAB_REC_COPYING)
		return min(mcfab_cruise_arrival(e, w->oldest), e->head[r->onward].due);
	return e->head[r->onward].due;
}

/* something is due at the tail of a worm; return: has it come to its node? */
static bool proceed(struct mcfab_engine *e, struct mcfab_shard *s, struct mcfab_worm *w)
{
	u32 nr = w->oldest, next = e->rec[nr].onward;

	if (next == MCFAB_NONE) {
		arrive(e, s, w);
		return true;
	}
	if (e->rec[nr].flags & MCFAB_REC_COPYING && mcfab_cruise_arrival(e, nr) == e->cycle)
		copied(e, s, nr);
	if (e->head[next].due == e->cycle)
		cross(e, s, w);
	return false;
}

/* the tails that are due */
static void turn(struct mcfab_engine *e, struct mcfab_shard *s)
{
	u32 worm, next, done = 0;

	for (worm = mcfab_wheel_take(&s->tails, e->cycle); worm != MCFAB_NONE; worm = next) {
		struct mcfab_worm *w = &e->worm[worm];

		next = w->next_due;
		mcfab_breathe(++done);
		s->tails.count--;
		w->expected = false;
		/* it has landed: the worm is still under way, as its tail is late or in time */
		if (!w->cruises)
			continue;
		if (moves_on(e, w) == e->cycle && proceed(e, s, w))
			continue;
		expect(e, s, w, moves_on(e, w));
	}
}

/* does a node take the flits of a record, which do not go on, and has begun to? */
static bool comes(const struct mcfab_engine *e, u32 nr)
{
	if (e->rec[nr].waiting || e->rec[nr].flags & MCFAB_REC_DROP || !e->head[nr].cons)
		return false;
	return !(e->flags & MCFAB_ENG_SHARED) || mcfab_consumer_alone(e, nr);
}

/* is the header on the link to a worm's newest record, and have its flits come without a gap? */
static bool flies(const struct mcfab_engine *e, u32 nr)
{
	const struct mcfab_head *f = &e->head[nr];
	u32 sent = e->rec[nr].sent;

	return sent && f->crossed + e->hw.link_delay > e->cycle &&
	       sent == e->cycle - f->crossed + 1;
}

/* does no other packet compete for the crossbar with the packet in a record? */
static bool has_input(const struct mcfab_engine *e, u32 nr)
{
	u32 chan, v;

	if (!(e->flags & MCFAB_ENG_SPEEDUP))
		return true;
	chan = mcfab_vc_input(e, e->rec[nr].vc, &v);
	return !mcfab_chan_contended(&e->inport[chan]);
}

/* are there only the packet's own flits and credits in its buffer, and on the channel before it? */
static bool has_channel(const struct mcfab_engine *e, u32 nr)
{
	const struct mcfab_rec *r = &e->rec[nr];

	if (e->hw.slots > 1 && (e->fifo[r->vc].oldest != nr || e->fifo[r->vc].newest != nr))
		return false;
	/* credits that are events */
	if (!(e->flags & MCFAB_ENG_STAMPS) && r->entry & MCFAB_ENTRY_CREDITS)
		return false;
	if (r->sent == e->run.flits)
		return true;
	if (e->flags & MCFAB_ENG_MULTI && mcfab_chan_contended(&e->chan[mcfab_vc_chan(e, r->vc)]))
		return false;
	/* room for the flits that come before the next credit does */
	return r->sent - r->freed + e->hw.credit_delay <= e->hw.buffer;
}

/*
 * A packet that goes on: does no node copy it here, or one in each cycle, which has copied no fewer
 * flits than have gone on? @sent: so many.
 */
static bool copies_along(const struct mcfab_engine *e, u32 nr, u32 sent)
{
	const struct mcfab_rec *r = &e->rec[nr];

	if (r->waiting)
		return false;
	if (!(r->flags & MCFAB_REC_ABSORB) || e->head[nr].cons == e->run.flits)
		return true;
	if (r->flags & MCFAB_REC_DROP || e->head[nr].cons < sent)
		return false;
	return !(e->flags & MCFAB_ENG_SHARED) || mcfab_consumer_alone(e, nr);
}

static bool may_take_off(const struct mcfab_engine *e, const struct mcfab_worm *w)
{
	u32 nr = w->newest, sent = 0;

	if (nr == MCFAB_NONE || e->rec[nr].flags & MCFAB_REC_INJECT)
		return false;
	if (!(e->rec[nr].flags & MCFAB_REC_ABSORB ? comes(e, nr) : flies(e, nr)))
		return false;
	for (; nr != MCFAB_NONE; nr = e->rec[nr].older) {
		if (nr != w->newest && !copies_along(e, nr, sent))
			return false;
		sent = e->rec[nr].sent;
		if (!has_input(e, nr) || (!mcfab_rec_is_inject(e, nr) && !has_channel(e, nr)))
			return false;
	}
	return true;
}

/* cycle in which the tail crosses a record's channel, or has crossed it, as far as that counts */
static u64 tail_crosses(const struct mcfab_engine *e, u32 nr)
{
	u32 sent = e->rec[nr].sent;
	u64 crossing;

	if (sent < e->run.flits)
		return e->cycle + e->run.flits - sent;
	crossing = e->flags & MCFAB_ENG_LINKS ? e->wire[nr].crossing : 0;
	return e->cycle - (crossing ? __ffs64(crossing) : e->hw.link_delay - 1);
}

/* a node copies a packet, a flit in each cycle, and has copied some */
static void copy_on(struct mcfab_engine *e, u32 nr)
{
	struct mcfab_head *f = &e->head[nr];

	e->rec[nr].flags |= MCFAB_REC_COPYING;
	f->late = e->cycle - (f->delivered - e->hw.consume_delay) - f->cons;
	if (!(e->flags & MCFAB_ENG_SHARED))
		return;
	mcfab_consumer_remove(e, e->rec[nr].vc);
	mcfab_consumer_of(e, nr)->cruiser = nr;
}

/**
 * mcfab_cruise_take_off() - a worm has been steady for mcfab_cruise_steady() cycles: may it cruise?
 * @e: engine
 * @s: the shard, the only one
 * @w: the worm
 *
 * Context: move phase, when the worm's flits have moved.
 * Return: true: from the next cycle on it cruises.
 */
bool mcfab_cruise_take_off(struct mcfab_engine *e, struct mcfab_shard *s, struct mcfab_worm *w)
{
	u32 nr, newer = MCFAB_NONE;

	w->steady = 0;
	if (!may_take_off(e, w))
		return false;
	w->cruises = true;
	for (nr = w->newest; nr != MCFAB_NONE; newer = nr, nr = e->rec[nr].older) {
		e->rec[nr].onward = newer;
		e->head[nr].due = tail_crosses(e, nr);
		w->oldest = nr;
		if (e->rec[nr].flags & MCFAB_REC_ABSORB && e->head[nr].cons < e->run.flits)
			copy_on(e, nr);
	}
	expect(e, s, w, moves_on(e, w));
	return true;
}

/**
 * mcfab_cruise_move() - the move phase of mode cruise
 * @e: engine
 * @s: the shard, the only one
 *
 * Context: move phase.
 */
void mcfab_cruise_move(struct mcfab_engine *e, struct mcfab_shard *s)
{
	mcfab_flits_hear(e, s);
	turn(e, s);
	if (s->nactive)
		mcfab_paths_move(e, s);
}
