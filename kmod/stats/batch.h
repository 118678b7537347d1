/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Batch means: the measuring window is divided into equal slices of generation
 * time, whose means are nearly independent observations when they are long.
 */
#ifndef MCFAB_STATS_BATCH_H
#define MCFAB_STATS_BATCH_H

#include "core/u128.h"

/** MCFAB_BATCHES_MIN - fewest batches that may be asked for */
#define MCFAB_BATCHES_MIN	20
/** MCFAB_BATCHES_MAX - most batches kept, and most that may be asked for; even */
#define MCFAB_BATCHES_MAX	1000

/** enum mcfab_class - kinds of messages that are counted apart */
enum mcfab_class {
	MCFAB_CLASS_MULTICAST,	/* also every message of traffic that is not mixed */
	MCFAB_CLASS_UNICAST,	/* the unicasts of mixed traffic */
	MCFAB_CLASSES,
};

/** enum mcfab_metric - latencies of a message that get a confidence interval */
enum mcfab_metric {
	MCFAB_METRIC_COMPLETION,	/* its last tail */
	MCFAB_METRIC_DESTINATION,	/* mean of the tails over its destinations */
	MCFAB_METRIC_WORM,		/* mean over its worms of the worm's last tail */
	MCFAB_METRICS,
};

/**
 * struct mcfab_batch - messages of one class generated in one slice
 * @messages: how many
 * @sum: sum of each metric in 1e-6 cycles
 */
struct mcfab_batch {
	u64 messages;
	struct mcfab_u128 sum[MCFAB_METRICS];
};

/**
 * struct mcfab_interval - a mean and how well it is known
 * @mean: in 1e-6 cycles: over all measured messages
 * @half: half-width of its 95 % confidence interval in 1e-6 cycles;
 *	  MCFAB_UNKNOWN below two observations
 * @observations: batches with messages, or messages where every message counts
 * @lag1: correlation of neighbouring batches in 1e-6, -1000000 .. 1000000;
 *	  0: not known or no batches
 */
struct mcfab_interval {
	u64 mean;
	u64 half;
	u64 observations;
	s32 lag1;
};

/**
 * struct mcfab_batches - batches of a run
 * @start: first generation cycle of the first batch
 * @length: generation cycles of a batch
 * @count: batches that are over; the one under way is behind them
 * @classes: classes that are kept
 * @filled: batches that are over and have messages, by class
 * @seen: messages of all batches, by class
 * @batch: [MCFAB_BATCHES_MAX + 1] by class; NULL: not kept
 */
struct mcfab_batches {
	u64 start;
	u64 length;
	u32 count;
	u32 classes;
	u32 filled[MCFAB_CLASSES];
	u64 seen[MCFAB_CLASSES];
	struct mcfab_batch *batch[MCFAB_CLASSES];
};

u64 mcfab_batches_bytes(u32 classes);
int mcfab_batches_open(struct mcfab_batches *b, u32 classes, u64 length);
void mcfab_batches_close(struct mcfab_batches *b);
u64 mcfab_batches_boundary(const struct mcfab_batches *b);
void mcfab_batches_add(struct mcfab_batches *b, enum mcfab_class class,
		       const struct mcfab_batch *more);
void mcfab_batches_end(struct mcfab_batches *b);
u64 mcfab_batches_mean(const struct mcfab_batches *b, enum mcfab_class class, u32 index,
		       enum mcfab_metric metric);
void mcfab_batches_interval(const struct mcfab_batches *b, enum mcfab_class class,
			    enum mcfab_metric metric, struct mcfab_interval *out);
bool mcfab_batches_precise(const struct mcfab_batches *b, u32 batches, u32 precision_ppm);

#endif
