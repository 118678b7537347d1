// SPDX-License-Identifier: GPL-2.0
/* The commands that make a fabric again as it is, from what the kernel says of it. */
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>

#include "ask/groups.h"
#include "ask/lookup.h"
#include "base/number.h"
#include "base/table.h"
#include "cmd/remake.h"
#include "command.h"
#include "netlink/attrs.h"

/* What results do not depend on, or what another keyword says. */
static const char *const left_out[] = { "cpus", "nice", "policy", "workload", "detach" };

static bool is_left_out(struct json_object *obj, const struct keyword *key)
{
	for (size_t i = 0; i < ARRAY_SIZE(left_out); i++) {
		if (!strcmp(key->name, left_out[i]))
			return true;
	}
	return !strcmp(key->name, "buffer") && has(obj, "buffer-packets");
}

char *remake_append(char *text, const char *name, const char *value)
{
	char *longer = xasprintf("%s %s%s%s", text, name, value ? " " : "", value ? value : "");

	free(text);
	return longer;
}

/* "16x16" or "1,2,3", to be freed */
static char *numbers(struct json_object *list, char delimiter)
{
	char *text = xstrdup(""), *longer;

	for (size_t i = 0; i < json_object_array_length(list); i++) {
		longer = xasprintf("%s%.*s%s", text, i ? 1 : 0, &delimiter,
				   json_object_get_string(json_object_array_get_idx(list, i)));
		free(text);
		text = longer;
	}
	return text;
}

/* The words of one keyword behind @text, which is freed; none if @obj does not have it. */
static char *add_keyword(char *text, struct json_object *obj, const struct grammar *g,
			 const struct keyword *key)
{
	const char *name = key->attr ? attr_name(attr_set_of_request(g->cmd), key->attr) :
				       key->name;
	struct json_object *value = name ? get_obj(obj, name) : NULL;
	char number[48], *list;

	if (!value || is_left_out(obj, key))
		return text;
	switch (key->type) {
	case KEY_FLAG:
		return json_object_get_boolean(value) ? remake_append(text, key->name, NULL) : text;
	case KEY_DECIMAL:
		number_format(number, sizeof(number), json_object_get_uint64(value), key->scale);
		return remake_append(text, key->name, number);
	case KEY_DIMS:
	case KEY_NUMBERS:
	case KEY_LIST:
		list = numbers(value, key->type == KEY_DIMS ? 'x' : ',');
		text = remake_append(text, key->name, list);
		free(list);
		return text;
	default:
		return remake_append(text, key->name, json_object_get_string(value));
	}
}

char *remake_keywords(char *text, struct json_object *obj, const struct grammar *g)
{
	for (u32 i = 0; i < g->n; i++)
		text = add_keyword(text, obj, g, &g->key[i]);
	return text;
}

/* Not by quotes: a name may have both kinds. */
char *remake_name(const char *name)
{
	char *quoted = xcalloc(strlen(name) + 1, 2), *to = quoted;

	for (const char *c = name; *c; c++) {
		if (strchr("\"'\\", *c) || (c == name && strchr("#<", *c)))
			*to++ = '\\';
		*to++ = *c;
	}
	return quoted;
}

char *remake_fabric(struct json_object *fabric, const char *file)
{
	char *name = remake_name(get_str(fabric, "name"));
	char *text = xasprintf("fabric add %s", name);

	text = remake_keywords(text, fabric, object_fabric.command[0].grammar);
	/* The graph is too long for a line: "topology show" prints it. */
	if (!has(fabric, "dims")) {
		char *other = xasprintf("%s.topo", name);

		text = remake_append(text, "file", file ? file : other);
		free(other);
	}
	free(name);
	return text;
}

void remake_line(struct json_object *list, char *text)
{
	json_object_array_add(list, json_object_new_string(text));
	free(text);
}

static void put_fabric(struct nl_request *rq, const void *what)
{
	nl_put_str(rq, MCFAB_A_FAULT_FABRIC, what, nl_where("fabric", what));
}

void remake_links(struct json_object *commands, const char *fabric)
{
	struct json_object *parts = NULL;
	char *name;

	if (ask_list(MCFAB_CMD_FAULT_GET, put_fabric, fabric, &parts))
		return;
	name = remake_name(fabric);
	for (size_t i = 1; i < json_object_array_length(parts); i++) {
		struct json_object *part = json_object_array_get_idx(parts, i);
		bool port = has(part, "port");

		if (has(part, "switch"))
			remake_line(commands, xasprintf("link down %s switch %s%s%s", name,
							get_str(part, "switch"),
							port ? " port " : "",
							port ? get_str(part, "port") : ""));
	}
	free(name);
	json_object_put(parts);
}

static void add_group(struct json_object *commands, const char *fabric, struct json_object *group)
{
	const char *lid = get_str(group, "lid"), *address = get_str(group, "address");
	struct json_object *members = get_obj(group, "members");
	bool empty = !json_object_array_length(members);
	char *nodes = empty ? xstrdup("0") : groups_ranges(members);
	char *name = remake_name(get_str(group, "name"));

	remake_line(commands, xasprintf("group add %s %s members %s%s%s%s%s", fabric, name, nodes,
					lid[0] ? " lid " : "", lid, address[0] ? " address " : "",
					address));
	/* all have left it, and it is made with a member */
	if (empty)
		remake_line(commands, xasprintf("group leave %s %s members 0", fabric, name));
	free(name);
	free(nodes);
}

void remake_groups(struct json_object *commands, const char *fabric)
{
	struct json_object *all = NULL;
	char *name;

	if (groups_all(fabric, &all))
		return;
	name = remake_name(fabric);
	for (size_t i = 0; i < json_object_array_length(all); i++)
		add_group(commands, name, json_object_array_get_idx(all, i));
	free(name);
	json_object_put(all);
}
