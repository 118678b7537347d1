// SPDX-License-Identifier: GPL-2.0
/*
 * Covering a set by path worms that keep to a turn model (Glass and Ni, "The turn model for
 * adaptive routing", ISCA 1992) on a mesh of two dimensions. The QG paper says that its routing may
 * be dimension order or a turn model, and no more: these covers are our choice.
 *
 * West-first: a worm goes west before anything else, and never turns west again. So it may visit
 * column after column from west to east, each column up or down.
 *
 * Negative-first: a worm goes west and south before it goes east or north. So it may visit nodes of
 * which each is west or south of the one before, or nodes of which each is east or north.
 *
 * No worm turns back in its own dimension. Worms are made one after the other; each takes what it
 * meets of the destinations that are left, at least one.
 */
#include "policies/qg.h"
#include "routing/cover.h"
#include "routing/routing.h"

static u32 x_of(const struct mcfab_topo *topo, u32 node)
{
	return mcfab_topo_coord(topo, node, 0);
}

static u32 y_of(const struct mcfab_topo *topo, u32 node)
{
	return mcfab_topo_coord(topo, node, 1);
}

/* give the worm destination @i of those that are left, which takes it off */
static void take(struct mcfab_plan *plan, u32 *dst, u32 i)
{
	mcfab_plan_dst(plan, dst[i]);
	dst[i] = MCFAB_NONE;
}

/* close the gaps; return: how many are left */
static u32 squeeze(u32 *dst, u32 ndst)
{
	u32 i, n = 0;

	for (i = 0; i < ndst; i++)
		if (dst[i] != MCFAB_NONE)
			dst[n++] = dst[i];
	return n;
}

/* sort by column, then by row */
static void sort_columns(const struct mcfab_topo *topo, u32 *dst, u32 ndst, u64 *keys)
{
	u32 i;

	for (i = 0; i < ndst; i++)
		keys[i] = ((u64)x_of(topo, dst[i]) * topo->radix[1] + y_of(topo, dst[i])) << 32 |
			  dst[i];
	mcfab_sort_keys(keys, ndst);
	for (i = 0; i < ndst; i++)
		dst[i] = (u32)keys[i];
}

/* visit one column, dst[@from .. @end), entered in row @y; return: the row in which it is left */
static u32 visit_column(const struct mcfab_topo *topo, u32 y, u32 *dst, u32 from, u32 end,
			struct mcfab_plan *plan)
{
	u32 below = 0, above = 0, i;

	for (i = from; i < end; i++) {
		if (dst[i] == MCFAB_NONE)
			continue;
		below += y_of(topo, dst[i]) < y;
		above += y_of(topo, dst[i]) > y;
	}
	/* the row in which it comes, then the fuller side */
	for (i = from; i < end; i++)
		if (dst[i] != MCFAB_NONE && y_of(topo, dst[i]) == y)
			take(plan, dst, i);
	if (below > above) {
		for (i = end; i-- > from; ) {
			if (dst[i] == MCFAB_NONE || y_of(topo, dst[i]) > y)
				continue;
			y = y_of(topo, dst[i]);
			take(plan, dst, i);
		}
		return y;
	}
	for (i = from; i < end; i++) {
		if (dst[i] == MCFAB_NONE || y_of(topo, dst[i]) < y)
			continue;
		y = y_of(topo, dst[i]);
		take(plan, dst, i);
	}
	return y;
}

/* one worm of west-first; @dst is sorted by column, then row */
static void west_worm(const struct mcfab_topo *topo, u32 sender, u32 *dst, u32 ndst,
		      struct mcfab_plan *plan)
{
	u32 x = x_of(topo, sender), y = y_of(topo, sender), start = x, i, end;
	bool west = false;

	/* it goes west as far as another row needs it: there it turns north or south */
	for (i = 0; i < ndst && x_of(topo, dst[i]) < x; i++) {
		west = true;
		if (y_of(topo, dst[i]) == y)
			continue;
		start = x_of(topo, dst[i]);
		break;
	}
	/* what is in the sender's row on the way; all of it, if nothing else is in the west */
	for (i = ndst; i-- > 0; )
		if (x_of(topo, dst[i]) < x && y_of(topo, dst[i]) == y &&
		    (start == x || x_of(topo, dst[i]) >= start))
			take(plan, dst, i);
	if (west && start == x)
		return;
	for (i = 0; i < ndst; i = end) {
		u32 column;

		end = i + 1;
		if (dst[i] == MCFAB_NONE)
			continue;
		column = x_of(topo, dst[i]);
		while (end < ndst && (dst[end] == MCFAB_NONE || x_of(topo, dst[end]) == column))
			end++;
		if (column >= start)
			y = visit_column(topo, y, dst, i, end, plan);
	}
}

/* one worm of negative-first; @dst is sorted by column, then row */
static void negative_worm(const struct mcfab_topo *topo, u32 sender, u32 *dst, u32 ndst,
			  struct mcfab_plan *plan)
{
	u32 x = x_of(topo, sender), y = y_of(topo, sender), i;
	bool first = true;

	/* west and south, as long as there is something in that quadrant */
	for (i = ndst; i-- > 0; ) {
		if (x_of(topo, dst[i]) > x || y_of(topo, dst[i]) > y)
			continue;
		x = x_of(topo, dst[i]);
		y = y_of(topo, dst[i]);
		take(plan, dst, i);
		first = false;
	}
	if (!first)
		return;
	/*
	 * The first leg is into one of the other quadrants: it goes west and then north, south and
	 * then east, or east and north. East and north from there on.
	 */
	for (i = 0; i < ndst; i++) {
		if (!first && (x_of(topo, dst[i]) < x || y_of(topo, dst[i]) < y))
			continue;
		x = x_of(topo, dst[i]);
		y = y_of(topo, dst[i]);
		take(plan, dst, i);
		first = false;
	}
}

static void cover(const struct mcfab_topo *topo, u32 sender, u32 after, u32 *dst, u32 ndst,
		  struct mcfab_plan *plan, u64 *keys, bool negative)
{
	sort_columns(topo, dst, ndst, keys);
	while (ndst) {
		mcfab_plan_worm(plan, sender, after, MCFAB_PORT_ANY,
				negative ? MCFAB_BASE_NEGATIVE : MCFAB_BASE_DIMENSION);
		if (negative)
			negative_worm(topo, sender, dst, ndst, plan);
		else
			west_worm(topo, sender, dst, ndst, plan);
		ndst = squeeze(dst, ndst);
	}
}

/**
 * qg_cover_west() - cover a set by worms that keep to west-first
 * @topo: mesh of two dimensions
 * @sender: node that sends
 * @after: the worm that delivers to it, or MCFAB_NONE
 * @dst: destinations
 * @ndst: how many
 * @plan: where the worms go
 * @keys: room for @ndst numbers
 *
 * Legs are in dimension order, which is a part of west-first. O(k^2) at worst, where each worm has
 * one destination.
 *
 * Context: Any.
 */
void qg_cover_west(const struct mcfab_topo *topo, u32 sender, u32 after, u32 *dst, u32 ndst,
		   struct mcfab_plan *plan, u64 *keys)
{
	cover(topo, sender, after, dst, ndst, plan, keys, false);
}

/**
 * qg_cover_negative() - the same, for negative-first
 * @topo: mesh of two dimensions
 * @sender: node that sends
 * @after: the worm that delivers to it, or MCFAB_NONE
 * @dst: destinations
 * @ndst: how many
 * @plan: where the worms go
 * @keys: room for @ndst numbers
 *
 * Context: Any.
 */
void qg_cover_negative(const struct mcfab_topo *topo, u32 sender, u32 after, u32 *dst, u32 ndst,
		       struct mcfab_plan *plan, u64 *keys)
{
	cover(topo, sender, after, dst, ndst, plan, keys, true);
}
