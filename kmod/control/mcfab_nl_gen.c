// SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause)
/* Do not edit directly, auto-generated from: */
/*	Documentation/netlink/specs/mcfab.yaml */
/* YNL-GEN kernel source */

#include <net/netlink.h>
#include <net/genetlink.h>

#include "mcfab_nl_gen.h"

#include <uapi/linux/mcfab.h>

/* Integer value ranges */
static const struct netlink_range_validation mcfab_a_fabric_buffer_range = {
	.min	= 1ULL,
	.max	= MCFAB_MAX_BUFFER,
};

static const struct netlink_range_validation mcfab_a_fabric_inject_delay_range = {
	.max	= MCFAB_MAX_STAGE,
};

static const struct netlink_range_validation mcfab_a_fabric_route_delay_range = {
	.max	= MCFAB_MAX_STAGE,
};

static const struct netlink_range_validation mcfab_a_fabric_consume_delay_range = {
	.min	= 1ULL,
	.max	= MCFAB_MAX_STAGE,
};

static const struct netlink_range_validation mcfab_a_fabric_startup_range = {
	.max	= MCFAB_MAX_OVERHEAD,
};

static const struct netlink_range_validation mcfab_a_fabric_cycle_ps_range = {
	.min	= 1ULL,
	.max	= MCFAB_MAX_CYCLE_PS,
};

static const struct netlink_range_validation mcfab_a_fabric_host_receive_range = {
	.max	= MCFAB_MAX_OVERHEAD,
};

static const struct netlink_range_validation mcfab_a_fabric_ni_send_range = {
	.max	= MCFAB_MAX_OVERHEAD,
};

static const struct netlink_range_validation mcfab_a_fabric_ni_receive_range = {
	.max	= MCFAB_MAX_OVERHEAD,
};

static const struct netlink_range_validation mcfab_a_fabric_io_bus_range = {
	.max	= MCFAB_MAX_IO_BUS,
};

static const struct netlink_range_validation mcfab_a_fabric_root_range = {
	.max	= MCFAB_MAX_NODES,
};

static const struct netlink_range_validation mcfab_a_fabric_switches_range = {
	.min	= 1ULL,
	.max	= MCFAB_GRAPH_SWITCHES_MAX,
};

static const struct netlink_range_validation mcfab_a_fabric_hosts_range = {
	.min	= 1ULL,
	.max	= MCFAB_MAX_NODES,
};

static const struct netlink_range_validation mcfab_a_fabric_ni_memory_range = {
	.max	= MCFAB_MAX_NI_MEMORY,
};

static const struct netlink_range_validation mcfab_a_node_node_range = {
	.max	= MCFAB_MAX_NODES,
};

static const struct netlink_range_validation mcfab_a_node_label_range = {
	.max	= MCFAB_MAX_NODES,
};

static const struct netlink_range_validation mcfab_a_plan_flits_range = {
	.min	= 1ULL,
	.max	= MCFAB_MAX_FLITS,
};

static const struct netlink_range_validation mcfab_a_plan_prep_range = {
	.max	= MCFAB_MAX_OVERHEAD,
};

static const struct netlink_range_validation mcfab_a_plan_prep_relay_range = {
	.max	= MCFAB_MAX_OVERHEAD,
};

static const struct netlink_range_validation mcfab_a_plan_source_range = {
	.max	= MCFAB_MAX_NODES,
};

static const struct netlink_range_validation mcfab_a_plan_mtu_range = {
	.min	= 1ULL,
	.max	= MCFAB_MAX_FLITS,
};

static const struct netlink_range_validation mcfab_a_verify_flits_range = {
	.min	= 1ULL,
	.max	= MCFAB_MAX_FLITS,
};

static const struct netlink_range_validation mcfab_a_verify_mtu_range = {
	.min	= 1ULL,
	.max	= MCFAB_MAX_FLITS,
};

static const struct netlink_range_validation mcfab_a_verify_buffer_range = {
	.min	= 1ULL,
	.max	= MCFAB_MAX_BUFFER,
};

static const struct netlink_range_validation mcfab_a_verify_dests_range = {
	.min	= 1ULL,
	.max	= MCFAB_MAX_NODES,
};

static const struct netlink_range_validation mcfab_a_verify_samples_range = {
	.max	= 1000000000ULL,
};

static const struct netlink_range_validation mcfab_a_verify_crowds_range = {
	.max	= 1000000ULL,
};

static const struct netlink_range_validation mcfab_a_upload_messages_total_range = {
	.min	= 1ULL,
	.max	= MCFAB_MAX_LIST_MESSAGES,
};

static const struct netlink_range_validation mcfab_a_upload_destinations_total_range = {
	.min	= 1ULL,
	.max	= MCFAB_MAX_LIST_DESTINATIONS,
};

static const struct netlink_range_validation mcfab_a_run_flits_range = {
	.min	= 1ULL,
	.max	= MCFAB_MAX_FLITS,
};

static const struct netlink_range_validation mcfab_a_run_prep_range = {
	.max	= MCFAB_MAX_OVERHEAD,
};

static const struct netlink_range_validation mcfab_a_run_prep_relay_range = {
	.max	= MCFAB_MAX_OVERHEAD,
};

static const struct netlink_range_validation mcfab_a_run_dests_range = {
	.min	= 1ULL,
	.max	= MCFAB_MAX_NODES,
};

static const struct netlink_range_validation mcfab_a_run_source_range = {
	.max	= MCFAB_MAX_NODES,
};

static const struct netlink_range_validation mcfab_a_run_rate_ppb_range = {
	.min	= 1ULL,
	.max	= MCFAB_PPB,
};

static const struct netlink_range_validation mcfab_a_run_multicast_fraction_ppm_range = {
	.max	= MCFAB_PPM,
};

static const struct netlink_range_validation mcfab_a_run_fraction_ppm_range = {
	.min	= 1ULL,
	.max	= MCFAB_PPM,
};

static const struct netlink_range_validation mcfab_a_run_batch_cycles_range = {
	.min	= 1ULL,
	.max	= MCFAB_MAX_BATCH_CYCLES,
};

static const struct netlink_range_validation mcfab_a_run_precision_ppm_range = {
	.max	= MCFAB_PPM,
};

static const struct netlink_range_validation mcfab_a_run_max_cycles_range = {
	.min	= 1ULL,
	.max	= MCFAB_MAX_RUN_CYCLES,
};

static const struct netlink_range_validation mcfab_a_run_mtu_range = {
	.min	= 1ULL,
	.max	= MCFAB_MAX_FLITS,
};

static const struct netlink_range_validation mcfab_a_run_hotspots_range = {
	.max	= MCFAB_MAX_NODES,
};

static const struct netlink_range_validation mcfab_a_run_hotspot_weights_range = {
	.min	= 1ULL,
	.max	= MCFAB_MAX_HOTSPOT_WEIGHT,
};

static const struct netlink_range_validation mcfab_a_run_hotspot_share_ppm_range = {
	.min	= 1ULL,
	.max	= MCFAB_PPM,
};

static const struct netlink_range_validation mcfab_a_run_alpha_ppb_range = {
	.min	= 1ULL,
	.max	= MCFAB_PPB,
};

static const struct netlink_range_validation mcfab_a_run_beta_ppb_range = {
	.min	= 1ULL,
	.max	= MCFAB_PPB,
};

static const struct netlink_range_validation mcfab_a_run_r1_ppb_range = {
	.min	= 1ULL,
	.max	= MCFAB_PPB,
};

static const struct netlink_range_validation mcfab_a_run_radius_range = {
	.min	= 1ULL,
	.max	= MCFAB_MAX_NODES,
};

static const struct netlink_range_validation mcfab_a_run_lengths_range = {
	.min	= 1ULL,
	.max	= MCFAB_MAX_FLITS,
};

static const struct netlink_range_validation mcfab_a_run_weights_range = {
	.min	= 1ULL,
	.max	= MCFAB_MAX_WEIGHT,
};

static const struct netlink_range_validation mcfab_a_run_share_ppm_range = {
	.min	= 1ULL,
	.max	= MCFAB_PPM,
};

static const struct netlink_range_validation mcfab_a_run_pace_ppm_range = {
	.min	= 1ULL,
	.max	= MCFAB_MAX_PACE_PPM,
};

static const struct netlink_range_validation mcfab_a_run_rx_limit_range = {
	.min	= 1ULL,
	.max	= MCFAB_MAX_RX_LIMIT,
};

static const struct netlink_range_validation mcfab_a_run_fault_switch_range = {
	.max	= MCFAB_MAX_NODES,
};

static const struct netlink_range_validation mcfab_a_group_lid_range = {
	.min	= MCFAB_MULTICAST_LID_MIN,
	.max	= MCFAB_MULTICAST_LID_MAX,
};

static const struct netlink_range_validation mcfab_a_group_source_range = {
	.max	= MCFAB_MAX_NODES,
};

static const struct netlink_range_validation mcfab_a_table_switch_range = {
	.max	= MCFAB_MAX_NODES,
};

static const struct netlink_range_validation mcfab_a_table_switch_lid_range = {
	.min	= 1ULL,
	.max	= MCFAB_UNICAST_LID_MAX,
};

static const struct netlink_range_validation mcfab_a_table_lid_range = {
	.min	= 1ULL,
	.max	= MCFAB_MULTICAST_LID_MAX,
};

static const struct netlink_range_validation mcfab_a_table_entry_switch_range = {
	.max	= MCFAB_MAX_NODES,
};

static const struct netlink_range_validation mcfab_a_table_entry_switch_lid_range = {
	.min	= 1ULL,
	.max	= MCFAB_UNICAST_LID_MAX,
};

static const struct netlink_range_validation mcfab_a_table_entry_lid_range = {
	.max	= MCFAB_MULTICAST_LID_MAX,
};

static const struct netlink_range_validation mcfab_a_table_entry_node_range = {
	.max	= MCFAB_MAX_NODES,
};

static const struct netlink_range_validation mcfab_a_graph_switches_range = {
	.min	= 1ULL,
	.max	= MCFAB_GRAPH_SWITCHES_MAX,
};

static const struct netlink_range_validation mcfab_a_graph_hosts_range = {
	.min	= 1ULL,
	.max	= MCFAB_MAX_NODES,
};

static const struct netlink_range_validation mcfab_a_graph_links_range = {
	.max	= MCFAB_GRAPH_LINKS_MAX,
};

static const struct netlink_range_validation mcfab_a_graph_root_range = {
	.max	= MCFAB_GRAPH_SWITCHES_MAX,
};

static const struct netlink_range_validation mcfab_a_graph_switch_lid_range = {
	.min	= 1ULL,
	.max	= MCFAB_UNICAST_LID_MAX,
};

static const struct netlink_range_validation mcfab_a_graph_host_switch_range = {
	.max	= MCFAB_GRAPH_SWITCHES_MAX,
};

static const struct netlink_range_validation mcfab_a_graph_host_lid_range = {
	.min	= 1ULL,
	.max	= MCFAB_UNICAST_LID_MAX,
};

static const struct netlink_range_validation mcfab_a_graph_link_switch_range = {
	.max	= MCFAB_GRAPH_SWITCHES_MAX,
};

static const struct netlink_range_validation mcfab_a_graph_link_peer_switch_range = {
	.max	= MCFAB_GRAPH_SWITCHES_MAX,
};

static const struct netlink_range_validation mcfab_a_route_from_range = {
	.max	= MCFAB_MAX_NODES,
};

static const struct netlink_range_validation mcfab_a_route_to_range = {
	.max	= MCFAB_MAX_NODES,
};

static const struct netlink_range_validation mcfab_a_fault_switch_range = {
	.max	= MCFAB_MAX_NODES,
};

/* Common nested types */
const struct nla_policy mcfab_graph_host_nl_policy[MCFAB_A_GRAPH_HOST_FLIT_CYCLES_BACK + 1] = {
	[MCFAB_A_GRAPH_HOST_SWITCH] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_graph_host_switch_range),
	[MCFAB_A_GRAPH_HOST_PORT] = NLA_POLICY_MAX(NLA_U32, MCFAB_GRAPH_PORTS_MAX),
	[MCFAB_A_GRAPH_HOST_GUID] = { .type = NLA_UINT, },
	[MCFAB_A_GRAPH_HOST_LID] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_graph_host_lid_range),
	[MCFAB_A_GRAPH_HOST_NAME] = { .type = NLA_NUL_STRING, .len = MCFAB_GRAPH_NAME_MAX, },
	[MCFAB_A_GRAPH_HOST_NODE_GUID] = { .type = NLA_UINT, },
	[MCFAB_A_GRAPH_HOST_NODE_PORT] = NLA_POLICY_RANGE(NLA_U32, 1, 254),
	[MCFAB_A_GRAPH_HOST_LMC] = NLA_POLICY_MAX(NLA_U32, 7),
	[MCFAB_A_GRAPH_HOST_AGGREGATION] = { .type = NLA_FLAG, },
	[MCFAB_A_GRAPH_HOST_FLIT_CYCLES] = NLA_POLICY_RANGE(NLA_U32, 1, MCFAB_MAX_FLIT_CYCLES),
	[MCFAB_A_GRAPH_HOST_FLIT_CYCLES_BACK] = NLA_POLICY_RANGE(NLA_U32, 1, MCFAB_MAX_FLIT_CYCLES),
};

const struct nla_policy mcfab_graph_link_nl_policy[MCFAB_A_GRAPH_LINK_FLIT_CYCLES_BACK + 1] = {
	[MCFAB_A_GRAPH_LINK_SWITCH] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_graph_link_switch_range),
	[MCFAB_A_GRAPH_LINK_PORT] = NLA_POLICY_MAX(NLA_U32, MCFAB_GRAPH_PORTS_MAX),
	[MCFAB_A_GRAPH_LINK_PEER_SWITCH] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_graph_link_peer_switch_range),
	[MCFAB_A_GRAPH_LINK_PEER_PORT] = NLA_POLICY_MAX(NLA_U32, MCFAB_GRAPH_PORTS_MAX),
	[MCFAB_A_GRAPH_LINK_DELAY] = NLA_POLICY_RANGE(NLA_U32, 1, MCFAB_MAX_DELAY),
	[MCFAB_A_GRAPH_LINK_DELAY_BACK] = NLA_POLICY_RANGE(NLA_U32, 1, MCFAB_MAX_DELAY),
	[MCFAB_A_GRAPH_LINK_FLIT_CYCLES] = NLA_POLICY_RANGE(NLA_U32, 1, MCFAB_MAX_FLIT_CYCLES),
	[MCFAB_A_GRAPH_LINK_FLIT_CYCLES_BACK] = NLA_POLICY_RANGE(NLA_U32, 1, MCFAB_MAX_FLIT_CYCLES),
};

const struct nla_policy mcfab_graph_switch_nl_policy[MCFAB_A_GRAPH_SWITCH_NAME + 1] = {
	[MCFAB_A_GRAPH_SWITCH_PORTS] = NLA_POLICY_RANGE(NLA_U32, 1, MCFAB_GRAPH_PORTS_MAX),
	[MCFAB_A_GRAPH_SWITCH_GUID] = { .type = NLA_UINT, },
	[MCFAB_A_GRAPH_SWITCH_LID] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_graph_switch_lid_range),
	[MCFAB_A_GRAPH_SWITCH_NAME] = { .type = NLA_NUL_STRING, .len = MCFAB_GRAPH_NAME_MAX, },
};

const struct nla_policy mcfab_param_nl_policy[MCFAB_A_PARAM_VALUE + 1] = {
	[MCFAB_A_PARAM_NAME] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
	[MCFAB_A_PARAM_VALUE] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
};

const struct nla_policy mcfab_run_fault_nl_policy[MCFAB_A_RUN_FAULT_STATE + 1] = {
	[MCFAB_A_RUN_FAULT_AT] = NLA_POLICY_MIN(NLA_UINT, 1),
	[MCFAB_A_RUN_FAULT_SWITCH] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_run_fault_switch_range),
	[MCFAB_A_RUN_FAULT_PORT] = NLA_POLICY_MAX(NLA_U32, MCFAB_GRAPH_PORTS_MAX),
	[MCFAB_A_RUN_FAULT_STATE] = NLA_POLICY_RANGE(NLA_U32, 1, 2),
};

const struct nla_policy mcfab_table_entry_nl_policy[MCFAB_A_TABLE_ENTRY_SLS + 1] = {
	[MCFAB_A_TABLE_ENTRY_KIND] = NLA_POLICY_RANGE(NLA_U32, 1, 4),
	[MCFAB_A_TABLE_ENTRY_SWITCH] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_table_entry_switch_range),
	[MCFAB_A_TABLE_ENTRY_SWITCH_LID] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_table_entry_switch_lid_range),
	[MCFAB_A_TABLE_ENTRY_LID] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_table_entry_lid_range),
	[MCFAB_A_TABLE_ENTRY_PORTS] = { .type = NLA_BINARY, },
	[MCFAB_A_TABLE_ENTRY_RESTORE] = { .type = NLA_FLAG, },
	[MCFAB_A_TABLE_ENTRY_USER] = { .type = NLA_FLAG, },
	[MCFAB_A_TABLE_ENTRY_PORT] = { .type = NLA_U32, },
	[MCFAB_A_TABLE_ENTRY_VLS] = { .type = NLA_BINARY, },
	[MCFAB_A_TABLE_ENTRY_IN_PORT] = NLA_POLICY_MAX(NLA_U32, MCFAB_GRAPH_PORTS_MAX),
	[MCFAB_A_TABLE_ENTRY_NODE] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_table_entry_node_range),
	[MCFAB_A_TABLE_ENTRY_SLS] = { .type = NLA_BINARY, },
};

const struct nla_policy mcfab_traffic_class_nl_policy[MCFAB_A_RUN_SHARE_PPM + 1] = {
	[MCFAB_A_RUN_CLASS_NAME] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
	[MCFAB_A_RUN_WORKLOAD] = NLA_POLICY_RANGE(NLA_U32, 1, 8),
	[MCFAB_A_RUN_COUNT] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_RUN_DESTS] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_run_dests_range),
	[MCFAB_A_RUN_SOURCE] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_run_source_range),
	[MCFAB_A_RUN_RATE_PPB] = NLA_POLICY_FULL_RANGE(NLA_UINT, &mcfab_a_run_rate_ppb_range),
	[MCFAB_A_RUN_SHARE_PPM] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_run_share_ppm_range),
	[MCFAB_A_RUN_MULTICAST_FRACTION_PPM] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_run_multicast_fraction_ppm_range),
	[MCFAB_A_RUN_INTERVAL] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_RUN_NETWORK] = { .type = NLA_FLAG, },
	[MCFAB_A_RUN_GROUP] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
	[MCFAB_A_RUN_PATTERN] = NLA_POLICY_RANGE(NLA_U32, 1, 11),
	[MCFAB_A_RUN_SELF] = { .type = NLA_FLAG, },
	[MCFAB_A_RUN_HOTSPOTS] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_run_hotspots_range),
	[MCFAB_A_RUN_HOTSPOT_WEIGHTS] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_run_hotspot_weights_range),
	[MCFAB_A_RUN_HOTSPOT_SHARE_PPM] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_run_hotspot_share_ppm_range),
	[MCFAB_A_RUN_ALPHA_PPB] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_run_alpha_ppb_range),
	[MCFAB_A_RUN_BETA_PPB] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_run_beta_ppb_range),
	[MCFAB_A_RUN_R1_PPB] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_run_r1_ppb_range),
	[MCFAB_A_RUN_SET] = NLA_POLICY_RANGE(NLA_U32, 1, 4),
	[MCFAB_A_RUN_RADIUS] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_run_radius_range),
	[MCFAB_A_RUN_SEED] = { .type = NLA_UINT, },
	[MCFAB_A_RUN_LENGTHS] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_run_lengths_range),
	[MCFAB_A_RUN_WEIGHTS] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_run_weights_range),
};

const struct nla_policy mcfab_upload_class_nl_policy[MCFAB_A_UPLOAD_CLASS_NAME + 1] = {
	[MCFAB_A_UPLOAD_CLASS_NAME] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
};

/* MCFAB_CMD_FABRIC_GET - do */
static const struct nla_policy mcfab_fabric_get_nl_policy[MCFAB_A_FABRIC_NAME + 1] = {
	[MCFAB_A_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_FABRIC_NAME] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
};

/* MCFAB_CMD_FABRIC_NEW - do */
static const struct nla_policy mcfab_fabric_new_nl_policy[MCFAB_A_FABRIC_FLIT_BYTES + 1] = {
	[MCFAB_A_FABRIC_NAME] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
	[MCFAB_A_FABRIC_TOPOLOGY] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
	[MCFAB_A_FABRIC_DIMS] = { .type = NLA_U32, },
	[MCFAB_A_FABRIC_ROUTER] = NLA_POLICY_RANGE(NLA_U32, 1, 2),
	[MCFAB_A_FABRIC_VCS] = NLA_POLICY_RANGE(NLA_U32, 1, MCFAB_MAX_VCS),
	[MCFAB_A_FABRIC_BUFFER] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_fabric_buffer_range),
	[MCFAB_A_FABRIC_BUFFER_PACKETS] = NLA_POLICY_MAX(NLA_U32, MCFAB_MAX_BUFFER_PACKETS),
	[MCFAB_A_FABRIC_SWITCHING] = NLA_POLICY_RANGE(NLA_U32, 1, 3),
	[MCFAB_A_FABRIC_REPLICATION] = NLA_POLICY_RANGE(NLA_U32, 1, 2),
	[MCFAB_A_FABRIC_VC_RELEASE] = NLA_POLICY_RANGE(NLA_U32, 1, 2),
	[MCFAB_A_FABRIC_LINK_ARBITRATION] = NLA_POLICY_RANGE(NLA_U32, 1, 2),
	[MCFAB_A_FABRIC_INPUT_SPEEDUP] = NLA_POLICY_MAX(NLA_U32, 1),
	[MCFAB_A_FABRIC_INJECT] = NLA_POLICY_RANGE(NLA_U32, 1, MCFAB_MAX_CHANNELS),
	[MCFAB_A_FABRIC_CONSUME] = NLA_POLICY_RANGE(NLA_U32, 1, MCFAB_MAX_CONSUME),
	[MCFAB_A_FABRIC_INJECT_DELAY] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_fabric_inject_delay_range),
	[MCFAB_A_FABRIC_ROUTE_DELAY] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_fabric_route_delay_range),
	[MCFAB_A_FABRIC_LINK_DELAY] = NLA_POLICY_RANGE(NLA_U32, 1, MCFAB_MAX_DELAY),
	[MCFAB_A_FABRIC_CONSUME_DELAY] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_fabric_consume_delay_range),
	[MCFAB_A_FABRIC_CREDIT_DELAY] = NLA_POLICY_MAX(NLA_U32, MCFAB_MAX_DELAY),
	[MCFAB_A_FABRIC_STARTUP] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_fabric_startup_range),
	[MCFAB_A_FABRIC_CYCLE_PS] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_fabric_cycle_ps_range),
	[MCFAB_A_FABRIC_STALL_LIMIT] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_FABRIC_SEED] = { .type = NLA_UINT, },
	[MCFAB_A_FABRIC_NICE] = NLA_POLICY_RANGE(NLA_S32, MCFAB_NICE_MIN, MCFAB_NICE_MAX),
	[MCFAB_A_FABRIC_CPUS] = { .type = NLA_NUL_STRING, .len = MCFAB_CPUS_MAX, },
	[MCFAB_A_FABRIC_ADDRESSING] = NLA_POLICY_RANGE(NLA_U32, 1, 2),
	[MCFAB_A_FABRIC_INGRESS] = NLA_POLICY_RANGE(NLA_U32, 1, 2),
	[MCFAB_A_FABRIC_PORT_NUMBERS] = { .type = NLA_U32, },
	[MCFAB_A_FABRIC_NODE_MODEL] = NLA_POLICY_RANGE(NLA_U32, 1, 2),
	[MCFAB_A_FABRIC_HOST_RECEIVE] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_fabric_host_receive_range),
	[MCFAB_A_FABRIC_NI_SEND] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_fabric_ni_send_range),
	[MCFAB_A_FABRIC_NI_RECEIVE] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_fabric_ni_receive_range),
	[MCFAB_A_FABRIC_NI_RATIO] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_FABRIC_IO_BUS] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_fabric_io_bus_range),
	[MCFAB_A_FABRIC_NI_MEMORY] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_fabric_ni_memory_range),
	[MCFAB_A_FABRIC_FLIT_BYTES] = NLA_POLICY_RANGE(NLA_U32, 1, MCFAB_MAX_FLIT_BYTES),
	[MCFAB_A_FABRIC_HOST_OVERHEAD] = NLA_POLICY_RANGE(NLA_U32, 1, 2),
	[MCFAB_A_FABRIC_ROUTING] = NLA_POLICY_RANGE(NLA_U32, 1, 3),
	[MCFAB_A_FABRIC_ROOT] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_fabric_root_range),
	[MCFAB_A_FABRIC_SWITCHES] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_fabric_switches_range),
	[MCFAB_A_FABRIC_SWITCH_PORTS] = NLA_POLICY_RANGE(NLA_U32, 1, MCFAB_GRAPH_PORTS_MAX),
	[MCFAB_A_FABRIC_HOSTS] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_fabric_hosts_range),
	[MCFAB_A_FABRIC_CONNECTIVITY] = NLA_POLICY_RANGE(NLA_U32, 1, 100),
	[MCFAB_A_FABRIC_TOPOLOGY_SEED] = { .type = NLA_UINT, },
	[MCFAB_A_FABRIC_PIPELINE] = NLA_POLICY_RANGE(NLA_U32, 1, 2),
	[MCFAB_A_FABRIC_NODE_BANDWIDTH] = NLA_POLICY_RANGE(NLA_U32, 1, 2),
	[MCFAB_A_FABRIC_ALLOCATOR] = NLA_POLICY_RANGE(NLA_U32, 1, 3),
};

/* MCFAB_CMD_FABRIC_DEL - do */
static const struct nla_policy mcfab_fabric_del_nl_policy[MCFAB_A_FABRIC_NAME + 1] = {
	[MCFAB_A_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_FABRIC_NAME] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
};

/* MCFAB_CMD_POLICY_GET - do */
static const struct nla_policy mcfab_policy_get_nl_policy[MCFAB_A_POLICY_NAME + 1] = {
	[MCFAB_A_POLICY_NAME] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
};

/* MCFAB_CMD_NODE_GET - do */
static const struct nla_policy mcfab_node_get_do_nl_policy[MCFAB_A_NODE_LABEL + 1] = {
	[MCFAB_A_NODE_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_NODE_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
	[MCFAB_A_NODE_NODE] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_node_node_range),
	[MCFAB_A_NODE_LABEL] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_node_label_range),
};

/* MCFAB_CMD_NODE_GET - dump */
static const struct nla_policy mcfab_node_get_dump_nl_policy[MCFAB_A_NODE_FABRIC + 1] = {
	[MCFAB_A_NODE_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_NODE_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
};

/* MCFAB_CMD_PLAN_GET - dump */
static const struct nla_policy mcfab_plan_get_nl_policy[MCFAB_A_PLAN_MTU + 1] = {
	[MCFAB_A_PLAN_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_PLAN_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
	[MCFAB_A_PLAN_POLICY] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
	[MCFAB_A_PLAN_PARAM] = NLA_POLICY_NESTED(mcfab_param_nl_policy),
	[MCFAB_A_PLAN_FLITS] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_plan_flits_range),
	[MCFAB_A_PLAN_HEADERS] = NLA_POLICY_MAX(NLA_U32, 1),
	[MCFAB_A_PLAN_PREP] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_plan_prep_range),
	[MCFAB_A_PLAN_PREP_RELAY] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_plan_prep_relay_range),
	[MCFAB_A_PLAN_SOURCE] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_plan_source_range),
	[MCFAB_A_PLAN_DESTINATIONS] = { .type = NLA_BINARY, },
	[MCFAB_A_PLAN_GROUP] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
	[MCFAB_A_PLAN_MTU] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_plan_mtu_range),
};

/* MCFAB_CMD_VERIFY - dump */
static const struct nla_policy mcfab_verify_nl_policy[MCFAB_A_VERIFY_CROWDS + 1] = {
	[MCFAB_A_VERIFY_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_VERIFY_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
	[MCFAB_A_VERIFY_POLICY] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
	[MCFAB_A_VERIFY_PARAM] = NLA_POLICY_NESTED(mcfab_param_nl_policy),
	[MCFAB_A_VERIFY_FLITS] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_verify_flits_range),
	[MCFAB_A_VERIFY_MTU] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_verify_mtu_range),
	[MCFAB_A_VERIFY_HEADERS] = NLA_POLICY_MAX(NLA_U32, 1),
	[MCFAB_A_VERIFY_BUFFER] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_verify_buffer_range),
	[MCFAB_A_VERIFY_CONSUME] = NLA_POLICY_RANGE(NLA_U32, 1, MCFAB_MAX_CONSUME),
	[MCFAB_A_VERIFY_VCS] = NLA_POLICY_RANGE(NLA_U32, 1, MCFAB_MAX_VCS),
	[MCFAB_A_VERIFY_DESTS] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_verify_dests_range),
	[MCFAB_A_VERIFY_SAMPLES] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_verify_samples_range),
	[MCFAB_A_VERIFY_UNICASTS] = { .type = NLA_FLAG, },
	[MCFAB_A_VERIFY_ANY_ONLY] = { .type = NLA_FLAG, },
	[MCFAB_A_VERIFY_CROWDS] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_verify_crowds_range),
};

/* MCFAB_CMD_UPLOAD_BEGIN - do */
static const struct nla_policy mcfab_upload_begin_nl_policy[MCFAB_A_UPLOAD_CLASS + 1] = {
	[MCFAB_A_UPLOAD_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_UPLOAD_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
	[MCFAB_A_UPLOAD_TYPE] = NLA_POLICY_RANGE(NLA_U32, 1, 2),
	[MCFAB_A_UPLOAD_MESSAGES_TOTAL] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_upload_messages_total_range),
	[MCFAB_A_UPLOAD_DESTINATIONS_TOTAL] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_upload_destinations_total_range),
	[MCFAB_A_UPLOAD_GROUPED] = { .type = NLA_FLAG, },
	[MCFAB_A_UPLOAD_SIZED] = { .type = NLA_FLAG, },
	[MCFAB_A_UPLOAD_CLASS] = NLA_POLICY_NESTED(mcfab_upload_class_nl_policy),
};

/* MCFAB_CMD_UPLOAD_APPEND - do */
static const struct nla_policy mcfab_upload_append_nl_policy[MCFAB_A_UPLOAD_CLASSES + 1] = {
	[MCFAB_A_UPLOAD_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_UPLOAD_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
	[MCFAB_A_UPLOAD_TYPE] = NLA_POLICY_RANGE(NLA_U32, 1, 2),
	[MCFAB_A_UPLOAD_CYCLES] = { .type = NLA_BINARY, },
	[MCFAB_A_UPLOAD_SOURCES] = { .type = NLA_BINARY, },
	[MCFAB_A_UPLOAD_COUNTS] = { .type = NLA_BINARY, },
	[MCFAB_A_UPLOAD_DESTINATIONS] = { .type = NLA_BINARY, },
	[MCFAB_A_UPLOAD_GROUPS] = { .type = NLA_BINARY, },
	[MCFAB_A_UPLOAD_FLITS] = { .type = NLA_BINARY, },
	[MCFAB_A_UPLOAD_CLASSES] = { .type = NLA_BINARY, },
};

/* MCFAB_CMD_UPLOAD_DISCARD - do */
static const struct nla_policy mcfab_upload_discard_nl_policy[MCFAB_A_UPLOAD_TYPE + 1] = {
	[MCFAB_A_UPLOAD_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_UPLOAD_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
	[MCFAB_A_UPLOAD_TYPE] = NLA_POLICY_RANGE(NLA_U32, 1, 2),
};

/* MCFAB_CMD_UPLOAD_GET - do */
static const struct nla_policy mcfab_upload_get_nl_policy[MCFAB_A_UPLOAD_TYPE + 1] = {
	[MCFAB_A_UPLOAD_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_UPLOAD_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
	[MCFAB_A_UPLOAD_TYPE] = NLA_POLICY_RANGE(NLA_U32, 1, 2),
};

/* MCFAB_CMD_RUN_START - do */
static const struct nla_policy mcfab_run_start_nl_policy[MCFAB_A_RUN_FRAMES_MB + 1] = {
	[MCFAB_A_RUN_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_RUN_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
	[MCFAB_A_RUN_POLICY] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
	[MCFAB_A_RUN_PARAM] = NLA_POLICY_NESTED(mcfab_param_nl_policy),
	[MCFAB_A_RUN_FLITS] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_run_flits_range),
	[MCFAB_A_RUN_MTU] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_run_mtu_range),
	[MCFAB_A_RUN_ADVANCE] = NLA_POLICY_RANGE(NLA_U32, 1, 3),
	[MCFAB_A_RUN_HEADERS] = NLA_POLICY_MAX(NLA_U32, 1),
	[MCFAB_A_RUN_PREP] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_run_prep_range),
	[MCFAB_A_RUN_PREP_RELAY] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_run_prep_relay_range),
	[MCFAB_A_RUN_NODE_BUSY] = NLA_POLICY_RANGE(NLA_U32, 1, 3),
	[MCFAB_A_RUN_ROUNDS] = NLA_POLICY_RANGE(NLA_U32, 1, 2),
	[MCFAB_A_RUN_WORKLOAD] = NLA_POLICY_RANGE(NLA_U32, 1, 8),
	[MCFAB_A_RUN_COUNT] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_RUN_DESTS] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_run_dests_range),
	[MCFAB_A_RUN_SOURCE] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_run_source_range),
	[MCFAB_A_RUN_RATE_PPB] = NLA_POLICY_FULL_RANGE(NLA_UINT, &mcfab_a_run_rate_ppb_range),
	[MCFAB_A_RUN_MULTICAST_FRACTION_PPM] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_run_multicast_fraction_ppm_range),
	[MCFAB_A_RUN_INTERVAL] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_RUN_NETWORK] = { .type = NLA_FLAG, },
	[MCFAB_A_RUN_FRACTION_PPM] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_run_fraction_ppm_range),
	[MCFAB_A_RUN_WARMUP] = { .type = NLA_U32, },
	[MCFAB_A_RUN_BATCHES] = NLA_POLICY_RANGE(NLA_U32, MCFAB_MIN_BATCHES, MCFAB_MAX_BATCHES),
	[MCFAB_A_RUN_BATCH_CYCLES] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_run_batch_cycles_range),
	[MCFAB_A_RUN_PRECISION_PPM] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_run_precision_ppm_range),
	[MCFAB_A_RUN_MAX_CYCLES] = NLA_POLICY_FULL_RANGE(NLA_UINT, &mcfab_a_run_max_cycles_range),
	[MCFAB_A_RUN_RECOVER] = { .type = NLA_FLAG, },
	[MCFAB_A_RUN_PACE_PPM] = NLA_POLICY_FULL_RANGE(NLA_UINT, &mcfab_a_run_pace_ppm_range),
	[MCFAB_A_RUN_LOG] = { .type = NLA_U32, },
	[MCFAB_A_RUN_RX_LIMIT] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_run_rx_limit_range),
	[MCFAB_A_RUN_SLIP_LIMIT_NS] = { .type = NLA_UINT, },
	[MCFAB_A_RUN_FRAMES_MB] = { .type = NLA_U32, },
	[MCFAB_A_RUN_FAULT] = NLA_POLICY_NESTED(mcfab_run_fault_nl_policy),
	[MCFAB_A_RUN_GROUP] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
	[MCFAB_A_RUN_PATTERN] = NLA_POLICY_RANGE(NLA_U32, 1, 11),
	[MCFAB_A_RUN_SELF] = { .type = NLA_FLAG, },
	[MCFAB_A_RUN_HOTSPOTS] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_run_hotspots_range),
	[MCFAB_A_RUN_HOTSPOT_WEIGHTS] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_run_hotspot_weights_range),
	[MCFAB_A_RUN_HOTSPOT_SHARE_PPM] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_run_hotspot_share_ppm_range),
	[MCFAB_A_RUN_ALPHA_PPB] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_run_alpha_ppb_range),
	[MCFAB_A_RUN_BETA_PPB] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_run_beta_ppb_range),
	[MCFAB_A_RUN_R1_PPB] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_run_r1_ppb_range),
	[MCFAB_A_RUN_SET] = NLA_POLICY_RANGE(NLA_U32, 1, 4),
	[MCFAB_A_RUN_RADIUS] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_run_radius_range),
	[MCFAB_A_RUN_SEED] = { .type = NLA_UINT, },
	[MCFAB_A_RUN_LENGTHS] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_run_lengths_range),
	[MCFAB_A_RUN_WEIGHTS] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_run_weights_range),
	[MCFAB_A_RUN_TRAFFIC_CLASS] = NLA_POLICY_NESTED(mcfab_traffic_class_nl_policy),
};

/* MCFAB_CMD_RUN_STOP - do */
static const struct nla_policy mcfab_run_stop_nl_policy[MCFAB_A_RUN_FABRIC + 1] = {
	[MCFAB_A_RUN_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_RUN_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
};

/* MCFAB_CMD_RUN_GET - do */
static const struct nla_policy mcfab_run_get_nl_policy[MCFAB_A_RUN_FABRIC + 1] = {
	[MCFAB_A_RUN_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_RUN_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
};

/* MCFAB_CMD_DEADLOCK_GET - do */
static const struct nla_policy mcfab_deadlock_get_nl_policy[MCFAB_A_DEADLOCK_FABRIC + 1] = {
	[MCFAB_A_DEADLOCK_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_DEADLOCK_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
};

/* MCFAB_CMD_STATS_GET - do */
static const struct nla_policy mcfab_stats_get_nl_policy[MCFAB_A_STATS_FABRIC + 1] = {
	[MCFAB_A_STATS_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_STATS_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
};

/* MCFAB_CMD_LINK_GET - dump */
static const struct nla_policy mcfab_link_get_nl_policy[MCFAB_A_LINK_FABRIC + 1] = {
	[MCFAB_A_LINK_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_LINK_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
};

/* MCFAB_CMD_NODE_LOAD_GET - dump */
static const struct nla_policy mcfab_node_load_get_nl_policy[MCFAB_A_NODE_LOAD_FABRIC + 1] = {
	[MCFAB_A_NODE_LOAD_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_NODE_LOAD_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
};

/* MCFAB_CMD_BATCH_GET - dump */
static const struct nla_policy mcfab_batch_get_nl_policy[MCFAB_A_BATCH_FABRIC + 1] = {
	[MCFAB_A_BATCH_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_BATCH_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
};

/* MCFAB_CMD_HISTOGRAM_GET - dump */
static const struct nla_policy mcfab_histogram_get_nl_policy[MCFAB_A_BUCKET_FABRIC + 1] = {
	[MCFAB_A_BUCKET_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_BUCKET_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
};

/* MCFAB_CMD_STATS_RESET - do */
static const struct nla_policy mcfab_stats_reset_nl_policy[MCFAB_A_STATS_FABRIC + 1] = {
	[MCFAB_A_STATS_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_STATS_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
};

/* MCFAB_CMD_GROUP_NEW - do */
static const struct nla_policy mcfab_group_new_nl_policy[MCFAB_A_GROUP_ADDRESS + 1] = {
	[MCFAB_A_GROUP_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_GROUP_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
	[MCFAB_A_GROUP_NAME] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
	[MCFAB_A_GROUP_MEMBERS] = { .type = NLA_BINARY, },
	[MCFAB_A_GROUP_LID] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_group_lid_range),
	[MCFAB_A_GROUP_ADDRESS] = { .type = NLA_NUL_STRING, .len = 17, },
};

/* MCFAB_CMD_GROUP_DEL - do */
static const struct nla_policy mcfab_group_del_nl_policy[MCFAB_A_GROUP_NAME + 1] = {
	[MCFAB_A_GROUP_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_GROUP_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
	[MCFAB_A_GROUP_NAME] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
};

/* MCFAB_CMD_GROUP_JOIN - do */
static const struct nla_policy mcfab_group_join_nl_policy[MCFAB_A_GROUP_MEMBERS + 1] = {
	[MCFAB_A_GROUP_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_GROUP_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
	[MCFAB_A_GROUP_NAME] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
	[MCFAB_A_GROUP_MEMBERS] = { .type = NLA_BINARY, },
};

/* MCFAB_CMD_GROUP_LEAVE - do */
static const struct nla_policy mcfab_group_leave_nl_policy[MCFAB_A_GROUP_MEMBERS + 1] = {
	[MCFAB_A_GROUP_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_GROUP_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
	[MCFAB_A_GROUP_NAME] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
	[MCFAB_A_GROUP_MEMBERS] = { .type = NLA_BINARY, },
};

/* MCFAB_CMD_GROUP_ASSIGN - do */
static const struct nla_policy mcfab_group_assign_nl_policy[MCFAB_A_GROUP_SOURCE + 1] = {
	[MCFAB_A_GROUP_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_GROUP_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
	[MCFAB_A_GROUP_NAME] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
	[MCFAB_A_GROUP_SOURCE] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_group_source_range),
};

/* MCFAB_CMD_GROUP_GET - do */
static const struct nla_policy mcfab_group_get_do_nl_policy[MCFAB_A_GROUP_SOURCE + 1] = {
	[MCFAB_A_GROUP_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_GROUP_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
	[MCFAB_A_GROUP_NAME] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
	[MCFAB_A_GROUP_SOURCE] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_group_source_range),
};

/* MCFAB_CMD_GROUP_GET - dump */
static const struct nla_policy mcfab_group_get_dump_nl_policy[MCFAB_A_GROUP_NAME + 1] = {
	[MCFAB_A_GROUP_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_GROUP_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
	[MCFAB_A_GROUP_NAME] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
};

/* MCFAB_CMD_TABLE_GET - dump */
static const struct nla_policy mcfab_table_get_nl_policy[MCFAB_A_TABLE_LANES + 1] = {
	[MCFAB_A_TABLE_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_TABLE_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
	[MCFAB_A_TABLE_KIND] = NLA_POLICY_RANGE(NLA_U32, 1, 4),
	[MCFAB_A_TABLE_SWITCH] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_table_switch_range),
	[MCFAB_A_TABLE_SWITCH_LID] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_table_switch_lid_range),
	[MCFAB_A_TABLE_LID] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_table_lid_range),
	[MCFAB_A_TABLE_LANES] = NLA_POLICY_RANGE(NLA_U32, 1, 3),
};

/* MCFAB_CMD_TABLE_SET - do */
static const struct nla_policy mcfab_table_set_nl_policy[MCFAB_A_TABLE_ENTRY + 1] = {
	[MCFAB_A_TABLE_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_TABLE_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
	[MCFAB_A_TABLE_ENTRY] = NLA_POLICY_NESTED(mcfab_table_entry_nl_policy),
};

/* MCFAB_CMD_TABLE_BEGIN - do */
static const struct nla_policy mcfab_table_begin_nl_policy[MCFAB_A_TABLE_FABRIC + 1] = {
	[MCFAB_A_TABLE_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_TABLE_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
};

/* MCFAB_CMD_TABLE_APPEND - do */
static const struct nla_policy mcfab_table_append_nl_policy[MCFAB_A_TABLE_ENTRY + 1] = {
	[MCFAB_A_TABLE_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_TABLE_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
	[MCFAB_A_TABLE_ENTRY] = NLA_POLICY_NESTED(mcfab_table_entry_nl_policy),
};

/* MCFAB_CMD_TABLE_COMMIT - do */
static const struct nla_policy mcfab_table_commit_nl_policy[MCFAB_A_TABLE_FORCE + 1] = {
	[MCFAB_A_TABLE_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_TABLE_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
	[MCFAB_A_TABLE_FORCE] = { .type = NLA_FLAG, },
};

/* MCFAB_CMD_TABLE_ABORT - do */
static const struct nla_policy mcfab_table_abort_nl_policy[MCFAB_A_TABLE_FABRIC + 1] = {
	[MCFAB_A_TABLE_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_TABLE_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
};

/* MCFAB_CMD_TABLE_CHECK - dump */
static const struct nla_policy mcfab_table_check_nl_policy[MCFAB_A_TABLE_STAGED + 1] = {
	[MCFAB_A_TABLE_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_TABLE_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
	[MCFAB_A_TABLE_STAGED] = { .type = NLA_FLAG, },
};

/* MCFAB_CMD_GRAPH_BEGIN - do */
static const struct nla_policy mcfab_graph_begin_nl_policy[MCFAB_A_GRAPH_ROOT + 1] = {
	[MCFAB_A_GRAPH_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
	[MCFAB_A_GRAPH_SWITCHES] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_graph_switches_range),
	[MCFAB_A_GRAPH_HOSTS] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_graph_hosts_range),
	[MCFAB_A_GRAPH_LINKS] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_graph_links_range),
	[MCFAB_A_GRAPH_ROOT] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_graph_root_range),
};

/* MCFAB_CMD_GRAPH_APPEND - do */
static const struct nla_policy mcfab_graph_append_nl_policy[MCFAB_A_GRAPH_LINK + 1] = {
	[MCFAB_A_GRAPH_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
	[MCFAB_A_GRAPH_SWITCH] = NLA_POLICY_NESTED(mcfab_graph_switch_nl_policy),
	[MCFAB_A_GRAPH_HOST] = NLA_POLICY_NESTED(mcfab_graph_host_nl_policy),
	[MCFAB_A_GRAPH_LINK] = NLA_POLICY_NESTED(mcfab_graph_link_nl_policy),
};

/* MCFAB_CMD_GRAPH_DISCARD - do */
static const struct nla_policy mcfab_graph_discard_nl_policy[MCFAB_A_GRAPH_FABRIC + 1] = {
	[MCFAB_A_GRAPH_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
};

/* MCFAB_CMD_GRAPH_GET - dump */
static const struct nla_policy mcfab_graph_get_nl_policy[MCFAB_A_GRAPH_FABRIC + 1] = {
	[MCFAB_A_GRAPH_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_GRAPH_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
};

/* MCFAB_CMD_ROUTE_GET - dump */
static const struct nla_policy mcfab_route_get_nl_policy[MCFAB_A_ROUTE_TO + 1] = {
	[MCFAB_A_ROUTE_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_ROUTE_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
	[MCFAB_A_ROUTE_FROM] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_route_from_range),
	[MCFAB_A_ROUTE_TO] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_route_to_range),
};

/* MCFAB_CMD_FAULT_SET - do */
static const struct nla_policy mcfab_fault_set_nl_policy[MCFAB_A_FAULT_STATE + 1] = {
	[MCFAB_A_FAULT_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_FAULT_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
	[MCFAB_A_FAULT_SWITCH] = NLA_POLICY_FULL_RANGE(NLA_U32, &mcfab_a_fault_switch_range),
	[MCFAB_A_FAULT_PORT] = NLA_POLICY_MAX(NLA_U32, MCFAB_GRAPH_PORTS_MAX),
	[MCFAB_A_FAULT_STATE] = NLA_POLICY_RANGE(NLA_U32, 1, 2),
};

/* MCFAB_CMD_FAULT_GET - dump */
static const struct nla_policy mcfab_fault_get_nl_policy[MCFAB_A_FAULT_FABRIC + 1] = {
	[MCFAB_A_FAULT_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_FAULT_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
};

/* MCFAB_CMD_FABRIC_SET - do */
static const struct nla_policy mcfab_fabric_set_nl_policy[MCFAB_A_FABRIC_CPUS + 1] = {
	[MCFAB_A_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_FABRIC_NAME] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
	[MCFAB_A_FABRIC_CPUS] = { .type = NLA_NUL_STRING, .len = MCFAB_CPUS_MAX, },
};

/* MCFAB_CMD_SOURCE_LOAD_GET - dump */
static const struct nla_policy mcfab_source_load_get_nl_policy[MCFAB_A_SOURCE_LOAD_FABRIC + 1] = {
	[MCFAB_A_SOURCE_LOAD_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_SOURCE_LOAD_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
};

/* MCFAB_CMD_ARRIVAL_GET - dump */
static const struct nla_policy mcfab_arrival_get_nl_policy[MCFAB_A_ARRIVAL_FABRIC + 1] = {
	[MCFAB_A_ARRIVAL_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_ARRIVAL_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
};

/* MCFAB_CMD_PORT_GET - dump */
static const struct nla_policy mcfab_port_get_nl_policy[MCFAB_A_PORT_FABRIC + 1] = {
	[MCFAB_A_PORT_FABRIC_ID] = NLA_POLICY_MIN(NLA_U32, 1),
	[MCFAB_A_PORT_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX, },
};

/* Ops table for mcfab */
static const struct genl_split_ops mcfab_nl_ops[] = {
	{
		.cmd		= MCFAB_CMD_FABRIC_GET,
		.doit		= mcfab_nl_fabric_get_doit,
		.policy		= mcfab_fabric_get_nl_policy,
		.maxattr	= MCFAB_A_FABRIC_NAME,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd	= MCFAB_CMD_FABRIC_GET,
		.dumpit	= mcfab_nl_fabric_get_dumpit,
		.flags	= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= MCFAB_CMD_FABRIC_NEW,
		.doit		= mcfab_nl_fabric_new_doit,
		.policy		= mcfab_fabric_new_nl_policy,
		.maxattr	= MCFAB_A_FABRIC_FLIT_BYTES,
		.flags		= GENL_ADMIN_PERM | GENL_CMD_CAP_DO,
	},
	{
		.cmd		= MCFAB_CMD_FABRIC_DEL,
		.doit		= mcfab_nl_fabric_del_doit,
		.policy		= mcfab_fabric_del_nl_policy,
		.maxattr	= MCFAB_A_FABRIC_NAME,
		.flags		= GENL_ADMIN_PERM | GENL_CMD_CAP_DO,
	},
	{
		.cmd	= MCFAB_CMD_TOPOLOGY_GET,
		.dumpit	= mcfab_nl_topology_get_dumpit,
		.flags	= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= MCFAB_CMD_POLICY_GET,
		.doit		= mcfab_nl_policy_get_doit,
		.policy		= mcfab_policy_get_nl_policy,
		.maxattr	= MCFAB_A_POLICY_NAME,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd	= MCFAB_CMD_POLICY_GET,
		.start	= mcfab_nl_policy_get_start,
		.dumpit	= mcfab_nl_policy_get_dumpit,
		.flags	= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= MCFAB_CMD_NODE_GET,
		.pre_doit	= mcfab_nl_hold_pre,
		.doit		= mcfab_nl_node_get_doit,
		.post_doit	= mcfab_nl_hold_post,
		.policy		= mcfab_node_get_do_nl_policy,
		.maxattr	= MCFAB_A_NODE_LABEL,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= MCFAB_CMD_NODE_GET,
		.dumpit		= mcfab_nl_node_get_dumpit,
		.policy		= mcfab_node_get_dump_nl_policy,
		.maxattr	= MCFAB_A_NODE_FABRIC,
		.flags		= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= MCFAB_CMD_PLAN_GET,
		.start		= mcfab_nl_plan_get_start,
		.dumpit		= mcfab_nl_plan_get_dumpit,
		.done		= mcfab_nl_plan_get_done,
		.policy		= mcfab_plan_get_nl_policy,
		.maxattr	= MCFAB_A_PLAN_MTU,
		.flags		= GENL_ADMIN_PERM | GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= MCFAB_CMD_VERIFY,
		.start		= mcfab_nl_verify_start,
		.dumpit		= mcfab_nl_verify_dumpit,
		.done		= mcfab_nl_verify_done,
		.policy		= mcfab_verify_nl_policy,
		.maxattr	= MCFAB_A_VERIFY_CROWDS,
		.flags		= GENL_ADMIN_PERM | GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= MCFAB_CMD_UPLOAD_BEGIN,
		.pre_doit	= mcfab_nl_upload_pre,
		.doit		= mcfab_nl_upload_begin_doit,
		.post_doit	= mcfab_nl_lock_post,
		.policy		= mcfab_upload_begin_nl_policy,
		.maxattr	= MCFAB_A_UPLOAD_CLASS,
		.flags		= GENL_ADMIN_PERM | GENL_CMD_CAP_DO,
	},
	{
		.cmd		= MCFAB_CMD_UPLOAD_APPEND,
		.pre_doit	= mcfab_nl_upload_pre,
		.doit		= mcfab_nl_upload_append_doit,
		.post_doit	= mcfab_nl_lock_post,
		.policy		= mcfab_upload_append_nl_policy,
		.maxattr	= MCFAB_A_UPLOAD_CLASSES,
		.flags		= GENL_ADMIN_PERM | GENL_CMD_CAP_DO,
	},
	{
		.cmd		= MCFAB_CMD_UPLOAD_DISCARD,
		.pre_doit	= mcfab_nl_upload_pre,
		.doit		= mcfab_nl_upload_discard_doit,
		.post_doit	= mcfab_nl_lock_post,
		.policy		= mcfab_upload_discard_nl_policy,
		.maxattr	= MCFAB_A_UPLOAD_TYPE,
		.flags		= GENL_ADMIN_PERM | GENL_CMD_CAP_DO,
	},
	{
		.cmd		= MCFAB_CMD_UPLOAD_GET,
		.pre_doit	= mcfab_nl_lock_pre,
		.doit		= mcfab_nl_upload_get_doit,
		.post_doit	= mcfab_nl_lock_post,
		.policy		= mcfab_upload_get_nl_policy,
		.maxattr	= MCFAB_A_UPLOAD_TYPE,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= MCFAB_CMD_RUN_START,
		.doit		= mcfab_nl_run_start_doit,
		.policy		= mcfab_run_start_nl_policy,
		.maxattr	= MCFAB_A_RUN_FRAMES_MB,
		.flags		= GENL_ADMIN_PERM | GENL_CMD_CAP_DO,
	},
	{
		.cmd		= MCFAB_CMD_RUN_STOP,
		.doit		= mcfab_nl_run_stop_doit,
		.policy		= mcfab_run_stop_nl_policy,
		.maxattr	= MCFAB_A_RUN_FABRIC,
		.flags		= GENL_ADMIN_PERM | GENL_CMD_CAP_DO,
	},
	{
		.cmd		= MCFAB_CMD_RUN_GET,
		.pre_doit	= mcfab_nl_hold_pre,
		.doit		= mcfab_nl_run_get_doit,
		.post_doit	= mcfab_nl_hold_post,
		.policy		= mcfab_run_get_nl_policy,
		.maxattr	= MCFAB_A_RUN_FABRIC,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd	= MCFAB_CMD_RUN_GET,
		.dumpit	= mcfab_nl_run_get_dumpit,
		.flags	= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= MCFAB_CMD_DEADLOCK_GET,
		.pre_doit	= mcfab_nl_hold_pre,
		.doit		= mcfab_nl_deadlock_get_doit,
		.post_doit	= mcfab_nl_hold_post,
		.policy		= mcfab_deadlock_get_nl_policy,
		.maxattr	= MCFAB_A_DEADLOCK_FABRIC,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= MCFAB_CMD_STATS_GET,
		.pre_doit	= mcfab_nl_hold_pre,
		.doit		= mcfab_nl_stats_get_doit,
		.post_doit	= mcfab_nl_hold_post,
		.policy		= mcfab_stats_get_nl_policy,
		.maxattr	= MCFAB_A_STATS_FABRIC,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= MCFAB_CMD_LINK_GET,
		.dumpit		= mcfab_nl_link_get_dumpit,
		.policy		= mcfab_link_get_nl_policy,
		.maxattr	= MCFAB_A_LINK_FABRIC,
		.flags		= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= MCFAB_CMD_NODE_LOAD_GET,
		.dumpit		= mcfab_nl_node_load_get_dumpit,
		.policy		= mcfab_node_load_get_nl_policy,
		.maxattr	= MCFAB_A_NODE_LOAD_FABRIC,
		.flags		= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= MCFAB_CMD_BATCH_GET,
		.dumpit		= mcfab_nl_batch_get_dumpit,
		.policy		= mcfab_batch_get_nl_policy,
		.maxattr	= MCFAB_A_BATCH_FABRIC,
		.flags		= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= MCFAB_CMD_HISTOGRAM_GET,
		.dumpit		= mcfab_nl_histogram_get_dumpit,
		.policy		= mcfab_histogram_get_nl_policy,
		.maxattr	= MCFAB_A_BUCKET_FABRIC,
		.flags		= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= MCFAB_CMD_STATS_RESET,
		.pre_doit	= mcfab_nl_idle_pre,
		.doit		= mcfab_nl_stats_reset_doit,
		.post_doit	= mcfab_nl_lock_post,
		.policy		= mcfab_stats_reset_nl_policy,
		.maxattr	= MCFAB_A_STATS_FABRIC,
		.flags		= GENL_ADMIN_PERM | GENL_CMD_CAP_DO,
	},
	{
		.cmd		= MCFAB_CMD_GROUP_NEW,
		.doit		= mcfab_nl_group_new_doit,
		.policy		= mcfab_group_new_nl_policy,
		.maxattr	= MCFAB_A_GROUP_ADDRESS,
		.flags		= GENL_ADMIN_PERM | GENL_CMD_CAP_DO,
	},
	{
		.cmd		= MCFAB_CMD_GROUP_DEL,
		.doit		= mcfab_nl_group_del_doit,
		.policy		= mcfab_group_del_nl_policy,
		.maxattr	= MCFAB_A_GROUP_NAME,
		.flags		= GENL_ADMIN_PERM | GENL_CMD_CAP_DO,
	},
	{
		.cmd		= MCFAB_CMD_GROUP_JOIN,
		.doit		= mcfab_nl_group_join_doit,
		.policy		= mcfab_group_join_nl_policy,
		.maxattr	= MCFAB_A_GROUP_MEMBERS,
		.flags		= GENL_ADMIN_PERM | GENL_CMD_CAP_DO,
	},
	{
		.cmd		= MCFAB_CMD_GROUP_LEAVE,
		.doit		= mcfab_nl_group_leave_doit,
		.policy		= mcfab_group_leave_nl_policy,
		.maxattr	= MCFAB_A_GROUP_MEMBERS,
		.flags		= GENL_ADMIN_PERM | GENL_CMD_CAP_DO,
	},
	{
		.cmd		= MCFAB_CMD_GROUP_ASSIGN,
		.doit		= mcfab_nl_group_assign_doit,
		.policy		= mcfab_group_assign_nl_policy,
		.maxattr	= MCFAB_A_GROUP_SOURCE,
		.flags		= GENL_ADMIN_PERM | GENL_CMD_CAP_DO,
	},
	{
		.cmd		= MCFAB_CMD_GROUP_GET,
		.doit		= mcfab_nl_group_get_doit,
		.policy		= mcfab_group_get_do_nl_policy,
		.maxattr	= MCFAB_A_GROUP_SOURCE,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= MCFAB_CMD_GROUP_GET,
		.dumpit		= mcfab_nl_group_get_dumpit,
		.policy		= mcfab_group_get_dump_nl_policy,
		.maxattr	= MCFAB_A_GROUP_NAME,
		.flags		= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= MCFAB_CMD_TABLE_GET,
		.dumpit		= mcfab_nl_table_get_dumpit,
		.policy		= mcfab_table_get_nl_policy,
		.maxattr	= MCFAB_A_TABLE_LANES,
		.flags		= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= MCFAB_CMD_TABLE_SET,
		.doit		= mcfab_nl_table_set_doit,
		.policy		= mcfab_table_set_nl_policy,
		.maxattr	= MCFAB_A_TABLE_ENTRY,
		.flags		= GENL_ADMIN_PERM | GENL_CMD_CAP_DO,
	},
	{
		.cmd		= MCFAB_CMD_TABLE_BEGIN,
		.doit		= mcfab_nl_table_begin_doit,
		.policy		= mcfab_table_begin_nl_policy,
		.maxattr	= MCFAB_A_TABLE_FABRIC,
		.flags		= GENL_ADMIN_PERM | GENL_CMD_CAP_DO,
	},
	{
		.cmd		= MCFAB_CMD_TABLE_APPEND,
		.doit		= mcfab_nl_table_append_doit,
		.policy		= mcfab_table_append_nl_policy,
		.maxattr	= MCFAB_A_TABLE_ENTRY,
		.flags		= GENL_ADMIN_PERM | GENL_CMD_CAP_DO,
	},
	{
		.cmd		= MCFAB_CMD_TABLE_COMMIT,
		.doit		= mcfab_nl_table_commit_doit,
		.policy		= mcfab_table_commit_nl_policy,
		.maxattr	= MCFAB_A_TABLE_FORCE,
		.flags		= GENL_ADMIN_PERM | GENL_CMD_CAP_DO,
	},
	{
		.cmd		= MCFAB_CMD_TABLE_ABORT,
		.doit		= mcfab_nl_table_abort_doit,
		.policy		= mcfab_table_abort_nl_policy,
		.maxattr	= MCFAB_A_TABLE_FABRIC,
		.flags		= GENL_ADMIN_PERM | GENL_CMD_CAP_DO,
	},
	{
		.cmd		= MCFAB_CMD_TABLE_CHECK,
		.start		= mcfab_nl_table_check_start,
		.dumpit		= mcfab_nl_table_check_dumpit,
		.done		= mcfab_nl_table_check_done,
		.policy		= mcfab_table_check_nl_policy,
		.maxattr	= MCFAB_A_TABLE_STAGED,
		.flags		= GENL_ADMIN_PERM | GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= MCFAB_CMD_GRAPH_BEGIN,
		.doit		= mcfab_nl_graph_begin_doit,
		.policy		= mcfab_graph_begin_nl_policy,
		.maxattr	= MCFAB_A_GRAPH_ROOT,
		.flags		= GENL_ADMIN_PERM | GENL_CMD_CAP_DO,
	},
	{
		.cmd		= MCFAB_CMD_GRAPH_APPEND,
		.doit		= mcfab_nl_graph_append_doit,
		.policy		= mcfab_graph_append_nl_policy,
		.maxattr	= MCFAB_A_GRAPH_LINK,
		.flags		= GENL_ADMIN_PERM | GENL_CMD_CAP_DO,
	},
	{
		.cmd		= MCFAB_CMD_GRAPH_DISCARD,
		.doit		= mcfab_nl_graph_discard_doit,
		.policy		= mcfab_graph_discard_nl_policy,
		.maxattr	= MCFAB_A_GRAPH_FABRIC,
		.flags		= GENL_ADMIN_PERM | GENL_CMD_CAP_DO,
	},
	{
		.cmd		= MCFAB_CMD_GRAPH_GET,
		.dumpit		= mcfab_nl_graph_get_dumpit,
		.policy		= mcfab_graph_get_nl_policy,
		.maxattr	= MCFAB_A_GRAPH_FABRIC,
		.flags		= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= MCFAB_CMD_ROUTE_GET,
		.dumpit		= mcfab_nl_route_get_dumpit,
		.policy		= mcfab_route_get_nl_policy,
		.maxattr	= MCFAB_A_ROUTE_TO,
		.flags		= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= MCFAB_CMD_FAULT_SET,
		.doit		= mcfab_nl_fault_set_doit,
		.policy		= mcfab_fault_set_nl_policy,
		.maxattr	= MCFAB_A_FAULT_STATE,
		.flags		= GENL_ADMIN_PERM | GENL_CMD_CAP_DO,
	},
	{
		.cmd		= MCFAB_CMD_FAULT_GET,
		.dumpit		= mcfab_nl_fault_get_dumpit,
		.policy		= mcfab_fault_get_nl_policy,
		.maxattr	= MCFAB_A_FAULT_FABRIC,
		.flags		= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= MCFAB_CMD_FABRIC_SET,
		.doit		= mcfab_nl_fabric_set_doit,
		.policy		= mcfab_fabric_set_nl_policy,
		.maxattr	= MCFAB_A_FABRIC_CPUS,
		.flags		= GENL_ADMIN_PERM | GENL_CMD_CAP_DO,
	},
	{
		.cmd		= MCFAB_CMD_SOURCE_LOAD_GET,
		.dumpit		= mcfab_nl_source_load_get_dumpit,
		.policy		= mcfab_source_load_get_nl_policy,
		.maxattr	= MCFAB_A_SOURCE_LOAD_FABRIC,
		.flags		= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= MCFAB_CMD_ARRIVAL_GET,
		.dumpit		= mcfab_nl_arrival_get_dumpit,
		.policy		= mcfab_arrival_get_nl_policy,
		.maxattr	= MCFAB_A_ARRIVAL_FABRIC,
		.flags		= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= MCFAB_CMD_PORT_GET,
		.dumpit		= mcfab_nl_port_get_dumpit,
		.policy		= mcfab_port_get_nl_policy,
		.maxattr	= MCFAB_A_PORT_FABRIC,
		.flags		= GENL_CMD_CAP_DUMP,
	},
};

static const struct genl_multicast_group mcfab_nl_mcgrps[] = {
	[MCFAB_NLGRP_MGMT] = { "mgmt", },
};

struct genl_family mcfab_nl_family __ro_after_init = {
	.name		= MCFAB_FAMILY_NAME,
	.version	= MCFAB_FAMILY_VERSION,
	.netnsok	= true,
	.parallel_ops	= true,
	.module		= THIS_MODULE,
	.split_ops	= mcfab_nl_ops,
	.n_split_ops	= ARRAY_SIZE(mcfab_nl_ops),
	.mcgrps		= mcfab_nl_mcgrps,
	.n_mcgrps	= ARRAY_SIZE(mcfab_nl_mcgrps),
};
