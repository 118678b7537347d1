// SPDX-License-Identifier: GPL-2.0
/*
 * The window of a run that is measured: where it begins and ends, of fixed length and by the
 * stopping rule, and whether it is overload.
 */
#include "stats/stats.h"

#include <math.h>

#include "lib/check.h"
#include "lib/measure.h"
#include "lib/tap.h"

static void open_ok(struct mcfab_stats *st, const struct mcfab_stats_cfg *cfg)
{
	assert_int_equal(mcfab_stats_open(st, cfg), 0);
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
		mcfab_stats_finish(&st, MCFAB_RUN_STATUS_DONE, gen);
		check(st.window.start == 5000 && st.window.unsettled == (i < 2),
		      "queues that grow for ever");
		mcfab_stats_close(&st);
	}
	open_ok(&st, &cfg);
	for (gen = 0; gen < 4000; gen += 7)
		single(&st, gen, 500);
	mcfab_stats_finish(&st, MCFAB_RUN_STATUS_SATURATED, gen);
	check(st.window.unsettled, "it ended in the pilot phase");
	mcfab_stats_close(&st);

	/* few messages: a third of them is spent on the pilot phase, and no more */
	open_ok(&st, &cfg);
	for (gen = 0; !mcfab_stats_advance(&st, gen + 1); gen += 200)
		single(&st, gen, 500 + word(gen) % 100);
	mcfab_stats_finish(&st, MCFAB_RUN_STATUS_DONE, gen);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_window),
	};

	return run_tap(tests);
}
