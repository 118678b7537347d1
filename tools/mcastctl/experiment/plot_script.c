// SPDX-License-Identifier: GPL-2.0
/*
 * Curves as a script for gnuplot. Ranges are computed here: a saturated network's latency has no
 * value to be drawn, and gets a cross at the upper edge instead.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "draw/svg.h"
#include "experiment/gnuplot.h"
#include "experiment/plot_script.h"

#define MAX_COLUMNS	3	/* of panels */
#define CROSSES		0.035	/* between those of two series, as a part of the height */
#define MOST_TICS	10	/* values of a variable that are named on a logarithmic axis */
#define STEEP		6	/* latencies are drawn up to this many times those without load */

/** struct panel - a panel of a picture while its script is written */
struct panel {
	FILE *f;
	const struct curves *c;
	const struct scenario_metric *m;
	u32 nr;
	double left, right, bottom, top;
};

/* Types of points that look different without colour: filled, then open. */
static const u32 point_type[] = { 7, 5, 9, 13, 11, 6, 4, 8, 12, 10 };
static const u32 dash_type[] = { 1, 2, 4, 5, 3 };

static const char published_style[] = ", \\\n $p using 1:2 with points title 'published' \\\n"
	"linecolor rgb '#000000' pointtype 12 pointsize 1.4 linewidth 2";
static const char saturated_style[] = ", \\\n NaN with points title 'saturated' \\\n"
	"linecolor rgb '#444444' pointtype 2 linewidth 2";

static const struct curve_place *at(const struct panel *p, u32 series, u32 place)
{
	return curves_at(p->c, p->nr, series, place);
}

static const struct metric_value *value(const struct panel *p, const struct curve_place *place)
{
	return &place->metric[p->m->metric - metrics];
}

/* Is there something to draw, and does it fit a logarithmic axis? */
static bool drawn(const struct panel *p, const struct curve_place *place)
{
	const struct metric_value *v = value(p, place);

	if (!v->there || (p->m->log && v->mean <= 0) ||
	    (p->c->r->s->x.log && place->x <= 0))
		return false;
	return place->state == PLACE_STEADY ||
	       (!metric_needs_steady(p->m->metric) && place->state != PLACE_EMPTY);
}

/* A network that is saturated, and a metric that has no value there. */
static bool no_value(const struct panel *p, const struct curve_place *place)
{
	return metric_needs_steady(p->m->metric) &&
	       (place->state == PLACE_SATURATED || place->state == PLACE_CUT);
}

/* Without an x that is known beforehand there is no place for a cross. */
static bool crossed(const struct panel *p, const struct curve_place *place)
{
	return no_value(p, place) && !p->c->r->s->x.metric;
}

static void widen(double *low, double *high, bool log, double margin)
{
	double by;

	if (log) {
		by = pow(*high / *low, margin);
		*low /= by > 1 ? by : 1.1;
		*high *= by > 1 ? by : 1.1;
		return;
	}
	by = (*high - *low) * margin;
	*low -= by > 0 ? by : 0.5;
	*high += by > 0 ? by : 0.5;
}

/*
 * Near saturation curves leave the picture: its lower part is what they are compared by. A panel
 * without saturated runs shows all.
 */
static double highest(const struct panel *p)
{
	bool saturated = false;
	double first = 0;

	for (u32 i = 0; i < p->c->nseries * p->c->nplaces && !saturated; i++)
		saturated = no_value(p, at(p, i / p->c->nplaces, i % p->c->nplaces));
	if (!saturated)
		return INFINITY;
	for (u32 i = 0; i < p->c->nseries; i++) {
		for (u32 k = 0; k < p->c->nplaces; k++) {
			if (!drawn(p, at(p, i, k)))
				continue;
			first = fmax(first, value(p, at(p, i, k))->mean);
			break;
		}
	}
	return first > 0 ? STEEP * first : INFINITY;
}

static void find_ranges(struct panel *p)
{
	const struct scenario *s = p->c->r->s;
	double low = INFINITY;

	p->left = INFINITY;
	p->right = -INFINITY;
	p->top = -INFINITY;
	for (u32 i = 0; i < p->c->nseries * p->c->nplaces; i++) {
		const struct curve_place *place = at(p, i / p->c->nplaces, i % p->c->nplaces);

		if (!drawn(p, place) && !crossed(p, place))
			continue;
		p->left = fmin(p->left, place->x);
		p->right = fmax(p->right, place->x);
		if (!drawn(p, place))
			continue;
		p->top = fmax(p->top, value(p, place)->mean + fmax(value(p, place)->half, 0));
		low = fmin(low, value(p, place)->mean);
	}
	for (u32 i = 0; i < s->npublished; i++) {
		if (s->published[i].metric != p->m->metric)
			continue;
		p->top = fmax(p->top, s->published[i].value);
		low = fmin(low, s->published[i].value);
	}
	p->top = fmin(p->top, highest(p));
	if (!isfinite(p->left)) {
		p->left = 1;
		p->right = 1;
	}
	if (!isfinite(p->top)) {
		p->top = 1;
		low = 1;
	}
	widen(&p->left, &p->right, s->x.log, 0.04);
	p->bottom = p->m->log ? low : 0;
	if (p->m->log)
		widen(&p->bottom, &p->top, true, 0.1);
	else
		p->top *= p->top > 0 ? 1.15 : 1;
}

static void put_label(FILE *f, const char *key, char *text)
{
	fprintf(f, "set %s ", key);
	gnuplot_put_text(f, text);
	fputc('\n', f);
	free(text);
}

/* Lines of "x mean low high" between marks that gnuplot calls a data block. */
static void put_data(const struct panel *p, u32 series)
{
	fprintf(p->f, "$v%u << EOD\n", series);
	for (u32 i = 0; i < p->c->nplaces; i++) {
		const struct curve_place *place = at(p, series, i);
		const struct metric_value *v = value(p, place);
		double half = fmax(v->half, 0);

		if (drawn(p, place))
			fprintf(p->f, "%.9g %.9g %.9g %.9g\n", place->x, v->mean,
				fmax(v->mean - half, p->bottom), v->mean + half);
	}
	fprintf(p->f, "EOD\n");
}

/* Where the cross of a series is drawn: each series has a height of its own. */
static double cross_y(const struct panel *p, u32 series)
{
	double part = 1 - CROSSES * (series + 1);

	if (part < 0.5)
		part = 0.5;
	return p->m->log ? p->bottom * pow(p->top / p->bottom, part) :
			   p->bottom + part * (p->top - p->bottom);
}

/* A metric that has values in a saturated network: they are crossed out. */
static void put_saturated(const struct panel *p, u32 series, bool *any)
{
	for (u32 i = 0; i < p->c->nplaces; i++) {
		const struct curve_place *place = at(p, series, i);

		if (!drawn(p, place) || place->state == PLACE_STEADY)
			continue;
		fprintf(p->f, "%.9g %.9g 1\n", place->x, value(p, place)->mean);
		*any = true;
	}
}

/* The way from the last steady place to the cross of the first saturated one. */
static void put_way_to_cross(const struct panel *p, u32 series, bool *any)
{
	const struct curve_place *steady = NULL;

	for (u32 i = 0; i < p->c->nplaces && !*any; i++) {
		const struct curve_place *place = at(p, series, i);

		if (drawn(p, place))
			steady = place;
		if (!crossed(p, place))
			continue;
		if (steady && value(p, steady)->mean < cross_y(p, series))
			fprintf(p->f, "%.9g %.9g 0\n", steady->x, value(p, steady)->mean);
		fprintf(p->f, "%.9g %.9g 1\n", place->x, cross_y(p, series));
		*any = true;
	}
}

static void put_crosses(const struct panel *p, u32 series, bool *any)
{
	*any = false;
	fprintf(p->f, "$c%u << EOD\n", series);
	if (metric_needs_steady(p->m->metric))
		put_way_to_cross(p, series, any);
	else
		put_saturated(p, series, any);
	fprintf(p->f, "EOD\n");
}

static void put_published_data(const struct panel *p, bool *any)
{
	const struct scenario *s = p->c->r->s;

	*any = false;
	fputs("$p << EOD\n", p->f);
	for (u32 i = 0; i < s->npublished && !p->nr; i++) {
		if (s->published[i].metric != p->m->metric)
			continue;
		fprintf(p->f, "%.9g %.9g\n", s->published[i].x, s->published[i].value);
		*any = true;
	}
	fputs("EOD\n", p->f);
}

static bool has_points(const struct panel *p, u32 series)
{
	for (u32 i = 0; i < p->c->nplaces; i++) {
		if (drawn(p, at(p, series, i)))
			return true;
	}
	return false;
}

/* A series of which nothing was run, in the quick set, or all was refused. */
static bool is_empty(const struct panel *p, u32 series)
{
	for (u32 i = 0; i < p->c->nplaces; i++) {
		enum place_state state = at(p, series, i)->state;

		if (state != PLACE_EMPTY && state != PLACE_GAP)
			return false;
	}
	return true;
}

static void put_title(const struct panel *p, u32 series)
{
	const char *name = curves_series(p->c, series);

	if (!*name) {
		fputs("notitle", p->f);
		return;
	}
	fputs("title ", p->f);
	gnuplot_put_text(p->f, name);
}

static void put_band(const struct panel *p, u32 series, const char *colour)
{
	fprintf(p->f, ", \\\n $v%u using 1:3:4 with filledcurves ", series);
	fprintf(p->f, "fillcolor rgb '%s' ", colour);
	fputs("fillstyle transparent solid 0.18 noborder notitle", p->f);
}

static void put_curve(const struct panel *p, u32 series, bool crosses)
{
	const char *colour = svg_colour[series % SVG_COLOURS];
	u32 dash = dash_type[series % ARRAY_SIZE(dash_type)];
	u32 point = point_type[series % ARRAY_SIZE(point_type)];

	if (has_points(p, series)) {
		put_band(p, series, colour);
		fprintf(p->f, ", \\\n $v%u using 1:2", series);
	} else {
		fputs(", \\\n NaN", p->f);
	}
	fprintf(p->f, " with linespoints linecolor rgb '%s' linewidth 2 ", colour);
	fprintf(p->f, "dashtype %u pointtype %u pointsize 0.8 ", dash, point);
	put_title(p, series);
	if (!crosses)
		return;
	if (metric_needs_steady(p->m->metric))
		fprintf(p->f, ", \\\n $c%u with lines dashtype 3 linecolor rgb '%s' notitle",
			series, colour);
	fprintf(p->f, ", \\\n $c%u using 1:(int($3) ? $2 : NaN) with points ", series);
	fprintf(p->f, "linecolor rgb '%s' pointtype 2 pointsize 1 linewidth 2 notitle", colour);
}

static void put_curves(struct panel *p)
{
	bool *crosses = xcalloc(p->c->nseries, sizeof(*crosses)), any = false, published;

	for (u32 i = 0; i < p->c->nseries; i++) {
		put_data(p, i);
		put_crosses(p, i, &crosses[i]);
		any = any || crosses[i];
	}
	put_published_data(p, &published);
	fprintf(p->f, "plot [%.9g:%.9g] [%.9g:%.9g] NaN notitle", p->left, p->right, p->bottom,
		p->top);
	for (u32 i = 0; i < p->c->nseries; i++) {
		if (!is_empty(p, i))
			put_curve(p, i, crosses[i]);
	}
	if (published)
		fputs(published_style, p->f);
	if (any)
		fputs(saturated_style, p->f);
	fputc('\n', p->f);
	free(crosses);
}

/* A text in a data block: in double quotes, and without any inside. */
static void put_data_text(FILE *f, const char *text)
{
	fputc('"', f);
	for (; *text; text++)
		fputc(*text == '"' || *text == '\\' || *text == '\n' ? ' ' : *text, f);
	fputc('"', f);
}

/* Values of x that are no numbers: a group of bars for each. */
static void put_bars(struct panel *p)
{
	fputs("$v << EOD\n", p->f);
	for (u32 i = 0; i < p->c->nplaces; i++) {
		put_data_text(p->f, curves_place(p->c, i));
		for (u32 k = 0; k < p->c->nseries; k++) {
			const struct curve_place *place = at(p, k, i);

			if (drawn(p, place))
				fprintf(p->f, " %.9g %.9g", value(p, place)->mean,
					fmax(value(p, place)->half, 0));
			else
				fputs(" ? ?", p->f);
		}
		fputc('\n', p->f);
	}
	fputs("EOD\n", p->f);
	fputs("set style data histograms\nset style histogram errorbars gap 1 linewidth 1\n"
	      "set datafile missing '?'\nset datafile separator whitespace\n", p->f);
	fprintf(p->f, "plot [] [%.9g:%.9g]", p->bottom, p->top);
	for (u32 k = 0; k < p->c->nseries; k++) {
		fprintf(p->f, "%s $v using %u:%u:xtic(1) ", k ? ", \\\n" : "", 2 + 2 * k,
			3 + 2 * k);
		fprintf(p->f, "linecolor rgb '%s' fillstyle pattern %u border title ",
			svg_colour[k % SVG_COLOURS], k);
		gnuplot_put_text(p->f, curves_series(p->c, k));
	}
	fputc('\n', p->f);
}

/* On a logarithmic axis powers of ten are too few: the values of the variable are named. */
static void put_tics(const struct panel *p)
{
	const struct scenario_axis *x = &p->c->r->s->x;

	if (!x->log || x->metric || !p->c->numeric || p->c->nplaces > MOST_TICS)
		return;
	for (u32 i = 0; i < p->c->nplaces; i++)
		fprintf(p->f, "%s%s", i ? ", " : "set xtics (", curves_place(p->c, i));
	fputs(")\n", p->f);
}

static void put_panel(struct panel *p)
{
	const struct scenario *s = p->c->r->s;

	find_ranges(p);
	put_label(p->f, "title", xstrdup(curves_panel(p->c, p->nr)));
	put_label(p->f, "xlabel", curves_x_label(p->c));
	put_label(p->f, "ylabel", curves_metric_label(p->m));
	fprintf(p->f, "%sset logscale %s\n", "unset logscale\n",
		s->x.log && p->m->log ? "xy" : s->x.log ? "x" : p->m->log ? "y" : "z");
	put_tics(p);
	if (p->c->numeric)
		put_curves(p);
	else
		put_bars(p);
}

static bool is_drawn(const struct curves *c, u32 panel, s32 only)
{
	return only < 0 ? !curves_panel_empty(c, panel) : (s32)panel == only;
}

char *plot_script(const struct curves *c, const struct scenario_metric *m, s32 only,
		  struct picture *picture)
{
	struct panel p = { .c = c, .m = m };
	const struct scenario *s = c->r->s;
	u32 panels = 0;
	char *text = NULL;
	size_t len = 0;

	for (u32 i = 0; i < c->npanels; i++)
		panels += is_drawn(c, i, only);
	panels = panels ? panels : 1;
	picture->columns = panels < MAX_COLUMNS ? panels : MAX_COLUMNS;
	picture->rows = (panels + picture->columns - 1) / picture->columns;

	p.f = open_memstream(&text, &len);
	if (!p.f)
		return NULL;
	fputs("set border linecolor rgb '#6b6b6b'\nset grid linecolor rgb '#dcdfe2' linetype 1\n"
	      "set key below width 2 height 0.8\nset encoding utf8\nset tics nomirror\n"
	      "set format x '%g'\n", p.f);
	fprintf(p.f, "set multiplot layout %u,%u title ", picture->rows, picture->columns);
	gnuplot_put_text(p.f, s->title ? s->title : s->name);
	fputc('\n', p.f);
	for (p.nr = 0; p.nr < c->npanels; p.nr++) {
		if (is_drawn(c, p.nr, only))
			put_panel(&p);
	}
	fputs("unset multiplot\n", p.f);
	fclose(p.f);
	picture->script = text;
	return text;
}
