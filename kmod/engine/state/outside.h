/* SPDX-License-Identifier: GPL-2.0 */
/* What a run with messages from outside (workload/outside.h) notes about them. */
#ifndef MCFAB_ENGINE_STATE_OUTSIDE_H
#define MCFAB_ENGINE_STATE_OUTSIDE_H

#include "workload/outside.h"

/**
 * struct mcfab_handed - a message from outside that is under way
 * @cookie: by which the outside knows it
 * @asked: destinations for which it was handed in, reachable or not
 * @unsent: packets that its source sends and whose tails have not left it
 * @next: next message in its shard's list of those that are over
 */
struct mcfab_handed {
	u64 cookie;
	u32 asked;
	u32 unsent;
	u32 next;
};

/**
 * struct mcfab_handout - a delivery that the outside has not been told yet
 * @mcast: its message
 * @next: next delivery in its shard's list of this cycle, by its number in the log
 */
struct mcfab_handout {
	u32 mcast;
	u32 next;
};

/**
 * struct mcfab_outsides - messages from outside
 * @from: the outside; NULL: the run has another kind of traffic
 * @message: [messages under way]
 * @handout: [deliveries in the log]
 * @due: [deliveries in the log] deliveries that the outside has not been told, in the order in
 *	 which it is told
 * @ndue: how many
 * @full: [nodes, MCFAB_ENG_HOLDS] nodes that are full (struct mcfab_node), in any order
 * @nfull: how many
 * @most: messages for which there is room under way
 * @under_way: messages that are accepted and not over
 * @turn: [nodes] nodes whose inboxes have messages that are not accepted, in their turn: a ring
 * @first: the first one in it
 * @nturns: how many
 * @drain: set by any thread: accept no more messages, and end the run when all have arrived
 * @drained_by: cycle in which the run ends if messages are under way still; 0: it goes on
 * @rest: no message is under way, since the end of this cycle; 0: some are
 * @shown: since a page was written for readers, nothing has happened
 */
struct mcfab_outsides {
	struct mcfab_outside *from;
	struct mcfab_handed *message;
	struct mcfab_handout *handout;
	u32 *due;
	u32 ndue;
	u32 *full;
	u32 nfull;
	u32 most;
	atomic_t under_way;
	u32 *turn;
	u32 first;
	u32 nturns;
	bool drain;
	u64 drained_by;
	u64 rest;
	bool shown;
};

#endif
