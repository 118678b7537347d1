// SPDX-License-Identifier: GPL-2.0
/*
 * Checks of claims. Two values are told apart if the 95 % interval of their difference does not
 * contain zero. A saturated network has no latency: it counts as larger than any.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/claims.h"

const char *const claim_verdict_text[CLAIM_VERDICTS] = {
	[CLAIM_HOLDS] = "holds",
	[CLAIM_HOLDS_WEAKLY] = "holds where decided",
	[CLAIM_UNDECIDED] = "undecided",
	[CLAIM_PARTLY] = "holds partly",
	[CLAIM_CONTRADICTED] = "contradicted",
	[CLAIM_UNMEASURED] = "not measured",
	[CLAIM_UNCHECKED] = "not checked",
};

static const char *const kind_text[] = {
	[CHECK_BELOW] = "below",
	[CHECK_RISES] = "rises",
	[CHECK_FALLS] = "falls",
	[CHECK_CROSSES] = "crosses",
	[CHECK_NEAR] = "near",
	[CHECK_FLAT] = "flat",
	[CHECK_WITHIN] = "within",
	[CHECK_UNDER] = "under",
};

/** enum order - of two values */
enum order { LESS, SAME, MORE, UNKNOWN };

/** struct tally - comparisons of a check */
struct tally {
	struct check_result result;
	char *against;		/* the places where it is false */
};

static bool place_has_no_end(const struct curve_place *p, const struct metric *m)
{
	return (p->state == PLACE_SATURATED || p->state == PLACE_CUT) && metric_needs_steady(m);
}

static bool no_end(struct curve_value v, const struct metric *m)
{
	return place_has_no_end(v.place, m) || (v.per && place_has_no_end(v.per, m));
}

/* Is a value that has no end above any that a place has? */
static bool above(struct curve_value endless, struct curve_value v)
{
	return !endless.per && !v.per && v.place->state == PLACE_STEADY;
}

static enum order order_of(const struct curves *c, struct curve_value a, struct curve_value b,
			   const struct metric *m)
{
	struct metric_value difference = curves_difference(c, a, b, m);

	if (no_end(a, m) && no_end(b, m))
		return UNKNOWN;
	if (no_end(a, m))
		return above(a, b) ? MORE : UNKNOWN;
	if (no_end(b, m))
		return above(b, a) ? LESS : UNKNOWN;
	if (!difference.there)
		return UNKNOWN;
	if (fabs(difference.mean) <= fmax(difference.half, 0))
		return SAME;
	return difference.mean > 0 ? LESS : MORE;
}

static void say_against(struct tally *t, const struct curves *c, u32 panel, u32 place)
{
	const char *name = curves_panel(c, panel);
	char *longer;

	longer = xasprintf("%s%s%s%s%s", t->against ? t->against : "", t->against ? ", " : "", name,
			   *name ? ": " : "", curves_place(c, place));
	free(t->against);
	t->against = longer;
}

static void count(struct tally *t, const struct curves *c, u32 panel, u32 place, enum order order,
		  enum order good)
{
	if (order == UNKNOWN)
		return;
	if (order == good) {
		t->result.yes++;
	} else if (order == SAME) {
		t->result.open++;
	} else {
		t->result.no++;
		say_against(t, c, panel, place);
	}
}

/* Are the values of two places within so many percent of the first one's? Then LESS, else MORE. */
static enum order nearness(const struct curves *c, struct curve_value a, struct curve_value b,
			   const struct scenario_check *check)
{
	struct metric_value difference = curves_difference(c, a, b, check->metric);
	double most = fabs(curves_value(c, a, check->metric).mean) * check->percent / 100;
	double half = fmax(difference.half, 0);

	if (!difference.there || no_end(a, check->metric) || no_end(b, check->metric))
		return UNKNOWN;
	if (fabs(difference.mean) + half <= most)
		return LESS;
	return fabs(difference.mean) - half > most ? MORE : SAME;
}

static bool in_panel(const struct curves *c, u32 panel, const struct scenario_check *check)
{
	return !check->panel || !strcmp(curves_panel(c, panel), check->panel);
}

static bool place_in_range(const struct curve_place *p, const struct scenario_check *check)
{
	return p->state != PLACE_EMPTY && p->x >= check->from && p->x <= check->to;
}

static bool in_range(struct curve_value v, const struct scenario_check *check)
{
	return place_in_range(v.place, check) && (!v.per || place_in_range(v.per, check));
}

/** struct row - a place that is compared */
struct row {
	u32 panel;
	u32 place;
	struct curve_value a;
	struct curve_value b;	/* as @a if the check is about one curve */
};

static struct curve_value value_at(const struct curves *c, const struct row *r,
				   const struct scenario_curve *curve)
{
	struct curve_value v = { 0 };

	v.place = curves_at(c, r->panel, curves_find_series(c, curve->series), r->place);
	if (curve->per)
		v.per = curves_at(c, r->panel, curves_find_series(c, curve->per), r->place);
	return v;
}

/* The places of a check, panel by panel; *@n of them, to be freed. */
static struct row *rows_of(const struct curves *c, const struct scenario_check *check, u32 *n)
{
	const struct scenario_curve *b = check->b.series ? &check->b : &check->a;
	struct row *row = xcalloc(c->npanels * c->nplaces, sizeof(*row));

	*n = 0;
	for (u32 i = 0; i < c->npanels * c->nplaces; i++) {
		struct row r = { .panel = i / c->nplaces, .place = i % c->nplaces };

		r.a = value_at(c, &r, &check->a);
		r.b = value_at(c, &r, b);
		if (in_panel(c, r.panel, check) && in_range(r.a, check) && in_range(r.b, check))
			row[(*n)++] = r;
	}
	return row;
}

/* The last row of the panel of row @first. */
static u32 last_of_panel(const struct row *row, u32 n, u32 first)
{
	u32 last = first;

	while (last + 1 < n && row[last + 1].panel == row[first].panel)
		last++;
	return last;
}

/* Below, or near: at each place. */
static void check_places(struct tally *t, const struct curves *c,
			 const struct scenario_check *check, const struct row *row, u32 n)
{
	for (u32 i = 0; i < n; i++) {
		const struct row *r = &row[i];
		enum order order;

		if (check->kind == CHECK_NEAR)
			order = nearness(c, r->b, r->a, check);
		else
			order = order_of(c, r->a, r->b, check->metric);
		count(t, c, r->panel, r->place, order, LESS);
	}
}

/* Each place against the one before, and the last against the first. */
static void check_trend(struct tally *t, const struct curves *c, const struct scenario_check *check,
			const struct row *row, u32 n)
{
	enum order good = check->kind == CHECK_RISES ? LESS : MORE;

	for (u32 first = 0, last; first < n; first = last + 1) {
		last = last_of_panel(row, n, first);
		for (u32 i = first + 1; i <= last; i++)
			count(t, c, row[i].panel, row[i].place,
			      order_of(c, row[i - 1].a, row[i].a, check->metric), good);
		/* steps may be too small to be seen each */
		if (last > first)
			count(t, c, row[last].panel, row[last].place,
			      order_of(c, row[first].a, row[last].a, check->metric), good);
	}
}

/* Each place against the first. */
static void check_flat(struct tally *t, const struct curves *c, const struct scenario_check *check,
		       const struct row *row, u32 n)
{
	for (u32 first = 0, last; first < n; first = last + 1) {
		last = last_of_panel(row, n, first);
		for (u32 i = first + 1; i <= last; i++)
			count(t, c, row[i].panel, row[i].place,
			      nearness(c, row[first].a, row[i].a, check), LESS);
	}
}

/* Is a below b first, and above it later? */
static void check_crosses(struct tally *t, const struct curves *c,
			  const struct scenario_check *check, const struct row *row, u32 n)
{
	for (u32 first = 0, last; first < n; first = last + 1) {
		bool below = false, above = false, told = false;

		last = last_of_panel(row, n, first);
		for (u32 i = first; i <= last; i++) {
			enum order order = order_of(c, row[i].a, row[i].b, check->metric);

			told = told || order == LESS || order == MORE;
			below = below || order == LESS;
			above = above || (below && order == MORE);
		}
		count(t, c, row[last].panel, row[last].place,
		      !told ? UNKNOWN : above ? LESS : MORE, LESS);
	}
}

/* Within so many percent of printed values, or under them. */
static void check_published(struct tally *t, const struct curves *c,
			    const struct scenario_check *check)
{
	const struct scenario *s = c->r->s;

	for (u32 i = 0; i < s->npublished; i++) {
		const struct scenario_published *p = &s->published[i];
		struct published_result ours = claims_published(c, p);
		char *text;

		if (p->metric != check->metric || !ours.there || p->x < check->from ||
		    p->x > check->to)
			continue;
		if (check->kind == CHECK_UNDER ? ours.percent < 0 :
						 fabs(ours.percent) <= check->percent) {
			t->result.yes++;
			continue;
		}
		t->result.no++;
		text = xasprintf("%s%s%s at %g (%+.1f %%)", t->against ? t->against : "",
				 t->against ? ", " : "", p->series, p->x, ours.percent);
		free(t->against);
		t->against = text;
	}
}

static enum claim_verdict verdict_of(const struct check_result *r)
{
	if (!r->yes && !r->no)
		return r->open ? CLAIM_UNDECIDED : CLAIM_UNMEASURED;
	if (!r->no)
		return r->open ? CLAIM_HOLDS_WEAKLY : CLAIM_HOLDS;
	return r->yes ? CLAIM_PARTLY : CLAIM_CONTRADICTED;
}

struct check_result claims_check(const struct curves *c, const struct scenario_check *check)
{
	struct tally t = { 0 };
	struct row *row = NULL;
	u32 all, n = 0;

	if (check->a.series)
		row = rows_of(c, check, &n);
	switch (check->kind) {
	case CHECK_BELOW:
	case CHECK_NEAR:
		check_places(&t, c, check, row, n);
		break;
	case CHECK_FLAT:
		check_flat(&t, c, check, row, n);
		break;
	case CHECK_RISES:
	case CHECK_FALLS:
		check_trend(&t, c, check, row, n);
		break;
	case CHECK_CROSSES:
		check_crosses(&t, c, check, row, n);
		break;
	case CHECK_WITHIN:
	case CHECK_UNDER:
		check_published(&t, c, check);
		break;
	}
	free(row);
	all = t.result.yes + t.result.no + t.result.open;
	t.result.verdict = verdict_of(&t.result);
	t.result.text = xasprintf("true in %u of %u comparisons, open in %u%s%s", t.result.yes, all,
				  t.result.open, t.against ? "; false at " : "",
				  t.against ? t.against : "");
	free(t.against);
	return t.result;
}

static void say_curve(char **text, const struct scenario_curve *curve)
{
	char *longer;

	if (!curve->series)
		return;
	longer = xasprintf("%s %s%s%s", *text, curve->series, curve->per ? " / " : "",
			   curve->per ? curve->per : "");
	free(*text);
	*text = longer;
}

char *claims_check_text(const struct scenario_check *check)
{
	char *text, *longer;

	text = xasprintf("%s %s", kind_text[check->kind], check->metric->name);
	say_curve(&text, &check->a);
	say_curve(&text, &check->b);
	if (check->percent) {
		longer = xasprintf("%s %g %%", text, check->percent);
		free(text);
		text = longer;
	}
	if (isfinite(check->from)) {
		longer = xasprintf("%s, x from %g to %g", text, check->from, check->to);
		free(text);
		text = longer;
	}
	if (check->panel) {
		longer = xasprintf("%s, %s", text, check->panel);
		free(text);
		text = longer;
	}
	return text;
}

/* Is a check about a panel that the quick set leaves out? */
static bool left_out(const struct curves *c, const struct scenario_check *check)
{
	for (u32 panel = 0; panel < c->npanels; panel++) {
		if (in_panel(c, panel, check) && !curves_panel_empty(c, panel))
			return false;
	}
	return true;
}

enum claim_verdict claims_verdict(const struct curves *c, const struct scenario_claim *claim)
{
	enum claim_verdict worst = CLAIM_HOLDS;
	u32 checks = 0;

	for (u32 i = 0; i < claim->n; i++) {
		struct check_result r;

		if (left_out(c, &claim->check[i]))
			continue;
		r = claims_check(c, &claim->check[i]);
		checks++;
		if (r.verdict > worst)
			worst = r.verdict;
		free(r.text);
	}
	if (!claim->n)
		return CLAIM_UNCHECKED;
	return checks ? worst : CLAIM_UNMEASURED;
}

struct published_result claims_published(const struct curves *c,
					 const struct scenario_published *p)
{
	s32 series = curves_find_series(c, p->series);
	struct published_result result = { .half = -1 };

	for (u32 i = 0; i < c->nplaces && series >= 0; i++) {
		const struct curve_place *place = curves_at(c, 0, series, i);
		const struct metric_value *v = &place->metric[p->metric - metrics];

		if (place->state == PLACE_EMPTY || place->x != p->x || !v->there)
			continue;
		result.there = true;
		result.ours = v->mean;
		result.half = v->half;
		result.percent = 100 * (v->mean - p->value) / p->value;
	}
	return result;
}
