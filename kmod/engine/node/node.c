// SPDX-License-Identifier: GPL-2.0
/*
 * A node's send queue (engine-model, rule 7): one first-come queue of tasks, be
 * they its own messages or steps it owes as a later sender; preparation,
 * start-up, rounds, injection channels.
 *
 * The node's own messages need no memory while they queue (message.c). What a start-up
 * needs to know of the past is one number, the cycle from which the node is free. Where nodes
 * have hosts and network interfaces, host.c takes the place of all that comes before the
 * injection.
 *
 * Everything runs in the grant phase of the shard that owns the node. Letters
 * only note what happened; mcfab_node_step() acts on it once all are read, so
 * that the order of the letters means nothing.
 */
#include "engine/engine.h"
#include "engine/flight/flight.h"
#include "engine/state/port.h"
#include "engine/state/rec.h"
#include "trace/trace.h"

static struct mcfab_plan *task_plan(const struct mcfab_engine *e, const struct mcfab_node *n)
{
	return &mcfab_block(e, e->mcast[n->mcast].plan)->plan;
}

static void wake_node(struct mcfab_engine *e, struct mcfab_shard *s, u32 node)
{
	mcfab_agenda_set(&s->agenda, node, e->cycle);
}

/* does its queue wait for packets on their way? If for time alone, the agenda knows for which */
static bool waits(const struct mcfab_engine *e, const struct mcfab_node *n)
{
	return e->flags & MCFAB_ENG_HOST || n->state == MCFAB_TASK_INJECT ||
	       n->state == MCFAB_TASK_WAIT;
}

/* may a further round begin when the tails of one have left? */
static bool may_have_rounds(const struct mcfab_engine *e)
{
	return e->rounds == MCFAB_ROUNDS_INJECTED && e->max_worms > 1;
}

/* is a node to hear at once that the tail of a worm has left? */
static bool tail_awaited(const struct mcfab_engine *e, const struct mcfab_worm *w)
{
	return waits(e, &e->node[w->node]) ||
	       (e->rounds == MCFAB_ROUNDS_INJECTED && w->next_round != MCFAB_NONE);
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
	struct mcfab_relay *new = mcfab_step(e, relay);
	u32 *at = &e->node[new->node].relays;

	while (*at != MCFAB_NONE && relay_before(e, mcfab_step(e, *at), new))
		at = &mcfab_step(e, *at)->link;
	new->link = *at;
	*at = relay;
	wake_node(e, s, new->node);
}

/* one worm of a round is through: is it time for the next round? */
static void round_progress(struct mcfab_engine *e, struct mcfab_shard *s,
			   const struct mcfab_worm *w)
{
	struct mcfab_relay *next;

	if (w->next_round == MCFAB_NONE)
		return;
	next = mcfab_step(e, w->next_round);
	if (--next->left)
		return;
	/* what this cycle knows happened at the end of the last one */
	next->entry = e->cycle - 1;
	mcfab_node_relay(e, s, w->next_round);
}

/**
 * mcfab_node_left() - a worm's tail has left its source
 * @e: engine
 * @s: shard of the node
 * @worm: the worm
 * @channel: its injection channel
 *
 * Context: grant phase.
 */
void mcfab_node_left(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm, u32 channel)
{
	const struct mcfab_worm *w = &e->worm[worm];
	struct mcfab_node *n = &e->node[w->node];

	n->channels |= BIT_ULL(channel);
	if (w->task == n->task && n->uninjected)
		n->uninjected--;
	if (e->rounds == MCFAB_ROUNDS_INJECTED)
		round_progress(e, s, w);
	if (waits(e, n))
		wake_node(e, s, w->node);
}

/**
 * mcfab_node_expect() - it is known in which cycle a worm's tail leaves its source
 * @e: engine with mcfab_engine.flights
 * @s: shard of the node
 * @worm: the worm
 * @gone: the cycle
 *
 * If the node waits for it, it looks in the next cycle.
 *
 * Context: grant phase.
 */
void mcfab_node_expect(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm, u64 gone)
{
	const struct mcfab_worm *w = &e->worm[worm];

	if (tail_awaited(e, w))
		mcfab_agenda_hasten(&s->agenda, w->node, gone + 1);
}

/**
 * mcfab_node_expects() - will time bring a node anything to do?
 * @e: engine with mcfab_engine.flights
 * @nr: the node
 *
 * Context: boundary.
 * Return: whether it has a message or step to come, or knows of a tail that it waits for.
 */
bool mcfab_node_expects(const struct mcfab_engine *e, u32 nr)
{
	const struct mcfab_node *n = &e->node[nr];
	u32 worm;

	if (n->state == MCFAB_TASK_STARTUP)
		return true;
	if (n->state == MCFAB_TASK_NONE && (n->stream.gen != U64_MAX || n->relays != MCFAB_NONE))
		return true;
	for (worm = n->out; worm != MCFAB_NO_WORM; worm = e->flight[worm].out)
		if (!(e->flight[worm].gone & MCFAB_OPEN) && tail_awaited(e, &e->worm[worm]))
			return true;
	return false;
}

/**
 * mcfab_node_injected() - the same, and its record is not in use any more
 * @e: engine
 * @s: shard of the node
 * @rec: record of the injection channel
 *
 * Context: grant phase.
 */
void mcfab_node_injected(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec)
{
	if (e->source)
		e->source[mcfab_rec_vc(e, rec) - e->nvcs] = MCFAB_NO_REC;
	mcfab_node_left(e, s, e->rec[rec].worm, mcfab_rec_channel(e, rec));
	mcfab_rec_clear(&e->rec[rec], s->nr);
	mcfab_rec_give(e, s, rec);
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

static u32 round_end(const struct mcfab_plan *plan, u32 first, u32 end)
{
	u32 next = first + 1;

	while (next < end && plan->worm[next].round == plan->worm[first].round)
		next++;
	return next;
}

static void next_step(struct mcfab_engine *e, struct mcfab_shard *s, struct mcfab_node *n)
{
	u32 nr = n->relays;
	struct mcfab_relay *relay = mcfab_step(e, nr);

	n->relays = relay->link;
	n->mcast = relay->mcast;
	n->begun = relay->begun;
	n->prep = relay->prep;
	n->next = relay->worm;
	memcpy(n->part, relay->part, sizeof(n->part));
	/* numbers are given back in the phase in which none is taken */
	if (nr & MCFAB_ROUND)
		s->dead_round[s->ndead_rounds++] = nr & ~MCFAB_ROUND;
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
	n->next_round = nr | MCFAB_ROUND;
	next = &e->round[nr];
	next->begun = n->begun;
	next->mcast = n->mcast;
	next->worm = n->round_end;
	next->node = n - e->node;
	next->left = n->uninjected;
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

/* take the next task; false: there is none yet, the agenda knows when to look again */
static bool begin_task(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	struct mcfab_node *n = &e->node[nr];
	u64 relay = n->relays == MCFAB_NONE ? U64_MAX : mcfab_step(e, n->relays)->entry;
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
		mcfab_agenda_set(&s->agenda, nr, entry + 1);
		return false;
	}
	if (own) {
		if (!mcfab_node_message(e, s, nr))
			return false;
		prep = n->prep;
		e->mcast[n->mcast].queue_cycles = from - entry;
	} else {
		prep = n->relays & MCFAB_ROUND ? 0 : e->relay[n->relays].prep;
		next_step(e, s, n);
		n->task_end = mcfab_task_end(task_plan(e, n), n->next);
	}
	begin_round(e, n, from, prep);
	return true;
}

static u32 packet_flits(const struct mcfab_engine *e, const struct mcfab_plan *plan,
			const struct mcfab_plan_worm *pw, u32 packet)
{
	u32 flits = packet + 1 < e->packets ? e->flits : e->last_flits;

	if (e->flags & MCFAB_ENG_HEADERS)
		flits += mcfab_header_more(e->pol, plan->dst, pw->first, pw->first + pw->count);
	return flits;
}

/**
 * mcfab_node_channel() - a free injection channel for a packet
 * @e: engine
 * @nr: the node
 * @mcast: the message
 * @index: the worm's number in its plan
 * @packet: the packet's number in the message
 *
 * Context: grant phase.
 * Return: the lowest, or MCFAB_NONE: the node is woken when there is one.
 */
u32 mcfab_node_channel(struct mcfab_engine *e, u32 nr, u32 mcast, u32 index, u32 packet)
{
	u64 channels = e->node[nr].channels;
	const struct mcfab_plan *plan;

	if (!channels)
		return MCFAB_NONE;
	if (likely(!(e->flags & MCFAB_ENG_PORTS) || !e->packet_room))
		return __ffs64(channels);
	plan = &mcfab_block(e, e->mcast[mcast].plan)->plan;
	return mcfab_port_find(e, nr, packet_flits(e, plan, &plan->worm[index], packet));
}

/* is a worm the last one that its message's source sends? */
static bool is_last(const struct mcfab_plan *plan, u32 index)
{
	return plan->worm[index].after == MCFAB_NONE &&
	       (index + 1 == plan->nworms || plan->worm[index + 1].after != MCFAB_NONE);
}

/**
 * mcfab_node_inject() - a worm gets an injection channel
 * @e: engine
 * @s: shard of the node
 * @nr: the node
 * @channel: the channel, see mcfab_node_channel()
 * @mcast: the message
 * @index: the worm's number in its plan
 * @packet: the packet's number in the message
 * @part: parts of the latency up to the end of the cycle before
 *
 * Context: grant phase.
 * Return: false if the pool is dry: the boundary ends the run.
 */
bool mcfab_node_inject(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr, u32 channel,
		       u32 mcast, u32 index, u32 packet, const u32 *part)
{
	struct mcfab_node *n = &e->node[nr];
	struct mcfab_mcast *m = &e->mcast[mcast];
	struct mcfab_plan *plan = &mcfab_block(e, m->plan)->plan;
	struct mcfab_plan_worm *pw = &plan->worm[index];
	u32 worm = mcfab_stock_take(&e->worm_pool, s->nr);
	struct mcfab_front *f;
	struct mcfab_rec *r;
	struct mcfab_worm *w;
	u32 rec;

	if (worm == MCFAB_NONE)
		return false;
	n->channels &= ~BIT_ULL(channel);

	w = &e->worm[worm];
	if (packet + 1 == e->packets && is_last(plan, index))
		m->accepted = e->cycle - 1 - m->gen;
	w->packet = packet;
	w->serial = n->serial++;
	w->flits = packet_flits(e, plan, pw, packet);
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
	if (e->flights) {
		mcfab_flight_begin(e, s, worm, channel, pw);
		return true;
	}

	if (!(e->flags & MCFAB_ENG_TAILS))
		memset(w->behind, MCFAB_NO_REC, sizeof(w->behind));
	rec = mcfab_rec_take(e, s, s->nr);
	r = &e->rec[rec];
	f = &e->front[rec];
	w->head = rec;
	e->rec[rec].vc = e->nvcs + nr * e->inject + channel;
	if (e->source && !(e->flags & MCFAB_ENG_PORTS))
		e->source[nr * e->inject + channel] = rec;
	r->sent = w->flits;
	/* several branches may read it, none farther ahead than the buffer allows */
	if (e->flags & MCFAB_ENG_PORTS && !e->paths)
		r->sent = min(w->flits, e->buffer);
	r->worm = worm;
	r->link = MCFAB_NONE;
	r->parent = MCFAB_NONE;
	r->waiting = 1;
	r->flags = MCFAB_REC_INJECT;
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
		e->link_free[nr] = e->cycle + w->flits;
		if (e->flags & MCFAB_ENG_SPEEDUP)
			mcfab_arbiter_arrive(e, s, rec);
	}
	f->granted = e->cycle;
	/* a source waits for nothing; see mcfab_tails_hold_back() */
	if (!(e->flags & MCFAB_ENG_TREES))
		f->due = U64_MAX;
	f->hops = 0;
	r->run = 0;
	f->first = pw->first;
	f->last = pw->first + pw->count;
	f->state = 0;
	f->since = e->cycle + e->inject_delay + e->route_delay;
	f->link = MCFAB_NONE;
	if (e->flags & MCFAB_ENG_PORTS)
		mcfab_port_enter(e, s, nr, channel, rec);
	else
		mcfab_queue_put(&s->injecting, &e->front[s->injecting.tail].link, rec);
	trace_mcfab_inject(e, rec);
	return true;
}

static void inject_worm(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr, u32 channel)
{
	struct mcfab_node *n = &e->node[nr];
	u32 part[MCFAB_PARTS];

	memcpy(part, n->part, sizeof(part));
	/* the worm's clock runs from the end of the cycle before */
	part[MCFAB_PART_QUEUE] += e->cycle - 1 - n->begun - n->prep - e->startup;
	part[MCFAB_PART_PREP] += n->prep;
	part[MCFAB_PART_STARTUP] += e->startup;
	mcfab_node_inject(e, s, nr, channel, n->mcast, n->next, n->packet, part);
}

/* the worms of a round send a packet each in turn */
static void inject_round(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	struct mcfab_node *n = &e->node[nr];

	while (n->next < n->round_end && !e->paused) {
		u32 channel = mcfab_node_channel(e, nr, n->mcast, n->next, n->packet);

		if (channel == MCFAB_NONE)
			return;
		if (e->flags & MCFAB_ENG_SHARED && e->cycle < e->link_free[nr]) {
			mcfab_agenda_set(&s->agenda, nr, e->link_free[nr]);
			return;
		}
		inject_worm(e, s, nr, channel);
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

static void step(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	struct mcfab_node *n = &e->node[nr];

	for (;;) {
		switch (n->state) {
		case MCFAB_TASK_NONE:
			if (!begin_task(e, s, nr))
				return;
			break;
		case MCFAB_TASK_STARTUP:
			if (n->ready >= e->cycle) {
				mcfab_agenda_set(&s->agenda, nr, n->ready + 1);
				return;
			}
			n->state = MCFAB_TASK_INJECT;
			if (n->round_end == n->task_end)
				mcfab_message_ready(e, n->mcast, nr, n->ready);
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

/* a node with a host, or with a FIFO in its host's port */
static noinline void step_host(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	if (e->flags & MCFAB_ENG_PORTS)
		mcfab_ports_step(e, s, nr);
	if (e->flags & MCFAB_ENG_HOST)
		mcfab_host_step(e, s, nr);
	else
		step(e, s, nr);
	/* what has been injected just now, too */
	if (e->flags & MCFAB_ENG_PORTS)
		mcfab_ports_expect(e, s, nr);
}

/**
 * mcfab_node_step() - let a node's send queue go on as far as it can now
 * @e: engine
 * @s: shard of the node
 * @nr: the node
 *
 * Sets the node's next event in the agenda where it waits for time; where it waits
 * for something else (an injection channel, a delivery) that wakes it.
 *
 * Context: grant phase.
 */
void mcfab_node_step(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	const struct mcfab_node *n = &e->node[nr];
	bool out = e->flights && n->out != MCFAB_NO_WORM;

	if (unlikely(out))
		mcfab_flights_left(e, s, nr);
	if (likely(!(e->flags & (MCFAB_ENG_HOST | MCFAB_ENG_PORTS))))
		step(e, s, nr);
	else
		step_host(e, s, nr);
	/* the step may have begun a round, injected it, and gone on to another message */
	if (e->flights && (out || waits(e, n) || may_have_rounds(e)))
		mcfab_flights_expect(e, s, nr);
}
