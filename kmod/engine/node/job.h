/* SPDX-License-Identifier: GPL-2.0 */
/* Jobs of the stages of a node with a host: its processor, its bus, its network interface. */
#ifndef MCFAB_ENGINE_NODE_JOB_H
#define MCFAB_ENGINE_NODE_JOB_H

#include "engine/state/engine.h"

/* a copy counter of a packet that the NI has not received yet */
#define MCFAB_NOT_RECEIVED	U32_MAX

static inline struct mcfab_plan *mcfab_job_plan(const struct mcfab_engine *e,
						const struct mcfab_job *job)
{
	return &mcfab_block(e, e->mcast[job->mcast].plan)->plan;
}

static inline struct mcfab_came *mcfab_job_came(const struct mcfab_engine *e,
						const struct mcfab_job *job)
{
	return &mcfab_block(e, e->mcast[job->mcast].plan)->came[job->dst];
}

/* packets of its message */
static inline u32 mcfab_job_packets(const struct mcfab_engine *e, const struct mcfab_job *job)
{
	return e->mcast[job->mcast].packets;
}

/* the time for stages: the end of the last cycle, up to which events are known */
static inline u64 mcfab_job_now(const struct mcfab_engine *e)
{
	return e->cycle - 1;
}

static inline void mcfab_job_append(struct mcfab_engine *e, struct mcfab_queue *queue, u32 nr)
{
	e->hosts.job[nr].next = MCFAB_NONE;
	e->hosts.job[nr].entry = mcfab_job_now(e);
	mcfab_queue_put(queue, &e->hosts.job[queue->tail].next, nr);
}

static inline void mcfab_job_remove_first(struct mcfab_engine *e, struct mcfab_queue *queue)
{
	queue->head = e->hosts.job[queue->head].next;
}

static inline void mcfab_job_free(struct mcfab_shard *s, u32 nr)
{
	s->dead_job[s->ndead_jobs++] = nr;
}

/* a copy of a job, MCFAB_NONE: the pool is dry and the boundary ends the run */
static inline u32 mcfab_job_spawn(struct mcfab_engine *e, const struct mcfab_job *like)
{
	u32 nr = mcfab_pool_take(&e->job_pool);

	if (nr != MCFAB_NONE)
		e->hosts.job[nr] = *like;
	return nr;
}

/* count the time since the job's @clock as @part of the latency */
static inline void mcfab_job_account(struct mcfab_engine *e, struct mcfab_job *job,
				     enum mcfab_part part)
{
	job->part[part] += mcfab_job_now(e) - job->clock;
	job->clock = mcfab_job_now(e);
}

/* ni.c: the network interface */
u32 mcfab_ni_copies(const struct mcfab_engine *e, const struct mcfab_job *job, u32 children,
		    bool last);
bool mcfab_ni_step(struct mcfab_engine *e, struct mcfab_shard *s, u32 node);

/* ni_memory.c: its memory for packets that it sends on */
void mcfab_ni_keep(struct mcfab_engine *e, struct mcfab_host *h, u32 nr);
bool mcfab_ni_keeps(struct mcfab_engine *e, struct mcfab_host *h, u32 nr, u32 less);

#endif
