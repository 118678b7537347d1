// SPDX-License-Identifier: GPL-2.0
/*
 * Star graphs: six nodes that differ in their first three symbols are a ring, rings with the
 * same symbols behind stand in a circle, circles of these again.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/layout.h"

#define RING	50.0	/* radius of six */
#define ROOM	14.0	/* of a node */
#define GAP	42.0	/* between rings and circles */
#define DETOUR	200.0
#define MAX	8
#define ROUNDS	5
#define TILTS	10

/** struct star - what is needed to place nodes */
struct star {
	u32 n;
	u32 routers;
	double tilt;			/* of all rings, in sixths of a turn */
	u8 (*symbol)[MAX];		/* [routers] permutations, symbols from 0 */
	u32 *turn;			/* [routers]: of its ring; 6 turns, 6 more mirrored */
	struct draw_point *centre;	/* [routers]: of its ring */
	u32 *leader;			/* [routers]: the first node of its ring */
};

static void unrank(u32 rank, u32 n, u8 *symbol)
{
	u8 left[MAX];
	u32 others = 1;

	for (u32 i = 0; i < n; i++)
		left[i] = i;
	for (u32 i = 2; i < n; i++)
		others *= i;
	for (u32 i = 0; i < n; i++) {
		u32 nth = rank / others;

		symbol[i] = left[nth];
		memmove(left + nth, left + nth + 1, n - i - 1 - nth);
		rank %= others;
		if (i + 2 < n)
			others /= n - 1 - i;
	}
}

static u32 rank_of(const u8 *symbol, u32 n)
{
	u32 rank = 0;

	for (u32 i = 0; i < n; i++) {
		u32 smaller = 0;

		for (u32 j = i + 1; j < n; j++)
			smaller += symbol[j] < symbol[i];
		rank = rank * (n - i) + smaller;
	}
	return rank;
}

/* The place of a node in its ring: abc bac cab acb bca cba. */
static u32 place_in_ring(const u8 *s)
{
	static const u8 place[6] = { 0, 3, 1, 4, 2, 5 };
	u32 smaller = (s[1] < s[0]) + (s[2] < s[0]);

	return place[2 * smaller + (s[2] < s[1])];
}

static struct draw_point on_circle(double radius, double turn)
{
	return draw_point(radius * sin(2 * M_PI * turn), -radius * cos(2 * M_PI * turn));
}

/* The centre of a node's ring: of each circle the symbol at the end says where. */
static struct draw_point centre_of(const u8 *symbol, u32 n)
{
	struct draw_point centre = { 0, 0 };
	double extent = RING + ROOM;

	for (u32 k = 4; k <= n; k++) {
		double radius = (2 * extent + GAP) / (2 * sin(M_PI / k));
		u32 nth = 0;
		struct draw_point at;

		/* of the symbols that are left, in their order */
		for (u32 i = 0; i < k - 1; i++)
			nth += symbol[i] < symbol[k - 1];
		at = on_circle(radius, (nth + (k == 4 ? 0.5 : 0)) / (double)k);
		centre = draw_point(centre.x + at.x, centre.y + at.y);
		extent += radius;
	}
	return centre;
}

static struct draw_point place(const struct star *s, u32 node, u32 turn)
{
	u32 nth = place_in_ring(s->symbol[node]);
	struct draw_point at;

	if (turn >= 6)
		nth = 5 - nth;
	at = on_circle(RING, (nth + turn % 6 + s->tilt) / 6.0);
	return draw_point(s->centre[node].x + at.x, s->centre[node].y + at.y);
}

static u32 neighbour(const struct star *s, u32 node, u32 with)
{
	u8 symbol[MAX];

	memcpy(symbol, s->symbol[node], sizeof(symbol));
	symbol[0] = s->symbol[node][with];
	symbol[with] = s->symbol[node][0];
	return rank_of(symbol, s->n);
}

/* Does a line pass by a node of the ring of @node, in which it does not end? */
static bool passes(const struct star *s, u32 node, struct draw_point from, struct draw_point to)
{
	double length = hypot(to.x - from.x, to.y - from.y);

	for (u32 i = 0; i < 6; i++) {
		struct draw_point at = on_circle(RING, (i + s->tilt) / 6.0);
		double x = at.x + s->centre[node].x - from.x, y = at.y + s->centre[node].y - from.y;
		double along = (x * (to.x - from.x) + y * (to.y - from.y)) / length;
		double aside = fabs(x * (to.y - from.y) - y * (to.x - from.x)) / length;

		if (along > 1 && along < length - 1 && aside < ROOM)
			return true;
	}
	return false;
}

/* How long the links out of a node's ring are that end at the node; to pass nodes is far. */
static double length_at(const struct star *s, u32 node, u32 turn)
{
	struct draw_point here = place(s, node, turn);
	double length = 0;

	for (u32 k = 3; k < s->n; k++) {
		u32 to = neighbour(s, node, k);
		struct draw_point there = place(s, to, s->turn[s->leader[to]]);

		length += hypot(there.x - here.x, there.y - here.y);
		if (passes(s, node, here, there) || passes(s, to, here, there))
			length += DETOUR;
	}
	return length;
}

/* All nodes of a ring, turned so. */
static double length_of_ring(const struct star *s, u32 leader, u32 turn)
{
	u32 node = leader;
	double length = 0;

	for (u32 i = 0; i < 6; i++) {
		length += length_at(s, node, turn);
		node = neighbour(s, node, 1 + i % 2);
	}
	return length;
}

/* Turn one ring after the other to where its links are shortest; returns how long all are. */
static double turn_rings(struct star *s)
{
	double sum = 0;

	memset(s->turn, 0, s->routers * sizeof(*s->turn));
	for (u32 round = 0; round < ROUNDS; round++) {
		sum = 0;
		for (u32 i = 0; i < s->routers; i++) {
			double least = 0;
			u32 best = 0;

			for (u32 turn = 0; turn < 12 && s->leader[i] == i; turn++) {
				double length = length_of_ring(s, i, turn);

				if (!turn || length < least - 0.01) {
					least = length;
					best = turn;
				}
			}
			s->turn[i] = best;
			sum += least;
		}
	}
	return sum;
}

/* All rings stand alike, so that as few links as possible pass nodes. */
static void tilt_rings(struct star *s)
{
	double least = 0;
	u32 best = 0;

	for (u32 tilt = 0; tilt < TILTS; tilt++) {
		double length;

		s->tilt = (double)tilt / TILTS;
		length = turn_rings(s);
		if (!tilt || length < least - 0.01) {
			least = length;
			best = tilt;
		}
	}
	s->tilt = (double)best / TILTS;
	turn_rings(s);
}

static void begin(struct star *s)
{
	for (u32 i = 0; i < s->routers; i++)
		unrank(i, s->n, s->symbol[i]);
	for (u32 i = 0; i < s->routers; i++) {
		u32 at = i, least = i;

		for (u32 k = 0; k < 6; k++) {
			at = neighbour(s, at, 1 + k % 2);
			least = at < least ? at : least;
		}
		s->leader[i] = least;
		s->centre[i] = centre_of(s->symbol[i], s->n);
	}
}

void layout_star(struct layout *l, u32 symbols)
{
	struct star s = { .n = symbols, .routers = l->routers };

	s.symbol = xcalloc(s.routers, sizeof(*s.symbol));
	s.turn = xcalloc(s.routers, sizeof(*s.turn));
	s.centre = xcalloc(s.routers, sizeof(*s.centre));
	s.leader = xcalloc(s.routers, sizeof(*s.leader));
	l->symbols = symbols;
	begin(&s);
	tilt_rings(&s);
	for (u32 i = 0; i < s.routers; i++)
		l->router[i] = place(&s, i, s.turn[s.leader[i]]);
	for (u32 i = 0; i < s.routers; i++) {
		for (u32 k = 1; k < symbols; k++) {
			u32 to = neighbour(&s, i, k);

			if (i < to)
				layout_link(l, i, k - 1, to, k - 1);
		}
	}
	free(s.symbol);
	free(s.turn);
	free(s.centre);
	free(s.leader);
}
