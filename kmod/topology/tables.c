// SPDX-License-Identifier: GPL-2.0
/*
 * Life of a topology's tables. They are one allocation, so that the cost of a fabric is known
 * exactly before anything is allocated.
 */
#include "topology/graph.h"
#include "topology/topology.h"

/* Irregular networks have a copy of their graph instead of labels and coordinates. */
static u64 table_words(const struct mcfab_topo *topo)
{
	u64 channels = (u64)topo->routers * topo->ports;

	return topo->graph ? 2 * channels + topo->nodes : channels + 3 * (u64)topo->nodes;
}

/* bytes of @extra */
static u64 extra_bytes(const struct mcfab_topo *topo)
{
	return mcfab_graph_longest(topo->graph) ? (u64)topo->routers * topo->ports : 0;
}

/* bytes of @pace */
static u64 pace_bytes(const struct mcfab_topo *topo)
{
	return mcfab_graph_slowest(topo->graph) > 1 ? (u64)topo->routers * topo->ports : 0;
}

static u64 rest_bytes(const struct mcfab_topo *topo)
{
	if (topo->graph)
		return topo->nodes + extra_bytes(topo) + pace_bytes(topo);
	return (u64)topo->nodes * topo->ndims * sizeof(u16);
}

/**
 * mcfab_topo_bytes() - memory that the tables of a topology take
 * @topo: topology whose counts are set
 *
 * Context: Any.
 * Return: bytes that mcfab_topo_alloc() will allocate.
 */
u64 mcfab_topo_bytes(const struct mcfab_topo *topo)
{
	u64 bytes = table_words(topo) * sizeof(u32) + rest_bytes(topo);

	if (topo->graph)
		bytes = ALIGN(bytes, sizeof(u64)) +
			mcfab_graph_bytes(topo->graph->switches, topo->graph->hosts,
					  topo->graph->links);
	return bytes;
}

/* Is there a channel from the last label to the first? */
static bool closes(const struct mcfab_topo *topo)
{
	u32 first = topo->by_label[0], last = topo->by_label[topo->nodes - 1], port;

	for (port = 0; port < topo->ports; port++)
		if (mcfab_topo_neighbour(topo, last, port) == first)
			return true;
	return false;
}

static void place_labels(struct mcfab_topo *topo, u32 *table)
{
	topo->label = table;
	table += topo->nodes;
	topo->by_label = table;
	table += topo->nodes;
	topo->coord = (u16 *)table;
}

static void place_graph(struct mcfab_topo *topo, u32 *table)
{
	u8 *rest;

	topo->host = table;
	table += (size_t)topo->routers * topo->ports;
	topo->host_port = (u8 *)table;
	rest = topo->host_port + topo->nodes;
	if (extra_bytes(topo)) {
		topo->extra = (s8 *)rest;
		rest += extra_bytes(topo);
	}
	if (pace_bytes(topo)) {
		topo->pace = rest;
		rest += pace_bytes(topo);
	}
	topo->graph = mcfab_graph_copy(PTR_ALIGN(rest, sizeof(u64)), topo->graph);
}

/**
 * mcfab_topo_alloc() - allocate and fill the tables of a topology
 * @topo: topology that its ops->init() accepted; if it has a graph, it gets a copy of its own
 *
 * Context: May sleep. Memory is charged to the caller's cgroup.
 * Return: 0 or -ENOMEM.
 */
int mcfab_topo_alloc(struct mcfab_topo *topo)
{
	u64 bytes = mcfab_topo_bytes(topo);
	u32 *table;

	if (bytes > INT_MAX)	/* the limit of kvmalloc() */
		return -ENOMEM;
	table = kvzalloc(bytes, MCFAB_GFP);
	if (!table)
		return -ENOMEM;
	topo->by_ports = mcfab_divide_by(topo->ports);
	topo->peer = table;
	table += (size_t)topo->routers * topo->ports;
	topo->router = table;
	table += topo->nodes;
	if (topo->graph)
		place_graph(topo, table);
	else
		place_labels(topo, table);
	topo->ops->fill(topo);
	topo->closed = topo->label && closes(topo);
	return 0;
}

/**
 * mcfab_topo_set_root() - note the switch at which a spanning tree starts
 * @topo: topology with its tables; for a regular topology nothing is noted
 * @root: switch
 *
 * Context: Any, while no other thread reads the graph.
 */
void mcfab_topo_set_root(struct mcfab_topo *topo, u32 root)
{
	/* the topology has a copy of its own of the graph */
	if (topo->graph)
		((struct mcfab_graph *)topo->graph)->root = root;
}

static void set_paces(struct mcfab_topo *topo)
{
	const struct mcfab_graph *graph = topo->graph;
	u32 i;

	memset(topo->pace, 1, (size_t)topo->routers * topo->ports);
	for (i = 0; i < graph->links; i++) {
		const struct mcfab_graph_link *l = &graph->link[i];

		topo->pace[mcfab_topo_channel(topo, l->a, l->port_a)] = max_t(u8, l->pace, 1);
		topo->pace[mcfab_topo_channel(topo, l->b, l->port_b)] = max_t(u8, l->pace_back, 1);
	}
	for (i = 0; i < graph->hosts; i++) {
		const struct mcfab_graph_host *h = &graph->host[i];

		topo->pace[mcfab_topo_channel(topo, h->at, h->port)] = max_t(u8, h->pace_back, 1);
	}
}

/**
 * mcfab_topo_set_links() - note which links are longer or slower than others
 * @topo: topology with its tables
 * @link_delay: cycles of a flit on a link without a delay of its own
 *
 * Context: any, while no other thread reads @topo.
 */
void mcfab_topo_set_links(struct mcfab_topo *topo, u32 link_delay)
{
	const struct mcfab_graph *graph = topo->graph;
	u32 i;

	for (i = 0; topo->extra && i < graph->links; i++) {
		const struct mcfab_graph_link *l = &graph->link[i];

		if (l->delay)
			topo->extra[mcfab_topo_channel(topo, l->a, l->port_a)] =
				l->delay - link_delay;
		if (l->delay_back)
			topo->extra[mcfab_topo_channel(topo, l->b, l->port_b)] =
				l->delay_back - link_delay;
	}
	if (topo->pace)
		set_paces(topo);
}

/**
 * mcfab_topo_free() - free the tables of a topology
 * @topo: topology; its tables may have been freed or never allocated
 *
 * Context: May sleep.
 */
void mcfab_topo_free(struct mcfab_topo *topo)
{
	kvfree(topo->peer);
	topo->peer = NULL;
	topo->router = NULL;
	topo->host_port = NULL;
	topo->host = NULL;
	topo->extra = NULL;
	topo->pace = NULL;
	topo->graph = NULL;
	topo->label = NULL;
	topo->by_label = NULL;
	topo->coord = NULL;
}
