/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The plan of a multicast: which worms carry it, who sends them and after what.
 * A policy's prepare() writes it, the engine runs it, the dry walk shows it.
 */
#ifndef MCFAB_PLAN_H
#define MCFAB_PLAN_H

#include "base/types.h"

/**
 * MCFAB_DST_RELAY - set in an entry of dst[]: the node receives to send on, and is no destination
 */
#define MCFAB_DST_RELAY		BIT(31)

/**
 * struct mcfab_plan_worm - one worm of a plan
 * @sender: the node that sends it
 * @after: the worm of this plan whose full arrival at @sender starts it;
 *	   MCFAB_NONE: sent by the multicast's source
 * @first: where its destinations start in the plan's dst[]
 * @count: how many destinations it has, in the order of visits (trees: any order)
 * @round: group of at most "inject" worms that one sender sends at once, from 0;
 *	   set by mcfab_plan_prepare(), not by the policy
 * @step: 1 for worms of the source, else one more than the step of @after
 * @port: forced first output port, or MCFAB_PORT_ANY
 * @arg: the policy's own word for its route(): which routing function, …
 */
struct mcfab_plan_worm {
	u32 sender;
	u32 after;
	u32 first;
	u32 count;
	u32 round;
	u16 step;
	u16 port;
	u16 arg;
};

/**
 * struct mcfab_plan - all worms of one multicast
 * @nworms: worms so far
 * @ndst: entries of @dst so far
 * @max_worms: room in @worm
 * @max_dst: room in @dst
 * @group: set by the caller: number of the multicast group the message is for, or
 *	   MCFAB_NONE
 * @worm: the worms: step 1 in the policy's list order, later steps by sender in
 *	  delivery order, then list order
 * @dst: destinations of the worms
 */
struct mcfab_plan {
	u32 nworms;
	u32 ndst;
	u32 max_worms;
	u32 max_dst;
	u32 group;
	struct mcfab_plan_worm *worm;
	u32 *dst;
};

/**
 * mcfab_plan_worm() - open a new worm at the end of a plan
 * @plan: the plan
 * @sender: node that sends it
 * @after: index of the worm for which the sender waits, or MCFAB_NONE
 * @port: forced first port or MCFAB_PORT_ANY
 * @arg: the policy's word
 *
 * Destinations are then added with mcfab_plan_dst(). Policies size the plan by their max_plan(), so
 * that there is always room. The check in mcfab_plan_prepare() stops a policy that overruns its own
 * bound, and a policy whose plan does not serve the request.
 *
 * Return: the worm's index.
 */
static inline u32 mcfab_plan_worm(struct mcfab_plan *plan, u32 sender, u32 after,
				  u16 port, u16 arg)
{
	u32 index = plan->nworms++;
	struct mcfab_plan_worm *worm;

	if (index >= plan->max_worms)
		return index;
	worm = &plan->worm[index];
	worm->sender = sender;
	worm->after = after;
	worm->first = plan->ndst;
	worm->count = 0;
	worm->step = 1;
	if (after != MCFAB_NONE && after < index)
		worm->step = plan->worm[after].step + 1;
	worm->round = 0;
	worm->port = port;
	worm->arg = arg;
	return index;
}

/** mcfab_plan_dst() - add destination @dst (or relay, see MCFAB_DST_RELAY) to the newest worm */
static inline void mcfab_plan_dst(struct mcfab_plan *plan, u32 dst)
{
	u32 index = plan->ndst++;

	if (index >= plan->max_dst || !plan->nworms || plan->nworms > plan->max_worms)
		return;
	plan->dst[index] = dst;
	plan->worm[plan->nworms - 1].count++;
}

#endif
