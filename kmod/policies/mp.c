// SPDX-License-Identifier: GPL-2.0
/*
 * Multipath multicast (MP).
 *
 * X. Lin, P. McKinley and L. M. Ni, "Deadlock-free multicast wormhole routing in
 * 2D-mesh multicomputers" (1994); compared with in Al-Dubai, Ould-Khaoua and Mackenzie, "Trade-offs
 * between latency, complexity, and load balancing with multicast algorithms"
 * (2010), section 4.1.2, eqs. (11) and (12).
 *
 * As dual-path, but each of the two halves is divided further, so that a worm can leave through
 * every neighbour of the source. The destinations above the source's label are divided by
 * dimensions: its higher-labelled neighbour in dimension 0 takes the destinations strictly on its
 * side; of the remaining destinations, its higher-labelled neighbour in dimension 1 takes those
 * strictly on its side, and so on; the last dimension takes the rest. The destinations below are
 * divided in the same way. At most 2n worms on an n-dimensional mesh, each in label order, R in
 * between.
 *
 * The FIRST HOP is forced through the worm's own neighbour. Left to R, a worm whose destinations
 * are up the column could start along the row and share a channel with its sibling. With the forced
 * hop the worms of one source share no channel: each stays in its own box. R after the forced hop
 * is still minimal towards the first destination, and still only climbs (descends): by reflection
 * no destination of the subset has a label between the source's and the neighbour's.
 *
 * Reading: the papers give the split for two dimensions ("further two subsets");
 * the rule by dimensions is its extension to n. The 2010 paper's latencies (12)
 * take the worm's length as a sum of distances from the source, which no worm
 * walks; the walk here is destination to destination.
 *
 * Free of deadlock as dual-path is.
 */
#include "plan/policy.h"
#include "routing/cover.h"
#include "routing/turns.h"

static void mp_prepare(const struct mcfab_view *view, const void *priv, u32 source,
		       u32 *dst, u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	mcfab_cover_multi(view->topo, source, MCFAB_NONE, dst, ndst, plan, NULL);
}

static u16 mp_unicast_arg(const void *priv)
{
	return MCFAB_BASE_LABEL;
}

static bool mp_turn(const struct mcfab_view *view, const void *priv,
		    const struct mcfab_turn *turn)
{
	return mcfab_turn_base(view, turn, MCFAB_BASE_LABEL);
}

static struct mcfab_policy_ops mcfab_mp = {
	.owner		= THIS_MODULE,
	.name		= "mp",
	.title		= "multipath (Lin, McKinley, Ni)",
	.flags		= MCFAB_POLICY_MESH | MCFAB_POLICY_OBLIVIOUS,
	.prep		= 2,
	.prepare	= mp_prepare,
	.route		= mcfab_route_base,
	.unicast_arg	= mp_unicast_arg,
	.turn		= mp_turn,
};
module_mcfab_policy(mcfab_mp);

MODULE_ALIAS_MCFAB_POLICY("mp");
MODULE_DESCRIPTION("mcfab policy: multipath multicast");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(MCFAB);
