// SPDX-License-Identifier: GPL-2.0
/*
 * Double-channel XY multicast: trees of XY paths, one for each quadrant around the source.
 *
 * X. Lin and L. M. Ni, "Deadlock-free multicast wormhole routing in multicomputer networks" (1991);
 * the union paper describes it in section 2 as what trees in hardware were before.
 *
 * Each link has two virtual channels a direction, and the mesh is four virtual networks, each of
 * which goes towards one side in x and one side in y:
 *
 *	quadrant	destinations		x channels	y channels
 *	0: +x +y	x > xs, y >= ys		p		p
 *	1: -x +y	x <= xs, y > ys		p		q
 *	2: -x -y	x < xs, y <= ys		q		q
 *	3: +x -y	x >= xs, y < ys		q		p
 *
 * In its quadrant a worm goes along the source's row and leaves a branch in each column with
 * destinations, which goes along the column.
 *
 * Each virtual network is free of cycles, so a path in it cannot deadlock. A tree can: two trees
 * may each hold a column that the other waits for, and while one branch waits, the others stand
 * still, too. With asynchronous replication and buffers of a packet every branch goes on by itself;
 * fabrics with less are refused unless "allow-deadlock on".
 */
#include "routing/cover.h"
#include "routing/lines.h"
#include "routing/routing.h"
#include "routing/turns.h"

enum {
	XY_TREE_PARAM_ALLOW_DEADLOCK,
};

static const struct mcfab_param xy_tree_params[] = {
	[XY_TREE_PARAM_ALLOW_DEADLOCK] = MCFAB_PARAM_ALLOW_DEADLOCK,
};

/* a header's state; 0: not known yet, at the source */
#define XY_TREE_KNOWN	BIT(0)
#define XY_TREE_LEFT	BIT(1)	/* towards -x */
#define XY_TREE_DOWN	BIT(2)	/* towards -y */

static int xy_tree_init(const struct mcfab_view *view, const u32 *values, void *priv,
			struct mcfab_err *err)
{
	if (view->topo->ndims != 2)
		return mcfab_refuse(err, -EOPNOTSUPP, 0, "is for meshes of two dimensions");
	if (view->vcs < 2)
		return mcfab_refuse(err, -EOPNOTSUPP, 0, "needs vcs 2");
	if (values[XY_TREE_PARAM_ALLOW_DEADLOCK])
		return 0;
	return mcfab_tree_check(view, err);
}

/* in which quadrant around the source is a destination? as a header's state */
static u32 quadrant(const struct mcfab_topo *topo, u32 source, u32 dst)
{
	s32 dx = (s32)mcfab_topo_coord(topo, dst, 0) - (s32)mcfab_topo_coord(topo, source, 0);
	s32 dy = (s32)mcfab_topo_coord(topo, dst, 1) - (s32)mcfab_topo_coord(topo, source, 1);

	if (dx > 0 && dy >= 0)
		return XY_TREE_KNOWN;
	if (dx <= 0 && dy > 0)
		return XY_TREE_KNOWN | XY_TREE_LEFT;
	if (dx < 0)
		return XY_TREE_KNOWN | XY_TREE_LEFT | XY_TREE_DOWN;
	return XY_TREE_KNOWN | XY_TREE_DOWN;
}

/* a worm for each quadrant; its destinations by column, then by row, nearest first */
static void xy_tree_prepare(const struct mcfab_view *view, const void *priv, u32 source, u32 *dst,
			    u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	const struct mcfab_topo *topo = view->topo;
	s32 xs = mcfab_topo_coord(topo, source, 0), ys = mcfab_topo_coord(topo, source, 1);
	u64 *keys = scratch;
	u32 i;

	for (i = 0; i < ndst; i++) {
		s32 x = mcfab_topo_coord(topo, dst[i], 0), y = mcfab_topo_coord(topo, dst[i], 1);

		keys[i] = mcfab_line_key(quadrant(topo, source, dst[i]), abs(x - xs), abs(y - ys),
					 dst[i]);
	}
	mcfab_sort_keys(keys, ndst);
	for (i = 0; i < ndst; i++) {
		if (!i || mcfab_line_part(keys[i]) != mcfab_line_part(keys[i - 1]))
			mcfab_plan_worm(plan, source, MCFAB_NONE, MCFAB_PORT_ANY, 0);
		mcfab_plan_dst(plan, mcfab_line_node(keys[i]));
	}
}

/* one past the last entry in column @x: these come first */
static u32 end_of_column(const struct mcfab_topo *topo, const u32 *dst, u32 first, u32 last, u32 x)
{
	while (first < last) {
		u32 mid = first + (last - first) / 2;

		if (mcfab_topo_coord(topo, dst[mid], 0) == x)
			first = mid + 1;
		else
			last = mid;
	}
	return first;
}

static void add_branch(struct mcfab_decision *out, u32 port, u16 vcs, u32 first, u32 last,
		       u32 state)
{
	if (first == last)
		return;
	out->branch[out->nbranches++] = (struct mcfab_branch){
		.node = MCFAB_NONE, .nports = 1, .port = { port }, .vcs = { vcs },
		.first = first, .last = last, .state = state,
	};
}

static void xy_tree_route(const struct mcfab_view *view, const void *priv,
			  const struct mcfab_header *hdr, struct mcfab_decision *out)
{
	u16 p = mcfab_vcs_p(view), q = mcfab_vcs_q(view);
	const struct mcfab_topo *topo = view->topo;
	u32 first = hdr->first, state = hdr->state, end;

	out->nbranches = 0;
	if (!state)
		state = quadrant(topo, hdr->router, hdr->dst[first]);
	if (hdr->dst[first] == hdr->router) {
		out->branch[out->nbranches++] = (struct mcfab_branch){
			.node = hdr->router, .first = first, .last = first + 1,
		};
		first++;
	}
	end = end_of_column(topo, hdr->dst, first, hdr->last,
			    mcfab_topo_coord(topo, hdr->router, 0));
	add_branch(out, 2 + !!(state & XY_TREE_DOWN), state & XY_TREE_LEFT ? q : p, first, end,
		   state);
	add_branch(out, !!(state & XY_TREE_LEFT), state & XY_TREE_DOWN ? q : p, end, hdr->last,
		   state);
}

static bool xy_tree_turn(const struct mcfab_view *view, const void *priv,
			 const struct mcfab_turn *turn)
{
	bool in_q = mcfab_turn_is_q(view, turn->in_vc), out_q = mcfab_turn_is_q(view, turn->out_vc);
	u32 on = mcfab_turn_on(turn);

	if (turn->out_port == on)
		return out_q == in_q;
	/* from the row into a column: whether it goes down is said by the one, left by the other */
	return on < 2 && turn->out_port == 2 + in_q && out_q == on;
}

static struct mcfab_policy_ops mcfab_xy_tree = {
	.owner		= THIS_MODULE,
	.name		= "xy-tree",
	.title		= "double-channel XY trees (Lin, Ni)",
	.flags		= MCFAB_POLICY_MESH | MCFAB_POLICY_TREE,
	.params		= xy_tree_params,
	.nparams	= ARRAY_SIZE(xy_tree_params),
	.init		= xy_tree_init,
	.scratch	= mcfab_scratch_keys,
	.prepare	= xy_tree_prepare,
	.route		= xy_tree_route,
	.turn		= xy_tree_turn,
};
module_mcfab_policy(mcfab_xy_tree);

MODULE_ALIAS_MCFAB_POLICY("xy-tree");
MODULE_DESCRIPTION("mcfab policy: double-channel XY trees");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(MCFAB);
