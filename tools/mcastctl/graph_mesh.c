// SPDX-License-Identifier: GPL-2.0
/*
 * A mesh with addressing lid, as its subnet looks from outside: ports 1 to 4 of a switch
 * lead east, north, west and south, the host is on port 5; LIDs go down the columns.
 */
#include "graph.h"

enum { EAST = 1, NORTH, WEST, SOUTH, HOST, PORTS };

void graph_mesh(struct graph *g, u32 x, u32 y)
{
	graph_init(g);
	for (u32 i = 0; i < x * y; i++) {
		u32 at = i % x, row = i / x, lid = at * y + row + 1;
		struct graph_switch *sw = graph_switch(g, i);
		struct graph_host *host = graph_host(g, i);

		sw->ports = PORTS;
		sw->lid = x * y + lid;
		sw->name = xasprintf("switch (%u,%u)", at, row);
		host->at = i;
		host->port = HOST;
		host->lid = lid;
		host->name = xasprintf("host (%u,%u)", at, row);
		if (at + 1 < x)
			*graph_link(g) = (struct graph_link){ i, EAST, i + 1, WEST, 0 };
		if (row + 1 < y)
			*graph_link(g) = (struct graph_link){ i, NORTH, i + x, SOUTH, 0 };
	}
}
