// SPDX-License-Identifier: GPL-2.0
/*
 * Torus two-phase multicast (TTPM).
 *
 * M. Darwish, A. Radwan, M. Abd El-Baky, K. Hamed, "TTPM - an efficient deadlock-free
 * algorithm for multicast communication in 2D torus networks" (2008); summarised in M.
 * Abd El-Baky, "A tree-based algorithm for multicasting in 2D torus networks" (2015).
 *
 * The torus is cut into two meshes by the position of the source, with the vertical wrap links in
 * use: rows 0 .. floor(n / 2) above the source are reached upwards, the others downwards. Phase 1
 * sends a main path through each mesh: up (down) the source's column to the farthest row with
 * destinations, and along this row on one side. In phase 2 the nodes of the column part send along
 * their rows, one worm to each side. See routing/cover_meshes.c.
 *
 * Reading: the 2015 paper only summarises TTPM ("an end node determined according to special
 * rules", "covers as many destinations as possible"). The definition here is the choice of mcfab:
 * the place of the cut, the side of the end row (the one with more destinations, right if both have
 * as many), at most two worms per node in phase 2. The paper says that TTPM "cannot include all the
 * destination nodes if the x-dimension is larger than the y-dimension": this definition leaves out
 * no destination.
 *
 * Free of deadlock: worms turn from y to x only; columns have a dateline, their wrap
 * link, from which on worms take q; rows are used as lines, without their wrap links.
 * Background unicasts are routed likewise: y first, the shorter way, then x as in a
 * mesh.
 */
#include "routing/cover.h"
#include "routing/routing.h"
#include "routing/turns.h"

/* dimension of the ring that is cut: columns, so the vertical wrap links */
#define TTPM_CUT	1

static void ttpm_prepare(const struct mcfab_view *view, const void *priv, u32 source, u32 *dst,
			 u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	mcfab_cover_meshes(view->topo, TTPM_CUT, source, dst, ndst, plan, scratch);
}

static u16 ttpm_unicast_arg(const void *priv)
{
	return TTPM_CUT;
}

static bool ttpm_turn(const struct mcfab_view *view, const void *priv,
		      const struct mcfab_turn *turn)
{
	return mcfab_turn_torus(view, turn, TTPM_CUT);
}

static struct mcfab_policy_ops mcfab_ttpm = {
	.owner		= THIS_MODULE,
	.name		= "ttpm",
	.title		= "TTPM: vertical wrap links (Darwish, Radwan, Abd El-Baky, Hamed)",
	.flags		= MCFAB_POLICY_TORUS | MCFAB_POLICY_OBLIVIOUS,
	.prep		= 0,
	.init		= mcfab_plane_init,
	.max_plan	= mcfab_max_meshes,
	.scratch	= mcfab_scratch_keys,
	.prepare	= ttpm_prepare,
	.route		= mcfab_route_meshes,
	.unicast_arg	= ttpm_unicast_arg,
	.turn		= ttpm_turn,
};
module_mcfab_policy(mcfab_ttpm);

MODULE_ALIAS_MCFAB_POLICY("ttpm");
MODULE_DESCRIPTION("mcfab policy: torus two-phase multicast");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(MCFAB);
