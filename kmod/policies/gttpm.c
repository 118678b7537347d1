// SPDX-License-Identifier: GPL-2.0
/*
 * General torus two-phase multicast (GTTPM).
 *
 * M. Darwish, A. Radwan, M. Abd El-Baky, K. Hamed, "GTTPM - an efficient deadlock-free
 * multicast wormhole algorithm for communication in 2D torus multicomputers" (2005);
 * summarised in M. Abd El-Baky, "A tree-based algorithm for multicasting in 2D torus
 * networks" (2015).
 *
 * GTTPM is TTPM (policies/ttpm.c) with x and y exchanged. The cut uses the horizontal wrap links:
 * columns 0 .. floor(m / 2) to the right of the source are reached to the right, the others to the
 * left. Main paths go along the source's row and then along the farthest column with destinations,
 * phase 2 along the other columns. See routing/cover_meshes.c.
 *
 * Reading: as for TTPM, the 2015 paper only summarises it, and the definition is the choice of
 * mcfab.
 *
 * Free of deadlock as TTPM is: worms turn from x to y only, rows have datelines,
 * columns are used without their wrap links.
 */
#include "routing/cover.h"
#include "routing/routing.h"
#include "routing/turns.h"

/* dimension of the ring that is cut: rows, so the horizontal wrap links */
#define GTTPM_CUT	0

static void gttpm_prepare(const struct mcfab_view *view, const void *priv, u32 source, u32 *dst,
			  u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	mcfab_cover_meshes(view->topo, GTTPM_CUT, source, dst, ndst, plan, scratch);
}

static u16 gttpm_unicast_arg(const void *priv)
{
	return GTTPM_CUT;
}

static bool gttpm_turn(const struct mcfab_view *view, const void *priv,
		       const struct mcfab_turn *turn)
{
	return mcfab_turn_torus(view, turn, GTTPM_CUT);
}

static struct mcfab_policy_ops mcfab_gttpm = {
	.owner		= THIS_MODULE,
	.name		= "gttpm",
	.title		= "GTTPM: horizontal wrap links (Darwish, Radwan, Abd El-Baky, Hamed)",
	.flags		= MCFAB_POLICY_TORUS | MCFAB_POLICY_OBLIVIOUS,
	.prep		= 0,
	.init		= mcfab_plane_init,
	.max_plan	= mcfab_max_meshes,
	.scratch	= mcfab_scratch_keys,
	.prepare	= gttpm_prepare,
	.route		= mcfab_route_meshes,
	.unicast_arg	= gttpm_unicast_arg,
	.turn		= gttpm_turn,
};
module_mcfab_policy(mcfab_gttpm);

MODULE_ALIAS_MCFAB_POLICY("gttpm");
MODULE_DESCRIPTION("mcfab policy: general torus two-phase multicast");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(MCFAB);
