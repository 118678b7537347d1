/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a shard does in which of the next cycles: a ring of one list per cycle, a cycle
 * that is further away stands in the list of one that is as many laps nearer. Two kinds of
 * entries: tails that cross a channel, by worm or (MCFAB_ENG_TREES) by record, linked by its
 * @link; ends of copies, by record, linked by its header's @link.
 */
#ifndef MCFAB_ENGINE_WHEEL_H
#define MCFAB_ENGINE_WHEEL_H

#include <linux/bitops.h>
#include "core/types.h"

/**
 * struct mcfab_wheel - lists of what is due, by cycle
 * @tail: [size] first tail, or MCFAB_NONE
 * @copy: [size] first copy, or MCFAB_NONE
 * @any: bit map of cycles with entries
 * @size: cycles, a power of two
 * @count: entries
 */
struct mcfab_wheel {
	u32 *tail;
	u32 *copy;
	unsigned long *any;
	u32 size;
	u32 count;
};

/* a wheel for intervals of this many cycles */
static inline u32 mcfab_wheel_size(u32 cycles)
{
	return clamp_t(u32, roundup_pow_of_two(2 * cycles), 64, 4096);
}

static inline void mcfab_wheel_put(struct mcfab_wheel *wheel, u32 *list, u32 *link, u32 nr,
				   u64 cycle)
{
	u32 at = cycle & (wheel->size - 1);

	*link = list[at];
	list[at] = nr;
	__set_bit(at, wheel->any);
	wheel->count++;
}

/* has a cycle entries? Then they are about to be taken. */
static inline bool mcfab_wheel_due(struct mcfab_wheel *wheel, u64 cycle)
{
	return __test_and_clear_bit(cycle & (wheel->size - 1), wheel->any);
}

/* the first of a cycle's entries of one kind; each that is looked at is one less */
static inline u32 mcfab_wheel_take(const struct mcfab_wheel *wheel, u32 *list, u64 cycle)
{
	u32 *at = &list[cycle & (wheel->size - 1)], nr = *at;

	*at = MCFAB_NONE;
	return nr;
}

/**
 * mcfab_wheel_next() - next cycle that may have entries
 * @wheel: the wheel
 * @now: the cycle that is over
 *
 * Context: any.
 * Return: a cycle after @now that is no later than the next entry; U64_MAX: none.
 */
static inline u64 mcfab_wheel_next(const struct mcfab_wheel *wheel, u64 now)
{
	u32 from = (now + 1) & (wheel->size - 1), at;

	if (!wheel->count)
		return U64_MAX;
	at = find_next_bit(wheel->any, wheel->size, from);
	if (at == wheel->size)
		at = find_first_bit(wheel->any, wheel->size) + wheel->size;
	return now + 1 + at - from;
}

#endif
