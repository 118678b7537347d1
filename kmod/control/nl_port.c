// SPDX-License-Identifier: GPL-2.0
/* Dump the ports of a fabric. */
#include "control/nl.h"
#include "netdev/ports.h"

struct mcfab_nl_port_ctx {
	u32 id;		/* of the fabric */
	u32 node;	/* from this one on */
};

static_assert(MCFAB_A_PORT_FABRIC_ID == MCFAB_NL_FABRIC_ID);
static_assert(MCFAB_A_PORT_FABRIC == MCFAB_NL_FABRIC);

static int mcfab_nl_port_fill(struct sk_buff *skb, struct netlink_callback *cb, u32 id,
			      const struct mcfab_port_info *port)
{
	void *hdr = mcfab_nl_put(skb, genl_info_dump(cb), cb);

	if (!hdr)
		return -EMSGSIZE;
	if (nla_put_u32(skb, MCFAB_A_PORT_FABRIC_ID, id) ||
	    nla_put_u32(skb, MCFAB_A_PORT_NODE, port->node) ||
	    (port->name[0] && nla_put_string(skb, MCFAB_A_PORT_NAME, port->name)) ||
	    (port->ifindex && nla_put_u32(skb, MCFAB_A_PORT_IFINDEX, port->ifindex)) ||
	    (port->netns >= 0 && nla_put_u32(skb, MCFAB_A_PORT_NETNS_ID, port->netns)) ||
	    nla_put_u32(skb, MCFAB_A_PORT_MTU, port->mtu) ||
	    (port->carrier && nla_put_flag(skb, MCFAB_A_PORT_CARRIER)) ||
	    (port->flood && nla_put_flag(skb, MCFAB_A_PORT_FLOOD)) ||
	    nla_put_uint(skb, MCFAB_A_PORT_TX_FRAMES, port->tx) ||
	    nla_put_uint(skb, MCFAB_A_PORT_RX_FRAMES, port->rx) ||
	    nla_put_uint(skb, MCFAB_A_PORT_TX_NO_RUN, port->no_run) ||
	    nla_put_uint(skb, MCFAB_A_PORT_TX_NO_RECEIVER, port->no_receiver) ||
	    nla_put_uint(skb, MCFAB_A_PORT_TX_COPIES_LOST, port->lost) ||
	    nla_put_uint(skb, MCFAB_A_PORT_RX_OVERRUNS, port->overruns) ||
	    nla_put_uint(skb, MCFAB_A_PORT_RX_TOO_LONG, port->too_long) ||
	    nla_put_uint(skb, MCFAB_A_PORT_RX_HOLDS, port->holds) ||
	    nla_put_uint(skb, MCFAB_A_PORT_TX_NO_MEMORY, port->no_memory)) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return 0;
}

/* MCFAB_CMD_PORT_GET */
int mcfab_nl_port_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct net *net = genl_info_net(genl_info_dump(cb));
	struct mcfab_nl_port_ctx *ctx = (void *)cb->ctx;
	struct mcfab_nl_fabric *fabric;
	struct mcfab_port_info port;
	int ret = 0;

	NL_ASSERT_DUMP_CTX_FITS(struct mcfab_nl_port_ctx);
	fabric = mcfab_nl_fabric_dump(cb, &ctx->id);
	if (IS_ERR(fabric))
		return PTR_ERR(fabric);
	while (!ret && mcfab_ports_next(fabric->core, net, ctx->node, &port)) {
		ret = mcfab_nl_port_fill(skb, cb, fabric->id, &port);
		if (!ret)
			ctx->node = port.node + 1;
		cond_resched();
	}
	mcfab_nl_fabric_put(fabric);
	return ret;
}
