// SPDX-License-Identifier: GPL-2.0
/* Multicast groups as objects: the kernel tells each in as many messages as it takes. */
#include <linux/mcfab.h>
#include <stdio.h>

#include "ask/groups.h"
#include "ask/lookup.h"
#include "base/table.h"

void groups_put(struct nl_request *rq, const void *what)
{
	const struct group_name *asked = what;

	nl_put_str(rq, MCFAB_A_GROUP_FABRIC, asked->fabric, nl_where("fabric", asked->fabric));
	if (asked->name)
		nl_put_str(rq, MCFAB_A_GROUP_NAME, asked->name, nl_where("group", asked->name));
}

static void append(struct json_object *list, struct json_object *more)
{
	for (size_t i = 0; more && i < json_object_array_length(more); i++)
		json_object_array_add(list, json_object_get(json_object_array_get_idx(more, i)));
}

/* One message: members come in several attributes, LIDs as pairs in one. */
static void merge_part(struct json_object *group, struct json_object *part)
{
	struct json_object *members = get_obj(part, "members"), *lids = get_obj(part, "lids"), *o;

	for (size_t i = 0; members && i < json_object_array_length(members); i++)
		append(get_obj(group, "members"), json_object_array_get_idx(members, i));
	for (size_t i = 0; lids && i + 1 < json_object_array_length(lids); i += 2) {
		o = json_object_new_object();
		json_object_object_add(o, "source",
				       json_object_get(json_object_array_get_idx(lids, i)));
		json_object_object_add(o, "lid",
				       json_object_get(json_object_array_get_idx(lids, i + 1)));
		json_object_array_add(get_obj(group, "lids"), o);
	}
}

static struct json_object *begin_group(struct json_object *part)
{
	static const char *const keep[] = { "name", "id", "lid", "members-total", "lids-total",
					    "address" };
	struct json_object *group = json_object_new_object();

	for (size_t i = 0; i < ARRAY_SIZE(keep); i++) {
		if (has(part, keep[i]))
			json_object_object_add(group, keep[i],
					       json_object_get(get_obj(part, keep[i])));
	}
	json_object_object_add(group, "members", json_object_new_array());
	json_object_object_add(group, "lids", json_object_new_array());
	return group;
}

/* The messages of a dump as one object for each group. */
static struct json_object *merge(struct json_object *parts)
{
	struct json_object *all = json_object_new_array(), *group = NULL;

	for (size_t i = 0; i < json_object_array_length(parts); i++) {
		struct json_object *part = json_object_array_get_idx(parts, i);

		if (!group || get_u64(group, "id") != get_u64(part, "id")) {
			group = begin_group(part);
			json_object_array_add(all, group);
		}
		merge_part(group, part);
	}
	return all;
}

static enum status groups_ask(const struct group_name *asked, struct json_object **out)
{
	struct json_object *parts = NULL;
	enum status status;

	status = ask_list(MCFAB_CMD_GROUP_GET, groups_put, asked, &parts);
	*out = status ? NULL : merge(parts);
	json_object_put(parts);
	return status;
}

enum status groups_all(const char *fabric, struct json_object **out)
{
	struct group_name asked = { .fabric = fabric };

	return groups_ask(&asked, out);
}

enum status groups_one(const struct group_name *asked, struct json_object **out)
{
	struct json_object *all;
	enum status status;

	status = groups_ask(asked, &all);
	if (status)
		return status;
	*out = json_object_get(json_object_array_get_idx(all, 0));
	json_object_put(all);
	return *out ? STATUS_OK : refused("group %s: no such group", asked->name);
}

static u64 number_at(struct json_object *list, size_t i)
{
	return json_object_get_uint64(json_object_array_get_idx(list, i));
}

char *groups_ranges(struct json_object *list)
{
	size_t n = json_object_array_length(list), size;
	char *text = NULL;
	FILE *f = open_memstream(&text, &size);

	for (size_t i = 0; i < n; i++) {
		u64 first = number_at(list, i), last = first;

		while (i + 1 < n && number_at(list, i + 1) == last + 1) {
			last++;
			i++;
		}
		fprintf(f, ftell(f) ? ",%llu" : "%llu", first);
		if (last > first)
			fprintf(f, "-%llu", last);
	}
	fclose(f);
	return text;
}
