/* SPDX-License-Identifier: GPL-2.0 */
/* A plan that is being shown: nl_plan.c makes it, nl_plan_show.c shows it. */
#ifndef MCFAB_CONTROL_NL_PLAN_H
#define MCFAB_CONTROL_NL_PLAN_H

#include "control/nl.h"
#include "plan/walk.h"

enum mcfab_nl_plan_phase {
	MCFAB_NL_PLAN_ASKED,
	MCFAB_NL_PLAN_BUILDING,
	MCFAB_NL_PLAN_SUMMARY,
	MCFAB_NL_PLAN_WORMS,
	MCFAB_NL_PLAN_ARRIVALS,
	MCFAB_NL_PLAN_END,
};

struct mcfab_nl_arrival {
	u64 node;
	u64 cycle;
};

/** MCFAB_NL_PLANS - most plans of a network namespace that are made or shown at a time */
#define MCFAB_NL_PLANS		64
/** MCFAB_NL_PLAN_SHARE - all plans of a namespace take at most max_memory_mb divided by this */
#define MCFAB_NL_PLAN_SHARE	4

/**
 * struct mcfab_nl_plan - a plan that is being shown
 * @fabric: its fabric, held
 * @policy: its policy, if @policy.ops is set
 * @plan: its worms
 * @walk: the walk over them
 * @cost: its cost
 * @arrivals: [@cost.ndst] sorted by node
 * @dst: [@ndst] destinations of the request
 * @ndst: how many
 * @scratch: of the policy's prepare()
 * @memory: memory of the walk
 * @phase: position of the dump
 * @worm: next worm, or arrival
 * @fresh: no part of that worm was shown yet
 * @next_dst: next destination of the worm
 * @next_hop: next entry of the worm's list of hops
 * @hops: entries of that list
 * @table: packets follow the tables of @fabric's subnet, which may change between messages
 * @generation: of the subnet when the plan was made
 * @bytes: memory charged
 * @too_big: the plans of the namespace would take more than they may
 * @updown: the routing by which it was made, held: links may fail while the plan is shown
 */
struct mcfab_nl_plan {
	struct mcfab_nl_fabric *fabric;
	struct mcfab_policy policy;
	struct mcfab_plan plan;
	struct mcfab_walk walk;
	struct mcfab_prediction cost;
	struct mcfab_nl_arrival *arrivals;
	u32 *dst;
	u32 ndst;
	void *scratch;
	void *memory;
	enum mcfab_nl_plan_phase phase;
	u32 worm;
	bool fresh;
	u32 next_dst;
	u32 next_hop;
	u32 hops;
	bool table;
	u32 generation;
	u64 bytes;
	bool too_big;
	struct mcfab_updown *updown;
};

struct mcfab_nl_plan_ctx {
	struct mcfab_nl_plan *plan;
};

int mcfab_nl_plan_work(const struct genl_info *info, struct mcfab_nl_plan *p);

#endif
