// SPDX-License-Identifier: GPL-2.0
/*
 * Trees within one master spanning tree, as the routing engine Torus-2QoS of the InfiniBand subnet
 * manager OpenSM makes them: torus-2QoS(8), "Multicast routing".
 *
 * The root of the master tree is in the middle of the torus, at half of each radix. Its row, in the
 * first dimension, is the trunk; from each node of the trunk a line goes in the second dimension,
 * from each node of these a line in the third one, and so on, all of them without wrap links. All
 * messages go within this tree, from the source and to each destination by the only way there is.
 *
 * From root to tip a way makes turns of dimension order. From tip to root it makes other turns, but
 * into a dimension only where all later coordinates are the root's: not enough of them for a cycle
 * together with unicasts in dimension order. Rings make no cycle: unicasts that cross the wrap link
 * of a ring take virtual channels q there, all others, and the trees, p.
 *
 * With buffers of a packet each branch of a tree goes on by itself; with less, or in lock-step, a
 * branch that waits stops the others. Such fabrics are refused unless "allow-deadlock on".
 *
 * Readings. OpenSM knows two and three dimensions, here there may be any number. Ways in OpenSM's
 * tables begin at every member, and a packet also goes to the root where nobody waits for it: a
 * copy to no destination, which a policy cannot make. Parallel links and failures are left out.
 */
#include "routing/cover.h"
#include "routing/routing.h"
#include "routing/turns.h"

static const struct mcfab_param torus_tree_params[] = {
	MCFAB_PARAM_ALLOW_DEADLOCK,
};

/* the routing of a worm, its arg */
enum {
	TORUS_TREE_MASTER,
	TORUS_TREE_UNICAST,
};

struct torus_tree_priv {
	mcfab_hop_fn unicast;	/* on tori */
};

static bool is_torus(const struct mcfab_topo *topo)
{
	return topo->ops->serve & MCFAB_POLICY_TORUS;
}

static int torus_tree_init(const struct mcfab_view *view, const u32 *values, void *priv,
			   struct mcfab_err *err)
{
	struct torus_tree_priv *tree = priv;
	int ret;

	tree->unicast = mcfab_torus_hop(MCFAB_TIES_BALANCED, true);
	ret = mcfab_base_check(view, mcfab_base_unicast(view->topo), err);
	if (ret || values[0])
		return ret;
	return mcfab_tree_check(view, err);
}

/*
 * One worm. In the order of places, taken as a circle, what is behind a link of the tree is a
 * stretch. Counted from the source on it stays one, as the source is never behind.
 */
static void torus_tree_prepare(const struct mcfab_view *view, const void *priv, u32 source,
			       u32 *dst, u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	u32 from = mcfab_coord_place(view->topo, source), i;
	u64 *keys = scratch;

	for (i = 0; i < ndst; i++) {
		u32 at = mcfab_coord_place(view->topo, dst[i]);

		at += at < from ? view->topo->nodes - from : -from;
		keys[i] = (u64)at << 32 | dst[i];
	}
	mcfab_sort_keys(keys, ndst);
	mcfab_plan_worm(plan, source, MCFAB_NONE, MCFAB_PORT_ANY, TORUS_TREE_MASTER);
	for (i = 0; i < ndst; i++)
		mcfab_plan_dst(plan, (u32)keys[i]);
}

/* the last dimension after @dim in which a node is off the root's coordinate, or else @dim */
static u32 last_off(const struct mcfab_topo *topo, u32 node, u32 dim)
{
	u32 last = topo->ndims - 1;

	while (last > dim && mcfab_topo_coord(topo, node, last) == topo->radix[last] / 2)
		last--;
	return last;
}

/* the port by which the tree leads on to another node, MCFAB_PORT_ANY at this one */
static u32 tree_port(const struct mcfab_topo *topo, u32 here, u32 dst)
{
	const u16 *from = topo->coord + here * topo->ndims;
	const u16 *to = topo->coord + dst * topo->ndims;
	u32 dim, last;

	if (here == dst)
		return MCFAB_PORT_ANY;
	for (dim = 0; from[dim] == to[dim]; dim++)
		;
	last = last_off(topo, here, dim);
	if (last == dim)
		return 2 * dim + (from[dim] > to[dim]);
	return 2 * last + (from[last] > topo->radix[last] / 2);
}

/* one past the last entry to which @port leads on; the entry @first is one of these */
static u32 end_of_branch(const struct mcfab_topo *topo, const struct mcfab_header *hdr, u32 first,
			 u32 port)
{
	u32 last = hdr->last;

	while (first < last) {
		u32 mid = first + (last - first) / 2;

		if (tree_port(topo, hdr->router, hdr->dst[mid]) == port)
			first = mid + 1;
		else
			last = mid;
	}
	return first;
}

static void route_tree(const struct mcfab_view *view, const struct mcfab_header *hdr,
		       struct mcfab_decision *out)
{
	u16 vcs = is_torus(view->topo) ? mcfab_vcs_p(view) : mcfab_vcs_all(view);
	u32 first, end;

	out->nbranches = 0;
	for (first = hdr->first; first < hdr->last; first = end) {
		struct mcfab_branch *branch = &out->branch[out->nbranches++];
		u32 port = tree_port(view->topo, hdr->router, hdr->dst[first]);

		end = end_of_branch(view->topo, hdr, first, port);
		*branch = (struct mcfab_branch){
			.node = MCFAB_NONE, .nports = 1, .port = { port }, .vcs = { vcs },
			.first = first, .last = end,
		};
		if (port == MCFAB_PORT_ANY) {
			branch->node = hdr->router;
			branch->nports = 0;
		}
	}
}

static void torus_tree_route(const struct mcfab_view *view, const void *priv,
			     const struct mcfab_header *hdr, struct mcfab_decision *out)
{
	const struct torus_tree_priv *tree = priv;

	if (hdr->arg == TORUS_TREE_MASTER)
		route_tree(view, hdr, out);
	else if (is_torus(view->topo))
		mcfab_route_hops(view, hdr, tree->unicast, out);
	else
		mcfab_route_dimension(view, hdr, out);
}

static u16 torus_tree_unicast_arg(const void *priv)
{
	return TORUS_TREE_UNICAST;
}

/*
 * Does a unicast that crosses the wrap link of a ring go straight on here? Its way has at most half
 * of the ring's links, the wrap link one of them.
 */
static bool crosses(const struct mcfab_topo *topo, const struct mcfab_turn *turn)
{
	u32 radix = topo->radix[turn->out_port / 2];
	u32 at = mcfab_topo_coord(topo, turn->router, turn->out_port / 2);

	/* as if it went towards + */
	if (turn->out_port & 1)
		at = radix - 1 - at;
	return min(radix - at + 1, at + 2) <= radix / 2;
}

static bool torus_tree_turn(const struct mcfab_view *view, const void *priv,
			    const struct mcfab_turn *turn)
{
	const struct mcfab_topo *topo = view->topo;
	bool in_q = is_torus(topo) && mcfab_turn_is_q(view, turn->in_vc);
	bool out_q = is_torus(topo) && mcfab_turn_is_q(view, turn->out_vc);
	u32 in_dim = turn->in_port / 2, out_dim = turn->out_port / 2;

	/* who crosses is on q */
	if ((mcfab_topo_wraps(topo, turn->router, turn->in_port) && !in_q) ||
	    (mcfab_topo_wraps(topo, turn->router, turn->out_port) && !out_q))
		return false;
	if (out_dim > in_dim)
		return true;
	if (out_dim == in_dim)
		return turn->out_port == mcfab_turn_on(turn) && in_q == out_q &&
		       (!in_q || crosses(topo, turn));
	/* from tip to root */
	return !in_q && !out_q && last_off(topo, turn->router, out_dim) == out_dim;
}

static struct mcfab_policy_ops mcfab_torus_tree = {
	.owner		= THIS_MODULE,
	.name		= "torus-tree",
	.title		= "trees within one spanning tree (OpenSM's Torus-2QoS)",
	.flags		= MCFAB_POLICY_MESH | MCFAB_POLICY_TORUS | MCFAB_POLICY_TREE,
	.params		= torus_tree_params,
	.nparams	= ARRAY_SIZE(torus_tree_params),
	.priv_size	= sizeof(struct torus_tree_priv),
	.init		= torus_tree_init,
	.scratch	= mcfab_scratch_keys,
	.prepare	= torus_tree_prepare,
	.route		= torus_tree_route,
	.unicast_arg	= torus_tree_unicast_arg,
	.turn		= torus_tree_turn,
};
module_mcfab_policy(mcfab_torus_tree);

MODULE_ALIAS_MCFAB_POLICY("torus-tree");
MODULE_DESCRIPTION("mcfab policy: trees within the master spanning tree of a torus");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(MCFAB);
