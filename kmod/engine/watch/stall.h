/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the search for deadlocks (stall.c) and the report of a deadlock (deadlock.c) share:
 * how many flits are stopped in which buffer, and walks over all waiting headers.
 *
 * A wait is a request, or a packet behind another packet in a FIFO. During the search the
 * field @stopped of a record has two counts of 16 bits each. The lower half counts the
 * stuck waits that leave flits in the record's buffer. The upper half counts the stuck
 * waits that leave more flits there than the buffer holds. Both halves are complemented:
 * U32_MAX says that both counts are zero.
 */
#ifndef MCFAB_ENGINE_WATCH_STALL_H
#define MCFAB_ENGINE_WATCH_STALL_H

#include "engine/message/message.h"
#include "engine/state/engine.h"
#include "engine/state/flits.h"

/* stuck waits that keep flits in a record's buffer */
static inline u32 mcfab_kept(const struct mcfab_engine *e, u32 nr)
{
	return ~e->head[nr].stopped & U16_MAX;
}

/* stuck waits that keep more flits there than the buffer holds */
static inline u32 mcfab_spilt(const struct mcfab_engine *e, u32 nr)
{
	return ~e->head[nr].stopped >> 16;
}

/* flits that have entered a VC's buffer, or are on the link to it */
static inline u32 mcfab_entered(const struct mcfab_engine *e, u32 nr, const u32 flags)
{
	return flags & MCFAB_ENG_WORM ? mcfab_crossing_moved(e, nr) : e->rec[nr].sent;
}

/* the record whose buffer still feeds this one, or MCFAB_NONE */
static inline u32 mcfab_feeder(const struct mcfab_engine *e, u32 nr, const u32 flags)
{
	const struct mcfab_rec *r = &e->rec[nr];

	if (r->flags & MCFAB_REC_INJECT ||
	    mcfab_entered(e, nr, flags) == mcfab_len(e, nr, flags))
		return MCFAB_NONE;
	return r->parent;
}

/* how many of @keep flits find no room in a record's buffer; a source has room for all flits */
static inline u32 mcfab_spill(const struct mcfab_engine *e, u32 nr, u32 keep, const u32 flags)
{
	const struct mcfab_rec *r = &e->rec[nr];
	u32 room = e->hw.buffer;

	if (r->flags & MCFAB_REC_INJECT && !(flags & MCFAB_ENG_PORTS))
		return 0;
	/* behind a packet that stays: the room that is free now, and the flits that have entered */
	if (r->flags & MCFAB_REC_STUCK) {
		/* the whole packet has entered: there was room */
		if (mcfab_entered(e, nr, flags) == mcfab_len(e, nr, flags))
			return 0;
		room -= min(room, mcfab_vc_taken(e, mcfab_rec_vc(e, nr)));
		room += mcfab_entered(e, nr, flags);
	}
	return keep > room ? keep - room : 0;
}

/* does a record hold back flits for ever from the records that it feeds? */
static inline bool mcfab_holds_back(const struct mcfab_engine *e, u32 nr)
{
	return e->flags & MCFAB_ENG_LOCKSTEP ? mcfab_kept(e, nr) : mcfab_spilt(e, nr);
}

/* do the records on the way from the source hold back no flits from record @nr? */
static inline bool mcfab_fed(const struct mcfab_engine *e, u32 nr)
{
	const u32 flags = e->flags;

	while ((nr = mcfab_feeder(e, nr, flags)) != MCFAB_NONE)
		if (mcfab_holds_back(e, nr))
			return false;
	return true;
}

/* does the packet come completely into a record's buffer in the end? */
static inline bool mcfab_enters(const struct mcfab_engine *e, u32 nr)
{
	return !mcfab_spilt(e, nr) && mcfab_fed(e, nr);
}

/* does the packet leave a record's buffer in the end? */
static inline bool mcfab_leaves(const struct mcfab_engine *e, u32 nr)
{
	return !mcfab_kept(e, nr) && mcfab_fed(e, nr);
}

/* the packet behind another in a FIFO, if it is under way: a record, or MCFAB_NO_REC */
static inline u32 mcfab_behind_next(const struct mcfab_engine *e, u32 vc, u32 nr)
{
	nr = mcfab_vc_behind(e, vc, nr);
	return e->rec[nr].worm == MCFAB_NO_WORM ? MCFAB_NO_REC : nr;
}

/*
 * Packets behind another packet in a FIFO: their headers cannot make a request there, or have
 * no room to cross. Return: the record of the first such packet, or MCFAB_NO_REC;
 * mcfab_behind_next() has the others. @front: set to the record at the front of the FIFO.
 */
static inline u32 mcfab_behind_first(const struct mcfab_engine *e, u32 vc, u32 *front)
{
	*front = mcfab_vc_front(e, vc);
	if (e->rec[*front].worm == MCFAB_NO_WORM)
		return MCFAB_NO_REC;
	return mcfab_behind_next(e, vc, *front);
}

typedef void (*mcfab_request_fn)(struct mcfab_engine *e, struct mcfab_request *req, u32 router,
				 void *arg);
typedef void (*mcfab_behind_fn)(struct mcfab_engine *e, u32 nr, u32 front, void *arg);

static inline void mcfab_visit_requests(struct mcfab_engine *e, mcfab_request_fn fn, void *arg)
{
	u32 i, r, nr;

	for (i = 0; i < e->nshards; i++) {
		struct mcfab_shard *s = &e->shard[i];

		for (r = s->router; r < mcfab_shard_end(e, s); r++)
			for (nr = e->router[r].oldest; nr != MCFAB_NONE; nr = s->request[nr].next)
				fn(e, &s->request[nr], r, arg);
	}
}

/* records that are not at the front of their FIFO */
static inline void mcfab_visit_behind(struct mcfab_engine *e, mcfab_behind_fn fn, void *arg)
{
	u32 vc, nr, front;

	for (vc = 0; e->hw.slots > 1 && vc < e->hw.nvcs; vc++)
		for (nr = mcfab_behind_first(e, vc, &front); nr != MCFAB_NO_REC;
		     nr = mcfab_behind_next(e, vc, nr))
			fn(e, nr, front, arg);
}

/* does a request wait for memory of a network interface, beside the consumption channel? */
static inline bool mcfab_waits_for_memory(const struct mcfab_engine *e,
					  const struct mcfab_request *req)
{
	return e->flags & MCFAB_ENG_MEMORY && req->node != MCFAB_NONE &&
	       mcfab_ni_relays(e, e->rec[req->rec].worm, req->node);
}

/* can_go.c */
bool mcfab_request_can_go(const struct mcfab_engine *e, const struct mcfab_request *req, u32 router,
			  u32 *holder);

/* stall.c */
void mcfab_stall_forget(struct mcfab_engine *e);

/* holdings.c */
void mcfab_deadlock_holdings(struct mcfab_engine *e, const u32 *worms);

/* deadlock.c */
void mcfab_deadlock_report(struct mcfab_engine *e);

#endif
