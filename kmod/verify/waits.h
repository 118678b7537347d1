/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What waits for what: a graph of the resources that worms hold and ask for, taken from header
 * decisions. Documentation/verify.md explains its edges.
 *
 * The resources are FIFOs, each the buffer of a virtual channel, pools, each the consumption
 * channels of a node, and memories, each of a node's network interface. A request that may be
 * granted any of several FIFOs is a number of its own, and leads to each of them.
 */
#ifndef MCFAB_VERIFY_WAITS_H
#define MCFAB_VERIFY_WAITS_H

#include "plan/policy.h"
#include "proof/pairs.h"

/** MCFAB_WAIT_ALTERNATIVES - most FIFOs that one request may be granted */
#define MCFAB_WAIT_ALTERNATIVES	(MCFAB_MAX_ALTERNATIVES * MCFAB_MAX_VCS)

/**
 * struct mcfab_wait_rules - rules of a fabric that policies do not see
 * @ports: hosts' links end in buffers of their switches, mcfab_has_ports()
 * @in_turn: routers serve the oldest request first
 * @queue: a FIFO may hold a part of a packet behind other packets (wormhole, vc-release sent)
 * @memory: network interfaces have a limit of packets that they send on
 */
struct mcfab_wait_rules {
	bool ports;
	bool in_turn;
	bool queue;
	bool memory;
};

/**
 * struct mcfab_hold - what a worm whose header waits goes on holding
 * @branches: another branch of a header that waits keeps all that it holds: buffers have no room
 *	      for a whole packet, and copies are made at their own pace. Or in lock-step, all is
 *	      granted, but a part of the worm stands behind other packets
 * @below: lock-step: another branch keeps all that it holds while a header one router on waits
 * @together: requests of one header are granted one by one, and those that are granted are kept
 * @source: all this holds of a header at its source, too: a source copies in lock-step, or its link
 *	    ends in a buffer of the switch, where the copies are made
 * @in_turn: of two headers that ask one router for the same, the one that came first is served
 *	     first, so that they cannot take a part each
 */
struct mcfab_hold {
	bool branches;
	bool below;
	bool together;
	bool source;
	bool in_turn;
};

/**
 * struct mcfab_waits - the graph while it is being collected
 * @view: the fabric
 * @hold: what is held
 * @fifos: FIFOs, numbered from 0: (router * ports + output port) * vcs + virtual channel
 * @resources: FIFOs, pools and memories; the pool of a node has the number @fifos + node
 * @memories: the memory of a node's network interface has the number @memories + node; MCFAB_NONE:
 *	      there is no limit
 * @edges: from a resource to a resource or request (numbered from @resources on); the note is the
 *	   number of a plan whose worm makes the edge
 * @peers: pairs of resources that one header asks for together
 * @asks: pairs (2 * node + keeps, input) of the pools for which headers of an input ask: keeps is 1
 *	  where the worm goes on holding the pool while another of its requests waits
 * @known: pairs (first alternative, hash of all) of requests; the note is the request
 * @alt: alternatives of requests, one request after the other
 * @first: [@requests + 1] where the alternatives of a request begin in @alt
 * @requests: requests with several alternatives
 * @room: entries of @alt that there is room for
 * @rooms: entries of @first that there is room for
 * @plan: number of the plan whose worms are added
 */
struct mcfab_waits {
	const struct mcfab_view *view;
	struct mcfab_hold hold;
	u32 fifos;
	u32 memories;
	u32 resources;
	struct mcfab_pairs edges;
	struct mcfab_pairs peers;
	struct mcfab_pairs asks;
	struct mcfab_pairs known;
	u32 *alt;
	u32 *first;
	u32 requests;
	u32 room;
	u32 rooms;
	u64 plan;
};

/** mcfab_wait_fifo() - the FIFO of a virtual channel of the channel that leaves @router by @port */
static inline u32 mcfab_wait_fifo(const struct mcfab_view *view, u32 router, u32 port, u32 vc)
{
	return mcfab_topo_channel(view->topo, router, port) * view->vcs + vc;
}

/** mcfab_wait_sender() - the input of a router by which a node's own packets come */
static inline u32 mcfab_wait_sender(const struct mcfab_waits *w, u32 node)
{
	return w->resources + node;
}

/** mcfab_wait_is_pool() - is a number that of a node's consumption channels? */
static inline bool mcfab_wait_is_pool(const struct mcfab_waits *w, u32 number)
{
	return number >= w->fifos && number < w->resources && number < w->memories;
}

/** mcfab_wait_channel() - the channel of a FIFO */
static inline u32 mcfab_wait_channel(const struct mcfab_view *view, u32 fifo)
{
	return fifo / view->vcs;
}

/** mcfab_wait_router() - the router whose input a FIFO is */
static inline u32 mcfab_wait_router(const struct mcfab_view *view, u32 fifo)
{
	return view->topo->peer[mcfab_wait_channel(view, fifo)] / view->topo->ports;
}

void mcfab_waits_open(struct mcfab_waits *w, const struct mcfab_view *view,
		      const struct mcfab_wait_rules *rules);
void mcfab_waits_close(struct mcfab_waits *w);
int mcfab_waits_edge(struct mcfab_waits *w, u32 from, u32 to);
int mcfab_waits_peers(struct mcfab_waits *w, u32 a, u32 b);
int mcfab_waits_ask(struct mcfab_waits *w, u32 node, u32 input, bool keeps);
int mcfab_waits_request(struct mcfab_waits *w, const u32 *alt, u32 count, u32 *request);

#endif
