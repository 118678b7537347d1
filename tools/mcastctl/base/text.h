/* SPDX-License-Identifier: GPL-2.0 */
/* Text files of a user, read whole. */
#ifndef MCASTCTL_TEXT_H
#define MCASTCTL_TEXT_H

#include "base/util.h"

/*
 * Read a file ("-": standard input) of at most @limit bytes and put a NUL behind it.
 * A zero byte ends reading: the text then is what came up to a little behind it, for the
 * caller to refuse. Returns 0 or a negative errno; *@text is to be freed.
 */
int text_read(const char *path, size_t limit, char **text, size_t *len);

/* Say why text_read() failed. */
enum status text_refuse(const char *path, size_t limit, int err);

#endif
