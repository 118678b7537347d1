// SPDX-License-Identifier: GPL-2.0
/* A file of commands, and the files that stand in it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/options.h"
#include "base/split.h"
#include "batch.h"
#include "command.h"

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

/* "<<END": the lines up to one that is END are a file. */
static bool is_document(const char *word)
{
	return !strncmp(word, "<<", 2) && word[2];
}

/* Copy these lines into a file, or step over them. */
static enum status copy_document(struct lines *l, const char *end_word, FILE *f)
{
	unsigned int first = l->number;
	enum status status;
	bool end;

	for (;;) {
		status = lines_next(l, false, &end);
		if (status)
			return status;
		if (end)
			return usage("<<%s: no line %s follows line %u", end_word, end_word, first);
		if (!strcmp(l->text, end_word))
			return STATUS_OK;
		if (f && (fwrite(l->text, 1, l->len, f) != l->len || fputc('\n', f) == EOF))
			return refused("<<%s: %s", end_word, strerror(errno));
	}
}

/* The file of a document, open as long as its command runs, takes the place of its word. */
static enum status take_document(struct lines *l, struct batch_command *c, char **word)
{
	const char *end_word = *word + 2;
	unsigned int first = l->number + 1;
	enum status status;
	int fd;

	if (c->document) {
		status = usage("%s: a command has one file in the batch", *word);
		return copy_document(l, end_word, NULL) ?: status;
	}
	fd = memfd_create("mcastctl", MFD_CLOEXEC);
	c->document = fd < 0 ? NULL : fdopen(fd, "w");
	if (!c->document) {
		status = refused("%s: %s", *word, strerror(errno));
		if (fd >= 0)
			close(fd);
		return status;
	}
	snprintf(c->path, sizeof(c->path), "/proc/self/fd/%d", fd);
	status = copy_document(l, end_word, c->document);
	if (!status && fflush(c->document))
		status = refused("%s: %s", *word, strerror(errno));
	set_batch_document(c->path, first);
	*word = c->path;
	return status;
}

enum status batch_next(struct lines *l, struct batch_command *c, bool *end)
{
	unsigned int first = l->number + 1;
	enum status status;

	memset(c, 0, sizeof(*c));
	status = read_line(l, end);
	if (status || *end)
		return status;
	set_batch_location(l->path, first);
	/* a document is read into the place of the line */
	c->text = xstrdup(l->text);
	c->words.n = batch_split(c->text, &c->words.word);
	if (c->words.n < 0) {
		c->words.n = 0;
		c->status = usage("a quote is not closed");
	}
	for (int i = 0; i < c->words.n && !c->status; i++)
		if (is_document(c->words.word[i]))
			c->status = take_document(l, c, &c->words.word[i]);
	return STATUS_OK;
}

void batch_done(struct batch_command *c)
{
	set_batch_location(NULL, 0);
	if (c->document)
		fclose(c->document);
	free(c->words.word);
	free(c->text);
}

enum status batch_run(const char *path)
{
	struct batch_command command;
	enum status status, one;
	struct lines l;
	bool end = false;

	status = lines_open(&l, path, BATCH_MAX_FILE);
	if (status)
		return status;
	/* What is no text is refused before its first command, if that can be known. */
	status = lines_check(&l);
	for (one = status; !one && !end;) {
		one = batch_next(&l, &command, &end);
		if (!one && !end) {
			one = command.status;
			if (!one && command.words.n)
				one = command_run(&command.words);
			status = one ?: status;
			/* Whoever reads us through a pipe gets each answer at once. */
			fflush(stdout);
			if (options.force)
				one = STATUS_OK;
		} else if (one) {
			status = one;
		}
		batch_done(&command);
	}
	lines_close(&l);
	return status;
}
