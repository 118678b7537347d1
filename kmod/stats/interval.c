// SPDX-License-Identifier: GPL-2.0
/*
 * Confidence intervals from batches of messages that depend on each other, after Law and
 * Carson ("A sequential procedure for determining the length of a steady-state simulation",
 * Operations Research 27, 1979) and Skart (Tafazzoli, Wilson, Lada, Steiger, "Performance of
 * Skart: a skewness- and autoregression-adjusted batch means procedure for simulation
 * analysis", INFORMS J. on Computing 23, 2011).
 *
 * There are n batches; batch i has N_i values that add up to S_i. All values together have
 * the mean m. What a batch adds to the error of m is its residual
 *
 *	R_i = S_i - m N_i
 *
 * so that a batch with few messages weighs little, and one without any nothing. With Q the
 * sum of R_i^2, r the sum of R_i R_(i+1) over Q, f the batches that have messages, and
 * phi = max(0, r + 1/n), the half-width from n batches is
 *
 *	t sqrt(Q f / (f - 1) (1 + phi) / (1 - phi)) / (sum of N_i)
 *
 * It is computed from n batches and from n / 2 pairs of them; the larger counts. t is
 * Student's for one degree of freedom less than there are pairs with messages. Latencies
 * are skewed to the right, and so is their mean: the half-width is multiplied by
 *
 *	1 + t |g| / (3 sqrt(n / 2))
 *
 * with g the skewness of the pairs' residuals.
 *
 * Batches that are correlated by phi > 0.3 are too short for the correction to be trusted.
 */
#include "stats/derive.h"
#include "stats/interval.h"
#include "stats/scaled.h"
#include "stats/student.h"

/* Residuals are compared with this many bits: cubes of pairs add up to less than 2^127. */
#define VALUE_BITS	38
/* equal parts of a window; if latencies grow from each part to the next the window is in doubt */
#define GROW_PARTS	8
/* batches before neighbours are merged */
#define GROUPS_MAX	(MCFAB_BASE_MAX / MCFAB_BASE_GROUP)
/* (1 + phi) / (1 - phi) stays finite, in 1e-6 */
#define PHI_MAX		990000
/* fewest pairs with messages for an interval */
#define PAIRS_LEAST	10

/*
 * struct series - residuals of the batches
 * @n: batches
 * @value: [@n] residual of each, times 1e-6 of the values' unit times 2^@shift
 * @has: [@n] it has values, bits
 * @shift: dropped bits
 * @count: values of all batches
 */
struct series {
	u32 n;
	s64 value[GROUPS_MAX];
	unsigned long has[BITS_TO_LONGS(GROUPS_MAX)];
	unsigned int shift;
	u64 count;
};

/*
 * struct spread - sums over a series
 * @filled: batches with values
 * @square: of squared residuals
 * @cross: magnitude of the sum of products of neighbours
 * @crossed: that sum is negative
 * @cube: magnitude of the sum of cubes
 */
struct spread {
	u32 filled;
	struct mcfab_u128 square;
	struct mcfab_u128 cross;
	bool crossed;
	struct mcfab_u128 cube;
};

static struct mcfab_u128 magnitude(struct mcfab_u128 a, bool *negative)
{
	*negative = a.hi >> 63;
	return *negative ? mcfab_u128_neg(a) : a;
}

/* add @a, which is @negative or not, to a sum in two's complement */
static struct mcfab_u128 add_signed(struct mcfab_u128 sum, struct mcfab_u128 a, bool negative)
{
	return negative ? mcfab_u128_sub(sum, a) : mcfab_u128_add(sum, a);
}

/*
 * R_i = S_i - S N_i / N in 1e-6 of the values' unit, within one: with S = q N + r, the
 * second term is q N_i + r N_i / N.
 */
static struct mcfab_u128 residual(const struct mcfab_batch *batch, enum mcfab_metric metric,
				  struct mcfab_u128 sum, u64 count)
{
	u64 n = mcfab_batch_count(batch, metric), q, r;
	struct mcfab_u128 part;
	bool negative;

	q = mcfab_u128_to_u64(mcfab_u128_div64(magnitude(sum, &negative), count, &r));
	part = mcfab_u128_add(mcfab_mul64(q, n),
			      mcfab_u128_div64(mcfab_mul64(r, n), count, NULL));
	return add_signed(mcfab_u128_mul64(batch->sum[metric], mcfab_metric_scale(metric)), part,
			  !negative);
}

/* sum and number of the values of all batches; the sum in 1e-6 of their unit */
static u64 batches_total(const struct mcfab_batches *b, enum mcfab_class class,
			 enum mcfab_metric metric, struct mcfab_u128 *sum)
{
	u32 i, end = mcfab_batches_groups(b) * MCFAB_BASE_GROUP;
	u64 count = 0;

	*sum = mcfab_u128(0);
	for (i = 0; i < end; i++) {
		count += mcfab_batch_count(&b->batch[class][i], metric);
		*sum = mcfab_u128_add(*sum, b->batch[class][i].sum[metric]);
	}
	*sum = mcfab_u128_mul64(*sum, mcfab_metric_scale(metric));
	return count;
}

/* noinline keeps the batch off the stack of the following code */
static noinline void series_fill(struct series *s, const struct mcfab_batches *b,
				 enum mcfab_class class, enum mcfab_metric metric,
				 struct mcfab_u128 sum)
{
	unsigned int most = 0;
	struct mcfab_u128 r;
	struct mcfab_batch batch;
	bool negative;
	u32 i;

	s->n = mcfab_batches_groups(b);
	for (i = 0; i < s->n; i++) {
		mcfab_batches_group(b, class, i, &batch);
		r = magnitude(residual(&batch, metric, sum, s->count), &negative);
		most = max(most, mcfab_u128_fls(r));
	}
	s->shift = most > VALUE_BITS ? most - VALUE_BITS : 0;
	for (i = 0; i < s->n; i++) {
		mcfab_batches_group(b, class, i, &batch);
		r = magnitude(residual(&batch, metric, sum, s->count), &negative);
		s->value[i] = mcfab_u128_shr(r, s->shift).lo;
		if (negative)
			s->value[i] = -s->value[i];
		if (mcfab_batch_count(&batch, metric))
			__set_bit(i, s->has);
	}
}

/* half as many batches of twice the length */
static void series_pair(struct series *s)
{
	u32 i;

	s->n /= 2;
	for (i = 0; i < s->n; i++) {
		s->value[i] = s->value[2 * i] + s->value[2 * i + 1];
		if (test_bit(2 * i, s->has) || test_bit(2 * i + 1, s->has))
			__set_bit(i, s->has);
		else
			__clear_bit(i, s->has);
	}
}

static void series_spread(const struct series *s, struct spread *out)
{
	struct mcfab_u128 cross = mcfab_u128(0), cube = mcfab_u128(0), square;
	u64 size, before = 0;
	bool negative;
	u32 i;

	memset(out, 0, sizeof(*out));
	for (i = 0; i < s->n; i++) {
		negative = s->value[i] < 0;
		size = mcfab_magnitude(s->value[i]);
		square = mcfab_mul64(size, size);
		out->square = mcfab_u128_add(out->square, square);
		cube = add_signed(cube, mcfab_u128_mul64(square, size), negative);
		if (i)
			cross = add_signed(cross, mcfab_mul64(before, size),
					   negative != (s->value[i - 1] < 0));
		out->filled += test_bit(i, s->has);
		before = size;
	}
	out->cross = magnitude(cross, &out->crossed);
	out->cube = magnitude(cube, &negative);
}

/* correlation of neighbours in 1e-6 */
static s32 spread_lag1(const struct spread *s)
{
	struct mcfab_scaled lag;
	u64 value;

	if (!s->square.hi && !s->square.lo)
		return 0;
	lag = mcfab_scaled_div(mcfab_scaled_from(s->cross), mcfab_scaled_from(s->square));
	value = mcfab_scaled_round(mcfab_scaled_mul(lag, mcfab_scaled(MCFAB_MICRO)));
	value = min_t(u64, value, MCFAB_MICRO);
	return s->crossed ? -(s32)value : (s32)value;
}

/* phi in 1e-6 */
static u32 spread_phi(s32 lag1, u32 n)
{
	return clamp(lag1 + (s32)(MCFAB_MICRO / n), 0, PHI_MAX);
}

/* Q f / (f - 1) (1 + phi) / (1 - phi), times 2^(-2 shift) */
static struct mcfab_scaled spread_variance(const struct spread *s, u32 phi)
{
	u64 above = (u64)s->filled * (MCFAB_MICRO + phi);
	u64 below = (u64)(s->filled - 1) * (MCFAB_MICRO - phi);

	return mcfab_scaled_div(mcfab_scaled_mul(mcfab_scaled_from(s->square),
						 mcfab_scaled(above)), mcfab_scaled(below));
}

/*
 * t |g| / (3 sqrt(n)) in 1e-9. The skewness g of n values is
 * (cubes / n) / (squares / n)^(3/2), so that g / sqrt(n) = cubes / squares^(3/2) <= 1.
 */
static u64 spread_skewness(const struct spread *s, u64 t)
{
	struct mcfab_scaled square = mcfab_scaled_from(s->square), g;

	if (!square.bits)
		return 0;
	g = mcfab_scaled_div(mcfab_scaled_from(s->cube), square);
	g = mcfab_scaled_div(g, mcfab_scaled_sqrt(square));
	return mcfab_scaled_round(mcfab_scaled_mul(g, mcfab_scaled(div_u64(t, 3))));
}

static bool is_less(struct mcfab_scaled a, struct mcfab_scaled b)
{
	if (!a.bits || !b.bits || a.exponent == b.exponent)
		return a.bits < b.bits;
	return a.exponent < b.exponent;
}

static void interval_half(struct series *s, struct mcfab_interval *out)
{
	struct mcfab_scaled variance, paired, half;
	struct spread single, pair;
	u32 phi;
	u64 t;

	series_spread(s, &single);
	out->observations = single.filled;
	out->lag1 = spread_lag1(&single);
	phi = spread_phi(out->lag1, s->n);
	series_pair(s);
	series_spread(s, &pair);
	if (pair.filled < PAIRS_LEAST)
		return;

	out->correlated = phi > MCFAB_CORRELATED_PPM;
	variance = spread_variance(&single, phi);
	paired = spread_variance(&pair, spread_phi(spread_lag1(&pair), s->n));
	if (is_less(variance, paired))
		variance = paired;
	t = mcfab_student(pair.filled - 1);
	half = mcfab_scaled_mul(mcfab_scaled_sqrt(variance), mcfab_scaled(t));
	half = mcfab_scaled_mul(half, mcfab_scaled(MCFAB_NANO + spread_skewness(&pair, t)));
	half = mcfab_scaled_div(half, mcfab_scaled((u64)MCFAB_NANO * MCFAB_NANO));
	half = mcfab_scaled_div(half, mcfab_scaled(s->count));
	half.exponent += s->shift;
	out->half = min_t(u64, mcfab_scaled_round(half), MCFAB_UNKNOWN - 1);
}

/**
 * mcfab_batches_interval() - confidence interval from the batches that are over
 * @b: batches
 * @class: class of messages
 * @metric: the quantity
 * @out: the interval; its mean is that of the batches' messages
 *
 * Context: any; may take a millisecond.
 */
void mcfab_batches_interval(const struct mcfab_batches *b, enum mcfab_class class,
			    enum mcfab_metric metric, struct mcfab_interval *out)
{
	struct series s = { .count = 0 };
	struct mcfab_u128 sum, mean;
	bool negative;

	memset(out, 0, sizeof(*out));
	out->half = MCFAB_UNKNOWN;
	s.count = batches_total(b, class, metric, &sum);
	if (!s.count)
		return;
	mean = mcfab_u128_div64_round(magnitude(sum, &negative), s.count);
	out->mean = min_t(u64, mcfab_u128_to_u64(mean), S64_MAX);
	if (negative)
		out->mean = -out->mean;
	series_fill(&s, b, class, metric, sum);
	interval_half(&s, out);
}

/**
 * mcfab_batches_grow() - do latencies grow from the first to the last batch
 * @b: batches
 * @class: class of messages
 * @factor: least growth
 *
 * Context: any.
 * Return: true if each eighth of the base batches has messages, and a larger mean completion
 * latency than the eighth before, and the last eighth has @factor times the mean of the first, or
 * more.
 */
bool mcfab_batches_grow(const struct mcfab_batches *b, enum mcfab_class class, u32 factor)
{
	u32 size = b->count / GROW_PARTS, i, j;
	u64 first = 0, before = 0, mean, count, sum;

	if (!size)
		return false;
	for (i = 0; i < GROW_PARTS; i++) {
		const struct mcfab_batch *base = &b->batch[class][i * size];

		for (count = 0, sum = 0, j = 0; j < size; j++) {
			count += base[j].count[MCFAB_COUNT_MESSAGES];
			sum += base[j].sum[MCFAB_METRIC_COMPLETION].lo;
		}
		if (!count)
			return false;
		mean = mcfab_ratio(sum, count, 1, MCFAB_MICRO);
		if (mean <= before)
			return false;
		if (!i)
			first = mean;
		before = mean;
	}
	return before >= first * factor;
}

/**
 * mcfab_batches_precise() - is every latency known well enough
 * @b: batches
 * @precision_ppm: wanted relative half-width in 1e-6
 *
 * Context: any; may take milliseconds.
 * Return: true if in every class that has messages, and for each metric up to
 * MCFAB_METRICS_PRECISE, MCFAB_INTERVAL_LEAST batches have messages, neighbouring batches are
 * not correlated, and the half-width is below that part of the mean; false without messages.
 */
bool mcfab_batches_precise(const struct mcfab_batches *b, u32 precision_ppm)
{
	struct mcfab_interval in;
	struct mcfab_u128 sum;
	bool any = false;
	u32 class, metric;

	for (class = 0; class < b->classes; class++) {
		if (!batches_total(b, class, MCFAB_METRIC_COMPLETION, &sum))
			continue;
		any = true;
		for (metric = 0; metric < MCFAB_METRICS_PRECISE; metric++) {
			mcfab_batches_interval(b, class, metric, &in);
			if (in.half == MCFAB_UNKNOWN || in.correlated ||
			    in.observations < MCFAB_INTERVAL_LEAST ||
			    mcfab_u128_cmp(mcfab_mul64(in.half, MCFAB_MICRO),
					   mcfab_mul64(in.mean, precision_ppm)) > 0)
				return false;
		}
	}
	return any;
}
