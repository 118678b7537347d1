/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's own header is that of user space. */
#ifndef SHIM_LINUX_GENETLINK_H
#define SHIM_LINUX_GENETLINK_H

#include <linux/netlink.h>
#include_next <linux/genetlink.h>

#endif
