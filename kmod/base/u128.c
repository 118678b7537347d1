// SPDX-License-Identifier: GPL-2.0
/*
 * 128-bit division and square root, for statistics and random variates.
 */
#include "base/u128.h"

/**
 * mcfab_div_schoolbook() - divide two digits of 64 bits by one
 * @high: the first one, below @divisor
 * @low: the second one
 * @divisor: divisor
 * @remainder: where to put the remainder
 *
 * Schoolbook division in base 2^32 (Knuth, The Art of Computer Programming, vol. 2, 4.3.1,
 * algorithm D), for processors that cannot divide 128 bits.
 *
 * Context: any.
 * Return: the quotient.
 */
u64 mcfab_div_schoolbook(u64 high, u64 low, u64 divisor, u64 *remainder)
{
	unsigned int shift = 64 - fls64(divisor);
	u64 d1, d0, rest, digit[2];
	int i;

	/* With the divisor's top bit set a guessed digit is at most 2 too large. */
	divisor <<= shift;
	if (shift) {
		high = high << shift | low >> (64 - shift);
		low <<= shift;
	}
	d1 = divisor >> 32;
	d0 = (u32)divisor;

	for (i = 1; i >= 0; i--) {
		u64 next = i ? low >> 32 : (u32)low;
		u64 guess = div64_u64(high, d1);

		rest = high - guess * d1;
		while (guess >> 32 || guess * d0 > (rest << 32 | next)) {
			guess--;
			rest += d1;
			if (rest >> 32)
				break;
		}
		high = (high << 32 | next) - guess * divisor;
		digit[i] = guess;
	}
	*remainder = high >> shift;
	return digit[1] << 32 | digit[0];
}

static u64 div_2by1(u64 high, u64 low, u64 divisor, u64 *remainder)
{
#ifdef __x86_64__
	u64 quotient;

	asm ("divq %[divisor]" : "=a" (quotient), "=d" (*remainder)
			       : "a" (low), "d" (high), [divisor] "rm" (divisor));
	return quotient;
#else
	return mcfab_div_schoolbook(high, low, divisor, remainder);
#endif
}

/**
 * mcfab_u128_div64() - divide a 128-bit by a 64-bit number
 * @a: dividend
 * @divisor: divisor, not 0
 * @remainder: where to put the remainder, or NULL
 *
 * Context: any.
 * Return: the quotient, rounded down.
 */
struct mcfab_u128 mcfab_u128_div64(struct mcfab_u128 a, u64 divisor, u64 *remainder)
{
	struct mcfab_u128 quotient = { .hi = 0 };
	u64 high = a.hi, rest;

	if (high >= divisor) {
		quotient.hi = div64_u64(high, divisor);
		high -= quotient.hi * divisor;
	}
	if (high) {
		quotient.lo = div_2by1(high, a.lo, divisor, &rest);
	} else {
		quotient.lo = div64_u64(a.lo, divisor);
		rest = a.lo - quotient.lo * divisor;
	}
	if (remainder)
		*remainder = rest;
	return quotient;
}

/**
 * mcfab_u128_div64_round() - divide and round to the nearest integer
 * @a: dividend
 * @divisor: divisor, not 0
 *
 * Context: any.
 * Return: the quotient, halves rounded up.
 */
struct mcfab_u128 mcfab_u128_div64_round(struct mcfab_u128 a, u64 divisor)
{
	struct mcfab_u128 quotient;
	u64 rest;

	quotient = mcfab_u128_div64(a, divisor, &rest);
	if (rest >= divisor - rest)
		quotient = mcfab_u128_add(quotient, mcfab_u128(1));
	return quotient;
}

/**
 * mcfab_u128_sqrt() - integer square root
 * @a: number
 *
 * Newton's method from above, until the value does not fall any more (Cohen, A Course in
 * Computational Algebraic Number Theory, algorithm 1.7.1).
 *
 * Context: any.
 * Return: the largest integer whose square is at most @a.
 */
u64 mcfab_u128_sqrt(struct mcfab_u128 a)
{
	unsigned int top = mcfab_u128_fls(a);
	struct mcfab_u128 quotient;
	u64 root, next;

	if (!top)
		return 0;
	root = top > 126 ? U64_MAX : 1ULL << (top + 1) / 2;
	for (;;) {
		quotient = mcfab_u128_div64(a, root, NULL);
		/* of numbers next to 2^128 */
		if (quotient.hi)
			return root;
		next = root / 2 + quotient.lo / 2 + (root & quotient.lo & 1);
		if (next >= root)
			return root;
		root = next;
	}
}

/**
 * mcfab_u128_to_u64() - narrow to 64 bits
 * @a: number
 *
 * Context: any.
 * Return: @a, or U64_MAX if it is larger than that.
 */
u64 mcfab_u128_to_u64(struct mcfab_u128 a)
{
	return a.hi ? U64_MAX : a.lo;
}
