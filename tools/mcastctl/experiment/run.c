// SPDX-License-Identifier: GPL-2.0
/* Running a scenario: its points go to a pool, and each result into the journal at once. */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/options.h"
#include "base/table.h"
#include "experiment/experiment.h"
#include "experiment/point.h"
#include "netlink/keyword.h"
#include "netlink/netlink.h"

/** struct running - a scenario while it is run */
struct running {
	struct results r;
	struct journal journal;
	cpu_set_t cpus;			/* those that this process may use */
	u32 next;			/* the first point that was not looked at */
	u32 left;			/* points that have no result */
	u32 done;			/* results since the start */
	double begun;			/* seconds */
	bool failed;			/* a point was wrong: others may be wrong alike */
	char *warned;			/* the warning that was printed last */
};

/* The @nr-th CPU of a set, counted round it. */
static u32 cpu_at(const cpu_set_t *cpus, u32 nr)
{
	nr %= CPU_COUNT(cpus);
	for (u32 cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (CPU_ISSET(cpu, cpus) && !nr--)
			return cpu;
	}
	return 0;
}

static s64 next_point(void *data)
{
	struct running *w = data;

	while (w->next < w->r.n) {
		u32 nr = w->next++;

		if (results_mine(&w->r, nr) && !w->r.point[nr].there)
			return nr;
	}
	return -1;
}

static int run_point(u32 nr, u32 slot, void *data)
{
	struct running *w = data;
	struct point_place place = { .slot = slot, .cpu = cpu_at(&w->cpus, slot) };

	/* the lock on the journal is the parent's: it ends when the parent does */
	close(w->journal.fd);
	return point_run(&w->r, nr, &place);
}

static void clear_progress(void)
{
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
}

/* What a point that was run has said all the same, if the last one has not said it. */
static void warn_once(struct running *w, const struct pool_end *end)
{
	if (end->exit || !*end->err || (w->warned && !strcmp(w->warned, end->err)))
		return;
	free(w->warned);
	w->warned = xstrdup(end->err);
	clear_progress();
	fputs(end->err, stderr);
}

static enum status point_over(const struct pool_end *end, void *data)
{
	struct running *w = data;
	enum status status;
	bool stopped;

	if (w->failed && end->exit)
		return STATUS_OK;
	warn_once(w, end);
	if (end->exit)
		clear_progress();
	status = point_take(&w->r, end, &stopped);
	w->failed = status;
	if (status || stopped)
		return status;
	w->left--;
	w->done++;
	return journal_add(&w->journal, &w->r, end->nr);
}

static void progress(u32 running, void *data)
{
	struct running *w = data;
	double elapsed = seconds_now() - w->begun;
	char left[32];

	if (!isatty(STDERR_FILENO))
		return;
	fprintf(stderr, "\r%s: %u of %u points, %u running", w->r.s->name, w->done,
		w->done + w->left, running);
	if (w->done)
		fprintf(stderr, ", %s left",
			human_duration(left, sizeof(left), elapsed * w->left / w->done));
	fputs("\033[K", stderr);
	fflush(stderr);
}

/*
 * How many points were refused or failed, and why the first one. A scenario of which no point has
 * a value is wrong itself.
 */
static enum status tell_gaps(const struct results *r)
{
	u32 gaps = 0, first = 0;
	enum status status = STATUS_OK;
	char *point;

	for (u32 i = r->n; i-- > 0; ) {
		const struct result *result = &r->point[i];

		if (result->there && (!strcmp(result->state, "refused") ||
				      !strcmp(result->state, "failed"))) {
			gaps++;
			first = i;
		}
	}
	if (!gaps)
		return STATUS_OK;
	point = point_text(r, first);
	if (gaps == r->n)
		status = refused("%s: no point has a value; %s %s: %s", r->s->name, point,
				 r->point[first].state, r->point[first].why);
	else
		warning("%s: %u of %u points have no values; %s %s: %s", r->s->name, gaps, r->n,
			point, r->point[first].state, r->point[first].why);
	free(point);
	return status;
}

static enum status run_pool(struct running *w, u32 jobs, bool *interrupted)
{
	struct pool pool = {
		.jobs = jobs, .data = w, .next = next_point, .child = run_point,
		.over = point_over, .look = progress,
	};
	enum status status;

	w->begun = seconds_now();
	status = pool_run(&pool, interrupted);
	clear_progress();
	return status;
}

static enum status run_missing(struct running *w, const struct experiment_options *o)
{
	u32 jobs = o->jobs ? o->jobs : (u32)CPU_COUNT(&w->cpus);
	bool interrupted = false, useless = false;
	enum status status;
	char text[32];

	status = journal_open(&w->journal, &w->r, o->out, o->replace);
	if (status)
		return status;
	w->left = results_missing(&w->r);
	if (w->left)
		status = run_pool(w, jobs < w->left ? jobs : w->left, &interrupted);
	if (!status && interrupted)
		status = refused("%s: interrupted with %u points to run; the same command goes on",
				 w->r.s->name, w->left);
	if (!status && w->done)
		printf("%s: %u points in %s\n", w->r.s->name, w->done,
		       human_duration(text, sizeof(text), seconds_now() - w->begun));
	if (!status) {
		status = tell_gaps(&w->r);
		useless = status;
	}
	if (!status)
		status = results_store(&w->r, o->out);
	/* a journal without values would only be in the way of a text that was mended */
	journal_close(&w->journal, !status || useless || !results_there(&w->r));
	free(w->warned);
	return status;
}

static enum status make_folder(const char *folder)
{
	struct stat st;

	if (!mkdir(folder, 0777))
		return STATUS_OK;
	if (errno == EEXIST && !stat(folder, &st) && S_ISDIR(st.st_mode))
		return STATUS_OK;
	return refused("out %s: %s", folder, strerror(errno == EEXIST ? ENOTDIR : errno));
}

enum status experiment_run(const struct scenario *s, const struct experiment_options *o)
{
	struct running w = { 0 };
	enum status status;
	bool there = false;
	char *json;

	/* its threads would not be there in a child */
	if (options.user && nl_is_open())
		return refused("experiment run: in a batch only before what uses the engine");
	if (sched_getaffinity(0, sizeof(w.cpus), &w.cpus))
		return refused("sched_getaffinity: %s", strerror(errno));
	results_init(&w.r, s, o->quick, o->shard, o->shards);
	json = results_path(&w.r, o->out, "json");
	status = make_folder(o->out);
	/* what is replaced stays until all is there that takes its place */
	if (!status && !o->replace)
		status = results_load(&w.r, json, RESULTS_OURS, &there);
	if (!status && there && !results_missing(&w.r))
		printf("%s: all points are in %s\n", s->name, json);
	else if (!status)
		status = run_missing(&w, o);
	free(json);
	results_free(&w.r);
	return status;
}
