/* SPDX-License-Identifier: GPL-2.0 */
/* Dimension order for functions that ask at every turn of a worm. */
#ifndef MCFAB_ROUTING_DIMENSION_H
#define MCFAB_ROUTING_DIMENSION_H

#include "topology/topology.h"

/**
 * struct mcfab_straight - the next straight part of a way
 * @port: output port
 * @routers: for how many routers after this one the port is the same
 * @ends: the destination is at the router after these
 */
struct mcfab_straight {
	u32 port;
	u32 routers;
	bool ends;
};

/**
 * mcfab_straight_dimension() - how dimension-order routing goes on
 * @topo: mesh
 * @here: node the header is at
 * @dst: destination, not @here
 *
 * Context: Any.
 * Return: up to the next turn.
 */
static inline struct mcfab_straight
mcfab_straight_dimension(const struct mcfab_topo *topo, u32 here, u32 dst)
{
	const u16 *from = topo->coord + here * topo->ndims;
	const u16 *to = topo->coord + dst * topo->ndims;
	u32 last = topo->ndims - 1, dim = 0;
	struct mcfab_straight way;

	while (dim < last && from[dim] == to[dim])
		dim++;
	way.port = 2 * dim + (from[dim] > to[dim]);
	way.routers = abs(from[dim] - to[dim]) - 1;
	while (dim < last && from[last] == to[last])
		last--;
	way.ends = dim == last;
	return way;
}

#endif
