/* SPDX-License-Identifier: GPL-2.0 */
/*
 * State of headers that fly ahead of the cycle that is computed, see flight/flight.c.
 */
#ifndef MCFAB_ENGINE_STATE_FLIGHT_H
#define MCFAB_ENGINE_STATE_FLIGHT_H

#include "base/types.h"

/* in the number of a cycle: the cycle is this one or a later one, it is open which */
#define MCFAB_OPEN	BIT_ULL(63)

/* in the number of a channel's worm: the worm had to wait for the channel */
#define MCFAB_WAITED	BIT(31)

/**
 * struct mcfab_track - a channel, and the worm that has it or had it last
 * @granted: cycle in which the worm gets it
 * @until: cycle in which the last flit leaves the channel's buffer, if the worm is on schedule
 *	   from now on; the channel is free from the next cycle on; MCFAB_OPEN: the header waits
 * @worm: the worm, with MCFAB_WAITED
 * @prev: channel before it on the worm's way, MCFAB_NONE: it is the first
 * @waits: first worm that waits for it, or MCFAB_NO_WORM
 * @wake: next channel to be given to a waiting worm in the same cycle, or MCFAB_NOT_QUEUED
 */
struct mcfab_track {
	u64 granted;
	u64 until;
	u32 worm;
	u32 prev;
	u32 waits;
	u32 wake;
} __aligned(32);

/* mcfab_track.wake: the channel is not in the schedule */
#define MCFAB_NOT_QUEUED	(MCFAB_NONE - 1)

/** enum mcfab_due_kind - what may be due in a cycle */
enum mcfab_due_kind {
	MCFAB_DUE_REQUEST,	/* worm: its header makes a request */
	MCFAB_DUE_WAKE,		/* channel: it is free, and wanted */
	MCFAB_DUE_COPY,		/* request: the node has the whole copy */
	MCFAB_DUE_END,		/* worm: its last flit is consumed */
};

/**
 * struct mcfab_door - headers that wait for a consumption channel of a node (MCFAB_ENG_SCARCE)
 * @waits: the first worm, or MCFAB_NO_WORM
 * @marked: in its shard's list of nodes to look at in this cycle
 */
struct mcfab_door {
	u32 waits;
	bool marked;
};

/* flags of struct mcfab_flight */
#define MCFAB_FLIGHT_ON		BIT(0)	/* the worm is under way */
#define MCFAB_FLIGHT_DUE	BIT(1)	/* its header makes a request in cycle @due */
#define MCFAB_FLIGHT_WAITS	BIT(2)	/* its header waits since @due for a channel */
#define MCFAB_FLIGHT_DOOR	BIT(3)	/* ... and this is a consumption channel */
#define MCFAB_FLIGHT_OUT	BIT(4)	/* its node has not heard that its tail has left */
#define MCFAB_FLIGHT_END	BIT(5)	/* its end is in the schedule */
#define MCFAB_FLIGHT_LAST	BIT(6)	/* after @straight routers the header is at its end */
#define MCFAB_FLIGHT_OPEN	BIT(7)	/* it is open when its tail leaves its last channels */

/**
 * struct mcfab_flight - where a worm's header and tail are
 * @due: cycle of the header's next request, or cycle since which it waits
 * @gone: cycle in which the tail leaves the source; may have MCFAB_OPEN as mcfab_track.until
 * @end: cycle in which the last flit is consumed, U64_MAX: the header is not there yet
 * @at: last channel that it has got, MCFAB_NONE: none
 * @next: next worm whose header makes a request in the same cycle, or waits for the same channel
 * @out: worm with MCFAB_FLIGHT_OUT that its node injected before it
 * @end_next: next worm that ends in the same cycle
 * @first: first remaining destination
 * @last: one past the last
 * @state: the policy's word
 * @port: port by which it goes on, if @straight
 * @straight: for so many routers, this one included, it goes on by @port
 * @channel: its injection channel
 * @flags: MCFAB_FLIGHT_*
 */
struct mcfab_flight {
	u64 due;
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
	u8 straight;
	u8 channel;
	u8 flags;
} __aligned(64);

/**
 * struct mcfab_flights - what mode flight owns
 * @track: [nchans] the worm that has a channel
 * @beyond: [nchans] first channel of the router to which a channel leads, MCFAB_NONE: it leads
 *	    nowhere
 * @flight: [worms + 1] where a worm's header and tail are
 * @door: [nodes] headers that wait for a consumption channel, with MCFAB_ENG_SCARCE only
 */
struct mcfab_flights {
	struct mcfab_track *track;
	u32 *beyond;
	struct mcfab_flight *flight;
	struct mcfab_door *door;
};

#endif
