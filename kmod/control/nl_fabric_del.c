// SPDX-License-Identifier: GPL-2.0
/*
 * Remove fabrics. If a thread works on a request about the fabric, it is stopped, and ends first.
 */
#include "control/nl_job.h"
#include "netdev/ports.h"

/**
 * struct mcfab_nl_del - a fabric to be removed
 * @job: the request
 * @nr: number of the request about the fabric that was under way, and has to end first
 */
struct mcfab_nl_del {
	struct mcfab_nl_job job;
	unsigned long nr;
};

static bool mcfab_nl_del_ready(struct mcfab_nl_job *job)
{
	return mcfab_nl_defer_ended(job->fabric, container_of(job, struct mcfab_nl_del, job)->nr);
}

/* There is nothing to show. */
static int mcfab_nl_del_finish(struct mcfab_nl_job *job, int ret)
{
	struct mcfab_nl_fabric *fabric = job->fabric;

	mcfab_nl_job_silent(job);
	/* A fabric whose building was stopped is gone already. */
	if (ret || fabric->gone)
		return ret;
	if (fabric->job) {
		/* another request, which has begun just now */
		NL_SET_ERR_MSG_FMT(job->info->extack, "%s", fabric->job->ops->busy);
		return -EBUSY;
	}
	ret = mcfab_nl_fabric_idle(job->info, fabric);
	if (ret)
		return ret;
	/* A run that has just ended may still be sending its event. */
	mcfab_run_stop(fabric->core);
	mcfab_ports_end(fabric->core);
	mcfab_nl_fabric_unlist(fabric);
	mcfab_nl_notify(fabric, MCFAB_CMD_FABRIC_DEL_NTF);
	/* the namespace's hold; the request has a hold of its own */
	mcfab_nl_fabric_put(fabric);
	return 0;
}

static const struct mcfab_nl_job_ops mcfab_nl_del_ops = {
	.ready = mcfab_nl_del_ready,
	.finish = mcfab_nl_del_finish,
};

/* MCFAB_CMD_FABRIC_DEL */
int mcfab_nl_fabric_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct mcfab_nl_fabric *fabric;
	struct mcfab_nl_del *del;

	del = mcfab_nl_job_alloc(sizeof(*del), &mcfab_nl_del_ops, info);
	if (!del)
		return -ENOMEM;
	fabric = mcfab_nl_fabric_lock_it(info, mcfab_nl_fabric_find(info));
	if (IS_ERR(fabric)) {
		mcfab_nl_job_free(&del->job);
		return PTR_ERR(fabric);
	}
	del->nr = mcfab_nl_defer_stop(fabric);
	return mcfab_nl_defer_wait(&del->job, fabric, skb);
}
