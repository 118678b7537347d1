/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Random irregular networks, and a policy for tests that follows shortest paths on
 * them: separate unicasts. It is not free of deadlock.
 */
#ifndef LIB_SHORTEST_H
#define LIB_SHORTEST_H

#include "plan/policy.h"
#include "topology/generate.h"

extern struct mcfab_policy_ops test_shortest;
/* the same as trees: one worm, copied to several hosts of a switch at once */
extern struct mcfab_policy_ops test_shortest_tree;

/* an empty graph; free() it */
struct mcfab_graph *graph_new(u32 switches, u32 hosts, u32 links);
/* a random network, to be freed; NULL: there is none like that */
struct mcfab_graph *graph_generate(const struct mcfab_generate *gen);
/* a connected one of up to @switches switches, 16 at most, with hosts in a random order */
struct mcfab_graph *graph_random(u64 *state, u32 switches);

#endif
