/* SPDX-License-Identifier: GPL-2.0 */
/* What the linker puts in place of talking to the kernel (ld --wrap). */
#ifndef MCASTCTL_WRAP_H
#define MCASTCTL_WRAP_H

#include "netlink/netlink.h"

enum status __wrap_nl_open(const char *netns);
enum status __wrap_nl_talk(struct nl_request *rq, nl_reply reply, void *data);
int __wrap_nl_try(struct nl_request *rq, nl_reply reply, void *data, enum status *status);

#endif
