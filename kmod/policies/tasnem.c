// SPDX-License-Identifier: GPL-2.0
/*
 * Tree-based algorithm which splits torus networks into two equally meshes (TASNEM).
 *
 * M. Abd El-Baky, "A tree-based algorithm for multicasting in 2D torus networks" (2015),
 * Figs 2 and 3.
 *
 * The destinations are split by labels (the snake) in two: those from the source's
 * label to half the rows further on, and the rest. One worm goes up, the other down,
 * over the vertical wrap link where that is needed. A worm has a horizontal
 * direction d_x. At a node c whose vertical neighbour v is the next row's:
 *
 *	D1 = destinations in c's and v's row on the d_x side of c
 *	D1 empty:		all go to v, d_x is turned
 *	v is no destination:	all go to the next node of the row
 *	else:			D1 go to the next node of the row, the rest to v,
 *				for them d_x is turned
 *
 * So a main path meanders from row to row, and branches leave it where it moves on to the next row
 * before this row ends.
 *
 * Readings. As printed TASNEM loses destinations: d_x is the same for both worms, D1 is taken by
 * labels, and the procedure for boundary rows works for even numbers of rows only. Here d_x = +1
 * iff (the source's row is even) equals (the worm goes up), and D1 is taken by coordinates as
 * above, which covers boundary rows and odd numbers. Labels count m columns (printed: n). Fig. 2's
 * y_s +- ceil(n / 2) may be row -1: it is put into the label formula as a number, not taken modulo.
 * The order of a worm's list is the choice of mcfab: in the order of the meander every D1 is the
 * front part of the remaining list, so a header decision is a search in it.
 *
 * Virtual channels: a worm takes p before the vertical wrap link and q from it on. Each of the four
 * classes (up, down) x (p, q) has one horizontal direction per row, opposite to that of the class
 * that it could meet in the row: the dependencies along a worm have no cycle. But one branch of a
 * tree may wait for a channel of a second worm, whose other branch waits for the tree. With
 * lock-step replication, or buffers that do not hold a whole packet, a blocked branch stops its
 * siblings, and TASNEM deadlocks. Asynchronous replication with buffers of a packet lets every
 * branch go on by itself; fabrics with less are refused unless "allow-deadlock on".
 */
#include "routing/cover.h"
#include "routing/lines.h"
#include "routing/routing.h"
#include "routing/turns.h"

enum {
	TASNEM_PARAM_ALLOW_DEADLOCK,
};

static const struct mcfab_param tasnem_params[] = {
	[TASNEM_PARAM_ALLOW_DEADLOCK] = MCFAB_PARAM_ALLOW_DEADLOCK,
};

/* a header's state; 0: not known yet, at the source */
#define TASNEM_KNOWN	BIT(0)
#define TASNEM_DOWN	BIT(1)	/* d_v = -1 */
#define TASNEM_LEFT	BIT(2)	/* d_x = -1 */
#define TASNEM_WRAPPED	BIT(3)	/* on q */

static int tasnem_init(const struct mcfab_view *view, const u32 *values, void *priv,
		       struct mcfab_err *err)
{
	u32 lanes = view->topo->ports * view->vcs;
	int ret = mcfab_plane_init(view, values, priv, err);

	if (ret || values[TASNEM_PARAM_ALLOW_DEADLOCK])
		return ret;
	if (view->replication == MCFAB_REPLICATION_MODE_LOCKSTEP &&
	    (view->consume < lanes || view->vc_release != MCFAB_VC_RELEASE_MODE_DRAINED))
		return mcfab_refuse(err, -EOPNOTSUPP, 0,
				    "lockstep needs consume %u, vc-release drained, or allow-deadlock on",
				    lanes);
	if (view->buffer < view->flits)
		return mcfab_refuse(err, -EOPNOTSUPP, 0,
				    "needs buffer %u, a packet, not %u, or allow-deadlock on",
				    view->flits, view->buffer);
	return 0;
}

/* Fig. 2: is the part that is nearer by labels, D1, the one above? */
static bool near_above(const struct mcfab_topo *topo, u32 source)
{
	return mcfab_topo_coord(topo, source, 1) < topo->radix[1] / 2;
}

/* Fig. 2: is @dst in D1? */
static bool is_near(const struct mcfab_topo *topo, u32 source, u32 dst)
{
	s32 m = topo->radix[0], half = (topo->radix[1] + 1) / 2;
	s32 at = topo->label[source], label = topo->label[dst];
	s32 y = mcfab_topo_coord(topo, source, 1);

	/* above, D1 ends with the label of (m - 1, y); below, it begins with that of (0, y) */
	if (near_above(topo, source)) {
		y += half;
		return label >= at && label <= y * m + (y & 1 ? 0 : m - 1);
	}
	y -= half;
	return label <= at && label >= y * m + (y & 1 ? m - 1 : 0);
}

/* the directions in which a worm to @dst leaves @source */
static u32 first_state(const struct mcfab_topo *topo, u32 source, u32 dst)
{
	bool up = is_near(topo, source, dst) == near_above(topo, source);
	bool even = !(mcfab_topo_coord(topo, source, 1) & 1);

	return TASNEM_KNOWN | (up ? 0 : TASNEM_DOWN) | (even == up ? 0 : TASNEM_LEFT);
}

static void tasnem_prepare(const struct mcfab_view *view, const void *priv, u32 source, u32 *dst,
			   u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	const struct mcfab_topo *topo = view->topo;
	u32 m = topo->radix[0], n = topo->radix[1], ys = mcfab_topo_coord(topo, source, 1);
	u64 *keys = scratch;
	u32 i;

	for (i = 0; i < ndst; i++) {
		u32 x = mcfab_topo_coord(topo, dst[i], 0), y = mcfab_topo_coord(topo, dst[i], 1);
		u32 state = first_state(topo, source, dst[i]);
		u32 rows = state & TASNEM_DOWN ? mcfab_ring_ahead(y, ys, n) :
						 mcfab_ring_ahead(ys, y, n);
		/* d_x is turned with every row */
		bool left = !!(state & TASNEM_LEFT) ^ (rows & 1);

		keys[i] = mcfab_line_key(!is_near(topo, source, dst[i]), rows,
					 left ? m - 1 - x : x, dst[i]);
	}
	mcfab_sort_keys(keys, ndst);
	for (i = 0; i < ndst; i++) {
		if (!i || mcfab_line_part(keys[i]) != mcfab_line_part(keys[i - 1]))
			mcfab_plan_worm(plan, source, MCFAB_NONE, MCFAB_PORT_ANY, 0);
		mcfab_plan_dst(plan, mcfab_line_node(keys[i]));
	}
}

/*
 * One past the last entry of D1 at node @at, whose vertical neighbour is @next. The list stands in
 * the order of the meander: the rest of this row, then the next row from its far end back, so D1
 * comes first.
 */
static u32 end_of_d1(const struct mcfab_topo *topo, const u32 *dst, u32 first, u32 last, u32 at,
		     u32 next, bool left)
{
	u32 x = mcfab_topo_coord(topo, at, 0);
	u32 y = mcfab_topo_coord(topo, at, 1), beyond = mcfab_topo_coord(topo, next, 1);

	while (first < last) {
		u32 mid = first + (last - first) / 2;
		u32 dx = mcfab_topo_coord(topo, dst[mid], 0);
		u32 dy = mcfab_topo_coord(topo, dst[mid], 1);

		if ((dy == y || dy == beyond) && (left ? dx < x : dx > x))
			first = mid + 1;
		else
			last = mid;
	}
	return first;
}

static void add_branch(const struct mcfab_view *view, struct mcfab_decision *out, u32 port,
		       u32 first, u32 last, u32 state)
{
	struct mcfab_branch *branch = &out->branch[out->nbranches++];

	branch->node = MCFAB_NONE;
	branch->nports = 1;
	branch->port[0] = port;
	branch->vcs[0] = state & TASNEM_WRAPPED ? mcfab_vcs_q(view) : mcfab_vcs_p(view);
	branch->first = first;
	branch->last = last;
	branch->state = state;
}

/* Fig. 3 */
static void tasnem_route(const struct mcfab_view *view, const void *priv,
			 const struct mcfab_header *hdr, struct mcfab_decision *out)
{
	const struct mcfab_topo *topo = view->topo;
	u32 first = hdr->first, last = hdr->last, state = hdr->state;
	u32 vertical, left, next, split, turned;

	out->nbranches = 0;
	if (!(state & TASNEM_KNOWN))
		state = first_state(topo, hdr->router, hdr->dst[first]);
	if (hdr->dst[first] == hdr->router) {
		struct mcfab_branch *branch = &out->branch[out->nbranches++];

		branch->node = hdr->router;
		branch->nports = 0;
		branch->first = first;
		branch->last = ++first;
		branch->state = 0;
	}
	if (first == last)
		return;
	vertical = 2 + !!(state & TASNEM_DOWN);
	left = !!(state & TASNEM_LEFT);
	next = mcfab_topo_neighbour(topo, hdr->router, vertical);
	split = end_of_d1(topo, hdr->dst, first, last, hdr->router, next, left);
	/* unless the next row is entered here, all destinations go on along this row */
	if (split > first && (split == last || hdr->dst[split] != next))
		split = last;
	if (split > first)
		add_branch(view, out, left, first, split, state);
	if (split == last)
		return;
	turned = state ^ TASNEM_LEFT;
	if (mcfab_topo_wraps(topo, hdr->router, vertical))
		turned |= TASNEM_WRAPPED;
	add_branch(view, out, vertical, split, last, turned);
}

/*
 * Does a horizontal channel belong to the worms that go up? In a row these have one direction,
 * which is turned with each row; with an odd number of rows the wrap link leads to a row of the
 * same kind.
 */
static bool belongs_up(const struct mcfab_topo *topo, u32 router, u32 port, bool q)
{
	bool even = !(mcfab_topo_coord(topo, router, 1) & 1), right = !port;

	if (q && topo->radix[1] & 1)
		even = !even;
	return even == right;
}

static bool tasnem_turn(const struct mcfab_view *view, const void *priv,
			const struct mcfab_turn *turn)
{
	bool q = mcfab_turn_is_q(view, turn->in_vc), up, wraps;
	u32 on = mcfab_turn_on(turn);

	wraps = mcfab_topo_wraps(view->topo, turn->router, turn->out_port);
	if (turn->in_port < 2)
		up = belongs_up(view->topo, turn->router, on, q);
	else
		up = on == 2;
	if (turn->out_port < 2)
		return (turn->in_port >= 2 || turn->out_port == on) && !wraps &&
		       mcfab_turn_is_q(view, turn->out_vc) == q &&
		       belongs_up(view->topo, turn->router, turn->out_port, q) == up;
	return turn->out_port == 2 + !up && !(q && wraps) &&
	       mcfab_turn_is_q(view, turn->out_vc) == (q || wraps);
}

static struct mcfab_policy_ops mcfab_tasnem = {
	.owner		= THIS_MODULE,
	.name		= "tasnem",
	.title		= "TASNEM: two trees (Abd El-Baky)",
	.flags		= MCFAB_POLICY_TORUS | MCFAB_POLICY_TREE,
	.prep		= 0,
	.params		= tasnem_params,
	.nparams	= ARRAY_SIZE(tasnem_params),
	.init		= tasnem_init,
	.scratch	= mcfab_scratch_keys,
	.prepare	= tasnem_prepare,
	.route		= tasnem_route,
	.turn		= tasnem_turn,
};
module_mcfab_policy(mcfab_tasnem);

MODULE_ALIAS_MCFAB_POLICY("tasnem");
MODULE_DESCRIPTION("mcfab policy: TASNEM, trees on two-dimensional tori");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(MCFAB);
