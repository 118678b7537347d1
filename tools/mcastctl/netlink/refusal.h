/* SPDX-License-Identifier: GPL-2.0 */
/* Why the kernel refused a request, in the user's own words. */
#ifndef MCASTCTL_REFUSAL_H
#define MCASTCTL_REFUSAL_H

#include "netlink/netlink.h"

/** struct refusal - what came with an error */
struct refusal {
	char text[256];		/* the kernel's, may be empty */
	u32 offset;		/* of the attribute to blame in the request, 0: none */
	u32 missing;		/* attribute that is missing, 0: none */
	u32 missing_nest;	/* offset of the nest it is missing from, 0: message */
	bool has_min;
	bool has_max;
	bool is_length;		/* the bounds are of a length */
	s64 min;
	u64 max;
};

/* Read an error or end message; returns its (negative) errno or 0. */
int refusal_read(struct refusal *why, const struct nlmsghdr *nlh);
enum status refusal_print(const struct refusal *why, int err, const struct nl_request *rq);

#endif
