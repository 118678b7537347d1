// SPDX-License-Identifier: GPL-2.0
/*
 * Anything may come from a command line, a batch, a file of nodes or of forwarding
 * tables: read it with every parser there is. Used by libFuzzer ("make fuzz") and by stress.c.
 */
#include <linux/mcfab.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nodes.h"
#include "base/number.h"
#include "base/split.h"
#include "command.h"
#include "fuzz.h"
#include "graph/graph.h"
#include "tables/opensm.h"

/* The grammars of all commands, as the commands have them. */
static void parse_words(char **word, int n)
{
	for (u32 i = 0; command_object(i); i++) {
		const struct object *object = command_object(i);

		for (u32 c = 0; c < object->n; c++) {
			struct words w = { .word = word, .n = n };
			struct grammar g;
			struct value *values;

			if (!object->command[c].grammar)
				continue;
			/* Parameters of policies are the kernel's to know. */
			g = *object->command[c].grammar;
			g.other_after = NULL;
			g.other_find = NULL;
			g.other_check = NULL;
			g.other_closest = NULL;
			values = calloc(g.n, sizeof(*values));
			keywords_parse(&w, &g, values);
			keywords_free(&g, values);
			free(values);
		}
	}
}

static void parse_values(const char *s)
{
	struct node_list list = { 0 };
	struct node_error err;
	u32 radix[NUMBER_MAX_RADICES], n;
	struct node_ref ref;
	char text[64];
	bool on;
	u64 value;
	s32 number;

	number_u64(s, 0, UINT64_MAX, &value);
	number_s32(s, INT32_MIN, INT32_MAX, &number);
	if (!number_decimal(s, MCFAB_PPB, 0, UINT32_MAX, &value))
		number_format(text, sizeof(text), value, MCFAB_PPB);
	number_dims(s, radix, &n);
	number_list(s, radix, &n);
	number_bool(s, &on);
	if (!node_parse(s, &ref, &err))
		node_format(text, sizeof(text), &ref);
	/* No files: what they hold is parsed like the rest. */
	if (!strchr(s, '@'))
		node_list_parse(s, &list, &err);
	node_list_free(&list);
}

static char *print_tables(const struct fwd_dump *dump, size_t *size)
{
	char *text = NULL;
	FILE *f = open_memstream(&text, size);

	for (u32 i = 0; i < dump->n; i++)
		opensm_print(f, &dump->table[i]);
	fclose(f);
	return text;
}

/* What can be read can be printed, and read and printed the same again. */
static void parse_tables(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1), *first, *second;
	struct fwd_dump dump;
	size_t len, again;

	memcpy(text, data, size);
	if (opensm_parse("", text, size, &dump))
		return;
	first = print_tables(&dump, &len);
	opensm_free(&dump);
	text = strdup(first);
	if (opensm_parse("", text, len, &dump))
		abort();
	second = print_tables(&dump, &again);
	if (len != again || memcmp(first, second, len))
		abort();
	opensm_free(&dump);
	free(first);
	free(second);
}

static char *print_graph(const struct graph *g, enum graph_format format)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	enum status status = STATUS_OK;

	if (format == GRAPH_NATIVE)
		graph_print_native(f, g);
	else
		status = graph_print_ibnetdiscover(f, g);
	fclose(f);
	if (status) {
		free(text);
		return NULL;
	}
	return text;
}

/* The same of networks. */
static void parse_graph(const char *s, enum graph_format format)
{
	char *text = strdup(s), *first, *second;
	struct graph g;

	graph_init(&g);
	if (graph_parse(text, "", format, &g))
		goto out;
	first = print_graph(&g, format);
	graph_free(&g);
	free(text);
	text = first ? strdup(first) : NULL;
	if (!first)
		goto out;
	if (graph_parse(text, "", format, &g))
		abort();
	second = print_graph(&g, format);
	if (!second || strcmp(first, second))
		abort();
	free(first);
	free(second);
out:
	graph_free(&g);
	free(text);
}

int fuzz_one(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1), **words = NULL;
	int n;

	memcpy(text, data, size);
	text[size] = '\0';
	parse_values(text);
	parse_tables(data, size);
	parse_graph(text, GRAPH_NATIVE);
	parse_graph(text, GRAPH_IBNETDISCOVER);
	parse_graph(text, GRAPH_IBSIM);
	if (!strchr(text, '@')) {
		n = batch_split(text, &words);
		if (n > 0)
			parse_words(words, n);
		if (n >= 0)
			free(words);
	}
	free(text);
	return 0;
}
