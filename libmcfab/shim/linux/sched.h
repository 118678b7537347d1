/* SPDX-License-Identifier: GPL-2.0 */
/* The scheduler. */
#ifndef SHIM_LINUX_SCHED_H
#define SHIM_LINUX_SCHED_H

#include <sched.h>
#include <stdbool.h>

/*
 * Nothing, but for programs that count or time scheduling points: they are built with
 * SHIM_RESCHED. Loops of the engine would be slower by what the call alone takes.
 */
#ifdef SHIM_RESCHED
/* how often this thread would have let others run */
__attribute__((weak)) __thread unsigned long shim_rescheds;

/* called each time, if a program has it */
void mcfab_user_resched(void) __attribute__((weak));

static inline void cond_resched(void)
{
	shim_rescheds++;
	if (mcfab_user_resched)
		mcfab_user_resched();
}
#else
#define cond_resched()		do { } while (0)
#endif

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
