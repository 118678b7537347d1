/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counts that several threads change. A locked instruction takes as long as a dozen other
 * instructions. A run with one shard has one thread and needs none: @alone says so.
 */
#ifndef MCFAB_ENGINE_LIB_COUNTER_H
#define MCFAB_ENGINE_LIB_COUNTER_H

#include <linux/atomic.h>
#include "base/types.h"

/* add @by to a count; returns the new one */
static inline int mcfab_count(bool alone, atomic_t *v, int by)
{
	int count;

	if (!alone)
		return atomic_add_return(by, v);
	count = atomic_read(v) + by;
	atomic_set(v, count);
	return count;
}

static inline void mcfab_count64(bool alone, atomic64_t *v, s64 by)
{
	if (alone)
		atomic64_set(v, atomic64_read(v) + by);
	else
		atomic64_add(by, v);
}

/* store @to; returns what was there */
static inline int mcfab_exchange(bool alone, atomic_t *v, int to)
{
	int was;

	if (!alone)
		return atomic_xchg(v, to);
	was = atomic_read(v);
	atomic_set(v, to);
	return was;
}

#endif
