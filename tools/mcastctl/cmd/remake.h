/* SPDX-License-Identifier: GPL-2.0 */
/* The commands that make a fabric again, as lines of a batch. */
#ifndef MCASTCTL_REMAKE_H
#define MCASTCTL_REMAKE_H

#include <json-c/json.h>

#include "netlink/keyword.h"

/* A name as a batch takes it, to be freed. */
char *remake_name(const char *name);

/* " NAME VALUE" behind @text, which is freed; @value may be NULL. */
char *remake_append(char *text, const char *name, const char *value);
/* The keywords of a command with what @obj has for them. */
char *remake_keywords(char *text, struct json_object *obj, const struct grammar *g);

/* "fabric add ...", with @file (NULL: NAME.topo) if it is made of one; no CPUs, no nice. */
char *remake_fabric(struct json_object *fabric, const char *file);

/* One more line; @text is freed. */
void remake_line(struct json_object *lines, char *text);
/* What is down, links first; what is unreachable follows from that. */
void remake_links(struct json_object *lines, const char *fabric);
void remake_groups(struct json_object *lines, const char *fabric);

#endif
