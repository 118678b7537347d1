// SPDX-License-Identifier: GPL-2.0
/*
 * Router threads in user space: kmod/fabric/runner.c with POSIX threads. A run has
 * as many as there it would have kernel threads. They are tied to CPUs only if
 * the fabric was given some: on a machine that others use too, the scheduler
 * knows better, but a thread that spins for one on its own CPU is slow.
 *
 * The last thread that comes home cleans up after the run; whoever waits for the
 * run waits for that.
 */
#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/timekeeping.h>
#include <pthread.h>

#include "base/memory.h"
#include "fabric/runner.h"
#include "fabric/team.h"
#include "base/thread.h"
#include "engine/engine.h"
#include "outside.h"

/* a thread that works alone looks at the outside after so many cycles of routers */
#define ALONE_ROUTERS	16384U

/* What a thread takes in the kernel, about: its stack and itself. */
#define THREAD_BYTES	24576

/**
 * struct member - one thread of a run
 * @runner: its runner
 * @thread: the thread
 * @nr: its number
 */
struct member {
	struct mcfab_runner *runner;
	struct task_struct *thread;
	u32 nr;
};

/**
 * struct mcfab_runner - threads of a fabric
 * @fabric: the fabric
 * @cpus: CPUs it was given
 * @exact: use all of them, even if other fabrics are at work there
 * @lock: guards @active
 * @wake: whoever waits for it to change
 * @member: the threads, @size of them until they are joined
 * @size: how many
 * @bytes: memory charged for them; 0 again when they have come home
 * @active: the run is under way or not yet cleaned up after
 * @out: threads that have not come home
 * @team: what the threads do together, if there are several
 * @stepped: who handed in the network's messages computes it, in mcfab_runner_step()
 * @started: of the run, in nanoseconds
 */
struct mcfab_runner {
	struct mcfab_fabric *fabric;
	struct cpumask cpus;
	bool exact;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	struct member member[MCFAB_MAX_SHARDS];
	u32 size;
	u64 bytes;
	bool active;
	bool stepped;
	u64 started;
	atomic_t out;
	struct mcfab_team team;
};

/* threads of all fabrics: two that must wait for each other on one CPU are slow */
static atomic_t at_work = ATOMIC_INIT(0);

static void work_alone(struct mcfab_runner *r)
{
	u32 cycles = clamp(ALONE_ROUTERS / r->fabric->topo.routers, 1U, 64U);

	while (mcfab_engine_alone(r->fabric->engine, cycles))
		;
}

/* threads that have come home, or were never sent */
static void uncharge(struct mcfab_runner *r)
{
	mcfab_memory_uncharge(r->bytes);
	WRITE_ONCE(r->bytes, 0);
}

/* the last thread: nobody else is at work */
static void finish(struct mcfab_runner *r)
{
	struct mcfab_fabric *fabric = r->fabric;

	atomic_sub(r->size, &at_work);
	mutex_lock(&fabric->results.lock);
	fabric->results.progress.wall_ns = ktime_get_ns() - r->started;
	fabric->results.progress.threads = max(r->size, 1U);
	mutex_unlock(&fabric->results.lock);
	uncharge(r);
	mcfab_run_reap(fabric);
	pthread_mutex_lock(&r->lock);
	r->active = false;
	pthread_cond_broadcast(&r->wake);
	pthread_mutex_unlock(&r->lock);
}

static int member_main(void *arg)
{
	struct member *m = arg;
	struct mcfab_runner *r = m->runner;

	if (r->size == 1)
		work_alone(r);
	else
		mcfab_team_work(&r->team, m->nr);
	if (atomic_dec_and_test(&r->out))
		finish(r);
	return 0;
}

static void join(struct mcfab_runner *r)
{
	while (r->size)
		mcfab_thread_stop(r->member[--r->size].thread);
	uncharge(r);
}

/* the CPU of a thread among these; @one: set to it */
static void choose(u32 nr, const struct cpumask *cpus, struct cpumask *one)
{
	u32 skip = nr % cpumask_weight(cpus), cpu;

	memset(one, 0, sizeof(*one));
	for_each_cpu(cpu, cpus)
		if (!skip--)
			__set_bit(cpu, one->bits);
}

static int hire(struct mcfab_runner *r, struct mcfab_err *err)
{
	struct member *m = &r->member[r->size];
	struct cpumask one;

	m->runner = r;
	m->nr = r->size;
	if (!mcfab_memory_charge(THREAD_BYTES))
		return mcfab_refuse(err, -ENOMEM, 0,
				    "no memory for router threads, see max_memory_mb");
	choose(m->nr, &r->cpus, &one);
	m->thread = mcfab_thread_create("mcfab", member_main, m, r->exact ? &one : NULL,
					r->fabric->cfg.nice, err);
	if (IS_ERR(m->thread)) {
		mcfab_memory_uncharge(THREAD_BYTES);
		return PTR_ERR(m->thread);
	}
	r->bytes += THREAD_BYTES;
	r->size++;
	return 0;
}

/**
 * mcfab_runner_open() - the runner of a new fabric; it has no threads yet
 * @fabric: the fabric
 *
 * Return: 0 or -ENOMEM.
 */
int mcfab_runner_open(struct mcfab_fabric *fabric)
{
	struct mcfab_runner *r = mcfab_memory_zalloc(1, sizeof(*r));

	if (!r)
		return -ENOMEM;
	r->fabric = fabric;
	r->cpus = *cpu_online_mask;
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->wake, NULL);
	fabric->runner = r;
	return 0;
}

/**
 * mcfab_runner_close() - free a fabric's runner; no run is under way
 * @fabric: the fabric
 */
void mcfab_runner_close(struct mcfab_fabric *fabric)
{
	struct mcfab_runner *r = fabric->runner;

	join(r);
	pthread_cond_destroy(&r->wake);
	pthread_mutex_destroy(&r->lock);
	mcfab_memory_free(r);
	fabric->runner = NULL;
}

/**
 * mcfab_runner_bytes() - memory that is charged for a runner
 * @r: the runner, or NULL
 *
 * Return: bytes: its own, and those of its threads.
 */
u64 mcfab_runner_bytes(const struct mcfab_runner *r)
{
	return r ? mcfab_memory_size(r) + READ_ONCE(r->bytes) : 0;
}

/**
 * mcfab_runner_set_cpus() - give a fabric CPUs for its threads
 * @fabric: the fabric
 * @cpus: the CPUs
 * @exact: a thread on each of them; else as many as other fabrics leave idle
 * @err: filled in when it is refused
 *
 * Threads of a run that is under way move there.
 *
 * Return: 0, or -EINVAL: nothing has changed.
 */
int mcfab_runner_set_cpus(struct mcfab_fabric *fabric, const struct cpumask *cpus, bool exact,
			  struct mcfab_err *err)
{
	struct mcfab_runner *r = fabric->runner;
	struct cpumask before[MCFAB_MAX_SHARDS], one;
	u32 moved;
	int ret;

	/* they are joined by the thread that makes requests, so they are there */
	for (moved = 0; exact && moved < r->size; moved++) {
		mcfab_thread_cpus(r->member[moved].thread, &before[moved]);
		choose(moved, cpus, &one);
		ret = mcfab_thread_move(r->member[moved].thread, &one, err);
		if (ret)
			goto move_back;
	}
	r->exact = exact;
	r->cpus = *cpus;
	return 0;

move_back:
	while (moved--)
		mcfab_thread_move_back(r->member[moved].thread, &before[moved]);
	return ret;
}

/**
 * mcfab_runner_ready() - make the threads of a run, without starting them
 * @fabric: the fabric; its engine is open
 * @err: filled in when it is refused
 *
 * Return: 0 or a negative error; there are no threads then.
 */
int mcfab_runner_ready(struct mcfab_fabric *fabric, struct mcfab_err *err)
{
	struct mcfab_runner *r = fabric->runner;
	u32 most = fabric->engine->nshards, cpus = cpumask_weight(&r->cpus);
	int ret = 0, idle = cpus - atomic_read(&at_work);

	join(r);
	r->stepped = fabric->engine->outside.from;
	if (r->stepped)
		return 0;
	most = r->exact ? min(most, cpus) : clamp(idle, 1, (int)most);
	while (r->size < most && !ret)
		ret = hire(r, err);
	if (ret)
		join(r);
	else
		atomic_add(r->size, &at_work);
	return ret;
}

/**
 * mcfab_runner_go() - set the threads to work
 * @fabric: the fabric; mcfab_runner_ready() was called
 */
void mcfab_runner_go(struct mcfab_fabric *fabric)
{
	struct mcfab_runner *r = fabric->runner;
	u32 i;

	mcfab_team_init(&r->team, fabric->engine, r->size);
	atomic_set(&r->out, r->size);
	r->started = ktime_get_ns();
	pthread_mutex_lock(&r->lock);
	r->active = true;
	pthread_mutex_unlock(&r->lock);
	for (i = 0; i < r->size; i++)
		mcfab_thread_start(r->member[i].thread);
}

/**
 * mcfab_runner_step() - compute the next cycle of a run whose messages come from outside
 * @fabric: the fabric; nobody else steps it
 *
 * Return: false if the run has ended, and is cleaned up after.
 */
bool mcfab_runner_step(struct mcfab_fabric *fabric)
{
	struct mcfab_runner *r = fabric->runner;

	if (!r->active)
		return false;
	if (mcfab_engine_alone(fabric->engine, 1))
		return true;
	finish(r);
	return false;
}

/**
 * mcfab_runner_wait() - wait until a run has ended and is cleaned up after
 * @fabric: the fabric
 */
void mcfab_runner_wait(struct mcfab_fabric *fabric)
{
	struct mcfab_runner *r = fabric->runner;

	while (r->stepped && mcfab_runner_step(fabric))
		;
	pthread_mutex_lock(&r->lock);
	while (r->active)
		pthread_cond_wait(&r->wake, &r->lock);
	pthread_mutex_unlock(&r->lock);
}
