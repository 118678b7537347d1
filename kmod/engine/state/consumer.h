/* SPDX-License-Identifier: GPL-2.0 */
/* The packets that a router's node consumes (MCFAB_ENG_SHARED), see struct mcfab_consumer. */
#ifndef MCFAB_ENGINE_STATE_CONSUMER_H
#define MCFAB_ENGINE_STATE_CONSUMER_H

#include "engine/state/engine.h"

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

#endif
