// SPDX-License-Identifier: GPL-2.0
/*
 * What waits at the sources: for start-ups, for injection channels; that it is as much as the
 * messages say themselves; how long the queues are.
 */
#include <stdio.h>
#include "fabric/runner.h"
#include "lib/loads.h"
#include "lib/tap.h"
#include "workload/workload.h"

/* cycles that messages waited in queues, as their latencies say */
static u64 queue_parts(const struct run *r)
{
	u64 waits = 0;
	u32 i;

	for (i = 0; i < r->got.ndlv; i++)
		waits += r->got.dlv[i].part[MCFAB_PART_QUEUE];
	return waits;
}

/* where a message is one worm, its cost and its latency say when it waited, and for what */
static void expect_waits(const struct run *r, u32 nodes, bool all_delivered)
{
	const struct mcfab_loads *l = &r->loads;
	const struct mcfab_delivery *d = r->got.dlv;
	u64 accepted = 0, startup = 0, inject = 0, out = 0, all = 0, room;
	struct mcfab_err err = { 0 };
	struct mcfab_workload w;
	struct mcfab_source src;
	u32 i;

	for (i = 0; i < r->got.nmsg; i++) {
		const struct mcfab_message *m = &r->got.msg[i];
		u64 taken = m->gen + m->queue_cycles, ready, begun;

		if (d == r->got.dlv + r->got.ndlv || d->gen != m->gen || d->source != m->source ||
		    d->seq != m->seq)
			continue;
		ready = taken + d->part[MCFAB_PART_PREP] + d->part[MCFAB_PART_STARTUP];
		begun = m->gen + d->part[MCFAB_PART_QUEUE] + ready - taken;
		accepted += inside(l, begun);
		startup += overlap(l, m->gen, taken);
		inject += overlap(l, ready, begun);
		out += overlap(l, taken, ready) + overlap(l, begun, U64_MAX);
		d++;
	}
	assert_ptr_equal(d, r->got.dlv + r->got.ndlv);
	printf("#   %llu cycles for start-ups, %llu for channels\n",
	       (unsigned long long)l->queue_cycles, (unsigned long long)l->inject_cycles);
	if (all_delivered) {
		assert_int_equal(l->sum.accepted, accepted);
		assert_int_equal(l->queue_cycles, startup);
		assert_int_equal(l->inject_cycles, inject);
		return;
	}
	/* those that never left, and those that left but were not delivered */
	assert_int_equal(mcfab_workload_open(&w, &rc.workload, fc.seed, nodes, &err), 0);
	for (i = 0; i < nodes; i++) {
		mcfab_workload_first(&w, i, &src);
		for (; src.gen < l->end; mcfab_workload_next(&w, i, &src))
			all += overlap(l, src.gen, U64_MAX);
	}
	mcfab_workload_close(&w);
	room = (u64)nodes * 4 * 64 * (l->end - l->start);
	assert_in_range(l->sum.accepted, accepted, accepted + nodes * 64);
	assert_in_range(l->queue_cycles + l->inject_cycles, all - out - min(room, all - out),
			all - out);
	assert_true(l->queue_cycles + l->inject_cycles > (all - out) / 2);
}

static const struct {
	u64 rate;
	u32 startup;
	u32 inject;
	bool done;
} loads[] = {
	{ 2000000, 0, 0, true },
	{ 4000000, 0, 0, true },
	{ 4000000, 100, 0, true },
	{ 6000000, 33, 1, true },
	{ 8000000, 33, 1, true },
	{ 10000000, 60, 2, true },
	{ 100000000, 0, 0, false },		/* far more than the mesh carries */
	{ 20000000, 33, 1, false },
};

static void test_waits(void **state)
{
	struct run one, more;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(loads); i++) {
		mesh(8, 8, "unicast", loads[i].rate, 1);
		fc.startup = loads[i].startup;
		fc.inject = loads[i].inject;
		rc.warmup = 3000;
		rc.batch_cycles = 500;
		rc.max_cycles = loads[i].done ? 200000 : 15000;
		run(&one, 1);
		printf("# start-up %u, %u channels at %llu: state %u\n", fc.startup, fc.inject,
		       (unsigned long long)loads[i].rate, one.state);
		if (loads[i].done)
			assert_int_not_equal(one.state, MCFAB_RUN_STATUS_CUT);
		expect_waits(&one, 64, one.state != MCFAB_RUN_STATUS_CUT && !one.window.timed);
		run(&more, 5);
		assert_memory_equal(&more.loads, &one.loads, sizeof(one.loads));
		capture_free(&more.got);
		capture_free(&one.got);
	}
}

/* what a node generated it has taken, or it waits; the first that waits is the next of its stream */
static void test_sources(void **state)
{
	struct mcfab_source_load load[64];
	struct mcfab_err err = { 0 };
	struct mcfab_workload w;
	struct mcfab_source src;
	u32 taken[64] = { 0 }, i, k, nodes = 0;
	struct mcfab_fabric *f;
	struct capture got = { 0 };
	u64 cycle;

	mesh(8, 8, "unicast", 100000000, 1);
	rc.warmup = 3000;
	rc.batch_cycles = 500;
	fc.shards = 3;
	capture = &got;
	f = mcfab_fabric_create(&fc, &err);
	assert_false(IS_ERR(f));
	assert_int_equal(mcfab_run_start(f, &rc, &err), 0);
	mcfab_runner_wait(f);
	capture = NULL;
	memcpy(load, f->results.sources, sizeof(load));
	cycle = f->results.progress.cycle;
	mcfab_fabric_destroy(f);

	for (i = 0; i < got.nmsg; i++)
		taken[got.msg[i].source]++;
	assert_int_equal(mcfab_workload_open(&w, &rc.workload, fc.seed, 64, &err), 0);
	for (i = 0; i < 64; i++) {
		mcfab_workload_first(&w, i, &src);
		for (k = 0; k < taken[i]; k++)
			mcfab_workload_next(&w, i, &src);
		assert_int_equal(load[i].oldest, src.gen);
		for (k = 0; src.gen < cycle; k++)
			mcfab_workload_next(&w, i, &src);
		assert_int_equal(load[i].waiting, k);
		assert_in_range(load[i].taken, 1, taken[i]);
		nodes += load[i].waiting > 100;
	}
	printf("# more than 100 messages wait at %u nodes\n", nodes);
	assert_true(nodes > 60);
	mcfab_workload_close(&w);
	capture_free(&got);
}

/* Little's law: as many wait on average as come, times how long each of them waits */
static void test_little(void **state)
{
	double wait = 0, mean;
	struct run r;
	u32 i, n = 0;

	mesh(8, 8, "unicast", 6000000, 1);
	fc.inject = 1;
	rc.prep = 0;
	rc.warmup = 10000;
	run(&r, 1);
	assert_int_equal(r.state, MCFAB_RUN_STATUS_DONE);
	for (i = 0; i < r.got.ndlv; i++) {
		if (!inside(&r.loads, r.got.dlv[i].gen))
			continue;
		wait += r.got.dlv[i].part[MCFAB_PART_QUEUE];
		n++;
	}
	mean = (double)(r.loads.queue_cycles + r.loads.inject_cycles) / (r.loads.end - r.loads.start);
	printf("# %.3f messages wait, %.3f come in a cycle, %.1f cycles each\n", mean,
	       (double)n / (r.loads.end - r.loads.start), wait / n);
	wait /= r.loads.end - r.loads.start;
	/* but for those that are there at the two ends */
	assert_true(mean > 0.98 * wait && mean < 1.02 * wait);
	capture_free(&r.got);
}

/* a queue that waits for start-ups is not one that waits for channels */
static void test_told_apart(void **state)
{
	struct run r;

	mesh(8, 8, "unicast", 20000000, 1);
	fc.startup = 200;
	rc.max_cycles = 20000;
	run(&r, 1);
	assert_int_equal(r.loads.inject_cycles, 0);
	assert_true(r.loads.queue_cycles > 100ULL * 64 * r.cycle);
	capture_free(&r.got);
	/* all of a hundred messages of each node leave in the end */
	mesh(8, 8, "unicast", 20000000, 1);
	fc.startup = 0;
	fc.inject = 1;
	rc.prep = 0;
	rc.workload.count = 100;
	run(&r, 1);
	assert_true(r.window.exhausted);
	assert_int_equal(r.loads.queue_cycles, 0);
	/* more than one of a node, and more than half of what was generated */
	assert_true(r.loads.inject_cycles > 20ULL * 64 * (r.loads.end - r.loads.start));
	capture_free(&r.got);
}

/* a run that is too short for a look does not say that its queues were empty */
static void test_not_seen(void **state)
{
	struct run r;

	mesh(8, 8, "unicast", 20000000, 1);
	fc.inject = 1;
	rc.workload.count = 3;
	rc.batch_cycles = 10;
	run(&r, 1);
	printf("# %llu cycles of waiting in %llu cycles\n",
	       (unsigned long long)(r.loads.queue_cycles + r.loads.inject_cycles),
	       (unsigned long long)r.cycle);
	assert_true(r.cycle < 1024 && r.loads.queue_cycles + r.loads.inject_cycles > 0);
	assert_int_equal(r.queue_max, MCFAB_NONE);
	capture_free(&r.got);
}

/* queues of a list that come and go between two looks at even distances */
static void test_longest(void **state)
{
	struct mcfab_msg_list *list = list_new(60, 60);
	struct run r;
	u32 i, s;

	for (i = 0; i < 60; i++) {
		/* five, forty-five and ten at a time */
		list->cycle[i] = i < 5 ? 1025 : i < 50 ? 1100 : 2100;
		list->source[i] = 7;
		list->first[i + 1] = i + 1;
		list->dst[i] = 1;
	}
	for (s = 1; s <= 4; s += 3) {
		mesh(4, 4, "unicast", 0, 0);
		rc.workload.kind = MCFAB_WORKLOAD_TYPE_FILE;
		rc.workload.list = list;
		rc.flits = 2;
		fc.inject = 1;
		fc.startup = 0;
		run(&r, s);
		assert_true(r.cycle < 2200);
		/* one has left, one is next */
		assert_int_equal(r.queue_max, 43);
		capture_free(&r.got);
	}
	list_free(list);
}

/* workloads without a window: the whole run, from the first message to the last tail */
static void test_without_window(void **state)
{
	struct mcfab_msg_list *list;
	struct run r;
	u64 waits;
	u32 i;

	mesh(8, 8, "dp", 0, 10);
	rc.workload.kind = MCFAB_WORKLOAD_TYPE_BURST;
	rc.workload.fraction_ppm = MCFAB_PPM;
	fc.inject = 1;
	run(&r, 1);
	assert_int_equal(r.state, MCFAB_RUN_STATUS_DONE);
	assert_int_equal(r.loads.start, 0);
	assert_int_equal(r.loads.sum.generated, 64);
	assert_int_equal(r.loads.sum.accepted, 64);
	assert_int_equal(r.loads.sum.completed, 64);
	assert_int_equal(r.loads.sum.delivered, 640);
	capture_free(&r.got);
	rc.workload.kind = MCFAB_WORKLOAD_TYPE_LONE;
	rc.workload.count = 5;
	run(&r, 1);
	assert_int_equal(r.loads.sum.generated, 5);
	assert_int_equal(r.loads.sum.accepted, 5);
	assert_int_equal(r.loads.sum.delivered, 50);
	assert_int_equal(r.loads.queue_cycles, 0);
	capture_free(&r.got);

	/* ten messages of one node at once: one channel for one after the other */
	list = list_new(10, 10);
	for (i = 0; i < 10; i++) {
		list->first[i + 1] = i + 1;
		list->dst[i] = 1;
	}
	mesh(8, 8, "unicast", 0, 0);
	rc.workload.kind = MCFAB_WORKLOAD_TYPE_FILE;
	rc.workload.list = list;
	rc.prep = 0;
	fc.inject = 1;
	fc.startup = 0;
	run(&r, 1);
	assert_int_equal(r.loads.sum.accepted, 10);
	waits = queue_parts(&r);
	/* 32 flits each at least */
	assert_in_range(waits, 32 * 45, 40 * 45);
	/* no start-up, so that nothing waits for one */
	assert_int_equal(r.loads.queue_cycles, 0);
	assert_int_equal(r.loads.inject_cycles, waits);
	/* one has left, one is next */
	assert_int_equal(r.queue_max, 8);
	capture_free(&r.got);

	/* start-ups go on while a message waits for the channel: each takes its 33 cycles */
	fc.startup = 33;
	rc.flits = 200;
	run(&r, 1);
	assert_int_equal(r.loads.queue_cycles, 33 * 45);
	assert_int_equal(r.loads.queue_cycles + r.loads.inject_cycles, queue_parts(&r));
	capture_free(&r.got);
	list_free(list);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_waits),
		cmocka_unit_test(test_sources),
		cmocka_unit_test(test_little),
		cmocka_unit_test(test_told_apart),
		cmocka_unit_test(test_without_window),
		cmocka_unit_test(test_not_seen),
		cmocka_unit_test(test_longest),
	};

	return run_tap(tests);
}
