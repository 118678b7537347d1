// SPDX-License-Identifier: GPL-2.0
/*
 * Fixed multicast in the Hamiltonian-cycle model.
 *
 * N.-C. Wang, C.-P. Yen and C.-P. Chu, "Multicasting on wormhole-routed symmetric networks
 * with Hamiltonian cycle model" (2005), section 3.2.2.
 *
 * As hcm-uniform, but the cycle is divided, not the destinations: at the source and at a pivot half
 * way round, so that no worm goes farther than half the cycle. If the source's label is below c =
 * ceil(N / 2), the pivot is c labels above. A worm in the high network visits the destinations
 * strictly between source and pivot, and a worm in the low network all others. If the label is c or
 * more, the pivot is c labels below. A worm in the low network visits the destinations strictly
 * between, and a worm in the high network all others.
 *
 * Readings. The pivot itself is not strictly between, and so goes to the other set: to the low worm
 * in the first case, to the high worm in the second. For an odd N (rings only) a source with label
 * c - 1 has no pivot; the rule needs none. Routing and freedom from deadlock: routing/cycle.c. The
 * paper's examples: hcm_uniform.c.
 */
#include "plan/policy.h"
#include "routing/cycle.h"
#include "routing/turns.h"

static void hcm_fixed_prepare(const struct mcfab_view *view, const void *priv, u32 source,
			      u32 *dst, u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	struct mcfab_halves halves;

	mcfab_halve_fixed(view->topo, source, dst, ndst, &halves);
	mcfab_cover_halves(source, &halves, plan);
}

static struct mcfab_policy_ops mcfab_hcm_fixed = {
	.owner		= THIS_MODULE,
	.name		= "hcm-fixed",
	.title		= "Hamiltonian cycle, half of it each way (Wang, Yen, Chu)",
	.flags		= MCFAB_POLICY_TORUS | MCFAB_POLICY_STAR | MCFAB_POLICY_OBLIVIOUS,
	.init		= mcfab_cycle_init,
	.prepare	= hcm_fixed_prepare,
	.route		= mcfab_route_cycle,
	.unicast_arg	= mcfab_cycle_unicast_arg,
	.turn		= mcfab_turn_cycle,
};
module_mcfab_policy(mcfab_hcm_fixed);

MODULE_ALIAS_MCFAB_POLICY("hcm-fixed");
MODULE_DESCRIPTION("mcfab policy: fixed multicast in the Hamiltonian-cycle model");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(MCFAB);
