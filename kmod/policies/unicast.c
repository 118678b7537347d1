// SPDX-License-Identifier: GPL-2.0
/*
 * Separate addressing: one worm per destination, the baseline.
 *
 * The source sends a copy to each destination by dimension-order routing,
 * nearest destination first, equally near ones by id. As many worms leave at
 * once as the node has injection channels; the others follow in rounds.
 *
 * The papers name separate addressing without an order; nearest first is the
 * reading chosen here. No preparation time: there is nothing to group.
 *
 * Free of deadlock: dimension order is.
 */
#include "core/policy.h"
#include "routing/cover.h"

static void unicast_prepare(const struct mcfab_view *view, const void *priv, u32 source,
			    u32 *dst, u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	mcfab_cover_unicast(view->topo, source, MCFAB_NONE, dst, ndst, plan, scratch);
}

static size_t unicast_scratch(const struct mcfab_view *view, const void *priv, u32 ndst)
{
	return ndst * sizeof(u64);
}

static struct mcfab_policy_ops mcfab_unicast = {
	.owner		= THIS_MODULE,
	.name		= "unicast",
	.title		= "separate unicast worms, dimension order",
	.flags		= MCFAB_POLICY_MESH | MCFAB_POLICY_SINGLE,
	.prep		= 0,
	.scratch	= unicast_scratch,
	.prepare	= unicast_prepare,
	.route		= mcfab_route_base,
};
module_mcfab_policy(mcfab_unicast);

MODULE_ALIAS_MCFAB_POLICY("unicast");
MODULE_DESCRIPTION("mcfab policy: separate unicast");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(MCFAB);
