/* SPDX-License-Identifier: GPL-2.0 */
/* What the netlink spec says about every attribute: attrs_gen.c, generated from it. */
#ifndef LIBMCFAB_ATTRS_GEN_H
#define LIBMCFAB_ATTRS_GEN_H

#include <stdbool.h>

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
	unsigned int n;
	unsigned int first;		/* value of the first word */
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
	unsigned char width;		/* ATTR_BINARY: bytes of a number */
	long long min;
	long long max;
	const struct attr_enum *words;
	const struct attr_set *nested;
	const char *doc;
};

struct attr_set {
	const char *name;
	const struct attr_desc *attr;
	unsigned int n;
};

struct attr_op {
	const char *name;
	const struct attr_set *set;
};

extern const struct attr_op attr_ops[];
extern const unsigned int attr_nops;

#endif
