// SPDX-License-Identifier: GPL-2.0
/*
 * Router threads: one kernel thread per CPU that a fabric was given, in lock
 * step. They live as long as a run, may be preempted at any time, and never
 * allocate.
 *
 * When a CPU comes or goes in the middle of a run, the team comes home at the
 * next boundary and a new one takes over the same shards: a thread works on
 * every shard whose number is its own modulo the size of the team. As results do
 * not depend on shards, much less on who works on them, they do not change.
 *
 * Locks: cpus_read_lock() outside, then the runner's lock, which guards the team.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/freezer.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/sched/isolation.h>
#include <linux/sched/stat.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "core/runner.h"
#include "engine/engine.h"

/* a thread that works alone looks at the outside after so many cycles of routers */
#define ALONE_ROUTERS	16384U
/* turns of a spinning wait between looks at the clock */
#define SPIN_TURNS	64
/*
 * To wake someone may take longer than spin_us, so threads that once went to sleep
 * would do so at every barrier from then on. Every so many barriers all of them are
 * this many times more patient, if their CPUs have nothing else to do.
 */
#define SPIN_PATIENT	32
#define SPIN_BARRIERS	64

static unsigned int spin_us = 200;
module_param(spin_us, uint, 0644);
MODULE_PARM_DESC(spin_us, "microseconds a router thread spins at a barrier before it sleeps (default 200)");

/**
 * struct team - the threads at work on a run
 * @left: threads that have not come to the barrier
 * @turn: counts barriers
 * @sleepers: threads that wait for it asleep
 * @out: threads that have not come home
 * @home: set at a boundary: leave the loop
 * @size: threads
 */
struct team {
	atomic_t left ____cacheline_aligned_in_smp;
	u32 turn ____cacheline_aligned_in_smp;
	wait_queue_head_t sleepers;
	atomic_t out;
	bool home;
	u32 size;
};

/**
 * struct member - one thread of a team
 * @runner: its runner
 * @task: the thread
 * @nr: its number in the team
 */
struct member {
	struct mcfab_runner *runner;
	struct task_struct *task;
	u32 nr;
};

/**
 * struct mcfab_runner - threads of a fabric
 * @fabric: the fabric
 * @cpuhp: the fabric's place among those that are told of CPUs
 * @cpus: CPUs it was given
 * @exact: use all of them, even if other fabrics are at work there
 * @turn: which of them its first thread is on
 * @lock: guards the team
 * @team: the team
 * @member: its threads
 * @pause: come home at the next boundary
 * @over: the run has ended
 * @under_way: the team was sent to work
 * @started: of the run
 * @reap: cleans up after a run
 * @wake: who waits for the team to come home or for the run to be cleaned up
 */
struct mcfab_runner {
	struct mcfab_fabric *fabric;
	struct hlist_node cpuhp;
	cpumask_var_t cpus;
	u32 turn;
	bool exact;
	struct mutex lock;	/* guards the team */
	struct team team;
	struct member member[MCFAB_MAX_SHARDS];
	bool pause;
	bool over;
	bool under_way;
	ktime_t started;
	struct work_struct reap;
	wait_queue_head_t wake;
};

static int cpuhp_state;
static atomic_t turns = ATOMIC_INIT(-1);
/* threads of all fabrics: two that must wait for each other on one CPU are slow */
static atomic_t at_work = ATOMIC_INIT(0);

/* the last thread at the barrier behind a move phase: nobody else is at work */
static void boundary(struct mcfab_runner *r)
{
	if (!mcfab_engine_boundary(r->fabric->engine))
		r->over = true;
	if (r->over || READ_ONCE(r->pause))
		r->team.home = true;
}

static bool spin(const struct team *team, u32 turn)
{
	u64 begun = local_clock(), limit = spin_us * 1000ULL, spun;
	u64 patience = turn % SPIN_BARRIERS ? limit : SPIN_PATIENT * limit;
	u32 i;

	do {
		for (i = 0; i < SPIN_TURNS; i++) {
			/* pairs with the release in barrier() */
			if (smp_load_acquire(&team->turn) != turn)
				return true;
			cpu_relax();
		}
		spun = local_clock() - begun;
	} while (!need_resched() &&
		 (spun < limit || (spun < patience && single_task_running())));
	return false;
}

/* wait until all threads are here; the last one runs the boundary if there is one */
static void barrier_wait(struct mcfab_runner *r, bool at_boundary)
{
	struct team *team = &r->team;
	u32 turn = READ_ONCE(team->turn);

	/* fully ordered: what every thread wrote is seen by the last one */
	if (atomic_dec_and_test(&team->left)) {
		if (at_boundary)
			boundary(r);
		atomic_set(&team->left, team->size);
		/* pairs with the acquires of those who wait */
		smp_store_release(&team->turn, turn + 1);
		if (wq_has_sleeper(&team->sleepers))
			wake_up_all(&team->sleepers);
		return;
	}
	while (!spin(team, turn)) {
		/* pairs with the release above */
		wait_event_freezable(team->sleepers, smp_load_acquire(&team->turn) != turn);
	}
}

static void work_together(struct mcfab_runner *r, u32 nr)
{
	struct mcfab_engine *e = r->fabric->engine;
	u32 i;

	while (!r->team.home) {
		for (i = nr; i < e->nshards; i += r->team.size)
			mcfab_engine_grant(e, &e->shard[i]);
		barrier_wait(r, false);
		for (i = nr; i < e->nshards; i += r->team.size)
			mcfab_engine_move(e, &e->shard[i]);
		barrier_wait(r, true);
		cond_resched();
		try_to_freeze();
	}
}

static void work_alone(struct mcfab_runner *r)
{
	u32 cycles = clamp(ALONE_ROUTERS / r->fabric->topo.routers, 1U, 64U);

	while (!r->over && !READ_ONCE(r->pause)) {
		if (!mcfab_engine_alone(r->fabric->engine, cycles))
			r->over = true;
		cond_resched();
		try_to_freeze();
	}
}

static int member_main(void *arg)
{
	struct member *m = arg;
	struct mcfab_runner *r = m->runner;

	set_freezable();
	if (r->team.size == 1)
		work_alone(r);
	else
		work_together(r, m->nr);
	/* the last one home; r->over was written before a barrier or by this thread */
	if (atomic_dec_and_test(&r->team.out)) {
		if (r->over)
			queue_work(system_unbound_wq, &r->reap);
		wake_up_all(&r->wake);
	}
	/* kthread_stop() wants a thread that is there */
	for (;;) {
		set_current_state(TASK_IDLE | TASK_FREEZABLE);
		if (kthread_should_stop())
			break;
		schedule();
	}
	__set_current_state(TASK_RUNNING);
	return 0;
}

static void dismiss(struct mcfab_runner *r)
{
	atomic_sub(r->team.size, &at_work);
	while (r->team.size)
		kthread_stop(r->member[--r->team.size].task);
}

static int hire(struct mcfab_runner *r, u32 cpu)
{
	u32 nr = r->team.size;
	struct member *m = &r->member[nr];

	m->runner = r;
	m->nr = nr;
	m->task = kthread_create_on_cpu(member_main, m, cpu, "mcfab/%u");
	if (IS_ERR(m->task))
		return PTR_ERR(m->task);
	set_user_nice(m->task, r->fabric->cfg.nice);
	r->team.size++;
	atomic_inc(&at_work);
	return 0;
}

/*
 * A thread for every online CPU the fabric was given but @leaving, at most one
 * per shard; if that leaves none, any CPU will do. Fabrics that need fewer CPUs
 * than they have begin with different ones.
 */
static int gather_team(struct mcfab_runner *r, u32 leaving)
{
	u32 cpus = cpumask_weight_and(r->cpus, cpu_online_mask);
	u32 most = r->fabric->engine->nshards, cpu, i;
	int ret = 0, idle = cpus - atomic_read(&at_work);

	r->team.size = 0;
	r->team.home = false;
	r->pause = false;
	if (!r->exact)
		most = clamp(idle, 1, (int)most);
	for (i = 0; i < cpus && !ret && r->team.size < most; i++) {
		cpu = cpumask_nth_and((r->turn + i) % cpus, r->cpus, cpu_online_mask);
		if (cpu != leaving)
			ret = hire(r, cpu);
	}
	if (!ret && !r->team.size) {
		for_each_online_cpu(cpu)
			if (cpu != leaving)
				break;
		ret = hire(r, cpu);
	}
	if (ret)
		dismiss(r);
	return ret;
}

static void send_team(struct mcfab_runner *r)
{
	u32 i, size = r->team.size;

	atomic_set(&r->team.left, size);
	atomic_set(&r->team.out, size);
	for (i = 0; i < size; i++)
		wake_up_process(r->member[i].task);
}

static void reap(struct work_struct *work)
{
	struct mcfab_runner *r = container_of(work, struct mcfab_runner, reap);
	struct mcfab_fabric *fabric = r->fabric;
	u32 threads;

	mutex_lock(&r->lock);
	threads = r->team.size;
	dismiss(r);
	mutex_unlock(&r->lock);
	mutex_lock(&fabric->stats_lock);
	fabric->progress.wall_ns = ktime_to_ns(ktime_sub(ktime_get(), r->started));
	fabric->progress.threads = threads;
	mutex_unlock(&fabric->stats_lock);
	mcfab_run_reap(fabric);
	wake_up_all(&r->wake);
}

/* no memory for threads: end the run rather than leave it hanging */
static void give_up(struct mcfab_runner *r)
{
	pr_warn("mcfab: fabric %s: no memory for router threads, run stopped\n",
		r->fabric->cfg.name);
	WRITE_ONCE(r->fabric->engine->boundary.stop, true);
	mcfab_engine_alone(r->fabric->engine, 1);
	r->over = true;
	queue_work(system_unbound_wq, &r->reap);
}

/* have the run go on with another team; @leaving: a CPU that may not be used */
static void change_team(struct mcfab_runner *r, u32 leaving)
{
	mutex_lock(&r->lock);
	if (!r->team.size)
		goto out;
	WRITE_ONCE(r->pause, true);
	/* the acquire pairs with the last member's atomic_dec_and_test() */
	wait_event(r->wake, !atomic_read_acquire(&r->team.out));
	if (r->over)
		goto out;
	dismiss(r);
	if (!gather_team(r, leaving)) {
		if (r->under_way)
			send_team(r);
	} else if (r->under_way) {
		give_up(r);
	}
out:
	mutex_unlock(&r->lock);
}

/*
 * On the way into suspend the threads are frozen and would never come home. They
 * stay where they are: their CPUs are back before anyone is thawed.
 */
static int cpu_comes(unsigned int cpu, struct hlist_node *node)
{
	struct mcfab_runner *r = hlist_entry(node, struct mcfab_runner, cpuhp);

	if (!cpuhp_tasks_frozen && cpumask_test_cpu(cpu, r->cpus))
		change_team(r, MCFAB_NONE);
	return 0;
}

static int cpu_goes(unsigned int cpu, struct hlist_node *node)
{
	/* it may serve although it was not asked for, if all that were are gone */
	if (!cpuhp_tasks_frozen)
		change_team(hlist_entry(node, struct mcfab_runner, cpuhp), cpu);
	return 0;
}

/**
 * mcfab_runner_init() - ask to be told of CPUs that come and go
 *
 * Context: module load.
 * Return: 0 or a negative error.
 */
int mcfab_runner_init(void)
{
	cpuhp_state = cpuhp_setup_state_multi(CPUHP_AP_ONLINE_DYN, "mcfab:online", cpu_comes,
					      cpu_goes);
	return cpuhp_state < 0 ? cpuhp_state : 0;
}

/**
 * mcfab_runner_exit() - undo mcfab_runner_init(); no fabric is left
 *
 * Context: module unload; may sleep.
 */
void mcfab_runner_exit(void)
{
	cpuhp_remove_multi_state(cpuhp_state);
}

/**
 * mcfab_runner_open() - the runner of a new fabric; it has no threads yet
 * @fabric: the fabric
 *
 * Context: may sleep; takes cpus_read_lock().
 * Return: 0 or -ENOMEM.
 */
int mcfab_runner_open(struct mcfab_fabric *fabric)
{
	struct mcfab_runner *r = kzalloc(sizeof(*r), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!r)
		return -ENOMEM;
	if (!zalloc_cpumask_var(&r->cpus, GFP_KERNEL_ACCOUNT)) {
		kfree(r);
		return -ENOMEM;
	}
	cpumask_copy(r->cpus, housekeeping_cpumask(HK_TYPE_DOMAIN));
	r->turn = atomic_inc_return(&turns) & INT_MAX;
	r->fabric = fabric;
	mutex_init(&r->lock);
	init_waitqueue_head(&r->team.sleepers);
	init_waitqueue_head(&r->wake);
	INIT_WORK(&r->reap, reap);
	ret = cpuhp_state_add_instance_nocalls(cpuhp_state, &r->cpuhp);
	if (ret) {
		free_cpumask_var(r->cpus);
		kfree(r);
		return ret;
	}
	fabric->runner = r;
	return 0;
}

/**
 * mcfab_runner_close() - free a fabric's runner; no run is under way
 * @fabric: the fabric
 *
 * Context: may sleep; takes cpus_read_lock().
 */
void mcfab_runner_close(struct mcfab_fabric *fabric)
{
	struct mcfab_runner *r = fabric->runner;

	cpuhp_state_remove_instance_nocalls(cpuhp_state, &r->cpuhp);
	flush_work(&r->reap);
	mutex_destroy(&r->lock);
	free_cpumask_var(r->cpus);
	kfree(r);
	fabric->runner = NULL;
}

/**
 * mcfab_runner_set_cpus() - give a fabric CPUs for its threads
 * @fabric: the fabric; it has not run yet
 * @cpus: the CPUs; those that are offline are used when they come
 * @exact: a thread on each of them; else as many as other fabrics leave idle
 *
 * Context: any; the caller serialises.
 * Return: 0.
 */
int mcfab_runner_set_cpus(struct mcfab_fabric *fabric, const struct cpumask *cpus, bool exact)
{
	fabric->runner->exact = exact;
	cpumask_copy(fabric->runner->cpus, cpus);
	return 0;
}

/**
 * mcfab_runner_ready() - make the threads of a run, without starting them
 * @fabric: the fabric; its engine is open
 *
 * Context: may sleep; takes cpus_read_lock().
 * Return: 0 or a negative error; there are no threads then.
 */
int mcfab_runner_ready(struct mcfab_fabric *fabric)
{
	struct mcfab_runner *r = fabric->runner;
	int ret;

	/* the last run's clean-up may still be telling of it */
	flush_work(&r->reap);
	cpus_read_lock();
	mutex_lock(&r->lock);
	r->over = false;
	r->under_way = false;
	ret = gather_team(r, MCFAB_NONE);
	/* not at work yet: a CPU that goes now has the team replaced, no more */
	atomic_set(&r->team.out, 0);
	mutex_unlock(&r->lock);
	cpus_read_unlock();
	return ret;
}

/**
 * mcfab_runner_go() - set the threads to work
 * @fabric: the fabric; mcfab_runner_ready() was called
 *
 * Context: may sleep; takes cpus_read_lock().
 */
void mcfab_runner_go(struct mcfab_fabric *fabric)
{
	struct mcfab_runner *r = fabric->runner;

	cpus_read_lock();
	mutex_lock(&r->lock);
	r->started = ktime_get();
	r->under_way = true;
	/* a CPU may have gone since, and with it the team */
	if (!r->team.size && gather_team(r, MCFAB_NONE))
		give_up(r);
	else
		send_team(r);
	mutex_unlock(&r->lock);
	cpus_read_unlock();
}

/**
 * mcfab_runner_wait() - wait until a run has ended and is cleaned up after
 * @fabric: the fabric
 *
 * Context: may sleep.
 */
void mcfab_runner_wait(struct mcfab_fabric *fabric)
{
	wait_event(fabric->runner->wake, !mcfab_run_active(fabric));
}
