/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Division of numbers of VCs and channels by the number of ports, VCs or injection channels: every
 * header and every hop of a plan need several divisions. Dividends and divisors are small, so one
 * multiplication is enough; reciprocal_divide() does more, for any number of 32 bits.
 */
#ifndef MCFAB_BASE_DIVIDE_H
#define MCFAB_BASE_DIVIDE_H

#include "base/types.h"

/*
 * With e = by * divisor - 2^36, less than the divisor, a * by / 2^36 is too high by a * e /
 * (divisor * 2^36), less than 1 / divisor if a * e < 2^36: not enough to reach the next whole
 * number. a * by has no more than 64 bits.
 */
#define MCFAB_DIVIDE_SHIFT	36
/* dividends are less than this, as all numbers of records are */
#define MCFAB_DIVIDE_MAX	BIT(28)

/** mcfab_divide_by() - the argument of mcfab_divide() for a divisor from 1 to 256 */
static inline u64 mcfab_divide_by(u32 divisor)
{
	return DIV_ROUND_UP_ULL(BIT_ULL(MCFAB_DIVIDE_SHIFT), divisor);
}

/** mcfab_divide() - @a, less than MCFAB_DIVIDE_MAX, by a divisor */
static inline u32 mcfab_divide(u32 a, u64 by)
{
	return (a * by) >> MCFAB_DIVIDE_SHIFT;
}

#endif
