/* SPDX-License-Identifier: GPL-2.0 */
/* Inside of "save": what its files share. */
#ifndef MCASTCTL_CMD_SAVE_H
#define MCASTCTL_CMD_SAVE_H

#include <json-c/json.h>
#include <stdio.h>

#include "netlink/keyword.h"

/* The word that ends files within a batch; no line of theirs is this. */
#define SAVE_END	"END"

/* Print lines, which are put. */
void save_lines(FILE *f, struct json_object *lines);

/* save_subnet.c: tables, groups and their addresses of a fabric with LIDs. */
enum status save_subnet(FILE *f, struct json_object *fabric);

#endif
