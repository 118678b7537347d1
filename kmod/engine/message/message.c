// SPDX-License-Identifier: GPL-2.0
/*
 * A node's own messages. They need no memory while they queue: the workload draws message number
 * i when the node comes to it. Many messages to one node are planned here, all others by the policy
 * (plans.c).
 *
 * Everything here runs in the grant phase of the shard that owns the node.
 */
#include "engine/message/message.h"
#include "engine/outside/outside.h"
#include "engine/state/lost.h"
#include "subnet/subnet.h"
#include "trace/trace.h"

/**
 * mcfab_messages_begin() - note what all messages of a run have in common
 * @e: engine, with its rules but for those of a mode
 *
 * Context: setup.
 */
void mcfab_messages_begin(struct mcfab_engine *e)
{
	const struct mcfab_policy_ops *ops = e->pol->ops;

	e->run.unicasts = ops->flags & MCFAB_POLICY_SINGLE && ops->unicast_arg;
	e->run.unicast_arg = ops->unicast_arg ? ops->unicast_arg(e->pol->priv) : 0;
	e->run.more = e->run.packets > 1 || e->run.tables || e->run.lone ||
		      e->flags & MCFAB_ENG_HOST;
}

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
	u32 end = first + 1;

	while (end < plan->nworms && plan->worm[end].after == pw->after &&
	       plan->worm[end].sender == pw->sender)
		end++;
	return end;
}

/*
 * Draw the destinations of the message at the head of a node's stream into s->dst; @left_out:
 * number of unreachable destinations.
 */
static u32 draw(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr, bool *unicast,
		u32 *left_out)
{
	struct mcfab_node *n = &e->node[nr];
	u32 ndst, source, reached;

	*unicast = false;
	*left_out = 0;
	if (e->run.lone)
		ndst = mcfab_workload_lone(&e->work, n->stream.index, &source, s->dst);
	else
		ndst = mcfab_workload_dests(&e->work, nr, n->stream.index, s->dst, unicast);
	/* with tables nothing says beforehand which destinations are reachable */
	if (likely(!mcfab_fault_links(e)) || e->run.tables)
		return ndst;
	reached = mcfab_fault_reachable(e, nr, s->dst, ndst);
	*left_out = ndst - reached;
	return reached;
}

/* place of the multicast group of the node's next message */
static u32 message_group(const struct mcfab_engine *e, u32 nr)
{
	const struct mcfab_group *group;

	if (!e->work.cfg.subnet)
		return MCFAB_NONE;
	group = mcfab_workload_group(&e->work, nr, e->node[nr].stream.index);
	return group ? mcfab_group_place(e->work.cfg.subnet, group->id) : MCFAB_NONE;
}

/* the plan of a message to one destination: one worm, without the policy */
static void plan_unicast(const struct mcfab_engine *e, struct mcfab_block *block, u32 nr, u32 dst)
{
	struct mcfab_plan *plan = &block->plan;

	plan->worm[0] = (struct mcfab_plan_worm){
		.sender = nr,
		.after = MCFAB_NONE,
		.count = 1,
		.step = 1,
		.port = MCFAB_PORT_ANY,
		.arg = e->run.unicast_arg,
	};
	plan->dst[0] = dst;
	plan->nworms = 1;
	plan->ndst = 1;
	block->children[0] = MCFAB_NONE;
}

/* plan the message at the head of a node's stream; false: the policy's plan is wrong */
static bool plan_message(const struct mcfab_engine *e, struct mcfab_shard *s,
			 struct mcfab_block *block, u32 nr, u32 ndst, bool unicast,
			 struct mcfab_blame *blame)
{
	/* a message to self is no policy's affair, either */
	if (unicast || s->dst[0] == nr || (ndst == 1 && e->run.unicasts)) {
		plan_unicast(e, block, nr, s->dst[0]);
		return true;
	}
	block->plan.group = message_group(e, nr);
	return mcfab_message_plan(e, s, block, nr, ndst, blame);
}

static void next_message(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	struct mcfab_node *n = &e->node[nr];
	u64 gen = n->stream.gen;

	if (e->run.lone)
		n->stream.gen = U64_MAX;
	if (e->run.lone || mcfab_stream_next(&e->work, nr, &n->stream, mcfab_parts(e, nr)))
		s->exhausted = min(s->exhausted, mcfab_workload_ended(&e->work, gen));
}

/* count a message without a reachable destination */
static void note_skipped(const struct mcfab_engine *e, struct mcfab_shard *s, u32 nr, u32 left_out)
{
	const struct mcfab_node *n = &e->node[nr];
	struct mcfab_load_class *class;
	u32 flits;

	s->drops[MCFAB_DROP_UNREACHABLE] += left_out;
	if (n->stream.gen < e->boundary.looked) {
		s->unqueued++;
		return;
	}
	s->skipped.messages++;
	s->skipped.asked += left_out;
	if (!e->run.weighed)
		return;
	flits = mcfab_message_flits(e, nr, n->stream.index);
	class = &s->skipped.class[mcfab_workload_class(&e->work, nr, n->stream.index)];
	class->flits += flits;
	class->asked += (u64)left_out * flits;
}

/**
 * mcfab_node_skip() - skip messages without a reachable destination
 * @e: engine with dead links
 * @s: shard of the node
 * @nr: the node
 *
 * Skips generated messages up to the first message with a reachable destination.
 *
 * Context: grant phase.
 */
void mcfab_node_skip(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	bool unicast;
	u32 left_out;

	while (!e->faults.paused && e->node[nr].stream.gen < e->cycle &&
	       !draw(e, s, nr, &unicast, &left_out)) {
		note_skipped(e, s, nr, left_out);
		if (unlikely(e->outside.from))
			mcfab_outside_skip(e, nr);
		next_message(e, s, nr);
	}
}

/* what only some runs keep of a message, or compute for it (mcfab_engine_run.more) */
static noinline void begin_more(struct mcfab_engine *e, struct mcfab_shard *s,
				struct mcfab_mcast *m, struct mcfab_block *b)
{
	struct mcfab_blame blame;

	if (e->run.packets > 1 || e->flags & MCFAB_ENG_HOST)
		memset(b->came, 0, b->plan.ndst * sizeof(struct mcfab_came));
	if (e->run.tables)
		memset(b->seen, 0, BITS_TO_LONGS(e->run.max_dst * e->run.packets) * sizeof(long));
	if (e->run.lone && mcfab_predict(e, m, &b->plan, &blame))
		mcfab_accuse(e, s, m, &blame);
}

/**
 * mcfab_node_message() - draw and plan the message at the head of a node's stream
 * @e: engine
 * @s: shard of the node
 * @nr: the node; the message becomes its current task
 *
 * Context: grant phase.
 * Return: the message; NULL if the run ends: a pool is dry, or the policy failed.
 */
struct mcfab_mcast *mcfab_node_message(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	struct mcfab_node *n = &e->node[nr];
	u32 mcast = mcfab_stock_take(&e->mcast_pool, s->nr);
	u32 block = mcfab_stock_take(&e->block_pool, s->nr);
	struct mcfab_block *b;
	struct mcfab_mcast *m;
	struct mcfab_blame blame;
	u32 ndst, left_out;
	bool unicast;

	if (mcast == MCFAB_NONE || block == MCFAB_NONE)
		return NULL;	/* the boundary ends the run: pools are dry */

	if (mcast >= s->mcast_high)
		s->mcast_high = mcast + 1;
	m = &e->mcast[mcast];
	b = mcfab_block(e, block);
	ndst = draw(e, s, nr, &unicast, &left_out);
	s->drops[MCFAB_DROP_UNREACHABLE] += left_out;
	m->gen = n->stream.gen;
	m->source = nr;
	m->seq = n->stream.index;
	m->flits = mcfab_message_flits(e, nr, m->seq);
	m->packets = likely(!e->run.varied) ? e->run.packets : DIV_ROUND_UP(m->flits, e->run.flits);
	if (unlikely(!plan_message(e, s, b, nr, ndst, unicast, &blame))) {
		/* a policy may give up when the run is being stopped */
		if (!READ_ONCE(e->boundary.stop))
			mcfab_accuse(e, s, m, &blame);
		return NULL;
	}
	if (unlikely(e->run.more))
		begin_more(e, s, m, b);

	m->ndst = ndst;
	m->worms = b->plan.nworms;
	m->routes = e->faults.routes;
	m->plan = block;
	m->unicast = unicast;
	m->used = true;
	m->generated = m->gen < e->boundary.looked;
	m->ready = MCFAB_NEVER;
	m->accepted = MCFAB_NEVER;
	atomic_set(&m->startups, 0);
	n->task_end = mcfab_task_end(&b->plan, 0);
	atomic_set(&m->left, n->task_end * m->packets);
	atomic_set(&m->traffic, 0);
	atomic_set(&m->deliveries, -1);
	atomic64_set(&m->channel_cycles, 0);
	if (unlikely(e->outside.from))
		mcfab_outside_take(e, nr, mcast, ndst + left_out,
				   n->task_end * m->packets);
	trace_mcfab_generate(e, m);

	n->mcast = mcast;
	n->begun = n->stream.gen;
	n->prep = unicast ? 0 : e->run.prep;
	n->next = 0;
	memset(n->part, 0, sizeof(n->part));
	next_message(e, s, nr);
	return m;
}
