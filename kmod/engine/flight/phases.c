// SPDX-License-Identifier: GPL-2.0
/* Mode flight: whether it is exact, and the phases of a cycle. One shard, one thread. */
#include "engine/flight/flight.h"
#include "engine/node/node.h"
#include "engine/state/flits.h"
#include "engine/tail/tails.h"
#include "trace/trace.h"

/**
 * mcfab_flights_exact() - may headers fly ahead?
 * @e: engine; flags and shards are set
 * @why: set to what stands against it
 *
 * Context: any.
 * Return: true if this mode knows all rules of the run.
 */
bool mcfab_flights_exact(const struct mcfab_engine *e, const char **why)
{
	if (!mcfab_path_tails_exact(e, why))
		return false;
	if (!mcfab_alone(e))
		*why = "several threads";
	else if (e->run.tables)
		*why = "a policy that follows tables";
	else if (e->topo->graph)
		*why = "an irregular topology";
	else if (e->hw.may_cut)
		*why = e->run.recover ? "recover" : "routing updown";
	else if (!(e->pol->ops->flags & MCFAB_POLICY_OBLIVIOUS))
		*why = "a policy that is not oblivious";
	else if (mcfab_flight_pace(e) > e->hw.buffer)
		*why = "a route-delay as long as the buffer";
	else if (e->flags & MCFAB_ENG_LINKS)
		*why = mcfab_why_links(e);
	else if (e->flags & MCFAB_ENG_LENGTHS)
		*why = mcfab_why_lengths(e);
	else if (e->flags & MCFAB_ENG_HOST)
		*why = "node-model host";
	else if (e->outside.from)
		*why = "messages from outside";
	else if (e->flags & ~MCFAB_ENG_SCARCE)
		*why = "replication lockstep";
	else if (mcfab_trace_headers())
		*why = "tracing of headers";
	return !*why;
}

/**
 * mcfab_flights_init() - note where channels lead; no worm has a channel
 * @e: engine with MCFAB_ENG_FLIGHTS
 *
 * Context: start of a run.
 */
void mcfab_flights_init(struct mcfab_engine *e)
{
	u32 i;

	for (i = 0; i < e->hw.nchans; i++) {
		u32 peer = e->topo->peer[i];

		mcfab_breathe(i + 1);
		e->flights.track[i].waits = MCFAB_NO_WORM;
		e->flights.track[i].wake = MCFAB_NOT_QUEUED;
		e->flights.beyond[i] = peer == MCFAB_NONE ? MCFAB_NONE :
						    mcfab_chan_from(e, peer) * e->hw.ports;
		/* a channel that leads nowhere is never free */
		if (peer == MCFAB_NONE)
			e->flights.track[i].until = MCFAB_OPEN;
	}
}

/*
 * End worms whose end was no event. Worms that ended before the last cycle give their numbers back
 * at once: with events, the numbers would be back in the pool by now.
 */
static void bury(struct mcfab_engine *e, struct mcfab_shard *s)
{
	u64 last = e->cycle - 1;
	u32 nr, done = 0;

	while ((nr = s->over.head) != MCFAB_NONE && e->worm[nr].end <= last) {
		s->over.head = e->worm[nr].next_ended;
		mcfab_breathe(++done);
		mcfab_flight_over(e, s, nr);
		mcfab_node_worm_end(e, s, nr);
		if (e->worm[nr].end < last)
			mcfab_shard_give_back(e, s);
	}
}

/* read the kinds of events that flights post */
static void read_events(struct mcfab_engine *e, struct mcfab_shard *s)
{
	struct mcfab_outbox *outbox = s->outbox;
	u32 i, node;

	for (i = 0; i < outbox->count[MCFAB_EVENT_CONSUMED]; i++) {
		mcfab_breathe(i + 1);
		node = outbox->event[MCFAB_EVENT_CONSUMED][i];
		e->node[node].consume++;
		mcfab_flight_mark(e, s, node);
	}
	outbox->count[MCFAB_EVENT_CONSUMED] = 0;
	for (i = 0; i < outbox->count[MCFAB_EVENT_RELAY]; i++) {
		mcfab_breathe(i + 1);
		mcfab_node_await(e, s, outbox->event[MCFAB_EVENT_RELAY][i]);
	}
	outbox->count[MCFAB_EVENT_RELAY] = 0;
}

/**
 * mcfab_flights_grant() - the grant phase of a shard, where headers fly ahead
 * @e: engine with MCFAB_ENG_FLIGHTS
 * @s: the shard
 *
 * Context: grant phase.
 */
void mcfab_flights_grant(struct mcfab_engine *e, struct mcfab_shard *s)
{
	const struct mcfab_due *due = mcfab_schedule_open(&s->events, e->cycle);
	u32 nr, done = 0;

	if (mcfab_flights_posted(s))
		read_events(e, s);
	if (s->over.head != MCFAB_NONE)
		bury(e, s);
	if ((s->ended.head & s->relays.head) != MCFAB_NONE)
		mcfab_nodes_wake(e, s);
	if (due->first[MCFAB_DUE_WAKE] != MCFAB_NONE)
		mcfab_flights_free(e, s);
	while ((nr = mcfab_timers_take(&s->timers, e->cycle)) != MCFAB_NONE) {
		mcfab_breathe(++done);
		mcfab_flights_step(e, s, nr);
	}
	if (due->first[MCFAB_DUE_REQUEST] != MCFAB_NONE)
		mcfab_flights_request(e, s);
	if (s->nmarked)
		mcfab_flights_consume(e, s);
}

/**
 * mcfab_flights_move() - the move phase of a shard, where headers fly ahead
 * @e: engine with MCFAB_ENG_FLIGHTS
 * @s: the shard
 *
 * Context: move phase.
 * Return: the earliest cycle with anything to do, U64_MAX: none.
 */
u64 mcfab_flights_move(struct mcfab_engine *e, struct mcfab_shard *s)
{
	const struct mcfab_due *due = mcfab_schedule_due(&s->events, e->cycle);

	if (due->first[MCFAB_DUE_COPY] != MCFAB_NONE)
		mcfab_flights_copy(e, s);
	if (due->first[MCFAB_DUE_END] != MCFAB_NONE)
		mcfab_flights_end(e, s);
	if (mcfab_schedule_soon(&s->events, e->cycle) || mcfab_flights_posted(s))
		return e->cycle + 1;
	return mcfab_next_delivery(e, s, min(s->timers.next,
					     mcfab_schedule_next(&s->events, e->cycle)));
}
