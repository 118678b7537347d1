// SPDX-License-Identifier: GPL-2.0
/*
 * A frame on its way: from the network stack into the inbox of its node, then, copy by copy, from
 * the fabric to other ports (receive.c).
 */
#include <linux/if_ether.h>
#include <linux/if_vlan.h>
#include <linux/net_tstamp.h>
#include <net/dst.h>
#include <net/netdev_queues.h>
#include <net/sock.h>
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
 * @memory: bytes of memory for which it counts in that of the fabric
 */
struct mcfab_frame {
	struct sk_buff *skb;
	struct mcfab_ports *ports;
	struct mcfab_set *set;
	u32 node;
	u32 sender;
	u32 bytes;
	u32 left;
	u32 memory;
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

/* is there a socket of a program to which the memory of a frame is charged? */
static bool has_payer(const struct sk_buff *skb)
{
	return skb->sk && sk_fullsock(skb->sk) && skb->sk->sk_net_refcnt;
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
	/* not every sender has its frame's header in one piece */
	if (!pskb_may_pull(skb, ETH_HLEN))
		return drop(skb, dev, NULL);
	/* others are charged to a socket, see leaves_sender() */
	if (!has_payer(skb) && atomic64_read(&ports->memory) > READ_ONCE(ports->memory_limit))
		return drop(skb, dev, &port->starved);
	set = mcfab_set_of(ports, skb);
	if (!set)
		return drop(skb, dev, NULL);
	if (stamp_wanted(port, skb))
		skb_shinfo(skb)->tx_flags |= SKBTX_IN_PROGRESS;
	skb_tx_timestamp(skb);
	offer.dst = set->dst;
	offer.listed = set->n;
	offer.set = set->number;
	offer.group = set->group;
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
	/* a frame under way holds nothing of its namespace, which may go */
	nf_reset_ct(skb);
	skb_dst_drop(skb);
	skb_ext_reset(skb);
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
 * The fabric bears the memory of a frame from now on, not the sender's socket, unless it bears too
 * much already.
 */
static void leaves_sender(struct mcfab_ports *ports, struct mcfab_frame *frame)
{
	struct sk_buff *skb = frame->skb;
	/* TCP says 2 of an acknowledgment */
	u32 bytes = max_t(u32, skb->truesize, SKB_TRUESIZE(skb_end_offset(skb)));

	if (has_payer(skb) &&
	    atomic64_read(&ports->memory) + bytes > READ_ONCE(ports->memory_limit))
		return;
	skb_orphan(skb);
	frame->memory = bytes;
	atomic64_add(bytes, &ports->memory);
}

/*
 * A frame does not wait in its port any more, nor is its memory charged to the sender's socket.
 * @gen: cycle in which it was generated, for its time stamp
 */
static void counted_out(struct mcfab_ports *ports, struct mcfab_frame *frame, u64 gen)
{
	struct mcfab_inbox *in = ports->o.inbox[frame->node];
	struct mcfab_port *port;
	bool mine;

	if (!frame->bytes)
		return;
	local_bh_disable();
	rcu_read_lock();
	port = rcu_dereference(ports->port[frame->node]);
	/* a new port of the node knows nothing of frames of the one before, whose device is gone */
	mine = port && port->serial == frame->sender;
	if (mine)
		stamp_sent(port, frame->skb, gen);
	if (port)
		netif_txq_completed_wake(netdev_get_tx_queue(port->dev, 0), 1,
					 mine ? frame->bytes : 0,
					 mcfab_inbox_room(in), MCFAB_PORT_RING / 4);
	rcu_read_unlock();
	local_bh_enable();
	frame->bytes = 0;
	leaves_sender(ports, frame);
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

/* copies have pages in common: nobody may write there */
static struct sk_buff *pages_shared(struct sk_buff *skb)
{
	if (skb && skb_shinfo(skb)->nr_frags)
		skb_shinfo(skb)->flags |= SKBFL_SHARED_FRAG;
	return skb;
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
		return pages_shared(pskb_copy(skb, GFP_KERNEL | __GFP_NOWARN));
	/* every tail has come, so all have left the node, even if nobody said so yet */
	counted_out(frame->ports, frame, gen);
	if (skb_cloned(skb))
		return pages_shared(pskb_copy(skb, GFP_KERNEL | __GFP_NOWARN));
	frame->skb = NULL;
	skb_orphan(skb);
	return pages_shared(skb);
}

/* copies of a frame come to no port */
static void count_lost(struct mcfab_ports *ports, const struct mcfab_frame *frame, u32 copies)
{
	struct mcfab_port *port;

	rcu_read_lock();
	port = rcu_dereference(ports->port[frame->node]);
	if (port)
		atomic64_add(copies, &port->undelivered);
	rcu_read_unlock();
	atomic64_add(copies, &ports->lost);
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
 * Return: false if the node's port is full from now on.
 */
bool mcfab_frame_deliver(struct mcfab_outside *o, u64 cookie, u32 node, u64 gen, u64 cycle)
{
	struct mcfab_ports *ports = container_of(o, struct mcfab_ports, o);
	struct mcfab_frame *frame = (void *)(uintptr_t)cookie;
	struct mcfab_port *port;
	struct sk_buff *skb;
	bool received = false, room = true;

	mcfab_slip_count(&ports->slip, &ports->pace, cycle);
	skb = next_copy(frame, gen);
	local_bh_disable();
	rcu_read_lock();
	port = rcu_dereference(ports->port[node]);
	if (port && skb)
		received = mcfab_port_receive(port, skb, cycle);
	else
		kfree_skb(skb);
	if (port && o->holds)
		room = !mcfab_port_fills(port);
	rcu_read_unlock();
	local_bh_enable();
	if (!received)
		count_lost(ports, frame, 1);
	return room;
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

	counted_out(ports, frame, mcfab_clock_cycle(ports));
	atomic64_sub(frame->memory, &ports->memory);
	if (frame->left) {
		count_lost(ports, frame, frame->left);
		kfree_skb(frame->skb);
	} else {
		consume_skb(frame->skb);
	}
	mcfab_set_put(frame->set);
	kmem_cache_free(frames, frame);
	mcfab_ports_put(ports);
}
