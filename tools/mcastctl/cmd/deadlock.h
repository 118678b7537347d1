/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The worms of a deadlock that stats show and verify tell of: a list of objects with the attributes
 * of the set "wait" of the netlink spec.
 */
#ifndef MCASTCTL_CMD_DEADLOCK_H
#define MCASTCTL_CMD_DEADLOCK_H

#include <json-c/json.h>

#include "draw/svg.h"
#include "draw/waits.h"

/* A list of node ids: "3,7,9", and how many more there are; to be freed. */
char *deadlock_nodes(struct json_object *list, u64 total);
/* What a worm waits for, and who holds it, on one line; to be freed. */
char *deadlock_wait_text(struct json_object *worms, struct json_object *worm);
/* What a worm holds, channels from its source on, on one line; to be freed. */
char *deadlock_held_text(struct json_object *worm);

/* Draw the worms on the network. */
void deadlock_draw(struct svg *s, const struct layout *l, const char *title,
		   struct json_object *worms);
/* Who waits for whom, for Graphviz. */
void deadlock_put_dot(FILE *f, struct json_object *worms);

/* deadlock_show.c: show the deadlock of a fabric; @svg, @dot: into these files, too, or NULL */
enum status deadlock_show(const char *fabric, const char *svg, const char *dot);

#endif
