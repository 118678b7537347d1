// SPDX-License-Identifier: GPL-2.0
/* save: tables and groups of a fabric with LIDs, in the order in which they can be made again. */
#include <linux/mcfab.h>
#include <stdlib.h>

#include "ask/groups.h"
#include "ask/lookup.h"
#include "base/table.h"
#include "cmd/remake.h"
#include "cmd/save.h"
#include "tables/show.h"

/** struct assigned - a source and its multicast LID for a group */
struct assigned {
	u32 lid;
	u32 source;
	const char *group;
};

static int by_lid(const void *pa, const void *pb)
{
	const struct assigned *a = pa, *b = pb;

	return a->lid < b->lid ? -1 : a->lid > b->lid;
}

/* Linear tables, lanes, service levels: what of them the network itself does not make. */
static enum status put_tables(FILE *f, const char *fabric, const char *name,
			      const struct subnet *s)
{
	struct table_filter filter = { .fabric = fabric };
	enum status status;
	char *text = NULL;
	size_t len = 0;
	FILE *all = open_memstream(&text, &len);

	if (!all)
		return refused("out of memory");
	status = tables_dump_unicast(&filter, s, all);
	if (fclose(all) && !status)
		status = refused("out of memory");
	if (!status && len)
		fprintf(f, "table load %s <<" SAVE_END " force\n%s" SAVE_END "\n", name, text);
	free(text);
	return status;
}

/* Sources get their multicast LIDs in the order in which they had got them: the lowest first. */
static void put_assigned(FILE *f, const char *name, struct json_object *groups)
{
	struct assigned *all = NULL;
	size_t n = 0;

	for (size_t i = 0; i < json_object_array_length(groups); i++) {
		struct json_object *group = json_object_array_get_idx(groups, i);
		struct json_object *lids = get_obj(group, "lids");

		for (size_t k = 0; k < json_object_array_length(lids); k++) {
			struct json_object *pair = json_object_array_get_idx(lids, k);

			all = xrealloc(all, n + 1, sizeof(*all));
			all[n++] = (struct assigned){
				.lid = get_u64(pair, "lid"), .source = get_u64(pair, "source"),
				.group = get_str(group, "name"),
			};
		}
	}
	if (n)
		qsort(all, n, sizeof(*all), by_lid);
	for (size_t i = 0; i < n; i++) {
		char *group = remake_name(all[i].group);

		fprintf(f, "group assign %s %s source %u\n", name, group, all[i].source);
		free(group);
	}
	free(all);
}

/* Rows of multicast tables that the user has set; the others are built again. */
static enum status put_rows(FILE *f, const char *fabric, const char *name, const struct subnet *s)
{
	struct table_filter filter = { .fabric = fabric, .kind = MCFAB_TABLE_KIND_MFT };
	struct fwd_dump dump = { 0 };
	enum status status = tables_fetch(&filter, s, &dump);

	for (u32 i = 0; !status && i < dump.n; i++) {
		const struct fwd_table *t = &dump.table[i];

		for (u32 k = 0; k < t->n; k++) {
			const char *between = " ports ";

			if (!t->mft[k].user)
				continue;
			fprintf(f, "table set %s switch s%u lid 0x%04x", name, t->sw,
				t->mft[k].lid);
			for (u32 port = 0; port <= OPENSM_MAX_PORT; port++) {
				if (!mft_has(&t->mft[k], port))
					continue;
				fprintf(f, "%s%u", between, port);
				between = ",";
			}
			fputs(*between == ',' ? "\n" : " ports none\n", f);
		}
	}
	opensm_free(&dump);
	return status;
}

enum status save_subnet(FILE *f, struct json_object *fabric)
{
	const char *fabric_name = get_str(fabric, "name");
	struct json_object *groups = NULL, *lines = json_object_new_array();
	char *name = remake_name(fabric_name);
	struct subnet s = { 0 };
	enum status status;

	status = subnet_read(fabric, &s);
	if (!status && has(fabric, "tables-edited"))
		status = put_tables(f, fabric_name, name, &s);
	if (!status)
		status = groups_all(fabric_name, &groups);
	if (!status) {
		remake_groups(lines, fabric_name);
		save_lines(f, json_object_get(lines));
		put_assigned(f, name, groups);
		status = put_rows(f, fabric_name, name, &s);
	}
	json_object_put(lines);
	json_object_put(groups);
	subnet_free(&s);
	free(name);
	return status;
}
