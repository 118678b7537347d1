// SPDX-License-Identifier: GPL-2.0
/*
 * Batch means.
 *
 * Memory is bounded: when 1000 batches are over, neighbours are merged, and 500
 * batches of twice the length are left.
 *
 * A batch without messages has no mean and is no observation; the batches before
 * and behind it count as neighbours.
 */
#include "stats/batch.h"
#include "stats/derive.h"

/**
 * mcfab_batches_bytes() - memory that mcfab_batches_open() takes
 * @classes: classes of messages
 *
 * Context: any.
 * Return: bytes.
 */
u64 mcfab_batches_bytes(u32 classes)
{
	return (u64)classes * (MCFAB_BATCHES_MAX + 1) * sizeof(struct mcfab_batch);
}

/**
 * mcfab_batches_open() - prepare batches
 * @b: what to fill in; @b->start is 0 and may be set before the first message
 * @classes: classes of messages
 * @length: generation cycles of a batch, at least 1
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM; mcfab_batches_close() is due in either case.
 */
int mcfab_batches_open(struct mcfab_batches *b, u32 classes, u64 length)
{
	u32 i;

	memset(b, 0, sizeof(*b));
	b->classes = classes;
	b->length = length;
	for (i = 0; i < classes; i++) {
		b->batch[i] = kvcalloc(MCFAB_BATCHES_MAX + 1, sizeof(*b->batch[i]), MCFAB_GFP);
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
 * mcfab_batches_boundary() - where the batch under way ends
 * @b: batches
 *
 * Context: any.
 * Return: the first generation cycle behind it; U64_MAX if 64 bits cannot count
 * that far.
 */
u64 mcfab_batches_boundary(const struct mcfab_batches *b)
{
	struct mcfab_u128 end = mcfab_mul64(b->length, b->count + 1);

	return mcfab_u128_to_u64(mcfab_u128_add(end, mcfab_u128(b->start)));
}

static void batch_merge(struct mcfab_batch *into, const struct mcfab_batch *from)
{
	u32 i;

	into->messages += from->messages;
	for (i = 0; i < MCFAB_METRICS; i++)
		into->sum[i] = mcfab_u128_add(into->sum[i], from->sum[i]);
}

/**
 * mcfab_batches_add() - add messages to the batch under way
 * @b: batches
 * @class: class of the messages
 * @more: how many, and the sums of their latencies
 *
 * Context: any; the caller serialises.
 */
void mcfab_batches_add(struct mcfab_batches *b, enum mcfab_class class,
		       const struct mcfab_batch *more)
{
	b->seen[class] += more->messages;
	batch_merge(&b->batch[class][b->count], more);
}

static void batches_merge(struct mcfab_batches *b)
{
	u32 class, i;

	b->count /= 2;
	b->length *= 2;
	for (class = 0; class < b->classes; class++) {
		struct mcfab_batch *batch = b->batch[class];

		b->filled[class] = 0;
		for (i = 0; i < b->count; i++) {
			batch[i] = batch[2 * i];
			batch_merge(&batch[i], &batch[2 * i + 1]);
			b->filled[class] += batch[i].messages > 0;
		}
		memset(batch + b->count, 0, (b->count + 1) * sizeof(*batch));
	}
}

/**
 * mcfab_batches_end() - the batch under way is over
 * @b: batches
 *
 * Context: any; the caller serialises.
 */
void mcfab_batches_end(struct mcfab_batches *b)
{
	u32 class;

	for (class = 0; class < b->classes; class++)
		b->filled[class] += b->batch[class][b->count].messages > 0;
	b->count++;
	if (b->count == MCFAB_BATCHES_MAX)
		batches_merge(b);
}

/**
 * mcfab_batches_mean() - mean of a batch
 * @b: batches
 * @class: class of messages
 * @index: which batch, below @b->count
 * @metric: which latency
 *
 * Context: any.
 * Return: the mean in 1e-6 cycles, to the nearest; MCFAB_UNKNOWN without messages.
 */
u64 mcfab_batches_mean(const struct mcfab_batches *b, enum mcfab_class class, u32 index,
		       enum mcfab_metric metric)
{
	const struct mcfab_batch *batch = &b->batch[class][index];

	if (!batch->messages)
		return MCFAB_UNKNOWN;
	return mcfab_u128_div64_round(batch->sum[metric], batch->messages).lo;
}

/* Two's complement accumulators of products of deviations */
static struct mcfab_u128 add_product(struct mcfab_u128 sum, s64 a, s64 b)
{
	struct mcfab_u128 product = mcfab_mul64(mcfab_magnitude(a), mcfab_magnitude(b));

	return (a < 0) == (b < 0) ? mcfab_u128_add(sum, product) : mcfab_u128_sub(sum, product);
}

static s32 batches_lag1(const struct mcfab_batches *b, enum mcfab_class class,
			enum mcfab_metric metric, s64 mean)
{
	struct mcfab_u128 cross = mcfab_u128(0), square = mcfab_u128(0);
	s64 before = 0, deviation;
	bool first = true, negative;
	unsigned int bits;
	u64 value;
	u32 i;

	for (i = 0; i < b->count; i++) {
		value = mcfab_batches_mean(b, class, i, metric);
		if (value == MCFAB_UNKNOWN)
			continue;
		deviation = (s64)value - mean;
		square = add_product(square, deviation, deviation);
		if (!first)
			cross = add_product(cross, before, deviation);
		before = deviation;
		first = false;
	}

	negative = cross.hi >> 63;
	if (negative)
		cross = mcfab_u128_neg(cross);
	/* The quotient needs six digits only. */
	bits = mcfab_u128_fls(square);
	bits = bits > 64 ? bits - 64 : 0;
	value = mcfab_u128_shr(square, bits).lo;
	if (!value)
		return 0;
	cross = mcfab_u128_mul64(mcfab_u128_shr(cross, bits), MCFAB_MICRO);
	value = min_t(u64, mcfab_u128_div64_round(cross, value).lo, MCFAB_MICRO);
	return negative ? -(s32)value : (s32)value;
}

/* moments of the batch means, in 1e-6 cycles */
static void batches_moments(const struct mcfab_batches *b, enum mcfab_class class,
			    enum mcfab_metric metric, struct mcfab_moments *m)
{
	u64 value;
	u32 i;

	memset(m, 0, sizeof(*m));
	for (i = 0; i < b->count; i++) {
		value = mcfab_batches_mean(b, class, i, metric);
		if (value != MCFAB_UNKNOWN)
			mcfab_moments_add(m, value);
	}
}

/**
 * mcfab_batches_interval() - confidence interval from the batches that are over
 * @b: batches
 * @class: class of messages
 * @metric: which latency
 * @out: the interval; its mean is that of the batch means
 *
 * Context: any; may take a millisecond.
 */
void mcfab_batches_interval(const struct mcfab_batches *b, enum mcfab_class class,
			    enum mcfab_metric metric, struct mcfab_interval *out)
{
	struct mcfab_moments m;

	batches_moments(b, class, metric, &m);
	out->mean = mcfab_mean(&m, 1);
	out->half = mcfab_half_width(&m, 1);
	out->observations = m.count;
	out->lag1 = m.count > 2 ? batches_lag1(b, class, metric, out->mean) : 0;
}

/**
 * mcfab_batches_precise() - the stopping rule
 * @b: batches
 * @batches: fewest batches with messages
 * @precision_ppm: wanted relative half-width in 1e-6
 *
 * Context: any; may take milliseconds.
 * Return: true if every latency of every class that has messages is known with
 * that precision from at least that many batches.
 */
bool mcfab_batches_precise(const struct mcfab_batches *b, u32 batches, u32 precision_ppm)
{
	struct mcfab_moments m;
	bool any = false;
	u32 class, metric;
	u64 half;

	/* The cheap question first: this is asked at the end of every batch. */
	for (class = 0; class < b->classes; class++) {
		if (b->seen[class] && b->filled[class] < batches)
			return false;
		any |= b->seen[class] > 0;
	}
	for (class = 0; class < b->classes; class++) {
		if (!b->seen[class])
			continue;
		for (metric = 0; metric < MCFAB_METRICS; metric++) {
			batches_moments(b, class, metric, &m);
			half = mcfab_half_width(&m, 1);
			if (mcfab_u128_cmp(mcfab_mul64(half, MCFAB_MICRO),
					   mcfab_mul64(mcfab_mean(&m, 1), precision_ppm)) > 0)
				return false;
		}
	}
	return any;
}
