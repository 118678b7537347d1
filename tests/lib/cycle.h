/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The policies that follow a Hamiltonian cycle as they are defined, with other means than
 * the module: sets in the order of the cycle node by node, R by its six cases.
 */
#ifndef TESTS_CYCLE_H
#define TESTS_CYCLE_H

#include "lib/graph.h"
#include "lib/net.h"

/** struct cycle_worm - a worm that a plan should have */
struct cycle_worm {
	u32 sender, after, first, count;
	bool high;
};

/** struct cycle_check - a policy under test */
struct cycle_check {
	struct net *net;
	struct multicast mc;
	u64 number;		/* of the multicast, for messages */
	struct graph *graph;	/* where dependencies go, or NULL */
	bool merge_lanes;	/* the graph has channels, not virtual channels */
	bool multipath, rg, fixed;
	u8 *member;		/* by node: a destination? */
	u32 *order;		/* destinations as the cycle meets them, later by halves */
	struct cycle_worm *worm;
	u32 *dst;		/* of the worms */
	u32 nworms, ndst;
};

void cycle_check_init(struct cycle_check *c, struct net *net, const char *policy, u32 room);
void cycle_check_exit(struct cycle_check *c);
/* plan a multicast and check all of it, hop by hop */
void cycle_check(struct cycle_check *c, u32 source, const u32 *dst, u32 ndst);
void cycle_check_unicast(struct cycle_check *c, u32 from, u32 to);

#endif
