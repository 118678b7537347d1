/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How evenly the channels were used.
 */
#ifndef MCFAB_STATS_CHANNELS_H
#define MCFAB_STATS_CHANNELS_H

#include "base/types.h"

/**
 * struct mcfab_balance - use of the channels
 * @channels: channels that exist
 * @used: of these, channels that carried a flit
 * @flits: flits of all channels
 * @max: flits of the busiest channel
 * @busiest: its index, the lowest one of equals; MCFAB_NONE: no channel exists
 * @mean_util: mean utilisation (flits per cycle) in 1e-9
 * @max_util: utilisation of the busiest channel in 1e-9
 * @max_to_mean: flits of the busiest channel over the mean, in 1e-6
 * @cv: coefficient of variation over the channels (population), in 1e-6
 * @jain: Jain's fairness index, (sum of x)^2 / (n sum of x^2), in 1e-6:
 *	  1000000 for equal use, 1000000 / n if one channel carries all
 */
struct mcfab_balance {
	u32 channels;
	u32 used;
	u64 flits;
	u64 max;
	u32 busiest;
	u64 mean_util;
	u64 max_util;
	u64 max_to_mean;
	u32 cv;
	u32 jain;
};

void mcfab_channels_balance(const u64 *flits, const u32 *peer, u32 count, u64 cycles,
			    struct mcfab_balance *out);

#endif
