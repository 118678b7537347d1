// SPDX-License-Identifier: GPL-2.0
/*
 * The header decision of path worms: deliver here if this router's node is the next destination,
 * and go on to the destination after it. Absorb and forward: both branches are requested at once.
 */
#include "routing/dimension.h"
#include "routing/routing.h"

/*
 * Makes all branches, without the port of the network branch. Returns the network branch and sets
 * @node to the next destination, or returns NULL if the worm ends here.
 */
static __always_inline struct mcfab_branch *
path_branches(const struct mcfab_view *view, const struct mcfab_header *hdr,
	      struct mcfab_decision *out, u32 *node)
{
	struct mcfab_branch *branch = out->branch;
	u32 first = hdr->first;

	out->nbranches = 0;
	if (first >= hdr->last)
		return NULL;
	*node = hdr->dst[first] & ~(u32)MCFAB_DST_RELAY;
	if (view->topo->router[*node] == hdr->router) {
		branch->node = *node;
		branch->nports = 0;
		branch->first = first;
		branch->last = first + 1;
		branch->state = 0;
		branch++;
		out->nbranches++;
		if (++first == hdr->last)
			return NULL;
		*node = hdr->dst[first] & ~(u32)MCFAB_DST_RELAY;
	}
	out->nbranches++;
	branch->node = MCFAB_NONE;
	branch->nports = 1;
	branch->first = first;
	branch->last = hdr->last;
	return branch;
}

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
	struct mcfab_branch *branch;
	u32 node;

	branch = path_branches(view, hdr, out, &node);
	if (!branch)
		return;
	if (hdr->in_port == MCFAB_PORT_ANY && hdr->first_port != MCFAB_PORT_ANY)
		branch->port[0] = hdr->first_port;
	else
		branch->port[0] = step(view->topo, hdr->router, node);
	branch->vcs[0] = mcfab_vcs_all(view);
	branch->state = hdr->state;
}
EXPORT_SYMBOL_NS_GPL(mcfab_route_path, MCFAB);

/**
 * mcfab_route_dimension() - outputs of a path worm's header, in dimension order
 * @view: the fabric, a mesh
 * @hdr: the header
 * @out: filled in
 *
 * As mcfab_route_path() with mcfab_step_dimension(). It also says for how many routers the worm
 * goes straight on, and whether that is to its end.
 *
 * Context: Any.
 */
void mcfab_route_dimension(const struct mcfab_view *view, const struct mcfab_header *hdr,
			   struct mcfab_decision *out)
{
	struct mcfab_branch *branch;
	struct mcfab_straight way;
	u32 node;

	branch = path_branches(view, hdr, out, &node);
	if (!branch)
		return;
	branch->vcs[0] = mcfab_vcs_all(view);
	branch->state = hdr->state;
	if (hdr->in_port == MCFAB_PORT_ANY && hdr->first_port != MCFAB_PORT_ANY) {
		branch->port[0] = hdr->first_port;
		return;
	}
	way = mcfab_straight_dimension(view->topo, hdr->router, node);
	branch->port[0] = way.port;
	out->straight = way.routers;
	out->ends = way.ends && branch->first + 1 == branch->last;
}
EXPORT_SYMBOL_NS_GPL(mcfab_route_dimension, MCFAB);

/**
 * mcfab_route_hops() - outputs of a path worm's header that chooses virtual channels
 * @view: the fabric
 * @hdr: the header
 * @next: routing function between the destinations, with virtual channels and state
 * @out: filled in
 *
 * A forced first port counts only where the worm is injected; the routing function gets this port,
 * to choose the virtual channels on it.
 *
 * Context: Any.
 */
void mcfab_route_hops(const struct mcfab_view *view, const struct mcfab_header *hdr,
		      mcfab_hop_fn next, struct mcfab_decision *out)
{
	struct mcfab_hop hop = { .port = MCFAB_PORT_ANY, .state = hdr->state };
	struct mcfab_branch *branch;
	u32 node;

	branch = path_branches(view, hdr, out, &node);
	if (!branch)
		return;
	if (hdr->in_port == MCFAB_PORT_ANY)
		hop.port = hdr->first_port;
	hop.vcs = mcfab_vcs_all(view);
	next(view, hdr, node, &hop);
	branch->port[0] = hop.port;
	branch->vcs[0] = hop.vcs;
	branch->state = hop.state;
	out->straight = hop.straight;
}
EXPORT_SYMBOL_NS_GPL(mcfab_route_hops, MCFAB);
