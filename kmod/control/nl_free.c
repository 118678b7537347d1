// SPDX-License-Identifier: GPL-2.0
/*
 * Memory of fabrics that are gone, and of lists that were replaced or discarded. The last holder of
 * a fabric may hold a lock of generic netlink, and giving back gigabytes takes long, so a work item
 * does that where there is much. The memory stays charged until then. Requests that may need this
 * memory are left to threads meanwhile, and these threads wait for it.
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
 * @fabric: the fabric, which is not held any more
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

/* a list that was replaced or discarded */
struct mcfab_nl_dropped {
	struct mcfab_nl_upload upload;
	struct work_struct work;
};

static void mcfab_nl_drop_work(struct work_struct *work)
{
	struct mcfab_nl_dropped *dropped = container_of(work, struct mcfab_nl_dropped, work);

	mcfab_nl_upload_free(&dropped->upload);
	kfree(dropped);
	atomic_dec(&mcfab_nl_pending);
}

/**
 * mcfab_nl_free_upload() - free a list that was uploaded
 * @upload: the list, all zero afterwards
 *
 * Context: May sleep, in the handler of a request.
 */
void mcfab_nl_free_upload(struct mcfab_nl_upload *upload)
{
	struct mcfab_nl_dropped *dropped = NULL;

	if (mcfab_nl_free_steps(upload->bytes) > MCFAB_NL_STEPS)
		dropped = kmalloc(sizeof(*dropped), GFP_KERNEL);
	if (!dropped) {
		mcfab_nl_upload_free(upload);
		return;
	}
	dropped->upload = *upload;
	memset(upload, 0, sizeof(*upload));
	atomic_inc(&mcfab_nl_pending);
	INIT_WORK(&dropped->work, mcfab_nl_drop_work);
	queue_work(mcfab_nl_freer, &dropped->work);
}

/**
 * mcfab_nl_freeing() - will memory of removed fabrics or of lists still be given back?
 *
 * Context: Any.
 * Return: true if so.
 */
bool mcfab_nl_freeing(void)
{
	return atomic_read(&mcfab_nl_pending);
}

/**
 * mcfab_nl_free_wait() - wait until memory of removed fabrics is given back
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
 * mcfab_nl_free_init() - prepare to free fabrics
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
 * mcfab_nl_free_exit() - free all remaining fabrics
 *
 * Context: Module exit, or initialisation that failed; no fabric is held any more.
 */
void mcfab_nl_free_exit(void)
{
	destroy_workqueue(mcfab_nl_freer);
}
