// SPDX-License-Identifier: GPL-2.0
/*
 * Qualified groups (QG).
 *
 * A. Y. Al-Dubai, M. Ould-Khaoua, L. M. Mackenzie, "Trade-offs between latency,
 * complexity, and load balancing with multicast algorithms" (2010), section 3.
 *
 * Phase 1: the multicast area is the bounding box of source and destinations;
 * each dimension is halved at mid = floor((l + u) / 2) into l .. mid and
 * mid + 1 .. u.
 * Phase 2: primary groups are the non-empty orthants of the area, at most 2^n.
 * Phase 3: with p_n and p_f the nearest and the farthest destination of a group
 * to the source, its weight is W = Dist(p_f, p_n) + N + Dist(p_n, source). It is
 * qualified if W <= (1 + TD) * W_av, where W_av is the mean over the primary
 * groups and is never computed again. While a primary group has unqualified
 * parts of more than one destination and fewer than 2^n parts, the heaviest of
 * them is cut at the middle of its own box (destinations only) along its own
 * divisor dimension: the one whose halves differ least in their destinations.
 * Phase 4: the destination nearest to the source represents its group. Step 1
 * covers the representatives; step 2 starts at each representative when it has
 * the whole message and covers the rest of its group.
 *
 *	source --step 1--> rep of group 1 --step 2--> rest of group 1
 *	         `-------> rep of group 2 --step 2--> rest of group 2
 *
 * The paper does not say how a sender covers a set. The option "cover" offers:
 * - column: column paths in both steps. Every leg keeps to dimension order, as the paper assumes:
 *   free of deadlock. The default.
 * - label: dual-path in both steps, free of deadlock as DP is.
 * - multipath: multipath in both steps, free of deadlock as MP is.
 * - chain: step 1 sends unicasts, step 2 one worm of dimension-order legs that sweeps the group
 *   along its divisor dimension, from the end nearer to the representative, equal coordinates by
 *   id. For comparison with the printed latencies only: each leg keeps to dimension order, but the
 *   walk as a whole turns back to lower dimensions. So a worm may wait for a channel that it holds
 *   itself, and worms for each other in a ring. Refused under load unless "allow-deadlock on"; a
 *   lone chain can still block itself, and the engine then reports the deadlock.
 *
 * The option "routing" has turn models, with a cover of their own: qg_turns.c.
 *
 * Readings. Fig. 4 puts mid into the upper half, Definition 3 into the lower: Definition 3 holds.
 * Fig. 5 computes Ext with p_f: the worked example forces p_n, eq. (3). Fig. 5 divides "G_i / sub"
 * without saying which part: here the heaviest unqualified part, and of equally heavy parts the one
 * with the lowest destination id. The printed 0.6 of the worked example is 9.5 / 15.5 = 0.613; all
 * is computed in whole numbers. The paper lets representatives prepare at the same time; here
 * preparation is charged at the source and "prep-relay" (a run's option, default 0) at the
 * representatives.
 */
#include "plan/policy.h"
#include "policies/qg.h"
#include "routing/cover.h"
#include "routing/turns.h"

enum {
	QG_PARAM_TD,
	QG_PARAM_COVER,
	QG_PARAM_ALLOW_DEADLOCK,
	QG_PARAM_ROUTING,
};

enum { QG_XY, QG_WEST_FIRST, QG_NEGATIVE_FIRST };

static const char *const qg_routings[] = { "xy", "west-first", "negative-first", NULL };
static const char *const qg_covers[] = { "column", "label", "multipath", "chain", NULL };

static const struct mcfab_param qg_params[] = {
	[QG_PARAM_TD] = {
		.name	= "td",
		.help	= "threshold TD: a group qualifies up to (1 + TD) times the mean weight",
		.type	= MCFAB_PARAM_KIND_DECIMAL,
		.min	= 0,
		.max	= 1000 * 1000000,
		.def	= 500000,
	},
	[QG_PARAM_COVER] = {
		.name	= "cover",
		.help	= "how a sender covers a set of nodes, in both steps",
		.type	= MCFAB_PARAM_KIND_CHOICE,
		.def	= QG_COLUMN,
		.choices = qg_covers,
	},
	[QG_PARAM_ALLOW_DEADLOCK] = {
		.name	= "allow-deadlock",
		.help	= "accept cover chain under load, where it can deadlock",
		.type	= MCFAB_PARAM_KIND_BOOL,
		.def	= false,
	},
	[QG_PARAM_ROUTING] = {
		.name	= "routing",
		.help	= "xy: as cover says; else the turn model that all worms keep to",
		.type	= MCFAB_PARAM_KIND_CHOICE,
		.def	= QG_XY,
		.choices = qg_routings,
	},
};

struct qg_priv {
	u32 td;
	enum qg_cover cover;
};

/* a turn model has a cover of its own */
static int qg_init_turns(const struct mcfab_view *view, u32 routing, struct qg_priv *qg,
			 struct mcfab_err *err)
{
	if (qg->cover != QG_COLUMN) {
		err->index = QG_PARAM_COVER;
		return mcfab_refuse(err, -EINVAL, 0, "only with routing xy");
	}
	if (view->topo->ndims != 2) {
		err->index = QG_PARAM_ROUTING;
		return mcfab_refuse(err, -EOPNOTSUPP, 0, "for meshes of two dimensions only");
	}
	qg->cover = routing == QG_WEST_FIRST ? QG_WEST : QG_NEGATIVE;
	return 0;
}

static int qg_init(const struct mcfab_view *view, const u32 *values, void *priv,
		   struct mcfab_err *err)
{
	struct qg_priv *qg = priv;

	qg->td = values[QG_PARAM_TD];
	qg->cover = values[QG_PARAM_COVER];
	if (values[QG_PARAM_ROUTING] != QG_XY)
		return qg_init_turns(view, values[QG_PARAM_ROUTING], qg, err);
	if (qg->cover == QG_CHAIN && view->load && !values[QG_PARAM_ALLOW_DEADLOCK]) {
		err->index = QG_PARAM_COVER;
		return mcfab_refuse(err, -EINVAL, 0,
				    "cover chain can deadlock under load: needs allow-deadlock on");
	}
	return 0;
}

static size_t qg_scratch(const struct mcfab_view *view, const void *priv, u32 ndst)
{
	u32 orthants = 1u << view->topo->ndims;

	return ndst * (2 * sizeof(u64) + sizeof(struct qg_group) + 2 * sizeof(u32)) +
	       orthants * sizeof(struct qg_group) + (orthants + 1) * sizeof(u32);
}

/* The largest alignment first; scratch areas are aligned for any type. */
static void qg_carve(const struct mcfab_view *view, u32 ndst, void *scratch, struct qg_work *work)
{
	u32 orthants = 1u << view->topo->ndims;

	work->keys = scratch;
	work->by_rep = work->keys + ndst;
	work->group = (struct qg_group *)(work->by_rep + ndst);
	work->primary = work->group + ndst;
	work->reps = (u32 *)(work->primary + orthants);
	work->spare = work->reps + ndst;
	work->bucket = work->spare + ndst;
}

static void qg_prepare(const struct mcfab_view *view, const void *priv, u32 source,
		       u32 *dst, u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	const struct qg_priv *qg = priv;
	struct qg_work work;
	u32 ngroups;

	qg_carve(view, ndst, scratch, &work);
	ngroups = qg_form_groups(view->topo, source, dst, ndst, qg->td, &work);
	qg_cover(view->topo, qg->cover, source, dst, ngroups, plan, &work);
}

static u16 qg_unicast_arg(const void *priv)
{
	const struct qg_priv *qg = priv;

	if (qg->cover == QG_LABEL || qg->cover == QG_MULTIPATH)
		return MCFAB_BASE_LABEL;
	return qg->cover == QG_NEGATIVE ? MCFAB_BASE_NEGATIVE : MCFAB_BASE_DIMENSION;
}

static bool qg_turn(const struct mcfab_view *view, const void *priv,
		    const struct mcfab_turn *turn)
{
	const struct qg_priv *qg = priv;

	if (qg->cover == QG_WEST)
		return mcfab_turn_west(turn);
	return mcfab_turn_base(view, turn, qg_unicast_arg(priv));
}

/* chains make any turn */
static bool qg_turns(const struct mcfab_view *view, const void *priv)
{
	const struct qg_priv *qg = priv;

	return qg->cover != QG_CHAIN;
}

static struct mcfab_policy_ops mcfab_qg = {
	.owner		= THIS_MODULE,
	.name		= "qg",
	.title		= "qualified groups (Al-Dubai, Ould-Khaoua, Mackenzie)",
	.flags		= MCFAB_POLICY_MESH | MCFAB_POLICY_OBLIVIOUS,
	.prep		= 16,
	.params		= qg_params,
	.nparams	= ARRAY_SIZE(qg_params),
	.priv_size	= sizeof(struct qg_priv),
	.init		= qg_init,
	.scratch	= qg_scratch,
	.prepare	= qg_prepare,
	.route		= mcfab_route_base,
	.unicast_arg	= qg_unicast_arg,
	.turn		= qg_turn,
	.turns		= qg_turns,
};
module_mcfab_policy(mcfab_qg);

MODULE_ALIAS_MCFAB_POLICY("qg");
MODULE_DESCRIPTION("mcfab policy: qualified groups");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(MCFAB);
