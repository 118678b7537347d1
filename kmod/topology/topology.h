/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A topology: routers joined by directed physical channels, nodes that hang on
 * routers, and the coordinates and labels that routing functions need, all in
 * tables that are filled once when a fabric is made and are constant after.
 */
#ifndef MCFAB_TOPOLOGY_H
#define MCFAB_TOPOLOGY_H

#include "base/divide.h"
#include "base/types.h"
#include "topology/graph.h"

struct mcfab_graph;
struct mcfab_topo;

/** MCFAB_PORT_ANY - no port in particular: the routing function chooses, or the output is a node */
#define MCFAB_PORT_ANY		U16_MAX

/*
 * Families of topologies: for mcfab_topo_ops.serve, and for the flags of a policy that serves them
 */
/** MCFAB_POLICY_MESH - meshes, hypercubes included */
#define MCFAB_POLICY_MESH	MCFAB_SERVES_MESH
/** MCFAB_POLICY_TORUS - tori, rings included */
#define MCFAB_POLICY_TORUS	MCFAB_SERVES_TORUS
/** MCFAB_POLICY_STAR - star graphs */
#define MCFAB_POLICY_STAR	MCFAB_SERVES_STAR
/** MCFAB_POLICY_IRREGULAR - irregular networks */
#define MCFAB_POLICY_IRREGULAR	MCFAB_SERVES_IRREGULAR

/**
 * struct mcfab_topo_ops - one kind of topology
 * @name: its name, as in "topology mesh"
 * @title: one line for people
 * @serve: MCFAB_POLICY_* flags; a policy must have one of them to serve this topology
 * @init: check the request in @topo->ndims and @topo->radix[], and set the counts (nodes, routers,
 *	  ports, degree), dimensions, radices and strides, and keep no memory; a second call for the
 *	  same request gives the same. May sleep.
 * @fill: fill the allocated tables. May sleep, cannot fail.
 * @port_name: write port @port's name ("+x") to @buf, at most @len bytes with its
 *	  NUL. Any context
 * @distance: hops of a shortest path between two nodes; NULL where there is no quick way to compute
 *	      it. Any context
 */
struct mcfab_topo_ops {
	const char *name;
	const char *title;
	u32 serve;
	int (*init)(struct mcfab_topo *topo, struct mcfab_err *err);
	void (*fill)(struct mcfab_topo *topo);
	void (*port_name)(const struct mcfab_topo *topo, u32 port, char *buf, size_t len);
	u32 (*distance)(const struct mcfab_topo *topo, u32 a, u32 b);
};

/**
 * struct mcfab_topo - the network of one fabric
 * @ops: its kind
 * @nodes: processing elements, numbered from 0
 * @idle: the last of them that take part in no traffic unless they are named: aggregation nodes
 * @routers: routers, numbered from 0
 * @ports: network ports of a router; a port without a channel leads nowhere
 * @by_ports: for divisions by @ports, see base/divide.h
 * @degree: the default of injection channels: network ports of an inner router; 1
 *	    where a node hangs on one port of its switch
 * @ndims: coordinates of a node: dimensions, on a star graph symbols
 * @radix: nodes along each dimension; on a star graph symbols
 * @stride: difference of the node ids of inner neighbours along each dimension; 0
 *	    on a star graph
 * @closed: the first and the last label are neighbours: the Hamiltonian path that
 *	    the labels follow is a cycle
 * @peer: [@routers * @ports] input port at the far end of the channel that
 *	  leaves by router r's port p, as router * @ports + port; MCFAB_NONE if no
 *	  channel is there. Links are pairs: peer[peer[c]] == c.
 * @router: [@nodes] the router on which a node hangs
 * @host_port: [@nodes] the port of that router on which the node hangs; no channel leaves by it.
 *	       NULL: nodes have no ports among @ports
 * @coord: [@nodes * @ndims] coordinates; on a star graph the permutation's symbols
 * @host: [@routers * @ports] the node that hangs on router r's port p, or
 *	  MCFAB_NONE; NULL as @host_port
 * @extra: [@routers * @ports] cycles by which the link of a channel is longer than the fabric's
 *	   link-delay, or (negative) shorter; NULL: all links have that delay
 * @pace: [@routers * @ports] cycles that the link of a channel takes for a flit, or the link to
 *	  the host at that port, 1 at least; NULL: all links take a flit in every cycle
 * @graph: the graph of an irregular network; NULL on regular ones
 * @label: [@nodes] label of a node on the Hamiltonian path; NULL: there is none
 * @by_label: [@nodes] the node with a label; NULL as @label
 *
 * A directed physical channel has the number router * @ports + port of its output port.
 */
struct mcfab_topo {
	const struct mcfab_topo_ops *ops;
	u32 nodes;
	u32 idle;
	u32 routers;
	u32 ports;
	u64 by_ports;
	u32 degree;
	u32 ndims;
	u32 radix[MCFAB_MAX_COORDS];
	u32 stride[MCFAB_MAX_COORDS];
	bool closed;
	u32 *peer;
	u32 *router;
	u8 *host_port;
	u32 *host;
	s8 *extra;
	u8 *pace;
	const struct mcfab_graph *graph;
	u16 *coord;
	u32 *label;
	u32 *by_label;
};

/** mcfab_topo_channel() - the channel that leaves @router by @port */
static inline u32 mcfab_topo_channel(const struct mcfab_topo *topo, u32 router, u32 port)
{
	return router * topo->ports + port;
}

/** mcfab_topo_from() - the router that a channel leaves, or to which an input port belongs */
static inline u32 mcfab_topo_from(const struct mcfab_topo *topo, u32 channel)
{
	return mcfab_divide(channel, topo->by_ports);
}

/** mcfab_topo_neighbour() - the router behind @port, or MCFAB_NONE */
static inline u32 mcfab_topo_neighbour(const struct mcfab_topo *topo, u32 router, u32 port)
{
	u32 peer = topo->peer[router * topo->ports + port];

	return peer == MCFAB_NONE ? MCFAB_NONE : mcfab_topo_from(topo, peer);
}

/** mcfab_topo_extra() - see @extra of struct mcfab_topo */
static inline s32 mcfab_topo_extra(const struct mcfab_topo *topo, u32 channel)
{
	return topo->extra ? topo->extra[channel] : 0;
}

/** mcfab_topo_pace() - see @pace of struct mcfab_topo */
static inline u32 mcfab_topo_pace(const struct mcfab_topo *topo, u32 channel)
{
	return topo->pace ? topo->pace[channel] : 1;
}

/** mcfab_topo_pace_in() - cycles that a node's link takes for a flit to the router */
static inline u32 mcfab_topo_pace_in(const struct mcfab_topo *topo, u32 node)
{
	return topo->pace ? max_t(u32, topo->graph->host[node].pace, 1) : 1;
}

/** mcfab_topo_pace_out() - cycles that a node's link takes for a flit from the router */
static inline u32 mcfab_topo_pace_out(const struct mcfab_topo *topo, u32 node)
{
	if (!topo->pace)
		return 1;
	return topo->pace[mcfab_topo_channel(topo, topo->router[node], topo->host_port[node])];
}

/**
 * struct mcfab_links - what the links of a packet's path add to its way
 * @extra: cycles that they are longer than as many of link-delay
 * @lag: cycles that slow links hold back the tail, but not the header
 */
struct mcfab_links {
	s32 extra;
	u32 lag;
};

/**
 * mcfab_links_first() - begin a path with the link of its source
 * @topo: topology
 * @node: the source
 * @flits: length of the packet
 *
 * Context: any.
 * Return: the path.
 */
static inline struct mcfab_links mcfab_links_first(const struct mcfab_topo *topo, u32 node,
						   u32 flits)
{
	return (struct mcfab_links){ .lag = (flits - 1) * (mcfab_topo_pace_in(topo, node) - 1) };
}

/**
 * mcfab_links_add() - add the link of a channel
 * @topo: topology
 * @links: the path up to there
 * @channel: the channel
 * @route: cycles that a header waits at a router, but flits behind it do not: they catch up
 * @flits: length of the packet
 *
 * Context: any.
 * Return: the path with the link.
 */
static inline struct mcfab_links mcfab_links_add(const struct mcfab_topo *topo,
						 struct mcfab_links links, u32 channel, u32 route,
						 u32 flits)
{
	links.extra += mcfab_topo_extra(topo, channel);
	links.lag -= min(links.lag, route);
	links.lag = max(links.lag, (flits - 1) * (mcfab_topo_pace(topo, channel) - 1));
	return links;
}

/**
 * mcfab_links_last() - end a path with the link of a node that gets the packet
 * @topo: topology
 * @links: the path up to there
 * @node: the node
 * @route: as in mcfab_links_add()
 * @flits: length of the copy
 *
 * Context: any.
 * Return: the path with the link.
 */
static inline struct mcfab_links mcfab_links_last(const struct mcfab_topo *topo,
						  struct mcfab_links links, u32 node, u32 route,
						  u32 flits)
{
	links.lag -= min(links.lag, route);
	links.lag = max(links.lag, (flits - 1) * (mcfab_topo_pace_out(topo, node) - 1));
	return links;
}

/* cycles that a packet takes more than over as many links of rate 1 and link-delay, or less */
static inline s64 mcfab_links_longer(struct mcfab_links links)
{
	return links.extra + (s64)links.lag;
}

/** mcfab_topo_coord() - coordinate of @node in dimension @dim */
static inline u32 mcfab_topo_coord(const struct mcfab_topo *topo, u32 node, u32 dim)
{
	return topo->coord[node * topo->ndims + dim];
}

/** mcfab_topo_wraps() - does @port of @node of a torus lead over a wrap link? */
static inline bool mcfab_topo_wraps(const struct mcfab_topo *topo, u32 node, u32 port)
{
	u32 border = port & 1 ? 0 : topo->radix[port / 2] - 1;

	return mcfab_topo_coord(topo, node, port / 2) == border;
}

/* registry.c: the list of topologies */
const struct mcfab_topo_ops *mcfab_topo_find(const char *name);
const struct mcfab_topo_ops *mcfab_topo_at(u32 index);

/* tables.c: life of the tables */
u64 mcfab_topo_bytes(const struct mcfab_topo *topo);
int mcfab_topo_alloc(struct mcfab_topo *topo);
void mcfab_topo_set_root(struct mcfab_topo *topo, u32 root);
void mcfab_topo_set_links(struct mcfab_topo *topo, u32 link_delay);
void mcfab_topo_free(struct mcfab_topo *topo);

/* labels.c: how links lie to the Hamiltonian cycle of the labels */
enum mcfab_link_kind mcfab_link_kind(const struct mcfab_topo *topo, u32 node, u32 port);
bool mcfab_link_boundary(const struct mcfab_topo *topo, u32 node, u32 port);
bool mcfab_link_high(const struct mcfab_topo *topo, u32 node, u32 port);

/* mesh.c, torus.c, star.c, irregular.c */
extern const struct mcfab_topo_ops mcfab_mesh_ops;
extern const struct mcfab_topo_ops mcfab_hypercube_ops;
extern const struct mcfab_topo_ops mcfab_torus_ops;
extern const struct mcfab_topo_ops mcfab_ring_ops;
extern const struct mcfab_topo_ops mcfab_star_ops;
extern const struct mcfab_topo_ops mcfab_irregular_ops;
/*
 * Ports of meshes and tori: 2 * dim towards greater coordinates, 2 * dim + 1 towards
 * smaller. Of star graphs: p exchanges the first and the (p + 2)-th symbol.
 */
u32 mcfab_distance(const struct mcfab_topo *topo, u32 a, u32 b);

#endif
