// SPDX-License-Identifier: GPL-2.0
/*
 * Functions that meshes and tori share: ids, coordinates, ports and labels. Meshes and tori differ
 * in their wrap links only.
 *
 * Dimension 0 is x; node (x0, x1, ...) has the id x0 + k0 * (x1 + k1 * (x2 + ...)). Port 2 * d
 * leads towards greater coordinates of dimension d, port 2 * d + 1 towards smaller ones. At a
 * border without a wrap link the port exists but leads nowhere.
 *
 * Labels follow the snake: reflected mixed-radix order, x fastest, the last dimension most
 * significant. A digit runs backwards whenever the number that the more significant digits form is
 * odd, so that consecutive labels are always neighbours, for odd and even radices alike.
 */
#include <linux/sched.h>

#include "topology/grid.h"

/* After so many nodes other processes get the processor. */
#define BREATH	1024

/* Coordinates are kept in 16 bits. */
#define MOST_RADIX	65536

/**
 * mcfab_grid_init() - check the radices of a mesh or torus and set its counts
 * @topo: topology with @ndims and @radix
 * @least: least radix, 1 or more
 * @err: filled in when the request is refused, with the dimension to blame
 *
 * Context: Any.
 * Return: 0 or -EINVAL.
 */
int mcfab_grid_init(struct mcfab_topo *topo, u32 least, struct mcfab_err *err)
{
	u64 nodes = 1;
	u32 dim;

	err->index = 0;
	if (!topo->ndims || topo->ndims > MCFAB_MAX_DIMS)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_FABRIC_DIMS,
				    "a %s has 1 to %u dimensions, not %u", topo->ops->name,
				    MCFAB_MAX_DIMS, topo->ndims);
	for (dim = 0; dim < topo->ndims; dim++) {
		u32 radix = topo->radix[dim];

		err->index = dim;
		if (!radix)
			return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_FABRIC_DIMS,
					    "dimension %u has no nodes", dim);
		if (radix < least)
			return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_FABRIC_DIMS,
					    "dimension %u needs %u nodes: a node has no link to itself",
					    dim, least);
		/* At most 2^20 * 2^32: never overflows. */
		if (nodes * radix > MCFAB_MAX_NODES)
			return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_FABRIC_DIMS,
					    "more than %u nodes from dimension %u on",
					    MCFAB_MAX_NODES, dim);
		if (radix > MOST_RADIX)
			return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_FABRIC_DIMS,
					    "dimension %u has more than %u nodes", dim,
					    MOST_RADIX);
		nodes *= radix;
	}
	mcfab_grid_count(topo);
	topo->degree = topo->ports;
	err->index = 0;
	return 0;
}

/**
 * mcfab_grid_count() - set strides and counts
 * @topo: topology whose @ndims and @radix are right
 *
 * Context: Any.
 */
void mcfab_grid_count(struct mcfab_topo *topo)
{
	u32 dim;

	topo->nodes = 1;
	for (dim = 0; dim < topo->ndims; dim++) {
		topo->stride[dim] = topo->nodes;
		topo->nodes *= topo->radix[dim];
	}
	topo->routers = topo->nodes;
	topo->ports = 2 * topo->ndims;
}

static u32 grid_label(const struct mcfab_topo *topo, const u16 *coord)
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

/* The channels of a node along one dimension, of which @at is its coordinate. */
static void fill_peers(const struct mcfab_topo *topo, u32 node, u32 dim, u32 at, bool wrap)
{
	u32 *peer = topo->peer + node * topo->ports;
	u32 stride = topo->stride[dim], round = (topo->radix[dim] - 1) * stride;
	u32 up = 2 * dim, down = 2 * dim + 1;

	peer[up] = MCFAB_NONE;
	peer[down] = MCFAB_NONE;
	if (at + 1 < topo->radix[dim])
		peer[up] = (node + stride) * topo->ports + down;
	else if (wrap)
		peer[up] = (node - round) * topo->ports + down;
	if (at)
		peer[down] = (node - stride) * topo->ports + up;
	else if (wrap)
		peer[down] = (node + round) * topo->ports + up;
}

/**
 * mcfab_grid_fill() - fill the tables of a mesh or torus
 * @topo: topology with its tables allocated
 * @wrap: with wrap links
 *
 * Two nodes in a ring have two links: the + port of the first and the - port of the second are the
 * ends of the inner link, the other two ports are the ends of the wrap link.
 *
 * Context: May sleep.
 */
void mcfab_grid_fill(struct mcfab_topo *topo, bool wrap)
{
	u16 at[MCFAB_MAX_COORDS] = { 0 };
	u32 node, dim;

	for (node = 0; node < topo->nodes; node++) {
		u32 label = grid_label(topo, at);

		if (!(node % BREATH))
			cond_resched();
		topo->router[node] = node;
		topo->label[node] = label;
		topo->by_label[label] = node;
		for (dim = 0; dim < topo->ndims; dim++) {
			topo->coord[node * topo->ndims + dim] = at[dim];
			fill_peers(topo, node, dim, at[dim], wrap);
		}
		for (dim = 0; dim < topo->ndims; dim++) {
			/* 65535 + 1 is no u16 */
			if (at[dim] + 1u < topo->radix[dim]) {
				at[dim]++;
				break;
			}
			at[dim] = 0;
		}
	}
}

/**
 * mcfab_grid_port_name() - name of a port: +x, -y; +4 from the fifth dimension on
 * @topo: mesh or torus
 * @port: port
 * @buf: where to write it
 * @len: bytes of @buf
 *
 * Context: Any.
 */
void mcfab_grid_port_name(const struct mcfab_topo *topo, u32 port, char *buf, size_t len)
{
	static const char axis[] = "xyzw";
	char sign = port & 1 ? '-' : '+';

	if (port >= topo->ports)
		snprintf(buf, len, "?");
	else if (port / 2 < sizeof(axis) - 1)
		snprintf(buf, len, "%c%c", sign, axis[port / 2]);
	else
		snprintf(buf, len, "%c%u", sign, port / 2);
}
