/* SPDX-License-Identifier: GPL-2.0 */
/*
 * State of virtual channels, of the packets in them and of the requests for them: the structures
 * that the engine reads and writes for every flit and every header.
 */
#ifndef MCFAB_ENGINE_STATE_CHANNEL_H
#define MCFAB_ENGINE_STATE_CHANNEL_H

#include "plan/policy.h"

/* flags of struct mcfab_rec */
#define MCFAB_REC_ABSORB	BIT(0)	/* a consumption channel copies every flit */
#define MCFAB_REC_DROP		BIT(1)	/* the copy is dropped */
#define MCFAB_REC_INJECT	BIT(2)	/* an injection channel, not a VC */
#define MCFAB_REC_PENDING	BIT(3)	/* the header waits for the FIFO's front (sent) */
#define MCFAB_REC_STUCK		BIT(4)	/* search for deadlocks: behind a packet that stays */
#define MCFAB_REC_CUT		BIT(5)	/* flits of the packet are lost, see fault.c */
/*
 * MCFAB_ENG_TAILS: a node copies the packet, and the end of the copy is not settled;
 * MCFAB_ENG_TREES: the record is in the wheel for the end of a copy; mode cruise: a node copies the
 * packet of a worm that cruises
 */
#define MCFAB_REC_COPYING	BIT(6)
#define MCFAB_REC_WANTED	BIT(7)	/* a host waits for room in the port, see port.c */

/* entry of struct mcfab_rec */
#define MCFAB_ENTRY_COUNTED	BIT(0)	/* its flits count in the FIFO, see mcfab_fifo.entered */
#define MCFAB_ENTRY_HELD	BIT(1)	/* another VC crosses the channel in this cycle */
#define MCFAB_ENTRY_KNOWN	BIT(2)	/* all its flits have entered, and count */
/* with one of these, a flit that leaves the buffer sends a credit: the FIFO counts it, too */
#define MCFAB_ENTRY_CREDITS	(MCFAB_ENTRY_COUNTED | MCFAB_ENTRY_KNOWN)

/* straight of struct mcfab_rec: at the router after these the header is at its only destination */
#define MCFAB_STRAIGHT_ENDS	BIT(7)
/* greatest number there */
#define MCFAB_STRAIGHT_MOST	(MCFAB_STRAIGHT_ENDS - 1)

/* @worm of a record that is not in use; 0, as in memory that was never written; worms begin at 1 */
#define MCFAB_NO_WORM	0
/* no record: the number of a record that is never in use, so a reader finds no packet there */
#define MCFAB_NO_REC	0

/**
 * struct mcfab_rec - a worm's stay in one virtual channel (or injection channel)
 * @sent: flits that have entered the buffer
 * @freed: flits that every branch has read, at the end of the last cycle
 * @worm: the worm, MCFAB_NO_WORM: record not in use (a record of an injection
 *	  channel keeps it until its node has heard of the end)
 * @older: flits one by one: record of the same worm granted before this one
 * @newer: path-tail, row: record of the same worm granted after this one
 * @next_tail: tree-tail: next in the wheel of tails
 * @mover: in place of these, when the packet has left the record: shard that moved its flits
 * @next_free: ... and when the record is not in use: next in the stack
 * @from: mode hop, of a packet that has a VC but has not crossed: VC in whose buffer it is,
 *	  MCFAB_NONE: in its source, of which @parent is the record
 * @parent: record whose buffer feeds this one
 * @vc: its VC; after all VCs the injection channels, by node
 * @behind: FIFOs of several packets, also of hosts' ports: record of the packet behind this one, if
 *	    there is one
 * @next_leaving: path-tail, in place of @behind: next record whose buffer a tail leaves in the same
 *		  cycle
 * @onward: while a worm cruises, in place of @behind: its record granted after this one, or
 *	    MCFAB_NONE
 * @waiting: branches out of this buffer that are not granted yet; 1 while the
 *	     header is undecided
 * @flags: MCFAB_REC_*
 * @entry: MCFAB_ENTRY_*: how its flits enter. Apart from @flags, as two routers may write in one
 *	   phase: @flags the router that reads the buffer, @entry the router that grants the channel
 * @straight: number of routers after this one at which the header goes straight on, and
 *	      MCFAB_STRAIGHT_ENDS; before its request here, this router is counted, too
 *
 * Half a line: all that is read and written for every flit.
 */
struct mcfab_rec {
	u32 sent;
	u32 freed;
	u32 worm;
	union {
		u32 older;
		u32 newer;
		u32 next_tail;
		u32 mover;
		u32 next_free;
		u32 from;
	};
	u32 parent;
	u32 vc;
	union {
		u32 behind;
		u32 next_leaving;
		u32 onward;
	};
	u8 waiting;
	u8 flags;
	u8 entry;
	u8 straight;
} __aligned(32);

/* turn of struct mcfab_wire */
#define MCFAB_TURN_INPUT	BIT(0)	/* the input port has chosen the packet in the buffer */
#define MCFAB_TURN_USED		BIT(1)	/* and a flit of it has crossed the crossbar */
#define MCFAB_TURN_NODE		BIT(2)	/* the node takes a flit of it */

/**
 * struct mcfab_wire - flits on the link to a record's buffer (MCFAB_ENG_LINKS)
 * @crossing: bit k: a flit has crossed the channel k cycles before the last look at the record,
 *	      and has not come to the buffer
 * @arrived: flits that have come to the buffer
 * @turn: MCFAB_ENG_BOOKSIM: MCFAB_TURN_*
 *
 * The move phase looks at a record in every cycle while one of its flits may move or is on the
 * link, see mcfab_wire_step().
 */
struct mcfab_wire {
	u64 crossing;
	u32 arrived;
	u8 turn;
};

/**
 * struct mcfab_head - the other part of a record, about its header; the numbers are the same
 * @crossed: until the header is at its router: cycle in which it crossed the channel
 * @ready: from then on until the decision: cycle in which the header makes its request
 * @delivered: after the decision, if a node copies the packet here: cycle of the header's delivery
 * @granted: cycle the channel was granted
 * @due: least cycle of the tail's crossing (MCFAB_ENG_TAILS); while a worm cruises, the cycle of
 *	 this crossing; store-and-forward: cycle in which the tail has crossed
 * @held: mode hop: cycles for which the packet has had channels until now
 * @next_header: next in a queue of headers
 * @next_copy: after the decision, in the modes with tails: next in the wheel of copies
 * @late: ... in mode cruise: cycles since @delivered in which no flit came to the node
 * @first: first remaining destination, as an index into the plan's dst[]
 * @last: one past the last
 * @state: until the decision: the policy's word
 * @drop: after the decision: enum mcfab_drop of a copy that is dropped, 0: it is delivered
 * @wanted: until the decision: VCs that its request for this channel allowed, and from bit 16 on
 *	    the port
 * @entry: after the decision: entry of dst[] that is delivered here
 * @dropper: ... with MCFAB_REC_DROP the node that drops the copy, MCFAB_NONE: the router does
 * @hops: network channels from the sender to here
 * @cons: flits copied to the node here; of several copies the least
 * @reads: where worms branch: least number of flits read by a granted branch, collected while
 *	   the worm moves; U32_MAX in between
 * @stopped: during a search for deadlocks: waits that stop the packet, see watch/stall.h
 *
 * One line, used when the channel is granted and when the header makes its request. Only packets
 * that are copied or branch use it in between.
 */
struct mcfab_head {
	union {
		u64 crossed;
		u64 ready;
		u64 delivered;
	};
	u64 granted;
	union {
		u64 due;
		u64 held;
	};
	union {
		u32 next_header;
		u32 next_copy;
		u32 late;
	};
	u32 first;
	u32 last;
	union {
		u32 state;
		u32 drop;
	};
	union {
		u32 wanted;
		u32 entry;
		u32 dropper;
	};
	u32 hops;
	u32 cons;
	union {
		u32 reads;
		u32 stopped;
	};
} __aligned(64);

/**
 * struct mcfab_copy - a packet that a node copies from a record
 * @header: cycle in which the header is at the node
 * @rec: the record
 * @node: the node; MCFAB_NONE: the router drops the packet
 * @entry: entry of dst[] that is delivered (not if it is dropped)
 * @drop: enum mcfab_drop, 0: it is delivered
 * @channel: MCFAB_ENG_RATES: which of the node's consumption channels it has
 * @cons: flits copied, stripped ones included
 * @next: next copy of the same record
 */
struct mcfab_copy {
	u64 header;
	u32 rec;
	u32 node;
	u32 entry;
	u16 drop;
	u16 channel;
	u32 cons;
	u32 next;
};

/**
 * struct mcfab_arrival - a whole copy has come to a node, or to the router that drops it
 * @header: cycle in which the header was at the node
 * @worm: the worm
 * @vc: VC from which it was copied; after all VCs the injection channels, by node
 * @hops: channels that the worm crossed up to there
 * @links: their links
 * @node: as in struct mcfab_copy
 * @entry: as in struct mcfab_copy
 * @drop: as in struct mcfab_copy
 */
struct mcfab_arrival {
	u64 header;
	u32 worm;
	u32 vc;
	u32 hops;
	struct mcfab_links links;
	u32 node;
	u32 entry;
	u32 drop;
};

/**
 * struct mcfab_fifo - buffer of a virtual channel (only with MCFAB_ENG_CREDITS)
 * @entered: flits of packets that have ever entered it completely. The record of the packet that is
 *	     entering counts its own flits (MCFAB_ENTRY_COUNTED): with several threads another
 *	     thread than the worm's may use this line. Store-and-forward counts each flit
 *	     here. A packet that is the only one in the FIFO is not counted until the next one is
 *	     granted (mcfab_router_cfg.lazy_credits), unless grants need room for whole packets.
 * @departed: flits of the same packets that have left it, as the upstream router knows
 * @credits: MCFAB_ENG_STAMPS, in place of @departed and @passed: flits that have left it, and when
 *	     the last ones have, see credit.h
 * @oldest: record of the first packet in it, or MCFAB_NO_REC
 * @newest: record of the last packet, which may still be on its way
 * @front: record of the packet at the front, once its header is there; else MCFAB_NO_REC
 * @worm: mode row, without MCFAB_ENG_STAMPS: the worm that got the VC last, the one of @newest
 * @last: mode hop, in place of @worm: the last record whose header has come, if there is a front.
 *	  @oldest has a value only while the boundary looks at records
 * @place: mode row: which of its channels this was, counted from 1, modulo 256
 * @passed: store-and-forward: packets that have left
 * @waiting: headers that have come and wait to be at the front
 * @owned: the VC belongs to the worm of @newest (FIFOs of several packets)
 *
 * @front, @waiting, @passed and @last belong to the router that reads the FIFO, the other fields to
 * the router that grants the VC. In the move phase the worm's shard adds to @entered (mode hop:
 * that of the granting router), and the shard of the worm at the front writes @credits (that of
 * the reading router).
 */
struct mcfab_fifo {
	union {
		struct {
			u32 departed;
			u32 passed;
		};
		u64 credits;
	};
	u32 entered;
	u32 oldest;
	u32 newest;
	u32 front;
	union {
		u32 worm;
		u32 last;
	};
	u16 waiting;
	u8 place;
	bool owned;
} __aligned(32);

/**
 * struct mcfab_chan - how VCs share a physical channel, or an input port (only with several VCs)
 * @used: bit mask of VCs: of a channel, those that belong to worms; of an input port (with limited
 *	  input speed-up), those with a packet whose header has come to the front
 * @next: VC where round robin goes on
 * @chosen: VC that may cross in this cycle, U8_MAX: none
 * @listed: in its shard's list of contended channels
 * @last: MCFAB_ENG_SEPARABLE: port that had the last turn: of a channel, the input port from which
 *	  a flit came; of an input port, the output to which one went (MCFAB_NODE_PORT: a node)
 * @turn: channel: VC at which a header begins to look for a free one (MCFAB_ENG_SEPARABLE)
 * @lock: channel: VC in the middle of its packet (packet arbitration), U8_MAX: none
 * @port: input port: @last, if the flit of the chosen VC crosses
 */
struct mcfab_chan {
	u32 used;
	u8 next;
	u8 chosen;
	u8 listed;
	u16 last;
	union {
		struct {
			u8 turn;
			u8 lock;
		};
		u16 port;
	};
};

/** MCFAB_NODE_PORT - in round robin among ports, the nodes: after all network ports */
#define MCFAB_NODE_PORT	U16_MAX

/**
 * struct mcfab_consumer - packets that a router's node consumes (only MCFAB_ENG_SHARED)
 * @head: first VC in the list of their VCs, in no order, or MCFAB_NONE
 * @last: VC from which the node has taken its last flit, or MCFAB_NONE: the next VC is first
 * @chosen: record from which the node takes a flit in this cycle, or MCFAB_NONE
 * @cruiser: record of the packet that the node consumes alone, of a worm that cruises: it is not in
 *	     the list; or MCFAB_NONE
 * @listed: in its shard's list of routers whose nodes consume
 */
struct mcfab_consumer {
	u32 head;
	u32 last;
	u32 chosen;
	u32 cruiser;
	bool listed;
};

/**
 * struct mcfab_request - a branch that waits for its grant; in mode flight a copy, too
 * @since: cycle of the request; of a copy: cycle in which the header is at the node
 * @next: next younger request at the same router; of a copy: next in its list
 * @rec: record whose buffer it reads
 * @node: request for a consumption channel: the node; else MCFAB_NONE
 * @first: first destination of the branch
 * @last: one past the last
 * @state: the policy's word
 * @stuck: search for deadlocks: it is taken for stuck
 * @nports: number of alternative ports
 * @port: output ports, ascending
 * @vcs: allowed VCs on each port
 * @rank: place of @rec among the inputs of its router, see mcfab_header_rank()
 * @copy: mode flight, in place of the fields from @rec on: a copy that a node makes
 * @copy.worm: the worm
 * @copy.channel: network channel by which the worm came, MCFAB_NONE: the node is its sender
 * @copy.entry: entry of dst[] that is delivered
 * @copy.hops: channels that it has crossed
 */
struct mcfab_request {
	u64 since;
	u32 next;
	union {
		struct {
			u32 rec;
			u32 node;
			u32 first;
			u32 last;
			u32 state;
			bool stuck;
			u8 nports;
			u8 port[MCFAB_MAX_ALTERNATIVES];
			u16 vcs[MCFAB_MAX_ALTERNATIVES];
			u16 rank;
		};
		struct {
			u32 worm;
			u32 channel;
			u32 entry;
			u32 hops;
		} copy;
	};
};

/**
 * struct mcfab_router - waiting requests of a router
 * @oldest: first of them, or MCFAB_NONE
 * @marked: it is in its shard's list of routers to scan
 */
struct mcfab_router {
	u32 oldest;
	bool marked;
};

/**
 * struct mcfab_use - counts of a channel
 * @wait: cycles for which headers waited for it
 * @flits: flits of packets that have got it, whether the flits have crossed yet or not
 */
struct mcfab_use {
	u64 wait;
	u64 flits;
};

#endif
