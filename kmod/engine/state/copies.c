// SPDX-License-Identifier: GPL-2.0
/*
 * Copies of a packet that nodes take off a record (MCFAB_ENG_COPIES): where several
 * nodes hang on a router one packet may go to several of them, each as it gets a
 * consumption channel. Elsewhere a record has one copy at most, and keeps it itself.
 *
 * Taken in the grant phase by the router's shard, given back in the move phase.
 */
#include "engine/state/engine.h"

/**
 * mcfab_copy_add() - a node begins to copy the packet in a record
 * @e: engine
 * @copy: what to copy where
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
	mcfab_pool_give(&e->copy_pool, nr);
}

/**
 * mcfab_consuming() - does a node copy what is in a record, and has not yet all of it?
 * @e: engine
 * @nr: the record
 * @node: the node
 *
 * Context: boundary, or grant phase of the shard that owns the router.
 * Return: whether it does.
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
