// SPDX-License-Identifier: GPL-2.0
/*
 * Who is a member of which multicast address. The network stack tells each port which addresses are
 * asked for there (ndo_set_rx_mode()). Which nodes get a frame follows from that in sets.c.
 */
#include "netdev/port.h"

static const struct rhashtable_params group_params = {
	.key_len = ETH_ALEN,
	.key_offset = offsetof(struct mcfab_members, addr),
	.head_offset = offsetof(struct mcfab_members, hash),
	.automatic_shrinking = true,
};

static const struct rhashtable_params mac_params = {
	.key_len = ETH_ALEN,
	.key_offset = offsetof(struct mcfab_port, addr),
	.head_offset = offsetof(struct mcfab_port, mac),
	.automatic_shrinking = true,
};

/**
 * mcfab_members_open() - prepare the memberships of a fabric's ports
 * @ports: the ports
 *
 * Context: may sleep.
 * Return: 0 or a negative error code.
 */
int mcfab_members_open(struct mcfab_ports *ports)
{
	int ret;

	spin_lock_init(&ports->lock);
	ret = rhashtable_init(&ports->groups, &group_params);
	if (ret)
		return ret;
	ret = rhashtable_init(&ports->macs, &mac_params);
	if (ret)
		rhashtable_destroy(&ports->groups);
	return ret;
}

/**
 * mcfab_members_close() - free them
 * @ports: the ports; there are none any more
 *
 * Context: may sleep.
 */
void mcfab_members_close(struct mcfab_ports *ports)
{
	mcfab_sets_close(ports);
	rhashtable_destroy(&ports->groups);
	rhashtable_destroy(&ports->macs);
}

/* a change that concerns all sets; under the lock */
static void forget_all(struct mcfab_ports *ports)
{
	WRITE_ONCE(ports->version, ports->version + 1);
}

/**
 * mcfab_members_find() - the members of a multicast address
 * @ports: the ports of a fabric
 * @addr: the address
 *
 * Context: mcfab_ports.lock held, or under RCU.
 * Return: the members, or NULL if there are none.
 */
struct mcfab_members *mcfab_members_find(struct mcfab_ports *ports, const u8 *addr)
{
	return rhashtable_lookup_fast(&ports->groups, addr, group_params);
}

/**
 * mcfab_members_station() - the port with an address of its own
 * @ports: the ports of a fabric
 * @addr: the address
 *
 * Context: under RCU.
 * Return: the port, or NULL.
 */
struct mcfab_port *mcfab_members_station(struct mcfab_ports *ports, const u8 *addr)
{
	return rhashtable_lookup_fast(&ports->macs, addr, mac_params);
}

/* under the lock: a group without members goes */
static void group_del(struct mcfab_ports *ports, struct mcfab_members *group)
{
	mcfab_set_forget(ports, &group->set);
	rhashtable_remove_fast(&ports->groups, &group->hash, group_params);
	kfree(group->node);
	kfree_rcu(group, rcu);
}

/* under the lock; the group is made with its first member */
static int join(struct mcfab_port *port, const u8 *addr)
{
	struct mcfab_ports *ports = port->ports;
	struct mcfab_members *group;

	group = mcfab_members_find(ports, addr);
	if (!group) {
		group = kzalloc(sizeof(*group), GFP_ATOMIC | __GFP_NOWARN);
		if (!group)
			return -ENOMEM;
		ether_addr_copy(group->addr, addr);
		if (rhashtable_insert_fast(&ports->groups, &group->hash, group_params)) {
			kfree(group);
			return -ENOMEM;
		}
	}
	if (group->n == group->room) {
		u32 room = max(2 * group->room, 4U);
		u32 *node = krealloc_array(group->node, room, sizeof(*node),
					   GFP_ATOMIC | __GFP_NOWARN);

		if (!node) {
			if (!group->n)
				group_del(ports, group);
			return -ENOMEM;
		}
		group->node = node;
		group->room = room;
	}
	group->node[group->n++] = port->node;
	mcfab_set_forget(ports, &group->set);
	return 0;
}

/* under the lock; the group goes with its last member */
static void leave(struct mcfab_port *port, const u8 *addr)
{
	struct mcfab_ports *ports = port->ports;
	struct mcfab_members *group = mcfab_members_find(ports, addr);
	u32 i;

	for (i = 0; group && i < group->n && group->node[i] != port->node; i++)
		;
	if (!group || i == group->n)
		return;
	group->node[i] = group->node[--group->n];
	if (group->n)
		mcfab_set_forget(ports, &group->set);
	else
		group_del(ports, group);
}

static int sync_join(struct net_device *dev, const unsigned char *addr)
{
	struct mcfab_port *port = netdev_priv(dev);
	int ret;

	spin_lock(&port->ports->lock);
	ret = join(port, addr);
	spin_unlock(&port->ports->lock);
	return ret;
}

static int sync_leave(struct net_device *dev, const unsigned char *addr)
{
	struct mcfab_port *port = netdev_priv(dev);

	spin_lock(&port->ports->lock);
	leave(port, addr);
	spin_unlock(&port->ports->lock);
	return 0;
}

/**
 * mcfab_members_update() - the addresses that are asked for at a port have changed
 * @port: the port
 *
 * Promiscuous mode changes nothing: whoever looks at the frames of a port does not change which
 * frames come there.
 *
 * Context: softirqs off, the lock of the device's addresses held (ndo_set_rx_mode()).
 */
void mcfab_members_update(struct mcfab_port *port)
{
	u8 scopes = READ_ONCE(port->bridge_scopes);
	struct mcfab_ports *ports = port->ports;

	/* a bridge asks each of its ports for all multicasts: that alone counts for nothing */
	if (READ_ONCE(port->flood) || port->dev->allmulti > !!port->bridge)
		scopes = MCFAB_ALL_SCOPES;
	__dev_mc_sync(port->dev, sync_join, sync_leave);
	spin_lock(&ports->lock);
	if (port->scopes != scopes) {
		port->scopes = scopes;
		forget_all(ports);
	}
	spin_unlock(&ports->lock);
}

/**
 * mcfab_members_quit() - a port is closed: it leaves all groups
 * @port: the port
 *
 * Context: RTNL.
 */
void mcfab_members_quit(struct mcfab_port *port)
{
	struct mcfab_ports *ports = port->ports;

	netif_addr_lock_bh(port->dev);
	__dev_mc_unsync(port->dev, sync_leave);
	netif_addr_unlock_bh(port->dev);
	spin_lock_bh(&ports->lock);
	if (port->scopes)
		forget_all(ports);
	port->scopes = 0;
	spin_unlock_bh(&ports->lock);
}

/**
 * mcfab_members_port() - a port has come
 * @port: the port, in no list
 *
 * Context: RTNL; may sleep.
 * Return: 0, -EADDRINUSE if another port of the fabric has its address, or -ENOMEM.
 */
int mcfab_members_port(struct mcfab_port *port)
{
	struct mcfab_ports *ports = port->ports;
	int ret;

	port->alone = mcfab_set_new(ports, 1, GFP_KERNEL_ACCOUNT);
	if (!port->alone)
		return -ENOMEM;
	port->alone->dst[0] = port->node;
	ether_addr_copy(port->addr, port->dev->dev_addr);
	ret = rhashtable_insert_fast(&ports->macs, &port->mac, mac_params);
	if (ret) {
		kfree(port->alone);
		return ret == -EEXIST ? -EADDRINUSE : ret;
	}
	spin_lock_bh(&ports->lock);
	list_add(&port->list, &ports->list);
	rcu_assign_pointer(ports->port[port->node], port);
	forget_all(ports);
	spin_unlock_bh(&ports->lock);
	return 0;
}

/**
 * mcfab_members_leave() - a port goes
 * @port: the port, closed: it has left all groups
 *
 * Context: RTNL. Frames that look for the port find it up to a grace period from now on.
 */
void mcfab_members_leave(struct mcfab_port *port)
{
	struct mcfab_ports *ports = port->ports;

	rhashtable_remove_fast(&ports->macs, &port->mac, mac_params);
	spin_lock_bh(&ports->lock);
	RCU_INIT_POINTER(ports->port[port->node], NULL);
	list_del(&port->list);
	forget_all(ports);
	spin_unlock_bh(&ports->lock);
	mcfab_set_put(port->alone);
}

/**
 * mcfab_members_address() - a port has another address
 * @port: the port
 *
 * Context: RTNL; may sleep.
 * Return: 0, -EADDRINUSE if another port of the fabric has it, or -ENOMEM.
 */
int mcfab_members_address(struct mcfab_port *port)
{
	struct mcfab_ports *ports = port->ports;
	u8 before[ETH_ALEN];
	int ret;

	ether_addr_copy(before, port->addr);
	rhashtable_remove_fast(&ports->macs, &port->mac, mac_params);
	/* the entry is still seen with its old address */
	synchronize_net();
	ether_addr_copy(port->addr, port->dev->dev_addr);
	ret = rhashtable_insert_fast(&ports->macs, &port->mac, mac_params);
	if (!ret)
		return 0;
	ether_addr_copy(port->addr, before);
	return rhashtable_insert_fast(&ports->macs, &port->mac, mac_params) ?: -EADDRINUSE;
}
