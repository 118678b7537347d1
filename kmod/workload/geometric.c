// SPDX-License-Identifier: GPL-2.0
/*
 * Geometric variates by inversion. If something happens in each cycle with probability p, it
 * has not happened in n cycles with probability (1 - p)^n, and
 *
 *	1 + floor(ln U / ln (1 - p))
 *
 * of a uniform U is the cycle in which it happens first.
 */
#include "base/u128.h"
#include "workload/exponential.h"
#include "workload/geometric.h"

/**
 * mcfab_chance_of() - a probability, for mcfab_chance()
 * @part: numerator, at most @whole
 * @whole: denominator, at least 1
 *
 * Context: any.
 * Return: @part / @whole with 63 fractional bits, rounded down.
 */
u64 mcfab_chance_of(u64 part, u64 whole)
{
	return mcfab_u128_div64(mcfab_u128_shl(mcfab_u128(part), 63), whole, NULL).lo;
}

/**
 * mcfab_geometric_log() - how rare something is, for mcfab_geometric()
 * @ppb: its probability in each cycle, in 1e-9, 1 .. MCFAB_PPB
 *
 * Of two things that happen independently, either happens as often as the sum of theirs says.
 *
 * Context: any.
 * Return: -ln (1 - p) with MCFAB_EXP_BITS fractional bits, within 2^-53; MCFAB_GEOMETRIC_SURE
 * for 1.
 */
u64 mcfab_geometric_log(u32 ppb)
{
	struct mcfab_u128 rest = { .hi = MCFAB_PPB - ppb };

	if (ppb == MCFAB_PPB)
		return MCFAB_GEOMETRIC_SURE;
	return mcfab_exponential(mcfab_u128_div64(rest, MCFAB_PPB, NULL).lo);
}

/**
 * mcfab_geometric() - cycles until something happens
 * @word: 64 random bits
 * @log: how rare it is, of mcfab_geometric_log()
 *
 * Context: any.
 * Return: 1: in the next cycle, 2: in the one after that, ..., below 2^37.
 */
u64 mcfab_geometric(u64 word, u64 log)
{
	if (log == MCFAB_GEOMETRIC_SURE)
		return 1;
	return 1 + div64_u64(mcfab_exponential(word), log);
}
