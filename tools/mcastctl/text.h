/* SPDX-License-Identifier: GPL-2.0 */
/* Text files of a user, read whole. */
#ifndef MCASTCTL_TEXT_H
#define MCASTCTL_TEXT_H

#include "util.h"

/*
 * Read a file ("-": standard input) of at most @limit bytes and put a NUL behind it.
 * Returns 0 or a negative errno; *@text is to be freed.
 */
int text_read(const char *path, size_t limit, char **text, size_t *len);

#endif
