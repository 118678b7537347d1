// SPDX-License-Identifier: GPL-2.0
/* Options of a fabric that are plain numbers: taken when it is made, shown as they are. */
#include "control/nl.h"

#define OPTION(attribute, member)					\
	MCFAB_NL_FIELD(MCFAB_A_FABRIC_##attribute, struct mcfab_fabric_cfg, member)

const struct mcfab_nl_field mcfab_nl_fabric_fields[] = {
	OPTION(VCS, vcs),
	OPTION(BUFFER, buffer),
	OPTION(SWITCHING, switching),
	OPTION(REPLICATION, replication),
	OPTION(VC_RELEASE, vc_release),
	OPTION(LINK_ARBITRATION, link_arbitration),
	OPTION(INPUT_SPEEDUP, input_speedup),
	OPTION(NODE_BANDWIDTH, node_bandwidth),
	OPTION(PIPELINE, pipeline),
	OPTION(ALLOCATOR, allocator),
	OPTION(INJECT_DELAY, inject_delay),
	OPTION(ROUTE_DELAY, route_delay),
	OPTION(LINK_DELAY, link_delay),
	OPTION(CONSUME_DELAY, consume_delay),
	OPTION(CREDIT_DELAY, credit_delay),
	OPTION(STARTUP, startup),
	OPTION(CYCLE_PS, cycle_ps),
	OPTION(FLIT_BYTES, flit_bytes),
	OPTION(STALL_LIMIT, stall_limit),
};

const u32 mcfab_nl_fabric_nfields = ARRAY_SIZE(mcfab_nl_fabric_fields);
