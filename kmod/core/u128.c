// SPDX-License-Identifier: GPL-2.0
/*
 * 128-bit division and square root, for statistics and random variates.
 */
#include "core/u128.h"

/*
 * Quotient of (high, low) / divisor with high < divisor: schoolbook division in
 * base 2^32 (Knuth, The Art of Computer Programming, vol. 2, 4.3.1, algorithm D).
 */
static u64 div_2by1(u64 high, u64 low, u64 divisor, u64 *remainder)
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
 * One result bit per step, by subtraction alone.
 *
 * Context: any.
 * Return: the largest integer whose square is at most @a.
 */
u64 mcfab_u128_sqrt(struct mcfab_u128 a)
{
	struct mcfab_u128 root = { .hi = 0 }, bit, trial;
	unsigned int top = mcfab_u128_fls(a);

	if (!top)
		return 0;
	bit = mcfab_u128_shl(mcfab_u128(1), (top - 1) & ~1u);
	while (bit.hi || bit.lo) {
		trial = mcfab_u128_add(root, bit);
		root = mcfab_u128_shr(root, 1);
		if (mcfab_u128_cmp(a, trial) >= 0) {
			a = mcfab_u128_sub(a, trial);
			root = mcfab_u128_add(root, bit);
		}
		bit = mcfab_u128_shr(bit, 2);
	}
	return root.lo;
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
