/* SPDX-License-Identifier: GPL-2.0 */
/* Requests to rtnetlink: ports are links. */
#ifndef MCASTCTL_RTNL_H
#define MCASTCTL_RTNL_H

#include "netlink/netlink.h"

/* A port to make; @mtu 0: the usual one; @flood below 0: nothing was said. */
struct rtnl_port {
	const char *name;
	const char *fabric;
	u32 node;
	u32 mtu;
	int flood;
};

enum status rtnl_port_add(const struct rtnl_port *port);
enum status rtnl_port_del(const char *name);

#endif
