/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Traffic: when each node generates its messages and for which destinations. Everything is a
 * function of (seed, node, index), so source queues need no memory: a message is drawn when its
 * node gets to it.
 */
#ifndef MCFAB_WORKLOAD_H
#define MCFAB_WORKLOAD_H

#include "base/config.h"
#include "topology/topology.h"
#include "workload/exponential.h"
#include "workload/permutation.h"
#include "base/random.h"

struct mcfab_group;
struct mcfab_workload;
struct mcfab_workload_ops;

/**
 * struct mcfab_pattern - where messages to one node go
 * @dest: draw the destination of a message of a node by a random word; it may be the node
 * @fixed: all messages of a node have the same destination
 * @bits: bits of a node's number, where the pattern goes by them
 * @perm: RANDPERM: the permutation
 * @weight: HOTSPOT: weights of all hot nodes
 */
struct mcfab_pattern {
	u32 (*dest)(const struct mcfab_workload *w, u32 node, u64 word);
	bool fixed;
	u32 bits;
	struct mcfab_perm perm;
	u32 weight;
};

/**
 * struct mcfab_box - a box of nodes of a mesh or torus
 * @width: nodes along each dimension
 * @size: nodes in all
 */
struct mcfab_box {
	u32 width[MCFAB_MAX_COORDS];
	u32 size;
};

/**
 * struct mcfab_region - where the destinations of a multicast are around its centre
 * @box: the box that they are taken from; SUBMESH: [1] where the source takes room in [0]
 * @rest: its nodes but one, and but two, as domains of permutations; not SUBMESH
 */
struct mcfab_region {
	struct mcfab_box box[2];
	struct mcfab_domain rest[2];
};

/**
 * struct mcfab_onoff - nodes that are on and off
 * @end: how rare the end of being on without a message is (mcfab_geometric_log())
 * @turn: chance that it is the turn to off, not a message (mcfab_chance_of())
 * @wake: how rare the turn to on is
 * @send: chance of a message in a cycle in which a node is on
 * @on: chance that a node is on at first
 */
struct mcfab_onoff {
	u64 end;
	u64 turn;
	u64 wake;
	u64 send;
	u64 on;
};

/**
 * struct mcfab_workload - traffic of a run
 * @cfg: as asked for
 * @seed: of all draws
 * @key: mcfab_random_key() of it
 * @nodes: nodes of the network that take part; FILE: all nodes
 * @ops: what the kind of traffic does
 * @all: all nodes, as a domain of permutations
 * @others: the nodes but one, as a domain of permutations
 * @gaps: POISSON: times between the messages of a node
 * @rare: BERNOULLI: how rare a message is (mcfab_geometric_log())
 * @onoff: ON_OFF: the same of messages and turns
 * @senders: BURST: nodes that send; 0: only the source that was asked for
 * @max_dests: most destinations of a message
 * @group: multicast group that multicasts are for, or NULL
 * @pattern: where messages to one node go
 * @unicasts: some messages are the unicasts of mixed traffic
 * @around: multicasts have destinations around a centre, which the pattern draws
 * @region: where, of @around
 * @single: multicasts have one destination, which the pattern draws
 * @plain: every message has one destination, which may be any other node
 * @silent: a node may have no messages but to itself, all of which are left out
 * @thinned: some of a node's messages may be left out
 * @weights: sum of the weights of all lengths
 * @nclasses: entries of @class; 0: the traffic is this workload itself
 * @class: classes of traffic, of which @cfg, @seed, @nodes and @max_dests are what they have in
 *	   common
 * @flits: FILE: length of messages that have none of their own; for the engine to set
 * @last: FILE: generation cycle of the list's last message
 * @list_class: FILE: [messages of the list] class of each; NULL: they have none
 * @msg_order: FILE: messages of the list sorted by (source, cycle, place)
 * @msg_first: FILE: [@nodes + 1] where each source's messages start in @msg_order
 */
struct mcfab_workload {
	struct mcfab_workload_cfg cfg;
	u64 seed;
	u64 key;
	u32 nodes;
	const struct mcfab_workload_ops *ops;
	struct mcfab_domain all;
	struct mcfab_domain others;
	struct mcfab_gaps gaps;
	u64 rare;
	struct mcfab_onoff onoff;
	u32 senders;
	u32 max_dests;
	const struct mcfab_group *group;
	struct mcfab_pattern pattern;
	bool unicasts;
	bool around;
	struct mcfab_region region;
	bool single;
	bool plain;
	bool silent;
	bool thinned;
	u32 weights;
	u32 nclasses;
	struct mcfab_workload *class;
	u32 flits;
	u64 last;
	const u8 *list_class;
	u32 *msg_order;
	u32 *msg_first;
};

/**
 * struct mcfab_source - where a node's message stream stands
 * @gen: generation cycle of message @index; U64_MAX: there is no further one
 * @frac: fraction of a cycle, in 2^-32
 * @index: sequence number of the message: with classes see classes.c, else how many messages of the
 *	   node came before
 */
struct mcfab_source {
	u64 gen;
	u32 frac;
	u32 index;
};

/**
 * mcfab_workload_ended() - from when on there is less traffic than was asked for
 * @w: workload
 * @gen: generation cycle of a node's last message
 *
 * Of a load each node has its part, to the end. A list has none for the nodes, and ends as a whole.
 * From outside there may always come more.
 *
 * Context: any.
 * Return: the first such cycle, or U64_MAX.
 */
static inline u64 mcfab_workload_ended(const struct mcfab_workload *w, u64 gen)
{
	if (w->cfg.kind == MCFAB_WORKLOAD_TYPE_PORTS)
		return U64_MAX;
	return 1 + (w->cfg.kind == MCFAB_WORKLOAD_TYPE_FILE ? w->last : gen);
}

/** mcfab_workload_is_given() - are the messages of a kind of traffic given, not drawn? */
static inline bool mcfab_workload_is_given(enum mcfab_workload_type kind)
{
	return kind == MCFAB_WORKLOAD_TYPE_FILE || kind == MCFAB_WORKLOAD_TYPE_PORTS;
}

/** mcfab_workload_is_load() - does traffic of a kind go on for as long as a run does? */
static inline bool mcfab_workload_is_load(enum mcfab_workload_type kind)
{
	return kind == MCFAB_WORKLOAD_TYPE_POISSON || kind == MCFAB_WORKLOAD_TYPE_FIXED ||
	       kind == MCFAB_WORKLOAD_TYPE_BERNOULLI || kind == MCFAB_WORKLOAD_TYPE_ON_OFF;
}

/** mcfab_run_windowed() - is it measured in a window? context: any */
static inline bool mcfab_run_windowed(const struct mcfab_run_cfg *run)
{
	return mcfab_workload_is_load(run->workload.kind) ||
	       (run->workload.kind == MCFAB_WORKLOAD_TYPE_FILE && run->windowed);
}

/** mcfab_workload_nodes() - nodes that take part in the traffic of a run; context: any */
static inline u32 mcfab_workload_nodes(const struct mcfab_topo *topo,
				       const struct mcfab_run_cfg *run)
{
	return topo->nodes - (mcfab_workload_is_given(run->workload.kind) ? 0 : topo->idle);
}

int mcfab_workload_open(struct mcfab_workload *w, const struct mcfab_workload_cfg *cfg,
			u64 seed, u32 nodes, struct mcfab_err *err);
void mcfab_workload_close(struct mcfab_workload *w);
u32 mcfab_workload_max_dests(const struct mcfab_workload *w);
void mcfab_workload_first(const struct mcfab_workload *w, u32 node, struct mcfab_source *src);
void mcfab_workload_next(const struct mcfab_workload *w, u32 node, struct mcfab_source *src);
u32 mcfab_workload_ndests(const struct mcfab_workload *w, u32 node, u32 index);
u32 mcfab_workload_dests(const struct mcfab_workload *w, u32 node, u32 index, u32 *dst,
			 bool *unicast);
u32 mcfab_workload_lone(const struct mcfab_workload *w, u32 index, u32 *source, u32 *dst);
const struct mcfab_group *mcfab_workload_group(const struct mcfab_workload *w, u32 node,
					       u32 index);

/* classes.c */
int mcfab_workload_open_run(struct mcfab_workload *w, const struct mcfab_run_cfg *run, u64 seed,
			    u32 nodes, struct mcfab_err *err);
void mcfab_stream_first(const struct mcfab_workload *w, u32 node, struct mcfab_source *src,
			struct mcfab_source *part);
bool mcfab_stream_next_class(const struct mcfab_workload *w, u32 node, struct mcfab_source *src,
			     struct mcfab_source *part);
u64 mcfab_stream_passed_classes(const struct mcfab_workload *w, const struct mcfab_source *part);

/**
 * mcfab_stream_next() - go to the next message of a node
 * @w: the traffic of a run
 * @node: node
 * @src: its stream, not at its end
 * @part: [@w->nclasses] streams of its classes
 *
 * Context: any, without locks.
 * Return: true if the message before was the last one of its class and node.
 */
static inline bool mcfab_stream_next(const struct mcfab_workload *w, u32 node,
				     struct mcfab_source *src, struct mcfab_source *part)
{
	if (unlikely(w->nclasses))
		return mcfab_stream_next_class(w, node, src, part);
	mcfab_workload_next(w, node, src);
	return src->gen == U64_MAX;
}

/**
 * mcfab_stream_passed() - how many messages of a node come before a place in its stream
 * @w: the traffic of a run
 * @src: the place
 * @part: [@w->nclasses] the place in the streams of its classes
 *
 * Context: any.
 * Return: number of messages.
 */
static inline u64 mcfab_stream_passed(const struct mcfab_workload *w,
				      const struct mcfab_source *src,
				      const struct mcfab_source *part)
{
	return unlikely(w->nclasses) ? mcfab_stream_passed_classes(w, part) : src->index;
}

/**
 * mcfab_workload_class() - the class of traffic of a message
 * @w: the traffic of a run
 * @node: its source
 * @index: its sequence number
 *
 * Context: any.
 * Return: the class; 0 without classes.
 */
static inline u32 mcfab_workload_class(const struct mcfab_workload *w, u32 node, u32 index)
{
	if (unlikely(w->nclasses))
		return index % w->nclasses;
	if (unlikely(w->list_class))
		return w->list_class[w->msg_order[w->msg_first[node] + index]];
	return 0;
}

/* file.c */
int mcfab_workload_check_warmup(const struct mcfab_workload *w, u32 warmup, struct mcfab_err *err);

/* length.c */
int mcfab_lengths_check(const struct mcfab_workload_cfg *cfg, struct mcfab_err *err);
u32 mcfab_workload_length(const struct mcfab_workload *w, u32 node, u32 index);

#endif
