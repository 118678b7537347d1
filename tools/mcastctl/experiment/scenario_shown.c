// SPDX-License-Identifier: GPL-2.0
/* Reading what a scenario shows: axes, metrics, published values, claims and their checks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "experiment/scenario_reader.h"

static enum status find_metric(const char *key, const char *name, const struct metric **out)
{
	const char *closest = WORD_CLOSEST(name, metrics, METRICS);

	*out = metric_find(name);
	if (*out)
		return STATUS_OK;
	return usage("%s %s: no such metric%s%s%s", key, name, closest ? "; did you mean \"" : "",
		     closest ? closest : "", closest ? "\"?" : "");
}

/* [log] [LABEL] */
static void take_label(struct reader *r, bool *log, char **label)
{
	u32 at = 1;

	*log = r->n > at && !strcmp(r->word[at], "log");
	at += *log;
	if (r->n > at)
		*label = scenario_join(r, at);
}

static enum status read_axis(struct reader *r, const char *key, struct scenario_axis *axis)
{
	if (axis->line)
		return usage("%s: given in line %u", key, axis->line);
	axis->var = scenario_find_var(r->s, r->word[0]);
	if (axis->var >= 0 && !r->s->var[axis->var].swept)
		return usage("%s %s: this variable has a single value", key, r->word[0]);
	axis->line = r->line;
	take_label(r, &axis->log, &axis->label);
	return STATUS_OK;
}

enum status scenario_read_x(struct reader *r)
{
	enum status status = read_axis(r, "x", &r->s->x);

	if (!status && r->s->x.var < 0)
		return find_metric("x", r->word[0], &r->s->x.metric);
	return status;
}

static enum status read_curves(struct reader *r, const char *key, struct scenario_axis *axis)
{
	enum status status = read_axis(r, key, axis);

	if (!status && axis->var < 0)
		return usage("%s %s: no such variable above this line", key, r->word[0]);
	return status;
}

enum status scenario_read_series(struct reader *r)
{
	return read_curves(r, "series", &r->s->series);
}

enum status scenario_read_panel(struct reader *r)
{
	return read_curves(r, "panel", &r->s->panel);
}

enum status scenario_read_metric(struct reader *r)
{
	const struct metric *metric;
	struct scenario_metric *m;
	enum status status = find_metric("metric", r->word[0], &metric);

	if (status)
		return status;
	for (u32 i = 0; i < r->s->nmetrics; i++) {
		if (r->s->metric[i].metric == metric)
			return usage("metric %s: given in line %u", metric->name,
				     r->s->metric[i].line);
	}
	m = GROW(r->s->metric, r->s->nmetrics);
	m->metric = metric;
	m->line = r->line;
	take_label(r, &m->log, &m->label);
	return STATUS_OK;
}

static enum status take_real(const char *key, const char *word, double *out)
{
	char *end;

	*out = strtod(word, &end);
	return *end || !*word || !isfinite(*out) ? usage("%s %s: not a number", key, word) :
						   STATUS_OK;
}

/* A value of the variable that an axis shows, by its label; @copy is the caller's. */
static enum status take_value(struct reader *r, const struct scenario_axis *axis, const char *what,
			      const char *key, const char *label, char **copy)
{
	const struct scenario_var *var;

	if (axis->line) {
		var = &r->s->var[axis->var];
		for (u32 i = 0; i < var->n; i++) {
			if (!strcmp(var->value[i].label, label)) {
				*copy = xstrdup(label);
				return STATUS_OK;
			}
		}
	}
	return usage("%s %s: no such value of a \"%s\" above this line", key, label, what);
}

static enum status take_series(struct reader *r, const char *key, const char *label, char **copy)
{
	return take_value(r, &r->s->series, "series", key, label, copy);
}

/* The metric's own line must stand above; names of files must differ. */
static enum status check_figure(const struct scenario *s, const struct scenario_figure *f)
{
	u32 i;

	for (i = 0; i < s->nmetrics && s->metric[i].metric != f->metric; i++)
		;
	if (i == s->nmetrics)
		return usage("figure %s %s: no line \"metric %s\" above this line", f->name,
			     f->metric->name, f->metric->name);
	if (!*f->name || *f->name == '.' || strchr(f->name, '/'))
		return usage("figure %s: the name of a file without folder and suffix", f->name);
	for (i = 0; &s->figure[i] != f; i++) {
		if (!strcmp(s->figure[i].name, f->name))
			return usage("figure %s: given in line %u", f->name, s->figure[i].line);
	}
	return STATUS_OK;
}

/* figure FILE METRIC [PANEL] */
enum status scenario_read_figure(struct reader *r)
{
	struct scenario_figure *f = GROW(r->s->figure, r->s->nfigures);
	enum status status = find_metric("figure", r->word[1], &f->metric);

	f->name = xstrdup(r->word[0]);
	f->line = r->line;
	if (!status && r->n > 2)
		status = take_value(r, &r->s->panel, "panel", "figure", r->word[2], &f->panel);
	return status ? status : check_figure(r->s, f);
}

static bool has_figure(const struct scenario *s, const struct metric *metric, const char *panel)
{
	for (u32 i = 0; i < s->nfigures; i++) {
		const char *own = s->figure[i].panel;

		if (s->figure[i].metric == metric && (!own || !panel || !strcmp(own, panel)))
			return true;
	}
	return false;
}

enum status scenario_check_figures(const struct scenario *s)
{
	const struct scenario_var *var = s->panel.line ? &s->var[s->panel.var] : NULL;

	for (u32 i = 0; var && i < s->nmetrics * var->n; i++) {
		const struct metric *metric = s->metric[i / var->n].metric;
		const char *panel = var->value[i % var->n].label;

		if (has_figure(s, metric, NULL) && !has_figure(s, metric, panel))
			return usage("metric %s has figures, but none of panel %s", metric->name,
				     panel);
	}
	return STATUS_OK;
}

/* published METRIC SERIES X VALUE */
enum status scenario_read_published(struct reader *r)
{
	struct scenario_published *p = GROW(r->s->published, r->s->npublished);
	enum status status = find_metric("published", r->word[0], &p->metric);

	p->line = r->line;
	if (!status)
		status = take_series(r, "published", r->word[1], &p->series);
	if (!status)
		status = take_real("published", r->word[2], &p->x);
	return status ? status : take_real("published", r->word[3], &p->value);
}

/* claim WHERE TEXT */
enum status scenario_read_claim(struct reader *r)
{
	struct scenario_claim *claim = GROW(r->s->claim, r->s->nclaims);

	claim->where = xstrdup(r->word[0]);
	claim->text = scenario_join(r, 1);
	return STATUS_OK;
}

static const struct {
	const char *name;
	u32 series;
	bool percent;
} checks[] = {
	[CHECK_BELOW] = { "below", 2, false },
	[CHECK_RISES] = { "rises", 1, false },
	[CHECK_FALLS] = { "falls", 1, false },
	[CHECK_CROSSES] = { "crosses", 2, false },
	[CHECK_NEAR] = { "near", 2, true },
	[CHECK_FLAT] = { "flat", 1, true },
	[CHECK_WITHIN] = { "within", 0, true },
	[CHECK_UNDER] = { "under", 0, false },
};

/* [x FROM TO] [panel LABEL], from word @at on */
static enum status read_places(struct reader *r, u32 at, struct scenario_check *c)
{
	enum status status = STATUS_OK;

	if (r->n >= at + 3 && !strcmp(r->word[at], "x")) {
		status = take_real("check x", r->word[at + 1], &c->from);
		if (!status)
			status = take_real("check x", r->word[at + 2], &c->to);
		at += 3;
	}
	if (!status && r->n == at + 2 && !strcmp(r->word[at], "panel"))
		return take_value(r, &r->s->panel, "panel", "check panel", r->word[at + 1],
				  &c->panel);
	if (!status && r->n != at)
		return usage("check %s: neither \"x FROM TO\" nor \"panel LABEL\"", r->word[at]);
	return status;
}

/* The next word of a check, which @what says must be there. */
static enum status next_word(struct reader *r, u32 *at, const char *what, const char **word)
{
	if (*at == r->n)
		return usage("check %s: %s must follow \"%s\"", r->word[0], what, r->word[*at - 1]);
	*word = r->word[(*at)++];
	return STATUS_OK;
}

/* SERIES [/ SERIES], from word *@at on */
static enum status take_curve(struct reader *r, u32 *at, struct scenario_curve *curve)
{
	enum status status;
	const char *word = NULL;

	status = next_word(r, at, "SERIES", &word) ?: take_series(r, "check", word, &curve->series);
	if (status || *at == r->n || strcmp(r->word[*at], "/"))
		return status;
	++*at;
	return next_word(r, at, "SERIES", &word) ?: take_series(r, "check", word, &curve->per);
}

static enum status take_percent(struct reader *r, u32 *at, double *percent)
{
	enum status status;
	const char *word = NULL;

	status = next_word(r, at, "PERCENT", &word);
	return status ?: take_real("check", word, percent);
}

static enum status refuse_kind(const char *word)
{
	char *all = WORD_LIST("", checks, ARRAY_SIZE(checks));
	enum status status = usage("check %s: not one of: %s", word, all);

	free(all);
	return status;
}

/* check KIND METRIC [CURVE [CURVE]] [PERCENT] [x FROM TO] [panel LABEL] */
enum status scenario_read_check(struct reader *r)
{
	int kind = WORD_EXACT(r->word[0], checks, ARRAY_SIZE(checks));
	struct scenario_check *c;
	enum status status;
	u32 at = 2;

	if (!r->s->nclaims)
		return usage("check: there is no \"claim\" above this line");
	if (kind < 0)
		return refuse_kind(r->word[0]);
	c = GROW(r->s->claim[r->s->nclaims - 1].check, r->s->claim[r->s->nclaims - 1].n);
	c->kind = kind;
	c->line = r->line;
	c->from = -INFINITY;
	c->to = INFINITY;
	status = find_metric("check", r->word[1], &c->metric);
	if (!status && checks[kind].series)
		status = take_curve(r, &at, &c->a);
	if (!status && checks[kind].series > 1)
		status = take_curve(r, &at, &c->b);
	if (!status && checks[kind].percent)
		status = take_percent(r, &at, &c->percent);
	return status ? status : read_places(r, at, c);
}
