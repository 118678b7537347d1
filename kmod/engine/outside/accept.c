// SPDX-License-Identifier: GPL-2.0
/*
 * Messages that are handed in from outside (workload/outside.h) are accepted by the boundary.
 *
 * A run has room for a number of messages under way (mcfab_outside_limit()). Further messages wait
 * in the inboxes of their nodes, so whoever hands them in is held back as soon as an inbox is full.
 * They are generated in the cycle in which they are accepted. Inboxes that have some take turns.
 */
#include "engine/lib/breath.h"
#include "engine/outside/outside.h"
#include "workload/arrivals.h"

/* sequence numbers end here: a node accepts no more messages in this run */
#define LAST_NUMBER	(U32_MAX - 1)

/**
 * mcfab_outside_limit() - set how many messages a run may have under way
 * @e: engine with messages from outside; the limits of its pools are set
 *
 * There are so many that no pool runs dry even if each of them goes to all nodes; but one of each
 * node at least, as most go to fewer.
 *
 * Context: start of a run, or boundary.
 */
void mcfab_outside_limit(struct mcfab_engine *e)
{
	u64 worms = e->run.max_worms, packets = e->run.packets, most = e->block_pool.limit;

	if (e->flags & MCFAB_ENG_HOST)
		most = min(most, e->job_pool.limit / (packets * (2 * e->run.max_dst + 3 * worms)));
	else
		most = min(most, e->relay_pool.limit / worms);
	most = min(most, e->round_pool.limit / (packets * worms));
	/* what is over is in its pool until the next cycle */
	e->outside.most = max_t(u64, most - most / 8, e->topo->nodes);
}

/* by messages that a node has accepted: has it one that it has not taken up? */
static bool waits(const struct mcfab_source *src)
{
	return src->gen != U64_MAX;
}

/* a node's place in its stream, if it was at the end: go on to the first message behind it */
static void go_on(const struct mcfab_engine *e, struct mcfab_inbox *in, struct mcfab_source *src)
{
	if (!waits(src) && in->base + src->index != in->accepted)
		src->gen = mcfab_inbox_at(in, in->base + src->index)->cycle;
}

/* note that messages are generated; return: how many, @most at most */
static u32 generate(struct mcfab_engine *e, struct mcfab_inbox *in, u32 most)
{
	struct mcfab_arrivals *log = e->outside.from->log;
	/* pairs with the release in mcfab_inbox_put() */
	u32 given = smp_load_acquire(&in->given), nr = in->accepted, last;
	u64 cycle = e->cycle;

	last = nr + min3(given - nr, most, LAST_NUMBER - (nr - in->base));
	if (nr != in->base)
		cycle = max(cycle, mcfab_inbox_at(in, nr - 1)->cycle);
	for (; nr != last; nr++) {
		struct mcfab_offer *offer = mcfab_inbox_at(in, nr);

		cycle = max(cycle, offer->cycle);
		offer->cycle = cycle;
		if (log)
			mcfab_arrivals_add(log, in->node, offer);
	}
	return last - in->accepted;
}

/* a node has so many more messages; return: first cycle in which it has to act, or U64_MAX */
static u64 accept(struct mcfab_engine *e, struct mcfab_inbox *in, u32 more)
{
	struct mcfab_source *src = &e->node[in->node].stream;

	if (!more)
		return U64_MAX;
	in->accepted += more;
	atomic_add(more, &e->outside.under_way);
	go_on(e, in, &e->due[in->node]);
	if (waits(src))
		return U64_MAX;
	go_on(e, in, src);
	mcfab_timers_hasten(&e->shard[e->shard_of_node[in->node]].timers, in->node, src->gen + 1);
	return src->gen + 1;
}

static void push(struct mcfab_engine *e, u32 node)
{
	struct mcfab_outsides *o = &e->outside;

	o->turn[(o->first + o->nturns++) % e->topo->nodes] = node;
}

static struct mcfab_inbox *pop(struct mcfab_engine *e)
{
	struct mcfab_outsides *o = &e->outside;
	u32 node = o->turn[o->first];

	o->first = (o->first + 1) % e->topo->nodes;
	o->nturns--;
	return o->from->inbox[node];
}

/* inboxes that are listed since the last boundary wait for their turn */
static void line_up(struct mcfab_engine *e)
{
	struct llist_node *pos, *next;
	u32 done = 0;

	if (llist_empty(&e->outside.from->ready))
		return;
	llist_for_each_safe(pos, next, llist_del_all(&e->outside.from->ready)) {
		push(e, llist_entry(pos, struct mcfab_inbox, ready)->node);
		mcfab_breathe(++done);
	}
}

/**
 * mcfab_outside_in() - accept messages that were handed in
 * @e: engine
 *
 * They are generated in this cycle, or later if that was asked for. A run that is being stopped
 * accepts none: they wait for its end.
 *
 * Context: boundary.
 * Return: the first cycle in which a node has to act for them; U64_MAX: none does.
 */
u64 mcfab_outside_in(struct mcfab_engine *e)
{
	struct mcfab_outsides *o = &e->outside;
	u32 under_way = atomic_read(&o->under_way), done = 0;
	u64 first = U64_MAX;

	line_up(e);
	if (READ_ONCE(o->drain))
		return U64_MAX;
	while (o->nturns && under_way < o->most) {
		struct mcfab_inbox *in = pop(e);
		u32 more;

		/* pairs with mcfab_inbox_put(): either it lists the inbox again, or we see all */
		atomic_xchg(&in->listed, 0);
		more = generate(e, in, DIV_ROUND_UP(o->most - under_way, o->nturns + 1));
		first = min(first, accept(e, in, more));
		under_way += more;
		/* there is more: to the end of the line, unless mcfab_inbox_put() has listed it */
		if (more && in->accepted != READ_ONCE(in->given) && !atomic_xchg(&in->listed, 1))
			push(e, in->node);
		mcfab_breathe(++done);
	}
	return first;
}

/**
 * mcfab_outside_forget() - the run ends: no inbox waits for its turn any more
 * @e: engine
 *
 * Context: boundary, before the outside hears of the end.
 */
void mcfab_outside_forget(struct mcfab_engine *e)
{
	while (e->outside.nturns)
		atomic_set(&pop(e)->listed, 0);
}
