// SPDX-License-Identifier: GPL-2.0
/*
 * Dimension order on a torus: complete one coordinate after the other, x first, the
 * shorter way round each ring; where both ways are equally long, towards greater
 * coordinates.
 *
 * A ring of channels is a cycle, so a ring has a dateline, its wrap link: worms take
 * the lower half of the virtual channels (p) up to it, the upper half (q) from it on.
 * No shortest way passes a dateline twice, so neither half closes the cycle. Each
 * dimension begins with p again: dimension order keeps the rings apart.
 */
#include "routing/routing.h"

/* the port that leads from @from to @to in dimension @dim, the shorter way round */
static u32 ring_port(const struct mcfab_topo *topo, u32 dim, u32 from, u32 to)
{
	bool down = from > to;
	u32 inner = down ? from - to : to - from;

	/* round the wrap link: if that is shorter, or as long and the one towards + */
	if (2 * inner > topo->radix[dim] || (2 * inner == topo->radix[dim] && down))
		down = !down;
	return 2 * dim + down;
}

/*
 * At how many routers after this one is the same hop made, by a port that dimension order has
 * chosen? Up to the turn, or up to the wrap link, where the virtual channels change.
 */
static u32 ring_run(const struct mcfab_topo *topo, u32 here, u32 dst, u32 port, bool wrapped)
{
	u32 dim = port / 2, radix = topo->radix[dim];
	u32 from = topo->coord[here * topo->ndims + dim];
	u32 to = topo->coord[dst * topo->ndims + dim];
	u32 hops, wrap;

	if (port & 1) {
		hops = from > to ? from - to : from + radix - to;
		wrap = from;
	} else {
		hops = to > from ? to - from : to + radix - from;
		wrap = radix - 1 - from;
	}
	/* at the wrap link's router the state is another */
	return wrapped || wrap >= hops ? hops - 1 : wrap - 1;
}

/**
 * mcfab_step_torus() - next hop of dimension order, the shorter way round
 * @topo: torus
 * @here: node the header is at
 * @dst: destination, not @here
 *
 * Context: Any.
 * Return: the output port.
 */
u32 mcfab_step_torus(const struct mcfab_topo *topo, u32 here, u32 dst)
{
	const u16 *from = topo->coord + here * topo->ndims;
	const u16 *to = topo->coord + dst * topo->ndims;
	u32 dim;

	for (dim = 0; dim + 1 < topo->ndims; dim++)
		if (from[dim] != to[dim])
			break;
	return ring_port(topo, dim, from[dim], to[dim]);
}
EXPORT_SYMBOL_NS_GPL(mcfab_step_torus, MCFAB);

/**
 * mcfab_hop_torus() - next hop of dimension order with the virtual channels to take
 * @view: fabric of a torus, at least two virtual channels
 * @hdr: the header; its state is that which the hop before has set
 * @dst: destination, not the header's router
 * @hop: filled in; a forced port is kept
 *
 * The state is 2 * dimension + 1 from the wrap link of that dimension on, else 2 *
 * dimension.
 *
 * Context: Any.
 */
void mcfab_hop_torus(const struct mcfab_view *view, const struct mcfab_header *hdr, u32 dst,
		     struct mcfab_hop *hop)
{
	bool chosen = hop->port == MCFAB_PORT_ANY;
	u32 before;

	if (chosen)
		hop->port = mcfab_step_torus(view->topo, hdr->router, dst);
	before = hop->port & ~1u;
	hop->state = before;
	if (hdr->state == before + 1 || mcfab_topo_wraps(view->topo, hdr->router, hop->port))
		hop->state++;
	hop->vcs = hop->state & 1 ? mcfab_vcs_q(view) : mcfab_vcs_p(view);
	if (chosen)
		hop->run = ring_run(view->topo, hdr->router, dst, hop->port, hop->state & 1);
}
EXPORT_SYMBOL_NS_GPL(mcfab_hop_torus, MCFAB);

/**
 * mcfab_hop_meshes() - next hop along one ring of a torus, then along a line across it
 * @view: fabric of a torus of two dimensions, at least two virtual channels
 * @hdr: the header; its arg is the ring's dimension, which comes first, and its state
 *	 that which the hop before has set
 * @dst: destination, not the header's router
 * @hop: filled in; a forced port is kept
 *
 * The shorter way round the ring; across it the wrap links are not used, so that a
 * half of the torus is a mesh.
 *
 * Context: Any.
 */
void mcfab_hop_meshes(const struct mcfab_view *view, const struct mcfab_header *hdr, u32 dst,
		      struct mcfab_hop *hop)
{
	const u16 *from = view->topo->coord + hdr->router * view->topo->ndims;
	const u16 *to = view->topo->coord + dst * view->topo->ndims;
	u32 ring = hdr->arg, line = !ring;

	if (hop->port == MCFAB_PORT_ANY && from[ring] != to[ring])
		hop->port = ring_port(view->topo, ring, from[ring], to[ring]);
	else if (hop->port == MCFAB_PORT_ANY)
		hop->port = 2 * line + (from[line] > to[line]);
	mcfab_hop_torus(view, hdr, dst, hop);
}
EXPORT_SYMBOL_NS_GPL(mcfab_hop_meshes, MCFAB);

/**
 * mcfab_plane_init() - is the fabric a torus of two dimensions with p and q?
 * @view: fabric of a torus
 * @values: not used
 * @priv: not used
 * @err: filled in if it is not
 *
 * The init() of policies that know rows and columns and take p before and q from the
 * wrap links.
 *
 * Context: Any.
 * Return: 0 or -EOPNOTSUPP.
 */
int mcfab_plane_init(const struct mcfab_view *view, const u32 *values, void *priv,
		     struct mcfab_err *err)
{
	if (view->topo->ndims != 2)
		return mcfab_refuse(err, -EOPNOTSUPP, 0,
				    "needs a torus of 2 dimensions, the fabric has %u",
				    view->topo->ndims);
	if (view->vcs < 2)
		return mcfab_refuse(err, -EOPNOTSUPP, 0,
				    "wrap links need vcs 2, the fabric has %u", view->vcs);
	return 0;
}
EXPORT_SYMBOL_NS_GPL(mcfab_plane_init, MCFAB);
