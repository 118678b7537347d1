// SPDX-License-Identifier: GPL-2.0
/*
 * Shortest paths on a star graph: if the first symbol is out of place, send it home, that is,
 * exchange it with the symbol at its place; else exchange it with the symbol at the lowest position
 * that is out of place (Akers and Krishnamurthy's routing).
 *
 * A worm takes virtual channel h on its hop number h, so waits go from lower to higher numbers only
 * and never in a circle. That needs as many virtual channels as the diameter, floor(3 (n - 1) / 2).
 */
#include "routing/routing.h"

/**
 * mcfab_step_star() - next hop on a shortest path between two permutations
 * @topo: star graph
 * @here: the header's node
 * @dst: destination, not @here
 *
 * Context: Any.
 * Return: the output port.
 */
u32 mcfab_step_star(const struct mcfab_topo *topo, u32 here, u32 dst)
{
	const u16 *from = topo->coord + here * topo->ndims;
	const u16 *to = topo->coord + dst * topo->ndims;
	u32 at;

	for (at = 0; at + 1 < topo->ndims && to[at] != from[0]; at++)
		;
	/* the first symbol is at home: the lowest position that is out of place */
	if (!at)
		for (at = 1; at + 1 < topo->ndims && from[at] == to[at]; at++)
			;
	return at - 1;
}
EXPORT_SYMBOL_NS_GPL(mcfab_step_star, MCFAB);

/**
 * mcfab_hop_star() - next hop on a shortest path with the virtual channel of its number
 * @view: fabric of a star graph
 * @hdr: the header; its state is the number of its hops so far
 * @dst: destination, not the header's router
 * @hop: filled in, without virtual channels if there is none for a hop so late; a
 *	 forced port is kept
 *
 * Context: Any.
 */
void mcfab_hop_star(const struct mcfab_view *view, const struct mcfab_header *hdr, u32 dst,
		    struct mcfab_hop *hop)
{
	if (hop->port == MCFAB_PORT_ANY)
		hop->port = mcfab_step_star(view->topo, hdr->router, dst);
	hop->vcs = hdr->state < view->vcs ? BIT(hdr->state) : 0;
	hop->state = hdr->state + 1;
}
EXPORT_SYMBOL_NS_GPL(mcfab_hop_star, MCFAB);
