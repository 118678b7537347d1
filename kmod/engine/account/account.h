/* SPDX-License-Identifier: GPL-2.0 */
/* Counts of complete messages, of source queues, and of channels. */
#ifndef MCFAB_ENGINE_ACCOUNT_H
#define MCFAB_ENGINE_ACCOUNT_H

#include "engine/state/engine.h"

/* flush.c: complete messages go to the statistics */
void mcfab_flush(struct mcfab_engine *e, u64 watermark);
void mcfab_flush_incomplete(struct mcfab_engine *e);
u64 mcfab_watermark(const struct mcfab_engine *e);

/* queues.c: messages that wait at their sources */
u64 mcfab_queues_interval(const struct mcfab_engine *e, u64 most);
u64 mcfab_queues_next(const struct mcfab_engine *e);
u32 mcfab_queues_longest(const struct mcfab_engine *e);
void mcfab_queues_look(struct mcfab_engine *e);

/* channels.c */
/* sources.c */
void mcfab_sources_begin(struct mcfab_engine *e);
void mcfab_sources_end(struct mcfab_engine *e);
void mcfab_sources_rest(struct mcfab_engine *e);

/* channels.c */
void mcfab_channel_flits(const struct mcfab_engine *e, u64 *flits);
void mcfab_channels_begin(struct mcfab_engine *e);
void mcfab_channels_end(struct mcfab_engine *e);

#endif
