// SPDX-License-Identifier: GPL-2.0
/*
 * Dimension order: complete one coordinate after the other, x first. Free of
 * deadlock on meshes, as no worm ever turns back to a lower dimension.
 */
#include "routing/routing.h"

/**
 * mcfab_step_dimension() - next hop of dimension-order routing
 * @topo: mesh
 * @here: node the header is at
 * @dst: destination, not @here
 *
 * Context: Any.
 * Return: the output port.
 */
u32 mcfab_step_dimension(const struct mcfab_topo *topo, u32 here, u32 dst)
{
	const u16 *from = topo->coord + here * topo->ndims;
	const u16 *to = topo->coord + dst * topo->ndims;
	u32 dim;

	for (dim = 0; dim + 1 < topo->ndims; dim++)
		if (from[dim] != to[dim])
			break;
	return 2 * dim + (from[dim] > to[dim]);
}
EXPORT_SYMBOL_NS_GPL(mcfab_step_dimension, MCFAB);

/**
 * mcfab_run_dimension() - how far dimension-order routing goes straight on
 * @topo: mesh
 * @here: node the header is at
 * @dst: destination, not @here
 * @port: its next output port
 *
 * Context: Any.
 * Return: the number of routers after this one where the port is the same.
 */
u32 mcfab_run_dimension(const struct mcfab_topo *topo, u32 here, u32 dst, u32 port)
{
	const u16 *from = topo->coord + here * topo->ndims;
	const u16 *to = topo->coord + dst * topo->ndims;
	u32 dim = port / 2;

	return abs(from[dim] - to[dim]) - 1;
}
EXPORT_SYMBOL_NS_GPL(mcfab_run_dimension, MCFAB);
