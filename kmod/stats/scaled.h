/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Numbers of 64 significant bits with an exponent, for quotients and roots of numbers that do not
 * fit in 128 bits. Not negative. Plain integer arithmetic: every machine gets the same bits.
 */
#ifndef MCFAB_STATS_SCALED_H
#define MCFAB_STATS_SCALED_H

#include "base/u128.h"

/**
 * struct mcfab_scaled - @bits times two to the power of @exponent
 * @bits: the highest bit is set, or the number is 0
 * @exponent: exponent
 */
struct mcfab_scaled {
	u64 bits;
	s32 exponent;
};

struct mcfab_scaled mcfab_scaled_from(struct mcfab_u128 value);
struct mcfab_scaled mcfab_scaled_mul(struct mcfab_scaled a, struct mcfab_scaled b);
struct mcfab_scaled mcfab_scaled_div(struct mcfab_scaled a, struct mcfab_scaled b);
struct mcfab_scaled mcfab_scaled_sqrt(struct mcfab_scaled a);
u64 mcfab_scaled_round(struct mcfab_scaled a);

/** mcfab_scaled() - @value as a number of this kind */
static inline struct mcfab_scaled mcfab_scaled(u64 value)
{
	return mcfab_scaled_from(mcfab_u128(value));
}

#endif
