/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Headers that fly ahead of the cycle that is computed, see flight.c.
 */
#ifndef MCFAB_ENGINE_FLIGHT_H
#define MCFAB_ENGINE_FLIGHT_H

#include "engine/state/engine.h"

/* flight.c: headers */
bool mcfab_flights_exact(const struct mcfab_engine *e, const char **why);
void mcfab_flights_init(struct mcfab_engine *e);
void mcfab_flights_free(struct mcfab_engine *e, struct mcfab_shard *s);
void mcfab_flights_request(struct mcfab_engine *e, struct mcfab_shard *s);
void mcfab_flight_mark(struct mcfab_engine *e, struct mcfab_shard *s, u32 node);
void mcfab_flights_consume(struct mcfab_engine *e, struct mcfab_shard *s);
void mcfab_flights_land(struct mcfab_engine *e, struct mcfab_shard *s);

/* phases.c */
void mcfab_flights_grant(struct mcfab_engine *e, struct mcfab_shard *s);
u64 mcfab_flights_move(struct mcfab_engine *e, struct mcfab_shard *s);

/* flight_tail.c: tails */
void mcfab_flight_wake_at(struct mcfab_engine *e, struct mcfab_shard *s, u32 chan, u64 cycle);
void mcfab_flight_open(struct mcfab_engine *e, u32 worm);
void mcfab_flight_settle(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm);
void mcfab_flight_arrive(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm, u64 cycle);
void mcfab_flight_absorb(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm, u32 entry);
bool mcfab_flight_copy_known(const struct mcfab_engine *e, const struct mcfab_request *copy);
void mcfab_flights_copy(struct mcfab_engine *e, struct mcfab_shard *s);
void mcfab_flights_end(struct mcfab_engine *e, struct mcfab_shard *s);

/* flight_rec.c */
void mcfab_flights_show(struct mcfab_engine *e);
void mcfab_flights_hide(struct mcfab_engine *e);
u64 mcfab_flights_released(const struct mcfab_engine *e);
bool mcfab_flights_stalled(const struct mcfab_engine *e, u64 newest);
bool mcfab_flights_stuck(const struct mcfab_engine *e);
void mcfab_flights_leave(struct mcfab_engine *e);

/* have events been posted? flights post no other kinds */
static inline bool mcfab_flights_posted(const struct mcfab_shard *s)
{
	return s->outbox->count[MCFAB_EVENT_CONSUMED] | s->outbox->count[MCFAB_EVENT_RELAY];
}

/* cycles from a grant to the header's request at the next router */
static inline u32 mcfab_flight_pace(const struct mcfab_engine *e)
{
	return 1 + e->hw.route_delay;
}

/* does a worm still have channel @prev, which it got before channel @chan on its way? */
static inline bool mcfab_flight_has(const struct mcfab_engine *e, u32 worm, u32 prev, u32 chan)
{
	return (e->flights.track[prev].worm & ~MCFAB_WAITED) == worm &&
	       e->flights.track[prev].granted < e->flights.track[chan].granted;
}

/* router to which a channel leads, MCFAB_NONE: router of the worm's sender */
static inline u32 mcfab_flight_router(const struct mcfab_engine *e, u32 worm, u32 chan)
{
	return chan == MCFAB_NONE ? e->topo->router[e->worm[worm].node] :
				    mcfab_chan_from(e, e->topo->peer[chan]);
}

/* the place of a header among the inputs of its router, as mcfab_header_rank() */
static inline u32 mcfab_flight_rank(const struct mcfab_engine *e, u32 worm, u32 chan)
{
	return chan == MCFAB_NONE ? e->hw.ports + e->flights.flight[worm].channel :
				    mcfab_chan_port(e, e->topo->peer[chan]);
}

#endif
