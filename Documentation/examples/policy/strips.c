// SPDX-License-Identifier: GPL-2.0
/*
 * An example of a policy: dual-path with several worms up and several down. The
 * destinations above the source's label are divided into equal strips of labels,
 * each visited by a worm of its own in ascending order; the same downwards.
 *
 * Free of deadlock as dual-path is: a worm only climbs or only descends.
 */
#include "plan/policy.h"
#include "routing/cover.h"
#include "routing/routing.h"

struct strips_priv {
	u32 worms;
};

static const struct mcfab_param strips_params[] = {
	{
		.name	= "worms",
		.help	= "most worms in each direction",
		.type	= MCFAB_PARAM_KIND_U32,
		.min	= 1,
		.max	= 64,
		.def	= 2,
	},
};

static int strips_init(const struct mcfab_view *view, const u32 *values, void *priv,
		       struct mcfab_err *err)
{
	struct strips_priv *strips = priv;

	strips->worms = values[0];
	if (strips->worms > view->inject) {
		err->index = 0;
		return mcfab_refuse(err, -EINVAL, 0, "worms %u is more than inject %u",
				    strips->worms, view->inject);
	}
	return 0;
}

/* @count destinations from @dst on, one after the other in the direction of @step */
static void send(struct mcfab_plan *plan, u32 source, const u32 *dst, u32 count, int step,
		 u32 worms)
{
	u32 strip = DIV_ROUND_UP(count, worms), i;

	for (i = 0; i < count; i++, dst += step) {
		if (i % strip == 0)
			mcfab_plan_worm(plan, source, MCFAB_NONE, MCFAB_PORT_ANY,
					MCFAB_BASE_LABEL);
		mcfab_plan_dst(plan, *dst);
	}
}

static void strips_prepare(const struct mcfab_view *view, const void *priv, u32 source,
			   u32 *dst, u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	const struct strips_priv *strips = priv;
	const u32 *label = view->topo->label;
	u32 below = 0;

	mcfab_sort_labels(view->topo, dst, ndst, false);
	while (below < ndst && label[dst[below]] < label[source])
		below++;
	send(plan, source, dst + below, ndst - below, 1, strips->worms);
	if (below)
		send(plan, source, dst + below - 1, below, -1, strips->worms);
}

static u16 strips_unicast_arg(const void *priv)
{
	return MCFAB_BASE_LABEL;
}

static struct mcfab_policy_ops mcfab_strips = {
	.owner		= THIS_MODULE,
	.name		= "strips",
	.title		= "an example: dual-path with several worms each way",
	.flags		= MCFAB_POLICY_MESH,
	.prep		= 2,
	.params		= strips_params,
	.nparams	= ARRAY_SIZE(strips_params),
	.priv_size	= sizeof(struct strips_priv),
	.init		= strips_init,
	.prepare	= strips_prepare,
	.route		= mcfab_route_base,
	.unicast_arg	= strips_unicast_arg,
};
module_mcfab_policy(mcfab_strips);

MODULE_ALIAS_MCFAB_POLICY("strips");
MODULE_DESCRIPTION("mcfab policy: an example");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(MCFAB);
