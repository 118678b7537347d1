// SPDX-License-Identifier: GPL-2.0
/*
 * k-binomial tree of unicasts, for smart network interfaces.
 *
 * Irregular paper, section 4: network interfaces send packets on, so a message of several packets
 * goes down the tree as through a pipe. A node with many children holds the next packet up; with
 * few children the tree is deep. Theorem 3 gives the k, the most children of a node, that costs the
 * fewest steps: L1 + (packets - 1) k, with L1 the steps of one packet. routing/kbinomial.c makes
 * the tree on the row of nodes.
 *
 * Forwarding (section 4.2): fpfs, first packet first served, sends each packet to all children as
 * it comes; fcfs, first child first served, sends the whole message to the first child, then to the
 * second child.
 *
 * Readings. The theorem's cost takes the root for the node with the most children, and assumes that
 * it has k children; in a tree on fewer nodes than N(L1, k) it can have fewer. The k is the
 * theorem's all the same. Each worm goes to one node by a shortest legal up*-down* path, which is
 * free of deadlock.
 */
#include "routing/kbinomial.h"
#include "routing/turns.h"
#include "routing/updown.h"

enum {
	KBINOMIAL_PARAM_K,
	KBINOMIAL_PARAM_FORWARDING,
	KBINOMIAL_PARAM_ADAPTIVE,
};

static const char *const kbinomial_forwarding[] = { "fpfs", "fcfs", NULL };

static const struct mcfab_param kbinomial_params[] = {
	[KBINOMIAL_PARAM_K] = {
		.name	= "k",
		.help	= "most children of a node; 1: a line; 0: the best by Theorem 3",
		.type	= MCFAB_PARAM_KIND_U32,
		.min	= 0,
		.max	= 20,	/* log2 of the most nodes */
		.def	= 0,
	},
	[KBINOMIAL_PARAM_FORWARDING] = {
		.name	= "forwarding",
		.help	= "network interfaces send on: first packet, or first child, first served",
		.type	= MCFAB_PARAM_KIND_CHOICE,
		.def	= 0,
		.choices = kbinomial_forwarding,
	},
	[KBINOMIAL_PARAM_ADAPTIVE] = MCFAB_PARAM_ADAPTIVE,
};

struct kbinomial_priv {
	u32 k;
	bool fcfs;
	bool adaptive;
};

static int kbinomial_init(const struct mcfab_view *view, const u32 *values, void *priv,
			  struct mcfab_err *err)
{
	u32 most = mcfab_kbinomial_most(view->topo->nodes);
	struct kbinomial_priv *kbinomial = priv;

	static_assert(BIT(20) >= MCFAB_MAX_NODES);
	kbinomial->k = values[KBINOMIAL_PARAM_K];
	kbinomial->fcfs = values[KBINOMIAL_PARAM_FORWARDING];
	kbinomial->adaptive = values[KBINOMIAL_PARAM_ADAPTIVE];
	if (kbinomial->k > most) {
		err->index = KBINOMIAL_PARAM_K;
		return mcfab_refuse(err, -ERANGE, 0,
				    "k of %u nodes is 1 to %u, or 0 for the best, not %u",
				    view->topo->nodes, most, kbinomial->k);
	}
	return mcfab_updown_check(view, err);
}

static size_t kbinomial_scratch(const struct mcfab_view *view, const void *priv, u32 ndst)
{
	return mcfab_kbinomial_bytes(view->topo, ndst);
}

static void kbinomial_prepare(const struct mcfab_view *view, const void *priv, u32 source,
			      u32 *dst, u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	const struct kbinomial_priv *kbinomial = priv;

	mcfab_kbinomial_plan(view, source, dst, ndst, kbinomial->k, plan, scratch);
}

static void kbinomial_route(const struct mcfab_view *view, const void *priv,
			    const struct mcfab_header *hdr, struct mcfab_decision *out)
{
	const struct kbinomial_priv *kbinomial = priv;

	mcfab_updown_path(view, hdr, kbinomial->adaptive, out);
}

static enum mcfab_forward kbinomial_forward(const void *priv)
{
	const struct kbinomial_priv *kbinomial = priv;

	return kbinomial->fcfs ? MCFAB_FORWARD_FCFS : MCFAB_FORWARD_FPFS;
}

static struct mcfab_policy_ops mcfab_kbinomial = {
	.owner		= THIS_MODULE,
	.name		= "kbinomial",
	.title		= "k-binomial tree of unicasts, sent on by network interfaces",
	.flags		= MCFAB_UPDOWN_SERVES | MCFAB_POLICY_SINGLE | MCFAB_POLICY_OBLIVIOUS,
	.params		= kbinomial_params,
	.nparams	= ARRAY_SIZE(kbinomial_params),
	.priv_size	= sizeof(struct kbinomial_priv),
	.init		= kbinomial_init,
	.scratch	= kbinomial_scratch,
	.prepare	= kbinomial_prepare,
	.route		= kbinomial_route,
	.forward	= kbinomial_forward,
	.turn		= mcfab_turn_updown,
};
module_mcfab_policy(mcfab_kbinomial);

MODULE_ALIAS_MCFAB_POLICY("kbinomial");
MODULE_DESCRIPTION("mcfab policy: k-binomial tree");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(MCFAB);
