// SPDX-License-Identifier: GPL-2.0
/*
 * The commands of a point are those that a user would type: "fabric add", the lines "before",
 * "run", "stats show" and "fabric del". The child alone sends requests.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/options.h"
#include "base/table.h"
#include "command.h"
#include "experiment/point.h"
#include "netlink/netlink.h"

/** enum point_exit - what a child's exit status says */
enum point_exit {
	POINT_DONE = 0,
	POINT_NO_RUN,		/* the run was refused, or was stopped, or failed */
	POINT_REFUSED,		/* something else was: no privilege, no memory, no module */
	POINT_WRONG,		/* the scenario is */
};

static int exit_of(enum status status)
{
	return status == STATUS_USAGE ? POINT_WRONG : POINT_REFUSED;
}

static const char *const no_words[] = { NULL };

/* Run a command; messages name the line of the scenario. */
static enum status run_words(const struct results *r, struct command_words *c)
{
	struct words w = { .word = c->word, .n = c->n };
	enum status status;

	set_batch_location(r->s->path, c->line);
	status = command_run(&w);
	set_batch_location(NULL, 0);
	return status;
}

/* A line of the scenario with its variables replaced, behind @head and before @tail. */
static enum status run_line(const struct results *r, const struct scenario_point *p,
			    const struct scenario_line *line, const char *fabric,
			    const char *const *head, const char *const *tail)
{
	struct command_words c;
	enum status status = scenario_expand(r->s, p, line, fabric, head, &c);

	if (status)
		return status;
	for (; *tail; tail += 2) {
		if (!command_words_have(&c, tail[0])) {
			command_words_add(&c, tail[0]);
			command_words_add(&c, tail[1]);
		}
	}
	status = run_words(r, &c);
	command_words_free(&c);
	return status;
}

static enum status run_plain(const struct results *r, const char *const *word)
{
	struct scenario_line none = { .line = r->s->run.line };
	struct scenario_point p = { .seed = 1 };

	return run_line(r, &p, &none, "", word, no_words);
}

static enum status add_fabric(const struct results *r, const struct scenario_point *p,
			      const char *fabric, const struct point_place *place)
{
	const char *const head[] = { "fabric", "add", fabric, NULL };
	char *cpu = xasprintf("%u", place->cpu), *seed = xasprintf("%u", p->seed);
	const char *const tail[] = { "cpus", cpu, "seed", seed, NULL };
	enum status status;

	status = run_line(r, p, &r->s->fabric, fabric, head, tail);
	free(cpu);
	free(seed);
	return status;
}

static enum status run_before(const struct results *r, const struct scenario_point *p,
			      const char *fabric)
{
	enum status status = STATUS_OK;

	for (u32 i = 0; i < r->s->nbefore && !status; i++)
		status = run_line(r, p, &r->s->before[i], fabric, no_words, no_words);
	return status;
}

static int run_and_show(const struct results *r, const struct scenario_point *p, const char *fabric)
{
	const char *const run[] = { "run", fabric, NULL };
	const char *const show[] = { "stats", "show", fabric, NULL };
	enum status status;

	pool_child_output(true);
	status = run_line(r, p, &r->s->run, fabric, run, no_words);
	if (!status && run_plain(r, show))
		return POINT_REFUSED;
	pool_child_output(false);
	if (!status)
		return POINT_DONE;
	return status == STATUS_USAGE ? POINT_WRONG : POINT_NO_RUN;
}

int point_run(const struct results *r, u32 nr, const struct point_place *place)
{
	struct scenario_point p = scenario_point(r->s, r->quick, nr);
	char *fabric = xasprintf("exp-%d-%u", getppid(), place->slot);
	const char *const del[] = { "fabric", "del", fabric, NULL };
	enum status status;
	int result;

	/* the parent's socket stays the parent's */
	nl_close();
	options.json = true;
	options.pretty = false;
	status = add_fabric(r, &p, fabric, place);
	result = exit_of(status);
	if (!status) {
		status = run_before(r, &p, fabric);
		result = exit_of(status);
		if (!status && !pool_child_interrupted())
			result = run_and_show(r, &p, fabric);
		/* a fabric of this process goes with it */
		if (!options.user)
			run_plain(r, del);
	}
	free(fabric);
	return pool_child_interrupted() ? POINT_NO_RUN : result;
}

char *point_text(const struct results *r, u32 nr)
{
	struct scenario_point p = scenario_point(r->s, r->quick, nr);
	char *text = xstrdup(""), *longer;

	for (u32 i = 0; i < r->s->nvars; i++) {
		const struct scenario_var *var = &r->s->var[i];

		if (!var->swept)
			continue;
		longer = xasprintf("%s%s %s, ", text, var->name, var->value[p.value[i]].label);
		free(text);
		text = longer;
	}
	longer = xasprintf("%sseed %u", text, p.seed);
	free(text);
	return longer;
}

/* The JSON objects that a child has printed; what is not there stays NULL. */
static void read_output(const char *text, struct json_object **run, struct json_object **stats)
{
	struct json_tokener *tok = json_tokener_new();
	size_t len = strlen(text);

	*run = json_tokener_parse_ex(tok, text, len);
	if (*run && json_tokener_get_parse_end(tok) < len) {
		text += json_tokener_get_parse_end(tok);
		*stats = json_tokener_parse_ex(tok, text, strlen(text));
	}
	json_tokener_free(tok);
}

/* What a child has said, as one line without "FILE:LINE: Error: ". */
static char *reason(const struct results *r, const char *err)
{
	char *head = xasprintf("%s:%u: ", r->s->path, r->s->run.line), *copy = xstrdup(err);
	char *rest = copy, *line, *text = xstrdup(""), *longer;

	while ((line = strsep(&rest, "\n"))) {
		if (!strncmp(line, head, strlen(head)))
			line += strlen(head);
		if (!strncmp(line, "Error: ", strlen("Error: ")))
			line += strlen("Error: ");
		if (!*line)
			continue;
		longer = xasprintf("%s%s%s", text, *text ? "; " : "", line);
		free(text);
		text = longer;
	}
	free(head);
	free(copy);
	return text;
}

static void take_no_run(struct results *r, const struct pool_end *end, struct json_object *run,
			bool *stopped)
{
	const char *state = run ? get_str(run, "state") : "";
	char *why;

	if (end->interrupted || !strcmp(state, "stopped")) {
		*stopped = true;
	} else if (*state) {
		result_take(&r->point[end->nr], run, NULL);
	} else {
		why = reason(r, end->err);
		result_set_refused(&r->point[end->nr], why);
		free(why);
	}
}

static enum status wrong(const struct results *r, const struct pool_end *end)
{
	char *point = point_text(r, end->nr);

	if (end->exit < 0)
		refused("%s: %s: signal %d ended the process", r->s->path, point, -end->exit);
	else if (*end->err)
		fprintf(stderr, "%s%s: this was %s\n", end->err, r->s->path, point);
	else
		refused("%s: %s: no answer", r->s->path, point);
	free(point);
	return end->exit == POINT_WRONG ? STATUS_USAGE : STATUS_REFUSED;
}

enum status point_take(struct results *r, const struct pool_end *end, bool *stopped)
{
	struct json_object *run = NULL, *stats = NULL;
	enum status status = STATUS_OK;

	*stopped = false;
	read_output(end->out, &run, &stats);
	if (end->exit == POINT_NO_RUN)
		take_no_run(r, end, run, stopped);
	else if (end->exit == POINT_DONE && run && stats)
		result_take(&r->point[end->nr], run, stats);
	else
		status = wrong(r, end);
	json_object_put(run);
	json_object_put(stats);
	return status;
}
