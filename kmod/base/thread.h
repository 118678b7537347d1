/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Threads that belong to the process that makes them: kernel threads in the module (thread.c),
 * POSIX threads in user space (libmcfab/thread.c).
 */
#ifndef MCFAB_BASE_THREAD_H
#define MCFAB_BASE_THREAD_H

#include "base/types.h"

struct cpumask;
struct task_struct;

int mcfab_thread_nice(void);
struct task_struct *mcfab_thread_create(const char *name, int (*run)(void *data), void *data,
					const struct cpumask *cpus, int nice,
					struct mcfab_err *err);
int mcfab_thread_move(struct task_struct *thread, const struct cpumask *cpus,
		      struct mcfab_err *err);
void mcfab_thread_cpus(const struct task_struct *thread, struct cpumask *cpus);
void mcfab_thread_move_back(struct task_struct *thread, const struct cpumask *cpus);
void mcfab_thread_start(struct task_struct *thread);
int mcfab_thread_stop(struct task_struct *thread);
bool mcfab_thread_should_stop(void);
u64 mcfab_thread_preempted(void);

#endif
