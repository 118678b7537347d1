// SPDX-License-Identifier: GPL-2.0
/* A file of commands, one on a line; a backslash at its end continues a line. */
#include <stdio.h>
#include <stdlib.h>

#include "batch.h"
#include "command.h"
#include "lines.h"

/* A batch through a pipe may take as long as it likes, but not for ever. */
#define BATCH_MAX_FILE	(256u << 20)

/* Read a line with its continuations, each of which a blank stands for. */
static enum status read_line(struct lines *l, bool *end)
{
	enum status status;
	bool more = false;

	do {
		status = lines_next(l, more, end);
		if (*end && more)
			*end = false;
		more = !status && !*end && l->len && l->text[l->len - 1] == '\\';
		if (more)
			l->text[l->len - 1] = ' ';
	} while (more && !feof(l->f));
	return status;
}

/** command_run_line() - run a command, of which the words are split by blanks; @line is changed */
enum status command_run_line(char *line)
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
	enum status status, one;
	struct lines l;
	bool end;

	status = lines_open(&l, path, BATCH_MAX_FILE);
	if (status)
		return status;
	/* What is no text is refused before its first command, if that can be known. */
	one = lines_check(&l);
	if (one)
		status = one;
	while (!one) {
		unsigned int first = l.number + 1;

		one = read_line(&l, &end);
		if (one)
			status = one;
		if (one || end)
			break;
		set_batch_location(path, first);
		one = command_run_line(l.text);
		set_batch_location(NULL, 0);
		/* Whoever reads us through a pipe gets each answer at once. */
		fflush(stdout);
		if (one)
			status = one;
		if (options.force)
			one = STATUS_OK;
	}
	lines_close(&l);
	return status;
}
