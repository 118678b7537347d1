// SPDX-License-Identifier: GPL-2.0
/*
 * LIDs of hosts and switches, and the far ends of the numbered ports of switches.
 *
 * A host with an LMC above 0 has several LIDs, of which host_lid[] has the first.
 *
 * On an m x n mesh the host of N(x,y) has the LID x * n + y + 1, and its switch has m * n more. On
 * an irregular topology hosts and switches keep the LIDs of its file; those without a LID get the
 * lowest free ones, hosts first.
 */

#include "subnet/subnet.h"

/**
 * mcfab_lids_count() - how many LIDs a network takes
 * @topo: the network
 * @lids: set to one more than the highest
 * @err: filled in when there are not enough
 *
 * Context: Any.
 * Return: 0 or -EOPNOTSUPP.
 */
int mcfab_lids_count(const struct mcfab_topo *topo, u32 *lids, struct mcfab_err *err)
{
	u32 count = topo->nodes + topo->routers, i;

	for (i = 0; topo->graph && i < topo->nodes; i++)
		count += mcfab_graph_host_lids(&topo->graph->host[i]) - 1;
	if (count > MCFAB_UNICAST_LID_MAX)
		return mcfab_refuse(err, -EOPNOTSUPP, MCFAB_OPTION_FABRIC_ADDRESSING,
				    "hosts and switches have %u LIDs, more than the %u unicast LIDs",
				    count, MCFAB_UNICAST_LID_MAX);
	*lids = count + 1;
	if (!topo->graph)
		return 0;
	for (i = 0; i < topo->nodes; i++)
		if (topo->graph->host[i].lid)
			*lids = max(*lids, topo->graph->host[i].lid +
					   mcfab_graph_host_lids(&topo->graph->host[i]));
	for (i = 0; i < topo->routers; i++)
		*lids = max(*lids, topo->graph->sw[i].lid + 1U);
	if (*lids <= MCFAB_UNICAST_LID_MAX + 1)
		return 0;
	return mcfab_refuse(err, -EOPNOTSUPP, MCFAB_OPTION_FABRIC_ADDRESSING,
			    "LID %u is no unicast LID, the last one is %u", *lids - 1,
			    MCFAB_UNICAST_LID_MAX);
}

static void give(struct mcfab_subnet *sn, u16 *lid, u32 given, u32 owner, u32 *unused)
{
	if (!given) {
		while (sn->owner[*unused] != MCFAB_NONE)
			++*unused;
		given = *unused;
	}
	*lid = given;
	sn->owner[given] = owner;
}

static void fill_graph(struct mcfab_subnet *sn)
{
	const struct mcfab_graph *graph = sn->topo->graph;
	u32 i, k, unused = 1;

	for (i = 0; i < sn->topo->nodes; i++) {
		if (!graph->host[i].lid)
			continue;
		give(sn, &sn->host_lid[i], graph->host[i].lid, i, &unused);
		for (k = 1; k < mcfab_graph_host_lids(&graph->host[i]); k++)
			sn->owner[graph->host[i].lid + k] = i;
	}
	for (i = 0; i < sn->switches; i++)
		if (graph->sw[i].lid)
			give(sn, &sn->switch_lid[i], graph->sw[i].lid, i | MCFAB_END_HOST, &unused);
	for (i = 0; i < sn->topo->nodes; i++)
		if (!graph->host[i].lid)
			give(sn, &sn->host_lid[i], 0, i, &unused);
	for (i = 0; i < sn->switches; i++)
		if (!graph->sw[i].lid)
			give(sn, &sn->switch_lid[i], 0, i | MCFAB_END_HOST, &unused);
}

/**
 * mcfab_lids_fill() - give hosts and switches their LIDs
 * @sn: subnet, its arrays allocated
 *
 * Context: Any.
 */
void mcfab_lids_fill(struct mcfab_subnet *sn)
{
	const struct mcfab_topo *topo = sn->topo;
	u32 i, lid, unused = 0;

	for (i = 0; i < sn->lids; i++)
		sn->owner[i] = MCFAB_NONE;
	if (topo->graph) {
		fill_graph(sn);
		return;
	}
	for (i = 0; i < topo->nodes; i++) {
		lid = mcfab_topo_coord(topo, i, 0) * topo->radix[1] +
		      mcfab_topo_coord(topo, i, 1) + 1;
		give(sn, &sn->host_lid[i], lid, i, &unused);
		give(sn, &sn->switch_lid[i], topo->nodes + lid, i | MCFAB_END_HOST, &unused);
	}
}

/**
 * mcfab_port_numbers() - the numbers of a mesh's ports
 * @topo: the network
 * @rules: the user's wishes
 * @port: [MCFAB_MESH_PORTS] set to the numbers, in the order of the rules
 * @err: filled in when the wish is refused
 *
 * Context: Any.
 * Return: 0, -EINVAL or -EOPNOTSUPP.
 */
int mcfab_port_numbers(const struct mcfab_topo *topo, const struct mcfab_subnet_rules *rules,
		       u32 *port, struct mcfab_err *err)
{
	u32 given = 0, i;

	if (rules->port[0] && topo->graph)
		return mcfab_refuse(err, -EOPNOTSUPP, MCFAB_OPTION_FABRIC_PORT_NUMBERS,
				    "the ports of an irregular topology have the numbers they were given");
	for (i = 0; i < MCFAB_MESH_PORTS; i++) {
		port[i] = rules->port[0] ? rules->port[i] : i + 1;
		if (!port[i] || port[i] > MCFAB_MESH_PORTS)
			return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_FABRIC_PORT_NUMBERS,
					    "port %u is not in 1 to %u", port[i], MCFAB_MESH_PORTS);
		if (given & BIT(port[i]))
			return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_FABRIC_PORT_NUMBERS,
					    "port %u is given twice", port[i]);
		given |= BIT(port[i]);
	}
	return 0;
}

/* number of a port of the topology */
static u32 port_number(const struct mcfab_subnet *sn, u32 port)
{
	/* ports of a mesh: +x, -x, +y, -y */
	static const u8 to[] = { MCFAB_TO_EAST, MCFAB_TO_WEST, MCFAB_TO_NORTH, MCFAB_TO_SOUTH };

	return sn->topo->graph ? port : sn->rules.port[to[port] - MCFAB_TO_EAST];
}

/**
 * mcfab_ports_fill() - find the far ends of the ports of the switches
 * @sn: subnet, its arrays allocated
 *
 * Context: Any.
 */
void mcfab_ports_fill(struct mcfab_subnet *sn)
{
	const struct mcfab_topo *topo = sn->topo;
	u32 i, sw, port, number;

	for (i = 0; i < sn->switches * sn->ports; i++)
		sn->end[i] = MCFAB_END_NONE;
	for (sw = 0; sw < sn->switches; sw++) {
		sn->end[sw * sn->ports] = MCFAB_END_SELF;
		for (port = 0; port < topo->ports; port++) {
			number = port_number(sn, port);
			sn->number[sw * topo->ports + port] = number;
			if (topo->peer[mcfab_topo_channel(topo, sw, port)] != MCFAB_NONE)
				sn->end[sw * sn->ports + number] = port;
		}
	}
	for (i = 0; i < topo->nodes; i++)
		sn->end[topo->router[i] * sn->ports + mcfab_host_port(sn, i)] = i | MCFAB_END_HOST;
}

/**
 * mcfab_switch_by_lid() - the switch with a LID
 * @sn: subnet
 * @lid: any number
 *
 * Context: Any.
 * Return: its number, or MCFAB_NONE.
 */
u32 mcfab_switch_by_lid(const struct mcfab_subnet *sn, u32 lid)
{
	u32 owner = lid < sn->lids ? sn->owner[lid] : MCFAB_NONE;

	return owner != MCFAB_NONE && owner & MCFAB_END_HOST ? owner & ~(u32)MCFAB_END_HOST :
		MCFAB_NONE;
}
