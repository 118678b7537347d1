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
#include "base/u128.h"
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

/* @zeros ln 2, MCFAB_EXP_BITS fractional bits */
static u64 ln2_times(u32 zeros)
{
	return mul_u64_u64_shr(LN2_Q64, zeros, 64 - MCFAB_EXP_BITS);
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

	return ln2_times(zeros) + (minus_ln(uniform << zeros) >> (SERIES_BITS - MCFAB_EXP_BITS));
}

/**
 * mcfab_exponential_gap() - time between two messages of a Poisson stream
 * @word: 64 random bits
 * @rate: messages per cycle, in 1e-9, 1 .. MCFAB_RATE_ONE
 *
 * Context: any.
 * Return: the gap, rounded down.
 */
struct mcfab_gap mcfab_exponential_gap(u64 word, u64 rate)
{
	struct mcfab_u128 gap = mcfab_mul64(mcfab_exponential(word), MCFAB_RATE_ONE);

	gap = mcfab_u128_div64(gap, rate, NULL);
	return (struct mcfab_gap){
		.cycles = mcfab_u128_shr(gap, MCFAB_EXP_BITS).lo,
		.frac = mcfab_u128_shr(gap, MCFAB_EXP_BITS - 32).lo,
	};
}

/*
 * The same for a stream of gaps, faster: [1/2, 1) is divided into parts, c is the upper end of
 * f's, and
 *
 *	-ln f = -ln c - ln (1 - r),	r = 1 - f / c,	-ln (1 - r) = r (1 + r/2 + r^2/3 + ...)
 *
 * where r is below 2^-7: seven terms leave out less than 2^-59, and no division is left. With
 * what is rounded here and there it is within 2^-58 of what mcfab_exponential() rounds down to
 * 2^-56, so they differ by at most one unit. Very few gaps depend on which it is: those take the
 * long way.
 */
#define PART_BITS	7
#define TERM(n)		((1ULL << 63) / (n))

static_assert(1 << PART_BITS == MCFAB_GAP_PARTS);

/* mcfab_exponential(), or one unit more or less */
static u64 nearly_exponential(const struct mcfab_gaps *g, u64 word)
{
	u64 uniform = word | 1, mantissa, r, square, odd, even, sum;
	u32 zeros = 64 - fls64(uniform), part;

	mantissa = uniform << zeros;
	part = mantissa >> (63 - PART_BITS) & (MCFAB_GAP_PARTS - 1);
	/* 64 fractional bits; those of the inverse, the terms and their sum are 63 */
	r = ((1ULL << 63) - mul_u64_u64_shr(mantissa, g->part[part].inverse, 64)) << 1;
	/* two sums by the square, as one would wait for a product seven times */
	square = mul_u64_u64_shr(r, r, 64);
	odd = TERM(5) + mul_u64_u64_shr(square, TERM(7), 64);
	odd = TERM(3) + mul_u64_u64_shr(square, odd, 64);
	odd = TERM(1) + mul_u64_u64_shr(square, odd, 64);
	even = TERM(4) + mul_u64_u64_shr(square, TERM(6), 64);
	even = TERM(2) + mul_u64_u64_shr(square, even, 64);
	sum = odd + mul_u64_u64_shr(r, even, 64);
	sum = mul_u64_u64_shr(r, sum, 64 + 63 - SERIES_BITS) + g->part[part].log;
	return ln2_times(zeros) + (sum >> (SERIES_BITS - MCFAB_EXP_BITS));
}

/**
 * mcfab_gaps_init() - get ready for the gaps of Poisson streams
 * @g: what to fill in
 * @rate: messages per cycle of each, in 1e-9, 1 .. MCFAB_RATE_ONE
 *
 * Context: any.
 */
void mcfab_gaps_init(struct mcfab_gaps *g, u64 rate)
{
	u32 bits = 64 - fls64(div64_u64(MCFAB_RATE_ONE, rate)), i;
	struct mcfab_u128 scale = mcfab_u128_shl(mcfab_u128(MCFAB_RATE_ONE), bits);
	struct mcfab_u128 one = { .hi = MCFAB_GAP_PARTS };

	g->rate = rate;
	g->scale = mcfab_u128_div64(scale, rate, NULL).lo;
	g->below = max_t(int, MCFAB_EXP_BITS + bits - 64 - 32, 0);
	for (i = 0; i < MCFAB_GAP_PARTS; i++) {
		u64 end = MCFAB_GAP_PARTS + i + 1;

		g->part[i].inverse = mcfab_u128_div64(one, end, NULL).lo;
		/* the last one ends at 1, which is 0 here: its logarithm is right all the same */
		g->part[i].log = minus_ln(end << (63 - PART_BITS));
	}
}

/**
 * mcfab_gaps_draw() - mcfab_exponential_gap() with the rate of these gaps
 * @g: gaps
 * @word: 64 random bits
 *
 * Context: any.
 * Return: the gap, rounded down.
 */
struct mcfab_gap mcfab_gaps_draw(const struct mcfab_gaps *g, u64 word)
{
	/* @below bits more than are wanted; from 1 too much to less than 3 too little */
	u64 gap = mul_u64_u64_shr(nearly_exponential(g, word), g->scale, 64);
	u64 least = (gap - 1) >> g->below, most = (gap + 2) >> g->below;

	if (unlikely(least != most || !g->below))
		return mcfab_exponential_gap(word, g->rate);
	return (struct mcfab_gap){ .cycles = least >> 32, .frac = least };
}
