/* SPDX-License-Identifier: GPL-2.0 */
/* Plans of the policies of two-dimensional tori, and what each has to keep to. */
#ifndef TESTS_TORUS_H
#define TESTS_TORUS_H

#include "lib/graph.h"
#include "lib/net.h"

/** struct torus - a policy on a torus, and what its worms have used */
struct torus {
	struct net net;
	struct multicast mc;
	struct graph *graph;	/* or NULL */
	bool tree;
	u32 ring;		/* dimension whose wrap links are used; 2: both */
	u32 worm;		/* worms so far, a stamp */
	u32 *entry;		/* by node: stamp of the worm that has it in its list */
	u32 *seen;		/* by router: stamp of the worm whose header was here */
	u32 *lane;		/* by router: lane by which it came */
	u8 *high;		/* by router: it came on q */
	u64 *used;		/* by channel: multicast and sender that took it last */
	u64 multicasts;
};

/* @m columns, @n rows, 2 VCs, buffers of a packet */
void torus_open(struct torus *c, const char *policy, u32 m, u32 n);
void torus_close(struct torus *c);
/*
 * Make a plan and check all that it promises: deliveries once, channels that exist, p
 * and q, no more worms than the policy may make. @dst is copied.
 */
void torus_multicast(struct torus *c, u32 source, const u32 *dst, u32 ndst);
u32 torus_node(const struct torus *c, u32 x, u32 y);
/* fills in all nodes but @source, returns how many */
u32 torus_everyone(u32 nodes, u32 source, u32 *dst);
/* opening the policy ends with @code; if that is an error, its reason has @want in it */
void torus_refused(struct net *net, const char *policy, const char *set, int code,
		   const char *want);
/* MCFAB_GROUPS, by default 20000 */
u32 torus_groups(void);

#endif
