// SPDX-License-Identifier: GPL-2.0
/*
 * Exponential variates: -ln U of a uniform U, in integers.
 *
 * With U = f / 2^n and f in [1/2, 1):
 *
 *	-ln U = n ln 2 - ln f,	-ln f = 2 artanh z,	z = (1 - f) / (1 + f)
 *
 * and z is in (0, 1/3], where the series
 *
 *	artanh z = z (1 + z^2/3 + z^4/5 + ...)
 *
 * loses more than three bits per term. It is summed by Horner's rule with 62
 * fractional bits; the neglected tail is below 9^-TERMS. Rounding is always
 * down; what is lost in all is below 2^-54.
 */
#include "core/u128.h"
#include "workload/exponential.h"

/* ln 2, 64 fractional bits */
#define LN2_Q64		0xb17217f7d1cf79abULL
#define SERIES_BITS	62
#define INVERSE(n)	((1ULL << SERIES_BITS) / (n))

static const u64 inverse_odd[] = {
	INVERSE(1), INVERSE(3), INVERSE(5), INVERSE(7), INVERSE(9), INVERSE(11),
	INVERSE(13), INVERSE(15), INVERSE(17), INVERSE(19), INVERSE(21),
	INVERSE(23), INVERSE(25), INVERSE(27), INVERSE(29), INVERSE(31),
	INVERSE(33), INVERSE(35), INVERSE(37),
};

static u64 mul_series(u64 a, u64 b)
{
	return mul_u64_u64_shr(a, b, SERIES_BITS);
}

/* -ln(f) for f = mantissa / 2^64 in [1/2, 1), SERIES_BITS fractional bits */
static u64 minus_ln(u64 mantissa)
{
	/* 1 - f and (1 + f) / 2, each times 2^64 */
	u64 less = -mantissa, more = (1ULL << 63) + (mantissa >> 1);
	u64 z, square_q64, sum = 0;
	int i;

	z = mcfab_u128_div64(mcfab_u128_shl(mcfab_u128(less), SERIES_BITS - 1), more, NULL).lo;
	/* the upper word of a product is there sooner than one that has to be shifted */
	square_q64 = mul_series(z, z) << (64 - SERIES_BITS);
	for (i = ARRAY_SIZE(inverse_odd) - 1; i >= 0; i--)
		sum = inverse_odd[i] + mul_u64_u64_shr(square_q64, sum, 64);
	return 2 * mul_series(z, sum);
}

/**
 * mcfab_exponential() - exponential variate with mean 1
 * @word: 64 random bits
 *
 * U is (k + 1/2) / 2^63 with k the upper 63 bits of @word: never 0, never 1 and
 * symmetric about one half.
 *
 * Context: any.
 * Return: -ln U with MCFAB_EXP_BITS fractional bits, less than 2^-54 too small;
 * between 2^-65 (given as 0) and 44.4.
 */
u64 mcfab_exponential(u64 word)
{
	u64 uniform = word | 1;
	unsigned int zeros = 64 - fls64(uniform);
	u64 whole = mcfab_u128_shr(mcfab_mul64(LN2_Q64, zeros), 64 - MCFAB_EXP_BITS).lo;

	return whole + (minus_ln(uniform << zeros) >> (SERIES_BITS - MCFAB_EXP_BITS));
}

/**
 * mcfab_exponential_gap() - time between two messages of a Poisson stream
 * @word: 64 random bits
 * @rate: messages per cycle, in 1e-9, 1 .. MCFAB_RATE_ONE
 * @cycles: whole cycles of the gap
 * @frac: fraction of a cycle, in 2^-32, rounded down
 *
 * Context: any.
 */
void mcfab_exponential_gap(u64 word, u64 rate, u64 *cycles, u32 *frac)
{
	struct mcfab_u128 gap = mcfab_mul64(mcfab_exponential(word), MCFAB_RATE_ONE);

	gap = mcfab_u128_div64(gap, rate, NULL);
	*frac = mcfab_u128_shr(gap, MCFAB_EXP_BITS - 32).lo;
	*cycles = mcfab_u128_shr(gap, MCFAB_EXP_BITS).lo;
}
