// SPDX-License-Identifier: GPL-2.0
/*
 * A node's send queue (engine-model, rule 7): one first-come queue of tasks, be
 * they its own messages or steps it owes as a later sender; preparation,
 * start-up, rounds, injection channels.
 *
 * The node's own messages need no memory while they queue: the workload draws
 * message number i when the node gets to it. What a start-up needs to know of the
 * past is one number, the cycle from which the node is free. Where nodes have hosts and
 * network interfaces, host.c takes the place of all that comes before the injection.
 *
 * Everything runs in the grant phase of the shard that owns the node. Letters
 * only note what happened; mcfab_node_step() acts on it once all are read, so
 * that the order of the letters means nothing.
 */
#include "engine/engine.h"
#include "engine/rec.h"
#include "engine/trace.h"
#include "subnet/subnet.h"

static struct mcfab_plan *task_plan(const struct mcfab_engine *e, const struct mcfab_node *n)
{
	return &mcfab_block(e, e->mcast[n->mcast].plan)->plan;
}

static void wake_node(struct mcfab_engine *e, struct mcfab_shard *s, u32 node)
{
	mcfab_heap_set(&s->heap, node, e->cycle);
}

/* does its queue wait for packets on their way? If for time alone, the heap knows for which */
static bool waits(const struct mcfab_engine *e, const struct mcfab_node *n)
{
	return e->flags & MCFAB_ENG_HOST || n->state == MCFAB_TASK_INJECT ||
	       n->state == MCFAB_TASK_WAIT;
}

/* what a relay of one message owes comes before another's by the message's key */
static bool relay_before(const struct mcfab_engine *e, const struct mcfab_relay *a,
			 const struct mcfab_relay *b)
{
	int order;

	if (a->entry != b->entry)
		return a->entry < b->entry;
	order = mcfab_message_order(&e->mcast[a->mcast], &e->mcast[b->mcast]);
	if (order)
		return order < 0;
	return a->worm != b->worm ? a->worm < b->worm : a->packet < b->packet;
}

/**
 * mcfab_node_relay() - a later sender has the whole message, or a round is over:
 *			queue the next step
 * @e: engine
 * @s: shard of the node
 * @relay: the relay
 *
 * Context: grant phase.
 */
void mcfab_node_relay(struct mcfab_engine *e, struct mcfab_shard *s, u32 relay)
{
	u32 *at = &e->node[e->relay[relay].node].relays;

	while (*at != MCFAB_NONE && relay_before(e, &e->relay[*at], &e->relay[relay]))
		at = &e->relay[*at].link;
	e->relay[relay].link = *at;
	*at = relay;
	wake_node(e, s, e->relay[relay].node);
}

/* one worm of a round is through: is it time for the next round? */
static void round_progress(struct mcfab_engine *e, struct mcfab_shard *s,
			   const struct mcfab_worm *w)
{
	struct mcfab_relay *next;

	if (w->next_round == MCFAB_NONE)
		return;
	next = &e->relay[w->next_round];
	if (--next->left)
		return;
	/* what this cycle knows happened at the end of the last one */
	next->entry = e->cycle - 1;
	mcfab_node_relay(e, s, w->next_round);
}

/**
 * mcfab_node_injected() - a worm's tail has left its source
 * @e: engine
 * @s: shard of the node
 * @rec: record of the injection channel
 *
 * Context: grant phase.
 */
void mcfab_node_injected(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec)
{
	u32 nr = mcfab_rec_node(e, rec);
	struct mcfab_node *n = &e->node[nr];
	struct mcfab_worm *w;

	n->channels |= BIT_ULL(mcfab_rec_channel(e, rec));
	if (e->source)
		e->source[mcfab_rec_vc(e, rec) - e->nvcs] = MCFAB_NO_REC;
	w = &e->worm[e->rec[rec].worm];
	if (w->task == n->task && n->uninjected)
		n->uninjected--;
	if (e->rounds == MCFAB_ROUNDS_INJECTED)
		round_progress(e, s, w);
	mcfab_rec_clear(&e->rec[rec], s->nr);
	mcfab_rec_give(e, s, rec);
	if (waits(e, n))
		wake_node(e, s, nr);
}

/**
 * mcfab_node_progress() - a worm of a message has ended, or a packet is through its host
 * @e: engine
 * @s: shard that runs this
 * @mcast: the message
 *
 * Context: grant phase.
 */
void mcfab_node_progress(struct mcfab_engine *e, struct mcfab_shard *s, u32 mcast)
{
	struct mcfab_mcast *m = &e->mcast[mcast];

	if (mcfab_count(mcfab_alone(e), &m->left, -1))
		return;
	/* all others ended before, and none of them has led to more: nobody reads its plan */
	s->dead_block[s->ndead_blocks++] = m->plan;
	m->link = s->done;
	s->done = mcast;
}

/**
 * mcfab_node_worm_end() - all flits of a worm are consumed
 * @e: engine
 * @s: shard of the worm's sender
 * @worm: the worm; its number is given back in the next move phase
 *
 * Context: grant phase.
 */
void mcfab_node_worm_end(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm)
{
	struct mcfab_worm *w = &e->worm[worm];
	struct mcfab_node *n = &e->node[w->node];
	struct mcfab_mcast *m = &e->mcast[w->mcast];

	if (w->task == n->task && n->undelivered) {
		n->undelivered--;
		if (waits(e, n))
			wake_node(e, s, w->node);
	}
	if (e->rounds == MCFAB_ROUNDS_DELIVERED)
		round_progress(e, s, w);
	mcfab_count(mcfab_alone(e), &m->traffic, atomic_read(&w->traffic));
	mcfab_count64(mcfab_alone(e), &m->channel_cycles, atomic64_read(&w->channel_cycles));
	mcfab_node_progress(e, s, w->mcast);
	s->dead_worm[s->ndead_worms++] = worm;
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
	u32 end = first;

	while (end < plan->nworms && plan->worm[end].after == pw->after &&
	       plan->worm[end].sender == pw->sender)
		end++;
	return end;
}

static u32 round_end(const struct mcfab_plan *plan, u32 first, u32 end)
{
	u32 next = first;

	while (next < end && plan->worm[next].round == plan->worm[first].round)
		next++;
	return next;
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

static void next_step(struct mcfab_engine *e, struct mcfab_shard *s, struct mcfab_node *n)
{
	u32 nr = n->relays;
	struct mcfab_relay *relay = &e->relay[nr];

	n->relays = relay->link;
	n->mcast = relay->mcast;
	n->begun = relay->begun;
	n->prep = relay->prep;
	n->next = relay->worm;
	memcpy(n->part, relay->part, sizeof(n->part));
	/* numbers are given back in the phase in which none is taken */
	if (relay->round)
		s->dead_round[s->ndead_rounds++] = nr - e->relay_pool.size;
	else
		mcfab_pool_give(&e->relay_pool, nr);
}

/* the task goes on after this round: what enters the queue when the round is over */
static void plan_next_round(struct mcfab_engine *e, struct mcfab_node *n)
{
	u32 nr = mcfab_pool_take(&e->round_pool);
	struct mcfab_relay *next;

	n->next_round = MCFAB_NONE;
	if (nr == MCFAB_NONE)
		return;		/* the boundary ends the run */
	n->next_round = nr + e->relay_pool.size;
	next = &e->relay[n->next_round];
	next->begun = n->begun;
	next->mcast = n->mcast;
	next->worm = n->round_end;
	next->node = n - e->node;
	next->left = n->uninjected;
	next->round = true;
	next->packet = 0;
	next->prep = n->prep;
	memcpy(next->part, n->part, sizeof(n->part));
}

static void begin_round(struct mcfab_engine *e, struct mcfab_node *n, u64 from, u32 prep)
{
	n->state = MCFAB_TASK_STARTUP;
	n->ready = from + prep + e->startup;
	n->round_end = round_end(task_plan(e, n), n->next, n->task_end);
	n->first = n->next;
	n->packet = 0;
	n->uninjected = (n->round_end - n->next) * e->packets;
	n->undelivered = n->uninjected;
	n->task++;
	n->next_round = MCFAB_NONE;
	if (n->round_end < n->task_end)
		plan_next_round(e, n);
	mcfab_count(mcfab_alone(e), &e->mcast[n->mcast].startups, 1);
	trace_mcfab_startup(e, n, from);
}

/* take the next task; false: there is none yet, the heap knows when to look again */
static bool begin_task(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	struct mcfab_node *n = &e->node[nr];
	u64 relay = n->relays == MCFAB_NONE ? U64_MAX : e->relay[n->relays].entry;
	u32 prep;	/* a further round is prepared already */
	u64 entry, from;
	bool own;

	if (unlikely(e->lossy))
		mcfab_node_skip(e, s, nr);
	own = n->stream.gen < relay;
	entry = min(n->stream.gen, relay);
	from = max(entry, n->free_at);
	/* new messages are planned by new routes */
	if (entry == U64_MAX || (own && e->paused))
		return false;
	/* whatever enters in a cycle is known from the next one on */
	if (entry >= e->cycle) {
		mcfab_heap_set(&s->heap, nr, entry + 1);
		return false;
	}
	if (own) {
		if (!mcfab_node_message(e, s, nr))
			return false;
		prep = n->prep;
		e->mcast[n->mcast].queue_cycles = from - entry;
	} else {
		prep = e->relay[n->relays].round ? 0 : e->relay[n->relays].prep;
		next_step(e, s, n);
	}
	n->task_end = mcfab_task_end(task_plan(e, n), n->next);
	begin_round(e, n, from, prep);
	return true;
}

/**
 * mcfab_node_inject() - a worm gets an injection channel
 * @e: engine
 * @s: shard of the node
 * @nr: the node, which has a free injection channel
 * @mcast: the message
 * @index: the worm's number in its plan
 * @packet: the packet's number in the message
 * @part: parts of the latency up to the end of the cycle before
 *
 * Context: grant phase.
 * Return: false if the pool is dry: the boundary ends the run.
 */
bool mcfab_node_inject(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr, u32 mcast, u32 index,
		       u32 packet, const u32 *part)
{
	struct mcfab_node *n = &e->node[nr];
	struct mcfab_plan *plan = &mcfab_block(e, e->mcast[mcast].plan)->plan;
	struct mcfab_plan_worm *pw = &plan->worm[index];
	u32 worm = mcfab_pool_take(&e->worm_pool);
	u32 channel = __ffs64(n->channels);
	struct mcfab_front *f;
	struct mcfab_rec *r;
	struct mcfab_worm *w;
	u32 rec;

	if (worm == MCFAB_NONE)
		return false;
	rec = mcfab_rec_take(e, s, s->nr);
	r = &e->rec[rec];
	f = &e->front[rec];
	n->channels &= ~BIT_ULL(channel);
	e->rec[rec].vc = e->nvcs + nr * e->inject + channel;
	if (e->source)
		e->source[nr * e->inject + channel] = rec;

	w = &e->worm[worm];
	w->head = rec;
	w->packet = packet;
	w->serial = n->serial++;
	w->flits = packet + 1 < e->packets ? e->flits : e->last_flits;
	if (e->flags & MCFAB_ENG_HEADERS)
		w->flits += mcfab_header_more(e->pol, plan->dst, pw->first,
					      pw->first + pw->count);
	w->span = packet + 1 < e->packets ? e->span : e->last_span;
	w->crossed = 0;
	w->active = false;
	w->only = plan->dst[0];
	w->dst = plan->ndst == 1 ? &w->only : plan->dst;
	w->port = pw->port;
	w->arg = pw->arg;
	w->mcast = mcast;
	w->index = index;
	w->node = nr;
	w->task = n->task;
	w->next_round = n->next_round;
	atomic_set(&w->traffic, 0);
	atomic_set(&w->live, 1);
	atomic_set(&w->cut, 0);
	w->end = 0;
	atomic64_set(&w->channel_cycles, 0);
	memcpy(w->part, part, sizeof(w->part));

	r->sent = w->flits;
	r->reads = U32_MAX;
	r->worm = worm;
	r->link = MCFAB_NONE;
	r->parent = MCFAB_NONE;
	r->waiting = 1;
	r->flags = MCFAB_REC_INJECT;
	r->run = 0;
	if (e->goal && mcfab_fault_useless(e, nr, &e->mcast[mcast]))
		r->flags |= MCFAB_REC_CUT;

	if (e->flags & (MCFAB_ENG_HEADERS | MCFAB_ENG_LENGTHS))
		e->len[rec] = w->flits;
	if (e->flags & MCFAB_ENG_BRANCHES)
		e->kids[rec] = MCFAB_NONE;
	if (e->flags & MCFAB_ENG_TREES)
		mcfab_tree_init(e, rec);
	if (e->flags & MCFAB_ENG_COPIES)
		e->copies[rec] = MCFAB_NONE;
	if (e->flags & MCFAB_ENG_WORM)
		e->pending[rec] = 0;
	if (e->flags & MCFAB_ENG_SHARED) {
		n->link_free = e->cycle + w->flits;
		if (e->flags & MCFAB_ENG_SPEEDUP)
			mcfab_arbiter_arrive(e, s, rec);
	}
	f->granted = e->cycle;
	/* a source waits for nothing; see mcfab_tails_hold_back() */
	if (!(e->flags & MCFAB_ENG_TREES))
		f->due = U64_MAX;
	r->hops = 0;
	r->first = pw->first;
	r->last = pw->first + pw->count;
	r->state = 0;
	f->since = e->cycle + e->inject_delay + e->route_delay;
	f->link = MCFAB_NONE;
	mcfab_queue_put(&s->injecting, &e->front[s->injecting.tail].link, rec);
	trace_mcfab_inject(e, rec);
	return true;
}

static void inject_worm(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	struct mcfab_node *n = &e->node[nr];
	u32 part[MCFAB_PARTS];

	memcpy(part, n->part, sizeof(part));
	/* the worm's clock runs from the end of the cycle before */
	part[MCFAB_PART_QUEUE] += e->cycle - 1 - n->begun - n->prep - e->startup;
	part[MCFAB_PART_PREP] += n->prep;
	part[MCFAB_PART_STARTUP] += e->startup;
	mcfab_node_inject(e, s, nr, n->mcast, n->next, n->packet, part);
}

/* the worms of a round send a packet each in turn */
static void inject_round(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	struct mcfab_node *n = &e->node[nr];

	while (n->next < n->round_end && n->channels && !e->paused) {
		if (e->flags & MCFAB_ENG_SHARED && e->cycle < n->link_free) {
			mcfab_heap_set(&s->heap, nr, n->link_free);
			return;
		}
		inject_worm(e, s, nr);
		if (++n->next == n->round_end && ++n->packet < e->packets)
			n->next = n->first;
	}
}

/* the round's worms all have their channels: is the node free? */
static bool end_round(struct mcfab_engine *e, struct mcfab_node *n)
{
	if ((e->busy == MCFAB_BUSY_INJECTED && n->uninjected) ||
	    (e->busy == MCFAB_BUSY_DELIVERED && n->undelivered)) {
		n->state = MCFAB_TASK_WAIT;
		return false;
	}
	n->free_at = e->busy == MCFAB_BUSY_STARTUP ? n->ready : e->cycle - 1;
	n->state = MCFAB_TASK_NONE;
	return true;
}

/**
 * mcfab_node_step() - let a node's send queue go on as far as it can now
 * @e: engine
 * @s: shard of the node
 * @nr: the node
 *
 * Sets the node's next event in the heap where it waits for time; where it waits
 * for something else (an injection channel, a delivery) that wakes it.
 *
 * Context: grant phase.
 */
void mcfab_node_step(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	struct mcfab_node *n = &e->node[nr];

	if (e->flags & MCFAB_ENG_HOST) {
		mcfab_host_step(e, s, nr);
		return;
	}
	for (;;) {
		switch (n->state) {
		case MCFAB_TASK_NONE:
			if (!begin_task(e, s, nr))
				return;
			break;
		case MCFAB_TASK_STARTUP:
			if (n->ready >= e->cycle) {
				mcfab_heap_set(&s->heap, nr, n->ready + 1);
				return;
			}
			n->state = MCFAB_TASK_INJECT;
			break;
		case MCFAB_TASK_INJECT:
			inject_round(e, s, nr);
			if (n->next < n->round_end || !end_round(e, n))
				return;
			break;
		case MCFAB_TASK_WAIT:
			if (!end_round(e, n))
				return;
			break;
		}
	}
}
