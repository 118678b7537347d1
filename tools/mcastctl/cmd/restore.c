// SPDX-License-Identifier: GPL-2.0
/* restore: make the fabrics of a file that "save" has written, all or none. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ask/lookup.h"
#include "base/options.h"
#include "batch.h"
#include "command.h"

/* What "save" writes: a file of anything else is another one. */
static const char *const allowed[][2] = {
	{ "fabric", "add" }, { "table", "load" }, { "table", "set" }, { "group", "add" },
	{ "group", "leave" }, { "group", "assign" }, { "link", "down" }, { "port", "add" },
};

/** struct restore - a file, and the fabrics that it makes */
struct restore {
	char **name;
	u32 n;
};

static bool is_allowed(const struct words *w)
{
	for (size_t i = 0; i < ARRAY_SIZE(allowed); i++)
		if (w->n > 2 && !strcmp(w->word[0], allowed[i][0]) &&
		    !strcmp(w->word[1], allowed[i][1]))
			return true;
	return false;
}

static enum status look_at(struct restore *r, const struct words *w)
{
	struct json_object *there;

	if (!w->n)
		return STATUS_OK;
	if (!is_allowed(w))
		return usage("restore: \"%s%s%s\" is not what save writes", w->word[0],
			     w->n > 1 ? " " : "", w->n > 1 ? w->word[1] : "");
	if (strcmp(w->word[0], "fabric"))
		return STATUS_OK;
	there = ask_quietly(MCFAB_CMD_FABRIC_GET, MCFAB_A_FABRIC_NAME, w->word[2]);
	json_object_put(there);
	if (there)
		return refused("restore: there is a fabric %s already", w->word[2]);
	r->name = xrealloc(r->name, r->n + 1, sizeof(*r->name));
	r->name[r->n++] = xstrdup(w->word[2]);
	return STATUS_OK;
}

/* Read the file once without running anything. */
static enum status look_through(struct restore *r, const char *path)
{
	struct batch_command command;
	enum status status;
	struct lines l;
	bool end = false;
	struct stat st;

	status = lines_open(&l, path, BATCH_MAX_FILE);
	if (status)
		return status;
	if (fstat(fileno(l.f), &st) || !S_ISREG(st.st_mode))
		status = usage("restore %s: it is read twice, so it has to be a file", path);
	if (!status)
		status = lines_check(&l);
	while (!status && !end) {
		status = batch_next(&l, &command, &end);
		if (!status && !end)
			status = command.status ?: look_at(r, &command.words);
		batch_done(&command);
	}
	lines_close(&l);
	return status;
}

/* Run the file. What its commands have to say of success is not for the screen. */
static enum status run_quietly(const char *path)
{
	int screen, nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	enum status status;

	fflush(stdout);
	screen = dup(STDOUT_FILENO);
	if (nowhere >= 0 && screen >= 0)
		dup2(nowhere, STDOUT_FILENO);
	status = batch_run(path);
	if (nowhere >= 0 && screen >= 0)
		dup2(screen, STDOUT_FILENO);
	if (nowhere >= 0)
		close(nowhere);
	if (screen >= 0)
		close(screen);
	return status;
}

/* A fabric that the file has made goes again; the others were never there. */
static void undo(const struct restore *r)
{
	u32 gone = 0;

	for (u32 i = r->n; i--;) {
		struct json_object *there = ask_quietly(MCFAB_CMD_FABRIC_GET, MCFAB_A_FABRIC_NAME,
							r->name[i]);
		char *line;

		json_object_put(there);
		if (!there)
			continue;
		line = xasprintf("fabric del \"%s\"", r->name[i]);
		gone += !command_run_line(line);
		free(line);
	}
	if (gone)
		fprintf(stderr, "What was restored before is removed again.\n");
}

static enum status do_restore(struct words *w)
{
	const char *path = words_next(w);
	struct restore r = { 0 };
	enum status status = command_end(w);

	if (!path)
		return usage("restore: FILE is missing");
	if (!status)
		status = nl_open(options.netns);
	if (!status)
		status = look_through(&r, path);
	if (!status) {
		status = run_quietly(path);
		if (status)
			undo(&r);
		else if (!options.json)
			printf("%u fabric%s restored\n", r.n, r.n == 1 ? "" : "s");
	}
	for (u32 i = 0; i < r.n; i++)
		free(r.name[i]);
	free(r.name);
	return status;
}

static const struct command commands[] = {
	{
		.synopsis = "FILE", .help = "make the fabrics of a file that \"save\" has written",
		.more =
		"All of them, or none: what was made before an error is removed again. A fabric that\n"
		"is there already is an error before anything is made.\n",
		.run = do_restore,
	},
};

const struct object object_restore = {
	.name = "restore", .help = "Fabrics from a file.",
	.command = commands, .n = ARRAY_SIZE(commands),
};
