// SPDX-License-Identifier: GPL-2.0
/* Networks with places: what they have in common, and which of them can be drawn. */
#include <linux/mcfab.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nodes.h"
#include "base/table.h"
#include "draw/layout.h"

#define MARGIN	44.0
/* More dimensions of a mesh than columns, rows, planes and rows of planes are not drawn. */
#define MAX_DIMS	4

struct draw_point draw_point(double x, double y)
{
	return (struct draw_point){ x, y };
}

static struct draw_point between(struct draw_point a, struct draw_point b, double part)
{
	return draw_point(a.x + part * (b.x - a.x), a.y + part * (b.y - a.y));
}

struct draw_point draw_towards(struct draw_point a, struct draw_point b, double length)
{
	double whole = hypot(b.x - a.x, b.y - a.y);

	if (whole < 0.001)
		return a;
	return between(a, b, length / whole);
}

/* Lines beside a straight one: to its right, or diagonally where corners shall meet. */
static void set_aside(struct draw_link *link)
{
	double dx = link->end[1].x - link->end[0].x, dy = link->end[1].y - link->end[0].y;
	double length = hypot(dx, dy);

	if (fabs(dx) < 0.001 || fabs(dy) < 0.001)
		link->aside[0] = draw_point(1, 1);
	else
		link->aside[0] = draw_point(-dy / length, dx / length);
	for (int i = 0; i < 2; i++) {
		link->aside[i] = link->aside[0];
		link->bow[i] = link->aside[0];
	}
}

struct draw_link *layout_link(struct layout *l, u32 a, u32 port_a, u32 b, u32 port_b)
{
	struct draw_link *link;

	if (l->links == l->link_room) {
		l->link_room = 2 * l->link_room + 64;
		l->link = xrealloc(l->link, l->link_room, sizeof(*l->link));
	}
	link = &l->link[l->links];
	*link = (struct draw_link){
		.router = { a, b }, .port = { port_a, port_b },
		.end = { l->router[a], l->router[b] },
	};
	set_aside(link);
	l->at[a * l->ports + port_a] = 2 * l->links;
	l->at[b * l->ports + port_b] = 2 * l->links + 1;
	l->links++;
	return link;
}

void layout_arch(struct draw_link *link, struct draw_point up, double height)
{
	/* a cubic curve goes as far as 3/4 of its control points */
	double far = height / 0.75;

	link->shape = DRAW_CURVE;
	for (int i = 0; i < 2; i++) {
		struct draw_point in = draw_towards(draw_point(0, 0),
						    draw_point(link->end[!i].x - link->end[i].x,
							       link->end[!i].y - link->end[i].y),
						    1);

		link->by[i] = draw_point(link->end[i].x + far * up.x, link->end[i].y + far * up.y);
		link->aside[i] = in;
		link->bow[i] = draw_point(in.x - up.x / 0.75, in.y - up.y / 0.75);
	}
}

const char *layout_node(const struct layout *l, u32 node, char *text, size_t size)
{
	if (l->symbols)
		return node_permutation(text, size, node, l->symbols);
	snprintf(text, size, "%s%u", l->hosts ? "h" : "", node);
	return text;
}

const char *layout_short(const struct layout *l, u32 node, char *text, size_t size)
{
	layout_node(l, node, text, size);
	if (*text == '(') {
		memmove(text, text + 1, strlen(text));
		text[strcspn(text, ")")] = '\0';
	}
	return text;
}

struct draw_point layout_place(const struct layout *l, u32 node)
{
	return l->hosts ? l->host[node] : l->router[node];
}

static void extend(struct draw_point *low, struct draw_point *high, struct draw_point p)
{
	low->x = fmin(low->x, p.x);
	low->y = fmin(low->y, p.y);
	high->x = fmax(high->x, p.x);
	high->y = fmax(high->y, p.y);
}

static void shift(struct draw_point *p, struct draw_point by)
{
	p->x += by.x;
	p->y += by.y;
}

static void shift_link(struct draw_link *link, struct draw_point by)
{
	for (int i = 0; i < 2; i++) {
		shift(&link->end[i], by);
		shift(&link->by[i], by);
	}
}

/* Move everything to where it has a margin at all sides. */
static void frame(struct layout *l)
{
	struct draw_point low = l->router[0], high = low, by;

	for (u32 i = 0; i < l->routers; i++)
		extend(&low, &high, l->router[i]);
	for (u32 i = 0; i < l->hosts; i++)
		extend(&low, &high, l->host[i]);
	for (u32 i = 0; i < l->links; i++) {
		const struct draw_link *link = &l->link[i];

		for (int k = 0; k < 2 && link->shape != DRAW_LINE; k++) {
			/* the top of an arch is nearer than its control point */
			double part = link->shape == DRAW_CUT ? 1 : 0.75;

			extend(&low, &high, between(link->end[k], link->by[k], part));
		}
	}
	by = draw_point(MARGIN - low.x, MARGIN - low.y);
	for (u32 i = 0; i < l->routers; i++)
		shift(&l->router[i], by);
	for (u32 i = 0; i < l->hosts; i++) {
		shift(&l->host[i], by);
		shift_link(&l->host_link[i], by);
	}
	for (u32 i = 0; i < l->links; i++)
		shift_link(&l->link[i], by);
	l->width = high.x - low.x + 2 * MARGIN;
	l->height = high.y - low.y + 2 * MARGIN;
}

static enum status place_graph(struct json_object *fabric, struct layout *l)
{
	enum status status;
	struct graph g;

	status = graph_fetch(fabric, &g);
	if (!status) {
		layout_graph(l, &g);
		free(l->name);
		l->name = xasprintf("irregular, %u switch%s, %u host%s", g.switches,
				    g.switches == 1 ? "" : "es", g.hosts, g.hosts == 1 ? "" : "s");
	}
	graph_free(&g);
	return status;
}

static char *name_of(const char *topology, const u32 *radix, u32 dims)
{
	char *name = xstrdup(topology), *longer;

	for (u32 i = 0; i < dims; i++) {
		longer = xasprintf("%s%s%u", name, i ? "x" : " ", radix[i]);
		free(name);
		name = longer;
	}
	return name;
}

static enum status place(struct json_object *fabric, const char *key, const char *word,
			 struct layout *l)
{
	const char *topology = get_str(fabric, "topology");
	struct json_object *list = get_obj(fabric, "dims");
	u32 radix[MCFAB_MAX_DIMS] = { 0 }, dims = list ? json_object_array_length(list) : 0;
	bool wraps = !strcmp(topology, "torus") || !strcmp(topology, "ring");

	for (u32 i = 0; i < dims && i < MCFAB_MAX_DIMS; i++)
		radix[i] = json_object_get_int(json_object_array_get_idx(list, i));
	l->name = name_of(topology, radix, dims);
	if (!strcmp(topology, "irregular"))
		return place_graph(fabric, l);
	if (!strcmp(topology, "hypercube") && dims == 1)
		layout_cube(l, radix[0]);
	else if (!strcmp(topology, "star") && dims == 1)
		layout_star(l, radix[0]);
	else if ((wraps || !strcmp(topology, "mesh")) && dims && dims <= MAX_DIMS)
		layout_grid(l, radix, dims, wraps);
	else if (wraps || !strcmp(topology, "mesh"))
		return usage("%s %s: a %s of %u dimensions is not drawn, %u are the most", key,
			     word, topology, dims, MAX_DIMS);
	else
		return usage("%s %s: it is not known how to draw topology %s", key, word, topology);
	return STATUS_OK;
}

enum status layout_make(struct json_object *fabric, const char *key, const char *word,
			struct layout *l)
{
	u64 routers = get_u64(fabric, "routers"), ports = get_u64(fabric, "ports");
	bool hosts = !strcmp(get_str(fabric, "topology"), "irregular");
	enum status status;

	memset(l, 0, sizeof(*l));
	if (!routers || routers > DRAW_MAX_ROUTERS)
		return usage("%s %s: fabric %s has %llu routers, %u are the most that are drawn",
			     key, word, get_str(fabric, "name"), routers, DRAW_MAX_ROUTERS);
	if (hosts && get_u64(fabric, "nodes") > DRAW_MAX_HOSTS)
		return usage("%s %s: fabric %s has %llu hosts, %u are the most that are drawn", key,
			     word, get_str(fabric, "name"), get_u64(fabric, "nodes"),
			     DRAW_MAX_HOSTS);
	l->routers = routers;
	l->ports = ports;
	l->hosts = hosts ? get_u64(fabric, "nodes") : 0;
	l->router = xcalloc(routers, sizeof(*l->router));
	l->host = xcalloc(l->hosts, sizeof(*l->host));
	l->host_link = xcalloc(l->hosts, sizeof(*l->host_link));
	l->at = xcalloc(routers * ports, sizeof(*l->at));
	memset(l->at, 0xff, routers * ports * sizeof(*l->at));
	status = place(fabric, key, word, l);
	for (u32 i = 0; !status && i < l->hosts; i++)
		set_aside(&l->host_link[i]);
	if (!status)
		frame(l);
	return status;
}

void layout_free(struct layout *l)
{
	free(l->name);
	free(l->router);
	free(l->host);
	free(l->link);
	free(l->host_link);
	free(l->at);
	memset(l, 0, sizeof(*l));
}
