/* SPDX-License-Identifier: GPL-2.0 */
/* Requests, packets and messages that dead links keep from their destinations (lost.c). */
#ifndef MCFAB_ENGINE_STATE_LOST_H
#define MCFAB_ENGINE_STATE_LOST_H

#include "engine/state/engine.h"

void mcfab_fault_abort(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec);
bool mcfab_fault_given_up(const struct mcfab_engine *e, struct mcfab_request *req, u32 router);
u32 mcfab_fault_left_out(const struct mcfab_decision *out, u32 count);
void mcfab_fault_lost(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec, u32 count);
bool mcfab_fault_useless(const struct mcfab_engine *e, u32 node, const struct mcfab_mcast *m);
u32 mcfab_fault_reachable(struct mcfab_engine *e, u32 source, u32 *dst, u32 ndst);

#endif
