// SPDX-License-Identifier: GPL-2.0
/*
 * What the tool tells about itself, as text and as JSON; the manual pages are made from the JSON.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "base/table.h"
#include "command.h"

#define ENGINE_HELP "where fabrics live: kernel (default), or user: in this process and as long" \
	" as it, without module and privilege; best with -b"

const struct option_desc option_table[OPT_COUNT] = {
	[OPT_JSON] = { "json", 'j', NULL, "JSON instead of text" },
	[OPT_PRETTY] = { "pretty", 'p', NULL, "with -j: for people" },
	[OPT_BATCH] = { "batch", 'b', "FILE",
			"read commands from FILE, one on a line (-: standard input)" },
	[OPT_FORCE] = { "force", 0, NULL, "a batch goes on after an error" },
	[OPT_NETNS] = { "netns", 'N', "NAME", "work in the network namespace NAME" },
	[OPT_ENGINE] = { "engine", 'E', "kernel|user", ENGINE_HELP },
	[OPT_POLICY_PATH] = { "policy-path", 0, "FOLDER[:FOLDER]...",
			      "where the engine user looks for policies of one's own" },
	[OPT_VERSION] = { "version", 'V', NULL, "print the version" },
	[OPT_VERSION_TOO] = { "Version", 0, NULL, NULL },
	[OPT_HELP] = { "help", 'h', NULL, "this help" },
};

static const char *const usages[] = {
	"[ OPTIONS ] OBJECT { COMMAND | help }",
	"[ OPTIONS ] -b FILE",
};

/* Print @text behind column @indent in lines that are not too long. */
static void wrap(FILE *f, int indent, const char *text)
{
	int column = indent, len;

	while (*text) {
		len = strcspn(text, " ");
		if (column > indent && column + 1 + len > 79) {
			fprintf(f, "\n%*s", indent, "");
			column = indent;
		} else if (column > indent) {
			fputc(' ', f);
			column++;
		}
		fprintf(f, "%.*s", len, text);
		column += len;
		text += len;
		text += strspn(text, " ");
	}
	fputc('\n', f);
}

/* An entry of a list: @head, and @text behind column @indent. */
static void entry(FILE *f, int indent, const char *head, const char *text)
{
	if ((int)strlen(head) > indent - 4)
		fprintf(f, "  %s\n%*s", head, indent, "");
	else
		fprintf(f, "  %-*s", indent - 2, head);
	wrap(f, indent, text);
}

static char *command_head(const struct object *object, const struct command *c)
{
	return xasprintf("%s%s%s", object->name, c->name ? " " : "", c->name ? c->name : "");
}

static void options_help(FILE *f)
{
	for (u32 i = 0; i < OPT_COUNT; i++) {
		const struct option_desc *o = &option_table[i];
		char letter[] = { '-', o->letter, ',', 0 };
		char *head = xasprintf("%-3s --%s%s%s", o->letter ? letter : "", o->name,
				       o->value ? " " : "", o->value ? o->value : "");

		if (o->help)
			entry(f, 23, head, o->help);
		free(head);
	}
}

void command_usage(FILE *f)
{
	const struct object *object;

	for (size_t i = 0; i < ARRAY_SIZE(usages); i++)
		fprintf(f, "%s mcastctl %s\n", i ? "      " : "Usage:", usages[i]);
	fputs("\nObjects and commands; words may be shortened while they stay unique:\n", f);
	for (u32 i = 0; (object = command_object(i)); i++) {
		for (u32 c = 0; c < object->n; c++) {
			char *head = command_head(object, &object->command[c]);

			fprintf(f, "  %-17s  %s\n", head, object->command[c].help);
			free(head);
		}
	}
	fputs("\nOptions:\n", f);
	options_help(f);
	fputs("\n\"mcastctl OBJECT help\" and \"mcastctl OBJECT COMMAND help\" tell more.\n", f);
}

/* What a keyword takes, as "N" or "wormhole|vct|saf"; to be freed */
static char *keyword_takes(const struct grammar *g, const struct keyword *key)
{
	if (key->type == KEY_FLAG)
		return xstrdup("");
	if (key->type != KEY_ENUM || key->arg)
		return xstrdup(key->arg);
	return keyword_words(g, key);
}

/* What a keyword is; to be freed */
static char *keyword_text(const struct grammar *g, const struct keyword *key)
{
	const struct attr_desc *desc = attr_desc(attr_set_of_request(g->cmd), key->attr);
	const char *help = key->help ? key->help : desc && desc->doc ? desc->doc : "";
	/* the words of an enum are in front, unless they are too many */
	char *words = key->type == KEY_ENUM && key->arg ? keyword_words_spread(g, key) : NULL;
	char *range = keyword_range(g, key);
	int len = strlen(help);
	char *text;

	/* what follows is of the last sentence */
	if (len && help[len - 1] == '.' && (words || *range || key->required))
		len--;
	text = xasprintf("%.*s%s%s%s%s", len, help, words ? ": " : "", words ? words : "", range,
			 key->required ? "; required" : "");

	free(words);
	free(range);
	return text;
}

static void keywords_help(FILE *f, const struct grammar *g)
{
	for (u32 i = 0; i < g->n; i++) {
		char *takes = keyword_takes(g, &g->key[i]), *text = keyword_text(g, &g->key[i]);
		char *head = xasprintf("%s%s%s", g->key[i].name, *takes ? " " : "", takes);

		entry(f, 26, head, text);
		free(head);
		free(text);
		free(takes);
	}
}

static void put(struct json_object *obj, const char *key, const char *text)
{
	if (text && *text)
		json_object_object_add(obj, key, json_object_new_string(text));
}

static struct json_object *keywords_json(const struct grammar *g)
{
	struct json_object *list = json_object_new_array();

	for (u32 i = 0; i < g->n; i++) {
		char *takes = keyword_takes(g, &g->key[i]), *text = keyword_text(g, &g->key[i]);
		struct json_object *obj = json_object_new_object();

		put(obj, "name", g->key[i].name);
		put(obj, "value", takes);
		put(obj, "help", text);
		json_object_array_add(list, obj);
		free(text);
		free(takes);
	}
	return list;
}

static struct json_object *words_json(const struct command *c)
{
	struct json_object *list = json_object_new_array();

	for (u32 i = 0; i < c->nwords; i++) {
		struct json_object *obj = json_object_new_object();

		put(obj, "name", c->words[i].name);
		put(obj, "help", c->words[i].doc);
		json_object_array_add(list, obj);
	}
	return list;
}

static struct json_object *command_json(const struct command *c)
{
	struct json_object *obj = json_object_new_object();

	put(obj, "name", c->name);
	put(obj, "synopsis", c->synopsis);
	put(obj, "help", c->help);
	if (c->grammar)
		json_object_object_add(obj, "keywords", keywords_json(c->grammar));
	if (c->nwords)
		json_object_object_add(obj, "words", words_json(c));
	put(obj, "more", c->more);
	return obj;
}

static struct json_object *object_json(const struct object *object, const struct command *command)
{
	struct json_object *obj = json_object_new_object(), *list = json_object_new_array();

	put(obj, "name", object->name);
	put(obj, "help", object->help);
	for (u32 i = 0; i < object->n; i++)
		if (!command || command == &object->command[i])
			json_object_array_add(list, command_json(&object->command[i]));
	json_object_object_add(obj, "commands", list);
	return obj;
}

static struct json_object *options_json(void)
{
	struct json_object *list = json_object_new_array();

	for (u32 i = 0; i < OPT_COUNT; i++) {
		const char letter[] = { option_table[i].letter, 0 };
		struct json_object *obj;

		if (!option_table[i].help)
			continue;
		obj = json_object_new_object();
		put(obj, "name", option_table[i].name);
		put(obj, "letter", letter);
		put(obj, "value", option_table[i].value);
		put(obj, "help", option_table[i].help);
		json_object_array_add(list, obj);
	}
	return list;
}

/** help_all() - answer "mcastctl help" */
void help_all(void)
{
	struct json_object *obj, *usage, *objects;

	if (!options.json) {
		command_usage(stdout);
		return;
	}
	obj = json_object_new_object();
	usage = json_object_new_array();
	objects = json_object_new_array();
	for (size_t i = 0; i < ARRAY_SIZE(usages); i++)
		json_object_array_add(usage, json_object_new_string(usages[i]));
	for (u32 i = 0; command_object(i); i++)
		json_object_array_add(objects, object_json(command_object(i), NULL));
	json_object_object_add(obj, "usage", usage);
	json_object_object_add(obj, "options", options_json());
	json_object_object_add(obj, "objects", objects);
	json_print(obj);
}

/** command_help() - help of one command, or of all of an object (@command NULL) */
void command_help(FILE *f, const struct object *object, const struct command *command)
{
	bool first = true;

	if (options.json && f == stdout) {
		json_print(object_json(object, command));
		return;
	}
	for (u32 i = 0; i < object->n; i++) {
		const struct command *c = &object->command[i];
		char *head = command_head(object, c);

		if (!command || c == command) {
			fprintf(f, "%s mcastctl %s%s%s\n", first ? "Usage:" : "      ", head,
				*c->synopsis ? " " : "", c->synopsis);
			first = false;
		}
		free(head);
	}
	if (!command && object->n == 1)
		command = object->command;
	if (!command) {
		fprintf(f, "\n%s\n\n", object->help);
		for (u32 i = 0; i < object->n; i++)
			fprintf(f, "  %-10s %s\n", object->command[i].name,
				object->command[i].help);
		return;
	}
	fprintf(f, "\n%s\n", command->help);
	if (command->grammar) {
		fputc('\n', f);
		keywords_help(f, command->grammar);
	}
	if (command->nwords) {
		fputc('\n', f);
		for (u32 i = 0; i < command->nwords; i++)
			fprintf(f, "  %-12s %s\n", command->words[i].name, command->words[i].doc);
	}
	if (command->more)
		fprintf(f, "\n%s", command->more);
}
