/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Unsigned 128-bit arithmetic in two words. Sums of squares, and the quotients
 * and roots taken of them, need more than 64 bits; the compilers' own 128-bit
 * type is missing on 32-bit machines and has no division in the kernel. All of
 * it is plain integer arithmetic, so that every machine gets the same bits.
 */
#ifndef MCFAB_BASE_U128_H
#define MCFAB_BASE_U128_H

#include "base/types.h"

/**
 * struct mcfab_u128 - an unsigned 128-bit number
 * @hi: bits 127 .. 64
 * @lo: bits 63 .. 0
 */
struct mcfab_u128 {
	u64 hi;
	u64 lo;
};

/** mcfab_u128() - @lo as a 128-bit number */
static inline struct mcfab_u128 mcfab_u128(u64 lo)
{
	return (struct mcfab_u128){ .hi = 0, .lo = lo };
}

/** mcfab_u128_add() - @a + @b modulo 2^128 */
static inline struct mcfab_u128 mcfab_u128_add(struct mcfab_u128 a, struct mcfab_u128 b)
{
	struct mcfab_u128 sum = { .hi = a.hi + b.hi, .lo = a.lo + b.lo };

	sum.hi += sum.lo < a.lo;
	return sum;
}

/** mcfab_u128_sub() - @a - @b modulo 2^128 */
static inline struct mcfab_u128 mcfab_u128_sub(struct mcfab_u128 a, struct mcfab_u128 b)
{
	return (struct mcfab_u128){
		.hi = a.hi - b.hi - (a.lo < b.lo),
		.lo = a.lo - b.lo,
	};
}

/** mcfab_u128_neg() - two's complement of @a */
static inline struct mcfab_u128 mcfab_u128_neg(struct mcfab_u128 a)
{
	return mcfab_u128_sub(mcfab_u128(0), a);
}

/** mcfab_u128_cmp() - negative, 0 or positive as @a is less than, equal to or above @b */
static inline int mcfab_u128_cmp(struct mcfab_u128 a, struct mcfab_u128 b)
{
	if (a.hi != b.hi)
		return a.hi < b.hi ? -1 : 1;
	if (a.lo != b.lo)
		return a.lo < b.lo ? -1 : 1;
	return 0;
}

/** mcfab_u128_shl() - @a shifted left by @bits, 0 .. 127 */
static inline struct mcfab_u128 mcfab_u128_shl(struct mcfab_u128 a, unsigned int bits)
{
	if (!bits)
		return a;
	if (bits >= 64)
		return (struct mcfab_u128){ .hi = a.lo << (bits - 64), .lo = 0 };
	return (struct mcfab_u128){
		.hi = a.hi << bits | a.lo >> (64 - bits),
		.lo = a.lo << bits,
	};
}

/** mcfab_u128_shr() - @a shifted right by @bits, 0 .. 127 */
static inline struct mcfab_u128 mcfab_u128_shr(struct mcfab_u128 a, unsigned int bits)
{
	if (!bits)
		return a;
	if (bits >= 64)
		return (struct mcfab_u128){ .hi = 0, .lo = a.hi >> (bits - 64) };
	return (struct mcfab_u128){
		.hi = a.hi >> bits,
		.lo = a.lo >> bits | a.hi << (64 - bits),
	};
}

/** mcfab_u128_fls() - position of the highest set bit of @a from 1; 0: @a is 0 */
static inline unsigned int mcfab_u128_fls(struct mcfab_u128 a)
{
	return a.hi ? 64 + fls64(a.hi) : fls64(a.lo);
}

/** mcfab_magnitude() - absolute value of @a; abs() does not know the most negative number */
static inline u64 mcfab_magnitude(s64 a)
{
	return a < 0 ? -(u64)a : (u64)a;
}

/** mcfab_mul64() - the whole product @a * @b */
static inline struct mcfab_u128 mcfab_mul64(u64 a, u64 b)
{
	return (struct mcfab_u128){
		.hi = mul_u64_u64_shr(a, b, 64),
		.lo = a * b,
	};
}

/** mcfab_u128_mul64() - @a * @b modulo 2^128 */
static inline struct mcfab_u128 mcfab_u128_mul64(struct mcfab_u128 a, u64 b)
{
	struct mcfab_u128 product = mcfab_mul64(a.lo, b);

	product.hi += a.hi * b;
	return product;
}

u64 mcfab_div_schoolbook(u64 high, u64 low, u64 divisor, u64 *remainder);
struct mcfab_u128 mcfab_u128_div64(struct mcfab_u128 a, u64 divisor, u64 *remainder);
struct mcfab_u128 mcfab_u128_div64_round(struct mcfab_u128 a, u64 divisor);
u64 mcfab_u128_sqrt(struct mcfab_u128 a);
u64 mcfab_u128_to_u64(struct mcfab_u128 a);

#endif
