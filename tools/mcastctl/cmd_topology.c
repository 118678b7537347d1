// SPDX-License-Identifier: GPL-2.0
/* topology: what networks there are. */
#include <linux/mcfab.h>

#include "command.h"
#include "lookup.h"
#include "table.h"

static enum status show(struct words *w)
{
	struct json_object *all = NULL;
	enum status status;
	struct table t;

	status = command_end(w);
	if (!status)
		status = ask_all(MCFAB_CMD_TOPOLOGY_GET, &all);
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

static const struct command commands[] = {
	{
		.name = "show", .synopsis = "", .help = "show the topologies", .run = show,
	},
};

const struct object object_topology = {
	.name = "topology", .help = "Kinds of networks.",
	.command = commands, .n = ARRAY_SIZE(commands), .standard = &commands[0],
};
