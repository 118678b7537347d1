/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A user's requests for a fabric and a run, in plain types. Words and limits are those of the
 * interface, <linux/mcfab.h>. The control plane fills these structures in from netlink, the tests
 * fill them in by themselves; both then call fabric/fabric.h.
 */
#ifndef MCFAB_BASE_CONFIG_H
#define MCFAB_BASE_CONFIG_H

#include "base/types.h"

/** MCFAB_MESH_PORTS - ports of a mesh's switch: east, north, west, south, its host */
#define MCFAB_MESH_PORTS	5

/**
 * struct mcfab_subnet_rules - rules for the switches of a subnet that differ from the default
 * @ingress: 0: the default, exclude
 * @port: numbers of a mesh's ports, a permutation of 1 .. MCFAB_MESH_PORTS; @port[0] 0: the
 *	  default, 1 to 5 in order
 * @min_hop: tables are built with least hops; default: by XY routing on meshes, else none
 */
struct mcfab_subnet_rules {
	enum mcfab_ingress_mode ingress;
	bool min_hop;
	u32 port[MCFAB_MESH_PORTS];
};

/** MCFAB_ROUTING_DEFAULT - of enum mcfab_routing_mode: the default of topology and addressing */
#define MCFAB_ROUTING_DEFAULT	0

/** MCFAB_ROUNDS_DEFAULT - of enum mcfab_rounds_mode: delivered for lone runs, else injected */
#define MCFAB_ROUNDS_DEFAULT	0

/* Limits of the engine's model beside those of the interface */
#define MCFAB_MAX_SHARED	32	/* injection channels of a node that share a link */
#define MCFAB_MAX_SHARDS	64

/**
 * struct mcfab_fabric_cfg - a fabric as the user asked for it
 * @name: unique in its namespace
 * @topology: name of its topology
 * @graph: switches, hosts and links of an irregular topology, else NULL; the fabric
 *	   makes a copy
 * @ndims: entries of @radix, 1 .. MCFAB_MAX_DIMS; irregular topologies: 0
 * @radix: nodes along each dimension; at most MCFAB_MAX_NODES in all
 * @vcs: virtual channels per channel, 1 .. MCFAB_MAX_VCS (default 1)
 * @buffer: flits per virtual channel, 1 .. MCFAB_MAX_BUFFER (default 1)
 * @buffer_packets: if not 0, packets per virtual channel instead: the buffers of a run have room
 *		    for so many of its longest packets, to MCFAB_MAX_BUFFER_PACKETS
 * @switching: default wormhole
 * @replication: default asynchronous
 * @vc_release: default drained
 * @link_arbitration: default flit
 * @input_speedup: 1: one VC of an input port crosses per cycle; 0: unlimited (default)
 * @allocator: default oldest; separable with @input_speedup 1, flit arbitration and
 *	       asynchronous replication only
 * @inject: injection channels per node, to MCFAB_MAX_CHANNELS; 0: as many as an
 *	    inner router has ports
 * @consume: consumption channels per node, to MCFAB_MAX_CONSUME; 0: one per
 *	     incoming VC
 * @node_bandwidth: default channel; shared not on irregular topologies, with up*-down*
 *		    routing or in lock-step, and with at most MCFAB_MAX_SHARED channels
 * @pipeline: default header; flit: @route_delay and @link_delay together are at most
 *	      MCFAB_MAX_DELAY
 * @inject_delay: cycles, 0 .. MCFAB_MAX_STAGE (default 0)
 * @route_delay: cycles, 0 .. MCFAB_MAX_STAGE (default 0)
 * @link_delay: cycles, 1 .. MCFAB_MAX_DELAY (default 1)
 * @consume_delay: cycles, 1 .. MCFAB_MAX_STAGE (default 1)
 * @credit_delay: cycles, 0 .. MCFAB_MAX_DELAY (default 0)
 * @startup: start-up latency T_s in cycles, 0 .. MCFAB_MAX_OVERHEAD (default 33)
 * @node_model: default queue; host on irregular topologies without LIDs
 * @host_receive: host's overhead for a message that it receives, t_hr, in cycles, 0 ..
 *		  MCFAB_MAX_OVERHEAD; this and the following fields: node model host
 * @ni_send: network interface's overhead for each copy of a packet that it sends, t_ns, in cycles,
 *	     0 .. MCFAB_MAX_OVERHEAD
 * @ni_receive: the same for each packet that it receives, t_nr. MCFAB_NONE for one of these three:
 *		@host_receive as @startup, @ni_send as @startup over @ni_ratio, @ni_receive as
 *		@ni_send
 * @ni_ratio: R in 1e-6, at least 1 (default 1000000)
 * @io_bus: bandwidth between host and network interface in 10^6 byte/s, a flit being a
 *	    byte, to MCFAB_MAX_IO_BUS; 0: takes no time
 * @ni_memory: packets that a network interface holds at most to send them on, to
 *	       MCFAB_MAX_NI_MEMORY; 0: no limit (default)
 * @host_overhead: @startup and @host_receive are for a message (default) or a packet
 * @cycle_ps: picoseconds per cycle, for people, 1 .. MCFAB_MAX_CYCLE_PS (default 1000)
 * @flit_bytes: bytes of a flit, for frames of ports, 1 .. MCFAB_MAX_FLIT_BYTES (default 16)
 * @stall_limit: cycles that a header waits before a search for deadlocks, at least 1 (default
 *		 10000)
 * @seed: of all random numbers (default 1)
 * @shards: parts the routers are divided into, 1 .. MCFAB_MAX_SHARDS, at most one
 *	    thread each
 * @fewer_shards: the user did not ask for @shards: a run may take fewer
 * @nice: nice level of the router threads, -20 .. 19 (default 0)
 * @addressing: default by nodes; by LIDs once a policy of tables was used
 * @rules: with LIDs, rules for the switches that differ from the default
 * @routing: default up*-down* on irregular topologies without LIDs, else the policy's
 * @root: of up*-down* routing: switch at which its tree starts; MCFAB_NONE (default): that of
 *	  @graph, or else the switch with the least eccentricity
 */
struct mcfab_fabric_cfg {
	char name[MCFAB_NAME_LEN];
	char topology[MCFAB_NAME_LEN];
	const struct mcfab_graph *graph;
	u32 ndims;
	u32 radix[MCFAB_MAX_DIMS];
	u32 vcs;
	u32 buffer;
	u32 buffer_packets;
	enum mcfab_switching_mode switching;
	enum mcfab_replication_mode replication;
	enum mcfab_vc_release_mode vc_release;
	enum mcfab_link_arbitration_mode link_arbitration;
	u32 input_speedup;
	enum mcfab_allocator_mode allocator;
	u32 inject;
	u32 consume;
	enum mcfab_node_bandwidth_mode node_bandwidth;
	enum mcfab_pipeline_mode pipeline;
	u32 inject_delay;
	u32 route_delay;
	u32 link_delay;
	u32 consume_delay;
	u32 credit_delay;
	u32 startup;
	enum mcfab_node_model_mode node_model;
	u32 host_receive;
	u32 ni_send;
	u32 ni_receive;
	u32 ni_ratio;
	u32 io_bus;
	u32 ni_memory;
	enum mcfab_host_overhead_mode host_overhead;
	u32 cycle_ps;
	u32 flit_bytes;
	u32 stall_limit;
	u64 seed;
	u32 shards;
	bool fewer_shards;
	s32 nice;
	enum mcfab_addressing_mode addressing;
	struct mcfab_subnet_rules rules;
	enum mcfab_routing_mode routing;
	u32 root;
};

/* flits of the longest packet of a run, a header flit per destination not counted */
static inline u32 mcfab_packet_flits(u32 flits, u32 mtu)
{
	return mtu ? min(flits, mtu) : flits;
}

/**
 * struct mcfab_msg_list - messages or destination sets uploaded beforehand
 * @nmsgs: messages
 * @ndst: entries of @dst
 * @cycle: [@nmsgs] generation cycle, not descending for one source
 * @source: [@nmsgs] source
 * @first: [@nmsgs + 1] where message i's destinations start in @dst
 * @dst: destinations
 * @group: [@nmsgs] number of the multicast group of the message, which then has no destinations of
 *	   its own; 0: none. NULL: no message has a group
 * @flits: [@nmsgs] length of the message, at most MCFAB_MAX_FLITS; 0: the run's. NULL: no message
 *	   has a length of its own
 * @shortest: least length in @flits; 0: no message has one
 * @longest: greatest length in @flits
 * @common: greatest common divisor of the lengths in @flits, 0: there are none
 * @unsized: some messages have no length of their own
 * @nclasses: classes of traffic, 0: the messages have none
 * @name: [@nclasses] their names
 * @class: [@nmsgs] number of the message's class, below @nclasses; NULL without classes
 */
struct mcfab_msg_list {
	u32 nmsgs;
	u32 ndst;
	u64 *cycle;
	u32 *source;
	u32 *first;
	u32 *dst;
	u32 *group;
	u32 *flits;
	u32 shortest;
	u32 longest;
	u32 common;
	bool unsized;
	u32 nclasses;
	char name[MCFAB_MAX_TRAFFIC_CLASSES][MCFAB_NAME_LEN];
	u8 *class;
};

/** mcfab_list_note_flits() - note the length of a message of a list, or 0; context: any */
static inline void mcfab_list_note_flits(struct mcfab_msg_list *list, u32 flits)
{
	if (!flits)
		list->unsized = true;
	else if (!list->shortest || flits < list->shortest)
		list->shortest = flits;
	list->longest = max(list->longest, flits);
	list->common = gcd(list->common, flits);
}

/**
 * struct mcfab_workload_cfg - traffic of a run
 * @kind: which
 * @count: LONE: multicasts, 0 counts as 1; loads: most messages per node, 0 (default): no
 *	   limit
 * @dests: destinations per multicast, at least 1 and fewer than the nodes
 * @source: the only source, or MCFAB_NONE: drawn (LONE) or every node
 * @rate: POISSON, BERNOULLI, ON_OFF: messages per node and cycle, in 1e-9, 1 .. 1000000000
 * @multicast_ppm: loads: fraction of multicasts in 1e-6, rest unicast
 *		   (default 1000000)
 * @interval: FIXED: cycles between messages, at least 1
 * @network: FIXED: @interval is for the whole network, not per node
 * @fraction_ppm: BURST: fraction of the nodes that send, in 1e-6 (default 1000000)
 * @list: FILE: the messages
 * @group: multicast group for multicasts, in place of @dests; "": none. Not FILE
 * @subnet: the subnet with the groups; NULL: there are none
 * @pattern: where messages to one node go, and the centres of multicasts; 0 counts as UNIFORM
 *	     (default). Not FILE
 * @self: messages to one node may be for their source
 * @nhotspots: HOTSPOT: entries of @hotspot, 1 .. MCFAB_MAX_HOTSPOTS
 * @hotspot: HOTSPOT: hot nodes, different ones
 * @hotspot_weight: HOTSPOT: each one's part of what goes to them, 1 ..
 *		    MCFAB_MAX_HOTSPOT_WEIGHT
 * @hotspot_ppm: HOTSPOT: part of the messages that go to hot nodes, in 1e-6, 1 ..
 *		 1000000 (default); the rest is uniform
 * @set: which nodes a multicast goes to; 0 counts as UNIFORM (default). Not FILE, no @group
 * @radius: CLUSTERED: most hops along each dimension from the centre, at least 1
 * @alpha: ON_OFF: probability to turn on in a cycle, in 1e-9, 1 .. 1000000000
 * @beta: ON_OFF: the same to turn off
 * @r1: ON_OFF: messages per cycle while on, in 1e-9, 1 .. 1000000000; 0: as @rate asks for,
 *	which is 0 otherwise
 * @topo: the network, for patterns that go by its dimensions; NULL: it has none
 * @seeded: @seed is that of all draws, in place of the fabric's. Not FILE
 * @seed: any number
 * @nlengths: entries of @length, at most MCFAB_MAX_LENGTHS; 0 (default): all messages have the
 *	      @flits of the run
 * @length: lengths of messages in flits, 1 .. MCFAB_MAX_FLITS, of which each message draws one
 * @weight: [@nlengths] how often it draws each, 1 .. MCFAB_MAX_WEIGHT, over their sum
 * @outside: PORTS: from where messages come; NULL: there is no such place
 * @shortest: PORTS: flits of the shortest message, 1 up to the run's @flits
 */
struct mcfab_workload_cfg {
	enum mcfab_workload_type kind;
	u32 count;
	u32 dests;
	u32 source;
	u64 rate;
	u32 multicast_ppm;
	u32 interval;
	bool network;
	u32 fraction_ppm;
	const struct mcfab_msg_list *list;
	char group[MCFAB_NAME_LEN];
	const struct mcfab_subnet *subnet;
	enum mcfab_traffic_pattern pattern;
	bool self;
	u32 nhotspots;
	u32 hotspot[MCFAB_MAX_HOTSPOTS];
	u32 hotspot_weight[MCFAB_MAX_HOTSPOTS];
	u32 hotspot_ppm;
	enum mcfab_destination_set set;
	u32 radius;
	u32 alpha;
	u32 beta;
	u32 r1;
	const struct mcfab_topo *topo;
	bool seeded;
	u64 seed;
	u32 nlengths;
	u32 length[MCFAB_MAX_LENGTHS];
	u32 weight[MCFAB_MAX_LENGTHS];
	struct mcfab_outside *outside;
	u32 shortest;
};

/**
 * struct mcfab_traffic_class - a class of traffic
 * @name: its name
 * @workload: its traffic: a load; @workload.multicast_ppm is 0 (unicasts) or MCFAB_PPM
 */
struct mcfab_traffic_class {
	char name[MCFAB_NAME_LEN];
	struct mcfab_workload_cfg workload;
};

/** struct mcfab_setting - a parameter as the user wrote it */
struct mcfab_setting {
	char name[MCFAB_NAME_LEN];
	char value[MCFAB_NAME_LEN];
};

/** MCFAB_MAX_FAULTS - most failures of a run */
#define MCFAB_MAX_FAULTS	16

/**
 * struct mcfab_fault - a link or a switch fails, or is mended
 * @cycle: in a run's list: it happens at the end of this cycle
 * @sw: the switch
 * @port: its port, MCFAB_NONE: the whole switch
 * @up: it is mended
 */
struct mcfab_fault {
	u64 cycle;
	u32 sw;
	u32 port;
	bool up;
};

/**
 * struct mcfab_run_cfg - a run as the user asked for it
 * @policy: name
 * @nset: entries of @set
 * @set: the policy's parameters as the user wrote them
 * @flits: message length L in flits, header included, 1 .. MCFAB_MAX_FLITS; of no meaning if
 *	   @workload has lengths, nor for messages of a list that have lengths of their own
 * @mtu: longest packet in flits: a message goes as packets of so many flits and a last packet with
 *	 the remaining flits; 0 (default): one packet
 * @advance: default auto
 * @headers: a header has a flit for every remaining destination: a worm to n
 *	     destinations has @flits + n - 1 flits at first, one less after each
 *	     delivery; a copy has @flits. Not with store-and-forward or lock-step
 * @prep: preparation time at the source in cycles; MCFAB_NONE: the policy's default
 * @prep_relay: preparation time at each later sender in cycles (default 0)
 * @node_busy: default startup
 * @rounds: default by workload
 * @workload: the traffic; with classes only what they all have in common, of which @kind, @subnet,
 *	      @topo and the seed count
 * @nclasses: loads in @class; 0: the traffic is @workload
 * @counted: classes of traffic that are counted apart: @nclasses, or those of a list
 * @class: [@counted] classes of traffic; those of a list have a name only
 * @warmup: cycles not measured; MCFAB_NONE: MSER-5 decides (loads)
 * @batches: batches of the measuring window (default 20), MCFAB_MIN_BATCHES ..
 *	     MCFAB_MAX_BATCHES
 * @batch_cycles: cycles of one batch, at least 1 (default 5000)
 * @precision_ppm: stop when the 95 % half-width is below this fraction of the
 *	  mean, in 1e-6 (default 50000); 0: measure exactly @batches
 * @windowed: FILE: measure in a window, as under a load; false (default): measure all messages
 * @max_cycles: the run ends as cut if messages of the window are still under way in this cycle
 *		(default 1000000000)
 * @recover: a deadlock does not end the run: a worm is aborted. Not LONE
 * @pace_ppm: PORTS: a cycle takes cycle_ps times this in 1e-6 of real time, to MCFAB_MAX_PACE_PPM;
 *	      0 (default): as fast as it can
 * @log: PORTS: most messages that are noted (default 0)
 * @rx_limit: PORTS: most messages that wait in a port for who takes them out, to
 *	      MCFAB_MAX_RX_LIMIT; more are dropped. 0 (default): none are, a full port holds its
 *	      node's consumption channels
 * @slip_limit_ns: PORTS: a delivery is late if it is further behind the pace (default 1000000)
 * @frames_mb: PORTS: most memory of frames under way, in MiB (default 64)
 * @nfaults: entries of @fault
 * @fault: links and switches that fail during this run alone, in the order of their cycles
 */
struct mcfab_run_cfg {
	char policy[MCFAB_NAME_LEN];
	u32 nset;
	struct mcfab_setting set[MCFAB_MAX_PARAMS];
	u32 flits;
	u32 mtu;
	enum mcfab_advance_mode advance;
	bool headers;
	u32 prep;
	u32 prep_relay;
	enum mcfab_node_busy_mode node_busy;
	enum mcfab_rounds_mode rounds;
	struct mcfab_workload_cfg workload;
	u32 nclasses;
	u32 counted;
	struct mcfab_traffic_class class[MCFAB_MAX_TRAFFIC_CLASSES];
	u32 warmup;
	u32 batches;
	u32 batch_cycles;
	u32 precision_ppm;
	bool windowed;
	u64 max_cycles;
	bool recover;
	u64 pace_ppm;
	u32 log;
	u32 rx_limit;
	u64 slip_limit_ns;
	u32 frames_mb;
	u32 nfaults;
	struct mcfab_fault fault[MCFAB_MAX_FAULTS];
};

/** mcfab_blame_class() - what @err blames is an option of class @class of the run; context: any */
static inline void mcfab_blame_class(struct mcfab_err *err, u32 class)
{
	err->part = err->what;
	err->what = MCFAB_OPTION_RUN_TRAFFIC_CLASS;
	err->index = class;
}

/** mcfab_run_loads() - of how many workloads the traffic of a run is made; context: any */
static inline u32 mcfab_run_loads(const struct mcfab_run_cfg *run)
{
	return max(run->nclasses, 1U);
}

/** mcfab_run_load() - the @i-th of these workloads; context: any */
static inline const struct mcfab_workload_cfg *mcfab_run_load(const struct mcfab_run_cfg *run,
							      u32 i)
{
	return run->nclasses ? &run->class[i].workload : &run->workload;
}

/** mcfab_workload_has_flits() - have messages of a list lengths of their own? context: any */
static inline bool mcfab_workload_has_flits(const struct mcfab_workload_cfg *w)
{
	return w->kind == MCFAB_WORKLOAD_TYPE_FILE && w->list && w->list->shortest;
}

/** mcfab_run_longest() - flits of the longest message that a run may have; context: any */
static inline u32 mcfab_run_longest(const struct mcfab_run_cfg *run)
{
	const struct mcfab_workload_cfg *w;
	u32 longest = 0, i, k;

	if (mcfab_workload_has_flits(&run->workload))
		return max(run->workload.list->longest,
			   run->workload.list->unsized ? run->flits : 0);
	for (k = 0; k < mcfab_run_loads(run); k++) {
		w = mcfab_run_load(run, k);
		if (!w->nlengths)
			longest = max(longest, run->flits);
		for (i = 0; i < w->nlengths; i++)
			longest = max(longest, w->length[i]);
	}
	return longest;
}

/** mcfab_run_shortest() - flits of the shortest message that a run may have; context: any */
static inline u32 mcfab_run_shortest(const struct mcfab_run_cfg *run)
{
	const struct mcfab_workload_cfg *w;
	u32 shortest = U32_MAX, i, k;

	if (mcfab_workload_has_flits(&run->workload))
		return min(run->workload.list->shortest,
			   run->workload.list->unsized ? run->flits : U32_MAX);
	if (run->workload.kind == MCFAB_WORKLOAD_TYPE_PORTS)
		return run->workload.shortest;
	for (k = 0; k < mcfab_run_loads(run); k++) {
		w = mcfab_run_load(run, k);
		if (!w->nlengths)
			shortest = min(shortest, run->flits);
		for (i = 0; i < w->nlengths; i++)
			shortest = min(shortest, w->length[i]);
	}
	return shortest;
}

/* flits of the last packet of a message; context: any */
static inline u32 mcfab_last_packet(u32 flits, u32 mtu)
{
	return mtu ? (flits - 1) % mtu + 1 : flits;
}

/** mcfab_run_least_packet() - no packet of a run has fewer flits; context: any */
static inline u32 mcfab_run_least_packet(const struct mcfab_run_cfg *run)
{
	const struct mcfab_workload_cfg *w;
	u32 longest = mcfab_run_longest(run), least = U32_MAX, i, k;

	if (mcfab_run_shortest(run) == longest)
		return mcfab_last_packet(longest, run->mtu);
	if (longest == mcfab_packet_flits(longest, run->mtu))
		return mcfab_run_shortest(run);
	/* of frames only the least and the greatest length are known */
	if (run->workload.kind == MCFAB_WORKLOAD_TYPE_PORTS)
		return 1;
	if (mcfab_workload_has_flits(&run->workload)) {
		const struct mcfab_msg_list *list = run->workload.list;

		return gcd(gcd(list->common, list->unsized ? run->flits : 0), run->mtu);
	}
	for (k = 0; k < mcfab_run_loads(run); k++) {
		w = mcfab_run_load(run, k);
		if (!w->nlengths)
			least = min(least, mcfab_last_packet(run->flits, run->mtu));
		for (i = 0; i < w->nlengths; i++)
			least = min(least, mcfab_last_packet(w->length[i], run->mtu));
	}
	return least;
}

#endif
