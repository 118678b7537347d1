/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TESTS_LIB_RUNNER_H
#define TESTS_LIB_RUNNER_H

#include "base/types.h"

/* threads of every run that is started from now on, at most one per shard */
extern u32 runner_threads;

#endif
