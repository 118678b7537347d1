/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Destinations of a two-dimensional torus by lines: the rings across the ring along which a first
 * worm travels. Each destination becomes a number with the place of its line on the first worm's
 * way, its own place on the line, and its node. Sorted by these numbers, the lines stand in the
 * order of travel.
 */
#ifndef MCFAB_ROUTING_LINES_H
#define MCFAB_ROUTING_LINES_H

#include "plan/policy.h"

#define MCFAB_LINE_NODE_BITS	24
#define MCFAB_LINE_COORD_BITS	16
#define MCFAB_LINE_SHIFT	(MCFAB_LINE_NODE_BITS + MCFAB_LINE_COORD_BITS)

static_assert(MCFAB_MAX_NODES <= 1 << MCFAB_LINE_NODE_BITS);

/** mcfab_line_key() - destination @node at @place of the line @offset away in @part */
static inline u64 mcfab_line_key(u32 part, u32 offset, u32 place, u32 node)
{
	return (u64)(part << MCFAB_LINE_COORD_BITS | offset) << MCFAB_LINE_SHIFT |
	       (u64)place << MCFAB_LINE_NODE_BITS | node;
}

/** mcfab_line_part() - to which of several worms the line belongs */
static inline u32 mcfab_line_part(u64 key)
{
	return key >> (MCFAB_LINE_SHIFT + MCFAB_LINE_COORD_BITS);
}

/** mcfab_line_offset() - hops from the source to the line */
static inline u32 mcfab_line_offset(u64 key)
{
	return key >> MCFAB_LINE_SHIFT & (BIT(MCFAB_LINE_COORD_BITS) - 1);
}

/** mcfab_line_place() - place of the destination on the line */
static inline u32 mcfab_line_place(u64 key)
{
	return key >> MCFAB_LINE_NODE_BITS & (BIT(MCFAB_LINE_COORD_BITS) - 1);
}

/** mcfab_line_node() - the destination */
static inline u32 mcfab_line_node(u64 key)
{
	return key & (BIT(MCFAB_LINE_NODE_BITS) - 1);
}

/** mcfab_line_end() - one past the last key of the line that begins at @first */
static inline u32 mcfab_line_end(const u64 *key, u32 first, u32 nkeys)
{
	u32 end = first + 1;

	while (end < nkeys && key[end] >> MCFAB_LINE_SHIFT == key[first] >> MCFAB_LINE_SHIFT)
		end++;
	return end;
}

/** mcfab_ring_ahead() - hops from @from to @to, always towards + */
static inline u32 mcfab_ring_ahead(u32 from, u32 to, u32 radix)
{
	return to >= from ? to - from : to + radix - from;
}

/** mcfab_line_append() - adds the keys first .. end - 1 to the newest worm, in turn or backwards */
static inline void mcfab_line_append(struct mcfab_plan *plan, const u64 *key, u32 first, u32 end,
				     bool backwards)
{
	u32 i;

	for (i = first; i < end; i++)
		mcfab_plan_dst(plan, mcfab_line_node(key[backwards ? first + end - 1 - i : i]));
}

#endif
