/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libmcfab: mcfab's engine as a C library. Programs make fabrics, plan multicasts, run traffic,
 * read statistics, and step a network whose messages they hand in themselves.
 * Documentation/library.md is the introduction.
 *
 * Options are words, as mcastctl(8) has them: "topology mesh dims 16x16 buffer 4". Names are those
 * of the netlink specification; of a name that ends in a unit (rate-ppb, precision-ppm), the name
 * without it takes or gives a decimal ("rate 0.001").
 *
 * A function that fails returns what its description says, and mcf_error() says why, with the name
 * of the argument. Nothing is printed.
 *
 * Threads: any thread may call any function; one fabric, with its plans and its network, is used by
 * one thread at a time. Several fabrics may be stepped or run by as many threads side by side.
 */
#ifndef MCFAB_H
#define MCFAB_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** struct mcf_fabric - a network with its routers, and the results of its last run */
struct mcf_fabric;
/** struct mcf_plan - the worms of one multicast */
struct mcf_plan;
/** struct mcf_net - a network that is stepped from outside */
struct mcf_net;

/** MCF_ANY - any node or switch */
#define MCF_ANY		UINT32_MAX

/**
 * struct mcf_host - a host of an irregular network
 * @sw: its switch
 * @port: its port there, from 0
 * @flit_cycles: cycles from a flit to the next on the link to the switch, 0: 1
 * @flit_cycles_back: the same on the link from the switch
 */
struct mcf_host {
	uint32_t sw;
	uint32_t port;
	uint32_t flit_cycles;
	uint32_t flit_cycles_back;
};

/**
 * struct mcf_link - a link between two switches
 * @sw: a switch
 * @port: its port, from 0
 * @peer: the other switch
 * @peer_port: its port
 * @delay: cycles that a flit takes to @peer, 0: the fabric's link-delay
 * @delay_back: the same from @peer
 * @flit_cycles: cycles from a flit to the next on the way to @peer, 0: 1
 * @flit_cycles_back: the same from @peer
 */
struct mcf_link {
	uint32_t sw;
	uint32_t port;
	uint32_t peer;
	uint32_t peer_port;
	uint32_t delay;
	uint32_t delay_back;
	uint32_t flit_cycles;
	uint32_t flit_cycles_back;
};

/**
 * struct mcf_graph - an irregular network
 * @switches: how many
 * @hosts: how many
 * @links: how many
 * @root: switch that is the root of a spanning tree, or MCF_ANY: not said
 * @ports: [@switches] ports that each has
 * @host: [@hosts]
 * @link: [@links]
 */
struct mcf_graph {
	uint32_t switches;
	uint32_t hosts;
	uint32_t links;
	uint32_t root;
	const uint32_t *ports;
	const struct mcf_host *host;
	const struct mcf_link *link;
};

/**
 * struct mcf_worm - a worm of a plan
 * @source: node that sends it
 * @step: counts relays of the message, from 1
 * @after: worm that delivers to @source; UINT32_MAX: none, @source has the message
 * @ndests: entries of @dests
 * @nhops: network channels that it crosses
 * @dests: [@ndests] its destinations, in the order of the plan
 */
struct mcf_worm {
	uint32_t source;
	uint32_t step;
	uint32_t after;
	uint32_t ndests;
	uint32_t nhops;
	const uint32_t *dests;
};

/**
 * struct mcf_delivery - a message that has come to a node
 * @cookie: what mcf_push() was given
 * @cycle: the last flit came at the end of this cycle; with hosts a delivery may be there one
 *	   step later
 * @generated: cycle in which the message was generated
 * @source: node that sent it
 * @node: node that it has come to
 */
struct mcf_delivery {
	uint64_t cookie;
	uint64_t cycle;
	uint64_t generated;
	uint32_t source;
	uint32_t node;
};

/**
 * mcf_error() - why the last call of this thread failed
 *
 * Return: one line without an end of line, valid until this thread's next failure; "": none failed.
 */
const char *mcf_error(void);

/**
 * mcf_version() - version of the library
 *
 * Return: MAJOR.MINOR; all versions with the same MAJOR have the same binary interface.
 */
const char *mcf_version(void);

/**
 * mcf_fabric_new() - make a fabric
 * @options: as behind "mcastctl fabric add NAME": "topology mesh dims 16x16 buffer 4 startup 0".
 *	     An irregular network is a random one, by switches, ports and hosts;
 *	     mcf_fabric_new_graph() makes a given one
 *
 * Return: the fabric, to be freed by mcf_fabric_free(); or NULL.
 */
struct mcf_fabric *mcf_fabric_new(const char *options);

/**
 * mcf_fabric_new_graph() - make a fabric of switches, hosts and links
 * @options: as for mcf_fabric_new(), with "topology irregular" and without switches, ports, hosts
 * @g: the network; is not needed any more when this returns
 *
 * Nodes of the fabric are the hosts, in their order.
 *
 * Return: the fabric, to be freed by mcf_fabric_free(); or NULL.
 */
struct mcf_fabric *mcf_fabric_new_graph(const char *options, const struct mcf_graph *g);

/**
 * mcf_fabric_free() - stop what a fabric does and free it
 * @f: the fabric, or NULL. Its network is closed, too; plans stay
 */
void mcf_fabric_free(struct mcf_fabric *f);

/**
 * mcf_number() - a number that a fabric, its run or its statistics have
 * @f: the fabric
 * @object: "fabric", "run" or "stats"
 * @name: name in the specification; of a part "multicast.completion.mean", of the entry with number
 *	  1 of a list "dims.1"
 *
 * Return: the value; in the unit without a prefix where the name is given without a unit. NaN where
 *	   there is no such name, or the value is absent or no number.
 */
double mcf_number(struct mcf_fabric *f, const char *object, const char *name);

/**
 * mcf_count() - as mcf_number(), for whole numbers of up to 64 bits, as a hash is
 * @f: the fabric
 * @object: as for mcf_number()
 * @name: full name in the specification
 * @value: set to the value
 *
 * Return: 0, or -1: @value is not changed.
 */
int mcf_count(struct mcf_fabric *f, const char *object, const char *name, uint64_t *value);

/**
 * mcf_text() - as mcf_number(), for names, words and texts, as the state of a run is
 * @f: the fabric
 * @object: as for mcf_number()
 * @name: as for mcf_number()
 * @text: set to the value, cut to fit
 * @size: room at @text, at least 1
 *
 * Return: 0, or -1: @text is not changed.
 */
int mcf_text(struct mcf_fabric *f, const char *object, const char *name, char *text, size_t size);

/**
 * mcf_column() - one value for each channel, node, batch, ...
 * @f: the fabric
 * @object: "link" (channels), "node", "node-load", "source-load", "batch", "histogram", "arrival"
 *	    or "group"
 * @name: as for mcf_number()
 * @values: [@room] set to the first values, NaN where one is absent; may be NULL if @room is 0
 * @room: entries of @values
 *
 * Return: how many values there are in all, or -1.
 */
long mcf_column(struct mcf_fabric *f, const char *object, const char *name, double *values,
		size_t room);

/**
 * mcf_plan_new() - plan a multicast, without sending it
 * @f: the fabric
 * @options: as behind "mcastctl plan NAME": "policy mp flits 32". The words "from" and "to" are the
 *	     other arguments
 * @source: node that sends it
 * @dests: [@n] its destinations
 * @n: how many, at least 1
 *
 * Return: the plan, to be freed by mcf_plan_free(); or NULL.
 */
struct mcf_plan *mcf_plan_new(struct mcf_fabric *f, const char *options, uint32_t source,
			      const uint32_t *dests, uint32_t n);

/**
 * mcf_plan_free() - free a plan
 * @p: the plan, or NULL
 */
void mcf_plan_free(struct mcf_plan *p);

/**
 * mcf_plan_number() - a number of a plan
 * @p: the plan
 * @name: of the specification's plan-summary: "worms", "traffic", "completion", ...
 *
 * Return: the value, or NaN, as for mcf_number().
 */
double mcf_plan_number(const struct mcf_plan *p, const char *name);

/**
 * mcf_plan_worm() - a worm of a plan
 * @p: the plan
 * @i: which, from 0
 * @worm: filled in; its arrays are valid as long as the plan
 *
 * Return: 0, or -1: there is no such worm.
 */
int mcf_plan_worm(const struct mcf_plan *p, uint32_t i, struct mcf_worm *worm);

/**
 * mcf_plan_arrivals() - when the last flit comes to each destination, if nothing is in the way
 * @p: the plan
 * @nodes: [@room] set to the first destinations
 * @cycles: [@room] set to their cycles, counted from generation
 * @room: entries of both arrays
 *
 * Return: how many arrivals there are in all.
 */
uint32_t mcf_plan_arrivals(const struct mcf_plan *p, uint32_t *nodes, uint64_t *cycles,
			   uint32_t room);

/**
 * mcf_run() - run traffic and wait until it is over
 * @f: the fabric; no run is under way
 * @options: as behind "mcastctl run NAME": "policy mp workload poisson rate 0.0001 dests 10".
 *	     Without classes of traffic, and files of messages, for which there is mcf_run_list()
 *
 * Every end of a run is a result: mcf_text(f, "run", "state", ...) is "done", "saturated", "cut",
 * "deadlocked" or "failed".
 *
 * Return: 0, or -1 if the run did not begin.
 */
int mcf_run(struct mcf_fabric *f, const char *options);

/**
 * mcf_run_list() - run a list of messages and wait until they have arrived
 * @f: the fabric; no run is under way
 * @options: as for mcf_run(), without workload
 * @n: messages
 * @cycles: [@n] when they are generated, not descending
 * @sources: [@n] the nodes that send them
 * @counts: [@n] how many destinations they have
 * @dests: their destinations, message by message
 * @flits: [@n] their lengths, 0: as @options say; NULL: all as @options say
 *
 * Return: as mcf_run().
 */
int mcf_run_list(struct mcf_fabric *f, const char *options, uint32_t n, const uint64_t *cycles,
		 const uint32_t *sources, const uint32_t *counts, const uint32_t *dests,
		 const uint32_t *flits);

/**
 * mcf_net_open() - begin to step a network
 * @f: the fabric; no run is under way. It has one such network at a time
 * @options: as for mcf_run(), without workload: "policy xy-unicast flits 5". flits is the length of
 *	     the longest message, 32 unless given
 * @hold: while so many deliveries of a node have not been taken by mcf_pop(), the node is full:
 *	  messages for it wait in the network. 0: a node takes all that comes
 *
 * The network is a run of the fabric: mcf_number() reads its progress and statistics, which are
 * up to date after mcf_net_close() and not older than about 50 ms of computing before.
 *
 * Return: the network, to be closed by mcf_net_close(); or NULL.
 */
struct mcf_net *mcf_net_open(struct mcf_fabric *f, const char *options, uint32_t hold);

/**
 * mcf_push() - hand in a message
 * @net: the network
 * @source: node that sends it
 * @dests: [@n] nodes that it is for, different ones, without @source
 * @n: how many, at least 1
 * @length: flits, from 1 to the flits of mcf_net_open()
 * @cookie: any number; mcf_pop() gives it back for each destination
 *
 * The message is generated in cycle mcf_cycle() + 1, behind those of @source that were handed in
 * before.
 *
 * Return: 0; 1: there is no room, @source has MCF_INBOX messages that wait in its source queue; or
 *	   -1: bad arguments, or the run has ended.
 */
int mcf_push(struct mcf_net *net, uint32_t source, const uint32_t *dests, uint32_t n,
	     uint32_t length, uint64_t cookie);

/** MCF_INBOX - messages of a node that may wait in its source queue */
#define MCF_INBOX	1024

/**
 * mcf_room() - how many messages mcf_push() takes of a node now
 * @net: the network
 * @source: the node
 *
 * Return: their number, 0 to MCF_INBOX.
 */
uint32_t mcf_room(const struct mcf_net *net, uint32_t source);

/**
 * mcf_step() - compute cycles, in the calling thread
 * @net: the network
 * @cycles: how many, at least 1. Cycles in which nothing happens cost nothing
 *
 * Return: 0, or -1: the run has ended before, as mcf_text(f, "run", "state", ...) says; the network
 *	   is still to be closed, and what has come may be popped.
 */
int mcf_step(struct mcf_net *net, uint64_t cycles);

/**
 * mcf_step_until() - as mcf_step(), but no further than to the next delivery
 * @net: the network
 * @cycles: at most so many, at least 1
 *
 * Return: as mcf_step(); mcf_cycle() says how far it went.
 */
int mcf_step_until(struct mcf_net *net, uint64_t cycles);

/**
 * mcf_cycle() - the cycle that was computed last
 * @net: the network
 *
 * Return: the cycle, 0 at the beginning.
 */
uint64_t mcf_cycle(const struct mcf_net *net);

/**
 * mcf_busy() - messages that were handed in and have not arrived at all their destinations
 * @net: the network
 *
 * Return: their number.
 */
uint64_t mcf_busy(const struct mcf_net *net);

/**
 * mcf_pop() - take a delivery
 * @net: the network
 * @node: of this node; MCF_ANY: the oldest one of all nodes
 * @d: filled in
 *
 * Deliveries of a cycle are in the order of their messages (by generation cycle, source and number)
 * and nodes.
 *
 * Return: 1, or 0: there is none.
 */
int mcf_pop(struct mcf_net *net, uint32_t node, struct mcf_delivery *d);

/**
 * mcf_net_close() - end a network
 * @net: the network, or NULL. Deliveries that were not popped are gone
 *
 * No more messages are accepted; those under way arrive first, unless they need more than 100,000
 * cycles.
 */
void mcf_net_close(struct mcf_net *net);

#ifdef __cplusplus
}
#endif

#endif
