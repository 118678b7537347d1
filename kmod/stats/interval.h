/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Confidence intervals from batches, and the rule that ends a run by precision.
 */
#ifndef MCFAB_STATS_INTERVAL_H
#define MCFAB_STATS_INTERVAL_H

#include "stats/batch.h"

/** MCFAB_INTERVAL_LEAST - fewest batches with messages that the stopping rule accepts */
#define MCFAB_INTERVAL_LEAST	20
/** MCFAB_CORRELATED_PPM - batches with a greater correlation are too short, in 1e-6 */
#define MCFAB_CORRELATED_PPM	300000

/**
 * struct mcfab_interval - a mean and its precision
 * @mean: in 1e-6 of the values' unit: over all measured values
 * @half: half-width of its 95 % confidence interval in 1e-6; MCFAB_UNKNOWN if there are
 *	  too few observations
 * @observations: batches with messages, or values where every value counts
 * @lag1: correlation of neighbouring batches in 1e-6, -1000000 .. 1000000;
 *	  0: not known or no batches
 * @correlated: neighbouring batches are correlated by more than MCFAB_CORRELATED_PPM: @half
 *		may be too small
 */
struct mcfab_interval {
	s64 mean;
	u64 half;
	u64 observations;
	s32 lag1;
	bool correlated;
};

void mcfab_batches_interval(const struct mcfab_batches *b, enum mcfab_class class,
			    enum mcfab_metric metric, struct mcfab_interval *out);
bool mcfab_batches_grow(const struct mcfab_batches *b, enum mcfab_class class, u32 factor);
bool mcfab_batches_precise(const struct mcfab_batches *b, u32 precision_ppm);

#endif
