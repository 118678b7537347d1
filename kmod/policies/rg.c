// SPDX-License-Identifier: GPL-2.0
/*
 * Ready groups (RG).
 *
 * M. G. Darwish, A. A. Radwan, M. A. Abd El-Baky and K. Hamed, "Ready groups: a path-based
 * multicast algorithm for 2D torus networks" (2010); described in M. A. Abd El-Baky, "A
 * tree-based algorithm for multicasting in 2D torus networks" (2015).
 *
 * The halves are those of hcm-fixed. Each half, in the order of travel, is divided into groups of
 * ceil(sqrt(count)) destinations, of which the last may have fewer. The first destination of a
 * group is its leader. Step 1: one worm for each half through its leaders. Step 2: a leader that
 * has the whole message sends one worm through the rest of its group, on in the same network.
 *
 *	source --step 1--> leader ------> leader ------> leader
 *	                     `--> rest      `--> rest      `--> rest
 *
 * Readings. The 2015 paper has these two steps, but does not say how many groups there are nor how
 * they are formed, and has the destination nearest to the source as leader. The division by square
 * roots, which balances the two steps, is the choice of mcfab, and so is the first destination in
 * the order of travel as the nearest one. The algorithm does not depend on two dimensions: star
 * graphs and other tori are served, too.
 *
 * Free of deadlock like the other policies of the cycle (routing/cycle.c): a leader sends when it
 * has the whole message, so the worm of step 1 waits for no worm of step 2. The way of a group is a
 * part of the half's way round the cycle: from p on, over the boundary link once at most.
 */
#include "plan/policy.h"
#include "routing/cycle.h"
#include "routing/turns.h"

/* Destinations of a group, leader included. */
static u32 group_size(u32 count)
{
	u32 root = int_sqrt(count);

	return root * root < count ? root + 1 : root;
}

/* Step 1 of a half. */
static void cover_leaders(u32 source, const struct mcfab_halves *halves, enum mcfab_cycle half,
			  struct mcfab_plan *plan)
{
	u32 count = mcfab_half_count(halves, half), size = group_size(count), i;

	if (count)
		mcfab_plan_worm(plan, source, MCFAB_NONE, MCFAB_PORT_ANY, half);
	for (i = 0; i < count; i += size)
		mcfab_plan_dst(plan, mcfab_half_at(halves, half, i));
}

/* Step 2 of a half of which step 1 was worm @after. */
static void cover_groups(u32 after, const struct mcfab_halves *halves, enum mcfab_cycle half,
			 struct mcfab_plan *plan)
{
	u32 count = mcfab_half_count(halves, half), size = group_size(count), lead, i;

	for (lead = 0; lead < count; lead += size) {
		u32 end = min(lead + size, count);

		if (lead + 1 == end)
			continue;
		mcfab_plan_worm(plan, mcfab_half_at(halves, half, lead), after, MCFAB_PORT_ANY,
				half);
		for (i = lead + 1; i < end; i++)
			mcfab_plan_dst(plan, mcfab_half_at(halves, half, i));
	}
}

static void rg_prepare(const struct mcfab_view *view, const void *priv, u32 source,
		       u32 *dst, u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	struct mcfab_halves halves;

	mcfab_halve_fixed(view->topo, source, dst, ndst, &halves);
	cover_leaders(source, &halves, MCFAB_CYCLE_HIGH, plan);
	cover_leaders(source, &halves, MCFAB_CYCLE_LOW, plan);
	cover_groups(0, &halves, MCFAB_CYCLE_HIGH, plan);
	cover_groups(halves.high ? 1 : 0, &halves, MCFAB_CYCLE_LOW, plan);
}

static struct mcfab_policy_ops mcfab_rg = {
	.owner		= THIS_MODULE,
	.name		= "rg",
	.title		= "ready groups (Darwish, Radwan, Abd El-Baky, Hamed)",
	.flags		= MCFAB_POLICY_TORUS | MCFAB_POLICY_STAR | MCFAB_POLICY_OBLIVIOUS,
	.init		= mcfab_cycle_init,
	.prepare	= rg_prepare,
	.route		= mcfab_route_cycle,
	.unicast_arg	= mcfab_cycle_unicast_arg,
	.turn		= mcfab_turn_cycle,
};
module_mcfab_policy(mcfab_rg);

MODULE_ALIAS_MCFAB_POLICY("rg");
MODULE_DESCRIPTION("mcfab policy: ready groups");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(MCFAB);
