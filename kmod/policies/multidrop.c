// SPDX-License-Identifier: GPL-2.0
/*
 * Multi-drop path worms.
 *
 * Irregular paper, sections 5.2.2 to 5.2.5: a worm visits the switches of a partial ordered chain
 * one after the other, drops copies at its destinations there and goes on. routing/chains.c makes
 * the chains (Fig. 13), routing/phases.c gives each worm a sender. There are never more worms than
 * switches with destinations, so never more than with policy ssr.
 *
 * A worm goes piece by piece on shortest legal paths: up and down to its first switch, and from
 * there on only down, because no way between switches of a chain is as short as the one that goes
 * down a level with each link (Theorem 4). The whole way is a legal one (Theorem 5).
 *
 * Free of deadlock if buffers hold whole packets: a copy that waits for its host does not hold up
 * the worm.
 */
#include "routing/phases.h"
#include "routing/turns.h"

static const struct mcfab_param multidrop_params[] = {
	MCFAB_PARAM_SCHEDULE,
	MCFAB_PARAM_ADAPTIVE,
	MCFAB_PARAM_SMALL_BUFFERS,
};

static void multidrop_prepare(const struct mcfab_view *view, const void *priv, u32 source,
			      u32 *dst, u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	mcfab_phases_plan(view, priv, source, dst, ndst, false, plan, scratch);
}

static struct mcfab_policy_ops mcfab_multidrop = {
	.owner		= THIS_MODULE,
	.name		= "multidrop",
	.title		= "multi-drop path worms along partial ordered chains, in phases",
	.flags		= MCFAB_UPDOWN_SERVES | MCFAB_POLICY_COPIES,
	.params		= multidrop_params,
	.nparams	= ARRAY_SIZE(multidrop_params),
	.priv_size	= sizeof(struct mcfab_phases),
	.init		= mcfab_phases_init,
	.scratch	= mcfab_phases_scratch,
	.prepare	= multidrop_prepare,
	.route		= mcfab_phases_route,
	.header_flits	= mcfab_phases_header,
	.turn		= mcfab_turn_updown,
};
module_mcfab_policy(mcfab_multidrop);

MODULE_ALIAS_MCFAB_POLICY("multidrop");
MODULE_DESCRIPTION("mcfab policy: multi-drop path worms");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(MCFAB);
