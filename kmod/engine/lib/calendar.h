/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A wheel (wheel.h) for several kinds of entries that one thread looks at in every cycle: the lists
 * of a cycle are in one line.
 */
#ifndef MCFAB_ENGINE_LIB_CALENDAR_H
#define MCFAB_ENGINE_LIB_CALENDAR_H

#include "engine/lib/breath.h"
#include "engine/lib/wheel.h"

/** MCFAB_EVENTS - most kinds of entries */
#define MCFAB_EVENTS	8U

/** struct mcfab_day - what is due in a cycle: the first entry of each kind, or MCFAB_NONE */
struct mcfab_day {
	u32 first[MCFAB_EVENTS];
} __aligned(32);

/**
 * struct mcfab_calendar - lists of what is due, by cycle and kind
 * @day: [size]
 * @any: bit map of days that may have entries
 * @size: cycles, a power of two
 * @put: entries that were put in, modulo 2^32
 * @taken: entries that were taken out, likewise
 */
struct mcfab_calendar {
	struct mcfab_day *day;
	unsigned long *any;
	u32 size;
	u32 put;
	u32 taken;
};

static inline bool mcfab_calendar_empty(const struct mcfab_calendar *cal)
{
	return cal->put == cal->taken;
}

static inline struct mcfab_day *mcfab_calendar_day(const struct mcfab_calendar *cal, u64 cycle)
{
	return &cal->day[cycle & (cal->size - 1)];
}

static inline void mcfab_calendar_put(struct mcfab_calendar *cal, u32 kind, u32 *link, u32 nr,
				      u64 cycle)
{
	u32 at = cycle & (cal->size - 1);
	u32 *first = &cal->day[at].first[kind];

	*link = *first;
	*first = nr;
	__set_bit(at, cal->any);
	cal->put++;
}

/* the first of a cycle's entries of a kind, or MCFAB_NONE: see mcfab_calendar_taken() */
static inline u32 mcfab_calendar_take(struct mcfab_calendar *cal, u32 kind, u64 cycle)
{
	u32 *first = &mcfab_calendar_day(cal, cycle)->first[kind], nr = *first;

	*first = MCFAB_NONE;
	return nr;
}

/**
 * mcfab_calendar_taken() - an entry is taken out
 * @cal: the calendar
 *
 * Each is another thing that a phase has to do, see mcfab_breathe().
 *
 * Context: any phase.
 */
static inline void mcfab_calendar_taken(struct mcfab_calendar *cal)
{
	mcfab_breathe(++cal->taken);
}

/**
 * mcfab_calendar_open() - a cycle begins
 * @cal: the calendar
 * @cycle: the cycle
 *
 * Whoever leaves entries in its day, as they are laps away, says so by mcfab_calendar_leave().
 *
 * Context: before any of its entries is taken.
 * Return: its lists.
 */
static inline const struct mcfab_day *mcfab_calendar_open(struct mcfab_calendar *cal, u64 cycle)
{
	__clear_bit(cycle & (cal->size - 1), cal->any);
	return mcfab_calendar_day(cal, cycle);
}

static inline void mcfab_calendar_leave(struct mcfab_calendar *cal, u64 cycle)
{
	__set_bit(cycle & (cal->size - 1), cal->any);
}

/* may there be entries in the very next cycle, as there are in most? */
static inline bool mcfab_calendar_soon(const struct mcfab_calendar *cal, u64 now)
{
	return test_bit((now + 1) & (cal->size - 1), cal->any) && !mcfab_calendar_empty(cal);
}

/**
 * mcfab_calendar_next() - next cycle that may have entries
 * @cal: the calendar
 * @now: the cycle that is over
 *
 * Context: any.
 * Return: a cycle after @now that is no later than the next entry; U64_MAX: none.
 */
static inline u64 mcfab_calendar_next(const struct mcfab_calendar *cal, u64 now)
{
	return mcfab_calendar_empty(cal) ? U64_MAX : mcfab_ring_next(cal->any, cal->size, now);
}

#endif
