// SPDX-License-Identifier: GPL-2.0
/* Names of the specification, and the values that words give them. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "api/internal.h"

/* what mcastctl(8) calls otherwise than the specification, beside units */
static const struct {
	const char *word;
	const char *name;
	u32 scale;
} other_names[] = {
	{ "ports", "switch-ports", 1 }, { "ni-ratio", "ni-ratio", 1000000 },
	{ "slip-limit", "slip-limit-ns", 1 },
};

static const struct {
	const char *suffix;
	u32 scale;
} units[] = {
	{ "-ppb", 1000000000 }, { "-ppm", 1000000 }, { "-micro", 1000000 }, { "-ucycles", 1000000 },
};

static const struct {
	const char *word;
	const char *name;
} other_words[] = {
	{ "vct", "cut-through" }, { "saf", "store-and-forward" },
};

/**
 * lib_set_of() - the attributes of a request
 * @op: its name in the specification
 * @cmd: set to its number
 *
 * Return: the attributes, or NULL: there is no such request.
 */
const struct attr_set *lib_set_of(const char *op, u8 *cmd)
{
	u32 i;

	for (i = 0; i < attr_nops; i++) {
		if (attr_ops[i].name && !strcmp(attr_ops[i].name, op)) {
			*cmd = i;
			return attr_ops[i].set;
		}
	}
	return NULL;
}

/* is @word, perhaps with @suffix, the name of an attribute? */
static const struct attr_desc *named(const struct attr_set *set, const char *word, size_t len,
				     const char *suffix)
{
	u32 i;

	for (i = 0; i < set->n; i++) {
		const char *name = set->attr[i].name;

		if (name && !strncmp(name, word, len) && !strcmp(name + len, suffix))
			return &set->attr[i];
	}
	return NULL;
}

/**
 * lib_find() - an attribute by its name
 * @set: the attributes that there are
 * @name: its name, or without its unit
 * @len: length of @name
 * @scale: set to the attribute's value for one
 *
 * Return: the attribute, or NULL: none has that name.
 */
const struct attr_desc *lib_find(const struct attr_set *set, const char *name, size_t len,
				 u32 *scale)
{
	const struct attr_desc *desc;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(other_names); i++) {
		if (strlen(other_names[i].word) != len || strncmp(other_names[i].word, name, len))
			continue;
		desc = named(set, other_names[i].name, strlen(other_names[i].name), "");
		*scale = other_names[i].scale;
		if (desc)
			return desc;
	}
	*scale = 1;
	desc = named(set, name, len, "");
	for (i = 0; !desc && i < ARRAY_SIZE(units); i++) {
		desc = named(set, name, len, units[i].suffix);
		*scale = units[i].scale;
	}
	return desc;
}

/** lib_type() - number of an attribute that the specification has */
u32 lib_type(const struct attr_set *set, const char *name)
{
	const struct attr_desc *desc = named(set, name, strlen(name), "");

	return desc ? desc - set->attr : 0;
}

/* a whole number, or a decimal in units of 1/@scale; @end: behind it */
static int take_number(const char *text, u32 scale, u64 *value, const char **end)
{
	u64 digit, most = U64_MAX / 10;
	u32 left = scale;
	bool point = false;

	if (!isdigit((unsigned char)*text))
		return -EINVAL;
	for (*value = 0; isdigit((unsigned char)*text) || (*text == '.' && scale > 1 && !point);
	     text++) {
		if (*text == '.') {
			point = true;
			continue;
		}
		digit = *text - '0';
		if (point && left == 1) {
			if (digit)
				return -EDOM;
			continue;
		}
		if (*value > most || *value * 10 > U64_MAX - digit)
			return -ERANGE;
		*value = *value * 10 + digit;
		if (point)
			left /= 10;
	}
	if (*value > U64_MAX / left)
		return -ERANGE;
	*value *= left;
	*end = text;
	return 0;
}

static int bad_number(const char *key, const char *value, u32 scale, int err)
{
	if (err == -EDOM)
		return lib_refuse("%s %s: finer than 1/%u", key, value, scale);
	if (err == -ERANGE)
		return lib_refuse("%s %s: out of range", key, value);
	return lib_refuse("%s %s: not a %s number", key, value, scale > 1 ? "decimal" : "whole");
}

static int put_number(struct request *rq, const struct attr_desc *desc, u32 type, u64 number)
{
	if (number > U32_MAX && !desc->wide)
		return -ERANGE;
	nla_put_uint(rq->skb, type, number);
	return 0;
}

static int take_word(struct request *rq, const struct attr_desc *desc, u32 type, const char *key,
		     const char *value)
{
	const char *name = value;
	char all[256] = "";
	size_t len;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(other_words); i++)
		if (!strcmp(value, other_words[i].word))
			name = other_words[i].name;
	for (i = 0; i < desc->words->n; i++) {
		if (!strcmp(desc->words->word[i].name, name)) {
			nla_put_u32(rq->skb, type, desc->words->first + i);
			return 0;
		}
		len = strlen(all);
		snprintf(all + len, sizeof(all) - len, "%s%s", len ? ", " : "",
			 desc->words->word[i].name);
	}
	return lib_refuse("%s %s: not one of %s", key, value, all);
}

/* 16x16, or 4,8,16; not a list: one number */
static int take_numbers(struct request *rq, const struct attr_desc *desc, u32 scale, u32 type,
			const char *key, const char *value)
{
	const char *at = value;
	u64 number;
	int err;

	for (;;) {
		err = take_number(at, scale, &number, &at);
		if (!err && *at && !(desc->multi && strchr("x,", *at)))
			err = -EINVAL;
		if (!err)
			err = put_number(rq, desc, type, number);
		if (err)
			return bad_number(key, value, scale, err);
		if (!*at)
			return 0;
		at++;
	}
}

static int take_signed(struct request *rq, u32 type, const char *key, const char *value)
{
	char *end;
	long number;

	errno = 0;
	number = strtol(value, &end, 10);
	if (end == value || *end || errno || number < S32_MIN || number > S32_MAX)
		return lib_refuse("%s %s: not a whole number", key, value);
	nla_put_s32(rq->skb, type, number);
	return 0;
}

/**
 * lib_take_value() - add an option to a request
 * @rq: the request
 * @desc: the option's attribute
 * @scale: its value for one
 * @key: the option, for messages
 * @value: its value
 *
 * Return: 0 or -1.
 */
int lib_take_value(struct request *rq, const struct attr_desc *desc, u32 scale, const char *key,
		   char *value)
{
	u32 type = desc - rq->set->attr;

	switch (desc->type) {
	case ATTR_UINT:
		if (desc->words)
			return take_word(rq, desc, type, key, value);
		return take_numbers(rq, desc, scale, type, key, value);
	case ATTR_SINT:
		return take_signed(rq, type, key, value);
	case ATTR_STRING:
		nla_put_string(rq->skb, type, value);
		return 0;
	default:
		return lib_refuse("%s %s: the library has no such option", key, value);
	}
}
