// SPDX-License-Identifier: GPL-2.0
/*
 * n-dimensional mesh: one node at every router, a pair of channels between
 * neighbours along each dimension, no wrap links.
 *
 * Dimension 0 is x; node (x0, x1, ...) has the id x0 + k0 * (x1 + k1 * (x2 + ...)).
 * Port 2 * d leads towards greater coordinates of dimension d, port 2 * d + 1
 * towards smaller ones; at the border the port exists but leads nowhere.
 *
 * Labels follow the snake: reflected mixed-radix order, x fastest, the last
 * dimension most significant. A digit runs backwards whenever the number that the
 * more significant digits form is odd, so that consecutive labels are always
 * neighbours, for odd and even radices alike.
 */
#include <linux/mcfab.h>

#include "core/policy.h"
#include "topology/topology.h"

static int mesh_init(struct mcfab_topo *topo, struct mcfab_err *err)
{
	u64 nodes = 1;
	u32 dim;

	err->index = 0;
	if (!topo->ndims || topo->ndims > MCFAB_MAX_DIMS)
		return mcfab_refuse(err, -EINVAL, MCFAB_A_FABRIC_DIMS,
				    "a mesh has 1 to %u dimensions, not %u",
				    MCFAB_MAX_DIMS, topo->ndims);
	for (dim = 0; dim < topo->ndims; dim++) {
		err->index = dim;
		if (!topo->radix[dim])
			return mcfab_refuse(err, -EINVAL, MCFAB_A_FABRIC_DIMS,
					    "dimension %u has no nodes", dim);
		topo->stride[dim] = nodes;
		/* At most 2^16 * 2^32: never overflows. */
		nodes *= topo->radix[dim];
		if (nodes > MCFAB_MAX_NODES)
			return mcfab_refuse(err, -EINVAL, MCFAB_A_FABRIC_DIMS,
					    "more than %u nodes from dimension %u on",
					    MCFAB_MAX_NODES, dim);
	}
	err->index = 0;
	topo->nodes = nodes;
	topo->routers = nodes;
	topo->ports = 2 * topo->ndims;
	topo->degree = 2 * topo->ndims;
	return 0;
}

static u32 mesh_label(const struct mcfab_topo *topo, const u16 *coord)
{
	u32 label = 0, dim;

	for (dim = topo->ndims; dim-- > 0;) {
		u32 digit = coord[dim];

		if (label & 1)
			digit = topo->radix[dim] - 1 - digit;
		label = label * topo->radix[dim] + digit;
	}
	return label;
}

static void mesh_fill(struct mcfab_topo *topo)
{
	u16 at[MCFAB_MAX_DIMS] = { 0 };
	u32 node, dim;

	for (node = 0; node < topo->nodes; node++) {
		u32 *peer = topo->peer + node * topo->ports;
		u32 label = mesh_label(topo, at);

		topo->router[node] = node;
		topo->label[node] = label;
		topo->by_label[label] = node;
		for (dim = 0; dim < topo->ndims; dim++) {
			u32 up = 2 * dim, down = 2 * dim + 1;

			topo->coord[node * topo->ndims + dim] = at[dim];
			peer[up] = MCFAB_NONE;
			peer[down] = MCFAB_NONE;
			if (at[dim] + 1u < topo->radix[dim])
				peer[up] = (node + topo->stride[dim]) * topo->ports + down;
			if (at[dim])
				peer[down] = (node - topo->stride[dim]) * topo->ports + up;
		}
		for (dim = 0; dim < topo->ndims; dim++) {
			if (++at[dim] < topo->radix[dim])
				break;
			at[dim] = 0;
		}
	}
}

static void mesh_port_name(const struct mcfab_topo *topo, u32 port, char *buf, size_t len)
{
	static const char axis[MCFAB_MAX_DIMS] = "xyzw4567";

	if (port >= topo->ports)
		snprintf(buf, len, "?");
	else
		snprintf(buf, len, "%c%c", port & 1 ? '-' : '+', axis[port / 2]);
}

const struct mcfab_topo_ops mcfab_mesh_ops = {
	.name		= "mesh",
	.title		= "n-dimensional mesh",
	.serve		= MCFAB_POLICY_MESH,
	.init		= mesh_init,
	.fill		= mesh_fill,
	.port_name	= mesh_port_name,
};

/**
 * mcfab_distance() - hops between two nodes of a mesh
 * @topo: mesh
 * @a: a node
 * @b: a node
 *
 * Context: Any.
 * Return: their Manhattan distance.
 */
u32 mcfab_distance(const struct mcfab_topo *topo, u32 a, u32 b)
{
	const u16 *ca = topo->coord + a * topo->ndims;
	const u16 *cb = topo->coord + b * topo->ndims;
	u32 dim, hops = 0;

	for (dim = 0; dim < topo->ndims; dim++)
		hops += ca[dim] > cb[dim] ? ca[dim] - cb[dim] : cb[dim] - ca[dim];
	return hops;
}
EXPORT_SYMBOL_NS_GPL(mcfab_distance, MCFAB);
