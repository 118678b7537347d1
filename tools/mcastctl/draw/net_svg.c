// SPDX-License-Identifier: GPL-2.0
/* A network as the ground of a picture: links, routers, title. */
#include <math.h>

#include "draw/net.h"

struct draw_point net_aside(const struct draw_link *link, u32 end, double beside)
{
	const struct draw_point *way = &link->aside[end];

	return draw_point(beside * way->x, beside * way->y);
}

struct draw_point net_bow(const struct draw_link *link, u32 end, double beside)
{
	const struct draw_point *way = &link->bow[end];

	return draw_point(beside * way->x, beside * way->y);
}

static struct draw_point moved_by(struct draw_point p, struct draw_point by)
{
	return draw_point(p.x + by.x, p.y + by.y);
}

struct draw_point net_square(struct draw_point node, struct draw_point at, struct draw_point way)
{
	double x = way.x - at.x, y = way.y - at.y, length = hypot(x, y), along;

	if (length < 0.001)
		return at;
	along = ((at.x - node.x) * x + (at.y - node.y) * y) / (length * length);
	return draw_point(at.x - along * x, at.y - along * y);
}

void net_set_right(struct draw_link *link)
{
	struct draw_point to = link->shape == DRAW_CUT ? link->by[0] : link->end[1];
	double dx = to.x - link->end[0].x, dy = to.y - link->end[0].y, length = hypot(dx, dy);

	for (int i = 0; i < 2; i++) {
		struct draw_point *bow = &link->bow[i], *way = &link->aside[i];

		if (link->shape != DRAW_CURVE) {
			*way = *bow = draw_point(-dy / length, dx / length);
		} else if (bow->x * -dy + bow->y * dx < 0) {
			*way = draw_point(-way->x, -way->y);
			*bow = draw_point(-bow->x, -bow->y);
		}
	}
}

void net_along(struct svg_path *path, const struct draw_link *link, u32 from, double beside,
	       bool moved, double cut_start, double cut_end)
{
	struct draw_point by[2] = { net_aside(link, from, beside), net_aside(link, !from, beside) };
	struct draw_point a = moved_by(link->end[from], by[0]);
	struct draw_point b = moved_by(link->end[!from], by[1]);
	struct draw_point near_a = moved_by(link->by[from], net_bow(link, from, beside));
	struct draw_point near_b = moved_by(link->by[!from], net_bow(link, !from, beside));
	struct draw_point next = link->shape == DRAW_LINE ? b : near_a;
	struct draw_point last = link->shape == DRAW_LINE ? a : near_b;

	if (cut_start > 0)
		a = draw_towards(net_square(link->end[from], a, next), next, cut_start);
	if (cut_end > 0)
		b = draw_towards(net_square(link->end[!from], b, last), last, cut_end);
	if (moved)
		svg_path_move(path, a);
	else
		svg_path_line(path, a);
	switch (link->shape) {
	case DRAW_LINE:
		svg_path_line(path, b);
		break;
	case DRAW_CURVE:
		svg_path_curve(path, near_a, near_b, b);
		break;
	case DRAW_CUT:
		svg_path_line(path, near_a);
		svg_path_move(path, near_b);
		svg_path_line(path, b);
		break;
	}
}

static void plain_link(struct svg *s, const struct draw_link *link)
{
	struct svg_path path;

	svg_path_begin(&path);
	net_along(&path, link, 0, 0, true, 0, 0);
	fprintf(s->f, "<path d=\"%s\"/>\n", svg_path_end(&path));
	svg_path_free(&path);
}

void net_links(struct svg *s, const struct layout *l)
{
	fputs("<g class=\"links\" stroke=\"" SVG_LINE "\" stroke-width=\"2\">\n", s->f);
	for (u32 i = 0; i < l->links; i++)
		plain_link(s, &l->link[i]);
	fputs("</g>\n", s->f);
	net_host_links(s, l);
}

void net_host_links(struct svg *s, const struct layout *l)
{
	fputs("<g class=\"host-links\" stroke=\"" SVG_LINE "\" stroke-width=\"2\">\n", s->f);
	for (u32 i = 0; i < l->hosts; i++)
		plain_link(s, &l->host_link[i]);
	fputs("</g>\n", s->f);
}

/* Routers are small circles, switches with hosts are boxes with their numbers. */
void net_routers(struct svg *s, const struct layout *l)
{
	fputs("<g class=\"routers\" fill=\"#ffffff\" stroke=\"#8a8f94\">\n", s->f);
	for (u32 i = 0; i < l->routers; i++) {
		const struct draw_point *at = &l->router[i];

		if (!l->hosts) {
			fprintf(s->f, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"/>\n", at->x,
				at->y);
			continue;
		}
		fprintf(s->f, "<rect x=\"%.1f\" y=\"%.1f\" width=\"28\" height=\"18\" rx=\"3\"/>\n",
			at->x - 14, at->y - 9);
	}
	for (u32 i = 0; i < l->hosts; i++)
		fprintf(s->f, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n", l->host[i].x,
			l->host[i].y);
	fputs("</g>\n", s->f);
}

void net_switch_names(struct svg *s, const struct layout *l)
{
	const struct svg_style name = { .size = 9, .anchor = SVG_MIDDLE, .fill = SVG_TEXT,
					.halo = "#ffffff" };

	for (u32 i = 0; i < l->routers && l->hosts; i++)
		svg_text(s, l->router[i].x, l->router[i].y + 3.3, &name, "s%u", i);
}

static void stub_name(struct svg *s, const struct layout *l, const struct draw_link *link, u32 end)
{
	const struct svg_style style = { .size = 8, .anchor = SVG_MIDDLE, .fill = SVG_GREY };
	struct draw_point at = draw_towards(link->by[end], link->end[end], -9);
	char text[16];

	svg_text(s, at.x, at.y + 3, &style, "%s",
		 layout_node(l, link->router[!end], text, sizeof(text)));
}

void net_stub_names(struct svg *s, const struct layout *l)
{
	for (u32 i = 0; i < l->links; i++) {
		if (!l->link[i].labelled)
			continue;
		stub_name(s, l, &l->link[i], 0);
		stub_name(s, l, &l->link[i], 1);
	}
}

double net_title(struct svg *s, double width, const char *title, const char *below)
{
	const struct svg_style big = { .size = 14, .fill = SVG_TEXT, .bold = true };
	const struct svg_style small = { .size = 11, .fill = SVG_TEXT };
	double y = 24;

	/* bold letters are wider */
	y += 1.4 * big.size * svg_paragraph(s, 16, y, (width - 32) * 0.86, &big, title);
	y += 1.4 * small.size * svg_paragraph(s, 16, y, width - 32, &small, below);
	return y - 24;
}

double net_width(const struct layout *l)
{
	return fmax(l->width, 560);
}
