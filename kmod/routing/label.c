// SPDX-License-Identifier: GPL-2.0
/*
 * Label routing: along the Hamiltonian labelling, always up or always down.
 *
 * The channels that lead to greater labels form a network without cycles, those
 * that lead to smaller labels another, so worms that only climb or only descend
 * cannot deadlock each other.
 *
 * Lin and Ni choose the neighbour with the greatest label not past the destination's (going up; the
 * smallest going down) among ALL neighbours. In two dimensions that is minimal; from three on it
 * may walk away from the destination. Here only neighbours nearer to the destination are
 * candidates: the same path in two dimensions, a minimal one in all. There always is a candidate.
 * Take the most significant dimension in which the two nodes differ. A step along it stays short of
 * the destination unless it completes that coordinate. If it would then be past the destination, a
 * step along the next differing dimension below still moves the right way, by reflection.
 */
#include "routing/routing.h"

/**
 * mcfab_step_label() - next hop of label routing R(here, dst)
 * @topo: mesh
 * @here: the header's node
 * @dst: destination, not @here
 *
 * Context: Any.
 * Return: the output port.
 */
u32 mcfab_step_label(const struct mcfab_topo *topo, u32 here, u32 dst)
{
	const u16 *from = topo->coord + here * topo->ndims;
	const u16 *to = topo->coord + dst * topo->ndims;
	u32 goal = topo->label[dst];
	bool up = topo->label[here] < goal;
	u32 dim, best = topo->label[here], port = 0;

	for (dim = 0; dim < topo->ndims; dim++) {
		u32 next, label;

		if (from[dim] == to[dim])
			continue;
		next = from[dim] < to[dim] ? here + topo->stride[dim] : here - topo->stride[dim];
		label = topo->label[next];
		if (up ? label > best && label <= goal : label < best && label >= goal) {
			best = label;
			port = 2 * dim + (from[dim] > to[dim]);
		}
	}
	return port;
}
EXPORT_SYMBOL_NS_GPL(mcfab_step_label, MCFAB);

/**
 * mcfab_step_links() - next hop of label routing over all links
 * @topo: topology whose routers have the numbers of their nodes
 * @here: the header's node
 * @dst: destination, not @here
 *
 * Lin and Ni's R unchanged: of all neighbours the one with the greatest label not past the
 * destination's, going down the smallest. It is for tori and star graphs, where nearer neighbours
 * are not always possible; it need not be a shortest path. The neighbour with the next label is
 * always a candidate. Of two links to the same neighbour it takes the lower port.
 *
 * Context: Any.
 * Return: the output port.
 */
u32 mcfab_step_links(const struct mcfab_topo *topo, u32 here, u32 dst)
{
	u32 goal = topo->label[dst], best = topo->label[here];
	const u32 *peer = topo->peer + here * topo->ports;
	bool up = best < goal;
	u32 port, found = 0;

	for (port = 0; port < topo->ports; port++) {
		u32 label;

		if (peer[port] == MCFAB_NONE)
			continue;
		label = topo->label[mcfab_topo_from(topo, peer[port])];
		if (up ? label > best && label <= goal : label < best && label >= goal) {
			best = label;
			found = port;
		}
	}
	return found;
}
EXPORT_SYMBOL_NS_GPL(mcfab_step_links, MCFAB);
