// SPDX-License-Identifier: GPL-2.0
/* Values of answers by their names. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include "api/internal.h"
#include <linux/genetlink.h>

/**
 * lib_next() - the next message of an answer
 * @a: the answer
 * @nlh: a message of it; NULL: before the first
 *
 * Return: the message, or NULL: there is no more.
 */
const struct nlmsghdr *lib_next(const struct answer *a, const struct nlmsghdr *nlh)
{
	const char *at = nlh ? (const char *)nlh + NLMSG_ALIGN(nlh->nlmsg_len) : a->data;

	return at && at < a->data + a->len ? (const struct nlmsghdr *)at : NULL;
}

/* the @nth attribute with a number */
static const struct nlattr *nth_attr(const struct nlattr *head, int len, u32 type, u32 nth)
{
	const struct nlattr *attr;
	int rem;

	nla_for_each_attr_type(attr, type, head, len, rem)
		if (!nth--)
			return attr;
	return NULL;
}

/**
 * lib_attr() - a value of a message
 * @nlh: the message
 * @set: the attributes that it may have
 * @name: name of the value, with dots where it is a part of others
 * @desc: set to what the value is; NULL: there is no such name
 * @scale: set to what one is
 *
 * Return: the value, or NULL: it is absent, or there is no such name.
 */
const struct nlattr *lib_attr(const struct nlmsghdr *nlh, const struct attr_set *set,
			      const char *name, const struct attr_desc **desc, u32 *scale)
{
	const struct nlattr *head = nlmsg_attrdata(nlh, GENL_HDRLEN), *attr = NULL;
	int len = nlmsg_attrlen(nlh, GENL_HDRLEN);
	const struct attr_set *in = set;
	u32 nth;

	for (;;) {
		size_t n = strcspn(name, ".");

		*desc = in ? lib_find(in, name, n, scale) : NULL;
		if (!*desc)
			return NULL;
		name += n + (name[n] == '.');
		nth = 0;
		if ((*desc)->multi && isdigit((unsigned char)*name)) {
			nth = strtoul(name, (char **)&name, 10);
			name += *name == '.';
		}
		/* go on without values: there may be no such name */
		attr = head ? nth_attr(head, len, *desc - in->attr, nth) : NULL;
		if (!*name)
			return attr;
		in = (*desc)->nested;
		head = attr ? nla_data(attr) : NULL;
		len = attr ? nla_len(attr) : 0;
	}
}

/** lib_double() - the number that an attribute has; NaN: it has none */
double lib_double(const struct nlattr *attr, const struct attr_desc *desc, u32 scale)
{
	if (!attr || !desc)
		return NAN;
	if (desc->type == ATTR_FLAG)
		return 1;
	if (desc->type == ATTR_UINT)
		return (double)nla_get_uint(attr) / scale;
	if (desc->type == ATTR_SINT)
		return (double)(nla_len(attr) == sizeof(s32) ? nla_get_s32(attr) :
				(s64)nla_get_uint(attr)) / scale;
	return NAN;
}

/* ask for the one message about @object */
static const struct nlmsghdr *object_message(struct mcf_fabric *f, const char *object,
					     const struct attr_set **set, struct answer *a)
{
	char op[32];
	u8 cmd;

	memset(a, 0, sizeof(*a));
	if (strcmp(object, "fabric") && strcmp(object, "run") && strcmp(object, "stats")) {
		lib_refuse("object %s: not one of fabric, run, stats", object);
		return NULL;
	}
	snprintf(op, sizeof(op), "%s-get", object);
	*set = lib_set_of(op, &cmd);
	if (lib_ask_words(op, false, f->name, NULL, a))
		return NULL;
	return lib_next(a, NULL);
}

/* the attribute @name of @object; @a is to be freed */
static const struct nlattr *look_up(struct mcf_fabric *f, const char *object, const char *name,
				    struct answer *a, const struct attr_desc **desc, u32 *scale)
{
	const struct attr_set *set;
	const struct nlmsghdr *nlh = object_message(f, object, &set, a);
	const struct nlattr *attr;

	if (!nlh)
		return NULL;
	attr = lib_attr(nlh, set, name, desc, scale);
	if (!*desc)
		lib_refuse("name %s: %s has no such value", name, object);
	else if (!attr)
		lib_refuse("name %s: it is absent", name);
	return attr;
}

double mcf_number(struct mcf_fabric *f, const char *object, const char *name)
{
	const struct attr_desc *desc;
	const struct nlattr *attr;
	struct answer a;
	double value;
	u32 scale;

	attr = look_up(f, object, name, &a, &desc, &scale);
	value = attr ? lib_double(attr, desc, scale) : NAN;
	if (attr && isnan(value))
		lib_refuse("name %s: it is no number", name);
	lib_answer_free(&a);
	return value;
}

int mcf_count(struct mcf_fabric *f, const char *object, const char *name, uint64_t *value)
{
	const struct attr_desc *desc;
	const struct nlattr *attr;
	struct answer a;
	u32 scale;
	int ret = -1;

	attr = look_up(f, object, name, &a, &desc, &scale);
	if (attr && desc->type == ATTR_UINT && scale == 1) {
		*value = nla_get_uint(attr);
		ret = 0;
	} else if (attr) {
		lib_refuse("name %s: it is no whole number", name);
	}
	lib_answer_free(&a);
	return ret;
}

int mcf_text(struct mcf_fabric *f, const char *object, const char *name, char *text, size_t size)
{
	const struct attr_desc *desc;
	const struct nlattr *attr;
	struct answer a;
	u32 scale;
	int ret = 0;

	attr = look_up(f, object, name, &a, &desc, &scale);
	if (!attr) {
		ret = -1;
	} else if (desc->type == ATTR_STRING) {
		snprintf(text, size, "%.*s", nla_len(attr), (const char *)nla_data(attr));
	} else if (desc->words && !desc->words->flags &&
		   nla_get_u32(attr) - desc->words->first < desc->words->n) {
		snprintf(text, size, "%s",
			 desc->words->word[nla_get_u32(attr) - desc->words->first].name);
	} else {
		ret = lib_refuse("name %s: it is no text", name);
	}
	lib_answer_free(&a);
	return ret;
}

static bool is_list(const char *object)
{
	static const char *const lists[] = {
		"link", "node", "node-load", "source-load", "batch", "histogram", "arrival",
		"group",
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(lists); i++)
		if (!strcmp(object, lists[i]))
			return true;
	return false;
}

long mcf_column(struct mcf_fabric *f, const char *object, const char *name, double *values,
		size_t room)
{
	const struct nlmsghdr *nlh = NULL;
	const struct attr_desc *desc;
	const struct attr_set *set;
	const struct nlattr *attr;
	struct answer a;
	size_t n = 0;
	char op[32];
	u32 scale;
	u8 cmd;

	if (!is_list(object))
		return lib_refuse("object %s: there is no such list", object);
	snprintf(op, sizeof(op), "%s-get", object);
	set = lib_set_of(op, &cmd);
	if (lib_ask_words(op, true, f->name, NULL, &a)) {
		lib_answer_free(&a);
		return -1;
	}
	while ((nlh = lib_next(&a, nlh))) {
		attr = lib_attr(nlh, set, name, &desc, &scale);
		if (!desc) {
			lib_answer_free(&a);
			return lib_refuse("name %s: %s has no such value", name, object);
		}
		if (n < room)
			values[n] = lib_double(attr, desc, scale);
		n++;
	}
	lib_answer_free(&a);
	return n;
}
