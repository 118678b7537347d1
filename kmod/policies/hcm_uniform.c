// SPDX-License-Identifier: GPL-2.0
/*
 * Uniform multicast in the Hamiltonian-cycle model.
 *
 * N.-C. Wang, C.-P. Yen and C.-P. Chu, "Multicasting on wormhole-routed symmetric networks
 * with Hamiltonian cycle model" (2005), section 3.2.1.
 *
 * Source and destinations are sorted by label and rotated, so that the source is the first. One
 * worm visits the first ceil(n / 2) of the n destinations in this order, in the high network; a
 * second worm visits the others in the reverse order, in the low network. Both leave at once.
 * Between destinations a worm follows R; routing/cycle.c explains R, its virtual channels and why
 * it is free of deadlock.
 *
 * Readings. In the 4x4 torus of section 4.1 the paper prints (0,2) with label 2: that is (2,0). In
 * the 4-star of section 4.2 it lists 2314 (label 4) in both worms of the uniform example and 2413
 * (label 11) in the fixed example, but not in K. With 2413 in K and 2314 in the low worm only, both
 * examples have the printed lengths. The paper says nothing of preparation times: 0.
 *
 * Background unicasts go the way with fewer labels, and high if both ways have as many: by the rule
 * itself a single destination would always be visited in the high network.
 */
#include "plan/policy.h"
#include "routing/cycle.h"
#include "routing/turns.h"

static void hcm_uniform_prepare(const struct mcfab_view *view, const void *priv, u32 source,
				u32 *dst, u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	struct mcfab_halves halves;

	mcfab_halve_uniform(view->topo, source, dst, ndst, &halves);
	mcfab_cover_halves(source, &halves, plan);
}

static struct mcfab_policy_ops mcfab_hcm_uniform = {
	.owner		= THIS_MODULE,
	.name		= "hcm-uniform",
	.title		= "Hamiltonian cycle, as many destinations each way (Wang, Yen, Chu)",
	.flags		= MCFAB_POLICY_TORUS | MCFAB_POLICY_STAR | MCFAB_POLICY_OBLIVIOUS,
	.init		= mcfab_cycle_init,
	.prepare	= hcm_uniform_prepare,
	.route		= mcfab_route_cycle,
	.unicast_arg	= mcfab_cycle_unicast_arg,
	.turn		= mcfab_turn_cycle,
};
module_mcfab_policy(mcfab_hcm_uniform);

MODULE_ALIAS_MCFAB_POLICY("hcm-uniform");
MODULE_DESCRIPTION("mcfab policy: uniform multicast in the Hamiltonian-cycle model");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(MCFAB);
