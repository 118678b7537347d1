/* SPDX-License-Identifier: GPL-2.0 */
/* Mutexes. */
#ifndef SHIM_LINUX_MUTEX_H
#define SHIM_LINUX_MUTEX_H

#include <pthread.h>

struct mutex {
	pthread_mutex_t lock;
};

#define DEFINE_MUTEX(name)	struct mutex name = { PTHREAD_MUTEX_INITIALIZER }
#define mutex_init(m)		pthread_mutex_init(&(m)->lock, NULL)
#define mutex_destroy(m)	pthread_mutex_destroy(&(m)->lock)
#define mutex_lock(m)		pthread_mutex_lock(&(m)->lock)
/* a signal that kills the process does so by itself */
#define mutex_lock_killable(m)	pthread_mutex_lock(&(m)->lock)
#define mutex_unlock(m)		pthread_mutex_unlock(&(m)->lock)
#define mutex_trylock(m)	(!pthread_mutex_trylock(&(m)->lock))
#define lockdep_assert_held(l)	do { (void)(l); } while (0)

#endif
