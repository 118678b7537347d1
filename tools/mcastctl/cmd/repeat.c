// SPDX-License-Identifier: GPL-2.0
/* The commands by which a run is repeated, from what the kernel says of fabric and run. */
#include <linux/mcfab.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask/lookup.h"
#include "base/options.h"
#include "base/table.h"
#include "cmd/classes.h"
#include "cmd/remake.h"
#include "cmd/repeat.h"
#include "command.h"

#ifndef VERSION
#define VERSION "unknown"
#endif

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
	text = remake_append(text, "fail", list);
	free(list);
	return text;
}

/* "class NAME workload poisson ..." of each class, behind all else */
static char *add_classes(char *text, struct json_object *classes)
{
	for (size_t i = 0; classes && i < json_object_array_length(classes); i++) {
		struct json_object *class = json_object_array_get_idx(classes, i);

		text = remake_append(text, CLASS_WORD, get_str(class, "class-name"));
		text = remake_append(text, "workload", get_str(class, "workload"));
		text = remake_keywords(text, class, class_grammar());
	}
	return text;
}

static char *run_words(struct json_object *run)
{
	char *name = remake_name(get_str(run, "fabric"));
	char *text = xasprintf("run %s policy %s", name, get_str(run, "policy"));
	struct json_object *params = get_obj(run, "param");

	free(name);
	for (size_t i = 0; params && i < json_object_array_length(params); i++) {
		struct json_object *param = json_object_array_get_idx(params, i);

		text = remake_append(text, get_str(param, "name"), get_str(param, "value"));
	}
	text = remake_append(text, "workload", get_str(run, "workload"));
	if (!strcmp(get_str(run, "workload"), "file"))
		text = remake_append(text, "FILE", NULL);
	text = remake_keywords(text, run, object_run.command[0].grammar);
	if (has(run, "fault"))
		text = add_faults(text, get_obj(run, "fault"));
	return add_classes(text, get_obj(run, "traffic-class"));
}

/* What is changed of a fabric between its making and a run, as it is now. */
static void add_changes(struct json_object *commands, struct json_object *fabric)
{
	const char *name = get_str(fabric, "name");

	if (has(fabric, "links-down") || has(fabric, "switches-down"))
		remake_links(commands, name);
	if (!strcmp(get_str(fabric, "addressing"), "lid"))
		remake_groups(commands, name);
}

/* What the commands do not say. */
static struct json_object *remarks_of(struct json_object *fabric, struct json_object *run)
{
	struct json_object *remarks = json_object_new_array();
	const char *name = get_str(fabric, "name");
	bool lid = !strcmp(get_str(fabric, "addressing"), "lid");
	bool updown = !strcmp(get_str(fabric, "routing"), "updown");

	if (!has(fabric, "dims"))
		remake_line(remarks, xasprintf("%s.topo is what \"topology show %s\" prints",
					       name, name));
	if (!strcmp(get_str(run, "workload"), "file"))
		remake_line(remarks, xstrdup("FILE is the list of messages, which is not kept"));
	if (has(fabric, "tables-edited"))
		remake_line(remarks,
			    xstrdup("tables were set or loaded: \"table dump\" prints them"));
	if (lid || updown)
		remake_line(remarks, xasprintf("%s%s%s are as they are now", updown ? "links" : "",
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
	remake_line(commands, remake_fabric(fabric, NULL));
	add_changes(commands, fabric);
	remake_line(commands, run_words(run));
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
