// SPDX-License-Identifier: GPL-2.0
/* save: fabrics as the commands of a batch that makes them again. */
#include <errno.h>
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ask/lookup.h"
#include "base/options.h"
#include "base/table.h"
#include "cmd/remake.h"
#include "cmd/save.h"
#include "command.h"
#include "graph/graph.h"

void save_lines(FILE *f, struct json_object *lines)
{
	for (size_t i = 0; i < json_object_array_length(lines); i++)
		fprintf(f, "%s\n",
			json_object_get_string(json_object_array_get_idx(lines, i)));
	json_object_put(lines);
}

/* The network, where it is not made of words, is a file within the batch. */
static enum status put_fabric(FILE *f, struct json_object *fabric)
{
	char *text = remake_fabric(fabric, "<<" SAVE_END);
	enum status status;
	struct graph g;

	text = remake_append(text, "cpus", get_str(fabric, "cpus"));
	text = remake_append(text, "nice", get_str(fabric, "nice"));
	fprintf(f, "%s\n", text);
	free(text);
	if (has(fabric, "dims"))
		return STATUS_OK;
	status = graph_fetch(fabric, &g);
	if (!status)
		graph_print_native(f, &g);
	graph_free(&g);
	fputs(SAVE_END "\n", f);
	return status;
}

static void put_faults(FILE *f, struct json_object *fabric)
{
	struct json_object *lines = json_object_new_array();

	remake_links(lines, get_str(fabric, "name"));
	save_lines(f, lines);
}

/* Ports of other namespaces have names there alone. */
static enum status put_ports(FILE *f, struct json_object *fabric)
{
	struct json_object *all = NULL;
	enum status status;
	u32 left_out = 0;
	char *name;

	if (options.user)
		return STATUS_OK;
	status = ask_all_of(MCFAB_CMD_PORT_GET, MCFAB_A_PORT_FABRIC, get_str(fabric, "name"),
			    &all);
	name = remake_name(get_str(fabric, "name"));
	for (size_t i = 0; !status && i < json_object_array_length(all); i++) {
		struct json_object *port = json_object_array_get_idx(all, i);

		if (!has(port, "name")) {
			left_out++;
			continue;
		}
		fprintf(f, "port add %s fabric %s node %s mtu %s%s\n", get_str(port, "name"),
			name, get_str(port, "node"), get_str(port, "mtu"),
			has(port, "flood") ? " flood" : "");
	}
	if (left_out)
		warning("fabric %s: %u ports in other namespaces are not saved", name, left_out);
	free(name);
	json_object_put(all);
	return status;
}

static enum status put_all(FILE *f, struct json_object *fabric)
{
	enum status status;

	/* a fabric that is being made is not there yet */
	if (!has(fabric, "nodes"))
		return refused("fabric %s is being made", get_str(fabric, "name"));
	status = put_fabric(f, fabric);
	if (!status && !strcmp(get_str(fabric, "addressing"), "lid"))
		status = save_subnet(f, fabric);
	if (status)
		return status;
	if (has(fabric, "links-down") || has(fabric, "switches-down"))
		put_faults(f, fabric);
	return put_ports(f, fabric);
}

static enum status write_to(FILE *f, const char *only)
{
	struct json_object *all = NULL, *one = NULL;
	enum status status;

	if (only) {
		status = lookup_fabric(only, &one);
		if (!status)
			status = put_all(f, one);
		json_object_put(one);
		return status;
	}
	status = ask_all(MCFAB_CMD_FABRIC_GET, &all);
	for (size_t i = 0; !status && i < json_object_array_length(all); i++)
		status = put_all(f, json_object_array_get_idx(all, i));
	json_object_put(all);
	return status;
}

/* A file that is there already is replaced when the new one is complete, and not before. */
static enum status write_file(const char *path, const char *only)
{
	char *new = xasprintf("%s.new", path);
	FILE *f = fopen(new, "w");
	enum status status;

	if (!f) {
		status = usage("file %s: %s", new, strerror(errno));
		free(new);
		return status;
	}
	status = write_to(f, only);
	if (!status && (fflush(f) || ferror(f) || fsync(fileno(f))))
		status = refused("%s: %s", new, strerror(errno));
	if (fclose(f) && !status)
		status = refused("%s: %s", new, strerror(errno));
	if (!status && rename(new, path))
		status = refused("%s: %s", path, strerror(errno));
	if (status)
		unlink(new);
	free(new);
	return status;
}

enum { PATH, KEYS };

static const struct keyword keys[] = {
	[PATH] = { .name = "file", .type = KEY_FILE, .arg = "FILE",
		   .help = "write there (default: standard output)" },
};

static const struct grammar grammar = { KEYWORDS(keys) };

static enum status do_save(struct words *w)
{
	struct value values[KEYS] = { 0 };
	const char *only = NULL;
	enum status status;

	/* "save file X" has no name */
	if (words_peek(w) && (strcmp(words_peek(w), "file") || w->n - w->at != 2))
		only = words_next(w);
	status = keywords_parse(w, &grammar, values);
	if (!status && options.json)
		status = usage("save writes commands, not JSON");
	if (status)
		return status;
	status = values[PATH].given ? write_file(values[PATH].word, only) :
				      write_to(stdout, only);
	keywords_free(&grammar, values);
	return status;
}

static const struct command commands[] = {
	{
		.synopsis = "[ NAME ] [ file FILE ]",
		.help = "print the commands that make a fabric again, or all",
		.more =
		"They are a batch for \"mcastctl restore\": networks, tables, groups, what is down,\n"
		"and ports in this namespace. Runs, statistics and addresses of ports are not saved.\n",
		.operand = OPERAND_FABRIC_OPTIONAL, .grammar = &grammar, .run = do_save,
	},
};

const struct object object_save = {
	.name = "save", .help = "Fabrics as commands that make them again.",
	.command = commands, .n = ARRAY_SIZE(commands),
};
