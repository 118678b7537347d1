/* SPDX-License-Identifier: GPL-2.0 */
/* Time in ticks of a millisecond. */
#ifndef SHIM_LINUX_JIFFIES_H
#define SHIM_LINUX_JIFFIES_H

#include <time.h>

#define HZ			1000
#define jiffies			shim_jiffies()
#define msecs_to_jiffies(ms)	((unsigned long)(ms))
#define time_before(a, b)	((long)((a) - (b)) < 0)

static inline unsigned long shim_jiffies(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &ts);
	return ts.tv_sec * 1000UL + ts.tv_nsec / 1000000;
}

#endif
