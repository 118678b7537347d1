/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Work that takes too long for the handler of a request, which holds up other requests: a thread of
 * its own does the work, and belongs to the caller. In user space no requests are held up, so there
 * are no such threads.
 */
#ifndef MCFAB_BASE_JOB_H
#define MCFAB_BASE_JOB_H

#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "base/types.h"

struct mcfab_err;
struct task_struct;

/**
 * struct mcfab_task - a long piece of work
 * @run: the function that does it
 * @done: part of the present step that is done
 * @total: the whole of that step; 0: not known
 */
struct mcfab_task {
	void (*run)(struct mcfab_task *job);
	u64 done;
	u64 total;
};

#ifdef __KERNEL__
struct task_struct *mcfab_job_create(struct mcfab_task *job, struct mcfab_err *err);
void mcfab_job_stop(struct task_struct *thread);
int mcfab_job_step(u64 done, u64 total);
#else
static inline int mcfab_job_step(u64 done, u64 total)
{
	cond_resched();
	return shim_stopped() || fatal_signal_pending(current) ? -EINTR : 0;
}
#endif

#endif
