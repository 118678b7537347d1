/* SPDX-License-Identifier: GPL-2.0 */
/* The scheduler. */
#ifndef SHIM_LINUX_SCHED_H
#define SHIM_LINUX_SCHED_H

#include <sched.h>

/* how often this thread would have let others run, for tests */
__attribute__((weak)) __thread unsigned long shim_rescheds;

/* nothing, unless a program has it: tests measure how long a thread computes in between */
void mcfab_user_resched(void) __attribute__((weak));

/* out of the way of the loops that have it */
static __attribute__((__noinline__, __unused__)) void cond_resched(void)
{
	shim_rescheds++;
	if (mcfab_user_resched)
		mcfab_user_resched();
}

#define need_resched()		0

#endif
