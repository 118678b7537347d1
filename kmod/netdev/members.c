// SPDX-License-Identifier: GPL-2.0
/*
 * Who gets which frames. The network stack tells each port which multicast addresses are asked for
 * there (ndo_set_rx_mode); from that follow the members of each address. The set of a frame's
 * destinations is made when a frame asks for it, and kept until memberships change.
 */
#include <linux/sort.h>
#include "base/memory.h"
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
	mcfab_set_put(rcu_dereference_protected(ports->everyone, true));
	mcfab_set_put(rcu_dereference_protected(ports->strays, true));
	rhashtable_destroy(&ports->groups);
	rhashtable_destroy(&ports->macs);
}

/**
 * mcfab_set_put() - let go of a set
 * @set: the set, or NULL
 *
 * Context: any.
 */
void mcfab_set_put(struct mcfab_set *set)
{
	if (set && refcount_dec_and_test(&set->ref))
		kfree_rcu(set, rcu);
}

/**
 * mcfab_set_has() - is a node in a set?
 * @set: the set
 * @node: the node
 *
 * Context: any.
 * Return: true if it is.
 */
bool mcfab_set_has(const struct mcfab_set *set, u32 node)
{
	u32 low = 0, high = set->n, mid;

	while (low < high) {
		mid = (low + high) / 2;
		if (set->dst[mid] == node)
			return true;
		if (set->dst[mid] < node)
			low = mid + 1;
		else
			high = mid;
	}
	return false;
}

static struct mcfab_set *set_new(u32 room, u32 version)
{
	struct mcfab_set *set = kmalloc(struct_size(set, dst, room), GFP_ATOMIC | __GFP_NOWARN);

	if (!set)
		return NULL;
	refcount_set(&set->ref, 1);
	set->version = version;
	set->n = room;
	return set;
}

static int compare_nodes(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return x < y ? -1 : x > y;
}

/* forget a kept set; under the lock */
static void forget(struct mcfab_ports *ports, struct mcfab_set __rcu **kept)
{
	mcfab_set_put(rcu_replace_pointer(*kept, NULL, lockdep_is_held(&ports->lock)));
}

/* a change that concerns all sets; under the lock */
static void forget_all(struct mcfab_ports *ports)
{
	WRITE_ONCE(ports->version, ports->version + 1);
}

/* the port of a node, with the lock or RTNL held */
static struct mcfab_port *port_of(struct mcfab_ports *ports, u32 node)
{
	return rcu_dereference_check(ports->port[node], lockdep_is_held(&ports->lock));
}

/*
 * Make a set: ports that get everything, all ports if @everyone, the members of @group, if it is
 * not NULL. Under the lock.
 */
static struct mcfab_set *make_set(struct mcfab_ports *ports, const struct mcfab_members *group,
				  bool everyone)
{
	struct mcfab_port *port;
	struct mcfab_set *set;
	u32 n = 0, i;

	list_for_each_entry(port, &ports->list, list)
		n += everyone || port->all;
	for (i = 0; group && i < group->n; i++)
		n += !port_of(ports, group->node[i])->all;
	set = set_new(n, ports->version);
	if (!set)
		return NULL;
	n = 0;
	list_for_each_entry(port, &ports->list, list)
		if (everyone || port->all)
			set->dst[n++] = port->node;
	for (i = 0; group && i < group->n; i++)
		if (!port_of(ports, group->node[i])->all)
			set->dst[n++] = group->node[i];
	sort(set->dst, n, sizeof(*set->dst), compare_nodes, NULL);
	return set;
}

/* make the set anew that is kept in @kept, and hold it */
static struct mcfab_set *renew(struct mcfab_ports *ports, struct mcfab_set __rcu **kept,
			       const u8 *group, bool everyone)
{
	struct mcfab_members *members = NULL;
	struct mcfab_set *set;

	spin_lock_bh(&ports->lock);
	if (group) {
		members = rhashtable_lookup_fast(&ports->groups, group, group_params);
		kept = members ? &members->set : &ports->strays;
	}
	set = make_set(ports, members, everyone);
	if (set) {
		forget(ports, kept);
		refcount_inc(&set->ref);
		rcu_assign_pointer(*kept, set);
	}
	spin_unlock_bh(&ports->lock);
	return set;
}

/* under RCU */
static struct mcfab_set *find_set(struct mcfab_ports *ports, const u8 *addr)
{
	struct mcfab_set __rcu **kept = &ports->everyone;
	const u8 *group = NULL;
	struct mcfab_members *members;
	struct mcfab_set *set;

	if (is_multicast_ether_addr(addr) && !is_broadcast_ether_addr(addr)) {
		members = rhashtable_lookup(&ports->groups, addr, group_params);
		kept = members ? &members->set : &ports->strays;
		group = addr;
	} else if (!is_broadcast_ether_addr(addr)) {
		struct mcfab_port *port = rhashtable_lookup(&ports->macs, addr, mac_params);

		if (port && refcount_inc_not_zero(&port->alone->ref))
			return port->alone;
	}
	set = rcu_dereference(*kept);
	if (set && set->version == READ_ONCE(ports->version) && refcount_inc_not_zero(&set->ref))
		return set;
	return renew(ports, kept, group, !group);
}

/**
 * mcfab_members_set() - to which nodes a frame goes
 * @ports: the ports of a fabric
 * @addr: destination address of the frame
 *
 * A multicast goes to its members and to ports that get all multicasts; a frame for the address of
 * a port goes there; all other frames go to all ports.
 *
 * Context: softirqs off.
 * Return: the set, held; NULL without memory.
 */
struct mcfab_set *mcfab_members_set(struct mcfab_ports *ports, const u8 *addr)
{
	struct mcfab_set *set;

	/* senders hold rcu_read_lock_bh(), which hash tables do not take for RCU */
	rcu_read_lock();
	set = find_set(ports, addr);
	rcu_read_unlock();
	return set;
}

/* under the lock; the group is made with its first member */
static int join(struct mcfab_port *port, const u8 *addr)
{
	struct mcfab_ports *ports = port->ports;
	struct mcfab_members *group;

	group = rhashtable_lookup_fast(&ports->groups, addr, group_params);
	if (!group) {
		group = kzalloc(sizeof(*group), GFP_ATOMIC);
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
		u32 *node = krealloc_array(group->node, room, sizeof(*node), GFP_ATOMIC);

		if (!node)
			return -ENOMEM;
		group->node = node;
		group->room = room;
	}
	group->node[group->n++] = port->node;
	forget(ports, &group->set);
	return 0;
}

/* under the lock; the group goes with its last member */
static void leave(struct mcfab_port *port, const u8 *addr)
{
	struct mcfab_ports *ports = port->ports;
	struct mcfab_members *group;
	u32 i;

	group = rhashtable_lookup_fast(&ports->groups, addr, group_params);
	for (i = 0; group && i < group->n && group->node[i] != port->node; i++)
		;
	if (!group || i == group->n)
		return;
	group->node[i] = group->node[--group->n];
	forget(ports, &group->set);
	if (group->n)
		return;
	rhashtable_remove_fast(&ports->groups, &group->hash, group_params);
	kfree(group->node);
	kfree_rcu(group, rcu);
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
	bool all = port->dev->flags & IFF_ALLMULTI || READ_ONCE(port->flood);
	struct mcfab_ports *ports = port->ports;

	__dev_mc_sync(port->dev, sync_join, sync_leave);
	spin_lock(&ports->lock);
	if (port->all != all) {
		port->all = all;
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
	if (port->all)
		forget_all(ports);
	port->all = false;
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

	port->alone = kmalloc(struct_size(port->alone, dst, 1), GFP_KERNEL_ACCOUNT);
	if (!port->alone)
		return -ENOMEM;
	refcount_set(&port->alone->ref, 1);
	port->alone->n = 1;
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
