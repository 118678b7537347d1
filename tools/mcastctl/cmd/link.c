// SPDX-License-Identifier: GPL-2.0
/* link: links and switches that fail and are mended. */
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>

#include "ask/lookup.h"
#include "base/options.h"
#include "base/table.h"
#include "command.h"

enum { SWITCH, PORT, KEYS };

static const struct keyword set_keys[] = {
	[SWITCH] = { .name = "switch", .type = KEY_ROUTER, .arg = "SWITCH", .required = true,
		     .help = "the switch" },
	[PORT] = { .name = "port", .type = KEY_UINT, .attr = MCFAB_A_FAULT_PORT, .arg = "PORT",
		   .help = "port of the link; without it, the whole switch" },
};

static const struct grammar set_grammar = { KEYWORDS(set_keys), .cmd = MCFAB_CMD_FAULT_SET };

static void put_fabric(struct nl_request *rq, const void *what)
{
	const char *fabric = what;

	nl_put_str(rq, MCFAB_A_FAULT_FABRIC, fabric, nl_where("fabric", fabric));
}

/* What is down, as one object: links, switches, unreachable. */
static enum status ask_down(const char *fabric, struct json_object **down)
{
	static const struct { const char *key, *list; } kinds[] = {
		{ "port", "links" }, { "switch", "switches" }, { "unreachable", "unreachable" },
	};
	struct json_object *parts = NULL, *list[ARRAY_SIZE(kinds)], *part;
	enum status status = ask_list(MCFAB_CMD_FAULT_GET, put_fabric, fabric, &parts);

	if (status)
		return status;
	*down = json_object_new_object();
	for (u32 k = 0; k < ARRAY_SIZE(kinds); k++) {
		list[k] = json_object_new_array();
		json_object_object_add(*down, kinds[k].list, list[k]);
	}
	for (size_t i = 1; i < json_object_array_length(parts); i++) {
		part = json_object_array_get_idx(parts, i);
		json_object_object_del(part, "fabric-id");
		for (u32 k = 0; k < ARRAY_SIZE(kinds); k++) {
			if (!has(part, kinds[k].key))
				continue;
			/* a link has several numbers, the others one */
			json_object_array_add(list[k], json_object_get(k ?
				get_obj(part, kinds[k].key) : part));
			break;
		}
	}
	json_object_put(parts);
	return STATUS_OK;
}

static void print_list(const char *what, struct json_object *list, const char *letter)
{
	if (!json_object_array_length(list))
		return;
	printf("%s:", what);
	for (size_t i = 0; i < json_object_array_length(list); i++)
		printf(" %s%s", letter,
		       json_object_get_string(json_object_array_get_idx(list, i)));
	putchar('\n');
}

/* Hosts are named as such only where they are something else than switches. */
static const char *node_letter(const char *fabric)
{
	struct json_object *obj = ask_quietly(MCFAB_CMD_FABRIC_GET, MCFAB_A_FABRIC_NAME, fabric);
	bool hosts = obj && has(obj, "topology") && !strcmp(get_str(obj, "topology"), "irregular");

	json_object_put(obj);
	return hosts ? "h" : "";
}

static void print_links(struct json_object *links)
{
	struct table t;

	if (!json_object_array_length(links))
		return;
	table_init(&t, "<SWITCH <PORT <TO <ITS-PORT");
	for (size_t i = 0; i < json_object_array_length(links); i++) {
		struct json_object *link = json_object_array_get_idx(links, i);

		table_cell(&t, "s%s", get_str(link, "switch"));
		table_cell(&t, "%s", get_str(link, "port"));
		if (has(link, "host")) {
			table_cell(&t, "h%s", get_str(link, "host"));
			table_cell(&t, "-");
		} else {
			table_cell(&t, "s%s", get_str(link, "peer-switch"));
			table_cell(&t, "%s", get_str(link, "peer-port"));
		}
	}
	table_print(&t, stdout);
}

static enum status set(struct words *w, u32 state)
{
	struct json_object *sum = NULL, *down = NULL, *object = NULL;
	struct value values[KEYS] = { 0 };
	const char *fabric = words_next(w);
	struct nl_request rq;
	enum status status;
	char text[64];
	u32 sw = 0;

	status = keywords_parse(w, &set_grammar, values);
	if (!status)
		status = lookup_fabric(fabric, &object);
	if (!status)
		status = lookup_nodes(object, "switch", &values[SWITCH].node, 1, &sw);
	json_object_put(object);
	if (status)
		return status;
	nl_request_init(&rq, MCFAB_CMD_FAULT_SET, false);
	put_fabric(&rq, fabric);
	nl_put_u32(&rq, MCFAB_A_FAULT_SWITCH, sw, nl_where("switch", values[SWITCH].word));
	keywords_put(&rq, &set_grammar, values);
	nl_put_u32(&rq, MCFAB_A_FAULT_STATE, state, nl_where("state", NULL));
	status = ask(&rq, &sum);
	nl_request_free(&rq);
	if (!status)
		status = ask_down(fabric, &down);
	if (!status && options.json) {
		json_print(json_object_get(down));
	} else if (!status) {
		puts(down_text(text, sizeof(text), get_u64(sum, "links"),
			       get_u64(sum, "switches")));
		print_list("unreachable", get_obj(down, "unreachable"), node_letter(fabric));
	}
	json_object_put(sum);
	json_object_put(down);
	return status;
}

static enum status set_down(struct words *w)
{
	return set(w, MCFAB_LINK_STATUS_DOWN);
}

static enum status set_up(struct words *w)
{
	return set(w, MCFAB_LINK_STATUS_UP);
}

static enum status show(struct words *w)
{
	const char *fabric = words_next(w);
	struct json_object *down = NULL;
	enum status status;

	status = command_end(w);
	if (!status)
		status = ask_down(fabric, &down);
	if (status)
		return status;
	if (options.json) {
		json_print(down);
		return STATUS_OK;
	}
	print_links(get_obj(down, "links"));
	print_list("switches down", get_obj(down, "switches"), "s");
	print_list("unreachable", get_obj(down, "unreachable"), node_letter(fabric));
	if (!json_object_array_length(get_obj(down, "links")) &&
	    !json_object_array_length(get_obj(down, "switches")))
		puts("all links and switches are up");
	json_object_put(down);
	return STATUS_OK;
}

static const struct command commands[] = {
	{
		.name = "down", .synopsis = "FABRIC switch SWITCH [ port PORT ]",
		.help = "take a link down, or a switch with all its links",
		.more =
		"The fabric needs routing updown. Worms that cross the link are aborted: nobody\n"
		"behind it gets a copy. Nothing is injected until no worm is under way; then all\n"
		"go by new routes. Destinations that cannot be reached are left out. \"stats show\"\n"
		"counts all of this. Nodes are unreachable if the greatest part of the nodes\n"
		"cannot reach them. Switches are written as s3 or 3, or as their node is: (3,2),\n"
		"#11.\n",
		.operand = OPERAND_FABRIC, .grammar = &set_grammar, .run = set_down,
	},
	{
		.name = "up", .synopsis = "FABRIC switch SWITCH [ port PORT ]",
		.help = "mend a link or a switch",
		.more =
		"Switches are written as s3 or 3, or as their node is: (3,2), #11.\n",
		.operand = OPERAND_FABRIC, .grammar = &set_grammar, .run = set_up,
	},
	{
		.name = "show", .synopsis = "FABRIC",
		.help = "show what is down, and which nodes cannot be reached",
		.operand = OPERAND_FABRIC, .run = show,
	},
};

const struct object object_link = {
	.name = "link", .help = "Links and switches that fail.",
	.command = commands, .n = ARRAY_SIZE(commands),
};
