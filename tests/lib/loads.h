/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Runs on meshes, and their loads. Programs that use it are linked with
 * --wrap=mcfab_stats_message, see capture.h.
 */
#ifndef TESTS_LOADS_H
#define TESTS_LOADS_H

#include "fabric/fabric.h"
#include "lib/capture.h"

/* the next run's */
extern struct mcfab_fabric_cfg fc;
extern struct mcfab_run_cfg rc;

/* set both: a Poisson load, a window of fixed length from the start on */
void mesh(u32 x, u32 y, const char *policy, u64 rate, u32 dests);

/* a run, what came out of it, and its loads */
struct run {
	struct capture got;
	struct mcfab_loads loads;
	struct mcfab_saturation sat;
	struct mcfab_window window;
	struct mcfab_balance balance;
	u64 balance_cycles;
	u32 queue_max;
	u64 bytes;
	enum mcfab_run_status state;
	u64 cycle;
};

void run(struct run *r, u32 shards);

static inline bool inside(const struct mcfab_loads *l, u64 cycle)
{
	return cycle >= l->start && cycle < l->end;
}

/* part of an interval that is in the cycles of the loads */
static inline u64 overlap(const struct mcfab_loads *l, u64 from, u64 to)
{
	from = max(from, l->start);
	to = min(to, l->end);
	return from < to ? to - from : 0;
}

#endif
