// SPDX-License-Identifier: GPL-2.0
/*
 * Column-path multicast (CP).
 *
 * R. V. Boppana, S. Chalasani and C. S. Raghavendra, "Resource deadlock and
 * performance of wormhole multicast routing algorithms" (1998); compared with in
 * Al-Dubai, Ould-Khaoua and Mackenzie, "Trade-offs between latency, complexity,
 * and load balancing with multicast algorithms" (2010), section 4.1.3, eq. (13).
 *
 * Each column (all nodes that differ in the last coordinate only) with destinations gets at most
 * two worms: one for the destinations in the source's row or above it, in ascending order, and one
 * for the destinations below, in descending order. A worm crosses to its column and then runs along
 * it. So the whole walk is one dimension-order path, and unicast and multicast worms together are
 * free of deadlock.
 *
 * There may be far more worms than injection channels: they leave in rounds, the longest worm (most
 * hops) first, equally long ones by column, upper before lower. The paper is silent on that order
 * and on rounds in n dimensions: eq. (13) multiplies one worm's latency by the number of rounds
 * lambda.
 */
#include "plan/policy.h"
#include "routing/cover.h"
#include "routing/turns.h"

static size_t cp_scratch(const struct mcfab_view *view, const void *priv, u32 ndst)
{
	return ndst * sizeof(u64);
}

static void cp_prepare(const struct mcfab_view *view, const void *priv, u32 source,
		       u32 *dst, u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	mcfab_cover_column(view->topo, source, MCFAB_NONE, dst, ndst, plan, scratch);
}

static bool cp_turn(const struct mcfab_view *view, const void *priv,
		    const struct mcfab_turn *turn)
{
	return mcfab_turn_dimension(turn);
}

static struct mcfab_policy_ops mcfab_cp = {
	.owner		= THIS_MODULE,
	.name		= "cp",
	.title		= "column-path (Boppana, Chalasani, Raghavendra)",
	.flags		= MCFAB_POLICY_MESH | MCFAB_POLICY_OBLIVIOUS,
	.prep		= 4,
	.scratch	= cp_scratch,
	.prepare	= cp_prepare,
	.route		= mcfab_route_base,
	.turn		= cp_turn,
};
module_mcfab_policy(mcfab_cp);

MODULE_ALIAS_MCFAB_POLICY("cp");
MODULE_DESCRIPTION("mcfab policy: column-path multicast");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(MCFAB);
