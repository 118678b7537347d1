// SPDX-License-Identifier: GPL-2.0
/*
 * The parameters of a policy, which only the policy knows: between "policy P"
 * and the next keyword of ours, words are PARAM VALUE pairs.
 */
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>

#include "ask/lookup.h"
#include "base/options.h"
#include "base/table.h"
#include "base/words.h"
#include "netlink/attrs.h"
#include "netlink/keyword.h"

static struct {
	char *policy;			/* as typed, NULL: not typed yet */
	struct json_object *list;	/* its parameters, NULL: not known */
	const char **name;
	u32 n;
	struct params_set given;
} params;

void params_begin(void)
{
	free(params.policy);
	free(params.name);
	json_object_put(params.list);
	memset(&params, 0, sizeof(params));
}

struct json_object *params_of(const char *policy)
{
	struct json_object *obj, *list;

	if (nl_open(options.netns))
		return NULL;
	obj = ask_quietly(MCFAB_CMD_POLICY_GET, MCFAB_A_POLICY_NAME, policy);
	if (!obj)
		return NULL;
	list = get_obj(obj, "param");
	list = list ? json_object_get(list) : json_object_new_array();
	json_object_put(obj);
	return list;
}

/** params_policy() - the policy that the words to come belong to */
void params_policy(const char *policy)
{
	params_begin();
	params.policy = xstrdup(policy);
}

/* Ask the kernel only when a word is none of our own. */
static void learn(void)
{
	if (!params.policy || params.list)
		return;
	params.list = params_of(params.policy);
	params.n = params.list ? json_object_array_length(params.list) : 0;
	params.name = xcalloc(params.n, sizeof(*params.name));
	for (u32 i = 0; i < params.n; i++)
		params.name[i] = get_str(json_object_array_get_idx(params.list, i), "name");
}

int params_find(const char *word, bool exact)
{
	learn();
	if (!params.list)
		return WORD_UNKNOWN;
	return exact ? WORD_EXACT(word, params.name, params.n) :
		       WORD_FIND(word, params.name, params.n);
}

/** params_allow() - is @value among the words that parameter @index takes? */
bool params_allow(int index, const char *value)
{
	struct json_object *choice = get_obj(json_object_array_get_idx(params.list, index),
					     "choice");

	for (size_t i = 0; choice && i < json_object_array_length(choice); i++) {
		if (!strcmp(json_object_get_string(json_object_array_get_idx(choice, i)), value))
			return true;
	}
	return false;
}

enum status params_take(int index, const char *value)
{
	const char *name = params.name[index];
	struct params_set *given = &params.given;

	if (strlen(value) > MCFAB_NAME_MAX)
		return usage("%s %s: longer than %d characters", name, value, MCFAB_NAME_MAX);
	for (u32 i = 0; i < given->n; i++) {
		if (!strcmp(given->set[i].name, name))
			return usage("%s is given twice", name);
	}
	if (given->n == MCFAB_MAX_PARAMS)
		return usage("more than %d parameters", MCFAB_MAX_PARAMS);
	snprintf(given->set[given->n].name, sizeof(given->set[0].name), "%s", name);
	snprintf(given->set[given->n++].value, sizeof(given->set[0].value), "%s", value);
	return STATUS_OK;
}

const struct params_set *params_given(void)
{
	return &params.given;
}

/** params_use() - as if these had been taken */
void params_use(const struct params_set *set)
{
	params_begin();
	params.given = *set;
}

/** params_check() - is there such a policy at all? */
enum status params_check(void)
{
	struct json_object *obj = NULL;
	enum status status;

	if (!params.policy || params.list)
		return STATUS_OK;
	status = ask_one(MCFAB_CMD_POLICY_GET, MCFAB_A_POLICY_NAME, "policy", params.policy, &obj);
	json_object_put(obj);
	return status;
}

char *params_closest(const char *word)
{
	const char *closest = params.list ? WORD_CLOSEST(word, params.name, params.n) : NULL;

	return closest ? xstrdup(closest) : NULL;
}

char *params_names(void)
{
	return params.list ? WORD_LIST("", params.name, params.n) : xstrdup("");
}

/** params_put() - add the parameters to a request; runs and plans nest them alike */
void params_put(struct nl_request *rq, u16 attr)
{
	const struct params_set *given = &params.given;

	for (u32 i = 0; i < given->n; i++) {
		struct nl_where where = nl_where(given->set[i].name, given->set[i].value);
		size_t nest = nl_nest(rq, attr, where);

		nl_put_str(rq, MCFAB_A_PARAM_NAME, given->set[i].name, where);
		nl_put_str(rq, MCFAB_A_PARAM_VALUE, given->set[i].value, where);
		nl_nest_end(rq, nest);
	}
}

/** params_text() - the parameters as they were given, to be freed */
char *params_text(void)
{
	char *text = xstrdup(""), *longer;

	for (u32 i = 0; i < params.given.n; i++) {
		longer = xasprintf("%s%s%s %s", text, i ? " " : "", params.given.set[i].name,
				   params.given.set[i].value);
		free(text);
		text = longer;
	}
	return text;
}
