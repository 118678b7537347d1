/* SPDX-License-Identifier: GPL-2.0 */
/* What nlclient expects of each attribute of the family, set by set. */
#ifndef NLCLIENT_SPEC_H
#define NLCLIENT_SPEC_H

#include <linux/mcfab.h>

/* What an attribute must look like. */
enum kind {
	NONE,
	U32,		/* 4 bytes */
	S32,
	UINT,		/* 4 or 8 bytes */
	SINT,
	STRING,		/* ends in NUL, at its last byte */
	FLAG,
	NEST,
	U32S,		/* packed */
	U64S,
};

struct set {
	const char *name;
	int max;
	const struct spec *spec;
};

struct spec {
	enum kind kind;
	const struct set *nest;
};

static const struct spec fabric_spec[MCFAB_A_FABRIC_MAX + 1] = {
	[MCFAB_A_FABRIC_ID] = { U32 },
	[MCFAB_A_FABRIC_NAME] = { STRING },
	[MCFAB_A_FABRIC_TOPOLOGY] = { STRING },
	[MCFAB_A_FABRIC_DIMS] = { U32 },
	[MCFAB_A_FABRIC_VCS] = { U32 },
	[MCFAB_A_FABRIC_BUFFER] = { U32 },
	[MCFAB_A_FABRIC_SWITCHING] = { U32 },
	[MCFAB_A_FABRIC_REPLICATION] = { U32 },
	[MCFAB_A_FABRIC_VC_RELEASE] = { U32 },
	[MCFAB_A_FABRIC_LINK_ARBITRATION] = { U32 },
	[MCFAB_A_FABRIC_INPUT_SPEEDUP] = { U32 },
	[MCFAB_A_FABRIC_INJECT] = { U32 },
	[MCFAB_A_FABRIC_CONSUME] = { U32 },
	[MCFAB_A_FABRIC_INJECT_DELAY] = { U32 },
	[MCFAB_A_FABRIC_ROUTE_DELAY] = { U32 },
	[MCFAB_A_FABRIC_LINK_DELAY] = { U32 },
	[MCFAB_A_FABRIC_CONSUME_DELAY] = { U32 },
	[MCFAB_A_FABRIC_CREDIT_DELAY] = { U32 },
	[MCFAB_A_FABRIC_STARTUP] = { U32 },
	[MCFAB_A_FABRIC_CYCLE_PS] = { U32 },
	[MCFAB_A_FABRIC_STALL_LIMIT] = { U32 },
	[MCFAB_A_FABRIC_SEED] = { UINT },
	[MCFAB_A_FABRIC_NICE] = { S32 },
	[MCFAB_A_FABRIC_CPUS] = { STRING },
	[MCFAB_A_FABRIC_SHARDS] = { U32 },
	[MCFAB_A_FABRIC_NODES] = { U32 },
	[MCFAB_A_FABRIC_ROUTERS] = { U32 },
	[MCFAB_A_FABRIC_PORTS] = { U32 },
	[MCFAB_A_FABRIC_DEGREE] = { U32 },
	[MCFAB_A_FABRIC_CHANNELS] = { U32 },
	[MCFAB_A_FABRIC_PORT_NAME] = { STRING },
	[MCFAB_A_FABRIC_BYTES] = { UINT },
	[MCFAB_A_FABRIC_STATE] = { U32 },
	[MCFAB_A_FABRIC_RUN] = { U32 },
	[MCFAB_A_FABRIC_BUFFER_PACKETS] = { U32 },
	[MCFAB_A_FABRIC_ADDRESSING] = { U32 },
	[MCFAB_A_FABRIC_SUBNET_GENERATION] = { U32 },
	[MCFAB_A_FABRIC_INGRESS] = { U32 },
	[MCFAB_A_FABRIC_PORT_NUMBERS] = { U32 },
	[MCFAB_A_FABRIC_NODE_MODEL] = { U32 },
	[MCFAB_A_FABRIC_HOST_RECEIVE] = { U32 },
	[MCFAB_A_FABRIC_NI_SEND] = { U32 },
	[MCFAB_A_FABRIC_NI_RECEIVE] = { U32 },
	[MCFAB_A_FABRIC_NI_RATIO] = { U32 },
	[MCFAB_A_FABRIC_IO_BUS] = { U32 },
	[MCFAB_A_FABRIC_NI_MEMORY] = { U32 },
	[MCFAB_A_FABRIC_FLIT_BYTES] = { U32 },
	[MCFAB_A_FABRIC_HOST_OVERHEAD] = { U32 },
	[MCFAB_A_FABRIC_ROUTING] = { U32 },
	[MCFAB_A_FABRIC_ROOT] = { U32 },
	[MCFAB_A_FABRIC_LINKS_DOWN] = { U32 },
	[MCFAB_A_FABRIC_SWITCHES_DOWN] = { U32 },
	[MCFAB_A_FABRIC_PIPELINE] = { U32 },
	[MCFAB_A_FABRIC_NODE_BANDWIDTH] = { U32 },
	[MCFAB_A_FABRIC_ALLOCATOR] = { U32 },
	[MCFAB_A_FABRIC_BUILD_DONE] = { UINT },
	[MCFAB_A_FABRIC_BUILD_TOTAL] = { UINT },
	[MCFAB_A_FABRIC_TABLES_EDITED] = { FLAG },
};

static const struct set fabric_set = { "fabric", MCFAB_A_FABRIC_MAX, fabric_spec };

static const struct spec param_info_spec[MCFAB_A_PARAM_INFO_MAX + 1] = {
	[MCFAB_A_PARAM_INFO_NAME] = { STRING },
	[MCFAB_A_PARAM_INFO_HELP] = { STRING },
	[MCFAB_A_PARAM_INFO_KIND] = { U32 },
	[MCFAB_A_PARAM_INFO_MINIMUM] = { U32 },
	[MCFAB_A_PARAM_INFO_MAXIMUM] = { U32 },
	[MCFAB_A_PARAM_INFO_DEFAULT] = { U32 },
	[MCFAB_A_PARAM_INFO_CHOICE] = { STRING },
};

static const struct set param_info_set = { "param_info", MCFAB_A_PARAM_INFO_MAX, param_info_spec };

static const struct spec policy_spec[MCFAB_A_POLICY_MAX + 1] = {
	[MCFAB_A_POLICY_NAME] = { STRING },
	[MCFAB_A_POLICY_TITLE] = { STRING },
	[MCFAB_A_POLICY_SERVES] = { U32 },
	[MCFAB_A_POLICY_PREP] = { U32 },
	[MCFAB_A_POLICY_PARAM] = { NEST, &param_info_set },
};

static const struct set policy_set = { "policy", MCFAB_A_POLICY_MAX, policy_spec };

static const struct spec topology_spec[MCFAB_A_TOPOLOGY_MAX + 1] = {
	[MCFAB_A_TOPOLOGY_NAME] = { STRING },
	[MCFAB_A_TOPOLOGY_TITLE] = { STRING },
};

static const struct set topology_set = { "topology", MCFAB_A_TOPOLOGY_MAX, topology_spec };

static const struct spec neighbour_spec[MCFAB_A_NEIGHBOUR_MAX + 1] = {
	[MCFAB_A_NEIGHBOUR_PORT] = { U32 },
	[MCFAB_A_NEIGHBOUR_ROUTER] = { U32 },
	[MCFAB_A_NEIGHBOUR_CHANNEL] = { U32 },
	[MCFAB_A_NEIGHBOUR_LINK] = { U32 },
	[MCFAB_A_NEIGHBOUR_HIGH] = { FLAG },
};

static const struct set neighbour_set = { "neighbour", MCFAB_A_NEIGHBOUR_MAX, neighbour_spec };

static const struct spec node_spec[MCFAB_A_NODE_MAX + 1] = {
	[MCFAB_A_NODE_FABRIC_ID] = { U32 },
	[MCFAB_A_NODE_NODE] = { U32 },
	[MCFAB_A_NODE_LABEL] = { U32 },
	[MCFAB_A_NODE_COORD] = { U32 },
	[MCFAB_A_NODE_ROUTER] = { U32 },
	[MCFAB_A_NODE_NEIGHBOUR] = { NEST, &neighbour_set },
	[MCFAB_A_NODE_LID] = { U32 },
	[MCFAB_A_NODE_SWITCH_LID] = { U32 },
	[MCFAB_A_NODE_SWITCH_PORT] = { U32 },
	[MCFAB_A_NODE_LIDS] = { U32 },
	[MCFAB_A_NODE_AGGREGATION] = { FLAG },
};

static const struct set node_set = { "node", MCFAB_A_NODE_MAX, node_spec };

static const struct spec plan_summary_spec[MCFAB_A_PLAN_SUMMARY_MAX + 1] = {
	[MCFAB_A_PLAN_SUMMARY_WORMS] = { U32 },
	[MCFAB_A_PLAN_SUMMARY_DESTINATIONS] = { U32 },
	[MCFAB_A_PLAN_SUMMARY_STEPS] = { U32 },
	[MCFAB_A_PLAN_SUMMARY_TRAFFIC] = { UINT },
	[MCFAB_A_PLAN_SUMMARY_LONGEST] = { U32 },
	[MCFAB_A_PLAN_SUMMARY_NETWORK_LATENCY] = { U32 },
	[MCFAB_A_PLAN_SUMMARY_COMPLETION] = { UINT },
	[MCFAB_A_PLAN_SUMMARY_MEAN_DESTINATION_UCYCLES] = { UINT },
	[MCFAB_A_PLAN_SUMMARY_MEAN_WORM_UCYCLES] = { UINT },
	[MCFAB_A_PLAN_SUMMARY_LOST] = { U32 },
	[MCFAB_A_PLAN_SUMMARY_DROPS] = { U32 },
	[MCFAB_A_PLAN_SUMMARY_STRAYS] = { U32 },
	[MCFAB_A_PLAN_SUMMARY_DUPLICATES] = { U32 },
	[MCFAB_A_PLAN_SUMMARY_PACKETS] = { U32 },
};

static const struct set plan_summary_set = {
	"plan_summary", MCFAB_A_PLAN_SUMMARY_MAX, plan_summary_spec
};

static const struct spec plan_worm_spec[MCFAB_A_PLAN_WORM_MAX + 1] = {
	[MCFAB_A_PLAN_WORM_ID] = { U32 },
	[MCFAB_A_PLAN_WORM_STEP] = { U32 },
	[MCFAB_A_PLAN_WORM_ROUND] = { U32 },
	[MCFAB_A_PLAN_WORM_SOURCE] = { U32 },
	[MCFAB_A_PLAN_WORM_AFTER] = { U32 },
	[MCFAB_A_PLAN_WORM_DESTINATIONS_TOTAL] = { U32 },
	[MCFAB_A_PLAN_WORM_HOPS_TOTAL] = { U32 },
	[MCFAB_A_PLAN_WORM_DESTINATION_OFFSET] = { U32 },
	[MCFAB_A_PLAN_WORM_DESTINATIONS] = { U32S },
	[MCFAB_A_PLAN_WORM_HOP_OFFSET] = { U32 },
	[MCFAB_A_PLAN_WORM_HOPS] = { U32S },
};

static const struct set plan_worm_set = { "plan_worm", MCFAB_A_PLAN_WORM_MAX, plan_worm_spec };

static const struct spec plan_spec[MCFAB_A_PLAN_MAX + 1] = {
	[MCFAB_A_PLAN_FABRIC_ID] = { U32 },
	[MCFAB_A_PLAN_SUMMARY] = { NEST, &plan_summary_set },
	[MCFAB_A_PLAN_WORM] = { NEST, &plan_worm_set },
	[MCFAB_A_PLAN_ARRIVALS] = { U64S },
	[MCFAB_A_PLAN_BUILDING] = { FLAG },
};

static const struct set plan_set = { "plan", MCFAB_A_PLAN_MAX, plan_spec };

static const struct spec verify_wait_spec[MCFAB_A_VERIFY_WAIT_MAX + 1] = {
	[MCFAB_A_VERIFY_WAIT_ROUTER] = { U32 },
	[MCFAB_A_VERIFY_WAIT_PORT] = { U32 },
	[MCFAB_A_VERIFY_WAIT_VC] = { U32 },
	[MCFAB_A_VERIFY_WAIT_TO_ROUTER] = { U32 },
	[MCFAB_A_VERIFY_WAIT_NODE] = { U32 },
	[MCFAB_A_VERIFY_WAIT_WANTED_ROUTER] = { U32 },
	[MCFAB_A_VERIFY_WAIT_WANTED_PORT] = { U32 },
	[MCFAB_A_VERIFY_WAIT_WANTED_VC] = { U32 },
	[MCFAB_A_VERIFY_WAIT_WANTED_TO_ROUTER] = { U32 },
	[MCFAB_A_VERIFY_WAIT_WANTED_NODE] = { U32 },
	[MCFAB_A_VERIFY_WAIT_CHOICES] = { U32 },
	[MCFAB_A_VERIFY_WAIT_SOURCE] = { U32 },
	[MCFAB_A_VERIFY_WAIT_DESTINATIONS] = { U32S },
	[MCFAB_A_VERIFY_WAIT_MEMORY] = { FLAG },
	[MCFAB_A_VERIFY_WAIT_WANTED_MEMORY] = { FLAG },
};

static const struct set verify_wait_set = {
	"verify_wait", MCFAB_A_VERIFY_WAIT_MAX, verify_wait_spec
};

static const struct spec held_spec[MCFAB_A_HELD_MAX + 1] = {
	[MCFAB_A_HELD_ROUTER] = { U32 },
	[MCFAB_A_HELD_PORT] = { U32 },
	[MCFAB_A_HELD_VC] = { U32 },
	[MCFAB_A_HELD_TO_ROUTER] = { U32 },
	[MCFAB_A_HELD_NODE] = { U32 },
	[MCFAB_A_HELD_INJECTION] = { FLAG },
};

static const struct set held_set = { "held", MCFAB_A_HELD_MAX, held_spec };

static const struct spec blocked_spec[MCFAB_A_WAIT_MAX + 1] = {
	[MCFAB_A_WAIT_GENERATED] = { UINT },
	[MCFAB_A_WAIT_SOURCE] = { U32 },
	[MCFAB_A_WAIT_SEQUENCE] = { U32 },
	[MCFAB_A_WAIT_WORM] = { U32 },
	[MCFAB_A_WAIT_ROUTER] = { U32 },
	[MCFAB_A_WAIT_PORT] = { U32 },
	[MCFAB_A_WAIT_VC] = { U32 },
	[MCFAB_A_WAIT_SINCE] = { UINT },
	[MCFAB_A_WAIT_HOLDER] = { U32 },
	[MCFAB_A_WAIT_PACKET] = { U32 },
	[MCFAB_A_WAIT_TO_ROUTER] = { U32 },
	[MCFAB_A_WAIT_NODE] = { U32 },
	[MCFAB_A_WAIT_HELD] = { NEST, &held_set },
	[MCFAB_A_WAIT_HELD_TOTAL] = { U32 },
	[MCFAB_A_WAIT_DESTINATIONS] = { U32S },
	[MCFAB_A_WAIT_DESTINATIONS_TOTAL] = { U32 },
	[MCFAB_A_WAIT_MEMORY] = { FLAG },
};

static const struct set blocked_set = { "blocked", MCFAB_A_WAIT_MAX, blocked_spec };

static const struct spec verify_message_spec[MCFAB_A_VERIFY_MESSAGE_MAX + 1] = {
	[MCFAB_A_VERIFY_MESSAGE_CYCLE] = { UINT },
	[MCFAB_A_VERIFY_MESSAGE_SOURCE] = { U32 },
	[MCFAB_A_VERIFY_MESSAGE_DESTINATIONS] = { U32S },
};

static const struct set verify_message_set = {
	"verify_message", MCFAB_A_VERIFY_MESSAGE_MAX, verify_message_spec
};

static const struct spec verify_spec[MCFAB_A_VERIFY_MAX + 1] = {
	[MCFAB_A_VERIFY_FABRIC_ID] = { U32 },
	[MCFAB_A_VERIFY_BUILDING] = { FLAG },
	[MCFAB_A_VERIFY_DONE] = { UINT },
	[MCFAB_A_VERIFY_TOTAL] = { UINT },
	[MCFAB_A_VERIFY_VERDICT] = { U32 },
	[MCFAB_A_VERIFY_SCOPE] = { U32 },
	[MCFAB_A_VERIFY_LOOKED_AT] = { U32 },
	[MCFAB_A_VERIFY_PLANS] = { UINT },
	[MCFAB_A_VERIFY_RESOURCES] = { U32 },
	[MCFAB_A_VERIFY_EDGES] = { U32 },
	[MCFAB_A_VERIFY_ACYCLIC] = { FLAG },
	[MCFAB_A_VERIFY_LENGTH] = { U32 },
	[MCFAB_A_VERIFY_WAIT] = { NEST, &verify_wait_set },
	[MCFAB_A_VERIFY_CROWDS] = { U32 },
	[MCFAB_A_VERIFY_MESSAGE] = { NEST, &verify_message_set },
	[MCFAB_A_VERIFY_BLOCKED] = { NEST, &blocked_set },
};

static const struct set verify_set = { "verify", MCFAB_A_VERIFY_MAX, verify_spec };

static const struct spec param_spec[MCFAB_A_PARAM_MAX + 1] = {
	[MCFAB_A_PARAM_NAME] = { STRING },
	[MCFAB_A_PARAM_VALUE] = { STRING },
};

static const struct set param_set = { "param", MCFAB_A_PARAM_MAX, param_spec };

/* a part of run_spec */
static const struct spec traffic_class_spec[MCFAB_A_RUN_MAX + 1] = {
	[MCFAB_A_RUN_CLASS_NAME] = { STRING },
	[MCFAB_A_RUN_WORKLOAD] = { U32 },
	[MCFAB_A_RUN_COUNT] = { U32 },
	[MCFAB_A_RUN_DESTS] = { U32 },
	[MCFAB_A_RUN_SOURCE] = { U32 },
	[MCFAB_A_RUN_RATE_PPB] = { UINT },
	[MCFAB_A_RUN_MULTICAST_FRACTION_PPM] = { U32 },
	[MCFAB_A_RUN_INTERVAL] = { U32 },
	[MCFAB_A_RUN_NETWORK] = { FLAG },
	[MCFAB_A_RUN_GROUP] = { STRING },
	[MCFAB_A_RUN_PATTERN] = { U32 },
	[MCFAB_A_RUN_SELF] = { FLAG },
	[MCFAB_A_RUN_HOTSPOTS] = { U32 },
	[MCFAB_A_RUN_HOTSPOT_WEIGHTS] = { U32 },
	[MCFAB_A_RUN_HOTSPOT_SHARE_PPM] = { U32 },
	[MCFAB_A_RUN_ALPHA_PPB] = { U32 },
	[MCFAB_A_RUN_BETA_PPB] = { U32 },
	[MCFAB_A_RUN_R1_PPB] = { U32 },
	[MCFAB_A_RUN_SET] = { U32 },
	[MCFAB_A_RUN_RADIUS] = { U32 },
	[MCFAB_A_RUN_SEED] = { UINT },
	[MCFAB_A_RUN_LENGTHS] = { U32 },
	[MCFAB_A_RUN_WEIGHTS] = { U32 },
};

static const struct set traffic_class_set = {
	"traffic_class", MCFAB_A_RUN_MAX, traffic_class_spec
};

static const struct spec run_spec[MCFAB_A_RUN_MAX + 1] = {
	[MCFAB_A_RUN_FABRIC_ID] = { U32 },
	[MCFAB_A_RUN_FABRIC] = { STRING },
	[MCFAB_A_RUN_POLICY] = { STRING },
	[MCFAB_A_RUN_PARAM] = { NEST, &param_set },
	[MCFAB_A_RUN_FLITS] = { U32 },
	[MCFAB_A_RUN_HEADERS] = { U32 },
	[MCFAB_A_RUN_PREP] = { U32 },
	[MCFAB_A_RUN_PREP_RELAY] = { U32 },
	[MCFAB_A_RUN_NODE_BUSY] = { U32 },
	[MCFAB_A_RUN_ROUNDS] = { U32 },
	[MCFAB_A_RUN_WORKLOAD] = { U32 },
	[MCFAB_A_RUN_COUNT] = { U32 },
	[MCFAB_A_RUN_DESTS] = { U32 },
	[MCFAB_A_RUN_SOURCE] = { U32 },
	[MCFAB_A_RUN_RATE_PPB] = { UINT },
	[MCFAB_A_RUN_MULTICAST_FRACTION_PPM] = { U32 },
	[MCFAB_A_RUN_INTERVAL] = { U32 },
	[MCFAB_A_RUN_NETWORK] = { FLAG },
	[MCFAB_A_RUN_FRACTION_PPM] = { U32 },
	[MCFAB_A_RUN_WARMUP] = { U32 },
	[MCFAB_A_RUN_BATCHES] = { U32 },
	[MCFAB_A_RUN_BATCH_CYCLES] = { U32 },
	[MCFAB_A_RUN_PRECISION_PPM] = { U32 },
	[MCFAB_A_RUN_MAX_CYCLES] = { UINT },
	[MCFAB_A_RUN_RUN] = { U32 },
	[MCFAB_A_RUN_STATE] = { U32 },
	[MCFAB_A_RUN_CYCLE] = { UINT },
	[MCFAB_A_RUN_MESSAGES] = { UINT },
	[MCFAB_A_RUN_EXPECTED] = { UINT },
	[MCFAB_A_RUN_DELIVERIES] = { UINT },
	[MCFAB_A_RUN_FLIT_HOPS] = { UINT },
	[MCFAB_A_RUN_STALLS] = { UINT },
	[MCFAB_A_RUN_HASH] = { UINT },
	[MCFAB_A_RUN_WALL_NS] = { UINT },
	[MCFAB_A_RUN_THREADS] = { U32 },
	[MCFAB_A_RUN_WHY] = { STRING },
	[MCFAB_A_RUN_MTU] = { U32 },
	[MCFAB_A_RUN_ADVANCE] = { U32 },
	[MCFAB_A_RUN_GROUP] = { STRING },
	[MCFAB_A_RUN_MODE] = { STRING },
	[MCFAB_A_RUN_MODE_WHY] = { STRING },
	[MCFAB_A_RUN_PATTERN] = { U32 },
	[MCFAB_A_RUN_SELF] = { FLAG },
	[MCFAB_A_RUN_HOTSPOTS] = { U32 },
	[MCFAB_A_RUN_HOTSPOT_WEIGHTS] = { U32 },
	[MCFAB_A_RUN_HOTSPOT_SHARE_PPM] = { U32 },
	[MCFAB_A_RUN_ALPHA_PPB] = { U32 },
	[MCFAB_A_RUN_BETA_PPB] = { U32 },
	[MCFAB_A_RUN_R1_PPB] = { U32 },
	[MCFAB_A_RUN_SET] = { U32 },
	[MCFAB_A_RUN_RADIUS] = { U32 },
	[MCFAB_A_RUN_SEED] = { UINT },
	[MCFAB_A_RUN_LENGTHS] = { U32 },
	[MCFAB_A_RUN_WEIGHTS] = { U32 },
	[MCFAB_A_RUN_TRAFFIC_CLASS] = { NEST, &traffic_class_set },
	[MCFAB_A_RUN_RECOVER] = { FLAG },
	[MCFAB_A_RUN_PACE_PPM] = { UINT },
	[MCFAB_A_RUN_LOG] = { U32 },
	[MCFAB_A_RUN_RX_LIMIT] = { U32 },
	[MCFAB_A_RUN_SLIP_LIMIT_NS] = { UINT },
	[MCFAB_A_RUN_FRAMES_MB] = { U32 },
};

static const struct set run_set = { "run", MCFAB_A_RUN_MAX, run_spec };

#include "spec_stats.h"

#endif
