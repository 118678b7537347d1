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

static const struct spec param_spec[MCFAB_A_PARAM_MAX + 1] = {
	[MCFAB_A_PARAM_NAME] = { STRING },
	[MCFAB_A_PARAM_VALUE] = { STRING },
};

static const struct set param_set = { "param", MCFAB_A_PARAM_MAX, param_spec };

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
};

static const struct set run_set = { "run", MCFAB_A_RUN_MAX, run_spec };

static const struct spec totals_spec[MCFAB_A_TOTALS_MAX + 1] = {
	[MCFAB_A_TOTALS_MESSAGES] = { UINT },
	[MCFAB_A_TOTALS_INCOMPLETE] = { UINT },
	[MCFAB_A_TOTALS_DESTINATIONS] = { UINT },
	[MCFAB_A_TOTALS_DELIVERIES] = { UINT },
	[MCFAB_A_TOTALS_FLITS] = { UINT },
	[MCFAB_A_TOTALS_WORMS] = { UINT },
	[MCFAB_A_TOTALS_STARTUPS] = { UINT },
	[MCFAB_A_TOTALS_TRAFFIC] = { UINT },
	[MCFAB_A_TOTALS_ADDITIONAL] = { SINT },
	[MCFAB_A_TOTALS_CHANNEL_CYCLES] = { UINT },
	[MCFAB_A_TOTALS_QUEUE_CYCLES] = { UINT },
};

static const struct set totals_set = { "totals", MCFAB_A_TOTALS_MAX, totals_spec };

static const struct spec sample_spec[MCFAB_A_SAMPLE_MAX + 1] = {
	[MCFAB_A_SAMPLE_COUNT] = { UINT },
	[MCFAB_A_SAMPLE_MINIMUM] = { SINT },
	[MCFAB_A_SAMPLE_MAXIMUM] = { SINT },
	[MCFAB_A_SAMPLE_SUM] = { SINT },
	[MCFAB_A_SAMPLE_SUM_HIGH] = { SINT },
	[MCFAB_A_SAMPLE_SQUARES] = { UINT },
	[MCFAB_A_SAMPLE_SQUARES_HIGH] = { UINT },
	[MCFAB_A_SAMPLE_MEAN_MICRO] = { SINT },
	[MCFAB_A_SAMPLE_DEVIATION_MICRO] = { UINT },
	[MCFAB_A_SAMPLE_HALF_WIDTH_MICRO] = { UINT },
	[MCFAB_A_SAMPLE_CORRELATED] = { FLAG },
};

static const struct set sample_set = { "sample", MCFAB_A_SAMPLE_MAX, sample_spec };

static const struct spec interval_spec[MCFAB_A_INTERVAL_MAX + 1] = {
	[MCFAB_A_INTERVAL_MEAN_UCYCLES] = { UINT },
	[MCFAB_A_INTERVAL_HALF_WIDTH_UCYCLES] = { UINT },
	[MCFAB_A_INTERVAL_RELATIVE_PPM] = { UINT },
	[MCFAB_A_INTERVAL_OBSERVATIONS] = { UINT },
	[MCFAB_A_INTERVAL_LAG1_PPM] = { SINT },
	[MCFAB_A_INTERVAL_CORRELATED] = { FLAG },
};

static const struct set interval_set = { "interval", MCFAB_A_INTERVAL_MAX, interval_spec };

static const struct spec parts_spec[MCFAB_A_PARTS_MAX + 1] = {
	[MCFAB_A_PARTS_QUEUE] = { UINT },
	[MCFAB_A_PARTS_PREPARATION] = { UINT },
	[MCFAB_A_PARTS_STARTUP] = { UINT },
	[MCFAB_A_PARTS_ROUTING] = { UINT },
	[MCFAB_A_PARTS_TRANSFER] = { UINT },
	[MCFAB_A_PARTS_INTERFACE] = { UINT },
	[MCFAB_A_PARTS_BLOCKING] = { UINT },
};

static const struct set parts_set = { "parts", MCFAB_A_PARTS_MAX, parts_spec };

static const struct spec quantiles_spec[MCFAB_A_QUANTILES_MAX + 1] = {
	[MCFAB_A_QUANTILES_P50] = { U32 },
	[MCFAB_A_QUANTILES_P90] = { U32 },
	[MCFAB_A_QUANTILES_P95] = { U32 },
	[MCFAB_A_QUANTILES_P99] = { U32 },
};

static const struct set quantiles_set = { "quantiles", MCFAB_A_QUANTILES_MAX, quantiles_spec };

static const struct spec class_stats_spec[MCFAB_A_CLASS_STATS_MAX + 1] = {
	[MCFAB_A_CLASS_STATS_ALL] = { NEST, &totals_set },
	[MCFAB_A_CLASS_STATS_MEASURED] = { NEST, &totals_set },
	[MCFAB_A_CLASS_STATS_TAIL] = { NEST, &sample_set },
	[MCFAB_A_CLASS_STATS_HEADER] = { NEST, &sample_set },
	[MCFAB_A_CLASS_STATS_COMPLETION] = { NEST, &sample_set },
	[MCFAB_A_CLASS_STATS_WORM] = { NEST, &sample_set },
	[MCFAB_A_CLASS_STATS_MEAN_DESTINATION] = { NEST, &sample_set },
	[MCFAB_A_CLASS_STATS_MEAN_WORM] = { NEST, &sample_set },
	[MCFAB_A_CLASS_STATS_CV_HEADER] = { NEST, &sample_set },
	[MCFAB_A_CLASS_STATS_CV_TAIL] = { NEST, &sample_set },
	[MCFAB_A_CLASS_STATS_ADDITIONAL] = { NEST, &sample_set },
	[MCFAB_A_CLASS_STATS_COMPLETION_INTERVAL] = { NEST, &interval_set },
	[MCFAB_A_CLASS_STATS_DESTINATION_INTERVAL] = { NEST, &interval_set },
	[MCFAB_A_CLASS_STATS_WORM_INTERVAL] = { NEST, &interval_set },
	[MCFAB_A_CLASS_STATS_PARTS] = { NEST, &parts_set },
	[MCFAB_A_CLASS_STATS_TAIL_QUANTILES] = { NEST, &quantiles_set },
	[MCFAB_A_CLASS_STATS_COMPLETION_QUANTILES] = { NEST, &quantiles_set },
	[MCFAB_A_CLASS_STATS_WORMS_MICRO] = { UINT },
	[MCFAB_A_CLASS_STATS_STARTUPS_MICRO] = { UINT },
	[MCFAB_A_CLASS_STATS_TRAFFIC_MICRO] = { UINT },
	[MCFAB_A_CLASS_STATS_CHANNEL_CYCLES_MICRO] = { UINT },
	[MCFAB_A_CLASS_STATS_PREDICTED_COMPLETION] = { NEST, &sample_set },
	[MCFAB_A_CLASS_STATS_PREDICTED_DESTINATION] = { NEST, &sample_set },
	[MCFAB_A_CLASS_STATS_PREDICTED_WORM] = { NEST, &sample_set },
	[MCFAB_A_CLASS_STATS_NETWORK_LATENCY] = { NEST, &sample_set },
};

static const struct set class_stats_set = {
	"class_stats", MCFAB_A_CLASS_STATS_MAX, class_stats_spec
};

static const struct spec balance_spec[MCFAB_A_BALANCE_MAX + 1] = {
	[MCFAB_A_BALANCE_CYCLES] = { UINT },
	[MCFAB_A_BALANCE_CHANNELS] = { U32 },
	[MCFAB_A_BALANCE_USED] = { U32 },
	[MCFAB_A_BALANCE_FLITS] = { UINT },
	[MCFAB_A_BALANCE_BUSIEST] = { U32 },
	[MCFAB_A_BALANCE_BUSIEST_FLITS] = { UINT },
	[MCFAB_A_BALANCE_MEAN_PPB] = { UINT },
	[MCFAB_A_BALANCE_MAXIMUM_PPB] = { UINT },
	[MCFAB_A_BALANCE_MAXIMUM_TO_MEAN_MICRO] = { UINT },
	[MCFAB_A_BALANCE_CV_PPM] = { U32 },
	[MCFAB_A_BALANCE_JAIN_PPM] = { U32 },
};

static const struct set balance_set = { "balance", MCFAB_A_BALANCE_MAX, balance_spec };

static const struct spec ni_spec[MCFAB_A_NI_MAX + 1] = {
	[MCFAB_A_NI_PACKETS] = { UINT },
	[MCFAB_A_NI_PEAK] = { U32 },
	[MCFAB_A_NI_RESIDENCE_MICRO] = { UINT },
	[MCFAB_A_NI_RESIDENCE_MAXIMUM] = { UINT },
};

static const struct set ni_set = { "ni", MCFAB_A_NI_MAX, ni_spec };

static const struct spec load_spec[MCFAB_A_LOAD_MAX + 1] = {
	[MCFAB_A_LOAD_START] = { UINT },
	[MCFAB_A_LOAD_END] = { UINT },
	[MCFAB_A_LOAD_GENERATED_MESSAGES] = { UINT },
	[MCFAB_A_LOAD_GENERATED_FLITS] = { UINT },
	[MCFAB_A_LOAD_ASKED_COPIES] = { UINT },
	[MCFAB_A_LOAD_ASKED_FLITS] = { UINT },
	[MCFAB_A_LOAD_ACCEPTED_MESSAGES] = { UINT },
	[MCFAB_A_LOAD_ACCEPTED_FLITS] = { UINT },
	[MCFAB_A_LOAD_DELIVERED_COPIES] = { UINT },
	[MCFAB_A_LOAD_DELIVERED_FLITS] = { UINT },
	[MCFAB_A_LOAD_COMPLETED_MESSAGES] = { UINT },
};

static const struct set load_set = { "load", MCFAB_A_LOAD_MAX, load_spec };

static const struct spec saturation_spec[MCFAB_A_SATURATION_MAX + 1] = {
	[MCFAB_A_SATURATION_VERDICT] = { U32 },
	[MCFAB_A_SATURATION_PARTS] = { U32 },
	[MCFAB_A_SATURATION_GENERATED_MICRO] = { UINT },
	[MCFAB_A_SATURATION_GROWTH_MICRO] = { SINT },
	[MCFAB_A_SATURATION_THRESHOLD_MICRO] = { UINT },
	[MCFAB_A_SATURATION_LATE_GROWTH_MICRO] = { SINT },
};

static const struct set saturation_set = {
	"saturation", MCFAB_A_SATURATION_MAX, saturation_spec
};

static const struct spec stats_spec[MCFAB_A_STATS_MAX + 1] = {
	[MCFAB_A_STATS_FABRIC_ID] = { U32 },
	[MCFAB_A_STATS_FABRIC] = { STRING },
	[MCFAB_A_STATS_RUN] = { U32 },
	[MCFAB_A_STATS_STATE] = { U32 },
	[MCFAB_A_STATS_CYCLE_PS] = { U32 },
	[MCFAB_A_STATS_POLICY] = { STRING },
	[MCFAB_A_STATS_CYCLE] = { UINT },
	[MCFAB_A_STATS_MESSAGES] = { UINT },
	[MCFAB_A_STATS_DELIVERIES] = { UINT },
	[MCFAB_A_STATS_FLIT_HOPS] = { UINT },
	[MCFAB_A_STATS_STALLS] = { UINT },
	[MCFAB_A_STATS_HASH] = { UINT },
	[MCFAB_A_STATS_WALL_NS] = { UINT },
	[MCFAB_A_STATS_WINDOW_START] = { UINT },
	[MCFAB_A_STATS_WINDOW_END] = { UINT },
	[MCFAB_A_STATS_UNSETTLED] = { FLAG },
	[MCFAB_A_STATS_BATCHES] = { U32 },
	[MCFAB_A_STATS_BATCH_CYCLES] = { UINT },
	[MCFAB_A_STATS_OFFERED_PPB] = { UINT },
	[MCFAB_A_STATS_EFFECTIVE_PPB] = { UINT },
	[MCFAB_A_STATS_THROUGHPUT_PPB] = { UINT },
	[MCFAB_A_STATS_QUEUE_MAXIMUM] = { U32 },
	[MCFAB_A_STATS_QUEUE_MEAN_MICRO] = { UINT },
	[MCFAB_A_STATS_BALANCE] = { NEST, &balance_set },
	[MCFAB_A_STATS_MULTICAST] = { NEST, &class_stats_set },
	[MCFAB_A_STATS_UNICAST] = { NEST, &class_stats_set },
	[MCFAB_A_STATS_BAD_PARTS] = { UINT },
	[MCFAB_A_STATS_BAD_MESSAGES] = { UINT },
	[MCFAB_A_STATS_NI] = { NEST, &ni_set },
	[MCFAB_A_STATS_LOAD] = { NEST, &load_set },
	[MCFAB_A_STATS_ACCEPTED_PPB] = { UINT },
	[MCFAB_A_STATS_DELIVERED_PPB] = { UINT },
	[MCFAB_A_STATS_QUEUE_STARTUP_MICRO] = { UINT },
	[MCFAB_A_STATS_QUEUE_INJECTION_MICRO] = { UINT },
	[MCFAB_A_STATS_SATURATION] = { NEST, &saturation_set },
	[MCFAB_A_STATS_LOWER_BOUND] = { FLAG },
	[MCFAB_A_STATS_EXHAUSTED] = { UINT },
	[MCFAB_A_STATS_MODE] = { STRING },
	[MCFAB_A_STATS_MODE_WHY] = { STRING },
};

static const struct set stats_set = { "stats", MCFAB_A_STATS_MAX, stats_spec };

static const struct spec link_spec[MCFAB_A_LINK_MAX + 1] = {
	[MCFAB_A_LINK_FABRIC_ID] = { U32 },
	[MCFAB_A_LINK_RUN] = { U32 },
	[MCFAB_A_LINK_CHANNEL] = { U32 },
	[MCFAB_A_LINK_FROM] = { U32 },
	[MCFAB_A_LINK_TO] = { U32 },
	[MCFAB_A_LINK_PORT] = { U32 },
	[MCFAB_A_LINK_FLITS] = { UINT },
	[MCFAB_A_LINK_UTILISATION_PPB] = { UINT },
	[MCFAB_A_LINK_WAIT_CYCLES] = { UINT },
};

static const struct set link_set = { "link", MCFAB_A_LINK_MAX, link_spec };

static const struct spec bucket_spec[MCFAB_A_BUCKET_MAX + 1] = {
	[MCFAB_A_BUCKET_FABRIC_ID] = { U32 },
	[MCFAB_A_BUCKET_RUN] = { U32 },
	[MCFAB_A_BUCKET_CLASS] = { U32 },
	[MCFAB_A_BUCKET_TYPE] = { U32 },
	[MCFAB_A_BUCKET_LOW] = { U32 },
	[MCFAB_A_BUCKET_HIGH] = { U32 },
	[MCFAB_A_BUCKET_COUNT] = { UINT },
};

static const struct set bucket_set = { "bucket", MCFAB_A_BUCKET_MAX, bucket_spec };

#endif
