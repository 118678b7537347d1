// SPDX-License-Identifier: GPL-2.0
/*
 * Stop a run, or a thread that prepares one, and answer when it has stopped. That may take long:
 * threads without CPU budget notice nothing. No other request waits meanwhile.
 */
#include "control/nl_job.h"

/**
 * struct mcfab_nl_stop - a run to be stopped
 * @job: the request
 * @nr: number of the request that prepared the run; 0: the run was under way, or there was none
 * @run: number of the run, unless it was being prepared
 */
struct mcfab_nl_stop {
	struct mcfab_nl_job job;
	unsigned long nr;
	u32 run;
};

static bool mcfab_nl_stop_ready(struct mcfab_nl_job *job)
{
	const struct mcfab_nl_stop *stop = container_of(job, struct mcfab_nl_stop, job);
	const struct mcfab_nl_fabric *fabric = job->fabric;
	u32 run = stop->run;

	if (!mcfab_nl_defer_ended(fabric, stop->nr))
		return false;
	if (stop->nr) {
		/* pairs with mcfab_nl_start_finish() */
		run = smp_load_acquire(&fabric->begun_run);
		/* The run has not begun: a run that is under way belongs to another request. */
		if (READ_ONCE(fabric->begun_by) != stop->nr)
			return true;
	}
	return (s32)(READ_ONCE(fabric->run_told) - run) >= 0;
}

static int mcfab_nl_stop_finish(struct mcfab_nl_job *job, int ret)
{
	return ret ?: mcfab_nl_run_fill(job->msg, job->fabric, job->info, NULL);
}

static const struct mcfab_nl_job_ops mcfab_nl_stop_ops = {
	.ready = mcfab_nl_stop_ready,
	.finish = mcfab_nl_stop_finish,
};

/* MCFAB_CMD_RUN_STOP */
int mcfab_nl_run_stop_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct mcfab_nl_fabric *fabric;
	struct mcfab_nl_stop *stop;

	stop = mcfab_nl_job_alloc(sizeof(*stop), &mcfab_nl_stop_ops, info);
	if (!stop)
		return -ENOMEM;
	fabric = mcfab_nl_fabric_look(info);
	if (IS_ERR(fabric)) {
		mcfab_nl_job_free(&stop->job);
		return PTR_ERR(fabric);
	}
	if (fabric->job && fabric->job->ops->starts) {
		/* the thread may be too far to notice the stop */
		fabric->job->unwanted = true;
		stop->nr = mcfab_nl_defer_stop(fabric);
	} else {
		stop->run = fabric->core->results.progress.run;
		mcfab_run_ask_stop(fabric->core);
	}
	return mcfab_nl_defer_wait(&stop->job, fabric, skb);
}
