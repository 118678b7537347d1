/* SPDX-License-Identifier: GPL-2.0 */
/*
 * State of virtual channels, of the packets in them and of the requests for them:
 * what the engine touches for every flit and every header.
 */
#ifndef MCFAB_ENGINE_STATE_CHANNEL_H
#define MCFAB_ENGINE_STATE_CHANNEL_H

#include "plan/policy.h"

/* flags of struct mcfab_rec */
#define MCFAB_REC_ABSORB	BIT(0)	/* a consumption channel copies every flit */
#define MCFAB_REC_DROP		BIT(1)	/* what is copied is dropped */
#define MCFAB_REC_INJECT	BIT(2)	/* an injection channel, not a VC */
#define MCFAB_REC_PENDING	BIT(3)	/* the header waits for the FIFO's front (sent) */
#define MCFAB_REC_STUCK		BIT(4)	/* deadlock walk: behind a packet that stays */
#define MCFAB_REC_CUT		BIT(5)	/* flits of the packet are lost, see fault.c */
/*
 * MCFAB_ENG_TAILS: copied, but it is not settled until when; MCFAB_ENG_TREES: in the wheel for
 * the end of a copy
 */
#define MCFAB_REC_COPYING	BIT(6)
#define MCFAB_REC_WANTED	BIT(7)	/* a host waits for room behind it, see port.c */

/* entry of struct mcfab_rec */
#define MCFAB_ENTRY_COUNTED	BIT(0)	/* its flits count in the FIFO, see mcfab_fifo.entered */
#define MCFAB_ENTRY_HELD	BIT(1)	/* another VC crosses the channel in this cycle */
#define MCFAB_ENTRY_KNOWN	BIT(2)	/* all of them have entered, and count */
/* those that leave are told of: the FIFO counts them, too */
#define MCFAB_ENTRY_CREDITS	(MCFAB_ENTRY_COUNTED | MCFAB_ENTRY_KNOWN)

/* @worm of a record that is not in use: all of them begin so, untouched; worms count from 1 */
#define MCFAB_NO_WORM	0
/* no record: a record that is never in use, so that who looks for a packet there finds none */
#define MCFAB_NO_REC	0

/**
 * struct mcfab_rec - a worm's stay in one virtual channel (or injection channel)
 * @sent: flits that have entered the buffer
 * @freed: flits that every branch has read, at the end of the last cycle
 * @worm: the worm, MCFAB_NO_WORM: record not in use (a record of an injection
 *	  channel keeps it until its node has heard of the end)
 * @older: flits one by one: record of the same worm granted before this one
 * @newer: path-tail: record of the same worm granted after this one
 * @next_tail: tree-tail: next in the wheel of tails
 * @mover: instead of these, when the packet is through: shard that moved its flits
 * @next_free: ... and when the record is not in use: next in the stack
 * @parent: record whose buffer feeds this one
 * @vc: its VC; after all VCs the injection channels, by node
 * @behind: FIFOs of several packets, those of hosts' ports too: record of the packet behind it, if
 *	    there is one
 * @next_leaving: path-tail, instead of it: next record that its tail leaves in the same cycle
 * @waiting: branches out of this buffer that are not granted yet; 1 while the
 *	     header is undecided
 * @flags: MCFAB_REC_*
 * @entry: MCFAB_ENTRY_*: how its flits enter; no flags, as those are written by the router that
 *	   reads it while the one that grants its channel writes these
 * @straight: routers after this one where the header goes on as from here; before it has asked, as
 *	 to here, this router included
 *
 * What is read and written for every flit: half a line.
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
	};
	u32 parent;
	u32 vc;
	union {
		u32 behind;
		u32 next_leaving;
	};
	u8 waiting;
	u8 flags;
	u8 entry;
	u8 straight;
} __aligned(32);

/**
 * struct mcfab_head - the rest of a record, of which it has the number: about its header
 * @crossed: until the header is at its router: cycle in which it crossed the channel
 * @ready: from then on until the decision: cycle in which it requests
 * @delivered: after it, if the packet is copied here: cycle of the header's delivery at the node
 * @granted: cycle the channel was granted
 * @due: least cycle of the tail's crossing (MCFAB_ENG_TAILS)
 * @next_header: next in a queue of headers
 * @next_copy: after the decision, in the modes with tails: next in the wheel of copies
 * @first: first remaining destination, as an index into the plan's dst[]
 * @last: one past the last
 * @state: until the decision: the policy's word
 * @drop: after it: enum mcfab_drop of a copy that is dropped, 0: it is delivered
 * @wanted: until the decision: VCs that could be taken to here, and from bit 16 on the port
 * @entry: after it: entry of dst[] that is delivered here
 * @dropper: ... with MCFAB_REC_DROP the node that drops the copy, MCFAB_NONE: the router does
 * @hops: network channels from the sender to here
 * @cons: flits copied to the node here; of several copies the least
 * @reads: where worms branch: least number of flits read by a granted branch, collected while
 *	   the worm moves; U32_MAX in between
 * @stopped: while the search for deadlocks is at it: waits that stop the packet, see watch/stall.h
 *
 * One line, used when the channel is granted and when the header asks, but for those few packets
 * that are copied or that branch.
 */
struct mcfab_head {
	union {
		u64 crossed;
		u64 ready;
		u64 delivered;
	};
	u64 granted;
	u64 due;
	union {
		u32 next_header;
		u32 next_copy;
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
 * struct mcfab_copy - a packet that a node copies off a record
 * @header: cycle in which the header is at the node
 * @rec: the record
 * @node: the node; MCFAB_NONE: it is dropped by the router
 * @entry: entry of dst[] that is delivered (not if it is dropped)
 * @drop: enum mcfab_drop, 0: it is delivered
 * @cons: flits copied, stripped ones included
 * @next: next copy of the same record
 */
struct mcfab_copy {
	u64 header;
	u32 rec;
	u32 node;
	u32 entry;
	u32 drop;
	u32 cons;
	u32 next;
};

/**
 * struct mcfab_arrival - a node, or the router that drops it, has all of a copy
 * @header: cycle in which the header was at the node
 * @worm: the worm
 * @vc: VC that it was copied off; after all VCs the injection channels, by node
 * @hops: channels that the worm crossed up to there
 * @node: as in struct mcfab_copy, as are the rest
 * @entry: likewise
 * @drop: likewise
 */
struct mcfab_arrival {
	u64 header;
	u32 worm;
	u32 vc;
	u32 hops;
	u32 node;
	u32 entry;
	u32 drop;
};

/**
 * struct mcfab_fifo - buffer of a virtual channel (only with MCFAB_ENG_CREDITS)
 * @entered: flits of whole packets that ever entered it. The packet that is entering counts its
 *	     own (MCFAB_ENTRY_COUNTED): with several threads the line is where the router's is
 *	     that reads the FIFO. Store-and-forward routers look for each flit here. A packet that
 *	     is the only one in the FIFO is not counted until the next one is granted
 *	     (mcfab_router_cfg.lazy_credits), unless grants need room for whole packets.
 * @departed: flits known upstream to have left it, of the same packets
 * @oldest: record of the first packet in it, or MCFAB_NO_REC
 * @newest: of the last one, which may be on its way
 * @front: record of the packet at the front, once its header is there; else MCFAB_NO_REC
 * @passed: store-and-forward: packets that have left
 * @waiting: headers that have come and wait for the front
 * @owned: the VC belongs to the worm of @newest (FIFOs of several packets)
 *
 * @front, @waiting and @passed belong to the router that reads the FIFO, the rest to the
 * router that grants; to @entered the worm adds, too, in the move phase.
 */
struct mcfab_fifo {
	u32 entered;
	u32 departed;
	u32 oldest;
	u32 newest;
	u32 front;
	u32 passed;
	u16 waiting;
	bool owned;
} __aligned(32);

/**
 * struct mcfab_chan - how VCs share a physical channel (only with several VCs)
 * @owned: VCs that belong to worms
 * @next: where round robin goes on
 * @chosen: VC that may cross in this cycle, U8_MAX: none
 * @turn: VC at which a header begins to look for a free one (MCFAB_ENG_SEPARABLE)
 * @lock: VC in the middle of its packet (packet arbitration), U8_MAX: none
 * @listed: in its shard's list of contended channels
 */
struct mcfab_chan {
	u8 owned;
	u8 next;
	u8 chosen;
	u8 turn;
	u8 lock;
	u8 listed;
};

/**
 * struct mcfab_consumer - packets that a router's node consumes (only MCFAB_ENG_SHARED)
 * @head: VC of one of them, in no order, or MCFAB_NONE
 * @next: rank of the input where round robin goes on
 * @chosen: record that it takes a flit of in this cycle, or MCFAB_NONE
 * @listed: in its shard's list of those that consume
 */
struct mcfab_consumer {
	u32 head;
	u32 next;
	u32 chosen;
	bool listed;
};

/**
 * struct mcfab_request - a branch that waits for its grant; in mode flight a copy, too
 * @since: cycle of the request; of a copy: in which the header is at the node
 * @next: younger request at the same router; of a copy: next in its list
 * @rec: record whose buffer it reads
 * @node: consumption branch: the node; else MCFAB_NONE
 * @first: destinations of the branch
 * @last: one past the last
 * @state: the policy's word
 * @stuck: mark of the deadlock walk
 * @nports: alternatives
 * @port: output ports, ascending
 * @vcs: allowed VCs on each
 * @copy: a copy, instead of these: a node takes the packet off a worm that flies
 * @copy.worm: the worm
 * @copy.channel: network channel by which it came, MCFAB_NONE: the node is its sender
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
 * struct mcfab_router - what waits at a router
 * @oldest: waiting request that came first, or MCFAB_NONE
 * @marked: it is in its shard's list of routers to scan
 */
struct mcfab_router {
	u32 oldest;
	bool marked;
};

/**
 * struct mcfab_use - what a channel is used for, in counts
 * @wait: cycles that headers waited for it
 * @flits: flits of packets that it was granted to, whether they have crossed yet or not
 */
struct mcfab_use {
	u64 wait;
	u64 flits;
};

#endif
