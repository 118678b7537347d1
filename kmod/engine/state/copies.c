// SPDX-License-Identifier: GPL-2.0
/*
 * Copies as objects of their own (MCFAB_ENG_COPIES). Where several nodes hang on a router, a
 * packet may go to several of them; each node begins its copy when it has a consumption channel.
 * Elsewhere a record has one copy at most, and the record itself keeps it.
 *
 * The router's shard takes a copy's number in the grant phase; the move phase gives it back.
 */
#include "engine/state/flits.h"

/* take the consumption channel of a node that takes its next flit first; one is free */
static u32 take_tap(struct mcfab_engine *e, u32 node)
{
	struct mcfab_tap *tap = &e->tap[node * e->cfg->consume];
	u32 best = MCFAB_NONE, i;

	for (i = 0; i < e->cfg->consume; i++)
		if (!tap[i].held && (best == MCFAB_NONE || tap[i].next < tap[best].next))
			best = i;
	tap[best].held = true;
	return best;
}

/**
 * mcfab_copy_add() - a node begins to copy the packet in a record
 * @e: engine
 * @copy: the copy
 *
 * Context: grant phase of the shard that owns the router.
 * Return: its number, or MCFAB_NONE: the pool is dry and the boundary ends the run.
 */
u32 mcfab_copy_add(struct mcfab_engine *e, const struct mcfab_copy *copy)
{
	u32 nr = mcfab_pool_take(&e->copy_pool);

	if (nr == MCFAB_NONE)
		return nr;
	e->copy[nr] = *copy;
	e->copy[nr].cons = 0;
	e->copy[nr].next = e->copies[copy->rec];
	e->copies[copy->rec] = nr;
	if (e->flags & MCFAB_ENG_RATES && copy->node != MCFAB_NONE)
		e->copy[nr].channel = take_tap(e, copy->node);
	return nr;
}

/**
 * mcfab_copy_remove() - the node has the whole packet
 * @e: engine
 * @nr: number of the copy
 *
 * Context: move phase.
 */
void mcfab_copy_remove(struct mcfab_engine *e, u32 nr)
{
	u32 *at = &e->copies[e->copy[nr].rec];

	while (*at != nr)
		at = &e->copy[*at].next;
	*at = e->copy[nr].next;
	if (e->flags & MCFAB_ENG_RATES && e->copy[nr].node != MCFAB_NONE)
		mcfab_copy_tap(e, &e->copy[nr])->held = false;
	mcfab_pool_give(&e->copy_pool, nr);
}

/**
 * mcfab_consuming() - does a node copy the packet in a record?
 * @e: engine
 * @nr: the record
 * @node: the node
 *
 * Context: boundary, or grant phase of the shard that owns the router.
 * Return: true if it does; with MCFAB_ENG_COPIES, only until it has the whole packet.
 */
bool mcfab_consuming(const struct mcfab_engine *e, u32 nr, u32 node)
{
	const struct mcfab_rec *r = &e->rec[nr];
	u32 k;

	if (r->worm == MCFAB_NO_WORM || !(r->flags & MCFAB_REC_ABSORB))
		return false;
	if (e->flags & MCFAB_ENG_COPIES) {
		for (k = e->copies[nr]; k != MCFAB_NONE; k = e->copy[k].next)
			if (e->copy[k].node == node)
				return true;
		return false;
	}
	if (r->flags & MCFAB_REC_DROP)
		return e->head[nr].dropper == node;
	return (e->worm[r->worm].dst[e->head[nr].entry] & ~MCFAB_DST_RELAY) == node;
}
