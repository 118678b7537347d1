// SPDX-License-Identifier: GPL-2.0
/*
 * From the fabric to the network stack: frames wait in the backlog of a port until the port's
 * thread takes them. If too many wait, the port is full. By mcfab_outside.holds its node then lets
 * nothing come until half of them are taken; otherwise the port drops what comes.
 */
#include <linux/if_vlan.h>
#include "netdev/port.h"

static bool drop(struct sk_buff *skb, atomic64_t *count)
{
	if (count)
		atomic64_inc(count);
	kfree_skb(skb);
	return false;
}

/**
 * mcfab_port_receive() - hand a frame to the network stack of a port
 * @port: the port
 * @skb: the frame
 * @cycle: it came at the end of this cycle
 *
 * Context: boundary, softirqs off, under RCU.
 * Return: false if the frame is lost.
 */
bool mcfab_port_receive(struct mcfab_port *port, struct sk_buff *skb, u64 cycle)
{
	const struct mcfab_ports *ports = port->ports;

	if (!netif_running(port->dev))
		return drop(skb, NULL);
	if (!ports->o.holds && skb_queue_len_lockless(&port->backlog) >= ports->rx_limit)
		return drop(skb, &port->overruns);
	if (skb->len > port->dev->mtu + ETH_HLEN + VLAN_HLEN)
		return drop(skb, &port->overlong);
	/* as after a wire: nothing of the sender's host is left but the bytes */
	skb->dev = port->dev;
	skb_scrub_packet(skb, true);
	skb->priority = 0;
	skb->protocol = eth_type_trans(skb, port->dev);
	if (port->stamps.rx_filter)
		skb_hwtstamps(skb)->hwtstamp = mcfab_clock_stamp(port, cycle);
	else
		skb_hwtstamps(skb)->hwtstamp = 0;
	skb_queue_tail(&port->backlog, skb);
	napi_schedule(&port->napi);
	return true;
}

static bool has_room(const struct mcfab_port *port)
{
	return skb_queue_len_lockless(&port->backlog) <= READ_ONCE(port->ports->rx_limit) / 2;
}

/**
 * mcfab_port_fills() - is a port full, now that another frame has come?
 * @port: the port
 *
 * Context: boundary, under RCU.
 * Return: true if it is; it has room again when mcfab_port_takes() says so.
 */
bool mcfab_port_fills(struct mcfab_port *port)
{
	if (skb_queue_len_lockless(&port->backlog) < port->ports->rx_limit)
		return false;
	if (port->full)
		return true;
	/* pairs with mcfab_port_poll(): from now on it tells the engine of room */
	smp_store_mb(port->full, true);
	if (has_room(port)) {
		WRITE_ONCE(port->full, false);
		return false;
	}
	atomic64_inc(&port->holds);
	return true;
}

/**
 * mcfab_port_takes() - has a full port room again? (mcfab_outside_ops.takes())
 * @o: the ports
 * @node: its node
 *
 * Context: boundary.
 * Return: true if it has, or if it is down, or gone.
 */
bool mcfab_port_takes(struct mcfab_outside *o, u32 node)
{
	struct mcfab_ports *ports = container_of(o, struct mcfab_ports, o);
	struct mcfab_port *port;
	bool takes = true;

	rcu_read_lock();
	port = rcu_dereference(ports->port[node]);
	if (port) {
		takes = has_room(port);
		if (takes)
			WRITE_ONCE(port->full, false);
	}
	rcu_read_unlock();
	return takes;
}

/**
 * mcfab_port_poll() - give frames to the network stack
 * @napi: of a port
 * @budget: most frames
 *
 * Context: softirq, or the port's own thread.
 * Return: number of frames.
 */
int mcfab_port_poll(struct napi_struct *napi, int budget)
{
	struct mcfab_port *port = container_of(napi, struct mcfab_port, napi);
	struct mcfab_outside *o = &port->ports->o;
	struct sk_buff *skb;
	int done = 0;

	while (done < budget && (skb = skb_dequeue(&port->backlog))) {
		dev_sw_netstats_rx_add(port->dev, skb->len + ETH_HLEN);
		napi_gro_receive(napi, skb);
		done++;
	}
	/* pairs with mcfab_port_fills() */
	smp_mb();
	if (READ_ONCE(port->full) && has_room(port))
		o->ops->kick(o);
	if (done < budget && napi_complete_done(napi, done) &&
	    !skb_queue_empty_lockless(&port->backlog))
		napi_schedule(napi);
	return done;
}
