// SPDX-License-Identifier: GPL-2.0
/* Show the graph of an irregular network, element by element. */
#include "control/nl.h"
#include "topology/graph.h"

static bool mcfab_nl_graph_put_identity(struct sk_buff *skb, int guid_attr, int lid_attr,
					int name_attr, u64 guid, u16 lid, const char *name)
{
	return !((guid && nla_put_uint(skb, guid_attr, guid)) ||
		 (lid && nla_put_u32(skb, lid_attr, lid)) ||
		 (name[0] && nla_put_string(skb, name_attr, name)));
}

static bool mcfab_nl_graph_put_counts(struct sk_buff *skb, const struct mcfab_graph *graph)
{
	return !(nla_put_u32(skb, MCFAB_A_GRAPH_SWITCHES, graph->switches) ||
		 nla_put_u32(skb, MCFAB_A_GRAPH_HOSTS, graph->hosts) ||
		 nla_put_u32(skb, MCFAB_A_GRAPH_LINKS, graph->links) ||
		 (graph->root != MCFAB_NONE &&
		  nla_put_u32(skb, MCFAB_A_GRAPH_ROOT, graph->root)));
}

static bool mcfab_nl_graph_put_switch(struct sk_buff *skb, const struct mcfab_graph_switch *sw)
{
	struct nlattr *nest = nla_nest_start(skb, MCFAB_A_GRAPH_SWITCH);

	if (!nest || nla_put_u32(skb, MCFAB_A_GRAPH_SWITCH_PORTS, sw->ports) ||
	    !mcfab_nl_graph_put_identity(skb, MCFAB_A_GRAPH_SWITCH_GUID,
					 MCFAB_A_GRAPH_SWITCH_LID, MCFAB_A_GRAPH_SWITCH_NAME,
					 sw->guid, sw->lid, sw->name))
		return false;
	nla_nest_end(skb, nest);
	return true;
}

/* 0, what holds for all links, is left out */
static int mcfab_nl_graph_put_own(struct sk_buff *skb, int attr, u8 value)
{
	return value ? nla_put_u32(skb, attr, value) : 0;
}

static bool mcfab_nl_graph_put_host(struct sk_buff *skb, const struct mcfab_graph_host *host)
{
	struct nlattr *nest = nla_nest_start(skb, MCFAB_A_GRAPH_HOST);

	if (!nest || nla_put_u32(skb, MCFAB_A_GRAPH_HOST_SWITCH, host->at) ||
	    nla_put_u32(skb, MCFAB_A_GRAPH_HOST_PORT, host->port) ||
	    !mcfab_nl_graph_put_identity(skb, MCFAB_A_GRAPH_HOST_GUID, MCFAB_A_GRAPH_HOST_LID,
					 MCFAB_A_GRAPH_HOST_NAME, host->guid, host->lid,
					 host->name) ||
	    (host->node_guid &&
	     nla_put_uint(skb, MCFAB_A_GRAPH_HOST_NODE_GUID, host->node_guid)) ||
	    (host->node_port &&
	     nla_put_u32(skb, MCFAB_A_GRAPH_HOST_NODE_PORT, host->node_port)) ||
	    (host->lmc && nla_put_u32(skb, MCFAB_A_GRAPH_HOST_LMC, host->lmc)) ||
	    (host->aggregation && nla_put_flag(skb, MCFAB_A_GRAPH_HOST_AGGREGATION)) ||
	    mcfab_nl_graph_put_own(skb, MCFAB_A_GRAPH_HOST_FLIT_CYCLES, host->pace) ||
	    mcfab_nl_graph_put_own(skb, MCFAB_A_GRAPH_HOST_FLIT_CYCLES_BACK, host->pace_back))
		return false;
	nla_nest_end(skb, nest);
	return true;
}

static bool mcfab_nl_graph_put_link(struct sk_buff *skb, const struct mcfab_graph_link *link)
{
	struct nlattr *nest = nla_nest_start(skb, MCFAB_A_GRAPH_LINK);

	if (!nest || nla_put_u32(skb, MCFAB_A_GRAPH_LINK_SWITCH, link->a) ||
	    nla_put_u32(skb, MCFAB_A_GRAPH_LINK_PORT, link->port_a) ||
	    nla_put_u32(skb, MCFAB_A_GRAPH_LINK_PEER_SWITCH, link->b) ||
	    nla_put_u32(skb, MCFAB_A_GRAPH_LINK_PEER_PORT, link->port_b) ||
	    mcfab_nl_graph_put_own(skb, MCFAB_A_GRAPH_LINK_DELAY, link->delay) ||
	    mcfab_nl_graph_put_own(skb, MCFAB_A_GRAPH_LINK_DELAY_BACK, link->delay_back) ||
	    mcfab_nl_graph_put_own(skb, MCFAB_A_GRAPH_LINK_FLIT_CYCLES, link->pace) ||
	    mcfab_nl_graph_put_own(skb, MCFAB_A_GRAPH_LINK_FLIT_CYCLES_BACK, link->pace_back))
		return false;
	nla_nest_end(skb, nest);
	return true;
}

/* Message number @index about a graph. Returns false if it does not fit. */
static bool mcfab_nl_graph_put_part(struct sk_buff *skb, const struct mcfab_graph *graph,
				    u32 index)
{
	if (!index)
		return mcfab_nl_graph_put_counts(skb, graph);
	index--;
	if (index < graph->switches)
		return mcfab_nl_graph_put_switch(skb, &graph->sw[index]);
	index -= graph->switches;
	if (index < graph->hosts)
		return mcfab_nl_graph_put_host(skb, &graph->host[index]);
	return mcfab_nl_graph_put_link(skb, &graph->link[index - graph->hosts]);
}

struct mcfab_nl_graph_ctx {
	u32 id;		/* of the fabric */
	u32 index;	/* of the next message */
};

/* MCFAB_CMD_GRAPH_GET */
int mcfab_nl_graph_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	const struct genl_info *info = genl_info_dump(cb);
	struct mcfab_nl_graph_ctx *ctx = (void *)cb->ctx;
	const struct mcfab_graph *graph;
	struct mcfab_nl_fabric *fabric;
	int ret = 0;
	void *hdr;

	NL_ASSERT_DUMP_CTX_FITS(struct mcfab_nl_graph_ctx);
	fabric = mcfab_nl_fabric_dump(cb, &ctx->id);
	if (IS_ERR(fabric))
		return PTR_ERR(fabric);
	/* The graph never changes. */
	graph = fabric->core->topo.graph;
	if (!graph) {
		NL_SET_ERR_MSG_FMT(info->extack, "topology %s is not made of a graph",
				   fabric->core->topo.ops->name);
		ret = -EOPNOTSUPP;
	}
	while (!ret && ctx->index <= graph->switches + graph->hosts + graph->links) {
		hdr = mcfab_nl_put(skb, info, cb);
		if (hdr && !nla_put_u32(skb, MCFAB_A_GRAPH_FABRIC_ID, fabric->id) &&
		    mcfab_nl_graph_put_part(skb, graph, ctx->index)) {
			genlmsg_end(skb, hdr);
			ctx->index++;
			continue;
		}
		if (hdr)
			genlmsg_cancel(skb, hdr);
		ret = -EMSGSIZE;
	}
	mcfab_nl_fabric_put(fabric);
	return ret;
}
