/* SPDX-License-Identifier: GPL-2.0 */
/* Network devices on the nodes of fabrics, as the control plane and module.c see them. */
#ifndef MCFAB_NETDEV_PORTS_H
#define MCFAB_NETDEV_PORTS_H

#include "fabric/fabric.h"

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

int mcfab_ports_init(const struct mcfab_ports_ops *ops);
void mcfab_ports_exit(void);
void mcfab_ports_finish(void);
int mcfab_ports_prepare(struct mcfab_fabric *fabric, struct mcfab_run_cfg *run,
			struct mcfab_err *err);
struct mcfab_arrivals *mcfab_ports_log(struct mcfab_fabric *fabric);
void mcfab_ports_end(struct mcfab_fabric *fabric);
void mcfab_ports_free(struct mcfab_fabric *fabric);

#endif
