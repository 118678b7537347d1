/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Scheduling points of the phases and of the boundary. In a kernel without preemption, threads
 * give other threads the processor only at these points. A phase may have a million small things
 * to do, so it has a point after every so many of them. A call of the policy may take long, so
 * there are points after fewer of these.
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
 * mcfab_breathe() - give other threads the processor after every %MCFAB_BREATH things
 * @done: things done
 *
 * Context: any phase, boundary, setup; no spinlock is held.
 */
static inline void mcfab_breathe(u32 done)
{
	if (unlikely(!(done % MCFAB_BREATH)))
		cond_resched();
}

/* as mcfab_breathe(), for things that are walks over a worm's whole path */
static inline void mcfab_breathe_path(u32 done)
{
	mcfab_breathe(8 * done);
}

/**
 * mcfab_breath_end() - give other threads the processor between two parts of a list
 * @at: place at which the next part begins
 * @count: places of the list
 *
 * Like mcfab_breathe(), with one check for all things of a part.
 *
 * Context: as mcfab_breathe().
 * Return: the end of the part that begins at @at.
 */
static inline u32 mcfab_breath_end(u32 at, u32 count)
{
	if (unlikely(at && at < count))
		cond_resched();
	return min(count, at + MCFAB_BREATH);
}

#endif
