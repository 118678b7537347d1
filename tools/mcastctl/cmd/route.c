// SPDX-License-Identifier: GPL-2.0
/* route: up*-down* routing of a fabric. */
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>

#include "ask/lookup.h"
#include "base/options.h"
#include "base/table.h"
#include "command.h"

enum { FROM, TO, KEYS };

static const struct keyword show_keys[] = {
	[FROM] = { .name = "from", .type = KEY_SWITCH, .attr = MCFAB_A_ROUTE_FROM,
		   .arg = "SWITCH", .help = "only routes from this switch" },
	[TO] = { .name = "to", .type = KEY_SWITCH, .attr = MCFAB_A_ROUTE_TO, .arg = "SWITCH",
		 .help = "only routes to this switch" },
};

static const struct grammar show_grammar = { KEYWORDS(show_keys), .cmd = MCFAB_CMD_ROUTE_GET };

/** struct asked - what a request asks for */
struct asked {
	const char *fabric;
	const struct value *values;
};

static void put_asked(struct nl_request *rq, const void *what)
{
	const struct asked *asked = what;

	nl_put_str(rq, MCFAB_A_ROUTE_FABRIC, asked->fabric, nl_where("fabric", asked->fabric));
	keywords_put(rq, &show_grammar, asked->values);
}

/* Of all messages those with @key, its values as one list. */
static struct json_object *collect(struct json_object *parts, const char *key)
{
	struct json_object *all = json_object_new_array(), *value;

	for (size_t i = 0; i < json_object_array_length(parts); i++) {
		value = get_obj(json_object_array_get_idx(parts, i), key);
		if (value)
			json_object_array_add(all, json_object_get(value));
	}
	return all;
}

static void show_tree(struct json_object *switches)
{
	struct table t;

	table_init(&t, "<SWITCH LEVEL <PARENT <PORT");
	for (size_t i = 0; i < json_object_array_length(switches); i++) {
		struct json_object *sw = json_object_array_get_idx(switches, i);

		table_cell(&t, "s%s", get_str(sw, "switch"));
		table_cell(&t, "%s", has(sw, "level") ? get_str(sw, "level") : "-");
		if (has(sw, "parent"))
			table_cell(&t, "s%s", get_str(sw, "parent"));
		else
			table_cell(&t, "-");
		table_cell(&t, "%s", has(sw, "parent") ? get_str(sw, "parent-port") : "-");
	}
	table_print(&t, stdout);
}

/* What is not up is down. */
static void set_ways(struct json_object *switches)
{
	for (size_t i = 0; i < json_object_array_length(switches); i++) {
		struct json_object *sw = json_object_array_get_idx(switches, i);
		struct json_object *links = get_obj(sw, "link");

		for (size_t k = 0; links && k < json_object_array_length(links); k++) {
			struct json_object *link = json_object_array_get_idx(links, k);

			if (!has(link, "up"))
				json_object_object_add(link, "up", json_object_new_boolean(false));
		}
	}
}

/* Each link once, from its lower end up. */
static void show_links(struct json_object *switches)
{
	struct table t;

	table_init(&t, "<FROM <PORT <UP-TO <ITS-PORT");
	for (size_t i = 0; i < json_object_array_length(switches); i++) {
		struct json_object *sw = json_object_array_get_idx(switches, i);
		struct json_object *links = get_obj(sw, "link");

		for (size_t k = 0; links && k < json_object_array_length(links); k++) {
			struct json_object *link = json_object_array_get_idx(links, k);

			/* "link show" has those that are down */
			if (has(link, "dead") || !json_object_get_boolean(get_obj(link, "up")))
				continue;
			table_cell(&t, "s%s", get_str(sw, "switch"));
			table_cell(&t, "%s", get_str(link, "port"));
			table_cell(&t, "s%s", get_str(link, "peer-switch"));
			table_cell(&t, "%s", get_str(link, "peer-port"));
		}
	}
	table_print(&t, stdout);
}

/* "1,3", to be freed */
static char *port_list(struct json_object *ports)
{
	char *text = xstrdup(""), *longer;

	for (size_t i = 0; ports && i < json_object_array_length(ports); i++) {
		longer = xasprintf("%s%s%s", text, i ? "," : "",
				   json_object_get_string(json_object_array_get_idx(ports, i)));
		free(text);
		text = longer;
	}
	return text;
}

static void show_routes(struct json_object *routes)
{
	struct table t;

	table_init(&t, "<FROM <TO <PHASE DISTANCE <PORTS");
	for (size_t i = 0; i < json_object_array_length(routes); i++) {
		struct json_object *route = json_object_array_get_idx(routes, i);
		char *ports = port_list(get_obj(route, "ports"));

		table_cell(&t, "s%s", get_str(route, "from"));
		table_cell(&t, "s%s", get_str(route, "to"));
		table_cell(&t, "%s", get_str(route, "phase"));
		table_cell(&t, "%s", get_str(route, "distance"));
		table_cell(&t, "%s", ports);
		free(ports);
	}
	table_print(&t, stdout);
}

/* One object: the root, the switches where all was asked for, and the routes. */
static void show_json(struct json_object *root, struct json_object *switches,
		      struct json_object *routes)
{
	struct json_object *all = json_object_new_object();

	json_object_object_add(all, "root", json_object_get(get_obj(root, "root")));
	json_object_object_add(all, "levels", json_object_get(get_obj(root, "levels")));
	if (json_object_array_length(switches))
		json_object_object_add(all, "switch", json_object_get(switches));
	json_object_object_add(all, "entry", json_object_get(routes));
	json_print(all);
}

static void show_text(struct json_object *root, struct json_object *switches,
		      struct json_object *routes)
{
	printf("root s%s, %s levels\n", get_str(root, "root"), get_str(root, "levels"));
	if (json_object_array_length(switches)) {
		putchar('\n');
		show_tree(switches);
		putchar('\n');
		show_links(switches);
	}
	putchar('\n');
	show_routes(routes);
}

static enum status show(struct words *w)
{
	struct json_object *parts = NULL, *root, *switches, *routes;
	struct value values[KEYS] = { 0 };
	const struct asked asked = { words_next(w), values };
	enum status status;

	status = keywords_parse(w, &show_grammar, values);
	if (!status)
		status = ask_list(MCFAB_CMD_ROUTE_GET, put_asked, &asked, &parts);
	if (status)
		return status;
	root = json_object_array_length(parts) ? json_object_array_get_idx(parts, 0) : NULL;
	switches = collect(parts, "switch");
	routes = collect(parts, "entry");
	set_ways(switches);
	if (options.json)
		show_json(root, switches, routes);
	else
		show_text(root, switches, routes);
	json_object_put(switches);
	json_object_put(routes);
	json_object_put(parts);
	return STATUS_OK;
}

static const struct command commands[] = {
	{
		.name = "show", .synopsis = "FABRIC [ from SWITCH ] [ to SWITCH ]",
		.help = "show tree, links and routes of routing updown",
		.more =
		"A route is for packets that may still go up, or that only go down. Its ports are\n"
		"all those of shortest legal paths; without \"adaptive on\" packets take the first.\n"
		"Switches are written as s3 or 3. With from or to, routes only.\n",
		.operand = OPERAND_FABRIC, .grammar = &show_grammar, .run = show,
	},
};

const struct object object_route = {
	.name = "route", .help = "Up*-down* routes.",
	.command = commands, .n = ARRAY_SIZE(commands),
};
