/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Scheduling points of the phases and of the boundary. Threads of a kernel that does not preempt
 * them give others the processor only there. A phase may have a million small things to do, so it
 * has a point every so many of them; the policy's calls may take long by themselves.
 */
#ifndef MCFAB_ENGINE_LIB_BREATH_H
#define MCFAB_ENGINE_LIB_BREATH_H

#include <linux/sched.h>
#include "base/types.h"

/** MCFAB_BREATH - things of a phase (worms, events, routers), each of 1 us at most */
#define MCFAB_BREATH	1024U
/** MCFAB_BREATH_ASKS - calls of a policy's route(), each of 1 ms at most */
#define MCFAB_BREATH_ASKS	4U

/**
 * mcfab_breathe() - give others the processor after every %MCFAB_BREATH things
 * @done: things done
 *
 * Context: any phase, boundary, setup; no spinlock is held.
 */
static inline void mcfab_breathe(u32 done)
{
	if (unlikely(!(done % MCFAB_BREATH)))
		cond_resched();
}

/* the same after a worm on all of its path */
static inline void mcfab_breathe_path(u32 done)
{
	mcfab_breathe(8 * done);
}

/**
 * mcfab_breath_end() - give others the processor between two parts of a list
 * @at: place from which on the list is to be worked on
 * @count: places in it
 *
 * Context: as mcfab_breathe(), whose question this asks once for all things of a part.
 * Return: where the part ends that begins with @at.
 */
static inline u32 mcfab_breath_end(u32 at, u32 count)
{
	if (unlikely(at && at < count))
		cond_resched();
	return min(count, at + MCFAB_BREATH);
}

#endif
