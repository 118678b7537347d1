// SPDX-License-Identifier: GPL-2.0
/*
 * Completion for shells: "mcastctl complete WORD..." prints what the last word
 * may become, one on a line, or as a JSON list. Names come from the kernel.
 */
#include <linux/mcfab.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask/groups.h"
#include "ask/lookup.h"
#include "base/options.h"
#include "base/table.h"
#include "base/words.h"
#include "command.h"

static struct json_object *offers;

static void offer(const char *name, const char *begin)
{
	if (!strncmp(name, begin, strlen(begin)))
		json_object_array_add(offers, json_object_new_string(name));
}

/* Names of what the kernel has; silence if it has nothing. */
static void offer_names(u8 cmd, const char *begin)
{
	struct json_object *all = NULL;

	if (ask_all(cmd, &all))
		return;
	for (size_t i = 0; i < json_object_array_length(all); i++)
		offer(get_str(json_object_array_get_idx(all, i), "name"), begin);
	json_object_put(all);
}

static void offer_groups(const char *fabric, const char *begin)
{
	struct json_object *all = NULL;

	if (groups_all(fabric, &all))
		return;
	for (size_t i = 0; i < json_object_array_length(all); i++)
		offer(get_str(json_object_array_get_idx(all, i), "name"), begin);
	json_object_put(all);
}

static void offer_policies(const char *begin)
{
	struct json_object *all = installed_policies();

	for (size_t i = 0; i < json_object_array_length(all); i++)
		offer(json_object_get_string(json_object_array_get_idx(all, i)), begin);
	if (!json_object_array_length(all))
		offer_names(MCFAB_CMD_POLICY_GET, begin);
	json_object_put(all);
}

static void offer_params(const char *policy, const char *begin)
{
	struct json_object *list = params_of(policy);

	for (size_t i = 0; list && i < json_object_array_length(list); i++)
		offer(get_str(json_object_array_get_idx(list, i), "name"), begin);
	json_object_put(list);
}

/* Values of the policy's parameter @param; false: there is no such parameter. */
static bool offer_choices(const char *policy, const char *param, const char *begin)
{
	struct json_object *list = params_of(policy), *choice;
	bool found = false;

	for (size_t i = 0; list && !found && i < json_object_array_length(list); i++) {
		struct json_object *p = json_object_array_get_idx(list, i);

		if (strcmp(get_str(p, "name"), param))
			continue;
		found = true;
		choice = get_obj(p, "choice");
		for (size_t k = 0; choice && k < json_object_array_length(choice); k++)
			offer(json_object_get_string(json_object_array_get_idx(choice, k)), begin);
		if (!strcmp(get_str(p, "kind"), "bool")) {
			offer("on", begin);
			offer("off", begin);
		}
	}
	json_object_put(list);
	return found;
}

static void offer_values(const struct grammar *g, const struct keyword *key, const char *fabric,
			 const char *begin)
{
	char *words, *save = NULL, *word;

	if (!strcmp(key->name, "policy")) {
		offer_policies(begin);
	} else if (!strcmp(key->name, "topology")) {
		offer_names(MCFAB_CMD_TOPOLOGY_GET, begin);
	} else if (!strcmp(key->name, "group")) {
		offer_groups(fabric, begin);
	} else if (key->type == KEY_ENUM) {
		words = keyword_words(g, key);
		for (word = strtok_r(words, "|", &save); word; word = strtok_r(NULL, "|", &save))
			offer(word, begin);
		free(words);
	}
}

static bool ends_in_comma(const char *word)
{
	return *word && word[strlen(word) - 1] == ',';
}

/* Keywords and their values, behind the operand, which may be a fabric. */
static void complete_keywords(const struct grammar *g, const char *fabric, char **word, int n)
{
	const char *begin = word[n - 1], *policy = NULL;
	const struct keyword *key = NULL;
	bool value = false;
	int i, found;

	/* the operand of "policy check" is the policy */
	if (g->other_find && !g->other_after)
		policy = fabric;
	/* Walk over what is there to see whether a value is due. */
	for (i = 0; i < n - 1; i++) {
		if (value) {
			bool named = key && !strcmp(key->name, "policy");

			if (named)
				policy = word[i];
			/* behind a comma one more policy is due */
			value = (named || !key) && ends_in_comma(word[i]);
			if (value)
				key = &g->key[WORD_EXACT("policy", g->key, g->n)];
			continue;
		}
		found = WORD_FIND(word[i], g->key, g->n);
		key = found >= 0 ? &g->key[found] : NULL;
		if (key)
			value = key->type != KEY_FLAG;
		else
			value = policy && !node_begins(word[i]);
	}
	if (value && key) {
		offer_values(g, key, fabric, begin);
		return;
	}
	if (value) {
		offer_choices(policy, word[n - 2], begin);
		return;
	}
	for (u32 k = 0; k < g->n; k++)
		offer(g->key[k].name, begin);
	if (policy)
		offer_params(policy, begin);
}

static void complete_command(const struct command *command, char **word, int n)
{
	bool group = command->operand == OPERAND_GROUP || command->operand == OPERAND_GROUP_NEW;
	const char *begin = word[n - 1];

	if (command->operand != OPERAND_NONE && n == 1) {
		if (command->operand == OPERAND_POLICY_OPTIONAL)
			offer_policies(begin);
		else if (command->operand != OPERAND_NEW)
			offer_names(MCFAB_CMD_FABRIC_GET, begin);
		return;
	}
	if (group && n == 2) {
		if (command->operand == OPERAND_GROUP)
			offer_groups(word[0], begin);
		return;
	}
	if (command->nwords && n == 2) {
		for (u32 i = 0; i < command->nwords; i++)
			offer(command->words[i].name, begin);
	}
	for (const char *const *after = command->grammar_after; after && *after; after++)
		if (n > 2 && !strcmp(word[1], *after))
			complete_keywords(command->grammar, word[0], word + 2, n - 2);
	if (command->grammar && !command->grammar_after) {
		int skip = group ? 2 : command->operand != OPERAND_NONE;

		complete_keywords(command->grammar, word[0], word + skip, n - skip);
	}
}

/* Options with a value hide it from the grammar; names are those of the engine. */
static int skip_options(char **word, int n)
{
	int i = 0;

	while (i < n - 1 && word[i][0] == '-') {
		bool engine = !strcmp(word[i], "-E") || !strcmp(word[i], "--engine");

		if (engine)
			options.user = !strcmp(word[i + 1], "user");
		if (engine || !strcmp(word[i], "-b") || !strcmp(word[i], "-N") ||
		    !strcmp(word[i], "--batch") || !strcmp(word[i], "--netns") ||
		    !strcmp(word[i], "--policy-path"))
			i++;
		i++;
	}
	return i < n ? i : n - 1;
}

static void offer_options(const char *begin)
{
	static const char *const all[] = {
		"-j", "-p", "-b", "-N", "-E", "-V", "-h", "--json", "--pretty", "--batch",
		"--force", "--netns", "--engine", "--policy-path", "--version",
		"--help",
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		offer(all[i], begin);
}

static void complete(char **word, int n)
{
	const struct object *object;
	int skip = skip_options(word, n), i;

	word += skip;
	n -= skip;
	if (n == 1) {
		if (word[0][0] == '-')
			offer_options(word[0]);
		for (u32 k = 0; command_object(k); k++)
			offer(command_object(k)->name, word[0]);
		offer("help", word[0]);
		return;
	}
	object = command_find_object(word[0]);
	if (!object)
		return;
	if (!object->command->name) {
		complete_command(object->command, word + 1, n - 1);
		return;
	}
	if (n == 2) {
		for (u32 k = 0; k < object->n; k++)
			offer(object->command[k].name, word[1]);
		offer("help", word[1]);
		return;
	}
	i = WORD_FIND(word[1], object->command, object->n);
	if (i >= 0)
		complete_command(&object->command[i], word + 2, n - 2);
}

/** command_complete() - what may the last word become? */
int command_complete(struct words *w)
{
	char nothing[] = "", *none[] = { nothing };

	/* Whoever is typing does not want to read what is wrong. */
	if (!freopen("/dev/null", "w", stderr))
		return STATUS_REFUSED;
	offers = json_object_new_array();
	if (w->n > 1)
		complete(w->word + 1, w->n - 1);
	else
		complete(none, 1);
	if (options.json) {
		json_print(offers);
		return STATUS_OK;
	}
	for (size_t i = 0; i < json_object_array_length(offers); i++)
		puts(json_object_get_string(json_object_array_get_idx(offers, i)));
	json_object_put(offers);
	return STATUS_OK;
}
