/* SPDX-License-Identifier: GPL-2.0 */
/* One point: its commands, run in a process of its own, and what its output says. */
#ifndef MCASTCTL_EXPERIMENT_POINT_H
#define MCASTCTL_EXPERIMENT_POINT_H

#include "experiment/pool.h"
#include "experiment/results.h"

/** struct point_place - where a point is run */
struct point_place {
	u32 slot;		/* no other point is run in it at the same time */
	u32 cpu;		/* for the router threads, unless the scenario names CPUs */
};

/* In a child of a pool: make the fabric, run, print run and statistics as JSON, delete it. */
int point_run(const struct results *r, u32 nr, const struct point_place *place);

/*
 * In the parent: the result of point end->nr. *@stopped: there is none, the run was stopped.
 * An error in the scenario is printed as the child said it.
 */
enum status point_take(struct results *r, const struct pool_end *end, bool *stopped);

/* "policy dp, load 0.3, seed 2"; to be freed. */
char *point_text(const struct results *r, u32 nr);

#endif
