/* SPDX-License-Identifier: GPL-2.0 */
/* The scheduler. */
#ifndef SHIM_LINUX_SCHED_H
#define SHIM_LINUX_SCHED_H

#include <sched.h>
#include <stdbool.h>

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

/*
 * For tests: at the so manieth step from now a long piece of work is told to give up, and at
 * all that follow; 0: never.
 */
__attribute__((weak)) __thread unsigned long shim_stop_at;

static inline bool shim_stopped(void)
{
	if (shim_stop_at > 1)
		shim_stop_at--;
	else if (shim_stop_at)
		return true;
	return false;
}

#define need_resched()		0

#endif
