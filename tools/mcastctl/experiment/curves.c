// SPDX-License-Identifier: GPL-2.0
/* Putting seeds together, and points in the order of curves. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/student.h"
#include "experiment/curves.h"

static u32 values_of(const struct scenario *s, s32 var)
{
	return var < 0 ? 1 : s->var[var].n;
}

/* The variable that changes along a curve whose x is a metric. */
static s32 left_over(const struct scenario *s)
{
	for (u32 i = 0; i < s->nvars; i++) {
		if (s->var[i].swept && (s32)i != s->series.var && (s32)i != s->panel.var)
			return i;
	}
	return -1;
}

static bool read_number(const char *text, double *number)
{
	char *end;

	*number = strtod(text, &end);
	return *text && !*end && isfinite(*number);
}

static bool all_numbers(const struct scenario *s, s32 var)
{
	double number;

	for (u32 i = 0; var >= 0 && i < s->var[var].n; i++) {
		if (!read_number(s->var[var].value[i].label, &number))
			return false;
	}
	return true;
}

struct curve_place *curves_at(const struct curves *c, u32 panel, u32 series, u32 place)
{
	return &c->place[(panel * c->nseries + series) * c->nplaces + place];
}

static const char *label(const struct curves *c, s32 var, u32 value)
{
	return var < 0 ? "" : c->r->s->var[var].value[value].label;
}

const char *curves_panel(const struct curves *c, u32 panel)
{
	return label(c, c->r->s->panel.var, panel);
}

bool curves_panel_empty(const struct curves *c, u32 panel)
{
	for (u32 i = 0; i < c->nseries * c->nplaces; i++) {
		if (curves_at(c, panel, 0, i)->state != PLACE_EMPTY)
			return false;
	}
	return true;
}

const char *curves_series(const struct curves *c, u32 series)
{
	return label(c, c->r->s->series.var, series);
}

const char *curves_place(const struct curves *c, u32 place)
{
	return label(c, c->along, place);
}

s32 curves_find_series(const struct curves *c, const char *name)
{
	for (u32 i = 0; i < c->nseries; i++) {
		if (!strcmp(curves_series(c, i), name))
			return i;
	}
	return -1;
}

static enum place_state state_of(const struct result *result)
{
	static const char *const gaps[] = { "refused", "failed", "deadlocked" };

	for (u32 i = 0; i < ARRAY_SIZE(gaps); i++) {
		if (!strcmp(result->state, gaps[i]))
			return PLACE_GAP;
	}
	if (!strcmp(result->saturation, "saturated") || !strcmp(result->state, "saturated"))
		return PLACE_SATURATED;
	/* a run with a steady window may be cut before its intervals are narrow enough */
	if (!strcmp(result->state, "cut") && strcmp(result->saturation, "steady"))
		return PLACE_CUT;
	return PLACE_STEADY;
}

/* Student's interval over runs; one run alone keeps its own, @half. */
static struct metric_value mean_of(const double *value, u32 n, double half)
{
	struct student_mean m = student_mean(value, n);

	return (struct metric_value){ .there = n, .mean = m.mean, .half = n > 1 ? m.half : half };
}

static u32 value_at(const struct scenario_point *p, s32 var)
{
	return var < 0 ? 0 : p->value[var];
}

/* Take a result into its place. */
static void take(struct curves *c, u32 nr)
{
	const struct scenario *s = c->r->s;
	const struct result *result = &c->r->point[nr];
	struct scenario_point p = scenario_point(s, c->r->quick, nr);
	struct curve_place *place;
	enum place_state state;

	place = curves_at(c, value_at(&p, s->panel.var), value_at(&p, s->series.var),
			  value_at(&p, c->along));
	state = state_of(result);
	if (state > place->state) {
		place->state = state;
		place->run_state = result->state;
		place->why = result->why;
	}
	/* of a journal some seeds may be missing */
	place->first = nr - (p.seed - 1);
	if (p.seed > place->seeds)
		place->seeds = p.seed;
}

static const struct metric_value *at_seed(const struct curves *c, const struct curve_place *place,
					  u32 seed, const struct metric *m)
{
	return &c->r->point[place->first + seed].metric[m - metrics];
}

/* What a run with a seed, from 0, has: a ratio has the interval of two independent values. */
static struct metric_value value_of_seed(const struct curves *c, struct curve_value v, u32 seed,
					 const struct metric *m)
{
	struct metric_value value = { .half = -1 };
	const struct metric_value *per;

	if (seed >= v.place->seeds || (v.per && seed >= v.per->seeds))
		return value;
	value = *at_seed(c, v.place, seed, m);
	if (!v.per)
		return value;
	per = at_seed(c, v.per, seed, m);
	if (!value.there || !per->there || per->mean <= 0)
		return (struct metric_value){ .half = -1 };
	if (value.half >= 0)
		value.half = (value.half + value.mean * fmax(per->half, 0) / per->mean) / per->mean;
	value.mean /= per->mean;
	return value;
}

struct metric_value curves_value(const struct curves *c, struct curve_value v,
				 const struct metric *m)
{
	double value[SCENARIO_MAX_SEEDS] = { 0 }, half = -1;
	u32 n = 0;

	for (u32 i = 0; i < v.place->seeds; i++) {
		struct metric_value one = value_of_seed(c, v, i, m);

		if (!one.there)
			continue;
		value[n++] = one.mean;
		half = one.half;
	}
	return mean_of(value, n, half);
}

struct metric_value curves_difference(const struct curves *c, struct curve_value a,
				      struct curve_value b, const struct metric *m)
{
	double value[SCENARIO_MAX_SEEDS] = { 0 }, half = -1;
	u32 n = 0;

	for (u32 i = 0; i < a.place->seeds; i++) {
		struct metric_value va = value_of_seed(c, a, i, m);
		struct metric_value vb = value_of_seed(c, b, i, m);

		if (!va.there || !vb.there)
			continue;
		value[n++] = vb.mean - va.mean;
		half = fmax(va.half, 0) + fmax(vb.half, 0);
	}
	return mean_of(value, n, half);
}

static void set_x(struct curves *c, struct curve_place *place, u32 nr)
{
	const struct metric *metric = c->r->s->x.metric;
	u32 value = nr % c->nplaces;

	if (metric)
		place->x = place->metric[metric - metrics].mean;
	else if (!c->numeric || !read_number(curves_place(c, value), &place->x))
		place->x = value;
}

void curves_make(struct curves *c, const struct results *r)
{
	const struct scenario *s = r->s;
	u32 n;

	*c = (struct curves){ .r = r, .along = s->x.metric ? left_over(s) : s->x.var };
	c->numeric = s->x.metric || all_numbers(s, c->along);
	c->npanels = values_of(s, s->panel.var);
	c->nseries = values_of(s, s->series.var);
	c->nplaces = values_of(s, c->along);
	n = c->npanels * c->nseries * c->nplaces;
	c->place = xcalloc(n, sizeof(*c->place));
	for (u32 i = 0; i < r->n; i++) {
		if (r->point[i].there)
			take(c, i);
	}
	for (u32 i = 0; i < n; i++) {
		struct curve_value v = { .place = &c->place[i] };

		for (u32 m = 0; m < METRICS; m++)
			c->place[i].metric[m] = curves_value(c, v, &metrics[m]);
		set_x(c, &c->place[i], i);
	}
}

void curves_free(struct curves *c)
{
	free(c->place);
}

static char *with_unit(const char *text, const char *unit)
{
	return *unit ? xasprintf("%s (%s)", text, unit) : xstrdup(text);
}

char *curves_x_label(const struct curves *c)
{
	const struct scenario_axis *x = &c->r->s->x;

	if (x->label)
		return xstrdup(x->label);
	if (x->metric)
		return with_unit(x->metric->label, x->metric->unit);
	return xstrdup(x->var < 0 ? "" : c->r->s->var[x->var].name);
}

char *curves_metric_label(const struct scenario_metric *m)
{
	return with_unit(m->label ? m->label : m->metric->label, m->metric->unit);
}

bool metric_needs_steady(const struct metric *m)
{
	return !strcmp(m->unit, "cycles");
}
