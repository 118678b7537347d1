// SPDX-License-Identifier: GPL-2.0
/*
 * Two-phase covers of a two-dimensional torus that is cut into two meshes: the policies ttpm and
 * gttpm share them. They differ in the ring that is cut.
 *
 * The ring of dimension a is cut opposite the source: mesh A has the nodes 0 .. floor(k / 2) hops
 * towards + of the source, mesh B the rest, towards -. A line is a row or column across that ring;
 * its wrap link is not used.
 *
 * Phase 1, for each mesh: one worm goes from the source along a to the farthest line with
 * destinations, and on along this end line to the farthest destination on the side with more of
 * them (+ if both have as many). Phase 2: every node of the part along a sends at most two worms,
 * towards + and towards -, to the remaining destinations on its line. The source has no phase to
 * wait for: worms to its own line leave with the first worms.
 *
 *	. . d . .	end line: the worm goes to the side with more
 *	. +-o-d-d
 *	d<+ . . .	phase 2: + receives and sends to both sides
 *	. S . . .
 */
#include "routing/cover.h"
#include "routing/lines.h"
#include "routing/routing.h"

struct meshes {
	const struct mcfab_topo *topo;
	struct mcfab_plan *plan;
	const u64 *key;
	u32 source;
	u32 cut;	/* dimension of the ring */
	u32 centre;	/* the source's place on its line */
};

/* the node along the ring at which the line begins */
static u32 line_head(const struct meshes *m, u64 key)
{
	const struct mcfab_topo *topo = m->topo;
	u32 node = mcfab_line_node(key);

	/* the destination, moved along its line to the source's place */
	return node + (m->centre - mcfab_line_place(key)) * topo->stride[!m->cut];
}

/* parts of a line: keys first .. low - 1 lie towards -, high .. end - 1 towards + */
static void split_line(const struct meshes *m, u32 first, u32 end, u32 *low, u32 *high)
{
	*low = first;
	while (*low < end && mcfab_line_place(m->key[*low]) < m->centre)
		++*low;
	*high = *low;
	if (*high < end && mcfab_line_place(m->key[*high]) == m->centre)
		++*high;
}

/* does the first worm go on towards + on its end line? */
static bool end_side(u32 first, u32 low, u32 high, u32 end)
{
	return end - high >= low - first;
}

/* phase 1: the worm to the lines of one mesh, keys first .. end - 1 */
static void first_worm(const struct meshes *m, u32 first, u32 end)
{
	u32 next, low, high;

	mcfab_plan_worm(m->plan, m->source, MCFAB_NONE, MCFAB_PORT_ANY, m->cut);
	for (; first < end; first = next) {
		bool plus, left;

		next = mcfab_line_end(m->key, first, end);
		split_line(m, first, next, &low, &high);
		plus = end_side(first, low, high, next);
		/* does the line have destinations left for a later worm? */
		left = next < end || (plus ? low > first : next > high);
		if (mcfab_line_offset(m->key[first]) && low < high)
			mcfab_line_append(m->plan, m->key, low, high, false);
		else if (mcfab_line_offset(m->key[first]) && left)
			mcfab_plan_dst(m->plan, line_head(m, m->key[first]) | MCFAB_DST_RELAY);
		if (next < end)
			continue;
		if (plus)
			mcfab_line_append(m->plan, m->key, high, next, false);
		else
			mcfab_line_append(m->plan, m->key, first, low, true);
	}
}

/* phase 2 of one line; @last: it is its mesh's end line */
static void send_line(const struct meshes *m, u32 first, u32 end, bool last, u32 after)
{
	u32 head = line_head(m, m->key[first]), low, high;
	bool plus;

	split_line(m, first, end, &low, &high);
	plus = end_side(first, low, high, end);
	if (high < end && !(last && plus)) {
		mcfab_plan_worm(m->plan, head, after, MCFAB_PORT_ANY, m->cut);
		mcfab_line_append(m->plan, m->key, high, end, false);
	}
	if (first < low && !(last && !plus)) {
		mcfab_plan_worm(m->plan, head, after, MCFAB_PORT_ANY, m->cut);
		mcfab_line_append(m->plan, m->key, first, low, true);
	}
}

/**
 * mcfab_cover_meshes() - cover a torus as two meshes, in two phases
 * @topo: torus of two dimensions
 * @cut: dimension whose ring is cut into the two meshes
 * @source: node that sends
 * @dst: distinct destinations without @source
 * @ndst: how many
 * @plan: where the worms go: at most @ndst, with at most 2 * @ndst entries
 * @keys: room for @ndst numbers
 *
 * The worms are routed by mcfab_hop_meshes(), their arg is @cut.
 *
 * Context: Any. O(k log k).
 */
void mcfab_cover_meshes(const struct mcfab_topo *topo, u32 cut, u32 source, const u32 *dst,
			u32 ndst, struct mcfab_plan *plan, u64 *keys)
{
	u32 radix = topo->radix[cut], from = mcfab_topo_coord(topo, source, cut);
	struct meshes m = {
		.topo = topo, .plan = plan, .key = keys, .source = source, .cut = cut,
		.centre = mcfab_topo_coord(topo, source, !cut),
	};
	u32 i, next, mid = 0, first_b;

	for (i = 0; i < ndst; i++) {
		u32 ahead = mcfab_ring_ahead(from, mcfab_topo_coord(topo, dst[i], cut), radix);
		bool b = ahead > radix / 2;

		keys[i] = mcfab_line_key(b, b ? radix - ahead : ahead,
					 mcfab_topo_coord(topo, dst[i], !cut), dst[i]);
	}
	mcfab_sort_keys(keys, ndst);
	while (mid < ndst && !mcfab_line_part(keys[mid]))
		mid++;
	first_b = plan->nworms;
	if (mid) {
		first_worm(&m, 0, mid);
		first_b++;
	}
	if (mid < ndst)
		first_worm(&m, mid, ndst);
	for (i = 0; i < ndst; i = next) {
		bool b = i >= mid;
		u32 after = b ? first_b : first_b - 1;

		next = mcfab_line_end(keys, i, ndst);
		if (!mcfab_line_offset(keys[i]))
			after = MCFAB_NONE;
		send_line(&m, i, next, next == mid || next == ndst, after);
	}
}
EXPORT_SYMBOL_NS_GPL(mcfab_cover_meshes, MCFAB);

/**
 * mcfab_max_meshes() - the max_plan() of policies that use mcfab_cover_meshes()
 * @view: not used
 * @priv: not used
 * @ndst: destinations
 * @worms: set to the most worms: each has a destination
 * @dsts: set to the most entries: a line has one relay at most
 *
 * Context: Any.
 */
void mcfab_max_meshes(const struct mcfab_view *view, const void *priv, u32 ndst, u32 *worms,
		      u32 *dsts)
{
	*worms = ndst;
	*dsts = 2 * ndst;
}
EXPORT_SYMBOL_NS_GPL(mcfab_max_meshes, MCFAB);

/**
 * mcfab_route_meshes() - decision of a worm of mcfab_cover_meshes()
 * @view: fabric of a torus of two dimensions, at least two virtual channels
 * @priv: not used
 * @hdr: the header
 * @out: filled in
 *
 * Context: Any.
 */
void mcfab_route_meshes(const struct mcfab_view *view, const void *priv,
			const struct mcfab_header *hdr, struct mcfab_decision *out)
{
	mcfab_route_hops(view, hdr, mcfab_hop_meshes, out);
}
EXPORT_SYMBOL_NS_GPL(mcfab_route_meshes, MCFAB);
