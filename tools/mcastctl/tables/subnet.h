/* SPDX-License-Identifier: GPL-2.0 */
/* Who is who in the subnet of a fabric: LIDs, GUIDs, what is behind the ports. */
#ifndef MCASTCTL_SUBNET_H
#define MCASTCTL_SUBNET_H

#include "graph/graph.h"

/* Something with a LID: a host by its number, a switch by its number and this, or nobody. */
#define SUBNET_SWITCH	0x80000000u
#define SUBNET_NOBODY	GRAPH_NONE

/** struct subnet - a fabric with LIDs */
struct subnet {
	struct graph graph;		/* with the LIDs that the kernel gave */
	u32 *owner;			/* [GRAPH_LID_MAX + 1] who has a LID */
	u32 *peer;			/* [switches * ports] who is behind a port */
	u32 *switch_by_guid;		/* [switches] owners, ordered by their GUIDs */
	u32 *host_by_guid;		/* [hosts] the same */
	u32 *host_by_adapter;		/* [hosts] ordered by the GUIDs of their adapters */
};

struct json_object;

/* The subnet of a fabric, whose object lookup_fabric() gave; refusals are printed. */
enum status subnet_read(struct json_object *fabric, struct subnet *s);
void subnet_free(struct subnet *s);

/* The switch with a GUID, else the one with a LID, else GRAPH_NONE. */
u32 subnet_switch(const struct subnet *s, u64 guid, u32 lid);
/* The host whose port has a GUID, else the only one whose adapter has it, else GRAPH_NONE. */
u32 subnet_host(const struct subnet *s, u64 guid);
u32 subnet_owner(const struct subnet *s, u32 lid);
const char *subnet_name(const struct subnet *s, u32 owner);
u64 subnet_guid(const struct subnet *s, u32 owner);
/* A port as users see it, "3:11" towards switch 11, "5:host", "0:self", "7:-". */
void subnet_port(const struct subnet *s, u32 sw, u32 port, char *buf, size_t len);

#endif
