// SPDX-License-Identifier: GPL-2.0
/* Reading the list of policies: "A PARAM VALUE, B,C". */
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "cmd/compare.h"
#include "cmd/run_start.h"
#include "netlink/keyword.h"

#define ON	"on"

/** struct list - words in which commas stand alone, behind or between what they part */
struct list {
	struct words *w;
	char *rest;			/* of the word that was begun; NULL: none was */
};

static const char *peek(const struct list *l)
{
	return l->rest ? l->rest : words_peek(l->w);
}

static bool at_comma(const struct list *l)
{
	const char *next = peek(l);

	return next && *next == ',';
}

/* The next word up to a comma, or the comma; to be freed. NULL: no more. */
static char *take(struct list *l)
{
	const char *next = peek(l);
	char *part, *rest;
	size_t len;

	if (!next)
		return NULL;
	len = *next == ',' ? 1 : strcspn(next, ",");
	part = xasprintf("%.*s", (int)len, next);
	rest = next[len] ? xstrdup(next + len) : NULL;
	if (!l->rest)
		words_next(l->w);
	free(l->rest);
	l->rest = rest;
	return part;
}

static bool is_keyword(const char *word)
{
	return WORD_EXACT(word, compare_grammar.key, compare_grammar.n) >= 0;
}

static enum status take_param(struct list *l, int index)
{
	char *name = take(l), *value = at_comma(l) ? NULL : take(l);
	enum status status;

	if (!value)
		status = usage("%s: a value is missing", name);
	else if (!params_allow(index, value) &&
		 (is_keyword(value) || params_find(value, true) >= 0))
		status = usage("%s: a value is missing, \"%s\" follows", name, value);
	else
		status = params_take(index, value);
	free(name);
	free(value);
	return status;
}

/* May the list end before this word? Else a comma was forgotten, or it is mistyped. */
static enum status check_end(const char *word, const struct comparison *c)
{
	const char *name = c->policy[c->n - 1].name;

	if (WORD_FIND(word, compare_grammar.key, compare_grammar.n) != WORD_UNKNOWN)
		return STATUS_OK;
	return usage("policy %u %s: \"%s\" is neither a parameter of it nor a keyword; "
		     "a comma is before each further policy", c->n, name, word);
}

static bool at_fabric(const struct list *l)
{
	const char *next = peek(l);

	return next && strcspn(next, ",") == strlen(ON) && !strncmp(next, ON, strlen(ON));
}

/* Parameters of the policy that was named, up to a comma or a word that is none. */
static enum status take_params(struct list *l, const struct comparison *c)
{
	enum status status = STATUS_OK;

	while (!status && !l->rest && peek(l) && !at_comma(l) && !is_keyword(peek(l)) &&
	       !at_fabric(l)) {
		char *word = xasprintf("%.*s", (int)strcspn(peek(l), ","), peek(l));
		int index = params_find(word, false);

		free(word);
		if (index < 0)
			return check_end(peek(l), c);
		status = take_param(l, index);
	}
	return status;
}

/* "on FABRIC" behind a policy and its parameters */
static enum status take_fabric(struct list *l, struct compared *p, u32 place)
{
	if (!at_fabric(l))
		return STATUS_OK;
	free(take(l));
	if (!peek(l) || at_comma(l) || is_keyword(peek(l)))
		return usage("policy %u %s on: the name of a fabric is missing", place, p->name);
	p->fabric = take(l);
	return STATUS_OK;
}

/* Is there such a policy? It is named with its place in the list. */
static enum status check_policy(const char *name, u32 place)
{
	char *key = xasprintf("policy %u", place);
	struct json_object *obj = NULL;
	enum status status;

	status = ask_one(MCFAB_CMD_POLICY_GET, MCFAB_A_POLICY_NAME, key, name, &obj);
	json_object_put(obj);
	free(key);
	return status;
}

static enum status take_policy(struct list *l, struct comparison *c)
{
	struct compared *p = &c->policy[c->n];
	enum status status;
	char *text;

	if (c->n == COMPARE_MAX)
		return usage("policy: more than %u", COMPARE_MAX);
	if (!peek(l) || at_comma(l) || is_keyword(peek(l)))
		return usage("policy %u: a name is missing%s", c->n + 1,
			     c->n ? " behind the comma" : "");
	p->name = take(l);
	c->n++;
	if (strlen(p->name) > MCFAB_NAME_MAX)
		return usage("policy %u %s: longer than %d characters", c->n, p->name,
			     MCFAB_NAME_MAX);
	status = check_policy(p->name, c->n);
	if (status)
		return status;
	params_policy(p->name);
	status = take_params(l, c);
	if (!status)
		status = take_fabric(l, p, c->n);
	p->params = *params_given();
	text = params_text();
	p->label = xasprintf("%s%s%s%s%s", p->name, *text ? " " : "", text,
			     p->fabric ? " " ON " " : "", p->fabric ? p->fabric : "");
	free(text);
	return status;
}

/** compare_read() - the list of policies; what follows it is left */
enum status compare_read(struct words *w, struct comparison *c)
{
	struct list l = { .w = w };
	enum status status;
	bool more;

	do {
		status = take_policy(&l, c);
		more = at_comma(&l);
		if (more)
			free(take(&l));
	} while (!status && more);
	if (!status && c->n < COMPARE_MIN)
		status = usage("policy %s: at least two are compared, with commas: policy %s, ...",
			       c->policy[0].label, c->policy[0].label);
	free(l.rest);
	return status;
}

void compare_free(struct comparison *c)
{
	for (u32 i = 0; i < c->n; i++) {
		struct compared *p = &c->policy[i];

		for (u32 k = 0; p->run && k < c->seeds; k++)
			result_free(&p->run[k]);
		free(p->run);
		free(p->number);
		free(p->name);
		free(p->fabric);
		free(p->label);
	}
}
