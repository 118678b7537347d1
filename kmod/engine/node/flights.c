// SPDX-License-Identifier: GPL-2.0
/*
 * A node and its worms whose headers fly ahead (flight/flight.c). The tail of a worm leaves the
 * source without an event. So the node keeps a list of its worms whose tails have left without its
 * notice, or are still to leave, and looks through the list whenever its send queue goes on.
 */
#include "engine/node/node.h"

/**
 * mcfab_flight_begin() - a worm has an injection channel
 * @e: engine with MCFAB_ENG_FLIGHTS
 * @s: the shard
 * @worm: the worm
 * @channel: number of its injection channel
 * @pw: the worm in its plan
 *
 * Context: grant phase.
 */
void mcfab_flight_begin(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm, u32 channel,
			const struct mcfab_plan_worm *pw)
{
	struct mcfab_flight *f = &e->flights.flight[worm];
	struct mcfab_node *n = &e->node[e->worm[worm].node];
	u64 cycle = e->cycle + e->hw.inject_delay + e->hw.route_delay;

	e->worm[worm].copies = MCFAB_NONE;
	f->gone = cycle + e->run.flits - 1;
	f->end = U64_MAX;
	f->at = MCFAB_NONE;
	f->first = pw->first;
	f->last = pw->first + pw->count;
	f->state = 0;
	f->straight = 0;
	f->channel = channel;
	f->flags = MCFAB_FLIGHT_ON | MCFAB_FLIGHT_OUT;
	f->out = n->out;
	n->out = worm;
	s->worm_high = max(s->worm_high, worm);
	s->nflights++;
	mcfab_flight_land(e, s, worm, cycle);
}

/* do further rounds begin when the tails of the round before have left? */
static bool may_have_rounds(const struct mcfab_engine *e)
{
	return e->run.rounds == MCFAB_ROUNDS_MODE_INJECTED && e->run.max_worms > 1;
}

/* has a node to act at once when the tail of a worm has left? */
static bool tail_awaited(const struct mcfab_engine *e, const struct mcfab_worm *w)
{
	return mcfab_node_waits(e, &e->node[w->node]) ||
	       (e->run.rounds == MCFAB_ROUNDS_MODE_INJECTED && w->next_round != MCFAB_NONE);
}

/**
 * mcfab_node_expect() - it is known in which cycle a worm's tail leaves its source
 * @e: engine with MCFAB_ENG_FLIGHTS
 * @s: shard of the node
 * @worm: the worm
 * @gone: the cycle
 *
 * If the node waits for this, its timer is set to the cycle after @gone.
 *
 * Context: grant phase.
 */
void mcfab_node_expect(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm, u64 gone)
{
	const struct mcfab_worm *w = &e->worm[worm];

	if (tail_awaited(e, w))
		mcfab_timers_hasten(&s->timers, w->node, gone + 1);
}

/**
 * mcfab_node_expects() - will a node do anything without an event?
 * @e: engine with MCFAB_ENG_FLIGHTS
 * @nr: the node
 *
 * Context: boundary.
 * Return: true if it has a start-up, a message or a step to come, or waits for a tail that will
 *	   leave in a known cycle.
 */
bool mcfab_node_expects(const struct mcfab_engine *e, u32 nr)
{
	const struct mcfab_node *n = &e->node[nr];
	u32 worm;

	if (n->state == MCFAB_TASK_STARTUP)
		return true;
	if (n->state == MCFAB_TASK_NONE && (n->stream.gen != U64_MAX || n->relays != MCFAB_NONE))
		return true;
	for (worm = n->out; worm != MCFAB_NO_WORM; worm = e->flights.flight[worm].out)
		if (!(e->flights.flight[worm].gone & MCFAB_OPEN) && tail_awaited(e, &e->worm[worm]))
			return true;
	return false;
}

/**
 * mcfab_flight_forget() - take a worm out of its node's list
 * @e: engine, with MCFAB_ENG_FLIGHTS when the worm began
 * @worm: the worm, with MCFAB_FLIGHT_OUT
 *
 * Context: grant phase or boundary.
 */
void mcfab_flight_forget(struct mcfab_engine *e, u32 worm)
{
	struct mcfab_flight *f = &e->flights.flight[worm];
	u32 *at = &e->node[e->worm[worm].node].out;

	while (*at != worm)
		at = &e->flights.flight[*at].out;
	*at = f->out;
	f->flags &= ~MCFAB_FLIGHT_OUT;
}

/* the node notices that a tail has left */
static void hear(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm)
{
	mcfab_flight_forget(e, worm);
	mcfab_node_left(e, s, worm, e->flights.flight[worm].channel);
}

/* notice which tails have left a node */
static void flights_left(struct mcfab_engine *e, struct mcfab_shard *s, u32 node)
{
	u32 worm, next;

	for (worm = e->node[node].out; worm != MCFAB_NO_WORM; worm = next) {
		next = e->flights.flight[worm].out;
		if (e->flights.flight[worm].gone < e->cycle)
			hear(e, s, worm);
	}
}

/* set the node's timer to the tails for which it waits */
static void flights_expect(struct mcfab_engine *e, struct mcfab_shard *s, u32 node)
{
	u32 worm;

	for (worm = e->node[node].out; worm != MCFAB_NO_WORM; worm = e->flights.flight[worm].out)
		if (!(e->flights.flight[worm].gone & MCFAB_OPEN))
			mcfab_node_expect(e, s, worm, e->flights.flight[worm].gone);
}

/**
 * mcfab_flight_over() - a worm has ended: its node notices that its tail has left
 * @e: engine, with MCFAB_ENG_FLIGHTS when the worm began
 * @s: the shard
 * @worm: the worm
 *
 * Context: grant phase.
 */
void mcfab_flight_over(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm)
{
	if (e->flights.flight[worm].flags & MCFAB_FLIGHT_OUT)
		hear(e, s, worm);
}

/**
 * mcfab_flights_step() - let a node's send queue go on, where headers fly ahead
 * @e: engine with MCFAB_ENG_FLIGHTS
 * @s: the shard
 * @nr: the node
 *
 * Context: grant phase.
 */
void mcfab_flights_step(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	const struct mcfab_node *n = &e->node[nr];
	bool out = n->out != MCFAB_NO_WORM;

	if (unlikely(out))
		flights_left(e, s, nr);
	mcfab_node_step(e, s, nr);
	/* the step may have begun a round, injected it, and gone on to another message */
	if (out || mcfab_node_waits(e, n) || may_have_rounds(e))
		flights_expect(e, s, nr);
}
