/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a shard does in which of the next cycles: a ring of one list per cycle, a cycle
 * that is further away stands in the list of one that is as many laps nearer. Each kind of
 * entries has a wheel of its own, and a link of its own in what it is about.
 */
#ifndef MCFAB_ENGINE_LIB_WHEEL_H
#define MCFAB_ENGINE_LIB_WHEEL_H

#include <linux/bitops.h>
#include "base/types.h"

/**
 * struct mcfab_wheel - lists of what is due, by cycle
 * @first: [size] first entry, or MCFAB_NONE
 * @any: bit map of cycles with entries
 * @size: cycles, a power of two
 * @count: entries
 */
struct mcfab_wheel {
	u32 *first;
	unsigned long *any;
	u32 size;
	u32 count;
};

/* a wheel for intervals of this many cycles */
static inline u32 mcfab_wheel_size(u32 cycles)
{
	return clamp_t(u32, roundup_pow_of_two(2 * cycles), 64, 4096);
}

static inline void mcfab_wheel_put(struct mcfab_wheel *wheel, u32 *link, u32 nr, u64 cycle)
{
	u32 at = cycle & (wheel->size - 1);

	*link = wheel->first[at];
	wheel->first[at] = nr;
	__set_bit(at, wheel->any);
	wheel->count++;
}

/* the first of a cycle's entries, or MCFAB_NONE; each that is looked at is one less */
static inline u32 mcfab_wheel_take(struct mcfab_wheel *wheel, u64 cycle)
{
	u32 at = cycle & (wheel->size - 1), nr = wheel->first[at];

	if (nr == MCFAB_NONE)
		return nr;
	wheel->first[at] = MCFAB_NONE;
	__clear_bit(at, wheel->any);
	return nr;
}

/* the first cycle after @now that is marked in a ring of @size cycles, of which one is */
static inline u64 mcfab_ring_next(const unsigned long *any, u32 size, u64 now)
{
	u32 from = (now + 1) & (size - 1), at = find_next_bit(any, size, from);

	if (at == size)
		at = find_first_bit(any, size) + size;
	return now + 1 + at - from;
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
	return wheel->count ? mcfab_ring_next(wheel->any, wheel->size, now) : U64_MAX;
}

#endif
