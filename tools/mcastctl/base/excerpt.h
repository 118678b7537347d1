/* SPDX-License-Identifier: GPL-2.0 */
/* What a message echoes of a user's words, which may be as long as a file. */
#ifndef MCASTCTL_EXCERPT_H
#define MCASTCTL_EXCERPT_H

#include "base/util.h"

#define EXCERPT_MAX	72	/* bytes of a word that are echoed, the dots included */
#define EXCERPT_WORD	(EXCERPT_MAX + 8)	/* of a word with what clings to it */
#define EXCERPT_TEXT	1000	/* of a message */

/** struct excerpt - a part of a word */
struct excerpt {
	char text[EXCERPT_MAX + 1];
};

/* The part of @word around its byte @at, with dots where something was left out. */
struct excerpt excerpt(const char *word, size_t at);

/*
 * Shorten a message in place: words that are too long lose what is in their middle, a
 * message that is still too long as well; control characters become question marks.
 */
void excerpt_message(char *text);

#endif
