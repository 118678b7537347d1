/* SPDX-License-Identifier: GPL-2.0 */
/* Random irregular networks, the same from the same seed on every machine. */
#ifndef MCFAB_TOPOLOGY_GENERATE_H
#define MCFAB_TOPOLOGY_GENERATE_H

#include "topology/graph.h"

/** MCFAB_CONNECTIVITY - default of mcfab_generate.connectivity */
#define MCFAB_CONNECTIVITY	80

/**
 * struct mcfab_generate - a network to be generated
 * @switches: how many, 1 .. MCFAB_GRAPH_SWITCHES_MAX
 * @ports: of each switch, 1 .. MCFAB_GRAPH_PORTS_MAX
 * @hosts: how many, 1 .. MCFAB_MAX_NODES
 * @connectivity: share of the ports left over by hosts that have links, in percent, 1 .. 100
 * @seed: of its random numbers
 * @first: number of each switch's first port: 0, or 1 where port 0 is the switch itself; changes
 *	   nothing else
 */
struct mcfab_generate {
	u32 switches;
	u32 ports;
	u32 hosts;
	u32 connectivity;
	u64 seed;
	u32 first;
};

int mcfab_generate_links(const struct mcfab_generate *gen, u32 *links, struct mcfab_err *err);
int mcfab_generate_fill(const struct mcfab_generate *gen, struct mcfab_graph *graph,
			struct mcfab_err *err);

#endif
