/* SPDX-License-Identifier: GPL-2.0 */
/* Inside of the reader of forwarding tables: the lines within one table. */
#ifndef MCASTCTL_OPENSM_ROWS_H
#define MCASTCTL_OPENSM_ROWS_H

#include "tables/opensm.h"

enum opensm_form {
	OPENSM_IBROUTE,		/* head, captions, rows, count; opensm-lfts.dump too */
	OPENSM_ROUTES,		/* opensm.fdbs, opensm.mcfdbs: nothing at the end */
};

/** struct open_table - a table while it is read */
struct open_table {
	struct fwd_table *t;	/* NULL: none is open */
	enum opensm_form form;
	u32 rows;		/* so far, those without a port included */
	u32 last;		/* LID of the row before, 0: none */
	u32 column;		/* of port 0's mark, 0: not known yet */
	bool masks;		/* ports as hexadecimal masks */
};

/* A line that begins with 0x; it may be written on. */
enum status opensm_row(struct open_table *open, char *line, u32 number);
/* A line that is none of the others. */
enum status opensm_caption(struct open_table *open, const char *line);
/* The last line, which tells how many rows there were. */
bool opensm_is_count(const char *line);
enum status opensm_count(struct open_table *open, const char *line);

/* Digits at @s, at most @max of them: what follows them, or NULL. */
const char *opensm_hex(const char *s, u32 max, u64 *out);
const char *opensm_decimal(const char *s, u32 max, u64 *out);

#endif
