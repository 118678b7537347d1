/* SPDX-License-Identifier: GPL-2.0 */
/* Text for people: tables whose columns fit, and numbers they can read. */
#ifndef MCASTCTL_TABLE_H
#define MCASTCTL_TABLE_H

#include <json-c/json.h>
#include <stdio.h>

#include "base/util.h"

#define TABLE_MAX_COLUMNS	16

/** struct table - rows are collected, then printed with columns as wide as needed */
struct table {
	u32 columns;
	u32 n;			/* cells, those of the head included */
	u32 room;
	char **cell;
	bool left[TABLE_MAX_COLUMNS];	/* else flush right, for numbers */
};

/* @head: words split by blanks; a leading < flushes a column left */
void table_init(struct table *t, const char *head);
/* A row, cell by cell; cells beyond the last column start the next row. */
void table_cell(struct table *t, const char *fmt, ...) __printf(2, 3);
void table_print(struct table *t, FILE *f);	/* and free */
void table_free(struct table *t);

/* Reading JSON objects made from messages. */
u64 get_u64(struct json_object *obj, const char *name);
const char *get_str(struct json_object *obj, const char *name);
struct json_object *get_obj(struct json_object *obj, const char *name);
bool has(struct json_object *obj, const char *name);

/* Print and put an object; one line unless --pretty. */
void json_print(struct json_object *obj);
int json_flags(void);

/* 1234567 -> "1 234 567"; buffers of 32 bytes do for all */
const char *group_digits(char *buf, size_t len, u64 value);
const char *human_bytes(char *buf, size_t len, u64 bytes);
const char *human_duration(char *buf, size_t len, double seconds);
/* "down: 1 link, 0 switches" */
const char *down_text(char *buf, size_t len, u64 links, u64 switches);

#endif
