// SPDX-License-Identifier: GPL-2.0
/* Splitting a line of a batch into words, as a shell would. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/split.h"
#include "base/util.h"

/* Copy one word down to @out; returns what follows it, NULL: an open quote. */
static char *word(char *in, char *out)
{
	char quote = '\0';

	for (; *in; in++) {
		if (!quote && isspace((unsigned char)*in))
			break;
		if (quote && *in == quote)
			quote = '\0';
		else if (!quote && (*in == '"' || *in == '\''))
			quote = *in;
		else if (*in == '\\' && quote != '\'' && in[1])
			*out++ = *++in;
		else
			*out++ = *in;
	}
	/* The blank is stepped over before it may be written on. */
	if (*in)
		in++;
	*out = '\0';
	return quote ? NULL : in;
}

int batch_split(char *line, char ***words)
{
	char **list = NULL;
	int n = 0, room = 0;

	for (;;) {
		while (isspace((unsigned char)*line))
			line++;
		if (!*line || (*line == '#' && !isdigit((unsigned char)line[1])))
			break;
		if (n == room) {
			room = room ? 2 * room : 16;
			list = xrealloc(list, room, sizeof(*list));
		}
		list[n++] = line;
		line = word(line, line);
		if (!line) {
			free(list);
			return -1;
		}
	}
	*words = list;
	return n;
}
