/* SPDX-License-Identifier: GPL-2.0 */
/* Inside of a request: shared by the builder and by what explains refusals. */
#ifndef MCASTCTL_REQUEST_H
#define MCASTCTL_REQUEST_H

#include "netlink/netlink.h"

/** struct nl_origin - which of the user's words an attribute was made from */
struct nl_origin {
	u32 offset;		/* of the attribute in the message */
	u32 end;		/* offset behind it */
	struct nl_where where;
};

#endif
