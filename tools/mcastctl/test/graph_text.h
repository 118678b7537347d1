/* SPDX-License-Identifier: GPL-2.0 */
/* Networks from texts, and back: what the unit tests of networks in files share. */
#ifndef MCASTCTL_TEST_GRAPH_TEXT_H
#define MCASTCTL_TEST_GRAPH_TEXT_H

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "graph/graph.h"
#include "tap.h"

static inline char *print(const struct graph *g, enum graph_format format)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (format == GRAPH_NATIVE)
		graph_print_native(f, g);
	else if (format == GRAPH_DOT)
		graph_print_dot(f, g, "f");
	else
		CHECK(!graph_print_ibnetdiscover(f, g));
	fclose(f);
	return text;
}

/* The error or warning about a text, up to the end of the first line; to be freed. */
static inline char *complaint(const char *text)
{
	char *copy = xstrdup(text), *said = NULL;
	FILE *f = tmpfile();
	int old = dup(STDERR_FILENO);
	enum status status;
	struct graph g;
	size_t room = 0;

	fflush(stderr);
	dup2(fileno(f), STDERR_FILENO);
	graph_init(&g);
	status = graph_parse(copy, "FILE", GRAPH_AUTO, &g);
	graph_free(&g);
	fflush(stderr);
	dup2(old, STDERR_FILENO);
	close(old);
	rewind(f);
	if (getline(&said, &room, f) < 0) {
		free(said);
		said = xstrdup(status ? "no word" : "nothing");
	}
	said[strcspn(said, "\n")] = '\0';
	fclose(f);
	free(copy);
	return said;
}

static inline void wrong(const char *text, const char *want)
{
	char *said = complaint(text);

	if (strcmp(said, want))
		printf("# \"%s\", not \"%s\"\n", said, want);
	CHECK(!strcmp(said, want));
	free(said);
}

/* Imported, exported, imported: the same from the first export on. */
static inline void round_trip(const char *text, enum graph_format via)
{
	char *first, *second, *copy = xstrdup(text);
	struct graph g;

	graph_init(&g);
	CHECK(!graph_parse(copy, "FILE", GRAPH_AUTO, &g));
	free(copy);
	first = print(&g, via);
	graph_free(&g);
	copy = xstrdup(first);
	CHECK(!graph_parse(copy, "FILE", GRAPH_AUTO, &g));
	second = print(&g, via);
	CHECK(!strcmp(first, second));
	graph_free(&g);
	free(copy);
	free(first);
	free(second);
}

#endif
