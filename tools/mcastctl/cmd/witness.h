/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Witnesses: files with messages that deadlock, which verify writes and "run ... replay" repeats.
 * They are workload files; comments say with which options the messages were found, and which worms
 * waited for what.
 */
#ifndef MCASTCTL_CMD_WITNESS_H
#define MCASTCTL_CMD_WITNESS_H

#include <json-c/json.h>

#include "netlink/keyword.h"

/** struct witness - what a file says beside its messages */
struct witness {
	char *options;		/* of the run, as they are typed; NULL: none */
	char **wait;		/* a line for each worm, sorted */
	size_t waits;
};

/*
 * Write a witness. @values of @g: the options of a run among them are kept, as they were given;
 * @messages and @blocked as in the answer to VERIFY.
 */
void witness_put(FILE *f, const struct grammar *g, const struct value *values,
		 struct json_object *messages, struct json_object *blocked);
/* A message, as a line of a workload file; to be freed. */
char *witness_line(struct json_object *message);
enum status witness_read(const char *path, struct witness *w);
/* Set @values of the run's grammar @g to the options of the file, but for those that are given. */
enum status witness_apply(const struct witness *w, const struct grammar *g, struct value *values);
/*
 * Say whether the run on @fabric, whose answer is @end, waits as the file @path says. With JSON
 * nothing is printed if it does.
 */
enum status witness_compare(const struct witness *w, const char *path, const char *fabric,
			    struct json_object *end);
void witness_free(struct witness *w);

#endif
