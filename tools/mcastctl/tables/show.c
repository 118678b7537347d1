// SPDX-License-Identifier: GPL-2.0
/* Forwarding tables for people, for programs, and as text that ibroute would print. */
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>

#include "ask/lookup.h"
#include "base/options.h"
#include "base/table.h"
#include "netlink/keyword.h"
#include "tables/show.h"

void table_switch(struct table *t, const struct subnet *s, u32 sw)
{
	table_cell(t, "%u", sw);
	table_cell(t, "%s", subnet_name(s, sw | SUBNET_SWITCH));
	table_cell(t, "%u", s->graph.sw[sw].lid);
}

static void show_lft(const struct subnet *s, const struct fwd_dump *dump)
{
	struct table t;
	char port[24];

	table_init(&t, "SWITCH <NAME ITS-LID LID <PORT:SWITCH <DESTINATION");
	for (u32 i = 0; i < dump->n; i++) {
		const struct fwd_table *lft = &dump->table[i];

		for (u32 k = 0; k < lft->n; k++) {
			u32 owner = subnet_owner(s, lft->lft[k].lid);

			table_switch(&t, s, lft->sw);
			table_cell(&t, "%u", lft->lft[k].lid);
			subnet_port(s, lft->sw, lft->lft[k].port, port, sizeof(port));
			table_cell(&t, "%s", port);
			if (owner == SUBNET_NOBODY)
				table_cell(&t, "-");
			else
				table_cell(&t, "%s %u",
					   owner & SUBNET_SWITCH ? "switch" : "node",
					   owner & ~SUBNET_SWITCH);
		}
	}
	table_print(&t, stdout);
}

/* "1:13 3:11 5:host", to be freed */
static char *port_list(const struct subnet *s, u32 sw, const struct mft_row *row)
{
	char *text = NULL, port[24];
	size_t size;
	FILE *f = open_memstream(&text, &size);

	for (u32 p = 0; p <= OPENSM_MAX_PORT; p++) {
		if (!mft_has(row, p))
			continue;
		subnet_port(s, sw, p, port, sizeof(port));
		fprintf(f, ftell(f) ? " %s" : "%s", port);
	}
	fclose(f);
	return text;
}

static void show_mft(const struct subnet *s, const struct fwd_dump *dump)
{
	struct table t;

	table_init(&t, "SWITCH <NAME ITS-LID LID <FROM <PORT:SWITCH");
	for (u32 i = 0; i < dump->n; i++) {
		const struct fwd_table *mft = &dump->table[i];

		for (u32 k = 0; k < mft->n; k++) {
			char *ports = port_list(s, mft->sw, &mft->mft[k]);

			table_switch(&t, s, mft->sw);
			table_cell(&t, "0x%04x", mft->mft[k].lid);
			table_cell(&t, "%s", mft->mft[k].user ? "user" : "built");
			table_cell(&t, "%s", *ports ? ports : "-");
			free(ports);
		}
	}
	table_print(&t, stdout);
}

/* The entries of all messages as one list. */
static struct json_object *entries(struct json_object *parts)
{
	struct json_object *all = json_object_new_array();

	for (size_t i = 0; i < json_object_array_length(parts); i++) {
		struct json_object *list = get_obj(json_object_array_get_idx(parts, i), "entry");

		for (size_t k = 0; list && k < json_object_array_length(list); k++)
			json_object_array_add(all,
					      json_object_get(json_object_array_get_idx(list, k)));
	}
	return all;
}

static enum status ask_entries(const struct table_filter *filter, struct json_object **out)
{
	struct json_object *parts = NULL;
	enum status status;

	status = ask_list(MCFAB_CMD_TABLE_GET, tables_put, filter, &parts);
	*out = status ? NULL : entries(parts);
	json_object_put(parts);
	return status;
}

enum status tables_show(const struct table_filter *filter, const struct subnet *s)
{
	struct fwd_dump dump = { 0 };
	struct json_object *list;
	enum status status;

	if (options.json || filter->kind == MCFAB_TABLE_KIND_SL2VL ||
	    filter->kind == MCFAB_TABLE_KIND_PATH_SL) {
		status = ask_entries(filter, &list);
		if (!status && options.json)
			json_print(json_object_get(list));
		else if (!status && filter->kind == MCFAB_TABLE_KIND_SL2VL)
			show_lanes(s, list);
		else if (!status)
			show_paths(s, list);
		json_object_put(list);
		return status;
	}
	status = tables_fetch(filter, s, &dump);
	if (!status && filter->kind == MCFAB_TABLE_KIND_MFT)
		show_mft(s, &dump);
	else if (!status)
		show_lft(s, &dump);
	opensm_free(&dump);
	return status;
}

/* What ibroute says about the owner of each LID: [GRAPH_LID_MAX + 1], with texts to free */
static char **make_infos(const struct subnet *s)
{
	char **info = xcalloc(GRAPH_LID_MAX + 1, sizeof(*info));

	for (u32 lid = 1; lid <= GRAPH_LID_MAX; lid++) {
		u32 owner = subnet_owner(s, lid);

		if (owner == SUBNET_NOBODY)
			continue;
		info[lid] = xasprintf("%s portguid 0x%016llx: '%s'",
				      owner & SUBNET_SWITCH ? "Switch" : "Channel Adapter",
				      subnet_guid(s, owner), subnet_name(s, owner));
	}
	return info;
}

static void dump_lfts(struct fwd_dump *dump, const struct subnet *s, FILE *f)
{
	char **info = make_infos(s);

	for (u32 i = 0; i < dump->n; i++) {
		struct fwd_table *t = &dump->table[i];

		for (u32 k = 0; k < t->n; k++)
			t->lft[k].info = info[t->lft[k].lid];
		opensm_print(f, t);
	}
	for (u32 lid = 0; lid <= GRAPH_LID_MAX; lid++)
		free(info[lid]);
	free(info);
}

/* Rows that the user has emptied are the kernel's to tell, ibroute has none. */
static void dump_mfts(struct fwd_dump *dump, FILE *f)
{
	for (u32 i = 0; i < dump->n; i++) {
		struct fwd_table *t = &dump->table[i];
		u32 kept = 0;

		for (u32 k = 0; k < t->n; k++) {
			if (!mft_is_empty(&t->mft[k]))
				t->mft[kept++] = t->mft[k];
		}
		t->n = kept;
		if (kept)
			opensm_print(f, t);
	}
}

static enum status dump_tables(const struct table_filter *filter, const struct subnet *s, FILE *f)
{
	struct fwd_dump dump = { 0 };
	enum status status;

	status = tables_fetch(filter, s, &dump);
	if (!status && filter->kind == MCFAB_TABLE_KIND_LFT)
		dump_lfts(&dump, s, f);
	else if (!status)
		dump_mfts(&dump, f);
	opensm_free(&dump);
	return status;
}

/* @loaded: lanes only if they were loaded, for all input ports together otherwise */
static enum status dump_levels(const struct table_filter *filter, bool loaded,
			       const struct subnet *s, FILE *f)
{
	struct json_object *list;
	enum status status = ask_entries(filter, &list);
	struct json_object *first = status ? NULL : json_object_array_get_idx(list, 0);

	if (!status && filter->kind == MCFAB_TABLE_KIND_SL2VL) {
		if (!loaded || (first && get_obj(first, "in-port")))
			dump_lanes(s, list, f);
	}
	if (!status && filter->kind == MCFAB_TABLE_KIND_PATH_SL)
		dump_paths(s, list, f);
	json_object_put(list);
	return status;
}

static enum status dump_loaded(const struct table_filter *filter, const struct subnet *s, FILE *f)
{
	struct table_filter one = *filter;
	enum status status;

	one.kind = MCFAB_TABLE_KIND_SL2VL;
	status = dump_levels(&one, true, s, f);
	one.kind = MCFAB_TABLE_KIND_PATH_SL;
	return status ? status : dump_levels(&one, true, s, f);
}

enum status tables_dump_unicast(const struct table_filter *filter, const struct subnet *s, FILE *f)
{
	struct table_filter one = *filter;
	enum status status;

	one.kind = MCFAB_TABLE_KIND_LFT;
	status = dump_tables(&one, s, f);
	return status ? status : dump_loaded(filter, s, f);
}

enum status tables_dump(const struct table_filter *filter, const struct subnet *s, FILE *f)
{
	struct table_filter one = *filter;
	enum status status;

	if (filter->kind == MCFAB_TABLE_KIND_SL2VL || filter->kind == MCFAB_TABLE_KIND_PATH_SL)
		return dump_levels(filter, false, s, f);
	if (filter->kind)
		return dump_tables(filter, s, f);
	one.kind = MCFAB_TABLE_KIND_LFT;
	status = dump_tables(&one, s, f);
	one.kind = MCFAB_TABLE_KIND_MFT;
	status = status ? status : dump_tables(&one, s, f);
	return status ? status : dump_loaded(filter, s, f);
}
