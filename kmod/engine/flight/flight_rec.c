// SPDX-License-Identifier: GPL-2.0
/*
 * Make records and requests for worms whose headers fly ahead (flight.c), as of the end of a
 * cycle: for a look at the whole network, or for good when the run leaves the mode.
 */
#include "engine/flight/flight.h"
#include "engine/node/node.h"
#include "engine/router/router.h"
#include "engine/state/rec.h"
#include "engine/tail/tails.h"

static bool is_on(const struct mcfab_engine *e, u32 worm)
{
	return e->flights.flight[worm].flags & MCFAB_FLIGHT_ON;
}

/* the channel before another on a worm's way, if the worm still has it, or MCFAB_NONE */
static u32 held_before(const struct mcfab_engine *e, u32 worm, u32 chan)
{
	u32 prev = e->flights.track[chan].prev;

	if (prev == MCFAB_NONE || e->flights.track[prev].until <= e->cycle ||
	    !mcfab_flight_has(e, worm, prev, chan))
		return MCFAB_NONE;
	return prev;
}

/* cycle in which the tail crosses a channel; 0: it has, and another worm has the channel before */
static u64 tail_crosses(const struct mcfab_engine *e, u32 worm, u32 chan)
{
	u32 prev = e->flights.track[chan].prev;

	if (prev == MCFAB_NONE)
		return e->flights.flight[worm].gone;
	return mcfab_flight_has(e, worm, prev, chan) ? e->flights.track[prev].until : 0;
}

static u32 new_rec(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm, u32 vc)
{
	const struct mcfab_flight *f = &e->flights.flight[worm];
	u32 nr = mcfab_rec_take(e, s, 0);
	struct mcfab_rec *r = &e->rec[nr];

	r->worm = worm;
	r->newer = MCFAB_NONE;
	r->parent = MCFAB_NO_REC;
	r->waiting = 0;
	r->vc = vc;
	e->head[nr].first = f->first;
	e->head[nr].last = f->last;
	e->head[nr].state = f->state;
	e->head[nr].hops = 0;
	r->straight = 0;
	e->head[nr].granted = 0;
	e->head[nr].due = U64_MAX;
	return nr;
}

/* make a worm's records, from its header to its tail */
static void show_worm(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm)
{
	const struct mcfab_flight *f = &e->flights.flight[worm];
	struct mcfab_worm *w = &e->worm[worm];
	u32 hops = atomic_read(&w->traffic), newest = MCFAB_NONE, after = MCFAB_NONE, chan, nr;

	w->crossed = f->flags & MCFAB_FLIGHT_OPEN ? hops - min(hops, w->span) : hops;
	for (chan = f->at; chan != MCFAB_NONE; chan = held_before(e, worm, chan)) {
		nr = new_rec(e, s, worm, chan);
		e->owner[chan] = nr;
		e->head[nr].hops = hops--;
		e->rec[nr].newer = after;
		if (after != MCFAB_NONE)
			e->rec[after].parent = nr;
		else
			newest = nr;
		e->head[nr].granted = e->flights.track[chan].granted;
		e->head[nr].crossed = e->flights.track[chan].granted;
		e->head[nr].due = tail_crosses(e, worm, chan) & ~MCFAB_OPEN;
		after = nr;
	}
	w->source_rec = MCFAB_NONE;
	if (f->gone >= e->cycle) {
		nr = new_rec(e, s, worm, e->hw.nvcs + w->node * e->hw.inject + f->channel);
		e->rec[nr].flags = MCFAB_REC_INJECT;
		e->rec[nr].sent = w->flits;
		e->rec[nr].newer = after;
		if (after != MCFAB_NONE)
			e->rec[after].parent = nr;
		else
			newest = nr;
		w->source_rec = nr;
	}
	if (f->end == U64_MAX) {
		e->rec[newest].waiting = 1;
		return;
	}
	e->rec[newest].flags |= MCFAB_REC_ABSORB;
	e->head[newest].entry = f->first;
	e->head[newest].drop = 0;
	e->head[newest].delivered = f->end - e->run.flits + e->hw.consume_delay;
}

/* the record from which a node copies */
static u32 copied_rec(const struct mcfab_engine *e, const struct mcfab_request *copy)
{
	return copy->copy.channel == MCFAB_NONE ? e->worm[copy->copy.worm].source_rec :
						  e->owner[copy->copy.channel];
}

static void show_copy(struct mcfab_engine *e, const struct mcfab_request *copy)
{
	u32 nr = copied_rec(e, copy);

	e->rec[nr].flags |= MCFAB_REC_ABSORB;
	e->head[nr].entry = copy->copy.entry;
	e->head[nr].drop = 0;
	e->head[nr].delivered = copy->since;
}

/* the record in which a worm's header is */
static u32 header_rec(const struct mcfab_engine *e, u32 worm)
{
	u32 at = e->flights.flight[worm].at;

	return at == MCFAB_NONE ? e->worm[worm].source_rec : e->owner[at];
}

/* make the request of a header that waits; a router has its requests by age, then by input */
static void show_request(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm)
{
	const struct mcfab_flight *f = &e->flights.flight[worm];
	u32 router = mcfab_flight_router(e, worm, f->at), nr = mcfab_request_take(s);
	u32 *at = &e->router[router].oldest, rec = header_rec(e, worm);
	u32 rank = mcfab_header_rank(e, rec);
	struct mcfab_request *req = &s->request[nr];

	while (*at != MCFAB_NONE && (s->request[*at].since < f->due ||
				     (s->request[*at].since == f->due &&
				      s->request[*at].rank < rank)))
		at = &s->request[*at].next;
	*req = (struct mcfab_request) {
		.since = f->due,
		.next = *at,
		.rec = rec,
		.node = MCFAB_NONE,
		.first = f->first,
		.last = f->last,
		.state = f->state,
		.rank = rank,
	};
	if (f->flags & MCFAB_FLIGHT_DOOR) {
		req->node = e->worm[worm].dst[f->first] & ~MCFAB_DST_RELAY;
	} else {
		req->nports = 1;
		req->port[0] = f->port;
		req->vcs[0] = 1;
	}
	*at = nr;
}

/**
 * mcfab_flights_show() - make the records and requests that mode path-tail would have
 * @e: engine with MCFAB_ENG_FLIGHTS
 *
 * The caller calls mcfab_flights_hide() before the next cycle.
 *
 * Context: boundary.
 */
void mcfab_flights_show(struct mcfab_engine *e)
{
	struct mcfab_shard *s = e->shard;
	u32 i, nr;

	mcfab_flights_land(e, s);
	for (i = MCFAB_NO_WORM + 1; i <= s->worm_high; i++) {
		mcfab_breathe_path(i);
		if (!is_on(e, i))
			continue;
		show_worm(e, s, i);
		for (nr = e->worm[i].copies; nr != MCFAB_NONE; nr = s->request[nr].next)
			show_copy(e, &s->request[nr]);
	}
	for (i = 0; i < s->events.size; i++)
		for (nr = s->events.due[i].first[MCFAB_DUE_COPY]; nr != MCFAB_NONE;
		     nr = s->request[nr].next)
			show_copy(e, &s->request[nr]);
	for (i = MCFAB_NO_WORM + 1; i <= s->worm_high; i++) {
		mcfab_breathe_path(i);
		if (is_on(e, i) && e->flights.flight[i].flags & MCFAB_FLIGHT_WAITS)
			show_request(e, s, i);
	}
}

/**
 * mcfab_flights_hide() - give back the records and requests that mcfab_flights_show() made
 * @e: engine with MCFAB_ENG_FLIGHTS, mcfab_flights_show() was called
 *
 * Context: boundary.
 */
void mcfab_flights_hide(struct mcfab_engine *e)
{
	struct mcfab_shard *s = e->shard;
	u32 i, end, nr, next;

	for (nr = s->first_rec; nr < s->new_rec; nr++) {
		mcfab_breathe(nr);
		if (!mcfab_rec_is_inject(e, nr))
			e->owner[e->rec[nr].vc] = MCFAB_NO_REC;
		mcfab_rec_clear(&e->rec[nr], 0);
	}
	s->new_rec = s->first_rec;
	for (i = 0; i < e->topo->routers; )
		for (end = mcfab_breath_end(i, e->topo->routers); i < end; i++) {
			for (nr = e->router[i].oldest; nr != MCFAB_NONE; nr = next) {
				next = s->request[nr].next;
				mcfab_request_give(s, nr);
			}
			e->router[i].oldest = MCFAB_NONE;
		}
}

/**
 * mcfab_flights_released() - channels that worms under way have had and given back
 * @e: engine with MCFAB_ENG_FLIGHTS
 *
 * Context: boundary.
 * Return: their number.
 */
u64 mcfab_flights_released(const struct mcfab_engine *e)
{
	u64 released = 0;
	u32 i, chan;

	for (i = MCFAB_NO_WORM + 1; i <= e->shard->worm_high; i++) {
		mcfab_breathe_path(i);
		if (!is_on(e, i))
			continue;
		released += atomic_read(&e->worm[i].traffic);
		for (chan = e->flights.flight[i].at; chan != MCFAB_NONE;
		     chan = held_before(e, i, chan))
			released--;
	}
	return released;
}

/**
 * mcfab_flights_stalled() - has a header waited for long?
 * @e: engine with MCFAB_ENG_FLIGHTS
 * @newest: for long is since before this cycle
 *
 * Context: boundary.
 * Return: true if a header has.
 */
bool mcfab_flights_stalled(const struct mcfab_engine *e, u64 newest)
{
	u32 i;

	for (i = MCFAB_NO_WORM + 1; i <= e->shard->worm_high; i++)
		if (is_on(e, i) && e->flights.flight[i].flags & MCFAB_FLIGHT_WAITS &&
		    e->flights.flight[i].due < newest)
			return true;
	return false;
}

/**
 * mcfab_flights_stuck() - will no header and no node ever do anything?
 * @e: engine with MCFAB_ENG_FLIGHTS
 *
 * A worm that waits may have left entries in the schedule, and in its node's timers: for the
 * cycles in which things would have happened if the worm had not had to wait. These do not count.
 *
 * Context: boundary.
 * Return: true if none will.
 */
bool mcfab_flights_stuck(const struct mcfab_engine *e)
{
	const struct mcfab_shard *s = e->shard;
	u32 i, nr;

	if (mcfab_flights_posted(s) || s->relays.head != MCFAB_NONE ||
	    s->ended.head != MCFAB_NONE || s->over.head != MCFAB_NONE)
		return false;
	for (i = MCFAB_NO_WORM + 1; i <= s->worm_high; i++)
		if (is_on(e, i) && !(e->flights.flight[i].flags & MCFAB_FLIGHT_WAITS))
			return false;
	for (i = 0; i < s->events.size; i++) {
		const struct mcfab_due *due = &s->events.due[i];

		for (nr = due->first[MCFAB_DUE_WAKE]; nr != MCFAB_NONE;
		     nr = e->flights.track[nr].wake)
			if (!(e->flights.track[nr].until & MCFAB_OPEN))
				return false;
		for (nr = due->first[MCFAB_DUE_COPY]; nr != MCFAB_NONE; nr = s->request[nr].next)
			if (mcfab_flight_copy_known(e, &s->request[nr]))
				return false;
	}
	for (i = 0; i < e->topo->nodes; i++)
		if (mcfab_node_expects(e, i))
			return false;
	return true;
}

/* a copy goes over to the record from which the node copies */
static void hand_over_copy(struct mcfab_engine *e, struct mcfab_shard *s, u32 req)
{
	u32 nr = copied_rec(e, &s->request[req]);

	if (e->head[nr].hops <= e->worm[e->rec[nr].worm].crossed)
		mcfab_tails_await_copy(e, s, nr);
	else
		e->rec[nr].flags |= MCFAB_REC_COPYING;
	mcfab_request_give(s, req);
}

/* settled crossings of a worm's tail go over to the wheel of tails */
static void hand_over_tails(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm)
{
	struct mcfab_worm *w = &e->worm[worm];
	u32 nr, from;

	for (nr = header_rec(e, worm); !mcfab_rec_is_inject(e, nr); nr = from) {
		from = e->rec[nr].parent;
		if (from == MCFAB_NO_REC)
			return;
		if (e->head[nr].hops > w->crossed)
			continue;
		if (e->head[nr].due > e->cycle)
			mcfab_wheel_put(&s->tails, &e->rec[from].next_leaving, from,
					e->head[nr].due);
		else
			mcfab_outbox_post(&s->outbox[s->nr], MCFAB_EVENT_INJECTED, from);
	}
}

/* a header whose request is in a later cycle goes over to a queue, or to an event */
static void hand_over_header(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm)
{
	const struct mcfab_flight *f = &e->flights.flight[worm];
	u32 nr = header_rec(e, worm);
	struct mcfab_queue *q = f->at == MCFAB_NONE ? &s->injecting : &s->routing;
	u32 *at = &q->head;

	if (f->at != MCFAB_NONE && e->flights.track[f->at].granted == e->cycle) {
		mcfab_outbox_post(&s->outbox[s->nr], MCFAB_EVENT_HEADER, nr);
		return;
	}
	e->head[nr].ready = f->due;
	while (*at != MCFAB_NONE && e->head[*at].ready <= f->due)
		at = &e->head[*at].next_header;
	e->head[nr].next_header = *at;
	if (*at == MCFAB_NONE)
		q->tail = nr;
	*at = nr;
}

/*
 * Worms that are over go to the queue of worms that ended, ordered by their ends;
 * mcfab_flight_over() is still to be called for them.
 */
static void hand_over_ends(struct mcfab_engine *e, struct mcfab_shard *s)
{
	u32 nr, *at;

	while ((nr = s->over.head) != MCFAB_NONE) {
		s->over.head = e->worm[nr].next_ended;
		at = &s->ended.head;
		while (*at != MCFAB_NONE && e->worm[*at].end <= e->worm[nr].end)
			at = &e->worm[*at].next_ended;
		e->worm[nr].next_ended = *at;
		if (*at == MCFAB_NONE)
			s->ended.tail = nr;
		*at = nr;
	}
}

/* a header waits: if its channel has become free by this cycle, its router has to be scanned */
static void hand_over_wait(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm)
{
	const struct mcfab_flight *f = &e->flights.flight[worm];
	u32 router = mcfab_flight_router(e, worm, f->at);

	if (e->flights.track[mcfab_topo_channel(e->topo, router, f->port)].until <= e->cycle)
		mcfab_router_mark(e, s, router);
}

/* the first channel whose crossing by the tail is not settled, or MCFAB_NONE */
static u32 first_open(const struct mcfab_engine *e, u32 worm)
{
	u32 chan = e->flights.flight[worm].at, i = atomic_read(&e->worm[worm].traffic);

	if (i <= e->worm[worm].crossed)
		return MCFAB_NONE;
	while (--i > e->worm[worm].crossed)
		chan = e->flights.track[chan].prev;
	return chan;
}

static void hand_over_worm(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm)
{
	const struct mcfab_flight *f = &e->flights.flight[worm];
	struct mcfab_worm *w = &e->worm[worm];
	u32 nr = header_rec(e, worm), open = first_open(e, worm);

	hand_over_tails(e, s, worm);
	w->unsettled = open == MCFAB_NONE ? MCFAB_NONE : e->owner[open];
	if (f->end == U64_MAX) {
		if (f->flags & MCFAB_FLIGHT_DUE)
			hand_over_header(e, s, worm);
		else if (!(f->flags & MCFAB_FLIGHT_DOOR))
			hand_over_wait(e, s, worm);
		return;
	}
	/* path-tail counts the time of the last channel when the packet is consumed: take it off */
	if (f->at != MCFAB_NONE)
		mcfab_worm_hold(w, e->head[nr].granted - f->end - 1);
	mcfab_tails_await_copy(e, s, nr);
}

/**
 * mcfab_flights_leave() - go on with records and requests: no header flies ahead any more
 * @e: engine with MCFAB_ENG_FLIGHTS
 *
 * Context: boundary.
 */
void mcfab_flights_leave(struct mcfab_engine *e)
{
	struct mcfab_shard *s = e->shard;
	u32 i, nr, next;

	s->flit_hops += mcfab_flights_released(e) * e->run.flits;
	mcfab_flights_show(e);
	for (i = 0; i < s->events.size; i++) {
		for (nr = s->events.due[i].first[MCFAB_DUE_COPY]; nr != MCFAB_NONE; nr = next) {
			next = s->request[nr].next;
			hand_over_copy(e, s, nr);
		}
	}
	for (i = MCFAB_NO_WORM + 1; i <= s->worm_high; i++) {
		mcfab_breathe_path(i);
		if (!is_on(e, i))
			continue;
		for (nr = e->worm[i].copies; nr != MCFAB_NONE; nr = next) {
			next = s->request[nr].next;
			hand_over_copy(e, s, nr);
		}
		hand_over_worm(e, s, i);
		if (e->flights.flight[i].gone < e->cycle)
			mcfab_flight_over(e, s, i);
		else
			mcfab_flight_forget(e, i);
		e->flights.flight[i].flags = 0;
	}
	hand_over_ends(e, s);
	s->nflights = 0;
	s->nopen = 0;
	/* queues and wheels have what the schedule had: look at them in the next cycle */
	if (!mcfab_schedule_empty(&s->events) || s->ended.head != MCFAB_NONE)
		s->next_event = e->cycle + 1;
}
