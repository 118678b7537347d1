/* SPDX-License-Identifier: GPL-2.0 */
/* Mode hop: packets of one flit, in FIFOs; engine/state/hop.h says what such a packet is. */
#ifndef MCFAB_ENGINE_HOP_HOP_H
#define MCFAB_ENGINE_HOP_HOP_H

#include "engine/state/engine.h"

/*
 * By the rules of router booksim (booksim.c) an input port chooses a packet in its buffers, a
 * channel one of those that have its VCs, and a node one of those that are there for it.
 */

/* hop.c */
bool mcfab_hops_exact(const struct mcfab_engine *e, const char **why);
void mcfab_hops_read(struct mcfab_engine *e, struct mcfab_shard *s, struct mcfab_outbox *outbox);
void mcfab_hops_wake(struct mcfab_engine *e, struct mcfab_shard *s);
void mcfab_hops_choose(struct mcfab_engine *e, struct mcfab_shard *s);
void mcfab_hops_move(struct mcfab_engine *e, struct mcfab_shard *s);

/* booksim.c */
void mcfab_hop_arrive(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr);
void mcfab_hop_leave(struct mcfab_engine *e, struct mcfab_shard *s, u32 vc, bool taken);
void mcfab_hop_leave_source(struct mcfab_engine *e, u32 nr);
void mcfab_hops_choose_booksim(struct mcfab_engine *e, struct mcfab_shard *s);

/* show.c */
void mcfab_hops_show(struct mcfab_engine *e);
void mcfab_hops_hide(struct mcfab_engine *e);

#endif
