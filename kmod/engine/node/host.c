// SPDX-License-Identifier: GPL-2.0
/*
 * Nodes with a host and a network interface (Documentation/hosts.md): the second node model, in
 * place of the send queue of node.c.
 *
 * Three stages work side by side: the host's processor, the I/O bus, the processor of the network
 * interface (NI). Each does one job after the other, in the order in which the jobs came.
 *
 *	sending		processor t_hs, bus each packet, NI t_ns for each copy, injection channel
 *	receiving	NI t_nr for each packet, bus, processor t_hr
 *
 * A later sender sends when its host has the whole message, unless the policy lets NIs
 * forward: then copies of a packet leave as soon as the NI has received it. With FPFS each
 * packet goes to all children. With FCFS each packet goes to the first child; once all packets
 * are there, all of them go to the second child, and so on.
 *
 * The host's own messages need no memory while they queue: they are drawn when the processor
 * comes to them. In a cycle, packets that have come first go into the NI's queue; then NI, bus
 * and processor go on in turn until no job can go on.
 *
 * Everything here runs in the grant phase of the shard that owns the node.
 */
#include "engine/message/message.h"
#include "engine/node/job.h"
#include "engine/node/node.h"
#include "engine/state/lost.h"

/* count the time since a job's @clock: until cycle @begun it waited for the processor */
static void account_cpu(struct mcfab_engine *e, struct mcfab_job *job, u64 begun)
{
	job->part[MCFAB_PART_QUEUE] += begun - job->clock;
	job->part[MCFAB_PART_STARTUP] += mcfab_job_now(e) - begun;
	job->clock = mcfab_job_now(e);
}

/* make a job of the host's processor to send worms @first .. @end - 1 */
static u32 send_job(struct mcfab_engine *e, u32 mcast, u32 first, u32 end, u32 prep)
{
	struct mcfab_job job = {
		.kind = MCFAB_JOB_SEND,
		.mcast = mcast,
		.worm = first,
		.end = end,
		.prep = prep,
		.next = MCFAB_NONE,
		.relayed = MCFAB_NONE,
	};

	return mcfab_job_spawn(e, &job);
}

/* a packet has crossed the bus to the NI, which sends its copies */
static void bus_sent(struct mcfab_engine *e, struct mcfab_shard *s, struct mcfab_host *h, u32 nr)
{
	struct mcfab_job *job = &e->hosts.job[nr];
	u32 packet = job->packet++, copy = mcfab_job_spawn(e, job);
	bool last = packet + 1 == mcfab_job_packets(e, job);

	if (copy == MCFAB_NONE)
		return;
	e->hosts.job[copy].packet = packet;
	e->hosts.job[copy].first = job->worm;
	e->hosts.job[copy].copy = 0;
	e->hosts.job[copy].copies = mcfab_ni_copies(e, job, job->end - job->worm, last);
	mcfab_job_account(e, &e->hosts.job[copy], MCFAB_PART_NI);
	mcfab_job_append(e, &h->ni.queue, copy);
	if (job->packet == job->packets) {
		mcfab_job_remove_first(e, &h->bus.queue);
		mcfab_job_free(s, nr);
	}
}

/* a packet is in the host's memory: the last of its message, or (per_packet) each, is a CPU job */
static void bus_received(struct mcfab_engine *e, struct mcfab_shard *s, struct mcfab_host *h,
			 u32 nr)
{
	struct mcfab_job *job = &e->hosts.job[nr];

	mcfab_job_remove_first(e, &h->bus.queue);
	mcfab_job_account(e, job, MCFAB_PART_NI);
	if (e->hosts.times.per_packet ||
	    ++mcfab_job_came(e, job)->stored == mcfab_job_packets(e, job)) {
		mcfab_job_append(e, &h->cpu.queue, nr);
		return;
	}
	mcfab_node_progress(e, s, job->mcast);
	mcfab_job_free(s, nr);
}

/* time of a packet on the I/O bus */
static u32 bus_time(const struct mcfab_engine *e, const struct mcfab_job *job)
{
	const struct mcfab_mcast *m = &e->mcast[job->mcast];

	return job->packet + 1 == m->packets ? mcfab_host_bus_last(e, m) : e->hosts.times.bus;
}

static bool bus_step(struct mcfab_engine *e, struct mcfab_shard *s, u32 node)
{
	struct mcfab_host *h = &e->hosts.host[node];
	u32 nr = h->bus.queue.head;
	struct mcfab_job *job = &e->hosts.job[nr];

	if (nr == MCFAB_NONE)
		return false;
	if (h->bus.done == U64_MAX)
		h->bus.done = mcfab_job_now(e) + bus_time(e, job);
	if (h->bus.done > mcfab_job_now(e))
		return false;
	h->bus.done = U64_MAX;
	if (job->kind == MCFAB_JOB_SEND)
		bus_sent(e, s, h, nr);
	else
		bus_received(e, s, h, nr);
	return !mcfab_pool_dry(&e->job_pool);
}

/* the processor has started up one worm, or all worms for which the NI makes copies */
static void cpu_sent(struct mcfab_engine *e, struct mcfab_shard *s, struct mcfab_host *h, u32 nr)
{
	struct mcfab_job *job = &e->hosts.job[nr];
	bool all = e->hosts.times.forward != MCFAB_FORWARD_HOST;
	u64 begun = h->cpu.begun + job->prep;
	u32 copy;

	/* one preparation for all its worms, at the beginning; then they wait for start-ups */
	if (job->prep) {
		job->part[MCFAB_PART_QUEUE] += h->cpu.begun - job->clock;
		job->part[MCFAB_PART_PREP] += job->prep;
		job->clock = begun;
	}
	copy = mcfab_job_spawn(e, job);
	if (copy == MCFAB_NONE)
		return;
	account_cpu(e, &e->hosts.job[copy], begun);
	e->hosts.job[copy].end = all ? job->end : job->worm + 1;
	e->hosts.job[copy].packets = e->hosts.times.per_packet ? job->packet + 1 :
							  mcfab_job_packets(e, job);
	mcfab_job_append(e, &h->bus.queue, copy);
	if (!job->packet)
		mcfab_count(mcfab_alone(e), &e->mcast[job->mcast].startups, 1);
	job->prep = 0;
	if (e->hosts.times.per_packet && ++job->packet < mcfab_job_packets(e, job))
		return;
	job->packet = 0;
	job->worm = all ? job->end : job->worm + 1;
	if (job->worm == job->end) {
		mcfab_job_remove_first(e, &h->cpu.queue);
		mcfab_job_free(s, nr);
	}
}

/* the host has a packet; if it has the whole message, it queues the step of a later sender */
static void cpu_received(struct mcfab_engine *e, struct mcfab_shard *s, u32 node, u32 nr)
{
	struct mcfab_host *h = &e->hosts.host[node];
	struct mcfab_job *job = &e->hosts.job[nr];
	u32 first = MCFAB_NONE, send, end;

	mcfab_job_remove_first(e, &h->cpu.queue);
	account_cpu(e, job, h->cpu.begun);
	if (!e->hosts.times.per_packet ||
	    ++mcfab_job_came(e, job)->stored == mcfab_job_packets(e, job)) {
		mcfab_deliver_host(e, s, job, node);
		if (e->hosts.times.forward == MCFAB_FORWARD_HOST)
			first = mcfab_next_step(e, job->mcast, job->worm, node);
	}
	if (first != MCFAB_NONE) {
		end = mcfab_task_end(mcfab_job_plan(e, job), first);
		send = send_job(e, job->mcast, first, end, e->run.prep_relay);
		if (send == MCFAB_NONE)
			return;
		mcfab_count(mcfab_alone(e), &e->mcast[job->mcast].left,
			    (end - first) * mcfab_job_packets(e, job));
		e->hosts.job[send].clock = mcfab_job_now(e);
		memcpy(e->hosts.job[send].part, job->part, sizeof(job->part));
		mcfab_job_append(e, &h->cpu.queue, send);
	}
	mcfab_node_progress(e, s, job->mcast);
	mcfab_job_free(s, nr);
}

/* draw the host's next message if it comes before the first job of the processor's queue */
static bool own_message(struct mcfab_engine *e, struct mcfab_shard *s, u32 node)
{
	struct mcfab_host *h = &e->hosts.host[node];
	struct mcfab_node *n = &e->node[node];
	u32 head = h->cpu.queue.head, nr;
	struct mcfab_mcast *m;
	u64 gen;

	if (mcfab_fault_links(e))
		mcfab_node_skip(e, s, node);
	gen = n->stream.gen;
	if (e->faults.paused || gen > mcfab_job_now(e) ||
	    (head != MCFAB_NONE && e->hosts.job[head].entry <= gen))
		return true;
	m = mcfab_node_message(e, s, node);
	if (!m)
		return false;
	m->queue_cycles = mcfab_job_now(e) - gen;
	nr = send_job(e, n->mcast, 0, n->task_end, n->prep);
	if (nr == MCFAB_NONE)
		return false;
	e->hosts.job[nr].clock = gen;
	e->hosts.job[nr].next = head;
	h->cpu.queue.head = nr;
	if (head == MCFAB_NONE)
		h->cpu.queue.tail = nr;
	return true;
}

static bool cpu_step(struct mcfab_engine *e, struct mcfab_shard *s, u32 node)
{
	const struct mcfab_host_times *times = &e->hosts.times;
	struct mcfab_host *h = &e->hosts.host[node];
	struct mcfab_job *job;
	u32 nr;

	if (h->cpu.done == U64_MAX && !h->cpu.sending && !own_message(e, s, node))
		return false;
	nr = h->cpu.queue.head;
	if (nr == MCFAB_NONE)
		return false;
	job = &e->hosts.job[nr];
	if (h->cpu.done == U64_MAX) {
		h->cpu.begun = mcfab_job_now(e);
		h->cpu.done = mcfab_job_now(e) + (job->kind == MCFAB_JOB_SEND ?
					job->prep + times->startup : times->receive);
	}
	if (h->cpu.done > mcfab_job_now(e))
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

/* packets that have come go into the NI's queue */
static void take_in(struct mcfab_engine *e, struct mcfab_shard *s, u32 node)
{
	struct mcfab_host *h = &e->hosts.host[node];
	struct mcfab_node *n = &e->node[node];

	while (n->relays != MCFAB_NONE) {
		u32 nr = n->relays, job_nr = mcfab_pool_take(&e->job_pool);
		struct mcfab_relay *relay = &e->relay[nr];
		struct mcfab_job *job = &e->hosts.job[job_nr];

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
		job->copy = MCFAB_NOT_RECEIVED;
		job->copies = 0;
		job->first = MCFAB_NONE;
		job->relayed = MCFAB_NONE;
		job->unsent = 0;
		job->over = false;
		if (e->hosts.times.forward != MCFAB_FORWARD_HOST)
			job->first = mcfab_next_step(e, job->mcast, job->worm, node);
		if (job->first != MCFAB_NONE) {
			h->held++;
			h->peak = max(h->peak, h->held);
			if (e->flags & MCFAB_ENG_MEMORY)
				mcfab_ni_keep(e, h, job_nr);
		}
		memcpy(job->part, relay->part, sizeof(job->part));
		mcfab_job_append(e, &h->ni.queue, job_nr);
		mcfab_pool_give(&e->relay_pool, nr);
	}
}

static void inject(struct mcfab_engine *e, struct mcfab_shard *s, u32 node)
{
	struct mcfab_host *h = &e->hosts.host[node];

	while (h->out.head != MCFAB_NONE && !e->faults.paused) {
		u32 nr = h->out.head;
		struct mcfab_job *job = &e->hosts.job[nr];
		u32 channel = mcfab_node_channel(e, node, job->mcast, job->worm, job->packet);
		struct mcfab_worm *w;

		if (channel == MCFAB_NONE)
			return;
		mcfab_job_account(e, job, MCFAB_PART_QUEUE);
		e->node[node].relayed = job->relayed;
		w = mcfab_node_inject(e, s, node, channel, job->mcast, job->worm, job->packet);
		if (!w)
			return;
		memcpy(w->part, job->part, sizeof(w->part));
		mcfab_job_remove_first(e, &h->out);
		mcfab_job_free(s, nr);
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
	struct mcfab_host *h = &e->hosts.host[node];
	bool more = true;
	u64 next;

	take_in(e, s, node);
	while (more) {
		more = false;
		while (mcfab_ni_step(e, s, node))
			more = true;
		while (bus_step(e, s, node))
			more = true;
		while (cpu_step(e, s, node))
			more = true;
	}
	inject(e, s, node);
	next = min3(h->cpu.done, h->bus.done, h->ni.done);
	if (h->cpu.done == U64_MAX && !e->faults.paused)
		next = min(next, e->node[node].stream.gen);
	/* an overdue stage found a pool dry: the boundary ends the run, do not try again */
	mcfab_timers_set(&s->timers, node, next == U64_MAX ? next : max(next, e->cycle) + 1);
}

/**
 * mcfab_host_init() - no stage of any node has a job
 * @e: engine
 *
 * Context: start of a run.
 */
void mcfab_host_init(struct mcfab_engine *e)
{
	u32 i;

	for (i = 0; i < e->topo->nodes; i++) {
		struct mcfab_host *h = &e->hosts.host[i];

		h->cpu.queue.head = MCFAB_NONE;
		h->cpu.done = U64_MAX;
		h->bus.queue.head = MCFAB_NONE;
		h->bus.done = U64_MAX;
		h->ni.queue.head = MCFAB_NONE;
		h->ni.done = U64_MAX;
		h->out.head = MCFAB_NONE;
		h->parked = MCFAB_NONE;
		h->kept = MCFAB_NONE;
		atomic_set(&h->room, e->hosts.times.memory);
	}
}
