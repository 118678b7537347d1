// SPDX-License-Identifier: GPL-2.0
/* Ports by which up*-down* routes go on. */
#include "updown/updown.h"

/* Is @port of @from, which is @hops away in this phase, the start of a shortest path? */
static bool leads(const struct mcfab_updown *ud, u32 from, u32 port, u32 to,
		  enum mcfab_updown_phase phase, u32 hops)
{
	u32 next = ud->neighbour[mcfab_topo_channel(ud->topo, from, port)];

	if (next == MCFAB_NONE)
		return false;
	if (!mcfab_updown_is_up(ud, from, port))
		return mcfab_updown_distance(ud, next, to, MCFAB_UPDOWN_DOWN) + 1 == hops;
	return phase == MCFAB_UPDOWN_UP &&
	       mcfab_updown_distance(ud, next, to, MCFAB_UPDOWN_UP) + 1 == hops;
}

/* the lowest port of a shortest path that is @port or higher, or topo->ports */
static u32 next_port(const struct mcfab_updown *ud, u32 from, u32 to,
		     enum mcfab_updown_phase phase, u32 hops, u32 port)
{
	while (port < ud->topo->ports && !leads(ud, from, port, to, phase, hops))
		port++;
	return port;
}

/**
 * mcfab_updown_port() - the lowest port by which a shortest legal path goes on
 * @ud: routing
 * @from: switch
 * @to: switch, not @from
 * @phase: phase of the path, which says whether it may still go up
 *
 * Context: Any.
 * Return: the port, or @ud->topo->ports if no legal path leads there.
 */
u32 mcfab_updown_port(const struct mcfab_updown *ud, u32 from, u32 to,
		      enum mcfab_updown_phase phase)
{
	u32 hops = mcfab_updown_distance(ud, from, to, phase);

	return hops == MCFAB_UPDOWN_FAR ? ud->topo->ports :
					  next_port(ud, from, to, phase, hops, 0);
}

/**
 * mcfab_updown_ports() - ports by which shortest legal paths go on
 * @ud: routing
 * @from: switch
 * @to: switch
 * @phase: phase of the paths, which says whether they may still go up
 * @ports: set to the ports of @from; empty if it is @to, or if no legal path leads there
 *
 * Context: Any.
 * Return: how many there are.
 */
u32 mcfab_updown_ports(const struct mcfab_updown *ud, u32 from, u32 to,
		       enum mcfab_updown_phase phase, struct mcfab_updown_ports *ports)
{
	u32 hops = mcfab_updown_distance(ud, from, to, phase), port = 0, count = 0;

	memset(ports, 0, sizeof(*ports));
	if (hops == MCFAB_UPDOWN_FAR)
		return 0;
	while ((port = next_port(ud, from, to, phase, hops, port)) < ud->topo->ports) {
		__set_bit(port++, ports->bit);
		count++;
	}
	return count;
}
EXPORT_SYMBOL_NS_GPL(mcfab_updown_ports, MCFAB);
