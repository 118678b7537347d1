// SPDX-License-Identifier: GPL-2.0
/*
 * A packet has come to a node that copies its flits, or to a router that drops them. Everything
 * here runs in the grant phase of the shard that owns the router.
 */
#include "engine/cruise/cruise.h"
#include "engine/packet/crossing.h"
#include "engine/router/router.h"
#include "engine/state/consumer.h"
#include "engine/state/lost.h"
#include "engine/state/rec.h"
#include "trace/trace.h"

/* wake a worm; one event is enough for all copies that a decision asks for */
static void wake(struct mcfab_grants *box, u32 worm)
{
	u32 event = (u32)MCFAB_EVENT_WAKE << MCFAB_EVENT_SHIFT | worm;

	if (!box->count || box->event[box->count - 1] != event)
		mcfab_grants_post(box, MCFAB_EVENT_WAKE, worm);
}

/* MCFAB_ENG_SHARED: a node is about to copy a packet, if it is not dropped at its source */
static noinline void share_link(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec, u32 node,
				bool drop)
{
	const struct mcfab_rec *r = &e->rec[rec];

	if (e->flags & MCFAB_ENG_CRUISE && !drop && !(r->flags & MCFAB_REC_INJECT))
		mcfab_cruise_consume(e, s, rec);
	if (node != MCFAB_NONE && !mcfab_cruises(e, r->worm))
		mcfab_consumer_add(e, s, rec);
}

/* MCFAB_ENG_COPIES */
static noinline void add_copy(struct mcfab_engine *e, struct mcfab_shard *s, struct mcfab_copy copy)
{
	u32 nr = mcfab_copy_add(e, &copy);

	if (nr != MCFAB_NONE && e->flags & MCFAB_ENG_WORM)
		mcfab_crossing_copy(e, s, nr);
}

/* from now on the packet is copied */
static __always_inline void copy(struct mcfab_engine *e, struct mcfab_shard *s,
				 const struct mcfab_copy *copy)
{
	u32 rec = copy->rec;
	struct mcfab_rec *r = &e->rec[rec];

	/* a packet that is dropped, or has crossed no channel */
	if (copy->drop || r->flags & MCFAB_REC_INJECT)
		mcfab_cruise_land(e, s, r->worm);
	if (e->flags & MCFAB_ENG_SHARED)
		share_link(e, s, rec, copy->node, copy->drop);
	r->flags |= MCFAB_REC_ABSORB;
	if (e->flags & MCFAB_ENG_COPIES) {
		add_copy(e, s, *copy);
	} else {
		if (copy->drop) {
			r->flags |= MCFAB_REC_DROP;
			e->head[rec].dropper = copy->node;
		} else {
			e->head[rec].entry = copy->entry;
		}
		e->head[rec].drop = copy->drop;
	}
	if (e->flags & MCFAB_ENG_HOPS) {
		/* with a shared link it waits for the node's turn */
		if (e->flags & MCFAB_ENG_SHARED)
			s->nheld++;
		else
			s->active[s->nactive++] = rec;
	} else if (e->flags & (MCFAB_ENG_TAILS | MCFAB_ENG_ROWS | MCFAB_ENG_CRUISE)) {
		/* mode tree-tail may read it before it reads the event */
		if (e->flags & MCFAB_ENG_TREES)
			e->head[rec].delivered = e->cycle + e->hw.consume_delay - 1;
		if (e->flags & MCFAB_ENG_ROWS && e->flags & MCFAB_ENG_BOOKSIM)
			e->rows.row[r->worm].arrived = true;
		mcfab_grants_post(mcfab_grants_to(e, s, r->worm), MCFAB_EVENT_COPY, rec);
	} else if (!(e->flags & MCFAB_ENG_WORM)) {
		wake(mcfab_grants_to(e, s, r->worm), r->worm);
	}
}

/**
 * mcfab_absorb_drop() - a packet comes to no destination: its flits are dropped
 * @e: engine
 * @s: shard that owns the router
 * @rec: record of the packet
 * @node: node that gets the flits, MCFAB_NONE: no node
 * @reason: the reason
 *
 * Context: grant phase.
 */
void mcfab_absorb_drop(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec, u32 node,
		       enum mcfab_drop reason)
{
	copy(e, s, &(struct mcfab_copy) {
		.header = e->cycle + e->hw.consume_delay - 1,
		.rec = rec,
		.node = node,
		.entry = MCFAB_NONE,
		.drop = reason,
	});
}

/**
 * mcfab_absorb_lose() - a packet is kept from destinations: its flits go nowhere
 * @e: engine
 * @s: shard that owns the router
 * @rec: record of the packet
 * @count: number of these destinations
 *
 * Context: grant phase.
 */
void mcfab_absorb_lose(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec, u32 count)
{
	/* the dropped copy counts one of them */
	mcfab_fault_lost(e, s, rec, count - 1);
	mcfab_absorb_drop(e, s, rec, MCFAB_NONE, mcfab_lost_reason(e, rec));
}

/**
 * mcfab_absorb() - a packet has come to a destination, which copies it from now on
 * @e: engine
 * @s: shard that owns the router
 * @rec: record of the packet
 * @node: the destination
 * @entry: its entry of dst[], MCFAB_NONE: the node is no destination
 *
 * Context: grant phase.
 */
void mcfab_absorb(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec, u32 node,
		  u32 entry)
{
	if (entry == MCFAB_NONE) {
		mcfab_absorb_drop(e, s, rec, node, MCFAB_DROP_STRAY);
		return;
	}
	if (mcfab_fault_cut_off(e, node)) {
		mcfab_fault_lost(e, s, rec, 0);
		mcfab_absorb_drop(e, s, rec, node, MCFAB_DROP_LINK);
		return;
	}
	copy(e, s, &(struct mcfab_copy) {
		.header = e->cycle + e->hw.consume_delay - 1,
		.rec = rec,
		.node = node,
		.entry = entry,
	});
	trace_mcfab_absorb(e, rec, e->worm[e->rec[rec].worm].dst[entry]);
}
