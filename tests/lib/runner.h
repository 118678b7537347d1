/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TESTS_LIB_RUNNER_H
#define TESTS_LIB_RUNNER_H

#include "base/types.h"

/* threads of every run that is started from now on, at most one per shard */
extern u32 runner_threads;

/* how often a thread has come back to its team after a pause, in all runs */
extern u64 runner_returns;

/* are CPUs taken from threads? then those that come late to a barrier leave their team */
extern bool runner_preempts;

/* microseconds that threads spin at a barrier before they sleep, and the last one pauses */
void runner_spin(u32 us);

#endif
