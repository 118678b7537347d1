// SPDX-License-Identifier: GPL-2.0
/*
 * Results as CSV: a line for each point, a column for each variable and metric, the unit in the
 * column's name, and nothing in a cell that has no value.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/results.h"

/* Is there a value of the metric, or an interval, in any point? */
static bool any(const struct results *r, u32 metric, bool half)
{
	for (u32 i = 0; i < r->n; i++) {
		const struct metric_value *v = &r->point[i].metric[metric];

		if (r->point[i].there && v->there && (!half || v->half >= 0))
			return true;
	}
	return false;
}

/* A text, in quotes if it needs them. */
static void put_text(FILE *f, const char *text)
{
	if (!text[strcspn(text, ",\"\r\n")]) {
		fputs(text, f);
		return;
	}
	fputc('"', f);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', f);
		fputc(*text, f);
	}
	fputc('"', f);
}

/* Names of columns have underscores, so that pandas and R take them as they are. */
static void put_name(FILE *f, const char *name)
{
	for (; *name; name++)
		fputc(*name == '-' ? '_' : *name, f);
}

static void put_head(FILE *f, const struct results *r)
{
	fputs("scenario", f);
	for (u32 i = 0; i < r->s->nvars; i++) {
		if (!r->s->var[i].swept)
			continue;
		fputc(',', f);
		put_name(f, r->s->var[i].name);
	}
	fputs(",seed,state,saturation", f);
	for (u32 m = 0; m < METRICS; m++) {
		for (u32 half = 0; half < 2; half++) {
			if (!any(r, m, half))
				continue;
			fputc(',', f);
			put_name(f, metrics[m].name);
			fprintf(f, "_%s%s", metrics[m].column, half ? "_half95" : "");
		}
	}
	fputs(",hash,why\n", f);
}

static void put_point(FILE *f, const struct results *r, u32 nr)
{
	struct scenario_point p = scenario_point(r->s, r->quick, nr);
	const struct result *result = &r->point[nr];

	put_text(f, r->s->name);
	for (u32 i = 0; i < r->s->nvars; i++) {
		if (!r->s->var[i].swept)
			continue;
		fputc(',', f);
		put_text(f, r->s->var[i].value[p.value[i]].label);
	}
	fprintf(f, ",%u,%s,%s", p.seed, result->state, result->saturation);
	for (u32 m = 0; m < METRICS; m++) {
		const struct metric_value *v = &result->metric[m];

		if (any(r, m, false)) {
			fputc(',', f);
			if (v->there)
				fprintf(f, "%.12g", v->mean);
		}
		if (any(r, m, true)) {
			fputc(',', f);
			if (v->there && v->half >= 0)
				fprintf(f, "%.12g", v->half);
		}
	}
	fprintf(f, ",%s,", result->hash);
	put_text(f, result->why);
	fputc('\n', f);
}

enum status results_csv(const struct results *r, const char *path)
{
	enum status status;
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return refused("%s: out of memory", path);
	put_head(f, r);
	for (u32 i = 0; i < r->n; i++) {
		if (r->point[i].there)
			put_point(f, r, i);
	}
	fclose(f);
	status = write_file(path, text, len);
	free(text);
	return status;
}
