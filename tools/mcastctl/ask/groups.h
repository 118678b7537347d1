/* SPDX-License-Identifier: GPL-2.0 */
/* Asking the kernel for the multicast groups of a fabric. */
#ifndef MCASTCTL_GROUPS_H
#define MCASTCTL_GROUPS_H

#include <json-c/json.h>

#include "netlink/netlink.h"

/** struct group_name - a group as the user named it */
struct group_name {
	const char *fabric;
	const char *name;		/* NULL: all of the fabric */
};

/* Put the names into a request; @what is a struct group_name. */
void groups_put(struct nl_request *rq, const void *what);
/* A group with "members" and "lids", or all as an array; refusals are printed. */
enum status groups_one(const struct group_name *asked, struct json_object **out);
enum status groups_all(const char *fabric, struct json_object **out);
/* Ascending numbers as "0-3,7", to be freed. */
char *groups_ranges(struct json_object *list);

#endif
