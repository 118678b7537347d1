/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events from one shard to another. An outbox has one writer and one reader. They work in
 * different phases of the cycle with a barrier in between, so there are no locks. The order of
 * the events in an outbox has no meaning. The reader reads the events kind by kind: so the
 * processor need not guess the kind of the next event.
 */
#ifndef MCFAB_ENGINE_STATE_OUTBOX_H
#define MCFAB_ENGINE_STATE_OUTBOX_H

#include "base/types.h"

/** enum mcfab_event - what an event says; its payload is a number */
enum mcfab_event {
	/* outboxes: written in the move phase, read in the next grant phase */
	MCFAB_EVENT_HEADER,	/* record: its header has crossed into the buffer */
	MCFAB_EVENT_RELEASE,	/* record: its VC is free again (FIFOs of several packets: VC) */
	MCFAB_EVENT_FREE,	/* record: it is not in use any more (if later than the release) */
	/* VC: the front packet of the FIFO has left it; mode hop: record at the front now */
	MCFAB_EVENT_FRONT,
	MCFAB_EVENT_CREDIT,	/* VC: a flit left its buffer */
	MCFAB_EVENT_INJECTED,	/* injection record: the worm's tail left the source */
	MCFAB_EVENT_CONSUMED,	/* node: a consumption channel is free again */
	MCFAB_EVENT_RELAY,	/* relay: a later sender has the whole message */
	MCFAB_EVENT_ENDED,	/* worm: its last record is released (MCFAB_ENG_WORM, _HOPS) */
	MCFAB_EVENT_KINDS,
	/* grants: written in the grant phase, read in the next move phase */
	MCFAB_EVENT_GRANT = 0,	/* record: granted, link it to its worm */
	MCFAB_EVENT_WAKE,	/* worm: a node begins to copy it, so it may move again */
	/* the same, with the record (MCFAB_ENG_TAILS, MCFAB_ENG_ROWS, MCFAB_ENG_CRUISE) */
	MCFAB_EVENT_COPY,
};

/* grants have payloads of 28 bits: there are fewer records and worms than 2^28 */
#define MCFAB_EVENT_SHIFT	28

/**
 * struct mcfab_outbox - events from one shard to another
 * @count: events of each kind
 * @event: their payloads; in another line than @count, so that a reader of these pointers does
 *	   not wait for a writer of the counts
 */
struct mcfab_outbox {
	u32 count[MCFAB_EVENT_KINDS];
	u32 *event[MCFAB_EVENT_KINDS] ____cacheline_aligned_in_smp;
} ____cacheline_aligned_in_smp;

/**
 * struct mcfab_grants - grants from one shard to another
 * @count: events in @event
 * @event: enum mcfab_event in the top 4 bits, payload below
 */
struct mcfab_grants {
	u32 count;
	u32 *event;
} ____cacheline_aligned_in_smp;

static inline void mcfab_outbox_post(struct mcfab_outbox *outbox, enum mcfab_event what,
				     u32 payload)
{
	outbox->event[what][outbox->count[what]++] = payload;
}

/* is there any event? */
static inline bool mcfab_outbox_any(const struct mcfab_outbox *outbox)
{
	u32 any = 0, i;

	for (i = 0; i < MCFAB_EVENT_KINDS; i++)
		any |= outbox->count[i];
	return any;
}

static inline u32 mcfab_event_payload(u32 event)
{
	return event & GENMASK(MCFAB_EVENT_SHIFT - 1, 0);
}

static inline void mcfab_grants_post(struct mcfab_grants *box, enum mcfab_event what, u32 payload)
{
	box->event[box->count++] = (u32)what << MCFAB_EVENT_SHIFT | payload;
}

#endif
