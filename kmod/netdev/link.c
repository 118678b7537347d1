// SPDX-License-Identifier: GPL-2.0
/* Links of kind mcfab: ip link add NAME type mcfab fabric F node N. */
#include <net/rtnetlink.h>
#include "netdev/port.h"

const struct mcfab_ports_ops *mcfab_link_fabrics;

static const struct nla_policy link_policy[IFLA_MCFAB_MAX + 1] = {
	[IFLA_MCFAB_FABRIC] = { .type = NLA_NUL_STRING, .len = MCFAB_NAME_MAX },
	[IFLA_MCFAB_NODE] = { .type = NLA_U32 },
	[IFLA_MCFAB_FLOOD] = NLA_POLICY_MAX(NLA_U32, 1),
};

static int link_validate(struct nlattr *tb[], struct nlattr *data[],
			 struct netlink_ext_ack *extack)
{
	if (!tb[IFLA_ADDRESS])
		return 0;
	if (nla_len(tb[IFLA_ADDRESS]) == ETH_ALEN &&
	    is_valid_ether_addr(nla_data(tb[IFLA_ADDRESS])))
		return 0;
	NL_SET_ERR_MSG_ATTR(extack, tb[IFLA_ADDRESS], "address is no address of a station");
	return -EADDRNOTAVAIL;
}

/*
 * Make a port on a node of a fabric, whose ports are held; on success the port holds them.
 * @src_net: namespace of who asks
 */
static int link_attach(struct net *src_net, struct mcfab_ports *ports, struct net_device *dev,
		       struct nlattr *data[], struct netlink_ext_ack *extack)
{
	struct mcfab_port *port = netdev_priv(dev);
	u32 node = nla_get_u32(data[IFLA_MCFAB_NODE]);
	struct mcfab_port *other;
	struct mcfab_inbox *in;
	int ret;

	/* senders of one node take turns by the lock of its queue */
	if (dev->num_tx_queues != 1 || dev->num_rx_queues != 1) {
		NL_SET_ERR_MSG(extack, "a port has one queue: numtxqueues and numrxqueues are 1");
		return -EOPNOTSUPP;
	}
	if (node >= ports->nodes) {
		NL_SET_ERR_MSG_ATTR_FMT(extack, data[IFLA_MCFAB_NODE], "node %u is not below %u",
					node, ports->nodes);
		return -EINVAL;
	}
	other = rtnl_dereference(ports->port[node]);
	if (other) {
		/* names are known in their own namespace only */
		NL_SET_ERR_MSG_ATTR_FMT(extack, data[IFLA_MCFAB_NODE], "node %u has a port: %s",
					node, net_eq(dev_net(other->dev), src_net) ?
					other->dev->name : "one of another namespace");
		return -EBUSY;
	}
	if (!ports->o.inbox[node]) {
		in = mcfab_inbox_new(node, MCFAB_PORT_RING);
		if (!in) {
			NL_SET_ERR_MSG(extack, "no memory for a port, see max_memory_mb");
			return -ENOMEM;
		}
		/* pairs with the dependency of readers in a run */
		smp_store_release(&ports->o.inbox[node], in);
	}
	port->dev = dev;
	port->ports = ports;
	port->node = node;
	port->serial = ++ports->serial;
	strscpy(port->fabric, ports->fabric->cfg.name, sizeof(port->fabric));
	if (data[IFLA_MCFAB_FLOOD])
		port->flood = nla_get_u32(data[IFLA_MCFAB_FLOOD]);
	skb_queue_head_init(&port->backlog);
	netif_napi_add(dev, &port->napi, mcfab_port_poll);
	netif_carrier_off(dev);
	ret = register_netdevice(dev);
	if (ret == -EADDRINUSE)
		NL_SET_ERR_MSG(extack, "another port of the fabric has this address");
	if (ret)
		return ret;
	dev->priv_destructor = mcfab_device_free;
	/* the network stack runs in a thread of the port, not in the threads of the fabric */
	dev_set_threaded(dev, true);
	/* under the lock: a run that begins or ends now sets the carrier before or after */
	spin_lock_bh(&ports->lock);
	mcfab_port_carrier(port);
	spin_unlock_bh(&ports->lock);
	return 0;
}

static int link_new(struct net *src_net, struct net_device *dev, struct nlattr *tb[],
		    struct nlattr *data[], struct netlink_ext_ack *extack)
{
	char name[MCFAB_NAME_LEN];
	struct mcfab_fabric *fabric;
	struct mcfab_ports *ports;
	int ret;

	if (!data || !data[IFLA_MCFAB_FABRIC]) {
		NL_SET_ERR_MSG(extack, "fabric is missing: fabric NAME node N");
		return -EINVAL;
	}
	if (!data[IFLA_MCFAB_NODE]) {
		NL_SET_ERR_MSG(extack, "node is missing: fabric NAME node N");
		return -EINVAL;
	}
	nla_strscpy(name, data[IFLA_MCFAB_FABRIC], sizeof(name));
	fabric = mcfab_link_fabrics->get(src_net, name, extack);
	if (IS_ERR(fabric)) {
		NL_SET_BAD_ATTR(extack, data[IFLA_MCFAB_FABRIC]);
		return PTR_ERR(fabric);
	}
	ports = mcfab_ports_get(fabric, extack);
	ret = PTR_ERR_OR_ZERO(ports);
	if (!ret) {
		ret = link_attach(src_net, ports, dev, data, extack);
		if (ret)
			mcfab_ports_put(ports);
	}
	mcfab_link_fabrics->put(fabric);
	return ret;
}

static int link_change(struct net_device *dev, struct nlattr *tb[], struct nlattr *data[],
		       struct netlink_ext_ack *extack)
{
	struct mcfab_port *port = netdev_priv(dev);
	int attr;

	if (!data)
		return 0;
	for (attr = IFLA_MCFAB_FABRIC; attr <= IFLA_MCFAB_NODE; attr++) {
		if (!data[attr])
			continue;
		NL_SET_ERR_MSG_ATTR(extack, data[attr],
				    "a port stays on its node: remove it and make another");
		return -EOPNOTSUPP;
	}
	if (!data[IFLA_MCFAB_FLOOD])
		return 0;
	netif_addr_lock_bh(dev);
	WRITE_ONCE(port->flood, nla_get_u32(data[IFLA_MCFAB_FLOOD]));
	if (dev->flags & IFF_UP)
		mcfab_members_update(port);
	netif_addr_unlock_bh(dev);
	return 0;
}

static void link_del(struct net_device *dev, struct list_head *head)
{
	unregister_netdevice_queue(dev, head);
}

static size_t link_size(const struct net_device *dev)
{
	return nla_total_size(MCFAB_NAME_LEN) +	/* IFLA_MCFAB_FABRIC */
	       nla_total_size(sizeof(u32)) +	/* IFLA_MCFAB_NODE */
	       nla_total_size(sizeof(u32));	/* IFLA_MCFAB_FLOOD */
}

static int link_fill(struct sk_buff *skb, const struct net_device *dev)
{
	const struct mcfab_port *port = netdev_priv(dev);

	if (nla_put_string(skb, IFLA_MCFAB_FABRIC, port->fabric) ||
	    nla_put_u32(skb, IFLA_MCFAB_NODE, port->node) ||
	    nla_put_u32(skb, IFLA_MCFAB_FLOOD, READ_ONCE(port->flood)))
		return -EMSGSIZE;
	return 0;
}

struct rtnl_link_ops mcfab_link_ops = {
	.kind		= "mcfab",
	.priv_size	= sizeof(struct mcfab_port),
	.setup		= mcfab_device_setup,
	.maxtype	= IFLA_MCFAB_MAX,
	.policy		= link_policy,
	.validate	= link_validate,
	.newlink	= link_new,
	.changelink	= link_change,
	.dellink	= link_del,
	.get_size	= link_size,
	.fill_info	= link_fill,
};

/**
 * mcfab_link_remove() - remove all ports of a fabric
 * @ports: its ports
 *
 * Context: RTNL; may sleep.
 */
void mcfab_link_remove(struct mcfab_ports *ports)
{
	struct mcfab_port *port;
	LIST_HEAD(head);

	list_for_each_entry(port, &ports->list, list)
		unregister_netdevice_queue(port->dev, &head);
	unregister_netdevice_many(&head);
}
