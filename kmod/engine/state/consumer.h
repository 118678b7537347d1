/* SPDX-License-Identifier: GPL-2.0 */
/* The packets that a router's node consumes (MCFAB_ENG_SHARED), see struct mcfab_consumer. */
#ifndef MCFAB_ENGINE_STATE_CONSUMER_H
#define MCFAB_ENGINE_STATE_CONSUMER_H

#include "engine/state/engine.h"

/* the node of the router at which a record is */
static inline struct mcfab_consumer *mcfab_consumer_of(const struct mcfab_engine *e, u32 rec)
{
	return &e->consumer[mcfab_vc_to(e, mcfab_rec_vc(e, rec))];
}

/* does a node consume the packet of a record, and no other one? */
static inline bool mcfab_consumer_alone(const struct mcfab_engine *e, u32 rec)
{
	const struct mcfab_consumer *c = mcfab_consumer_of(e, rec);
	u32 vc = mcfab_rec_vc(e, rec);

	return c->head == vc && e->consumed[vc] == MCFAB_NONE && c->cruiser == MCFAB_NONE;
}

/**
 * mcfab_consumer_add() - a node begins to consume a packet
 * @e: engine with MCFAB_ENG_SHARED
 * @s: shard that owns the router
 * @rec: record that holds it
 *
 * The packet leaves the list at the choice after its last flit, or with its record.
 *
 * Context: grant phase.
 */
static inline void mcfab_consumer_add(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec)
{
	u32 vc = mcfab_rec_vc(e, rec), router = mcfab_vc_to(e, vc);
	struct mcfab_consumer *c = &e->consumer[router];

	e->consumed[vc] = c->head;
	c->head = vc;
	if (c->listed)
		return;
	c->listed = true;
	s->consuming[s->nconsuming++] = router;
}

/**
 * mcfab_consumer_remove() - a node does not consume a packet any more
 * @e: engine with MCFAB_ENG_SHARED
 * @vc: VC of the packet; if it is not in the list, nothing happens
 *
 * Context: grant phase of the shard that owns the router; any phase if it is the only one.
 */
static inline void mcfab_consumer_remove(struct mcfab_engine *e, u32 vc)
{
	u32 *at;

	for (at = &e->consumer[mcfab_vc_to(e, vc)].head; *at != MCFAB_NONE; at = &e->consumed[*at])
		if (*at == vc) {
			*at = e->consumed[vc];
			return;
		}
}

#endif
