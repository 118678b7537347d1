// SPDX-License-Identifier: GPL-2.0
/* Arguments of the form KEYWORD VALUE: reading them, sending them, explaining them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "netlink/keyword.h"

const char *words_peek(const struct words *w)
{
	return w->at < w->n ? w->word[w->at] : NULL;
}

const char *words_next(struct words *w)
{
	return w->at < w->n ? w->word[w->at++] : NULL;
}

bool word_is_help(const char *word)
{
	return !strcmp(word, "help") || !strcmp(word, "-h") || !strcmp(word, "--help") ||
	       !strcmp(word, "-help");
}

static const struct attr_desc *spec(const struct grammar *g, const struct keyword *key)
{
	return attr_desc(attr_set_of_request(g->cmd), key->attr);
}

/** keyword_range() - " (1 to 16)", or nothing where all that can be sent is allowed; to be freed */
char *keyword_range(const struct grammar *g, const struct keyword *key)
{
	const struct attr_desc *desc = spec(g, key);
	char min[24], max[24];

	if (!desc || (!desc->has_max && !desc->has_min) || key->type == KEY_STRING ||
	    key->type == KEY_NODE)
		return xstrdup("");
	number_format(min, sizeof(min), desc->min < 0 ? -desc->min : desc->min,
		      key->scale ? key->scale : 1);
	number_format(max, sizeof(max), desc->max, key->scale ? key->scale : 1);
	if (!desc->has_max)
		return xasprintf(" (from %s)", min);
	return xasprintf(" (%s%s to %s)", desc->min < 0 ? "-" : "", min, max);
}

static enum status not_a(const struct grammar *g, const struct keyword *key, const char *word,
			 int err, const char *what)
{
	char *range = keyword_range(g, key);

	if (err == -ERANGE)
		usage("%s %s: out of range%s", key->name, word, range);
	else if (err == -EDOM)
		usage("%s %s: finer than 1/%u", key->name, word, key->scale);
	else
		usage("%s %s: not %s%s", key->name, word, what, range);
	free(range);
	return STATUS_USAGE;
}

/* A word of the spec or an alias, whole or abbreviated. */
static int find_enum(const struct keyword *key, const struct attr_enum *words, const char *word)
{
	const struct keyword_alias *alias = key->alias;
	u32 n = 0;
	int i;

	while (alias && alias[n].name)
		n++;
	i = n ? WORD_EXACT(word, alias, n) : WORD_UNKNOWN;
	if (i >= 0)
		return WORD_EXACT(alias[i].spec, words->word, words->n);
	return WORD_FIND(word, words->word, words->n);
}

static enum status parse_enum(const struct grammar *g, const struct keyword *key,
			      const char *word, struct value *value)
{
	const struct attr_enum *words = spec(g, key)->words;
	int i = find_enum(key, words, word);
	const char *closest;
	char *all;

	if (i >= 0) {
		value->number = words->first + i;
		return STATUS_OK;
	}
	all = keyword_words_spread(g, key);
	closest = WORD_CLOSEST(word, words->word, words->n);
	if (closest)
		usage("%s %s: not one of %s; did you mean \"%s\"?", key->name, word, all, closest);
	else
		usage("%s %s: not one of %s", key->name, word, all);
	free(all);
	return STATUS_USAGE;
}

/** keyword_value() - read the value of one keyword */
enum status keyword_value(const struct grammar *g, const struct keyword *key, const char *word,
			  struct value *value)
{
	const struct attr_desc *desc = spec(g, key);
	struct node_error wrong;
	const char *at;
	s32 number;
	u64 most;
	int err;

	switch (key->type) {
	case KEY_AUTO:
		if (!strcmp(word, strchr(key->arg, '|') + 1)) {
			value->given = false;
			return STATUS_OK;
		}
		fallthrough;
	case KEY_UINT:
		err = number_u64(word, 0, UINT64_MAX, &value->number);
		/* What can be sent at all; the limits are the kernel's. */
		if (!err && value->number > UINT32_MAX && !(desc && desc->wide))
			err = -ERANGE;
		return err ? not_a(g, key, word, err, "a whole number") : STATUS_OK;
	case KEY_SINT:
		err = number_s32(word, INT32_MIN, INT32_MAX, &number);
		value->number = (u64)(s64)number;
		return err ? not_a(g, key, word, err, "a whole number") : STATUS_OK;
	case KEY_DECIMAL:
		most = desc && desc->wide ? UINT64_MAX : UINT32_MAX;
		err = number_decimal(word, key->scale, 0, most, &value->number);
		return err ? not_a(g, key, word, err, "a decimal number") : STATUS_OK;
	case KEY_DIMS:
		err = number_dims(word, value->dims, &value->ndims);
		return err ? not_a(g, key, word, err, "of the form 16x16") : STATUS_OK;
	case KEY_NUMBERS:
		err = number_list(word, value->dims, &value->ndims);
		return err ? not_a(g, key, word, err, "of the form 1,2,3") : STATUS_OK;
	case KEY_ENUM:
		return parse_enum(g, key, word, value);
	case KEY_SWITCH:
		err = number_u64(word + (*word == 's' && word[1]), 0, UINT32_MAX, &value->number);
		return err ? not_a(g, key, word, err, "a switch; write s3 or 3") : STATUS_OK;
	case KEY_ROUTER:
		at = word + ((*word == 's' || *word == 'S') && word[1] >= '0' && word[1] <= '9');
		if (*word == 'h' || *word == 'H' || node_parse(at, &value->node, &wrong))
			return usage("%s %s: not a switch; write s3, 3, (3,2) or #11", key->name,
				     word);
		return STATUS_OK;
	case KEY_NODE:
		if (node_parse(word, &value->node, &wrong))
			return usage("%s %s: %s", key->name, wrong.word, wrong.why);
		return STATUS_OK;
	case KEY_STRING:
		if (!*word)
			return usage("%s: empty", key->name);
		if (desc && desc->has_max && strlen(word) > (size_t)desc->max)
			return usage("%s %s: longer than %d characters", key->name, word,
				     (int)desc->max);
		return STATUS_OK;
	case KEY_FILE:
	case KEY_FLAG:
	case KEY_LIST:
		break;
	}
	return STATUS_OK;
}

/* All words that look like nodes; they may be one list with blanks. */
static enum status parse_list(struct words *w, const struct keyword *key, struct value *value)
{
	struct node_error wrong;
	size_t len = 0, room = 0, more;
	char *text = NULL;
	int err;

	while (words_peek(w) && (!text || node_begins(words_peek(w)))) {
		more = strlen(words_peek(w));
		if (len + more + 2 > room) {
			room = 2 * (len + more) + 64;
			text = xrealloc(text, room, 1);
		}
		if (len)
			text[len++] = ' ';
		memcpy(text + len, words_next(w), more + 1);
		len += more;
	}
	err = node_list_parse(text, &value->list, &wrong);
	free(text);
	if (err)
		return usage("%s %s: %s", key->name, wrong.word, wrong.why);
	if (!value->list.n)
		return usage("%s: empty list of nodes", key->name);
	return STATUS_OK;
}

static enum status no_such_argument(const struct grammar *g, const char *word)
{
	const char *closest = WORD_CLOSEST(word, g->key, g->n);
	enum status status = STATUS_OK;
	char *other = NULL, *known, *more;

	if (g->other_check)
		status = g->other_check();
	if (status)
		return status;
	if (g->other_closest)
		other = g->other_closest(word);
	if (other && (!closest || word_distance(word, other) < word_distance(word, closest)))
		closest = other;
	known = WORD_LIST("", g->key, g->n);
	more = g->other_names ? g->other_names() : xstrdup("");
	status = usage("unknown argument \"%s\"%s%s%s there %s: %s%s%s", word,
		       closest ? "; did you mean \"" : "", closest ? closest : "",
		       closest ? "\"?" : ";", g->n > 1 || *more ? "are" : "is", known,
		       *known && *more ? ", " : "", more);
	free(known);
	free(more);
	free(other);
	return status;
}

/*
 * Find a word among the keywords and the others: whole words first, then what
 * is the beginning of just one. Others are counted from g->n.
 */
static enum status find(const struct grammar *g, const char *word, int *index)
{
	int key = WORD_EXACT(word, g->key, g->n), other = WORD_UNKNOWN;
	char *list;

	*index = key;
	if (key >= 0)
		return STATUS_OK;
	if (g->other_find)
		other = g->other_find(word, true);
	if (other < 0) {
		key = WORD_FIND(word, g->key, g->n);
		if (g->other_find)
			other = g->other_find(word, false);
	}
	if (key == WORD_AMBIGUOUS || other == WORD_AMBIGUOUS || (key >= 0 && other >= 0)) {
		list = WORD_LIST(word, g->key, g->n);
		usage("\"%s\" is ambiguous%s%s", word, *list ? ": " : "", list);
		free(list);
		return STATUS_USAGE;
	}
	if (key < 0 && other < 0)
		return no_such_argument(g, word);
	*index = key >= 0 ? key : (int)g->n + other;
	return STATUS_OK;
}

/** keyword_of() - the keyword that attribute @attr is made from, or NULL */
const char *keyword_of(const struct grammar *g, u32 attr)
{
	for (u32 i = 0; g && i < g->n; i++) {
		if (g->key[i].attr == attr)
			return g->key[i].name;
	}
	return NULL;
}

/* Is one more word to follow, as in "workload file F"? */
static bool is_more(const struct grammar *g, const struct keyword *key, const struct value *value)
{
	const struct attr_enum *words;

	if (!key->more_after)
		return false;
	words = spec(g, key)->words;
	return !strcmp(words->word[value->number - words->first].name, key->more_after);
}

static enum status no_value(const struct grammar *g, const struct keyword *key)
{
	/* enums need not say what they take: the spec does */
	char *words = key->type == KEY_ENUM ? keyword_words_spread(g, key) : NULL;
	enum status status;

	if (words && key->arg)
		status = usage("%s: %s is missing; there are: %s", key->name, key->arg, words);
	else
		status = usage("%s: %s is missing", key->name, words ? words : key->arg);
	free(words);
	return status;
}

/* A word of ours in place of a parameter's value: the value was forgotten. */
static enum status take_other(struct words *w, const struct grammar *g, int index,
			      const char *word)
{
	const char *value = words_next(w);

	if (!value)
		return usage("%s: a value is missing", word);
	if (!(g->other_allows && g->other_allows(index, value)) &&
	    (WORD_EXACT(value, g->key, g->n) >= 0 || g->other_find(value, true) >= 0))
		return usage("%s: a value is missing, \"%s\" follows", word, value);
	return g->other_take(index, value);
}

/* "replay FILE" is "workload file FILE", too. */
static enum status take_stand_in(const struct grammar *g, const struct keyword *key,
				 const char *file, struct value *values)
{
	int i = WORD_EXACT(key->stands_for, g->key, g->n);

	if (values[i].given)
		return usage("%s: it is given in place of %s", key->name, key->stands_for);
	values[i].given = true;
	values[i].word = key->stands_word;
	values[i].more = file;
	return keyword_value(g, &g->key[i], key->stands_word, &values[i]);
}

static enum status take_one(struct words *w, const struct grammar *g, struct value *values)
{
	const char *word = words_next(w);
	const struct keyword *key;
	struct value *value;
	enum status status;
	int i;

	status = find(g, word, &i);
	if (status)
		return status;
	if (i >= (int)g->n)
		return take_other(w, g, i - g->n, word);
	key = &g->key[i];
	value = &values[i];
	if (value->given)
		return usage("%s is given twice", key->name);
	value->given = true;
	if (key->type == KEY_FLAG)
		return STATUS_OK;
	if (!words_peek(w))
		return no_value(g, key);
	value->word = words_peek(w);
	if (key->type == KEY_LIST)
		return parse_list(w, key, value);
	status = keyword_value(g, key, words_next(w), value);
	if (!status && key->stands_for)
		status = take_stand_in(g, key, value->word, values);
	if (!status && g->other_after && !strcmp(key->name, g->other_after))
		g->other_begin(value->word);
	if (!status && is_more(g, key, value)) {
		value->more = words_next(w);
		if (!value->more)
			return usage("%s %s: %s is missing", key->name, value->word, key->more);
	}
	return status;
}

/* A keyword without which there is no command. */
static enum status is_missing(const struct grammar *g, const struct keyword *key)
{
	char *words = key->arg ? NULL : keyword_words(g, key);
	enum status status;

	if (words)
		status = usage("%s is missing: %s", key->name, words);
	else
		status = usage("%s %s is missing", key->name, key->arg);
	free(words);
	return status;
}

/**
 * keywords_parse() - read all words that are left, or all up to @g->until
 * @w: the words
 * @g: the grammar
 * @values: [g->n] zeroed; to be freed by keywords_free(), also after an error
 */
enum status keywords_parse(struct words *w, const struct grammar *g, struct value *values)
{
	enum status status = STATUS_OK;

	while (!status && words_peek(w) && !(g->until && !strcmp(words_peek(w), g->until)))
		status = take_one(w, g, values);
	for (u32 i = 0; !status && i < g->n; i++) {
		if (g->key[i].required && !values[i].given)
			status = is_missing(g, &g->key[i]);
	}
	return status;
}

void keywords_free(const struct grammar *g, struct value *values)
{
	for (u32 i = 0; i < g->n; i++)
		node_list_free(&values[i].list);
}

static void put_one(struct nl_request *rq, const struct keyword *key, const struct value *value)
{
	struct nl_where where = { .key = key->name, .word = value->word, .scale = key->scale };

	switch (key->type) {
	case KEY_FLAG:
		nl_put_flag(rq, key->attr, where);
		break;
	case KEY_STRING:
		nl_put_str(rq, key->attr, value->word, where);
		break;
	case KEY_SINT:
		nl_put_u32(rq, key->attr, (u32)value->number, where);
		break;
	case KEY_UINT:
	case KEY_SWITCH:
	case KEY_AUTO:
	case KEY_DECIMAL:
	case KEY_ENUM:
		nl_put_uint(rq, key->attr, value->number, where);
		break;
	case KEY_DIMS:
	case KEY_NUMBERS:
		for (u32 i = 0; i < value->ndims; i++)
			nl_put_u32(rq, key->attr, value->dims[i], where);
		break;
	case KEY_NODE:
	case KEY_ROUTER:
	case KEY_LIST:
	case KEY_FILE:
		break;
	}
}

/** keywords_put() - add what was given to a request, but for nodes and files */
void keywords_put(struct nl_request *rq, const struct grammar *g, const struct value *values)
{
	rq->grammar = g;
	for (u32 i = 0; i < g->n; i++) {
		if (values[i].given && g->key[i].attr)
			put_one(rq, &g->key[i], &values[i]);
	}
}
