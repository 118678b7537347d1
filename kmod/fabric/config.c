// SPDX-License-Identifier: GPL-2.0
/* The configuration of a fabric: defaults and checks. */
#include "fabric/fabric.h"
#include "topology/graph.h"

/**
 * mcfab_fabric_defaults() - the default configuration of a fabric
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
	cfg->flit_bytes = 16;
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
 * mcfab_fabric_defaults_irregular() - the default configuration of an irregular network of hosts
 * @cfg: filled in
 *
 * The switches and hosts of Documentation/hosts.md: cycles of 5 ns, one FIFO of
 * 640 flits per input, which a packet may enter even if there is no room for the whole packet,
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

/**
 * mcfab_fabric_overheads() - overheads that are not given follow from other overheads
 * @cfg: the configuration, in which MCFAB_NONE is replaced
 * @err: filled in on failure; blames the option from which a bad overhead follows
 *
 * Context: any.
 * Return: 0 or a negative error.
 */
int mcfab_fabric_overheads(struct mcfab_fabric_cfg *cfg, struct mcfab_err *err)
{
	u64 send = cfg->ni_send;

	if (cfg->host_receive == MCFAB_NONE)
		cfg->host_receive = cfg->startup;
	if (cfg->ni_send == MCFAB_NONE) {
		send = div_u64((u64)cfg->startup * MCFAB_PPM + cfg->ni_ratio / 2, cfg->ni_ratio);
		if (send > MCFAB_MAX_OVERHEAD && cfg->startup <= MCFAB_MAX_OVERHEAD)
			return mcfab_refuse(err, -ERANGE, MCFAB_OPTION_FABRIC_NI_RATIO,
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
 * mcfab_fabric_defaults_lid() - the default configuration of a fabric with LIDs: an InfiniBand
 *				 subnet, 1X SDR
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

/**
 * mcfab_fabric_router() - set the options of a router by its name
 * @cfg: a fabric's defaults; the options are changed
 * @router: the name; ideal changes nothing
 *
 * booksim is the router of BookSim2 with 4 virtual channels of 8 flits, speculative switch
 * allocation and look-ahead routing, for packets of 5 flits: Documentation/decisions.md.
 *
 * Context: any.
 */
void mcfab_fabric_router(struct mcfab_fabric_cfg *cfg, enum mcfab_router_preset router)
{
	if (router != MCFAB_ROUTER_PRESET_BOOKSIM)
		return;
	cfg->vcs = 4;
	cfg->buffer = 8;
	cfg->buffer_packets = 0;
	cfg->vc_release = MCFAB_VC_RELEASE_MODE_SENT;
	cfg->input_speedup = 1;
	cfg->allocator = MCFAB_ALLOCATOR_MODE_SEPARABLE;
	cfg->pipeline = MCFAB_PIPELINE_MODE_FLIT;
	cfg->inject_delay = 2;
	cfg->route_delay = 2;
	cfg->link_delay = 1;
	cfg->consume_delay = 1;
	cfg->credit_delay = 2;
	cfg->startup = 0;
	cfg->node_bandwidth = MCFAB_NODE_BANDWIDTH_MODE_SHARED;
	/* so many packets of 5 flits may have a flit in a port's buffers of 32 flits */
	cfg->inject = 7;
	cfg->consume = 4;
}

static int check_range(struct mcfab_err *err, enum mcfab_option blame, const char *what, u64 value,
		       u64 min,
		       u64 max)
{
	if (value >= min && value <= max)
		return 0;
	return mcfab_refuse(err, -ERANGE, blame, "%s %llu is not in %llu to %llu", what,
			    (unsigned long long)value, (unsigned long long)min,
			    (unsigned long long)max);
}

/* allocators but oldest need a crossbar that takes one flit from each input port */
static int check_allocator(const struct mcfab_fabric_cfg *cfg, struct mcfab_err *err)
{
	const char *needs = NULL;

	if (cfg->allocator == MCFAB_ALLOCATOR_MODE_OLDEST)
		return 0;
	if (!cfg->input_speedup)
		needs = "input-speedup 1";
	else if (cfg->link_arbitration != MCFAB_LINK_ARBITRATION_MODE_FLIT)
		needs = "link-arbitration flit";
	else if (cfg->replication != MCFAB_REPLICATION_MODE_ASYNC)
		needs = "replication async";
	if (needs)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_FABRIC_ALLOCATOR,
				    "allocator %s needs %s",
				    cfg->allocator == MCFAB_ALLOCATOR_MODE_ISLIP ? "islip" :
				    "separable", needs);
	return 0;
}

static u32 longest_link(const struct mcfab_fabric_cfg *cfg)
{
	return max(cfg->link_delay, cfg->graph ? mcfab_graph_longest(cfg->graph) : 0);
}

/*
 * A host's link with a rate of its own has to end in a buffer of the switch, and the engine keeps
 * the flits on it as bits of a word.
 */
static int check_rates(const struct mcfab_fabric_cfg *cfg, struct mcfab_err *err)
{
	u32 delay = cfg->inject_delay;

	if (!cfg->graph || !mcfab_graph_slow_hosts(cfg->graph))
		return 0;
	if (cfg->vc_release != MCFAB_VC_RELEASE_MODE_SENT)
		return mcfab_refuse(err, -EOPNOTSUPP, MCFAB_OPTION_FABRIC_VC_RELEASE,
				    "rates of hosts' links need vc-release sent");
	if (cfg->switching == MCFAB_SWITCHING_MODE_STORE_AND_FORWARD)
		return mcfab_refuse(err, -EOPNOTSUPP, MCFAB_OPTION_FABRIC_SWITCHING,
				    "rates of hosts' links are not modelled with switching saf");
	if (cfg->pipeline == MCFAB_PIPELINE_MODE_FLIT)
		delay += cfg->route_delay;
	if (delay <= MCFAB_MAX_DELAY)
		return 0;
	return mcfab_refuse(err, -ERANGE, MCFAB_OPTION_FABRIC_INJECT_DELAY,
			    "rates of hosts' links: %u cycles to the switch, most are %u", delay,
			    MCFAB_MAX_DELAY);
}

struct bound {
	const char *what;
	enum mcfab_option blame;
	u32 value;
	u32 min;
	u32 max;
};

/**
 * mcfab_fabric_check() - is a configuration valid, whatever the topology?
 * @cfg: the configuration
 * @err: filled in if not
 *
 * Context: any.
 * Return: 0 or a negative error.
 */
int mcfab_fabric_check(const struct mcfab_fabric_cfg *cfg, struct mcfab_err *err)
{
	const struct bound bound[] = {
		{ "vcs", MCFAB_OPTION_FABRIC_VCS, cfg->vcs, 1, MCFAB_MAX_VCS },
		{ "buffer", MCFAB_OPTION_FABRIC_BUFFER, cfg->buffer, 1, MCFAB_MAX_BUFFER },
		{ "buffer-packets", MCFAB_OPTION_FABRIC_BUFFER_PACKETS, cfg->buffer_packets, 0,
		  MCFAB_MAX_BUFFER_PACKETS },
		{ "switching", MCFAB_OPTION_FABRIC_SWITCHING, cfg->switching,
		  MCFAB_SWITCHING_MODE_WORMHOLE,
		  MCFAB_SWITCHING_MODE_STORE_AND_FORWARD },
		{ "replication", MCFAB_OPTION_FABRIC_REPLICATION, cfg->replication,
		  MCFAB_REPLICATION_MODE_ASYNC,
		  MCFAB_REPLICATION_MODE_LOCKSTEP },
		{ "vc-release", MCFAB_OPTION_FABRIC_VC_RELEASE, cfg->vc_release,
		  MCFAB_VC_RELEASE_MODE_DRAINED,
		  MCFAB_VC_RELEASE_MODE_SENT },
		{ "link-arbitration", MCFAB_OPTION_FABRIC_LINK_ARBITRATION, cfg->link_arbitration,
		  MCFAB_LINK_ARBITRATION_MODE_FLIT, MCFAB_LINK_ARBITRATION_MODE_PACKET },
		{ "input-speedup", MCFAB_OPTION_FABRIC_INPUT_SPEEDUP, cfg->input_speedup, 0, 1 },
		{ "allocator", MCFAB_OPTION_FABRIC_ALLOCATOR, cfg->allocator,
		  MCFAB_ALLOCATOR_MODE_OLDEST,
		  MCFAB_ALLOCATOR_MODE_ISLIP },
		{ "inject", MCFAB_OPTION_FABRIC_INJECT, cfg->inject, 0, MCFAB_MAX_CHANNELS },
		{ "consume", MCFAB_OPTION_FABRIC_CONSUME, cfg->consume, 0, MCFAB_MAX_CONSUME },
		{ "node-bandwidth", MCFAB_OPTION_FABRIC_NODE_BANDWIDTH, cfg->node_bandwidth,
		  MCFAB_NODE_BANDWIDTH_MODE_CHANNEL, MCFAB_NODE_BANDWIDTH_MODE_SHARED },
		{ "pipeline", MCFAB_OPTION_FABRIC_PIPELINE, cfg->pipeline,
		  MCFAB_PIPELINE_MODE_HEADER,
		  MCFAB_PIPELINE_MODE_FLIT },
		{ "inject-delay", MCFAB_OPTION_FABRIC_INJECT_DELAY, cfg->inject_delay, 0,
		  MCFAB_MAX_STAGE },
		{ "route-delay", MCFAB_OPTION_FABRIC_ROUTE_DELAY, cfg->route_delay, 0,
		  MCFAB_MAX_STAGE },
		{ "link-delay", MCFAB_OPTION_FABRIC_LINK_DELAY, cfg->link_delay, 1,
		  MCFAB_MAX_DELAY },
		{ "consume-delay", MCFAB_OPTION_FABRIC_CONSUME_DELAY, cfg->consume_delay, 1,
		  MCFAB_MAX_STAGE },
		{ "credit-delay", MCFAB_OPTION_FABRIC_CREDIT_DELAY, cfg->credit_delay, 0,
		  MCFAB_MAX_DELAY },
		{ "startup", MCFAB_OPTION_FABRIC_STARTUP, cfg->startup, 0, MCFAB_MAX_OVERHEAD },
		{ "cycle-ps", MCFAB_OPTION_FABRIC_CYCLE_PS, cfg->cycle_ps, 1, MCFAB_MAX_CYCLE_PS },
		{ "flit-bytes", MCFAB_OPTION_FABRIC_FLIT_BYTES, cfg->flit_bytes, 1,
		  MCFAB_MAX_FLIT_BYTES },
		{ "stall-limit", MCFAB_OPTION_FABRIC_STALL_LIMIT, cfg->stall_limit, 1, U32_MAX },
		{ "shards", MCFAB_OPTION_FABRIC_SHARDS, cfg->shards, 1, MCFAB_MAX_SHARDS },
		{ "addressing", MCFAB_OPTION_FABRIC_ADDRESSING, cfg->addressing,
		  MCFAB_ADDRESSING_MODE_NODES,
		  MCFAB_ADDRESSING_MODE_LID },
		{ "ingress", MCFAB_OPTION_FABRIC_INGRESS, cfg->rules.ingress, 0,
		  MCFAB_INGRESS_MODE_ALLOW },
		{ "node-model", MCFAB_OPTION_FABRIC_NODE_MODEL, cfg->node_model,
		  MCFAB_NODE_MODEL_MODE_QUEUE,
		  MCFAB_NODE_MODEL_MODE_HOST },
		{ "host-receive", MCFAB_OPTION_FABRIC_HOST_RECEIVE, cfg->host_receive, 0,
		  MCFAB_MAX_OVERHEAD },
		{ "ni-ratio", MCFAB_OPTION_FABRIC_NI_RATIO, cfg->ni_ratio, 1, U32_MAX },
		{ "ni-send", MCFAB_OPTION_FABRIC_NI_SEND, cfg->ni_send, 0, MCFAB_MAX_OVERHEAD },
		{ "ni-receive", MCFAB_OPTION_FABRIC_NI_RECEIVE, cfg->ni_receive, 0,
		  MCFAB_MAX_OVERHEAD },
		{ "io-bus", MCFAB_OPTION_FABRIC_IO_BUS, cfg->io_bus, 0, MCFAB_MAX_IO_BUS },
		{ "ni-memory", MCFAB_OPTION_FABRIC_NI_MEMORY, cfg->ni_memory, 0,
		  MCFAB_MAX_NI_MEMORY },
		{ "host-overhead", MCFAB_OPTION_FABRIC_HOST_OVERHEAD, cfg->host_overhead,
		  MCFAB_HOST_OVERHEAD_MODE_MESSAGE, MCFAB_HOST_OVERHEAD_MODE_PACKET },
		{ "routing", MCFAB_OPTION_FABRIC_ROUTING, cfg->routing, MCFAB_ROUTING_DEFAULT,
		  MCFAB_ROUTING_MODE_MINHOP },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(bound); i++) {
		int ret = check_range(err, bound[i].blame, bound[i].what, bound[i].value,
				      bound[i].min, bound[i].max);

		if (ret)
			return ret;
	}
	if (cfg->addressing != MCFAB_ADDRESSING_MODE_LID &&
	    (cfg->rules.ingress || cfg->rules.port[0]))
		return mcfab_refuse(err, -EINVAL, cfg->rules.ingress ? MCFAB_OPTION_FABRIC_INGRESS :
				    MCFAB_OPTION_FABRIC_PORT_NUMBERS,
				    "switches have such a rule only with addressing lid");
	if (cfg->link_arbitration == MCFAB_LINK_ARBITRATION_MODE_PACKET &&
	    cfg->switching == MCFAB_SWITCHING_MODE_WORMHOLE)
		/* with LIDs packet arbitration is the default, so the user gave the switching */
		return mcfab_refuse(err, -EINVAL, cfg->addressing == MCFAB_ADDRESSING_MODE_LID ?
				    MCFAB_OPTION_FABRIC_SWITCHING :
					    MCFAB_OPTION_FABRIC_LINK_ARBITRATION,
				    "packet arbitration needs switching vct or saf: a blocked worm holds the link");
	/* the engine adds both delays, and keeps the flits on a link as bits of a word */
	if (cfg->pipeline == MCFAB_PIPELINE_MODE_FLIT &&
	    cfg->route_delay + longest_link(cfg) > MCFAB_MAX_DELAY)
		return mcfab_refuse(err, -ERANGE, MCFAB_OPTION_FABRIC_ROUTE_DELAY,
				    "pipeline flit: route-delay and a link's delay are %u together, most %u",
				    cfg->route_delay + longest_link(cfg), MCFAB_MAX_DELAY);
	return check_rates(cfg, err) ?: check_allocator(cfg, err);
}

/**
 * mcfab_fabric_check_buffer() - do buffers hold the packets that switches are to buffer whole?
 * @cfg: the configuration
 * @packet: flits of the longest packet
 * @blame: the option that gives the length
 * @err: filled in if not
 *
 * Context: any.
 * Return: 0 or -EINVAL.
 */
int mcfab_fabric_check_buffer(const struct mcfab_fabric_cfg *cfg, u32 packet,
			      enum mcfab_option blame, struct mcfab_err *err)
{
	if (cfg->switching == MCFAB_SWITCHING_MODE_WORMHOLE || cfg->buffer_packets ||
	    cfg->buffer >= packet)
		return 0;
	return mcfab_refuse(err, -EINVAL, blame,
			    "switching %s needs buffers of a packet: %u of %u flits",
			    cfg->switching == MCFAB_SWITCHING_MODE_CUT_THROUGH ? "vct" : "saf",
			    cfg->buffer, packet);
}

/**
 * mcfab_fabric_check_bandwidth() - may the channels of a node share its link?
 * @cfg: the configuration, with its number of injection channels
 * @topo: the topology
 * @err: filled in if not
 *
 * The turns at a node's link are modelled for a single node at a router, and not in lock-step.
 *
 * Context: any.
 * Return: 0 or a negative error.
 */
int mcfab_fabric_check_bandwidth(const struct mcfab_fabric_cfg *cfg, const struct mcfab_topo *topo,
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
		return mcfab_refuse(err, -EOPNOTSUPP, MCFAB_OPTION_FABRIC_NODE_BANDWIDTH,
				    "node-bandwidth shared is not modelled %s", why);
	if (cfg->inject > MCFAB_MAX_SHARED)
		return mcfab_refuse(err, -ERANGE, MCFAB_OPTION_FABRIC_INJECT,
				    "node-bandwidth shared: inject is %u, most are %u",
				    cfg->inject, MCFAB_MAX_SHARED);
	return 0;
}
