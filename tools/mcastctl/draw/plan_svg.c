// SPDX-License-Identifier: GPL-2.0
/*
 * A picture of one multicast: each worm a line along its channels, in the colour and dashes
 * of its step, beside the lines of others that take the same channels.
 */
#include <linux/mcfab.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/plan.h"

#define APART		3.6	/* lines on one channel */
#define WIDEST		11.0	/* from the middle, however many they are */
#define MAX_LANES	64
#define ARROW		9.0

static const char *colour_of(u32 step)
{
	return svg_colour[(step - 1) % SVG_COLOURS];
}

static const char *dash_of(u32 step)
{
	return svg_dash[(step - 1) % SVG_DASHES];
}

/* The link that a hop takes, and the end it begins at; NULL: there is none. */
static const struct draw_link *link_of(const struct layout *l, const struct drawn_hop *hop,
				       u32 *from)
{
	u32 a = hop->from & ~(u32)MCFAB_HOP_HOST, b = hop->to & ~(u32)MCFAB_HOP_HOST, at;

	*from = !!(hop->from & MCFAB_HOP_HOST);
	if (*from || hop->to & MCFAB_HOP_HOST) {
		a = *from ? a : b;
		return a < l->hosts ? &l->host_link[a] : NULL;
	}
	if (a >= l->routers || hop->port >= l->ports)
		return NULL;
	at = l->at[a * l->ports + hop->port];
	if (at == DRAW_NONE)
		return NULL;
	*from = at & 1;
	return &l->link[at / 2];
}

/* The lanes that are taken on a hop's link; NULL: there is none. */
static u64 *taken_on(u64 *taken, const struct layout *l, const struct drawn_hop *hop)
{
	const struct draw_link *link;
	u32 from;

	link = link_of(l, hop, &from);
	if (!link)
		return NULL;
	if ((hop->from | hop->to) & MCFAB_HOP_HOST)
		return &taken[l->links + (link - l->host_link)];
	return &taken[link - l->link];
}

/* The first lane that is free on all links of a worm; when there is none, any. */
static u32 free_lane(u64 *taken, const struct layout *l, const struct drawn_hop *hop, u32 hops)
{
	u64 all = 0;

	for (u32 i = 0; i < hops; i++) {
		u64 *t = taken_on(taken, l, &hop[i]);

		all |= t ? *t : 0;
	}
	for (u32 lane = 0; lane < MAX_LANES; lane++) {
		if (!(all & 1ULL << lane))
			return lane;
	}
	return hops % MAX_LANES;
}

/* Worms that share a link get lanes of their own; the first in the middle. */
static u32 choose_lanes(struct drawn_plan *p, const struct layout *l)
{
	u64 *taken = xcalloc(l->links + l->hosts, sizeof(*taken));
	u32 lanes = 1;

	for (u32 i = 0; i < p->worms; i++) {
		struct drawn_worm *worm = &p->worm[i];
		const struct drawn_hop *hop = &p->hop[worm->first];

		worm->lane = free_lane(taken, l, hop, worm->hops);
		for (u32 k = 0; k < worm->hops; k++) {
			u64 *t = taken_on(taken, l, &hop[k]);

			if (t)
				*t |= 1ULL << worm->lane;
		}
		if (worm->lane + 1 > lanes)
			lanes = worm->lane + 1;
	}
	free(taken);
	return lanes;
}

/* Lanes 0, 1, 2, 3, 4 are 0, 1, -1, 2, -2 steps from the middle. */
static double beside(const struct drawn_worm *worm, u32 lanes)
{
	double apart = fmin(APART, 2 * WIDEST / fmax(lanes - 1, 1));
	double steps = (worm->lane + 1) / 2;

	return apart * (worm->lane % 2 ? steps : -steps);
}

/* Does a worm end with this hop, or a branch of it? */
static bool is_end(const struct drawn_hop *hop, u32 i, u32 hops)
{
	for (u32 k = i + 1; k < hops; k++) {
		if (hop[k].from == hop[i].to)
			return false;
	}
	return true;
}

/* What is at the end of a hop: room that its line leaves free. */
static double room_at(const struct marks *m, const struct layout *l, u32 node)
{
	u32 nr = node & ~(u32)MCFAB_HOP_HOST;

	if (l->hosts && !(node & MCFAB_HOP_HOST))
		return 0;
	if (nr >= m->nodes || !(m->node[nr] & (MARK_SOURCE | MARK_DESTINATION | MARK_RELAY)))
		return 4;
	return l->hosts ? 9 : 11;
}

/** struct pen - where a worm's line is */
struct pen {
	struct svg *s;
	const struct layout *l;
	const struct marks *marks;
	const struct drawn_plan *plan;
	double beside;
	const char *colour;
};

static void arrow_at_end(const struct pen *pen, const struct draw_link *link, u32 from, double room)
{
	struct draw_point by = net_aside(link, !from, pen->beside), tip = link->end[!from];
	struct draw_point back = link->end[from], bow = net_aside(link, from, pen->beside);

	if (link->shape != DRAW_LINE) {
		back = link->by[!from];
		bow = net_bow(link, !from, pen->beside);
	}
	tip = draw_point(tip.x + by.x, tip.y + by.y);
	back = draw_point(back.x + bow.x, back.y + bow.y);
	tip = net_square(link->end[!from], tip, back);
	svg_arrow(pen->s, back, draw_towards(tip, back, room), ARROW, pen->colour);
}

/* Where a stub does not say where it leads, the worm does. */
static void other_end(const struct pen *pen, const struct draw_link *link, u32 end,
		      struct draw_point tip)
{
	const struct svg_style style = { .size = 7.5, .anchor = SVG_MIDDLE, .fill = pen->colour,
					 .halo = "#ffffff" };
	struct draw_point at = draw_towards(tip, link->end[end], -8);
	char text[16];

	if (!link->labelled)
		svg_text(pen->s, at.x, at.y + 3, &style, "%s",
			 layout_node(pen->l, link->router[!end], text, sizeof(text)));
}

/* Between the stubs of a cut link a worm is not seen: it leaves by an arrow. */
static void arrow_at_cut(const struct pen *pen, const struct draw_link *link, u32 from)
{
	struct draw_point tip[2], back;

	for (u32 i = 0; i < 2; i++) {
		struct draw_point by = net_bow(link, i, pen->beside);

		tip[i] = draw_point(link->by[i].x + by.x, link->by[i].y + by.y);
		if (i == from)
			back = draw_point(link->end[i].x + by.x, link->end[i].y + by.y);
		other_end(pen, link, i, tip[i]);
	}
	svg_arrow(pen->s, back, tip[from], 0.8 * ARROW, pen->colour);
}

/* The middle of a worm's line along a link, or along the stub by which it comes. */
static struct draw_point middle(const struct draw_link *link, u32 from, double beside)
{
	struct draw_point sum = { 0, 0 };

	for (u32 i = 0; i < 2; i++) {
		struct draw_point by = net_aside(link, i, beside);
		struct draw_point bow = net_bow(link, i, beside);
		double end = link->shape == DRAW_CURVE ? 0.125 : 0.5, control = 0.5 - end;

		if (link->shape == DRAW_CUT) {
			end = i == from ? 0 : 0.5;
			control = end;
		}
		sum.x += end * (link->end[i].x + by.x) + control * (link->by[i].x + bow.x);
		sum.y += end * (link->end[i].y + by.y) + control * (link->by[i].y + bow.y);
	}
	return sum;
}

/* A worm's hops in the order of traversal: a path, or branches one after the other. */
static void draw_worm(const struct pen *pen, const struct drawn_worm *worm, u32 id)
{
	const struct svg_style number = { .size = 8.5, .anchor = SVG_MIDDLE, .fill = pen->colour,
					  .bold = true, .halo = "#ffffff" };
	const struct drawn_hop *hop = &pen->plan->hop[worm->first];
	const struct draw_link *link, *last = NULL;
	struct svg_path path;
	u32 from, last_from = 0;

	fprintf(pen->s->f, "<g class=\"worm\" data-worm=\"%u\" data-step=\"%u\" data-hops=\"%u\">",
		id, worm->step, worm->hops);
	fprintf(pen->s->f, "<title>worm %u, step %u, %u hops</title>\n", id, worm->step,
		worm->hops);
	svg_path_begin(&path);
	for (u32 i = 0; i < worm->hops; i++) {
		bool begins = !i || hop[i - 1].to != hop[i].from;
		bool ends = is_end(hop, i, worm->hops);
		double first_room = i ? 0 : room_at(pen->marks, pen->l, hop[i].from);
		double room = ends ? room_at(pen->marks, pen->l, hop[i].to) : 0;

		link = link_of(pen->l, &hop[i], &from);
		if (!link)
			continue;
		if (begins && i)
			fputc(' ', path.f);
		net_along(&path, link, from, pen->beside, begins, first_room,
			  ends ? room + 0.7 * ARROW : 0);
		/* on the stub of a cut link there is little room for the number */
		if (link->shape == DRAW_CUT && last && last->shape != DRAW_CUT)
			continue;
		last = link;
		last_from = from;
	}
	fprintf(pen->s->f, "<path class=\"way\" d=\"%s\" stroke=\"%s\" stroke-width=\"2.2\"",
		svg_path_end(&path), pen->colour);
	if (*dash_of(worm->step))
		fprintf(pen->s->f, " stroke-dasharray=\"%s\"", dash_of(worm->step));
	fputs("/>\n", pen->s->f);
	svg_path_free(&path);
	for (u32 i = 0; i < worm->hops; i++) {
		link = link_of(pen->l, &hop[i], &from);
		if (!link)
			continue;
		if (link->shape == DRAW_CUT)
			arrow_at_cut(pen, link, from);
		if (is_end(hop, i, worm->hops))
			arrow_at_end(pen, link, from, room_at(pen->marks, pen->l, hop[i].to));
	}
	if (last) {
		struct draw_point at = middle(last, last_from, pen->beside);

		svg_text(pen->s, at.x, at.y + 3, &number, "%u", id);
	}
	fputs("</g>\n", pen->s->f);
}

static void steps_legend(struct svg *s, const struct drawn_plan *p, struct svg_legend *legend)
{
	for (u32 step = 1; step <= p->print->steps; step++) {
		struct draw_point at;
		char *text;
		u32 n = 0;

		for (u32 i = 0; i < p->worms; i++)
			n += p->worm[i].step == step;
		text = xasprintf("step %u: %u worm%s", step, n, n == 1 ? "" : "s");
		at = svg_legend_entry(s, legend, text);
		free(text);
		if (!s)
			continue;
		fprintf(s->f, "<path class=\"legend-step\" d=\"M%.1f %.1fh24\" stroke=\"%s\"", at.x,
			at.y, colour_of(step));
		fprintf(s->f, " stroke-width=\"2.2\" stroke-dasharray=\"%s\"/>\n",
			*dash_of(step) ? dash_of(step) : "none");
	}
}

static void legend_of(struct svg *s, const struct drawn_plan *p, const struct marks *marks,
		      const struct layout *l, struct svg_legend *legend)
{
	const struct svg_style small = { .size = 9.5, .fill = SVG_GREY };
	char *note = xasprintf("small numbers on lines: worms%s%s", l->note ? "; " : "",
			       l->note ? l->note : "");

	steps_legend(s, p, legend);
	marks_legend(s, marks, legend);
	legend->y += legend->row;
	legend->y += 14 * svg_paragraph(s, legend->left, legend->y + 2,
					legend->right - legend->left, &small, note);
	free(note);
}

static char *title_of(const struct drawn_plan *p, const struct layout *l, const char *params)
{
	const struct plan_print *print = p->print;
	char text[16];

	return xasprintf("%s%s%s on %s (%s): source %s, %u destination%s", print->policy,
			 *params ? " " : "", params, print->fabric, l->name,
			 layout_node(l, print->source, text, sizeof(text)), print->ndst,
			 print->ndst == 1 ? "" : "s");
}

static char *figures_of(const struct drawn_plan *p)
{
	const struct plan_print *print = p->print;
	char *worms, *text;

	worms = xasprintf("%u worm%s in %u step%s", print->worms, print->worms == 1 ? "" : "s",
			  print->steps, print->steps == 1 ? "" : "s");
	text = xasprintf("%s, %llu channels, longest worm %u hops; complete after %llu %s", worms,
			 print->traffic, print->longest, print->completion,
			 "cycles without contention");
	free(worms);
	return text;
}

static void draw(struct svg *s, struct drawn_plan *p, const struct layout *l,
		 const struct marks *marks)
{
	u32 lanes = choose_lanes(p, l);

	net_links(s, l);
	net_stub_names(s, l);
	net_routers(s, l);
	marks_shapes(s, marks, l);
	for (u32 i = 0; i < p->worms; i++) {
		u32 step = p->worm[i].step ? p->worm[i].step : 1;
		const struct pen pen = { s, l, marks, p, beside(&p->worm[i], lanes),
					 colour_of(step) };

		p->worm[i].step = step;
		draw_worm(&pen, &p->worm[i], i);
	}
	net_switch_names(s, l);
	marks_names(s, marks, l);
}

void drawn_plan_svg(struct svg *s, struct drawn_plan *p, const struct layout *l, const char *params)
{
	double width = net_width(l), top, bottom;
	char *title = title_of(p, l, params), *figures = figures_of(p);
	struct svg_legend legend = { 16, width - 16, 16, 0, 22 };
	struct marks marks;

	marks_make(&marks, p, l);
	top = net_title(NULL, width, title, figures);
	legend_of(NULL, p, &marks, l, &legend);
	bottom = legend.y;
	svg_begin(s, width, top + l->height + bottom, title);
	net_title(s, width, title, figures);
	fprintf(s->f, "<g transform=\"translate(%.1f %.1f)\">\n", (width - l->width) / 2, top);
	draw(s, p, l, &marks);
	fputs("</g>\n", s->f);
	legend.x = legend.left;
	legend.y = top + l->height;
	legend_of(s, p, &marks, l, &legend);
	svg_end(s);
	marks_free(&marks);
	free(title);
	free(figures);
}
