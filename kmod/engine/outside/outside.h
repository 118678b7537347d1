/* SPDX-License-Identifier: GPL-2.0 */
/* Messages from outside come in, deliveries go out; only where outside.from is set */
#ifndef MCFAB_ENGINE_OUTSIDE_H
#define MCFAB_ENGINE_OUTSIDE_H

#include "engine/state/engine.h"

/* at the boundary */
void mcfab_outside_limit(struct mcfab_engine *e);
void mcfab_outside_begin(struct mcfab_engine *e);
void mcfab_outside_links(struct mcfab_engine *e);
u64 mcfab_outside_out(struct mcfab_engine *e);
u64 mcfab_outside_in(struct mcfab_engine *e);
void mcfab_outside_reopen(struct mcfab_engine *e);
void mcfab_outside_forget(struct mcfab_engine *e);
void mcfab_outside_end(struct mcfab_engine *e);

/* by the shard of a node */
void mcfab_outside_take(struct mcfab_engine *e, u32 node, u32 mcast, u32 asked, u32 packets);
void mcfab_outside_skip(struct mcfab_engine *e, u32 node);
void mcfab_outside_left(struct mcfab_engine *e, u32 mcast);
void mcfab_outside_over(struct mcfab_engine *e, struct mcfab_shard *s, u32 mcast);

/* a delivery is in the log: tell the outside when its cycle is over; by any shard */
static inline void mcfab_outside_note(struct mcfab_engine *e, struct mcfab_shard *s, u32 mcast,
				      u32 log)
{
	e->outside.handout[log] = (struct mcfab_handout){ .mcast = mcast, .next = s->handouts };
	s->handouts = log;
}

#endif
