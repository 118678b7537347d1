// SPDX-License-Identifier: GPL-2.0
/*
 * Moments of whole numbers.
 */
#include "stats/moments.h"

/**
 * mcfab_moments_add() - add a value to a sample
 * @m: moments, all zero for an empty sample
 * @value: value, its magnitude below 2^63
 *
 * Context: any; the caller serialises.
 */
void mcfab_moments_add(struct mcfab_moments *m, s64 value)
{
	u64 magnitude = mcfab_magnitude(value);
	struct mcfab_u128 extended = { .hi = value < 0 ? U64_MAX : 0, .lo = value };

	if (!m->count || value < m->min)
		m->min = value;
	if (!m->count || value > m->max)
		m->max = value;
	m->count++;
	m->sum = mcfab_u128_add(m->sum, extended);
	m->square = mcfab_u128_add(m->square, mcfab_mul64(magnitude, magnitude));
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
