/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A file of commands, one on a line; a backslash at its end continues a line. Behind a line with
 * the word <<END stand the lines of a file, up to one that is END: the word is this file's name.
 */
#ifndef MCASTCTL_BATCH_H
#define MCASTCTL_BATCH_H

#include <stdio.h>

#include "base/lines.h"
#include "netlink/keyword.h"

/* A batch through a pipe may take as long as it likes, but not for ever. */
#define BATCH_MAX_FILE	(256u << 20)

/** struct batch_command - a command of a batch */
struct batch_command {
	struct words words;
	enum status status;	/* what is wrong with its line or its file, which was said */
	char *text;		/* that the words are in */
	FILE *document;		/* NULL, or its file in the batch */
	char path[32];		/* of that, as long as it is open */
};

/*
 * Read the next command; messages then tell its place in the batch. *@end: there is none. What
 * is returned is about the batch as a whole, which cannot be read on. Call batch_done() always.
 */
enum status batch_next(struct lines *l, struct batch_command *c, bool *end);
void batch_done(struct batch_command *c);

/* Run the commands of a file; the first error ends it, but with --force. */
enum status batch_run(const char *path);

/* Run a command, of which the words are split by blanks; @line is changed. */
enum status command_run_line(char *line);

#endif
