// SPDX-License-Identifier: GPL-2.0
/*
 * The 97.5 % quantile of Student's t, computed in integers.
 *
 * Few degrees of freedom n: with t = sqrt(n) tan x, the probability of |T| <= t
 * is a finite sum (Abramowitz and Stegun, Handbook of Mathematical Functions,
 * 26.7.3 and 26.7.4), s = sin x and c = cos x:
 *
 *	n = 1:	    2 x / pi
 *	n odd:	    2 / pi (x + s c (1 + 2/3 c^2 + 2*4/(3*5) c^4 + ... c^(n-3)))
 *	n even:	    s (1 + 1/2 c^2 + 1*3/(2*4) c^4 + ... c^(n-2))
 *
 * It grows with x, and x is found by bisection.
 *
 * Many degrees of freedom: the expansion in powers of 1/n about the normal
 * quantile z (same book, 26.7.5), whose error falls with n^-5.
 */
#include "base/u128.h"
#include "stats/student.h"

/* Up to here the exact sum is used; the expansion is within 1e-10 beyond. */
#define EXACT_MAX	100

#define BITS		60
#define ONE		BIT_ULL(BITS)
/* pi / 2 */
#define HALF_PI		0x1921fb54442d1847ULL
/* 0.95 pi / 2 */
#define PART_HALF_PI	((u64)(HALF_PI / 20 * 19 + HALF_PI % 20 * 19 / 20))
/* 0.95 */
#define PART		(ONE / 20 * 19 + ONE % 20 * 19 / 20)
/* normal quantile of 0.975: 1.959963984540054 */
#define NORMAL		0x1f5c0331eeff84d7ULL

static u64 mul(u64 a, u64 b)
{
	return mcfab_u128_shr(mcfab_mul64(a, b), BITS).lo;
}

/* sine (first = x) or cosine (first = ONE) by Taylor's series, 0 <= x <= pi / 2 */
static u64 taylor(u64 x, u64 first, u32 n)
{
	u64 square = mul(x, x), term = first, plus = 0, minus = 0;

	for (; term; n += 2) {
		plus += term;
		term = div_u64(mul(term, square), n * (n + 1));
		minus += term;
		n += 2;
		term = div_u64(mul(term, square), n * (n + 1));
	}
	return plus > minus ? plus - minus : 0;
}

/* true if |T| is below t = sqrt(df) tan(x) with a probability of 0.95 or more */
static bool covers(u32 df, u64 x, u64 sine, u64 cosine)
{
	u64 square = mul(cosine, cosine), term = ONE, sum = 0;
	u32 k;

	if (df == 1)
		return x >= PART_HALF_PI;
	for (k = 1; k <= df / 2; k++) {
		sum += term;
		/* times 2k / (2k + 1) for odd, (2k - 1) / 2k for even ones */
		term = mul(term, square);
		term -= div_u64(term, 2 * k + (df & 1));
	}
	if (df & 1)
		return x + mul(mul(sine, cosine), sum) >= PART_HALF_PI;
	return mul(sine, sum) >= PART;
}

static u64 student_exact(u32 df)
{
	u64 x = 0, bit, sine, cosine, tangent, t;

	for (bit = ONE; bit; bit >>= 1) {
		u64 trial = x + bit;

		if (trial >= HALF_PI)
			continue;
		if (!covers(df, trial, taylor(trial, trial, 2), taylor(trial, ONE, 1)))
			x = trial;
	}
	sine = taylor(x, x, 2);
	cosine = taylor(x, ONE, 1);
	/* At most 12.71 for one degree of freedom, so that it fits. */
	tangent = mcfab_u128_div64(mcfab_u128_shl(mcfab_u128(sine), BITS), cosine, NULL).lo;
	t = mcfab_u128_sqrt(mcfab_u128_mul64(mcfab_mul64(tangent, tangent), df));
	return mcfab_u128_shr(mcfab_u128_add(mcfab_mul64(t, MCFAB_NANO), mcfab_u128(ONE / 2)),
			      BITS).lo;
}

/* With 40 fractional bits: the largest sum below needs 18 bits in front of them. */
#define WIDE		40

static s64 mul_wide(s64 a, s64 b)
{
	return mcfab_u128_shr(mcfab_mul64(a, b), WIDE).lo;
}

static u64 student_expansion(u64 df)
{
	s64 z = NORMAL >> (BITS - WIDE);
	s64 z2 = mul_wide(z, z), z3 = mul_wide(z2, z), z5 = mul_wide(z3, z2);
	s64 z7 = mul_wide(z5, z2), z9 = mul_wide(z7, z2);
	s64 g1 = div_s64(z3 + z, 4);
	s64 g2 = div_s64(5 * z5 + 16 * z3 + 3 * z, 96);
	s64 g3 = div_s64(3 * z7 + 19 * z5 + 17 * z3 - 15 * z, 384);
	s64 g4 = div_s64(79 * z9 + 776 * z7 + 1482 * z5 - 1920 * z3 - 945 * z, 92160);
	u64 t;

	t = g3 + div64_u64(g4, df);
	t = g2 + div64_u64(t, df);
	t = g1 + div64_u64(t, df);
	t = z + div64_u64(t, df);
	return mcfab_u128_shr(mcfab_u128_add(mcfab_mul64(t, MCFAB_NANO),
					     mcfab_u128(1ULL << (WIDE - 1))), WIDE).lo;
}

/**
 * mcfab_student() - 97.5 % quantile of Student's t distribution
 * @df: degrees of freedom, at least 1
 *
 * The half-width of a 95 % confidence interval is this many standard errors.
 *
 * Context: any; up to some 100 microseconds for few degrees of freedom.
 * Return: the quantile in units of 1e-9, within one unit.
 */
u64 mcfab_student(u64 df)
{
	if (!df)
		return U64_MAX;
	if (df <= EXACT_MAX)
		return student_exact(df);
	return student_expansion(df);
}
