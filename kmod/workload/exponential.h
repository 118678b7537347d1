/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Exponential variates in fixed point: the times between the messages of a
 * Poisson stream.
 */
#ifndef MCFAB_WORKLOAD_EXPONENTIAL_H
#define MCFAB_WORKLOAD_EXPONENTIAL_H

#include "base/types.h"

/** MCFAB_EXP_BITS - fractional bits of mcfab_exponential() */
#define MCFAB_EXP_BITS		56
/** MCFAB_RATE_ONE - one message per cycle, in the unit of a Poisson rate */
#define MCFAB_RATE_ONE		1000000000

/**
 * struct mcfab_gap - time between two messages
 * @cycles: whole cycles
 * @frac: fraction of a cycle, in 2^-32
 */
struct mcfab_gap {
	u64 cycles;
	u32 frac;
};

/** MCFAB_GAP_PARTS - parts of [1/2, 1) with a logarithm each */
#define MCFAB_GAP_PARTS		128

/**
 * struct mcfab_gaps - gaps of Poisson streams with one rate
 * @rate: messages per cycle of each, in 1e-9
 * @scale: mean gap, shifted to fill 64 bits
 * @below: bits that a gap as it is computed has beyond those that are wanted; 0: not even those
 * @part: by part of [1/2, 1)
 * @part.inverse: 1 / its upper end, 63 fractional bits
 * @part.log: -ln of it, 62 fractional bits
 */
struct mcfab_gaps {
	u64 rate;
	u64 scale;
	u32 below;
	struct {
		u64 inverse;
		u64 log;
	} part[MCFAB_GAP_PARTS];
};

u64 mcfab_exponential(u64 word);
struct mcfab_gap mcfab_exponential_gap(u64 word, u64 rate);
void mcfab_gaps_init(struct mcfab_gaps *g, u64 rate);
struct mcfab_gap mcfab_gaps_draw(const struct mcfab_gaps *g, u64 word);

#endif
