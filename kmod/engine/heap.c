// SPDX-License-Identifier: GPL-2.0
#include "engine/heap.h"

static void heap_put(struct mcfab_heap *heap, u32 place, struct mcfab_event ev)
{
	heap->event[place] = ev;
	heap->place[ev.node] = place;
}

static void heap_up(struct mcfab_heap *heap, u32 place, struct mcfab_event ev)
{
	while (place) {
		u32 up = (place - 1) / 2;

		if (heap->event[up].cycle <= ev.cycle)
			break;
		heap_put(heap, place, heap->event[up]);
		place = up;
	}
	heap_put(heap, place, ev);
}

static void heap_down(struct mcfab_heap *heap, u32 place, struct mcfab_event ev)
{
	for (;;) {
		u32 kid = 2 * place + 1;

		if (kid >= heap->count)
			break;
		if (kid + 1 < heap->count && heap->event[kid + 1].cycle < heap->event[kid].cycle)
			kid++;
		if (ev.cycle <= heap->event[kid].cycle)
			break;
		heap_put(heap, place, heap->event[kid]);
		place = kid;
	}
	heap_put(heap, place, ev);
}

static void heap_remove(struct mcfab_heap *heap, u32 place)
{
	struct mcfab_event last = heap->event[--heap->count];

	heap->place[heap->event[place].node] = MCFAB_NONE;
	if (place == heap->count)
		return;
	if (place && heap->event[(place - 1) / 2].cycle > last.cycle)
		heap_up(heap, place, last);
	else
		heap_down(heap, place, last);
}

/**
 * mcfab_heap_set() - set, move or (with U64_MAX) remove a node's event
 * @heap: the heap
 * @node: the node
 * @cycle: when to look at it
 *
 * Context: grant phase or boundary; the caller serialises.
 */
void mcfab_heap_set(struct mcfab_heap *heap, u32 node, u64 cycle)
{
	struct mcfab_event ev = { .cycle = cycle, .node = node };
	u32 place = heap->place[node];

	if (place != MCFAB_NONE) {
		if (heap->event[place].cycle == cycle)
			return;
		heap_remove(heap, place);
	}
	if (cycle != U64_MAX)
		heap_up(heap, heap->count++, ev);
}

/**
 * mcfab_heap_pop() - take out a node whose event is due
 * @heap: the heap
 * @now: events up to this cycle are due
 *
 * Context: grant phase.
 * Return: the node, or MCFAB_NONE when nothing is due.
 */
u32 mcfab_heap_pop(struct mcfab_heap *heap, u64 now)
{
	u32 node;

	if (!heap->count || heap->event[0].cycle > now)
		return MCFAB_NONE;
	node = heap->event[0].node;
	heap_remove(heap, 0);
	return node;
}
