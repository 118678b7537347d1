// SPDX-License-Identifier: GPL-2.0
/* Reading messages by what the netlink spec says about their attributes. */
#include <linux/genetlink.h>
#include <string.h>

#include "netlink/attrs.h"
#include "netlink/netlink.h"

const struct attr_set *attr_set_of_request(u8 cmd)
{
	return cmd < attr_nops ? attr_ops[cmd].set : NULL;
}

const struct attr_desc *attr_desc(const struct attr_set *set, u32 type)
{
	if (!set || type >= set->n || !set->attr[type].name)
		return NULL;
	return &set->attr[type];
}

const char *attr_name(const struct attr_set *set, u32 type)
{
	const struct attr_desc *desc = attr_desc(set, type);

	return desc ? desc->name : NULL;
}

const struct attr_set *attr_nested(const struct attr_set *set, u32 type)
{
	const struct attr_desc *desc = attr_desc(set, type);

	return desc ? desc->nested : NULL;
}

static struct json_object *read_nest(const struct attr_set *set, const struct nlattr *nest);

static struct json_object *read_words(const struct attr_enum *words, u64 value)
{
	struct json_object *list;

	if (!words->flags) {
		if (value >= words->first && value - words->first < words->n)
			return json_object_new_string(words->word[value - words->first].name);
		return json_object_new_uint64(value);
	}
	list = json_object_new_array();
	for (u32 i = 0; i < words->n; i++) {
		if (value & (1ULL << (words->first + i)))
			json_object_array_add(list, json_object_new_string(words->word[i].name));
	}
	return list;
}

static struct json_object *read_numbers(const struct nlattr *attr, u8 width)
{
	u32 n = mnl_attr_get_payload_len(attr) / width;
	struct json_object *list = json_object_new_array_ext(n ? n : 1);
	const char *data = mnl_attr_get_payload(attr);

	for (u32 i = 0; i < n; i++) {
		u64 value64;
		u32 value32;
		u8 value8;

		if (width == sizeof(value64)) {
			memcpy(&value64, data + i * width, width);
		} else if (width == sizeof(value32)) {
			memcpy(&value32, data + i * width, width);
			value64 = value32;
		} else {
			memcpy(&value8, data + i * width, sizeof(value8));
			value64 = value8;
		}
		json_object_array_add(list, json_object_new_uint64(value64));
	}
	return list;
}

static s64 read_signed(const struct nlattr *attr)
{
	u64 value = nl_attr_uint(attr);

	return mnl_attr_get_payload_len(attr) == sizeof(s32) ? (s32)value : (s64)value;
}

static struct json_object *read_string(const struct nlattr *attr)
{
	const char *s = mnl_attr_get_payload(attr);

	return json_object_new_string_len(s, strnlen(s, mnl_attr_get_payload_len(attr)));
}

static struct json_object *read_value(const struct attr_desc *desc, const struct nlattr *attr)
{
	switch (desc->type) {
	case ATTR_UINT:
		return desc->words ? read_words(desc->words, nl_attr_uint(attr)) :
				     json_object_new_uint64(nl_attr_uint(attr));
	case ATTR_SINT:
		return json_object_new_int64(read_signed(attr));
	case ATTR_STRING:
		return read_string(attr);
	case ATTR_FLAG:
		return json_object_new_boolean(true);
	case ATTR_NEST:
		return read_nest(desc->nested, attr);
	case ATTR_BINARY:
		return read_numbers(attr, desc->width);
	case ATTR_NONE:
		break;
	}
	return NULL;
}

static void read_attr(struct json_object *obj, const struct attr_set *set,
		      const struct nlattr *attr)
{
	const struct attr_desc *desc = attr_desc(set, mnl_attr_get_type(attr));
	struct json_object *value, *list;

	if (!desc)		/* of a newer module */
		return;
	value = read_value(desc, attr);
	if (!desc->multi) {
		json_object_object_add(obj, desc->name, value);
		return;
	}
	if (!json_object_object_get_ex(obj, desc->name, &list)) {
		list = json_object_new_array();
		json_object_object_add(obj, desc->name, list);
	}
	json_object_array_add(list, value);
}

static struct json_object *read_nest(const struct attr_set *set, const struct nlattr *nest)
{
	struct json_object *obj = json_object_new_object();
	const struct nlattr *attr;

	mnl_attr_for_each_nested(attr, nest)
		read_attr(obj, set, attr);
	return obj;
}

struct json_object *attr_message(const struct nlmsghdr *nlh)
{
	const struct genlmsghdr *genl = mnl_nlmsg_get_payload(nlh);
	const struct attr_set *set = attr_set_of_request(genl->cmd);
	struct json_object *obj = json_object_new_object();
	const struct nlattr *attr;

	mnl_attr_for_each(attr, nlh, sizeof(*genl))
		read_attr(obj, set, attr);
	return obj;
}

void attr_index(const struct nlmsghdr *nlh, const struct nlattr **table, u32 n)
{
	const struct nlattr *attr;

	memset(table, 0, n * sizeof(*table));
	mnl_attr_for_each(attr, nlh, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(attr) < n)
			table[mnl_attr_get_type(attr)] = attr;
	}
}

void attr_index_nest(const struct nlattr *nest, const struct nlattr **table, u32 n)
{
	const struct nlattr *attr;

	memset(table, 0, n * sizeof(*table));
	mnl_attr_for_each_nested(attr, nest) {
		if (mnl_attr_get_type(attr) < n)
			table[mnl_attr_get_type(attr)] = attr;
	}
}
