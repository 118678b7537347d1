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
