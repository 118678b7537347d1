/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where requests go: over a socket to the kernel's module, or to the module that
 * is built into the tool.
 */
#ifndef MCASTCTL_TRANSPORT_H
#define MCASTCTL_TRANSPORT_H

#include <sys/types.h>

#include "netlink/netlink.h"

/* Takes a datagram; 0: there is more to come, 1: that was all, or a negative errno. */
typedef int (*transport_take)(const void *datagram, size_t len, void *data);

struct transport {
	/* Sets *family to the type of the family's messages; says what is wrong. */
	enum status (*open)(const char *netns, u16 *family);
	void (*close)(void);
	/* Send a request and hand over the answer: 0 or a negative errno. */
	int (*ask)(const struct nlmsghdr *nlh, transport_take take, void *data);
	/* Events of a multicast group: a descriptor to poll. */
	enum status (*listen)(const char *group, int *fd);
	ssize_t (*hear)(void *buf, size_t len);
	void (*unlisten)(void);
	/* Bytes that fabrics may still take at most, as far as is known. */
	u64 (*memory)(void);
};

extern const struct transport transport_socket;
extern const struct transport transport_user;

#endif
