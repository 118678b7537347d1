/* SPDX-License-Identifier: GPL-2.0 */
/* Text files of a user, read line by line, within limits. */
#ifndef MCASTCTL_LINES_H
#define MCASTCTL_LINES_H

#include <stdio.h>

#include "base/util.h"

/* The longest line, in bytes, with its continuations: 1,048,576 nodes fit. */
#define LINES_MAX_LINE	(16u << 20)

struct gunzip;

/** struct lines - a file while it is read */
struct lines {
	FILE *f;
	struct gunzip *packed;	/* NULL: it is not */
	const char *path;
	size_t limit;		/* bytes that are read at most */
	size_t bytes;		/* read so far */
	unsigned int number;	/* of the line that was read last, from 1 */
	char *text;		/* that line, without its end */
	size_t len;
	size_t room;
};

/* Open a file ("-": standard input); no more than @limit bytes of it will be read. */
enum status lines_open(struct lines *l, const char *path, size_t limit);

/* Let a file that was just opened be one that gzip has packed; @limit is of what is in it. */
enum status lines_unpack(struct lines *l);

/* Read the next line; with @append it follows what is in @text. *@end: there is none. */
enum status lines_next(struct lines *l, bool append, bool *end);

/*
 * Look for what lines_next() would refuse in a file that can be read twice, which is
 * where it was then. What comes through a pipe is only looked at as it comes.
 */
enum status lines_check(struct lines *l);

void lines_close(struct lines *l);

#endif
