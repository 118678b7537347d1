// SPDX-License-Identifier: GPL-2.0
/*
 * kmod/base/thread.c with POSIX threads: they are in the process's cgroups anyway, and the
 * system sees to it that they stay within its nice level. They are tied to CPUs only where
 * some are named.
 */
#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/config.h"
#include "base/thread.h"

/* of the calling thread; the header has it for _GNU_SOURCE alone */
#ifndef RUSAGE_THREAD
#define RUSAGE_THREAD	1
#endif

/**
 * struct task_struct - a thread
 * @thread: as POSIX knows it
 * @tid: as the kernel knows it, once it is settled
 * @run: what it does
 * @data: handed to @run
 * @cpus: CPUs it may use, or NULL: all, until it is settled
 * @nice: its nice level
 * @lock: guards what follows
 * @wake: whoever waits for one of these to change
 * @settled: @error says whether it has its CPUs and its nice level
 * @error: 0 or a negative error
 * @started: it may begin
 * @stop: it is to end
 */
struct task_struct {
	pthread_t thread;
	pid_t tid;
	int (*run)(void *data);
	void *data;
	const struct cpumask *cpus;
	int nice;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	bool settled;
	int error;
	bool started;
	bool stop;
};

static __thread struct task_struct *self;

/* on Linux a thread has a nice level and CPUs of its own */
static int settle(struct task_struct *t)
{
	pid_t tid = syscall(SYS_gettid);

	t->tid = tid;
	if (t->cpus && syscall(SYS_sched_setaffinity, 0, sizeof(t->cpus->bits), t->cpus->bits))
		return -errno;
	if (t->nice != getpriority(PRIO_PROCESS, tid) && setpriority(PRIO_PROCESS, tid, t->nice))
		return -EPERM;
	return 0;
}

static void *thread_main(void *arg)
{
	struct task_struct *t = arg;
	int ret = -EINTR;
	bool stop;

	self = t;
	pthread_mutex_lock(&t->lock);
	t->error = settle(t);
	t->settled = true;
	pthread_cond_broadcast(&t->wake);
	while (!t->started && !t->stop)
		pthread_cond_wait(&t->wake, &t->lock);
	stop = t->stop;
	pthread_mutex_unlock(&t->lock);
	if (!stop)
		ret = t->run(t->data);
	return ERR_PTR(ret);
}

static int begin(struct task_struct *t)
{
	sigset_t all, before;
	int ret;

	pthread_mutex_init(&t->lock, NULL);
	pthread_cond_init(&t->wake, NULL);
	/* signals are for the thread that makes requests */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ret = -pthread_create(&t->thread, NULL, thread_main, t);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (ret) {
		kfree(t);
		return ret;
	}
	pthread_mutex_lock(&t->lock);
	while (!t->settled)
		pthread_cond_wait(&t->wake, &t->lock);
	ret = t->error;
	pthread_mutex_unlock(&t->lock);
	if (ret)
		mcfab_thread_stop(t);
	return ret;
}

static int refuse_cpus(struct mcfab_err *err)
{
	return mcfab_refuse(err, -EINVAL, 0, "none of the CPUs is among the caller's");
}

/**
 * mcfab_thread_nice() - the nice level of threads of which nothing is said
 *
 * Return: the process's, but not below 0.
 */
int mcfab_thread_nice(void)
{
	return max(getpriority(PRIO_PROCESS, 0), 0);
}

/**
 * mcfab_thread_create() - make a thread
 * @name: ignored
 * @run: what it does; may return any time, with 0 or a negative error
 * @data: handed to @run
 * @cpus: the CPUs it may use, of those that the process may use; NULL: all of these
 * @nice: its nice level, -20 to 19
 * @err: filled in when it is refused
 *
 * Return: the thread, to be started, and stopped even if it has returned; or an error
 *	   pointer: -EPERM for the nice level, -EINVAL if there is no such CPU, -ENOMEM.
 */
struct task_struct *mcfab_thread_create(const char *name, int (*run)(void *data), void *data,
					const struct cpumask *cpus, int nice,
					struct mcfab_err *err)
{
	struct task_struct *t = kzalloc(sizeof(*t), GFP_KERNEL);
	int ret;

	if (!t) {
		mcfab_refuse(err, -ENOMEM, 0, "out of memory");
		return ERR_PTR(-ENOMEM);
	}
	t->run = run;
	t->data = data;
	t->cpus = cpus;
	t->nice = nice;
	ret = begin(t);
	if (!ret)
		return t;
	if (ret == -EPERM)
		mcfab_refuse(err, ret, 0,
			     "nice %d is below the caller's own %d: that takes CAP_SYS_NICE", nice,
			     getpriority(PRIO_PROCESS, 0));
	else if (ret == -EINVAL)
		refuse_cpus(err);
	else
		mcfab_refuse(err, ret, 0, "no thread could be made");
	return ERR_PTR(ret);
}

/**
 * mcfab_thread_move() - have a thread use other CPUs
 * @thread: from mcfab_thread_create(), not stopped yet
 * @cpus: the CPUs it may use, of those that the process may use
 * @err: filled in when it is refused
 *
 * Return: 0 or -EINVAL.
 */
int mcfab_thread_move(struct task_struct *thread, const struct cpumask *cpus,
		      struct mcfab_err *err)
{
	/* one that has just ended is nowhere */
	if (syscall(SYS_sched_setaffinity, thread->tid, sizeof(cpus->bits), cpus->bits) &&
	    errno != ESRCH)
		return refuse_cpus(err);
	return 0;
}

/**
 * mcfab_thread_cpus() - the CPUs that a thread may use
 * @thread: from mcfab_thread_create(), not stopped yet
 * @cpus: set to them
 */
void mcfab_thread_cpus(const struct task_struct *thread, struct cpumask *cpus)
{
	if (syscall(SYS_sched_getaffinity, thread->tid, sizeof(cpus->bits), cpus->bits) < 0)
		*cpus = *cpu_online_mask;
}

/**
 * mcfab_thread_move_back() - have a thread use again what mcfab_thread_cpus() has told
 * @thread: from mcfab_thread_create(), not stopped yet
 * @cpus: the CPUs it used a moment ago
 */
void mcfab_thread_move_back(struct task_struct *thread, const struct cpumask *cpus)
{
	syscall(SYS_sched_setaffinity, thread->tid, sizeof(cpus->bits), cpus->bits);
}

/**
 * mcfab_thread_start() - set a thread to work
 * @thread: from mcfab_thread_create()
 */
void mcfab_thread_start(struct task_struct *thread)
{
	pthread_mutex_lock(&thread->lock);
	thread->started = true;
	pthread_cond_broadcast(&thread->wake);
	pthread_mutex_unlock(&thread->lock);
}

/**
 * mcfab_thread_stop() - have a thread return, and let go of it
 * @thread: from mcfab_thread_create(); started, ended or neither
 *
 * Return: what @run returned; -EINTR if it was not started.
 */
int mcfab_thread_stop(struct task_struct *thread)
{
	void *ret;

	pthread_mutex_lock(&thread->lock);
	__atomic_store_n(&thread->stop, true, __ATOMIC_RELAXED);
	pthread_cond_broadcast(&thread->wake);
	pthread_mutex_unlock(&thread->lock);
	pthread_join(thread->thread, &ret);
	pthread_cond_destroy(&thread->wake);
	pthread_mutex_destroy(&thread->lock);
	kfree(thread);
	return PTR_ERR(ret);
}

/**
 * mcfab_thread_should_stop() - is somebody in mcfab_thread_stop() for this thread?
 *
 * Return: true if so; false for a thread that is not from mcfab_thread_create().
 */
bool mcfab_thread_should_stop(void)
{
	return self && __atomic_load_n(&self->stop, __ATOMIC_RELAXED);
}

/**
 * mcfab_thread_preempted() - how often was this thread's CPU taken from it?
 *
 * Context: any thread, about itself.
 * Return: the number of times, ever.
 */
u64 mcfab_thread_preempted(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_THREAD, &usage) ? 0 : usage.ru_nivcsw;
}
