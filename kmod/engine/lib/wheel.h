/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A timer wheel: what a shard has to do in which of the next cycles. A ring has a list for each
 * cycle. Entries of a cycle that is laps of the ring away stand in the same list. Each kind of
 * entries has its own wheel; an entry is the number of an object, and the object has the link.
 */
#ifndef MCFAB_ENGINE_LIB_WHEEL_H
#define MCFAB_ENGINE_LIB_WHEEL_H

#include <linux/bitops.h>
#include "base/types.h"

/**
 * struct mcfab_wheel - lists of entries, by cycle
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

/* size of a wheel whose entries are mostly no more than @cycles away */
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

/* take a cycle's list; the caller lowers @count for each of its entries */
static inline u32 mcfab_wheel_take(struct mcfab_wheel *wheel, u64 cycle)
{
	u32 at = cycle & (wheel->size - 1), nr = wheel->first[at];

	if (nr == MCFAB_NONE)
		return nr;
	wheel->first[at] = MCFAB_NONE;
	__clear_bit(at, wheel->any);
	return nr;
}

/* the first cycle after @now that is marked in a ring of @size cycles; at least one is marked */
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
