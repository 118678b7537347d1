// SPDX-License-Identifier: GPL-2.0
/*
 * Irregular networks: switches joined by any links. Hosts are the nodes; they are on ports of the
 * switches, several, one or none on each switch. Switches of the graph are the routers, and a port
 * has its number in the graph. There are no coordinates and no labels.
 */

#include "topology/graph.h"
#include "topology/topology.h"

static int irregular_init(struct mcfab_topo *topo, struct mcfab_err *err)
{
	const struct mcfab_graph *graph = topo->graph;
	u32 i;
	int ret;

	err->index = 0;
	if (topo->ndims)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_FABRIC_DIMS,
				    "an irregular topology has no dims: its graph says it all");
	if (!graph)
		return mcfab_refuse(err, -ENOENT, MCFAB_OPTION_FABRIC_TOPOLOGY,
				    "topology irregular needs a graph: upload one first");
	ret = mcfab_graph_check(graph, err);
	if (ret)
		return ret;
	topo->nodes = graph->hosts;
	topo->idle = 0;
	for (i = 0; i < graph->hosts; i++)
		topo->idle += graph->host[i].aggregation;
	topo->routers = graph->switches;
	topo->ports = 0;
	for (i = 0; i < graph->switches; i++)
		topo->ports = max_t(u32, topo->ports, graph->sw[i].ports);
	/* a host has one link to its switch */
	topo->degree = 1;
	return 0;
}

static void irregular_fill(struct mcfab_topo *topo)
{
	const struct mcfab_graph *graph = topo->graph;
	u32 i, a, b;

	for (i = 0; i < topo->routers * topo->ports; i++) {
		topo->peer[i] = MCFAB_NONE;
		topo->host[i] = MCFAB_NONE;
	}
	for (i = 0; i < graph->links; i++) {
		a = mcfab_topo_channel(topo, graph->link[i].a, graph->link[i].port_a);
		b = mcfab_topo_channel(topo, graph->link[i].b, graph->link[i].port_b);
		topo->peer[a] = b;
		topo->peer[b] = a;
	}
	for (i = 0; i < graph->hosts; i++) {
		topo->router[i] = graph->host[i].at;
		topo->host_port[i] = graph->host[i].port;
		a = mcfab_topo_channel(topo, graph->host[i].at, graph->host[i].port);
		topo->host[a] = i;
	}
}

static void irregular_port_name(const struct mcfab_topo *topo, u32 port, char *buf, size_t len)
{
	if (port >= topo->ports)
		snprintf(buf, len, "?");
	else
		snprintf(buf, len, "%u", port);
}

const struct mcfab_topo_ops mcfab_irregular_ops = {
	.name		= "irregular",
	.title		= "any network: switches, hosts and links of a graph that is uploaded",
	.serve		= MCFAB_POLICY_IRREGULAR,
	.init		= irregular_init,
	.fill		= irregular_fill,
	.port_name	= irregular_port_name,
};
