/* SPDX-License-Identifier: GPL-2.0 */
/* Tables of a fabric for people and programs: as a table, and as text that is read again. */
#ifndef MCASTCTL_TABLES_SHOW_H
#define MCASTCTL_TABLES_SHOW_H

#include <stdio.h>

#include "tables/tables.h"

struct table;

enum status tables_show(const struct table_filter *filter, const struct subnet *s);
/* Without a kind in @filter: lft and mft, and what was loaded of the others. */
enum status tables_dump(const struct table_filter *filter, const struct subnet *s, FILE *f);
/* The same without mft. */
enum status tables_dump_unicast(const struct table_filter *filter, const struct subnet *s, FILE *f);

/* The cells of a switch: number, name, LID. */
void table_switch(struct table *t, const struct subnet *s, u32 sw);

/* show_levels.c: entries of sl2vl, of path-sl */
void show_lanes(const struct subnet *s, struct json_object *list);
void show_paths(const struct subnet *s, struct json_object *list);
void dump_lanes(const struct subnet *s, struct json_object *list, FILE *f);
void dump_paths(const struct subnet *s, struct json_object *list, FILE *f);

#endif
