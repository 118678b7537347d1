// SPDX-License-Identifier: GPL-2.0
/*
 * A second, independent decoder of the ABI: libnl-3, with nothing shared with the
 * tool or with YNL but the UAPI header. Every attribute that comes is checked for
 * its type and length; refusals are checked down to the offset in the message.
 */
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/genetlink.h>
#include <linux/mcfab.h>
#include <linux/netlink.h>
#include <netlink/attr.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>

#include "kselftest.h"

#define ARRAY_LEN(a)	(sizeof(a) / sizeof((a)[0]))

static struct nl_sock *sk;
static int family;

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
	[MCFAB_A_RUN_PREP2] = { U32 },
	[MCFAB_A_RUN_NODE_BUSY] = { U32 },
	[MCFAB_A_RUN_ROUNDS] = { U32 },
	[MCFAB_A_RUN_WORKLOAD] = { U32 },
	[MCFAB_A_RUN_COUNT] = { U32 },
	[MCFAB_A_RUN_DESTS] = { U32 },
	[MCFAB_A_RUN_SOURCE] = { U32 },
	[MCFAB_A_RUN_RATE_PPB] = { UINT },
	[MCFAB_A_RUN_MULTICAST_PPM] = { U32 },
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
	[MCFAB_A_RUN_ENGINE] = { U32 },
	[MCFAB_A_RUN_GROUP] = { STRING },
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
};

static const struct set sample_set = { "sample", MCFAB_A_SAMPLE_MAX, sample_spec };

static const struct spec interval_spec[MCFAB_A_INTERVAL_MAX + 1] = {
	[MCFAB_A_INTERVAL_MEAN_UCYCLES] = { UINT },
	[MCFAB_A_INTERVAL_HALF_WIDTH_UCYCLES] = { UINT },
	[MCFAB_A_INTERVAL_RELATIVE_PPM] = { UINT },
	[MCFAB_A_INTERVAL_OBSERVATIONS] = { UINT },
	[MCFAB_A_INTERVAL_LAG1_PPM] = { SINT },
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

/* The attributes of one answer, and what was wrong with any. */
struct answer {
	const struct set *set;
	int messages;
	int wrong;
	int not_multi;		/* parts of a dump that do not say so */
	bool interrupted;	/* NLM_F_DUMP_INTR */
	bool over;		/* nothing more comes */
	bool events;		/* each event brings its own set */
	__u8 cmd;
	struct nlattr *last[128];	/* of the last message; into @copy */
	unsigned char copy[65536];
	void (*each)(struct nlattr **tb);
	/* of a refusal */
	int error;
	char text[128];
	long offset;		/* -1: none */
	long missing;		/* 0: none */
};

static struct answer got;

static bool well_formed(const struct nlattr *nla, const struct set *set);

static bool good_length(const struct nlattr *nla, const struct spec *spec)
{
	int len = nla_len(nla), rem;
	const char *text = nla_data(nla);
	struct nlattr *pos;

	switch (spec->kind) {
	case U32:
	case S32:
		return len == 4;
	case UINT:
	case SINT:
		return len == 4 || len == 8;
	case STRING:
		return len > 0 && !text[len - 1] && strlen(text) == (size_t)len - 1;
	case FLAG:
		return !len;
	case U32S:
		return len && !(len % 4) && len / 4 <= MCFAB_LIST_MAX;
	case U64S:
		return len && !(len % 8) && len / 8 <= MCFAB_LIST_MAX;
	case NEST:
		nla_for_each_nested(pos, (struct nlattr *)nla, rem)
			if (!well_formed(pos, spec->nest))
				return false;
		return !rem;
	default:
		return false;
	}
}

static bool well_formed(const struct nlattr *nla, const struct set *set)
{
	int type = nla_type(nla);

	if (type > set->max || !set->spec[type].kind ||
	    !good_length(nla, &set->spec[type])) {
		ksft_print_msg("%s: attribute %d of length %d\n", set->name, type, nla_len(nla));
		return false;
	}
	return true;
}

static __u64 number(const struct nlattr *nla)
{
	__u64 wide;

	if (!nla)
		return ~0ULL;
	if (nla_len(nla) == 4)
		return nla_get_u32((struct nlattr *)nla);
	memcpy(&wide, nla_data(nla), sizeof(wide));
	return wide;
}

static int on_message(struct nl_msg *msg, void *arg)
{
	struct nlmsghdr *nlh = nlmsg_hdr(msg);
	struct genlmsghdr *genl = nlmsg_data(nlh);
	struct nlattr *pos;
	int rem;

	got.messages++;
	got.cmd = genl->cmd;
	if (!(nlh->nlmsg_flags & NLM_F_MULTI))
		got.not_multi++;
	if (nlh->nlmsg_flags & NLM_F_DUMP_INTR)
		got.interrupted = true;
	if (got.events)
		got.set = genl->cmd == MCFAB_CMD_RUN_FINISHED_NTF ? &run_set : &fabric_set;
	if (nlh->nlmsg_len > sizeof(got.copy) || !got.set)
		return NL_OK;
	memcpy(got.copy, nlh, nlh->nlmsg_len);
	memset(got.last, 0, sizeof(got.last));
	nlh = (struct nlmsghdr *)got.copy;
	genl = nlmsg_data(nlh);
	nla_for_each_attr(pos, genlmsg_attrdata(genl, 0), genlmsg_attrlen(genl, 0), rem) {
		if (!well_formed(pos, got.set))
			got.wrong++;
		else if (!got.last[nla_type(pos)])
			got.last[nla_type(pos)] = pos;
	}
	if (rem)
		got.wrong++;
	if (got.each)
		got.each(got.last);
	return NL_OK;
}

/* The attributes behind the error are ours to find: libnl drops them. */
static void extack(const struct nlmsghdr *nlh, size_t skip)
{
	const struct nlattr *pos;
	int rem;

	if (!(nlh->nlmsg_flags & NLM_F_ACK_TLVS))
		return;
	nla_for_each_attr(pos, (struct nlattr *)((char *)nlh + skip),
			  (int)(nlh->nlmsg_len - skip), rem) {
		switch (nla_type(pos)) {
		case NLMSGERR_ATTR_MSG:
			snprintf(got.text, sizeof(got.text), "%s", (char *)nla_data(pos));
			break;
		case NLMSGERR_ATTR_OFFS:
			got.offset = nla_get_u32((struct nlattr *)pos);
			break;
		case NLMSGERR_ATTR_MISS_TYPE:
			got.missing = nla_get_u32((struct nlattr *)pos);
			break;
		}
	}
}

static int on_error(struct sockaddr_nl *from, struct nlmsgerr *err, void *arg)
{
	const struct nlmsghdr *nlh = (void *)((char *)err - NLMSG_HDRLEN);

	got.over = true;
	got.error = -err->error;
	extack(nlh, NLMSG_HDRLEN + sizeof(*err));
	return NL_STOP;
}

/* A dump that is refused ends in a DONE with the error. */
static int on_done(struct nl_msg *msg, void *arg)
{
	struct nlmsghdr *nlh = nlmsg_hdr(msg);
	int error = 0;

	got.over = true;
	if (nlh->nlmsg_flags & NLM_F_DUMP_INTR)
		got.interrupted = true;
	if (nlmsg_datalen(nlh) >= (int)sizeof(error))
		memcpy(&error, nlmsg_data(nlh), sizeof(error));
	if (error < 0) {
		got.error = -error;
		extack(nlh, NLMSG_HDRLEN + sizeof(error));
	}
	return NL_STOP;
}

static int on_ack(struct nl_msg *msg, void *arg)
{
	got.over = true;
	return NL_STOP;
}

static int on_interrupted(struct nl_msg *msg, void *arg)
{
	got.interrupted = true;
	return NL_OK;
}

static struct nl_msg *request(__u8 cmd, int flags)
{
	struct nl_msg *msg = nlmsg_alloc_size(65536);

	/* So that every exchange has an end. */
	flags |= NLM_F_ACK;
	if (!msg || !genlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, family, 0, flags, cmd,
				 MCFAB_FAMILY_VERSION))
		ksft_exit_fail_msg("no memory for a message\n");
	return msg;
}

static void expect(const struct set *set, void (*each)(struct nlattr **tb))
{
	memset(&got, 0, sizeof(got));
	got.set = set;
	got.each = each;
	got.offset = -1;
}

/* Send and read to the ack, error or end; returns the error number, 0 for none. */
static int talk(struct nl_msg *msg, const struct set *set, void (*each)(struct nlattr **tb))
{
	int ret;

	expect(set, each);
	ret = nl_send_auto(sk, msg);
	nlmsg_free(msg);
	if (ret < 0)
		ksft_exit_fail_msg("cannot send: %s\n", nl_geterror(ret));
	while (!got.over) {
		ret = nl_recvmsgs_default(sk);
		if (ret < 0 && !got.over)
			ksft_exit_fail_msg("cannot receive: %s\n", nl_geterror(ret));
	}
	return got.error;
}

static struct nl_msg *fabric_new(const char *name, __u32 x, __u32 y)
{
	struct nl_msg *msg = request(MCFAB_CMD_FABRIC_NEW, 0);

	nla_put_string(msg, MCFAB_A_FABRIC_NAME, name);
	nla_put_string(msg, MCFAB_A_FABRIC_TOPOLOGY, "mesh");
	nla_put_u32(msg, MCFAB_A_FABRIC_DIMS, x);
	nla_put_u32(msg, MCFAB_A_FABRIC_DIMS, y);
	return msg;
}

static int about(__u8 cmd, int flags, const char *name, const struct set *set,
		 void (*each)(struct nlattr **tb))
{
	struct nl_msg *msg = request(cmd, flags);

	/* Number 2 names the fabric in every message about one. */
	nla_put_string(msg, MCFAB_A_RUN_FABRIC, name);
	return talk(msg, set, each);
}

static int fabric_del(const char *name)
{
	return about(MCFAB_CMD_FABRIC_DEL, 0, name, NULL, NULL);
}

static void test_fabric(void)
{
	struct nl_msg *msg = fabric_new("c0", 5, 3);
	__u64 seed = 0x123456789abcdef0;
	__u32 id;

	nla_put_u32(msg, MCFAB_A_FABRIC_VCS, 3);
	nla_put_u32(msg, MCFAB_A_FABRIC_BUFFER, 7);
	nla_put(msg, MCFAB_A_FABRIC_SEED, sizeof(seed), &seed);
	nla_put_s32(msg, MCFAB_A_FABRIC_NICE, -5);
	nla_put_u32(msg, MCFAB_A_FABRIC_SWITCHING, MCFAB_SWITCHING_MODE_CUT_THROUGH);
	talk(msg, &fabric_set, NULL);
	ksft_test_result(!got.error && got.messages == 1 && !got.wrong,
			 "fabric-new: types of the answer\n");
	id = number(got.last[MCFAB_A_FABRIC_ID]);
	ksft_test_result(id && !strcmp(nla_get_string(got.last[MCFAB_A_FABRIC_NAME]), "c0") &&
			 number(got.last[MCFAB_A_FABRIC_NODES]) == 15 &&
			 number(got.last[MCFAB_A_FABRIC_PORTS]) == 4 &&
			 number(got.last[MCFAB_A_FABRIC_CHANNELS]) == 2 * (4 * 3 + 5 * 2) &&
			 number(got.last[MCFAB_A_FABRIC_VCS]) == 3 &&
			 number(got.last[MCFAB_A_FABRIC_BUFFER]) == 7 &&
			 number(got.last[MCFAB_A_FABRIC_SEED]) == seed &&
			 nla_get_s32(got.last[MCFAB_A_FABRIC_NICE]) == -5 &&
			 number(got.last[MCFAB_A_FABRIC_SWITCHING]) ==
			 MCFAB_SWITCHING_MODE_CUT_THROUGH &&
			 number(got.last[MCFAB_A_FABRIC_STATE]) == MCFAB_RUN_STATUS_IDLE,
			 "fabric-new: values of the answer\n");

	msg = request(MCFAB_CMD_FABRIC_GET, 0);
	nla_put_u32(msg, MCFAB_A_FABRIC_ID, id);
	talk(msg, &fabric_set, NULL);
	ksft_test_result(!got.error && got.messages == 1 && !got.wrong &&
			 got.cmd == MCFAB_CMD_FABRIC_GET &&
			 number(got.last[MCFAB_A_FABRIC_SEED]) == seed, "fabric-get by number\n");
	talk(request(MCFAB_CMD_FABRIC_GET, NLM_F_DUMP), &fabric_set, NULL);
	ksft_test_result(!got.error && got.messages == 1 && !got.wrong && !got.not_multi,
			 "fabric-get: dump\n");
}

static void test_show(void)
{
	talk(request(MCFAB_CMD_TOPOLOGY_GET, NLM_F_DUMP), &topology_set, NULL);
	ksft_test_result(!got.error && got.messages >= 1 && !got.wrong && !got.not_multi,
			 "topology-get: dump\n");

	static const char *const policies[] = { "unicast", "dp", "mp", "cp", "qg" };
	bool good = true;

	for (size_t i = 0; i < ARRAY_LEN(policies); i++) {
		struct nl_msg *msg = request(MCFAB_CMD_POLICY_GET, 0);

		nla_put_string(msg, MCFAB_A_POLICY_NAME, policies[i]);
		good &= !talk(msg, &policy_set, NULL) && got.messages == 1 && !got.wrong &&
			!strcmp(nla_get_string(got.last[MCFAB_A_POLICY_NAME]), policies[i]) &&
			number(got.last[MCFAB_A_POLICY_SERVES]) & MCFAB_SERVES_MESH;
	}
	ksft_test_result(good, "policy-get: five policies\n");
	talk(request(MCFAB_CMD_POLICY_GET, NLM_F_DUMP), &policy_set, NULL);
	ksft_test_result(!got.error && got.messages >= 5 && !got.wrong && !got.not_multi,
			 "policy-get: dump\n");

	about(MCFAB_CMD_NODE_GET, NLM_F_DUMP, "c0", &node_set, NULL);
	ksft_test_result(!got.error && got.messages == 15 && !got.wrong && !got.not_multi &&
			 number(got.last[MCFAB_A_NODE_NODE]) == 14, "node-get: dump\n");
}

static struct {
	__u32 summaries, worms, traffic, hops, dests, arrivals;
	__u64 completion, last;
} plan;

static void plan_part(struct nlattr **tb)
{
	struct nlattr *in[MCFAB_A_PLAN_WORM_MAX + 1];
	const __u64 *pair;
	int i;

	if (tb[MCFAB_A_PLAN_SUMMARY]) {
		nla_parse_nested(in, MCFAB_A_PLAN_SUMMARY_MAX, tb[MCFAB_A_PLAN_SUMMARY], NULL);
		plan.summaries++;
		plan.traffic = number(in[MCFAB_A_PLAN_SUMMARY_TRAFFIC]);
		plan.completion = number(in[MCFAB_A_PLAN_SUMMARY_COMPLETION]);
	}
	if (tb[MCFAB_A_PLAN_WORM]) {
		nla_parse_nested(in, MCFAB_A_PLAN_WORM_MAX, tb[MCFAB_A_PLAN_WORM], NULL);
		plan.worms = number(in[MCFAB_A_PLAN_WORM_ID]) + 1;
		if (in[MCFAB_A_PLAN_WORM_HOPS])
			plan.hops += nla_len(in[MCFAB_A_PLAN_WORM_HOPS]) / 16;
		if (in[MCFAB_A_PLAN_WORM_DESTINATIONS])
			plan.dests += nla_len(in[MCFAB_A_PLAN_WORM_DESTINATIONS]) / 4;
	}
	if (tb[MCFAB_A_PLAN_ARRIVALS]) {
		pair = nla_data(tb[MCFAB_A_PLAN_ARRIVALS]);
		for (i = 0; i < nla_len(tb[MCFAB_A_PLAN_ARRIVALS]) / 16; i++) {
			plan.arrivals++;
			if (pair[2 * i + 1] > plan.last)
				plan.last = pair[2 * i + 1];
		}
	}
}

static void test_plan(void)
{
	static const __u32 dests[] = { 14, 1, 7, 10 };
	struct nl_msg *msg = request(MCFAB_CMD_PLAN_GET, NLM_F_DUMP);

	nla_put_string(msg, MCFAB_A_PLAN_FABRIC, "c0");
	nla_put_string(msg, MCFAB_A_PLAN_POLICY, "mp");
	nla_put_u32(msg, MCFAB_A_PLAN_SOURCE, 6);
	nla_put(msg, MCFAB_A_PLAN_DESTINATIONS, sizeof(dests), dests);
	nla_put_u32(msg, MCFAB_A_PLAN_MTU, 16);
	memset(&plan, 0, sizeof(plan));
	talk(msg, &plan_set, plan_part);
	ksft_test_result(!got.error && !got.wrong && !got.not_multi, "plan-get: types\n");
	ksft_test_result(plan.summaries == 1 && plan.worms >= 2 && plan.dests == 4 &&
			 plan.arrivals == 4 && plan.hops == plan.traffic &&
			 plan.completion == plan.last, "plan-get: values\n");
}

static struct nl_msg *run_start(const char *name, __u32 count)
{
	struct nl_msg *msg = request(MCFAB_CMD_RUN_START, 0);

	nla_put_string(msg, MCFAB_A_RUN_FABRIC, name);
	nla_put_string(msg, MCFAB_A_RUN_POLICY, "dp");
	nla_put_u32(msg, MCFAB_A_RUN_WORKLOAD, MCFAB_WORKLOAD_TYPE_LONE);
	nla_put_u32(msg, MCFAB_A_RUN_COUNT, count);
	nla_put_u32(msg, MCFAB_A_RUN_DESTS, 5);
	return msg;
}

/* Listen with a socket of our own until a good event comes, 30 s at most. */
static bool wait_event(struct nl_sock *ears, __u8 cmd)
{
	struct pollfd fd = { .fd = nl_socket_get_fd(ears), .events = POLLIN };
	int i;

	for (i = 0; i < 300; i++) {
		if (poll(&fd, 1, 100) <= 0)
			continue;
		expect(NULL, NULL);
		got.events = true;
		nl_recvmsgs_default(ears);
		if (got.wrong)
			return false;
		if (got.cmd == cmd)
			return true;
	}
	return false;
}

static struct nl_sock *listen_to(const char *group)
{
	struct nl_sock *ears = nl_socket_alloc();
	int id;

	if (!ears || genl_connect(ears) < 0)
		ksft_exit_fail_msg("no second socket\n");
	id = genl_ctrl_resolve_grp(ears, MCFAB_FAMILY_NAME, group);
	ksft_test_result(id >= 0, "the group %s exists\n", group);
	nl_socket_disable_seq_check(ears);
	nl_socket_set_buffer_size(ears, 1 << 20, 0);
	nl_socket_set_msg_buf_size(ears, 1 << 16);
	nl_socket_modify_cb(ears, NL_CB_VALID, NL_CB_CUSTOM, on_message, NULL);
	nl_socket_add_membership(ears, id);
	return ears;
}

static void test_run(void)
{
	struct nl_sock *ears = listen_to(MCFAB_MCGRP_MGMT);
	struct nlattr *in[MCFAB_A_CLASS_STATS_MAX + 1];
	struct nlattr *tail[MCFAB_A_SAMPLE_MAX + 1];
	__u64 hash;

	fabric_del("c0");
	talk(fabric_new("c0", 5, 3), NULL, NULL);
	talk(run_start("c0", 50), &run_set, NULL);
	ksft_test_result(!got.error && got.messages == 1 && !got.wrong &&
			 number(got.last[MCFAB_A_RUN_RUN]) == 1 &&
			 number(got.last[MCFAB_A_RUN_EXPECTED]) == 50, "run-start: answer\n");
	ksft_test_result(wait_event(ears, MCFAB_CMD_RUN_FINISHED_NTF),
			 "run-finished-ntf comes\n");
	about(MCFAB_CMD_RUN_GET, 0, "c0", &run_set, NULL);
	ksft_test_result(!got.error && !got.wrong && got.last[MCFAB_A_RUN_HASH] &&
			 number(got.last[MCFAB_A_RUN_STATE]) == MCFAB_RUN_STATUS_DONE &&
			 number(got.last[MCFAB_A_RUN_DELIVERIES]) == 250, "run-get: answer\n");
	hash = number(got.last[MCFAB_A_RUN_HASH]);
	talk(request(MCFAB_CMD_RUN_GET, NLM_F_DUMP), &run_set, NULL);
	ksft_test_result(!got.error && got.messages == 1 && !got.wrong && !got.not_multi,
			 "run-get: dump\n");

	about(MCFAB_CMD_STATS_GET, 0, "c0", &stats_set, NULL);
	ksft_test_result(!got.error && got.messages == 1 && !got.wrong &&
			 number(got.last[MCFAB_A_STATS_HASH]) == hash, "stats-get: types\n");
	if (!got.last[MCFAB_A_STATS_MULTICAST])
		ksft_exit_fail_msg("stats without multicasts\n");
	nla_parse_nested(in, MCFAB_A_CLASS_STATS_MAX, got.last[MCFAB_A_STATS_MULTICAST], NULL);
	nla_parse_nested(tail, MCFAB_A_SAMPLE_MAX, in[MCFAB_A_CLASS_STATS_TAIL], NULL);
	ksft_test_result(number(tail[MCFAB_A_SAMPLE_COUNT]) == 250 &&
			 number(tail[MCFAB_A_SAMPLE_MINIMUM]) >= 2 + 33 + 1 + 32 &&
			 number(tail[MCFAB_A_SAMPLE_SUM]) / 250 ==
			 number(tail[MCFAB_A_SAMPLE_MEAN_MICRO]) / 1000000,
			 "stats-get: values\n");
	about(MCFAB_CMD_LINK_GET, NLM_F_DUMP, "c0", &link_set, NULL);
	ksft_test_result(!got.error && got.messages == 44 && !got.wrong && !got.not_multi,
			 "link-get: dump\n");
	about(MCFAB_CMD_HISTOGRAM_GET, NLM_F_DUMP, "c0", &bucket_set, NULL);
	ksft_test_result(!got.error && got.messages > 2 && !got.wrong && !got.not_multi,
			 "histogram-get: dump\n");
	fabric_del("c0");
	ksft_test_result(wait_event(ears, MCFAB_CMD_FABRIC_DEL_NTF),
			 "fabric-del-ntf comes\n");
	nl_socket_free(ears);
}

/* Where the n-th attribute of a type is, counted from the netlink header. */
static long offset_of(struct nl_msg *msg, int type, int n)
{
	struct nlmsghdr *nlh = nlmsg_hdr(msg);
	struct nlattr *pos;
	int rem;

	nla_for_each_attr(pos, genlmsg_attrdata(nlmsg_data(nlh), 0),
			  genlmsg_attrlen(nlmsg_data(nlh), 0), rem)
		if (nla_type(pos) == type && !n--)
			return (char *)pos - (char *)nlh;
	return -2;
}

static void check_refusal(const char *what, struct nl_msg *msg, int error, const char *text,
			  int type, int n)
{
	long offset = offset_of(msg, type, n);

	talk(msg, NULL, NULL);
	ksft_test_result(got.error == error && strstr(got.text, text) && got.offset == offset,
			 "%s is refused\n", what);
	if (got.error != error || !strstr(got.text, text) || got.offset != offset)
		ksft_print_msg("error %d \"%s\" at %ld, not %d at %ld\n", got.error, got.text,
			       got.offset, error, offset);
}

static void test_refusals(void)
{
	__u32 list[3] = { 1, 2, 3 };
	struct nl_msg *msg;

	talk(fabric_new("c0", 5, 3), NULL, NULL);
	check_refusal("a name that is taken", fabric_new("c0", 5, 3), EEXIST, "exists",
		      MCFAB_A_FABRIC_NAME, 0);
	check_refusal("a dimension of 0", fabric_new("c1", 5, 0), EINVAL, "no nodes",
		      MCFAB_A_FABRIC_DIMS, 1);
	check_refusal("too many nodes", fabric_new("c1", 65535, 17), EINVAL, "more than 1048576",
		      MCFAB_A_FABRIC_DIMS, 1);
	msg = fabric_new("c1", 5, 3);
	nla_put_u32(msg, MCFAB_A_FABRIC_VCS, 0);
	check_refusal("no virtual channel", msg, ERANGE, "out of range", MCFAB_A_FABRIC_VCS, 0);

	/* Two lists: the second one holds the bad number. */
	msg = request(MCFAB_CMD_PLAN_GET, NLM_F_DUMP);
	nla_put_string(msg, MCFAB_A_PLAN_FABRIC, "c0");
	nla_put_string(msg, MCFAB_A_PLAN_POLICY, "dp");
	nla_put_u32(msg, MCFAB_A_PLAN_SOURCE, 6);
	nla_put(msg, MCFAB_A_PLAN_DESTINATIONS, sizeof(list), list);
	list[2] = 15;
	nla_put(msg, MCFAB_A_PLAN_DESTINATIONS, sizeof(list) - 4, list + 1);
	check_refusal("twice in two lists", msg, EINVAL, "destination 2 occurs twice",
		      MCFAB_A_PLAN_DESTINATIONS, 1);

	msg = run_start("c0", 1);
	nla_put_string(msg, MCFAB_A_RUN_FABRIC, "c9");
	check_refusal("a fabric that is not there", msg, ENOENT, "no such fabric",
		      MCFAB_A_RUN_FABRIC, 1);

	msg = request(MCFAB_CMD_RUN_START, 0);
	nla_put_string(msg, MCFAB_A_RUN_FABRIC, "c0");
	nla_put_string(msg, MCFAB_A_RUN_POLICY, "dp");
	talk(msg, NULL, NULL);
	ksft_test_result(got.error == EINVAL && got.missing == MCFAB_A_RUN_WORKLOAD &&
			 strstr(got.text, "missing"), "refused: no workload\n");
	fabric_del("c0");
}

/*
 * A dump in several parts between which a fabric comes. The buffer that receives
 * is small, and nobody reads on before the change is made.
 */
static void test_consistency(void)
{
	struct nl_sock *slow = nl_socket_alloc();
	char name[16], buf[8192];
	bool marked = false, done = false;
	struct nl_msg *msg;
	int i, n, fd;

	for (i = 0; i < 40; i++) {
		snprintf(name, sizeof(name), "m%d", i);
		talk(fabric_new(name, 2, 2), NULL, NULL);
	}
	genl_connect(slow);
	fd = nl_socket_get_fd(slow);
	msg = request(MCFAB_CMD_FABRIC_GET, NLM_F_DUMP);
	nl_send_auto(slow, msg);
	nlmsg_free(msg);
	for (i = 0; !done; i++) {
		struct nlmsghdr *nlh = (void *)buf;

		n = recv(fd, buf, sizeof(buf), 0);
		for (; n > 0 && NLMSG_OK(nlh, (unsigned int)n); nlh = NLMSG_NEXT(nlh, n)) {
			marked |= !!(nlh->nlmsg_flags & NLM_F_DUMP_INTR);
			done |= nlh->nlmsg_type == NLMSG_DONE;
		}
		if (n < 0 || i > 1000)
			break;
		if (!i)
			talk(fabric_new("between", 2, 2), NULL, NULL);
	}
	ksft_test_result(done && marked, "a dump that a new fabric got into is marked\n");
	nl_socket_free(slow);

	talk(request(MCFAB_CMD_FABRIC_GET, NLM_F_DUMP), &fabric_set, NULL);
	ksft_test_result(got.messages == 41 && !got.wrong && !got.interrupted,
			 "a dump that nothing disturbs is not\n");
	for (i = 0; i < 40; i++) {
		snprintf(name, sizeof(name), "m%d", i);
		fabric_del(name);
	}
	fabric_del("between");
	talk(request(MCFAB_CMD_FABRIC_GET, NLM_F_DUMP), &fabric_set, NULL);
	ksft_test_result(!got.error && !got.messages, "no fabric is left\n");
}

int main(void)
{
	int on = 1;

	ksft_print_header();
	sk = nl_socket_alloc();
	if (!sk || genl_connect(sk) < 0)
		ksft_exit_fail_msg("no netlink socket\n");
	family = genl_ctrl_resolve(sk, MCFAB_FAMILY_NAME);
	if (family < 0)
		ksft_exit_skip("the family mcfab is not there\n");
	setsockopt(nl_socket_get_fd(sk), SOL_NETLINK, NETLINK_EXT_ACK, &on, sizeof(on));
	setsockopt(nl_socket_get_fd(sk), SOL_NETLINK, NETLINK_CAP_ACK, &on, sizeof(on));
	setsockopt(nl_socket_get_fd(sk), SOL_NETLINK, NETLINK_GET_STRICT_CHK, &on, sizeof(on));
	nl_socket_disable_auto_ack(sk);
	nl_socket_set_msg_buf_size(sk, 1 << 16);
	nl_socket_modify_cb(sk, NL_CB_VALID, NL_CB_CUSTOM, on_message, NULL);
	nl_socket_modify_cb(sk, NL_CB_FINISH, NL_CB_CUSTOM, on_done, NULL);
	nl_socket_modify_cb(sk, NL_CB_ACK, NL_CB_CUSTOM, on_ack, NULL);
	nl_socket_modify_cb(sk, NL_CB_DUMP_INTR, NL_CB_CUSTOM, on_interrupted, NULL);
	nl_socket_modify_err_cb(sk, NL_CB_CUSTOM, on_error, NULL);

	ksft_set_plan(30);
	test_fabric();
	test_show();
	test_plan();
	test_run();
	test_refusals();
	test_consistency();
	nl_socket_free(sk);
	ksft_finished();
}
