/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of this folder share: the ports of a fabric, a port, a set of destinations. */
#ifndef MCFAB_NETDEV_PORT_H
#define MCFAB_NETDEV_PORT_H

#include <linux/etherdevice.h>
#include <linux/kref.h>
#include <linux/net_tstamp.h>
#include <linux/netdevice.h>
#include <linux/ptp_clock_kernel.h>
#include <linux/rhashtable.h>
#include <linux/wait.h>
#include "netdev/pace.h"
#include "netdev/ports.h"
#include "workload/outside.h"

/** MCFAB_PORT_RING - frames that wait in a port for their node to take them up */
#define MCFAB_PORT_RING		256
/** MCFAB_PORT_MAX_MTU - greatest MTU of a port */
#define MCFAB_PORT_MAX_MTU	65000
/** MCFAB_PORT_BACKLOG - frames that wait in a port for the network stack when it is full */
#define MCFAB_PORT_BACKLOG	1000

/**
 * enum mcfab_scope - multicasts by where bridges forward those that nobody has asked for
 * @MCFAB_SCOPE_LOCAL: everywhere: they are not IP, or stay on their link (224.0.0.x, ff02::1)
 * @MCFAB_SCOPE_IPV4: others of IPv4: to routers
 * @MCFAB_SCOPE_IPV6: others of IPv6: to routers
 * @MCFAB_SCOPES: number of the scopes above: every address is of one
 * @MCFAB_SCOPE_REPORT: by which hosts and routers talk about memberships, to any address
 */
enum mcfab_scope {
	MCFAB_SCOPE_LOCAL,
	MCFAB_SCOPE_IPV4,
	MCFAB_SCOPE_IPV6,
	MCFAB_SCOPES,
	MCFAB_SCOPE_REPORT = MCFAB_SCOPES,
};

/** MCFAB_ALL_SCOPES - bits of all scopes */
#define MCFAB_ALL_SCOPES	((u8)(BIT(MCFAB_SCOPE_REPORT + 1) - 1))

/**
 * struct mcfab_set - nodes to which a frame goes
 * @ref: held by who keeps it for further frames, and by frames under way
 * @rcu: to free it
 * @version: mcfab_ports.version as of which it was made
 * @number: of all sets of a fabric, none has the same
 * @group: the group of the subnet whose members they are, NULL: none. It stays for the run
 * @n: entries of @dst
 * @dst: nodes in ascending order, the sender perhaps among them
 */
struct mcfab_set {
	refcount_t ref;
	struct rcu_head rcu;
	u32 version;
	u64 number;
	const struct mcfab_group *group;
	u32 n;
	u32 dst[] __counted_by(n);
};

/** struct mcfab_mac - an Ethernet address: @addr */
struct mcfab_mac {
	u8 addr[ETH_ALEN];
};

/**
 * struct mcfab_members - ports that have joined a multicast address
 * @hash: place in mcfab_ports.groups
 * @rcu: to free it
 * @addr: the address
 * @set: the last set that was made, or NULL
 * @n: members
 * @room: entries of @node
 * @node: their nodes, in any order
 */
struct mcfab_members {
	struct rhash_head hash;
	struct rcu_head rcu;
	u8 addr[ETH_ALEN];
	struct mcfab_set __rcu *set;
	u32 n;
	u32 room;
	u32 *node;
};

/**
 * struct mcfab_bound - an address to which a group of the subnet is bound
 * @addr: the address
 * @set: the members of the group
 */
struct mcfab_bound {
	struct mcfab_mac addr;
	struct mcfab_set *set;
};

/**
 * struct mcfab_ports - the ports of a fabric
 * @o: they are the outside of its runs
 * @ref: held by the fabric, each port, and each frame under way
 * @fabric: the fabric, valid as long as it is held by others
 * @running: a run takes frames
 * @kicked: the boundary has something to do
 * @log: log of the messages of the next run, or NULL
 * @pace: of simulated time
 * @slip: how far deliveries came behind it
 * @cycle_ps: simulated picoseconds of a cycle
 * @slip_limit: mcfab_slip.limit of the next run
 * @rx_limit: frames that wait in a port for the network stack; what comes beyond is dropped, or,
 *	      with mcfab_outside.holds, waits in the network
 * @memory_limit: most bytes of @memory
 * @memory: memory of frames under way that no socket is charged with
 * @epoch: simulated time of cycle 0 of the run in nanoseconds: the date when it began
 * @cycle: the last cycle that is over, where the run has no pace
 * @wait: the boundary sleeps here
 * @nodes: nodes of the fabric
 * @flit_bytes: bytes of a flit
 * @longest: flits of the longest frame of the run
 * @serial: ports that there have been. Under RTNL
 * @port: [@nodes] the port of each node, or NULL. Changed under RTNL
 * @cut: [nodes, one bit each] nodes without a link that works. Under @lock
 * @list: all ports, changed under RTNL and @lock
 * @lock: of everything that says who is a member of what
 * @version: counts changes that concern all sets. Under @lock
 * @sets: sets that were made so far
 * @everyone: set of all ports
 * @strays: for each scope, set of the ports that get all its multicasts
 * @bound: [@nbound] addresses to which groups are bound, ascending. Does not change while a run
 *	   takes frames
 * @nbound: their number
 * @groups: struct mcfab_members by address
 * @macs: struct mcfab_port by address
 * @unheard: frames for which there was no port
 * @lost: copies that no port got: the fabric or the port lost them
 */
struct mcfab_ports {
	struct mcfab_outside o;
	struct kref ref;
	struct mcfab_fabric *fabric;
	bool running;
	bool kicked;
	struct mcfab_arrivals *log;
	struct mcfab_pace pace;
	struct mcfab_slip slip;
	u32 cycle_ps;
	u64 slip_limit;
	u32 rx_limit;
	u64 memory_limit;
	atomic64_t memory;
	u64 epoch;
	u64 cycle;
	wait_queue_head_t wait;
	u32 nodes;
	u32 flit_bytes;
	u32 longest;
	u32 serial;
	struct mcfab_port __rcu **port;
	unsigned long *cut;
	struct list_head list;
	spinlock_t lock;		/* of memberships */
	u32 version;
	atomic64_t sets;
	struct mcfab_set __rcu *everyone;
	struct mcfab_set __rcu *strays[MCFAB_SCOPES];
	struct mcfab_bound *bound;
	u32 nbound;
	struct rhashtable groups;
	struct rhashtable macs;
	atomic64_t unheard;
	atomic64_t lost;
};

/**
 * struct mcfab_clock - a clock of a port: it goes by simulated time, with an offset and a rate of
 *			its own
 * @lock: of what follows
 * @at: simulated time of the last change, in nanoseconds
 * @time: what the clock showed then
 * @rate: how much faster it goes, in 2^-16 parts per million
 * @info: what the kernel may do with it
 * @ptp: the clock as the kernel knows it
 */
struct mcfab_clock {
	spinlock_t lock;		/* of what follows */
	u64 at;
	u64 time;
	long rate;
	struct ptp_clock_info info;
	struct ptp_clock *ptp;
};

/**
 * struct mcfab_port - a network device on a node
 * @dev: the device
 * @ports: the ports of its fabric, held
 * @fabric: name of the fabric
 * @node: its node
 * @serial: number of this port, never used twice in a fabric
 * @list: place among them
 * @mac: place in mcfab_ports.macs
 * @addr: its address there
 * @alone: the set of this port alone
 * @scopes: bits of the scopes of which it gets all multicasts. Under mcfab_ports.lock
 * @flood: it is to get all multicasts, by hand. Under RTNL
 * @bridge: the bridge in which it is, or NULL. Under RTNL
 * @bridged: place in the list of ports in bridges. Under RTNL
 * @bridge_scopes: bits of the scopes that the bridge forwards as a whole. Under RTNL
 * @stale: @snooped is to be made anew. Under RTNL
 * @snooped: [@nsnooped] addresses for which there are members elsewhere in the bridge. Under RTNL
 * @nsnooped: their number
 * @clock: its clock
 * @stamps: which frames are given time stamps
 * @napi: polls @backlog
 * @backlog: frames that have come
 * @full: @backlog is full: the engine waits for room
 * @overruns: frames that were dropped because @backlog was full
 * @holds: how often it was full
 * @starved: frames without a socket that were dropped for want of memory
 * @carrier_drops: frames that were sent while no run was under way
 * @overlong: frames that were dropped because they are longer than the port's MTU
 * @unheard: frames that nobody was to get
 * @undelivered: copies of its frames that the fabric lost
 *
 * Frames under way outlive a port: they find the port of their node, and tell by its number whether
 * it is theirs.
 */
struct mcfab_port {
	struct net_device *dev;
	struct mcfab_ports *ports;
	char fabric[MCFAB_NAME_LEN];
	u32 node;
	u32 serial;
	struct list_head list;
	struct rhash_head mac;
	u8 addr[ETH_ALEN];
	struct mcfab_set *alone;
	u8 scopes;
	bool flood;
	struct net_device *bridge;
	struct list_head bridged;
	u8 bridge_scopes;
	bool stale;
	struct mcfab_mac *snooped;
	u32 nsnooped;
	struct mcfab_clock clock;
	struct kernel_hwtstamp_config stamps;
	struct napi_struct napi;
	struct sk_buff_head backlog;
	bool full;
	atomic64_t overruns;
	atomic64_t holds;
	atomic64_t starved;
	atomic64_t overlong;
	atomic64_t carrier_drops;
	atomic64_t unheard;
	atomic64_t undelivered;
};

/* members.c */
int mcfab_members_open(struct mcfab_ports *ports);
void mcfab_members_close(struct mcfab_ports *ports);
int mcfab_members_port(struct mcfab_port *port);
void mcfab_members_leave(struct mcfab_port *port);
int mcfab_members_address(struct mcfab_port *port);
void mcfab_members_update(struct mcfab_port *port);
void mcfab_members_quit(struct mcfab_port *port);
struct mcfab_members *mcfab_members_find(struct mcfab_ports *ports, const u8 *addr);
struct mcfab_port *mcfab_members_station(struct mcfab_ports *ports, const u8 *addr);

/* sets.c */
struct mcfab_set *mcfab_set_of(struct mcfab_ports *ports, const struct sk_buff *skb);
struct mcfab_set *mcfab_set_new(struct mcfab_ports *ports, u32 n, gfp_t gfp);
bool mcfab_set_has(const struct mcfab_set *set, u32 node);
void mcfab_set_put(struct mcfab_set *set);
void mcfab_set_forget(struct mcfab_ports *ports, struct mcfab_set __rcu **kept);
void mcfab_sets_close(struct mcfab_ports *ports);

/* bound.c */
int mcfab_bound_make(struct mcfab_ports *ports);
void mcfab_bound_free(struct mcfab_ports *ports);
struct mcfab_set *mcfab_bound_find(const struct mcfab_ports *ports, const u8 *addr);

/* bridge.c */
int mcfab_bridge_init(void);
void mcfab_bridge_exit(void);

/* frame.c */
int mcfab_frames_init(void);
void mcfab_frames_exit(void);
netdev_tx_t mcfab_port_xmit(struct sk_buff *skb, struct net_device *dev);
bool mcfab_frame_deliver(struct mcfab_outside *o, u64 cookie, u32 node, u64 gen, u64 cycle);
void mcfab_frame_sent(struct mcfab_outside *o, u64 cookie, u64 gen);
void mcfab_frame_over(struct mcfab_outside *o, u64 cookie);

/* receive.c */
bool mcfab_port_receive(struct mcfab_port *port, struct sk_buff *skb, u64 cycle);
bool mcfab_port_fills(struct mcfab_port *port);
bool mcfab_port_takes(struct mcfab_outside *o, u32 node);
int mcfab_port_poll(struct napi_struct *napi, int budget);

/* clock.c */
int mcfab_clock_open(struct mcfab_port *port);
void mcfab_clock_close(struct mcfab_port *port);
int mcfab_clock_index(const struct mcfab_port *port);
u64 mcfab_clock_cycle(const struct mcfab_ports *ports);
ktime_t mcfab_clock_stamp(struct mcfab_port *port, u64 cycle);

/* ports.c */
struct mcfab_ports *mcfab_ports_get(struct mcfab_fabric *fabric, struct netlink_ext_ack *extack);
void mcfab_ports_put(struct mcfab_ports *ports);
void mcfab_port_carrier(struct mcfab_port *port);
void mcfab_port_turned(struct mcfab_port *port);
u32 mcfab_ports_flits(const struct mcfab_ports *ports, u32 bytes);

/* device.c */
void mcfab_device_setup(struct net_device *dev);
void mcfab_device_free(struct net_device *dev);

/* link.c */
extern struct rtnl_link_ops mcfab_link_ops;
extern const struct mcfab_ports_ops *mcfab_link_fabrics;
void mcfab_link_remove(struct mcfab_ports *ports);

#endif
