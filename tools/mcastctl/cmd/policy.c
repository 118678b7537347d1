// SPDX-License-Identifier: GPL-2.0
/* policy: the multicast algorithms and their parameters. */
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>

#include "ask/lookup.h"
#include "base/options.h"
#include "base/table.h"
#include "cmd/policy.h"
#include "command.h"

/* Those that the kernel could load. */
static void show_unloaded(struct json_object *loaded)
{
	struct json_object *all = installed_policies();
	const char *between = "not loaded: ";

	for (size_t i = 0; i < json_object_array_length(all); i++) {
		const char *name = json_object_get_string(json_object_array_get_idx(all, i));
		bool is_loaded = false;

		for (size_t k = 0; k < json_object_array_length(loaded); k++)
			is_loaded |= !strcmp(name, get_str(json_object_array_get_idx(loaded, k),
							   "name"));
		if (is_loaded)
			continue;
		printf("%s%s", between, name);
		between = ", ";
	}
	if (*between == ',')
		puts(" (used or shown by name, they are)");
	json_object_put(all);
}

/* "mesh,torus": to be freed */
static char *serves_text(struct json_object *policy)
{
	struct json_object *serves = get_obj(policy, "serves");
	char *text = xstrdup(""), *longer;

	for (size_t i = 0; serves && i < json_object_array_length(serves); i++) {
		longer = xasprintf("%s%s%s", text, i ? "," : "",
				   json_object_get_string(json_object_array_get_idx(serves, i)));
		free(text);
		text = longer;
	}
	return text;
}

static void show_all(struct json_object *all)
{
	struct table t;

	table_init(&t, "<NAME PREP <SERVES <TITLE");
	for (size_t i = 0; i < json_object_array_length(all); i++) {
		struct json_object *p = json_object_array_get_idx(all, i);
		char *text = serves_text(p);

		table_cell(&t, "%s", get_str(p, "name"));
		table_cell(&t, "%s", get_str(p, "prep"));
		table_cell(&t, "%s", text);
		table_cell(&t, "%s", get_str(p, "title"));
		free(text);
	}
	if (json_object_array_length(all))
		table_print(&t, stdout);
	else
		table_free(&t);
	show_unloaded(all);
}

/* "column|label", "0.5", "on": to be freed */
static char *param_values(struct json_object *p, bool standard)
{
	struct json_object *choice = get_obj(p, "choice");
	const char *kind = get_str(p, "kind");
	char low[24], high[24], *text, *longer;
	u32 scale = strcmp(kind, "decimal") ? 1 : MCFAB_PPM;
	u64 value = get_u64(p, "default");

	if (!strcmp(kind, "bool"))
		return xstrdup(!standard ? "on|off" : value ? "on" : "off");
	if (strcmp(kind, "choice")) {
		number_format(low, sizeof(low), standard ? value : get_u64(p, "minimum"), scale);
		number_format(high, sizeof(high), get_u64(p, "maximum"), scale);
		return standard ? xstrdup(low) : xasprintf("%s to %s", low, high);
	}
	text = xstrdup("");
	for (size_t i = 0; choice && i < json_object_array_length(choice); i++) {
		const char *word = json_object_get_string(json_object_array_get_idx(choice, i));

		if (standard && i != value)
			continue;
		longer = xasprintf("%s%s%s", text, *text ? "|" : "", word);
		free(text);
		text = longer;
	}
	return text;
}

static void show_one(struct json_object *p)
{
	struct json_object *params = get_obj(p, "param");
	size_t n = params ? json_object_array_length(params) : 0;
	char *serves = serves_text(p);
	struct table t;

	printf("%s: %s\n    serves %s, prep %s (cycles at the source, by default)\n",
	       get_str(p, "name"), get_str(p, "title"), serves, get_str(p, "prep"));
	free(serves);
	if (!n) {
		puts("    no parameters");
		return;
	}
	table_init(&t, "<PARAM <VALUES <DEFAULT <HELP");
	for (size_t i = 0; i < n; i++) {
		struct json_object *param = json_object_array_get_idx(params, i);
		char *values = param_values(param, false), *standard = param_values(param, true);

		table_cell(&t, "%s", get_str(param, "name"));
		table_cell(&t, "%s", values);
		table_cell(&t, "%s", standard);
		table_cell(&t, "%s", get_str(param, "help"));
		free(values);
		free(standard);
	}
	table_print(&t, stdout);
}

static enum status show(struct words *w)
{
	const char *name = words_next(w);
	struct json_object *obj = NULL;
	enum status status;

	status = command_end(w);
	if (!status)
		status = name ? ask_one(MCFAB_CMD_POLICY_GET, MCFAB_A_POLICY_NAME, "policy", name,
					&obj) :
				ask_all(MCFAB_CMD_POLICY_GET, &obj);
	if (status)
		return status;
	if (options.json)
		json_print(json_object_get(obj));
	else if (name)
		show_one(obj);
	else
		show_all(obj);
	json_object_put(obj);
	return STATUS_OK;
}

static const struct command commands[] = {
	{
		.name = "new", .synopsis = "NAME",
		.help = "make a folder with a policy of one's own to begin with",
		.more = "It builds as a module and for \"--engine user --policy-path FOLDER\".\n",
		.run = policy_new,
	}, {
		.name = "check", .synopsis = "NAME [ PARAM VALUE ]... [ groups N ] [ seed N ]",
		.help = "look whether a policy keeps what policies promise",
		.more =
		"On small networks it plans all groups of up to three destinations, on larger ones\n"
		"many random groups; it makes runs flit by flit and by events, and asks verify for a\n"
		"proof. What is wrong is made as small as possible and drawn; exit status 1. Each\n"
		"network has a process of its own: a policy that crashes or never returns is named.\n",
		.operand = OPERAND_POLICY_OPTIONAL, .grammar = &policy_check_grammar,
		.run = policy_check,
	}, {
		.name = "show", .synopsis = "[ NAME ]",
		.help = "show a policy with its parameters, or all that are loaded",
		.more = "Naming a policy loads its module, for those who may (CAP_NET_ADMIN).\n",
		.operand = OPERAND_POLICY_OPTIONAL, .run = show,
	}, {
		.name = "load", .synopsis = "FILE",
		.help = "load the policies of a file of BPF into the kernel",
		.more =
		"They stay until they are unloaded, and are used as others are. For root; it needs the\n"
		"module mcfab_bpf and /sys/fs/bpf.\n",
		.run = policy_load,
	}, {
		.name = "unload", .synopsis = "NAME",
		.help = "unload a policy that \"policy load\" has loaded",
		.more = "A run that uses it ends as failed.\n",
		.operand = OPERAND_POLICY_OPTIONAL, .run = policy_unload,
	},
};

const struct object object_policy = {
	.name = "policy", .help = "Multicast algorithms.",
	.command = commands, .n = ARRAY_SIZE(commands), .standard = &commands[2],
};
