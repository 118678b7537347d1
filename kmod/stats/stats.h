/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Statistics of a run. The engine hands over whole messages in the order of
 * (generation cycle, source, sequence), always from one thread at a time, so
 * nothing here needs a lock and nothing depends on how many threads ran. Far
 * beyond saturation it gives up that order, see mcfab_stats_overtake().
 */
#ifndef MCFAB_STATS_H
#define MCFAB_STATS_H

#include "base/config.h"
#include "base/types.h"
#include "stats/histogram.h"
#include "stats/load.h"
#include "stats/moments.h"
#include "stats/saturation.h"
#include "stats/single.h"
#include "stats/totals.h"
#include "stats/window.h"

struct mcfab_prediction;

/** enum mcfab_part - parts of a latency; they add up to the tail latency */
enum mcfab_part {
	MCFAB_PART_QUEUE,	/* source queue */
	MCFAB_PART_PREP,	/* preparation */
	MCFAB_PART_STARTUP,	/* start-up */
	MCFAB_PART_ROUTING,	/* route_delay of all routers */
	MCFAB_PART_TRANSFER,	/* injection, links, consumption, L - 1 */
	MCFAB_PART_NI,		/* network interface */
	MCFAB_PART_BLOCKING,	/* what remains */
	MCFAB_PARTS,
};

/**
 * struct mcfab_delivery - one destination of one message got its tail
 * @gen: generation cycle of the message
 * @source: its source
 * @seq: its sequence number at the source
 * @dst: the destination
 * @header: cycles from generation to the header's arrival
 * @tail: cycles from generation to the tail's arrival
 * @worm: index of the worm in the message's plan
 * @hops: network channels that the worm crossed up to the destination
 * @part: parts of @tail
 */
struct mcfab_delivery {
	u64 gen;
	u32 source;
	u32 seq;
	u32 dst;
	u32 header;
	u32 tail;
	u32 worm;
	u32 hops;
	u32 part[MCFAB_PARTS];
};

/**
 * struct mcfab_message - one message all of whose deliveries are known
 * @gen: generation cycle
 * @source: source node
 * @seq: sequence number at the source
 * @ndst: destinations it was meant for
 * @class: its class of traffic
 * @flits: its length
 * @worms: worms it took
 * @startups: start-ups it took, at the source and at later senders
 * @traffic: sum of the worms' hops (network channels)
 * @channel_cycles: cycles for which it held network channels
 * @queue_cycles: cycles in the source queue, up to the preparation of its first step
 * @complete: every destination was reached
 * @predicted: prediction for a lone multicast without contention, or NULL
 */
struct mcfab_message {
	u64 gen;
	u32 source;
	u32 seq;
	u32 ndst;
	u32 class;
	u32 flits;
	u32 worms;
	u32 startups;
	u32 traffic;
	u64 channel_cycles;
	u64 queue_cycles;
	bool complete;
	const struct mcfab_prediction *predicted;
};

/**
 * struct mcfab_stats_cfg - configuration of a run's statistics
 * @nodes: nodes of the network
 * @flits: length of all messages; 0: they differ, or are of several classes
 * @max_worms: most worms of a message; 0: twice @nodes
 * @lone: no window, every message counts, confidence intervals over messages:
 *	  for lone multicasts; bursts and lists have no window either
 * @mixed: messages with one destination are unicasts, counted apart
 * @classes: classes of traffic, counted apart; 0: the traffic has none
 * @warmup: first measured generation cycle; MCFAB_NONE: MSER-5 decides
 * @batches: times @batch_cycles the window's least length, MCFAB_MIN_BATCHES ..
 *	     MCFAB_MAX_BATCHES
 * @batch_cycles: generation cycles
 * @precision_ppm: wanted relative half-width; 0: the window has exactly that length
 */
struct mcfab_stats_cfg {
	u32 nodes;
	u32 flits;
	u32 max_worms;
	bool lone;
	bool mixed;
	u32 classes;
	u32 warmup;
	u32 batches;
	u32 batch_cycles;
	u32 precision_ppm;
};

/**
 * struct mcfab_class_stats - statistics of a class of messages
 * @all: every message of the run that was handed over
 * @measured: the messages of the measuring window
 * @tail: cycles to a destination's tail, over destinations
 * @header: cycles to a destination's header, over destinations
 * @completion: cycles to the last tail, over messages
 * @worm: cycles to a worm's last tail, over worms
 * @mean_destination: mean tail of a message's destinations in 1e-6 cycles, over
 *		      messages
 * @mean_worm: mean over a message's worms of the worm's last tail in 1e-6 cycles,
 *	       over messages
 * @predicted_completion: completion in cycles without contention, over lone
 *			  multicasts
 * @predicted_destination: the same of @mean_destination
 * @predicted_worm: the same of @mean_worm
 * @network_latency: channels of each step's longest worm, steps added, over lone multicasts
 * @cv_header: coefficient of variation of the headers of a message in 1e-6
 *	       (population standard deviation / mean), over messages
 * @cv_tail: the same of the tails
 * @additional: traffic less destinations of a message, over messages
 * @part: sums of the parts of @tail, by enum mcfab_part
 * @latency: histogram of @tail
 * @completions: histogram of @completion
 *
 * All but @all and @measured are of complete messages of the measuring window.
 */
struct mcfab_class_stats {
	struct mcfab_totals all;
	struct mcfab_totals measured;
	struct mcfab_moments tail;
	struct mcfab_moments header;
	struct mcfab_moments completion;
	struct mcfab_moments worm;
	struct mcfab_moments mean_destination;
	struct mcfab_moments mean_worm;
	struct mcfab_moments predicted_completion;
	struct mcfab_moments predicted_destination;
	struct mcfab_moments predicted_worm;
	struct mcfab_moments network_latency;
	struct mcfab_moments cv_header;
	struct mcfab_moments cv_tail;
	struct mcfab_moments additional;
	u64 part[MCFAB_PARTS];
	struct mcfab_histogram *latency;
	struct mcfab_histogram *completions;
};

/**
 * struct mcfab_stats - statistics of a run
 * @cfg: configuration of the statistics
 * @classes: classes in use
 * @class: by enum mcfab_class
 * @singles: messages that are in @hash, but not in @class yet
 * @batched: [@classes] the part of @class that is in the batches already
 * @window: which messages are measured
 * @load: messages generated, accepted and delivered, by simulated time
 * @loads: the loads from @load; all zero as long as the run has not ended
 * @saturation: is the network saturated; likewise
 * @turn: first generation cycle whose messages may be treated in another way than the latest
 *	  message
 * @measured: messages up to this generation cycle are measured
 * @overtaken: messages do not come in order of generation any more
 * @hash: result hash; final if @has_hash
 * @has_hash: the run has ended, not by the user, and has not failed
 * @bad_parts: deliveries whose parts do not add up to their tail: a bug
 * @bad_messages: messages whose numbers contradict each other: a bug
 * @worm_tail: [@max_worms] last tail of each worm of one message, else 0
 * @max_worms: entries of @worm_tail
 */
struct mcfab_stats {
	struct mcfab_stats_cfg cfg;
	u32 classes;
	struct mcfab_class_stats class[MCFAB_CLASSES];
	struct mcfab_singles singles[MCFAB_CLASSES];
	struct mcfab_batch batched[MCFAB_CLASSES];
	struct mcfab_window window;
	struct mcfab_load load;
	struct mcfab_loads loads;
	struct mcfab_saturation saturation;
	u64 turn;
	bool measured;
	bool overtaken;
	u64 hash;
	bool has_hash;
	u64 bad_parts;
	u64 bad_messages;
	u32 *worm_tail;
	u32 max_worms;
};

/** mcfab_stats_classes() - classes of messages that are counted apart; context: any */
static inline u32 mcfab_stats_classes(const struct mcfab_stats_cfg *cfg)
{
	return cfg->classes ?: cfg->mixed ? MCFAB_CLASS_UNICAST + 1 : 1;
}

/** mcfab_stats_class() - class that a message is counted in; context: any */
static inline enum mcfab_class mcfab_stats_class(const struct mcfab_stats *st,
						 const struct mcfab_message *msg)
{
	return st->cfg.mixed && msg->ndst == 1 ? MCFAB_CLASS_UNICAST :
						 (enum mcfab_class)msg->class;
}

u64 mcfab_stats_bytes(const struct mcfab_stats_cfg *cfg);
int mcfab_stats_open(struct mcfab_stats *st, const struct mcfab_stats_cfg *cfg);
void mcfab_stats_close(struct mcfab_stats *st);
void mcfab_stats_message(struct mcfab_stats *st, const struct mcfab_message *msg,
			 const struct mcfab_delivery *dlv, u32 ndlv);
void mcfab_stats_settle(struct mcfab_stats *st);
bool mcfab_stats_advance(struct mcfab_stats *st, u64 gen);
void mcfab_stats_exhausted(struct mcfab_stats *st, u64 gen);
u64 mcfab_stats_window_start(const struct mcfab_stats *st);
u64 mcfab_stats_window_end(const struct mcfab_stats *st);
bool mcfab_stats_window_over(const struct mcfab_stats *st, u64 cycle);
void mcfab_stats_finish(struct mcfab_stats *st, enum mcfab_run_status state, u64 end_cycle);
const struct mcfab_moments *mcfab_class_moments(const struct mcfab_class_stats *cls,
						enum mcfab_metric metric);
void mcfab_stats_interval(const struct mcfab_stats *st, enum mcfab_class class,
			  enum mcfab_metric metric, struct mcfab_interval *out);

/* stats/copy.c */
u64 mcfab_stats_copy_bytes(const struct mcfab_stats_cfg *cfg);
int mcfab_stats_copy_open(struct mcfab_stats *copy, const struct mcfab_stats *st);
void mcfab_stats_copy(struct mcfab_stats *copy, const struct mcfab_stats *st);

#endif
