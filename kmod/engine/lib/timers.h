/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The next event of every node of a shard. Nothing is due before what was taken last, so that
 * cycles can be told apart by where they first differ from that one, in digits of base 64: there
 * is a list for each digit and value. An event is moved to a lower digit's list when all higher
 * ones have come to agree, which is as often as it has digits that differ: mostly once.
 */
#ifndef MCFAB_ENGINE_LIB_TIMERS_H
#define MCFAB_ENGINE_LIB_TIMERS_H

#include "base/types.h"

/** MCFAB_TIMERS_BITS - bits of a digit */
#define MCFAB_TIMERS_BITS	6
/** MCFAB_TIMERS_DIGITS - digits of a cycle */
#define MCFAB_TIMERS_DIGITS	DIV_ROUND_UP(64, MCFAB_TIMERS_BITS)
/** MCFAB_TIMERS_LISTS - lists, by digit and value */
#define MCFAB_TIMERS_LISTS	(MCFAB_TIMERS_DIGITS << MCFAB_TIMERS_BITS)

/**
 * struct mcfab_timer - when a node is looked at next
 * @cycle: when; 0: it has no event
 * @after: next node of its list, or MCFAB_NONE
 * @before: the one before it, likewise
 */
struct mcfab_timer {
	u64 cycle;
	u32 after;
	u32 before;
};

/**
 * struct mcfab_timers - a hierarchical timer wheel: the next event of each node of a shard
 * @timer: by node; all shards share it, each looks at its own nodes
 * @next: cycle of the earliest, or U64_MAX
 * @at: cycle of the one that was taken last
 * @any: by digit: bit map of its values with events, which differ from that of @at
 *	 (of the lowest digit it may be the same), and agree with it in all higher ones
 * @first: [MCFAB_TIMERS_LISTS] by digit and value: first node, or MCFAB_NONE
 */
struct mcfab_timers {
	struct mcfab_timer *timer;
	u64 next;
	u64 at;
	u64 any[MCFAB_TIMERS_DIGITS];
	u32 *first;
};

void mcfab_timers_init(struct mcfab_timers *a);
void mcfab_timers_set(struct mcfab_timers *a, u32 node, u64 cycle);
void mcfab_timers_hasten(struct mcfab_timers *a, u32 node, u64 cycle);
u32 mcfab_timers_pop(struct mcfab_timers *a);

/**
 * mcfab_timers_take() - a node whose event is due
 * @a: timers
 * @now: events up to this cycle are due
 *
 * The node has no event any more.
 *
 * Context: grant phase.
 * Return: the node, or MCFAB_NONE when nothing is due.
 */
static inline u32 mcfab_timers_take(struct mcfab_timers *a, u64 now)
{
	return a->next > now ? MCFAB_NONE : mcfab_timers_pop(a);
}

#endif
