// SPDX-License-Identifier: GPL-2.0
/* A file of commands, one on a line; a backslash at its end continues a line. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "command.h"

/* Read a line with its continuations; *lines counts the lines of the file. */
static char *read_line(FILE *f, unsigned int *lines)
{
	char *whole = NULL, *line = NULL, *longer;
	size_t room = 0;
	ssize_t len;

	while ((len = getline(&line, &room, f)) >= 0) {
		bool more;

		(*lines)++;
		if (len && line[len - 1] == '\n')
			line[--len] = '\0';
		more = len && line[len - 1] == '\\';
		if (more)
			line[len - 1] = ' ';
		longer = whole ? xasprintf("%s%s", whole, line) : xstrdup(line);
		free(whole);
		whole = longer;
		if (!more)
			break;
	}
	free(line);
	return whole;
}

static enum status run_line(char *line)
{
	struct words w = { 0 };
	enum status status;
	char **words = NULL;
	int n;

	n = batch_split(line, &words);
	if (n < 0)
		return usage("a quote is not closed");
	if (!n)
		return STATUS_OK;
	w.word = words;
	w.n = n;
	status = command_run(&w);
	free(words);
	return status;
}

/** batch_run() - run the commands of a file; the first error ends it, but with --force */
enum status batch_run(const char *path)
{
	FILE *f = strcmp(path, "-") ? fopen(path, "r") : stdin;
	enum status status = STATUS_OK, one;
	unsigned int lines = 0, first;
	char *line;

	if (!f)
		return usage("%s: %s", path, strerror(errno));
	for (;;) {
		first = lines + 1;
		line = read_line(f, &lines);
		if (!line)
			break;
		set_batch_location(path, first);
		one = run_line(line);
		free(line);
		/* Whoever reads us through a pipe gets each answer at once. */
		fflush(stdout);
		if (one)
			status = one;
		if (one && !options.force)
			break;
	}
	set_batch_location(NULL, 0);
	if (ferror(f))
		status = refused("%s: %s", path, strerror(errno));
	if (f != stdin)
		fclose(f);
	return status;
}
