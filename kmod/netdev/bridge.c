// SPDX-License-Identifier: GPL-2.0
/*
 * Ports in Linux bridges. A bridge that snoops IGMP and MLD knows who has joined which groups
 * behind its ports (its MDB). A port of a fabric is a member of what the bridge's other ports hold,
 * and of what the bridge itself has joined, as if these had joined at the node. Of multicasts that
 * the bridge forwards to other ports without having been asked, the port gets all.
 *
 * The bridge says by switchdev what changes; then the addresses are collected anew, and those that
 * came or went are added to or removed from the addresses of the device. The bridge does not say
 * whether there is a querier in its network, nor does the network stack whether somebody but the
 * bridge asks for all: that is looked at from time to time.
 */
#include <linux/bsearch.h>
#include <linux/if_bridge.h>
#include <linux/sort.h>
#include <net/rtnetlink.h>
#include <net/switchdev.h>
#include "netdev/port.h"

/* between two looks at what bridges do not say */
#define LOOK_JIFFIES	HZ
/* between the first of several changes and a look at them */
#define BATCH_JIFFIES	1

#ifndef CONFIG_NET_SWITCHDEV
/* Debian's kernels for clouds: bridges say nothing, so ports in them get all multicasts. */
static int switchdev_bridge_port_replay(struct net_device *brport_dev, struct net_device *dev,
					const void *ctx, struct notifier_block *atomic_nb,
					struct notifier_block *blocking_nb,
					struct netlink_ext_ack *extack)
{
	return -EOPNOTSUPP;
}
#endif

static void look(struct work_struct *work);

/* ports in bridges, under RTNL */
static LIST_HEAD(bridged);
static DECLARE_DELAYED_WORK(looks, look);

/*
 * Call a function of the bridge's module, without which there are no bridges. So this module does
 * not need that one.
 */
#define BRIDGE_SAYS(function, ...) ({					\
	typeof(function) *_function = symbol_get(function);		\
	bool _says = false;						\
									\
	if (_function) {						\
		_says = _function(__VA_ARGS__);				\
		symbol_put(function);					\
	}								\
	_says;								\
})

/* does a bridge forward all multicasts of a protocol to ports other than ours? */
static bool forwards_all(struct mcfab_port *port, int proto)
{
	return !BRIDGE_SAYS(br_multicast_has_querier_anywhere, port->dev, proto) ||
	       BRIDGE_SAYS(br_multicast_has_router_adjacent, port->dev, proto);
}

static u8 scopes_of(struct mcfab_port *port)
{
	u8 scopes = BIT(MCFAB_SCOPE_LOCAL) | BIT(MCFAB_SCOPE_REPORT);

	/* of others who ask for all nobody tells, as the bridge itself has asked for all, too */
	if (port->dev->allmulti > 1 || !BRIDGE_SAYS(br_multicast_enabled, port->bridge) ||
	    BRIDGE_SAYS(br_multicast_router, port->bridge))
		return MCFAB_ALL_SCOPES;
	if (forwards_all(port, ETH_P_IP))
		scopes |= BIT(MCFAB_SCOPE_IPV4);
	if (forwards_all(port, ETH_P_IPV6))
		scopes |= BIT(MCFAB_SCOPE_IPV6);
	return scopes;
}

static void set_scopes(struct mcfab_port *port, u8 scopes)
{
	if (port->bridge_scopes == scopes)
		return;
	WRITE_ONCE(port->bridge_scopes, scopes);
	netif_addr_lock_bh(port->dev);
	if (port->dev->flags & IFF_UP)
		mcfab_members_update(port);
	netif_addr_unlock_bh(port->dev);
}

/**
 * struct mcfab_collection - addresses that a bridge holds
 * @nb: called for each
 * @kind: objects to be collected
 * @addr: [@n] the addresses, room for @room
 * @n: their number
 * @room: entries of @addr
 */
struct mcfab_collection {
	struct notifier_block nb;
	enum switchdev_obj_id kind;
	struct mcfab_mac *addr;
	u32 n;
	u32 room;
};

static int collect(struct notifier_block *nb, unsigned long event, void *ptr)
{
	struct mcfab_collection *c = container_of(nb, struct mcfab_collection, nb);
	const struct switchdev_notifier_port_obj_info *info = ptr;
	struct mcfab_mac *addr;

	if (event != SWITCHDEV_PORT_OBJ_ADD || info->obj->id != c->kind)
		return NOTIFY_DONE;
	if (c->n == c->room) {
		u32 room = max(2 * c->room, 16U);

		addr = kvrealloc(c->addr, array_size(room, sizeof(*addr)),
				 GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
		if (!addr)
			return notifier_from_errno(-ENOMEM);
		c->addr = addr;
		c->room = room;
	}
	ether_addr_copy(c->addr[c->n++].addr, SWITCHDEV_OBJ_PORT_MDB(info->obj)->addr);
	return NOTIFY_OK;
}

static int compare(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct mcfab_mac));
}

/* in ascending order, each once */
static void tidy(struct mcfab_collection *c)
{
	u32 i, n = 0;

	sort(c->addr, c->n, sizeof(*c->addr), compare, NULL);
	for (i = 0; i < c->n; i++)
		if (!n || compare(&c->addr[n - 1], &c->addr[i]))
			c->addr[n++] = c->addr[i];
	c->n = n;
}

/* what the other ports of the port's bridge hold, and the bridge itself */
static int collect_all(struct mcfab_port *port, struct mcfab_collection *c)
{
	struct net_device *other;
	struct list_head *iter;
	int ret = 0;

	netdev_for_each_lower_dev(port->bridge, other, iter) {
		c->kind = other == port->dev ? SWITCHDEV_OBJ_ID_HOST_MDB :
					       SWITCHDEV_OBJ_ID_PORT_MDB;
		ret = switchdev_bridge_port_replay(other, other, NULL, NULL, &c->nb, NULL);
		if (ret)
			break;
	}
	tidy(c);
	return ret;
}

/* add the addresses that are not in @before to those of the device; false: not all */
static bool add_new(struct net_device *dev, struct mcfab_collection *c,
		    const struct mcfab_mac *before, u32 nbefore)
{
	u32 all = c->n, i;

	c->n = 0;
	for (i = 0; i < all; i++) {
		cond_resched();
		if (bsearch(&c->addr[i], before, nbefore, sizeof(*before), compare) ||
		    !dev_mc_add(dev, c->addr[i].addr))
			c->addr[c->n++] = c->addr[i];
	}
	return c->n == all;
}

/* remove the addresses of @before that are not in @now from those of the device */
static void del_old(struct net_device *dev, const struct mcfab_mac *now, u32 nnow,
		    const struct mcfab_mac *before, u32 nbefore)
{
	u32 i;

	for (i = 0; i < nbefore; i++) {
		cond_resched();
		if (!bsearch(&before[i], now, nnow, sizeof(*now), compare))
			dev_mc_del(dev, before[i].addr);
	}
}

static void snoop(struct mcfab_port *port)
{
	struct mcfab_collection c = { .nb.notifier_call = collect };
	bool whole = !collect_all(port, &c);

	whole &= add_new(port->dev, &c, port->snooped, port->nsnooped);
	del_old(port->dev, c.addr, c.n, port->snooped, port->nsnooped);
	kvfree(port->snooped);
	port->snooped = c.addr;
	port->nsnooped = c.n;
	port->stale = !whole;
}

static void look(struct work_struct *work)
{
	struct mcfab_port *port;

	rtnl_lock();
	list_for_each_entry(port, &bridged, bridged) {
		if (port->stale)
			snoop(port);
		/* without memory for all addresses it gets too much rather than too little */
		set_scopes(port, port->stale ? MCFAB_ALL_SCOPES : scopes_of(port));
	}
	if (!list_empty(&bridged))
		queue_delayed_work(system_wq, &looks, LOOK_JIFFIES);
	rtnl_unlock();
}

/* something has changed in a bridge (NULL: in none) */
static void touch(const struct net_device *bridge)
{
	struct mcfab_port *port;
	bool first = false;

	list_for_each_entry(port, &bridged, bridged) {
		if (port->bridge != bridge || port->stale)
			continue;
		port->stale = true;
		first = true;
	}
	if (first)
		mod_delayed_work(system_wq, &looks, BATCH_JIFFIES);
}

static void enter(struct mcfab_port *port, struct net_device *bridge)
{
	WRITE_ONCE(port->bridge, bridge);
	list_add(&port->bridged, &bridged);
	/* until the first look */
	set_scopes(port, MCFAB_ALL_SCOPES);
}

static void leave(struct mcfab_port *port)
{
	WRITE_ONCE(port->bridge, NULL);
	list_del(&port->bridged);
	del_old(port->dev, NULL, 0, port->snooped, port->nsnooped);
	kvfree(port->snooped);
	port->snooped = NULL;
	port->nsnooped = 0;
	port->stale = false;
	set_scopes(port, 0);
}

/* a device has come to another, or left it */
static int on_netdev(struct notifier_block *nb, unsigned long event, void *ptr)
{
	struct net_device *dev = netdev_notifier_info_to_dev(ptr);
	const struct netdev_notifier_changeupper_info *info = ptr;

	if (event != NETDEV_CHANGEUPPER || !netif_is_bridge_master(info->upper_dev))
		return NOTIFY_DONE;
	if (dev->rtnl_link_ops == &mcfab_link_ops) {
		if (info->linking)
			enter(netdev_priv(dev), info->upper_dev);
		else
			leave(netdev_priv(dev));
	}
	touch(info->upper_dev);
	return NOTIFY_DONE;
}

static bool concerns_members(unsigned long event, const void *ptr)
{
	const struct switchdev_notifier_port_attr_info *attr = ptr;
	const struct switchdev_notifier_port_obj_info *obj = ptr;

	switch (event) {
	case SWITCHDEV_PORT_OBJ_ADD:
	case SWITCHDEV_PORT_OBJ_DEL:
		return obj->obj->id == SWITCHDEV_OBJ_ID_PORT_MDB ||
		       obj->obj->id == SWITCHDEV_OBJ_ID_HOST_MDB;
	case SWITCHDEV_PORT_ATTR_SET:
		return attr->attr->id == SWITCHDEV_ATTR_ID_PORT_MROUTER ||
		       attr->attr->id == SWITCHDEV_ATTR_ID_BRIDGE_MROUTER ||
		       attr->attr->id == SWITCHDEV_ATTR_ID_BRIDGE_MC_DISABLED;
	}
	return false;
}

/* a bridge tells its ports what changes; under RTNL */
static int on_switchdev(struct notifier_block *nb, unsigned long event, void *ptr)
{
	struct net_device *dev = switchdev_notifier_info_to_dev(ptr);

	if (concerns_members(event, ptr))
		touch(netif_is_bridge_master(dev) ? dev : netdev_master_upper_dev_get(dev));
	return NOTIFY_DONE;
}

static struct notifier_block netdev_nb = { .notifier_call = on_netdev };
static struct notifier_block switchdev_nb = { .notifier_call = on_switchdev };

/**
 * mcfab_bridge_init() - follow bridges
 *
 * Context: may sleep; there are no ports yet.
 * Return: 0 or a negative error code.
 */
int mcfab_bridge_init(void)
{
	int ret = register_netdevice_notifier(&netdev_nb);

	if (ret)
		return ret;
	ret = register_switchdev_blocking_notifier(&switchdev_nb);
	if (ret)
		unregister_netdevice_notifier(&netdev_nb);
	return ret;
}

/**
 * mcfab_bridge_exit() - undo mcfab_bridge_init()
 *
 * Context: may sleep; there are no ports any more.
 */
void mcfab_bridge_exit(void)
{
	unregister_switchdev_blocking_notifier(&switchdev_nb);
	unregister_netdevice_notifier(&netdev_nb);
	cancel_delayed_work_sync(&looks);
}
