/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reading messages by what the netlink spec says about every attribute (attrs_gen.h): one reader
 * for all objects, so that JSON carries each value under the name it has in the spec.
 */
#ifndef MCASTCTL_ATTRS_H
#define MCASTCTL_ATTRS_H

#include <json-c/json.h>
#include <libmnl/libmnl.h>

#include "attrs_gen.h"
#include "base/util.h"

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
