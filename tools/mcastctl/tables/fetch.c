// SPDX-License-Identifier: GPL-2.0
/* Forwarding tables as the kernel tells them: entry by entry, by switch, then by LID. */
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>

#include "ask/lookup.h"
#include "netlink/attrs.h"
#include "tables/tables.h"

void tables_put(struct nl_request *rq, const void *what)
{
	const struct table_filter *filter = what;
	const struct nl_where nowhere = { 0 };

	nl_put_str(rq, MCFAB_A_TABLE_FABRIC, filter->fabric, nl_where("fabric", filter->fabric));
	nl_put_u32(rq, MCFAB_A_TABLE_KIND, filter->kind, nowhere);
	if (filter->one_switch)
		nl_put_u32(rq, MCFAB_A_TABLE_SWITCH, filter->sw, filter->sw_where);
	if (filter->one_lid)
		nl_put_u32(rq, MCFAB_A_TABLE_LID, filter->lid, filter->lid_where);
	if (filter->lanes)
		nl_put_u32(rq, MCFAB_A_TABLE_LANES, filter->lanes, filter->lanes_where);
}

/** struct fetch - tables on their way */
struct fetch {
	const struct table_filter *filter;
	const struct subnet *subnet;
	struct fwd_dump *dump;
	u32 before;			/* tables that were there already */
};

static void forget(void *data)
{
	struct fetch *fetch = data;

	while (fetch->dump->n > fetch->before)
		opensm_table_free(&fetch->dump->table[--fetch->dump->n]);
}

/* The table of a switch: the last one, or a new one. */
static struct fwd_table *table_of(struct fetch *fetch, u32 sw, u32 lid)
{
	const struct graph *g = &fetch->subnet->graph;
	struct fwd_dump *dump = fetch->dump;
	struct fwd_table *t = dump->n > fetch->before ? &dump->table[dump->n - 1] : NULL;
	bool multicast = fetch->filter->kind == MCFAB_TABLE_KIND_MFT;

	if (t && t->sw == sw)
		return t;
	t = opensm_add_table(dump);
	*t = (struct fwd_table){
		.guid = graph_switch_guid(g, sw), .lid = lid, .sw = sw, .multicast = multicast,
		.name = subnet_name(fetch->subnet, sw | SUBNET_SWITCH),
		.ports = g->sw[sw].ports - 1, .first = multicast ? OPENSM_MIN_MLID : 0,
	};
	return t;
}

static void take_lft(struct fwd_table *t, u32 lid, const u8 *port, u32 n)
{
	for (u32 i = 0; i < n; i++) {
		if (port[i] == MCFAB_NO_PORT)
			continue;
		*opensm_add_lft(t) = (struct lft_row){ .lid = lid + i, .port = port[i] };
	}
	if (n)
		t->last = lid + n - 1;
}

static void take_mft(struct fwd_table *t, u32 lid, const u8 *port, u32 n, bool user)
{
	struct mft_row *row = opensm_add_mft(t);

	*row = (struct mft_row){ .lid = lid, .user = user };
	for (u32 i = 0; i < n; i++)
		mft_set(row, port[i]);
}

static enum status take_entry(const struct nlmsghdr *nlh, void *data)
{
	const struct nlattr *top[MCFAB_A_TABLE_ENTRY + 1], *attr[MCFAB_A_TABLE_ENTRY_MAX + 1];
	struct fetch *fetch = data;
	struct fwd_table *t;
	const u8 *port = NULL;
	u32 sw, lid, n = 0;

	attr_index(nlh, top, ARRAY_SIZE(top));
	if (!top[MCFAB_A_TABLE_ENTRY])
		return STATUS_OK;
	attr_index_nest(top[MCFAB_A_TABLE_ENTRY], attr, ARRAY_SIZE(attr));
	if (!attr[MCFAB_A_TABLE_ENTRY_SWITCH] || !attr[MCFAB_A_TABLE_ENTRY_SWITCH_LID] ||
	    !attr[MCFAB_A_TABLE_ENTRY_LID])
		return STATUS_OK;
	sw = nl_attr_uint(attr[MCFAB_A_TABLE_ENTRY_SWITCH]);
	if (sw >= fetch->subnet->graph.switches)
		return refused("the kernel tells of switch %u, but there are only %u", sw,
			       fetch->subnet->graph.switches);
	t = table_of(fetch, sw, nl_attr_uint(attr[MCFAB_A_TABLE_ENTRY_SWITCH_LID]));
	lid = nl_attr_uint(attr[MCFAB_A_TABLE_ENTRY_LID]);
	if (attr[MCFAB_A_TABLE_ENTRY_PORTS]) {
		port = mnl_attr_get_payload(attr[MCFAB_A_TABLE_ENTRY_PORTS]);
		n = mnl_attr_get_payload_len(attr[MCFAB_A_TABLE_ENTRY_PORTS]);
	}
	if (t->multicast)
		take_mft(t, lid, port, n, attr[MCFAB_A_TABLE_ENTRY_USER]);
	else
		take_lft(t, lid, port, n);
	return STATUS_OK;
}

enum status tables_fetch(const struct table_filter *filter, const struct subnet *s,
			 struct fwd_dump *dump)
{
	struct fetch fetch = {
		.filter = filter, .subnet = s, .dump = dump, .before = dump->n,
	};
	const struct dump_request request = {
		.cmd = MCFAB_CMD_TABLE_GET, .put = tables_put, .what = filter,
		.reply = take_entry, .reset = forget, .data = &fetch,
	};

	return ask_dump(&request);
}
