// SPDX-License-Identifier: GPL-2.0
/*
 * Text files of a user, read line by line. A file without end, a line without end and
 * a zero byte are refused before they cost memory or time.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/gunzip.h"
#include "base/lines.h"

enum status lines_open(struct lines *l, const char *path, size_t limit)
{
	memset(l, 0, sizeof(*l));
	l->path = path;
	l->limit = limit;
	l->f = strcmp(path, "-") ? fopen(path, "r") : stdin;
	if (!l->f)
		return usage("%s: %s", path, strerror(errno));
	return STATUS_OK;
}

enum status lines_unpack(struct lines *l)
{
	if (!gunzip_packed(l->f))
		return STATUS_OK;
	l->packed = gunzip_open(l->f);
	return l->packed ? STATUS_OK : refused("%s: out of memory", l->path);
}

static void add(struct lines *l, char c)
{
	if (l->len + 1 >= l->room) {
		l->room = l->room ? 2 * l->room : 256;
		l->text = xrealloc(l->text, l->room, 1);
	}
	l->text[l->len++] = c;
	l->text[l->len] = '\0';
}

static enum status too_long(const char *what, size_t limit)
{
	return usage("%s is longer than %zu bytes, the limit", what, limit);
}

static enum status take(struct lines *l, int c, size_t column)
{
	enum status status = STATUS_OK;

	set_location(l->path, l->number);
	if (++l->bytes > l->limit)
		status = too_long("the file", l->limit);
	else if (!c)
		status = usage("column %zu has a zero byte: no text", column);
	else if (c != '\n' && l->len >= LINES_MAX_LINE)
		status = too_long("the line", LINES_MAX_LINE);
	set_location(NULL, 0);
	return status;
}

static int next_byte(struct lines *l, enum status *status)
{
	int c;

	if (!l->packed)
		return getc_unlocked(l->f);
	set_location(l->path, l->number);
	c = gunzip_byte(l->packed, status);
	set_location(NULL, 0);
	return c;
}

enum status lines_next(struct lines *l, bool append, bool *end)
{
	enum status status = STATUS_OK;
	size_t column = 0;
	int c;

	if (!append)
		l->len = 0;
	l->number++;
	flockfile(l->f);
	while (!status && (c = next_byte(l, &status)) != EOF) {
		status = take(l, c, ++column);
		if (status || c == '\n')
			break;
		add(l, c);
	}
	funlockfile(l->f);
	if (!status && ferror(l->f))
		return refused("%s: %s", l->path, strerror(errno));
	*end = !column;
	if (!l->len && !status) {
		add(l, '\0');
		l->len = 0;
	}
	return status;
}

enum status lines_check(struct lines *l)
{
	struct lines once = *l;
	enum status status;
	struct stat st;
	bool end;
	off_t at;

	if (fstat(fileno(l->f), &st) || !S_ISREG(st.st_mode))
		return STATUS_OK;
	at = ftello(l->f);
	if (at < 0)
		return STATUS_OK;
	do {
		status = lines_next(&once, false, &end);
	} while (!status && !end);
	free(once.text);
	clearerr(l->f);
	if (fseeko(l->f, at, SEEK_SET) && !status)
		status = refused("%s: %s", l->path, strerror(errno));
	return status;
}

void lines_close(struct lines *l)
{
	if (l->f && l->f != stdin)
		fclose(l->f);
	gunzip_close(l->packed);
	free(l->text);
	memset(l, 0, sizeof(*l));
}
