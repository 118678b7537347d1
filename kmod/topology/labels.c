// SPDX-License-Identifier: GPL-2.0
/*
 * How links relate to the Hamiltonian cycle of the labels (N.-C. Wang, C.-P. Yen and C.-P. Chu,
 * "Multicasting on wormhole-routed symmetric networks with Hamiltonian cycle model", sections 2.2.2
 * and 2.2.3).
 *
 * All functions are by node: on the topologies that have such a cycle, router and node numbers are
 * the same.
 */
#include "topology/topology.h"

/**
 * mcfab_link_boundary() - is a link a boundary link?
 * @topo: topology
 * @node: node
 * @port: one of its ports
 *
 * The paper's rule is that the labels at its ends differ by more than ceil(N / 2). On a torus these
 * are the wrap links of the last dimension. This second rule also holds where the paper's rule
 * fails: for a last radix below 4 (the paper's remark on 2 x k tori).
 *
 * Context: Any.
 * Return: true if it is; false for other links and where there is no link.
 */
bool mcfab_link_boundary(const struct mcfab_topo *topo, u32 node, u32 port)
{
	u32 next, differ;

	if (topo->ops->serve & MCFAB_POLICY_TORUS)
		return port / 2 == topo->ndims - 1 && mcfab_topo_wraps(topo, node, port);
	next = mcfab_topo_neighbour(topo, node, port);
	if (next == MCFAB_NONE)
		return false;
	differ = abs_diff(topo->label[node], topo->label[next]);
	return differ > (topo->nodes + 1) / 2;
}
EXPORT_SYMBOL_NS_GPL(mcfab_link_boundary, MCFAB);

/**
 * mcfab_link_high() - is a channel one of the high network?
 * @topo: topology
 * @node: node
 * @port: one of its ports, with a channel
 *
 * The high network has the common channels to greater labels and the boundary
 * channels to smaller ones, the low network the others.
 *
 * Context: Any.
 * Return: true: of the high network; false: of the low network.
 */
bool mcfab_link_high(const struct mcfab_topo *topo, u32 node, u32 port)
{
	u32 next = mcfab_topo_neighbour(topo, node, port);
	bool up = topo->label[next] > topo->label[node];

	return up != mcfab_link_boundary(topo, node, port);
}
EXPORT_SYMBOL_NS_GPL(mcfab_link_high, MCFAB);

/**
 * mcfab_link_kind() - how a link relates to the labels
 * @topo: topology
 * @node: node
 * @port: one of its ports, with a channel
 *
 * Context: Any.
 * Return: one of the three kinds.
 */
enum mcfab_link_kind mcfab_link_kind(const struct mcfab_topo *topo, u32 node, u32 port)
{
	u32 next = mcfab_topo_neighbour(topo, node, port);

	if (mcfab_link_boundary(topo, node, port))
		return MCFAB_LINK_KIND_BOUNDARY;
	return abs_diff(topo->label[node], topo->label[next]) == 1 ? MCFAB_LINK_KIND_PATH :
								     MCFAB_LINK_KIND_SHORTCUT;
}
