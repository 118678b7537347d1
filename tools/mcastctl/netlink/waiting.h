/* SPDX-License-Identifier: GPL-2.0 */
/* Waiting for the answer to a request that takes long. */
#ifndef MCASTCTL_WAITING_H
#define MCASTCTL_WAITING_H

#include "netlink/netlink.h"

bool wait_interrupted(void);
int wait_for_answer(int fd, const struct nlmsghdr *nlh, struct mnl_socket *(*open)(void));

#endif
