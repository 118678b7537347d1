// SPDX-License-Identifier: GPL-2.0
/*
 * Base batches: sums over the messages that were generated in equal slices of the window.
 *
 * Memory is bounded: when 512 base batches are over, neighbours are merged, and 256 base batches of
 * twice the length are left. Intervals are computed from batches of four base batches each, see
 * interval.c.
 *
 * The window's length need not be a multiple of the number of base batches: base batch i begins
 * with cycle start + floor(i * span / 384). A merged base batch begins where its first part did.
 */
#include "stats/batch.h"
#include "stats/derive.h"

/* count and unit of each metric's sums */
static const struct {
	enum mcfab_count over;
	u32 scale;
} metrics[] = {
	[MCFAB_METRIC_COMPLETION] = { MCFAB_COUNT_MESSAGES, MCFAB_MICRO },
	[MCFAB_METRIC_DESTINATION] = { MCFAB_COUNT_MESSAGES, 1 },
	[MCFAB_METRIC_WORM] = { MCFAB_COUNT_MESSAGES, 1 },
	[MCFAB_METRIC_TAIL] = { MCFAB_COUNT_DESTINATIONS, MCFAB_MICRO },
	[MCFAB_METRIC_HEADER] = { MCFAB_COUNT_DESTINATIONS, MCFAB_MICRO },
	[MCFAB_METRIC_EACH_WORM] = { MCFAB_COUNT_WORMS, MCFAB_MICRO },
	[MCFAB_METRIC_CV_HEADER] = { MCFAB_COUNT_MESSAGES, 1 },
	[MCFAB_METRIC_CV_TAIL] = { MCFAB_COUNT_MESSAGES, 1 },
	[MCFAB_METRIC_ADDITIONAL] = { MCFAB_COUNT_MESSAGES, MCFAB_MICRO },
};

/**
 * mcfab_metric_scale() - unit of a metric's values
 * @metric: the metric
 *
 * Context: any.
 * Return: the factor that gives its sums in 1e-6: MCFAB_MICRO if they are in cycles or channels, 1
 * if they are in 1e-6 already.
 */
u32 mcfab_metric_scale(enum mcfab_metric metric)
{
	return metrics[metric].scale;
}

/**
 * mcfab_batch_count() - how many values of a metric a batch has
 * @batch: the batch
 * @metric: the metric
 *
 * Context: any.
 * Return: messages, destinations or worms.
 */
u64 mcfab_batch_count(const struct mcfab_batch *batch, enum mcfab_metric metric)
{
	return batch->count[metrics[metric].over];
}

/**
 * mcfab_batch_mean() - mean of a latency over a batch
 * @batch: the batch
 * @metric: which latency
 *
 * Context: any.
 * Return: the mean in 1e-6 cycles, to the nearest; MCFAB_UNKNOWN without messages.
 */
u64 mcfab_batch_mean(const struct mcfab_batch *batch, enum mcfab_metric metric)
{
	struct mcfab_u128 sum = mcfab_u128_mul64(batch->sum[metric], metrics[metric].scale);
	u64 count = mcfab_batch_count(batch, metric);

	return count ? mcfab_u128_div64_round(sum, count).lo : MCFAB_UNKNOWN;
}

/**
 * mcfab_batches_bytes() - memory that mcfab_batches_open() takes
 * @classes: classes of messages
 *
 * Context: any.
 * Return: bytes.
 */
u64 mcfab_batches_bytes(u32 classes)
{
	return (u64)classes * (MCFAB_BASE_MAX + 1) * sizeof(struct mcfab_batch);
}

/**
 * mcfab_batches_open() - prepare batches
 * @b: what to fill in; @b->start is 0 and may be set before the first message
 * @classes: classes of messages
 * @span: generation cycles of the first MCFAB_BASE_WINDOW base batches, at least 1
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM; mcfab_batches_close() is due in either case.
 */
int mcfab_batches_open(struct mcfab_batches *b, u32 classes, u64 span)
{
	u32 i;

	memset(b, 0, sizeof(*b));
	b->classes = classes;
	b->span = span;
	for (i = 0; i < classes; i++) {
		b->batch[i] = kvcalloc(MCFAB_BASE_MAX + 1, sizeof(*b->batch[i]), MCFAB_GFP);
		if (!b->batch[i])
			return -ENOMEM;
	}
	return 0;
}

/**
 * mcfab_batches_close() - free batches
 * @b: batches, opened or all zero
 *
 * Context: may sleep.
 */
void mcfab_batches_close(struct mcfab_batches *b)
{
	u32 i;

	for (i = 0; i < MCFAB_CLASSES; i++) {
		kvfree(b->batch[i]);
		b->batch[i] = NULL;
	}
}

/**
 * mcfab_batches_base() - where a base batch begins
 * @b: batches
 * @index: its number; base batch @b->count is under way
 *
 * Context: any.
 * Return: its first generation cycle; U64_MAX if 64 bits cannot count that far.
 */
u64 mcfab_batches_base(const struct mcfab_batches *b, u32 index)
{
	struct mcfab_u128 offset = mcfab_u128_div64(mcfab_mul64(b->span, index),
						    MCFAB_BASE_WINDOW, NULL);

	return mcfab_u128_to_u64(mcfab_u128_add(offset, mcfab_u128(b->start)));
}

static void batch_merge(struct mcfab_batch *into, const struct mcfab_batch *from)
{
	u32 i;

	for (i = 0; i < MCFAB_COUNTS; i++)
		into->count[i] += from->count[i];
	for (i = 0; i < MCFAB_METRICS; i++)
		into->sum[i] = mcfab_u128_add(into->sum[i], from->sum[i]);
}

/**
 * mcfab_batches_add() - add messages to the base batch under way
 * @b: batches
 * @class: class of the messages
 * @more: how many values they have, and their sums
 *
 * Context: any; the caller serialises.
 */
void mcfab_batches_add(struct mcfab_batches *b, enum mcfab_class class,
		       const struct mcfab_batch *more)
{
	batch_merge(&b->batch[class][b->count], more);
}

static void batches_merge(struct mcfab_batches *b)
{
	u32 class, i;

	b->count /= 2;
	/* 2^64 cycles are never reached */
	b->span = b->span >> 63 ? U64_MAX : 2 * b->span;
	for (class = 0; class < b->classes; class++) {
		struct mcfab_batch *batch = b->batch[class];

		for (i = 0; i < b->count; i++) {
			batch[i] = batch[2 * i];
			batch_merge(&batch[i], &batch[2 * i + 1]);
		}
		memset(batch + b->count, 0, (b->count + 1) * sizeof(*batch));
	}
}

/**
 * mcfab_batches_end() - the base batch under way is over
 * @b: batches
 *
 * Context: any; the caller serialises.
 */
void mcfab_batches_end(struct mcfab_batches *b)
{
	b->count++;
	if (b->count == MCFAB_BASE_MAX)
		batches_merge(b);
}

/**
 * mcfab_batches_group() - sums of one of the batches from which intervals are computed
 * @b: batches
 * @class: class of messages
 * @index: which batch, below mcfab_batches_groups()
 * @out: where to put its sums
 *
 * Context: any.
 */
void mcfab_batches_group(const struct mcfab_batches *b, enum mcfab_class class, u32 index,
			 struct mcfab_batch *out)
{
	const struct mcfab_batch *base = &b->batch[class][index * MCFAB_BASE_GROUP];
	u32 i;

	*out = base[0];
	for (i = 1; i < MCFAB_BASE_GROUP; i++)
		batch_merge(out, &base[i]);
}
