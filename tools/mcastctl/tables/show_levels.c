// SPDX-License-Identifier: GPL-2.0
/* Virtual lanes and service levels for people, and as text that is read again. */
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>

#include "ask/lookup.h"
#include "base/table.h"
#include "tables/show.h"

/* "0 1 0 1 ...", to be freed */
static char *lane_list(struct json_object *entry, const char *format)
{
	struct json_object *vls = get_obj(entry, "vls");
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	for (size_t i = 0; vls && i < json_object_array_length(vls); i++)
		fprintf(f, format, json_object_get_int(json_object_array_get_idx(vls, i)));
	fclose(f);
	return text;
}

/* "5" or "5-8" */
static void range_cell(struct table *t, u64 first, u64 last)
{
	if (first == last)
		table_cell(t, "%llu", first);
	else
		table_cell(t, "%llu-%llu", first, last);
}

static bool same_lanes(struct json_object *a, struct json_object *b)
{
	return a && b && get_u64(a, "switch") == get_u64(b, "switch") &&
	       get_u64(a, "port") == get_u64(b, "port") &&
	       json_object_equal(get_obj(a, "vls"), get_obj(b, "vls"));
}

/* Input ports that follow each other and have the same lanes, in one line. */
void show_lanes(const struct subnet *s, struct json_object *list)
{
	size_t n = json_object_array_length(list), next;
	struct table t;
	char port[24];

	table_init(&t, "SWITCH <NAME ITS-LID <IN <PORT:SWITCH <VLS-OF-SL-0-TO-15");
	for (size_t i = 0; i < n; i = next) {
		struct json_object *entry = json_object_array_get_idx(list, i), *last = entry;
		u64 sw = get_u64(entry, "switch");
		char *lanes;

		for (next = i + 1; next < n; next++) {
			struct json_object *further = json_object_array_get_idx(list, next);

			if (!same_lanes(entry, further))
				break;
			last = further;
		}
		if (sw >= s->graph.switches)
			continue;
		table_switch(&t, s, sw);
		if (get_obj(entry, "in-port"))
			range_cell(&t, get_u64(entry, "in-port"), get_u64(last, "in-port"));
		else
			table_cell(&t, "all");
		subnet_port(s, sw, get_u64(entry, "port"), port, sizeof(port));
		table_cell(&t, "%s", port);
		lanes = lane_list(entry, " %d");
		table_cell(&t, "%s", lanes + (*lanes == ' '));
		free(lanes);
	}
	table_print(&t, stdout);
}

/* LIDs that follow each other and have the same level, in one line. */
void show_paths(const struct subnet *s, struct json_object *list)
{
	struct table t;

	table_init(&t, "NODE <NAME <LIDS SL");
	for (size_t i = 0; i < json_object_array_length(list); i++) {
		struct json_object *entry = json_object_array_get_idx(list, i);
		struct json_object *sls = get_obj(entry, "sls");
		size_t n = sls ? json_object_array_length(sls) : 0, next;
		u64 node = get_u64(entry, "node"), lid = get_u64(entry, "lid");

		for (size_t k = 0; k < n && node < s->graph.hosts; k = next) {
			int sl = json_object_get_int(json_object_array_get_idx(sls, k));

			for (next = k + 1; next < n; next++) {
				if (json_object_get_int(json_object_array_get_idx(sls, next)) != sl)
					break;
			}
			table_cell(&t, "%llu", node);
			table_cell(&t, "%s", subnet_name(s, node));
			range_cell(&t, lid + k, lid + next - 1);
			table_cell(&t, "%d", sl);
		}
	}
	table_print(&t, stdout);
}

static void dump_lanes_head(FILE *f, const struct subnet *s, u32 sw)
{
	fprintf(f, "Switch 0x%016llx, base LID %u, \"%s\"\n", subnet_guid(s, sw | SUBNET_SWITCH),
		s->graph.sw[sw].lid, subnet_name(s, sw | SUBNET_SWITCH));
	fputs("#in out : 0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15\n"
	      "#--------------------------------------------------------\n", f);
}

void dump_lanes(const struct subnet *s, struct json_object *list, FILE *f)
{
	u64 open = GRAPH_NONE;

	for (size_t i = 0; i < json_object_array_length(list); i++) {
		struct json_object *entry = json_object_array_get_idx(list, i);
		u64 sw = get_u64(entry, "switch"), out = get_u64(entry, "port");
		bool all = !get_obj(entry, "in-port");
		u64 first = all ? 0 : get_u64(entry, "in-port"), last;
		char *lanes;

		if (sw >= s->graph.switches)
			continue;
		if (sw != open)
			dump_lanes_head(f, s, sw);
		open = sw;
		last = all ? s->graph.sw[sw].ports - 1 : first;
		lanes = lane_list(entry, " %-2d");
		for (u64 in = first; in <= last; in++)
			fprintf(f, "%-3llu %-3llu :%s\n", in, out, lanes);
		free(lanes);
	}
}

void dump_paths(const struct subnet *s, struct json_object *list, FILE *f)
{
	for (size_t i = 0; i < json_object_array_length(list); i++) {
		struct json_object *entry = json_object_array_get_idx(list, i);
		struct json_object *sls = get_obj(entry, "sls");
		u64 node = get_u64(entry, "node"), lid = get_u64(entry, "lid");

		if (node >= s->graph.hosts)
			continue;
		for (size_t k = 0; sls && k < json_object_array_length(sls); k++) {
			if (subnet_owner(s, lid + k) == SUBNET_NOBODY)
				continue;
			fprintf(f, "0x%016llx %llu %d\n", subnet_guid(s, node), lid + k,
				json_object_get_int(json_object_array_get_idx(sls, k)));
		}
	}
}
