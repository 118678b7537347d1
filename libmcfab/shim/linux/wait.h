/* SPDX-License-Identifier: GPL-2.0 */
/* One thread makes requests: what it would wait for is there. */
#ifndef SHIM_LINUX_WAIT_H
#define SHIM_LINUX_WAIT_H

typedef struct wait_queue_head {
	int none;
} wait_queue_head_t;

#define DECLARE_WAIT_QUEUE_HEAD(name)	wait_queue_head_t name

#define wait_event_killable(wq, condition)			((condition) ? 0 : -EINTR)
#define wait_event_killable_timeout(wq, condition, timeout)	((condition) ? 1L : 0L)
#define wake_up_all(wq)						((void)(wq))

#endif
