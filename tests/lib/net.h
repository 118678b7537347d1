/* SPDX-License-Identifier: GPL-2.0 */
/* Networks, policies and plans for tests: everything asserts. */
#ifndef TESTS_NET_H
#define TESTS_NET_H

#include "plan/policy.h"
#include "plan/walk.h"
#include "topology/topology.h"

/** struct net - a network as policies see it */
struct net {
	struct mcfab_topo topo;
	struct mcfab_view view;
};

/** struct multicast - a policy and the plan it made of one multicast */
struct multicast {
	struct mcfab_policy pol;
	struct mcfab_plan plan;
	struct mcfab_walk walk;
	u32 *dst;
	u32 room;
	void *scratch;
	void *walk_mem;
	size_t walk_room;
	unsigned long *seen;
};

/* a mesh */
void net_init(struct net *net, u32 ndims, const u32 *radix);
void net_init_as(struct net *net, const char *topology, u32 ndims, const u32 *radix);
/* with @vcs virtual channels, and consumption channels for all of them */
void net_init_vcs(struct net *net, const char *topology, u32 ndims, const u32 *radix, u32 vcs);
void net_exit(struct net *net);
u32 net_node(const struct net *net, const u32 *coord);
/* the node of a star graph that is this permutation, as "2314" */
u32 net_star_node(const struct net *net, const char *symbols);

/* @set is "name=value name=value" */
int net_policy(struct net *net, struct mcfab_policy *pol, const char *name, const char *set,
	       struct mcfab_err *err);

void multicast_init(struct multicast *mc, struct net *net, const char *policy, const char *set,
		    u32 room);
void multicast_exit(struct multicast *mc);
/* Make the plan and check it with mcfab_plan_check(); @dst is copied. */
void multicast_plan(struct multicast *mc, u32 source, const u32 *dst, u32 ndst);

u64 rng(u64 *state);
u32 rng_below(u64 *state, u32 limit);
/* @ndst distinct nodes other than @source; @mark has a word per node, kept by the caller */
void random_set(u64 *state, u32 nodes, u32 source, u32 *dst, u32 ndst, u32 *mark);
/* how many destinations: all of them now and then, mostly few */
u32 random_size(u64 *state, u32 nodes);

/* number in the environment */
u64 env_number(const char *name, u64 fallback);
/* all cases of what has a fixed number of them: MCFAB_GROUPS is 200000 or more, or not given */
bool env_thorough(void);

#endif
