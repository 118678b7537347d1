// SPDX-License-Identifier: GPL-2.0
/* Links and switches that fail, and the network that is left. */

#include "base/memory.h"
#include "updown/updown.h"

/* Notes a failure or repair, and whether it changes anything. */
static int take(struct mcfab_updown *ud, const struct mcfab_fault *fault, struct mcfab_err *err)
{
	bool link = fault->port != MCFAB_NONE;
	u32 chan = link ? mcfab_topo_channel(ud->topo, fault->sw, fault->port) : fault->sw;
	u32 peer = link ? ud->topo->peer[chan] : MCFAB_NONE;
	unsigned long *map = link ? ud->dead_link : ud->dead_switch;

	if (test_bit(chan, map) == !fault->up) {
		if (link)
			return mcfab_refuse(err, -EALREADY, MCFAB_OPTION_FAULT_PORT,
					    "the link on port %u of switch %u is %s already",
					    fault->port, fault->sw, fault->up ? "up" : "down");
		return mcfab_refuse(err, -EALREADY, MCFAB_OPTION_FAULT_SWITCH,
				    "switch %u is %s already", fault->sw,
				    fault->up ? "up" : "down");
	}
	__change_bit(chan, map);
	if (peer != MCFAB_NONE)
		__change_bit(peer, map);
	return 0;
}

static void set_dead(struct mcfab_updown *ud)
{
	const struct mcfab_topo *topo = ud->topo;
	size_t channels = (size_t)ud->switches * topo->ports;
	u32 sw, port, chan, i;

	bitmap_copy(ud->dead, ud->dead_link, channels);
	for_each_set_bit(sw, ud->dead_switch, ud->switches) {
		for (port = 0; port < topo->ports; port++) {
			chan = mcfab_topo_channel(topo, sw, port);
			__set_bit(chan, ud->dead);
			if (topo->peer[chan] != MCFAB_NONE)
				__set_bit(topo->peer[chan], ud->dead);
		}
	}
	for (i = 0; i < topo->nodes; i++) {
		sw = topo->router[i];
		if (test_bit(sw, ud->dead_switch) ||
		    (topo->host_port &&
		     test_bit(mcfab_topo_channel(topo, sw, topo->host_port[i]), ud->dead)))
			__set_bit(i, ud->cut);
	}
	ud->faulty = !bitmap_empty(ud->dead, channels) ||
		     !bitmap_empty(ud->dead_switch, ud->switches);
}

/**
 * mcfab_updown_centre() - find a node of the greater part of the network
 * @ud: routing, made except for @centre, which is set
 * @err: filled in when it fails
 *
 * Nodes whose switches have the same root can reach each other. Time is in proportion to switches
 * and nodes.
 *
 * Context: May sleep.
 * Return: 0 or -ENOMEM.
 */
int mcfab_updown_centre(struct mcfab_updown *ud, struct mcfab_err *err)
{
	u32 nodes = ud->topo->nodes, most = 0, i, sw;
	u32 *part, *count;

	part = mcfab_memory_alloc(2 * (u64)ud->switches, sizeof(*part));
	if (!part)
		return mcfab_refuse(err, -ENOMEM, 0, "out of memory");
	count = part + ud->switches;
	memset(count, 0, ud->switches * sizeof(*count));
	/* parents come later in the order than their children */
	for (i = ud->switches; i-- > 0; ) {
		sw = ud->order[i];
		part[sw] = ud->parent[sw] == MCFAB_NONE ? sw : part[ud->parent[sw]];
	}
	for (i = 0; i < nodes; i++)
		if (!test_bit(i, ud->cut))
			count[part[ud->topo->router[i]]]++;
	ud->centre = 0;
	for (i = 0; i < nodes; i++) {
		sw = part[ud->topo->router[i]];
		if (test_bit(i, ud->cut) || count[sw] <= most)
			continue;
		most = count[sw];
		ud->centre = i;
	}
	mcfab_memory_free(part);
	return 0;
}

/**
 * mcfab_updown_fault() - note a failure or a repair
 * @ud: routing of which only @dead_link and @dead_switch are filled in
 * @fault: the failure or repair
 * @err: filled in when the request is refused; the blamed attribute is one of a link's
 *
 * Context: Any.
 * Return: 0, -ENOENT if there is no such switch or link, -EALREADY.
 */
int mcfab_updown_fault(struct mcfab_updown *ud, const struct mcfab_fault *fault,
		       struct mcfab_err *err)
{
	const struct mcfab_topo *topo = ud->topo;
	u32 chan;
	int ret;

	if (fault->sw >= ud->switches)
		return mcfab_refuse(err, -ENOENT, MCFAB_OPTION_FAULT_SWITCH,
				    "there is no switch %u, the last is %u", fault->sw,
				    ud->switches - 1);
	if (fault->port != MCFAB_NONE) {
		if (fault->port >= topo->ports)
			return mcfab_refuse(err, -ENOENT, MCFAB_OPTION_FAULT_PORT,
					    "there is no port %u, the last is %u", fault->port,
					    topo->ports - 1);
		chan = mcfab_topo_channel(topo, fault->sw, fault->port);
		if (topo->peer[chan] == MCFAB_NONE &&
		    (!topo->host || topo->host[chan] == MCFAB_NONE))
			return mcfab_refuse(err, -ENOENT, MCFAB_OPTION_FAULT_PORT,
					    "nothing is on port %u of switch %u", fault->port,
					    fault->sw);
	}
	ret = take(ud, fault, err);
	if (!ret)
		set_dead(ud);
	return ret;
}
