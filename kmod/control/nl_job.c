// SPDX-License-Identifier: GPL-2.0
/* Requests that may take long: at once, or by a thread. */
#include "control/nl_job.h"

/**
 * mcfab_nl_job_alloc() - a request that may take long
 * @size: of the structure that begins with a struct mcfab_nl_job
 * @ops: its kind
 * @info: the request
 *
 * The answer's message is allocated here, with room for the longest answer: when the work is done,
 * it would be too late to find that there is no memory for it.
 *
 * Context: May sleep.
 * Return: the structure, to be given to mcfab_nl_job_go() or mcfab_nl_job_free(), or NULL.
 */
void *mcfab_nl_job_alloc(size_t size, const struct mcfab_nl_job_ops *ops, struct genl_info *info)
{
	struct mcfab_nl_job *job = kzalloc(size, GFP_KERNEL_ACCOUNT);

	if (!job)
		return NULL;
	job->ops = ops;
	job->info = info;
	job->msg = mcfab_nl_new(MCFAB_NL_EVENT_SIZE);
	if (job->msg)
		return job;
	kfree(job);
	return NULL;
}

/**
 * mcfab_nl_job_free() - free a request that may take long
 * @job: the request
 *
 * Context: May sleep; under no lock of the control plane.
 */
void mcfab_nl_job_free(struct mcfab_nl_job *job)
{
	if (job->ops->free)
		job->ops->free(job);
	if (job->fabric)
		mcfab_nl_fabric_put(job->fabric);
	nlmsg_free(job->msg);
	kfree(job);
}

/**
 * mcfab_nl_job_reply() - send a request's answer
 * @job: the request; its message is filled in
 *
 * Context: May sleep.
 * Return: 0 or a negative error.
 */
int mcfab_nl_job_reply(struct mcfab_nl_job *job)
{
	struct sk_buff *msg = job->msg;

	job->msg = NULL;
	return genlmsg_reply(msg, job->info);
}

/**
 * mcfab_nl_job_silent() - send no answer to a request but its acknowledgment
 * @job: the request
 *
 * Context: May sleep.
 */
void mcfab_nl_job_silent(struct mcfab_nl_job *job)
{
	nlmsg_free(job->msg);
	job->msg = NULL;
}

/**
 * mcfab_nl_job_now() - do a request's work at once
 * @job: the request; its fabric, if any, is locked, and unlocked in the end; the request is freed
 *
 * Context: May sleep.
 * Return: 0 or a negative error with the extack set.
 */
int mcfab_nl_job_now(struct mcfab_nl_job *job)
{
	return mcfab_nl_job_end(job, job->ops->work ? job->ops->work(job) : 0);
}

/**
 * mcfab_nl_job_end() - answer a request whose work is done
 * @job: the request; its fabric is locked, and unlocked in the end; the request is freed
 * @ret: result of the work
 *
 * Context: May sleep.
 * Return: 0 or a negative error with the extack set.
 */
int mcfab_nl_job_end(struct mcfab_nl_job *job, int ret)
{
	ret = job->ops->finish(job, ret);
	if (!ret && job->msg)
		ret = mcfab_nl_job_reply(job);
	if (job->fabric)
		mutex_unlock(&job->fabric->lock);
	mcfab_nl_job_free(job);
	return ret;
}

/**
 * mcfab_nl_job_refuse() - refuse a request before its work
 * @job: the request; its fabric, if any, is locked, and unlocked in the end; the request is freed
 * @ret: a negative error, with the extack set
 *
 * Context: May sleep.
 * Return: the return value for the handler.
 */
int mcfab_nl_job_refuse(struct mcfab_nl_job *job, int ret)
{
	ret = job->ops->finish(job, ret);
	if (job->fabric)
		mutex_unlock(&job->fabric->lock);
	mcfab_nl_job_free(job);
	return ret;
}

/**
 * mcfab_nl_job_go() - do a request's work at once, or have a thread do it
 * @job: the request; taken over
 * @fabric: its fabric, held and locked, with no other such request under way, or NULL; hold and
 *	    lock are taken over
 * @skb: the handler's argument
 * @work: duration of the work, in steps of some nanoseconds
 *
 * Context: May sleep; a handler's.
 * Return: the return value for the handler.
 */
int mcfab_nl_job_go(struct mcfab_nl_job *job, struct mcfab_nl_fabric *fabric,
		    struct sk_buff *skb, u64 work)
{
	job->fabric = fabric;
	/* memory that it needs may just be given back */
	if (work > MCFAB_NL_STEPS || mcfab_nl_freeing())
		return mcfab_nl_defer(job, skb);
	return mcfab_nl_job_now(job);
}
