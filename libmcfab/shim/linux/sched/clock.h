/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SHIM_LINUX_SCHED_CLOCK_H
#define SHIM_LINUX_SCHED_CLOCK_H

#include <linux/timekeeping.h>

#define local_clock()		ktime_get_ns()

#endif
