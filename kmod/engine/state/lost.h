/* SPDX-License-Identifier: GPL-2.0 */
/* Requests, packets and messages that dead links keep from their destinations (lost.c). */
#ifndef MCFAB_ENGINE_STATE_LOST_H
#define MCFAB_ENGINE_STATE_LOST_H

#include "engine/state/engine.h"

/* may destinations be out of reach? context: any */
static inline bool mcfab_fault_links(const struct mcfab_engine *e)
{
	return unlikely(e->faults.lossy) && e->faults.goal;
}

/* has a node lost its link? context: any */
static inline bool mcfab_fault_cut_off(const struct mcfab_engine *e, u32 node)
{
	return mcfab_fault_links(e) && test_bit(node, e->faults.goal->cut);
}

/* why a packet that is cut does not come to its destinations; context: as mcfab_fault_abort() */
static inline enum mcfab_drop mcfab_lost_reason(const struct mcfab_engine *e, u32 rec)
{
	return atomic_read(&e->worm[e->rec[rec].worm].cut) == MCFAB_CUT_DEADLOCK ?
	       MCFAB_DROP_DEADLOCK : MCFAB_DROP_LINK;
}

void mcfab_fault_abort(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec);
bool mcfab_fault_given_up(const struct mcfab_engine *e, struct mcfab_request *req, u32 router);
u32 mcfab_fault_left_out(const struct mcfab_decision *out, u32 count);
void mcfab_fault_lost(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec, u32 count);
bool mcfab_fault_useless(const struct mcfab_engine *e, u32 node, const struct mcfab_mcast *m);
u32 mcfab_fault_reachable(struct mcfab_engine *e, u32 source, u32 *dst, u32 ndst);

#endif
