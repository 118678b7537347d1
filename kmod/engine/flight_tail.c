// SPDX-License-Identifier: GPL-2.0
/*
 * Tails of worms whose headers fly ahead (flight.c): what follows from the grants, for the worm
 * itself, for those who wait for what it leaves, and for the nodes that it comes to.
 */
#include "engine/engine.h"
#include "engine/flight.h"
#include "engine/rec.h"

/**
 * mcfab_flight_wake_at() - a channel that somebody waits for will be free
 * @e: engine with mcfab_engine.flights
 * @s: the shard
 * @chan: the channel
 * @cycle: from when on
 *
 * Context: grant phase.
 */
void mcfab_flight_wake_at(struct mcfab_engine *e, struct mcfab_shard *s, u32 chan, u64 cycle)
{
	if (e->wake[chan] != MCFAB_NOT_QUEUED)
		return;
	mcfab_calendar_put(&s->events, MCFAB_EVENT_WAKE, &e->wake[chan], chan, cycle);
}

static void gone_at(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm, u64 cycle)
{
	struct mcfab_flight *f = &e->flight[worm];

	if (f->flags & MCFAB_FLIGHT_GONE)
		return;
	f->flags |= MCFAB_FLIGHT_GONE;
	mcfab_calendar_put(&s->events, MCFAB_EVENT_GONE, &f->gone_next, worm, cycle);
}

static void end_at(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm, u64 cycle)
{
	struct mcfab_flight *f = &e->flight[worm];

	if (f->flags & MCFAB_FLIGHT_END)
		return;
	f->flags |= MCFAB_FLIGHT_END;
	mcfab_calendar_put(&s->events, MCFAB_EVENT_END, &f->end_next, worm, cycle);
}

/* cycle in which the tail crosses a channel of a worm, MCFAB_OPEN: at least */
static u64 *crosses(struct mcfab_engine *e, struct mcfab_flight *f, u32 chan)
{
	u32 prev = e->track[chan].prev;

	return prev == MCFAB_NONE ? &f->gone : &e->track[prev].until;
}

/* cycle in which the node has all of a copy; it may become a later one */
static u64 copy_end(struct mcfab_engine *e, const struct mcfab_ask *copy, bool *settled)
{
	u64 end = copy->since - e->consume_delay + e->flits;
	u32 chan = copy->first, prev;
	u64 due;

	*settled = true;
	if (chan == MCFAB_NONE)
		return end;
	prev = e->track[chan].prev;
	/* the tail has left it for good */
	if (prev != MCFAB_NONE && (e->track[prev].next != chan ||
				   (e->track[prev].worm & ~MCFAB_WAITED) != copy->rec))
		return end;
	due = prev == MCFAB_NONE ? e->flight[copy->rec].gone : e->track[prev].until;
	*settled = !(due & MCFAB_OPEN);
	return max(end, (due & ~MCFAB_OPEN) + 1);
}

/* copies wait until it is settled when their tail comes */
static noinline void settle_copies(struct mcfab_engine *e, struct mcfab_shard *s,
				   struct mcfab_worm *w)
{
	u32 *at = &w->head, nr;
	bool settled;
	u64 end;

	while ((nr = *at) != MCFAB_NONE) {
		end = copy_end(e, &s->ask[nr], &settled);
		if (!settled) {
			at = &s->ask[nr].next;
			continue;
		}
		*at = s->ask[nr].next;
		mcfab_calendar_put(&s->events, MCFAB_EVENT_COPY, &s->ask[nr].next, nr, end);
	}
}

/*
 * What its grants so far say of a worm's tail: when it crosses all channels but the last @span.
 */
static __always_inline void settle(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm,
				   u32 span)
{
	struct mcfab_flight *f = &e->flight[worm];
	struct mcfab_worm *w = &e->worm[worm];
	struct mcfab_track *const track = e->track;
	int todo = atomic_read(&w->traffic) - span - w->crossed;
	u32 chan;
	u64 held = 0;

	if (todo > 0) {
		w->crossed += todo;
		chan = track[f->open].prev;
		if (chan == MCFAB_NONE) {
			f->gone &= ~MCFAB_OPEN;
			gone_at(e, s, worm, f->gone + 1);
			chan = f->open;
			todo--;
		}
		for (; todo; todo--) {
			struct mcfab_track *t = &track[chan];

			t->until &= ~MCFAB_OPEN;
			held += t->until + 1 - t->granted;
			if (t->waits != MCFAB_NO_WORM)
				mcfab_flight_wake_at(e, s, chan, t->until + 1);
			chan = t->next;
		}
		f->open = track[chan].next;
		mcfab_worm_hold(w, held);
	}
	if (unlikely(w->head != MCFAB_NONE))
		settle_copies(e, s, w);
}

/**
 * mcfab_flight_settle() - the worm has got channels: what they say of its tail
 * @e: engine with mcfab_engine.flights
 * @s: the shard
 * @worm: the worm
 *
 * Context: grant phase.
 */
void mcfab_flight_settle(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm)
{
	settle(e, s, worm, e->worm[worm].span);
}

/**
 * mcfab_flight_arrive() - the header comes to its last node, and all is settled
 * @e: engine with mcfab_engine.flights
 * @s: the shard
 * @worm: the worm
 * @cycle: when
 *
 * Context: grant phase.
 */
void mcfab_flight_arrive(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm, u64 cycle)
{
	struct mcfab_flight *f = &e->flight[worm];
	struct mcfab_track *t;

	f->end = cycle + e->flits - 1;
	end_at(e, s, worm, f->end);
	settle(e, s, worm, 0);
	if (f->at == MCFAB_NONE) {
		f->gone = f->end;
		gone_at(e, s, worm, f->gone + 1);
		return;
	}
	t = &e->track[f->at];
	t->until = f->end;
	mcfab_worm_hold(&e->worm[worm], t->until + 1 - t->granted);
	if (t->waits != MCFAB_NO_WORM)
		mcfab_flight_wake_at(e, s, f->at, t->until + 1);
}

/**
 * mcfab_flight_absorb() - a node on the way begins to copy the packet
 * @e: engine with mcfab_engine.flights
 * @s: the shard
 * @worm: the worm
 * @entry: the node's entry of its plan's lists
 *
 * Context: grant phase.
 */
void mcfab_flight_absorb(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm, u32 entry)
{
	u32 nr = mcfab_ask_take(s);
	struct mcfab_ask *copy = &s->ask[nr];
	bool settled;

	copy->since = e->cycle + e->consume_delay - 1;
	copy->rec = worm;
	copy->node = entry;
	copy->first = e->flight[worm].at;
	copy->last = atomic_read(&e->worm[worm].traffic);
	mcfab_calendar_put(&s->events, MCFAB_EVENT_COPY, &copy->next, nr,
			   copy_end(e, copy, &settled));
}

/**
 * mcfab_flight_hold_back() - a worm has got something later than as soon as its header came
 * @e: engine with mcfab_engine.flights
 * @worm: the worm
 * @chan: the channel before what it has got, or MCFAB_NONE
 *
 * No tail crosses what is before it earlier than this lets it.
 *
 * Context: grant phase.
 */
void mcfab_flight_hold_back(struct mcfab_engine *e, u32 worm, u32 chan)
{
	struct mcfab_flight *f = &e->flight[worm];
	u64 due = e->cycle + e->flits - 1;
	u32 i;

	for (i = 0; i < e->worm[worm].span && chan != MCFAB_NONE; i++, chan = e->track[chan].prev) {
		u64 *at = crosses(e, f, chan);

		due -= e->buffer;
		if ((*at & ~MCFAB_OPEN) >= due)
			break;
		*at = due | MCFAB_OPEN;
	}
}

/**
 * mcfab_flights_gone() - tell nodes of tails that have left in the last cycle
 * @e: engine with mcfab_engine.flights
 * @s: the shard
 *
 * Context: grant phase.
 */
void mcfab_flights_gone(struct mcfab_engine *e, struct mcfab_shard *s)
{
	u32 nr, next;

	for (nr = mcfab_calendar_take(&s->events, MCFAB_EVENT_GONE, e->cycle); nr != MCFAB_NONE;
	     nr = next) {
		struct mcfab_flight *f = &e->flight[nr];

		next = f->gone_next;
		s->events.count--;
		f->flags &= ~MCFAB_FLIGHT_GONE;
		if (f->gone & MCFAB_OPEN)
			continue;
		if (f->gone >= e->cycle) {
			gone_at(e, s, nr, f->gone + 1);
			continue;
		}
		f->flags |= MCFAB_FLIGHT_LEFT;
		mcfab_node_left(e, s, nr, f->channel);
	}
}

/* the last flit is copied to a node; @chan: by which the packet came, MCFAB_NONE: from itself */
static void deliver(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm, u32 chan, u32 entry,
		    u32 hops, u64 header)
{
	/* the record that is never in use serves to tell of the worm */
	struct mcfab_rec *r = &e->rec[MCFAB_NO_REC];
	const struct mcfab_worm *w = &e->worm[worm];
	struct mcfab_copy copy = {
		.header = header,
		.rec = MCFAB_NO_REC,
		.entry = entry,
		.node = w->dst[entry] & ~MCFAB_DST_RELAY,
	};

	r->worm = worm;
	r->vc = chan == MCFAB_NONE ? e->nvcs + w->node * e->inject : chan;
	r->hops = hops;
	mcfab_deliver(e, s, &copy);
	r->worm = MCFAB_NO_WORM;
}

/**
 * mcfab_flights_move() - the move phase, where headers fly ahead
 * @e: engine with mcfab_engine.flights
 * @s: the shard
 *
 * Context: move phase.
 */
void mcfab_flights_move(struct mcfab_engine *e, struct mcfab_shard *s)
{
	u32 nr, next;

	for (nr = mcfab_calendar_take(&s->events, MCFAB_EVENT_COPY, e->cycle); nr != MCFAB_NONE;
	     nr = next) {
		struct mcfab_ask *copy = &s->ask[nr];
		bool settled;
		u64 end = copy_end(e, copy, &settled);

		next = copy->next;
		s->events.count--;
		if (end > e->cycle) {
			mcfab_calendar_put(&s->events, MCFAB_EVENT_COPY, &copy->next, nr, end);
		} else if (!settled) {
			copy->next = e->worm[copy->rec].head;
			e->worm[copy->rec].head = nr;
		} else {
			deliver(e, s, copy->rec, copy->first, copy->node, copy->last, copy->since);
			mcfab_ask_give(s, nr);
		}
	}
	for (nr = mcfab_calendar_take(&s->events, MCFAB_EVENT_END, e->cycle); nr != MCFAB_NONE;
	     nr = next) {
		struct mcfab_flight *f = &e->flight[nr];
		u32 hops = atomic_read(&e->worm[nr].traffic);

		next = f->end_next;
		s->events.count--;
		f->flags &= ~MCFAB_FLIGHT_END;
		if (f->end == U64_MAX)
			continue;
		if (f->end > e->cycle) {
			end_at(e, s, nr, f->end);
			continue;
		}
		deliver(e, s, nr, f->at, f->first, hops, f->end - e->flits + e->consume_delay);
		s->flit_hops += (u64)hops * e->flits;
		f->flags = f->flags & MCFAB_FLIGHT_GONE;
		mcfab_worm_over(e, s, nr);
	}
}
