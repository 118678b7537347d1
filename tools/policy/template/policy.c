// SPDX-License-Identifier: GPL-2.0
/*
 * @NAME@: a worm for each destination. A beginning that works: change what it does.
 *
 * prepare() makes the worms of a message, route() says where a header goes at a router. Both are
 * pure: they may not sleep, allocate, print, look at a clock or remember anything. The engine
 * checks each plan and each decision, and a policy that is wrong ends the run as failed.
 */
#include "plan/policy.h"
#include "routing/routing.h"

/* What users may set: "policy @NAME@ farthest on". init() gets the values in this order. */
static const struct mcfab_param @ID@_params[] = {
	{
		.name	= "farthest",
		.help	= "the farthest destination first, not the nearest",
		.type	= MCFAB_PARAM_KIND_BOOL,
		.def	= false,
	},
};

/* What prepare() and route() have to know: the engine keeps it for each run. */
struct @ID@_priv {
	bool farthest;
};

/* Refuse here, by mcfab_refuse(), what the policy cannot do on this fabric. */
static int @ID@_init(const struct mcfab_view *view, const u32 *values, void *priv,
		     struct mcfab_err *err)
{
	struct @ID@_priv *own = priv;

	own->farthest = values[0];
	return 0;
}

/* Bytes of working space that prepare() needs for so many destinations. */
static size_t @ID@_scratch(const struct mcfab_view *view, const void *priv, u32 ndst)
{
	return ndst * sizeof(u64);
}

/*
 * mcfab_plan_worm() begins a worm: who sends it, after which worm (MCFAB_NONE: the source, at
 * once), by which port, and a word for route(). mcfab_plan_dst() gives it its next destination.
 */
static void @ID@_prepare(const struct mcfab_view *view, const void *priv, u32 source, u32 *dst,
			 u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	const struct @ID@_priv *own = priv;
	u64 *keys = scratch;
	u32 i, distance;

	for (i = 0; i < ndst; i++) {
		distance = mcfab_distance(view->topo, source, dst[i]);
		keys[i] = (u64)(own->farthest ? U32_MAX - distance : distance) << 32 | dst[i];
	}
	mcfab_sort_keys(keys, ndst);
	for (i = 0; i < ndst; i++) {
		mcfab_plan_worm(plan, source, MCFAB_NONE, MCFAB_PORT_ANY, 0);
		mcfab_plan_dst(plan, (u32)keys[i]);
	}
}

/* In dimension order, on all virtual channels: cannot deadlock on a mesh or a hypercube. */
static void @ID@_route(const struct mcfab_view *view, const void *priv,
		       const struct mcfab_header *hdr, struct mcfab_decision *out)
{
	mcfab_route_path(view, hdr, mcfab_step_dimension, out);
}

static struct mcfab_policy_ops mcfab_@ID@ = {
	.owner		= THIS_MODULE,
	.name		= "@NAME@",
	.title		= "@NAME@: who invented it, where it was published",
	.flags		= MCFAB_POLICY_MESH | MCFAB_POLICY_SINGLE | MCFAB_POLICY_OBLIVIOUS,
	.params		= @ID@_params,
	.nparams	= ARRAY_SIZE(@ID@_params),
	.priv_size	= sizeof(struct @ID@_priv),
	.init		= @ID@_init,
	.scratch	= @ID@_scratch,
	.prepare	= @ID@_prepare,
	.route		= @ID@_route,
};
module_mcfab_policy(mcfab_@ID@);

MODULE_ALIAS_MCFAB_POLICY("@NAME@");
MODULE_DESCRIPTION("mcfab policy: @NAME@");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(MCFAB);
