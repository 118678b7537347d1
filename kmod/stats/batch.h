/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Batch means: the measuring window is divided into equal slices of generation
 * time, whose means are nearly independent observations when they are long.
 */
#ifndef MCFAB_STATS_BATCH_H
#define MCFAB_STATS_BATCH_H

#include "base/config.h"
#include "base/u128.h"

/** MCFAB_BASE_MAX - when so many base batches are over, neighbours are merged */
#define MCFAB_BASE_MAX		512
/** MCFAB_BASE_LOOK - the first look after a merge is when so many base batches are over */
#define MCFAB_BASE_LOOK		(MCFAB_BASE_MAX / 2)
/** MCFAB_BASE_WINDOW - base batches of a window of fixed length: the second look */
#define MCFAB_BASE_WINDOW	(MCFAB_BASE_LOOK / 2 * 3)
/** MCFAB_BASE_GROUP - base batches of a batch: 64 and 96 batches at the looks */
#define MCFAB_BASE_GROUP	4

/**
 * enum mcfab_class - enum mcfab_message_class of the interface, counted from 0
 * @MCFAB_CLASS_MULTICAST: multicasts, and every message of traffic that is not mixed
 * @MCFAB_CLASS_UNICAST: the unicasts of mixed traffic
 * @MCFAB_CLASSES: most classes. Where the traffic has classes of its own they are numbers of this
 *		   type, from 0 on
 */
enum mcfab_class {
	MCFAB_CLASS_MULTICAST = MCFAB_MESSAGE_CLASS_MULTICAST - 1,
	MCFAB_CLASS_UNICAST = MCFAB_MESSAGE_CLASS_UNICAST - 1,
	MCFAB_CLASSES = MCFAB_MAX_TRAFFIC_CLASSES,
};

/** enum mcfab_metric - quantities that get a confidence interval */
enum mcfab_metric {
	MCFAB_METRIC_COMPLETION,	/* of a message: its last tail */
	MCFAB_METRIC_DESTINATION,	/* of a message: mean of the tails over its destinations */
	MCFAB_METRIC_WORM,		/* of a message: mean over its worms of the last tail */
	MCFAB_METRICS_PRECISE,		/* the stopping rule asks for precision up to here */
	MCFAB_METRIC_TAIL = MCFAB_METRICS_PRECISE,	/* of a destination */
	MCFAB_METRIC_HEADER,		/* of a destination */
	MCFAB_METRIC_EACH_WORM,		/* of a worm: its last tail */
	MCFAB_METRIC_CV_HEADER,		/* of a message: variation of its headers */
	MCFAB_METRIC_CV_TAIL,		/* of a message: variation of its tails */
	MCFAB_METRIC_ADDITIONAL,	/* of a message: traffic less destinations */
	MCFAB_METRICS,
};

/** enum mcfab_count - values over which a metric's mean is taken */
enum mcfab_count {
	MCFAB_COUNT_MESSAGES,
	MCFAB_COUNT_DESTINATIONS,
	MCFAB_COUNT_WORMS,
	MCFAB_COUNTS,
};

/**
 * struct mcfab_batch - messages of one class generated in one base batch
 * @count: number of values, by enum mcfab_count
 * @sum: sum of each metric's values, two's complement
 */
struct mcfab_batch {
	u64 count[MCFAB_COUNTS];
	struct mcfab_u128 sum[MCFAB_METRICS];
};

/**
 * struct mcfab_batches - batches of a run
 * @start: first generation cycle of the first base batch
 * @span: generation cycles of MCFAB_BASE_WINDOW base batches
 * @count: base batches that are over; the base batch under way comes after them
 * @classes: classes that are kept
 * @batch: [MCFAB_BASE_MAX + 1] base batches by class; NULL: not kept
 */
struct mcfab_batches {
	u64 start;
	u64 span;
	u32 count;
	u32 classes;
	struct mcfab_batch *batch[MCFAB_CLASSES];
};

u64 mcfab_batches_bytes(u32 classes);
int mcfab_batches_open(struct mcfab_batches *b, u32 classes, u64 span);
void mcfab_batches_close(struct mcfab_batches *b);
u64 mcfab_batches_base(const struct mcfab_batches *b, u32 index);
void mcfab_batches_add(struct mcfab_batches *b, enum mcfab_class class,
		       const struct mcfab_batch *more);
void mcfab_batches_end(struct mcfab_batches *b);
void mcfab_batches_group(const struct mcfab_batches *b, enum mcfab_class class, u32 index,
			 struct mcfab_batch *out);
u32 mcfab_metric_scale(enum mcfab_metric metric);
u64 mcfab_batch_mean(const struct mcfab_batch *batch, enum mcfab_metric metric);
u64 mcfab_batch_count(const struct mcfab_batch *batch, enum mcfab_metric metric);

/** mcfab_batches_groups() - batches from which intervals are computed, an even number */
static inline u32 mcfab_batches_groups(const struct mcfab_batches *b)
{
	return b->count / (2 * MCFAB_BASE_GROUP) * 2;
}

/** mcfab_batches_length() - generation cycles of each such batch, rounded down */
static inline u64 mcfab_batches_length(const struct mcfab_batches *b)
{
	return div_u64(b->span, MCFAB_BASE_WINDOW / MCFAB_BASE_GROUP);
}

/** mcfab_batches_look() - is this a time at which the stopping rule looks */
static inline bool mcfab_batches_look(const struct mcfab_batches *b)
{
	return b->count == MCFAB_BASE_LOOK || b->count == MCFAB_BASE_WINDOW;
}

#endif
