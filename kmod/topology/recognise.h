/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Is an irregular network a mesh whose switches and ports are merely numbered in some order, like a
 * mesh in a real subnet?
 */
#ifndef MCFAB_TOPOLOGY_RECOGNISE_H
#define MCFAB_TOPOLOGY_RECOGNISE_H

#include "topology/topology.h"

/** enum mcfab_compass - directions on a two-dimensional mesh */
enum mcfab_compass {
	MCFAB_EAST,	/* towards greater x */
	MCFAB_NORTH,	/* towards greater y */
	MCFAB_WEST,
	MCFAB_SOUTH,
	MCFAB_COMPASS,	/* how many directions */
};

/**
 * struct mcfab_as_mesh - a network as a mesh of switches with one host each
 * @width: switches along x
 * @height: switches along y
 * @router: [@width * @height] the router at (x, y), which is its entry x + @width * y
 * @place: [routers] index of each router in @router
 * @node: [routers] the host of each router
 * @port: [routers * MCFAB_COMPASS] a router's port in each direction, MCFAB_NO_PORT
 *	  at the border
 *
 * Numbers decide which corner is (0, 0) and which side is x: the corner is the one with the lowest
 * number, and x leads from there to the neighbour with the lower number. A mesh of one row has
 * @height 1.
 */
struct mcfab_as_mesh {
	u32 width;
	u32 height;
	u32 *router;
	u32 *place;
	u32 *node;
	u8 *port;
};

int mcfab_mesh_recognise(const struct mcfab_topo *topo, struct mcfab_as_mesh *mesh,
			 struct mcfab_err *err);
void mcfab_mesh_forget(struct mcfab_as_mesh *mesh);

#endif
