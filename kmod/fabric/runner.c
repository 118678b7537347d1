// SPDX-License-Identifier: GPL-2.0
/*
 * Router threads: kernel threads. The process that asks for a run makes them,
 * and they count as its threads (see thread.c). They live as long as the run, may be preempted at
 * any time, and do not allocate in a cycle.
 *
 * No thread is bound to a single CPU: a thread may run on any of the fabric's CPUs. When a CPU
 * goes offline, the scheduler moves its threads. So nothing here has to watch CPUs come and go,
 * and a process that takes a CPU offline does not wait for a run.
 *
 * A thread works alone, or in a team (team.c). Results depend neither on shards nor on threads, so
 * any number of threads on any CPUs gives the same results.
 */
#include <linux/cpumask.h>
#include <linux/freezer.h>
#include <linux/ktime.h>
#include <linux/sched.h>
#include <linux/sched/isolation.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "base/memory.h"
#include "fabric/runner.h"
#include "fabric/team.h"
#include "base/thread.h"
#include "engine/engine.h"

/* cycles times routers after which a thread that works alone checks whether to freeze */
#define ALONE_ROUTERS	16384U

/* memory of a thread: its stack and its task_struct */
#define THREAD_BYTES	(THREAD_SIZE + sizeof(struct task_struct))

/**
 * struct member - one thread of a run
 * @runner: its runner
 * @task: the thread
 * @nr: its number
 */
struct member {
	struct mcfab_runner *runner;
	struct task_struct *task;
	u32 nr;
};

/**
 * struct mcfab_runner - threads of a fabric
 * @team: what the threads do together, if there are several
 * @out: number of threads that still work
 * @fabric: the fabric
 * @lock: guards @cpus, @exact and @size
 * @cpus: CPUs of the fabric
 * @exact: use all of these CPUs, even if other fabrics are at work there
 * @size: number of threads
 * @member: the threads
 * @started: time of the run's start
 * @reap: work item that cleans up after a run
 * @wake: processes that wait until the run is cleaned up
 */
struct mcfab_runner {
	struct mcfab_team team;
	atomic_t out;
	struct mcfab_fabric *fabric;
	struct mutex lock;	/* guards CPUs and number of the threads */
	cpumask_var_t cpus;
	bool exact;
	u32 size;
	struct member member[MCFAB_MAX_SHARDS];
	ktime_t started;
	struct work_struct reap;
	wait_queue_head_t wake;
};

/* number of threads of all fabrics: threads that wait for each other on one CPU are slow */
static atomic_t at_work = ATOMIC_INIT(0);

static void work_alone(struct mcfab_runner *r)
{
	u32 cycles = clamp(ALONE_ROUTERS / r->fabric->topo.routers, 1U, 64U);

	while (mcfab_engine_alone(r->fabric->engine, cycles)) {
		cond_resched();
		try_to_freeze();
	}
}

/*
 * A thread whose work is done stays until dismiss() stops it: mcfab_runner_set_cpus() uses its
 * cgroups, which cannot be removed as long as a thread is in them.
 */
static void stay(void)
{
	set_current_state(TASK_IDLE | TASK_FREEZABLE);
	while (!mcfab_thread_should_stop()) {
		schedule();
		set_current_state(TASK_IDLE | TASK_FREEZABLE);
	}
	__set_current_state(TASK_RUNNING);
}

static int member_main(void *arg)
{
	struct member *m = arg;
	struct mcfab_runner *r = m->runner;

	set_freezable();
	if (r->size == 1)
		work_alone(r);
	else
		mcfab_team_work(&r->team, m->nr);
	/* the last thread that has ended its work starts the clean-up */
	if (atomic_dec_and_test(&r->out))
		queue_work(system_unbound_wq, &r->reap);
	stay();
	return 0;
}

/* Stop all threads. Return: their number. */
static u32 dismiss(struct mcfab_runner *r)
{
	u32 size, i;

	mutex_lock(&r->lock);
	size = r->size;
	r->size = 0;
	mutex_unlock(&r->lock);
	/* without the lock: a thread may take a while to stop if its CPU budget is used up */
	for (i = 0; i < size; i++)
		mcfab_thread_stop(r->member[i].task);
	mcfab_memory_uncharge(size * THREAD_BYTES);
	atomic_sub(size, &at_work);
	return size;
}

/* how many threads are of use to a caller that may use the CPUs @mine */
static u32 count_threads(const struct mcfab_runner *r, const struct cpumask *mine)
{
	u32 most = r->fabric->engine->nshards, cpu, cpus = 0;

	for_each_cpu_and(cpu, r->cpus, cpu_online_mask)
		cpus += cpumask_test_cpu(cpu, mine);
	if (!r->exact)
		return clamp((int)cpus - atomic_read(&at_work), 1, (int)most);
	return clamp(cpus, 1U, most);
}

/* make one more thread */
static int hire(struct mcfab_runner *r, struct mcfab_err *err)
{
	struct member *m = &r->member[r->size];
	char name[sizeof("mcfab/") + 10];

	if (!mcfab_memory_charge(THREAD_BYTES))
		return mcfab_refuse(err, -ENOMEM, 0,
				    "no memory for router threads, see max_memory_mb");
	snprintf(name, sizeof(name), "mcfab/%u", r->size);
	m->runner = r;
	m->nr = r->size;
	m->task = mcfab_thread_create(name, member_main, m, r->cpus, r->fabric->cfg.nice, err);
	if (IS_ERR(m->task)) {
		mcfab_memory_uncharge(THREAD_BYTES);
		return PTR_ERR(m->task);
	}
	r->size++;
	atomic_inc(&at_work);
	return 0;
}

static void reap(struct work_struct *work)
{
	struct mcfab_runner *r = container_of(work, struct mcfab_runner, reap);
	struct mcfab_fabric *fabric = r->fabric;
	u32 threads = dismiss(r);

	mutex_lock(&fabric->results.lock);
	fabric->results.progress.wall_ns = ktime_to_ns(ktime_sub(ktime_get(), r->started));
	fabric->results.progress.threads = threads;
	mutex_unlock(&fabric->results.lock);
	mcfab_run_reap(fabric);
	wake_up_all(&r->wake);
}

/**
 * mcfab_runner_open() - make the runner of a new fabric; it has no threads yet
 * @fabric: the fabric
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int mcfab_runner_open(struct mcfab_fabric *fabric)
{
	struct mcfab_runner *r = mcfab_memory_zalloc(1, sizeof(*r));

	if (!r)
		return -ENOMEM;
	if (!zalloc_cpumask_var(&r->cpus, GFP_KERNEL_ACCOUNT)) {
		mcfab_memory_free(r);
		return -ENOMEM;
	}
	cpumask_copy(r->cpus, housekeeping_cpumask(HK_TYPE_DOMAIN));
	r->fabric = fabric;
	mutex_init(&r->lock);
	init_waitqueue_head(&r->wake);
	INIT_WORK(&r->reap, reap);
	fabric->runner = r;
	return 0;
}

/**
 * mcfab_runner_close() - free a fabric's runner; no run is under way
 * @fabric: the fabric
 *
 * Context: may sleep.
 */
void mcfab_runner_close(struct mcfab_fabric *fabric)
{
	struct mcfab_runner *r = fabric->runner;

	flush_work(&r->reap);
	mutex_destroy(&r->lock);
	free_cpumask_var(r->cpus);
	mcfab_memory_free(r);
	fabric->runner = NULL;
}

/* Move all threads to other CPUs, or none; @before: room for the CPUs that each of them had */
static int move_all(struct mcfab_runner *r, const struct cpumask *cpus, void *before,
		    struct mcfab_err *err)
{
	u32 moved;
	int ret;

	for (moved = 0; moved < r->size; moved++) {
		mcfab_thread_cpus(r->member[moved].task, before + moved * cpumask_size());
		ret = mcfab_thread_move(r->member[moved].task, cpus, err);
		if (ret)
			break;
	}
	if (moved == r->size)
		return 0;
	while (moved--)
		mcfab_thread_move_back(r->member[moved].task, before + moved * cpumask_size());
	return ret;
}

/**
 * mcfab_runner_bytes() - memory that is charged for a runner
 * @r: the runner, or NULL
 *
 * Context: any.
 * Return: bytes of the runner and its threads.
 */
u64 mcfab_runner_bytes(const struct mcfab_runner *r)
{
	return r ? mcfab_memory_size(r) + READ_ONCE(r->size) * THREAD_BYTES : 0;
}

/**
 * mcfab_runner_set_cpus() - give a fabric CPUs for its threads
 * @fabric: the fabric
 * @cpus: the CPUs
 * @exact: a thread for each CPU; else as many threads as other fabrics leave CPUs idle
 * @err: filled in when it is refused
 *
 * Threads of a run that is under way move to these CPUs, as far as their cgroups and the caller
 * may use them; the number of threads stays.
 *
 * Context: of the process that asks. May sleep; takes cgroup_mutex and
 *	    cpus_read_lock() if there are threads. The caller sees to it that no process
 *	    starts a run meanwhile.
 * Return: 0; -EINVAL if none of the CPUs is left, nothing has changed then; -EINTR if
 *	   the process is being killed, or -ENOMEM.
 */
int mcfab_runner_set_cpus(struct mcfab_fabric *fabric, const struct cpumask *cpus, bool exact,
			  struct mcfab_err *err)
{
	struct mcfab_runner *r = fabric->runner;
	void *before;
	int ret;

	before = kmalloc_array(MCFAB_MAX_SHARDS, cpumask_size(), GFP_KERNEL_ACCOUNT);
	if (!before)
		return mcfab_refuse(err, -ENOMEM, 0, "out of memory");
	if (mutex_lock_killable(&r->lock)) {
		kfree(before);
		return mcfab_refuse(err, -EINTR, 0, "interrupted");
	}
	ret = move_all(r, cpus, before, err);
	if (!ret) {
		r->exact = exact;
		cpumask_copy(r->cpus, cpus);
	}
	mutex_unlock(&r->lock);
	kfree(before);
	return ret;
}

/**
 * mcfab_runner_ready() - make the threads of a run, without starting them
 * @fabric: the fabric; its engine is open
 * @err: filled in when it is refused
 *
 * Context: of the process that asks for the run; as mcfab_thread_create().
 * Return: 0 or a negative error as of that; there are no threads then.
 */
int mcfab_runner_ready(struct mcfab_fabric *fabric, struct mcfab_err *err)
{
	struct mcfab_runner *r = fabric->runner;
	u32 most;
	int ret = 0;

	/* the last run's clean-up may not have returned yet */
	flush_work(&r->reap);
	most = count_threads(r, current->cpus_ptr);
	while (r->size < most && !ret)
		ret = hire(r, err);
	if (ret)
		dismiss(r);
	return ret;
}

/**
 * mcfab_runner_go() - set the threads to work
 * @fabric: the fabric; mcfab_runner_ready() was called
 *
 * Context: any.
 */
void mcfab_runner_go(struct mcfab_fabric *fabric)
{
	struct mcfab_runner *r = fabric->runner;
	u32 i, size = r->size;

	r->started = ktime_get();
	mcfab_team_init(&r->team, fabric->engine, size);
	atomic_set(&r->out, size);
	/* the run may end when the last thread is started: do not read r->size in the loop */
	for (i = 0; i < size; i++)
		mcfab_thread_start(r->member[i].task);
}

/**
 * mcfab_runner_wait() - wait until a run has ended and its clean-up has returned
 * @fabric: the fabric
 *
 * Context: may sleep.
 */
void mcfab_runner_wait(struct mcfab_fabric *fabric)
{
	struct mcfab_runner *r = fabric->runner;

	wait_event(r->wake, !mcfab_run_active(fabric));
	/* the rest of reap() does not block */
	flush_work(&r->reap);
}
