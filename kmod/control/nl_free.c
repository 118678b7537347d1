// SPDX-License-Identifier: GPL-2.0
/*
 * Memory of fabrics that are gone. Whoever lets go of one last may hold a lock of generic
 * netlink, and to give back gigabytes takes long, so a work item does that for big fabrics.
 * The memory is charged until then: requests for which it may be needed are left to threads
 * meanwhile, and these wait for it.
 */
#include <linux/atomic.h>
#include <linux/workqueue.h>

#include "control/nl_job.h"

static atomic_t mcfab_nl_pending = ATOMIC_INIT(0);
static struct workqueue_struct *mcfab_nl_freer;

static void mcfab_nl_free_work(struct work_struct *work)
{
	mcfab_nl_fabric_destroy(container_of(work, struct mcfab_nl_fabric, freed));
	atomic_dec(&mcfab_nl_pending);
}

/**
 * mcfab_nl_free() - free a fabric
 * @fabric: the fabric, which nobody holds
 * @bytes: about how much memory it takes
 *
 * Context: May sleep.
 */
void mcfab_nl_free(struct mcfab_nl_fabric *fabric, u64 bytes)
{
	if (mcfab_nl_free_steps(bytes) <= MCFAB_NL_STEPS) {
		mcfab_nl_fabric_destroy(fabric);
		return;
	}
	atomic_inc(&mcfab_nl_pending);
	INIT_WORK(&fabric->freed, mcfab_nl_free_work);
	queue_work(mcfab_nl_freer, &fabric->freed);
}

/**
 * mcfab_nl_freeing() - is memory of fabrics that are gone still to come?
 *
 * Context: Any.
 * Return: whether it is.
 */
bool mcfab_nl_freeing(void)
{
	return atomic_read(&mcfab_nl_pending);
}

/**
 * mcfab_nl_free_wait() - wait for memory of fabrics that are gone
 * @job: a request that takes memory; only a thread waits
 *
 * Context: May sleep.
 */
void mcfab_nl_free_wait(const struct mcfab_nl_job *job)
{
	if (job->deferred)
		flush_workqueue(mcfab_nl_freer);
}

/**
 * mcfab_nl_free_init() - be ready to free fabrics
 *
 * Context: Module initialisation.
 * Return: 0 or -ENOMEM.
 */
int __init mcfab_nl_free_init(void)
{
	mcfab_nl_freer = alloc_workqueue("mcfab-free", WQ_UNBOUND, 0);
	return mcfab_nl_freer ? 0 : -ENOMEM;
}

/**
 * mcfab_nl_free_exit() - free what is still to be freed
 *
 * Context: Module exit, or initialisation that failed; nobody holds a fabric any more.
 */
void mcfab_nl_free_exit(void)
{
	destroy_workqueue(mcfab_nl_freer);
}
