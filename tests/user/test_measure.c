// SPDX-License-Identifier: GPL-2.0
/*
 * What a run measures: warm-up, batches, the stopping rule, the statistics of
 * whole messages and the result hash, each compared with a naive program that
 * keeps everything and computes in long double.
 */
#include "stats/derive.h"
#include "stats/hash.h"
#include "stats/stats.h"
#include "stats/student.h"
#include "base/random.h"

#include <math.h>
#include <stdlib.h>

#include "lib/check.h"
#include "lib/tap.h"

static u64 word(u64 index)
{
	return mcfab_random(4, 0, MCFAB_STREAM_DEST, index);
}

/* normal variates are good enough as sums of uniforms here */
static double noise(u64 index)
{
	double sum = -6;
	int i;

	for (i = 0; i < 12; i++)
		sum += (word(12 * index + i) >> 11) * 0x1p-53;
	return sum;
}

/* MSER as in the textbook, on the block means of the whole series */
static u32 naive_cut(const u32 *x, u32 n, u32 group, u32 *blocks)
{
	u32 m = n / group, d, j, cut = 0;
	long double best = INFINITY;

	*blocks = m;
	for (d = 0; d + 5 <= m; d++) {
		long double sum = 0, square = 0, mean;

		for (j = d * group; j < m * group; j++)
			sum += x[j];
		mean = sum / ((m - d) * group);
		for (j = d; j < m; j++) {
			long double block = 0;
			u32 k;

			for (k = 0; k < group; k++)
				block += x[j * group + k];
			square += powl(block / group - mean, 2);
		}
		square /= powl(m - d, 2);
		if (square < best * (1 - 1e-14L)) {
			best = square;
			cut = d;
		}
	}
	return cut;
}

static void test_mser(void **state)
{
	static u32 x[40000];
	u32 i, kind, n, group, blocks;
	struct mcfab_mser mser;
	u64 gen;

	for (kind = 0; kind < 6; kind++) {
		for (n = 400; n <= ARRAY_SIZE(x); n *= 10) {
			assert_int_equal(mcfab_mser_open(&mser), 0);
			for (i = 0; i < n; i++) {
				double level = 500;

				if (kind == 1)		/* starts empty, settles after 0.1 n */
					level -= 400 * exp(-(double)i / (0.03 * n));
				if (kind == 2)		/* starts high for 0.2 n */
					level += i < 0.2 * n ? 800 : 0;
				if (kind == 3)		/* never settles */
					level += 2000.0 * i / n;
				if (kind == 4)		/* settles too late to be seen */
					level += i < 0.7 * n ? 800 : 0;
				x[i] = level + 30 * noise(kind * 100000 + i);
				if (kind == 5)		/* numbers at the limit */
					x[i] = U32_MAX - (word(i) & 0xffffff);
				mcfab_mser_add(&mser, 10 * i, x[i]);
			}
			for (group = 5; n / group > MCFAB_MSER_BLOCKS; group *= 2)
				;
			/* full blocks are merged when the next message comes */
			check(mser.size == group && mser.count == n / group, "blocks are merged");
			check(mcfab_mser_cut(&mser) == naive_cut(x, n, group, &blocks),
			      "truncation is that of the textbook");
			if (n < 4000) {
				/* 80 blocks */
				mcfab_mser_close(&mser);
				continue;
			}
			check(mcfab_mser_settled(&mser, &gen) == (kind != 3 && kind != 4),
			      "settled or not");
			if (kind == 1)
				check(gen > 10 * 0.05 * n && gen < 10 * 0.3 * n, "transient");
			if (kind == 2)
				check(gen >= 10 * 0.195 * n && gen < 10 * 0.25 * n, "step");
			mcfab_mser_close(&mser);
		}
	}
	assert_int_equal(mcfab_mser_open(&mser), 0);
	check(!mcfab_mser_settled(&mser, &gen), "nothing is not settled");
	for (i = 0; i < 5 * MCFAB_MSER_LEAST - 1; i++)
		mcfab_mser_add(&mser, i, 7);
	check(!mcfab_mser_settled(&mser, &gen), "too few blocks");
	mcfab_mser_add(&mser, i, 7);
	check(mcfab_mser_settled(&mser, &gen) && gen == 0, "constant: nothing to leave out");
	mcfab_mser_close(&mser);
}

/* correlated series: message i of batch i / per */
static double autoregressive(u32 i, double rho, double *last)
{
	*last = rho * *last + sqrt(1 - rho * rho) * noise(i);
	return 1000 + 100 * *last;
}

#define BASES	20000

/* a series by base batches, and what a naive program makes of it */
struct naive_series {
	long double sum[BASES], count[BASES];
	u32 n;
};

/* naive half-width from @n batches of @per base batches; false: correlated by more than 0.3 */
static bool naive_half(const struct naive_series *x, u32 n, u32 per, long double t,
		       long double *half, long double *lag1, long double *skewness, u32 *filled)
{
	long double sum = 0, count = 0, square = 0, cross = 0, cube = 0, before = 0, phi;
	u32 i, j;

	for (i = 0; i < n * per; i++) {
		sum += x->sum[i];
		count += x->count[i];
	}
	*filled = 0;
	for (i = 0; i < n; i++) {
		long double s = 0, c = 0, r;

		for (j = i * per; j < (i + 1) * per; j++) {
			s += x->sum[j];
			c += x->count[j];
		}
		r = s - sum / count * c;
		square += r * r;
		cube += r * r * r;
		cross += r * before;
		before = r;
		*filled += c > 0;
	}
	*lag1 = cross / square;
	phi = fminl(fmaxl(0, *lag1 + 1.0L / n), 0.99L);
	*half = t / count *
		sqrtl(square * *filled / (*filled - 1) * (1 + phi) / (1 - phi));
	*skewness = cube / n / powl(square / n, 1.5L);
	return phi <= 0.3L;
}

static void try_batches(u32 total, u32 per, double rho, u32 gap)
{
	static struct naive_series x;
	struct mcfab_interval got;
	struct mcfab_batches b;
	u32 i, j, merge, filled, pairs, looks = 0;
	long double half, paired, lag1, skewness, ignored, t, centre, sum = 0, count = 0;
	double last = 0;
	bool good;

	assert_int_equal(mcfab_batches_open(&b, 1, 1000), 0);
	b.start = 77;
	for (i = 0; i < total; i++) {
		x.sum[i] = 0;
		x.count[i] = gap && i % gap == 0 ? 0 : per + word(i) % 3;
		for (j = 0; j < x.count[i]; j++) {
			u64 value = autoregressive(i * 64 + j, rho, &last) * 1000000;
			struct mcfab_batch one = { .count = { 1, 2, 3 } };

			one.sum[MCFAB_METRIC_DESTINATION] = mcfab_u128(value);
			one.sum[MCFAB_METRIC_WORM] = mcfab_u128(3 * value);
			one.sum[MCFAB_METRIC_COMPLETION] = mcfab_u128(value / 1000000);
			one.sum[MCFAB_METRIC_TAIL] = mcfab_u128(value);
			one.sum[MCFAB_METRIC_ADDITIONAL] = mcfab_u128_neg(mcfab_u128(value));
			mcfab_batches_add(&b, 0, &one);
			x.sum[i] += value;
		}
		/* a base batch is longer after every merging */
		if ((i + 1) % (b.span / 1000) == 0) {
			mcfab_batches_end(&b);
			looks += mcfab_batches_look(&b);
		}
	}
	/* merged whenever 512 were over, so that pairs stay aligned */
	for (x.n = total, merge = 1; x.n >= 512; x.n /= 2)
		merge *= 2;
	check(b.count == x.n && b.span == 1000 * merge, "number and length of base batches");
	for (i = 0; i <= x.n; i++)
		check(mcfab_batches_base(&b, i) == 77 + (u64)i * 1000 * merge / 384,
		      "where they begin");
	for (i = 256, j = 0; i <= total; i *= 2)
		j += 1 + (i + i / 2 <= total);
	check(looks == j, "looks at 256 and 384 times powers of two only");
	for (i = 0; i < x.n; i++) {
		long double s = 0, c = 0;

		for (j = i * merge; j < (i + 1) * merge; j++) {
			s += x.sum[j];
			c += x.count[j];
		}
		x.sum[i] = s;
		x.count[i] = c;
	}
	x.n = x.n / 8 * 2;
	check(mcfab_batches_groups(&b) == x.n, "number of batches");
	for (i = 0; i < x.n; i++) {
		long double s = 0, c = 0;
		struct mcfab_batch group;

		for (j = 4 * i; j < 4 * i + 4; j++) {
			s += x.sum[j];
			c += x.count[j];
		}
		sum += s;
		count += c;
		mcfab_batches_group(&b, 0, i, &group);
		check(group.count[0] == (u64)c && group.count[2] == 3 * (u64)c, "counts");
		check(c ? fabsl(mcfab_batch_mean(&group, MCFAB_METRIC_DESTINATION) - s / c) <=
		      0.51L : mcfab_batch_mean(&group, MCFAB_METRIC_DESTINATION) ==
		      MCFAB_UNKNOWN, "mean of a batch");
	}
	mcfab_batches_interval(&b, 0, MCFAB_METRIC_DESTINATION, &got);
	if (x.n < 20) {
		check(got.half == MCFAB_UNKNOWN && !mcfab_batches_precise(&b, 1000000),
		      "too few batches");
		mcfab_batches_close(&b);
		return;
	}
	naive_half(&x, x.n / 2, 8, 1, &paired, &lag1, &skewness, &pairs);
	t = mcfab_student(pairs - 1) / 1e9L;
	naive_half(&x, x.n / 2, 8, t, &paired, &lag1, &skewness, &pairs);
	good = naive_half(&x, x.n, 4, t, &half, &lag1, &ignored, &filled);
	half = fmaxl(half, paired) * (1 + t * fabsl(skewness) / (3 * sqrtl(x.n / 2)));
	centre = sum / count;
	note("%u batches: %.3Lf of %.3Lf, lag-1 %.3Lf, skewness %.3Lf%s", x.n, half / 1e6L,
	     centre / 1e6L, lag1, skewness, good ? "" : ", correlated");
	check(got.observations == filled && fabsl(got.mean - centre) <= 0.51L, "mean");
	check(fabsl(got.lag1 - lag1 * 1e6L) <= 0.51L, "correlation of neighbours");
	check(fabsl(got.half - half) <= 1 + half * 5e-5L, "half-width");
	check(got.correlated == !good, "correlated or not");
	check(mcfab_batches_precise(&b, ceill(half / centre * 1.02e6L) + 1) == good &&
	      !mcfab_batches_precise(&b, floorl(half / centre * 0.98e6L) - 1), "precise");
	mcfab_batches_interval(&b, 0, MCFAB_METRIC_WORM, &got);
	check(fabsl(got.half - 3 * half) <= 3 + half * 2e-4L, "of another metric");
	mcfab_batches_interval(&b, 0, MCFAB_METRIC_COMPLETION, &got);
	check(fabsl(got.half - half) <= half * 1e-2L, "in cycles");
	/* twice as many destinations as messages, and values in cycles */
	mcfab_batches_interval(&b, 0, MCFAB_METRIC_TAIL, &got);
	check(fabsl(got.half / 1e6L - half / 2) <= 1 + half * 1e-4L &&
	      fabsl(got.mean / 1e6L - centre / 2) < 1, "over destinations");
	mcfab_batches_interval(&b, 0, MCFAB_METRIC_ADDITIONAL, &got);
	check(fabsl(got.half / 1e6L - half) <= 1 + half * 1e-4L &&
	      fabsl(got.mean / 1e6L + centre) < 1, "of negative values");
	mcfab_batches_close(&b);
}

static void test_batches(void **state)
{
	try_batches(79, 10, 0, 0);
	try_batches(80, 10, 0, 0);
	try_batches(256, 10, 0.99, 0);
	try_batches(384, 10, 0, 0);
	try_batches(384, 3, -0.9, 0);
	try_batches(511, 3, 0.5, 0);
	try_batches(512, 3, 0.5, 0);
	try_batches(1003, 2, 0.5, 3);
	try_batches(2000, 2, 0.9, 7);
	try_batches(12288, 1, 0.99, 2);
	try_batches(17000, 1, 0.9, 2);
}

/* Two messages now and then: what has few observations is known badly, or not at all. */
static void test_rare(void **state)
{
	struct mcfab_batch one = { .count = { 1, 1, 1 } };
	struct mcfab_interval got;
	struct mcfab_batches b;
	u32 every, i;

	for (every = 4; every < 400; every *= 2) {
		assert_int_equal(mcfab_batches_open(&b, 1, 384), 0);
		for (i = 0; i < 384; i++) {
			one.sum[MCFAB_METRIC_WORM] = mcfab_u128(1000 + i * 37 % 100);
			if (i % every == 0)
				mcfab_batches_add(&b, 0, &one);
			mcfab_batches_end(&b);
		}
		mcfab_batches_interval(&b, 0, MCFAB_METRIC_WORM, &got);
		check(got.observations == (384 + every - 1) / every, "batches with messages");
		check((got.half == MCFAB_UNKNOWN) == (got.observations < 10),
		      "no interval from fewer than ten");
		check(mcfab_batches_precise(&b, 1000000) == (got.observations >= 20),
		      "no end with fewer than twenty");
		mcfab_batches_close(&b);
	}
}

static struct mcfab_stats_cfg config(u32 warmup, u32 precision_ppm)
{
	return (struct mcfab_stats_cfg){
		.nodes = 64, .flits = 32, .warmup = warmup, .batches = 20,
		.batch_cycles = 1000, .precision_ppm = precision_ppm,
	};
}

/* a multicast to one node */
static void single(struct mcfab_stats *st, u64 gen, u32 tail)
{
	struct mcfab_message msg = {
		.gen = gen, .source = 1, .ndst = 1, .worms = 1, .traffic = 3, .complete = true,
	};
	struct mcfab_delivery dlv = { .dst = 2, .header = tail / 2, .tail = tail };

	dlv.part[MCFAB_PART_TRANSFER] = tail;
	mcfab_stats_message(st, &msg, &dlv, 1);
}

static void open_ok(struct mcfab_stats *st, const struct mcfab_stats_cfg *cfg)
{
	assert_int_equal(mcfab_stats_open(st, cfg), 0);
}

static void test_window(void **state)
{
	struct mcfab_stats_cfg cfg = config(5000, 0);
	struct mcfab_stats st, lazy;
	struct mcfab_interval got;
	u64 gen, end;
	u32 i;

	open_ok(&st, &cfg);
	check(mcfab_stats_window_start(&st) == 5000 && mcfab_stats_window_end(&st) == 25000,
	      "a window of fixed length is known at once");
	for (gen = 0; gen < 30000; gen += 50) {
		check(mcfab_stats_advance(&st, gen) == (gen >= 25000), "over at its end");
		single(&st, gen, gen < 5000 || gen >= 25000 ? 9999 : 100);
	}
	mcfab_stats_settle(&st);
	check(st.class[0].all.messages == 600 && st.class[0].measured.messages == 400 &&
	      st.class[0].completion.max == 100, "only messages generated in the window");
	mcfab_stats_interval(&st, 0, MCFAB_METRIC_COMPLETION, &got);
	check(got.mean == 100000000 && got.half == 0 && got.observations == 96 &&
	      !got.correlated, "constant");
	mcfab_stats_close(&st);

	/* the stopping rule; one run is advanced all the time, one by messages only */
	cfg = config(MCFAB_NONE, 10000);
	open_ok(&st, &cfg);
	open_ok(&lazy, &cfg);
	check(mcfab_stats_window_end(&st) == U64_MAX, "the end is not known yet");
	for (gen = 0; gen < 10000000; gen += 10) {
		double level = gen < 2000 ? 100 : 1000;
		u32 tail = level + level / 4 * noise(gen / 50) + level / 20 * noise(gen);

		single(&lazy, gen, tail);
		single(&st, gen, tail);
		if (mcfab_stats_advance(&st, gen + 1))
			break;
	}
	end = mcfab_stats_window_end(&st);
	mcfab_stats_interval(&st, 0, MCFAB_METRIC_DESTINATION, &got);
	note("measured %llu .. %llu, %llu batches, half-width %.2f of %.2f, lag-1 %.3f",
	     (unsigned long long)st.window.start, (unsigned long long)end,
	     (unsigned long long)got.observations, got.half / 1e6, got.mean / 1e6,
	     got.lag1 / 1e6);
	check(st.window.start == 5000 && !st.window.unsettled && st.window.transient >= 1950 &&
	      st.window.transient < 2500, "MSER-5 finds the transient");
	check(end != U64_MAX && end >= 25000 && end <= gen + 10, "it ends by precision");
	check(got.half <= got.mean / 100 && got.observations >= 20, "the precision is reached");
	check(mcfab_stats_advance(&lazy, end) && mcfab_stats_window_end(&lazy) == end &&
	      lazy.class[0].measured.messages == st.class[0].measured.messages,
	      "when it is advanced does not matter");
	mcfab_stats_close(&lazy);
	mcfab_stats_close(&st);

	/* a rising latency never settles */
	open_ok(&st, &cfg);
	for (gen = 0; st.window.phase == MCFAB_PHASE_PILOT && gen < 10000000; gen += 10)
		single(&st, gen, 100 + gen / 10);
	check(st.window.unsettled && st.window.start == 5000 << 2,
	      "saturation: the pilot phase is given up");
	while (st.window.phase != MCFAB_PHASE_DONE && gen < 10000000) {
		single(&st, gen, 100 + gen / 10);
		gen += 10;
	}
	check(st.window.end <= 20000 + 4 * 20000 && st.window.unsettled,
	      "and the window ends although nothing is precise");
	mcfab_stats_close(&st);

	/* a slow transient is waited for: latencies grow like the root of time up to 300000 */
	open_ok(&st, &cfg);
	for (gen = 0; st.window.phase == MCFAB_PHASE_PILOT && gen < 10000000; gen += 10)
		single(&st, gen, 100 + sqrt(min(gen, 300000)) + word(gen) % 10);
	check(!st.window.unsettled && st.window.start == 5000 << 7, "a slow transient");
	mcfab_stats_close(&st);

	/* overload that the pilot phase does not see */
	cfg = config(MCFAB_NONE, 0);
	for (i = 0; i < 4; i++) {
		open_ok(&st, &cfg);
		for (gen = 0; gen < 40000; gen += 7) {
			u32 late = gen > 6000 ? gen - 6000 : 0;
			/* one source's queue grows; all do, slowly; nothing; nothing */
			u32 more = i == 0 ? (word(gen) % 20 ? 0 : late) : i == 1 ? late / 20 : 0;

			single(&st, gen, 500 + word(gen + 1) % 100 + more);
			if (mcfab_stats_advance(&st, gen + 1) || (i == 3 && gen > 15000))
				break;
		}
		mcfab_stats_finish(&st, MCFAB_RUN_DONE, gen);
		check(st.window.start == 5000 && st.window.unsettled == (i < 2),
		      "queues that grow for ever");
		mcfab_stats_close(&st);
	}
	open_ok(&st, &cfg);
	for (gen = 0; gen < 4000; gen += 7)
		single(&st, gen, 500);
	mcfab_stats_finish(&st, MCFAB_RUN_SATURATED, gen);
	check(st.window.unsettled, "it ended in the pilot phase");
	mcfab_stats_close(&st);

	/* few messages: a third of them is spent on the pilot phase, and no more */
	open_ok(&st, &cfg);
	for (gen = 0; !mcfab_stats_advance(&st, gen + 1); gen += 200)
		single(&st, gen, 500 + word(gen) % 100);
	mcfab_stats_finish(&st, MCFAB_RUN_DONE, gen);
	check(st.class[0].measured.messages == 100 && st.class[0].all.messages <= 151 &&
	      !st.window.unsettled, "most of a short run at low load is measured");
	mcfab_stats_close(&st);

	/* an end before its time, and silence */
	cfg = config(0, 50000);
	open_ok(&st, &cfg);
	for (gen = 0; gen < 3500; gen += 50)
		single(&st, gen, 100 + gen);
	check(!mcfab_stats_advance(&st, 1ULL << 40), "no messages, no precision");
	check(st.window.batches.count < MCFAB_BASE_MAX, "memory is bounded");
	check(mcfab_stats_advance(&st, U64_MAX) && mcfab_stats_window_end(&st) == 3451,
	      "no further messages: the window ends behind the last one");
	mcfab_stats_close(&st);

	cfg.batches = 19;
	check(mcfab_stats_open(&st, &cfg) == -EINVAL, "too few batches");
	cfg.batches = 1001;
	check(mcfab_stats_open(&st, &cfg) == -EINVAL, "too many batches");
	cfg.batches = 20;
	cfg.batch_cycles = 0;
	check(mcfab_stats_open(&st, &cfg) == -EINVAL, "empty batches");
}

static u64 fnv(const u8 *data, u32 size)
{
	u64 hash = 14695981039346656037ULL;
	u32 i;

	for (i = 0; i < size; i++) {
		hash ^= data[i];
		hash *= 1099511628211ULL;
	}
	return hash;
}

static void put(u8 **at, u64 value)
{
	int i;

	for (i = 0; i < 8; i++)
		*(*at)++ = value >> (8 * i);
}

#define MESSAGES	3000
#define MOST		12

/* naive sums of a quantity over observations */
struct naive {
	long double n, sum, square, min, max;
};

static void take(struct naive *x, long double value)
{
	x->min = x->n ? fminl(x->min, value) : value;
	x->max = x->n ? fmaxl(x->max, value) : value;
	x->n++;
	x->sum += value;
	x->square += value * value;
}

/* @slack: by how much a value may have been rounded when it was taken */
static void same(const struct mcfab_moments *m, const struct naive *x, long double slack)
{
	long double sum = ldexpl((s64)m->sum.hi, 64) + m->sum.lo;
	long double square = ldexpl(m->square.hi, 64) + m->square.lo;

	check(m->count == (u64)x->n, "number of observations");
	check(fabsl(m->min - x->min) <= slack && fabsl(m->max - x->max) <= slack, "extremes");
	check(fabsl(sum - x->sum) <= slack * x->n + fabsl(x->sum) * 1e-15L, "sum");
	check(fabsl(square - x->square) <= x->square * 1e-6L * (slack > 0) + x->square * 1e-15L,
	      "sum of squares");
}

static long double spread(const u32 *x, u32 n)
{
	long double mean = 0, var = 0;
	u32 i;

	for (i = 0; i < n; i++)
		mean += (long double)x[i] / n;
	for (i = 0; i < n; i++)
		var += powl(x[i] - mean, 2) / n;
	return mean ? sqrtl(var) / mean * 1e6L : 0;
}

static void try_messages(bool lone, bool mixed)
{
	struct naive tail[2] = { 0 }, header[2] = { 0 }, done[2] = { 0 }, worm[2] = { 0 };
	struct naive dest[2] = { 0 }, mean[2] = { 0 }, cvh[2] = { 0 }, cvt[2] = { 0 };
	struct naive more[2] = { 0 };
	static u8 bytes[MESSAGES * MOST * 48 + 16];
	u64 parts[2][MCFAB_PARTS] = { 0 }, total[2][2] = { 0 }, gen = 0;
	struct mcfab_stats_cfg cfg = config(500, 0);
	struct mcfab_interval got;
	struct mcfab_stats st;
	u32 i, j, k, class;
	u8 *at = bytes;

	cfg.lone = lone;
	cfg.mixed = mixed;
	open_ok(&st, &cfg);
	for (i = 0; i < MESSAGES; i++) {
		struct mcfab_delivery dlv[MOST] = { 0 };
		u32 t[MOST], h[MOST], last[MOST] = { 0 }, dst = 0, n, top = 0, worms = 0;
		struct mcfab_message msg = {
			.gen = gen, .source = word(i) % 64, .seq = i,
			.worms = 1 + word(i) % 5, .startups = word(i + 1) % 9,
			.traffic = word(i + 2) % 40, .channel_cycles = word(i + 3) % 4000,
			.complete = i % 50 != 7,
		};
		long double sum = 0, last_sum = 0;
		bool measured = lone || (gen >= 500 && gen < 20500);

		msg.ndst = i % 3 ? MOST - i % 5 : 1;
		class = mixed && msg.ndst == 1;
		n = msg.ndst - !msg.complete;
		for (j = 0; j < n; j++) {
			u32 left;

			dlv[j].dst = dst += 1 + word(i * 20 + j) % 4;
			dlv[j].worm = word(i * 30 + j) % 5;
			dlv[j].tail = left = t[j] = 40 + word(i * 40 + j) % (1 << i % 20);
			dlv[j].header = h[j] = t[j] - 31;
			for (k = 0; k < MCFAB_PARTS - 1; k++) {
				dlv[j].part[k] = left / 3;
				left -= left / 3;
			}
			dlv[j].part[MCFAB_PART_BLOCKING] = left;
			put(&at, gen);
			put(&at, msg.source);
			put(&at, i);
			put(&at, dst);
			put(&at, gen + h[j]);
			put(&at, gen + t[j]);
			sum += t[j];
			top = max(top, t[j]);
			last[dlv[j].worm] = max(last[dlv[j].worm], t[j]);
		}
		mcfab_stats_message(&st, &msg, dlv, n);
		total[class][0]++;
		total[class][1] += measured;
		if (measured && msg.complete) {
			for (j = 0; j < n; j++) {
				take(&tail[class], t[j]);
				take(&header[class], h[j]);
				for (k = 0; k < MCFAB_PARTS; k++)
					parts[class][k] += dlv[j].part[k];
			}
			for (j = 0; j < MOST; j++) {
				if (!last[j])
					continue;
				take(&worm[class], last[j]);
				last_sum += last[j];
				worms++;
			}
			take(&done[class], top);
			take(&dest[class], sum / n * 1e6L);
			take(&mean[class], last_sum / worms * 1e6L);
			take(&cvh[class], spread(h, n));
			take(&cvt[class], spread(t, n));
			take(&more[class], (long double)msg.traffic - n);
		}
		if (!lone)
			gen += word(i + 5) % 15;
	}
	mcfab_stats_finish(&st, MCFAB_RUN_DONE, 123456);
	put(&at, 3);
	put(&at, 123456);
	check(st.has_hash && st.hash == fnv(bytes, at - bytes), "hash");
	check(!st.bad_parts && !st.bad_messages, "nothing is contradictory");
	for (class = 0; class < (mixed ? 2 : 1); class++) {
		struct mcfab_class_stats *cls = &st.class[class];
		u64 sum = 0, square;

		check(cls->all.messages == total[class][0] &&
		      cls->measured.messages == total[class][1] &&
		      cls->measured.flits == 32 * total[class][1], "totals");
		same(&cls->tail, &tail[class], 0);
		same(&cls->header, &header[class], 0);
		same(&cls->completion, &done[class], 0);
		same(&cls->worm, &worm[class], 0);
		same(&cls->additional, &more[class], 0);
		same(&cls->mean_destination, &dest[class], 0.51L);
		same(&cls->mean_worm, &mean[class], 0.51L);
		same(&cls->cv_header, &cvh[class], 1.51L);
		same(&cls->cv_tail, &cvt[class], 1.51L);
		for (k = 0; k < MCFAB_PARTS; k++) {
			check(cls->part[k] == parts[class][k], "parts");
			sum += cls->part[k];
		}
		check(!cls->tail.sum.hi && sum == cls->tail.sum.lo, "parts add up to the tails");
		check(cls->latency->count == cls->tail.count &&
		      cls->completions->count == cls->completion.count, "histograms");
		mcfab_stats_interval(&st, class, MCFAB_METRIC_COMPLETION, &got);
		check(fabsl(got.mean - done[class].sum / done[class].n * 1e6L) <= 0.51L, "mean");
		square = mcfab_half_width(&cls->completion, MCFAB_MICRO);
		check(!lone || got.half == square, "lone: interval over messages");
		check(lone || got.observations == 96, "interval over batches");
	}
	mcfab_stats_close(&st);
}

static void test_messages(void **state)
{
	try_messages(true, false);
	try_messages(false, false);
	try_messages(false, true);
}

/* Many messages with one delivery come to the samples at once: it must not matter when. */
static void test_settle(void **state)
{
	static const struct mcfab_stats_cfg cfgs[] = {
		{ .lone = true },
		{ .warmup = 777, .batches = 20, .batch_cycles = 1000 },
		{ .warmup = 777, .batches = 20, .batch_cycles = 1000, .mixed = true },
		{ .warmup = MCFAB_NONE, .batches = 20, .batch_cycles = 200,
		  .precision_ppm = 90000 },
	};
	u32 i, j, k;

	for (i = 0; i < ARRAY_SIZE(cfgs); i++) {
		struct mcfab_stats_cfg cfg = cfgs[i];
		struct mcfab_stats st[2];
		u64 gen = 0;

		cfg.nodes = 64;
		cfg.flits = 32;
		open_ok(&st[0], &cfg);
		open_ok(&st[1], &cfg);
		for (j = 0; j < 5000; j++) {
			struct mcfab_message msg = {
				.gen = gen, .source = word(j) % 300, .seq = j,
				.ndst = 1 + !(word(j) % 5), .worms = 1 + word(j) % 3,
				.startups = 1, .traffic = word(j + 1) % 20,
				.channel_cycles = word(j + 2), .queue_cycles = word(j + 3) % 99,
				.complete = word(j) % 97,
			};
			struct mcfab_delivery dlv[2] = { 0 };

			for (k = 0; k < msg.ndst; k++) {
				dlv[k].dst = k + word(j + 4) % 60;
				dlv[k].worm = word(j + 5) % 130;
				/* what takes longer than the pilot phase never settles */
				dlv[k].tail = word(j + k) >> (32 + word(j + 7) % 32);
				if (cfg.warmup == MCFAB_NONE)
					dlv[k].tail %= 400;
				dlv[k].header = word(j + 8) % 64;
				dlv[k].part[word(j) % MCFAB_PARTS] = dlv[k].tail - !(word(j) % 71);
			}
			for (k = 0; k < 2; k++)
				mcfab_stats_message(&st[k], &msg, dlv,
						    msg.ndst - !(word(j + 9) % 31));
			mcfab_stats_settle(&st[1]);
			if (word(j + 10) % 61 == 0)
				mcfab_stats_advance(&st[1], gen);
			gen += cfg.lone ? 0 : word(j + 6) % 11;
		}
		for (k = 0; k < 2; k++)
			mcfab_stats_finish(&st[k], MCFAB_RUN_DONE, 99999);
		check(st[0].hash == st[1].hash && st[0].bad_parts && st[0].bad_messages &&
		      st[0].bad_parts == st[1].bad_parts &&
		      st[0].bad_messages == st[1].bad_messages, "hash and contradictions");
		check(st[0].window.start == st[1].window.start &&
		      st[0].window.end == st[1].window.end &&
		      st[0].window.batches.count == st[1].window.batches.count, "window");
		for (j = 0; j < st[0].classes; j++) {
			check(!memcmp(&st[0].class[j], &st[1].class[j],
				      offsetof(struct mcfab_class_stats, latency)), "samples");
			check(!memcmp(st[0].class[j].latency, st[1].class[j].latency,
				      sizeof(*st[0].class[j].latency)), "histogram");
			check(cfg.lone || !memcmp(st[0].window.batches.batch[j],
						  st[1].window.batches.batch[j],
						  st[0].window.batches.count *
						  sizeof(struct mcfab_batch)), "batches");
			check(st[0].class[j].measured.messages > 100, "something was measured");
		}
		mcfab_stats_close(&st[0]);
		mcfab_stats_close(&st[1]);
	}
}

static void test_refused(void **state)
{
	struct mcfab_message msg = { .ndst = 2, .worms = 1, .complete = true };
	struct mcfab_delivery dlv[2] = { { .dst = 1, .tail = 9 }, { .dst = 2, .tail = 9 } };
	struct mcfab_stats_cfg cfg = config(0, 0);
	struct mcfab_stats st;
	u8 word8[8] = { 'f', 'o', 'o', 'b', 'a', 'r', 0, 0 };

	check(fnv((const u8 *)"foobar", 6) == 0x85944171f73967e8ULL &&
	      mcfab_hash_u64(MCFAB_HASH_INIT, 0x7261626f6f66ULL) == fnv(word8, 8), "FNV-1a");
	cfg.lone = true;
	open_ok(&st, &cfg);
	dlv[0].part[0] = 9;
	dlv[1].part[0] = 8;
	mcfab_stats_message(&st, &msg, dlv, 2);
	check(st.bad_parts == 1 && !st.bad_messages, "parts that do not add up are counted");
	dlv[1].part[0] = 9;
	mcfab_stats_message(&st, &msg, dlv, 1);
	check(st.bad_messages == 1, "a complete message without a delivery");
	dlv[1].dst = 1;
	mcfab_stats_message(&st, &msg, dlv, 2);
	check(st.bad_messages == 2, "a destination served twice");
	dlv[1].dst = 2;
	dlv[1].worm = 128;
	mcfab_stats_message(&st, &msg, dlv, 2);
	check(st.bad_messages == 3 && st.class[0].completion.count == 3, "an impossible worm");
	mcfab_stats_finish(&st, MCFAB_RUN_STOPPED, 1);
	check(!st.has_hash, "a run stopped by the user has no hash");
	mcfab_stats_close(&st);
}

static void test_memory(void **state)
{
	struct mcfab_stats_cfg cfg = config(MCFAB_NONE, 0);
	long before = shim_allocated, fail;
	struct mcfab_stats st;
	int ret = -ENOMEM;

	cfg.mixed = true;
	for (fail = 1; ret && fail < 100; fail++) {
		shim_fail_alloc = fail;
		ret = mcfab_stats_open(&st, &cfg);
		check(!ret || (ret == -ENOMEM && shim_allocated == before), "nothing is leaked");
	}
	shim_fail_alloc = 0;
	/* batches of two classes, two series of MSER, loads, worms, four histograms */
	check(fail == 12, "every allocation was made to fail once");
	mcfab_stats_close(&st);
	check(shim_allocated == before, "everything is freed");
	note("%llu bytes for a mixed load", (unsigned long long)mcfab_stats_bytes(&cfg));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mser),
		cmocka_unit_test(test_batches),
		cmocka_unit_test(test_rare),
		cmocka_unit_test(test_window),
		cmocka_unit_test(test_messages),
		cmocka_unit_test(test_settle),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_memory),
	};

	return run_tap(tests);
}
