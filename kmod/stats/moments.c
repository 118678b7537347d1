// SPDX-License-Identifier: GPL-2.0
/*
 * Moments of whole numbers.
 */
#include "stats/moments.h"

/**
 * mcfab_moments_merge() - add the values of one sample to another
 * @into: moments to add to
 * @from: moments of the values to add
 * @scale: factor for each of the values to add
 *
 * Context: any; the caller serialises.
 */
void mcfab_moments_merge(struct mcfab_moments *into, const struct mcfab_moments *from, u32 scale)
{
	struct mcfab_u128 square = mcfab_u128_mul64(from->square, scale);

	if (!from->count)
		return;
	into->min = into->count ? min(into->min, from->min * scale) : from->min * scale;
	into->max = into->count ? max(into->max, from->max * scale) : from->max * scale;
	into->count += from->count;
	into->sum = mcfab_u128_add(into->sum, mcfab_u128_mul64(from->sum, scale));
	into->square = mcfab_u128_add(into->square, mcfab_u128_mul64(square, scale));
}

/**
 * mcfab_moments_magnitude() - absolute value of the sum
 * @m: moments
 * @sum: where to put it
 *
 * Context: any.
 * Return: true if the sum is negative.
 */
bool mcfab_moments_magnitude(const struct mcfab_moments *m, struct mcfab_u128 *sum)
{
	bool negative = m->sum.hi >> 63;

	*sum = negative ? mcfab_u128_neg(m->sum) : m->sum;
	return negative;
}
