// SPDX-License-Identifier: GPL-2.0
/*
 * A team of threads. Each phase of a cycle ends with a barrier, at which members spin, and sleep if
 * it takes long. The last member that comes to the second barrier of a cycle runs the boundary.
 *
 * A thread has shards of its own, which it computes first, as their state is in the caches of its
 * CPU. Then it computes what others have not begun. A shard is computed once in each phase: by the
 * thread that claims it.
 *
 * A thread whose CPU has other work to do keeps all others waiting. So the member that comes last
 * to a barrier leaves the team if another member had to sleep there because its CPU was taken from
 * it, and not for the first time, and pauses; the others compute its shards. After its pause it
 * asks to be let in, and becomes a member at the next boundary, so nobody waits for a thread that
 * has not been woken yet. Each pause is twice as long as the one before if the thread had to leave
 * again soon. One member always stays. Results do not depend on who computes what.
 */
#include <linux/freezer.h>
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/processor.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/sched/stat.h>
#include <linux/timekeeping.h>

#include "base/thread.h"
#include "fabric/team.h"
#include "engine/engine.h"

/* turns of a spinning wait between looks at the clock */
#define SPIN_TURNS	64
/*
 * To wake a thread may take longer than spin_us, so once members have slept at a barrier they would
 * sleep at every barrier from then on. So at every SPIN_BARRIERS-th barrier all members spin
 * SPIN_PATIENT times as long, if their CPUs have nothing else to do.
 */
#define SPIN_PATIENT	32
#define SPIN_BARRIERS	64
/*
 * If other threads want this CPU, a thread for which this one waits may be among them. So spin
 * SPIN_CROWDED times shorter then.
 */
#define SPIN_CROWDED	16
/*
 * A thread that is late looks whether its CPU was taken from it since it looked last. It looks now
 * and then, as short work of others does not count, and not in each phase: in user space it is a
 * system call.
 */
#define LOOK_US		1000
/*
 * It leaves when this has kept others waiting twice in so many milliseconds: once may have been
 * chance. A pause in between does not count.
 */
#define AGAIN_MS	20
/* first and longest pause of a thread that has left the team, in milliseconds */
#define PAUSE_LEAST	5
#define PAUSE_MOST	1000
/* a thread that has been a member for so many of its pauses begins with the shortest one again */
#define PAUSES_FORGOTTEN 8

static unsigned int spin_us = 200;
module_param(spin_us, uint, 0644);
MODULE_PARM_DESC(spin_us, "microseconds a router thread spins at a barrier before it sleeps (default 200)");

/**
 * struct member - a thread of the team, as it sees itself
 * @team: its team
 * @nr: its number
 * @late: in this cycle another member slept at a barrier because this one had lost its CPU, and it
 *	  was not the first time
 * @delayed: when that happened last, in nanoseconds
 * @preempted: mcfab_thread_preempted() when the thread looked last
 * @looked: when that was: the @done of that phase
 * @done: when it had computed its part of the phase
 * @took: how long it took to compute its part of the phase, in nanoseconds
 * @pause: how long it pauses next, in milliseconds
 * @since: when it became a member, in jiffies
 */
struct member {
	struct mcfab_team *team;
	u32 nr;
	bool late;
	u64 delayed;
	u64 preempted;
	u64 looked;
	u64 done;
	u64 took;
	u32 pause;
	unsigned long since;
};

static bool passed(const struct mcfab_team *t, u32 turn)
{
	/* pairs with the release in open_barrier() */
	return smp_load_acquire(&t->turn) != turn;
}

/* spin until the phase is over, for @least ns at least; false: it is time to sleep */
static bool spin(const struct mcfab_team *t, u32 turn, u64 least)
{
	u64 begun = local_clock(), limit = READ_ONCE(spin_us) * 1000ULL, spun;
	u64 patience = max(turn % SPIN_BARRIERS ? limit : SPIN_PATIENT * limit, least);
	u32 i;

	do {
		for (i = 0; i < SPIN_TURNS; i++) {
			if (passed(t, turn))
				return true;
			cpu_relax();
		}
		spun = local_clock() - begun;
	} while (!need_resched() &&
		 spun < (single_task_running() ? patience : limit / SPIN_CROWDED));
	return false;
}

/*
 * A member has come to the barrier before the last one. Shards never have quite as much to do, and
 * in large networks the difference may be more than spin_us: spin for as long as the phase took.
 */
static void await_others(const struct member *m, u32 turn)
{
	struct mcfab_team *t = m->team;

	if (spin(t, turn, m->took))
		return;
	WRITE_ONCE(t->slept, turn);
	wait_event_freezable(t->sleepers, passed(t, turn));
}

/* all members have come: the next phase begins */
static void open_barrier(struct mcfab_team *t, u32 turn)
{
	atomic_set(&t->left, t->members);
	/* pairs with the acquires of those who wait */
	smp_store_release(&t->turn, turn + 1);
	if (wq_has_sleeper(&t->sleepers))
		wake_up_all(&t->sleepers);
}

static void look(struct member *m)
{
	m->preempted = mcfab_thread_preempted();
	m->looked = m->done;
}

/* Come to the barrier at the end of a phase. Return: this is the last member to come. */
static bool come(struct member *m, u32 turn)
{
	/* fully ordered: the last member sees what every member has written */
	bool last = atomic_dec_and_test(&m->team->left);

	if (last && READ_ONCE(m->team->slept) == turn &&
	    mcfab_thread_preempted() != m->preempted) {
		m->late |= m->done - m->delayed < (AGAIN_MS + m->pause) * (u64)NSEC_PER_MSEC;
		m->delayed = m->done;
	}
	if (m->done - m->looked > LOOK_US * 1000ULL)
		look(m);
	return last;
}

/* Compute a phase of the shards that this thread can claim, its own ones first. */
static void compute(struct member *m, u32 turn,
		    void (*phase)(struct mcfab_engine *e, struct mcfab_shard *s))
{
	struct mcfab_team *t = m->team;
	struct mcfab_engine *e = t->engine;
	u32 own = (u64)m->nr * e->nshards / t->size, i, nr;
	u64 begun = local_clock();

	for (i = 0; i < e->nshards; i++) {
		nr = own + i < e->nshards ? own + i : own + i - e->nshards;
		if (atomic_read(&t->claim[nr].turn) != (int)turn &&
		    atomic_xchg(&t->claim[nr].turn, turn) != (int)turn)
			phase(e, &e->shard[nr]);
	}
	m->done = local_clock();
	m->took = m->done - begun;
}

/* This member leaves if it was late and others stay. Return: it has left. */
static bool leave(struct member *m)
{
	struct mcfab_team *t = m->team;

	/*
	 * Only one member can be here: before it comes to the second barrier the one that was last
	 * at the first, and when all have come to the second the one that was last there.
	 */
	if (!m->late || t->members == 1)
		return false;
	t->members--;
	return true;
}

/* The boundary, run by the last member to come. Threads that have asked are let in. */
static void end_cycle(struct mcfab_team *t, u32 turn)
{
	u32 asked;

	if (!mcfab_engine_boundary(t->engine)) {
		WRITE_ONCE(t->over, true);
		wake_up_all(&t->pausing);
	}
	asked = atomic_read(&t->asked);
	if (asked != t->let_in) {
		t->members += asked - t->let_in;
		t->first_turn = turn + 1;
		/* pairs with the acquire in is_member() */
		smp_store_release(&t->let_in, asked);
	}
	open_barrier(t, turn);
}

/*
 * Has the thread with this ticket been let in? @turn: the present phase. If it is not yet the first
 * phase of the new members, end_cycle() has still to open the barrier before it.
 */
static bool is_member(const struct mcfab_team *t, u32 ticket, u32 turn)
{
	/* pairs with the release in end_cycle() */
	return (int)(smp_load_acquire(&t->let_in) - ticket) >= 0 && t->first_turn == turn;
}

/* Pause, then ask to be let in and wait for that or for the end of the run. */
static void pause_and_ask(struct member *m)
{
	struct mcfab_team *t = m->team;
	u32 ticket, turn;

	if (time_before(jiffies, m->since + msecs_to_jiffies(PAUSES_FORGOTTEN * m->pause)))
		m->pause = min(2 * m->pause, PAUSE_MOST);
	else
		m->pause = t->pause;
	wait_event_freezable_timeout(t->pausing, READ_ONCE(t->over), msecs_to_jiffies(m->pause));
	ticket = atomic_inc_return(&t->asked);
	for (;;) {
		/* as of open_barrier(): what end_cycle() wrote before it is seen */
		turn = smp_load_acquire(&t->turn);
		if (READ_ONCE(t->over) || is_member(t, ticket, turn))
			break;
		if (!spin(t, turn, 0))
			wait_event_freezable(t->sleepers, passed(t, turn));
	}
	m->since = jiffies;
	look(m);
}

/**
 * mcfab_team_init() - make a team
 * @team: the team
 * @engine: what it will compute; its shards are there
 * @size: number of threads, from 1; all are members at first
 *
 * Context: any; no thread works yet.
 */
void mcfab_team_init(struct mcfab_team *team, struct mcfab_engine *engine, u32 size)
{
	memset(team, 0, sizeof(*team));
	init_waitqueue_head(&team->sleepers);
	init_waitqueue_head(&team->pausing);
	team->engine = engine;
	team->size = size;
	team->members = size;
	team->pause = PAUSE_LEAST;
	/* no phase has number 0 */
	team->turn = 1;
	atomic_set(&team->left, size);
}

/**
 * mcfab_team_work() - be a thread of a team until the run is over
 * @team: the team
 * @nr: number of the thread, below the size; no other thread has it
 *
 * Context: of the thread. Sleeps.
 */
void mcfab_team_work(struct mcfab_team *team, u32 nr)
{
	struct member m = {
		.team = team,
		.nr = nr,
		.preempted = mcfab_thread_preempted(),
		.pause = team->pause,
		.since = jiffies,
	};
	u32 turn = 1;
	bool left;

	while (!READ_ONCE(team->over)) {
		m.late = false;
		compute(&m, turn, mcfab_engine_grant);
		if (come(&m, turn))
			open_barrier(team, turn);
		else
			await_others(&m, turn);
		turn++;
		compute(&m, turn, mcfab_engine_move);
		left = leave(&m);
		if (come(&m, turn)) {
			left = left || leave(&m);
			end_cycle(team, turn);
		} else if (!left) {
			await_others(&m, turn);
		}
		if (left)
			pause_and_ask(&m);
		turn = READ_ONCE(team->turn);
		cond_resched();
		try_to_freeze();
	}
}
