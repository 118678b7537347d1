/* SPDX-License-Identifier: GPL-2.0 */
/* Commands of the object fabric that have files of their own. */
#ifndef MCASTCTL_CMD_FABRIC_H
#define MCASTCTL_CMD_FABRIC_H

#include "netlink/keyword.h"

enum status fabric_node(struct words *w);

#endif
