/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where routers, hosts and links of a network are in a picture. The same network always
 * has the same picture. Lengths are in pixels, y grows downwards.
 */
#ifndef MCASTCTL_DRAW_LAYOUT_H
#define MCASTCTL_DRAW_LAYOUT_H

#include <json-c/json.h>

#include "base/util.h"
#include "graph/graph.h"

/* With more routers a picture is too large for any viewer. */
#define DRAW_MAX_ROUTERS	4096
#define DRAW_MAX_HOSTS		16384
#define DRAW_NONE		UINT32_MAX

struct draw_point {
	double x;
	double y;
};

enum draw_shape {
	DRAW_LINE,
	DRAW_CURVE,
	DRAW_CUT,		/* a stub at each end: the way between them is not drawn */
};

/** struct draw_link - a link between two routers, or between a router and a host */
struct draw_link {
	u32 router[2];
	u32 port[2];
	enum draw_shape shape;
	struct draw_point end[2];
	struct draw_point by[2];	/* control points of a curve; ends of stubs */
	struct draw_point aside[2];	/* where lines run beside the middle one */
	struct draw_point bow[2];	/* and their control points or ends of stubs */
	bool labelled;			/* a cut link that leaves the picture */
};

/** struct layout - a network with places */
struct layout {
	char *name;			/* of the network, as in "mesh 16x16" */
	u32 routers;
	u32 ports;
	u32 hosts;			/* 0: nodes are at the routers of their number */
	u32 links;
	u32 link_room;
	u32 symbols;			/* nodes are permutations of so many; 0: numbers */
	struct draw_point *router;
	struct draw_point *host;
	struct draw_link *link;
	struct draw_link *host_link;	/* [hosts], router[0] is the switch */
	u32 *at;			/* [routers * ports]: 2 * link + end, or DRAW_NONE */
	double width;
	double height;
	const char *note;		/* what is to be said about the picture, or NULL */
};

/*
 * Place the network of a fabric, whose object lookup_fabric() gave. What cannot be drawn is
 * refused under @key and @word, as the user wrote them.
 */
enum status layout_make(struct json_object *fabric, const char *key, const char *word,
			struct layout *l);
void layout_free(struct layout *l);

/* How a node is written, host or router. */
const char *layout_node(const struct layout *l, u32 node, char *text, size_t size);
/* The same without brackets, for where there is little room. */
const char *layout_short(const struct layout *l, u32 node, char *text, size_t size);
struct draw_point layout_place(const struct layout *l, u32 node);

/* For those who place: one more link, straight until said otherwise; its ports. */
struct draw_link *layout_link(struct layout *l, u32 a, u32 port_a, u32 b, u32 port_b);
/* An arch over the way from one end to the other, @height on the side of @up. */
void layout_arch(struct draw_link *link, struct draw_point up, double height);
struct draw_point draw_point(double x, double y);
/* @length along the way from @a to @b */
struct draw_point draw_towards(struct draw_point a, struct draw_point b, double length);

/* layout_grid.c: meshes, tori, rings, hypercubes; layout_star.c; layout_graph.c */
void layout_grid(struct layout *l, const u32 *radix, u32 dims, bool wraps);
void layout_cube(struct layout *l, u32 dims);
void layout_star(struct layout *l, u32 symbols);
void layout_graph(struct layout *l, const struct graph *g);

#endif
