// SPDX-License-Identifier: GPL-2.0
/*
 * The network interface (NI) of a node with a host, see host.c: it receives packets, sends packets
 * of its host, and, if the policy lets it, sends received packets on. Everything here runs in the
 * grant phase of the shard that owns the node, or at the boundary.
 */
#include "engine/message/message.h"
#include "engine/node/job.h"
#include "engine/node/node.h"

/* the NI has sent all copies of a packet: count the time for which it held a received packet */
static void let_go(struct mcfab_engine *e, struct mcfab_host *h, const struct mcfab_job *job)
{
	u64 residence = mcfab_job_now(e) - job->held;

	if (job->kind != MCFAB_JOB_RECEIVE)
		return;
	h->held--;
	h->packets++;
	h->residence += residence;
	h->residence_max = max(h->residence_max, residence);
}

/*
 * FCFS: a packet that was sent to the first child is parked until the other children have it.
 * Return: the link to the parked job of packet @packet of @job's message.
 */
static u32 *parked(struct mcfab_engine *e, struct mcfab_host *h, const struct mcfab_job *job,
		   u32 packet)
{
	u32 *at = &h->parked;

	while (*at != MCFAB_NONE &&
	       (e->hosts.job[*at].mcast != job->mcast || e->hosts.job[*at].packet != packet))
		at = &e->hosts.job[*at].next;
	return at;
}

/**
 * mcfab_ni_copies() - how many copies the NI sends of a packet now
 * @e: engine
 * @job: the packet
 * @children: later senders
 * @last: it is the last packet of its message
 *
 * Context: grant phase.
 * Return: number of copies.
 */
u32 mcfab_ni_copies(const struct mcfab_engine *e, const struct mcfab_job *job, u32 children,
		    bool last)
{
	if (!children || e->hosts.times.forward != MCFAB_FORWARD_FCFS)
		return children;
	return last ? 1 + (children - 1) * mcfab_job_packets(e, job) : 1;
}

/* the NI has dealt with a packet: it forgets it, unless copies in its memory wait to leave */
static void ni_job_free(struct mcfab_engine *e, struct mcfab_shard *s, struct mcfab_host *h, u32 nr)
{
	if (!(e->flags & MCFAB_ENG_MEMORY) || !mcfab_ni_keeps(e, h, nr, 0))
		mcfab_job_free(s, nr);
}

/* one copy has left the NI: it waits for an injection channel */
static void ni_sent(struct mcfab_engine *e, struct mcfab_shard *s, struct mcfab_host *h, u32 nr)
{
	struct mcfab_job *job = &e->hosts.job[nr];
	u32 worm = job->first + job->copy, packet = job->packet, copy, *at = NULL;
	u32 packets = mcfab_job_packets(e, job);
	u32 rounds = (job->copies - 1) / packets;	/* FCFS: children after the first */
	struct mcfab_job *from = job;

	if (e->hosts.times.forward == MCFAB_FORWARD_FCFS && job->copy) {
		worm = job->first + 1 + (job->copy - 1) / packets;
		packet = (job->copy - 1) % packets;
		if (packet != job->packet) {
			at = parked(e, h, job, packet);
			from = &e->hosts.job[*at];
		}
	}
	copy = mcfab_job_spawn(e, from);
	if (copy == MCFAB_NONE)
		return;
	e->hosts.job[copy].kind = MCFAB_JOB_COPY;
	if (e->flags & MCFAB_ENG_MEMORY && from->kind == MCFAB_JOB_RECEIVE)
		e->hosts.job[copy].relayed = from - e->hosts.job;
	e->hosts.job[copy].worm = worm;
	mcfab_job_account(e, &e->hosts.job[copy], MCFAB_PART_NI);
	mcfab_job_append(e, &h->out, copy);
	if (from->kind != MCFAB_JOB_RECEIVE)
		mcfab_message_ready(&e->mcast[from->mcast], h - e->hosts.host, mcfab_job_now(e));
	job->copy++;
	if (at && worm == job->first + rounds) {
		copy = *at;
		*at = from->next;
		let_go(e, h, from);
		ni_job_free(e, s, h, copy);
	}
}

/* the NI has received a packet: it goes to the host, and copies may go to later senders */
static void ni_received(struct mcfab_engine *e, struct mcfab_host *h, u32 node, u32 nr)
{
	struct mcfab_job *job = &e->hosts.job[nr];
	struct mcfab_plan *plan = mcfab_job_plan(e, job);
	u32 children = 0, copy;

	copy = mcfab_job_spawn(e, job);
	if (copy == MCFAB_NONE)
		return;
	mcfab_job_account(e, &e->hosts.job[copy], MCFAB_PART_NI);
	mcfab_job_append(e, &h->bus.queue, copy);
	job->held = mcfab_job_now(e);
	if (job->first != MCFAB_NONE)
		children = mcfab_task_end(plan, job->first) - job->first;
	job->unsent = children;
	job->copy = 0;
	job->copies = mcfab_ni_copies(e, job, children, ++mcfab_job_came(e, job)->received ==
							mcfab_job_packets(e, job));
	mcfab_count(mcfab_alone(e), &e->mcast[job->mcast].left, job->copies);
}

/* the first job of the NI's queue is done; FCFS: it is parked if other children need its packet */
static void ni_over(struct mcfab_engine *e, struct mcfab_shard *s, struct mcfab_host *h, u32 nr)
{
	struct mcfab_job *job = &e->hosts.job[nr];
	bool more = false;

	mcfab_job_remove_first(e, &h->ni.queue);
	if (job->copies && e->hosts.times.forward == MCFAB_FORWARD_FCFS && job->copies == 1)
		more = mcfab_job_packets(e, job) > 1 &&
		       mcfab_task_end(mcfab_job_plan(e, job), job->first) > job->first + 1;
	if (more) {
		job->next = h->parked;
		h->parked = nr;
		return;
	}
	if (job->copies)
		let_go(e, h, job);
	ni_job_free(e, s, h, nr);
}

/**
 * mcfab_ni_step() - let the network interface of a node go on by one part of its work
 * @e: engine
 * @s: shard of the node
 * @node: the node
 *
 * Context: grant phase.
 * Return: whether there may be more to do now.
 */
bool mcfab_ni_step(struct mcfab_engine *e, struct mcfab_shard *s, u32 node)
{
	struct mcfab_host *h = &e->hosts.host[node];
	u32 nr = h->ni.queue.head;
	const struct mcfab_host_times *times = &e->hosts.times;
	struct mcfab_job *job = &e->hosts.job[nr];

	if (nr == MCFAB_NONE)
		return false;
	if (h->ni.done == U64_MAX) {
		h->ni.done = mcfab_job_now(e) + (job->copy == MCFAB_NOT_RECEIVED ?
						 times->ni_receive : times->ni_send);
	}
	if (h->ni.done > mcfab_job_now(e))
		return false;
	h->ni.done = U64_MAX;
	if (job->copy == MCFAB_NOT_RECEIVED)
		ni_received(e, h, node, nr);
	else
		ni_sent(e, s, h, nr);
	if (job->copy == job->copies)
		ni_over(e, s, h, nr);
	/* if the pool of jobs is dry, the boundary ends the run */
	return !mcfab_pool_dry(&e->job_pool);
}

/*
 * Only the first child's copy of a parked packet was made. Return: true if that copy has still to
 * leave the node; else there may be room for another packet, so routers look at their requests.
 */
static bool first_is_here(struct mcfab_engine *e, struct mcfab_host *h, u32 nr)
{
	const struct mcfab_job *job = &e->hosts.job[nr];
	u32 children = mcfab_task_end(mcfab_job_plan(e, job), job->first) - job->first;

	if (!(e->flags & MCFAB_ENG_MEMORY))
		return false;
	e->faults.rescan = e->cycle + 1;
	return mcfab_ni_keeps(e, h, nr, children - 1);
}

/**
 * mcfab_host_forget() - give up parked packets of a message
 * @e: engine
 * @mcast: the message, which is over
 *
 * FCFS: parked packets go on when the last packet has come; here the last packet was lost.
 *
 * Context: boundary.
 */
void mcfab_host_forget(struct mcfab_engine *e, u32 mcast)
{
	u32 i, nr, *at;

	for (i = 0; i < e->topo->nodes; i++) {
		at = &e->hosts.host[i].parked;
		while (*at != MCFAB_NONE) {
			nr = *at;
			if (e->hosts.job[nr].mcast != mcast) {
				at = &e->hosts.job[nr].next;
				continue;
			}
			*at = e->hosts.job[nr].next;
			let_go(e, &e->hosts.host[i], &e->hosts.job[nr]);
			if (!first_is_here(e, &e->hosts.host[i], nr))
				mcfab_pool_give(&e->job_pool, nr);
		}
	}
}

/**
 * mcfab_host_use() - how many packets the network interfaces had to hold so far, and for how long
 * @e: engine
 * @use: filled in
 *
 * Context: boundary.
 */
void mcfab_host_use(const struct mcfab_engine *e, struct mcfab_ni_use *use)
{
	u32 i;

	memset(use, 0, sizeof(*use));
	for (i = 0; i < e->topo->nodes; i++) {
		const struct mcfab_host *h = &e->hosts.host[i];

		use->packets += h->packets;
		use->peak = max(use->peak, h->peak);
		use->residence += h->residence;
		use->residence_max = max(use->residence_max, h->residence_max);
	}
}
