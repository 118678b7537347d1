/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Channel dependencies: lane a to lane b if a worm may hold a while it asks for b. A
 * lane is a virtual channel of a channel, however the caller numbers them.
 */
#ifndef TESTS_GRAPH_H
#define TESTS_GRAPH_H

#include "lib/net.h"

/** struct graph - the dependencies of a small network */
struct graph {
	u32 lanes;
	u8 *edge;	/* [lanes * lanes] */
	u8 *colour;
};

void graph_init(struct graph *g, u32 lanes);
void graph_exit(struct graph *g);
bool graph_cyclic(struct graph *g);
/*
 * walk a policy's background unicast as the engine would, into @g or NULL, as packet @serial of its
 * sender; returns its hops
 */
u32 graph_unicast(struct graph *g, struct multicast *mc, u32 from, u32 to, u32 serial);

static inline void graph_edge(struct graph *g, u32 a, u32 b)
{
	g->edge[(size_t)a * g->lanes + b] = 1;
}

#endif
