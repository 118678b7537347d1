// SPDX-License-Identifier: GPL-2.0
/* A port as a network device: up and down, addresses, MTU, what ethtool shows. */
#include <linux/ethtool.h>
#include <linux/if_vlan.h>
#include "netdev/port.h"

static int port_init(struct net_device *dev)
{
	struct mcfab_port *port = netdev_priv(dev);
	int ret = mcfab_clock_open(port);

	if (ret)
		return ret;
	ret = mcfab_members_port(port);
	if (ret)
		mcfab_clock_close(port);
	return ret;
}

static void port_uninit(struct net_device *dev)
{
	struct mcfab_port *port = netdev_priv(dev);

	mcfab_members_leave(port);
	mcfab_clock_close(port);
	/* the registration fails: nobody waits for readers before the device is freed */
	if (dev->reg_state == NETREG_UNINITIALIZED)
		synchronize_net();
}

static int port_open(struct net_device *dev)
{
	struct mcfab_port *port = netdev_priv(dev);

	napi_enable(&port->napi);
	/* frames that came before NAPI was on have nobody who polls for them */
	if (!skb_queue_empty_lockless(&port->backlog)) {
		local_bh_disable();
		napi_schedule(&port->napi);
		local_bh_enable();
	}
	/* frames from before may fill the inbox: then the queue starts when they have been sent */
	netif_tx_stop_all_queues(dev);
	/* pairs with netif_txq_completed_wake(): that sees the queue stopped, or this the room */
	smp_mb();
	if (mcfab_inbox_room(port->ports->o.inbox[port->node]))
		netif_tx_start_all_queues(dev);
	mcfab_port_turned(port);
	return 0;
}

static int port_stop(struct net_device *dev)
{
	struct mcfab_port *port = netdev_priv(dev);

	netif_tx_stop_all_queues(dev);
	mcfab_port_turned(port);
	napi_disable(&port->napi);
	skb_queue_purge(&port->backlog);
	/* the engine waits for room if the port was full */
	port->ports->o.ops->kick(&port->ports->o);
	mcfab_members_quit(port);
	return 0;
}

static void port_set_rx_mode(struct net_device *dev)
{
	mcfab_members_update(netdev_priv(dev));
}

static int port_set_mac(struct net_device *dev, void *p)
{
	struct mcfab_port *port = netdev_priv(dev);
	u8 before[ETH_ALEN];
	int ret;

	ether_addr_copy(before, dev->dev_addr);
	ret = eth_mac_addr(dev, p);
	if (ret)
		return ret;
	ret = mcfab_members_address(port);
	if (ret)
		eth_hw_addr_set(dev, before);
	return ret;
}

static int port_change_mtu(struct net_device *dev, int mtu)
{
	struct mcfab_port *port = netdev_priv(dev);
	u32 flits = mcfab_ports_flits(port->ports, mtu + ETH_HLEN + VLAN_HLEN);

	/* the buffers of a run are made for its longest frame */
	if (READ_ONCE(port->ports->running) && flits > READ_ONCE(port->ports->longest))
		return -EBUSY;
	WRITE_ONCE(dev->mtu, mtu);
	return 0;
}

static int port_get_stamps(struct net_device *dev, struct kernel_hwtstamp_config *config)
{
	struct mcfab_port *port = netdev_priv(dev);

	*config = port->stamps;
	return 0;
}

/* All frames are given stamps, or none, whichever are asked for. */
static int port_set_stamps(struct net_device *dev, struct kernel_hwtstamp_config *config,
			   struct netlink_ext_ack *extack)
{
	struct mcfab_port *port = netdev_priv(dev);

	if (config->tx_type != HWTSTAMP_TX_OFF && config->tx_type != HWTSTAMP_TX_ON) {
		NL_SET_ERR_MSG(extack, "frames to be sent get stamps, or none");
		return -ERANGE;
	}
	if (config->rx_filter != HWTSTAMP_FILTER_NONE)
		config->rx_filter = HWTSTAMP_FILTER_ALL;
	port->stamps = *config;
	return 0;
}

static const struct net_device_ops port_ops = {
	.ndo_init		= port_init,
	.ndo_uninit		= port_uninit,
	.ndo_open		= port_open,
	.ndo_stop		= port_stop,
	.ndo_start_xmit		= mcfab_port_xmit,
	.ndo_set_rx_mode	= port_set_rx_mode,
	.ndo_set_mac_address	= port_set_mac,
	.ndo_validate_addr	= eth_validate_addr,
	.ndo_change_mtu		= port_change_mtu,
	.ndo_hwtstamp_get	= port_get_stamps,
	.ndo_hwtstamp_set	= port_set_stamps,
};

/* what "ethtool -S" shows, by name */
static const struct {
	char name[ETH_GSTRING_LEN];
	size_t at;
} port_stats[] = {
	{ "tx_no_run", offsetof(struct mcfab_port, carrier_drops) },
	{ "tx_no_receiver", offsetof(struct mcfab_port, unheard) },
	{ "tx_copies_lost", offsetof(struct mcfab_port, undelivered) },
	{ "rx_overruns", offsetof(struct mcfab_port, overruns) },
	{ "rx_too_long", offsetof(struct mcfab_port, overlong) },
	{ "rx_holds", offsetof(struct mcfab_port, holds) },
	{ "tx_no_memory", offsetof(struct mcfab_port, starved) },
};

static void port_drvinfo(struct net_device *dev, struct ethtool_drvinfo *info)
{
	struct mcfab_port *port = netdev_priv(dev);

	strscpy(info->driver, KBUILD_MODNAME, sizeof(info->driver));
	snprintf(info->bus_info, sizeof(info->bus_info), "%.20s:%u", port->fabric, port->node);
}

static int port_sset_count(struct net_device *dev, int set)
{
	return set == ETH_SS_STATS ? ARRAY_SIZE(port_stats) : -EOPNOTSUPP;
}

static void port_strings(struct net_device *dev, u32 set, u8 *data)
{
	u32 i;

	for (i = 0; set == ETH_SS_STATS && i < ARRAY_SIZE(port_stats); i++)
		ethtool_puts(&data, port_stats[i].name);
}

static void port_ethtool_stats(struct net_device *dev, struct ethtool_stats *stats, u64 *data)
{
	void *port = netdev_priv(dev);
	u32 i;

	for (i = 0; i < ARRAY_SIZE(port_stats); i++)
		data[i] = atomic64_read(port + port_stats[i].at);
}

static int port_ts_info(struct net_device *dev, struct kernel_ethtool_ts_info *info)
{
	info->so_timestamping = SOF_TIMESTAMPING_TX_SOFTWARE | SOF_TIMESTAMPING_RX_SOFTWARE |
				SOF_TIMESTAMPING_SOFTWARE | SOF_TIMESTAMPING_TX_HARDWARE |
				SOF_TIMESTAMPING_RX_HARDWARE | SOF_TIMESTAMPING_RAW_HARDWARE;
	info->phc_index = mcfab_clock_index(netdev_priv(dev));
	info->tx_types = BIT(HWTSTAMP_TX_OFF) | BIT(HWTSTAMP_TX_ON);
	info->rx_filters = BIT(HWTSTAMP_FILTER_NONE) | BIT(HWTSTAMP_FILTER_ALL);
	return 0;
}

static const struct ethtool_ops port_ethtool_ops = {
	.get_drvinfo		= port_drvinfo,
	.get_link		= ethtool_op_get_link,
	.get_sset_count		= port_sset_count,
	.get_strings		= port_strings,
	.get_ethtool_stats	= port_ethtool_stats,
	.get_ts_info		= port_ts_info,
};

/**
 * mcfab_device_free() - a port is gone, but for its memory
 * @dev: the device
 *
 * Context: may sleep.
 */
void mcfab_device_free(struct net_device *dev)
{
	struct mcfab_port *port = netdev_priv(dev);

	mcfab_ports_put(port->ports);
}

/**
 * mcfab_device_setup() - make a device a port; it has no fabric yet
 * @dev: the device
 *
 * Context: RTNL.
 */
void mcfab_device_setup(struct net_device *dev)
{
	ether_setup(dev);
	dev->netdev_ops = &port_ops;
	dev->ethtool_ops = &port_ethtool_ops;
	dev->max_mtu = MCFAB_PORT_MAX_MTU;
	dev->needs_free_netdev = true;
	dev->priv_flags |= IFF_LIVE_ADDR_CHANGE;
	/* the fabric keeps a frame until it is delivered: pktgen may not send it again meanwhile */
	dev->priv_flags &= ~IFF_TX_SKB_SHARING;
	/* netpoll sends with interrupts off */
	dev->priv_flags |= IFF_DISABLE_NETPOLL;
	dev->pcpu_stat_type = NETDEV_PCPU_STAT_TSTATS;
	/* check sums are left to the receiver, as between other devices of one machine */
	dev->hw_features = NETIF_F_SG | NETIF_F_FRAGLIST | NETIF_F_HW_CSUM | NETIF_F_HIGHDMA;
	dev->features = dev->hw_features;
	dev->vlan_features = dev->hw_features;
	eth_hw_addr_random(dev);
}
