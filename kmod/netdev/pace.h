/* SPDX-License-Identifier: GPL-2.0 */
/* The pace of simulated time: from cycles to nanoseconds of real time, and back. */
#ifndef MCFAB_NETDEV_PACE_H
#define MCFAB_NETDEV_PACE_H

#include <linux/bitops.h>
#include <linux/math64.h>
#include <linux/overflow.h>
#include <linux/timekeeping.h>
#include "netdev/slip.h"

/** MCFAB_PACE_UNIT - units of @scale in a nanosecond */
#define MCFAB_PACE_UNIT		1000000000ULL
/** MCFAB_PACE_LEAST - least @scale of a pace: a picosecond */
#define MCFAB_PACE_LEAST	1000000

/**
 * struct mcfab_pace - how fast simulated time goes
 * @scale: real time of a cycle in 1e-18 s; 0: the run goes as fast as it can
 * @begun: when cycle 0 was over, by ktime_get_ns()
 * @passed: cycles that are known to have passed in real time
 */
struct mcfab_pace {
	u64 scale;
	u64 begun;
	u64 passed;
};

/** mcfab_pace_times() - @a * @b / @by, at most U64_MAX: x86 divides with an error beyond it */
static inline u64 mcfab_pace_times(u64 a, u64 b, u64 by)
{
	return mul_u64_u64_shr(a, b, 64) < by ? mul_u64_u64_div_u64(a, b, by) : U64_MAX;
}

/**
 * mcfab_pace_fits() - can there be this pace?
 * @cycle_ps: simulated picoseconds of a cycle
 * @pace_ppm: a cycle takes this times as long, in 1e-6; 0: there is no pace
 *
 * Context: any.
 * Return: false if a cycle takes more real time than 18 s, or less than 1 ps: then the numbers of
 *	   cycles, of 64 bits, would be used up some time.
 */
static inline bool mcfab_pace_fits(u32 cycle_ps, u64 pace_ppm)
{
	u64 scale;

	return !check_mul_overflow((u64)cycle_ps, pace_ppm, &scale) &&
	       (!scale || scale >= MCFAB_PACE_LEAST);
}

/** mcfab_pace_set() - set the pace of the next run; @pace_ppm 0: it has none; context: any */
static inline void mcfab_pace_set(struct mcfab_pace *pace, u32 cycle_ps, u64 pace_ppm)
{
	pace->scale = cycle_ps * pace_ppm;
}

/** mcfab_pace_begin() - cycle 0 is over now; context: any */
static inline void mcfab_pace_begin(struct mcfab_pace *pace)
{
	pace->begun = ktime_get_ns();
	pace->passed = 0;
}

/** mcfab_pace_now() - nanoseconds since then; context: any */
static inline u64 mcfab_pace_now(const struct mcfab_pace *pace)
{
	return ktime_get_ns() - pace->begun;
}

/** mcfab_pace_ns() - nanoseconds from there to the end of a cycle; context: any */
static inline u64 mcfab_pace_ns(const struct mcfab_pace *pace, u64 cycle)
{
	return mcfab_pace_times(cycle, pace->scale, MCFAB_PACE_UNIT);
}

/** mcfab_pace_cycle() - the last cycle that is over after so many nanoseconds; context: any */
static inline u64 mcfab_pace_cycle(const struct mcfab_pace *pace, u64 ns)
{
	return mcfab_pace_times(ns, MCFAB_PACE_UNIT, pace->scale);
}

/** mcfab_slip_count() - count a delivery of cycle @cycle that is made now; context: boundary */
static inline void mcfab_slip_count(struct mcfab_slip *slip, const struct mcfab_pace *pace,
				    u64 cycle)
{
	u64 due, now, delay;

	if (!pace->scale)
		return;
	due = mcfab_pace_ns(pace, cycle);
	now = mcfab_pace_now(pace);
	delay = now > due ? now - due : 0;
	WRITE_ONCE(slip->deliveries, slip->deliveries + 1);
	WRITE_ONCE(slip->late, slip->late + (delay > slip->limit));
	WRITE_ONCE(slip->sum, slip->sum + delay);
	WRITE_ONCE(slip->most, max(slip->most, delay));
	slip->bucket[min(fls64(delay), MCFAB_SLIP_BUCKETS - 1)]++;
}

#endif
