// SPDX-License-Identifier: GPL-2.0
/*
 * Covering a set along the Hamiltonian labelling: dual-path and multipath. policies/dp.c and
 * policies/mp.c explain which destinations a worm gets.
 */
#include "routing/cover.h"
#include "routing/routing.h"

/**
 * mcfab_cover_dual_base() - dual-path: one worm up the labels, one down
 * @topo: topology
 * @sender: node that sends
 * @after: the worm that delivers to it, or MCFAB_NONE
 * @dst: destinations
 * @ndst: how many
 * @plan: where the worms go
 * @base: MCFAB_BASE_LABEL or MCFAB_BASE_LINKS
 *
 * Context: Any.
 */
void mcfab_cover_dual_base(const struct mcfab_topo *topo, u32 sender, u32 after, u32 *dst,
			   u32 ndst, struct mcfab_plan *plan, enum mcfab_base base)
{
	u32 below = mcfab_split_labels(topo, sender, dst, ndst);
	u32 i;

	if (below < ndst) {
		mcfab_plan_worm(plan, sender, after, MCFAB_PORT_ANY, base);
		for (i = below; i < ndst; i++)
			mcfab_plan_dst(plan, dst[i]);
	}
	if (below) {
		mcfab_plan_worm(plan, sender, after, MCFAB_PORT_ANY, base);
		for (i = below; i-- > 0;)
			mcfab_plan_dst(plan, dst[i]);
	}
}
EXPORT_SYMBOL_NS_GPL(mcfab_cover_dual_base, MCFAB);

/**
 * mcfab_cover_dual() - dual-path over the links of a mesh
 * @topo: mesh
 * @sender: node that sends
 * @after: the worm that delivers to it, or MCFAB_NONE
 * @dst: destinations
 * @ndst: how many
 * @plan: where the worms go
 * @keys: not used
 *
 * Context: Any.
 */
void mcfab_cover_dual(const struct mcfab_topo *topo, u32 sender, u32 after,
		      u32 *dst, u32 ndst, struct mcfab_plan *plan, u64 *keys)
{
	mcfab_cover_dual_base(topo, sender, after, dst, ndst, plan, MCFAB_BASE_LABEL);
}
EXPORT_SYMBOL_NS_GPL(mcfab_cover_dual, MCFAB);

/*
 * The dimension through which a destination is reached: the first but the last in which it lies
 * strictly on the side of @port, else @rest.
 */
static u32 subset(const struct mcfab_topo *topo, const u16 *from, u32 node, const u16 *port,
		  u32 rest)
{
	const u16 *to = topo->coord + node * topo->ndims;
	u32 dim;

	for (dim = 0; dim + 1 < topo->ndims; dim++) {
		if (port[dim] == MCFAB_PORT_ANY)
			continue;
		if (port[dim] & 1 ? to[dim] < from[dim] : to[dim] > from[dim])
			return dim;
	}
	return rest;
}

/* Of each dimension, the port to the neighbour with a greater (smaller) label. */
static u32 find_ports(const struct mcfab_topo *topo, u32 sender, bool up, u16 *port)
{
	u32 at = topo->label[sender];
	u32 dim, side, rest = 0;

	for (dim = 0; dim < topo->ndims; dim++) {
		port[dim] = MCFAB_PORT_ANY;
		for (side = 0; side < 2; side++) {
			u32 peer = topo->peer[sender * topo->ports + 2 * dim + side];
			u32 next;

			if (peer == MCFAB_NONE)
				continue;
			next = side ? sender - topo->stride[dim] : sender + topo->stride[dim];
			if (up ? topo->label[next] > at : topo->label[next] < at) {
				port[dim] = 2 * dim + side;
				rest = dim;
			}
		}
	}
	return rest;
}

/**
 * mcfab_cover_multi() - multipath: up to one worm through each neighbour
 * @topo: mesh
 * @sender: node that sends
 * @after: the worm that delivers to it, or MCFAB_NONE
 * @dst: destinations
 * @ndst: how many
 * @plan: where the worms go
 * @keys: not used
 *
 * Context: Any.
 */
void mcfab_cover_multi(const struct mcfab_topo *topo, u32 sender, u32 after,
		       u32 *dst, u32 ndst, struct mcfab_plan *plan, u64 *keys)
{
	const u16 *from = topo->coord + sender * topo->ndims;
	u32 below = mcfab_split_labels(topo, sender, dst, ndst);
	u16 port[MCFAB_MAX_COORDS];
	u32 half, dim, i;

	for (half = 0; half < 2; half++) {
		bool up = !half;
		u32 count = up ? ndst - below : below;
		u32 rest = find_ports(topo, sender, up, port);

		for (dim = 0; count && dim < topo->ndims; dim++) {
			bool open = false;

			for (i = 0; i < count; i++) {
				u32 node = up ? dst[below + i] : dst[below - 1 - i];

				if (subset(topo, from, node, port, rest) != dim)
					continue;
				if (!open)
					mcfab_plan_worm(plan, sender, after, port[dim],
							MCFAB_BASE_LABEL);
				open = true;
				mcfab_plan_dst(plan, node);
			}
		}
	}
}
EXPORT_SYMBOL_NS_GPL(mcfab_cover_multi, MCFAB);
