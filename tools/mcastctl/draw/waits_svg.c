// SPDX-License-Identifier: GPL-2.0
/*
 * A picture of who waits for what: a colour for each. A channel that it holds is a line,
 * consumption at a node a disc, injection a square; what it waits for is dashed, at a node a ring.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/net.h"
#include "draw/waits.h"

#define ASIDE	4.5	/* of a channel from the middle of its link */
#define ROOM	6.0	/* that it leaves around a router */
#define HELD	3.0	/* thickness */
#define WANTED	1.8
#define APART	3.5	/* of what is wanted from what is held */
#define DISC	5.0
#define RING	9.0
#define SQUARE	7.0
#define ROW	16.0	/* of the list */

static const char *colour_of(u32 i)
{
	return svg_colour[i % SVG_COLOURS];
}

/* The end of an element that is a line. */
static void put_stroke(struct svg *s, u32 i, bool wanted)
{
	fprintf(s->f, " stroke=\"%s\" stroke-width=\"%.1f\"%s/>\n", colour_of(i),
		wanted ? WANTED : HELD, wanted ? " stroke-dasharray=\"4 3\"" : "");
}

static void draw_on_channel(struct svg *s, const struct draw_link *link, u32 from, u32 i,
			    bool wanted)
{
	double beside = ASIDE + (wanted ? APART : 0);
	struct svg_path path;

	svg_path_begin(&path);
	net_along(&path, link, from, from ? -beside : beside, true, ROOM, ROOM);
	fprintf(s->f, "<path class=\"%s\" data-wait=\"%u\" d=\"%s\"", wanted ? "wanted" : "held",
		i, svg_path_end(&path));
	put_stroke(s, i, wanted);
	svg_path_free(&path);
}

static void draw_on_node(struct svg *s, struct draw_point at, u32 i, bool wanted)
{
	fprintf(s->f, "<circle class=\"%s\" data-wait=\"%u\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"",
		wanted ? "wanted" : "held", i, at.x, at.y, wanted ? RING : DISC);
	if (wanted)
		put_stroke(s, i, true);
	else
		fprintf(s->f, " fill=\"%s\"/>\n", colour_of(i));
}

static void draw_injection(struct svg *s, struct draw_point at, u32 i)
{
	fprintf(s->f, "<rect class=\"held\" data-wait=\"%u\" x=\"%.1f\" y=\"%.1f\"", i,
		at.x - SQUARE / 2, at.y - SQUARE / 2);
	fprintf(s->f, " width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n", SQUARE, SQUARE,
		colour_of(i));
}

static void draw_resource(struct svg *s, const struct layout *l, const struct draw_link *link,
			  const struct drawn_resource *r, u32 i, bool wanted)
{
	u32 at = DRAW_NONE;

	if (r->place == DRAWN_INJECTION) {
		draw_injection(s, layout_place(l, r->at), i);
		return;
	}
	if (r->place == DRAWN_NODE) {
		draw_on_node(s, layout_place(l, r->at), i, wanted);
		return;
	}
	if (r->at < l->routers && r->port < l->ports)
		at = l->at[r->at * l->ports + r->port];
	if (at != DRAW_NONE)
		draw_on_channel(s, &link[at / 2], at & 1, i, wanted);
}

static void draw_waits(struct svg *s, const struct layout *l, const struct drawn_wait *wait, u32 n)
{
	struct draw_link *link = xcalloc(l->links, sizeof(*link));

	if (l->links)
		memcpy(link, l->link, l->links * sizeof(*link));
	for (u32 i = 0; i < l->links; i++)
		net_set_right(&link[i]);
	for (u32 i = 0; i < n; i++)
		for (u32 k = 0; k < wait[i].nheld; k++)
			draw_resource(s, l, link, &wait[i].held[k], i, false);
	for (u32 i = 0; i < n; i++)
		draw_resource(s, l, link, &wait[i].wanted, i, true);
	free(link);
}

static void draw_names(struct svg *s, const struct layout *l)
{
	const struct svg_style style = { .size = 7.5, .fill = SVG_GREY, .halo = "#ffffff" };
	char text[16];

	for (u32 i = 0; i < l->routers && !l->hosts; i++)
		svg_text(s, l->router[i].x + 8, l->router[i].y + 14, &style, "%s",
			 layout_short(l, i, text, sizeof(text)));
}

static void draw_list(struct svg *s, const struct drawn_wait *wait, u32 n, double y)
{
	const struct svg_style style = { .size = 10, .fill = SVG_TEXT };

	for (u32 i = 0; i < n; i++, y += ROW) {
		fprintf(s->f, "<path d=\"M16 %.1fh22\" stroke=\"%s\" stroke-width=\"%.1f\"/>\n",
			y - 3.5, colour_of(i), HELD);
		svg_text(s, 46, y, &style, "%s", wait[i].text);
	}
}

void drawn_waits_free(struct drawn_wait *wait, u32 n)
{
	for (u32 i = 0; i < n; i++) {
		free(wait[i].held);
		free(wait[i].text);
	}
	free(wait);
}

void waits_svg(struct svg *s, const struct layout *l, const char *title,
	       const struct drawn_wait *wait, u32 n)
{
	const char *below = "lines, discs, squares: held; dashes: what the same colour waits for";
	double width = net_width(l), top, list = n * ROW + 12;

	for (u32 i = 0; i < n; i++) {
		double wide = 62 + svg_width(wait[i].text, 10);

		width = wide > width ? wide : width;
	}
	top = net_title(NULL, width, title, below);
	svg_begin(s, width, top + l->height + list, title);
	net_title(s, width, title, below);
	fprintf(s->f, "<g transform=\"translate(%.1f %.1f)\">\n", (width - l->width) / 2, top);
	net_links(s, l);
	net_host_links(s, l);
	net_stub_names(s, l);
	net_routers(s, l);
	net_switch_names(s, l);
	draw_waits(s, l, wait, n);
	draw_names(s, l);
	fputs("</g>\n", s->f);
	draw_list(s, wait, n, top + l->height + 12);
	svg_end(s);
}
