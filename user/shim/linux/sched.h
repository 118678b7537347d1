/* SPDX-License-Identifier: GPL-2.0 */
/* The scheduler. */
#ifndef SHIM_LINUX_SCHED_H
#define SHIM_LINUX_SCHED_H

#include <sched.h>

#define cond_resched()		do { } while (0)
#define need_resched()		0

#endif
