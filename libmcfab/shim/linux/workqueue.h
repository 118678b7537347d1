/* SPDX-License-Identifier: GPL-2.0 */
/* Nobody waits for whoever queues work: it is done at once. */
#ifndef SHIM_LINUX_WORKQUEUE_H
#define SHIM_LINUX_WORKQUEUE_H

struct work_struct;
struct workqueue_struct;

typedef void (*work_func_t)(struct work_struct *work);

struct work_struct {
	work_func_t func;
};

#define WQ_UNBOUND	0

#define INIT_WORK(work, f)			((work)->func = (f))
#define queue_work(wq, work)			((void)(wq), (work)->func(work))
#define flush_workqueue(wq)			((void)(wq))
/* not NULL is all that matters */
#define alloc_workqueue(name, flags, active)	((struct workqueue_struct *)(name))
#define destroy_workqueue(wq)			((void)(wq))

#endif
