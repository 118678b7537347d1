/* SPDX-License-Identifier: GPL-2.0 */
/*
 * up*-down* routing on any connected network of switches: a breadth-first spanning tree gives every
 * link an up end, and legal paths go up first, then down, never up again.
 *
 * The up end of a link is the end with the smaller (level, switch). That makes cycles of waits
 * impossible whatever the network looks like.
 *
 * A routing is constant after it was made, except for the reachability strings, which are made when
 * the first policy asks for them. When links fail a new routing is made; users of the old routing
 * hold it until they are done.
 */
#ifndef MCFAB_UPDOWN_H
#define MCFAB_UPDOWN_H

#include <linux/atomic.h>
#include <linux/bitmap.h>

#include "base/config.h"
#include "topology/graph.h"
#include "topology/topology.h"

/** MCFAB_UPDOWN_FAR - distance where no legal path leads */
#define MCFAB_UPDOWN_FAR	U16_MAX

/**
 * enum mcfab_updown_phase - enum mcfab_route_phase of the interface, counted from 0
 * @MCFAB_UPDOWN_UP: the header may still go up
 * @MCFAB_UPDOWN_DOWN: the header has gone down and goes on down
 * @MCFAB_UPDOWN_PHASES: how many there are
 *
 * See mcfab_updown_phase().
 */
enum mcfab_updown_phase {
	MCFAB_UPDOWN_UP = MCFAB_ROUTE_PHASE_UP - 1,
	MCFAB_UPDOWN_DOWN = MCFAB_ROUTE_PHASE_DOWN - 1,
	MCFAB_UPDOWN_PHASES,
};

/**
 * struct mcfab_updown - tree, directions and distances
 * @topo: the network
 * @users: counts its users
 * @switches: its routers
 * @root: where the tree starts
 * @levels: one more than the greatest level
 * @bytes: memory charged, @down included
 * @level: [@switches] links to the root. Where failures have cut the network to pieces, links to
 *	   the root of the piece: its switch with the lowest number. MCFAB_NONE: no links lead to a
 *	   root (only switches without hosts, and dead switches)
 * @parent: [@switches] the neighbour one level up with the lowest number; MCFAB_NONE: the root, and
 *	    switches whose @level is MCFAB_NONE
 * @parent_port: [@switches] the lowest port that leads to @parent
 * @neighbour: [@switches * topo->ports] the switch behind a port, or MCFAB_NONE
 * @up: [@switches * topo->ports] does the channel that leaves by that port go up?
 *	(as a bit map)
 * @distance: [2 * @switches * @switches] hops of a shortest legal path, by destination
 *	      switch, then phase, then switch: neighbours' distances to one destination are
 *	      close together; MCFAB_UPDOWN_FAR: there is none
 * @order: [@switches] all switches, deepest level first, within a level the highest number first: a
 *	   switch comes before all switches from which it is reached by going down; switches without
 *	   a level are last
 * @lock: held while @down is made
 * @down: [@switches * topo->nodes] the port behind which a node is, going down only: of several
 *	  ports the one with the highest number, hosts' ports included; MCFAB_UPDOWN_NOT: the node
 *	  is not below (restricted reachability strings; the nodes that have an entry are the total
 *	  string). On networks whose nodes have no ports, MCFAB_UPDOWN_HERE for the switch's own
 *	  node. NULL until mcfab_updown_strings() is called
 * @faulty: a link or a switch is dead
 * @dead_link: [@switches * topo->ports] links that were taken down, at both ends, hosts'
 *	       included (as a bit map)
 * @dead_switch: [@switches] switches that were taken down
 * @dead: [@switches * topo->ports] channels that lead nowhere because a link or switch is dead
 * @cut: [topo->nodes] nodes whose own link or switch is dead
 * @centre: the node with the lowest number that reaches the most nodes; 0 if each node is cut off
 */
struct mcfab_updown {
	const struct mcfab_topo *topo;
	atomic_t users;
	u32 switches;
	u32 root;
	u32 levels;
	u64 bytes;
	u32 *level;
	u32 *parent;
	u8 *parent_port;
	u32 *neighbour;
	unsigned long *up;
	u16 *distance;
	u32 *order;
	struct mutex lock; /* see above */
	u8 *down;
	bool faulty;
	unsigned long *dead_link;
	unsigned long *dead_switch;
	unsigned long *dead;
	unsigned long *cut;
	u32 centre;
};

/** MCFAB_UPDOWN_NOT - in mcfab_updown.down: the node is not below the switch */
#define MCFAB_UPDOWN_NOT	U8_MAX
/** MCFAB_UPDOWN_HERE - in mcfab_updown.down: the node hangs on the switch */
#define MCFAB_UPDOWN_HERE	(U8_MAX - 1)

/** struct mcfab_updown_ports - a set of ports of a switch */
struct mcfab_updown_ports {
	unsigned long bit[BITS_TO_LONGS(MCFAB_GRAPH_PORTS_MAX)];
};

/** mcfab_updown_is_up() - does the channel that leaves @sw by @port, which exists, go up? */
static inline bool mcfab_updown_is_up(const struct mcfab_updown *ud, u32 sw, u32 port)
{
	return test_bit(mcfab_topo_channel(ud->topo, sw, port), ud->up);
}

/**
 * mcfab_updown_phase() - may a header still go up?
 * @ud: routing
 * @sw: its switch
 * @in_port: network port by which it came in, or MCFAB_PORT_ANY, as in struct mcfab_header
 *
 * A header's phase follows from the port by which it came in, and is no word that it carries: of
 * several ports that an adaptive branch may take, some go up and some down.
 */
static inline enum mcfab_updown_phase mcfab_updown_phase(const struct mcfab_updown *ud, u32 sw,
							 u32 in_port)
{
	if (in_port == MCFAB_PORT_ANY)
		return MCFAB_UPDOWN_UP;
	/* the way back would go up: the header came down */
	return mcfab_updown_is_up(ud, sw, in_port) ? MCFAB_UPDOWN_DOWN : MCFAB_UPDOWN_UP;
}

/** mcfab_updown_distance() - hops of a shortest legal path from @from to switch @to */
static inline u32 mcfab_updown_distance(const struct mcfab_updown *ud, u32 from, u32 to,
					enum mcfab_updown_phase phase)
{
	return ud->distance[((size_t)to * MCFAB_UPDOWN_PHASES + phase) * ud->switches + from];
}

/**
 * mcfab_updown_below() - port by which a packet goes down from a switch to a node
 * @ud: routing that has had its mcfab_updown_strings()
 * @sw: switch
 * @node: node
 *
 * Return: a port of @sw, MCFAB_UPDOWN_HERE or MCFAB_UPDOWN_NOT.
 */
static inline u32 mcfab_updown_below(const struct mcfab_updown *ud, u32 sw, u32 node)
{
	return ud->down[(size_t)sw * ud->topo->nodes + node];
}

/** mcfab_updown_reaches() - do links lead from one node to another? */
static inline bool mcfab_updown_reaches(const struct mcfab_updown *ud, u32 from, u32 to)
{
	const u32 *router = ud->topo->router;

	return !test_bit(from, ud->cut) && !test_bit(to, ud->cut) &&
	       mcfab_updown_distance(ud, router[from], router[to], MCFAB_UPDOWN_UP) !=
	       MCFAB_UPDOWN_FAR;
}

/* updown.c: life */
struct mcfab_updown *mcfab_updown_create(const struct mcfab_topo *topo, u32 root,
					 struct mcfab_err *err);
struct mcfab_updown *mcfab_updown_get(struct mcfab_updown *ud);
void mcfab_updown_put(struct mcfab_updown *ud);
struct mcfab_updown *mcfab_updown_change(const struct mcfab_updown *old,
					 const struct mcfab_fault *fault, struct mcfab_err *err);

/* faults.c: dead links and switches */
int mcfab_updown_centre(struct mcfab_updown *ud, struct mcfab_err *err);
int mcfab_updown_fault(struct mcfab_updown *ud, const struct mcfab_fault *fault,
		       struct mcfab_err *err);

/* tree.c: the tree, directions */
int mcfab_updown_tree(struct mcfab_updown *ud, struct mcfab_err *err);

/* root.c */
int mcfab_updown_best_root(const struct mcfab_topo *topo, u32 *root, struct mcfab_err *err);

/* distance.c */
int mcfab_updown_distances(struct mcfab_updown *ud, struct mcfab_err *err);

/* strings.c: reachability strings */
int mcfab_updown_strings(struct mcfab_updown *ud, struct mcfab_err *err);

/* next.c: ports for a header */
u32 mcfab_updown_port(const struct mcfab_updown *ud, u32 from, u32 to,
		      enum mcfab_updown_phase phase);
u32 mcfab_updown_ports(const struct mcfab_updown *ud, u32 from, u32 to,
		       enum mcfab_updown_phase phase, struct mcfab_updown_ports *ports);

#endif
