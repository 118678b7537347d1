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
	u32 dim, inner;
	bool down;

	for (dim = 0; dim + 1 < topo->ndims; dim++)
		if (from[dim] != to[dim])
			break;
	down = from[dim] > to[dim];
	inner = down ? from[dim] - to[dim] : to[dim] - from[dim];
	/* round the wrap link: if that is shorter, or as long and the one towards + */
	if (2 * inner > topo->radix[dim] || (2 * inner == topo->radix[dim] && down))
		down = !down;
	return 2 * dim + down;
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
	u32 before;

	if (hop->port == MCFAB_PORT_ANY)
		hop->port = mcfab_step_torus(view->topo, hdr->router, dst);
	before = hop->port & ~1u;
	hop->state = before;
	if (hdr->state == before + 1 || mcfab_topo_wraps(view->topo, hdr->router, hop->port))
		hop->state++;
	hop->vcs = hop->state & 1 ? mcfab_vcs_q(view) : mcfab_vcs_p(view);
}
EXPORT_SYMBOL_NS_GPL(mcfab_hop_torus, MCFAB);
