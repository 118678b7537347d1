// SPDX-License-Identifier: GPL-2.0
/* What is shown of the ports of a fabric. */
#include <net/net_namespace.h>
#include "netdev/port.h"

/* under RCU */
static void fill(struct mcfab_port *port, struct net *net, struct mcfab_port_info *info)
{
	struct net_device *dev = port->dev;
	bool here = net_eq(dev_net(dev), net);
	struct rtnl_link_stats64 stats;

	dev_get_stats(dev, &stats);
	*info = (struct mcfab_port_info){
		.node = port->node,
		.ifindex = here ? READ_ONCE(dev->ifindex) : 0,
		.netns = here ? -1 : peernet2id(net, dev_net(dev)),
		.mtu = READ_ONCE(dev->mtu),
		.carrier = netif_carrier_ok(dev),
		.flood = READ_ONCE(port->flood),
		.tx = stats.tx_packets,
		.rx = stats.rx_packets,
		.no_run = atomic64_read(&port->carrier_drops),
		.no_receiver = atomic64_read(&port->unheard),
		.lost = atomic64_read(&port->undelivered),
		.overruns = atomic64_read(&port->overruns),
		.too_long = atomic64_read(&port->overlong),
		.holds = atomic64_read(&port->holds),
		.no_memory = atomic64_read(&port->starved),
	};
	if (here)
		strscpy(info->name, dev->name, sizeof(info->name));
}

/**
 * mcfab_ports_next() - show a port of a fabric
 * @fabric: the fabric
 * @net: namespace of who asks
 * @from: the port of this node, or of the next node that has one
 * @info: filled in
 *
 * Context: may sleep.
 * Return: false if there is no further port.
 */
bool mcfab_ports_next(struct mcfab_fabric *fabric, struct net *net, u32 from,
		      struct mcfab_port_info *info)
{
	struct mcfab_ports *ports = READ_ONCE(fabric->ports);
	struct mcfab_port *port = NULL;
	u32 node;

	if (!ports)
		return false;
	rcu_read_lock();
	for (node = from; node < ports->nodes && !port; node++) {
		port = rcu_dereference(ports->port[node]);
		/* one that is being made, or removed, has no counters */
		if (port && READ_ONCE(port->dev->reg_state) != NETREG_REGISTERED)
			port = NULL;
	}
	if (port)
		fill(port, net, info);
	rcu_read_unlock();
	return port;
}

/**
 * mcfab_ports_slip() - how far the current or last run was behind its pace
 * @fabric: the fabric
 * @slip: filled in; counts of a run under way may not be of the same moment
 *
 * Context: may sleep.
 * Return: false if it had no pace.
 */
bool mcfab_ports_slip(struct mcfab_fabric *fabric, struct mcfab_slip *slip)
{
	struct mcfab_ports *ports = READ_ONCE(fabric->ports);

	if (!ports || !ports->pace.scale)
		return false;
	*slip = ports->slip;
	return true;
}
