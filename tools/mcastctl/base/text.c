// SPDX-License-Identifier: GPL-2.0
/* Text files of a user, read whole: what is wrong in them is told before anything is done. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static int slurp(FILE *f, size_t limit, char **out, size_t *len)
{
	size_t n = 0, room = 0;
	char *text = NULL, *zero;
	int err;

	do {
		size_t got;

		room = room ? 2 * room : 4096;
		if (room > limit + 2)
			room = limit + 2;
		text = xrealloc(text, room, 1);
		got = fread(text + n, 1, room - n - 1, f);
		zero = memchr(text + n, 0, got);
		n += got;
	} while (!feof(f) && !ferror(f) && n <= limit && !zero);

	err = ferror(f) ? -errno : n > limit ? -EFBIG : 0;
	if (err) {
		free(text);
		return err;
	}
	text[n] = '\0';
	*out = text;
	*len = n;
	return 0;
}

int text_read(const char *path, size_t limit, char **text, size_t *len)
{
	FILE *f = strcmp(path, "-") ? fopen(path, "r") : stdin;
	int ret;

	if (!f)
		return -errno;
	ret = slurp(f, limit, text, len);
	if (f != stdin)
		fclose(f);
	return ret;
}

enum status text_refuse(const char *path, size_t limit, int err)
{
	if (err == -EFBIG)
		return usage("%s: longer than %zu bytes, the limit", path, limit);
	return usage("%s: %s", path, strerror(-err));
}
