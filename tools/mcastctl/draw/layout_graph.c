// SPDX-License-Identifier: GPL-2.0
/*
 * Irregular networks by the levels of their up*-down* tree, from the root downwards: no link
 * goes farther than to the next level. In a level, switches are in the order of those they
 * are joined to. Hosts are at the right of their switch.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/layout.h"

#define SWEEPS	16
#define SAME	0.00000001	/* places that differ by less */
#define ROOM	64.0		/* between switches without hosts */
#define LEVEL	110.0		/* between levels without them */
#define WIDE	2400.0		/* of a level, in one row */
#define FIRST	54.0		/* from a switch to its hosts on one arc */
#define NEXT	26.0		/* from there to the second arc */
#define ONE_ARC	5
#define BETWEEN	12.5		/* a host of one arc and the line to the next of the other */
#define WIDEST	116.0		/* degrees */

/** struct levels - an order of the switches */
struct levels {
	const struct graph *g;
	u32 *level;		/* [switches] */
	u32 *order;		/* [switches] by level, in a level from left to right */
	double *place;		/* [switches] in that order; later where it is drawn */
	double *wish;		/* [switches] the mean place of neighbours */
	u32 *hosts;		/* [switches] */
	u32 *first;		/* [switches + 1] of a switch in peer[] */
	u32 *peer;
	u32 levels;
};

static void find_peers(struct levels *s)
{
	const struct graph *g = s->g;
	u32 *room = xcalloc(g->switches, sizeof(*room));

	for (u32 i = 0; i < g->links; i++) {
		s->first[g->link[i].a + 1]++;
		s->first[g->link[i].b + 1]++;
	}
	for (u32 i = 0; i < g->switches; i++)
		s->first[i + 1] += s->first[i];
	for (u32 i = 0; i < g->links; i++) {
		u32 a = g->link[i].a, b = g->link[i].b;

		s->peer[s->first[a] + room[a]++] = b;
		s->peer[s->first[b] + room[b]++] = a;
	}
	for (u32 i = 0; i < g->hosts; i++)
		s->hosts[g->host[i].at]++;
	free(room);
}

/* Breadth first; returns the number of levels. */
static u32 walk(struct levels *s, u32 root)
{
	u32 n = 1, levels = 1;

	memset(s->level, 0xff, s->g->switches * sizeof(*s->level));
	s->level[root] = 0;
	s->order[0] = root;
	for (u32 at = 0; at < s->g->switches; at++) {
		u32 i;

		/* what no link leads to stands below */
		for (u32 k = 0; at == n && k < s->g->switches; k++) {
			if (s->level[k] == DRAW_NONE) {
				s->level[k] = levels;
				s->order[n++] = k;
			}
		}
		i = s->order[at];
		if (s->level[i] + 1 > levels)
			levels = s->level[i] + 1;
		for (u32 k = s->first[i]; k < s->first[i + 1]; k++) {
			u32 to = s->peer[k];

			if (s->level[to] != DRAW_NONE)
				continue;
			s->level[to] = s->level[i] + 1;
			s->order[n++] = to;
		}
	}
	return levels;
}

/* The root of routing, or the switch from which the farthest is nearest. */
static u32 choose_root(struct levels *s)
{
	u32 best = 0, fewest = DRAW_NONE;

	if (s->g->root != GRAPH_NONE)
		return s->g->root;
	for (u32 i = 0; i < s->g->switches; i++) {
		u32 levels = walk(s, i);

		if (levels < fewest) {
			fewest = levels;
			best = i;
		}
	}
	return best;
}

/* The end of the level that begins at @from. */
static u32 level_end(const struct levels *s, u32 from)
{
	u32 to = from;

	while (to < s->g->switches && s->level[s->order[to]] == s->level[s->order[from]])
		to++;
	return to;
}

static void number_level(struct levels *s, u32 from, u32 to)
{
	for (u32 i = from; i < to; i++)
		s->place[s->order[i]] = (i - from + 0.5) / (to - from);
}

/* Put a level in the order of what is above it (@up) or below it. */
static void sort_level(struct levels *s, u32 from, u32 to, bool up)
{
	for (u32 i = from; i < to; i++) {
		u32 sw = s->order[i], n = 0;
		double sum = 0;

		for (u32 k = s->first[sw]; k < s->first[sw + 1]; k++) {
			u32 peer = s->peer[k];

			if (up ? s->level[peer] < s->level[sw] : s->level[peer] > s->level[sw]) {
				sum += s->place[peer];
				n++;
			}
		}
		s->wish[sw] = n ? sum / n : s->place[sw];
	}
	for (u32 i = from + 1; i < to; i++) {
		u32 sw = s->order[i], k = i;

		for (; k > from && s->wish[s->order[k - 1]] > s->wish[sw] + SAME; k--)
			s->order[k] = s->order[k - 1];
		s->order[k] = sw;
	}
	number_level(s, from, to);
}

static void sort(struct levels *s)
{
	u32 *start = xcalloc(s->levels + 1, sizeof(*start)), n = 0;

	for (u32 at = 0; at < s->g->switches; at = level_end(s, at))
		start[n++] = at;
	start[n] = s->g->switches;
	for (u32 i = 0; i < n; i++)
		number_level(s, start[i], start[i + 1]);
	for (u32 sweep = 0; sweep < SWEEPS; sweep++) {
		bool up = !(sweep % 2);

		for (u32 k = 1; k < n; k++) {
			u32 i = up ? k : n - 1 - k;

			sort_level(s, start[i], start[i + 1], up);
		}
	}
	free(start);
}

/** struct fan - the hosts of a switch: on one arc at its right, or on two in turns */
struct fan {
	double step;		/* in degrees */
	double radius;
	double next;		/* of the second arc */
};

static struct fan fan_of(u32 hosts)
{
	struct fan fan = { .step = 26, .radius = FIRST, .next = FIRST };

	if (hosts > ONE_ARC) {
		fan.step = fmin(13, WIDEST / (hosts - 1));
		fan.radius = fmax(FIRST, BETWEEN * 180 / M_PI / fan.step);
		fan.next = fan.radius + NEXT;
	}
	return fan;
}

static struct draw_point host_place(struct draw_point at, u32 nth, u32 all)
{
	struct fan fan = fan_of(all);
	double angle = (nth - (all - 1) / 2.0) * fan.step * M_PI / 180;
	double radius = nth % 2 ? fan.radius : fan.next;

	return draw_point(at.x + radius * cos(angle), at.y + radius * sin(angle));
}

static double width_of(u32 hosts)
{
	return ROOM + (hosts ? fan_of(hosts).next : 0);
}

/* How far a switch's hosts reach upwards. */
static double height_of(u32 hosts)
{
	struct fan fan = fan_of(hosts);

	if (!hosts)
		return 0;
	return fan.next * sin((hosts - 1) / 2.0 * fan.step * M_PI / 180);
}

/* The switches of one row of a level, which has @rows of them. */
static void place_row(struct layout *l, struct levels *s, u32 from, u32 to, u32 rows, double y)
{
	double x = 0;

	for (u32 i = from; i < to; i += rows)
		x += width_of(s->hosts[s->order[i]]);
	x /= -2;
	for (u32 i = from; i < to; i += rows) {
		u32 sw = s->order[i];

		l->router[sw] = draw_point(x + ROOM / 2, y);
		x += width_of(s->hosts[sw]);
	}
}

static void place_switches(struct layout *l, struct levels *s)
{
	double y = 0, height = 0;

	for (u32 i = 0; i < s->g->switches; i++)
		height = fmax(height, height_of(s->hosts[i]));
	for (u32 from = 0, to; from < s->g->switches; from = to) {
		double width = 0;
		u32 rows;

		to = level_end(s, from);
		for (u32 i = from; i < to; i++)
			width += width_of(s->hosts[s->order[i]]);
		/* what is too wide stands in several rows */
		rows = ceil(width / WIDE);
		for (u32 row = 0; row < rows; row++) {
			place_row(l, s, from + row, to, rows, y);
			y += 2 * height + LEVEL;
		}
	}
}

/*
 * Links leave a switch upwards or downwards: its hosts are at the side. Lines beside a link
 * are as far from it in its sloping part as at its upright ends.
 */
static void bend(struct draw_link *link, u32 parallel, double above)
{
	double dx = link->end[1].x - link->end[0].x, dy = link->end[1].y - link->end[0].y;
	double beside = (parallel % 2 ? 1.0 : -1.0) * ((parallel + 1) / 2);
	double length = hypot(dx, 0.6 * dy);

	if (fabs(dy) < 1) {
		layout_arch(link, draw_point(0, -1),
			    34 + 0.8 * above + fmin(0.06 * fabs(dx), 50) + 12 * parallel);
		return;
	}
	link->shape = DRAW_CURVE;
	for (int i = 0; i < 2; i++) {
		/* the ends of many parallel ones are all within the switch */
		link->end[i].x += 17 * beside / (fabs(beside) + 0.5);
		link->by[i] = draw_point(link->end[i].x + 12 * beside,
					 link->end[i].y + (i ? -0.5 : 0.5) * dy);
		link->aside[i] = draw_point(1, 0);
		link->bow[i] = draw_point(1, 0);
		if (fabs(dx) > 1)
			link->bow[i].y = (dx * dy > 0 ? -1 : 1) / 0.75 *
					 (1 - 0.6 * fabs(dy) / length) * length / fabs(dx);
	}
}

static void place_links(struct layout *l, const struct levels *s)
{
	const struct graph *g = s->g;

	for (u32 i = 0; i < g->links; i++) {
		const struct graph_link *link = &g->link[i];
		u32 parallel = 0;

		/* links are kept from the lesser switch */
		for (u32 k = i; k > 0 && g->link[k - 1].a == link->a; k--)
			parallel += g->link[k - 1].b == link->b;
		bend(layout_link(l, link->a, link->port_a, link->b, link->port_b), parallel,
		     fmax(height_of(s->hosts[link->a]), height_of(s->hosts[link->b])));
	}
}

static void place_hosts(struct layout *l, const struct levels *s)
{
	u32 *nth = xcalloc(s->g->switches, sizeof(*nth));

	for (u32 i = 0; i < s->g->hosts && i < l->hosts; i++) {
		u32 sw = s->g->host[i].at;

		l->host[i] = host_place(l->router[sw], nth[sw]++, s->hosts[sw]);
		l->host_link[i] = (struct draw_link){
			.router = { sw, i }, .end = { l->router[sw], l->host[i] },
		};
	}
	free(nth);
}

void layout_graph(struct layout *l, const struct graph *g)
{
	struct levels s = { .g = g };
	u32 n = g->switches;

	s.level = xcalloc(n, sizeof(*s.level));
	s.order = xcalloc(n, sizeof(*s.order));
	s.place = xcalloc(n, sizeof(*s.place));
	s.wish = xcalloc(n, sizeof(*s.wish));
	s.hosts = xcalloc(n, sizeof(*s.hosts));
	s.first = xcalloc(n + 1, sizeof(*s.first));
	s.peer = xcalloc(2 * g->links, sizeof(*s.peer));
	find_peers(&s);
	s.levels = walk(&s, choose_root(&s));
	sort(&s);
	place_switches(l, &s);
	place_hosts(l, &s);
	place_links(l, &s);
	free(s.level);
	free(s.order);
	free(s.place);
	free(s.wish);
	free(s.hosts);
	free(s.first);
	free(s.peer);
}
