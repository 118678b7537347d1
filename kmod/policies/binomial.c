// SPDX-License-Identifier: GPL-2.0
/*
 * Binomial tree of unicasts.
 *
 * Irregular paper, sections 3 and 4.3.1: in every step each node that has the message sends it to a
 * node that does not have it, so the tree needs ceil(log2 n) steps for n nodes, the source
 * included. Hosts send on when they have the whole message (conventional network interfaces).
 *
 * The tree is the k-binomial tree with k = ceil(log2 n) (policy kbinomial), on the same row of
 * nodes. Each worm goes to one node by a shortest legal up*-down* path, which is free of deadlock.
 */
#include "routing/kbinomial.h"
#include "routing/turns.h"
#include "routing/updown.h"

static const struct mcfab_param binomial_params[] = {
	MCFAB_PARAM_ADAPTIVE,
};

struct binomial_priv {
	bool adaptive;
};

static int binomial_init(const struct mcfab_view *view, const u32 *values, void *priv,
			 struct mcfab_err *err)
{
	struct binomial_priv *binomial = priv;

	binomial->adaptive = values[0];
	return mcfab_updown_check(view, err);
}

static size_t binomial_scratch(const struct mcfab_view *view, const void *priv, u32 ndst)
{
	return mcfab_kbinomial_bytes(view->topo, ndst);
}

static void binomial_prepare(const struct mcfab_view *view, const void *priv, u32 source,
			     u32 *dst, u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	mcfab_kbinomial_plan(view, source, dst, ndst, mcfab_kbinomial_most(ndst + 1), plan,
			     scratch);
}

static void binomial_route(const struct mcfab_view *view, const void *priv,
			   const struct mcfab_header *hdr, struct mcfab_decision *out)
{
	const struct binomial_priv *binomial = priv;

	mcfab_updown_path(view, hdr, binomial->adaptive, out);
}

static struct mcfab_policy_ops mcfab_binomial = {
	.owner		= THIS_MODULE,
	.name		= "binomial",
	.title		= "binomial tree of unicasts, sent on by hosts",
	.flags		= MCFAB_UPDOWN_SERVES | MCFAB_POLICY_SINGLE | MCFAB_POLICY_OBLIVIOUS,
	.params		= binomial_params,
	.nparams	= ARRAY_SIZE(binomial_params),
	.priv_size	= sizeof(struct binomial_priv),
	.init		= binomial_init,
	.scratch	= binomial_scratch,
	.prepare	= binomial_prepare,
	.route		= binomial_route,
	.turn		= mcfab_turn_updown,
};
module_mcfab_policy(mcfab_binomial);

MODULE_ALIAS_MCFAB_POLICY("binomial");
MODULE_DESCRIPTION("mcfab policy: binomial tree");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(MCFAB);
