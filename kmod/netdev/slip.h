/* SPDX-License-Identifier: GPL-2.0 */
/* How far a run with a pace was behind it. */
#ifndef MCFAB_NETDEV_SLIP_H
#define MCFAB_NETDEV_SLIP_H

#include "base/types.h"

/** MCFAB_SLIP_BUCKETS - buckets of a histogram of delays */
#define MCFAB_SLIP_BUCKETS	32

/**
 * struct mcfab_slip - how far deliveries came behind the pace
 * @limit: a delivery is late if it comes more nanoseconds too late
 * @deliveries: deliveries
 * @late: those that were late
 * @sum: delays in nanoseconds, summed up
 * @most: the longest delay
 * @bucket: how many had a delay below 2^i nanoseconds, and not below 2^(i-1); the last bucket has
 *	    all longer ones, too
 *
 * Written by the boundary alone.
 */
struct mcfab_slip {
	u64 limit;
	u64 deliveries;
	u64 late;
	u64 sum;
	u64 most;
	u64 bucket[MCFAB_SLIP_BUCKETS];
};

#endif
