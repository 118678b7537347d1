/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Exponential variates in fixed point: the times between the messages of a
 * Poisson stream.
 */
#ifndef MCFAB_WORKLOAD_EXPONENTIAL_H
#define MCFAB_WORKLOAD_EXPONENTIAL_H

#include "core/types.h"

/** MCFAB_EXP_BITS - fractional bits of mcfab_exponential() */
#define MCFAB_EXP_BITS		56
/** MCFAB_RATE_ONE - one message per cycle, in the unit of a Poisson rate */
#define MCFAB_RATE_ONE		1000000000

u64 mcfab_exponential(u64 word);
void mcfab_exponential_gap(u64 word, u64 rate, u64 *cycles, u32 *frac);

#endif
