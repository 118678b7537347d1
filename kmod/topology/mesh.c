// SPDX-License-Identifier: GPL-2.0
/*
 * n-dimensional mesh: one node at every router, a pair of channels between neighbours along each
 * dimension, no wrap links. Ids, ports and labels are explained in grid.c.
 *
 * A hypercube is a mesh of radices 2. It is made by its number of dimensions, which may be greater
 * than that of other meshes. Of the two ports of a dimension one leads nowhere at every node.
 */

#include "topology/grid.h"

static int mesh_init(struct mcfab_topo *topo, struct mcfab_err *err)
{
	return mcfab_grid_init(topo, 1, err);
}

static void mesh_fill(struct mcfab_topo *topo)
{
	mcfab_grid_fill(topo, false);
}

static u32 mesh_distance(const struct mcfab_topo *topo, u32 a, u32 b)
{
	const u16 *ca = topo->coord + a * topo->ndims;
	const u16 *cb = topo->coord + b * topo->ndims;
	u32 dim, hops = 0;

	/* Most meshes are planes, and policies ask for distances in their inner loops. */
	if (topo->ndims == 2)
		return abs_diff(ca[0], cb[0]) + abs_diff(ca[1], cb[1]);
	for (dim = 0; dim < topo->ndims; dim++)
		hops += abs_diff(ca[dim], cb[dim]);
	return hops;
}

static int hypercube_init(struct mcfab_topo *topo, struct mcfab_err *err)
{
	u32 dim, ndims = topo->radix[0];

	err->index = 0;
	if (topo->ndims != 1)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_FABRIC_DIMS,
				    "a hypercube has one number, that of its dimensions");
	if (!ndims || ndims > MCFAB_MAX_COORDS)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_FABRIC_DIMS,
				    "a hypercube has 1 to %u dimensions, not %u",
				    MCFAB_MAX_COORDS, ndims);
	topo->ndims = ndims;
	for (dim = 0; dim < ndims; dim++)
		topo->radix[dim] = 2;
	mcfab_grid_count(topo);
	topo->degree = ndims;
	return 0;
}

const struct mcfab_topo_ops mcfab_mesh_ops = {
	.name		= "mesh",
	.title		= "n-dimensional mesh",
	.serve		= MCFAB_POLICY_MESH,
	.init		= mesh_init,
	.fill		= mesh_fill,
	.port_name	= mcfab_grid_port_name,
	.distance	= mesh_distance,
};

const struct mcfab_topo_ops mcfab_hypercube_ops = {
	.name		= "hypercube",
	.title		= "hypercube: mesh of radices 2, asked for by its number of dimensions",
	.serve		= MCFAB_POLICY_MESH,
	.init		= hypercube_init,
	.fill		= mesh_fill,
	.port_name	= mcfab_grid_port_name,
	.distance	= mesh_distance,
};

/**
 * mcfab_distance() - hops between two nodes
 * @topo: topology
 * @a: a node
 * @b: a node
 *
 * Context: Any.
 * Return: the length of a shortest path; on a mesh the Manhattan distance. Not for
 * irregular networks.
 */
u32 mcfab_distance(const struct mcfab_topo *topo, u32 a, u32 b)
{
	/* Spare the policies of meshes, which call this often, the indirect call. */
	if (topo->ops->distance == mesh_distance)
		return mesh_distance(topo, a, b);
	return topo->ops->distance(topo, a, b);
}
EXPORT_SYMBOL_NS_GPL(mcfab_distance, MCFAB);
