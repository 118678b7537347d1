/* SPDX-License-Identifier: GPL-2.0 */
/* What the tests of measuring share: random numbers, and what is to be measured. */
#ifndef TESTS_MEASURE_H
#define TESTS_MEASURE_H

#include "base/random.h"
#include "stats/stats.h"

static inline u64 word(u64 index)
{
	return mcfab_random(4, 0, MCFAB_STREAM_DEST, index);
}

/* normal variates are good enough as sums of uniforms here */
static inline double noise(u64 index)
{
	double sum = -6;
	int i;

	for (i = 0; i < 12; i++)
		sum += (word(12 * index + i) >> 11) * 0x1p-53;
	return sum;
}

static inline struct mcfab_stats_cfg config(u32 warmup, u32 precision_ppm)
{
	return (struct mcfab_stats_cfg){
		.nodes = 64, .flits = 32, .warmup = warmup, .batches = 20,
		.batch_cycles = 1000, .precision_ppm = precision_ppm,
	};
}

#endif
