// SPDX-License-Identifier: GPL-2.0
/* Messages to the user and memory that is always there. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/excerpt.h"
#include "base/util.h"

static struct location {
	const char *file;
	unsigned int line;
} batch, document, location;

void set_batch_location(const char *file, unsigned int line)
{
	batch = (struct location){ file, line };
	document = (struct location){ NULL, 0 };
	location = (struct location){ NULL, 0 };
}

void set_batch_document(const char *file, unsigned int line)
{
	document = (struct location){ file, line };
}

void set_location(const char *file, unsigned int line)
{
	location = (struct location){ file, line };
}

static void print_place(const char *file, unsigned int line)
{
	if (file)
		fprintf(stderr, "%s:%u: ", file, line);
}

/* A line of a file that stands in the batch is a line of the batch. */
static void print_places(void)
{
	if (location.file && document.file && !strcmp(location.file, document.file)) {
		print_place(batch.file, document.line + location.line - 1);
		return;
	}
	print_place(batch.file, batch.line);
	print_place(location.file, location.line);
}

static void message(const char *kind, const char *fmt, va_list ap)
{
	char *text = NULL;

	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	if (text)
		excerpt_message(text);
	fflush(stdout);
	print_places();
	fprintf(stderr, "%s: %s\n", kind, text ? text : "out of memory");
	free(text);
}

/** refused() - report that the kernel or the system would not do it */
enum status refused(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	message("Error", fmt, ap);
	va_end(ap);
	return STATUS_REFUSED;
}

/** usage() - report that the user's words make no sense */
enum status usage(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	message("Error", fmt, ap);
	va_end(ap);
	return STATUS_USAGE;
}

void warning(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	message("Warning", fmt, ap);
	va_end(ap);
}

static void *check(void *p)
{
	if (!p) {
		fputs("Error: out of memory\n", stderr);
		exit(STATUS_REFUSED);
	}
	return p;
}

void *xcalloc(size_t n, size_t size)
{
	return check(calloc(n ? n : 1, size));
}

FILE *text_file(char **text, size_t *len)
{
	return check(open_memstream(text, len));
}

void *xrealloc(void *p, size_t n, size_t size)
{
	return check(reallocarray(p, n ? n : 1, size));
}

char *xstrdup(const char *s)
{
	return check(strdup(s));
}

char *xasprintf(const char *fmt, ...)
{
	char *s = NULL;
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vasprintf(&s, fmt, ap);
	va_end(ap);
	return check(len < 0 ? NULL : s);
}

double seconds_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}
