// SPDX-License-Identifier: GPL-2.0
/* Curves, published values and claims, as text and as JSON. */
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "base/table.h"
#include "experiment/claims.h"
#include "experiment/experiment.h"
#include "experiment/plot.h"
#include "netlink/keyword.h"

static const char *const state_text[] = {
	[PLACE_EMPTY] = "empty",
	[PLACE_STEADY] = "steady",
	[PLACE_SATURATED] = "saturated",
	[PLACE_CUT] = "cut",
	[PLACE_GAP] = "gap",
};

static void cell(struct table *t, const struct curve_place *p, const struct metric *m)
{
	const struct metric_value *v = &p->metric[m - metrics];
	const char *mark = p->state == PLACE_SATURATED ? " s" : p->state == PLACE_CUT ? " c" : "";

	if (p->state == PLACE_EMPTY)
		table_cell(t, "-");
	else if (p->state == PLACE_GAP || !v->there)
		table_cell(t, "%s", p->run_state);
	else if (v->half >= 0)
		table_cell(t, "%.5g ± %.2g%s", v->mean, v->half, mark);
	else
		table_cell(t, "%.5g%s", v->mean, mark);
}

static bool panel_has(const struct curves *c, u32 panel, u32 place)
{
	for (u32 i = 0; i < c->nseries; i++) {
		if (curves_at(c, panel, i, place)->state != PLACE_EMPTY)
			return true;
	}
	return false;
}

/* A head with a word for each series; blanks in labels would split them. */
static char *head_of(const struct curves *c)
{
	const struct scenario_axis *x = &c->r->s->x;
	char *head = xasprintf("<%s", c->along < 0 ? "-" : c->r->s->var[c->along].name), *longer;

	if (x->metric) {
		longer = xasprintf("%s %s", head, x->metric->name);
		free(head);
		head = longer;
	}
	for (u32 i = 0; i < c->nseries; i++) {
		const char *label = curves_series(c, i);

		longer = xasprintf("%s %s", head, *label ? label : "value");
		for (char *at = longer + strlen(head) + 1; *at; at++)
			*at = *at == ' ' ? '-' : *at;
		free(head);
		head = longer;
	}
	return head;
}

static void print_metric(const struct curves *c, u32 panel, const struct scenario_metric *m)
{
	const char *name = curves_panel(c, panel);
	char *label = curves_metric_label(m), *head = head_of(c);
	struct table t;

	printf("\n%s%s%s\n", label, *name ? ", " : "", name);
	table_init(&t, head);
	for (u32 i = 0; i < c->nplaces; i++) {
		if (!panel_has(c, panel, i))
			continue;
		table_cell(&t, "%s", c->along < 0 ? "" : curves_place(c, i));
		if (c->r->s->x.metric)
			table_cell(&t, "%.5g", curves_at(c, panel, 0, i)->x);
		for (u32 k = 0; k < c->nseries; k++)
			cell(&t, curves_at(c, panel, k, i), m->metric);
	}
	table_print(&t, stdout);
	free(label);
	free(head);
}

static void print_published(const struct curves *c)
{
	const struct scenario *s = c->r->s;
	struct table t;

	if (!s->npublished)
		return;
	puts("\nPublished values");
	table_init(&t, "<METRIC <SERIES X PUBLISHED OURS DIFFERENCE");
	for (u32 i = 0; i < s->npublished; i++) {
		const struct scenario_published *p = &s->published[i];
		struct published_result ours = claims_published(c, p);

		table_cell(&t, "%s", p->metric->name);
		table_cell(&t, "%s", p->series);
		table_cell(&t, "%g", p->x);
		table_cell(&t, "%g", p->value);
		table_cell(&t, ours.there ? "%.5g" : "-", ours.ours);
		table_cell(&t, ours.there ? "%+.1f %%" : "-", ours.percent);
	}
	table_print(&t, stdout);
}

static void print_claims(const struct curves *c)
{
	const struct scenario *s = c->r->s;

	for (u32 i = 0; i < s->nclaims; i++) {
		const struct scenario_claim *claim = &s->claim[i];

		printf("\n%s\n  %s: \"%s\"\n",
		       claim_verdict_text[claims_verdict(c, claim)], claim->where, claim->text);
		for (u32 k = 0; k < claim->n; k++) {
			struct check_result r = claims_check(c, &claim->check[k]);
			char *text = claims_check_text(&claim->check[k]);

			printf("  %s: %s\n", text, r.text);
			free(text);
			free(r.text);
		}
	}
}

static void print_text(const struct curves *c)
{
	const struct results *r = c->r;
	const struct scenario *s = r->s;
	u32 missing = results_missing(r);

	printf("%s: %s\n", s->name, s->title ? s->title : "");
	if (s->source)
		printf("%s\n", s->source);
	for (u32 i = 0; i < s->nnotes; i++)
		printf("Note: %s\n", s->note[i]);
	printf("%u points%s, engine %s, mcastctl %s, %s\n", r->n - missing,
	       r->quick ? " of the quick set" : "", r->engine, r->version, r->kernel);
	if (missing)
		printf("%u points are missing\n", missing);
	for (u32 p = 0; p < c->npanels; p++) {
		for (u32 m = 0; m < s->nmetrics && !curves_panel_empty(c, p); m++)
			print_metric(c, p, &s->metric[m]);
	}
	printf("\n± half of the 95 %% interval; s: saturated, c: cut before its end\n");
	print_published(c);
	print_claims(c);
}

static void add_text(struct json_object *obj, const char *name, const char *text)
{
	json_object_object_add(obj, name, json_object_new_string(text));
}

static void add_number(struct json_object *obj, const char *name, double number)
{
	json_object_object_add(obj, name, result_number(number));
}

static struct json_object *value_json(const struct metric *m, const struct metric_value *v)
{
	struct json_object *obj = json_object_new_object();

	add_text(obj, "unit", m->unit);
	add_number(obj, "mean", v->mean);
	if (v->half >= 0)
		add_number(obj, "half", v->half);
	return obj;
}

static struct json_object *place_json(const struct curves *c, const struct curve_place *p)
{
	struct json_object *obj = json_object_new_object(), *all = json_object_new_object();
	u32 i = p - c->place;

	add_text(obj, "panel", curves_panel(c, i / c->nplaces / c->nseries));
	add_text(obj, "series", curves_series(c, i / c->nplaces % c->nseries));
	add_text(obj, "value", curves_place(c, i % c->nplaces));
	add_number(obj, "x", p->x);
	add_text(obj, "state", state_text[p->state]);
	add_text(obj, "run-state", p->run_state);
	if (*p->why)
		add_text(obj, "why", p->why);
	json_object_object_add(obj, "seeds", json_object_new_int64(p->seeds));
	for (u32 m = 0; m < METRICS; m++) {
		if (p->metric[m].there)
			json_object_object_add(all, metrics[m].name,
					       value_json(&metrics[m], &p->metric[m]));
	}
	json_object_object_add(obj, "metrics", all);
	return obj;
}

static struct json_object *claim_json(const struct curves *c, const struct scenario_claim *claim)
{
	struct json_object *obj = json_object_new_object(), *all = json_object_new_array();

	add_text(obj, "where", claim->where);
	add_text(obj, "text", claim->text);
	add_text(obj, "verdict", claim_verdict_text[claims_verdict(c, claim)]);
	for (u32 i = 0; i < claim->n; i++) {
		struct check_result r = claims_check(c, &claim->check[i]);
		struct json_object *one = json_object_new_object();
		char *text = claims_check_text(&claim->check[i]);

		add_text(one, "check", text);
		add_text(one, "verdict", claim_verdict_text[r.verdict]);
		json_object_object_add(one, "true", json_object_new_int64(r.yes));
		json_object_object_add(one, "false", json_object_new_int64(r.no));
		json_object_object_add(one, "open", json_object_new_int64(r.open));
		json_object_array_add(all, one);
		free(text);
		free(r.text);
	}
	json_object_object_add(obj, "checks", all);
	return obj;
}

static struct json_object *published_json(const struct curves *c,
					  const struct scenario_published *p)
{
	struct json_object *obj = json_object_new_object();
	struct published_result ours = claims_published(c, p);

	add_text(obj, "metric", p->metric->name);
	add_text(obj, "series", p->series);
	add_number(obj, "x", p->x);
	add_number(obj, "published", p->value);
	if (ours.there) {
		add_number(obj, "ours", ours.ours);
		add_number(obj, "difference-percent", ours.percent);
	}
	return obj;
}

static struct json_object *pictures_json(const struct curves *c)
{
	struct json_object *all = json_object_new_array();
	struct plot_picture *picture;
	u32 n;

	picture = plot_pictures(c, &n);
	for (u32 i = 0; i < n; i++)
		json_object_array_add(all, json_object_new_string(picture[i].name));
	plot_pictures_free(picture, n);
	return all;
}

static void print_json(const struct curves *c)
{
	struct json_object *obj = json_object_new_object(), *places = json_object_new_array();
	struct json_object *claims = json_object_new_array(), *published = json_object_new_array();
	const struct results *r = c->r;

	add_text(obj, "name", r->s->name);
	add_text(obj, "title", r->s->title ? r->s->title : "");
	add_text(obj, "engine", r->engine);
	add_text(obj, "version", r->version);
	add_text(obj, "kernel", r->kernel);
	json_object_object_add(obj, "missing", json_object_new_int64(results_missing(r)));
	for (u32 i = 0; i < c->npanels * c->nseries * c->nplaces; i++) {
		if (c->place[i].state != PLACE_EMPTY)
			json_object_array_add(places, place_json(c, &c->place[i]));
	}
	json_object_object_add(obj, "places", places);
	for (u32 i = 0; i < r->s->npublished; i++)
		json_object_array_add(published, published_json(c, &r->s->published[i]));
	json_object_object_add(obj, "published", published);
	for (u32 i = 0; i < r->s->nclaims; i++)
		json_object_array_add(claims, claim_json(c, &r->s->claim[i]));
	json_object_object_add(obj, "claims", claims);
	json_object_object_add(obj, "pictures", pictures_json(c));
	json_print(obj);
}

static enum status show(const struct curves *c, const char *folder, void *data)
{
	(void)folder;
	(void)data;
	if (options.json)
		print_json(c);
	else
		print_text(c);
	return STATUS_OK;
}

enum status experiment_show(const struct scenario *s, const struct experiment_options *o)
{
	return experiment_look(s, o, show, NULL);
}
