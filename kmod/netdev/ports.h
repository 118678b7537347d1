/* SPDX-License-Identifier: GPL-2.0 */
/* Network devices on the nodes of fabrics, as the control plane and module.c see them. */
#ifndef MCFAB_NETDEV_PORTS_H
#define MCFAB_NETDEV_PORTS_H

#include <linux/if.h>
#include "fabric/fabric.h"
#include "netdev/slip.h"

struct mcfab_arrivals;
struct net;
struct netlink_ext_ack;

/**
 * struct mcfab_ports_ops - what the owner of all fabrics does for ports
 * @get: find the fabric with name @name of a namespace, and hold it; or an error pointer, with the
 *	 reason in @extack. May sleep; under RTNL
 * @put: let go of it. May sleep; under RTNL
 */
struct mcfab_ports_ops {
	struct mcfab_fabric *(*get)(struct net *net, const char *name,
				    struct netlink_ext_ack *extack);
	void (*put)(struct mcfab_fabric *fabric);
};

/**
 * struct mcfab_port_info - a port
 * @node: its node
 * @name: its name; "": it is not in the namespace of who asks
 * @ifindex: likewise its number, or 0
 * @netns: number of its namespace there, below 0: it is the same, or has none
 * @mtu: its MTU
 * @carrier: a run takes its frames
 * @flood: it gets all multicasts
 * @tx: frames sent
 * @rx: frames received
 * @no_run: frames dropped because no run was under way
 * @no_receiver: frames that were for no port
 * @lost: copies of its frames that came to no port
 * @overruns: frames that were dropped because too many waited for the network stack
 * @too_long: frames that were dropped because they are longer than the MTU
 * @holds: how often too many waited for the network stack, and further ones waited in the fabric
 * @no_memory: frames without a socket that were dropped for want of memory
 */
struct mcfab_port_info {
	u32 node;
	char name[IFNAMSIZ];
	int ifindex;
	int netns;
	u32 mtu;
	bool carrier;
	bool flood;
	u64 tx;
	u64 rx;
	u64 no_run;
	u64 no_receiver;
	u64 lost;
	u64 overruns;
	u64 too_long;
	u64 holds;
	u64 no_memory;
};

int mcfab_ports_init(const struct mcfab_ports_ops *ops);
void mcfab_ports_exit(void);
void mcfab_ports_finish(void);
int mcfab_ports_prepare(struct mcfab_fabric *fabric, struct mcfab_run_cfg *run,
			struct mcfab_err *err);
bool mcfab_ports_next(struct mcfab_fabric *fabric, struct net *net, u32 from,
		      struct mcfab_port_info *info);
bool mcfab_ports_slip(struct mcfab_fabric *fabric, struct mcfab_slip *slip);
struct mcfab_arrivals *mcfab_ports_log(struct mcfab_fabric *fabric);
void mcfab_ports_end(struct mcfab_fabric *fabric);
void mcfab_ports_free(struct mcfab_fabric *fabric);

#endif
