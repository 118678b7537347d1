// SPDX-License-Identifier: GPL-2.0
/* What a header does next on up*-down* routes. */
#include "routing/routing.h"
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
 * mcfab_updown_ports() - ports by which shortest legal paths go on
 * @ud: routing
 * @from: switch
 * @to: switch
 * @phase: may they still go up?
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

/* of @count ports, those of a window that begins with packet @serial, in ascending order */
static u32 take_window(const struct mcfab_updown_ports *ports, u32 count, u32 serial, u16 *port)
{
	u32 first = count > MCFAB_MAX_ALTERNATIVES ? serial % count : 0;
	u32 i = 0, taken = 0, bit;

	for_each_set_bit(bit, ports->bit, MCFAB_GRAPH_PORTS) {
		u32 place = i < first ? i + count - first : i - first;

		if (place < MCFAB_MAX_ALTERNATIVES)
			port[taken++] = bit;
		i++;
	}
	return taken;
}

/**
 * mcfab_updown_branch() - go on to a switch on a shortest legal path
 * @view: the fabric, which has up*-down* routing
 * @hdr: the header
 * @to: switch, not the header's; a header that has come down may only go to one below
 * @adaptive: any port of a shortest path, not the lowest; of more than
 *	      MCFAB_MAX_ALTERNATIVES ports, so many that follow each other, in turn by
 *	      packets
 * @first: destinations of the branch
 * @last: one past the last
 * @out: decision to which the branch is added; its state word is 0 and free for use. Where
 *	 no legal path leads to @to, nothing is added
 *
 * Context: Any.
 */
void mcfab_updown_branch(const struct mcfab_view *view, const struct mcfab_header *hdr, u32 to,
			 bool adaptive, u32 first, u32 last, struct mcfab_decision *out)
{
	const struct mcfab_updown *ud = view->updown;
	enum mcfab_updown_phase phase = mcfab_updown_phase(ud, hdr->router, hdr->in_port);
	struct mcfab_branch *branch = &out->branch[out->nbranches];
	struct mcfab_updown_ports ports;
	u32 i, count, hops;

	if (adaptive) {
		count = mcfab_updown_ports(ud, hdr->router, to, phase, &ports);
		count = take_window(&ports, count, hdr->serial, branch->port);
	} else {
		hops = mcfab_updown_distance(ud, hdr->router, to, phase);
		branch->port[0] = hops == MCFAB_UPDOWN_FAR ? ud->topo->ports :
			next_port(ud, hdr->router, to, phase, hops, 0);
		count = branch->port[0] < ud->topo->ports;
	}
	if (!count)
		return;
	branch->node = MCFAB_NONE;
	branch->nports = count;
	for (i = 0; i < count; i++)
		branch->vcs[i] = mcfab_vcs_all(view);
	branch->first = first;
	branch->last = last;
	branch->state = 0;
	out->nbranches++;
}
EXPORT_SYMBOL_NS_GPL(mcfab_updown_branch, MCFAB);
