// SPDX-License-Identifier: GPL-2.0
/*
 * A picture of channel load: each channel a line to the right of its direction, the darker
 * and the thicker the more went there.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "draw/heat.h"
#include "draw/net.h"

#define ASIDE	3.5	/* of a channel from the middle of its link */
#define ROOM	5.0	/* that it leaves around a router */
#define BOX	48.0	/* of the scale */

/* From light to dark in even steps: in order for the colour-blind, and in grey. */
static const char *const colours[HEAT_SVG_CLASSES + 1] = {
	"#b9bec3", "#fee08b", "#fdbb56", "#f59a36", "#e67a1e", "#cf5a0c", "#a84006", "#7a2a05",
	"#451503",
};

static double thickness(u32 class)
{
	return class ? 1.6 + 0.45 * class : 0.8;
}

static void draw_channel(struct svg *s, const struct heat *h, const struct heat_channel *c,
			 const struct draw_link *link, u32 from)
{
	u32 class = heat_class(h, c->ppb, HEAT_SVG_CLASSES);
	char a[16], b[16];
	struct svg_path path;

	svg_path_begin(&path);
	net_along(&path, link, from, from ? -ASIDE : ASIDE, true, ROOM, ROOM);
	fprintf(s->f, "<path class=\"channel\" data-channel=\"%u\" data-class=\"%u\" d=\"%s\"",
		c->nr, class, svg_path_end(&path));
	fprintf(s->f, " stroke=\"%s\" stroke-width=\"%.2f\"><title>", colours[class],
		thickness(class));
	svg_path_free(&path);
	heat_router(h, c->from, a, sizeof(a));
	heat_router(h, c->to, b, sizeof(b));
	fprintf(s->f, "channel %u, %s to %s by port ", c->nr, a, b);
	svg_put(s, heat_port(h, c->port));
	fprintf(s->f, ": %.3f %%, %llu flits</title></path>\n", c->ppb / 1e7, c->flits);
}

/* The busiest ones last: they are on top. */
static void draw_channels(struct svg *s, const struct heat *h, const struct layout *l)
{
	struct draw_link *link = xcalloc(l->links, sizeof(*link));

	if (l->links)
		memcpy(link, l->link, l->links * sizeof(*link));
	for (u32 i = 0; i < l->links; i++)
		net_set_right(&link[i]);
	fputs("<g class=\"channels\">\n", s->f);
	for (u32 class = 0; class <= HEAT_SVG_CLASSES; class++) {
		for (u32 i = 0; i < h->channels; i++) {
			const struct heat_channel *c = &h->channel[i];
			u32 at = DRAW_NONE;

			if (c->from < l->routers && c->port < l->ports)
				at = l->at[c->from * l->ports + c->port];
			if (at != DRAW_NONE &&
			    heat_class(h, c->ppb, HEAT_SVG_CLASSES) == class)
				draw_channel(s, h, c, &link[at / 2], at & 1);
		}
	}
	fputs("</g>\n", s->f);
	free(link);
}

static void router_names(struct svg *s, const struct layout *l)
{
	const struct svg_style style = { .size = 7.5, .fill = SVG_TEXT, .halo = "#ffffff" };
	char text[16];

	for (u32 i = 0; i < l->routers && !l->hosts; i++)
		svg_text(s, l->router[i].x + 8, l->router[i].y + 14, &style, "%s",
			 layout_short(l, i, text, sizeof(text)));
}

/* Boxes with the limits between them below; returns its height. */
static double draw_scale(struct svg *s, const struct heat *h, double x, double y)
{
	const struct svg_style number = { .size = 10, .anchor = SVG_MIDDLE, .fill = SVG_TEXT };
	const struct svg_style text = { .size = 11, .fill = SVG_TEXT };
	u32 classes = h->max_ppb ? HEAT_SVG_CLASSES : 0;

	if (!s)
		return 56;
	fputs("<g class=\"scale\">\n", s->f);
	for (u32 class = 0; class <= classes; class++) {
		double left = class ? x + 84 + (class - 1) * BOX : x;

		fprintf(s->f, "<path d=\"M%.1f %.1fh%.1f\" stroke=\"%s\" stroke-width=\"%.2f\"/>\n",
			left, y, class ? BOX : 20, colours[class], class ? 12 : thickness(0));
		if (!classes)
			break;
		svg_text(s, class ? left + BOX : x + 84, y + 20, &number, "%.3g",
			 h->max_ppb / 1e7 * class / HEAT_SVG_CLASSES);
	}
	fputs("</g>\n", s->f);
	svg_text(s, x + 25, y + 4, &text, "no flit");
	if (!classes)
		return 0;
	svg_text(s, x + 84 + HEAT_SVG_CLASSES * BOX + 16, y + 4, &text, "%%");
	return 0;
}

static char *note_of(const struct layout *l)
{
	return xasprintf("a channel is to the right of its direction, %s%s%s",
			 "thicker and darker with more load", l->note ? "; " : "",
			 l->note ? l->note : "");
}

static char *figures_of(const struct heat *h)
{
	struct json_object *balance = get_obj(h->stats, "balance");
	const struct heat_channel *busiest = &h->channel[h->busiest];
	char from[16], to[16], *all, *text;

	heat_router(h, busiest->from, from, sizeof(from));
	heat_router(h, busiest->to, to, sizeof(to));
	if (!h->max_ppb)
		return xasprintf("no channel carried a flit in %llu measured cycles",
				 get_u64(balance, "cycles"));
	all = xasprintf("utilisation of %u channels in percent of %llu measured cycles",
			h->channels, get_u64(balance, "cycles"));
	text = xasprintf("%s: mean %.3f, busiest %.3f (channel %u, %s to %s)", all,
			 get_u64(balance, "mean-ppb") / 1e7, h->max_ppb / 1e7, busiest->nr,
			 from, to);
	free(all);
	return text;
}

void heat_svg(struct svg *s, const struct heat *h, const struct layout *l)
{
	const struct svg_style small = { .size = 9.5, .fill = SVG_GREY };
	double width = net_width(l), top, below;
	char *title = xasprintf("channel load on %s (%s), run %s: policy %s",
				get_str(h->fabric, "name"), l->name, get_str(h->stats, "run"),
				get_str(h->stats, "policy"));
	char *figures = figures_of(h), *note = note_of(l);

	top = net_title(NULL, width, title, figures);
	below = draw_scale(NULL, h, 0, 0);
	below += 14 * svg_paragraph(NULL, 0, 0, width - 32, &small, note);
	svg_begin(s, width, top + l->height + below, title);
	net_title(s, width, title, figures);
	fprintf(s->f, "<g transform=\"translate(%.1f %.1f)\">\n", (width - l->width) / 2, top);
	net_host_links(s, l);
	draw_channels(s, h, l);
	net_stub_names(s, l);
	net_routers(s, l);
	net_switch_names(s, l);
	router_names(s, l);
	fputs("</g>\n", s->f);
	draw_scale(s, h, 16, top + l->height + 8);
	svg_paragraph(s, 16, top + l->height + 48, width - 32, &small, note);
	svg_end(s);
	free(title);
	free(figures);
	free(note);
}
