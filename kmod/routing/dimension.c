// SPDX-License-Identifier: GPL-2.0
/*
 * Dimension order: complete one coordinate after the other, x first. Free of
 * deadlock on meshes, as no worm ever turns back to a lower dimension.
 */
#include "routing/dimension.h"
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
	return mcfab_straight_dimension(topo, here, dst).port;
}
EXPORT_SYMBOL_NS_GPL(mcfab_step_dimension, MCFAB);

/**
 * mcfab_step_negative() - next hop of a routing that keeps to the turn model negative-first
 * @topo: mesh of two dimensions
 * @here: node the header is at
 * @dst: destination, not @here
 *
 * West, then south, then east, then north: no turn from east or north to west or south. Glass and
 * Ni, "The turn model for adaptive routing", ISCA 1992; the fixed order is ours.
 *
 * Context: Any.
 * Return: the output port.
 */
u32 mcfab_step_negative(const struct mcfab_topo *topo, u32 here, u32 dst)
{
	const u16 *from = topo->coord + here * topo->ndims;
	const u16 *to = topo->coord + dst * topo->ndims;

	if (to[0] < from[0])
		return 1;
	if (to[1] < from[1])
		return 3;
	return to[0] > from[0] ? 0 : 2;
}
EXPORT_SYMBOL_NS_GPL(mcfab_step_negative, MCFAB);
