// SPDX-License-Identifier: GPL-2.0
/*
 * The statistics of whole messages and the result hash, compared with a naive program that
 * keeps everything and computes in long double; what is contradictory; memory.
 */
#include "stats/derive.h"
#include "stats/hash.h"
#include "stats/stats.h"

#include <math.h>
#include <stdlib.h>

#include "lib/check.h"
#include "lib/measure.h"
#include "lib/tap.h"

static void open_ok(struct mcfab_stats *st, const struct mcfab_stats_cfg *cfg)
{
	assert_int_equal(mcfab_stats_open(st, cfg), 0);
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
	u64 parts[2][MCFAB_PARTS] = { 0 }, total[2][3] = { 0 }, gen = 0;
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
			.flits = 1 + word(i + 4) % 60,
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
		total[class][2] += measured * msg.flits;
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
	mcfab_stats_finish(&st, MCFAB_RUN_STATUS_DONE, 123456);
	put(&at, 3);
	put(&at, 123456);
	check(st.has_hash && st.hash == fnv(bytes, at - bytes), "hash");
	check(!st.bad_parts && !st.bad_messages, "nothing is contradictory");
	for (class = 0; class < (mixed ? 2 : 1); class++) {
		struct mcfab_class_stats *cls = &st.class[class];
		u64 sum = 0, square;

		check(cls->all.messages == total[class][0] &&
		      cls->measured.messages == total[class][1] &&
		      cls->measured.flits == total[class][2], "totals");
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
				.ndst = 1 + !(word(j) % 5), .flits = word(j + 11) % 50, .worms = 1 + word(j) % 3,
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
			mcfab_stats_finish(&st[k], MCFAB_RUN_STATUS_DONE, 99999);
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
	mcfab_stats_finish(&st, MCFAB_RUN_STATUS_STOPPED, 1);
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
		cmocka_unit_test(test_messages),
		cmocka_unit_test(test_settle),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_memory),
	};

	return run_tap(tests);
}
