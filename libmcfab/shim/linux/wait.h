/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Wait queues of threads on a futex. What a request would wait for, killably, is there: one thread
 * makes requests.
 */
#ifndef SHIM_LINUX_WAIT_H
#define SHIM_LINUX_WAIT_H

#include <limits.h>
#include <linux/atomic.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/**
 * struct wait_queue_head - threads that wait
 * @wakes: how often they were woken; what they sleep on
 * @sleepers: how many there are
 */
typedef struct wait_queue_head {
	int wakes;
	atomic_t sleepers;
} wait_queue_head_t;

#define DECLARE_WAIT_QUEUE_HEAD(name)	wait_queue_head_t name

#define wait_event_killable(wq, condition)			((condition) ? 0 : -EINTR)
#define wait_event_killable_timeout(wq, condition, timeout)	((condition) ? 1L : 0L)

static inline void init_waitqueue_head(wait_queue_head_t *wq)
{
	wq->wakes = 0;
	atomic_set(&wq->sleepers, 0);
}

/* fully ordered: a waker whose write no sleeper has seen sees the sleeper */
static inline bool wq_has_sleeper(wait_queue_head_t *wq)
{
	return atomic_fetch_add(0, &wq->sleepers);
}

static inline void wake_up_all(wait_queue_head_t *wq)
{
	__atomic_fetch_add(&wq->wakes, 1, __ATOMIC_SEQ_CST);
	if (wq_has_sleeper(wq))
		syscall(SYS_futex, &wq->wakes, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

#define MAX_SCHEDULE_TIMEOUT	LONG_MAX

/* sleep unless the queue was woken since @wakes; @ms: at most so long */
static inline void shim_wait(wait_queue_head_t *wq, int wakes, long ms)
{
	struct timespec ts = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };

	syscall(SYS_futex, &wq->wakes, FUTEX_WAIT_PRIVATE, wakes,
		ms == MAX_SCHEDULE_TIMEOUT ? NULL : &ts, NULL, 0);
}

/* a timeout is in milliseconds (jiffies.h); any wake-up ends such a wait */
#define wait_event_freezable_timeout(wq, condition, timeout)				\
do {											\
	int wakes__;									\
											\
	atomic_fetch_add(1, &(wq).sleepers);						\
	for (;;) {									\
		wakes__ = __atomic_load_n(&(wq).wakes, __ATOMIC_SEQ_CST);		\
		if (condition)								\
			break;								\
		shim_wait(&(wq), wakes__, timeout);					\
		if ((timeout) != MAX_SCHEDULE_TIMEOUT)					\
			break;								\
	}										\
	atomic_dec(&(wq).sleepers);							\
} while (0)

#define wait_event_freezable(wq, condition)						\
	wait_event_freezable_timeout(wq, condition, MAX_SCHEDULE_TIMEOUT)

#endif
