/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kinds of traffic, for workload.c; nothing else includes this.
 */
#ifndef MCFAB_WORKLOAD_KINDS_H
#define MCFAB_WORKLOAD_KINDS_H

#include "workload/workload.h"

/**
 * struct mcfab_workload_ops - what a kind of traffic does
 * @open: check what was asked for and prepare; the common checks are done.
 *	  May sleep
 * @start: place the first message of a node's stream, @src is all zero
 * @step: go on from the place in @src by one gap, to where message @src->index may be.
 *	  @attempt is 0 at first; at what is left out it is called again, with 1, 2, ...
 * @ndests: how many destinations a message has; NULL if @dests is
 * @dests: write the destinations of a message; NULL: the common draw
 * @group: the multicast group of a message, or NULL; NULL: the workload's
 * @length: flits of a message if the kind knows them, else 0; NULL: it never does
 *
 * start() and step() set @src->gen to U64_MAX when there is no such message;
 * the sequence number is workload.c's. NULL for LONE, which has no streams.
 */
struct mcfab_workload_ops {
	int (*open)(struct mcfab_workload *w, struct mcfab_err *err);
	void (*start)(const struct mcfab_workload *w, u32 node, struct mcfab_source *src);
	void (*step)(const struct mcfab_workload *w, u32 node, struct mcfab_source *src,
		     u32 attempt);
	u32 (*ndests)(const struct mcfab_workload *w, u32 node, u32 index);
	u32 (*dests)(const struct mcfab_workload *w, u32 node, u32 index, u32 *dst);
	const struct mcfab_group *(*group)(const struct mcfab_workload *w, u32 node, u32 index);
	u32 (*length)(const struct mcfab_workload *w, u32 node, u32 index);
};

extern const struct mcfab_workload_ops mcfab_workload_lone_ops;
extern const struct mcfab_workload_ops mcfab_workload_poisson_ops;
extern const struct mcfab_workload_ops mcfab_workload_fixed_ops;
extern const struct mcfab_workload_ops mcfab_workload_burst_ops;
extern const struct mcfab_workload_ops mcfab_workload_file_ops;
extern const struct mcfab_workload_ops mcfab_workload_bernoulli_ops;
extern const struct mcfab_workload_ops mcfab_workload_onoff_ops;
extern const struct mcfab_workload_ops mcfab_workload_ports_ops;

int mcfab_workload_check_rate(const struct mcfab_workload *w, struct mcfab_err *err);
int mcfab_workload_check_mix(const struct mcfab_workload *w, struct mcfab_err *err);
bool mcfab_workload_again(const struct mcfab_workload *w, u32 node, u64 word, u32 attempt);
u32 mcfab_pattern_dest(const struct mcfab_workload *w, u32 node, u64 word);
void mcfab_workload_draw(const struct mcfab_workload *w, u32 node, u64 key, u32 count, u32 *dst);

/* length.c */
void mcfab_lengths_open(struct mcfab_workload *w);

/* pattern.c */
int mcfab_pattern_open(struct mcfab_workload *w, struct mcfab_err *err);
bool mcfab_pattern_sends(const struct mcfab_workload *w, u32 node);

/* region.c */
int mcfab_region_open(struct mcfab_workload *w, struct mcfab_err *err);
void mcfab_region_draw(const struct mcfab_workload *w, u32 node, u64 word, u32 *dst);

/**
 * mcfab_workload_word() - a random word for a message
 * @w: workload
 * @node: its source
 * @stream: what the word is for
 * @index: its sequence number
 * @attempt: how often that message was drawn and left out before
 *
 * Context: any.
 * Return: 64 random bits.
 */
static inline u64 mcfab_workload_word(const struct mcfab_workload *w, u32 node,
				      enum mcfab_stream stream, u32 index, u32 attempt)
{
	u64 word = mcfab_random_at(w->key, node, stream, index);

	return likely(!attempt) ? word : mcfab_random_at(word, node, MCFAB_STREAM_AGAIN, attempt);
}

/**
 * mcfab_pattern_other() - draw any node but one
 * @w: workload
 * @node: the one
 * @word: 64 random bits
 *
 * Context: any.
 * Return: the node, uniform over the others.
 */
static inline u32 mcfab_pattern_other(const struct mcfab_workload *w, u32 node, u64 word)
{
	u32 other = mcfab_below(word, w->others.size);

	return other + (other >= node);
}

/**
 * mcfab_workload_dest() - draw the destination of a message to one node
 * @w: workload
 * @node: source of the message
 * @word: random word for its destination
 *
 * Context: any.
 * Return: the destination.
 */
static inline u32 mcfab_workload_dest(const struct mcfab_workload *w, u32 node, u64 word)
{
	if (likely(!w->pattern.dest))
		return mcfab_pattern_other(w, node, word);
	return mcfab_pattern_dest(w, node, word);
}

/**
 * mcfab_workload_own() - the workload that a message of a run is of
 * @w: the traffic of a run
 * @index: sequence number of the message, made its number in that workload
 *
 * Context: any.
 * Return: the workload.
 */
static inline const struct mcfab_workload *mcfab_workload_own(const struct mcfab_workload *w,
							      u32 *index)
{
	u32 class;

	if (likely(!w->nclasses))
		return w;
	class = *index % w->nclasses;
	*index /= w->nclasses;
	return &w->class[class];
}

#endif
