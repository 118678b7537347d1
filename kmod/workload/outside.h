/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages from outside: network devices, or another program, hand messages in while a run is under
 * way, and get them out again where they are delivered.
 *
 * Who has messages for a node puts them into the node's inbox. At the next boundary the engine
 * accepts them: each becomes the node's next message, in the order in which they were put there. So
 * a run is a function of the messages and the cycles in which they are generated, as a run of a
 * list is.
 */
#ifndef MCFAB_WORKLOAD_OUTSIDE_H
#define MCFAB_WORKLOAD_OUTSIDE_H

#include <linux/atomic.h>
#include <linux/llist.h>
#include "base/types.h"

struct mcfab_arrivals;
struct mcfab_group;
struct mcfab_outside;

/**
 * struct mcfab_offer - a message that is handed in
 * @cycle: the first cycle in which it may be generated; once it is accepted, the cycle in which it
 *	   is
 * @cookie: any number, by which @ops of the outside know the message
 * @dst: different nodes: its destinations, and perhaps its source, which is none. The engine reads
 *	 them up to mcfab_outside_ops.over()
 * @listed: entries of @dst
 * @ndst: destinations, at least 1
 * @set: number of this set of destinations: messages of a node with the same number have the same
 *	 @dst. 0: it has none
 * @group: multicast group of the subnet whose members but the source are @dst; NULL: none
 * @flits: its length, from @shortest of the workload to the run's flits
 */
struct mcfab_offer {
	u64 cycle;
	u64 cookie;
	const u32 *dst;
	u32 listed;
	u32 ndst;
	u64 set;
	const struct mcfab_group *group;
	u32 flits;
};

/**
 * struct mcfab_inbox - messages from outside for a node that sends them
 * @ready: place in the outside's list of inboxes with new messages
 * @listed: it has a place there
 * @node: the node
 * @size: entries of @offer, a power of two
 * @base: number of the message with sequence number 0 of the run
 * @given: messages that were handed in so far; written by who hands them in
 * @accepted: messages that the engine has accepted; written at the boundary
 * @taken: messages that the node has taken up; written by the node's shard
 * @offer: message number i is in entry i % @size until it is taken up
 *
 * The counts wrap.
 */
struct mcfab_inbox {
	struct llist_node ready;
	atomic_t listed;
	u32 node;
	u32 size;
	u32 base;
	u32 given;
	u32 accepted;
	u32 taken;
	struct mcfab_offer offer[];
};

/**
 * struct mcfab_outside_ops - what the engine tells the outside
 * @wait: may the run go on? Called at each boundary, by one thread, may sleep. Cycle @cycle is
 *	  over; before cycle @next (U64_MAX: at all) nothing happens but for messages that are
 *	  handed in, and nodes that are no longer full. @idle: nothing moves until then. If @ms is
 *	  not 0, it has to return after about so many milliseconds; in any case soon after
 *	  mcfab_outside_ops.kick(), or when a message is there. Returns the last cycle that is over
 *	  then, from @cycle to @next - 1
 * @kick: end @wait early. Any context but an interrupt
 * @links: links have failed or were mended: nodes of @cut (one bit each; NULL: none) have no link
 *	   that works. Called before the run begins, and at the boundary; may sleep
 * @end: the run has ended; nothing is called for it after this. At the boundary, may sleep
 * @deliver: the last flit of a message, generated in cycle @gen, has come to @node at the end of
 *	     @cycle. Called at the boundary, by one thread, in the order of cycles, messages and
 *	     nodes. Returns false if the node is full: it has taken this message, and should get
 *	     no further one for now
 * @takes: has a full node room again? Asked at each boundary for each full node
 * @sent: the tails of all packets that the source of a message sends have left it; it was
 *	  generated in cycle @gen. By several threads, by one for each source
 * @over: the engine has done with a message: what was not delivered up to now is lost. At the
 *	  boundary; for a message that no node can get by the thread of its source
 */
struct mcfab_outside_ops {
	u64 (*wait)(struct mcfab_outside *o, u64 cycle, u64 next,
		    bool idle, u32 ms);
	void (*kick)(struct mcfab_outside *o);
	void (*links)(struct mcfab_outside *o, const unsigned long *cut);
	void (*end)(struct mcfab_outside *o);
	bool (*deliver)(struct mcfab_outside *o, u64 cookie, u32 node, u64 gen, u64 cycle);
	bool (*takes)(struct mcfab_outside *o, u32 node);
	void (*sent)(struct mcfab_outside *o, u64 cookie, u64 gen);
	void (*over)(struct mcfab_outside *o, u64 cookie);
};

/**
 * struct mcfab_outside - the outside of a fabric
 * @ops: what the engine tells it
 * @ready: inboxes with messages that are not accepted
 * @log: log of the messages of a run, or NULL
 * @holds: in the next run messages for a full node wait in the network: the node grants them no
 *	   consumption channel
 * @inbox: [nodes] inbox of each node, NULL: it has none. An inbox may come during a run, and stays
 */
struct mcfab_outside {
	const struct mcfab_outside_ops *ops;
	struct llist_head ready;
	struct mcfab_arrivals *log;
	bool holds;
	struct mcfab_inbox **inbox;
};

int mcfab_outside_open(struct mcfab_outside *o, const struct mcfab_outside_ops *ops, u32 nodes);
void mcfab_outside_close(struct mcfab_outside *o, u32 nodes);
struct mcfab_inbox *mcfab_inbox_new(u32 node, u32 size);
bool mcfab_inbox_put(struct mcfab_outside *o, struct mcfab_inbox *in,
		     const struct mcfab_offer *offer);

/**
 * mcfab_inbox_room() - how many messages may be put into an inbox now
 * @in: the inbox
 *
 * Context: of who puts them there.
 * Return: their number.
 */
static inline u32 mcfab_inbox_room(const struct mcfab_inbox *in)
{
	/* pairs with the release of the node's shard: it has read the entry */
	return in->size - (in->given - smp_load_acquire(&in->taken));
}

/**
 * mcfab_offer_dests() - the destinations of a message
 * @offer: the message
 * @source: its source
 * @dst: [@offer->ndst] filled in
 *
 * Context: any.
 */
static inline void mcfab_offer_dests(const struct mcfab_offer *offer, u32 source, u32 *dst)
{
	u32 i;

	for (i = 0; i < offer->listed; i++)
		if (offer->dst[i] != source)
			*dst++ = offer->dst[i];
}

/** mcfab_inbox_at() - entry of a message, by its number; context: any */
static inline struct mcfab_offer *mcfab_inbox_at(struct mcfab_inbox *in, u32 nr)
{
	return &in->offer[nr & (in->size - 1)];
}

#endif
