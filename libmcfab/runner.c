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
#include <linux/futex.h>
#include <linux/module.h>
#include <linux/processor.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "fabric/runner.h"
#include "base/thread.h"
#include "engine/engine.h"
#include "outside.h"

/* a thread that works alone looks at the outside after so many cycles of routers */
#define ALONE_ROUTERS	16384U
/* turns of a spinning wait between looks at the clock */
#define SPIN_TURNS	64

/* What a thread takes in the kernel, about: its stack and itself. */
#define THREAD_BYTES	24576

static unsigned int spin_us = 200;
module_param(spin_us, uint, 0644);
MODULE_PARM_DESC(spin_us, "microseconds a router thread spins at a barrier before it sleeps (default 200)");

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
 * @left: threads that have not come to the barrier
 * @turn: counts barriers; threads sleep on it
 * @sleepers: how many do
 * @over: the run has ended
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
	bool over;
	bool stepped;
	u64 started;
	atomic_t out;
	atomic_t left ____cacheline_aligned_in_smp;
	u32 turn ____cacheline_aligned_in_smp;
	atomic_t sleepers;
};

/* threads of all fabrics: two that must wait for each other on one CPU are slow */
static atomic_t at_work = ATOMIC_INIT(0);

static u64 now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

static bool passed(const struct mcfab_runner *r, u32 turn)
{
	/* pairs with the release in barrier_wait() */
	return smp_load_acquire(&r->turn) != turn;
}

static bool spin(const struct mcfab_runner *r, u32 turn)
{
	u64 begun = now_ns(), limit = spin_us * 1000ULL;
	u32 i;

	do {
		for (i = 0; i < SPIN_TURNS; i++) {
			if (passed(r, turn))
				return true;
			cpu_relax();
		}
	} while (now_ns() - begun < limit);
	return false;
}

/* wait until all threads are here; the last one runs the boundary if there is one */
static void barrier_wait(struct mcfab_runner *r, bool at_boundary)
{
	u32 turn = READ_ONCE(r->turn);

	/* fully ordered: what every thread wrote is seen by the last one */
	if (atomic_dec_and_test(&r->left)) {
		if (at_boundary)
			r->over = !mcfab_engine_boundary(r->fabric->engine);
		atomic_set(&r->left, r->size);
		__atomic_store_n(&r->turn, turn + 1, __ATOMIC_SEQ_CST);
		if (__atomic_load_n(&r->sleepers.counter, __ATOMIC_SEQ_CST))
			syscall(SYS_futex, &r->turn, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
		return;
	}
	if (spin(r, turn))
		return;
	/* fully ordered, both: either this sees the turn or the last one sees a sleeper */
	atomic_inc(&r->sleepers);
	while (__atomic_load_n(&r->turn, __ATOMIC_SEQ_CST) == turn)
		syscall(SYS_futex, &r->turn, FUTEX_WAIT_PRIVATE, turn, NULL, NULL, 0);
	atomic_dec(&r->sleepers);
}

static void work_together(struct mcfab_runner *r, u32 nr)
{
	struct mcfab_engine *e = r->fabric->engine;
	u32 i;

	do {
		for (i = nr; i < e->nshards; i += r->size)
			mcfab_engine_grant(e, &e->shard[i]);
		barrier_wait(r, false);
		for (i = nr; i < e->nshards; i += r->size)
			mcfab_engine_move(e, &e->shard[i]);
		barrier_wait(r, true);
	} while (!r->over);
}

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
	fabric->results.progress.wall_ns = now_ns() - r->started;
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
		work_together(r, m->nr);
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
	r->over = false;
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

	atomic_set(&r->left, r->size);
	atomic_set(&r->out, r->size);
	r->started = now_ns();
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
