// SPDX-License-Identifier: GPL-2.0
/*
 * Nodes with a host and a network interface (irregular paper, sections 3 and 4; engine-model,
 * rule 7): the second node model, in place of the send queue of node.c.
 *
 * Three stages work side by side, each on one job after the other in the order in which they
 * came: the host's processor, the I/O bus, the processor of the network interface (NI).
 *
 *	sending		processor t_hs, bus each packet, NI t_ns for each copy, injection channel
 *	receiving	NI t_nr for each packet, bus, processor t_hr
 *
 * A later sender sends when its host has the whole message, unless the policy lets NIs
 * forward: then copies of a packet leave as soon as the NI has received it, each packet to
 * all children (FPFS), or each to the first child and, once all packets are there, all of
 * them to the second child, and so on (FCFS).
 *
 * The host's own messages need no memory while they queue: they are drawn when the processor
 * gets to them. At one point of time, packets that have come go first into the NI's queue;
 * then NI, bus and processor go on in turn until there is nothing left to do.
 *
 * Everything runs in the grant phase of the shard that owns the node.
 */
#include "engine/message/message.h"
#include "engine/node/node.h"

/* a copy counter of a packet that the NI has not received yet */
#define NOT_RECEIVED	U32_MAX

static struct mcfab_plan *job_plan(const struct mcfab_engine *e, const struct mcfab_job *job)
{
	return &mcfab_block(e, e->mcast[job->mcast].plan)->plan;
}

static struct mcfab_came *job_came(const struct mcfab_engine *e, const struct mcfab_job *job)
{
	return &mcfab_block(e, e->mcast[job->mcast].plan)->came[job->dst];
}

/* what happened up to the end of the last cycle is known */
static u64 now(const struct mcfab_engine *e)
{
	return e->cycle - 1;
}

static void append(struct mcfab_engine *e, struct mcfab_queue *queue, u32 nr)
{
	e->job[nr].next = MCFAB_NONE;
	e->job[nr].entry = now(e);
	mcfab_queue_put(queue, &e->job[queue->tail].next, nr);
}

static void remove_first(struct mcfab_engine *e, struct mcfab_queue *queue)
{
	queue->head = e->job[queue->head].next;
}

static void free_job(struct mcfab_shard *s, u32 nr)
{
	s->dead_job[s->ndead_jobs++] = nr;
}

/* a job like another one, MCFAB_NONE: the pool is dry and the boundary ends the run */
static u32 spawn(struct mcfab_engine *e, const struct mcfab_job *like)
{
	u32 nr = mcfab_pool_take(&e->job_pool);

	if (nr != MCFAB_NONE)
		e->job[nr] = *like;
	return nr;
}

/* the time since the job was last heard of was spent on @part */
static void account(struct mcfab_engine *e, struct mcfab_job *job, enum mcfab_part part)
{
	job->part[part] += now(e) - job->clock;
	job->clock = now(e);
}

/* the same for the processor, which was waited for up to its beginning */
static void account_cpu(struct mcfab_engine *e, struct mcfab_job *job, u64 begun)
{
	job->part[MCFAB_PART_QUEUE] += begun - job->clock;
	job->part[MCFAB_PART_STARTUP] += now(e) - begun;
	job->clock = now(e);
}

/* queue a job for worms @first .. @end - 1 with the host's processor */
static u32 send_job(struct mcfab_engine *e, u32 mcast, u32 first, u32 end, u32 prep)
{
	struct mcfab_job job = {
		.kind = MCFAB_JOB_SEND,
		.mcast = mcast,
		.worm = first,
		.end = end,
		.prep = prep,
		.next = MCFAB_NONE,
	};

	return spawn(e, &job);
}

/* the NI has done with a packet that it had to send on */
static void let_go(struct mcfab_engine *e, struct mcfab_host *h, const struct mcfab_job *job)
{
	u64 residence = now(e) - job->held;

	if (job->kind != MCFAB_JOB_RECEIVE)
		return;
	h->held--;
	h->packets++;
	h->residence += residence;
	h->residence_max = max(h->residence_max, residence);
}

/*
 * FCFS: a packet that has gone to the first child stays until the others have it. Return:
 * the job of packet @packet of @job's message, @job itself included.
 */
static u32 *parked(struct mcfab_engine *e, struct mcfab_host *h, const struct mcfab_job *job,
		   u32 packet)
{
	u32 *at = &h->parked;

	while (*at != MCFAB_NONE &&
	       (e->job[*at].mcast != job->mcast || e->job[*at].packet != packet))
		at = &e->job[*at].next;
	return at;
}

/* how many copies the NI sends of a packet now, for @children later senders */
static u32 copies_now(const struct mcfab_engine *e, u32 children, bool last)
{
	if (!children || e->times.forward != MCFAB_FORWARD_FCFS)
		return children;
	return last ? 1 + (children - 1) * e->packets : 1;
}

/* one copy has left the NI: it waits for an injection channel */
static void ni_sent(struct mcfab_engine *e, struct mcfab_shard *s, struct mcfab_host *h, u32 nr)
{
	struct mcfab_job *job = &e->job[nr];
	u32 worm = job->first + job->copy, packet = job->packet, copy, *at = NULL;
	u32 rounds = (job->copies - 1) / e->packets;	/* FCFS: children after the first */
	struct mcfab_job *from = job;

	if (e->times.forward == MCFAB_FORWARD_FCFS && job->copy) {
		worm = job->first + 1 + (job->copy - 1) / e->packets;
		packet = (job->copy - 1) % e->packets;
		if (packet != job->packet) {
			at = parked(e, h, job, packet);
			from = &e->job[*at];
		}
	}
	copy = spawn(e, from);
	if (copy == MCFAB_NONE)
		return;
	e->job[copy].kind = MCFAB_JOB_COPY;
	e->job[copy].worm = worm;
	account(e, &e->job[copy], MCFAB_PART_NI);
	append(e, &h->out, copy);
	if (from->kind != MCFAB_JOB_RECEIVE)
		mcfab_message_ready(e, from->mcast, h - e->host, now(e));
	job->copy++;
	if (at && worm == job->first + rounds) {
		copy = *at;
		*at = from->next;
		let_go(e, h, from);
		free_job(s, copy);
	}
}

/* the NI has received a packet: it goes to the host, and perhaps on to others */
static void ni_received(struct mcfab_engine *e, struct mcfab_host *h, u32 node, u32 nr)
{
	struct mcfab_job *job = &e->job[nr];
	struct mcfab_plan *plan = job_plan(e, job);
	u32 children = 0, copy;

	copy = spawn(e, job);
	if (copy == MCFAB_NONE)
		return;
	account(e, &e->job[copy], MCFAB_PART_NI);
	append(e, &h->bus.queue, copy);
	job->held = now(e);
	if (job->first != MCFAB_NONE)
		children = mcfab_task_end(plan, job->first) - job->first;
	job->copy = 0;
	job->copies = copies_now(e, children, ++job_came(e, job)->received == e->packets);
	mcfab_count(mcfab_alone(e), &e->mcast[job->mcast].left, job->copies);
}

/* the first job of the NI's queue is over, unless others wait for its packet */
static void ni_over(struct mcfab_engine *e, struct mcfab_shard *s, struct mcfab_host *h, u32 nr)
{
	struct mcfab_job *job = &e->job[nr];
	bool more = false;

	remove_first(e, &h->ni.queue);
	if (job->copies && e->times.forward == MCFAB_FORWARD_FCFS && job->copies == 1)
		more = e->packets > 1 &&
		       mcfab_task_end(job_plan(e, job), job->first) > job->first + 1;
	if (more) {
		job->next = h->parked;
		h->parked = nr;
		return;
	}
	if (job->copies)
		let_go(e, h, job);
	free_job(s, nr);
}

static bool ni_step(struct mcfab_engine *e, struct mcfab_shard *s, u32 node)
{
	struct mcfab_host *h = &e->host[node];
	u32 nr = h->ni.queue.head;
	struct mcfab_job *job = &e->job[nr];

	if (nr == MCFAB_NONE)
		return false;
	if (h->ni.done == U64_MAX) {
		h->ni.done = now(e) + (job->copy == NOT_RECEIVED ? e->times.ni_receive :
				       e->times.ni_send);
	}
	if (h->ni.done > now(e))
		return false;
	h->ni.done = U64_MAX;
	if (job->copy == NOT_RECEIVED)
		ni_received(e, h, node, nr);
	else
		ni_sent(e, s, h, nr);
	if (job->copy == job->copies)
		ni_over(e, s, h, nr);
	/* what is left undone for want of a job ends the run */
	return !mcfab_pool_dry(&e->job_pool);
}

/* a packet has crossed the bus to the NI, which sends it to whoever is to get it from here */
static void bus_sent(struct mcfab_engine *e, struct mcfab_shard *s, struct mcfab_host *h, u32 nr)
{
	struct mcfab_job *job = &e->job[nr];
	u32 packet = job->packet++, copy = spawn(e, job);
	bool last = packet + 1 == e->packets;

	if (copy == MCFAB_NONE)
		return;
	e->job[copy].packet = packet;
	e->job[copy].first = job->worm;
	e->job[copy].copy = 0;
	e->job[copy].copies = copies_now(e, job->end - job->worm, last);
	account(e, &e->job[copy], MCFAB_PART_NI);
	append(e, &h->ni.queue, copy);
	if (job->packet == job->packets) {
		remove_first(e, &h->bus.queue);
		free_job(s, nr);
	}
}

/* a packet is in the host's memory: is it the one that the processor has to see? */
static void bus_received(struct mcfab_engine *e, struct mcfab_shard *s, struct mcfab_host *h,
			 u32 nr)
{
	struct mcfab_job *job = &e->job[nr];

	remove_first(e, &h->bus.queue);
	account(e, job, MCFAB_PART_NI);
	if (e->times.per_packet || ++job_came(e, job)->stored == e->packets) {
		append(e, &h->cpu.queue, nr);
		return;
	}
	mcfab_node_progress(e, s, job->mcast);
	free_job(s, nr);
}

static bool bus_step(struct mcfab_engine *e, struct mcfab_shard *s, u32 node)
{
	struct mcfab_host *h = &e->host[node];
	u32 nr = h->bus.queue.head;
	struct mcfab_job *job = &e->job[nr];

	if (nr == MCFAB_NONE)
		return false;
	if (h->bus.done == U64_MAX)
		h->bus.done = now(e) + (job->packet + 1 == e->packets ? e->times.bus_last :
					e->times.bus);
	if (h->bus.done > now(e))
		return false;
	h->bus.done = U64_MAX;
	if (job->kind == MCFAB_JOB_SEND)
		bus_sent(e, s, h, nr);
	else
		bus_received(e, s, h, nr);
	return !mcfab_pool_dry(&e->job_pool);
}

/* the processor has started up one worm, or all that the NI makes copies for */
static void cpu_sent(struct mcfab_engine *e, struct mcfab_shard *s, struct mcfab_host *h, u32 nr)
{
	struct mcfab_job *job = &e->job[nr];
	bool all = e->times.forward != MCFAB_FORWARD_HOST;
	u64 begun = h->cpu.begun + job->prep;
	u32 copy;

	/* all of its worms were prepared for then, but waited for each other's start-ups */
	if (job->prep) {
		job->part[MCFAB_PART_QUEUE] += h->cpu.begun - job->clock;
		job->part[MCFAB_PART_PREP] += job->prep;
		job->clock = begun;
	}
	copy = spawn(e, job);
	if (copy == MCFAB_NONE)
		return;
	account_cpu(e, &e->job[copy], begun);
	e->job[copy].end = all ? job->end : job->worm + 1;
	e->job[copy].packets = e->times.per_packet ? job->packet + 1 : e->packets;
	append(e, &h->bus.queue, copy);
	if (!job->packet)
		mcfab_count(mcfab_alone(e), &e->mcast[job->mcast].startups, 1);
	job->prep = 0;
	if (e->times.per_packet && ++job->packet < e->packets)
		return;
	job->packet = 0;
	job->worm = all ? job->end : job->worm + 1;
	if (job->worm == job->end) {
		remove_first(e, &h->cpu.queue);
		free_job(s, nr);
	}
}

/* the host has the message, or a packet of it: who is to get it from here? */
static void cpu_received(struct mcfab_engine *e, struct mcfab_shard *s, u32 node, u32 nr)
{
	struct mcfab_host *h = &e->host[node];
	struct mcfab_job *job = &e->job[nr];
	u32 first = MCFAB_NONE, send, end;

	remove_first(e, &h->cpu.queue);
	account_cpu(e, job, h->cpu.begun);
	if (!e->times.per_packet || ++job_came(e, job)->stored == e->packets) {
		mcfab_deliver_host(e, s, job, node);
		if (e->times.forward == MCFAB_FORWARD_HOST)
			first = mcfab_next_step(e, job->mcast, job->worm, node);
	}
	if (first != MCFAB_NONE) {
		end = mcfab_task_end(job_plan(e, job), first);
		send = send_job(e, job->mcast, first, end, e->prep_relay);
		if (send == MCFAB_NONE)
			return;
		mcfab_count(mcfab_alone(e), &e->mcast[job->mcast].left, (end - first) * e->packets);
		e->job[send].clock = now(e);
		memcpy(e->job[send].part, job->part, sizeof(job->part));
		append(e, &h->cpu.queue, send);
	}
	mcfab_node_progress(e, s, job->mcast);
	free_job(s, nr);
}

/* draw the host's next message if it comes before what is in the processor's queue */
static bool own_message(struct mcfab_engine *e, struct mcfab_shard *s, u32 node)
{
	struct mcfab_host *h = &e->host[node];
	struct mcfab_node *n = &e->node[node];
	u32 head = h->cpu.queue.head, nr;
	u64 gen;

	if (unlikely(e->lossy))
		mcfab_node_skip(e, s, node);
	gen = n->stream.gen;
	if (e->paused || gen > now(e) || (head != MCFAB_NONE && e->job[head].entry <= gen))
		return true;
	if (!mcfab_node_message(e, s, node))
		return false;
	e->mcast[n->mcast].queue_cycles = now(e) - gen;
	nr = send_job(e, n->mcast, 0,
		      mcfab_task_end(&mcfab_block(e, e->mcast[n->mcast].plan)->plan, 0), n->prep);
	if (nr == MCFAB_NONE)
		return false;
	e->job[nr].clock = gen;
	e->job[nr].next = head;
	h->cpu.queue.head = nr;
	if (head == MCFAB_NONE)
		h->cpu.queue.tail = nr;
	return true;
}

static bool cpu_step(struct mcfab_engine *e, struct mcfab_shard *s, u32 node)
{
	struct mcfab_host *h = &e->host[node];
	struct mcfab_job *job;
	u32 nr;

	if (h->cpu.done == U64_MAX && !h->cpu.sending && !own_message(e, s, node))
		return false;
	nr = h->cpu.queue.head;
	if (nr == MCFAB_NONE)
		return false;
	job = &e->job[nr];
	if (h->cpu.done == U64_MAX) {
		h->cpu.begun = now(e);
		h->cpu.done = now(e) + (job->kind == MCFAB_JOB_SEND ?
					job->prep + e->times.startup : e->times.receive);
	}
	if (h->cpu.done > now(e))
		return false;
	h->cpu.done = U64_MAX;
	if (job->kind == MCFAB_JOB_SEND) {
		cpu_sent(e, s, h, nr);
		/* a job of several parts is not interrupted */
		h->cpu.sending = h->cpu.queue.head == nr;
	} else {
		cpu_received(e, s, node, nr);
	}
	return !mcfab_pool_dry(&e->job_pool);
}

/* packets that have come: to the NI */
static void take_in(struct mcfab_engine *e, struct mcfab_shard *s, u32 node)
{
	struct mcfab_host *h = &e->host[node];
	struct mcfab_node *n = &e->node[node];

	while (n->relays != MCFAB_NONE) {
		u32 nr = n->relays, job_nr = mcfab_pool_take(&e->job_pool);
		struct mcfab_relay *relay = &e->relay[nr];
		struct mcfab_job *job = &e->job[job_nr];

		if (job_nr == MCFAB_NONE)
			return;
		n->relays = relay->link;
		job->kind = MCFAB_JOB_RECEIVE;
		job->clock = relay->entry;
		job->mcast = relay->mcast;
		job->worm = relay->worm;
		job->packet = relay->packet;
		job->dst = relay->dst;
		job->hops = relay->hops;
		job->copy = NOT_RECEIVED;
		job->copies = 0;
		job->first = MCFAB_NONE;
		if (e->times.forward != MCFAB_FORWARD_HOST)
			job->first = mcfab_next_step(e, job->mcast, job->worm, node);
		if (job->first != MCFAB_NONE) {
			h->held++;
			h->peak = max(h->peak, h->held);
		}
		memcpy(job->part, relay->part, sizeof(job->part));
		append(e, &h->ni.queue, job_nr);
		mcfab_pool_give(&e->relay_pool, nr);
	}
}

static void inject(struct mcfab_engine *e, struct mcfab_shard *s, u32 node)
{
	struct mcfab_host *h = &e->host[node];

	while (h->out.head != MCFAB_NONE && !e->paused) {
		u32 nr = h->out.head;
		struct mcfab_job *job = &e->job[nr];
		u32 channel = mcfab_node_channel(e, node, job->mcast, job->worm, job->packet);

		if (channel == MCFAB_NONE)
			return;
		account(e, job, MCFAB_PART_QUEUE);
		if (!mcfab_node_inject(e, s, node, channel, job->mcast, job->worm, job->packet,
				       job->part))
			return;
		remove_first(e, &h->out);
		free_job(s, nr);
	}
}

/**
 * mcfab_host_forget() - give up packets that wait for others of their message
 * @e: engine
 * @mcast: the message, which is over
 *
 * FCFS: what was to be sent on when the last packet had come, which is lost.
 *
 * Context: boundary.
 */
void mcfab_host_forget(struct mcfab_engine *e, u32 mcast)
{
	u32 i, nr, *at;

	for (i = 0; i < e->topo->nodes; i++) {
		at = &e->host[i].parked;
		while (*at != MCFAB_NONE) {
			nr = *at;
			if (e->job[nr].mcast != mcast) {
				at = &e->job[nr].next;
				continue;
			}
			*at = e->job[nr].next;
			let_go(e, &e->host[i], &e->job[nr]);
			mcfab_pool_give(&e->job_pool, nr);
		}
	}
}

/**
 * mcfab_host_step() - let the stages of a node go on as far as they can now
 * @e: engine
 * @s: shard of the node
 * @node: the node
 *
 * Sets the node's next event in the timers.
 *
 * Context: grant phase.
 */
void mcfab_host_step(struct mcfab_engine *e, struct mcfab_shard *s, u32 node)
{
	struct mcfab_host *h = &e->host[node];
	bool more = true;
	u64 next;

	take_in(e, s, node);
	while (more) {
		more = false;
		while (ni_step(e, s, node))
			more = true;
		while (bus_step(e, s, node))
			more = true;
		while (cpu_step(e, s, node))
			more = true;
	}
	inject(e, s, node);
	next = min3(h->cpu.done, h->bus.done, h->ni.done);
	if (h->cpu.done == U64_MAX && !e->paused)
		next = min(next, e->node[node].stream.gen);
	/* what is overdue found a pool dry: the boundary ends the run, do not try again */
	mcfab_timers_set(&s->timers, node, next == U64_MAX ? next : max(next, e->cycle) + 1);
}

/**
 * mcfab_host_init() - the stages of all nodes before the first cycle
 * @e: engine
 *
 * Context: start of a run.
 */
void mcfab_host_init(struct mcfab_engine *e)
{
	u32 i;

	for (i = 0; i < e->topo->nodes; i++) {
		struct mcfab_host *h = &e->host[i];

		h->cpu.queue.head = MCFAB_NONE;
		h->cpu.done = U64_MAX;
		h->bus.queue.head = MCFAB_NONE;
		h->bus.done = U64_MAX;
		h->ni.queue.head = MCFAB_NONE;
		h->ni.done = U64_MAX;
		h->out.head = MCFAB_NONE;
		h->parked = MCFAB_NONE;
	}
}

/**
 * mcfab_host_use() - how much the network interfaces had to hold so far
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
		const struct mcfab_host *h = &e->host[i];

		use->packets += h->packets;
		use->peak = max(use->peak, h->peak);
		use->residence += h->residence;
		use->residence_max = max(use->residence_max, h->residence_max);
	}
}
