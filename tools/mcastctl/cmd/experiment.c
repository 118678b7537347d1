// SPDX-License-Identifier: GPL-2.0
/* experiment: many runs from a scenario file, and what they show. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/options.h"
#include "base/table.h"
#include "base/words.h"
#include "command.h"
#include "experiment/report.h"

#define MAX_JOBS	1024
#define MAX_SHARDS	10000

/* Some commands take the first of them alone. */
enum key { OUT, QUICK, LOOK_KEYS, REPLACE = LOOK_KEYS, MERGE_KEYS, JOBS = MERGE_KEYS, SHARD,
	   RUN_KEYS, FORMAT = LOOK_KEYS, REPORT_KEYS };

#define OUT_AND_QUICK							\
	[OUT] = { .name = "out", .type = KEY_FILE, .arg = "FOLDER",		\
		  .help = "where the results are (default: this folder)" },	\
	[QUICK] = { .name = "quick", .type = KEY_FLAG,				\
		    .help = "the scenario's quick set: fewer values and seeds" }

static const struct keyword keys[RUN_KEYS] = {
	OUT_AND_QUICK,
	[REPLACE] = { .name = "replace", .type = KEY_FLAG,
		      .help = "forget results that are there" },
	[JOBS] = { .name = "jobs", .type = KEY_UINT, .arg = "N",
		   .help = "points run at the same time (default: one for each CPU)" },
	[SHARD] = { .name = "shard", .type = KEY_STRING, .arg = "I/N",
		    .help = "the I-th of N parts alone; \"merge\" puts them together" },
};

static const struct keyword report_keys[REPORT_KEYS] = {
	OUT_AND_QUICK,
	[FORMAT] = { .name = "format", .type = KEY_STRING, .arg = "html|markdown",
		     .help = "a page with its pictures inside (default), or with links to them" },
};

static const struct grammar report_grammar = { .key = report_keys, .n = REPORT_KEYS };
static const struct grammar run_grammar = { .key = keys, .n = RUN_KEYS };
static const struct grammar look_grammar = { .key = keys, .n = LOOK_KEYS };
static const struct grammar merge_grammar = { .key = keys, .n = MERGE_KEYS };

/** struct job - scenarios, and what to do with each */
struct job {
	struct experiment_options options;
	u32 n;
	struct scenario **scenario;
};

static enum status take_shard(const char *word, struct experiment_options *o)
{
	char *copy = xstrdup(word), *slash = strchr(copy, '/');
	u64 shard = 0, shards = 0;
	bool good;

	if (slash)
		*slash = '\0';
	good = slash && !number_u64(slash + 1, 1, MAX_SHARDS, &shards) &&
	       !number_u64(copy, 1, shards, &shard);
	free(copy);
	if (!good)
		return usage("shard %s: I/N, with I from 1 to N and N to %d", word, MAX_SHARDS);
	o->shard = shard;
	o->shards = shards;
	return STATUS_OK;
}

/* Those of "run", or as many as the others have of them. */
static enum status take_options(const struct value *values, const struct grammar *g,
				struct experiment_options *o)
{
	u32 n = g->key == keys ? g->n : LOOK_KEYS;

	*o = (struct experiment_options){ .out = ".", .shard = 1, .shards = 1 };
	if (values[OUT].given)
		o->out = values[OUT].word;
	if (!*o->out)
		return usage("out: the name of the folder is empty");
	o->quick = values[QUICK].given;
	o->replace = n > REPLACE && values[REPLACE].given;
	if (n > JOBS && values[JOBS].given) {
		if (!values[JOBS].number || values[JOBS].number > MAX_JOBS)
			return usage("jobs %s: out of range (1 to %d)", values[JOBS].word,
				     MAX_JOBS);
		o->jobs = values[JOBS].number;
	}
	return n > SHARD && values[SHARD].given ? take_shard(values[SHARD].word, o) : STATUS_OK;
}

static enum status add_scenario(struct job *job, const char *path)
{
	struct scenario *s = NULL;
	enum status status = scenario_read(path, &s);

	if (status)
		return status;
	job->scenario = xrealloc(job->scenario, job->n + 1, sizeof(*job->scenario));
	job->scenario[job->n++] = s;
	return STATUS_OK;
}

static int is_scenario(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name), suffix = strlen(SCENARIO_SUFFIX);

	return len > suffix && !strcmp(entry->d_name + len - suffix, SCENARIO_SUFFIX);
}

/* All scenarios of a folder, by name; what is wrong with any of them is said. */
static enum status add_folder(struct job *job, const char *folder)
{
	enum status status = STATUS_OK, one;
	struct dirent **entry = NULL;
	int n = scandir(folder, &entry, is_scenario, alphasort);

	if (n < 0)
		return refused("%s: %s", folder, strerror(errno));
	if (!n)
		status = refused("%s: there is no file *" SCENARIO_SUFFIX, folder);
	for (int i = 0; i < n; i++) {
		char *path = xasprintf("%s/%s", folder, entry[i]->d_name);

		one = add_scenario(job, path);
		status = status ? status : one;
		free(path);
		free(entry[i]);
	}
	free(entry);
	return status;
}

static enum status add_path(struct job *job, const char *path)
{
	struct stat st;

	if (!stat(path, &st) && S_ISDIR(st.st_mode))
		return add_folder(job, path);
	return add_scenario(job, path);
}

/* Read all scenarios before anything is done with the first. */
static enum status begin(struct job *job, struct words *w, const struct grammar *g,
			 struct value *values)
{
	const char *path = words_next(w);
	enum status status;

	*job = (struct job){ 0 };
	if (!path)
		return usage("experiment: a scenario's FILE or FOLDER is missing");
	status = keywords_parse(w, g, values);
	if (!status)
		status = take_options(values, g, &job->options);
	return status ? status : add_path(job, path);
}

static void end(struct job *job)
{
	for (u32 i = 0; i < job->n; i++)
		scenario_free(job->scenario[i]);
	free(job->scenario);
}

/* Each scenario in turn, until one fails. */
static enum status each(struct words *w, const struct grammar *g,
			enum status (*what)(const struct scenario *s,
					    const struct experiment_options *o))
{
	struct value values[RUN_KEYS] = { 0 };
	struct job job;
	enum status status = begin(&job, w, g, values);

	for (u32 i = 0; i < job.n && !status; i++)
		status = what(job.scenario[i], &job.options);
	end(&job);
	return status;
}

static enum status run(struct words *w)
{
	return each(w, &run_grammar, experiment_run);
}

static enum status show(struct words *w)
{
	return each(w, &look_grammar, experiment_show);
}

static enum status plot(struct words *w)
{
	return each(w, &look_grammar, experiment_plot);
}

static const struct {
	const char *name;
	enum report_format format;
} formats[] = {
	{ "html", REPORT_HTML },
	{ "markdown", REPORT_MARKDOWN },
};

static enum status report(struct words *w)
{
	struct value values[REPORT_KEYS] = { 0 };
	struct job job;
	enum status status = begin(&job, w, &report_grammar, values);
	int i = 0;

	if (!status && values[FORMAT].given) {
		i = WORD_FIND(values[FORMAT].word, formats, ARRAY_SIZE(formats));
		if (i < 0)
			status = usage("format %s: not one of: html, markdown",
				       values[FORMAT].word);
	}
	if (!status)
		status = report_write(job.scenario, job.n, formats[i].format, &job.options);
	end(&job);
	return status;
}

static enum status merge(struct words *w)
{
	return each(w, &merge_grammar, experiment_merge);
}

static struct json_object *list_json(const struct scenario *s)
{
	struct json_object *obj = json_object_new_object();

	json_object_object_add(obj, "name", json_object_new_string(s->name));
	json_object_object_add(obj, "path", json_object_new_string(s->path));
	json_object_object_add(obj, "title", json_object_new_string(s->title ? s->title : ""));
	json_object_object_add(obj, "source", json_object_new_string(s->source ? s->source : ""));
	json_object_object_add(obj, "points", json_object_new_int64(scenario_points(s, false)));
	json_object_object_add(obj, "quick", json_object_new_int64(scenario_points(s, true)));
	json_object_object_add(obj, "claims", json_object_new_int64(s->nclaims));
	return obj;
}

static void list_print(const struct job *job)
{
	struct table t;

	table_init(&t, "<NAME POINTS QUICK CLAIMS <TITLE");
	for (u32 i = 0; i < job->n; i++) {
		const struct scenario *s = job->scenario[i];

		table_cell(&t, "%s", s->name);
		table_cell(&t, "%u", scenario_points(s, false));
		table_cell(&t, "%u", scenario_points(s, true));
		table_cell(&t, "%u", s->nclaims);
		table_cell(&t, "%s", s->title ? s->title : "-");
	}
	table_print(&t, stdout);
}

static enum status list(struct words *w)
{
	const char *path = words_next(w);
	struct json_object *all;
	struct job job = { 0 };
	enum status status;

	status = command_end(w);
	if (!status)
		status = add_path(&job, path ? path : ".");
	if (!status && options.json) {
		all = json_object_new_array();
		for (u32 i = 0; i < job.n; i++)
			json_object_array_add(all, list_json(job.scenario[i]));
		json_print(all);
	} else if (!status) {
		list_print(&job);
	}
	end(&job);
	return status;
}

static const struct command commands[] = {
	{
		.name = "run", .synopsis = "FILE|FOLDER [ KEYWORD [ VALUE ] ]...",
		.help = "run the points of a scenario, or of all scenarios of a folder",
		.more =
		"Each point is a fabric of its own, several at the same time. Results go into\n"
		"FOLDER/NAME.csv and NAME.json. A run that was interrupted or killed is taken up\n"
		"where it stopped by the same command: NAME.part has what was run till then.\n",
		.grammar = &run_grammar, .run = run,
	}, {
		.name = "list", .synopsis = "[ FILE|FOLDER ]",
		.help = "list scenarios, those of this folder by default", .run = list,
	}, {
		.name = "show", .synopsis = "FILE|FOLDER [ KEYWORD [ VALUE ] ]...",
		.help = "print the curves, the published values and what becomes of the claims",
		.more =
		"What is saturated is marked, and so is what was cut. Intervals are of 95 %, over\n"
		"the seeds if there are several, else those of the run.\n",
		.grammar = &look_grammar, .run = show,
	}, {
		.name = "plot", .synopsis = "FILE|FOLDER [ KEYWORD [ VALUE ] ]...",
		.help = "draw the curves as SVG and PNG, a picture for each metric",
		.more =
		"Bands are 95 % intervals, crosses at the upper edge are saturated networks, and\n"
		"diamonds are published values. gnuplot draws (Debian's package gnuplot-nox).\n",
		.grammar = &look_grammar, .run = plot,
	}, {
		.name = "report", .synopsis = "FILE|FOLDER [ KEYWORD [ VALUE ] ]...",
		.help = "write a page: pictures, published values, claims, and what was run",
		.more =
		"The page is FOLDER/report.html, one file that needs no other, or report.md.\n",
		.grammar = &report_grammar, .run = report,
	}, {
		.name = "merge", .synopsis = "FILE|FOLDER [ KEYWORD [ VALUE ] ]...",
		.help = "put together what \"run ... shard I/N\" has left in a folder",
		.more =
		"The files are the same as if one process had run all points.\n",
		.grammar = &merge_grammar, .run = merge,
	},
};

const struct object object_experiment = {
	.name = "experiment", .help = "Many runs from a scenario file, and what they show.",
	.command = commands, .n = ARRAY_SIZE(commands),
};
