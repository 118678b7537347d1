/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All ways that a worm may take: each header decision, for each virtual channel by which the header
 * may have come, and what the worm holds and asks for meanwhile.
 */
#ifndef MCFAB_VERIFY_EXPLORE_H
#define MCFAB_VERIFY_EXPLORE_H

#include "verify/waits.h"

/**
 * struct mcfab_held - a FIFO or pool that a worm may hold
 * @resource: which
 * @asked: the decision that asks for it
 * @branch: branch of that decision
 * @child: the decision of the header in it; MCFAB_NONE: none, or not yet. MCFAB_HELD_AS + i: the
 *	   same as that of entry i, where the header would be in the same FIFO in the same state
 * @first: the header's first destination
 * @last: one past the last
 * @state: the policy's word
 * @set: of a tree, a hash of the header's destinations
 * @search: number of the last search that found the entry below a branch
 */
struct mcfab_held {
	u32 resource;
	u32 asked;
	u32 branch;
	u32 child;
	u32 first;
	u32 last;
	u32 state;
	u32 search;
	u64 set;
};

/** MCFAB_HELD_AS - in mcfab_held.child, added to the number of an entry */
#define MCFAB_HELD_AS	BIT(31)

/**
 * struct mcfab_asked - a header decision
 * @held: entry of the resource with the header; MCFAB_NONE: it is injected here
 * @router: the header's router
 * @hops: channels that the header has crossed
 * @first: first entry that the decision asks for
 * @last: one past the last
 * @request: place of its first request in the list of requests, one for each branch
 * @branches: its branches
 */
struct mcfab_asked {
	u32 held;
	u32 router;
	u32 hops;
	u32 first;
	u32 last;
	u32 request;
	u32 branches;
};

/**
 * struct mcfab_explore - room to explore worms in, one after the other
 * @w: the graph to which edges are added
 * @pol: the policy
 * @checks: edges are not added, but compared with the turns that the policy declares
 * @out: the decision
 * @sender: node that sends the worm
 * @dst: [most entries of a plan] the worm's destinations
 * @held: entries
 * @nheld: how many
 * @held_room: for how many there is room
 * @asked: decisions
 * @nasked: how many
 * @asked_room: for how many there is room
 * @request: requests of decisions
 * @nrequests: how many
 * @request_room: for how many there is room
 * @stack: [@held_room] entries that are to be explored
 * @depth: how many
 * @met: [fifos] 1 + the last entry of this worm with that FIFO, 0: none
 * @search: number of the last search below a branch
 * @work: entries of all worms so far
 * @blame: what is wrong
 */
struct mcfab_explore {
	struct mcfab_waits *w;
	const struct mcfab_policy *pol;
	bool checks;
	struct mcfab_decision *out;
	u32 sender;
	u32 *dst;
	struct mcfab_held *held;
	u32 nheld;
	u32 held_room;
	struct mcfab_asked *asked;
	u32 nasked;
	u32 asked_room;
	u32 *request;
	u32 nrequests;
	u32 request_room;
	u32 *stack;
	u32 depth;
	u32 *met;
	u32 search;
	u64 work;
	struct mcfab_blame blame;
};

int mcfab_explore_open(struct mcfab_explore *e, struct mcfab_waits *w,
		       const struct mcfab_policy *pol);
void mcfab_explore_close(struct mcfab_explore *e);
int mcfab_explore_worm(struct mcfab_explore *e, const struct mcfab_plan_worm *worm, const u32 *dst,
		       u32 serial);

int mcfab_explore_edge(struct mcfab_explore *e, u32 from, u32 to);
u32 mcfab_explore_input(const struct mcfab_explore *e, const struct mcfab_asked *a);

/* siblings.c */
int mcfab_explore_siblings(struct mcfab_explore *e);

#endif
