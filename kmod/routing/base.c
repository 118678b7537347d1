// SPDX-License-Identifier: GPL-2.0
/*
 * Base routing: the routing function of path worms between one destination and the next, by their
 * arg.
 */
#include "routing/cover.h"
#include "routing/routing.h"

/**
 * mcfab_route_base() - decision of a path worm whose arg is an enum mcfab_base
 * @view: the fabric
 * @priv: not used
 * @hdr: the header
 * @out: filled in
 *
 * Context: Any.
 */
void mcfab_route_base(const struct mcfab_view *view, const void *priv,
		      const struct mcfab_header *hdr, struct mcfab_decision *out)
{
	if (hdr->arg == MCFAB_BASE_LABEL)
		mcfab_route_path(view, hdr, mcfab_step_label, out);
	else if (hdr->arg == MCFAB_BASE_DIMENSION)
		mcfab_route_dimension(view, hdr, out);
	else if (hdr->arg == MCFAB_BASE_LINKS)
		mcfab_route_path(view, hdr, mcfab_step_links, out);
	else if (hdr->arg == MCFAB_BASE_NEGATIVE)
		mcfab_route_path(view, hdr, mcfab_step_negative, out);
	else if (hdr->arg == MCFAB_BASE_TORUS)
		mcfab_route_hops(view, hdr, mcfab_hop_torus, out);
	else
		mcfab_route_hops(view, hdr, mcfab_hop_star, out);
}
EXPORT_SYMBOL_NS_GPL(mcfab_route_base, MCFAB);

/**
 * mcfab_base_unicast() - base routing of worms to one destination
 * @topo: topology
 *
 * Context: Any.
 * Return: the topology's own shortest-path routing.
 */
enum mcfab_base mcfab_base_unicast(const struct mcfab_topo *topo)
{
	if (topo->ops->serve & MCFAB_POLICY_TORUS)
		return MCFAB_BASE_TORUS;
	if (topo->ops->serve & MCFAB_POLICY_STAR)
		return MCFAB_BASE_STAR;
	return MCFAB_BASE_DIMENSION;
}
EXPORT_SYMBOL_NS_GPL(mcfab_base_unicast, MCFAB);

/**
 * mcfab_base_check() - does the fabric have what a base routing needs?
 * @view: the fabric
 * @base: base routing
 * @err: filled in if it does not
 *
 * For a policy's init(). Dimension order on a torus needs two virtual channels,
 * shortest paths on a star graph as many as the longest of them has hops.
 *
 * Context: Any.
 * Return: 0 or -EOPNOTSUPP.
 */
int mcfab_base_check(const struct mcfab_view *view, enum mcfab_base base, struct mcfab_err *err)
{
	u32 need = 1;

	if (base == MCFAB_BASE_TORUS)
		need = 2;
	else if (base == MCFAB_BASE_STAR)
		need = 3 * (view->topo->ndims - 1) / 2;
	if (view->vcs >= need)
		return 0;
	return mcfab_refuse(err, -EOPNOTSUPP, 0,
			    "shortest paths on this %s need vcs %u, the fabric has %u",
			    view->topo->ops->name, need, view->vcs);
}
EXPORT_SYMBOL_NS_GPL(mcfab_base_check, MCFAB);

/**
 * mcfab_tree_check() - does each branch of a tree go on by itself?
 * @view: the fabric
 * @err: filled in if a branch that waits stops the others
 *
 * For a policy's init(), unless deadlocks are allowed.
 *
 * Context: Any.
 * Return: 0 or -EOPNOTSUPP.
 */
int mcfab_tree_check(const struct mcfab_view *view, struct mcfab_err *err)
{
	if (view->replication == MCFAB_REPLICATION_MODE_LOCKSTEP)
		return mcfab_refuse(err, -EOPNOTSUPP, 0,
				    "can deadlock with replication lockstep: allow-deadlock on");
	if (view->buffer < view->flits)
		return mcfab_refuse(err, -EOPNOTSUPP, 0,
				    "needs buffer %u, a packet, not %u, or allow-deadlock on",
				    view->flits, view->buffer);
	return 0;
}
EXPORT_SYMBOL_NS_GPL(mcfab_tree_check, MCFAB);
