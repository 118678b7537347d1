// SPDX-License-Identifier: GPL-2.0
/*
 * Separate addressing: one worm per destination, the baseline.
 *
 * The source sends a copy to each destination by a shortest path, nearest
 * destination first, equally near ones by id. As many worms leave at once as
 * the node has injection channels; the others follow in rounds.
 *
 * Shortest paths are, on meshes and hypercubes, dimension order; on tori, dimension
 * order the shorter way round each ring (routing/torus.c, two virtual channels); on
 * star graphs, the first symbol sent home (routing/star.c, as many virtual channels as
 * the diameter).
 *
 * The papers name separate addressing without an order; nearest first is the
 * reading chosen here. No preparation time: there is nothing to group.
 *
 * Free of deadlock: each of these routings is.
 */
#include "core/policy.h"
#include "routing/cover.h"
#include "routing/routing.h"

struct unicast_priv {
	enum mcfab_base base;
};

static int unicast_init(const struct mcfab_view *view, const u32 *values, void *priv,
			struct mcfab_err *err)
{
	struct unicast_priv *unicast = priv;

	unicast->base = mcfab_base_unicast(view->topo);
	return mcfab_base_check(view, unicast->base, err);
}

static void unicast_prepare(const struct mcfab_view *view, const void *priv, u32 source,
			    u32 *dst, u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	mcfab_cover_unicast(view->topo, source, MCFAB_NONE, dst, ndst, plan, scratch);
}

static u16 unicast_unicast_arg(const void *priv)
{
	const struct unicast_priv *unicast = priv;

	return unicast->base;
}

static struct mcfab_policy_ops mcfab_unicast = {
	.owner		= THIS_MODULE,
	.name		= "unicast",
	.title		= "separate unicast worms on shortest paths",
	.flags		= MCFAB_POLICY_MESH | MCFAB_POLICY_TORUS | MCFAB_POLICY_STAR |
			  MCFAB_POLICY_SINGLE,
	.prep		= 0,
	.priv_size	= sizeof(struct unicast_priv),
	.init		= unicast_init,
	.scratch	= mcfab_scratch_keys,
	.prepare	= unicast_prepare,
	.route		= mcfab_route_base,
	.unicast_arg	= unicast_unicast_arg,
};
module_mcfab_policy(mcfab_unicast);

MODULE_ALIAS_MCFAB_POLICY("unicast");
MODULE_DESCRIPTION("mcfab policy: separate unicast");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(MCFAB);
