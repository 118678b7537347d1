// SPDX-License-Identifier: GPL-2.0
/*
 * Mode flight: headers that fly ahead. Worms are paths, moved by heads and tails as in tails.c, by
 * one thread, and without a record for each channel of a path.
 *
 * A header that requests a channel in this cycle takes at once all channels ahead of it that are
 * free now. It takes each channel for the cycle in which it will come there, one in every 1 +
 * route-delay cycles. If another header requests such a channel earlier, or then by a lower input
 * of the router, the other header gets it, and the first header's flight is cut there. A header
 * also lands before a channel that is not free now. In both cases it makes its request when it
 * comes. So all grants up to this cycle are the same as if the engine looked at each header in each
 * cycle.
 *
 * A header that goes on as soon as it requests is on schedule. Documentation/modes.md says why the
 * engine then knows when the tail crosses each channel, and which crossings stay open when a header
 * waits (mcfab_flight_open()). Only a channel for which worms wait has an entry in the schedule.
 */
#include "engine/flight/flight.h"
#include "engine/node/node.h"
#include "engine/tail/tails.h"
#include "plan/decision.h"
#include "trace/trace.h"

/* take a header off the list of requests of cycle @due */
static void take_off(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm)
{
	struct mcfab_flight *f = &e->flights.flight[worm];
	u32 *at = &mcfab_schedule_due(&s->events, f->due)->first[MCFAB_DUE_REQUEST];

	while (*at != worm)
		at = &e->flights.flight[*at].next;
	*at = f->next;
	mcfab_schedule_taken(&s->events);
	f->flags &= ~MCFAB_FLIGHT_DUE;
}

/**
 * enum next - what a header does at a router
 * @GO: it goes on by its port
 * @STOP: it is at the end of its way
 * @LOOK: it cannot fly on: ask the policy again in the cycle in which the header is there
 */
enum next { GO, STOP, LOOK };

/* the decision is not a single port: the header is at its end, a node copies, or it is wrong */
static noinline enum next look_closer(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm,
				      const struct mcfab_header *hdr, bool now)
{
	const struct mcfab_flight *f = &e->flights.flight[worm];
	const struct mcfab_worm *w = &e->worm[worm];
	const struct mcfab_decision *out = s->decision;
	const struct mcfab_branch *b = out->branch, *end;
	struct mcfab_blame blame;

	if (!out->nbranches) {
		mcfab_accuse_no_way(e, s, worm, f->first);
		return LOOK;
	}
	if (unlikely(mcfab_decision_check_copies(e->pol, hdr, out, false, &blame))) {
		blame.worm = w->index;
		mcfab_accuse(e, s, &e->mcast[w->mcast], &blame);
		return LOOK;
	}
	end = &b[out->nbranches - 1];
	/* a scarce consumption channel is given when all headers that want it have come */
	if (out->nbranches == 1 && b->node != MCFAB_NONE)
		return now || !(e->flags & MCFAB_ENG_SCARCE) ? STOP : LOOK;
	if (!now && (out->nbranches != 1 || b->first != f->first || b->state != f->state))
		return LOOK;
	if (out->nbranches > 2 || end->node != MCFAB_NONE || end->nports != 1 ||
	    (b != end && b->node == MCFAB_NONE)) {
		mcfab_accuse_header(e, s, worm, f->first, "an oblivious policy has one way to it");
		return LOOK;
	}
	if (end->port[0] >= e->hw.ports || !(end->vcs[0] & BIT(0))) {
		mcfab_accuse_header(e, s, worm, f->first,
				    mcfab_branch_wrong(end->port[0] < e->hw.ports));
		return LOOK;
	}
	if (b != end)
		mcfab_flight_absorb(e, s, worm, b->first);
	return GO;
}

/* ask the policy; @now: the header is at the router in this cycle, so a copy may begin */
static noinline enum next decide(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm,
				 u32 router, bool now)
{
	struct mcfab_flight *f = &e->flights.flight[worm];
	const struct mcfab_worm *w = &e->worm[worm];
	struct mcfab_decision *out = s->decision;
	const struct mcfab_branch *b = out->branch;
	struct mcfab_header hdr = {
		.router = router,
		.in_port = f->at == MCFAB_NONE ? MCFAB_PORT_ANY :
						 mcfab_chan_port(e, e->topo->peer[f->at]),
		.sender = w->node,
		.first_port = w->port,
		.arg = w->arg,
		.serial = w->serial,
		.state = f->state,
		.dst = w->dst,
		.first = f->first, .last = f->last,
	};

	out->nbranches = 0;
	out->straight = 0;
	out->ends = false;
	e->pol->ops->route(&e->pol->view, e->pol->priv, &hdr, out);
	mcfab_breathe_asked(s);
	if (unlikely(!mcfab_decision_is_plain(&hdr, out) || b->nports != 1 ||
		     b->port[0] >= e->hw.ports || !(b->vcs[0] & BIT(0)))) {
		enum next next = look_closer(e, s, worm, &hdr, now);

		if (next != GO)
			return next;
		b += out->nbranches - 1;
	} else if (!now && b->state != f->state) {
		return LOOK;
	}
	f->first = b->first;
	f->last = b->last;
	f->state = b->state;
	f->port = b->port[0];
	f->straight = min_t(u32, out->straight, U8_MAX - 1) + 1;
	if (out->ends && f->straight == out->straight + 1)
		f->flags |= MCFAB_FLIGHT_LAST;
	return GO;
}

/* a worm gets @hops more channels, each in the cycle in which its header comes to it */
static void count(const struct mcfab_engine *e, struct mcfab_worm *w, int hops)
{
	atomic_set(&w->traffic, atomic_read(&w->traffic) + hops);
	mcfab_worm_hold(w, (s64)hops * (mcfab_flight_pace(e) + e->run.flits));
}

/*
 * Take free channels from @chan on by the port of the last decision, for as many routers as it
 * holds. Return: the number of channels. A run spends most of its time here.
 */
static __always_inline u32 run_on(struct mcfab_engine *e, struct mcfab_flight *f, u32 worm,
				  u32 chan, u64 cycle)
{
	struct mcfab_track *const track = e->flights.track;
	const u32 *const beyond = e->flights.beyond;
	struct mcfab_use *const use = e->use;
	const u32 flits = e->run.flits, port = f->port, step = mcfab_flight_pace(e);
	const u64 now = e->cycle;
	u32 left = f->straight, at = f->at, hops;

	for (; left; left--, chan = beyond[at] + port) {
		struct mcfab_track *t = &track[chan];

		if (t->until >= now)
			break;
		t->granted = cycle;
		cycle += step;
		t->until = cycle + flits - 1;
		t->worm = worm;
		t->prev = at;
		use[chan].flits += flits;
		at = chan;
	}
	hops = f->straight - left;
	f->straight = left;
	f->at = at;
	return hops;
}

/*
 * Take free channels from @chan on, which the header requests in @cycle (if @straight is 0, the
 * policy is asked first), up to the header's end, or land before a channel that is not free.
 */
static void fly(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm, u32 chan, u64 cycle)
{
	struct mcfab_flight *f = &e->flights.flight[worm];
	u32 flown = 0, hops;

	for (;;) {
		hops = run_on(e, f, worm, chan, cycle);
		flown += hops;
		cycle += hops * mcfab_flight_pace(e);
		if (f->straight || (e->flags & MCFAB_ENG_SCARCE && f->flags & MCFAB_FLIGHT_LAST)) {
			mcfab_flight_land(e, s, worm, cycle);
			break;
		}
		if (!(f->flags & MCFAB_FLIGHT_LAST)) {
			enum next next = decide(e, s, worm, mcfab_flight_router(e, worm, f->at),
						false);

			if (next == GO) {
				chan = e->flights.beyond[f->at] + f->port;
				continue;
			}
			if (next == LOOK) {
				mcfab_flight_land(e, s, worm, cycle);
				break;
			}
		}
		mcfab_flight_arrive(e, s, worm, cycle);
		break;
	}
	count(e, &e->worm[worm], flown);
}

/* take back a worm's channels from @chan on, and its end; MCFAB_NONE: just its end */
static void cut(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm, u32 chan)
{
	struct mcfab_flight *f = &e->flights.flight[worm];
	int hops = 0;
	u32 prev;

	if (f->flags & MCFAB_FLIGHT_DUE)
		take_off(e, s, worm);
	for (; chan != MCFAB_NONE; f->at = prev) {
		struct mcfab_track *t = &e->flights.track[f->at];

		prev = t->prev;
		/* the channel was free when the flight took it */
		t->until = 0;
		t->worm = MCFAB_NO_WORM;
		e->use[f->at].flits -= e->run.flits;
		hops++;
		if (f->at == chan)
			chan = MCFAB_NONE;
	}
	f->straight = 0;
	f->flags &= ~MCFAB_FLIGHT_LAST;
	f->end = U64_MAX;
	count(e, &e->worm[worm], -hops);
}

/* join the list of waiting headers, ordered by (cycle of the request, input of the router) */
static void line_up(struct mcfab_engine *e, u32 worm, u32 *at)
{
	struct mcfab_flight *f = &e->flights.flight[worm];
	u32 rank = mcfab_flight_rank(e, worm, f->at);

	for (; *at != MCFAB_NO_WORM; at = &e->flights.flight[*at].next) {
		const struct mcfab_flight *other = &e->flights.flight[*at];

		if (other->due >= e->cycle && mcfab_flight_rank(e, *at, other->at) >= rank)
			break;
	}
	f->next = *at;
	*at = worm;
	f->due = e->cycle;
	f->flags |= MCFAB_FLIGHT_WAITS;
	mcfab_flight_open(e, worm);
}

static void wait(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm, u32 chan)
{
	struct mcfab_track *t = &e->flights.track[chan];

	line_up(e, worm, &t->waits);
	if (!(t->until & MCFAB_OPEN))
		mcfab_flight_wake_at(e, s, chan, t->until + 1);
}

/*
 * A header requests a channel that is not free. Return: the worm that has to wait: this one, or
 * the one that had taken it for this cycle; MCFAB_NO_WORM: none, it was taken for a later cycle.
 */
static u32 contest(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm, u32 chan)
{
	struct mcfab_track *t = &e->flights.track[chan];
	u32 other = t->worm & ~MCFAB_WAITED;
	u64 granted = t->granted;

	if (granted < e->cycle)
		return worm;
	if (granted > e->cycle) {
		cut(e, s, other, chan);
		mcfab_flight_land(e, s, other, granted);
		return MCFAB_NO_WORM;
	}
	if (t->worm & MCFAB_WAITED || mcfab_flight_rank(e, other, t->prev) <
				      mcfab_flight_rank(e, worm, e->flights.flight[worm].at))
		return worm;
	cut(e, s, other, chan);
	e->flights.flight[other].port = chan - mcfab_chan_from(e, chan) * e->hw.ports;
	e->flights.flight[other].straight = 1;
	return other;
}

/* a header is at the end of its way */
static void stop(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm)
{
	struct mcfab_flight *f = &e->flights.flight[worm];
	u32 node;

	if (!(e->flags & MCFAB_ENG_SCARCE)) {
		mcfab_flight_arrive(e, s, worm, e->cycle);
		return;
	}
	node = e->worm[worm].dst[f->first] & ~MCFAB_DST_RELAY;
	line_up(e, worm, &e->flights.door[node].waits);
	f->flags |= MCFAB_FLIGHT_DOOR;
	mcfab_flight_mark(e, s, node);
}

/* a header makes its request at a router in this cycle */
static void ask(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm)
{
	struct mcfab_flight *f = &e->flights.flight[worm];
	u32 router = mcfab_flight_router(e, worm, f->at), chan, other;

	if (unlikely(f->flags & MCFAB_FLIGHT_OPEN))
		mcfab_flight_settle(e, s, worm);
	if (!f->straight) {
		enum next next = decide(e, s, worm, router, true);

		if (next == STOP)
			stop(e, s, worm);
		if (next != GO)
			return;
	}
	chan = mcfab_topo_channel(e->topo, router, f->port);
	other = e->flights.track[chan].until < e->cycle ? MCFAB_NO_WORM : contest(e, s, worm, chan);
	if (other != worm)
		fly(e, s, worm, chan, e->cycle);
	else if (e->flights.beyond[chan] == MCFAB_NONE)
		/* "straight on" leads to no channel: no grant, the run ends with this cycle */
		mcfab_accuse_header(e, s, worm, f->first, mcfab_branch_wrong(false));
	if (other != MCFAB_NO_WORM)
		wait(e, s, other, chan);
}

/* if a channel is free, the first worm that waits gets it. Return: the worm, or MCFAB_NO_WORM */
static u32 wake(struct mcfab_engine *e, struct mcfab_shard *s, u32 chan)
{
	struct mcfab_track *t = &e->flights.track[chan];
	u32 worm = t->waits;
	struct mcfab_flight *f = &e->flights.flight[worm];

	if (t->until & MCFAB_OPEN || worm == MCFAB_NO_WORM)
		return MCFAB_NO_WORM;
	if (t->until >= e->cycle) {
		mcfab_flight_wake_at(e, s, chan, t->until + 1);
		return MCFAB_NO_WORM;
	}
	t->waits = f->next;
	f->flags &= ~MCFAB_FLIGHT_WAITS;
	mcfab_flight_settle(e, s, worm);
	t->granted = e->cycle;
	t->until = e->cycle + mcfab_flight_pace(e) + e->run.flits - 1;
	t->worm = worm | MCFAB_WAITED;
	t->prev = f->at;
	f->at = chan;
	f->straight--;
	count(e, &e->worm[worm], 1);
	e->use[chan].flits += e->run.flits;
	e->use[chan].wait += e->cycle - f->due;
	if (t->waits != MCFAB_NO_WORM)
		mcfab_flight_wake_at(e, s, chan, t->until + 1);
	return worm;
}

/**
 * mcfab_flights_free() - give channels that have become free to the headers that wait for them
 * @e: engine with MCFAB_ENG_FLIGHTS
 * @s: the shard
 *
 * Context: grant phase, before any header makes its request.
 */
void mcfab_flights_free(struct mcfab_engine *e, struct mcfab_shard *s)
{
	u32 nr, next, worm, woken = MCFAB_NO_WORM, done = 0;

	for (nr = mcfab_schedule_take(&s->events, MCFAB_DUE_WAKE, e->cycle); nr != MCFAB_NONE;
	     nr = next) {
		next = e->flights.track[nr].wake;
		mcfab_schedule_taken(&s->events);
		e->flights.track[nr].wake = MCFAB_NOT_QUEUED;
		worm = wake(e, s, nr);
		if (worm == MCFAB_NO_WORM)
			continue;
		e->flights.flight[worm].next = woken;
		woken = worm;
	}
	/* they fly when all have their channels: none flies over a channel that another one gets */
	for (; woken != MCFAB_NO_WORM; woken = next) {
		struct mcfab_flight *f = &e->flights.flight[woken];

		next = f->next;
		mcfab_breathe(++done);
		fly(e, s, woken, e->flights.beyond[f->at] + f->port,
		    e->cycle + mcfab_flight_pace(e));
	}
}

/**
 * mcfab_flights_request() - all headers that are due in this cycle make their requests
 * @e: engine with MCFAB_ENG_FLIGHTS
 * @s: the shard
 *
 * The order of the requests does not matter: see contest().
 *
 * Context: grant phase.
 */
void mcfab_flights_request(struct mcfab_engine *e, struct mcfab_shard *s)
{
	u32 *first = &mcfab_schedule_due(&s->events, e->cycle)->first[MCFAB_DUE_REQUEST];
	u32 *at = first, nr, later = 0;

	while ((nr = *at) != MCFAB_NONE) {
		/* due a lap of the schedule later */
		if (unlikely(e->flights.flight[nr].due != e->cycle)) {
			mcfab_breathe(++later);
			at = &e->flights.flight[nr].next;
			continue;
		}
		*at = e->flights.flight[nr].next;
		mcfab_schedule_taken(&s->events);
		e->flights.flight[nr].flags &= ~MCFAB_FLIGHT_DUE;
		ask(e, s, nr);
		/* the list may have changed: flights were cut, and headers have landed */
		at = first;
	}
	if (unlikely(*first != MCFAB_NONE))
		mcfab_schedule_leave(&s->events, e->cycle);
}

/**
 * mcfab_flight_mark() - give consumption channels of a node to waiting headers in this cycle
 * @e: engine with MCFAB_ENG_FLIGHTS and MCFAB_ENG_SCARCE
 * @s: the shard
 * @node: the node
 *
 * Context: grant phase.
 */
void mcfab_flight_mark(struct mcfab_engine *e, struct mcfab_shard *s, u32 node)
{
	if (e->flights.door[node].marked)
		return;
	e->flights.door[node].marked = true;
	s->marked[s->nmarked++] = node;
}

/**
 * mcfab_flights_consume() - give consumption channels to the headers that wait for them
 * @e: engine with MCFAB_ENG_FLIGHTS
 * @s: the shard
 *
 * Context: grant phase, when all headers have asked.
 */
void mcfab_flights_consume(struct mcfab_engine *e, struct mcfab_shard *s)
{
	while (s->nmarked) {
		u32 node = s->marked[--s->nmarked], worm;
		struct mcfab_door *door = &e->flights.door[node];

		door->marked = false;
		while ((worm = door->waits) != MCFAB_NO_WORM && e->node[node].consume) {
			struct mcfab_flight *f = &e->flights.flight[worm];

			e->node[node].consume--;
			door->waits = f->next;
			f->flags &= ~(MCFAB_FLIGHT_WAITS | MCFAB_FLIGHT_DOOR);
			mcfab_flight_settle(e, s, worm);
			mcfab_flight_arrive(e, s, worm, e->cycle);
		}
	}
}

/**
 * mcfab_flights_land() - cut all flights at this cycle, and leave open what is not settled by it
 * @e: engine with MCFAB_ENG_FLIGHTS
 * @s: the shard
 *
 * Context: boundary.
 */
void mcfab_flights_land(struct mcfab_engine *e, struct mcfab_shard *s)
{
	u32 i, k;

	for (i = MCFAB_NO_WORM + 1; i <= s->worm_high; i++) {
		struct mcfab_flight *f = &e->flights.flight[i];
		u64 cycle = f->end - e->run.flits + 1;
		u32 chan = MCFAB_NONE;

		mcfab_breathe_path(i);
		if (!(f->flags & MCFAB_FLIGHT_ON))
			continue;
		for (k = f->at; k != MCFAB_NONE && e->flights.track[k].granted > e->cycle;
		     k = e->flights.track[k].prev) {
			chan = k;
			cycle = e->flights.track[k].granted;
		}
		if (chan != MCFAB_NONE || (f->end != U64_MAX && cycle > e->cycle)) {
			cut(e, s, i, chan);
			mcfab_flight_land(e, s, i, cycle);
			s->next_event = min(s->next_event, cycle);
		}
		if (f->end == U64_MAX)
			mcfab_flight_open(e, i);
	}
}
