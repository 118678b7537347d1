// SPDX-License-Identifier: GPL-2.0
/*
 * Derived numbers.
 *
 * Roots are taken of numbers that were shifted to fill 128 bits, so that they
 * keep more than 60 significant bits whatever the size of the sample.
 */
#include "stats/derive.h"
#include "stats/student.h"

/**
 * mcfab_mean() - mean of a sample
 * @m: moments
 * @scale: what one is given as: MCFAB_MICRO for a result in 1e-6 of the values'
 *	   unit
 *
 * Context: any.
 * Return: the mean, rounded to the nearest integer, halves away from zero, at most
 * S64_MAX; 0 for an empty sample.
 */
s64 mcfab_mean(const struct mcfab_moments *m, u32 scale)
{
	struct mcfab_u128 sum;
	bool negative = mcfab_moments_magnitude(m, &sum);
	u64 mean;

	if (!m->count)
		return 0;
	mean = mcfab_u128_to_u64(mcfab_u128_div64_round(mcfab_u128_mul64(sum, scale), m->count));
	mean = min_t(u64, mean, S64_MAX);
	return negative ? -(s64)mean : (s64)mean;
}

/*
 * Root of the sum of squared deviations from the mean, times 2^shift. With q the
 * mean rounded down and r the remainder of that division, the sum of (x - q)^2
 * is an integer, and r^2 / n more than the one wanted.
 */
static u64 root_deviations(const struct mcfab_moments *m, unsigned int *shift)
{
	struct mcfab_u128 sum, about, extra;
	unsigned int bits;
	u64 q, r;

	mcfab_moments_magnitude(m, &sum);
	q = mcfab_u128_div64(sum, m->count, &r).lo;
	/* sum of x^2 - q (2 sum - n q) = sum of x^2 - q (sum + r), modulo 2^128 */
	about = mcfab_u128_mul64(mcfab_u128_add(sum, mcfab_u128(r)), q);
	about = mcfab_u128_sub(m->square, about);
	extra = mcfab_mul64(r, r);

	bits = max(mcfab_u128_fls(about), mcfab_u128_fls(extra));
	*shift = bits ? (128 - bits) / 2 : 0;
	about = mcfab_u128_shl(about, 2 * *shift);
	extra = mcfab_u128_div64(mcfab_u128_shl(extra, 2 * *shift), m->count, NULL);
	return mcfab_u128_sqrt(mcfab_u128_sub(about, extra));
}

/* factor * root of (squared deviations / divisor) / MCFAB_NANO, to the nearest */
static u64 scaled_root(const struct mcfab_moments *m, u64 factor, struct mcfab_u128 divisor)
{
	unsigned int up, down;
	u64 above = root_deviations(m, &down), below;
	struct mcfab_u128 value;

	up = (128 - mcfab_u128_fls(divisor)) / 2;
	below = mcfab_u128_sqrt(mcfab_u128_shl(divisor, 2 * up));
	value = mcfab_u128_div64(mcfab_mul64(factor, above), below, NULL);
	if (up >= down)
		value = mcfab_u128_shl(value, up - down);
	else
		value = mcfab_u128_shr(value, down - up);
	return mcfab_u128_to_u64(mcfab_u128_div64_round(value, MCFAB_NANO));
}

/**
 * mcfab_deviation() - standard deviation of the population behind a sample
 * @m: moments
 * @scale: what one is given as
 *
 * The root of (sum of squared deviations / (count - 1)).
 *
 * Context: any.
 * Return: the deviation to the nearest integer; MCFAB_UNKNOWN below two values.
 */
u64 mcfab_deviation(const struct mcfab_moments *m, u32 scale)
{
	if (m->count < 2)
		return MCFAB_UNKNOWN;
	return scaled_root(m, (u64)scale * MCFAB_NANO, mcfab_u128(m->count - 1));
}

/**
 * mcfab_half_width() - half-width of the 95 % confidence interval of the mean
 * @m: moments of independent observations
 * @scale: what one is given as
 *
 * Student's t with count - 1 degrees of freedom.
 *
 * Context: any; some 100 microseconds at worst.
 * Return: the half-width to the nearest integer; MCFAB_UNKNOWN below two values.
 */
u64 mcfab_half_width(const struct mcfab_moments *m, u32 scale)
{
	if (m->count < 2)
		return MCFAB_UNKNOWN;
	return scaled_root(m, mcfab_student(m->count - 1) * scale,
			   mcfab_mul64(m->count, m->count - 1));
}

/**
 * mcfab_ratio() - an amount per unit of something, such as flits per node and cycle
 * @amount: amount
 * @divisor: what it is divided by
 * @divisor2: and by this
 * @scale: what one is given as
 *
 * Context: any.
 * Return: @amount * @scale / @divisor / @divisor2, rounded down at each division;
 * 0 if a divisor is 0.
 */
u64 mcfab_ratio(u64 amount, u64 divisor, u64 divisor2, u32 scale)
{
	struct mcfab_u128 value = mcfab_mul64(amount, scale);

	if (!divisor || !divisor2)
		return 0;
	value = mcfab_u128_div64(value, divisor, NULL);
	return mcfab_u128_to_u64(mcfab_u128_div64(value, divisor2, NULL));
}

/**
 * mcfab_spread_ppm() - coefficient of variation of a whole population
 * @count: values
 * @sum: their sum
 * @square: sum of their squares; times @count it must fit in 128 bits
 *
 * The standard deviation over @count (not @count - 1) divided by the mean.
 *
 * Context: any.
 * Return: the coefficient in 1e-6, within one unit; 0 if @sum is 0.
 */
u32 mcfab_spread_ppm(u64 count, u64 sum, struct mcfab_u128 square)
{
	struct mcfab_u128 spread;
	unsigned int shift;

	if (!sum)
		return 0;
	spread = mcfab_u128_sub(mcfab_u128_mul64(square, count), mcfab_mul64(sum, sum));
	shift = (128 - mcfab_u128_fls(spread)) / 2;
	if (shift == 64)
		return 0;
	spread = mcfab_mul64(mcfab_u128_sqrt(mcfab_u128_shl(spread, 2 * shift)), MCFAB_MICRO);
	return mcfab_u128_div64_round(mcfab_u128_shr(spread, shift), sum).lo;
}
