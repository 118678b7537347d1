// SPDX-License-Identifier: GPL-2.0
/*
 * The ports of a fabric, as the outside of its runs: when a run may go on, its beginning and its
 * end. Frames come and go in frame.c.
 */
#include <linux/freezer.h>
#include <linux/netlink.h>
#include <net/rtnetlink.h>
#include "base/memory.h"
#include "netdev/port.h"
#include "workload/arrivals.h"

/* nodes of a cable */
#define CABLE_NODES	2
/* flits of a frame's header in the fabric */
#define HEADER_FLITS	1
/* a frame has at least so many bytes: the least of Ethernet, without the check sum */
#define LEAST_BYTES	ETH_ZLEN
/* nodes between two scheduling points */
#define BREATH		4096
/* shorter times than this are not worth a sleep */
#define SPIN_NS		10000

/**
 * mcfab_ports_flits() - length of a frame in the fabric
 * @ports: the ports of the fabric
 * @bytes: length of the frame with its Ethernet header
 *
 * Context: any.
 * Return: flits: one for the header, and as many as the frame takes.
 */
u32 mcfab_ports_flits(const struct mcfab_ports *ports, u32 bytes)
{
	return HEADER_FLITS + DIV_ROUND_UP(max_t(u32, bytes, LEAST_BYTES), ports->flit_bytes);
}

/* A fabric of two nodes is a cable. Is the interface at its other end up? */
static bool other_end_up(const struct mcfab_port *port)
{
	const struct mcfab_port *other;

	list_for_each_entry(other, &port->ports->list, list) {
		if (other != port)
			return netif_running(other->dev);
	}
	return false;
}

/**
 * mcfab_port_carrier() - a port has a carrier during a run, if its node has a link that works
 * @port: the port
 *
 * In a fabric of two nodes the interface at the other end has to be up, too.
 *
 * Context: mcfab_ports.lock held.
 */
void mcfab_port_carrier(struct mcfab_port *port)
{
	struct mcfab_ports *ports = port->ports;

	if (READ_ONCE(ports->running) && !test_bit(port->node, ports->cut) &&
	    (ports->nodes != CABLE_NODES || other_end_up(port)))
		netif_carrier_on(port->dev);
	else
		netif_carrier_off(port->dev);
}

static void carriers(struct mcfab_ports *ports)
{
	struct mcfab_port *port;

	spin_lock_bh(&ports->lock);
	list_for_each_entry(port, &ports->list, list)
		mcfab_port_carrier(port);
	spin_unlock_bh(&ports->lock);
}

/**
 * mcfab_port_turned() - a port was switched on or off: the other end of a cable notices
 * @port: the port
 *
 * Context: RTNL.
 */
void mcfab_port_turned(struct mcfab_port *port)
{
	if (port->ports->nodes == CABLE_NODES)
		carriers(port->ports);
}

static void ports_links(struct mcfab_outside *o, const unsigned long *cut)
{
	struct mcfab_ports *ports = container_of(o, struct mcfab_ports, o);

	spin_lock_bh(&ports->lock);
	if (cut)
		bitmap_copy(ports->cut, cut, ports->nodes);
	else
		bitmap_zero(ports->cut, ports->nodes);
	spin_unlock_bh(&ports->lock);
	carriers(ports);
}

static bool called(const struct mcfab_ports *ports)
{
	return READ_ONCE(ports->kicked) || !llist_empty(&ports->o.ready);
}

/* the first boundary of a run: from now on ports take frames */
static void begin(struct mcfab_ports *ports)
{
	struct mcfab_arrivals *old = ports->o.log;
	struct mcfab_port *port;

	spin_lock_bh(&ports->lock);
	ports->o.log = ports->log;
	ports->log = NULL;
	/* the run before may have ended while a port was full */
	list_for_each_entry(port, &ports->list, list)
		WRITE_ONCE(port->full, false);
	spin_unlock_bh(&ports->lock);
	mcfab_arrivals_put(old);
	ports->slip = (struct mcfab_slip){ .limit = ports->slip_limit };
	ports->cycle = 0;
	ports->epoch = ktime_get_real_ns();
	mcfab_pace_begin(&ports->pace);
	/* pairs with mcfab_port_xmit(): whoever sees this sees the pace */
	smp_store_release(&ports->running, true);
	carriers(ports);
}

/* sleep until there is something to do, up to @ms milliseconds (0: no limit) */
static void doze(struct mcfab_ports *ports, u32 ms)
{
	if (ms)
		wait_event_freezable_timeout(ports->wait, called(ports), msecs_to_jiffies(ms));
	else
		wait_event_freezable(ports->wait, called(ports));
}

/* sleep for @ns nanoseconds, or until there is something to do */
static void nap(struct mcfab_ports *ports, u64 ns)
{
	if (ns > SPIN_NS)
		wait_event_interruptible_hrtimeout(ports->wait, called(ports), ns_to_ktime(ns));
	else
		cpu_relax();
	try_to_freeze();
}

/* wait until cycle @next is due in real time; return: the last cycle that has passed before */
static u64 keep_pace(struct mcfab_ports *ports, u64 cycle, u64 next, u32 ms)
{
	struct mcfab_pace *pace = &ports->pace;
	u64 due, now;

	/* behind: there is nothing to wait for */
	if (next <= pace->passed && !called(ports))
		return next - 1;
	due = next == U64_MAX ? U64_MAX : mcfab_pace_ns(pace, next);
	for (now = mcfab_pace_now(pace); now < due && !called(ports);
	     now = mcfab_pace_now(pace)) {
		if (due == U64_MAX && ms) {
			doze(ports, ms);
			break;
		}
		if (due == U64_MAX)
			doze(ports, 0);
		else
			nap(ports, due - now);
		cond_resched();
	}
	pace->passed = mcfab_pace_cycle(pace, now);
	return clamp(pace->passed, cycle, next - 1);
}

static u64 ports_wait(struct mcfab_outside *o, u64 cycle, u64 next, bool idle, u32 ms)
{
	struct mcfab_ports *ports = container_of(o, struct mcfab_ports, o);
	u64 past = next - 1;

	if (unlikely(!ports->running))
		begin(ports);
	WRITE_ONCE(ports->cycle, cycle);
	if (ports->pace.scale) {
		past = keep_pace(ports, cycle, next, ms);
	} else if (idle) {
		doze(ports, ms);
		past = cycle;
	}
	/* pairs with mcfab_port_poll(): either it kicks again, or the engine sees the room */
	smp_store_mb(ports->kicked, false);
	return past;
}

static void ports_kick(struct mcfab_outside *o)
{
	struct mcfab_ports *ports = container_of(o, struct mcfab_ports, o);

	WRITE_ONCE(ports->kicked, true);
	wake_up(&ports->wait);
}

/* the run is over: no frame goes any more, and those that the run has not accepted are lost */
static void ports_over(struct mcfab_outside *o)
{
	struct mcfab_ports *ports = container_of(o, struct mcfab_ports, o);
	struct mcfab_inbox *in;
	u32 i;

	WRITE_ONCE(ports->running, false);
	carriers(ports);
	synchronize_net();
	for (i = 0; i < ports->nodes; i++) {
		in = o->inbox[i];
		if (!(i % BREATH))
			cond_resched();
		for (; in && in->accepted != in->given; in->accepted++) {
			mcfab_frame_over(o, mcfab_inbox_at(in, in->accepted)->cookie);
			in->taken = in->accepted + 1;
		}
	}
}

static const struct mcfab_outside_ops ports_ops = {
	.wait = ports_wait,
	.kick = ports_kick,
	.links = ports_links,
	.end = ports_over,
	.deliver = mcfab_frame_deliver,
	.takes = mcfab_port_takes,
	.sent = mcfab_frame_sent,
	.over = mcfab_frame_over,
};

static struct mcfab_ports *ports_new(struct mcfab_fabric *fabric)
{
	struct mcfab_ports *ports = mcfab_memory_zalloc(1, sizeof(*ports));

	if (!ports)
		return NULL;
	kref_init(&ports->ref);
	ports->fabric = fabric;
	ports->nodes = fabric->topo.nodes;
	ports->flit_bytes = fabric->cfg.flit_bytes;
	ports->cycle_ps = fabric->cfg.cycle_ps;
	ports->epoch = ktime_get_real_ns();
	init_waitqueue_head(&ports->wait);
	INIT_LIST_HEAD(&ports->list);
	ports->port = mcfab_memory_zalloc(ports->nodes, sizeof(*ports->port));
	ports->cut = mcfab_memory_zalloc(BITS_TO_LONGS(ports->nodes), sizeof(*ports->cut));
	if (!ports->port || !ports->cut)
		goto free;
	if (mcfab_outside_open(&ports->o, &ports_ops, ports->nodes))
		goto free;
	if (!mcfab_members_open(ports))
		return ports;
	mcfab_outside_close(&ports->o, ports->nodes);
free:
	mcfab_memory_free(ports->cut);
	mcfab_memory_free(ports->port);
	mcfab_memory_free(ports);
	return NULL;
}

static void ports_release(struct kref *ref)
{
	struct mcfab_ports *ports = container_of(ref, struct mcfab_ports, ref);

	mcfab_members_close(ports);
	mcfab_bound_free(ports);
	mcfab_arrivals_put(ports->log);
	mcfab_arrivals_put(ports->o.log);
	mcfab_outside_close(&ports->o, ports->nodes);
	mcfab_memory_free(ports->cut);
	mcfab_memory_free(ports->port);
	mcfab_memory_free(ports);
}

/**
 * mcfab_ports_put() - let go of the ports of a fabric
 * @ports: the ports
 *
 * Context: may sleep.
 */
void mcfab_ports_put(struct mcfab_ports *ports)
{
	kref_put(&ports->ref, ports_release);
}

/**
 * mcfab_ports_get() - the ports of a fabric, made if there are none yet
 * @fabric: the fabric, held
 * @extack: why not, or NULL
 *
 * Context: may sleep.
 * Return: the ports, held; ERR_PTR(-ENOMEM), or ERR_PTR(-ENODEV) if the fabric goes.
 */
struct mcfab_ports *mcfab_ports_get(struct mcfab_fabric *fabric, struct netlink_ext_ack *extack)
{
	struct mcfab_ports *ports = NULL, *fresh = NULL;

	if (!READ_ONCE(fabric->ports)) {
		fresh = ports_new(fabric);
		if (!fresh) {
			NL_SET_ERR_MSG(extack, "no memory for ports, see max_memory_mb");
			return ERR_PTR(-ENOMEM);
		}
	}
	spin_lock(&fabric->part_lock);
	if (!fabric->portless) {
		if (!fabric->ports) {
			/* pairs with the dependency of readers without the lock */
			smp_store_release(&fabric->ports, fresh);
			fresh = NULL;
		}
		ports = fabric->ports;
		kref_get(&ports->ref);
	}
	spin_unlock(&fabric->part_lock);
	if (fresh)
		mcfab_ports_put(fresh);
	if (ports)
		return ports;
	NL_SET_ERR_MSG(extack, "the fabric is being removed");
	return ERR_PTR(-ENODEV);
}

/**
 * mcfab_ports_log() - the log of the messages of the current or last run
 * @fabric: the fabric
 *
 * Context: may sleep.
 * Return: the log, to be let go of by mcfab_arrivals_put(), or NULL.
 */
struct mcfab_arrivals *mcfab_ports_log(struct mcfab_fabric *fabric)
{
	struct mcfab_ports *ports = READ_ONCE(fabric->ports);
	struct mcfab_arrivals *log;

	if (!ports)
		return NULL;
	spin_lock_bh(&ports->lock);
	log = ports->o.log;
	if (log)
		kref_get(&log->ref);
	spin_unlock_bh(&ports->lock);
	return log;
}

/**
 * mcfab_ports_end() - remove the ports of a fabric
 * @fabric: the fabric, which goes; no run is under way, or it is being stopped
 *
 * Context: may sleep; takes RTNL if the fabric has or had ports.
 */
void mcfab_ports_end(struct mcfab_fabric *fabric)
{
	struct mcfab_ports *ports;

	spin_lock(&fabric->part_lock);
	fabric->portless = true;
	ports = fabric->ports;
	spin_unlock(&fabric->part_lock);
	if (!ports)
		return;
	rtnl_lock();
	mcfab_link_remove(ports);
	rtnl_unlock();
}

/**
 * mcfab_ports_free() - let go of the ports of a fabric that is freed
 * @fabric: the fabric; mcfab_ports_end() was called, no run is under way
 *
 * Context: may sleep.
 */
void mcfab_ports_free(struct mcfab_fabric *fabric)
{
	if (fabric->ports)
		mcfab_ports_put(fabric->ports);
}

/**
 * mcfab_ports_init() - let processes make ports
 * @ops: how to find fabrics
 *
 * Context: module initialisation.
 * Return: 0 or a negative error code.
 */
int mcfab_ports_init(const struct mcfab_ports_ops *ops)
{
	int ret = mcfab_frames_init();

	if (ret)
		return ret;
	ret = mcfab_bridge_init();
	if (ret)
		goto exit_frames;
	mcfab_link_fabrics = ops;
	ret = rtnl_link_register(&mcfab_link_ops);
	if (!ret)
		return 0;
	mcfab_bridge_exit();
exit_frames:
	mcfab_frames_exit();
	return ret;
}

/**
 * mcfab_ports_exit() - remove all ports of all fabrics
 *
 * Context: module exit, before fabrics go; mcfab_ports_finish() comes last.
 */
void mcfab_ports_exit(void)
{
	rtnl_link_unregister(&mcfab_link_ops);
	mcfab_bridge_exit();
}

/**
 * mcfab_ports_finish() - undo mcfab_ports_init()
 *
 * Context: module exit; there are no fabrics any more.
 */
void mcfab_ports_finish(void)
{
	mcfab_frames_exit();
}
