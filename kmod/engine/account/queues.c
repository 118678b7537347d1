// SPDX-License-Identifier: GPL-2.0
/*
 * Source queues. They need no memory: the messages in a node's queue are those that the workload
 * has generated up to now and the node has not taken up. The queue's length is the distance of two
 * places in the node's stream of messages: the node's own place, and a place that each look takes
 * forward to the present. So a look costs a pass over the nodes, and a step for each waiting
 * message that was generated since the last look, however long the queues are.
 *
 * Everything here runs at the boundary, one thread alone.
 */
#include "engine/account/account.h"
#include "engine/message/message.h"

/* messages that may be generated between two looks, where the load is known */
#define LOOK_MESSAGES	0x40000U
/* ... and least cycles between them */
#define LOOK_CYCLES	16U

/* messages of a workload that all nodes generate in 10^9 cycles; 0: not known */
static u64 generated_of(const struct mcfab_workload_cfg *w, u32 nodes)
{
	u32 sources = w->source == MCFAB_NONE ? nodes : 1;

	switch (w->kind) {
	case MCFAB_WORKLOAD_TYPE_POISSON:
	case MCFAB_WORKLOAD_TYPE_BERNOULLI:
	case MCFAB_WORKLOAD_TYPE_ON_OFF:
		return w->rate * sources;
	case MCFAB_WORKLOAD_TYPE_FIXED:
		return (u64)MCFAB_RATE_ONE / w->interval * (w->network ? 1 : sources);
	default:
		return 0;
	}
}

static u64 messages_generated(const struct mcfab_engine *e)
{
	u64 sum = 0;
	u32 i;

	if (!e->work.nclasses)
		return generated_of(&e->work.cfg, e->work.nodes);
	for (i = 0; i < e->work.nclasses; i++)
		sum += generated_of(&e->work.class[i].cfg, e->work.nodes);
	return sum;
}

/**
 * mcfab_queues_interval() - how often the boundary looks at source queues
 * @e: engine, its workload open
 * @most: cycles between two looks under an ordinary load
 *
 * Under heavy loads there are more looks, so that no look has millions of messages to generate.
 *
 * Context: start of a run.
 * Return: cycles between two looks; a function of the configuration.
 */
u64 mcfab_queues_interval(const struct mcfab_engine *e, u64 most)
{
	u64 load = messages_generated(e);

	if (!load)
		return most;
	return clamp(div64_u64((u64)LOOK_MESSAGES * MCFAB_RATE_ONE, load), (u64)LOOK_CYCLES, most);
}

/**
 * mcfab_queues_next() - when the boundary looks at source queues next
 * @e: engine; there was a look just now, or the run begins
 *
 * Looks are at even distances. The queues of a list or a burst may come and go in between, so there
 * is also a look after a cycle in which messages were generated; but not so often that looks take
 * longer than the other work.
 *
 * Context: boundary.
 * Return: the cycle.
 */
u64 mcfab_queues_next(const struct mcfab_engine *e)
{
	const struct mcfab_boundary *b = &e->boundary;
	u64 next = (e->cycle / b->queue_interval + 1) * b->queue_interval;

	if (e->run.lone || messages_generated(e))
		return next;
	if (!b->queues_seen)
		return 1;
	if (b->next_gen == U64_MAX)
		return next;
	return min(next, max(b->next_gen + 1, e->cycle + max(e->topo->nodes / 16, 1U)));
}

/**
 * mcfab_queues_longest() - longest source queue seen
 * @e: engine
 *
 * Context: boundary.
 * Return: number of messages; MCFAB_NONE: the run was so short that there was no look.
 */
u32 mcfab_queues_longest(const struct mcfab_engine *e)
{
	const struct mcfab_boundary *b = &e->boundary;

	return e->run.lone || b->queues_seen || b->queue_max ? b->queue_max : MCFAB_NONE;
}

/* length of a message for the loads, see struct mcfab_load_message */
static u32 load_flits(const struct mcfab_engine *e, u32 nr, u32 index)
{
	return e->run.weighed ? mcfab_message_flits(e, nr, index) : 0;
}

static void count_skipped(struct mcfab_engine *e, struct mcfab_load *load)
{
	u32 i;

	for (i = 0; i < e->nshards; i++) {
		struct mcfab_shard *s = &e->shard[i];

		if (s->skipped.messages || s->unqueued)
			mcfab_load_skipped(load, e->cycle - 1, &s->skipped, s->unqueued);
		memset(&s->skipped, 0, sizeof(s->skipped));
		s->unqueued = 0;
	}
}

/* bring a node with waiting messages to the present; return: the number of these messages */
static noinline u32 bring_up(struct mcfab_engine *e, u32 nr, u32 *work)
{
	struct mcfab_load *load = &e->results->stats.load;
	const struct mcfab_node *n = &e->node[nr];
	const struct mcfab_source *part = mcfab_parts(e, nr);
	struct mcfab_source *due = &e->due[nr];
	struct mcfab_source *due_part = e->due_part + nr * e->work.nclasses;
	u64 taken = mcfab_stream_passed(&e->work, &n->stream, part);

	/* messages taken up since the last look are counted when they are handed over */
	if (mcfab_stream_passed(&e->work, due, due_part) <= taken) {
		*due = n->stream;
		if (e->work.nclasses)
			memcpy(due_part, part, e->work.nclasses * sizeof(*part));
	}
	while (due->gen < e->cycle) {
		mcfab_load_generated(load, mcfab_workload_class(&e->work, nr, due->index), due->gen,
				     mcfab_workload_ndests(&e->work, nr, due->index),
				     load_flits(e, nr, due->index));
		mcfab_stream_next(&e->work, nr, due, due_part);
		mcfab_breathe(++*work);
	}
	return mcfab_stream_passed(&e->work, due, due_part) - taken;
}

/**
 * mcfab_queues_look() - count messages that wait at their sources
 * @e: engine
 *
 * These are messages that were generated before the current cycle and that no node has taken up.
 * Lone multicasts do not queue.
 *
 * Context: boundary, without stats_lock: no other thread reads the loads before the run has ended.
 * May sleep.
 */
void mcfab_queues_look(struct mcfab_engine *e)
{
	const u32 nodes = e->run.lone ? 0 : e->topo->nodes;
	const struct mcfab_node *const node = e->node;
	u32 i, end, queue, work = 0, longest = e->boundary.queue_max;
	const bool classes = e->work.nclasses;
	u64 waiting = 0, generated = 0, oldest = U64_MAX, next = U64_MAX;
	const u64 now = e->cycle;

	for (i = 0; i < nodes; ) {
		for (end = mcfab_breath_end(i, nodes); i < end; i++) {
			generated += likely(!classes) ? node[i].stream.index :
				     mcfab_stream_passed_classes(&e->work, mcfab_parts(e, i));
			if (likely(node[i].stream.gen >= now)) {
				next = min(next, node[i].stream.gen);
				continue;
			}
			oldest = min(oldest, node[i].stream.gen);
			queue = bring_up(e, i, &work);
			next = min(next, e->due[i].gen);
			longest = max(longest, queue);
			waiting += queue;
		}
	}
	generated += waiting;
	count_skipped(e, &e->results->stats.load);
	e->boundary.looked = nodes ? now : 0;
	e->boundary.oldest = min(oldest, next);
	e->boundary.queue_max = longest;
	e->boundary.next_gen = next;
	e->boundary.flooded = waiting > generated / 2;
}
