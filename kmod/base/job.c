// SPDX-License-Identifier: GPL-2.0
/* Threads for long work, and their progress. */
#include <linux/kthread.h>
#include <linux/resource.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

#include "base/config.h"
#include "base/job.h"
#include "base/thread.h"

/* A fatal signal stops the thread: long work looks for one at its scheduling points. */
static int job_main(void *data)
{
	struct mcfab_task *job = data;

	allow_signal(SIGKILL);
	job->run(job);
	return 0;
}

/**
 * mcfab_job_create() - make a thread for long work
 * @job: the work
 * @err: filled in when the request is refused
 *
 * The thread may use all CPUs that the caller may use, at the caller's nice level, and may make
 * threads of the nice levels that the caller may have.
 *
 * Context: as mcfab_thread_create(), of the process that asks for the work.
 * Return: the thread, to be started by mcfab_thread_start() and given back by mcfab_thread_stop(),
 * or an error pointer as from mcfab_thread_create().
 */
struct task_struct *mcfab_job_create(struct mcfab_task *job, struct mcfab_err *err)
{
	struct task_struct *thread;

	WRITE_ONCE(job->done, 0);
	WRITE_ONCE(job->total, 0);
	thread = mcfab_thread_create("mcfab-job", job_main, job, current->cpus_ptr,
				     task_nice(current), err);
	if (!IS_ERR(thread)) {
		/* the thread does not run yet, and no other thread reads its limits */
		task_lock(thread);
		thread->signal->rlim[RLIMIT_NICE].rlim_cur = rlimit(RLIMIT_NICE);
		task_unlock(thread);
	}
	return thread;
}

/**
 * mcfab_job_stop() - tell a thread for long work to give up soon
 * @thread: from mcfab_job_create(); the caller sees to it that it is not given back meanwhile
 *
 * A thread that has not begun yet may not notice.
 *
 * Context: any but an interrupt.
 */
void mcfab_job_stop(struct task_struct *thread)
{
	send_sig(SIGKILL, thread, 1);
}

/**
 * mcfab_job_step() - a scheduling point of work that may take long
 * @done: part of this step of the work that is done
 * @total: the whole of this step
 *
 * To be called every 10 ms or more often. The work may be done by a thread for it, whose progress
 * others see, or by the process that asks for it.
 *
 * Context: may sleep.
 * Return: 0, or -EINTR if the work is to be given up: the process is being killed, or the
 *	   thread was stopped.
 */
int mcfab_job_step(u64 done, u64 total)
{
	if (current->flags & PF_KTHREAD && kthread_func(current) == job_main) {
		struct mcfab_task *job = kthread_data(current);

		WRITE_ONCE(job->done, done);
		WRITE_ONCE(job->total, total);
	}
	cond_resched();
	return fatal_signal_pending(current) ? -EINTR : 0;
}
