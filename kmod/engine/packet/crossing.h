/* SPDX-License-Identifier: GPL-2.0 */
/* Mode packet: packets that are moved as a whole. */
#ifndef MCFAB_ENGINE_PACKET_CROSSING_H
#define MCFAB_ENGINE_PACKET_CROSSING_H

#include "engine/state/engine.h"

bool mcfab_crossing_exact(const struct mcfab_engine *e, const char **why);
void mcfab_crossing_granted(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr);
void mcfab_crossing_choose(struct mcfab_engine *e, struct mcfab_shard *s);
void mcfab_crossing_copy(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr);
void mcfab_crossing_move(struct mcfab_engine *e, struct mcfab_shard *s);
u64 mcfab_crossing_next(const struct mcfab_engine *e, const struct mcfab_shard *s);
u64 mcfab_crossing_rest(const struct mcfab_engine *e);
void mcfab_crossing_show(struct mcfab_engine *e);

#endif
