// SPDX-License-Identifier: GPL-2.0
/* Do not edit: made by attrs-gen.py from Documentation/netlink/specs/mcfab.yaml */
#include <linux/mcfab.h>

#include "attrs.h"

static const struct attr_word switching_mode_words[] = {
	{ .name = "wormhole" },
	{ .name = "cut-through" },
	{ .name = "store-and-forward" },
};

static const struct attr_enum switching_mode_enum = {
	switching_mode_words, ARRAY_SIZE(switching_mode_words), 1, false,
};

static const struct attr_word replication_mode_words[] = {
	{ .name = "async" },
	{ .name = "lockstep" },
};

static const struct attr_enum replication_mode_enum = {
	replication_mode_words, ARRAY_SIZE(replication_mode_words), 1, false,
};

static const struct attr_word vc_release_mode_words[] = {
	{ .name = "drained" },
	{ .name = "sent" },
};

static const struct attr_enum vc_release_mode_enum = {
	vc_release_mode_words, ARRAY_SIZE(vc_release_mode_words), 1, false,
};

static const struct attr_word link_arbitration_mode_words[] = {
	{ .name = "flit" },
	{ .name = "packet" },
};

static const struct attr_enum link_arbitration_mode_enum = {
	link_arbitration_mode_words, ARRAY_SIZE(link_arbitration_mode_words), 1, false,
};

static const struct attr_word node_busy_mode_words[] = {
	{ .name = "startup" },
	{ .name = "injected" },
	{ .name = "delivered" },
};

static const struct attr_enum node_busy_mode_enum = {
	node_busy_mode_words, ARRAY_SIZE(node_busy_mode_words), 1, false,
};

static const struct attr_word rounds_mode_words[] = {
	{ .name = "delivered" },
	{ .name = "injected" },
};

static const struct attr_enum rounds_mode_enum = {
	rounds_mode_words, ARRAY_SIZE(rounds_mode_words), 1, false,
};

static const struct attr_word workload_type_words[] = {
	{ .name = "lone", .doc = "each multicast in an empty network" },
	{ .name = "poisson", .doc = "exponential gaps at each node" },
	{ .name = "fixed", .doc = "equal gaps" },
	{ .name = "burst", .doc = "all or a fraction of the nodes at cycle 0" },
	{ .name = "file", .doc = "the uploaded list of messages" },
};

static const struct attr_enum workload_type_enum = {
	workload_type_words, ARRAY_SIZE(workload_type_words), 1, false,
};

static const struct attr_word run_status_words[] = {
	{ .name = "idle", .doc = "no run yet" },
	{ .name = "running", .doc = "a run is under way" },
	{ .name = "done", .doc = "every message of the measuring window was delivered" },
	{ .name = "saturated", .doc = "some could not be, or a pool ran out" },
	{ .name = "deadlocked", .doc = "worms wait for each other in a cycle" },
	{ .name = "stopped", .doc = "by the user" },
	{ .name = "failed", .doc = "an invariant broke, which is a bug of mcfab" },
};

static const struct attr_enum run_status_enum = {
	run_status_words, ARRAY_SIZE(run_status_words), 1, false,
};

static const struct attr_word param_kind_words[] = {
	{ .name = "u32", .doc = "a number" },
	{ .name = "bool", .doc = "on or off" },
	{ .name = "decimal", .doc = "a decimal fraction, kept in millionths" },
	{ .name = "choice", .doc = "one of a list of words, kept as its index" },
};

static const struct attr_enum param_kind_enum = {
	param_kind_words, ARRAY_SIZE(param_kind_words), 1, false,
};

static const struct attr_word serves_words[] = {
	{ .name = "mesh" },
};

static const struct attr_enum serves_enum = {
	serves_words, ARRAY_SIZE(serves_words), 0, true,
};

static const struct attr_word upload_type_words[] = {
	{ .name = "destinations", .doc = "a destination set for plans" },
	{ .name = "messages", .doc = "a list of messages for the workload \"file\"" },
};

static const struct attr_enum upload_type_enum = {
	upload_type_words, ARRAY_SIZE(upload_type_words), 1, false,
};

static const struct attr_word message_class_words[] = {
	{ .name = "multicast", .doc = "multicasts, and every message of traffic that is not mixed" },
	{ .name = "unicast", .doc = "the unicasts of mixed traffic" },
};

static const struct attr_enum message_class_enum = {
	message_class_words, ARRAY_SIZE(message_class_words), 1, false,
};

static const struct attr_word latency_type_words[] = {
	{ .name = "tail", .doc = "cycles to the tail's arrival, over destinations" },
	{ .name = "completion", .doc = "cycles to the last tail's arrival, over messages" },
};

static const struct attr_enum latency_type_enum = {
	latency_type_words, ARRAY_SIZE(latency_type_words), 1, false,
};

static const struct attr_set fabric_set;
static const struct attr_set topology_set;
static const struct attr_set policy_set;
static const struct attr_set param_info_set;
static const struct attr_set param_set;
static const struct attr_set node_set;
static const struct attr_set neighbour_set;
static const struct attr_set plan_set;
static const struct attr_set plan_summary_set;
static const struct attr_set plan_worm_set;
static const struct attr_set upload_set;
static const struct attr_set run_set;
static const struct attr_set stats_set;
static const struct attr_set class_stats_set;
static const struct attr_set totals_set;
static const struct attr_set sample_set;
static const struct attr_set interval_set;
static const struct attr_set parts_set;
static const struct attr_set quantiles_set;
static const struct attr_set balance_set;
static const struct attr_set link_set;
static const struct attr_set node_load_set;
static const struct attr_set batch_set;
static const struct attr_set bucket_set;
static const struct attr_set deadlock_set;
static const struct attr_set wait_set;

static const struct attr_desc fabric_attrs[] = {
	[MCFAB_A_FABRIC_ID] = {
		.name = "id",
		.type = ATTR_UINT,
		.has_min = true, .min = 1,
		.doc = "number of the fabric, never used twice",
	},
	[MCFAB_A_FABRIC_NAME] = {
		.name = "name",
		.type = ATTR_STRING,
		.doc = "name of the fabric, unique in its network namespace",
	},
	[MCFAB_A_FABRIC_TOPOLOGY] = {
		.name = "topology",
		.type = ATTR_STRING,
	},
	[MCFAB_A_FABRIC_DIMS] = {
		.name = "dims",
		.type = ATTR_UINT,
		.multi = true,
		.doc = "nodes along each dimension, dimension 0 (x) first",
	},
	[MCFAB_A_FABRIC_VCS] = {
		.name = "vcs",
		.type = ATTR_UINT,
		.has_min = true, .min = 1,
		.has_max = true, .max = 16,
		.doc = "virtual channels per physical channel, default 1",
	},
	[MCFAB_A_FABRIC_BUFFER] = {
		.name = "buffer",
		.type = ATTR_UINT,
		.has_min = true, .min = 1,
		.has_max = true, .max = 65535,
		.doc = "flits per virtual channel, default 1",
	},
	[MCFAB_A_FABRIC_SWITCHING] = {
		.name = "switching",
		.type = ATTR_UINT,
		.words = &switching_mode_enum,
		.doc = "default wormhole",
	},
	[MCFAB_A_FABRIC_REPLICATION] = {
		.name = "replication",
		.type = ATTR_UINT,
		.words = &replication_mode_enum,
		.doc = "default async",
	},
	[MCFAB_A_FABRIC_VC_RELEASE] = {
		.name = "vc-release",
		.type = ATTR_UINT,
		.words = &vc_release_mode_enum,
		.doc = "default drained",
	},
	[MCFAB_A_FABRIC_LINK_ARBITRATION] = {
		.name = "link-arbitration",
		.type = ATTR_UINT,
		.words = &link_arbitration_mode_enum,
		.doc = "default flit",
	},
	[MCFAB_A_FABRIC_INPUT_SPEEDUP] = {
		.name = "input-speedup",
		.type = ATTR_UINT,
		.has_max = true, .max = 1,
		.doc = "1, one VC of an input port crosses per cycle; 0, unlimited (default)",
	},
	[MCFAB_A_FABRIC_INJECT] = {
		.name = "inject",
		.type = ATTR_UINT,
		.has_min = true, .min = 1,
		.has_max = true, .max = 64,
		.doc = "injection channels per node, default the degree of an inner router",
	},
	[MCFAB_A_FABRIC_CONSUME] = {
		.name = "consume",
		.type = ATTR_UINT,
		.has_min = true, .min = 1,
		.has_max = true, .max = 1024,
		.doc = "consumption channels per node, default one per incoming VC",
	},
	[MCFAB_A_FABRIC_INJECT_DELAY] = {
		.name = "inject-delay",
		.type = ATTR_UINT,
		.has_max = true, .max = 65535,
		.doc = "cycles, default 0",
	},
	[MCFAB_A_FABRIC_ROUTE_DELAY] = {
		.name = "route-delay",
		.type = ATTR_UINT,
		.has_max = true, .max = 65535,
		.doc = "cycles, default 0",
	},
	[MCFAB_A_FABRIC_LINK_DELAY] = {
		.name = "link-delay",
		.type = ATTR_UINT,
		.has_min = true, .min = 1,
		.has_max = true, .max = 64,
		.doc = "cycles, default 1",
	},
	[MCFAB_A_FABRIC_CONSUME_DELAY] = {
		.name = "consume-delay",
		.type = ATTR_UINT,
		.has_min = true, .min = 1,
		.has_max = true, .max = 65535,
		.doc = "cycles, default 1",
	},
	[MCFAB_A_FABRIC_CREDIT_DELAY] = {
		.name = "credit-delay",
		.type = ATTR_UINT,
		.has_max = true, .max = 64,
		.doc = "cycles before freed space is seen upstream, default 0",
	},
	[MCFAB_A_FABRIC_STARTUP] = {
		.name = "startup",
		.type = ATTR_UINT,
		.has_max = true, .max = 10000000,
		.doc = "start-up latency in cycles, default 33",
	},
	[MCFAB_A_FABRIC_CYCLE_PS] = {
		.name = "cycle-ps",
		.type = ATTR_UINT,
		.has_min = true, .min = 1,
		.has_max = true, .max = 1000000000,
		.doc = "picoseconds per cycle, for people, default 1000",
	},
	[MCFAB_A_FABRIC_STALL_LIMIT] = {
		.name = "stall-limit",
		.type = ATTR_UINT,
		.has_min = true, .min = 1,
		.doc = "cycles a header waits before deadlock is looked for, default 10000",
	},
	[MCFAB_A_FABRIC_SEED] = {
		.name = "seed",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "seed of all random numbers, default 1",
	},
	[MCFAB_A_FABRIC_NICE] = {
		.name = "nice",
		.type = ATTR_SINT,
		.has_min = true, .min = -20,
		.has_max = true, .max = 19,
		.doc = "nice level of the router threads, default 0",
	},
	[MCFAB_A_FABRIC_CPUS] = {
		.name = "cpus",
		.type = ATTR_STRING,
		.doc = "CPUs of the router threads as a list (\"0-2,5\"), at most one thread each; default the online housekeeping CPUs",
	},
	[MCFAB_A_FABRIC_SHARDS] = {
		.name = "shards",
		.type = ATTR_UINT,
		.doc = "parts the routers are divided into",
	},
	[MCFAB_A_FABRIC_NODES] = {
		.name = "nodes",
		.type = ATTR_UINT,
	},
	[MCFAB_A_FABRIC_ROUTERS] = {
		.name = "routers",
		.type = ATTR_UINT,
	},
	[MCFAB_A_FABRIC_PORTS] = {
		.name = "ports",
		.type = ATTR_UINT,
		.doc = "network ports of a router",
	},
	[MCFAB_A_FABRIC_DEGREE] = {
		.name = "degree",
		.type = ATTR_UINT,
		.doc = "network ports of an inner router",
	},
	[MCFAB_A_FABRIC_CHANNELS] = {
		.name = "channels",
		.type = ATTR_UINT,
		.doc = "directed physical channels between routers",
	},
	[MCFAB_A_FABRIC_PORT_NAME] = {
		.name = "port-name",
		.type = ATTR_STRING,
		.multi = true,
		.doc = "names of the network ports, port 0 first",
	},
	[MCFAB_A_FABRIC_BYTES] = {
		.name = "bytes",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "memory of the fabric",
	},
	[MCFAB_A_FABRIC_STATE] = {
		.name = "state",
		.type = ATTR_UINT,
		.words = &run_status_enum,
	},
	[MCFAB_A_FABRIC_RUN] = {
		.name = "run",
		.type = ATTR_UINT,
		.doc = "runs so far; statistics and events carry the number of their run",
	},
};

static const struct attr_set fabric_set = {
	"fabric", fabric_attrs, ARRAY_SIZE(fabric_attrs),
};

static const struct attr_desc topology_attrs[] = {
	[MCFAB_A_TOPOLOGY_NAME] = {
		.name = "name",
		.type = ATTR_STRING,
	},
	[MCFAB_A_TOPOLOGY_TITLE] = {
		.name = "title",
		.type = ATTR_STRING,
	},
};

static const struct attr_set topology_set = {
	"topology", topology_attrs, ARRAY_SIZE(topology_attrs),
};

static const struct attr_desc policy_attrs[] = {
	[MCFAB_A_POLICY_NAME] = {
		.name = "name",
		.type = ATTR_STRING,
	},
	[MCFAB_A_POLICY_TITLE] = {
		.name = "title",
		.type = ATTR_STRING,
	},
	[MCFAB_A_POLICY_SERVES] = {
		.name = "serves",
		.type = ATTR_UINT,
		.words = &serves_enum,
	},
	[MCFAB_A_POLICY_PREP] = {
		.name = "prep",
		.type = ATTR_UINT,
		.doc = "default preparation time at the source in cycles",
	},
	[MCFAB_A_POLICY_PARAM] = {
		.name = "param",
		.type = ATTR_NEST,
		.multi = true,
		.nested = &param_info_set,
	},
};

static const struct attr_set policy_set = {
	"policy", policy_attrs, ARRAY_SIZE(policy_attrs),
};

static const struct attr_desc param_info_attrs[] = {
	[MCFAB_A_PARAM_INFO_NAME] = {
		.name = "name",
		.type = ATTR_STRING,
	},
	[MCFAB_A_PARAM_INFO_HELP] = {
		.name = "help",
		.type = ATTR_STRING,
		.doc = "one line for people, with the unit",
	},
	[MCFAB_A_PARAM_INFO_KIND] = {
		.name = "kind",
		.type = ATTR_UINT,
		.words = &param_kind_enum,
	},
	[MCFAB_A_PARAM_INFO_MINIMUM] = {
		.name = "minimum",
		.type = ATTR_UINT,
		.doc = "least value (u32, decimal in millionths)",
	},
	[MCFAB_A_PARAM_INFO_MAXIMUM] = {
		.name = "maximum",
		.type = ATTR_UINT,
		.doc = "greatest value (u32, decimal in millionths)",
	},
	[MCFAB_A_PARAM_INFO_DEFAULT] = {
		.name = "default",
		.type = ATTR_UINT,
		.doc = "default (decimal in millionths; choice as its index)",
	},
	[MCFAB_A_PARAM_INFO_CHOICE] = {
		.name = "choice",
		.type = ATTR_STRING,
		.multi = true,
		.doc = "the words of a choice, index 0 first",
	},
};

static const struct attr_set param_info_set = {
	"param-info", param_info_attrs, ARRAY_SIZE(param_info_attrs),
};

static const struct attr_desc param_attrs[] = {
	[MCFAB_A_PARAM_NAME] = {
		.name = "name",
		.type = ATTR_STRING,
	},
	[MCFAB_A_PARAM_VALUE] = {
		.name = "value",
		.type = ATTR_STRING,
	},
};

static const struct attr_set param_set = {
	"param", param_attrs, ARRAY_SIZE(param_attrs),
};

static const struct attr_desc node_attrs[] = {
	[MCFAB_A_NODE_FABRIC_ID] = {
		.name = "fabric-id",
		.type = ATTR_UINT,
		.has_min = true, .min = 1,
	},
	[MCFAB_A_NODE_FABRIC] = {
		.name = "fabric",
		.type = ATTR_STRING,
	},
	[MCFAB_A_NODE_NODE] = {
		.name = "node",
		.type = ATTR_UINT,
		.has_max = true, .max = 65536,
	},
	[MCFAB_A_NODE_LABEL] = {
		.name = "label",
		.type = ATTR_UINT,
		.has_max = true, .max = 65536,
		.doc = "label of the node on the Hamiltonian path",
	},
	[MCFAB_A_NODE_COORD] = {
		.name = "coord",
		.type = ATTR_UINT,
		.multi = true,
		.doc = "coordinates, dimension 0 (x) first",
	},
	[MCFAB_A_NODE_ROUTER] = {
		.name = "router",
		.type = ATTR_UINT,
		.doc = "router the node hangs on",
	},
	[MCFAB_A_NODE_NEIGHBOUR] = {
		.name = "neighbour",
		.type = ATTR_NEST,
		.multi = true,
		.nested = &neighbour_set,
		.doc = "what is behind the ports of that router",
	},
};

static const struct attr_set node_set = {
	"node", node_attrs, ARRAY_SIZE(node_attrs),
};

static const struct attr_desc neighbour_attrs[] = {
	[MCFAB_A_NEIGHBOUR_PORT] = {
		.name = "port",
		.type = ATTR_UINT,
	},
	[MCFAB_A_NEIGHBOUR_ROUTER] = {
		.name = "router",
		.type = ATTR_UINT,
	},
	[MCFAB_A_NEIGHBOUR_CHANNEL] = {
		.name = "channel",
		.type = ATTR_UINT,
		.doc = "number of the directed channel that leaves by the port",
	},
};

static const struct attr_set neighbour_set = {
	"neighbour", neighbour_attrs, ARRAY_SIZE(neighbour_attrs),
};

static const struct attr_desc plan_attrs[] = {
	[MCFAB_A_PLAN_FABRIC_ID] = {
		.name = "fabric-id",
		.type = ATTR_UINT,
		.has_min = true, .min = 1,
	},
	[MCFAB_A_PLAN_FABRIC] = {
		.name = "fabric",
		.type = ATTR_STRING,
	},
	[MCFAB_A_PLAN_POLICY] = {
		.name = "policy",
		.type = ATTR_STRING,
	},
	[MCFAB_A_PLAN_PARAM] = {
		.name = "param",
		.type = ATTR_NEST,
		.multi = true,
		.nested = &param_set,
	},
	[MCFAB_A_PLAN_FLITS] = {
		.name = "flits",
		.type = ATTR_UINT,
		.has_min = true, .min = 1,
		.has_max = true, .max = 1048576,
		.doc = "message length in flits, header included, default 32",
	},
	[MCFAB_A_PLAN_PREP] = {
		.name = "prep",
		.type = ATTR_UINT,
		.has_max = true, .max = 10000000,
		.doc = "preparation time at the source in cycles, default the policy's",
	},
	[MCFAB_A_PLAN_PREP2] = {
		.name = "prep2",
		.type = ATTR_UINT,
		.has_max = true, .max = 10000000,
		.doc = "preparation time at each later sender in cycles, default 0",
	},
	[MCFAB_A_PLAN_SOURCE] = {
		.name = "source",
		.type = ATTR_UINT,
		.has_max = true, .max = 65536,
	},
	[MCFAB_A_PLAN_DESTINATIONS] = {
		.name = "destinations",
		.type = ATTR_BINARY,
		.multi = true,
		.width = 4,
		.doc = "Node ids, at most list-max of them in one attribute; none of these attributes, the uploaded destination set is meant.",
	},
	[MCFAB_A_PLAN_SUMMARY] = {
		.name = "summary",
		.type = ATTR_NEST,
		.nested = &plan_summary_set,
		.doc = "first message of a plan",
	},
	[MCFAB_A_PLAN_WORM] = {
		.name = "worm",
		.type = ATTR_NEST,
		.nested = &plan_worm_set,
		.doc = "A worm, or a part of it. The messages of one worm follow each other, destinations first, worms in ascending order.",
	},
	[MCFAB_A_PLAN_ARRIVALS] = {
		.name = "arrivals",
		.type = ATTR_BINARY,
		.width = 8,
		.doc = "Predicted tail arrivals without contention, as pairs (node, cycle from generation) in ascending order of nodes; several messages.",
	},
};

static const struct attr_set plan_set = {
	"plan", plan_attrs, ARRAY_SIZE(plan_attrs),
};

static const struct attr_desc plan_summary_attrs[] = {
	[MCFAB_A_PLAN_SUMMARY_WORMS] = {
		.name = "worms",
		.type = ATTR_UINT,
	},
	[MCFAB_A_PLAN_SUMMARY_DESTINATIONS] = {
		.name = "destinations",
		.type = ATTR_UINT,
		.doc = "destinations of the multicast",
	},
	[MCFAB_A_PLAN_SUMMARY_STEPS] = {
		.name = "steps",
		.type = ATTR_UINT,
		.doc = "relays of the message",
	},
	[MCFAB_A_PLAN_SUMMARY_TRAFFIC] = {
		.name = "traffic",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "network channels of all worms",
	},
	[MCFAB_A_PLAN_SUMMARY_LONGEST] = {
		.name = "longest",
		.type = ATTR_UINT,
		.doc = "network channels of the longest worm",
	},
	[MCFAB_A_PLAN_SUMMARY_COMPLETION] = {
		.name = "completion",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "predicted cycle of the last tail arrival, counted from generation",
	},
	[MCFAB_A_PLAN_SUMMARY_MEAN_DESTINATION_UCYCLES] = {
		.name = "mean-destination-ucycles",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "predicted mean of all tail arrivals in 1e-6 cycles",
	},
	[MCFAB_A_PLAN_SUMMARY_MEAN_WORM_UCYCLES] = {
		.name = "mean-worm-ucycles",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "predicted mean over worms of their last tail arrivals in 1e-6 cycles",
	},
};

static const struct attr_set plan_summary_set = {
	"plan-summary", plan_summary_attrs, ARRAY_SIZE(plan_summary_attrs),
};

static const struct attr_desc plan_worm_attrs[] = {
	[MCFAB_A_PLAN_WORM_ID] = {
		.name = "id",
		.type = ATTR_UINT,
	},
	[MCFAB_A_PLAN_WORM_STEP] = {
		.name = "step",
		.type = ATTR_UINT,
		.doc = "counts relays of the message, from 1",
	},
	[MCFAB_A_PLAN_WORM_ROUND] = {
		.name = "round",
		.type = ATTR_UINT,
		.doc = "group of worms one sender sends at once, from 0",
	},
	[MCFAB_A_PLAN_WORM_SOURCE] = {
		.name = "source",
		.type = ATTR_UINT,
		.doc = "node that sends it",
	},
	[MCFAB_A_PLAN_WORM_AFTER] = {
		.name = "after",
		.type = ATTR_UINT,
		.doc = "worm that delivers to this sender; absent, the multicast's source",
	},
	[MCFAB_A_PLAN_WORM_DESTINATIONS_TOTAL] = {
		.name = "destinations-total",
		.type = ATTR_UINT,
	},
	[MCFAB_A_PLAN_WORM_HOPS_TOTAL] = {
		.name = "hops-total",
		.type = ATTR_UINT,
	},
	[MCFAB_A_PLAN_WORM_DESTINATION_OFFSET] = {
		.name = "destination-offset",
		.type = ATTR_UINT,
		.doc = "destinations of the worm in messages before this one",
	},
	[MCFAB_A_PLAN_WORM_DESTINATIONS] = {
		.name = "destinations",
		.type = ATTR_BINARY,
		.width = 4,
		.doc = "Node ids in delivery order, ascending for trees; at most list-max numbers in one message.",
	},
	[MCFAB_A_PLAN_WORM_HOP_OFFSET] = {
		.name = "hop-offset",
		.type = ATTR_UINT,
		.doc = "hops of the worm in messages before this one",
	},
	[MCFAB_A_PLAN_WORM_HOPS] = {
		.name = "hops",
		.type = ATTR_BINARY,
		.width = 4,
		.doc = "Hops in order of traversal, breadth first for trees: four numbers each, from, to, lowest allowed virtual channel and output port; at most list-max numbers in one message.",
	},
};

static const struct attr_set plan_worm_set = {
	"plan-worm", plan_worm_attrs, ARRAY_SIZE(plan_worm_attrs),
};

static const struct attr_desc upload_attrs[] = {
	[MCFAB_A_UPLOAD_FABRIC_ID] = {
		.name = "fabric-id",
		.type = ATTR_UINT,
		.has_min = true, .min = 1,
	},
	[MCFAB_A_UPLOAD_FABRIC] = {
		.name = "fabric",
		.type = ATTR_STRING,
	},
	[MCFAB_A_UPLOAD_TYPE] = {
		.name = "type",
		.type = ATTR_UINT,
		.words = &upload_type_enum,
	},
	[MCFAB_A_UPLOAD_MESSAGES_TOTAL] = {
		.name = "messages-total",
		.type = ATTR_UINT,
		.has_min = true, .min = 1,
		.has_max = true, .max = 1048576,
		.doc = "messages that will be appended (type messages)",
	},
	[MCFAB_A_UPLOAD_DESTINATIONS_TOTAL] = {
		.name = "destinations-total",
		.type = ATTR_UINT,
		.has_min = true, .min = 1,
		.has_max = true, .max = 8388608,
		.doc = "destinations that will be appended, all messages together",
	},
	[MCFAB_A_UPLOAD_CYCLES] = {
		.name = "cycles",
		.type = ATTR_BINARY,
		.multi = true,
		.width = 8,
		.doc = "generation cycles of further messages",
	},
	[MCFAB_A_UPLOAD_SOURCES] = {
		.name = "sources",
		.type = ATTR_BINARY,
		.multi = true,
		.width = 4,
		.doc = "sources of further messages",
	},
	[MCFAB_A_UPLOAD_COUNTS] = {
		.name = "counts",
		.type = ATTR_BINARY,
		.multi = true,
		.width = 4,
		.doc = "numbers of destinations of further messages",
	},
	[MCFAB_A_UPLOAD_DESTINATIONS] = {
		.name = "destinations",
		.type = ATTR_BINARY,
		.multi = true,
		.width = 4,
		.doc = "further destinations, message by message",
	},
	[MCFAB_A_UPLOAD_MESSAGES] = {
		.name = "messages",
		.type = ATTR_UINT,
		.doc = "messages that are there",
	},
	[MCFAB_A_UPLOAD_DESTINATIONS_COUNT] = {
		.name = "destinations-count",
		.type = ATTR_UINT,
		.doc = "destinations that are there",
	},
	[MCFAB_A_UPLOAD_COMPLETE] = {
		.name = "complete",
		.type = ATTR_FLAG,
		.doc = "everything that was announced is there",
	},
};

static const struct attr_set upload_set = {
	"upload", upload_attrs, ARRAY_SIZE(upload_attrs),
};

static const struct attr_desc run_attrs[] = {
	[MCFAB_A_RUN_FABRIC_ID] = {
		.name = "fabric-id",
		.type = ATTR_UINT,
		.has_min = true, .min = 1,
	},
	[MCFAB_A_RUN_FABRIC] = {
		.name = "fabric",
		.type = ATTR_STRING,
	},
	[MCFAB_A_RUN_POLICY] = {
		.name = "policy",
		.type = ATTR_STRING,
	},
	[MCFAB_A_RUN_PARAM] = {
		.name = "param",
		.type = ATTR_NEST,
		.multi = true,
		.nested = &param_set,
	},
	[MCFAB_A_RUN_FLITS] = {
		.name = "flits",
		.type = ATTR_UINT,
		.has_min = true, .min = 1,
		.has_max = true, .max = 1048576,
		.doc = "message length in flits, header included, default 32",
	},
	[MCFAB_A_RUN_PREP] = {
		.name = "prep",
		.type = ATTR_UINT,
		.has_max = true, .max = 10000000,
		.doc = "preparation time at the source in cycles, default the policy's",
	},
	[MCFAB_A_RUN_PREP2] = {
		.name = "prep2",
		.type = ATTR_UINT,
		.has_max = true, .max = 10000000,
		.doc = "preparation time at each later sender in cycles, default 0",
	},
	[MCFAB_A_RUN_NODE_BUSY] = {
		.name = "node-busy",
		.type = ATTR_UINT,
		.words = &node_busy_mode_enum,
		.doc = "default startup",
	},
	[MCFAB_A_RUN_ROUNDS] = {
		.name = "rounds",
		.type = ATTR_UINT,
		.words = &rounds_mode_enum,
		.doc = "default delivered for lone multicasts, injected under load",
	},
	[MCFAB_A_RUN_WORKLOAD] = {
		.name = "workload",
		.type = ATTR_UINT,
		.words = &workload_type_enum,
	},
	[MCFAB_A_RUN_COUNT] = {
		.name = "count",
		.type = ATTR_UINT,
		.has_min = true, .min = 1,
		.doc = "Multicasts (lone, default 1); most messages of each node (poisson, fixed, default no limit).",
	},
	[MCFAB_A_RUN_DESTS] = {
		.name = "dests",
		.type = ATTR_UINT,
		.has_min = true, .min = 1,
		.has_max = true, .max = 65536,
		.doc = "destinations of each multicast",
	},
	[MCFAB_A_RUN_SOURCE] = {
		.name = "source",
		.type = ATTR_UINT,
		.has_max = true, .max = 65536,
		.doc = "the only source (default drawn for lone, else every node)",
	},
	[MCFAB_A_RUN_RATE_PPB] = {
		.name = "rate-ppb",
		.type = ATTR_UINT,
		.wide = true,
		.has_min = true, .min = 1,
		.has_max = true, .max = 1000000000,
		.doc = "messages per node and cycle in 1e-9 (poisson)",
	},
	[MCFAB_A_RUN_MULTICAST_PPM] = {
		.name = "multicast-ppm",
		.type = ATTR_UINT,
		.has_max = true, .max = 1000000,
		.doc = "fraction of multicasts in 1e-6, the rest unicast, default 1000000",
	},
	[MCFAB_A_RUN_INTERVAL] = {
		.name = "interval",
		.type = ATTR_UINT,
		.has_min = true, .min = 1,
		.doc = "cycles between messages (fixed)",
	},
	[MCFAB_A_RUN_NETWORK] = {
		.name = "network",
		.type = ATTR_FLAG,
		.doc = "the interval is for the whole network, not for each node",
	},
	[MCFAB_A_RUN_FRACTION_PPM] = {
		.name = "fraction-ppm",
		.type = ATTR_UINT,
		.has_min = true, .min = 1,
		.has_max = true, .max = 1000000,
		.doc = "fraction of the nodes that send in 1e-6 (burst), default 1000000",
	},
	[MCFAB_A_RUN_WARMUP] = {
		.name = "warmup",
		.type = ATTR_UINT,
		.doc = "cycles that are not measured, default found by MSER-5",
	},
	[MCFAB_A_RUN_BATCHES] = {
		.name = "batches",
		.type = ATTR_UINT,
		.has_min = true, .min = 20,
		.has_max = true, .max = 1000,
		.doc = "batches of the measuring window, default 20",
	},
	[MCFAB_A_RUN_BATCH_CYCLES] = {
		.name = "batch-cycles",
		.type = ATTR_UINT,
		.has_min = true, .min = 1,
		.has_max = true, .max = 1000000000,
		.doc = "cycles of a batch, default 5000",
	},
	[MCFAB_A_RUN_PRECISION_PPM] = {
		.name = "precision-ppm",
		.type = ATTR_UINT,
		.has_max = true, .max = 1000000,
		.doc = "Stop when the half-width of the 95 % confidence interval is below this fraction of the mean in 1e-6, default 50000; 0, measure exactly the given batches.",
	},
	[MCFAB_A_RUN_MAX_CYCLES] = {
		.name = "max-cycles",
		.type = ATTR_UINT,
		.wide = true,
		.has_min = true, .min = 1,
		.has_max = true, .max = 1000000000000,
		.doc = "the run ends as saturated at this cycle, default 1000000000",
	},
	[MCFAB_A_RUN_RUN] = {
		.name = "run",
		.type = ATTR_UINT,
		.doc = "number of the run, from 1",
	},
	[MCFAB_A_RUN_STATE] = {
		.name = "state",
		.type = ATTR_UINT,
		.words = &run_status_enum,
	},
	[MCFAB_A_RUN_CYCLE] = {
		.name = "cycle",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "simulated cycle (lone, of the multicast under way)",
	},
	[MCFAB_A_RUN_MESSAGES] = {
		.name = "messages",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "messages whose deliveries are all known",
	},
	[MCFAB_A_RUN_EXPECTED] = {
		.name = "expected",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "messages the run will make; absent, not known",
	},
	[MCFAB_A_RUN_DELIVERIES] = {
		.name = "deliveries",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "copies delivered",
	},
	[MCFAB_A_RUN_FLIT_HOPS] = {
		.name = "flit-hops",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "flits that crossed a network channel",
	},
	[MCFAB_A_RUN_STALLS] = {
		.name = "stalls",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "headers that waited longer than the stall limit without a deadlock",
	},
	[MCFAB_A_RUN_HASH] = {
		.name = "hash",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "result hash; absent while running and after a stop",
	},
	[MCFAB_A_RUN_WALL_NS] = {
		.name = "wall-ns",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "time the run took",
	},
	[MCFAB_A_RUN_THREADS] = {
		.name = "threads",
		.type = ATTR_UINT,
		.doc = "router threads",
	},
	[MCFAB_A_RUN_WHY] = {
		.name = "why",
		.type = ATTR_STRING,
		.doc = "for people, why a run saturated or failed",
	},
};

static const struct attr_set run_set = {
	"run", run_attrs, ARRAY_SIZE(run_attrs),
};

static const struct attr_desc stats_attrs[] = {
	[MCFAB_A_STATS_FABRIC_ID] = {
		.name = "fabric-id",
		.type = ATTR_UINT,
		.has_min = true, .min = 1,
	},
	[MCFAB_A_STATS_FABRIC] = {
		.name = "fabric",
		.type = ATTR_STRING,
	},
	[MCFAB_A_STATS_RUN] = {
		.name = "run",
		.type = ATTR_UINT,
		.doc = "number of the run",
	},
	[MCFAB_A_STATS_STATE] = {
		.name = "state",
		.type = ATTR_UINT,
		.words = &run_status_enum,
	},
	[MCFAB_A_STATS_POLICY] = {
		.name = "policy",
		.type = ATTR_STRING,
	},
	[MCFAB_A_STATS_CYCLE] = {
		.name = "cycle",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "simulated cycle (lone, of the last multicast)",
	},
	[MCFAB_A_STATS_MESSAGES] = {
		.name = "messages",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "messages whose deliveries are all known",
	},
	[MCFAB_A_STATS_DELIVERIES] = {
		.name = "deliveries",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "copies delivered",
	},
	[MCFAB_A_STATS_FLIT_HOPS] = {
		.name = "flit-hops",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "flits that crossed a network channel",
	},
	[MCFAB_A_STATS_STALLS] = {
		.name = "stalls",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "headers that waited longer than the stall limit without a deadlock",
	},
	[MCFAB_A_STATS_HASH] = {
		.name = "hash",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "result hash; absent while running and after a stop",
	},
	[MCFAB_A_STATS_WALL_NS] = {
		.name = "wall-ns",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "time the run took",
	},
	[MCFAB_A_STATS_WINDOW_START] = {
		.name = "window-start",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "first measured generation cycle; absent, not known",
	},
	[MCFAB_A_STATS_WINDOW_END] = {
		.name = "window-end",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "first generation cycle behind the measuring window; absent, not known",
	},
	[MCFAB_A_STATS_UNSETTLED] = {
		.name = "unsettled",
		.type = ATTR_FLAG,
		.doc = "MSER-5 found no end of the transient",
	},
	[MCFAB_A_STATS_BATCHES] = {
		.name = "batches",
		.type = ATTR_UINT,
		.doc = "batches of the window that are over",
	},
	[MCFAB_A_STATS_BATCH_CYCLES] = {
		.name = "batch-cycles",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "generation cycles of a batch; doubled when batches get too many",
	},
	[MCFAB_A_STATS_OFFERED_PPB] = {
		.name = "offered-ppb",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "offered load, flits generated per node and cycle in 1e-9, a multicast once",
	},
	[MCFAB_A_STATS_EFFECTIVE_PPB] = {
		.name = "effective-ppb",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "effective load, offered load times destinations in 1e-9",
	},
	[MCFAB_A_STATS_THROUGHPUT_PPB] = {
		.name = "throughput-ppb",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "copies delivered per node and cycle in 1e-9",
	},
	[MCFAB_A_STATS_QUEUE_MAXIMUM] = {
		.name = "queue-maximum",
		.type = ATTR_UINT,
		.doc = "longest source queue in messages",
	},
	[MCFAB_A_STATS_BALANCE] = {
		.name = "balance",
		.type = ATTR_NEST,
		.nested = &balance_set,
	},
	[MCFAB_A_STATS_MULTICAST] = {
		.name = "multicast",
		.type = ATTR_NEST,
		.nested = &class_stats_set,
		.doc = "multicasts, and every message of traffic that is not mixed",
	},
	[MCFAB_A_STATS_UNICAST] = {
		.name = "unicast",
		.type = ATTR_NEST,
		.nested = &class_stats_set,
		.doc = "the unicasts of mixed traffic",
	},
	[MCFAB_A_STATS_BAD_PARTS] = {
		.name = "bad-parts",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "deliveries whose parts do not add up, which is a bug of mcfab",
	},
	[MCFAB_A_STATS_BAD_MESSAGES] = {
		.name = "bad-messages",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "messages that contradict themselves, which is a bug of mcfab",
	},
};

static const struct attr_set stats_set = {
	"stats", stats_attrs, ARRAY_SIZE(stats_attrs),
};

static const struct attr_desc class_stats_attrs[] = {
	[MCFAB_A_CLASS_STATS_ALL] = {
		.name = "all",
		.type = ATTR_NEST,
		.nested = &totals_set,
		.doc = "every message of the run",
	},
	[MCFAB_A_CLASS_STATS_MEASURED] = {
		.name = "measured",
		.type = ATTR_NEST,
		.nested = &totals_set,
		.doc = "the messages of the measuring window",
	},
	[MCFAB_A_CLASS_STATS_TAIL] = {
		.name = "tail",
		.type = ATTR_NEST,
		.nested = &sample_set,
		.doc = "cycles to a tail, over destinations",
	},
	[MCFAB_A_CLASS_STATS_HEADER] = {
		.name = "header",
		.type = ATTR_NEST,
		.nested = &sample_set,
		.doc = "cycles to a header, over destinations",
	},
	[MCFAB_A_CLASS_STATS_COMPLETION] = {
		.name = "completion",
		.type = ATTR_NEST,
		.nested = &sample_set,
		.doc = "cycles to the last tail, over messages",
	},
	[MCFAB_A_CLASS_STATS_WORM] = {
		.name = "worm",
		.type = ATTR_NEST,
		.nested = &sample_set,
		.doc = "cycles to a worm's last tail, over worms",
	},
	[MCFAB_A_CLASS_STATS_MEAN_DESTINATION] = {
		.name = "mean-destination",
		.type = ATTR_NEST,
		.nested = &sample_set,
		.doc = "mean tail of a message's destinations in 1e-6 cycles, over messages",
	},
	[MCFAB_A_CLASS_STATS_MEAN_WORM] = {
		.name = "mean-worm",
		.type = ATTR_NEST,
		.nested = &sample_set,
		.doc = "mean over a message's worms of their last tails in 1e-6 cycles, over messages",
	},
	[MCFAB_A_CLASS_STATS_CV_HEADER] = {
		.name = "cv-header",
		.type = ATTR_NEST,
		.nested = &sample_set,
		.doc = "coefficient of variation of a message's headers in 1e-6, over messages",
	},
	[MCFAB_A_CLASS_STATS_CV_TAIL] = {
		.name = "cv-tail",
		.type = ATTR_NEST,
		.nested = &sample_set,
		.doc = "coefficient of variation of a message's tails in 1e-6, over messages",
	},
	[MCFAB_A_CLASS_STATS_ADDITIONAL] = {
		.name = "additional",
		.type = ATTR_NEST,
		.nested = &sample_set,
		.doc = "traffic less destinations of a message, over messages",
	},
	[MCFAB_A_CLASS_STATS_COMPLETION_INTERVAL] = {
		.name = "completion-interval",
		.type = ATTR_NEST,
		.nested = &interval_set,
	},
	[MCFAB_A_CLASS_STATS_DESTINATION_INTERVAL] = {
		.name = "destination-interval",
		.type = ATTR_NEST,
		.nested = &interval_set,
		.doc = "of the means over destinations",
	},
	[MCFAB_A_CLASS_STATS_WORM_INTERVAL] = {
		.name = "worm-interval",
		.type = ATTR_NEST,
		.nested = &interval_set,
		.doc = "of the means over worms",
	},
	[MCFAB_A_CLASS_STATS_PARTS] = {
		.name = "parts",
		.type = ATTR_NEST,
		.nested = &parts_set,
		.doc = "sums of the parts of the tail latencies",
	},
	[MCFAB_A_CLASS_STATS_TAIL_QUANTILES] = {
		.name = "tail-quantiles",
		.type = ATTR_NEST,
		.nested = &quantiles_set,
	},
	[MCFAB_A_CLASS_STATS_COMPLETION_QUANTILES] = {
		.name = "completion-quantiles",
		.type = ATTR_NEST,
		.nested = &quantiles_set,
	},
	[MCFAB_A_CLASS_STATS_WORMS_MICRO] = {
		.name = "worms-micro",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "worms per measured message in 1e-6",
	},
	[MCFAB_A_CLASS_STATS_STARTUPS_MICRO] = {
		.name = "startups-micro",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "start-ups per measured message in 1e-6",
	},
	[MCFAB_A_CLASS_STATS_TRAFFIC_MICRO] = {
		.name = "traffic-micro",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "network channels per measured message in 1e-6",
	},
	[MCFAB_A_CLASS_STATS_CHANNEL_CYCLES_MICRO] = {
		.name = "channel-cycles-micro",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "cycles for which a measured message holds channels in 1e-6",
	},
};

static const struct attr_set class_stats_set = {
	"class-stats", class_stats_attrs, ARRAY_SIZE(class_stats_attrs),
};

static const struct attr_desc totals_attrs[] = {
	[MCFAB_A_TOTALS_MESSAGES] = {
		.name = "messages",
		.type = ATTR_UINT,
		.wide = true,
	},
	[MCFAB_A_TOTALS_INCOMPLETE] = {
		.name = "incomplete",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "messages that did not reach every destination",
	},
	[MCFAB_A_TOTALS_DESTINATIONS] = {
		.name = "destinations",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "destinations they were meant for",
	},
	[MCFAB_A_TOTALS_DELIVERIES] = {
		.name = "deliveries",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "copies delivered",
	},
	[MCFAB_A_TOTALS_FLITS] = {
		.name = "flits",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "flits generated, of a multicast once",
	},
	[MCFAB_A_TOTALS_WORMS] = {
		.name = "worms",
		.type = ATTR_UINT,
		.wide = true,
	},
	[MCFAB_A_TOTALS_STARTUPS] = {
		.name = "startups",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "start-ups at sources and later senders",
	},
	[MCFAB_A_TOTALS_TRAFFIC] = {
		.name = "traffic",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "network channels crossed by worms",
	},
	[MCFAB_A_TOTALS_ADDITIONAL] = {
		.name = "additional",
		.type = ATTR_SINT,
		.wide = true,
		.doc = "traffic less destinations",
	},
	[MCFAB_A_TOTALS_CHANNEL_CYCLES] = {
		.name = "channel-cycles",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "cycles for which network channels were held",
	},
};

static const struct attr_set totals_set = {
	"totals", totals_attrs, ARRAY_SIZE(totals_attrs),
};

static const struct attr_desc sample_attrs[] = {
	[MCFAB_A_SAMPLE_COUNT] = {
		.name = "count",
		.type = ATTR_UINT,
		.wide = true,
	},
	[MCFAB_A_SAMPLE_MINIMUM] = {
		.name = "minimum",
		.type = ATTR_SINT,
		.wide = true,
		.doc = "absent in an empty sample, as are all that follow",
	},
	[MCFAB_A_SAMPLE_MAXIMUM] = {
		.name = "maximum",
		.type = ATTR_SINT,
		.wide = true,
	},
	[MCFAB_A_SAMPLE_SUM] = {
		.name = "sum",
		.type = ATTR_SINT,
		.wide = true,
		.doc = "sum of the values, its lower 64 bits",
	},
	[MCFAB_A_SAMPLE_SUM_HIGH] = {
		.name = "sum-high",
		.type = ATTR_SINT,
		.wide = true,
		.doc = "upper 64 bits; absent where they repeat the sign of the lower ones",
	},
	[MCFAB_A_SAMPLE_SQUARES] = {
		.name = "squares",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "sum of the squares of the values, its lower 64 bits",
	},
	[MCFAB_A_SAMPLE_SQUARES_HIGH] = {
		.name = "squares-high",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "upper 64 bits; absent if 0",
	},
	[MCFAB_A_SAMPLE_MEAN_MICRO] = {
		.name = "mean-micro",
		.type = ATTR_SINT,
		.wide = true,
		.doc = "mean in 1e-6 cycles or, of cv-*, in 1e-6 or, of additional, in 1e-6 channels",
	},
	[MCFAB_A_SAMPLE_DEVIATION_MICRO] = {
		.name = "deviation-micro",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "standard deviation of the sample in the same unit; absent below two values",
	},
	[MCFAB_A_SAMPLE_HALF_WIDTH_MICRO] = {
		.name = "half-width-micro",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "half-width of the 95 % interval of independent values; absent below two",
	},
};

static const struct attr_set sample_set = {
	"sample", sample_attrs, ARRAY_SIZE(sample_attrs),
};

static const struct attr_desc interval_attrs[] = {
	[MCFAB_A_INTERVAL_MEAN_UCYCLES] = {
		.name = "mean-ucycles",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "mean over the measured messages in 1e-6 cycles",
	},
	[MCFAB_A_INTERVAL_HALF_WIDTH_UCYCLES] = {
		.name = "half-width-ucycles",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "half-width of its 95 % confidence interval in 1e-6 cycles; absent, not known",
	},
	[MCFAB_A_INTERVAL_RELATIVE_PPM] = {
		.name = "relative-ppm",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "half-width over mean in 1e-6",
	},
	[MCFAB_A_INTERVAL_OBSERVATIONS] = {
		.name = "observations",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "batches with messages, or messages where each counts",
	},
	[MCFAB_A_INTERVAL_LAG1_PPM] = {
		.name = "lag1-ppm",
		.type = ATTR_SINT,
		.wide = true,
		.doc = "correlation of neighbouring batches in 1e-6",
	},
};

static const struct attr_set interval_set = {
	"interval", interval_attrs, ARRAY_SIZE(interval_attrs),
};

static const struct attr_desc parts_attrs[] = {
	[MCFAB_A_PARTS_QUEUE] = {
		.name = "queue",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "source queue, cycles",
	},
	[MCFAB_A_PARTS_PREPARATION] = {
		.name = "preparation",
		.type = ATTR_UINT,
		.wide = true,
	},
	[MCFAB_A_PARTS_STARTUP] = {
		.name = "startup",
		.type = ATTR_UINT,
		.wide = true,
	},
	[MCFAB_A_PARTS_ROUTING] = {
		.name = "routing",
		.type = ATTR_UINT,
		.wide = true,
	},
	[MCFAB_A_PARTS_TRANSFER] = {
		.name = "transfer",
		.type = ATTR_UINT,
		.wide = true,
	},
	[MCFAB_A_PARTS_INTERFACE] = {
		.name = "interface",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "network interface",
	},
	[MCFAB_A_PARTS_BLOCKING] = {
		.name = "blocking",
		.type = ATTR_UINT,
		.wide = true,
	},
};

static const struct attr_set parts_set = {
	"parts", parts_attrs, ARRAY_SIZE(parts_attrs),
};

static const struct attr_desc quantiles_attrs[] = {
	[MCFAB_A_QUANTILES_P50] = {
		.name = "p50",
		.type = ATTR_UINT,
		.doc = "cycles",
	},
	[MCFAB_A_QUANTILES_P90] = {
		.name = "p90",
		.type = ATTR_UINT,
	},
	[MCFAB_A_QUANTILES_P95] = {
		.name = "p95",
		.type = ATTR_UINT,
	},
	[MCFAB_A_QUANTILES_P99] = {
		.name = "p99",
		.type = ATTR_UINT,
	},
};

static const struct attr_set quantiles_set = {
	"quantiles", quantiles_attrs, ARRAY_SIZE(quantiles_attrs),
};

static const struct attr_desc balance_attrs[] = {
	[MCFAB_A_BALANCE_CYCLES] = {
		.name = "cycles",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "cycles in which flits were counted",
	},
	[MCFAB_A_BALANCE_CHANNELS] = {
		.name = "channels",
		.type = ATTR_UINT,
	},
	[MCFAB_A_BALANCE_USED] = {
		.name = "used",
		.type = ATTR_UINT,
		.doc = "channels that carried a flit",
	},
	[MCFAB_A_BALANCE_FLITS] = {
		.name = "flits",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "flits of all channels",
	},
	[MCFAB_A_BALANCE_BUSIEST] = {
		.name = "busiest",
		.type = ATTR_UINT,
		.doc = "number of the busiest channel",
	},
	[MCFAB_A_BALANCE_BUSIEST_FLITS] = {
		.name = "busiest-flits",
		.type = ATTR_UINT,
		.wide = true,
	},
	[MCFAB_A_BALANCE_MEAN_PPB] = {
		.name = "mean-ppb",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "mean utilisation, flits per cycle in 1e-9",
	},
	[MCFAB_A_BALANCE_MAXIMUM_PPB] = {
		.name = "maximum-ppb",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "utilisation of the busiest channel in 1e-9",
	},
	[MCFAB_A_BALANCE_MAXIMUM_TO_MEAN_MICRO] = {
		.name = "maximum-to-mean-micro",
		.type = ATTR_UINT,
		.wide = true,
	},
	[MCFAB_A_BALANCE_CV_PPM] = {
		.name = "cv-ppm",
		.type = ATTR_UINT,
		.doc = "coefficient of variation over the channels in 1e-6",
	},
	[MCFAB_A_BALANCE_JAIN_PPM] = {
		.name = "jain-ppm",
		.type = ATTR_UINT,
		.doc = "Jain's index in 1e-6",
	},
};

static const struct attr_set balance_set = {
	"balance", balance_attrs, ARRAY_SIZE(balance_attrs),
};

static const struct attr_desc link_attrs[] = {
	[MCFAB_A_LINK_FABRIC_ID] = {
		.name = "fabric-id",
		.type = ATTR_UINT,
		.has_min = true, .min = 1,
	},
	[MCFAB_A_LINK_FABRIC] = {
		.name = "fabric",
		.type = ATTR_STRING,
	},
	[MCFAB_A_LINK_RUN] = {
		.name = "run",
		.type = ATTR_UINT,
	},
	[MCFAB_A_LINK_CHANNEL] = {
		.name = "channel",
		.type = ATTR_UINT,
		.doc = "number of the directed channel",
	},
	[MCFAB_A_LINK_FROM] = {
		.name = "from",
		.type = ATTR_UINT,
		.doc = "router",
	},
	[MCFAB_A_LINK_TO] = {
		.name = "to",
		.type = ATTR_UINT,
		.doc = "router",
	},
	[MCFAB_A_LINK_PORT] = {
		.name = "port",
		.type = ATTR_UINT,
		.doc = "output port of from",
	},
	[MCFAB_A_LINK_FLITS] = {
		.name = "flits",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "flits that crossed it in the measuring window",
	},
	[MCFAB_A_LINK_UTILISATION_PPB] = {
		.name = "utilisation-ppb",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "flits per cycle in 1e-9",
	},
	[MCFAB_A_LINK_WAIT_CYCLES] = {
		.name = "wait-cycles",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "cycles that headers waited for it in the measuring window",
	},
};

static const struct attr_set link_set = {
	"link", link_attrs, ARRAY_SIZE(link_attrs),
};

static const struct attr_desc node_load_attrs[] = {
	[MCFAB_A_NODE_LOAD_FABRIC_ID] = {
		.name = "fabric-id",
		.type = ATTR_UINT,
		.has_min = true, .min = 1,
	},
	[MCFAB_A_NODE_LOAD_FABRIC] = {
		.name = "fabric",
		.type = ATTR_STRING,
	},
	[MCFAB_A_NODE_LOAD_RUN] = {
		.name = "run",
		.type = ATTR_UINT,
	},
	[MCFAB_A_NODE_LOAD_ROUTER] = {
		.name = "router",
		.type = ATTR_UINT,
	},
	[MCFAB_A_NODE_LOAD_FLITS_IN] = {
		.name = "flits-in",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "flits that came in by network channels in the measuring window",
	},
	[MCFAB_A_NODE_LOAD_FLITS_OUT] = {
		.name = "flits-out",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "flits that left by network channels",
	},
	[MCFAB_A_NODE_LOAD_IN_PPB] = {
		.name = "in-ppb",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "mean utilisation of its incoming channels in 1e-9",
	},
	[MCFAB_A_NODE_LOAD_OUT_PPB] = {
		.name = "out-ppb",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "mean utilisation of its outgoing channels in 1e-9",
	},
};

static const struct attr_set node_load_set = {
	"node-load", node_load_attrs, ARRAY_SIZE(node_load_attrs),
};

static const struct attr_desc batch_attrs[] = {
	[MCFAB_A_BATCH_FABRIC_ID] = {
		.name = "fabric-id",
		.type = ATTR_UINT,
		.has_min = true, .min = 1,
	},
	[MCFAB_A_BATCH_FABRIC] = {
		.name = "fabric",
		.type = ATTR_STRING,
	},
	[MCFAB_A_BATCH_RUN] = {
		.name = "run",
		.type = ATTR_UINT,
	},
	[MCFAB_A_BATCH_CLASS] = {
		.name = "class",
		.type = ATTR_UINT,
		.words = &message_class_enum,
	},
	[MCFAB_A_BATCH_INDEX] = {
		.name = "index",
		.type = ATTR_UINT,
	},
	[MCFAB_A_BATCH_START] = {
		.name = "start",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "first generation cycle",
	},
	[MCFAB_A_BATCH_MESSAGES] = {
		.name = "messages",
		.type = ATTR_UINT,
		.wide = true,
	},
	[MCFAB_A_BATCH_COMPLETION_UCYCLES] = {
		.name = "completion-ucycles",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "mean in 1e-6 cycles; absent without messages",
	},
	[MCFAB_A_BATCH_DESTINATION_UCYCLES] = {
		.name = "destination-ucycles",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "mean of the means over destinations in 1e-6 cycles",
	},
	[MCFAB_A_BATCH_WORM_UCYCLES] = {
		.name = "worm-ucycles",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "mean of the means over worms in 1e-6 cycles",
	},
};

static const struct attr_set batch_set = {
	"batch", batch_attrs, ARRAY_SIZE(batch_attrs),
};

static const struct attr_desc bucket_attrs[] = {
	[MCFAB_A_BUCKET_FABRIC_ID] = {
		.name = "fabric-id",
		.type = ATTR_UINT,
		.has_min = true, .min = 1,
	},
	[MCFAB_A_BUCKET_FABRIC] = {
		.name = "fabric",
		.type = ATTR_STRING,
	},
	[MCFAB_A_BUCKET_RUN] = {
		.name = "run",
		.type = ATTR_UINT,
	},
	[MCFAB_A_BUCKET_CLASS] = {
		.name = "class",
		.type = ATTR_UINT,
		.words = &message_class_enum,
	},
	[MCFAB_A_BUCKET_TYPE] = {
		.name = "type",
		.type = ATTR_UINT,
		.words = &latency_type_enum,
	},
	[MCFAB_A_BUCKET_LOW] = {
		.name = "low",
		.type = ATTR_UINT,
		.doc = "least value of the bucket in cycles",
	},
	[MCFAB_A_BUCKET_HIGH] = {
		.name = "high",
		.type = ATTR_UINT,
		.doc = "greatest value",
	},
	[MCFAB_A_BUCKET_COUNT] = {
		.name = "count",
		.type = ATTR_UINT,
		.wide = true,
	},
};

static const struct attr_set bucket_set = {
	"bucket", bucket_attrs, ARRAY_SIZE(bucket_attrs),
};

static const struct attr_desc deadlock_attrs[] = {
	[MCFAB_A_DEADLOCK_FABRIC_ID] = {
		.name = "fabric-id",
		.type = ATTR_UINT,
		.has_min = true, .min = 1,
	},
	[MCFAB_A_DEADLOCK_FABRIC] = {
		.name = "fabric",
		.type = ATTR_STRING,
	},
	[MCFAB_A_DEADLOCK_RUN] = {
		.name = "run",
		.type = ATTR_UINT,
	},
	[MCFAB_A_DEADLOCK_CYCLE] = {
		.name = "cycle",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "when it was found",
	},
	[MCFAB_A_DEADLOCK_WORMS] = {
		.name = "worms",
		.type = ATTR_UINT,
		.doc = "worms that can never move again",
	},
	[MCFAB_A_DEADLOCK_WAIT] = {
		.name = "wait",
		.type = ATTR_NEST,
		.multi = true,
		.nested = &wait_set,
		.doc = "one cycle of waits among them",
	},
};

static const struct attr_set deadlock_set = {
	"deadlock", deadlock_attrs, ARRAY_SIZE(deadlock_attrs),
};

static const struct attr_desc wait_attrs[] = {
	[MCFAB_A_WAIT_GENERATED] = {
		.name = "generated",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "generation cycle of the message",
	},
	[MCFAB_A_WAIT_SOURCE] = {
		.name = "source",
		.type = ATTR_UINT,
		.doc = "source of the message",
	},
	[MCFAB_A_WAIT_SEQUENCE] = {
		.name = "sequence",
		.type = ATTR_UINT,
		.doc = "sequence number of the message at its source",
	},
	[MCFAB_A_WAIT_WORM] = {
		.name = "worm",
		.type = ATTR_UINT,
		.doc = "index in the plan of the message",
	},
	[MCFAB_A_WAIT_ROUTER] = {
		.name = "router",
		.type = ATTR_UINT,
		.doc = "where the header waits",
	},
	[MCFAB_A_WAIT_PORT] = {
		.name = "port",
		.type = ATTR_UINT,
		.doc = "output port it waits for; absent, a consumption channel",
	},
	[MCFAB_A_WAIT_VC] = {
		.name = "vc",
		.type = ATTR_UINT,
		.doc = "lowest virtual channel it would take",
	},
	[MCFAB_A_WAIT_SINCE] = {
		.name = "since",
		.type = ATTR_UINT,
		.wide = true,
		.doc = "cycle of the request",
	},
	[MCFAB_A_WAIT_HOLDER] = {
		.name = "holder",
		.type = ATTR_UINT,
		.doc = "index, in this report, of a worm that holds the channel",
	},
};

static const struct attr_set wait_set = {
	"wait", wait_attrs, ARRAY_SIZE(wait_attrs),
};

const struct attr_op attr_ops[] = {
	[MCFAB_CMD_FABRIC_GET] = { "fabric-get", &fabric_set },
	[MCFAB_CMD_FABRIC_NEW] = { "fabric-new", &fabric_set },
	[MCFAB_CMD_FABRIC_DEL] = { "fabric-del", &fabric_set },
	[MCFAB_CMD_FABRIC_ADD_NTF] = { "fabric-add-ntf", &fabric_set },
	[MCFAB_CMD_FABRIC_DEL_NTF] = { "fabric-del-ntf", &fabric_set },
	[MCFAB_CMD_FABRIC_CHANGE_NTF] = { "fabric-change-ntf", &fabric_set },
	[MCFAB_CMD_TOPOLOGY_GET] = { "topology-get", &topology_set },
	[MCFAB_CMD_POLICY_GET] = { "policy-get", &policy_set },
	[MCFAB_CMD_NODE_GET] = { "node-get", &node_set },
	[MCFAB_CMD_PLAN_GET] = { "plan-get", &plan_set },
	[MCFAB_CMD_UPLOAD_BEGIN] = { "upload-begin", &upload_set },
	[MCFAB_CMD_UPLOAD_APPEND] = { "upload-append", &upload_set },
	[MCFAB_CMD_UPLOAD_DISCARD] = { "upload-discard", &upload_set },
	[MCFAB_CMD_UPLOAD_GET] = { "upload-get", &upload_set },
	[MCFAB_CMD_RUN_START] = { "run-start", &run_set },
	[MCFAB_CMD_RUN_STOP] = { "run-stop", &run_set },
	[MCFAB_CMD_RUN_GET] = { "run-get", &run_set },
	[MCFAB_CMD_RUN_FINISHED_NTF] = { "run-finished-ntf", &run_set },
	[MCFAB_CMD_DEADLOCK_GET] = { "deadlock-get", &deadlock_set },
	[MCFAB_CMD_DEADLOCK_NTF] = { "deadlock-ntf", &deadlock_set },
	[MCFAB_CMD_STATS_GET] = { "stats-get", &stats_set },
	[MCFAB_CMD_LINK_GET] = { "link-get", &link_set },
	[MCFAB_CMD_NODE_LOAD_GET] = { "node-load-get", &node_load_set },
	[MCFAB_CMD_BATCH_GET] = { "batch-get", &batch_set },
	[MCFAB_CMD_HISTOGRAM_GET] = { "histogram-get", &bucket_set },
	[MCFAB_CMD_STATS_RESET] = { "stats-reset", &stats_set },
};

const u32 attr_nops = ARRAY_SIZE(attr_ops);
