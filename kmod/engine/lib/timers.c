// SPDX-License-Identifier: GPL-2.0
#include <linux/bitops.h>
#include "engine/lib/timers.h"

#define DIGIT_BITS	MCFAB_TIMERS_BITS
/* mask of a digit's value */
#define VALUE	GENMASK_ULL(DIGIT_BITS - 1, 0)

/* the highest digit in which a cycle differs from @a->at; the lowest digit if none does */
static u32 digit_of(const struct mcfab_timers *a, u64 cycle)
{
	return (fls64((cycle ^ a->at) | 1) - 1) / DIGIT_BITS;
}

static u32 value_of(u64 cycle, u32 digit)
{
	return cycle >> digit * DIGIT_BITS & VALUE;
}

static u32 *list_of(const struct mcfab_timers *a, u32 digit, u32 value)
{
	return &a->first[digit << DIGIT_BITS | value];
}

static void put(struct mcfab_timers *a, u32 node)
{
	struct mcfab_timer *ev = &a->timer[node];
	u32 digit = digit_of(a, ev->cycle), value = value_of(ev->cycle, digit);
	u32 *first = list_of(a, digit, value);

	ev->before = MCFAB_NONE;
	ev->after = *first;
	if (*first != MCFAB_NONE)
		a->timer[*first].before = node;
	*first = node;
	a->any[digit] |= BIT_ULL(value);
}

/* @node becomes the first of a list */
static void begin_with(struct mcfab_timers *a, u32 digit, u32 value, u32 node)
{
	*list_of(a, digit, value) = node;
	if (node == MCFAB_NONE)
		a->any[digit] &= ~BIT_ULL(value);
	else
		a->timer[node].before = MCFAB_NONE;
}

static void drop(struct mcfab_timers *a, const struct mcfab_timer *ev)
{
	u32 digit = digit_of(a, ev->cycle);

	if (ev->before == MCFAB_NONE) {
		begin_with(a, digit, value_of(ev->cycle, digit), ev->after);
		return;
	}
	a->timer[ev->before].after = ev->after;
	if (ev->after != MCFAB_NONE)
		a->timer[ev->after].before = ev->before;
}

static noinline u64 earliest(const struct mcfab_timers *a)
{
	u32 digit = 0, node;
	u64 cycle = U64_MAX;

	while (!a->any[digit])
		if (++digit == MCFAB_TIMERS_DIGITS)
			return U64_MAX;
	if (!digit)
		return (a->at & ~VALUE) | __ffs64(a->any[0]);
	node = *list_of(a, digit, __ffs64(a->any[digit]));
	for (; node != MCFAB_NONE; node = a->timer[node].after)
		cycle = min(cycle, a->timer[node].cycle);
	return cycle;
}

/**
 * mcfab_timers_init() - no node has an event
 * @a: timers, all zero but for @a->timer, whose nodes have none, and @a->first
 *
 * Context: any.
 */
void mcfab_timers_init(struct mcfab_timers *a)
{
	memset(a->first, 0xff, MCFAB_TIMERS_LISTS * sizeof(*a->first));
	a->next = U64_MAX;
}

/* as mcfab_timers_set(), of a node that may have an event */
static noinline void set_any(struct mcfab_timers *a, u32 node, u64 cycle)
{
	struct mcfab_timer *ev = &a->timer[node];
	u64 was = ev->cycle;

	if (was == cycle)
		return;
	if (was)
		drop(a, ev);
	ev->cycle = 0;
	if (cycle != U64_MAX) {
		ev->cycle = cycle;
		put(a, node);
	}
	if (was == a->next && was < cycle)
		a->next = earliest(a);
	else
		a->next = min(a->next, cycle);
}

/**
 * mcfab_timers_set() - set, move or (with U64_MAX) remove a node's timer
 * @a: timers
 * @node: the node
 * @cycle: cycle of its event, not 0; not before the event that was taken last
 *
 * Context: grant phase or boundary; the caller serialises.
 */
void mcfab_timers_set(struct mcfab_timers *a, u32 node, u64 cycle)
{
	struct mcfab_timer *ev = &a->timer[node];

	if (ev->cycle || cycle == U64_MAX) {
		set_any(a, node, cycle);
		return;
	}
	/* mostly the node has no event, and gets one */
	ev->cycle = cycle;
	put(a, node);
	a->next = min(a->next, cycle);
}

/**
 * mcfab_timers_hasten() - set a node's timer to a cycle, or leave it earlier
 * @a: timers
 * @node: the node
 * @cycle: the cycle, as for mcfab_timers_set()
 *
 * Context: grant phase or boundary; the caller serialises.
 */
void mcfab_timers_hasten(struct mcfab_timers *a, u32 node, u64 cycle)
{
	if (!a->timer[node].cycle || cycle < a->timer[node].cycle)
		mcfab_timers_set(a, node, cycle);
}

/* go to the next event's cycle: all events of its list now belong into lists of lower digits */
static noinline void go_on(struct mcfab_timers *a)
{
	u32 digit = digit_of(a, a->next), value = value_of(a->next, digit);
	u32 node = *list_of(a, digit, value), after;

	a->at = a->next;
	begin_with(a, digit, value, MCFAB_NONE);
	for (; node != MCFAB_NONE; node = after) {
		after = a->timer[node].after;
		put(a, node);
	}
}

/**
 * mcfab_timers_pop() - take the earliest timer
 * @a: timers, one of which is set
 *
 * Context: grant phase.
 * Return: its node, which has none any more.
 */
u32 mcfab_timers_pop(struct mcfab_timers *a)
{
	u32 node, after, value;

	if ((a->next ^ a->at) >> DIGIT_BITS)
		go_on(a);
	a->at = a->next;
	value = value_of(a->at, 0);
	node = *list_of(a, 0, value);
	after = a->timer[node].after;
	a->timer[node].cycle = 0;
	begin_with(a, 0, value, after);
	if (after == MCFAB_NONE)
		a->next = earliest(a);
	return node;
}
