// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers of 64 significant bits with an exponent. Every result is cut off, not rounded: it
 * is at most two units of its last bit too small.
 */
#include "stats/scaled.h"

/**
 * mcfab_scaled_from() - a whole number
 * @value: the number; of more than 64 significant bits the lower ones are dropped
 *
 * Context: any.
 * Return: the number.
 */
struct mcfab_scaled mcfab_scaled_from(struct mcfab_u128 value)
{
	unsigned int length = mcfab_u128_fls(value);

	if (!length)
		return (struct mcfab_scaled){ 0 };
	return (struct mcfab_scaled){
		.bits = mcfab_u128_shl(value, 128 - length).hi,
		.exponent = (s32)length - 64,
	};
}

static struct mcfab_scaled times_power(struct mcfab_scaled a, s32 power)
{
	a.exponent += power;
	return a;
}

/**
 * mcfab_scaled_mul() - product
 * @a: factor
 * @b: factor
 *
 * Context: any.
 * Return: @a * @b.
 */
struct mcfab_scaled mcfab_scaled_mul(struct mcfab_scaled a, struct mcfab_scaled b)
{
	return times_power(mcfab_scaled_from(mcfab_mul64(a.bits, b.bits)),
			   a.exponent + b.exponent);
}

/**
 * mcfab_scaled_div() - quotient
 * @a: dividend
 * @b: divisor, not 0
 *
 * Context: any.
 * Return: @a / @b.
 */
struct mcfab_scaled mcfab_scaled_div(struct mcfab_scaled a, struct mcfab_scaled b)
{
	struct mcfab_u128 high = { .hi = a.bits >> 1, .lo = a.bits << 63 };

	return times_power(mcfab_scaled_from(mcfab_u128_div64(high, b.bits, NULL)),
			   a.exponent - b.exponent - 63);
}

/**
 * mcfab_scaled_sqrt() - square root
 * @a: radicand
 *
 * Context: any.
 * Return: the root of @a.
 */
struct mcfab_scaled mcfab_scaled_sqrt(struct mcfab_scaled a)
{
	struct mcfab_u128 wide = { .hi = a.bits };
	s32 exponent = a.exponent - 64;

	if (exponent % 2) {
		wide = mcfab_u128_shr(wide, 1);
		exponent++;
	}
	return times_power(mcfab_scaled_from(mcfab_u128(mcfab_u128_sqrt(wide))), exponent / 2);
}

/**
 * mcfab_scaled_round() - the nearest whole number
 * @a: number
 *
 * Context: any.
 * Return: @a to the nearest, halves up; U64_MAX if it does not fit.
 */
u64 mcfab_scaled_round(struct mcfab_scaled a)
{
	u64 half;

	if (a.exponent > 0)
		return a.bits ? U64_MAX : 0;
	if (a.exponent < -64)
		return 0;
	if (a.exponent == -64)
		return a.bits >> 63;
	if (!a.exponent)
		return a.bits;
	half = a.bits >> (-a.exponent - 1);
	return (half >> 1) + (half & 1);
}
