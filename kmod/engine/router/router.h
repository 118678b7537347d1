/* SPDX-License-Identifier: GPL-2.0 */
/* VC allocation, and who crosses a channel that several VCs share. */
#ifndef MCFAB_ENGINE_ROUTER_H
#define MCFAB_ENGINE_ROUTER_H

#include "engine/state/engine.h"

/* request.c */
u32 mcfab_header_rank(const struct mcfab_engine *e, u32 rec);
void mcfab_header_request(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec);
void mcfab_routers_scan(struct mcfab_engine *e, struct mcfab_shard *s);

/* arbiter.c */
void mcfab_arbiter_own(struct mcfab_engine *e, struct mcfab_shard *s, u32 chan);
void mcfab_arbiter_disown(struct mcfab_engine *e, u32 chan);
void mcfab_arbiter_arrive(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec);
void mcfab_arbiter_leave(struct mcfab_engine *e, u32 vc);
void mcfab_arbiter_consume(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec);
void mcfab_arbiter_choose(struct mcfab_engine *e, struct mcfab_shard *s);

#endif
