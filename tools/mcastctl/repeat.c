// SPDX-License-Identifier: GPL-2.0
/* The commands by which a run is repeated, from what the kernel says of fabric and run. */
#include <linux/mcfab.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attrs.h"
#include "cmd/classes.h"
#include "command.h"
#include "groups.h"
#include "lookup.h"
#include "number.h"
#include "repeat.h"
#include "table.h"

#ifndef VERSION
#define VERSION "unknown"
#endif

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

static char *append(char *text, const char *name, const char *value)
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
		return json_object_get_boolean(value) ? append(text, key->name, NULL) : text;
	case KEY_DECIMAL:
		number_format(number, sizeof(number), json_object_get_uint64(value), key->scale);
		return append(text, key->name, number);
	case KEY_DIMS:
	case KEY_NUMBERS:
	case KEY_LIST:
		list = numbers(value, key->type == KEY_DIMS ? 'x' : ',');
		text = append(text, key->name, list);
		free(list);
		return text;
	default:
		return append(text, key->name, json_object_get_string(value));
	}
}

static char *add_keywords(char *text, struct json_object *obj, const struct grammar *g)
{
	for (u32 i = 0; i < g->n; i++)
		text = add_keyword(text, obj, g, &g->key[i]);
	return text;
}

static char *fabric_words(struct json_object *fabric)
{
	char *text = xasprintf("fabric add %s", get_str(fabric, "name"));

	text = add_keywords(text, fabric, object_fabric.command[0].grammar);
	/* The graph is too long for a line: "topology show" prints it. */
	if (!has(fabric, "dims")) {
		char *file = xasprintf("%s.topo", get_str(fabric, "name"));

		text = append(text, "file", file);
		free(file);
	}
	return text;
}

/* "10:3:1,20:4:up" */
static char *add_faults(char *text, struct json_object *faults)
{
	char *list = xstrdup(""), *longer;

	for (size_t i = 0; i < json_object_array_length(faults); i++) {
		struct json_object *f = json_object_array_get_idx(faults, i);

		longer = xasprintf("%s%s%s:%s%s%s%s", list, i ? "," : "", get_str(f, "at"),
				   get_str(f, "switch"), has(f, "port") ? ":" : "",
				   get_str(f, "port"),
				   strcmp(get_str(f, "state"), "up") ? "" : ":up");
		free(list);
		list = longer;
	}
	text = append(text, "fail", list);
	free(list);
	return text;
}

/* "class NAME workload poisson ..." of each class, behind all else */
static char *add_classes(char *text, struct json_object *classes)
{
	for (size_t i = 0; classes && i < json_object_array_length(classes); i++) {
		struct json_object *class = json_object_array_get_idx(classes, i);

		text = append(text, CLASS_WORD, get_str(class, "class-name"));
		text = append(text, "workload", get_str(class, "workload"));
		text = add_keywords(text, class, class_grammar());
	}
	return text;
}

static char *run_words(struct json_object *run)
{
	char *text = xasprintf("run %s policy %s", get_str(run, "fabric"),
			       get_str(run, "policy"));
	struct json_object *params = get_obj(run, "param");

	for (size_t i = 0; params && i < json_object_array_length(params); i++) {
		struct json_object *param = json_object_array_get_idx(params, i);

		text = append(text, get_str(param, "name"), get_str(param, "value"));
	}
	text = append(text, "workload", get_str(run, "workload"));
	if (!strcmp(get_str(run, "workload"), "file"))
		text = append(text, "FILE", NULL);
	text = add_keywords(text, run, object_run.command[0].grammar);
	if (has(run, "fault"))
		text = add_faults(text, get_obj(run, "fault"));
	return add_classes(text, get_obj(run, "traffic-class"));
}

/* One more string of a list; @text is freed. */
static void add_line(struct json_object *list, char *text)
{
	json_object_array_add(list, json_object_new_string(text));
	free(text);
}

static void put_fabric(struct nl_request *rq, const void *what)
{
	nl_put_str(rq, MCFAB_A_FAULT_FABRIC, what, nl_where("fabric", what));
}

/* What is down, links first; what is unreachable follows from that. */
static void add_links(struct json_object *commands, const char *name)
{
	struct json_object *parts = NULL;

	if (ask_list(MCFAB_CMD_FAULT_GET, put_fabric, name, &parts))
		return;
	for (size_t i = 1; i < json_object_array_length(parts); i++) {
		struct json_object *part = json_object_array_get_idx(parts, i);
		bool port = has(part, "port");

		if (has(part, "switch"))
			add_line(commands, xasprintf("link down %s switch %s%s%s", name,
						     get_str(part, "switch"), port ? " port " : "",
						     port ? get_str(part, "port") : ""));
	}
	json_object_put(parts);
}

static void add_groups(struct json_object *commands, const char *name)
{
	struct json_object *all = NULL;

	if (groups_all(name, &all))
		return;
	for (size_t i = 0; i < json_object_array_length(all); i++) {
		struct json_object *group = json_object_array_get_idx(all, i);
		char *members = groups_ranges(get_obj(group, "members"));
		const char *lid = get_str(group, "lid"), *address = get_str(group, "address");

		add_line(commands, xasprintf("group add %s %s members %s%s%s%s%s", name,
					     get_str(group, "name"), members, lid[0] ? " lid " : "",
					     lid, address[0] ? " address " : "", address));
		free(members);
	}
	json_object_put(all);
}

/* What is changed of a fabric between its making and a run, as it is now. */
static void add_changes(struct json_object *commands, struct json_object *fabric)
{
	const char *name = get_str(fabric, "name");

	if (has(fabric, "links-down") || has(fabric, "switches-down"))
		add_links(commands, name);
	if (!strcmp(get_str(fabric, "addressing"), "lid"))
		add_groups(commands, name);
}

/* What the commands do not say. */
static struct json_object *remarks_of(struct json_object *fabric, struct json_object *run)
{
	struct json_object *remarks = json_object_new_array();
	const char *name = get_str(fabric, "name");
	bool lid = !strcmp(get_str(fabric, "addressing"), "lid");
	bool updown = !strcmp(get_str(fabric, "routing"), "updown");

	if (!has(fabric, "dims"))
		add_line(remarks, xasprintf("%s.topo is what \"topology show %s\" prints", name,
					    name));
	if (!strcmp(get_str(run, "workload"), "file"))
		add_line(remarks, xstrdup("FILE is the list of messages, which is not kept"));
	if (has(fabric, "tables-edited"))
		add_line(remarks,
			 xstrdup("tables were set or loaded: \"table dump\" prints them"));
	if (lid || updown)
		add_line(remarks, xasprintf("%s%s%s are as they are now", updown ? "links" : "",
					    lid && updown ? " and " : "", lid ? "groups" : ""));
	return remarks;
}

/* The hash of its sources that a loaded module carries. */
static const char *module_version(void)
{
	static char line[64];
	FILE *f;

	if (options.user)
		return "engine user, " VERSION;
	f = fopen("/sys/module/mcfab/srcversion", "r");
	if (!f || !fgets(line, sizeof(line), f))
		snprintf(line, sizeof(line), "unknown");
	line[strcspn(line, "\n")] = '\0';
	if (f)
		fclose(f);
	return line;
}

struct json_object *repeat_of(const char *name, struct json_object *stats)
{
	struct json_object *fabric, *run, *repeat, *commands;

	fabric = ask_quietly(MCFAB_CMD_FABRIC_GET, MCFAB_A_FABRIC_NAME, name);
	run = ask_quietly(MCFAB_CMD_RUN_GET, MCFAB_A_RUN_FABRIC, name);
	if (!fabric || !run || get_u64(run, "run") != get_u64(stats, "run") ||
	    !has(run, "workload")) {
		json_object_put(fabric);
		json_object_put(run);
		return NULL;
	}
	repeat = json_object_new_object();
	commands = json_object_new_array();
	add_line(commands, fabric_words(fabric));
	add_changes(commands, fabric);
	add_line(commands, run_words(run));
	json_object_object_add(repeat, "mcastctl", json_object_new_string(VERSION));
	json_object_object_add(repeat, "mcfab", json_object_new_string(module_version()));
	json_object_object_add(repeat, "remarks", remarks_of(fabric, run));
	json_object_object_add(repeat, "fabric", fabric);
	json_object_object_add(repeat, "run", run);
	json_object_object_add(repeat, "commands", commands);
	return repeat;
}

/* Lines of a batch, continued where they are long. */
static void print_command(const char *text)
{
	int column = 2;

	printf("  ");
	while (*text) {
		int len = strcspn(text, " ");

		if (column > 2 && column + len > 92) {
			printf("\\\n    ");
			column = 4;
		}
		printf("%.*s", len, text);
		column += len + 1;
		text += len;
		text += strspn(text, " ");
		if (*text)
			putchar(' ');
	}
	putchar('\n');
}

void repeat_print(struct json_object *repeat)
{
	struct json_object *commands = get_obj(repeat, "commands");
	struct json_object *remarks = get_obj(repeat, "remarks");

	printf("to repeat (mcastctl %s, mcfab %s):\n", get_str(repeat, "mcastctl"),
	       get_str(repeat, "mcfab"));
	for (size_t i = 0; i < json_object_array_length(remarks); i++)
		printf("  # %s\n", json_object_get_string(json_object_array_get_idx(remarks, i)));
	for (size_t i = 0; i < json_object_array_length(commands); i++)
		print_command(json_object_get_string(json_object_array_get_idx(commands, i)));
}
