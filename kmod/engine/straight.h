/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Headers that nobody stands in the way of, see straight.c.
 */
#ifndef MCFAB_ENGINE_STRAIGHT_H
#define MCFAB_ENGINE_STRAIGHT_H

#include "engine/engine.h"

bool mcfab_straight_exact(const struct mcfab_engine *e);
void mcfab_straight_go(struct mcfab_engine *e, struct mcfab_shard *s);
void mcfab_straight_scan(struct mcfab_engine *e, struct mcfab_shard *s, u32 router);

/**
 * mcfab_straight_due() - a header asks in this cycle
 * @e: engine
 * @s: shard that owns its router
 * @rec: the record the header is in
 *
 * Context: grant phase.
 */
static inline void mcfab_straight_due(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec)
{
	struct mcfab_front *f = &e->front[rec];

	f->router = mcfab_rec_router(e, rec);
	f->link = s->headers;
	s->headers = rec;
	e->router[f->router].headers[e->cycle % 2]++;
}

/**
 * mcfab_straight_cross() - a header crosses its channel; it asks from the next cycle on
 * @e: engine with mcfab_engine.direct
 * @s: the shard
 * @rec: record at the far end of the channel
 * @router: router there
 *
 * Context: either phase.
 */
static inline void mcfab_straight_cross(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec,
					u32 router)
{
	struct mcfab_front *f = &e->front[rec];

	if (e->route_delay) {
		f->since = e->cycle + 1 + e->route_delay;
		f->link = MCFAB_NONE;
		mcfab_queue_put(&s->routing, &e->front[s->routing.tail].link, rec);
		return;
	}
	f->router = router;
	f->link = s->crossed;
	s->crossed = rec;
	e->router[router].headers[(e->cycle + 1) % 2]++;
}

#endif
