// SPDX-License-Identifier: GPL-2.0
/*
 * n-dimensional torus: a mesh whose border nodes are joined by wrap links along
 * each dimension. Ids, ports and labels are those of the mesh, see grid.c.
 *
 * The snake of labels closes to a Hamiltonian cycle when the last radix is even, or
 * when there is one dimension only (a ring). The link that closes it, and all wrap
 * links beside it, are the boundary links of cycle-based policies.
 */

#include "topology/grid.h"

static int torus_init(struct mcfab_topo *topo, struct mcfab_err *err)
{
	return mcfab_grid_init(topo, 2, err);
}

static int ring_init(struct mcfab_topo *topo, struct mcfab_err *err)
{
	err->index = 0;
	if (topo->ndims != 1)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_FABRIC_DIMS,
				    "a ring has one number, that of its nodes");
	return mcfab_grid_init(topo, 2, err);
}

static void torus_fill(struct mcfab_topo *topo)
{
	mcfab_grid_fill(topo, true);
}

static u32 torus_distance(const struct mcfab_topo *topo, u32 a, u32 b)
{
	const u16 *ca = topo->coord + a * topo->ndims;
	const u16 *cb = topo->coord + b * topo->ndims;
	u32 dim, hops = 0;

	for (dim = 0; dim < topo->ndims; dim++) {
		u32 inner = ca[dim] > cb[dim] ? ca[dim] - cb[dim] : cb[dim] - ca[dim];

		hops += min(inner, topo->radix[dim] - inner);
	}
	return hops;
}

const struct mcfab_topo_ops mcfab_torus_ops = {
	.name		= "torus",
	.title		= "n-dimensional torus",
	.serve		= MCFAB_POLICY_TORUS,
	.init		= torus_init,
	.fill		= torus_fill,
	.port_name	= mcfab_grid_port_name,
	.distance	= torus_distance,
};

const struct mcfab_topo_ops mcfab_ring_ops = {
	.name		= "ring",
	.title		= "ring: torus of one dimension",
	.serve		= MCFAB_POLICY_TORUS,
	.init		= ring_init,
	.fill		= torus_fill,
	.port_name	= mcfab_grid_port_name,
	.distance	= torus_distance,
};
