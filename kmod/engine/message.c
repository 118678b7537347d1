// SPDX-License-Identifier: GPL-2.0
/*
 * A node's own messages. They need no memory while they queue: the workload draws message number
 * i when the node gets to it, and the policy plans it.
 *
 * Everything runs in the grant phase of the shard that owns the node.
 */
#include "engine/engine.h"
#include "engine/trace.h"
#include "subnet/subnet.h"

/**
 * mcfab_task_end() - which worms a task sends
 * @plan: plan of a message
 * @first: the task's first worm
 *
 * Context: any.
 * Return: the first worm after the ones that the task sends.
 */
u32 mcfab_task_end(const struct mcfab_plan *plan, u32 first)
{
	const struct mcfab_plan_worm *pw = &plan->worm[first];
	u32 end = first;

	while (end < plan->nworms && plan->worm[end].after == pw->after &&
	       plan->worm[end].sender == pw->sender)
		end++;
	return end;
}

static void plan_kids(struct mcfab_block *block)
{
	struct mcfab_plan *plan = &block->plan;
	u32 i;

	for (i = 0; i < plan->nworms; i++)
		block->kids[i] = MCFAB_NONE;
	for (i = plan->nworms; i-- > 0; )
		if (plan->worm[i].after != MCFAB_NONE)
			block->kids[plan->worm[i].after] = i;
}

/* place of the multicast group that the node's next message is for */
static u32 message_group(const struct mcfab_engine *e, u32 nr)
{
	const struct mcfab_group *group;

	group = mcfab_workload_group(&e->work, nr, e->node[nr].stream.index);
	return group ? mcfab_group_place(e->work.cfg.subnet, group->id) : MCFAB_NONE;
}

/* destinations of the message at the head of a node's stream, in s->dst; @left_out: others */
static u32 draw(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr, bool *unicast,
		u32 *left_out)
{
	struct mcfab_node *n = &e->node[nr];
	u32 ndst, source, reached;

	*unicast = false;
	*left_out = 0;
	if (e->lone)
		ndst = mcfab_workload_lone(&e->work, n->stream.index, &source, s->dst);
	else
		ndst = mcfab_workload_dests(&e->work, nr, n->stream.index, s->dst, unicast);
	/* tables lead where they lead */
	if (likely(!e->lossy) || e->tables)
		return ndst;
	reached = mcfab_fault_reachable(e, nr, s->dst, ndst);
	*left_out = ndst - reached;
	return reached;
}

static void next_message(struct mcfab_engine *e, u32 nr)
{
	struct mcfab_node *n = &e->node[nr];

	if (e->lone)
		n->stream.gen = U64_MAX;
	else
		mcfab_workload_next(&e->work, nr, &n->stream);
}

/**
 * mcfab_node_skip() - leave out messages that can reach nobody
 * @e: engine with dead links
 * @s: shard of the node
 * @nr: the node
 *
 * Those that were generated up to now and stand before one that can.
 *
 * Context: grant phase.
 */
void mcfab_node_skip(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	bool unicast;
	u32 left_out;

	while (!e->paused && e->node[nr].stream.gen < e->cycle &&
	       !draw(e, s, nr, &unicast, &left_out)) {
		s->drops[MCFAB_DROP_UNREACHABLE] += left_out;
		next_message(e, nr);
	}
}

/**
 * mcfab_node_message() - draw and plan the message at the head of a node's stream
 * @e: engine
 * @s: shard of the node
 * @nr: the node; the message becomes its current task
 *
 * Context: grant phase.
 * Return: false if the run ends: a pool is dry, or the policy failed.
 */
bool mcfab_node_message(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	struct mcfab_node *n = &e->node[nr];
	u32 mcast = mcfab_pool_take(&e->mcast_pool);
	u32 block = mcfab_pool_take(&e->block_pool);
	struct mcfab_mcast *m;
	struct mcfab_plan *plan;
	u32 ndst, left_out;
	bool unicast;

	if (mcast == MCFAB_NONE || block == MCFAB_NONE)
		return false;	/* the boundary ends the run: pools are dry */

	s->mcast_high = max(s->mcast_high, mcast + 1);
	m = &e->mcast[mcast];
	plan = &mcfab_block(e, block)->plan;
	ndst = draw(e, s, nr, &unicast, &left_out);
	s->drops[MCFAB_DROP_UNREACHABLE] += left_out;
	plan->nworms = 0;
	plan->ndst = 0;
	plan->group = unicast ? MCFAB_NONE : message_group(e, nr);
	if (unicast) {
		const struct mcfab_policy_ops *ops = e->pol->ops;

		mcfab_plan_worm(plan, nr, MCFAB_NONE, MCFAB_PORT_ANY,
				ops->unicast_arg ? ops->unicast_arg(e->pol->priv) : 0);
		mcfab_plan_dst(plan, s->dst[0]);
	} else if (mcfab_plan_prepare(e->pol, nr, s->dst, ndst, plan, s->scratch)) {
		s->broken = "the policy's plan is longer than its own bound";
		plan->nworms = 0;
	}
	if (!plan->nworms) {
		s->broken = s->broken ?: "the policy made a plan without worms";
		return false;
	}
	plan_kids(mcfab_block(e, block));
	if (e->packets > 1 || e->flags & MCFAB_ENG_HOST)
		memset(mcfab_block(e, block)->came, 0, plan->ndst * sizeof(struct mcfab_came));
	if (e->tables)
		memset(mcfab_block(e, block)->seen, 0,
		       BITS_TO_LONGS(e->max_dst * e->packets) * sizeof(long));
	if (e->lone && mcfab_predict(e, plan))
		s->broken = "the policy's plan leads nowhere";

	m->gen = n->stream.gen;
	m->source = nr;
	m->seq = n->stream.index;
	m->ndst = ndst;
	m->worms = plan->nworms;
	m->routes = e->routes;
	m->plan = block;
	m->unicast = unicast;
	m->used = true;
	m->link = MCFAB_NONE;
	atomic_set(&m->startups, 0);
	atomic_set(&m->left, mcfab_task_end(plan, 0) * e->packets);
	atomic_set(&m->traffic, 0);
	atomic_set(&m->deliveries, -1);
	atomic64_set(&m->channel_cycles, 0);
	trace_mcfab_generate(e, m);

	n->mcast = mcast;
	n->begun = n->stream.gen;
	n->prep = unicast ? 0 : e->prep;
	n->next = 0;
	memset(n->part, 0, sizeof(n->part));
	next_message(e, nr);
	return true;
}
