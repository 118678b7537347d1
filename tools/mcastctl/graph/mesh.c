// SPDX-License-Identifier: GPL-2.0
/*
 * A mesh with addressing lid, as its subnet looks from outside: ports of a switch lead east,
 * north, west, south and to the host; LIDs go up the columns.
 */
#include "graph/graph.h"

void graph_mesh(struct graph *g, u32 x, u32 y, const u32 port[MESH_PORTS])
{
	graph_init(g);
	for (u32 i = 0; i < x * y; i++) {
		u32 at = i % x, row = i / x, lid = at * y + row + 1;
		struct graph_switch *sw = graph_switch(g, i);
		struct graph_host *host = graph_host(g, i);

		sw->ports = MESH_PORTS + 1;
		sw->lid = x * y + lid;
		sw->name = xasprintf("switch (%u,%u)", at, row);
		host->at = i;
		host->port = port[MESH_HOST];
		host->lid = lid;
		host->name = xasprintf("host (%u,%u)", at, row);
		if (at + 1 < x)
			*graph_link(g) = (struct graph_link){
				.a = i, .port_a = port[MESH_EAST],
				.b = i + 1, .port_b = port[MESH_WEST],
			};
		if (row + 1 < y)
			*graph_link(g) = (struct graph_link){
				.a = i, .port_a = port[MESH_NORTH],
				.b = i + x, .port_b = port[MESH_SOUTH],
			};
	}
}
