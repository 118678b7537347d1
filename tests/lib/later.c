// SPDX-License-Identifier: GPL-2.0
/* See lib/later.h. */
#include "lib/later.h"
#include "lib/net.h"
#include "lib/shortest.h"
#include "lib/tree.h"

#include "lib/tap.h"

struct later_priv {
	u64 shortest[4];	/* the private area of test_shortest */
	enum mcfab_forward forward;
	u32 shape;
};

static const char *const forwarding[] = { "host", "fpfs", "fcfs", NULL };

static const struct mcfab_param later_params[] = {
	{ .name = "forwarding", .help = "who sends on", .type = MCFAB_PARAM_KIND_CHOICE,
	  .choices = forwarding },
	{ .name = "shape", .help = "which trees", .type = MCFAB_PARAM_KIND_U32, .max = U32_MAX },
};

static int later_init(const struct mcfab_view *view, const u32 *values, void *priv,
		      struct mcfab_err *err)
{
	struct later_priv *l = priv;

	assert_true(test_shortest.priv_size <= sizeof(l->shortest));
	l->forward = values[0];
	l->shape = values[1];
	return view->topo->graph ? test_shortest.init(view, values, l->shortest, err) : 0;
}

static void later_exit(const struct mcfab_view *view, void *priv)
{
	struct later_priv *l = priv;

	if (view->topo->graph)
		test_shortest.exit(view, l->shortest);
}

static bool taken(const struct mcfab_plan *plan, u32 source, const u32 *dst, u32 ndst, u32 node)
{
	u32 i;

	for (i = 0; i < ndst; i++)
		if (dst[i] == node)
			return true;
	for (i = 0; i < plan->ndst; i++)
		if ((plan->dst[i] & ~MCFAB_DST_RELAY) == node)
			return true;
	return node == source;
}

/* up to three worms of one sender; returns how many destinations they take */
static u32 send_some(const struct mcfab_view *view, u64 *state, struct mcfab_plan *plan,
		     const u32 *sender, u32 after, const u32 *dst, u32 ndst, u32 at, bool must)
{
	u32 worms = rng_below(state, 4) + must, begin = at, i, node;
	bool tree = sender[1];

	while (worms-- && at < ndst) {
		mcfab_plan_worm(plan, sender[0], after, MCFAB_PORT_ANY, 0);
		node = rng_below(state, view->topo->nodes);
		if (tree && !rng_below(state, 4) && !taken(plan, sender[2], dst, ndst, node))
			mcfab_plan_dst(plan, node | MCFAB_DST_RELAY);
		for (i = tree ? rng_below(state, 3) + 1 : 1; i && at < ndst; i--)
			mcfab_plan_dst(plan, dst[at++]);
	}
	return at - begin;
}

static void make(const struct mcfab_view *view, const void *priv, u32 source, const u32 *dst,
		 u32 ndst, struct mcfab_plan *plan, bool tree)
{
	const struct later_priv *l = priv;
	u64 state = l->shape + ((u64)source << 32) + dst[0];
	u32 sender[3] = { source, tree, source };
	u32 done, first = 0, last, i, k;

	done = send_some(view, &state, plan, sender, MCFAB_NONE, dst, ndst, 0, true);
	/* whoever got it in a step may send in the next one, and the first of them does */
	while (done < ndst) {
		last = plan->nworms;
		for (i = first; i < last; i++) {
			const struct mcfab_plan_worm w = plan->worm[i];

			for (k = w.first; k < w.first + w.count; k++) {
				sender[0] = plan->dst[k] & ~MCFAB_DST_RELAY;
				done += send_some(view, &state, plan, sender, i, dst, ndst, done,
						  plan->nworms == last);
			}
		}
		first = last;
	}
}

static void later_prepare(const struct mcfab_view *view, const void *priv, u32 source, u32 *dst,
			  u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	make(view, priv, source, dst, ndst, plan, false);
}

static void later_tree_prepare(const struct mcfab_view *view, const void *priv, u32 source,
			       u32 *dst, u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	make(view, priv, source, dst, ndst, plan, true);
}

static void later_max_plan(const struct mcfab_view *view, const void *priv, u32 ndst, u32 *worms,
			   u32 *dsts)
{
	*worms = ndst;
	*dsts = 2 * ndst;
}

static void later_route(const struct mcfab_view *view, const void *priv,
			const struct mcfab_header *hdr, struct mcfab_decision *out)
{
	const struct later_priv *l = priv;

	if (view->topo->graph)
		test_shortest_tree.route(view, l->shortest, hdr, out);
	else
		test_tree.route(view, NULL, hdr, out);
}

static enum mcfab_forward later_forward(const void *priv)
{
	return ((const struct later_priv *)priv)->forward;
}

struct mcfab_policy_ops test_later = {
	.name		= "test-later",
	.title		= "random trees of unicasts",
	.flags		= MCFAB_POLICY_MESH | MCFAB_POLICY_IRREGULAR | MCFAB_POLICY_SINGLE,
	.params		= later_params,
	.nparams	= ARRAY_SIZE(later_params),
	.priv_size	= sizeof(struct later_priv),
	.init		= later_init,
	.exit		= later_exit,
	.prepare	= later_prepare,
	.route		= later_route,
	.forward	= later_forward,
};

struct mcfab_policy_ops test_later_tree = {
	.name		= "test-later-tree",
	.title		= "random trees of trees",
	.flags		= MCFAB_POLICY_MESH | MCFAB_POLICY_IRREGULAR | MCFAB_POLICY_TREE,
	.params		= later_params,
	.nparams	= ARRAY_SIZE(later_params),
	.priv_size	= sizeof(struct later_priv),
	.init		= later_init,
	.exit		= later_exit,
	.max_plan	= later_max_plan,
	.prepare	= later_tree_prepare,
	.route		= later_route,
	.forward	= later_forward,
};
