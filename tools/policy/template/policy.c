// SPDX-License-Identifier: GPL-2.0
/*
 * my-policy: a worm for each destination. A beginning that works: change what it does.
 *
 * prepare() makes the worms of a message, route() says where a header goes at a router. Both are
 * pure: they may not sleep, allocate, print, look at a clock or remember anything. The engine
 * checks each plan and each decision, and a policy that is wrong ends the run as failed.
 */
#include "plan/policy.h"
#include "routing/routing.h"

/* What users may set: "policy my-policy farthest on". init() gets the values in this order. */
static const struct mcfab_param my_policy_params[] = {
	{
		.name	= "farthest",
		.help	= "the farthest destination first, not the nearest",
		.type	= MCFAB_PARAM_KIND_BOOL,
		.def	= false,
	},
};

/* What prepare() and route() have to know: the engine keeps it for each run. */
struct my_policy_priv {
	bool farthest;
};

/* Refuse here, by mcfab_refuse(), what the policy cannot do on this fabric. */
static int my_policy_init(const struct mcfab_view *view, const u32 *values, void *priv,
			  struct mcfab_err *err)
{
	struct my_policy_priv *own = priv;

	own->farthest = values[0];
	return 0;
}

/* Bytes of working space that prepare() needs for so many destinations. */
static size_t my_policy_scratch(const struct mcfab_view *view, const void *priv, u32 ndst)
{
	return ndst * sizeof(u64);
}

/*
 * mcfab_plan_worm() begins a worm: who sends it, after which worm (MCFAB_NONE: the source, at
 * once), by which port, and a word for route(). mcfab_plan_dst() gives it its next destination.
 */
static void my_policy_prepare(const struct mcfab_view *view, const void *priv, u32 source, u32 *dst,
			      u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	const struct my_policy_priv *own = priv;
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
static void my_policy_route(const struct mcfab_view *view, const void *priv,
			    const struct mcfab_header *hdr, struct mcfab_decision *out)
{
	mcfab_route_path(view, hdr, mcfab_step_dimension, out);
}

static struct mcfab_policy_ops mcfab_my_policy = {
	.owner		= THIS_MODULE,
	.name		= "my-policy",
	.title		= "my-policy: who invented it, where it was published",
	.flags		= MCFAB_POLICY_MESH | MCFAB_POLICY_SINGLE | MCFAB_POLICY_OBLIVIOUS,
	.params		= my_policy_params,
	.nparams	= ARRAY_SIZE(my_policy_params),
	.priv_size	= sizeof(struct my_policy_priv),
	.init		= my_policy_init,
	.scratch	= my_policy_scratch,
	.prepare	= my_policy_prepare,
	.route		= my_policy_route,
};
module_mcfab_policy(mcfab_my_policy);

MODULE_ALIAS_MCFAB_POLICY("my-policy");
MODULE_DESCRIPTION("mcfab policy: my-policy");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(MCFAB);
