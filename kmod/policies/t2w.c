// SPDX-License-Identifier: GPL-2.0
/*
 * Torus with two wraparound channels (T2W).
 *
 * A. Radwan, K. Hamed, M. Darwish, M. Abd El-Baky, "T2W: a multicast routing algorithm
 * for 2D torus networks with horizontal main path model" (2010); compared with in M. Abd
 * El-Baky, "A tree-based algorithm for multicasting in 2D torus networks" (2015), the
 * TASNEM paper.
 *
 * Step 1: one worm along the source's row, the horizontal main path, passes every column with
 * destinations, in the direction that needs fewer hops for that, wrap link included; towards + if
 * both need as many. Step 2: every node of that path whose column has further destinations sends
 * one worm round its column, by the same rule. Nodes of the path that send and are no destinations
 * are relays.
 *
 * Reading: the TASNEM paper only describes T2W. It leaves open how a column is covered ("vertical
 * paths"): here by one worm. It also leaves open which node covers the source's own column: here
 * the source, at once, since it has nothing to wait for. The figures of its case study fit: on
 * 10x10 the main path of (7,8) through all columns ends in (6,8), and the longest way is 9 + 9 =
 * 18.
 *
 * Free of deadlock: worms go along x or along y and never turn, and each ring has a dateline, its
 * wrap link, from which on a worm takes q. No worm goes more than once round, so neither p nor q
 * closes the ring's cycle. Background unicasts keep to dimension order with the same datelines.
 */
#include "routing/lines.h"
#include "routing/routing.h"
#include "routing/turns.h"

/* mcfab_plan_worm.arg: dimension order, or straight on through port arg - 1 */
#define T2W_STRAIGHT(port)	((port) + 1)

static void t2w_max_plan(const struct mcfab_view *view, const void *priv, u32 ndst, u32 *worms,
			 u32 *dsts)
{
	/* a worm per column and the main path, which may deliver to relays only */
	*worms = ndst + 1;
	*dsts = 2 * ndst;
}

/* Keys in the order in which the main path passes their columns; sets its direction. */
static void t2w_sort(const struct mcfab_topo *topo, u32 source, const u32 *dst, u32 ndst,
		     bool *down, u64 *keys)
{
	u32 x = mcfab_topo_coord(topo, source, 0), y = mcfab_topo_coord(topo, source, 1);
	u32 i, ahead, plus = 0, minus = 0;

	for (i = 0; i < ndst; i++) {
		ahead = mcfab_ring_ahead(x, mcfab_topo_coord(topo, dst[i], 0), topo->radix[0]);
		if (!ahead)
			continue;
		plus = max(plus, ahead);
		minus = max(minus, topo->radix[0] - ahead);
	}
	*down = minus < plus;
	for (i = 0; i < ndst; i++) {
		ahead = mcfab_ring_ahead(x, mcfab_topo_coord(topo, dst[i], 0), topo->radix[0]);
		if (*down && ahead)
			ahead = topo->radix[0] - ahead;
		keys[i] = mcfab_line_key(0, ahead,
					 mcfab_ring_ahead(y, mcfab_topo_coord(topo, dst[i], 1),
							  topo->radix[1]), dst[i]);
	}
	mcfab_sort_keys(keys, ndst);
}

static u32 t2w_head(const struct mcfab_topo *topo, u32 source, u64 key)
{
	u32 column = mcfab_topo_coord(topo, mcfab_line_node(key), 0);

	return source - mcfab_topo_coord(topo, source, 0) + column;
}

static void t2w_main_path(const struct mcfab_topo *topo, u32 source, const u64 *keys, u32 ndst,
			  bool down, struct mcfab_plan *plan)
{
	u32 i;

	mcfab_plan_worm(plan, source, MCFAB_NONE, MCFAB_PORT_ANY, T2W_STRAIGHT(down));
	for (i = 0; i < ndst; i = mcfab_line_end(keys, i, ndst)) {
		u32 relay = mcfab_line_place(keys[i]) ? MCFAB_DST_RELAY : 0;

		if (mcfab_line_offset(keys[i]))
			mcfab_plan_dst(plan, t2w_head(topo, source, keys[i]) | relay);
	}
}

/* one worm to the destinations of a column, keys first .. end - 1 */
static void t2w_column(const struct mcfab_topo *topo, u32 sender, u32 after, const u64 *keys,
		       u32 first, u32 end, struct mcfab_plan *plan)
{
	u32 plus = mcfab_line_place(keys[end - 1]);
	u32 minus = topo->radix[1] - mcfab_line_place(keys[first]);
	bool down = minus < plus;

	mcfab_plan_worm(plan, sender, after, MCFAB_PORT_ANY, T2W_STRAIGHT(2 + down));
	mcfab_line_append(plan, keys, first, end, down);
}

static void t2w_prepare(const struct mcfab_view *view, const void *priv, u32 source, u32 *dst,
			u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	const struct mcfab_topo *topo = view->topo;
	u32 i, next, main_path = plan->nworms;
	u64 *keys = scratch;
	bool down;

	t2w_sort(topo, source, dst, ndst, &down, keys);
	if (mcfab_line_offset(keys[ndst - 1]))
		t2w_main_path(topo, source, keys, ndst, down, plan);
	for (i = 0; i < ndst; i = next) {
		u32 first = i + !mcfab_line_place(keys[i]);
		u32 after = mcfab_line_offset(keys[i]) ? main_path : MCFAB_NONE;

		next = mcfab_line_end(keys, i, ndst);
		if (first < next)
			t2w_column(topo, t2w_head(topo, source, keys[i]), after, keys, first,
				   next, plan);
	}
}

static void t2w_hop(const struct mcfab_view *view, const struct mcfab_header *hdr, u32 dst,
		    struct mcfab_hop *hop)
{
	if (hdr->arg)
		hop->port = hdr->arg - T2W_STRAIGHT(0);
	mcfab_hop_torus(view, hdr, dst, hop);
}

static void t2w_route(const struct mcfab_view *view, const void *priv,
		      const struct mcfab_header *hdr, struct mcfab_decision *out)
{
	mcfab_route_hops(view, hdr, t2w_hop, out);
}

static bool t2w_turn(const struct mcfab_view *view, const void *priv,
		     const struct mcfab_turn *turn)
{
	return mcfab_turn_torus(view, turn, 0);
}

static struct mcfab_policy_ops mcfab_t2w = {
	.owner		= THIS_MODULE,
	.name		= "t2w",
	.title		= "T2W: a row, then columns (Radwan, Hamed, Darwish, Abd El-Baky)",
	.flags		= MCFAB_POLICY_TORUS | MCFAB_POLICY_OBLIVIOUS,
	.prep		= 0,
	.init		= mcfab_plane_init,
	.max_plan	= t2w_max_plan,
	.scratch	= mcfab_scratch_keys,
	.prepare	= t2w_prepare,
	.route		= t2w_route,
	.turn		= t2w_turn,
};
module_mcfab_policy(mcfab_t2w);

MODULE_ALIAS_MCFAB_POLICY("t2w");
MODULE_DESCRIPTION("mcfab policy: torus with two wraparound channels");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(MCFAB);
