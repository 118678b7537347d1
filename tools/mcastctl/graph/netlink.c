// SPDX-License-Identifier: GPL-2.0
/* Graphs on their way to the kernel and back. */
#include <linux/mcfab.h>
#include <string.h>

#include "ask/lookup.h"
#include "base/table.h"
#include "graph/graph.h"
#include "netlink/attrs.h"
#include "netlink/keyword.h"

/* Elements in one message: far below what a socket takes. */
#define PER_MESSAGE	200

static const struct nl_where nowhere;

static void begin(struct nl_request *rq, u8 cmd, const char *fabric)
{
	nl_request_init(rq, cmd, false);
	nl_put_str(rq, MCFAB_A_GRAPH_FABRIC, fabric, nl_where("fabric", fabric));
}

static enum status announce(const char *fabric, const struct graph *g)
{
	struct nl_request rq;
	enum status status;

	begin(&rq, MCFAB_CMD_GRAPH_BEGIN, fabric);
	nl_put_u32(&rq, MCFAB_A_GRAPH_SWITCHES, g->switches, nl_where("switches", NULL));
	nl_put_u32(&rq, MCFAB_A_GRAPH_HOSTS, g->hosts, nl_where("hosts", NULL));
	nl_put_u32(&rq, MCFAB_A_GRAPH_LINKS, g->links, nl_where("links", NULL));
	if (g->root != GRAPH_NONE)
		nl_put_u32(&rq, MCFAB_A_GRAPH_ROOT, g->root, nl_where("root", NULL));
	status = nl_talk(&rq, NULL, NULL);
	nl_request_free(&rq);
	return status;
}

static void put_switch(struct nl_request *rq, const struct graph *g, u32 i)
{
	const struct graph_switch *sw = &g->sw[i];
	size_t nest = nl_nest(rq, MCFAB_A_GRAPH_SWITCH, nl_where("switch", NULL));

	nl_put_u32(rq, MCFAB_A_GRAPH_SWITCH_PORTS, sw->ports, nowhere);
	if (sw->guid)
		nl_put_uint(rq, MCFAB_A_GRAPH_SWITCH_GUID, sw->guid, nowhere);
	if (sw->lid)
		nl_put_u32(rq, MCFAB_A_GRAPH_SWITCH_LID, sw->lid, nowhere);
	if (sw->name)
		nl_put_str(rq, MCFAB_A_GRAPH_SWITCH_NAME, sw->name, nowhere);
	nl_nest_end(rq, nest);
}

/* 0 is left out: it stands for what holds for all links */
static void put_some(struct nl_request *rq, u32 attr, u32 value)
{
	if (value)
		nl_put_u32(rq, attr, value, nowhere);
}

static void put_host(struct nl_request *rq, const struct graph *g, u32 i)
{
	const struct graph_host *host = &g->host[i];
	size_t nest = nl_nest(rq, MCFAB_A_GRAPH_HOST, nl_where("host", NULL));

	nl_put_u32(rq, MCFAB_A_GRAPH_HOST_SWITCH, host->at, nowhere);
	nl_put_u32(rq, MCFAB_A_GRAPH_HOST_PORT, host->port, nowhere);
	if (host->guid)
		nl_put_uint(rq, MCFAB_A_GRAPH_HOST_GUID, host->guid, nowhere);
	if (host->lid)
		nl_put_u32(rq, MCFAB_A_GRAPH_HOST_LID, host->lid, nowhere);
	if (host->name)
		nl_put_str(rq, MCFAB_A_GRAPH_HOST_NAME, host->name, nowhere);
	if (host->node_guid)
		nl_put_uint(rq, MCFAB_A_GRAPH_HOST_NODE_GUID, host->node_guid, nowhere);
	if (host->node_port)
		nl_put_u32(rq, MCFAB_A_GRAPH_HOST_NODE_PORT, host->node_port, nowhere);
	if (host->lmc)
		nl_put_u32(rq, MCFAB_A_GRAPH_HOST_LMC, host->lmc, nowhere);
	if (host->aggregation)
		nl_put_flag(rq, MCFAB_A_GRAPH_HOST_AGGREGATION, nowhere);
	put_some(rq, MCFAB_A_GRAPH_HOST_FLIT_CYCLES, host->way.cycles);
	put_some(rq, MCFAB_A_GRAPH_HOST_FLIT_CYCLES_BACK, host->back.cycles);
	nl_nest_end(rq, nest);
}

static void put_link(struct nl_request *rq, const struct graph *g, u32 i)
{
	const struct graph_link *link = &g->link[i];
	size_t nest = nl_nest(rq, MCFAB_A_GRAPH_LINK, nl_where("link", NULL));

	nl_put_u32(rq, MCFAB_A_GRAPH_LINK_SWITCH, link->a, nowhere);
	nl_put_u32(rq, MCFAB_A_GRAPH_LINK_PORT, link->port_a, nowhere);
	nl_put_u32(rq, MCFAB_A_GRAPH_LINK_PEER_SWITCH, link->b, nowhere);
	nl_put_u32(rq, MCFAB_A_GRAPH_LINK_PEER_PORT, link->port_b, nowhere);
	put_some(rq, MCFAB_A_GRAPH_LINK_DELAY, link->way.delay);
	put_some(rq, MCFAB_A_GRAPH_LINK_DELAY_BACK, link->back.delay);
	put_some(rq, MCFAB_A_GRAPH_LINK_FLIT_CYCLES, link->way.cycles);
	put_some(rq, MCFAB_A_GRAPH_LINK_FLIT_CYCLES_BACK, link->back.cycles);
	nl_nest_end(rq, nest);
}

typedef void (*put_fn)(struct nl_request *rq, const struct graph *g, u32 i);

static enum status append(const char *fabric, const struct graph *g, put_fn put, u32 n)
{
	enum status status = STATUS_OK;
	struct nl_request rq;

	for (u32 at = 0; at < n && !status; at += PER_MESSAGE) {
		begin(&rq, MCFAB_CMD_GRAPH_APPEND, fabric);
		for (u32 i = at; i < n && i < at + PER_MESSAGE; i++)
			put(&rq, g, i);
		status = nl_talk(&rq, NULL, NULL);
		nl_request_free(&rq);
	}
	return status;
}

enum status graph_upload(const char *fabric, const struct graph *g)
{
	enum status status = announce(fabric, g);

	if (!status)
		status = append(fabric, g, put_switch, g->switches);
	if (!status)
		status = append(fabric, g, put_host, g->hosts);
	if (!status)
		status = append(fabric, g, put_link, g->links);
	return status;
}

enum status graph_discard(const char *fabric)
{
	enum status status = STATUS_OK;
	struct nl_request rq;

	begin(&rq, MCFAB_CMD_GRAPH_DISCARD, fabric);
	/* there may be none: nothing to say about it */
	nl_try(&rq, NULL, NULL, &status);
	nl_request_free(&rq);
	return status;
}

static u32 number(const struct nlattr *attr)
{
	return attr ? (u32)nl_attr_uint(attr) : 0;
}

static u64 wide(const struct nlattr *attr)
{
	return attr ? nl_attr_uint(attr) : 0;
}

static char *string(const struct nlattr *attr)
{
	return attr ? xstrdup(mnl_attr_get_str(attr)) : NULL;
}

static void take_switch(struct graph *g, const struct nlattr *nest)
{
	const struct nlattr *tb[MCFAB_A_GRAPH_SWITCH_MAX + 1];
	struct graph_switch *sw = graph_switch(g, g->switches);

	attr_index_nest(nest, tb, ARRAY_SIZE(tb));
	sw->ports = number(tb[MCFAB_A_GRAPH_SWITCH_PORTS]);
	sw->guid = wide(tb[MCFAB_A_GRAPH_SWITCH_GUID]);
	sw->lid = number(tb[MCFAB_A_GRAPH_SWITCH_LID]);
	sw->name = string(tb[MCFAB_A_GRAPH_SWITCH_NAME]);
}

static void take_host(struct graph *g, const struct nlattr *nest)
{
	const struct nlattr *tb[MCFAB_A_GRAPH_HOST_MAX + 1];
	struct graph_host *host = graph_host(g, g->hosts);

	attr_index_nest(nest, tb, ARRAY_SIZE(tb));
	host->at = number(tb[MCFAB_A_GRAPH_HOST_SWITCH]);
	host->port = number(tb[MCFAB_A_GRAPH_HOST_PORT]);
	host->guid = wide(tb[MCFAB_A_GRAPH_HOST_GUID]);
	host->lid = number(tb[MCFAB_A_GRAPH_HOST_LID]);
	host->name = string(tb[MCFAB_A_GRAPH_HOST_NAME]);
	host->node_guid = wide(tb[MCFAB_A_GRAPH_HOST_NODE_GUID]);
	host->node_port = number(tb[MCFAB_A_GRAPH_HOST_NODE_PORT]);
	host->lmc = number(tb[MCFAB_A_GRAPH_HOST_LMC]);
	host->aggregation = tb[MCFAB_A_GRAPH_HOST_AGGREGATION];
	host->way.cycles = number(tb[MCFAB_A_GRAPH_HOST_FLIT_CYCLES]);
	host->back.cycles = number(tb[MCFAB_A_GRAPH_HOST_FLIT_CYCLES_BACK]);
}

static void take_link(struct graph *g, const struct nlattr *nest)
{
	const struct nlattr *tb[MCFAB_A_GRAPH_LINK_MAX + 1];

	attr_index_nest(nest, tb, ARRAY_SIZE(tb));
	*graph_link(g) = (struct graph_link){
		number(tb[MCFAB_A_GRAPH_LINK_SWITCH]), number(tb[MCFAB_A_GRAPH_LINK_PORT]),
		number(tb[MCFAB_A_GRAPH_LINK_PEER_SWITCH]),
		number(tb[MCFAB_A_GRAPH_LINK_PEER_PORT]), 0,
		{ number(tb[MCFAB_A_GRAPH_LINK_DELAY]),
		  number(tb[MCFAB_A_GRAPH_LINK_FLIT_CYCLES]) },
		{ number(tb[MCFAB_A_GRAPH_LINK_DELAY_BACK]),
		  number(tb[MCFAB_A_GRAPH_LINK_FLIT_CYCLES_BACK]) },
	};
}

static enum status take_message(const struct nlmsghdr *nlh, void *data)
{
	const struct nlattr *tb[MCFAB_A_GRAPH_MAX + 1];
	struct graph *g = data;

	attr_index(nlh, tb, ARRAY_SIZE(tb));
	if (tb[MCFAB_A_GRAPH_ROOT])
		g->root = number(tb[MCFAB_A_GRAPH_ROOT]);
	if (tb[MCFAB_A_GRAPH_SWITCH])
		take_switch(g, tb[MCFAB_A_GRAPH_SWITCH]);
	if (tb[MCFAB_A_GRAPH_HOST])
		take_host(g, tb[MCFAB_A_GRAPH_HOST]);
	if (tb[MCFAB_A_GRAPH_LINK])
		take_link(g, tb[MCFAB_A_GRAPH_LINK]);
	return STATUS_OK;
}

/* A mesh has no graph, but with LIDs it looks like one. */
static bool is_subnet_mesh(struct json_object *fabric)
{
	const char *addressing = get_str(fabric, "addressing");
	struct json_object *dims = get_obj(fabric, "dims");

	return !strcmp(get_str(fabric, "topology"), "mesh") &&
	       !strcmp(addressing, "lid") && dims && json_object_array_length(dims) == 2;
}

static void mesh(struct json_object *fabric, struct graph *g)
{
	struct json_object *dims = get_obj(fabric, "dims");
	struct json_object *given = get_obj(fabric, "port-numbers");
	u32 port[MESH_PORTS] = { 1, 2, 3, 4, 5 };

	for (u32 i = 0; given && i < MESH_PORTS; i++)
		port[i] = (u32)json_object_get_int(json_object_array_get_idx(given, i));
	graph_mesh(g, json_object_get_int(json_object_array_get_idx(dims, 0)),
		   json_object_get_int(json_object_array_get_idx(dims, 1)), port);
}

enum status graph_fetch(struct json_object *fabric, struct graph *g)
{
	const char *name = get_str(fabric, "name");
	struct nl_request rq;
	enum status status;

	graph_init(g);
	if (is_subnet_mesh(fabric)) {
		mesh(fabric, g);
		return STATUS_OK;
	}
	nl_request_init(&rq, MCFAB_CMD_GRAPH_GET, true);
	nl_put_str(&rq, MCFAB_A_GRAPH_FABRIC, name, nl_where("fabric", name));
	status = nl_talk(&rq, take_message, g);
	nl_request_free(&rq);
	return status;
}
