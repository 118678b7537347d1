// SPDX-License-Identifier: GPL-2.0
/*
 * U-mesh: unicast-based multicast in as few steps as there can be.
 *
 * P. K. McKinley, H. Xu, A.-H. Esfahanian and L. M. Ni, "Unicast-based multicast communication in
 * wormhole-routed networks", IEEE Trans. Parallel and Distributed Systems 5(12), 1994; on
 * hypercubes it is U-cube of the same paper.
 *
 * Source and destinations stand in a chain, ordered by their coordinates, the first dimension
 * first. A node that has the message is in charge of a part of the chain. While others are in it,
 * the node sends the message to the end, next to its own half, of the other half, and that node is
 * in charge of the half from then on. So k destinations have it after ceil(log2(k + 1)) steps.
 * Messages go in dimension order, and those of one multicast then never wait for each other where
 * each node sends one at a time (inject 1) and all start-ups take the same time.
 *
 * Reading: in a part of an odd number of nodes the middle one, if it is in charge, keeps its half
 * of (n + 1) / 2 nodes with itself as the last.
 *
 * Free of deadlock: dimension order is.
 */
#include "plan/policy.h"
#include "routing/cover.h"
#include "routing/routing.h"
#include "routing/turns.h"

/**
 * struct umesh_part - a part of the chain, and the node in charge of it
 * @at: place of the node
 * @left: first place
 * @right: last place
 */
struct umesh_part {
	u32 at;
	u32 left;
	u32 right;
};

/* working space: keys to sort by, of which the chain is made, and a part for each worm */
static size_t umesh_scratch(const struct mcfab_view *view, const void *priv, u32 ndst)
{
	return (ndst + 1) * sizeof(u64) + ndst * sizeof(struct umesh_part);
}

/* what the node in charge of a part sends: each message halves its part */
static void send_halves(struct mcfab_plan *plan, const u64 *chain, struct umesh_part own, u32 after,
			struct umesh_part *part)
{
	u32 to, worm;

	while (own.left < own.right) {
		u32 span = own.right - own.left, twice_middle = own.left + own.right;

		if (2 * own.at > twice_middle)
			to = own.left + span / 2;
		else if (2 * own.at < twice_middle)
			to = own.left + DIV_ROUND_UP(span, 2);
		else
			to = own.at + 1;
		worm = mcfab_plan_worm(plan, (u32)chain[own.at], after, MCFAB_PORT_ANY, 0);
		mcfab_plan_dst(plan, (u32)chain[to]);
		if (to > own.at) {
			part[worm] = (struct umesh_part){ to, to, own.right };
			own.right = to - 1;
		} else {
			part[worm] = (struct umesh_part){ to, own.left, to };
			own.left = to + 1;
		}
	}
}

static void umesh_prepare(const struct mcfab_view *view, const void *priv, u32 source,
			  u32 *dst, u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	struct umesh_part own = { .right = ndst }, *part;
	u64 *chain = scratch;
	u32 i;

	part = (struct umesh_part *)(chain + ndst + 1);
	for (i = 0; i < ndst; i++)
		chain[i] = (u64)mcfab_coord_place(view->topo, dst[i]) << 32 | dst[i];
	chain[ndst] = (u64)mcfab_coord_place(view->topo, source) << 32 | source;
	mcfab_sort_keys(chain, ndst + 1);
	while ((u32)chain[own.at] != source)
		own.at++;
	send_halves(plan, chain, own, MCFAB_NONE, part);
	for (i = 0; i < plan->nworms; i++)
		send_halves(plan, chain, part[i], i, part);
}

static bool umesh_turn(const struct mcfab_view *view, const void *priv,
		       const struct mcfab_turn *turn)
{
	return mcfab_turn_dimension(turn);
}

static struct mcfab_policy_ops mcfab_umesh = {
	.owner		= THIS_MODULE,
	.name		= "umesh",
	.title		= "unicast-based multicast (McKinley, Xu, Esfahanian, Ni)",
	.flags		= MCFAB_POLICY_MESH | MCFAB_POLICY_SINGLE | MCFAB_POLICY_OBLIVIOUS,
	.scratch	= umesh_scratch,
	.prepare	= umesh_prepare,
	.route		= mcfab_route_base,
	.turn		= umesh_turn,
};
module_mcfab_policy(mcfab_umesh);

MODULE_ALIAS_MCFAB_POLICY("umesh");
MODULE_DESCRIPTION("mcfab policy: U-mesh");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(MCFAB);
