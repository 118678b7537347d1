// SPDX-License-Identifier: GPL-2.0
/*
 * Messages from outside (workload/outside.h) under way, and their way out again; accept.c has their
 * way in.
 *
 * The boundary tells the outside of deliveries, one thread alone. Of the deliveries of a cycle the
 * outside is told in the order of messages and nodes, so what it does in return does not depend on
 * threads.
 */
#include "engine/lib/breath.h"
#include "engine/outside/outside.h"
#include "updown/updown.h"

/**
 * mcfab_outside_begin() - a run begins: messages have sequence numbers from 0 on
 * @e: engine
 *
 * Context: start of a run, no thread works on it.
 */
void mcfab_outside_begin(struct mcfab_engine *e)
{
	u32 i;

	for (i = 0; i < e->topo->nodes; i++) {
		struct mcfab_inbox *in = e->outside.from->inbox[i];

		mcfab_breathe(i + 1);
		if (in)
			in->base = in->accepted;
	}
	atomic_set(&e->outside.under_way, 0);
	mcfab_outside_links(e);
}

/**
 * mcfab_outside_links() - tell the outside which nodes have no link that works
 * @e: engine
 *
 * Context: start of a run, or boundary. May sleep.
 */
void mcfab_outside_links(struct mcfab_engine *e)
{
	struct mcfab_outside *from = e->outside.from;

	from->ops->links(from, e->faults.goal ? e->faults.goal->cut : NULL);
}

static u64 when_due(const struct mcfab_engine *e, u32 log)
{
	return e->log[log].d.gen + e->log[log].d.tail;
}

static int compare_due(const void *a, const void *b, const void *priv)
{
	const struct mcfab_engine *e = priv;
	u32 x = *(const u32 *)a, y = *(const u32 *)b;
	u64 due_x = when_due(e, x), due_y = when_due(e, y);
	int order;

	if (due_x != due_y)
		return due_x < due_y ? -1 : 1;
	order = mcfab_message_order(&e->mcast[e->outside.handout[x].mcast],
				    &e->mcast[e->outside.handout[y].mcast]);
	if (order)
		return order;
	return e->log[x].d.dst < e->log[y].d.dst ? -1 : e->log[x].d.dst > e->log[y].d.dst;
}

/* a node is full from now on */
static void fill_up(struct mcfab_engine *e, u32 node)
{
	if (!(e->flags & MCFAB_ENG_HOLDS) || e->node[node].full)
		return;
	e->node[node].full = true;
	e->outside.full[e->outside.nfull++] = node;
}

/**
 * mcfab_outside_reopen() - see which nodes are full no longer
 * @e: engine
 *
 * What waits for them is looked at in the next cycle.
 *
 * Context: boundary.
 */
void mcfab_outside_reopen(struct mcfab_engine *e)
{
	struct mcfab_outsides *o = &e->outside;
	u32 i, kept = 0;

	for (i = 0; i < o->nfull; i++) {
		u32 node = o->full[i];

		if (!o->from->ops->takes(o->from, node)) {
			o->full[kept++] = node;
			continue;
		}
		e->node[node].full = false;
		mcfab_router_mark(e, &e->shard[e->shard_of_node[node]], e->topo->router[node]);
	}
	o->nfull = kept;
}

/* the cycle of the next delivery that is known, or U64_MAX, when those up to now are told */
static u64 tell_deliveries(struct mcfab_engine *e)
{
	struct mcfab_outsides *o = &e->outside;
	u32 i, nr, before = o->ndue, done;

	for (i = 0; i < e->nshards; i++) {
		for (nr = e->shard[i].handouts; nr != MCFAB_NONE; nr = o->handout[nr].next)
			o->due[o->ndue++] = nr;
		e->shard[i].handouts = MCFAB_NONE;
	}
	if (!o->ndue)
		return U64_MAX;
	if (o->ndue - before > !before)
		sort_r(o->due, o->ndue, sizeof(*o->due), compare_due, NULL, e);
	for (done = 0; done < o->ndue; done++) {
		nr = o->due[done];
		if (when_due(e, nr) > e->cycle)
			break;
		mcfab_breathe(done + 1);
		if (!o->from->ops->deliver(o->from, o->message[o->handout[nr].mcast].cookie,
					   e->log[nr].d.dst, e->log[nr].d.gen, when_due(e, nr)))
			fill_up(e, e->log[nr].d.dst);
	}
	o->ndue -= done;
	memmove(o->due, o->due + done, o->ndue * sizeof(*o->due));
	return o->ndue ? when_due(e, o->due[0]) : U64_MAX;
}

/* with which messages the engine has done */
static void tell_overs(struct mcfab_engine *e)
{
	struct mcfab_outsides *o = &e->outside;
	u32 i, nr, told = 0;

	for (i = 0; i < e->nshards; i++) {
		for (nr = e->shard[i].overs; nr != MCFAB_NONE; nr = o->message[nr].next) {
			mcfab_breathe(++told);
			o->from->ops->over(o->from, o->message[nr].cookie);
		}
		e->shard[i].overs = MCFAB_NONE;
	}
	atomic_sub(told, &o->under_way);
}

/**
 * mcfab_outside_out() - tell the outside what came up to this cycle, and which messages are over
 * @e: engine
 *
 * Context: boundary. May sleep.
 * Return: cycle of the next delivery that is known, or U64_MAX.
 */
u64 mcfab_outside_out(struct mcfab_engine *e)
{
	u64 next = tell_deliveries(e);

	tell_overs(e);
	return next;
}

/**
 * mcfab_outside_take() - a node has taken up its next message
 * @e: engine
 * @node: the node
 * @mcast: the message
 * @asked: destinations for which it was handed in
 * @packets: packets that the node is going to send
 *
 * Context: grant phase of the node's shard; the message's plan is made.
 */
void mcfab_outside_take(struct mcfab_engine *e, u32 node, u32 mcast, u32 asked, u32 packets)
{
	struct mcfab_inbox *in = e->outside.from->inbox[node];

	e->outside.message[mcast] = (struct mcfab_handed){
		.cookie = mcfab_inbox_at(in, in->taken)->cookie,
		.asked = asked,
		.unsent = packets,
	};
	/* from here on its entry may be used again; pairs with mcfab_inbox_room() */
	smp_store_release(&in->taken, in->taken + 1);
}

/**
 * mcfab_outside_skip() - none of the destinations of a node's next message can be reached
 * @e: engine
 * @node: the node
 *
 * Context: grant phase of the node's shard.
 */
void mcfab_outside_skip(struct mcfab_engine *e, u32 node)
{
	struct mcfab_inbox *in = e->outside.from->inbox[node];

	e->outside.from->ops->over(e->outside.from, mcfab_inbox_at(in, in->taken)->cookie);
	atomic_dec(&e->outside.under_way);
	/* pairs with mcfab_inbox_room() */
	smp_store_release(&in->taken, in->taken + 1);
}

/**
 * mcfab_outside_left() - the tail of a packet has left the source of its message
 * @e: engine
 * @mcast: the message
 *
 * Context: grant phase of the source's shard.
 */
void mcfab_outside_left(struct mcfab_engine *e, u32 mcast)
{
	struct mcfab_handed *message = &e->outside.message[mcast];

	if (message->unsent && !--message->unsent)
		e->outside.from->ops->sent(e->outside.from, message->cookie, e->mcast[mcast].gen);
}

/**
 * mcfab_outside_over() - no packet of a message is under way any more
 * @e: engine
 * @s: shard that runs this
 * @mcast: the message
 *
 * The boundary tells the outside, behind the deliveries of this cycle.
 *
 * Context: grant phase, by one shard.
 */
void mcfab_outside_over(struct mcfab_engine *e, struct mcfab_shard *s, u32 mcast)
{
	struct mcfab_handed *message = &e->outside.message[mcast];

	/* in one cycle the last packet may end before the node hears that its tail has left */
	if (message->unsent)
		e->outside.from->ops->sent(e->outside.from, message->cookie, e->mcast[mcast].gen);
	message->unsent = 0;
	message->next = s->overs;
	s->overs = mcast;
}

/**
 * mcfab_outside_end() - the run ends: give back all messages that are still under way
 * @e: engine
 *
 * Context: boundary.
 */
void mcfab_outside_end(struct mcfab_engine *e)
{
	struct mcfab_outside *from = e->outside.from;
	u32 high = 0, i;

	tell_overs(e);
	for (i = 0; i < e->nshards; i++)
		high = max(high, e->shard[i].mcast_high);
	for (i = 0; i < high; i++) {
		mcfab_breathe(i + 1);
		if (e->mcast[i].used && atomic_read(&e->mcast[i].left))
			from->ops->over(from, e->outside.message[i].cookie);
	}
	for (i = 0; i < e->topo->nodes; i++) {
		struct mcfab_inbox *in = from->inbox[i];

		mcfab_breathe(i + 1);
		while (in && in->taken != in->accepted)
			mcfab_outside_skip(e, i);
	}
	e->outside.ndue = 0;
	mcfab_outside_forget(e);
	from->ops->end(from);
}
