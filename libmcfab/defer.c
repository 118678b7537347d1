// SPDX-License-Identifier: GPL-2.0
/*
 * kmod/control/nl_defer.c and nl_end.c where nobody else waits: every request is served at once. As
 * there, the fabric is not locked meanwhile, but known to be worked on.
 */
#include "control/nl_job.h"
#include "mcfab_user.h"

static unsigned long deferred;

int mcfab_nl_defer_init(void)
{
	return 0;
}

void mcfab_nl_defer_exit(void)
{
}

int mcfab_nl_defer(struct mcfab_nl_job *job, struct sk_buff *skb)
{
	struct mcfab_nl_fabric *fabric = job->fabric;
	int ret;

	deferred++;
	/* to load a policy's module is about none, and is done where others need not wait */
	if (!fabric) {
		job->deferred = true;
		return mcfab_nl_job_now(job);
	}
	WRITE_ONCE(fabric->job, job);
	mutex_unlock(&fabric->lock);
	job->deferred = true;
	ret = job->ops->work(job);
	job->deferred = false;
	mutex_lock(&fabric->lock);
	WRITE_ONCE(fabric->job, NULL);
	return mcfab_nl_job_end(job, ret);
}

int mcfab_nl_defer_wait(struct mcfab_nl_job *job, struct mcfab_nl_fabric *fabric,
			struct sk_buff *skb)
{
	job->fabric = fabric;
	/* there is nothing to wait for but the end of a run, by the threads of its own */
	if (!job->ops->ready(job))
		mcfab_run_stop(fabric->core);
	return mcfab_nl_job_now(job);
}

/**
 * mcfab_user_deferred() - how many requests a kernel would have left to threads
 *
 * Return: their number so far.
 */
unsigned long mcfab_user_deferred(void)
{
	return deferred;
}

unsigned long mcfab_nl_defer_stop(struct mcfab_nl_fabric *fabric)
{
	return 0;
}

void mcfab_nl_defer_kick(void)
{
}

void mcfab_nl_defer_end(void)
{
}

int mcfab_nl_end_init(void)
{
	return 0;
}

void mcfab_nl_end_exit(void)
{
}

void mcfab_nl_end_later(struct mcfab_nl_fabric *fabric)
{
	mcfab_run_stop(fabric->core);
	mcfab_nl_fabric_put(fabric);
}
