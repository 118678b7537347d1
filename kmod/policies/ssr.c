// SPDX-License-Identifier: GPL-2.0
/*
 * Single switch replication (SSR).
 *
 * Irregular paper, section 5.2.1: one worm for each switch with destinations goes there by a
 * shortest legal up*-down* path, and the switch copies it to all of them. There are several phases:
 * destinations that have the message send worms on, by the Greedy or the Less Greedy algorithm of
 * section 5.2.5 (routing/phases.c). A worm to the sender's own switch crosses no link.
 *
 * Reading: the paper leaves open which of two worms with as many destinations goes first; the order
 * of Figs. 15(a) and 16(a) is that in which chains are stripped (routing/chains.c), as for policy
 * multidrop.
 *
 * Free of deadlock if buffers hold whole packets: a copy that waits for its host does not hold up
 * the other copies.
 */
#include "routing/phases.h"
#include "routing/turns.h"

static const struct mcfab_param ssr_params[] = {
	MCFAB_PARAM_SCHEDULE,
	MCFAB_PARAM_ADAPTIVE,
	MCFAB_PARAM_SMALL_BUFFERS,
};

static void ssr_prepare(const struct mcfab_view *view, const void *priv, u32 source, u32 *dst,
			u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	mcfab_phases_plan(view, priv, source, dst, ndst, true, plan, scratch);
}

/* Fig. 12(a): all destinations of a worm are on one switch */
static u32 ssr_header(const struct mcfab_view *view, const void *priv, const u32 *dst, u32 first,
		      u32 last)
{
	return mcfab_phases_header(view, priv, dst, first, dst ? last : first + 1);
}

static struct mcfab_policy_ops mcfab_ssr = {
	.owner		= THIS_MODULE,
	.name		= "ssr",
	.title		= "single switch replication, in phases",
	.flags		= MCFAB_UPDOWN_SERVES | MCFAB_POLICY_COPIES,
	.params		= ssr_params,
	.nparams	= ARRAY_SIZE(ssr_params),
	.priv_size	= sizeof(struct mcfab_phases),
	.init		= mcfab_phases_init,
	.scratch	= mcfab_phases_scratch,
	.prepare	= ssr_prepare,
	.route		= mcfab_phases_route,
	.header_flits	= ssr_header,
	.turn		= mcfab_turn_updown,
};
module_mcfab_policy(mcfab_ssr);

MODULE_ALIAS_MCFAB_POLICY("ssr");
MODULE_DESCRIPTION("mcfab policy: single switch replication");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(MCFAB);
