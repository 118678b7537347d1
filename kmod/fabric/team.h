/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Threads that compute a run together: who computes which shard, the barriers between the phases of
 * a cycle, and who pauses because its CPU has other work.
 */
#ifndef MCFAB_FABRIC_TEAM_H
#define MCFAB_FABRIC_TEAM_H

#include <linux/wait.h>

#include "base/config.h"

struct mcfab_engine;

/** struct mcfab_claim - whether a thread has taken a shard; a line of its own for each */
struct mcfab_claim {
	atomic_t turn;	/* the last phase in which it was taken */
} ____cacheline_aligned_in_smp;

/**
 * struct mcfab_team - threads that compute a run together
 * @left: members that have not come to the barrier yet
 * @asked: threads that have asked to be members (again), ever
 * @turn: number of the phase, counts barriers; each phase ends with one
 * @slept: the last phase for whose end a member waited so long that it slept
 * @members: threads at work, the others pause; changed by the member that leaves or is last
 * @let_in: how many of @asked have been let in
 * @first_turn: the first phase of those that were let in last
 * @over: the run has ended
 * @sleepers: members that sleep until @turn changes, and threads that have asked
 * @pausing: threads that pause
 * @engine: what they compute
 * @size: number of threads
 * @pause: a thread's first pause, in milliseconds; tests have none
 * @claim: by shard
 */
struct mcfab_team {
	atomic_t left ____cacheline_aligned_in_smp;
	atomic_t asked;
	u32 turn ____cacheline_aligned_in_smp;
	u32 slept;
	u32 members;
	u32 let_in;
	u32 first_turn;
	bool over;
	wait_queue_head_t sleepers;
	wait_queue_head_t pausing;
	struct mcfab_engine *engine;
	u32 size;
	u32 pause;
	struct mcfab_claim claim[MCFAB_MAX_SHARDS];
};

void mcfab_team_init(struct mcfab_team *team, struct mcfab_engine *engine, u32 size);
void mcfab_team_work(struct mcfab_team *team, u32 nr);

#endif
