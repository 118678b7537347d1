/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Count, sum, sum of squares, minimum and maximum of whole numbers, exact.
 */
#ifndef MCFAB_STATS_MOMENTS_H
#define MCFAB_STATS_MOMENTS_H

#include "base/u128.h"

/**
 * struct mcfab_moments - moments of a sample
 * @count: values
 * @min: smallest value; 0 if there is none
 * @max: largest value; 0 if there is none
 * @sum: sum of the values, two's complement
 * @square: sum of their squares; exact while the values stay below 2^48 and
 *	    their count below 2^32
 */
struct mcfab_moments {
	u64 count;
	s64 min;
	s64 max;
	struct mcfab_u128 sum;
	struct mcfab_u128 square;
};

/**
 * mcfab_moments_add() - add a value to a sample
 * @m: moments, all zero for an empty sample
 * @value: value, its magnitude below 2^63
 *
 * Context: any; the caller serialises.
 */
static inline void mcfab_moments_add(struct mcfab_moments *m, s64 value)
{
	u64 magnitude = mcfab_magnitude(value);
	struct mcfab_u128 extended = { .hi = value < 0 ? U64_MAX : 0, .lo = value };

	if (!m->count++) {
		m->min = value;
		m->max = value;
	} else if (value < m->min) {
		m->min = value;
	} else if (value > m->max) {
		m->max = value;
	}
	m->sum = mcfab_u128_add(m->sum, extended);
	m->square = mcfab_u128_add(m->square, mcfab_mul64(magnitude, magnitude));
}

void mcfab_moments_merge(struct mcfab_moments *into, const struct mcfab_moments *from, u32 scale);
bool mcfab_moments_magnitude(const struct mcfab_moments *m, struct mcfab_u128 *sum);

#endif
