/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Count, sum, sum of squares, minimum and maximum of whole numbers, exact.
 */
#ifndef MCFAB_STATS_MOMENTS_H
#define MCFAB_STATS_MOMENTS_H

#include "core/u128.h"

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

void mcfab_moments_add(struct mcfab_moments *m, s64 value);
bool mcfab_moments_magnitude(const struct mcfab_moments *m, struct mcfab_u128 *sum);

#endif
