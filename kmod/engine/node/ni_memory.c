// SPDX-License-Identifier: GPL-2.0
/*
 * Packets in the memory of a network interface that sends them on (MCFAB_ENG_MEMORY), see
 * message/room.c: a packet's place is free again when the tails of all its copies have left the
 * node.
 */
#include "engine/node/job.h"
#include "engine/node/node.h"

/**
 * mcfab_ni_keep() - a packet that a node sends on is in its memory
 * @e: engine with MCFAB_ENG_MEMORY
 * @h: the node
 * @nr: job of the packet
 *
 * Context: grant phase of the node's shard.
 */
void mcfab_ni_keep(struct mcfab_engine *e, struct mcfab_host *h, u32 nr)
{
	e->hosts.job[nr].behind = h->kept;
	h->kept = nr;
}

/* the place of a packet is free again */
static void release(struct mcfab_engine *e, struct mcfab_host *h, u32 nr)
{
	u32 *at = &h->kept;

	while (*at != nr)
		at = &e->hosts.job[*at].behind;
	*at = e->hosts.job[nr].behind;
	atomic_inc(&h->room);
}

/**
 * mcfab_ni_keeps() - the network interface makes no more copies of a packet
 * @e: engine with MCFAB_ENG_MEMORY
 * @h: the node
 * @nr: job of the packet
 * @less: copies that will never be made
 *
 * Context: grant phase of the node's shard, or boundary.
 * Return: whether copies have still to leave the node: then the last of them frees the job.
 */
bool mcfab_ni_keeps(struct mcfab_engine *e, struct mcfab_host *h, u32 nr, u32 less)
{
	struct mcfab_job *job = &e->hosts.job[nr];

	if (job->kind != MCFAB_JOB_RECEIVE || job->first == MCFAB_NONE)
		return false;
	job->over = true;
	job->unsent -= less;
	if (job->unsent)
		return true;
	release(e, h, nr);
	return false;
}

/**
 * mcfab_ni_left() - the tail of a worm has left its node
 * @e: engine with MCFAB_ENG_MEMORY
 * @s: shard of the node
 * @worm: the worm
 *
 * If it was the last copy of a packet, the next packet may come.
 *
 * Context: grant phase.
 */
void mcfab_ni_left(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm)
{
	const struct mcfab_worm *w = &e->worm[worm];
	struct mcfab_job *job;

	if (w->relayed == MCFAB_NONE)
		return;
	job = &e->hosts.job[w->relayed];
	if (--job->unsent || !job->over)
		return;
	release(e, &e->hosts.host[w->node], w->relayed);
	mcfab_job_free(s, w->relayed);
	mcfab_router_mark(e, s, e->topo->router[w->node]);
}
