// SPDX-License-Identifier: GPL-2.0
/*
 * Tails of worms whose headers fly ahead (flight.c): what follows from the grants for the worm's
 * channels, for headers that wait for these channels, and for the nodes that get the packet.
 */
#include "engine/flight/flight.h"
#include "engine/message/message.h"
#include "engine/node/node.h"
#include "engine/state/rec.h"

/**
 * mcfab_flight_wake_at() - put a channel for which headers wait into the schedule
 * @e: engine with MCFAB_ENG_FLIGHTS
 * @s: the shard
 * @chan: the channel
 * @cycle: first cycle in which it is free
 *
 * Context: grant phase.
 */
void mcfab_flight_wake_at(struct mcfab_engine *e, struct mcfab_shard *s, u32 chan, u64 cycle)
{
	u32 *wake = &e->flights.track[chan].wake;

	if (*wake == MCFAB_NOT_QUEUED)
		mcfab_schedule_put(&s->events, MCFAB_DUE_WAKE, wake, chan, cycle);
}

/* put the end of a worm into the schedule */
static void end_at(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm, u64 cycle)
{
	struct mcfab_flight *f = &e->flights.flight[worm];

	if (f->flags & MCFAB_FLIGHT_END)
		return;
	f->flags |= MCFAB_FLIGHT_END;
	mcfab_schedule_put(&s->events, MCFAB_DUE_END, &f->end_next, worm, cycle);
}

/* cycle in which the node has the whole copy; if not @settled, it may come to be a later one */
static u64 copy_end(const struct mcfab_engine *e, const struct mcfab_request *copy, bool *settled)
{
	u64 end = copy->since - e->hw.consume_delay + e->run.flits;
	u32 worm = copy->copy.worm, chan = copy->copy.channel, prev;
	u64 due;

	*settled = true;
	if (chan == MCFAB_NONE)
		return end;
	prev = e->flights.track[chan].prev;
	/* the tail has left @prev, which was granted again since */
	if (prev != MCFAB_NONE && !mcfab_flight_has(e, worm, prev, chan))
		return end;
	due = prev == MCFAB_NONE ? e->flights.flight[worm].gone : e->flights.track[prev].until;
	*settled = !(due & MCFAB_OPEN);
	return max(end, (due & ~MCFAB_OPEN) + 1);
}

/**
 * mcfab_flight_copy_known() - is it known when the node has the whole copy?
 * @e: engine with MCFAB_ENG_FLIGHTS
 * @copy: the copy
 *
 * Context: any.
 * Return: true if the cycle no longer depends on a header that waits.
 */
bool mcfab_flight_copy_known(const struct mcfab_engine *e, const struct mcfab_request *copy)
{
	bool settled;

	copy_end(e, copy, &settled);
	return settled;
}

/* put the copies of a worm whose ends are settled now into the schedule */
static noinline void settle_copies(struct mcfab_engine *e, struct mcfab_shard *s,
				   struct mcfab_worm *w)
{
	u32 *at = &w->copies, nr;
	bool settled;
	u64 end;

	while ((nr = *at) != MCFAB_NONE) {
		end = copy_end(e, &s->request[nr], &settled);
		if (!settled) {
			at = &s->request[nr].next;
			continue;
		}
		*at = s->request[nr].next;
		mcfab_schedule_put(&s->events, MCFAB_DUE_COPY, &s->request[nr].next, nr, end);
	}
}

/**
 * mcfab_flight_open() - a header has to wait
 * @e: engine with MCFAB_ENG_FLIGHTS
 * @worm: the worm
 *
 * Until the header goes on, it is open when the tail leaves the buffers of its last channel and
 * of the @span channels before.
 *
 * Context: grant phase or boundary.
 */
void mcfab_flight_open(struct mcfab_engine *e, u32 worm)
{
	struct mcfab_flight *f = &e->flights.flight[worm];
	struct mcfab_worm *w = &e->worm[worm];
	u32 chan = f->at, i;
	u64 held = 0;

	if (f->flags & MCFAB_FLIGHT_OPEN)
		return;
	f->flags |= MCFAB_FLIGHT_OPEN;
	e->shard->nopen++;
	for (i = 0; i <= w->span; i++) {
		struct mcfab_track *t;

		if (chan == MCFAB_NONE) {
			f->gone |= MCFAB_OPEN;
			break;
		}
		t = &e->flights.track[chan];
		held += t->until + 1 - t->granted;
		t->until |= MCFAB_OPEN;
		chan = t->prev;
	}
	mcfab_worm_hold(w, -held);
}

/**
 * mcfab_flight_settle() - a header that had to wait goes on in this cycle
 * @e: engine with MCFAB_ENG_FLIGHTS
 * @s: the shard
 * @worm: the worm, after mcfab_flight_open()
 *
 * If the header does not have to wait again, it is settled when the tail leaves these buffers.
 *
 * Context: grant phase.
 */
void mcfab_flight_settle(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm)
{
	struct mcfab_flight *f = &e->flights.flight[worm];
	struct mcfab_worm *w = &e->worm[worm];
	u64 due = e->cycle + e->run.flits - 1, held = 0;
	u32 chan = f->at, i;

	f->flags &= ~MCFAB_FLIGHT_OPEN;
	s->nopen--;
	for (i = 0; i <= w->span; i++, due -= e->hw.buffer) {
		struct mcfab_track *t;

		if (chan == MCFAB_NONE) {
			f->gone = max(f->gone & ~MCFAB_OPEN, due);
			mcfab_node_expect(e, s, worm, f->gone);
			break;
		}
		t = &e->flights.track[chan];
		t->until = max(t->until & ~MCFAB_OPEN, due);
		held += t->until + 1 - t->granted;
		if (t->waits != MCFAB_NO_WORM)
			mcfab_flight_wake_at(e, s, chan, t->until + 1);
		chan = t->prev;
	}
	mcfab_worm_hold(w, held);
	if (unlikely(w->copies != MCFAB_NONE))
		settle_copies(e, s, w);
}

/**
 * mcfab_flight_arrive() - the header comes to its last node
 * @e: engine with MCFAB_ENG_FLIGHTS
 * @s: the shard
 * @worm: the worm
 * @cycle: cycle of the arrival
 *
 * Context: grant phase.
 */
void mcfab_flight_arrive(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm, u64 cycle)
{
	e->flights.flight[worm].end = cycle + e->run.flits - 1;
	end_at(e, s, worm, e->flights.flight[worm].end);
}

/**
 * mcfab_flight_absorb() - a node on the way begins to copy the packet
 * @e: engine with MCFAB_ENG_FLIGHTS
 * @s: the shard
 * @worm: the worm
 * @entry: the node's entry of its plan's lists
 *
 * Context: grant phase.
 */
void mcfab_flight_absorb(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm, u32 entry)
{
	u32 nr = mcfab_request_take(s);
	struct mcfab_request *copy = &s->request[nr];
	bool settled;

	copy->since = e->cycle + e->hw.consume_delay - 1;
	copy->copy.worm = worm;
	copy->copy.entry = entry;
	copy->copy.channel = e->flights.flight[worm].at;
	copy->copy.hops = atomic_read(&e->worm[worm].traffic);
	mcfab_schedule_put(&s->events, MCFAB_DUE_COPY, &copy->next, nr,
			   copy_end(e, copy, &settled));
}

/* a node has a packet's last flit; @chan: by which channel, MCFAB_NONE: the node is the sender */
static __always_inline void deliver(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm,
				    u32 chan, u32 entry, u32 hops, u64 header)
{
	const struct mcfab_worm *w = &e->worm[worm];
	struct mcfab_arrival arrival = {
		.header = header,
		.worm = worm,
		.vc = chan == MCFAB_NONE ? e->hw.nvcs + w->node * e->hw.inject : chan,
		.hops = hops,
		.node = w->dst[entry] & ~MCFAB_DST_RELAY,
		.entry = entry,
	};
	u32 router = e->topo->router[arrival.node];

	/* the policy may have said earlier where the worm ends: check what it said */
	if (unlikely(chan == MCFAB_NONE ? router != e->topo->router[w->node] :
					  mcfab_topo_channel(e->topo, router, 0) !=
					  e->flights.beyond[chan]))
		mcfab_accuse_header(e, s, worm, entry, "it is at another router");
	mcfab_deliver(e, s, &arrival);
}

/* does the sender of a worm wait for the worm's end? */
static bool end_awaited(const struct mcfab_engine *e, const struct mcfab_worm *w)
{
	return e->run.busy == MCFAB_NODE_BUSY_MODE_DELIVERED ||
	       (e->run.rounds == MCFAB_ROUNDS_MODE_DELIVERED && w->next_round != MCFAB_NONE);
}

/**
 * mcfab_flights_copy() - look at the copies that may be complete in this cycle
 * @e: engine with MCFAB_ENG_FLIGHTS
 * @s: the shard
 *
 * Delivers those that are complete.
 *
 * Context: move phase.
 */
void mcfab_flights_copy(struct mcfab_engine *e, struct mcfab_shard *s)
{
	u32 nr, next;

	for (nr = mcfab_schedule_take(&s->events, MCFAB_DUE_COPY, e->cycle); nr != MCFAB_NONE;
	     nr = next) {
		struct mcfab_request *copy = &s->request[nr];
		bool settled;
		u64 end = copy_end(e, copy, &settled);

		next = copy->next;
		mcfab_schedule_taken(&s->events);
		if (end > e->cycle) {
			mcfab_schedule_put(&s->events, MCFAB_DUE_COPY, &copy->next, nr, end);
		} else if (!settled) {
			copy->next = e->worm[copy->copy.worm].copies;
			e->worm[copy->copy.worm].copies = nr;
		} else {
			deliver(e, s, copy->copy.worm, copy->copy.channel, copy->copy.entry,
				copy->copy.hops, copy->since);
			mcfab_request_give(s, nr);
		}
	}
}

/**
 * mcfab_flights_end() - deliver the worms that end in this cycle
 * @e: engine with MCFAB_ENG_FLIGHTS
 * @s: the shard
 *
 * Context: move phase.
 */
void mcfab_flights_end(struct mcfab_engine *e, struct mcfab_shard *s)
{
	u32 nr, next;

	for (nr = mcfab_schedule_take(&s->events, MCFAB_DUE_END, e->cycle); nr != MCFAB_NONE;
	     nr = next) {
		struct mcfab_flight *f = &e->flights.flight[nr];
		struct mcfab_worm *w = &e->worm[nr];
		u32 hops = atomic_read(&w->traffic);

		next = f->end_next;
		mcfab_schedule_taken(&s->events);
		f->flags &= ~MCFAB_FLIGHT_END;
		if (f->end == U64_MAX)
			continue;
		if (f->end > e->cycle) {
			end_at(e, s, nr, f->end);
			continue;
		}
		deliver(e, s, nr, f->at, f->first, hops,
			f->end - e->run.flits + e->hw.consume_delay);
		s->flit_hops += (u64)hops * e->run.flits;
		f->flags &= MCFAB_FLIGHT_OUT;
		s->nflights--;
		if (end_awaited(e, w)) {
			mcfab_worm_over(e, s, nr);
			continue;
		}
		w->next_ended = MCFAB_NONE;
		mcfab_queue_put(&s->over, &e->worm[s->over.tail].next_ended, nr);
	}
}
