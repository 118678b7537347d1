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
#define FIRST	54.0		/* from a switch to its first hosts, and on to the next */
#define NEXT	25.0
#define QUARTER	6.5		/* degrees; every other far arc is turned by so many */

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

/* Hosts of a switch stand on arcs, those of the next arc between those of the one before. */
static struct draw_point host_place(struct draw_point at, u32 nth, u32 all)
{
	u32 arc = 0, room = 5, first = 0;
	double radius, angle, step;

	while (nth >= first + room) {
		first += room;
		arc++;
		room = arc == 1 ? 6 : 10;
	}
	radius = FIRST + arc * NEXT;
	if (all - first < room)
		room = all - first;
	step = arc < 2 ? 26 : 13;
	angle = (nth - first - (room - 1) / 2.0) * step + (arc > 1 && arc % 2 ? QUARTER : 0);
	return draw_point(at.x + radius * cos(angle * M_PI / 180),
			  at.y + radius * sin(angle * M_PI / 180));
}

static double width_of(u32 hosts)
{
	double width = hosts ? FIRST : 0;

	for (u32 n = hosts, room = 5; n > room; room = room == 5 ? 6 : 10) {
		n -= room;
		width += NEXT;
	}
	return ROOM + width;
}

static void place_switches(struct layout *l, struct levels *s)
{
	double y = 0, pitch = 130;

	for (u32 i = 0; i < s->g->switches; i++) {
		if (s->hosts[i] > 3)
			pitch = fmax(pitch, s->hosts[i] > 5 ? 210 : 180);
	}
	for (u32 from = 0, to; from < s->g->switches; from = to) {
		double x = 0;

		to = level_end(s, from);
		for (u32 i = from; i < to; i++)
			x += width_of(s->hosts[s->order[i]]);
		x /= -2;
		for (u32 i = from; i < to; i++) {
			u32 sw = s->order[i];

			l->router[sw] = draw_point(x + ROOM / 2, y);
			x += width_of(s->hosts[sw]);
		}
		y += pitch;
	}
}

/*
 * Links leave a switch upwards or downwards: its hosts are at the side. Lines beside a link
 * are as far from it in its sloping part as at its upright ends.
 */
static void bend(struct draw_link *link, u32 parallel, u32 hosts)
{
	double dx = link->end[1].x - link->end[0].x, dy = link->end[1].y - link->end[0].y;
	double beside = (parallel % 2 ? 1.0 : -1.0) * ((parallel + 1) / 2);
	double length = hypot(dx, 0.6 * dy);

	if (fabs(dy) < 1) {
		layout_arch(link, draw_point(0, -1),
			    (hosts > 2 ? 66 : 34) + fmin(0.06 * fabs(dx), 50) + 12 * parallel);
		return;
	}
	link->shape = DRAW_CURVE;
	for (int i = 0; i < 2; i++) {
		link->end[i].x += 12 * beside;
		link->by[i] = draw_point(link->end[i].x + 10 * beside,
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
		     s->hosts[link->a] + s->hosts[link->b]);
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
