// SPDX-License-Identifier: GPL-2.0
/* Finding the command that the user means. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "command.h"

static const struct {
	const char *name;
	const struct object *object;
} objects[] = {
	{ "fabric", &object_fabric },
	{ "topology", &object_topology },
	{ "policy", &object_policy },
	{ "group", &object_group },
	{ "table", &object_table },
	{ "route", &object_route },
	{ "link", &object_link },
	{ "port", &object_port },
	{ "plan", &object_plan },
	{ "verify", &object_verify },
	{ "run", &object_run },
	{ "compare", &object_compare },
	{ "stop", &object_stop },
	{ "stats", &object_stats },
	{ "experiment", &object_experiment },
	{ "save", &object_save },
	{ "restore", &object_restore },
	{ "monitor", &object_monitor },
	{ "demo", &object_demo },
};

const struct object *command_object(u32 index)
{
	return index < ARRAY_SIZE(objects) ? objects[index].object : NULL;
}

const struct object *command_find_object(const char *word)
{
	int i = WORD_FIND(word, objects, ARRAY_SIZE(objects));

	return i < 0 ? NULL : objects[i].object;
}

static enum status no_such(const char *what, const char *word, const void *table, size_t stride,
			   u32 n, int found)
{
	const char *closest = word_closest(word, table, stride, n);
	enum status status;
	char *list;

	if (found == WORD_AMBIGUOUS) {
		list = word_list(word, table, stride, n);
		status = usage("%s \"%s\" is ambiguous: %s", what, word, list);
	} else {
		list = word_list("", table, stride, n);
		status = usage("unknown %s \"%s\"%s%s%s there are: %s", what, word,
			       closest ? "; did you mean \"" : "", closest ? closest : "",
			       closest ? "\"?" : ";", list);
	}
	free(list);
	return status;
}

static enum status find_object(const char *word, const struct object **object)
{
	int i = WORD_FIND(word, objects, ARRAY_SIZE(objects));

	if (i < 0)
		return no_such("object", word, objects, sizeof(objects[0]), ARRAY_SIZE(objects), i);
	*object = objects[i].object;
	return STATUS_OK;
}

static enum status find_command(const struct object *object, const char *word,
				const struct command **command)
{
	char *what;
	int i;

	if (!object->command->name) {
		*command = object->command;
		return STATUS_OK;
	}
	i = WORD_FIND(word, object->command, object->n);
	if (i < 0) {
		what = xasprintf("%s command", object->name);
		no_such(what, word, object->command, sizeof(*object->command), object->n, i);
		free(what);
		return STATUS_USAGE;
	}
	*command = &object->command[i];
	return STATUS_OK;
}

/* "help", "help OBJECT", "help OBJECT COMMAND" */
static enum status help(struct words *w)
{
	const struct command *command = NULL;
	const struct object *object;
	const char *word = words_next(w);
	enum status status;

	if (!word) {
		help_all();
		return STATUS_OK;
	}
	status = find_object(word, &object);
	word = words_next(w);
	if (!status && word && object->command->name)
		status = find_command(object, word, &command);
	if (!status)
		command_help(stdout, object, command);
	return status;
}

/* Help may be asked for anywhere, but not in the place of a name. */
static bool wants_help(const struct words *w)
{
	return w->at < w->n && word_is_help(w->word[w->n - 1]);
}

static bool needs_name(const struct command *command)
{
	return command->operand == OPERAND_FABRIC || command->operand == OPERAND_NEW ||
	       command->operand == OPERAND_GROUP || command->operand == OPERAND_GROUP_NEW;
}

/** command_run() - run the command that the words are */
enum status command_run(struct words *w)
{
	const struct command *command;
	const struct object *object;
	const char *word = words_next(w);
	enum status status;

	if (!word) {
		command_usage(stderr);
		return STATUS_USAGE;
	}
	if (word_is_help(word))
		return help(w);
	status = find_object(word, &object);
	if (status)
		return status;
	if (words_peek(w) && word_is_help(words_peek(w))) {
		command_help(stdout, object, NULL);
		return STATUS_OK;
	}
	if (!words_peek(w) && object->standard)
		return object->standard->run(w);
	if (object->command->name) {
		if (!words_peek(w)) {
			command_help(stderr, object, NULL);
			return STATUS_USAGE;
		}
		status = find_command(object, words_next(w), &command);
		if (status)
			return status;
	} else {
		command = object->command;
	}
	if (wants_help(w)) {
		command_help(stdout, object, command);
		return STATUS_OK;
	}
	if (!words_peek(w) && needs_name(command)) {
		usage("%s%s%s: NAME of the fabric is missing", object->name,
		      command->name ? " " : "", command->name ? command->name : "");
		fprintf(stderr, "Usage: mcastctl %s%s%s %s\n", object->name,
			command->name ? " " : "", command->name ? command->name : "",
			command->synopsis);
		return STATUS_USAGE;
	}
	return command->run(w);
}

enum status command_end(struct words *w)
{
	const char *word = words_peek(w);

	return word ? usage("unexpected \"%s\"", word) : STATUS_OK;
}
