// SPDX-License-Identifier: GPL-2.0
/* What the kernel finds wrong with forwarding tables. */
#include <linux/mcfab.h>

#include "ask/lookup.h"
#include "base/table.h"
#include "tables/findings.h"

/** struct check - what is checked */
struct check {
	const char *fabric;
	bool staged;
};

static void put_check(struct nl_request *rq, const void *what)
{
	const struct check *check = what;
	const struct nl_where nowhere = { 0 };

	nl_put_str(rq, MCFAB_A_TABLE_FABRIC, check->fabric, nl_where("fabric", check->fabric));
	if (check->staged)
		nl_put_flag(rq, MCFAB_A_TABLE_STAGED, nowhere);
}

enum status findings_ask(const char *fabric, bool staged, struct json_object **out)
{
	struct check check = { fabric, staged };
	struct json_object *parts, *list, *number = NULL;
	enum status status;

	*out = NULL;
	status = ask_list(MCFAB_CMD_TABLE_CHECK, put_check, &check, &parts);
	if (status)
		return status;
	list = json_object_new_array();
	for (size_t i = 0; i < json_object_array_length(parts); i++) {
		struct json_object *part = json_object_array_get_idx(parts, i);
		struct json_object *some = get_obj(part, "finding");

		if (has(part, "findings"))
			number = get_obj(part, "findings");
		for (size_t k = 0; some && k < json_object_array_length(some); k++)
			json_object_array_add(list,
					      json_object_get(json_object_array_get_idx(some, k)));
	}
	*out = json_object_new_object();
	json_object_object_add(*out, "findings",
			       number ? json_object_get(number) : json_object_new_uint64(0));
	json_object_object_add(*out, "finding", list);
	json_object_put(parts);
	return STATUS_OK;
}

/* ", host 3 is "name"": only what has a name */
static void print_name(FILE *f, const struct subnet *s, struct json_object *finding,
		       const char *attr, const char *what, u32 flag, u32 n)
{
	u64 number = get_u64(finding, attr);
	const char *name;

	if (!has(finding, attr) || number >= n)
		return;
	name = subnet_name(s, number | flag);
	if (*name)
		fprintf(f, ", %s %llu is \"%s\"", what, number, name);
}

static void print_one(FILE *f, const struct subnet *s, struct json_object *finding)
{
	fprintf(f, "  %s: %s", get_str(finding, "type"), get_str(finding, "text"));
	print_name(f, s, finding, "switch", "switch", SUBNET_SWITCH, s->graph.switches);
	print_name(f, s, finding, "node", "node", 0, s->graph.hosts);
	print_name(f, s, finding, "source", "node", 0, s->graph.hosts);
	fputc('\n', f);
}

void findings_print(FILE *f, const struct subnet *s, struct json_object *found)
{
	struct json_object *list = get_obj(found, "finding");
	u64 total = get_u64(found, "findings");
	size_t n = list ? json_object_array_length(list) : 0;

	for (size_t i = 0; i < n; i++)
		print_one(f, s, json_object_array_get_idx(list, i));
	if (total > n)
		fprintf(f, "  and %llu more\n", total - n);
}
