/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Figures for people, computed from exact sums: means, deviations, intervals, ratios, in fixed
 * point. Pure functions of the raw numbers.
 */
#ifndef MCFAB_STATS_DERIVE_H
#define MCFAB_STATS_DERIVE_H

#include "stats/moments.h"

/** MCFAB_MICRO - unit of derived numbers: a millionth */
#define MCFAB_MICRO		1000000
/** MCFAB_UNKNOWN - a derived number for which the sample is too small */
#define MCFAB_UNKNOWN		U64_MAX

s64 mcfab_mean(const struct mcfab_moments *m, u32 scale);
u64 mcfab_deviation(const struct mcfab_moments *m, u32 scale);
u64 mcfab_half_width(const struct mcfab_moments *m, u32 scale);
u64 mcfab_ratio(u64 amount, u64 divisor, u64 divisor2, u32 scale);
u32 mcfab_spread_ppm(u64 count, u64 sum, struct mcfab_u128 square);

#endif
