/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Log-linear histogram of 32-bit values: every power of two is divided into 64
 * equal buckets. Values below 128 have a bucket each; above, a bucket is at most
 * 1/64 (1.5625 %) as wide as its lowest value.
 */
#ifndef MCFAB_STATS_HISTOGRAM_H
#define MCFAB_STATS_HISTOGRAM_H

#include <linux/bitops.h>
#include "base/types.h"

/** MCFAB_HIST_BITS - logarithm of the buckets per power of two */
#define MCFAB_HIST_BITS		6
/** MCFAB_HIST_BUCKETS - buckets of a histogram */
#define MCFAB_HIST_BUCKETS	((32 - MCFAB_HIST_BITS + 1) << MCFAB_HIST_BITS)

/**
 * struct mcfab_histogram - how often values occurred
 * @count: values in all
 * @bucket: values per bucket
 */
struct mcfab_histogram {
	u64 count;
	u64 bucket[MCFAB_HIST_BUCKETS];
};

/**
 * mcfab_histogram_bucket() - bucket of a value
 * @value: value
 *
 * Context: any.
 * Return: its bucket, below MCFAB_HIST_BUCKETS.
 */
static inline u32 mcfab_histogram_bucket(u32 value)
{
	/* How many low bits a bucket ignores; the rest has at most MCFAB_HIST_BITS + 1 bits. */
	unsigned int octave = fls(value | 1u << MCFAB_HIST_BITS) - 1 - MCFAB_HIST_BITS;

	return (octave << MCFAB_HIST_BITS) + (value >> octave);
}

/**
 * mcfab_histogram_add() - count a value
 * @h: histogram, all zero when empty
 * @value: value
 *
 * Context: any; the caller serialises.
 */
static inline void mcfab_histogram_add(struct mcfab_histogram *h, u32 value)
{
	h->bucket[mcfab_histogram_bucket(value)]++;
	h->count++;
}

u32 mcfab_histogram_low(u32 bucket);
u32 mcfab_histogram_high(u32 bucket);
u32 mcfab_histogram_quantile(const struct mcfab_histogram *h, u32 ppm);

#endif
