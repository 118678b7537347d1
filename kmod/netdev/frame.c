// SPDX-License-Identifier: GPL-2.0
/*
 * A frame on its way: from the network stack into the inbox of its node, then, copy by copy, from
 * the fabric to the network stack of other ports.
 */
#include <linux/if_ether.h>
#include <linux/if_vlan.h>
#include <linux/net_tstamp.h>
#include <net/netdev_queues.h>
#include "netdev/port.h"

/**
 * struct mcfab_frame - a frame under way
 * @skb: the frame; NULL: its last copy was delivered
 * @ports: the ports of its fabric, held
 * @set: its destinations, held
 * @node: the node that sends it
 * @sender: number of the port that sends it
 * @bytes: its length, as the queue of its port counts it; 0: the queue has counted it out
 * @left: copies to be delivered
 */
struct mcfab_frame {
	struct sk_buff *skb;
	struct mcfab_ports *ports;
	struct mcfab_set *set;
	u32 node;
	u32 sender;
	u32 bytes;
	u32 left;
};

static struct kmem_cache *frames;

/**
 * mcfab_frames_init() - prepare for frames
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int mcfab_frames_init(void)
{
	frames = KMEM_CACHE(mcfab_frame, SLAB_ACCOUNT);
	return frames ? 0 : -ENOMEM;
}

/**
 * mcfab_frames_exit() - undo mcfab_frames_init()
 *
 * Context: may sleep; no frame is under way.
 */
void mcfab_frames_exit(void)
{
	kmem_cache_destroy(frames);
}

/* free a frame that never went */
static netdev_tx_t drop(struct sk_buff *skb, struct net_device *dev, atomic64_t *count)
{
	if (count)
		atomic64_inc(count);
	dev_core_stats_tx_dropped_inc(dev);
	kfree_skb(skb);
	return NETDEV_TX_OK;
}

/* does the sender of a frame wait for its time stamp? */
static bool stamp_wanted(const struct mcfab_port *port, const struct sk_buff *skb)
{
	return skb_shinfo(skb)->tx_flags & SKBTX_HW_TSTAMP &&
	       port->stamps.tx_type == HWTSTAMP_TX_ON;
}

/* tell the sender when a frame was sent, if it waits for that */
static void stamp_sent(struct mcfab_port *port, struct sk_buff *skb, u64 cycle)
{
	struct skb_shared_hwtstamps stamp = { .hwtstamp = 0 };

	if (!(skb_shinfo(skb)->tx_flags & SKBTX_IN_PROGRESS))
		return;
	stamp.hwtstamp = mcfab_clock_stamp(port, cycle);
	skb_tstamp_tx(skb, &stamp);
}

/* a frame of which nobody is to get a copy has been sent all the same */
static netdev_tx_t unheard(struct sk_buff *skb, struct mcfab_port *port)
{
	stamp_sent(port, skb, mcfab_clock_cycle(port->ports));
	atomic64_inc(&port->unheard);
	dev_sw_netstats_tx_add(port->dev, 1, skb->len);
	consume_skb(skb);
	return NETDEV_TX_OK;
}

/**
 * mcfab_port_xmit() - send a frame (ndo_start_xmit())
 * @skb: the frame
 * @dev: the port
 *
 * Context: softirqs off, the lock of the device's queue held.
 * Return: NETDEV_TX_OK.
 */
netdev_tx_t mcfab_port_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct mcfab_port *port = netdev_priv(dev);
	struct mcfab_ports *ports = port->ports;
	struct mcfab_inbox *in = ports->o.inbox[port->node];
	struct netdev_queue *txq = netdev_get_tx_queue(dev, 0);
	struct mcfab_offer offer = { .flits = mcfab_ports_flits(ports, skb->len) };
	struct mcfab_frame *frame;
	struct mcfab_set *set;

	/*
	 * Pairs with begin(), and with the grace period in ports_over(): a frame that gets past
	 * this is found there.
	 */
	if (!smp_load_acquire(&ports->running) || offer.flits > READ_ONCE(ports->longest))
		return drop(skb, dev, &port->carrier_drops);
	set = mcfab_members_set(ports, eth_hdr(skb)->h_dest);
	if (!set)
		return drop(skb, dev, NULL);
	if (stamp_wanted(port, skb))
		skb_shinfo(skb)->tx_flags |= SKBTX_IN_PROGRESS;
	skb_tx_timestamp(skb);
	offer.dst = set->dst;
	offer.listed = set->n;
	offer.ndst = set->n - mcfab_set_has(set, port->node);
	if (!offer.ndst) {
		mcfab_set_put(set);
		return unheard(skb, port);
	}
	frame = kmem_cache_alloc(frames, GFP_ATOMIC | __GFP_NOWARN);
	if (!frame || !mcfab_inbox_room(in)) {
		mcfab_set_put(set);
		if (frame)
			kmem_cache_free(frames, frame);
		return drop(skb, dev, NULL);
	}
	*frame = (struct mcfab_frame){
		.skb = skb, .ports = ports, .set = set, .node = port->node,
		.sender = port->serial, .bytes = skb->len, .left = offer.ndst,
	};
	kref_get(&ports->ref);
	offer.cookie = (uintptr_t)frame;
	/* generated now, however far the run is behind */
	if (ports->pace.scale)
		offer.cycle = mcfab_pace_cycle(&ports->pace, mcfab_pace_now(&ports->pace));
	dev_sw_netstats_tx_add(dev, 1, skb->len);
	netdev_tx_sent_queue(txq, skb->len);
	mcfab_inbox_put(&ports->o, in, &offer);
	netif_txq_maybe_stop(txq, mcfab_inbox_room(in), 1, MCFAB_PORT_RING / 4);
	if (wq_has_sleeper(&ports->wait))
		wake_up(&ports->wait);
	return NETDEV_TX_OK;
}

/*
 * A frame does not wait in its port any more, nor is its memory charged to the sender's socket.
 * @gen: cycle in which it was generated, for its time stamp
 */
static void counted_out(struct mcfab_ports *ports, struct mcfab_frame *frame, u64 gen)
{
	struct mcfab_inbox *in = ports->o.inbox[frame->node];
	struct mcfab_port *port;

	if (!frame->bytes)
		return;
	local_bh_disable();
	rcu_read_lock();
	port = rcu_dereference(ports->port[frame->node]);
	if (port)
		stamp_sent(port, frame->skb, gen);
	/* a new port of the node knows nothing of frames of the one before */
	if (port)
		netif_txq_completed_wake(netdev_get_tx_queue(port->dev, 0), 1,
					 port->serial == frame->sender ? frame->bytes : 0,
					 mcfab_inbox_room(in), MCFAB_PORT_RING / 4);
	rcu_read_unlock();
	local_bh_enable();
	frame->bytes = 0;
	skb_orphan(frame->skb);
}

/**
 * mcfab_frame_sent() - the tails of a frame have left its node
 * @o: the ports
 * @cookie: the frame
 * @gen: cycle in which it was generated
 *
 * Context: router threads, one at a time for each node.
 */
void mcfab_frame_sent(struct mcfab_outside *o, u64 cookie, u64 gen)
{
	counted_out(container_of(o, struct mcfab_ports, o), (void *)(uintptr_t)cookie, gen);
}

/* hand a frame that came in a cycle to the network stack of a port; false: it is lost */
static bool receive(struct mcfab_port *port, struct sk_buff *skb, u64 cycle)
{
	if (!netif_running(port->dev)) {
		kfree_skb(skb);
		return false;
	}
	if (skb_queue_len_lockless(&port->backlog) >= MCFAB_PORT_BACKLOG) {
		atomic64_inc(&port->overruns);
		kfree_skb(skb);
		return false;
	}
	if (skb->len > port->dev->mtu + ETH_HLEN + VLAN_HLEN) {
		atomic64_inc(&port->overlong);
		kfree_skb(skb);
		return false;
	}
	/* as after a wire: nothing of the sender's host is left but the bytes */
	skb->dev = port->dev;
	skb_scrub_packet(skb, true);
	skb->protocol = eth_type_trans(skb, port->dev);
	if (port->stamps.rx_filter)
		skb_hwtstamps(skb)->hwtstamp = mcfab_clock_stamp(port, cycle);
	else
		skb_hwtstamps(skb)->hwtstamp = 0;
	skb_queue_tail(&port->backlog, skb);
	napi_schedule(&port->napi);
	return true;
}

/*
 * A copy of a frame, or NULL without memory. Time stamps are in a part of the frame that clones
 * share, so each receiver gets a part of its own, and only pages are shared. The last copy is the
 * frame itself, unless its sender still waits for its time stamp, or has a tap on its port.
 */
static struct sk_buff *next_copy(struct mcfab_frame *frame, u64 gen)
{
	struct sk_buff *skb = frame->skb;

	if (--frame->left)
		return pskb_copy(skb, GFP_KERNEL | __GFP_NOWARN);
	/* every tail has come, so all have left the node, even if nobody said so yet */
	counted_out(frame->ports, frame, gen);
	if (skb_cloned(skb))
		return pskb_copy(skb, GFP_KERNEL | __GFP_NOWARN);
	frame->skb = NULL;
	return skb;
}

/**
 * mcfab_frame_deliver() - a copy of a frame has come to its node
 * @o: the ports
 * @cookie: the frame
 * @node: the node
 * @gen: cycle in which the frame was generated
 * @cycle: it came at the end of this cycle
 *
 * Context: boundary.
 */
void mcfab_frame_deliver(struct mcfab_outside *o, u64 cookie, u32 node, u64 gen, u64 cycle)
{
	struct mcfab_ports *ports = container_of(o, struct mcfab_ports, o);
	struct mcfab_frame *frame = (void *)(uintptr_t)cookie;
	struct mcfab_port *port;
	struct sk_buff *skb;
	bool received = false;

	mcfab_slip_count(&ports->slip, &ports->pace, cycle);
	skb = next_copy(frame, gen);
	local_bh_disable();
	rcu_read_lock();
	port = rcu_dereference(ports->port[node]);
	if (port && skb)
		received = receive(port, skb, cycle);
	else
		kfree_skb(skb);
	rcu_read_unlock();
	local_bh_enable();
	if (!received)
		atomic64_inc(&ports->lost);
}

/**
 * mcfab_frame_over() - the fabric has done with a frame
 * @o: the ports
 * @cookie: the frame
 *
 * Context: router threads, or a process that ends a run. May sleep.
 */
void mcfab_frame_over(struct mcfab_outside *o, u64 cookie)
{
	struct mcfab_frame *frame = (void *)(uintptr_t)cookie;
	struct mcfab_ports *ports = frame->ports;
	struct mcfab_port *port;

	counted_out(ports, frame, mcfab_clock_cycle(ports));
	if (frame->left) {
		rcu_read_lock();
		port = rcu_dereference(ports->port[frame->node]);
		if (port)
			atomic64_add(frame->left, &port->undelivered);
		rcu_read_unlock();
		atomic64_add(frame->left, &ports->lost);
	}
	kfree_skb(frame->skb);
	mcfab_set_put(frame->set);
	kmem_cache_free(frames, frame);
	mcfab_ports_put(ports);
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
	struct sk_buff *skb;
	int done = 0;

	while (done < budget && (skb = skb_dequeue(&port->backlog))) {
		dev_sw_netstats_rx_add(port->dev, skb->len + ETH_HLEN);
		napi_gro_receive(napi, skb);
		done++;
	}
	if (done < budget && napi_complete_done(napi, done) &&
	    !skb_queue_empty_lockless(&port->backlog))
		napi_schedule(napi);
	return done;
}
