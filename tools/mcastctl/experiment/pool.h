/* SPDX-License-Identifier: GPL-2.0 */
/* Points that are run at the same time, each in a process of its own. */
#ifndef MCASTCTL_EXPERIMENT_POOL_H
#define MCASTCTL_EXPERIMENT_POOL_H

#include "base/util.h"

/** struct pool_end - what a child left behind */
struct pool_end {
	u32 nr;			/* of the point */
	int exit;		/* its exit status; negative: the signal that ended it */
	bool interrupted;	/* it was asked to end early */
	char *out;		/* what it wrote, and what it said of errors; each ends in a NUL */
	char *err;
};

/** struct pool - who does what; the functions get @data */
struct pool {
	u32 jobs;		/* children at the same time, at least 1 */
	void *data;
	/* In the parent: the point to start next; -1: there is none. */
	s64 (*next)(void *data);
	/*
	 * In a child: standard output is nowhere until pool_child_output(true), standard error
	 * is collected. @slot, below @jobs, is no other child's at that time. Returns the exit
	 * status.
	 */
	int (*child)(u32 nr, u32 slot, void *data);
	/* In the parent: a child is over. An error ends the pool. */
	enum status (*over)(const struct pool_end *end, void *data);
	/* In the parent, from time to time: @running children are at work. */
	void (*look)(u32 running, void *data);
};

/*
 * Run points until there are none, an error or an interrupt (SIGINT, SIGTERM), which is passed
 * on to the children; *@interrupted says so. Children that are at work are waited for. A child
 * whose parent dies gets a SIGTERM.
 */
enum status pool_run(const struct pool *pool, bool *interrupted);

/* In a child: what is printed is collected (true) or goes nowhere. */
void pool_child_output(bool collect);
/* In a child: it was asked to end. */
bool pool_child_interrupted(void);

#endif
