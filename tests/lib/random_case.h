/* SPDX-License-Identifier: GPL-2.0 */
/* Random fabrics and runs that are accepted, on networks of at most 36 nodes. */
#ifndef TESTS_RANDOM_CASE_H
#define TESTS_RANDOM_CASE_H

#include "base/config.h"

/* @low to @high */
u32 pick(u64 *state, u32 low, u32 high);
/* one chance in @n */
bool one_in(u64 *state, u32 n);
/*
 * All but the list of messages is filled in. The policies need those of lib/tree.h and
 * lib/shortest.h registered; a graph, if there is one, is to be freed.
 */
u32 random_case(u64 *state, struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc);
/* change one so that packets can be moved as a whole, in all variants of this */
void suit_worms(u64 *state, struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc);
/* give links of an irregular network delays of their own, in half of the cases; drawn apart */
void random_delays(u64 state, struct mcfab_fabric_cfg *fc);
/* ... and rates of their own, in half of the cases; likewise links of hosts, where they may */
void random_links(u64 state, struct mcfab_fabric_cfg *fc);
/* change some, so that messages have several lengths, up to the run's; drawn apart */
void vary_lengths(u64 state, const struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc);
/* change one so that worms can be moved by events at heads and tails, likewise */
bool suit_tails(u64 *state, struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc);
/* the same with worms that branch, or would do so if they had to wait for consumption channels */
void suit_trees(u64 *state, struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc);
/* the same so that flits are moved one by one by the rules of engine/flit/paths.c */
void suit_paths(u64 *state, struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc);
/* the same so that routers are those of BookSim2, with other delays and sizes */
void suit_booksim(u64 *state, struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc);
/* the same so that worms cruise, by the simplest rules or those of BookSim2's routers */
void suit_cruise(u64 *state, struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc);
/* the same so that the flits of worms are rows */
void suit_rows(u64 *state, struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc);
/* the same so that packets of one flit hop from buffer to buffer */
void suit_hops(u64 *state, struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc);

#endif
