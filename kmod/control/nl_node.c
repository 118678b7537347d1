// SPDX-License-Identifier: GPL-2.0
/*
 * Show nodes: coordinates, labels and neighbours, so that no tool computes them.
 */
#include "control/nl.h"
#include "subnet/subnet.h"

static int mcfab_nl_put_neighbours(struct sk_buff *skb, const struct mcfab_topo *topo,
				   u32 router)
{
	struct nlattr *nest;
	u32 port, peer;

	for (port = 0; port < topo->ports; port++) {
		peer = mcfab_topo_neighbour(topo, router, port);
		if (peer == MCFAB_NONE)
			continue;
		nest = nla_nest_start(skb, MCFAB_A_NODE_NEIGHBOUR);
		if (!nest ||
		    nla_put_u32(skb, MCFAB_A_NEIGHBOUR_PORT, port) ||
		    nla_put_u32(skb, MCFAB_A_NEIGHBOUR_ROUTER, peer) ||
		    nla_put_u32(skb, MCFAB_A_NEIGHBOUR_CHANNEL,
				mcfab_topo_channel(topo, router, port)))
			return -EMSGSIZE;
		/* labels are of nodes; on topologies with labels, node and router numbers agree */
		if (topo->label &&
		    (nla_put_u32(skb, MCFAB_A_NEIGHBOUR_LINK,
				 mcfab_link_kind(topo, router, port)) ||
		     (mcfab_link_high(topo, router, port) &&
		      nla_put_flag(skb, MCFAB_A_NEIGHBOUR_HIGH))))
			return -EMSGSIZE;
		nla_nest_end(skb, nest);
	}
	return 0;
}

static bool mcfab_nl_put_lids(struct sk_buff *skb, const struct mcfab_fabric *core, u32 node)
{
	/* A subnet stays once it exists, see mcfab_fabric_adopt(). */
	const struct mcfab_subnet *sn = smp_load_acquire(&core->subnet);

	return !sn || !(nla_put_u32(skb, MCFAB_A_NODE_LID, sn->host_lid[node]) ||
			nla_put_u32(skb, MCFAB_A_NODE_SWITCH_LID,
				    sn->switch_lid[core->topo.router[node]]) ||
			nla_put_u32(skb, MCFAB_A_NODE_SWITCH_PORT, mcfab_host_port(sn, node)) ||
			(mcfab_host_lids(sn, node) > 1 &&
			 nla_put_u32(skb, MCFAB_A_NODE_LIDS, mcfab_host_lids(sn, node))));
}

static int mcfab_nl_node_fill(struct sk_buff *skb, const struct mcfab_nl_fabric *fabric,
			      u32 node, const struct genl_info *info,
			      struct netlink_callback *cb)
{
	const struct mcfab_topo *topo = &fabric->core->topo;
	void *hdr = mcfab_nl_put(skb, info, cb);
	u32 dim;

	if (!hdr)
		return -EMSGSIZE;
	if (nla_put_u32(skb, MCFAB_A_NODE_FABRIC_ID, fabric->id) ||
	    nla_put_u32(skb, MCFAB_A_NODE_NODE, node) ||
	    (topo->label && nla_put_u32(skb, MCFAB_A_NODE_LABEL, topo->label[node])) ||
	    (node >= topo->nodes - topo->idle && nla_put_flag(skb, MCFAB_A_NODE_AGGREGATION)) ||
	    nla_put_u32(skb, MCFAB_A_NODE_ROUTER, topo->router[node]) ||
	    !mcfab_nl_put_lids(skb, fabric->core, node))
		goto too_long;
	for (dim = 0; dim < topo->ndims; dim++)
		if (nla_put_u32(skb, MCFAB_A_NODE_COORD, mcfab_topo_coord(topo, node, dim)))
			goto too_long;
	if (mcfab_nl_put_neighbours(skb, topo, topo->router[node]))
		goto too_long;
	genlmsg_end(skb, hdr);
	return 0;

too_long:
	genlmsg_cancel(skb, hdr);
	return -EMSGSIZE;
}

/* The node that a request names by its number or its label. */
static int mcfab_nl_node_of(const struct genl_info *info, const struct mcfab_topo *topo,
			    u32 *node)
{
	const struct nlattr *id = info->attrs[MCFAB_A_NODE_NODE];
	const struct nlattr *label = info->attrs[MCFAB_A_NODE_LABEL];

	if (!id && !label)
		return mcfab_nl_missing(info, MCFAB_A_NODE_NODE, "node or label");
	if (label && !topo->label) {
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, label, "topology %s has no labels",
					topo->ops->name);
		return -EINVAL;
	}
	*node = nla_get_u32(id ?: label);
	if (*node >= topo->nodes) {
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, id ?: label, "not below %u, the nodes",
					topo->nodes);
		return -EINVAL;
	}
	if (!id) {
		*node = topo->by_label[*node];
	} else if (label && nla_get_u32(label) != topo->label[*node]) {
		NL_SET_ERR_MSG_ATTR(info->extack, label,
				    "number and label are of different nodes");
		return -EINVAL;
	}
	return 0;
}

/* MCFAB_CMD_NODE_GET */
int mcfab_nl_node_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct mcfab_nl_fabric *fabric = info->user_ptr[0];
	struct sk_buff *msg;
	u32 node;
	int ret;

	ret = mcfab_nl_node_of(info, &fabric->core->topo, &node);
	if (ret)
		return ret;
	msg = mcfab_nl_new(GENLMSG_DEFAULT_SIZE);
	if (!msg)
		return -ENOMEM;
	ret = mcfab_nl_node_fill(msg, fabric, node, info, NULL);
	if (!ret)
		return genlmsg_reply(msg, info);
	nlmsg_free(msg);
	return ret;
}

struct mcfab_nl_node_ctx {
	u32 id;		/* of the fabric */
	u32 node;	/* the next node */
};

int mcfab_nl_node_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct mcfab_nl_node_ctx *ctx = (void *)cb->ctx;
	struct mcfab_nl_fabric *fabric;
	int ret = 0;

	NL_ASSERT_DUMP_CTX_FITS(struct mcfab_nl_node_ctx);
	fabric = mcfab_nl_fabric_dump(cb, &ctx->id);
	if (IS_ERR(fabric))
		return PTR_ERR(fabric);
	while (!ret && ctx->node < fabric->core->topo.nodes) {
		ret = mcfab_nl_node_fill(skb, fabric, ctx->node, genl_info_dump(cb), cb);
		if (!ret)
			ctx->node++;
	}
	mcfab_nl_fabric_put(fabric);
	return ret;
}
