// SPDX-License-Identifier: GPL-2.0
/* Files with messages that deadlock: written, read, and compared with a run. */
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>

#include "ask/lookup.h"
#include "base/lines.h"
#include "base/options.h"
#include "base/table.h"
#include "cmd/deadlock.h"
#include "cmd/witness.h"
#include "netlink/keyword.h"

#define FIRST_LINE	"# These messages deadlock: cycle, source, destinations."
#define OPTIONS		"# Run with: "
#define WAIT		"# Then "

/* what the options of both commands have in common */
static const char *const kept[] = { "flits", "mtu", "headers" };

/* A file has few more lines than it has messages, and verify looks for few messages. */
#define MOST_BYTES	(64u << 20)

char *witness_line(struct json_object *message)
{
	char *nodes = deadlock_nodes(get_obj(message, "destinations"),
				     get_u64(message, "destinations-total"));
	char *line = xasprintf("%llu %llu %s", get_u64(message, "cycle"),
			       get_u64(message, "source"), nodes);

	free(nodes);
	return line;
}

static void put_options(FILE *f, const struct grammar *g, const struct value *values)
{
	const char *before = OPTIONS;

	for (u32 k = 0; k < ARRAY_SIZE(kept); k++) {
		for (u32 i = 0; i < g->n; i++) {
			if (!values[i].given || strcmp(g->key[i].name, kept[k]))
				continue;
			fprintf(f, "%s%s %s", before, kept[k], values[i].word);
			before = " ";
		}
	}
	if (*before == ' ')
		fputc('\n', f);
}

void witness_put(FILE *f, const struct grammar *g, const struct value *values,
		 struct json_object *messages, struct json_object *blocked)
{
	fputs(FIRST_LINE "\n", f);
	put_options(f, g, values);
	for (size_t i = 0; i < json_object_array_length(messages); i++) {
		char *line = witness_line(json_object_array_get_idx(messages, i));

		fprintf(f, "%s\n", line);
		free(line);
	}
	for (size_t i = 0; i < json_object_array_length(blocked); i++) {
		char *text = deadlock_wait_text(blocked, json_object_array_get_idx(blocked, i));

		fprintf(f, WAIT "%s\n", text);
		free(text);
	}
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_wait(struct witness *w, char *text)
{
	w->wait = xrealloc(w->wait, w->waits + 1, sizeof(*w->wait));
	w->wait[w->waits++] = text;
}

static void sort_waits(struct witness *w)
{
	if (w->waits)
		qsort(w->wait, w->waits, sizeof(*w->wait), compare_texts);
}

static void take_comment(struct witness *w, const char *line)
{
	if (!strncmp(line, WAIT, strlen(WAIT)))
		add_wait(w, xstrdup(line + strlen(WAIT)));
	if (!strncmp(line, OPTIONS, strlen(OPTIONS)) && !w->options)
		w->options = xstrdup(line + strlen(OPTIONS));
}

enum status witness_read(const char *path, struct witness *w)
{
	enum status status;
	struct lines l;
	bool end;

	if (!strcmp(path, "-"))
		return usage("replay -: name a file, it is read twice");
	status = lines_open(&l, path, MOST_BYTES);
	if (status)
		return status;
	status = lines_next(&l, false, &end);
	if (!status && (end || strcmp(l.text, FIRST_LINE)))
		status = usage("replay %s: verify did not write it; \"workload file\" takes any",
			       path);
	while (!status && !end) {
		take_comment(w, l.text);
		status = lines_next(&l, false, &end);
	}
	lines_close(&l);
	if (!status && !w->waits)
		status = usage("replay %s: it does not say what waits for what: is it cut off?",
			       path);
	sort_waits(w);
	return status;
}

enum status witness_apply(const struct witness *w, const struct grammar *g, struct value *values)
{
	char *text = xstrdup(w->options ? w->options : ""), *next = text, *word, *value;
	enum status status = STATUS_OK;

	while (!status && (word = strsep(&next, " "))) {
		value = strsep(&next, " ");
		for (u32 i = 0; value && i < g->n && !status; i++) {
			if (values[i].given || strcmp(g->key[i].name, word))
				continue;
			values[i].given = true;
			status = keyword_value(g, &g->key[i], value, &values[i]);
		}
	}
	free(text);
	return status;
}

/* What the detector of the run says, as in a witness. */
static enum status read_run(const char *fabric, struct witness *w)
{
	struct json_object *obj = NULL, *worms;
	enum status status;

	status = ask_one(MCFAB_CMD_DEADLOCK_GET, MCFAB_A_DEADLOCK_FABRIC, "fabric", fabric, &obj);
	worms = status ? NULL : get_obj(obj, "wait");
	for (size_t i = 0; worms && i < json_object_array_length(worms); i++)
		add_wait(w, deadlock_wait_text(worms, json_object_array_get_idx(worms, i)));
	sort_waits(w);
	json_object_put(obj);
	return status;
}

/* The first line that only one of the two has, or NULL. */
static const char *difference(const struct witness *file, const struct witness *run)
{
	for (size_t i = 0; i < file->waits || i < run->waits; i++) {
		int order;

		if (i == file->waits)
			return run->wait[i];
		if (i == run->waits)
			return file->wait[i];
		order = strcmp(file->wait[i], run->wait[i]);
		if (order)
			return order < 0 ? file->wait[i] : run->wait[i];
	}
	return NULL;
}

enum status witness_compare(const struct witness *w, const char *path, const char *fabric,
			    struct json_object *end)
{
	struct witness run = { 0 };
	const char *other;
	enum status status;

	if (strcmp(get_str(end, "state"), "deadlocked"))
		return refused("replay %s: no deadlock, the run is %s: is the fabric as it was?",
			       path, get_str(end, "state"));
	status = read_run(fabric, &run);
	other = difference(w, &run);
	if (!status && other)
		status = refused("replay %s: another deadlock: only %s has \"%s\"", path,
				 bsearch(&other, w->wait, w->waits, sizeof(*w->wait),
					 compare_texts) ? "the file" : "the run", other);
	if (!status && !options.json)
		printf("%zu worms wait for the same channels as in %s\n", w->waits, path);
	witness_free(&run);
	return status;
}

void witness_free(struct witness *w)
{
	for (size_t i = 0; i < w->waits; i++)
		free(w->wait[i]);
	free(w->wait);
	free(w->options);
	memset(w, 0, sizeof(*w));
}
