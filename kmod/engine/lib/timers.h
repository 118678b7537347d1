/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The next event of every node of a shard. No event is before the event that was taken last. So
 * an event stands in a list by the highest digit, in base 64, in which its cycle differs from the
 * cycle of that event, and by the value of this digit. When the cycle that was taken last comes to
 * agree with it in this digit, the event moves to a list of a lower digit. Mostly an event moves
 * once.
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
 * struct mcfab_timer - the next event of a node
 * @cycle: its cycle; 0: the node has no event
 * @after: next node of its list, or MCFAB_NONE
 * @before: node before it, or MCFAB_NONE
 */
struct mcfab_timer {
	u64 cycle;
	u32 after;
	u32 before;
};

/**
 * struct mcfab_timers - a hierarchical timer wheel: the next event of each node of a shard
 * @timer: by node; all shards share it, each uses its own nodes
 * @next: cycle of the earliest event, or U64_MAX
 * @at: cycle of the event that was taken last
 * @any: by digit: bit map of the values whose lists have events; their cycles differ from @at in
 *	 this digit (in the lowest digit they may agree), and agree with @at in all higher digits
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
 * mcfab_timers_take() - take a node whose event is due
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
