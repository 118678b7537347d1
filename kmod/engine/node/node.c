// SPDX-License-Identifier: GPL-2.0
/*
 * A node's send queue: one first-come queue of tasks, which are the node's own messages
 * and its steps as a later sender; preparation, start-up, rounds, injection channels.
 *
 * The node's own messages need no memory while they queue (message.c). A start-up depends on
 * the past by one number only, the cycle from which the node is free. Where nodes have hosts
 * and network interfaces, host.c takes the place of everything before the injection.
 *
 * Everything here runs in the grant phase of the shard that owns the node. Readers of events
 * only note what happened; mcfab_node_step() acts once all events are read, so the order of
 * the events does not matter.
 */
#include "engine/message/message.h"
#include "engine/node/node.h"
#include "engine/outside/outside.h"
#include "engine/router/router.h"
#include "engine/state/lost.h"
#include "engine/state/rec.h"
#include "trace/trace.h"

static struct mcfab_plan *task_plan(const struct mcfab_engine *e, const struct mcfab_node *n)
{
	return &mcfab_block(e, e->mcast[n->mcast].plan)->plan;
}

static void wake_node(struct mcfab_engine *e, struct mcfab_shard *s, u32 node)
{
	mcfab_timers_set(&s->timers, node, e->cycle);
}

/* the order of steps in a send queue: by the cycle in which they enter, then by message and worm */
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

/* one packet of a round is injected or delivered: if it was the last, queue the next round */
static void round_progress(struct mcfab_engine *e, struct mcfab_shard *s,
			   const struct mcfab_worm *w)
{
	struct mcfab_relay *next;

	if (w->next_round == MCFAB_NONE)
		return;
	next = mcfab_step(e, w->next_round);
	if (--next->left)
		return;
	/* the events of this cycle happened at the end of the last cycle */
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
	if (e->run.busy == MCFAB_NODE_BUSY_MODE_INJECTED && w->task == n->task && n->uninjected)
		n->uninjected--;
	if (e->run.rounds == MCFAB_ROUNDS_MODE_INJECTED)
		round_progress(e, s, w);
	if (unlikely(e->outside.from) && e->mcast[w->mcast].source == w->node)
		mcfab_outside_left(e, w->mcast);
	if (e->flags & MCFAB_ENG_MEMORY)
		mcfab_ni_left(e, s, worm);
	if (mcfab_node_waits(e, n))
		wake_node(e, s, w->node);
}

/**
 * mcfab_node_injected() - a worm's tail has left its source: the record is not in use any more
 * @e: engine
 * @s: shard of the node
 * @rec: record of the injection channel
 *
 * Context: grant phase.
 */
void mcfab_node_injected(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec)
{
	u32 worm = e->rec[rec].worm;

	if (e->source)
		e->source[mcfab_rec_vc(e, rec) - e->hw.nvcs] = MCFAB_NO_REC;
	if (e->flags & MCFAB_ENG_SPEEDUP)
		mcfab_switch_leave(e, mcfab_rec_vc(e, rec));
	mcfab_node_left(e, s, worm, mcfab_source_channel(e, rec, e->worm[worm].node));
	mcfab_rec_clear(&e->rec[rec], s->nr);
	mcfab_rec_give(e, s, rec);
}

/* as mcfab_node_progress() */
static __always_inline void progress(struct mcfab_engine *e, struct mcfab_shard *s, u32 mcast)
{
	struct mcfab_mcast *m = &e->mcast[mcast];

	if (mcfab_count(mcfab_alone(e), &m->left, -1))
		return;
	/* no packet of the message is under way, no step is to come: its plan is not read again */
	s->dead_block[s->ndead_blocks++] = m->plan;
	m->link = s->done;
	s->done = mcast;
	if (unlikely(e->outside.from))
		mcfab_outside_over(e, s, mcast);
}

/**
 * mcfab_node_progress() - a worm of a message has ended, or a host has dealt with a packet
 * @e: engine
 * @s: shard that runs this
 * @mcast: the message
 *
 * Context: grant phase.
 */
void mcfab_node_progress(struct mcfab_engine *e, struct mcfab_shard *s, u32 mcast)
{
	progress(e, s, mcast);
}

/* a node may be busy until the worms of its round have ended */
static noinline void note_delivered(struct mcfab_engine *e, struct mcfab_shard *s,
				    const struct mcfab_worm *w)
{
	struct mcfab_node *n = &e->node[w->node];

	if (w->task != n->task || !n->undelivered)
		return;
	n->undelivered--;
	if (mcfab_node_waits(e, n))
		wake_node(e, s, w->node);
}

/* as mcfab_node_worm_end() */
static __always_inline void worm_end(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm)
{
	struct mcfab_worm *w = &e->worm[worm];
	u32 mcast = w->mcast;
	struct mcfab_mcast *m = &e->mcast[mcast];

	if (e->run.busy == MCFAB_NODE_BUSY_MODE_DELIVERED)
		note_delivered(e, s, w);
	if (e->run.rounds == MCFAB_ROUNDS_MODE_DELIVERED)
		round_progress(e, s, w);
	mcfab_count(mcfab_alone(e), &m->traffic, atomic_read(&w->traffic));
	mcfab_count64(mcfab_alone(e), &m->channel_cycles, atomic64_read(&w->channel_cycles));
	s->dead_worm[s->ndead_worms++] = worm;
	progress(e, s, mcast);
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
	worm_end(e, s, worm);
}

static u32 round_end(const struct mcfab_plan *plan, u32 first, u32 end)
{
	u32 next = first + 1;

	while (next < end && plan->worm[next].round == plan->worm[first].round)
		next++;
	return next;
}

/* the oldest step of the queue becomes the node's task */
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

/* the task has another round: make the step that enters the queue when this round is over */
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

static void begin_round(struct mcfab_engine *e, struct mcfab_node *n, struct mcfab_mcast *m,
			u64 from, u32 prep)
{
	n->state = MCFAB_TASK_STARTUP;
	n->ready = from + prep + e->run.startup;
	n->round_end = n->next + 1;
	if (n->round_end < n->task_end)
		n->round_end = round_end(task_plan(e, n), n->next, n->task_end);
	n->first = n->next;
	n->packet = 0;
	n->uninjected = (n->round_end - n->next) * m->packets;
	n->undelivered = n->uninjected;
	n->task++;
	n->next_round = MCFAB_NONE;
	if (n->round_end < n->task_end)
		plan_next_round(e, n);
	mcfab_count(mcfab_alone(e), &m->startups, 1);
	trace_mcfab_startup(e, n, from);
}

/* take the next task; false: there is none yet, the node's timer says when to look again */
static bool begin_task(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	struct mcfab_node *n = &e->node[nr];
	u64 relay = n->relays == MCFAB_NONE ? U64_MAX : mcfab_step(e, n->relays)->entry;
	u32 prep;	/* 0 for a further round: it is prepared already */
	struct mcfab_mcast *m;
	u64 entry, from;
	bool own;

	if (mcfab_fault_links(e))
		mcfab_node_skip(e, s, nr);
	own = n->stream.gen < relay;
	entry = min(n->stream.gen, relay);
	/* while routes change, new messages wait: they are planned with the new routes */
	if (own && e->faults.paused)
		return false;
	/* a task that enters in a cycle is known from the next cycle on */
	if (entry >= e->cycle) {
		if (entry != U64_MAX)
			mcfab_timers_set(&s->timers, nr, entry + 1);
		return false;
	}
	from = max(entry, n->free_at);
	if (own) {
		m = mcfab_node_message(e, s, nr);
		if (!m)
			return false;
		prep = n->prep;
		m->queue_cycles = from - entry;
	} else {
		prep = n->relays & MCFAB_ROUND ? 0 : e->relay[n->relays].prep;
		next_step(e, s, n);
		n->task_end = mcfab_task_end(task_plan(e, n), n->next);
		m = &e->mcast[n->mcast];
	}
	begin_round(e, n, m, from, prep);
	return true;
}

static void inject_worm(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr, u32 channel)
{
	struct mcfab_node *n = &e->node[nr];
	struct mcfab_worm *w = mcfab_node_inject(e, s, nr, channel, n->mcast, n->next, n->packet);

	if (!w)
		return;		/* the boundary ends the run */
	memcpy(w->part, n->part, sizeof(w->part));
	/* the network's part of the latency begins at the end of the cycle before */
	w->part[MCFAB_PART_QUEUE] += e->cycle - 1 - n->begun - n->prep - e->run.startup;
	w->part[MCFAB_PART_PREP] += n->prep;
	w->part[MCFAB_PART_STARTUP] += e->run.startup;
}

/*
 * Inject a round: the worms of the round send a packet each, then the next packet each. False: it
 * goes on when there is a channel.
 */
static bool inject_round(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	struct mcfab_node *n = &e->node[nr];
	u32 packets = e->mcast[n->mcast].packets;

	while (!e->faults.paused) {
		u32 channel = mcfab_node_channel(e, nr, n->mcast, n->next, n->packet);

		if (channel == MCFAB_NONE)
			return false;
		if (e->flags & MCFAB_ENG_SHARED && e->cycle < e->link_free[nr]) {
			mcfab_timers_set(&s->timers, nr, e->link_free[nr]);
			return false;
		}
		inject_worm(e, s, nr, channel);
		if (++n->next < n->round_end)
			continue;
		if (++n->packet == packets)
			return true;
		n->next = n->first;
	}
	return false;
}

/* all packets of the round have got their injection channels: is the node free? */
static bool end_round(struct mcfab_engine *e, struct mcfab_node *n)
{
	u32 left = 0;

	n->free_at = n->ready;
	if (e->run.busy != MCFAB_NODE_BUSY_MODE_STARTUP) {
		left = e->run.busy == MCFAB_NODE_BUSY_MODE_INJECTED ? n->uninjected :
								      n->undelivered;
		n->free_at = e->cycle - 1;
	}
	n->state = left ? MCFAB_TASK_WAIT : MCFAB_TASK_NONE;
	return !left;
}

static void step(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	struct mcfab_node *n = &e->node[nr];

	for (;;) {
		switch (n->state) {
		case MCFAB_TASK_NONE:
			if (!begin_task(e, s, nr))
				return;
			fallthrough;
		case MCFAB_TASK_STARTUP:
			if (n->ready >= e->cycle) {
				mcfab_timers_set(&s->timers, nr, n->ready + 1);
				return;
			}
			n->state = MCFAB_TASK_INJECT;
			if (n->round_end == n->task_end)
				mcfab_message_ready(&e->mcast[n->mcast], nr, n->ready);
			fallthrough;
		case MCFAB_TASK_INJECT:
			if (!inject_round(e, s, nr))
				return;
			fallthrough;
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
	/* last, for packets that have been injected just now */
	if (e->flags & MCFAB_ENG_PORTS)
		mcfab_ports_expect(e, s, nr);
}

/**
 * mcfab_node_step() - let a node's send queue go on as far as it can now
 * @e: engine
 * @s: shard of the node
 * @nr: the node
 *
 * Sets the node's timer where it waits for a cycle. Where it waits for an injection channel or a
 * delivery, that event wakes the node.
 *
 * Context: grant phase.
 */
void mcfab_node_step(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	if (likely(!(e->flags & (MCFAB_ENG_HOST | MCFAB_ENG_PORTS))))
		step(e, s, nr);
	else
		step_host(e, s, nr);
}

/**
 * mcfab_node_await() - a later sender has, or will have, the whole message
 * @e: engine
 * @s: shard of the node
 * @relay: the relay
 *
 * Context: grant phase.
 */
void mcfab_node_await(struct mcfab_engine *e, struct mcfab_shard *s, u32 relay)
{
	if (e->relay[relay].entry < e->cycle) {
		mcfab_node_relay(e, s, relay);
		return;
	}
	e->relay[relay].link = MCFAB_NONE;
	mcfab_queue_put(&s->relays, &e->relay[s->relays.tail].link, relay);
}

/**
 * mcfab_nodes_wake() - nodes act on worms that have ended, and on steps that are due
 * @e: engine
 * @s: the shard
 *
 * Context: grant phase.
 */
noinline void mcfab_nodes_wake(struct mcfab_engine *e, struct mcfab_shard *s)
{
	u64 now = e->cycle;
	u32 nr, done = 0;

	while ((nr = s->ended.head) != MCFAB_NONE && e->worm[nr].end < now) {
		s->ended.head = e->worm[nr].next_ended;
		mcfab_breathe(++done);
		if (e->flights.flight)
			mcfab_flight_over(e, s, nr);
		worm_end(e, s, nr);
	}
	while ((nr = s->relays.head) != MCFAB_NONE && e->relay[nr].entry < now) {
		s->relays.head = e->relay[nr].link;
		mcfab_breathe(++done);
		mcfab_node_relay(e, s, nr);
	}
}
