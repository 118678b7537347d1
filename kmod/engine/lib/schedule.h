/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A wheel (wheel.h) for several kinds of entries. One thread looks at all kinds in every cycle, so
 * the lists of a cycle are in one line.
 */
#ifndef MCFAB_ENGINE_LIB_SCHEDULE_H
#define MCFAB_ENGINE_LIB_SCHEDULE_H

#include "engine/lib/breath.h"
#include "engine/lib/wheel.h"

/** MCFAB_DUE_KINDS - most kinds of entries */
#define MCFAB_DUE_KINDS	8U

/** struct mcfab_due - the lists of a cycle: first entry of each kind, or MCFAB_NONE */
struct mcfab_due {
	u32 first[MCFAB_DUE_KINDS];
} __aligned(32);

/**
 * struct mcfab_schedule - lists of entries, by cycle and kind
 * @due: [size]
 * @any: bit map of cycles that may have entries
 * @size: cycles, a power of two
 * @put: entries that were put in, modulo 2^32
 * @taken: entries that were taken out, modulo 2^32
 */
struct mcfab_schedule {
	struct mcfab_due *due;
	unsigned long *any;
	u32 size;
	u32 put;
	u32 taken;
};

static inline bool mcfab_schedule_empty(const struct mcfab_schedule *sched)
{
	return sched->put == sched->taken;
}

static inline struct mcfab_due *mcfab_schedule_due(const struct mcfab_schedule *sched, u64 cycle)
{
	return &sched->due[cycle & (sched->size - 1)];
}

static inline void mcfab_schedule_put(struct mcfab_schedule *sched, u32 kind, u32 *link, u32 nr,
				      u64 cycle)
{
	u32 at = cycle & (sched->size - 1);
	u32 *first = &sched->due[at].first[kind];

	*link = *first;
	*first = nr;
	__set_bit(at, sched->any);
	sched->put++;
}

/* take a cycle's list of a kind; the caller calls mcfab_schedule_taken() for each of its entries */
static inline u32 mcfab_schedule_take(struct mcfab_schedule *sched, u32 kind, u64 cycle)
{
	u32 *first = &mcfab_schedule_due(sched, cycle)->first[kind], nr = *first;

	*first = MCFAB_NONE;
	return nr;
}

/**
 * mcfab_schedule_taken() - count an entry that was taken out
 * @sched: the schedule
 *
 * Has a scheduling point: an entry is a thing as of mcfab_breathe().
 *
 * Context: any phase.
 */
static inline void mcfab_schedule_taken(struct mcfab_schedule *sched)
{
	mcfab_breathe(++sched->taken);
}

/**
 * mcfab_schedule_open() - a cycle begins
 * @sched: the schedule
 * @cycle: the cycle
 *
 * A caller that leaves entries in the lists, since they are due laps later, calls
 * mcfab_schedule_leave().
 *
 * Context: before any of its entries is taken.
 * Return: its lists.
 */
static inline const struct mcfab_due *mcfab_schedule_open(struct mcfab_schedule *sched, u64 cycle)
{
	__clear_bit(cycle & (sched->size - 1), sched->any);
	return mcfab_schedule_due(sched, cycle);
}

static inline void mcfab_schedule_leave(struct mcfab_schedule *sched, u64 cycle)
{
	__set_bit(cycle & (sched->size - 1), sched->any);
}

/* may there be entries in the next cycle? a cheap check, as most cycles have entries */
static inline bool mcfab_schedule_soon(const struct mcfab_schedule *sched, u64 now)
{
	return test_bit((now + 1) & (sched->size - 1), sched->any) && !mcfab_schedule_empty(sched);
}

/**
 * mcfab_schedule_next() - next cycle that may have entries
 * @sched: the schedule
 * @now: the cycle that is over
 *
 * Context: any.
 * Return: a cycle after @now that is no later than the next entry; U64_MAX: none.
 */
static inline u64 mcfab_schedule_next(const struct mcfab_schedule *sched, u64 now)
{
	if (mcfab_schedule_empty(sched))
		return U64_MAX;
	return mcfab_ring_next(sched->any, sched->size, now);
}

#endif
