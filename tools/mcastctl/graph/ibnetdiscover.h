/* SPDX-License-Identifier: GPL-2.0 */
/* A file of ibnetdiscover: its lines (ibnetdiscover.c), and the graph (ibnetdiscover_build.c). */
#ifndef MCASTCTL_GRAPH_IBNETDISCOVER_H
#define MCASTCTL_GRAPH_IBNETDISCOVER_H

#include "graph/graph.h"
#include "graph/speed.h"

/** struct ib_node - a switch, or a channel adapter */
struct ib_node {
	u64 guid;
	u32 ports;
	u32 lid;		/* of a switch */
	u32 line;
	u32 number;		/* switch in the graph */
	bool is_switch;
	char *name;
};

/** struct ib_end - a line about a port, one end of a link */
struct ib_end {
	u32 node;
	u32 port;
	u64 guid;		/* of this port (channel adapters) */
	u32 lid;		/* of this port (channel adapters) */
	u32 lmc;		/* likewise */
	bool to_switch;
	u64 peer_node;		/* GUID */
	u32 peer_port;
	u64 peer_guid;		/* of the peer's port, 0: not said */
	u32 peer_lid;		/* 0: not said */
	struct speed speed;	/* of the link */
	u32 line;
};

/** struct ib_file - the lines of a file */
struct ib_file {
	struct ib_node *node;
	struct ib_end *end;
	u32 *by_guid;		/* nodes in the order of their GUIDs */
	u32 nodes, ends;
	u32 node_room, end_room;
	bool lmc_told;
	bool stray_told;
};

/* Make the graph of the lines; what does not fit together is refused by its line in @path. */
enum status ib_build(struct ib_file *file, const char *path, struct graph *g);

#endif
