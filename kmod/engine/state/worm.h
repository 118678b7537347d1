/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages and worms under way.
 */
#ifndef MCFAB_ENGINE_STATE_WORM_H
#define MCFAB_ENGINE_STATE_WORM_H

#include <linux/atomic.h>
#include "plan/plan.h"
#include "stats/stats.h"

/** MCFAB_TRAIL - records that a worm was granted last, kept with MCFAB_ENG_FAR; a power of two */
#define MCFAB_TRAIL		32U

/** MCFAB_WORM_BEHIND - records before the newest that a worm remembers, in modes of single flits */
#define MCFAB_WORM_BEHIND	3U

/** enum mcfab_cut - why a worm has lost destinations */
enum mcfab_cut {
	MCFAB_CUT_NOT,		/* it has not */
	MCFAB_CUT_LINK,		/* to dead links */
	MCFAB_CUT_DEADLOCK,	/* it was aborted to end a deadlock */
};

/**
 * struct mcfab_worm - a packet under way
 * @dst: its plan's destination lists, or @only
 * @channel_cycles: cycles for which it held network channels; like @traffic, atomic only for
 *		    MCFAB_ENG_WORM: in other modes one thread alone writes them
 * @newest: newest record, MCFAB_NONE when all are released
 * @unsettled: path-tail, in place of @newest: record of the first channel whose crossing by the
 *	       tail is not settled, MCFAB_NONE: none
 * @copies: flight, in place of @newest: list of copies whose ends are not settled, by request
 * @flits: its length
 * @traffic: number of network channels granted
 * @span: MCFAB_ENG_TAILS: channels from its tail to its header when no flit is missing
 *	  in between
 * @crossed: MCFAB_ENG_TAILS: number of channels whose crossing by the tail is settled
 * @next_ended: next in the list of worms that ended
 * @source_rec: flight, while records are made: its record at its source, or MCFAB_NONE
 * @behind: in modes of single flits, in place of the four fields before: the records granted
 *	    before @newest, newest first, as far as known; some may belong to other worms by now
 * @rear: mode row, in place of these: its record that was granted first, with its tail
 * @rear_vc: ... the VC of this record, if its tail has left the source
 * @front_vc: ... the VC of @newest, if its header has
 * @mcast: its message
 * @node: its sender
 * @serial: worms that its sender injected before it
 * @only: the one entry of its plan's lists
 * @port: forced first output port, or MCFAB_PORT_ANY
 * @arg: the policy's own word
 * @active: in its shard's list of worms that may move
 * @stuck: mark of the deadlock walk: a part of it can never move
 * @packet: its number in the message
 * @index: its number in the message's plan
 * @task: the sender's round to which it belongs, see struct mcfab_node
 * @relayed: in place of @task, likewise
 * @next_round: step that enters the sender's queue when this round is over, or
 *		MCFAB_NONE
 * @live: records in use (MCFAB_ENG_WORM, MCFAB_ENG_TREES)
 * @cut: it has lost destinations: enum mcfab_cut
 * @cruises: mode cruise: where its flits are follows from its records' @due, see cruise/cruise.h
 * @expected: mode cruise: it is in the wheel of tails
 * @steady: mode cruise, if it does not: cycles in which a flit has crossed each of its channels
 * @oldest: while it cruises, in place of @live: its record that was granted first
 * @end: cycle of its last delivery
 * @part: parts of the latency before its injection
 * @next_due: mode cruise: next in the wheel of tails
 *
 * The first 64 bytes have the fields that moves of its flits and headers need.
 */
struct mcfab_worm {
	u32 *dst;
	atomic64_t channel_cycles;
	union {
		u32 newest;
		u32 unsettled;
		u32 copies;
	};
	u32 flits;
	atomic_t traffic;
	union {
		struct {
			u32 span;
			u32 crossed;
			union {
				u32 next_ended;
				u32 source_rec;
			};
		};
		u32 behind[MCFAB_WORM_BEHIND];
		struct {
			u32 rear;
			u32 rear_vc;
			u32 front_vc;
		};
	};
	u32 mcast;
	u32 node;
	u32 serial;
	u32 only;
	u16 port;
	u16 arg;
	bool active;
	bool stuck;
	bool cruises : 1;
	bool expected : 1;
	u8 steady;

	u32 packet;
	u32 index;
	union {
		u32 task;
		u32 relayed;
	};
	u32 next_round;
	union {
		atomic_t live;
		u32 oldest;
	};
	atomic_t cut;
	u64 end;
	u32 part[MCFAB_PARTS];
	u32 next_due;
} __aligned(64);

/* add time for which channels are held; only where one thread alone writes the worm's counts */
static inline void mcfab_worm_hold(struct mcfab_worm *w, u64 cycles)
{
	atomic64_set(&w->channel_cycles, atomic64_read(&w->channel_cycles) + cycles);
}

/**
 * struct mcfab_mcast - a message under way, or waiting to be counted
 * @gen: generation cycle
 * @source: its source
 * @seq: sequence number there
 * @ndst: destinations
 * @flits: its length
 * @packets: packets of each of its worms
 * @worms: worms of its plan
 * @routes: mcfab_faults.routes when it was planned
 * @startups: start-ups made
 * @plan: its block of plan memory, MCFAB_NONE when given back
 * @unicast: base traffic, not a multicast
 * @used: the number is taken
 * @generated: a look at source queues has counted it as generated
 * @left: packets under way: of worms that have not ended, of worms that a node with the message
 *	  has still to send, and packets on their way through a host
 * @traffic: network channels used by worms that ended
 * @deliveries: head of its list of deliveries
 * @link: next in a list of complete messages
 * @channel_cycles: of worms that ended
 * @queue_cycles: cycles from generation until its preparation and start-up begin
 * @ready: cycles from generation until its source's last start-up was over, or MCFAB_NEVER
 * @accepted: cycles from generation until its source's last worm got its injection channel, or
 *	      MCFAB_NEVER
 */
struct mcfab_mcast {
	u64 gen;
	u32 source;
	u32 seq;
	u32 ndst;
	u32 flits;
	u32 packets;
	u32 worms;
	u32 routes;
	atomic_t startups;
	u32 plan;
	bool unicast;
	bool used;
	bool generated;
	atomic_t left;
	atomic_t traffic;
	atomic_t deliveries;
	u32 link;
	atomic64_t channel_cycles;
	u32 queue_cycles;
	u32 ready;
	u32 accepted;
};

/* the order of messages that does not depend on the threads: below, at or above 0 */
static inline int mcfab_message_order(const struct mcfab_mcast *a, const struct mcfab_mcast *b)
{
	if (a->gen != b->gen)
		return a->gen < b->gen ? -1 : 1;
	if (a->source != b->source)
		return a->source < b->source ? -1 : 1;
	return a->seq < b->seq ? -1 : a->seq > b->seq;
}

/** MCFAB_ROUND - bit in the number of a step: the step is in mcfab_engine.round, not .relay */
#define MCFAB_ROUND	BIT(31)

/**
 * struct mcfab_relay - a step in a node's send queue that is not a message's first:
 *			the step of a later sender, or a further round
 * @entry: cycle in which it enters the queue: cycle of the tail's delivery, or end of the
 *	   round before
 * @begun: cycle in which the task's first round entered
 * @mcast: the message
 * @worm: first worm of the plan that it sends
 * @node: the sender
 * @link: next in the node's queue
 * @left: further rounds: worms of the round before that are not delivered, or not sent
 * @packet: MCFAB_ENG_HOST: packet that has come
 * @dst: MCFAB_ENG_HOST: entry of the destination lists
 * @hops: MCFAB_ENG_HOST: channels that the packet has crossed
 * @prep: preparation time of the task
 * @part: parts of the latency before the task
 */
struct mcfab_relay {
	u64 entry;
	u64 begun;
	u32 mcast;
	u32 worm;
	u32 node;
	u32 link;
	u32 left;
	u32 packet;
	u32 dst;
	u32 hops;
	u32 prep;
	u32 part[MCFAB_PARTS];
};

/** struct mcfab_log - a delivery that waits to be counted in its place */
struct mcfab_log {
	struct mcfab_delivery d;
	u32 next;
};

/**
 * struct mcfab_came - packets of a message that came for an entry of its plan's lists
 * @packets: number of these packets
 * @header: cycles from generation to the first of their headers
 * @tail: cycles from generation to the last of their tails
 * @worm: worm of that tail; of several in one cycle the last worm of the message
 * @hops: channels that this worm has crossed
 * @links: their links
 * @received: packets that the network interface has received (MCFAB_ENG_HOST)
 * @stored: packets that the host has
 */
struct mcfab_came {
	u32 packets;
	u32 header;
	u32 tail;
	u32 worm;
	u32 hops;
	struct mcfab_links links;
	u32 received;
	u32 stored;
};

/**
 * struct mcfab_block - plan memory of one message: the plan and its arrays
 * @plan: the plan
 * @children: [max_worms] index of the first worm that is sent after a worm's arrival
 * @came: [max_dst] packets that came for an entry of the destination lists (messages of
 *	  several packets, MCFAB_ENG_HOST)
 * @seen: [max_dst * packets] which packets came for an entry (MCFAB_POLICY_TABLE)
 */
struct mcfab_block {
	struct mcfab_plan plan;
	u32 *children;
	struct mcfab_came *came;
	unsigned long *seen;
};

/**
 * struct mcfab_kept - a plan that is kept for further messages
 * @set: number of its set of destinations; 0: none is kept here
 * @node: the node that sends them
 * @routes: mcfab_faults.routes when it was made
 * @nworms: its worms
 * @ndst: entries of its destination lists
 */
struct mcfab_kept {
	u64 set;
	u32 node;
	u32 routes;
	u32 nworms;
	u32 ndst;
};

#endif
