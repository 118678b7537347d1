// SPDX-License-Identifier: GPL-2.0
/*
 * Separate addressing: one worm per destination, the baseline.
 *
 * The source sends a copy to each destination by a shortest path, nearest
 * destination first, equally near ones by id. As many worms leave at once as
 * the node has injection channels; the others follow in rounds.
 *
 * Shortest paths are, on meshes and hypercubes, dimension order; on tori, dimension order the
 * shorter way round each ring (two virtual channels; routing/torus.c has the rules between which
 * "ties" and "dateline" choose, and why none of them deadlocks); on star graphs, the first symbol
 * sent home (routing/star.c, as many virtual channels as the diameter). On a fabric with routing
 * updown they are shortest legal paths, and "nearest" is by their lengths.
 *
 * The papers name separate addressing without an order; nearest first is the
 * reading chosen here. No preparation time: there is nothing to group.
 *
 * Free of deadlock: each of these routings is, and up*-down* routing is with any virtual channels.
 */
#include "plan/policy.h"
#include "routing/cover.h"
#include "routing/routing.h"
#include "routing/turns.h"
#include "routing/updown.h"

enum {
	UNICAST_PARAM_ADAPTIVE,
	UNICAST_PARAM_TIES,
	UNICAST_PARAM_DATELINE,
};

/* the default first; by enum mcfab_ties */
static const char *const unicast_ties[] = { "balanced", "positive", "drawn", NULL };
static const char *const unicast_datelines[] = { "class-by-crossing", "at-crossing", NULL };

static const struct mcfab_param unicast_params[] = {
	[UNICAST_PARAM_ADAPTIVE] = MCFAB_PARAM_ADAPTIVE,
	[UNICAST_PARAM_TIES] = {
		.name	= "ties",
		.help	= "torus: which way round a ring where both are equally long",
		.type	= MCFAB_PARAM_KIND_CHOICE,
		.choices = unicast_ties,
	},
	[UNICAST_PARAM_DATELINE] = {
		.name	= "dateline",
		.help	= "torus: what the virtual channels on a ring go by, its wrap link",
		.type	= MCFAB_PARAM_KIND_CHOICE,
		.choices = unicast_datelines,
	},
};

struct unicast_priv {
	enum mcfab_base base;
	mcfab_hop_fn hop;	/* torus */
	bool drawn;		/* ties are drawn, packet by packet */
	bool by_crossing;
	bool adaptive;
};

/*
 * Refuses values other than the default of parameters that only tori have: the fabric is no torus,
 * or has up*-down* routing.
 */
static int unicast_refuse_torus(const struct mcfab_view *view, const u32 *values,
				struct mcfab_err *err)
{
	u32 i;

	for (i = UNICAST_PARAM_TIES; i <= UNICAST_PARAM_DATELINE; i++) {
		if (!values[i])
			continue;
		err->index = i;
		return mcfab_refuse(err, -EOPNOTSUPP, 0,
				    "%s %s needs a torus, and routing policy",
				    unicast_params[i].name, unicast_params[i].choices[values[i]]);
	}
	return 0;
}

static int unicast_init(const struct mcfab_view *view, const u32 *values, void *priv,
			struct mcfab_err *err)
{
	struct unicast_priv *unicast = priv;
	int ret;

	unicast->adaptive = values[UNICAST_PARAM_ADAPTIVE];
	if (view->updown || !(view->topo->ops->serve & MCFAB_POLICY_TORUS)) {
		ret = unicast_refuse_torus(view, values, err);
		if (ret)
			return ret;
	}
	if (view->updown)
		return 0;
	if (unicast->adaptive) {
		err->index = UNICAST_PARAM_ADAPTIVE;
		return mcfab_refuse(err, -EOPNOTSUPP, 0,
				    "adaptive needs a fabric with routing updown");
	}
	if (view->topo->ops->serve & MCFAB_POLICY_IRREGULAR)
		return mcfab_refuse(err, -EOPNOTSUPP, 0, "topology %s needs routing updown",
				    view->topo->ops->name);
	unicast->base = mcfab_base_unicast(view->topo);
	unicast->drawn = values[UNICAST_PARAM_TIES] == MCFAB_TIES_DRAWN;
	unicast->by_crossing = !values[UNICAST_PARAM_DATELINE];
	unicast->hop = mcfab_torus_hop(values[UNICAST_PARAM_TIES], unicast->by_crossing);
	return mcfab_base_check(view, unicast->base, err);
}

/* nearest first by shortest legal paths, then lowest id */
static void updown_prepare(const struct mcfab_view *view, u32 source, u32 *dst, u32 ndst,
			   struct mcfab_plan *plan, u64 *keys)
{
	const u32 *router = view->topo->router;
	u32 i;

	for (i = 0; i < ndst; i++)
		keys[i] = (u64)mcfab_updown_distance(view->updown, router[source], router[dst[i]],
						     MCFAB_UPDOWN_UP) << 32 | dst[i];
	mcfab_sort_keys(keys, ndst);
	for (i = 0; i < ndst; i++) {
		mcfab_plan_worm(plan, source, MCFAB_NONE, MCFAB_PORT_ANY, 0);
		mcfab_plan_dst(plan, keys[i]);
	}
}

static void unicast_prepare(const struct mcfab_view *view, const void *priv, u32 source,
			    u32 *dst, u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	if (view->updown)
		updown_prepare(view, source, dst, ndst, plan, scratch);
	else
		mcfab_cover_unicast(view->topo, source, MCFAB_NONE, dst, ndst, plan, scratch);
}

static void unicast_route(const struct mcfab_view *view, const void *priv,
			  const struct mcfab_header *hdr, struct mcfab_decision *out)
{
	const struct unicast_priv *unicast = priv;

	if (view->updown)
		mcfab_updown_path(view, hdr, unicast->adaptive, out);
	else if (unicast->base == MCFAB_BASE_TORUS)
		mcfab_route_hops(view, hdr, unicast->hop, out);
	else if (unicast->base == MCFAB_BASE_DIMENSION)
		mcfab_route_dimension(view, hdr, out);
	else
		mcfab_route_base(view, priv, hdr, out);
}

static u16 unicast_unicast_arg(const void *priv)
{
	const struct unicast_priv *unicast = priv;

	return unicast->base;
}

static bool unicast_turn(const struct mcfab_view *view, const void *priv,
			 const struct mcfab_turn *turn)
{
	const struct unicast_priv *unicast = priv;

	if (view->updown)
		return mcfab_turn_updown(view, priv, turn);
	if (unicast->base == MCFAB_BASE_TORUS && unicast->by_crossing)
		return mcfab_turn_crossing(view, turn);
	return mcfab_turn_base(view, turn, unicast->base);
}

/*
 * By the other rules, plans for one destination each say more than turns, unless packets between
 * the same two nodes go several ways.
 */
static bool unicast_turns(const struct mcfab_view *view, const void *priv)
{
	const struct unicast_priv *unicast = priv;

	return view->updown || unicast->base == MCFAB_BASE_DIMENSION ||
	       (unicast->base == MCFAB_BASE_TORUS &&
		(unicast->drawn || unicast->hop == mcfab_hop_torus));
}

static struct mcfab_policy_ops mcfab_unicast = {
	.owner		= THIS_MODULE,
	.name		= "unicast",
	.title		= "separate unicast worms on shortest paths",
	.flags		= MCFAB_UPDOWN_SERVES | MCFAB_POLICY_SINGLE | MCFAB_POLICY_OBLIVIOUS,
	.prep		= 0,
	.params		= unicast_params,
	.nparams	= ARRAY_SIZE(unicast_params),
	.priv_size	= sizeof(struct unicast_priv),
	.init		= unicast_init,
	.scratch	= mcfab_scratch_keys,
	.prepare	= unicast_prepare,
	.route		= unicast_route,
	.unicast_arg	= unicast_unicast_arg,
	.turn		= unicast_turn,
	.turns		= unicast_turns,
};
module_mcfab_policy(mcfab_unicast);

MODULE_ALIAS_MCFAB_POLICY("unicast");
MODULE_DESCRIPTION("mcfab policy: separate unicast");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(MCFAB);
