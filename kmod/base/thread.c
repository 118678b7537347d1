// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel threads that belong to the process that makes them. They are in the caller's cgroups, so
 * its CPU budget and its cpuset hold for them, and they may not use CPUs or a nice level that the
 * caller may not use. The scheduler moves them among their CPUs; when one of these CPUs goes
 * offline, it moves them elsewhere.
 */
#include <linux/cgroup.h>
#include <linux/cpumask.h>
#include <linux/kthread.h>
#include <linux/sched.h>
#include <linux/sched/isolation.h>
#include <linux/sched/task.h>
#include <uapi/linux/sched/types.h>

#include "base/config.h"
#include "base/thread.h"

static int check_nice(int nice, struct mcfab_err *err)
{
	if (nice >= task_nice(current) || can_nice(current, nice))
		return 0;
	return mcfab_refuse(err, -EPERM, 0,
			    "nice %d is below the caller's own %d: that takes CAP_SYS_NICE",
			    nice, task_nice(current));
}

/* like a process that the caller would start, but for real-time policies */
static void set_priority(struct task_struct *thread, int nice)
{
	struct sched_attr attr = {
		.size = sizeof(attr),
		.sched_policy = SCHED_IDLE,
		.sched_nice = nice,
	};

	if (current->policy == SCHED_IDLE)
		sched_setattr_nocheck(thread, &attr);
	else
		set_user_nice(thread, nice);
}

/* adds the CPUs that are online and not isolated to @cpus */
static void spare_isolated(struct cpumask *cpus)
{
	unsigned int cpu;

	for_each_online_cpu(cpu)
		if (!cpu_is_isolated(cpu))
			cpumask_set_cpu(cpu, cpus);
}

static int join_cgroups(struct task_struct *thread, struct task_struct *of, struct mcfab_err *err)
{
	int ret;

	/* so that the rest is the cpuset's, not the set with which kernel threads begin */
	ret = set_cpus_allowed_ptr(thread, cpu_possible_mask);
	if (!ret)
		ret = cgroup_attach_task_all(of, thread);
	if (ret)
		return mcfab_refuse(err, ret, 0,
				    "a thread cannot join the caller's cgroups (error %d)", -ret);
	return 0;
}

/*
 * Restricts @thread to @cpus, or to CPUs that are not isolated if that is NULL. @allowed: the CPUs
 * that its cpuset allows; @room: working space
 */
static int narrow(struct task_struct *thread, const struct cpumask *cpus,
		  const struct cpumask *allowed, struct cpumask *room, struct mcfab_err *err)
{
	cpumask_clear(room);
	if (cpus)
		cpumask_copy(room, cpus);
	else
		spare_isolated(room);
	cpumask_and(room, room, allowed);
	cpumask_and(room, room, current->cpus_ptr);
	if (cpumask_intersects(room, cpu_online_mask) && !set_cpus_allowed_ptr(thread, room))
		return 0;
	cpumask_and(room, allowed, current->cpus_ptr);
	cpumask_and(room, room, cpu_online_mask);
	return mcfab_refuse(err, -EINVAL, 0,
			    "none of the CPUs %*pbl is among those the caller may use, %*pbl",
			    cpumask_pr_args(cpus ?: housekeeping_cpumask(HK_TYPE_DOMAIN)),
			    cpumask_pr_args(room));
}

/* a thread that never runs: its CPUs are those of its owner's cpuset */
static int never(void *data)
{
	return 0;
}

/**
 * mcfab_thread_nice() - the default nice level of threads
 *
 * Context: of the process that asks for the work.
 * Return: the caller's, but not below 0.
 */
int mcfab_thread_nice(void)
{
	return max(task_nice(current), 0);
}

/**
 * mcfab_thread_create() - make a thread that belongs to the caller
 * @name: its name, at most 15 characters
 * @run: its function; may return any time, with 0 or a negative error
 * @data: argument of @run
 * @cpus: the CPUs that it may use, of those that the caller may use; NULL: all of the caller's that
 *	  are not isolated
 * @nice: its nice level, -20 to 19
 * @err: filled in when the request is refused
 *
 * The thread is in the caller's cgroups, and sleeps until mcfab_thread_start(). It is not
 * bound: root may move it to other CPUs or cgroups. mcfab_thread_stop() is due, even if it
 * has returned.
 *
 * Context: of the process that asks for the work. Sleeps, for a few grace periods of RCU at most;
 * takes cgroup_mutex and cpus_read_lock(), so the caller holds none of mcfab's locks that a thread
 * or a callback for CPUs may take.
 * Return: the thread, or an error pointer: -EPERM for the nice level, -EINVAL if there is no such
 * CPU, -ENOMEM, -EINTR if the process is being killed, or the error of joining the cgroups.
 */
struct task_struct *mcfab_thread_create(const char *name, int (*run)(void *data), void *data,
					const struct cpumask *cpus, int nice,
					struct mcfab_err *err)
{
	struct task_struct *thread;
	cpumask_var_t room;
	int ret;

	ret = check_nice(nice, err);
	if (ret)
		return ERR_PTR(ret);
	if (!zalloc_cpumask_var(&room, GFP_KERNEL_ACCOUNT)) {
		mcfab_refuse(err, -ENOMEM, 0, "out of memory");
		return ERR_PTR(-ENOMEM);
	}
	thread = kthread_create(run, data, "%s", name);
	if (IS_ERR(thread)) {
		mcfab_refuse(err, PTR_ERR(thread), 0, "no thread could be made");
		goto free_room;
	}
	/* it may have returned before it is stopped */
	get_task_struct(thread);
	ret = join_cgroups(thread, current, err);
	if (!ret)
		ret = narrow(thread, cpus, thread->cpus_ptr, room, err);
	if (ret) {
		kthread_stop_put(thread);
		thread = ERR_PTR(ret);
		goto free_room;
	}
	set_priority(thread, nice);
free_room:
	free_cpumask_var(room);
	return thread;
}

/**
 * mcfab_thread_move() - restrict a thread to other CPUs
 * @thread: from mcfab_thread_create(), not stopped yet
 * @cpus: the CPUs that it may use, of those that the caller may use and that are in its own cpuset
 * @err: filled in when the request is refused
 *
 * Context: of the process that asks; as mcfab_thread_create().
 * Return: 0, or an error as of mcfab_thread_create(); nothing has changed then.
 */
int mcfab_thread_move(struct task_struct *thread, const struct cpumask *cpus,
		      struct mcfab_err *err)
{
	struct task_struct *probe;
	cpumask_var_t room;
	int ret;

	if (!zalloc_cpumask_var(&room, GFP_KERNEL_ACCOUNT))
		return mcfab_refuse(err, -ENOMEM, 0, "out of memory");
	probe = kthread_create(never, NULL, "mcfab-probe");
	if (IS_ERR(probe)) {
		ret = mcfab_refuse(err, PTR_ERR(probe), 0, "no thread could be made");
		goto free_room;
	}
	ret = join_cgroups(probe, thread, err);
	/* once more if root has changed the cpuset meanwhile */
	do {
		if (!ret)
			ret = narrow(thread, cpus, probe->cpus_ptr, room, err);
	} while (!ret && !cpumask_subset(room, probe->cpus_ptr));
	kthread_stop(probe);
free_room:
	free_cpumask_var(room);
	return ret;
}

/**
 * mcfab_thread_cpus() - the CPUs that a thread may use
 * @thread: from mcfab_thread_create(), not stopped yet
 * @cpus: set to them
 *
 * Context: any.
 */
void mcfab_thread_cpus(const struct task_struct *thread, struct cpumask *cpus)
{
	cpumask_copy(cpus, thread->cpus_ptr);
}

/**
 * mcfab_thread_move_back() - give a thread back the CPUs that mcfab_thread_cpus() reported
 * @thread: from mcfab_thread_create(), not stopped yet
 * @cpus: the CPUs that it used a moment ago
 *
 * Context: as mcfab_thread_move(). If none of the CPUs is there any more, nothing happens.
 */
void mcfab_thread_move_back(struct task_struct *thread, const struct cpumask *cpus)
{
	set_cpus_allowed_ptr(thread, cpus);
}

/**
 * mcfab_thread_start() - set a thread to work
 * @thread: from mcfab_thread_create()
 *
 * Context: any.
 */
void mcfab_thread_start(struct task_struct *thread)
{
	wake_up_process(thread);
}

/**
 * mcfab_thread_stop() - make a thread return, and give it back
 * @thread: from mcfab_thread_create(); started, ended or neither
 *
 * The thread has to look at mcfab_thread_should_stop(); if it waits, it is woken. A thread that was
 * not started never runs.
 *
 * Context: may sleep, until it has returned; not of the thread itself.
 * Return: what @run returned; -EINTR if it was not started.
 */
int mcfab_thread_stop(struct task_struct *thread)
{
	return kthread_stop_put(thread);
}

/**
 * mcfab_thread_should_stop() - is a caller of mcfab_thread_stop() waiting for this thread?
 *
 * Context: of a thread from mcfab_thread_create().
 * Return: true if so.
 */
bool mcfab_thread_should_stop(void)
{
	return kthread_should_stop();
}

/**
 * mcfab_thread_preempted() - how often was this thread's CPU taken from it?
 *
 * Context: any thread, about itself.
 * Return: the number of times, ever.
 */
u64 mcfab_thread_preempted(void)
{
	return current->nivcsw;
}
