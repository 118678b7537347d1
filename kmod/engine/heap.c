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
	u32 kid;

	while ((kid = 2 * place + 1) < heap->count) {
		/* no branch: which one it is nobody can foresee; there is one entry to spare */
		kid += heap->event[kid + 1].cycle < heap->event[kid].cycle;
		if (ev.cycle <= heap->event[kid].cycle)
			break;
		heap_put(heap, place, heap->event[kid]);
		place = kid;
	}
	heap_put(heap, place, ev);
}

/* put an event where another one was */
static void heap_move(struct mcfab_heap *heap, u32 place, struct mcfab_event ev)
{
	if (place && heap->event[(place - 1) / 2].cycle > ev.cycle)
		heap_up(heap, place, ev);
	else
		heap_down(heap, place, ev);
}

static void heap_remove(struct mcfab_heap *heap, u32 place)
{
	struct mcfab_event last = heap->event[--heap->count];

	heap->place[heap->event[place].node] = MCFAB_NONE;
	heap->event[heap->count].cycle = U64_MAX;
	if (place != heap->count)
		heap_move(heap, place, last);
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

	if (place == MCFAB_NONE) {
		if (cycle == U64_MAX)
			return;
		heap_up(heap, heap->count++, ev);
		heap->event[heap->count].cycle = U64_MAX;
	} else if (cycle == U64_MAX) {
		heap_remove(heap, place);
	} else if (heap->event[place].cycle != cycle) {
		heap_move(heap, place, ev);
	}
}

/**
 * mcfab_heap_begin() - a node whose event is due
 * @heap: the heap
 * @now: events up to this cycle are due
 *
 * The node has no event any more, but is not taken out before mcfab_heap_end(): most of them
 * have another one by then.
 *
 * Context: grant phase.
 * Return: the node, or MCFAB_NONE when nothing is due.
 */
u32 mcfab_heap_begin(struct mcfab_heap *heap, u64 now)
{
	if (!heap->count || heap->event[0].cycle > now)
		return MCFAB_NONE;
	/* before all others, whatever happens to them */
	heap->event[0].cycle = 0;
	return heap->event[0].node;
}

/**
 * mcfab_heap_end() - take out a node that has no event
 * @heap: the heap
 * @node: what mcfab_heap_begin() returned last
 *
 * Context: grant phase.
 */
void mcfab_heap_end(struct mcfab_heap *heap, u32 node)
{
	u32 place = heap->place[node];

	if (place != MCFAB_NONE && !heap->event[place].cycle)
		heap_remove(heap, place);
}
