// SPDX-License-Identifier: GPL-2.0
/* topology: what networks there are, and what the network of a fabric is made of. */
#include <linux/mcfab.h>
#include <string.h>

#include "ask/lookup.h"
#include "base/options.h"
#include "base/table.h"
#include "command.h"
#include "graph/graph.h"

static const struct keyword show_keys[] = {
	{ .name = "format", .type = KEY_STRING, .arg = "FORMAT",
	  .help = "how the file is written: native (default), ibnetdiscover or dot" },
};

static const struct grammar show_grammar = {
	KEYWORDS(show_keys),
	.cmd = MCFAB_CMD_GRAPH_GET,
};

static enum status show_kinds(void)
{
	struct json_object *all = NULL;
	enum status status = ask_all(MCFAB_CMD_TOPOLOGY_GET, &all);
	struct table t;

	if (status)
		return status;
	if (options.json) {
		json_print(all);
		return STATUS_OK;
	}
	table_init(&t, "<NAME <TITLE");
	for (size_t i = 0; i < json_object_array_length(all); i++) {
		table_cell(&t, "%s", get_str(json_object_array_get_idx(all, i), "name"));
		table_cell(&t, "%s", get_str(json_object_array_get_idx(all, i), "title"));
	}
	table_print(&t, stdout);
	json_object_put(all);
	return STATUS_OK;
}

/* What a file of ibnetdiscover cannot say of links. */
static void warn_of_losses(const struct graph *g)
{
	bool delays = false;

	for (u32 i = 0; i < g->links; i++)
		delays |= g->link[i].way.delay || g->link[i].back.delay;
	if (delays)
		warning("the delays of links have no place in this format");
	if (!graph_has_speeds(g))
		warning("the rates of these links have no place in this format");
}

static enum status show_graph(const char *name, enum graph_format format)
{
	struct json_object *fabric = NULL;
	enum status status;
	struct graph g;

	status = lookup_fabric(name, &fabric);
	if (status)
		return status;
	status = graph_fetch(fabric, &g);
	if (!status && format == GRAPH_NATIVE)
		graph_print_native(stdout, &g);
	else if (!status && format == GRAPH_DOT)
		graph_print_dot(stdout, &g, name);
	else if (!status)
		status = graph_print_ibnetdiscover(stdout, &g);
	if (!status && format == GRAPH_IBNETDISCOVER)
		warn_of_losses(&g);
	graph_free(&g);
	json_object_put(fabric);
	return status;
}

static enum status show_json(const char *name)
{
	struct json_object *all = NULL;
	enum status status = ask_all_of(MCFAB_CMD_GRAPH_GET, MCFAB_A_GRAPH_FABRIC, name, &all);

	if (!status)
		json_print(all);
	return status;
}

static enum status show(struct words *w)
{
	struct value values[ARRAY_SIZE(show_keys)] = { 0 };
	const char *name = words_next(w), *format;
	enum graph_format kind;
	enum status status;

	status = keywords_parse(w, &show_grammar, values);
	if (status)
		return status;
	if (!name)
		return show_kinds();
	if (options.json && !values[0].given)
		return show_json(name);
	format = values[0].given ? values[0].word : "native";
	if (!strcmp(format, "native"))
		kind = GRAPH_NATIVE;
	else if (!strcmp(format, "ibnetdiscover"))
		kind = GRAPH_IBNETDISCOVER;
	else if (!strcmp(format, "dot"))
		kind = GRAPH_DOT;
	else
		return usage("format %s: it is native, ibnetdiscover or dot", format);
	return show_graph(name, kind);
}

static const struct command commands[] = {
	{
		.name = "show", .synopsis = "[ NAME [ format native|ibnetdiscover|dot ] ]",
		.help = "show the kinds of topologies, or switches, hosts and links of a fabric",
		.operand = OPERAND_FABRIC_OPTIONAL, .grammar = &show_grammar, .run = show,
	},
};

const struct object object_topology = {
	.name = "topology", .help = "Kinds of networks, and networks as files.",
	.command = commands, .n = ARRAY_SIZE(commands), .standard = &commands[0],
};
