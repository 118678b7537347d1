/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the netlink spec says about every attribute (attrs_gen.c), and reading
 * messages by it: one reader for all objects, so that JSON carries each value
 * under the name it has in the spec.
 */
#ifndef MCASTCTL_ATTRS_H
#define MCASTCTL_ATTRS_H

#include <json-c/json.h>
#include <libmnl/libmnl.h>

#include "util.h"

enum attr_type {
	ATTR_NONE,
	ATTR_UINT,		/* of 4 or 8 bytes */
	ATTR_SINT,
	ATTR_STRING,
	ATTR_FLAG,
	ATTR_NEST,
	ATTR_BINARY,		/* an array of numbers */
};

/** struct attr_word - a value that has a name */
struct attr_word {
	const char *name;
	const char *doc;
};

struct attr_enum {
	const struct attr_word *word;
	u32 n;
	u32 first;		/* value of the first word */
	bool flags;		/* bits, not values */
};

struct attr_set;

struct attr_desc {
	const char *name;
	enum attr_type type;
	bool multi;
	bool wide;		/* may need 8 bytes */
	bool has_min;
	bool has_max;
	u8 width;		/* ATTR_BINARY: bytes of a number */
	s64 min;
	s64 max;
	const struct attr_enum *words;
	const struct attr_set *nested;
	const char *doc;
};

struct attr_set {
	const char *name;
	const struct attr_desc *attr;
	u32 n;
};

struct attr_op {
	const char *name;
	const struct attr_set *set;
};

extern const struct attr_op attr_ops[];
extern const u32 attr_nops;

const struct attr_set *attr_set_of_request(u8 cmd);
const struct attr_desc *attr_desc(const struct attr_set *set, u32 type);
const char *attr_name(const struct attr_set *set, u32 type);
const struct attr_set *attr_nested(const struct attr_set *set, u32 type);

/* The whole message as a JSON object, to be put by the caller. */
struct json_object *attr_message(const struct nlmsghdr *nlh);
/* For messages that are read by hand: NULL-filled table of attributes by type. */
void attr_index(const struct nlmsghdr *nlh, const struct nlattr **table, u32 n);
void attr_index_nest(const struct nlattr *nest, const struct nlattr **table, u32 n);

#endif
