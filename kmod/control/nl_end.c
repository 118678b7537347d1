// SPDX-License-Identifier: GPL-2.0
/*
 * Fabrics whose namespace has gone. Their runs end soon, but threads without CPU time take long to
 * notice that. Processes that make or remove namespaces do not wait for them.
 */
#include <linux/workqueue.h>

#include "control/nl_job.h"

/**
 * struct mcfab_nl_end - a fabric whose run has to end first
 * @work: waits for that end
 * @fabric: the fabric, held
 */
struct mcfab_nl_end {
	struct work_struct work;
	struct mcfab_nl_fabric *fabric;
};

static struct workqueue_struct *mcfab_nl_ender;

static void mcfab_nl_end_work(struct work_struct *work)
{
	struct mcfab_nl_end *end = container_of(work, struct mcfab_nl_end, work);

	mcfab_run_stop(end->fabric->core);
	mcfab_nl_fabric_put(end->fabric);
	kfree(end);
}

/**
 * mcfab_nl_end_later() - let go of a fabric when its run has ended
 * @fabric: the fabric, held, which is in no namespace any more; its run is stopped
 *
 * Context: May sleep; waits for the run only if there is no memory for a work item.
 */
void mcfab_nl_end_later(struct mcfab_nl_fabric *fabric)
{
	struct mcfab_nl_end *end = NULL;

	if (mcfab_run_active(fabric->core))
		end = kmalloc(sizeof(*end), GFP_KERNEL);
	if (!end) {
		mcfab_run_stop(fabric->core);
		mcfab_nl_fabric_put(fabric);
		return;
	}
	mcfab_run_ask_stop(fabric->core);
	end->fabric = fabric;
	INIT_WORK(&end->work, mcfab_nl_end_work);
	queue_work(mcfab_nl_ender, &end->work);
}

/**
 * mcfab_nl_end_init() - prepare for namespaces that go
 *
 * Context: Module initialisation.
 * Return: 0 or -ENOMEM.
 */
int __init mcfab_nl_end_init(void)
{
	mcfab_nl_ender = alloc_workqueue("mcfab-end", WQ_UNBOUND, 0);
	return mcfab_nl_ender ? 0 : -ENOMEM;
}

/**
 * mcfab_nl_end_exit() - undo mcfab_nl_end_init(); waits for all work items
 *
 * Context: Module exit, or initialisation that failed; no namespace has fabrics any more.
 */
void mcfab_nl_end_exit(void)
{
	destroy_workqueue(mcfab_nl_ender);
}
