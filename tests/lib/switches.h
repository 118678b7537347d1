/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Networks with up*-down* routing for tests of policies, and what is legal on them, found
 * out anew from the links alone.
 */
#ifndef LIB_SWITCHES_H
#define LIB_SWITCHES_H

#include "lib/net.h"
#include "updown/updown.h"

/**
 * struct switches - a network
 * @net: as policies see it: buffers of 640 flits, one injection channel
 * @level: [routers] links to the root
 * @hops: [2 * routers * routers] hops of a shortest legal path by start, then phase (1: may
 *	  not go up), then end; UINT_MAX: there is none
 */
struct switches {
	struct net net;
	u32 *level;
	u32 *hops;
};

/* @graph is freed */
void switches_graph(struct switches *s, struct mcfab_graph *graph, u32 root);
void switches_regular(struct switches *s, const char *topology, u32 ndims, const u32 *radix,
		      u32 root);
/* a random irregular network, or each fourth time a regular one, with any root */
void switches_any(struct switches *s, u64 *state, u32 nr);
void switches_exit(struct switches *s);
/* does the channel that leaves by this port go up? */
bool switches_up(const struct switches *s, u32 sw, u32 port);
u32 switches_hops(const struct switches *s, u32 from, u32 to, bool down);

#endif
