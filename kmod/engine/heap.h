/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The next event of every node of a shard: an indexed binary heap with at most
 * one entry per node, so an entry can be moved when a node's next event changes.
 */
#ifndef MCFAB_ENGINE_HEAP_H
#define MCFAB_ENGINE_HEAP_H

#include "core/types.h"

/** struct mcfab_event - a node and when it is looked at next */
struct mcfab_event {
	u64 cycle;
	u32 node;
};

/**
 * struct mcfab_heap - events of the nodes of a shard
 * @event: [nodes + 1] the heap, and behind it one entry that is never due
 * @place: by node: where its event is in @event, or MCFAB_NONE; all shards share
 *	   it, each looks at its own nodes
 * @count: entries of @event
 */
struct mcfab_heap {
	struct mcfab_event *event;
	u32 *place;
	u32 count;
};

/** mcfab_heap_next() - cycle of the earliest event, or U64_MAX */
static inline u64 mcfab_heap_next(const struct mcfab_heap *heap)
{
	return heap->count ? heap->event[0].cycle : U64_MAX;
}

void mcfab_heap_set(struct mcfab_heap *heap, u32 node, u64 cycle);
u32 mcfab_heap_begin(struct mcfab_heap *heap, u64 now);
void mcfab_heap_end(struct mcfab_heap *heap, u32 node);

#endif
