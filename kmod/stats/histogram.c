// SPDX-License-Identifier: GPL-2.0
/*
 * Log-linear histogram.
 */
#include "base/u128.h"
#include "stats/histogram.h"

/**
 * mcfab_histogram_low() - lowest value of a bucket
 * @bucket: bucket, below MCFAB_HIST_BUCKETS
 *
 * Context: any.
 * Return: the lowest value that belongs to the bucket.
 */
u32 mcfab_histogram_low(u32 bucket)
{
	unsigned int octave;

	if (bucket < 2u << MCFAB_HIST_BITS)
		return bucket;
	octave = (bucket >> MCFAB_HIST_BITS) - 1;
	return (bucket - (octave << MCFAB_HIST_BITS)) << octave;
}

/**
 * mcfab_histogram_high() - highest value of a bucket
 * @bucket: bucket, below MCFAB_HIST_BUCKETS
 *
 * Context: any.
 * Return: the highest value that belongs to the bucket.
 */
u32 mcfab_histogram_high(u32 bucket)
{
	if (bucket == MCFAB_HIST_BUCKETS - 1)
		return U32_MAX;
	return mcfab_histogram_low(bucket + 1) - 1;
}

/**
 * mcfab_histogram_quantile() - value that a fraction of the values does not exceed
 * @h: histogram
 * @ppm: the fraction, in 1e-6, at most 1000000
 *
 * The exact quantile is the smallest value v such that at least that fraction of
 * the values (and at least one) is at most v. The result is the highest value of
 * v's bucket: never below v, and above it by less than v / 64.
 *
 * Context: any.
 * Return: the quantile; 0 if the histogram is empty.
 */
u32 mcfab_histogram_quantile(const struct mcfab_histogram *h, u32 ppm)
{
	struct mcfab_u128 wanted;
	u64 rank, sum = 0;
	u32 i;

	if (!h->count)
		return 0;
	wanted = mcfab_u128_add(mcfab_mul64(h->count, ppm), mcfab_u128(999999));
	rank = mcfab_u128_div64(wanted, 1000000, NULL).lo;
	rank = clamp_t(u64, rank, 1, h->count);
	for (i = 0; i < MCFAB_HIST_BUCKETS; i++) {
		sum += h->bucket[i];
		if (sum >= rank)
			break;
	}
	return mcfab_histogram_high(i);
}
