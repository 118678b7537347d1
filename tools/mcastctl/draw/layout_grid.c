// SPDX-License-Identifier: GPL-2.0
/*
 * Meshes and tori as grids, row 0 at the bottom as in papers, planes side by side;
 * hypercubes as a grid whose rows and columns are in the order of a Gray code.
 */
#include <math.h>

#include "draw/layout.h"

#define PITCH	56.0
#define STUB	30.0
#define GAP	(0.9 * PITCH)	/* between planes */

/* Where the stubs of a link of dimension @dim go, at the end with port +. */
static struct draw_point direction(u32 dim)
{
	static const struct draw_point way[] = {
		{ 1, 0 }, { 0, -1 }, { 0.62, -0.62 }, { -0.62, -0.62 },
	};

	return way[dim];
}

/* A link that is cut has a stub at each end. */
static void cut(struct draw_link *link, u32 dim, bool labelled)
{
	struct draw_point way = direction(dim);

	link->shape = DRAW_CUT;
	link->labelled = labelled;
	for (int i = 0; i < 2; i++) {
		double length = i ? -STUB : STUB;

		link->by[i] = draw_point(link->end[i].x + length * way.x,
					 link->end[i].y + length * way.y);
		link->aside[i] = dim < 2 ? draw_point(1, 1) : draw_point(-way.y, way.x);
		link->bow[i] = link->aside[i];
	}
}

void layout_grid(struct layout *l, const u32 *radix, u32 dims, bool wraps)
{
	u32 columns = radix[0], rows = dims > 1 ? radix[1] : 1, stride = 1;

	for (u32 i = 0; i < l->routers; i++) {
		u32 plane = i / (columns * rows), across = dims > 2 ? plane % radix[2] : 0;
		u32 down = dims > 2 ? plane / radix[2] : 0;

		l->router[i] = draw_point(i % columns * PITCH +
					  across * ((columns - 1) * PITCH + PITCH + GAP),
					  -(double)(i / columns % rows) * PITCH -
					  down * ((rows - 1) * PITCH + PITCH + GAP));
	}
	for (u32 dim = 0; dim < dims; dim++) {
		for (u32 i = 0; i < l->routers; i++) {
			bool last = i / stride % radix[dim] == radix[dim] - 1;
			u32 to = last ? i - (radix[dim] - 1) * stride : i + stride;
			struct draw_link *link;

			if (last && (!wraps || radix[dim] < 2))
				continue;
			link = layout_link(l, i, 2 * dim, to, 2 * dim + 1);
			if (last || dim > 1)
				cut(link, dim, dim < 2);
		}
		stride *= radix[dim];
	}
	if (dims > 2)
		l->note = wraps ? "stubs lead to the other side or the next plane" :
				  "diagonal stubs lead to the next plane";
	else if (wraps)
		l->note = "stubs at the border lead to the router whose number they have";
}

/* The place of a number in the order of the Gray code. */
static u32 place_of(u32 code)
{
	u32 place = 0;

	for (; code; code >>= 1)
		place ^= code;
	return place;
}

void layout_cube(struct layout *l, u32 dims)
{
	u32 across = (dims + 1) / 2, mask = (1u << across) - 1;
	const double pitch = 1.2 * PITCH;

	for (u32 i = 0; i < l->routers; i++)
		l->router[i] = draw_point(place_of(i & mask) * pitch,
					  -(double)place_of(i >> across) * pitch);
	for (u32 dim = 0; dim < dims; dim++) {
		for (u32 i = 0; i < l->routers; i++) {
			bool row = dim < across;
			struct draw_link *link;
			u32 length;

			if (i & 1u << dim)
				continue;
			link = layout_link(l, i, 2 * dim, i | 1u << dim, 2 * dim + 1);
			length = lround((fabs(link->end[0].x - link->end[1].x) +
					 fabs(link->end[0].y - link->end[1].y)) / pitch);
			/* longer ones span the shorter ones */
			if (length > 1)
				layout_arch(link, row ? draw_point(0, -1) : draw_point(-1, 0),
					    pitch * (0.25 + 0.3 * (length - 1) /
						     (row ? mask : l->routers >> across)));
		}
	}
}
