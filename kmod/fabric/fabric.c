// SPDX-License-Identifier: GPL-2.0
/* Life of a fabric: defaults, checks, its tables. */
#include <linux/mcfab.h>
#include "fabric/fabric.h"
#include "base/memory.h"
#include "stats/report.h"
#include "fabric/runner.h"
#include "engine/engine.h"
#include "subnet/subnet.h"
#include "topology/graph.h"
#include "updown/updown.h"

/**
 * mcfab_fabric_defaults() - the configuration of a fabric of which nothing is said
 * @cfg: filled in; name, topology and radices are left empty
 *
 * Context: any.
 */
void mcfab_fabric_defaults(struct mcfab_fabric_cfg *cfg)
{
	memset(cfg, 0, sizeof(*cfg));
	cfg->vcs = 1;
	cfg->buffer = 1;
	cfg->switching = MCFAB_SWITCHING_MODE_WORMHOLE;
	cfg->replication = MCFAB_REPLICATION_MODE_ASYNC;
	cfg->vc_release = MCFAB_VC_RELEASE_MODE_DRAINED;
	cfg->link_arbitration = MCFAB_LINK_ARBITRATION_MODE_FLIT;
	cfg->allocator = MCFAB_ALLOCATOR_MODE_OLDEST;
	cfg->node_bandwidth = MCFAB_NODE_BANDWIDTH_MODE_CHANNEL;
	cfg->pipeline = MCFAB_PIPELINE_MODE_HEADER;
	cfg->link_delay = 1;
	cfg->consume_delay = 1;
	cfg->startup = 33;
	cfg->cycle_ps = 1000;
	cfg->stall_limit = 10000;
	cfg->seed = 1;
	cfg->shards = 1;
	cfg->addressing = MCFAB_ADDRESSING_MODE_NODES;
	cfg->routing = MCFAB_ROUTING_DEFAULT;
	cfg->root = MCFAB_NONE;
	cfg->node_model = MCFAB_NODE_MODEL_MODE_QUEUE;
	cfg->host_receive = MCFAB_NONE;
	cfg->ni_send = MCFAB_NONE;
	cfg->ni_receive = MCFAB_NONE;
	cfg->ni_ratio = MCFAB_PPM;
	cfg->io_bus = 266;
	cfg->host_overhead = MCFAB_HOST_OVERHEAD_MODE_MESSAGE;
}

/**
 * mcfab_fabric_defaults_irregular() - the same for an irregular network of hosts
 * @cfg: filled in
 *
 * The switches and hosts of the irregular paper, section 6.2: cycles of 5 ns, one FIFO of
 * 640 flits per input, into which packets come even if there is no room for all of them,
 * overheads of 1000 cycles.
 *
 * Context: any.
 */
void mcfab_fabric_defaults_irregular(struct mcfab_fabric_cfg *cfg)
{
	mcfab_fabric_defaults(cfg);
	cfg->buffer = 640;
	cfg->vc_release = MCFAB_VC_RELEASE_MODE_SENT;
	cfg->inject = 1;
	cfg->consume = 1;
	cfg->inject_delay = 1;
	cfg->route_delay = 2;
	cfg->startup = 1000;
	cfg->cycle_ps = 5000;
	cfg->node_model = MCFAB_NODE_MODEL_MODE_HOST;
}

/* Overheads of which nothing was said are like others; nobody asked for a bad one by name. */
static int fill_overheads(struct mcfab_fabric_cfg *cfg, struct mcfab_err *err)
{
	u64 send = cfg->ni_send;

	if (cfg->host_receive == MCFAB_NONE)
		cfg->host_receive = cfg->startup;
	if (cfg->ni_send == MCFAB_NONE) {
		send = div_u64((u64)cfg->startup * MCFAB_PPM + cfg->ni_ratio / 2, cfg->ni_ratio);
		if (send > MCFAB_MAX_OVERHEAD && cfg->startup <= MCFAB_MAX_OVERHEAD)
			return mcfab_refuse(err, -ERANGE, MCFAB_A_FABRIC_NI_RATIO,
					    "startup %u over it makes ni-send %llu, most are %u",
					    cfg->startup, (unsigned long long)send,
					    MCFAB_MAX_OVERHEAD);
	}
	cfg->ni_send = send;
	if (cfg->ni_receive == MCFAB_NONE)
		cfg->ni_receive = cfg->ni_send;
	return 0;
}

/**
 * mcfab_fabric_defaults_lid() - the same for a fabric with LIDs: an InfiniBand subnet, 1X SDR
 * @cfg: filled in
 *
 * One flit is one byte, which takes a link 4 ns.
 *
 * Context: any.
 */
void mcfab_fabric_defaults_lid(struct mcfab_fabric_cfg *cfg)
{
	mcfab_fabric_defaults(cfg);
	cfg->addressing = MCFAB_ADDRESSING_MODE_LID;
	cfg->switching = MCFAB_SWITCHING_MODE_CUT_THROUGH;
	cfg->vc_release = MCFAB_VC_RELEASE_MODE_SENT;
	cfg->link_arbitration = MCFAB_LINK_ARBITRATION_MODE_PACKET;
	cfg->buffer_packets = 1;
	cfg->inject = 1;
	cfg->consume = 1;
	cfg->startup = 0;
	cfg->cycle_ps = 4000;
}

static int check_range(struct mcfab_err *err, u32 attr, const char *what, u64 value, u64 min,
		       u64 max)
{
	if (value >= min && value <= max)
		return 0;
	return mcfab_refuse(err, -ERANGE, attr, "%s %llu is not in %llu to %llu", what,
			    (unsigned long long)value, (unsigned long long)min,
			    (unsigned long long)max);
}

/* the crossbar of a separable allocator takes a flit from each input port */
static int check_allocator(const struct mcfab_fabric_cfg *cfg, struct mcfab_err *err)
{
	const char *needs = NULL;

	if (cfg->allocator != MCFAB_ALLOCATOR_MODE_SEPARABLE)
		return 0;
	if (!cfg->input_speedup)
		needs = "input-speedup 1";
	else if (cfg->link_arbitration != MCFAB_LINK_ARBITRATION_MODE_FLIT)
		needs = "link-arbitration flit";
	else if (cfg->replication != MCFAB_REPLICATION_MODE_ASYNC)
		needs = "replication async";
	if (needs)
		return mcfab_refuse(err, -EINVAL, MCFAB_A_FABRIC_ALLOCATOR,
				    "allocator separable needs %s", needs);
	return 0;
}

struct bound {
	const char *what;
	u32 attr;
	u32 value;
	u32 min;
	u32 max;
};

static int check_cfg(const struct mcfab_fabric_cfg *cfg, struct mcfab_err *err)
{
	const struct bound bound[] = {
		{ "vcs", MCFAB_A_FABRIC_VCS, cfg->vcs, 1, MCFAB_MAX_VCS },
		{ "buffer", MCFAB_A_FABRIC_BUFFER, cfg->buffer, 1, MCFAB_MAX_BUFFER },
		{ "buffer-packets", MCFAB_A_FABRIC_BUFFER_PACKETS, cfg->buffer_packets, 0,
		  MCFAB_MAX_BUFFER_PACKETS },
		{ "switching", MCFAB_A_FABRIC_SWITCHING, cfg->switching,
		  MCFAB_SWITCHING_MODE_WORMHOLE,
		  MCFAB_SWITCHING_MODE_STORE_AND_FORWARD },
		{ "replication", MCFAB_A_FABRIC_REPLICATION, cfg->replication,
		  MCFAB_REPLICATION_MODE_ASYNC,
		  MCFAB_REPLICATION_MODE_LOCKSTEP },
		{ "vc-release", MCFAB_A_FABRIC_VC_RELEASE, cfg->vc_release,
		  MCFAB_VC_RELEASE_MODE_DRAINED,
		  MCFAB_VC_RELEASE_MODE_SENT },
		{ "link-arbitration", MCFAB_A_FABRIC_LINK_ARBITRATION, cfg->link_arbitration,
		  MCFAB_LINK_ARBITRATION_MODE_FLIT, MCFAB_LINK_ARBITRATION_MODE_PACKET },
		{ "input-speedup", MCFAB_A_FABRIC_INPUT_SPEEDUP, cfg->input_speedup, 0, 1 },
		{ "allocator", MCFAB_A_FABRIC_ALLOCATOR, cfg->allocator,
		  MCFAB_ALLOCATOR_MODE_OLDEST,
		  MCFAB_ALLOCATOR_MODE_SEPARABLE },
		{ "inject", MCFAB_A_FABRIC_INJECT, cfg->inject, 0, MCFAB_MAX_CHANNELS },
		{ "consume", MCFAB_A_FABRIC_CONSUME, cfg->consume, 0, MCFAB_MAX_CONSUME },
		{ "node-bandwidth", MCFAB_A_FABRIC_NODE_BANDWIDTH, cfg->node_bandwidth,
		  MCFAB_NODE_BANDWIDTH_MODE_CHANNEL, MCFAB_NODE_BANDWIDTH_MODE_SHARED },
		{ "pipeline", MCFAB_A_FABRIC_PIPELINE, cfg->pipeline, MCFAB_PIPELINE_MODE_HEADER,
		  MCFAB_PIPELINE_MODE_FLIT },
		{ "inject-delay", MCFAB_A_FABRIC_INJECT_DELAY, cfg->inject_delay, 0,
		  MCFAB_MAX_STAGE },
		{ "route-delay", MCFAB_A_FABRIC_ROUTE_DELAY, cfg->route_delay, 0,
		  MCFAB_MAX_STAGE },
		{ "link-delay", MCFAB_A_FABRIC_LINK_DELAY, cfg->link_delay, 1, MCFAB_MAX_DELAY },
		{ "consume-delay", MCFAB_A_FABRIC_CONSUME_DELAY, cfg->consume_delay, 1,
		  MCFAB_MAX_STAGE },
		{ "credit-delay", MCFAB_A_FABRIC_CREDIT_DELAY, cfg->credit_delay, 0,
		  MCFAB_MAX_DELAY },
		{ "startup", MCFAB_A_FABRIC_STARTUP, cfg->startup, 0, MCFAB_MAX_OVERHEAD },
		{ "cycle-ps", MCFAB_A_FABRIC_CYCLE_PS, cfg->cycle_ps, 1, MCFAB_MAX_CYCLE_PS },
		{ "stall-limit", MCFAB_A_FABRIC_STALL_LIMIT, cfg->stall_limit, 1, U32_MAX },
		{ "shards", MCFAB_A_FABRIC_SHARDS, cfg->shards, 1, MCFAB_MAX_SHARDS },
		{ "addressing", MCFAB_A_FABRIC_ADDRESSING, cfg->addressing,
		  MCFAB_ADDRESSING_MODE_NODES,
		  MCFAB_ADDRESSING_MODE_LID },
		{ "ingress", MCFAB_A_FABRIC_INGRESS, cfg->rules.ingress, 0,
		  MCFAB_INGRESS_MODE_ALLOW },
		{ "node-model", MCFAB_A_FABRIC_NODE_MODEL, cfg->node_model,
		  MCFAB_NODE_MODEL_MODE_QUEUE,
		  MCFAB_NODE_MODEL_MODE_HOST },
		{ "host-receive", MCFAB_A_FABRIC_HOST_RECEIVE, cfg->host_receive, 0,
		  MCFAB_MAX_OVERHEAD },
		{ "ni-ratio", MCFAB_A_FABRIC_NI_RATIO, cfg->ni_ratio, 1, U32_MAX },
		{ "ni-send", MCFAB_A_FABRIC_NI_SEND, cfg->ni_send, 0, MCFAB_MAX_OVERHEAD },
		{ "ni-receive", MCFAB_A_FABRIC_NI_RECEIVE, cfg->ni_receive, 0,
		  MCFAB_MAX_OVERHEAD },
		{ "io-bus", MCFAB_A_FABRIC_IO_BUS, cfg->io_bus, 0, MCFAB_MAX_IO_BUS },
		{ "host-overhead", MCFAB_A_FABRIC_HOST_OVERHEAD, cfg->host_overhead,
		  MCFAB_HOST_OVERHEAD_MODE_MESSAGE, MCFAB_HOST_OVERHEAD_MODE_PACKET },
		{ "routing", MCFAB_A_FABRIC_ROUTING, cfg->routing, MCFAB_ROUTING_DEFAULT,
		  MCFAB_ROUTING_MODE_UPDOWN },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(bound); i++) {
		int ret = check_range(err, bound[i].attr, bound[i].what, bound[i].value,
				      bound[i].min, bound[i].max);

		if (ret)
			return ret;
	}
	if (cfg->addressing != MCFAB_ADDRESSING_MODE_LID &&
	    (cfg->rules.ingress || cfg->rules.port[0]))
		return mcfab_refuse(err, -EINVAL, cfg->rules.ingress ? MCFAB_A_FABRIC_INGRESS :
				    MCFAB_A_FABRIC_PORT_NUMBERS,
				    "switches have such a rule only with addressing lid");
	if (cfg->link_arbitration == MCFAB_LINK_ARBITRATION_MODE_PACKET &&
	    cfg->switching == MCFAB_SWITCHING_MODE_WORMHOLE)
		/* with LIDs that is the default, so the other one was asked for */
		return mcfab_refuse(err, -EINVAL, cfg->addressing == MCFAB_ADDRESSING_MODE_LID ?
				    MCFAB_A_FABRIC_SWITCHING : MCFAB_A_FABRIC_LINK_ARBITRATION,
				    "packet arbitration needs switching vct or saf: a blocked worm holds the link");
	/* the engine adds them up, and keeps a link's flits in a word */
	if (cfg->pipeline == MCFAB_PIPELINE_MODE_FLIT &&
	    cfg->route_delay + cfg->link_delay > MCFAB_MAX_DELAY)
		return mcfab_refuse(err, -ERANGE, MCFAB_A_FABRIC_ROUTE_DELAY,
				    "pipeline flit: route-delay and link-delay are %u together, most are %u",
				    cfg->route_delay + cfg->link_delay, MCFAB_MAX_DELAY);
	return check_allocator(cfg, err);
}

/* the turns at a node's link are those of one node at a router, branch by branch */
static int check_node_bandwidth(const struct mcfab_fabric_cfg *cfg, const struct mcfab_topo *topo,
				struct mcfab_err *err)
{
	const char *why = NULL;

	if (cfg->node_bandwidth != MCFAB_NODE_BANDWIDTH_MODE_SHARED)
		return 0;
	if (topo->graph)
		why = "on irregular topologies";
	else if (cfg->routing == MCFAB_ROUTING_MODE_UPDOWN)
		why = "with routing updown";
	else if (cfg->replication == MCFAB_REPLICATION_MODE_LOCKSTEP)
		why = "with replication lockstep";
	if (why)
		return mcfab_refuse(err, -EOPNOTSUPP, MCFAB_A_FABRIC_NODE_BANDWIDTH,
				    "node-bandwidth shared is not modelled %s", why);
	if (cfg->inject > MCFAB_MAX_SHARED)
		return mcfab_refuse(err, -ERANGE, MCFAB_A_FABRIC_INJECT,
				    "node-bandwidth shared: inject is %u, most are %u",
				    cfg->inject, MCFAB_MAX_SHARED);
	return 0;
}

/* what a fabric's size is asked for by */
static u32 size_attr(const struct mcfab_fabric *fabric)
{
	return fabric->topo.graph ? MCFAB_A_FABRIC_TOPOLOGY : MCFAB_A_FABRIC_DIMS;
}

/* the memory of tables and of the smallest run; the biggest part of a fabric */
static int check_memory(const struct mcfab_fabric *fabric, struct mcfab_err *err)
{
	struct mcfab_network net = { .cfg = &fabric->cfg, .topo = &fabric->topo };
	u64 bytes = mcfab_topo_bytes(&fabric->topo) + mcfab_engine_bytes(&net);

	if (bytes <= mcfab_memory_left())
		return 0;
	return mcfab_refuse(err, -ENOMEM, size_attr(fabric),
			    "the fabric needs %llu MiB, %llu are left of max_memory_mb",
			    (unsigned long long)(bytes >> 20) + 1,
			    (unsigned long long)(mcfab_memory_left() >> 20));
}

static void set_view(struct mcfab_fabric *fabric)
{
	const struct mcfab_fabric_cfg *cfg = &fabric->cfg;

	fabric->view.topo = &fabric->topo;
	fabric->view.vcs = cfg->vcs;
	fabric->view.buffer = cfg->buffer;
	fabric->view.inject = cfg->inject;
	fabric->view.consume = cfg->consume;
	fabric->view.switching = cfg->switching;
	fabric->view.replication = cfg->replication;
	fabric->view.subnet = fabric->subnet;
	fabric->view.updown = fabric->updown;
}

static u64 table_bytes(const struct mcfab_fabric *fabric)
{
	u64 channels = (u64)fabric->topo.routers * fabric->topo.ports;

	return mcfab_topo_bytes(&fabric->topo) + 2 * channels * sizeof(u64);
}

static int alloc_tables(struct mcfab_fabric *fabric, struct mcfab_err *err)
{
	u32 channels = fabric->topo.routers * fabric->topo.ports;

	fabric->table_bytes = table_bytes(fabric);
	if (!mcfab_memory_charge(fabric->table_bytes)) {
		fabric->table_bytes = 0;
		return mcfab_refuse(err, -ENOMEM, size_attr(fabric), "max_memory_mb is used up");
	}
	fabric->results.channel_flits = kvcalloc(max(channels, 1U), sizeof(u64), MCFAB_GFP);
	fabric->results.channel_wait = kvcalloc(max(channels, 1U), sizeof(u64), MCFAB_GFP);
	if (!fabric->results.channel_flits || !fabric->results.channel_wait ||
	    mcfab_topo_alloc(&fabric->topo))
		return mcfab_refuse(err, -ENOMEM, 0, "out of memory");
	return 0;
}

static int alloc_subnet(struct mcfab_fabric *fabric, struct mcfab_err *err)
{
	struct mcfab_subnet *sn = mcfab_subnet_create(&fabric->topo, &fabric->cfg.rules, err);

	if (IS_ERR(sn))
		return PTR_ERR(sn);
	fabric->subnet = sn;
	fabric->subnet_bytes = mcfab_subnet_bytes(sn);
	return 0;
}

static bool routes_updown(const struct mcfab_fabric *fabric)
{
	if (fabric->cfg.routing == MCFAB_ROUTING_DEFAULT)
		return fabric->topo.graph && fabric->cfg.addressing != MCFAB_ADDRESSING_MODE_LID;
	return fabric->cfg.routing == MCFAB_ROUTING_MODE_UPDOWN;
}

/* The root that was found out is the graph's from now on: it makes the same fabric again. */
static int alloc_updown(struct mcfab_fabric *fabric, struct mcfab_err *err)
{
	u32 root = fabric->cfg.root;
	struct mcfab_updown *ud;

	if (!routes_updown(fabric)) {
		fabric->cfg.routing = MCFAB_ROUTING_MODE_POLICY;
		if (root == MCFAB_NONE)
			return 0;
		return mcfab_refuse(err, -EINVAL, MCFAB_A_FABRIC_ROOT,
				    "root %u: only routing updown has one", root);
	}
	fabric->cfg.routing = MCFAB_ROUTING_MODE_UPDOWN;
	if (root == MCFAB_NONE && fabric->topo.graph)
		root = fabric->topo.graph->root;
	ud = mcfab_updown_create(&fabric->topo, root, err);
	if (IS_ERR(ud))
		return PTR_ERR(ud);
	fabric->updown = ud;
	fabric->cfg.root = ud->root;
	mcfab_topo_set_root(&fabric->topo, ud->root);
	return 0;
}

/* how many channels lead somewhere: every answer about the fabric says so */
static void count_channels(struct mcfab_fabric *fabric)
{
	const struct mcfab_topo *topo = &fabric->topo;
	u32 i;

	for (i = 0; i < topo->routers * topo->ports; i++)
		fabric->wired += topo->peer[i] != MCFAB_NONE;
}

/**
 * mcfab_fabric_create() - make a fabric
 * @cfg: what it is to be; the caller has copied it
 * @err: filled in when it is refused
 *
 * Context: may sleep; memory is charged to the caller's cgroup.
 * Return: the fabric or an error pointer: -EINVAL, -ERANGE, -ENOENT (no such
 *	   topology), -ENOMEM, -EINTR if the process is being killed.
 */
struct mcfab_fabric *mcfab_fabric_create(const struct mcfab_fabric_cfg *cfg, struct mcfab_err *err)
{
	struct mcfab_fabric *fabric;
	int ret;

	fabric = mcfab_memory_zalloc(1, sizeof(*fabric));
	if (!fabric) {
		mcfab_refuse(err, -ENOMEM, 0, "no memory for a fabric, see max_memory_mb");
		return ERR_PTR(-ENOMEM);
	}
	fabric->cfg = *cfg;
	mutex_init(&fabric->results.lock);
	spin_lock_init(&fabric->results.report_lock);
	spin_lock_init(&fabric->part_lock);
	fabric->results.progress.state = MCFAB_RUN_STATUS_IDLE;
	fabric->results.report = mcfab_report_new(NULL);
	if (!fabric->results.report) {
		ret = mcfab_refuse(err, -ENOMEM, 0, "no memory for a fabric, see max_memory_mb");
		goto fail;
	}

	ret = fill_overheads(&fabric->cfg, err);
	if (!ret)
		ret = check_cfg(&fabric->cfg, err);
	if (ret)
		goto fail;
	fabric->topo.ops = mcfab_topo_find(cfg->topology);
	if (!fabric->topo.ops) {
		ret = mcfab_refuse(err, -ENOENT, MCFAB_A_FABRIC_TOPOLOGY,
				   "there is no topology %s", cfg->topology);
		goto fail;
	}
	fabric->topo.graph = cfg->graph;
	fabric->topo.ndims = cfg->ndims;
	memcpy(fabric->topo.radix, cfg->radix, sizeof(cfg->radix));
	ret = fabric->topo.ops->init(&fabric->topo, err);
	if (ret)
		goto fail;

	fabric->cfg.inject = cfg->inject ?: max(fabric->topo.degree, 1U);
	fabric->cfg.consume = cfg->consume ?: max(fabric->topo.degree * cfg->vcs, 1U);
	fabric->cfg.shards = min(cfg->shards, fabric->topo.routers);
	ret = check_node_bandwidth(&fabric->cfg, &fabric->topo, err);
	if (!ret)
		ret = check_memory(fabric, err);
	if (!ret)
		ret = alloc_tables(fabric, err);
	if (!ret && cfg->addressing == MCFAB_ADDRESSING_MODE_LID)
		ret = alloc_subnet(fabric, err);
	if (!ret)
		ret = alloc_updown(fabric, err);
	if (!ret) {
		count_channels(fabric);
		set_view(fabric);
		ret = mcfab_runner_open(fabric);
		if (ret)
			mcfab_refuse(err, ret, 0,
				     "no memory for router threads, see max_memory_mb");
	}
	if (ret)
		goto fail;
	fabric->cfg.graph = fabric->topo.graph;
	fabric->results.progress.bytes = fabric->table_bytes;
	mcfab_report_publish(&fabric->results);
	return fabric;

fail:
	mcfab_fabric_destroy(fabric);
	return ERR_PTR(ret);
}

/**
 * mcfab_fabric_destroy() - free a fabric
 * @fabric: the fabric; a run is stopped first
 *
 * Context: may sleep, until the run's threads have ended (at most 100 ms).
 */
void mcfab_fabric_destroy(struct mcfab_fabric *fabric)
{
	if (fabric->runner) {
		mcfab_run_stop(fabric);
		mcfab_runner_close(fabric);
	}
	mcfab_stats_close(&fabric->results.stats);
	mcfab_memory_uncharge(fabric->stats_bytes);
	mcfab_subnet_destroy(fabric->subnet);
	mcfab_updown_put(fabric->updown);
	mcfab_topo_free(&fabric->topo);
	kvfree(fabric->results.channel_flits);
	kvfree(fabric->results.channel_wait);
	mcfab_memory_uncharge(fabric->table_bytes);
	mcfab_report_put(fabric->results.report);
	mutex_destroy(&fabric->results.lock);
	mcfab_memory_free(fabric);
}

static int check_packets(const struct mcfab_fabric_cfg *cfg, u32 flits, u32 mtu, bool headers,
			 struct mcfab_err *err)
{
	bool saf = cfg->switching == MCFAB_SWITCHING_MODE_STORE_AND_FORWARD;

	if (flits % mcfab_packet_flits(flits, mtu) && (headers || saf))
		return mcfab_refuse(err, -EOPNOTSUPP, MCFAB_A_RUN_MTU,
				    "%s needs equal packets: flits %u is no multiple of mtu %u",
				    headers ? "headers" : "saf", flits, mtu);
	if (headers && saf)
		return mcfab_refuse(err, -EOPNOTSUPP, MCFAB_A_RUN_HEADERS,
				    "headers of several flits are not modelled with store-and-forward");
	if (headers && cfg->replication == MCFAB_REPLICATION_MODE_LOCKSTEP)
		return mcfab_refuse(err, -EOPNOTSUPP, MCFAB_A_RUN_HEADERS,
				    "headers of several flits are not modelled with lock-step replication");
	return 0;
}

/**
 * mcfab_fabric_packets() - what a policy is told of packets and buffers
 * @fabric: the fabric
 * @policy: name of the policy that the view is for
 * @flits: length of a message
 * @mtu: longest packet, or 0
 * @named: most destinations that a header names with flits of their own; 0: one flit does
 * @view: its packets and buffer are filled in
 * @err: filled in when it is refused; the blamed attribute is one of a run's
 *
 * A header of several flits makes packets longer, by as much as the policy says. A buffer
 * that is counted in packets has room for the longest.
 *
 * Context: may sleep.
 * Return: 0, or -EOPNOTSUPP for packets that are not modelled.
 */
int mcfab_fabric_packets(const struct mcfab_fabric *fabric, const char *policy, u32 flits,
			 u32 mtu, u32 named, struct mcfab_view *view, struct mcfab_err *err)
{
	int ret = check_packets(&fabric->cfg, flits, mtu, named, err);
	const struct mcfab_policy_ops *ops;
	u32 header = named;

	if (ret)
		return ret;
	view->flits = mcfab_packet_flits(flits, mtu);
	view->packets = DIV_ROUND_UP(flits, view->flits);
	if (named) {
		/* a policy that is not there is refused when it is opened */
		ops = mcfab_policy_get(policy);
		if (ops && ops->header_flits)
			header = ops->header_flits(view, NULL, NULL, 0, header);
		mcfab_policy_put(ops);
		view->flits += header - 1;
	}
	view->buffer = fabric->cfg.buffer_packets ? fabric->cfg.buffer_packets * view->flits :
						    fabric->cfg.buffer;
	return 0;
}

/**
 * mcfab_fabric_imply() - give a view the subnet that a policy cannot do without
 * @fabric: the fabric
 * @policy: name of the policy
 * @view: the view it will be opened with
 * @fresh: set to a new subnet that @view now points to, to be adopted or destroyed; else to
 *	   NULL
 * @err: filled in when it is refused
 *
 * Policies whose packets follow tables ask for a fabric with LIDs without a word.
 *
 * Context: may sleep.
 * Return: 0, -EOPNOTSUPP, -ENOMEM.
 */
int mcfab_fabric_imply(const struct mcfab_fabric *fabric, const char *policy,
		       struct mcfab_view *view, struct mcfab_subnet **fresh,
		       struct mcfab_err *err)
{
	const struct mcfab_policy_ops *ops;
	bool need;
	int ret;

	*fresh = NULL;
	if (view->subnet)
		return 0;
	ops = mcfab_policy_get(policy);
	/* what cannot be is refused when the policy is opened */
	need = ops && ops->flags & MCFAB_POLICY_TABLE && ops->flags & fabric->topo.ops->serve;
	mcfab_policy_put(ops);
	if (!need)
		return 0;
	*fresh = mcfab_subnet_create(&fabric->topo, &fabric->cfg.rules, err);
	if (IS_ERR(*fresh)) {
		ret = PTR_ERR(*fresh);
		*fresh = NULL;
		err->attr = MCFAB_A_RUN_POLICY;
		return ret;
	}
	view->subnet = *fresh;
	return 0;
}

/**
 * mcfab_fabric_adopt() - keep the subnet that a policy has asked for
 * @fabric: the fabric
 * @fresh: from mcfab_fabric_imply(), or NULL
 *
 * Context: any; nobody else changes the fabric.
 */
void mcfab_fabric_adopt(struct mcfab_fabric *fabric, struct mcfab_subnet *fresh)
{
	if (fresh) {
		fabric->view.subnet = fresh;
		fabric->cfg.addressing = MCFAB_ADDRESSING_MODE_LID;
		/* Pairs with readers that look at LIDs without the owner's lock. */
		smp_store_release(&fabric->subnet, fresh);
	}
	mcfab_fabric_account(fabric);
}

/**
 * mcfab_fabric_account() - see how much memory the subnet takes, since it has changed
 * @fabric: the fabric
 *
 * Context: may sleep; nobody else changes the fabric.
 */
void mcfab_fabric_account(struct mcfab_fabric *fabric)
{
	WRITE_ONCE(fabric->subnet_bytes, mcfab_subnet_bytes(fabric->subnet));
}

/**
 * mcfab_fabric_bytes() - memory that is charged for a fabric
 * @fabric: the fabric, its part_lock held
 *
 * Context: any.
 * Return: bytes: the fabric itself, its tables, subnet, routing and statistics, the run.
 */
u64 mcfab_fabric_bytes(struct mcfab_fabric *fabric)
{
	u64 bytes = mcfab_memory_size(fabric) + mcfab_runner_bytes(fabric->runner) +
		    mcfab_report_bytes(&fabric->results) +
		    fabric->table_bytes + fabric->stats_bytes + fabric->subnet_bytes;

	/* a policy may just be adding to it */
	if (fabric->updown)
		bytes += READ_ONCE(fabric->updown->bytes);
	/* both are there as long as a run is under way and its engine in sight */
	if (fabric->active && fabric->engine)
		bytes += mcfab_memory_size(fabric->engine) + READ_ONCE(fabric->engine->bytes) +
			 mcfab_memory_size(fabric->policy.priv) +
			 mcfab_memory_size(fabric->engine->work.msg_order) +
			 mcfab_memory_size(fabric->engine->work.msg_first);
	return bytes;
}
