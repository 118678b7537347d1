/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Headers that fly ahead of the cycle that is computed, see flight.c.
 */
#ifndef MCFAB_ENGINE_FLIGHT_H
#define MCFAB_ENGINE_FLIGHT_H

#include "engine/engine.h"

/* of a cycle: it is at least that one, which one is open */
#define MCFAB_OPEN	BIT_ULL(63)

/* with the worm of a channel: it had to wait for the channel */
#define MCFAB_WAITED	BIT(31)

/**
 * struct mcfab_track - a channel, and the worm that has it or had it last
 * @granted: cycle in which the worm gets it
 * @until: cycle in which the last flit leaves the buffer at its end, if the worm is on schedule
 *	   from now on: the channel is free from the next one on; MCFAB_OPEN: its header waits
 * @worm: the worm, with MCFAB_WAITED
 * @prev: channel before it on the worm's way, MCFAB_NONE: it is the first
 * @waits: first worm that waits for it, or MCFAB_NO_WORM
 * @wake: next channel that is to be given to somebody in the same cycle, or MCFAB_NOT_QUEUED
 */
struct mcfab_track {
	u64 granted;
	u64 until;
	u32 worm;
	u32 prev;
	u32 waits;
	u32 wake;
} __aligned(32);

/* a channel is not in the calendar */
#define MCFAB_NOT_QUEUED	(MCFAB_NONE - 1)

/** enum mcfab_flight_event - what may be due in a cycle */
enum mcfab_flight_event {
	MCFAB_EVENT_ASK,	/* worm: its header asks */
	MCFAB_EVENT_WAKE,	/* channel: it is free, and wanted */
	MCFAB_EVENT_COPY,	/* request: the node has all of a copy */
	MCFAB_EVENT_END,	/* worm: its last flit is consumed */
};

/**
 * struct mcfab_door - headers that wait for a consumption channel of a node (MCFAB_ENG_SCARCE)
 * @waits: the first worm, or MCFAB_NO_WORM
 * @touched: in its shard's list of those to look at in this cycle
 */
struct mcfab_door {
	u32 waits;
	bool touched;
};

/* flags of struct mcfab_flight */
#define MCFAB_FLIGHT_ON		BIT(0)	/* the worm is under way */
#define MCFAB_FLIGHT_DUE	BIT(1)	/* its header asks in cycle @ask */
#define MCFAB_FLIGHT_WAITS	BIT(2)	/* waits since @ask: for a channel, */
#define MCFAB_FLIGHT_DOOR	BIT(3)	/* ... or for a consumption channel */
#define MCFAB_FLIGHT_OUT	BIT(4)	/* its node has not heard that its tail has left */
#define MCFAB_FLIGHT_END	BIT(5)	/* in the calendar for its end */
#define MCFAB_FLIGHT_LAST	BIT(6)	/* after @run routers the header is at its end */
#define MCFAB_FLIGHT_OPEN	BIT(7)	/* it is open when its tail leaves its last channels */

/**
 * struct mcfab_flight - where a worm's header and tail are
 * @ask: cycle in which the header asks next, or since which it waits
 * @gone: cycle in which the tail leaves the source, likewise
 * @end: cycle in which the last flit is consumed, U64_MAX: the header is not there yet
 * @at: last channel that it has got, MCFAB_NONE: none
 * @next: next header that asks in the same cycle, or next one that waits for the same channel
 * @out: worm that its node injected before it, of those with MCFAB_FLIGHT_OUT
 * @end_next: next worm that ends in the same cycle
 * @first: first remaining destination
 * @last: one past the last
 * @state: the policy's word
 * @port: port that it goes on by, if @run
 * @run: routers, this one included, where the port is known
 * @channel: its injection channel
 * @flags: MCFAB_FLIGHT_*
 */
struct mcfab_flight {
	u64 ask;
	u64 gone;
	u64 end;
	u32 at;
	u32 next;
	u32 out;
	u32 end_next;
	u32 first;
	u32 last;
	u32 state;
	u16 port;
	u8 run;
	u8 channel;
	u8 flags;
} __aligned(64);

/* flight.c: headers */
bool mcfab_flights_exact(const struct mcfab_engine *e);
void mcfab_flights_init(struct mcfab_engine *e);
void mcfab_flight_begin(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm, u32 channel,
			const struct mcfab_plan_worm *pw);
void mcfab_flights_free(struct mcfab_engine *e, struct mcfab_shard *s);
void mcfab_flights_ask(struct mcfab_engine *e, struct mcfab_shard *s);
void mcfab_flight_touch(struct mcfab_engine *e, struct mcfab_shard *s, u32 node);
void mcfab_flights_consume(struct mcfab_engine *e, struct mcfab_shard *s);
void mcfab_flights_land(struct mcfab_engine *e, struct mcfab_shard *s);

/* flight_tail.c: tails */
void mcfab_flight_wake_at(struct mcfab_engine *e, struct mcfab_shard *s, u32 chan, u64 cycle);
void mcfab_flight_open(struct mcfab_engine *e, u32 worm);
void mcfab_flight_settle(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm);
void mcfab_flight_arrive(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm, u64 cycle);
void mcfab_flight_absorb(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm, u32 entry);
bool mcfab_flight_copy_known(const struct mcfab_engine *e, const struct mcfab_ask *copy);
void mcfab_flights_left(struct mcfab_engine *e, struct mcfab_shard *s, u32 node);
void mcfab_flights_expect(struct mcfab_engine *e, struct mcfab_shard *s, u32 node);
void mcfab_flight_forget(struct mcfab_engine *e, u32 worm);
void mcfab_flight_over(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm);
void mcfab_flights_move(struct mcfab_engine *e, struct mcfab_shard *s);

/* flight_rec.c; engine.h has those for everybody */
u64 mcfab_flights_released(const struct mcfab_engine *e);
bool mcfab_flights_stalled(const struct mcfab_engine *e, u64 newest);
bool mcfab_flights_stuck(const struct mcfab_engine *e);
void mcfab_flights_leave(struct mcfab_engine *e);

/* is there mail? Flights send no other. */
static inline bool mcfab_flights_mail(const struct mcfab_shard *s)
{
	return s->mail->count[MCFAB_LETTER_CONSUMED] | s->mail->count[MCFAB_LETTER_RELAY];
}

/* cycles from a grant until the header asks at the next router */
static inline u32 mcfab_flight_pace(const struct mcfab_engine *e)
{
	return 1 + e->route_delay;
}

/* does a worm still have, since it got it last, the channel before another on its way? */
static inline bool mcfab_flight_has(const struct mcfab_engine *e, u32 worm, u32 prev, u32 chan)
{
	return (e->track[prev].worm & ~MCFAB_WAITED) == worm &&
	       e->track[prev].granted < e->track[chan].granted;
}

/* router at which a worm's header is when it has come by a channel */
static inline u32 mcfab_flight_router(const struct mcfab_engine *e, u32 worm, u32 chan)
{
	return chan == MCFAB_NONE ? e->topo->router[e->worm[worm].node] :
				    mcfab_chan_from(e, e->topo->peer[chan]);
}

/* the place of a header among the inputs of its router, as mcfab_header_rank() */
static inline u32 mcfab_flight_rank(const struct mcfab_engine *e, u32 worm, u32 chan)
{
	return chan == MCFAB_NONE ? e->ports + e->flight[worm].channel :
				    mcfab_chan_port(e, e->topo->peer[chan]);
}

#endif
