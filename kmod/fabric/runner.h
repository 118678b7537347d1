/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The threads that compute a run: kernel threads in the module (runner.c), POSIX
 * threads in user space (libmcfab/runner.c, and a simpler one in tests/lib).
 */
#ifndef MCFAB_FABRIC_RUNNER_H
#define MCFAB_FABRIC_RUNNER_H

#include "fabric/fabric.h"

struct cpumask;

int mcfab_runner_open(struct mcfab_fabric *fabric);
void mcfab_runner_close(struct mcfab_fabric *fabric);
u64 mcfab_runner_bytes(const struct mcfab_runner *r);
int mcfab_runner_set_cpus(struct mcfab_fabric *fabric, const struct cpumask *cpus, bool exact,
			  struct mcfab_err *err);
int mcfab_runner_ready(struct mcfab_fabric *fabric, struct mcfab_err *err);
void mcfab_runner_go(struct mcfab_fabric *fabric);
void mcfab_runner_wait(struct mcfab_fabric *fabric);

/* fabric/run.c: the runner calls it when the run has ended and no thread works on it */
void mcfab_run_reap(struct mcfab_fabric *fabric);

#endif
