/* SPDX-License-Identifier: GPL-2.0 */
/* Spinlocks as mutexes: user-space threads may be preempted while they hold one. */
#ifndef SHIM_LINUX_SPINLOCK_H
#define SHIM_LINUX_SPINLOCK_H

#include <pthread.h>

typedef struct {
	pthread_mutex_t lock;
} spinlock_t;

#define DEFINE_SPINLOCK(name)	spinlock_t name = { PTHREAD_MUTEX_INITIALIZER }
#define spin_lock_init(l)	pthread_mutex_init(&(l)->lock, NULL)
#define spin_lock(l)		pthread_mutex_lock(&(l)->lock)
#define spin_unlock(l)		pthread_mutex_unlock(&(l)->lock)
#define spin_lock_bh(l)		spin_lock(l)
#define spin_unlock_bh(l)	spin_unlock(l)
#define spin_lock_irq(l)	spin_lock(l)
#define spin_unlock_irq(l)	spin_unlock(l)

#endif
