/* SPDX-License-Identifier: GPL-2.0 */
/* Forwarding tables of a fabric: fetched, loaded, and what is found in them. */
#ifndef MCASTCTL_TABLES_H
#define MCASTCTL_TABLES_H

#include <json-c/json.h>

#include "netlink/netlink.h"
#include "tables/opensm.h"
#include "tables/subnet.h"

/** struct table_filter - which tables of a fabric */
struct table_filter {
	const char *fabric;
	u32 kind;			/* enum mcfab_table_kind */
	u32 lanes;			/* of sl2vl, 0: default */
	u32 lid;
	u32 sw;
	bool one_lid;			/* only @lid */
	bool one_switch;		/* only @sw */
	struct nl_where lid_where;	/* as the user wrote them */
	struct nl_where sw_where;
	struct nl_where lanes_where;
};

/* Attributes of a request; @what is a struct table_filter. */
void tables_put(struct nl_request *rq, const void *what);
/* Linear or multicast tables, those of each switch together, added to @dump. */
enum status tables_fetch(const struct table_filter *filter, const struct subnet *s,
			 struct fwd_dump *dump);

/* Load what files hold; with @force whatever is found in it. */
enum status tables_load(const char *fabric, char **path, u32 n, bool force);

#endif
