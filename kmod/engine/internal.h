/* SPDX-License-Identifier: GPL-2.0 */
/* Functions that only the files of this folder call. */
#ifndef MCFAB_ENGINE_INTERNAL_H
#define MCFAB_ENGINE_INTERNAL_H

#include "engine/state/engine.h"

/** MCFAB_POOLS - number of pools of an engine */
#define MCFAB_POOLS	8

/* setup.c */
void mcfab_set_shards(struct mcfab_engine *e, u32 shards);

/* mode.c */
u32 mcfab_mode_layout(const struct mcfab_engine *e);
int mcfab_mode_choose(struct mcfab_engine *e, enum mcfab_advance_mode advance,
		      struct mcfab_err *err);

/* grant.c, move.c */
void mcfab_records_grant(struct mcfab_engine *e, struct mcfab_shard *s);
u64 mcfab_records_next(const struct mcfab_engine *e, const struct mcfab_shard *s);

/* lean.c */
/** MCFAB_LEAN_PART - pools of lean runs grow when more than this part of them is in use: a half */
#define MCFAB_LEAN_PART	2
bool mcfab_lean(const struct mcfab_engine *e, const struct mcfab_run_cfg *run);
u32 mcfab_lean_records(const struct mcfab_engine *e);
u32 mcfab_lean_spare(const struct mcfab_engine *e);
void mcfab_lean_mark(struct mcfab_engine *e);
bool mcfab_lean_scarce(const struct mcfab_engine *e);

void mcfab_sizes(struct mcfab_engine *e, const struct mcfab_run_cfg *run);
u64 mcfab_full_bytes(const struct mcfab_engine *e, size_t entry);
u32 mcfab_log_reserve(const struct mcfab_engine *e);
void mcfab_pools(struct mcfab_engine *e, struct mcfab_pool *pool[MCFAB_POOLS]);
int mcfab_pools_grow(struct mcfab_engine *e);
u64 mcfab_arrays_bytes(struct mcfab_engine *e);
int mcfab_arrays_alloc(struct mcfab_engine *e);
int mcfab_arrays_grow(struct mcfab_engine *e, struct mcfab_pool *pool, u32 more);
int mcfab_arrays_grow_records(struct mcfab_engine *e, u32 more);
void mcfab_arrays_free(struct mcfab_engine *e);
void mcfab_arrays_init(struct mcfab_engine *e);
u64 mcfab_touched(const struct mcfab_engine *e);
int mcfab_boundary_init(struct mcfab_engine *e, const struct mcfab_run_cfg *run);

/* outside_boundary.c */
u64 mcfab_outside_boundary(struct mcfab_engine *e, u64 next);

/* end.c */
void mcfab_note_progress(struct mcfab_engine *e);
bool mcfab_end_run(struct mcfab_engine *e, enum mcfab_run_status state, const char *why);
bool mcfab_end_overdue(struct mcfab_engine *e);

#endif
