// SPDX-License-Identifier: GPL-2.0
/*
 * Setup of a run: from its configuration to its first state; and its end. The process that starts
 * the run takes the memory here (arrays.c has the list); later only the boundary takes more
 * (grow.c).
 */
#include <linux/memcontrol.h>
#include "base/memory.h"
#include "engine/engine.h"
#include "engine/flight/flight.h"
#include "engine/internal.h"
#include "engine/message/message.h"
#include "engine/router/router.h"
#include "engine/node/node.h"
#include "engine/outside/outside.h"
#include "engine/state/flits.h"
#include "engine/state/rec.h"
#include "engine/watch/watch.h"
#include "plan/predict_host.h"
#include "topology/graph.h"

static u32 vc_slots(const struct mcfab_engine *e)
{
	/* most packets in a FIFO: the first may be nearly gone, the last may just be entering */
	return e->hw.release_sent ? 2 + (e->hw.buffer - 1) / e->run.least_flits : 1;
}

/* most packets of a host's link: as in a FIFO, but the registers of the link hold flits, too */
static u32 port_slots(const struct mcfab_engine *e)
{
	return 2 + (mcfab_port_room(e) - 1) / e->run.least_flits;
}

/* may one of several VCs of an input port cross? an injection port has several channels */
static bool needs_speedup(const struct mcfab_fabric_cfg *cfg)
{
	return cfg->input_speedup &&
	       (cfg->vcs > 1 || cfg->node_bandwidth == MCFAB_NODE_BANDWIDTH_MODE_SHARED);
}

/* are credits seen by time stamps? grants that need room for a packet wait for events */
static bool stamps_credits(const struct mcfab_engine *e)
{
	return e->cfg->credit_delay && e->hw.credit_delay <= MCFAB_STAMPS_DELAY &&
	       e->hw.link_delays == 1 && e->hw.buffer <= MCFAB_STAMPS_BUFFER &&
	       e->cfg->switching == MCFAB_SWITCHING_MODE_WORMHOLE;
}

static u32 engine_flags(const struct mcfab_engine *e, const struct mcfab_run_cfg *run)
{
	const struct mcfab_fabric_cfg *cfg = e->cfg;
	u32 flags = 0;

	if (cfg->vcs > 1)
		flags |= MCFAB_ENG_MULTI;
	if (e->hw.least_link + e->hw.link_delays > 2)
		flags |= MCFAB_ENG_LINKS;
	if (e->hw.link_delays > 1 || e->hw.least_link != e->hw.link_delay)
		flags |= MCFAB_ENG_UNEVEN;
	if (e->topo->pace)
		flags |= MCFAB_ENG_UNEVEN | MCFAB_ENG_RATES | MCFAB_ENG_COPIES;
	if (e->hw.slots > 1 || cfg->credit_delay)
		flags |= MCFAB_ENG_CREDITS;
	if (stamps_credits(e))
		flags |= MCFAB_ENG_STAMPS;
	if (cfg->replication == MCFAB_REPLICATION_MODE_LOCKSTEP)
		flags |= MCFAB_ENG_LOCKSTEP;
	/* a switch has packets from its other hosts beside the packets from its links */
	if (cfg->consume < e->topo->degree * cfg->vcs || e->topo->graph)
		flags |= MCFAB_ENG_SCARCE;
	if (cfg->link_arbitration == MCFAB_LINK_ARBITRATION_MODE_PACKET && cfg->vcs > 1)
		flags |= MCFAB_ENG_PACKET;
	if (cfg->node_bandwidth == MCFAB_NODE_BANDWIDTH_MODE_SHARED)
		flags |= MCFAB_ENG_SHARED;
	if (needs_speedup(cfg))
		flags |= MCFAB_ENG_SPEEDUP;
	flags |= e->hw.allocator->flags;
	if (run->headers)
		flags |= MCFAB_ENG_HEADERS;
	if (e->run.least_flits != e->run.flits)
		flags |= MCFAB_ENG_LENGTHS;
	if (e->topo->graph && e->pol &&
	    e->pol->ops->flags & (MCFAB_POLICY_TREE | MCFAB_POLICY_COPIES))
		flags |= MCFAB_ENG_COPIES;
	/* a packet that goes on and is copied may lose one of the two */
	if (e->hw.may_cut && e->pol && !(e->pol->ops->flags & MCFAB_POLICY_SINGLE))
		flags |= MCFAB_ENG_COPIES;
	if (cfg->node_model == MCFAB_NODE_MODEL_MODE_HOST)
		flags |= MCFAB_ENG_HOST;
	if (flags & MCFAB_ENG_HOST && cfg->ni_memory && e->pol && e->pol->ops->forward &&
	    e->pol->ops->forward(e->pol->priv) != MCFAB_FORWARD_HOST)
		flags |= MCFAB_ENG_MEMORY | MCFAB_ENG_SCARCE;
	if (mcfab_has_ports(e->topo, cfg))
		flags |= MCFAB_ENG_PORTS;
	if (e->outside.from && e->outside.from->holds)
		flags |= MCFAB_ENG_HOLDS | MCFAB_ENG_SCARCE;
	if ((flags | MCFAB_ENG_BOOKSIM | MCFAB_ENG_MULTI | MCFAB_ENG_SCARCE) ==
	    (MCFAB_BOOKSIM_RULES | MCFAB_ENG_MULTI | MCFAB_ENG_SCARCE) &&
	    cfg->allocator == MCFAB_ALLOCATOR_MODE_SEPARABLE)
		flags |= MCFAB_ENG_BOOKSIM;
	return flags;
}

/* may packets be read by more than the next channel and one node? */
static bool worms_branch(const struct mcfab_engine *e)
{
	return e->pol->ops->flags & (MCFAB_POLICY_TREE | MCFAB_POLICY_COPIES) ||
	       e->flags & MCFAB_ENG_COPIES;
}

/* may copies of packets that go on hold them up: wait for consumption channels, or in lock-step? */
static bool copies_wait(const struct mcfab_engine *e)
{
	return e->flags & (MCFAB_ENG_LOCKSTEP | MCFAB_ENG_SCARCE) &&
	       !(e->pol->ops->flags & MCFAB_POLICY_SINGLE);
}

static void init_nodes(struct mcfab_engine *e, u32 consume)
{
	u32 i;

	for (i = 0; i < e->topo->nodes; i++) {
		struct mcfab_node *n = &e->node[i];
		u32 nr = e->shard_of_router[e->topo->router[i]];

		mcfab_breathe(i + 1);
		e->shard_of_node[i] = nr;

		n->channels = GENMASK_ULL(e->hw.inject - 1, 0);
		n->consume = consume;
		n->relays = MCFAB_NONE;
		n->out = MCFAB_NO_WORM;
		n->next_round = MCFAB_NONE;
		if (e->run.lone) {
			n->stream.gen = U64_MAX;
			continue;
		}
		mcfab_stream_first(&e->work, i, &n->stream, mcfab_parts(e, i));
		if (n->stream.gen != U64_MAX)
			mcfab_timers_set(&e->shard[nr].timers, i, n->stream.gen + 1);
	}
}

static void init_state(struct mcfab_engine *e)
{
	struct mcfab_pool *pool[MCFAB_POOLS];
	u32 i;

	mcfab_pools(e, pool);
	for (i = 0; i < MCFAB_POOLS; i++) {
		mcfab_pool_refill(pool[i]);
		pool[i]->alone = mcfab_alone(e);
		pool[i]->alarm = &e->boundary.alarm;
	}
	for (i = 0; e->chan && i < e->hw.nchans; i++) {
		mcfab_breathe(i + 1);
		e->chan[i].chosen = U8_MAX;
		e->chan[i].lock = U8_MAX;
		e->chan[i].last = MCFAB_NODE_PORT;
	}
	for (i = 0; e->inport && i < e->hw.nchans + e->topo->nodes; i++) {
		mcfab_breathe(i + 1);
		e->inport[i].chosen = e->flags & MCFAB_ENG_BOOKSIM ? U8_MAX : 0;
		e->inport[i].last = MCFAB_NODE_PORT;
	}
	if (e->flags & MCFAB_ENG_FLIGHTS)
		mcfab_flights_init(e);
	for (i = 0; i < e->topo->routers; i++) {
		mcfab_breathe(i + 1);
		e->router[i].oldest = MCFAB_NONE;
		if (e->flags & MCFAB_ENG_SHARED)
			e->consumer[i] = (struct mcfab_consumer) {
				.head = MCFAB_NONE,
				.last = MCFAB_NONE,
				.chosen = MCFAB_NONE,
				.cruiser = MCFAB_NONE,
			};
	}
}

static void take_times(struct mcfab_engine *e, const struct mcfab_fabric_cfg *cfg)
{
	const struct mcfab_policy_ops *ops = e->pol ? e->pol->ops : NULL;

	e->hosts.times = (struct mcfab_host_times) {
		.startup = cfg->startup,
		.receive = cfg->host_receive,
		.ni_send = cfg->ni_send,
		.ni_receive = cfg->ni_receive,
		.bus = mcfab_bus_cycles(cfg, e->run.flits),
		.bus_last = mcfab_bus_cycles(cfg, e->run.last_flits),
		.memory = cfg->ni_memory,
		.per_packet = cfg->host_overhead == MCFAB_HOST_OVERHEAD_MODE_PACKET,
		.forward = ops && ops->forward ? ops->forward(e->pol->priv) : MCFAB_FORWARD_HOST,
	};
}

/* set the number of shards: no more than there are routers */
void mcfab_set_shards(struct mcfab_engine *e, u32 shards)
{
	e->nshards = min(shards, e->topo->routers);
	e->hw.nrecs = mcfab_rec_count(e);
}

/* which delays links have, and how many channels have each of them */
static void take_links(struct mcfab_engine *e)
{
	s32 least = 0, most = 0;
	u32 i;

	for (i = 0; e->topo->extra && i < e->hw.nchans; i++) {
		mcfab_breathe(i + 1);
		least = min_t(s32, least, e->topo->extra[i]);
		most = max_t(s32, most, e->topo->extra[i]);
	}
	e->hw.least_link = e->hw.link_delay + least;
	e->hw.link_delays = most - least + 1;
	e->hw.credit_delay = mcfab_link_credit(e, e->hw.link_delay + most);
	if (!e->topo->extra)
		e->hw.channels[0] = e->hw.nchans;
	for (i = 0; e->topo->extra && i < e->hw.nchans; i++) {
		mcfab_breathe(i + 1);
		e->hw.channels[e->topo->extra[i] - least]++;
	}
}

static void take_config(struct mcfab_engine *e, const struct mcfab_network *net,
			const struct mcfab_run_cfg *run)
{
	const struct mcfab_fabric_cfg *cfg = net->cfg;

	e->cfg = cfg;
	e->topo = net->topo;
	e->pol = net->policy;
	e->results = net->results;
	e->id = net->id;
	e->netns = net->netns;
	e->run.recover = run->recover;
	if (run->workload.kind == MCFAB_WORKLOAD_TYPE_PORTS)
		e->outside.from = run->workload.outside;
	e->hw.may_cut = net->updown || run->recover;
	e->hw.ports = e->topo->ports;
	e->hw.vcs = cfg->vcs;
	e->run.message = mcfab_run_longest(run);
	e->run.varied = mcfab_run_shortest(run) != e->run.message;
	e->run.weighed = e->run.varied || run->counted;
	e->run.flits = mcfab_packet_flits(e->run.message, run->mtu);
	e->run.packets = DIV_ROUND_UP(e->run.message, e->run.flits);
	e->run.last_flits = e->run.message - (e->run.packets - 1) * e->run.flits;
	e->run.least_flits = mcfab_run_least_packet(run);
	/* without a policy the caller only asks for the least memory */
	e->hw.buffer = e->pol ? e->pol->view.buffer : cfg->buffer;
	e->hw.release_sent = cfg->vc_release == MCFAB_VC_RELEASE_MODE_SENT;
	e->hw.slots = vc_slots(e);
	e->run.span = (e->run.flits - 1) / e->hw.buffer;
	e->run.last_span = (e->run.last_flits - 1) / e->hw.buffer;
	e->hw.link_delay = cfg->link_delay;
	e->hw.route_delay = cfg->route_delay;
	e->hw.inject_delay = cfg->inject_delay;
	/* a pipeline for every flit acts like a longer link */
	if (cfg->pipeline == MCFAB_PIPELINE_MODE_FLIT) {
		e->hw.link_delay += cfg->route_delay;
		e->hw.inject_delay += cfg->route_delay;
		e->hw.route_delay = 0;
	}
	e->hw.nchans = e->topo->routers * e->hw.ports;
	take_links(e);
	/* where input ports have nothing to choose from, all allocators do the same */
	e->hw.allocator = mcfab_allocator_of(needs_speedup(cfg) ? cfg->allocator :
					  MCFAB_ALLOCATOR_MODE_OLDEST);
	e->flags = engine_flags(e, run);
	e->hw.inject = cfg->inject;
	e->hw.source_slots = e->flags & MCFAB_ENG_PORTS ? port_slots(e) : 1;
	e->hw.consume_delay = cfg->consume_delay;
	e->run.startup = cfg->startup;
	take_times(e, cfg);
	e->run.tables = e->pol && e->pol->ops->flags & MCFAB_POLICY_TABLE;
	e->hw.store = cfg->switching == MCFAB_SWITCHING_MODE_STORE_AND_FORWARD;
	e->hw.lazy_credits = e->hw.credit_delay <= 1 && !e->hw.store &&
			     !(e->flags & MCFAB_ENG_STAMPS);
	e->hw.packet_room = cfg->switching != MCFAB_SWITCHING_MODE_WORMHOLE;
	e->hw.by_ports = mcfab_divide_by(e->hw.ports);
	e->hw.by_vcs = mcfab_divide_by(e->hw.vcs);
	e->hw.by_inject = mcfab_divide_by(e->hw.inject);
	e->hw.nvcs = e->hw.nchans * e->hw.vcs;
	e->hw.places = e->hw.nvcs * e->hw.slots +
		       e->topo->nodes * e->hw.inject * e->hw.source_slots;
	/* a lone multicast keeps no more than one thread busy */
	mcfab_set_shards(e, run->workload.kind == MCFAB_WORKLOAD_TYPE_LONE ? 1 : cfg->shards);
}

/* check buffers: with headers of several flits, packets are longer than run.flits */
static int check_headers(const struct mcfab_engine *e, const struct mcfab_run_cfg *run,
			 struct mcfab_err *err)
{
	u32 copying = MCFAB_POLICY_TREE | MCFAB_POLICY_COPIES, most;

	if (!run->headers)
		return 0;
	most = e->run.flits + mcfab_header_more(e->pol, NULL, 0, e->run.max_dst);
	if (e->hw.buffer >= most)
		return 0;
	if (e->hw.packet_room)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_HEADERS,
				    "switching vct needs buffers of a packet: %u of up to %u flits",
				    e->hw.buffer, most);
	if (e->pol->ops->header_flits && e->pol->ops->flags & copying)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_HEADERS,
				    "copying switches need buffers of a packet: %u of up to %u flits",
				    e->hw.buffer, most);
	return 0;
}

/* are there more records than events and divisions have bits for? */
static bool too_many_records(const struct mcfab_engine *e)
{
	return (u64)e->hw.nvcs * e->hw.slots +
	       (u64)e->topo->nodes * e->hw.inject * e->hw.source_slots >= MCFAB_DIVIDE_MAX;
}

/**
 * mcfab_engine_bytes() - least memory that a run on a fabric takes
 * @net: the network
 *
 * Context: may sleep.
 * Return: bytes, for messages to one destination; other messages may take more, which the
 *	   start of the run checks.
 */
u64 mcfab_engine_bytes(const struct mcfab_network *net)
{
	/* together more than a stack frame may have */
	struct {
		struct mcfab_engine e;
		struct mcfab_run_cfg run;
	} *lone = kzalloc(sizeof(*lone), GFP_KERNEL);
	struct mcfab_engine *e;
	u64 bytes;

	if (!lone)
		return U64_MAX;
	lone->run.flits = MCFAB_MAX_FLITS;
	lone->run.workload.kind = MCFAB_WORKLOAD_TYPE_LONE;
	e = &lone->e;
	e->run.lone = true;
	e->run.max_dests = 1;
	e->run.max_worms = 1;
	e->run.max_dst = 1;
	take_config(e, net, &lone->run);
	mcfab_sizes(e, &lone->run);
	bytes = mcfab_arrays_bytes(e);
	kfree(lone);
	return bytes;
}

/* set all sizes; shards cost memory, so where the user did not ask for them, one does if it fits */
static void take_sizes(struct mcfab_engine *e, const struct mcfab_run_cfg *run)
{
	mcfab_sizes(e, run);
	e->bytes = mcfab_arrays_bytes(e);
	if (!e->cfg->fewer_shards || e->nshards == 1 || e->bytes <= mcfab_memory_left())
		return;
	mcfab_set_shards(e, 1);
	mcfab_sizes(e, run);
	e->bytes = mcfab_arrays_bytes(e);
}

/**
 * mcfab_engine_open() - get and set up the memory of a run
 * @net: the network
 * @run: the run
 * @err: filled in on failure
 *
 * Context: may sleep; memory is charged to the caller's cgroup.
 * Return: the engine, or an error pointer: -ENOMEM, -EINTR if the process is being killed, or
 *	   what the workload refuses.
 */
struct mcfab_engine *mcfab_engine_open(const struct mcfab_network *net,
				       const struct mcfab_run_cfg *run, struct mcfab_err *err)
{
	struct mcfab_engine *e;
	int ret;

	e = mcfab_memory_zalloc(1, sizeof(*e));
	if (!e) {
		mcfab_refuse(err, -ENOMEM, 0, "no memory for a run, see max_memory_mb");
		return ERR_PTR(-ENOMEM);
	}
	e->payer = get_mem_cgroup_from_mm(NULL);
	take_config(e, net, run);
	if (too_many_records(e)) {
		ret = mcfab_refuse(err, -ENOMEM, MCFAB_OPTION_RUN_FLITS,
				   "too many packets of %u flits fit into the buffers",
				   e->run.flits);
		goto free_engine;
	}
	e->run.prep = run->prep == MCFAB_NONE ? e->pol->ops->prep : run->prep;
	e->run.prep_relay = run->prep_relay;
	e->run.busy = run->node_busy;
	e->run.lone = run->workload.kind == MCFAB_WORKLOAD_TYPE_LONE;
	mcfab_messages_begin(e);
	e->run.rounds = run->rounds;
	if (e->run.rounds == MCFAB_ROUNDS_DEFAULT)
		e->run.rounds = e->run.lone ? MCFAB_ROUNDS_MODE_DELIVERED :
					      MCFAB_ROUNDS_MODE_INJECTED;

	ret = mcfab_workload_open_run(&e->work, run, e->cfg->seed,
				      mcfab_workload_nodes(e->topo, run), err);
	if (ret)
		goto free_engine;
	e->work.flits = run->flits;
	e->run.max_dests = mcfab_workload_max_dests(&e->work);
	mcfab_plan_bounds(e->pol, e->run.max_dests, &e->run.max_worms, &e->run.max_dst,
			  &e->run.scratch_bytes);
	ret = check_headers(e, run, err);
	if (ret)
		goto close_work;
	if ((u64)max(e->run.max_worms, e->run.max_dst) * e->run.packets > S32_MAX) {
		ret = mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_MTU,
				   "a message has too many packets: %u for each of %u destinations",
				   e->run.packets, e->run.max_dst);
		goto close_work;
	}
	if (e->flags & MCFAB_ENG_MEMORY && e->hosts.times.forward == MCFAB_FORWARD_FCFS &&
	    e->run.packets > e->hosts.times.memory) {
		ret = mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_MTU,
				   "forwarding fcfs needs ni-memory for a message: %u of %u packets",
				   e->hosts.times.memory, e->run.packets);
		goto close_work;
	}
	e->run.branching = worms_branch(e);
	e->run.held = copies_wait(e);
	ret = mcfab_mode_choose(e, run->advance, err);
	/* credits for whole packets are events */
	if (e->flags & MCFAB_ENG_WORM)
		e->flags &= ~MCFAB_ENG_STAMPS;
	if (e->flags & MCFAB_ENG_CREDITS && !(e->flags & MCFAB_ENG_WORM) && !e->hw.store)
		e->hw.counted = MCFAB_ENTRY_COUNTED;
	e->layout = mcfab_mode_layout(e);
	if (!ret)
		ret = mcfab_fault_open(e, net->updown, run, err);
	if (ret)
		goto close_work;
	e->boundary.nlone = e->run.lone ? max(run->workload.count, 1U) : 0;
	take_sizes(e, run);
	if (e->outside.from)
		mcfab_outside_limit(e);
	if (!mcfab_memory_charge(e->bytes)) {
		ret = mcfab_refuse(err, -ENOMEM, 0, "the run needs %llu MiB, see max_memory_mb",
				   (unsigned long long)(e->bytes >> 20) + 1);
		goto close_work;
	}
	ret = mcfab_arrays_alloc(e);
	if (ret) {
		ret = mcfab_refuse(err, ret, 0, "out of memory: the run needs %llu MiB",
				   (unsigned long long)(e->bytes >> 20) + 1);
		goto free_arrays;
	}
	mcfab_arrays_init(e);
	init_state(e);
	if (e->outside.from)
		mcfab_outside_begin(e);
	init_nodes(e, e->cfg->consume);
	if (e->flags & MCFAB_ENG_HOST)
		mcfab_host_init(e);
	ret = mcfab_boundary_init(e, run);
	if (ret) {
		mcfab_refuse(err, ret, 0, "interrupted");
		goto free_arrays;
	}
	return e;

free_arrays:
	mcfab_arrays_free(e);
	mcfab_memory_uncharge(e->bytes);
close_work:
	mcfab_fault_close(e);
	mcfab_workload_close(&e->work);
free_engine:
	mem_cgroup_put(e->payer);
	mcfab_memory_free(e);
	return ERR_PTR(ret);
}

/**
 * mcfab_engine_close() - give the memory of a run back
 * @e: the engine; no thread works on it any more
 *
 * Context: may sleep.
 */
void mcfab_engine_close(struct mcfab_engine *e)
{
	mcfab_arrays_free(e);
	mcfab_memory_uncharge(e->bytes);
	mcfab_fault_close(e);
	mcfab_workload_close(&e->work);
	mem_cgroup_put(e->payer);
	mcfab_memory_free(e);
}
