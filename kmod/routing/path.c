// SPDX-License-Identifier: GPL-2.0
/*
 * The header decision of path worms: deliver here if this router's node is the
 * next destination, and go on to the one after it. Absorb and forward: both
 * branches are asked for at once.
 */
#include "routing/routing.h"

/**
 * mcfab_route_path() - outputs of a path worm's header
 * @view: the fabric
 * @hdr: the header
 * @step: routing function between the destinations
 * @out: filled in
 *
 * A forced first port counts only where the worm is injected. All virtual
 * channels may be taken.
 *
 * Context: Any.
 */
void mcfab_route_path(const struct mcfab_view *view, const struct mcfab_header *hdr,
		      mcfab_step_fn step, struct mcfab_decision *out)
{
	const struct mcfab_topo *topo = view->topo;
	struct mcfab_branch *branch = out->branch;
	u32 first = hdr->first;
	u32 node;

	out->nbranches = 0;
	if (first >= hdr->last)
		return;
	node = hdr->dst[first] & ~(u32)MCFAB_DST_RELAY;
	if (topo->router[node] == hdr->router) {
		branch->node = node;
		branch->nports = 0;
		branch->first = first;
		branch->last = first + 1;
		branch->state = 0;
		branch++;
		first++;
	}
	if (first < hdr->last) {
		node = hdr->dst[first] & ~(u32)MCFAB_DST_RELAY;
		branch->node = MCFAB_NONE;
		branch->nports = 1;
		if (hdr->in_port == MCFAB_PORT_ANY && hdr->first_port != MCFAB_PORT_ANY)
			branch->port[0] = hdr->first_port;
		else
			branch->port[0] = step(topo, hdr->router, node);
		branch->vcs[0] = (u16)((1u << view->vcs) - 1);
		branch->first = first;
		branch->last = hdr->last;
		branch->state = hdr->state;
		branch++;
	}
	out->nbranches = branch - out->branch;
}
EXPORT_SYMBOL_NS_GPL(mcfab_route_path, MCFAB);
