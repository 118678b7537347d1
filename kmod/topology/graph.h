/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A network as a list of switches, hosts and links. An irregular topology is made from it; it also
 * has what is known of the network beside its links.
 */
#ifndef MCFAB_TOPOLOGY_GRAPH_H
#define MCFAB_TOPOLOGY_GRAPH_H

#include "base/types.h"

/** MCFAB_GRAPH_NAME - longest description of a switch or host, with its NUL */
#define MCFAB_GRAPH_NAME	(MCFAB_GRAPH_NAME_MAX + 1)

/**
 * struct mcfab_graph_switch - a switch
 * @guid: InfiniBand GUID, 0: none
 * @lid: InfiniBand LID of the switch itself, 0: none
 * @ports: its ports are 0 .. @ports - 1; of an InfiniBand switch, port 0 is
 *	   management and joins nothing
 * @name: description, may be empty
 */
struct mcfab_graph_switch {
	u64 guid;
	u16 lid;
	u8 ports;
	char name[MCFAB_GRAPH_NAME];
};

/**
 * struct mcfab_graph_host - a host, that is a node
 * @guid: InfiniBand GUID of its port, 0: none
 * @node_guid: GUID of the channel adapter of that port, 0: none; hosts may share it
 * @at: its switch
 * @lid: InfiniBand LID, 0: none
 * @port: port of that switch
 * @node_port: port of the channel adapter, 0: not given
 * @lmc: it has 2^@lmc LIDs, from @lid on, which is a multiple of that; 0 .. MCFAB_LMC_MAX
 * @pace: cycles that its link takes for a flit to the switch, 1 .. MCFAB_MAX_FLIT_CYCLES; 0: one
 * @pace_back: likewise from the switch to the host
 * @aggregation: an aggregation node of the network, which takes part in no traffic by default
 * @name: description, may be empty
 */
struct mcfab_graph_host {
	u64 guid;
	u64 node_guid;
	u32 at;
	u16 lid;
	u8 port;
	u8 node_port;
	u8 lmc;
	u8 pace;
	u8 pace_back;
	bool aggregation;
	char name[MCFAB_GRAPH_NAME];
};

/** mcfab_graph_host_lids() - number of LIDs of a host; context: any */
static inline u32 mcfab_graph_host_lids(const struct mcfab_graph_host *host)
{
	return BIT(host->lmc);
}

/**
 * struct mcfab_graph_link - a link between two switches
 * @a: one switch
 * @b: the other
 * @port_a: port of @a
 * @port_b: port of @b
 * @delay: cycles of a flit from @a to @b, 1 .. MCFAB_MAX_DELAY; 0: the fabric's link-delay
 * @delay_back: likewise from @b to @a
 * @pace: cycles that the link takes for a flit from @a to @b, 1 .. MCFAB_MAX_FLIT_CYCLES; 0: one
 * @pace_back: likewise from @b to @a
 */
struct mcfab_graph_link {
	u32 a;
	u32 b;
	u8 port_a;
	u8 port_b;
	u8 delay;
	u8 delay_back;
	u8 pace;
	u8 pace_back;
};

/**
 * struct mcfab_graph - a network
 * @switches: how many
 * @hosts: how many
 * @links: how many
 * @root: switch at which a spanning tree may start; MCFAB_NONE: not given
 * @sw: [@switches] routers of the fabric
 * @host: [@hosts] nodes of the fabric
 * @link: [@links]
 */
struct mcfab_graph {
	u32 switches;
	u32 hosts;
	u32 links;
	u32 root;
	struct mcfab_graph_switch *sw;
	struct mcfab_graph_host *host;
	struct mcfab_graph_link *link;
};

u64 mcfab_graph_bytes(u32 switches, u32 hosts, u32 links);
struct mcfab_graph *mcfab_graph_place(void *mem, u32 switches, u32 hosts, u32 links);
struct mcfab_graph *mcfab_graph_copy(void *mem, const struct mcfab_graph *graph);
int mcfab_graph_check(const struct mcfab_graph *graph, struct mcfab_err *err);
u32 mcfab_graph_longest(const struct mcfab_graph *graph);
u32 mcfab_graph_slowest(const struct mcfab_graph *graph);
bool mcfab_graph_slow_hosts(const struct mcfab_graph *graph);

#endif
