// SPDX-License-Identifier: GPL-2.0
/* Who is who in the subnet of a fabric. Networks come as graphs, LIDs from the kernel. */
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>

#include "ask/lookup.h"
#include "base/table.h"
#include "netlink/attrs.h"
#include "netlink/keyword.h"
#include "tables/subnet.h"

#define PORTS	MCFAB_GRAPH_PORTS_MAX

static void put_fabric(struct nl_request *rq, const void *what)
{
	nl_put_str(rq, MCFAB_A_TABLE_FABRIC, what, nl_where("fabric", what));
}

/* One entry of each switch is enough to learn its LID. */
static void put_switches(struct nl_request *rq, const void *what)
{
	const struct nl_where nowhere = { 0 };

	put_fabric(rq, what);
	nl_put_u32(rq, MCFAB_A_TABLE_KIND, MCFAB_TABLE_KIND_LFT, nowhere);
	nl_put_u32(rq, MCFAB_A_TABLE_LID, 1, nowhere);
}

static enum status take_switch(const struct nlmsghdr *nlh, void *data)
{
	const struct nlattr *attr[MCFAB_A_TABLE_ENTRY_SWITCH_LID + 1];
	const struct nlattr *top[MCFAB_A_TABLE_ENTRY + 1];
	struct graph *g = data;
	u64 sw;

	attr_index(nlh, top, ARRAY_SIZE(top));
	if (!top[MCFAB_A_TABLE_ENTRY])
		return STATUS_OK;
	attr_index_nest(top[MCFAB_A_TABLE_ENTRY], attr, ARRAY_SIZE(attr));
	if (!attr[MCFAB_A_TABLE_ENTRY_SWITCH] || !attr[MCFAB_A_TABLE_ENTRY_SWITCH_LID])
		return STATUS_OK;
	sw = nl_attr_uint(attr[MCFAB_A_TABLE_ENTRY_SWITCH]);
	if (sw < g->switches)
		g->sw[sw].lid = nl_attr_uint(attr[MCFAB_A_TABLE_ENTRY_SWITCH_LID]);
	return STATUS_OK;
}

static void put_nodes(struct nl_request *rq, const void *what)
{
	nl_put_str(rq, MCFAB_A_NODE_FABRIC, what, nl_where("fabric", what));
}

static enum status take_host(const struct nlmsghdr *nlh, void *data)
{
	const struct nlattr *attr[MCFAB_A_NODE_LID + 1];
	struct graph *g = data;
	u64 node;

	attr_index(nlh, attr, ARRAY_SIZE(attr));
	if (!attr[MCFAB_A_NODE_NODE] || !attr[MCFAB_A_NODE_LID])
		return STATUS_OK;
	node = nl_attr_uint(attr[MCFAB_A_NODE_NODE]);
	if (node < g->hosts)
		g->host[node].lid = nl_attr_uint(attr[MCFAB_A_NODE_LID]);
	return STATUS_OK;
}

/* LIDs do not change while a fabric lives: what comes twice comes the same. */
static void keep(void *data)
{
	(void)data;
}

static enum status read_lids(const char *fabric, struct graph *g)
{
	const struct dump_request switches = {
		.cmd = MCFAB_CMD_TABLE_GET, .put = put_switches, .what = fabric,
		.reply = take_switch, .reset = keep, .data = g,
	}, hosts = {
		.cmd = MCFAB_CMD_NODE_GET, .put = put_nodes, .what = fabric,
		.reply = take_host, .reset = keep, .data = g,
	};
	enum status status;

	status = ask_dump(&switches);
	return status ? status : ask_dump(&hosts);
}

static void set_peer(struct subnet *s, u32 sw, u32 port, u32 owner)
{
	if (sw < s->graph.switches && port < PORTS)
		s->peer[(size_t)sw * PORTS + port] = owner;
}

static void set_owner(struct subnet *s, u32 lid, u32 owner)
{
	if (lid && lid <= GRAPH_LID_MAX)
		s->owner[lid] = owner;
}

/** struct order - what compare_guids() needs to know */
struct order {
	const struct subnet *s;
	u64 (*guid)(const struct subnet *s, u32 owner);
};

/* The GUID of a host's channel adapter, 0: not known. */
static u64 adapter_guid(const struct subnet *s, u32 host)
{
	return s->graph.host[host].node_guid;
}

static int compare_guids(const void *a, const void *b, void *data)
{
	const struct order *order = data;
	const u32 *x = a, *y = b;
	u64 gx = order->guid(order->s, *x), gy = order->guid(order->s, *y);

	return gx < gy ? -1 : gx > gy;
}

/* Owners from @first on in the order of their GUIDs. */
static u32 *make_order(const struct subnet *s, u32 first, u32 n,
		       u64 (*guid)(const struct subnet *s, u32 owner))
{
	struct order order = { s, guid };
	u32 *owner = xcalloc(n, sizeof(*owner));

	for (u32 i = 0; i < n; i++)
		owner[i] = first + i;
	qsort_r(owner, n, sizeof(*owner), compare_guids, &order);
	return owner;
}

/* The only one of @n ordered owners with a GUID, else SUBNET_NOBODY. */
static u32 find_guid(const struct subnet *s, const u32 *owner, u32 n, u64 guid,
		     u64 (*guid_of)(const struct subnet *s, u32 owner))
{
	u32 low = 0, high = n;

	while (low < high) {
		u32 mid = low + (high - low) / 2;

		if (guid_of(s, owner[mid]) < guid)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == n || guid_of(s, owner[low]) != guid ||
	    (low + 1 < n && guid_of(s, owner[low + 1]) == guid))
		return SUBNET_NOBODY;
	return owner[low];
}

static void index_all(struct subnet *s)
{
	const struct graph *g = &s->graph;

	s->owner = xcalloc(GRAPH_LID_MAX + 1, sizeof(*s->owner));
	s->peer = xcalloc((size_t)g->switches * PORTS, sizeof(*s->peer));
	memset(s->owner, 0xff, (GRAPH_LID_MAX + 1) * sizeof(*s->owner));
	memset(s->peer, 0xff, (size_t)g->switches * PORTS * sizeof(*s->peer));
	for (u32 i = 0; i < g->switches; i++) {
		set_owner(s, g->sw[i].lid, i | SUBNET_SWITCH);
		set_peer(s, i, 0, i | SUBNET_SWITCH);
	}
	for (u32 i = 0; i < g->hosts; i++) {
		for (u32 k = 0; g->host[i].lid && k < 1u << g->host[i].lmc; k++)
			set_owner(s, g->host[i].lid + k, i);
		set_peer(s, g->host[i].at, g->host[i].port, i);
	}
	for (u32 i = 0; i < g->links; i++) {
		const struct graph_link *link = &g->link[i];

		set_peer(s, link->a, link->port_a, link->b | SUBNET_SWITCH);
		set_peer(s, link->b, link->port_b, link->a | SUBNET_SWITCH);
	}
	s->switch_by_guid = make_order(s, SUBNET_SWITCH, g->switches, subnet_guid);
	s->host_by_guid = make_order(s, 0, g->hosts, subnet_guid);
	s->host_by_adapter = make_order(s, 0, g->hosts, adapter_guid);
}

enum status subnet_read(struct json_object *fabric, struct subnet *s)
{
	const char *name = get_str(fabric, "name");
	enum status status;

	memset(s, 0, sizeof(*s));
	if (strcmp(get_str(fabric, "addressing"), "lid"))
		return refused("fabric %s: it has no LIDs; make it with \"addressing lid\"", name);
	status = graph_fetch(fabric, &s->graph);
	if (!status)
		status = read_lids(name, &s->graph);
	if (!status)
		index_all(s);
	return status;
}

void subnet_free(struct subnet *s)
{
	graph_free(&s->graph);
	free(s->owner);
	free(s->peer);
	free(s->switch_by_guid);
	free(s->host_by_guid);
	free(s->host_by_adapter);
	memset(s, 0, sizeof(*s));
}

u32 subnet_switch(const struct subnet *s, u64 guid, u32 lid)
{
	u32 owner = find_guid(s, s->switch_by_guid, s->graph.switches, guid, subnet_guid);

	if (owner == SUBNET_NOBODY)
		owner = subnet_owner(s, lid);
	return owner != SUBNET_NOBODY && owner & SUBNET_SWITCH ? owner & ~SUBNET_SWITCH :
								 GRAPH_NONE;
}

u32 subnet_host(const struct subnet *s, u64 guid)
{
	u32 owner = find_guid(s, s->host_by_guid, s->graph.hosts, guid, subnet_guid);

	if (owner == SUBNET_NOBODY && guid)
		owner = find_guid(s, s->host_by_adapter, s->graph.hosts, guid, adapter_guid);
	return owner;
}

u32 subnet_owner(const struct subnet *s, u32 lid)
{
	return lid <= GRAPH_LID_MAX ? s->owner[lid] : SUBNET_NOBODY;
}

const char *subnet_name(const struct subnet *s, u32 owner)
{
	const char *name = NULL;

	if (owner == SUBNET_NOBODY)
		return "";
	if (owner & SUBNET_SWITCH)
		name = s->graph.sw[owner & ~SUBNET_SWITCH].name;
	else
		name = s->graph.host[owner].name;
	return name ? name : "";
}

u64 subnet_guid(const struct subnet *s, u32 owner)
{
	return owner & SUBNET_SWITCH ? graph_switch_guid(&s->graph, owner & ~SUBNET_SWITCH) :
				       graph_host_guid(&s->graph, owner);
}

void subnet_port(const struct subnet *s, u32 sw, u32 port, char *buf, size_t len)
{
	u32 peer = port < PORTS ? s->peer[(size_t)sw * PORTS + port] : SUBNET_NOBODY;

	if (peer == SUBNET_NOBODY)
		snprintf(buf, len, "%u:-", port);
	else if (!(peer & SUBNET_SWITCH))
		snprintf(buf, len, "%u:host", port);
	else if (peer == (sw | SUBNET_SWITCH))
		snprintf(buf, len, "%u:self", port);
	else
		snprintf(buf, len, "%u:%u", port, peer & ~SUBNET_SWITCH);
}
