/* SPDX-License-Identifier: GPL-2.0 */
/* Functions that look at the whole network: search for deadlocks, checks, failing links. */
#ifndef MCFAB_ENGINE_WATCH_H
#define MCFAB_ENGINE_WATCH_H

#include "engine/state/engine.h"

/* stall.c */
bool mcfab_stall_walk(struct mcfab_engine *e, u64 oldest, u64 newest);

/* recover.c */
bool mcfab_recover(struct mcfab_engine *e);

/* check.c */
const char *mcfab_check(const struct mcfab_engine *e, bool idle);

/* fault.c */
int mcfab_fault_open(struct mcfab_engine *e, struct mcfab_updown *ud,
		     const struct mcfab_run_cfg *run, struct mcfab_err *err);
void mcfab_fault_close(struct mcfab_engine *e);
bool mcfab_fault_step(struct mcfab_engine *e);
void mcfab_fault_mark(struct mcfab_engine *e, struct mcfab_shard *s);

/** mcfab_fault_due() - has mcfab_fault_step() anything to do? */
static inline bool mcfab_fault_due(const struct mcfab_engine *e)
{
	return READ_ONCE(e->faults.change) || e->faults.paused || e->cycle >= e->faults.due;
}

#endif
