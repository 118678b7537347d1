// SPDX-License-Identifier: GPL-2.0
/*
 * Several classes of traffic in one run: what is generated, what is counted for each class, and
 * that nothing depends on how it is computed.
 */
#include <stdio.h>
#include <stdlib.h>
#include "engine/engine.h"
#include "fabric/runner.h"
#include "lib/capture.h"
#include "lib/loads.h"
#include "lib/net.h"
#include "lib/runner.h"
#include "lib/tap.h"

#define NODES	64

static void none(void)
{
	rc.nclasses = 0;
	rc.counted = 0;
}

static struct mcfab_workload_cfg *class(const char *name)
{
	struct mcfab_traffic_class *c = &rc.class[rc.nclasses++];

	rc.counted = rc.nclasses;

	strcpy(c->name, name);
	c->workload = rc.workload;
	return &c->workload;
}

/* unicasts by a pattern, multicasts, and a rare class that bursts; of three lengths if @varied */
static void three(bool varied)
{
	struct mcfab_workload_cfg *w;

	mesh(8, 8, "dp", 0, 0);
	rc.flits = 8;
	rc.warmup = 2000;
	rc.batch_cycles = 500;
	none();
	w = class("requests");
	w->rate = 2000000;
	w->multicast_ppm = 0;
	w->pattern = MCFAB_TRAFFIC_PATTERN_BITCOMP;
	w = class("invalidations");
	w->kind = MCFAB_WORKLOAD_TYPE_BERNOULLI;
	w->rate = 500000;
	w->dests = 5;
	if (varied) {
		w->nlengths = 2;
		w->length[0] = 1;
		w->length[1] = 12;
		w->weight[0] = 3;
		w->weight[1] = 1;
	}
	w = class("updates");
	w->kind = MCFAB_WORKLOAD_TYPE_ON_OFF;
	w->alpha = 1000000;
	w->beta = 5000000;
	w->r1 = 20000000;
	w->dests = 1;
	if (varied) {
		w->nlengths = 1;
		w->length[0] = 3;
		w->weight[0] = 1;
	}
}

static void open_run(struct mcfab_workload *w)
{
	struct mcfab_err err = { 0 };

	if (mcfab_workload_open_run(w, &rc, 7, NODES, &err))
		fail_msg("%s", err.msg);
}

/* a node's stream is the merged streams of its classes */
static void test_superposition(void **state)
{
	struct mcfab_source src, part[MCFAB_MAX_TRAFFIC_CLASSES], own[MCFAB_MAX_TRAFFIC_CLASSES];
	u32 dst[NODES], want[NODES], seen[MCFAB_MAX_TRAFFIC_CLASSES] = { 0 };
	struct mcfab_workload w;
	u32 node, i, k, c, count;
	bool unicast, alone;

	three(true);
	rc.class[2].workload.count = 20;
	open_run(&w);
	assert_int_equal(mcfab_workload_max_dests(&w), 5);
	for (node = 0; node < NODES; node++) {
		u64 last = 0;

		for (c = 0; c < 3; c++)
			mcfab_workload_first(&w.class[c], node, &own[c]);
		mcfab_stream_first(&w, node, &src, part);
		for (i = 0; i < 300; i++) {
			bool ended, wanted;

			for (c = 0, k = 1; k < 3; k++)
				if (own[k].gen < own[c].gen)
					c = k;
			assert_int_equal(src.gen, own[c].gen);
			assert_true(src.gen >= last);
			last = src.gen;
			assert_int_equal(mcfab_workload_class(&w, node, src.index), c);
			assert_int_equal(mcfab_stream_passed(&w, &src, part), i);
			count = mcfab_workload_dests(&w, node, src.index, dst, &unicast);
			assert_int_equal(count, mcfab_workload_dests(&w.class[c], node, own[c].index,
								     want, &alone));
			assert_int_equal(count, mcfab_workload_ndests(&w, node, src.index));
			assert_int_equal(unicast, alone);
			assert_int_equal(unicast, c == 0);
			assert_memory_equal(dst, want, count * sizeof(*dst));
			assert_int_equal(mcfab_workload_length(&w, node, src.index),
					 mcfab_workload_length(&w.class[c], node, own[c].index));
			seen[c]++;
			mcfab_workload_next(&w.class[c], node, &own[c]);
			wanted = own[c].gen == U64_MAX;
			ended = mcfab_stream_next(&w, node, &src, part);
			assert_int_equal(ended, wanted);
		}
	}
	printf("# messages of the classes: %u, %u, %u\n", seen[0], seen[1], seen[2]);
	assert_int_equal(seen[2], 20 * NODES);
	assert_true(seen[0] > 2 * seen[1] && seen[1] > 1000);
	mcfab_workload_close(&w);
}

/* equal classes generate different messages; the first one's are those of a run without classes */
static void test_seeds(void **state)
{
	struct mcfab_workload w, plain;
	struct mcfab_err err = { 0 };
	struct mcfab_source a, b;
	u32 node, i, equal = 0;

	mesh(8, 8, "dp", 1000000, 4);
	none();
	class("a");
	class("b");
	open_run(&w);
	assert_int_equal(mcfab_workload_open(&plain, &rc.workload, 7, NODES, &err), 0);
	for (node = 0; node < NODES; node++) {
		mcfab_workload_first(&w.class[0], node, &a);
		mcfab_workload_first(&plain, node, &b);
		for (i = 0; i < 50; i++) {
			assert_memory_equal(&a, &b, sizeof(a));
			mcfab_workload_next(&w.class[0], node, &a);
			mcfab_workload_next(&plain, node, &b);
		}
		mcfab_workload_first(&w.class[1], node, &b);
		mcfab_workload_first(&w.class[0], node, &a);
		equal += a.gen == b.gen;
	}
	assert_true(equal < 3);
	mcfab_workload_close(&plain);
	mcfab_workload_close(&w);
	none();
}

/* one class alone is the run without classes, but for what is counted by class */
static void test_one(void **state)
{
	struct outcome with, without;

	mesh(8, 8, "dp", 500000, 6);
	none();
	rc.warmup = 1000;
	rc.batch_cycles = 200;
	run_engine(&fc, &rc, false, &without);
	class("all");
	run_engine(&fc, &rc, false, &with);
	none();
	assert_int_equal(with.state, MCFAB_RUN_STATUS_DONE);
	assert_true(with.hash == without.hash && with.cycle == without.cycle);
}

/* any number of shards and threads, and any mode */
static void test_threads(void **state)
{
	struct outcome want, got;
	u32 s, varied;

	for (varied = 0; varied < 2; varied++) {
		three(varied);
		run_engine(&fc, &rc, false, &want);
		assert_int_equal(want.state, MCFAB_RUN_STATUS_DONE);
		assert_int_equal(want.bad, 0);
		rc.advance = MCFAB_ADVANCE_MODE_FLIT;
		run_engine(&fc, &rc, false, &got);
		assert_true(got.hash == want.hash && got.cycle == want.cycle);
		rc.advance = MCFAB_ADVANCE_MODE_AUTO;
		for (s = 2; s <= 7; s += 5) {
			fc.shards = s;
			runner_threads = 2;
			run_engine(&fc, &rc, false, &got);
			runner_threads = 1;
			assert_true(got.hash == want.hash && got.cycle == want.cycle);
		}
	}
	none();
}

/* what each class is said to have had, from its own messages and deliveries */
static void expect_class(const struct run *r, const struct mcfab_stats *st, u32 class)
{
	const struct mcfab_class_stats *cls = &st->class[class];
	const struct mcfab_delivery *d = r->got.dlv;
	u64 messages = 0, tails = 0, copies = 0, flits = 0, asked = 0, sum = 0;
	u32 i;

	for (i = 0; i < r->got.nmsg; i++) {
		const struct mcfab_message *m = &r->got.msg[i];
		bool in = inside(&r->loads, m->gen);

		assert_int_equal(m->class, m->seq % rc.nclasses);
		if (m->class == class) {
			messages++;
			flits += in ? m->flits : 0;
			asked += in ? (u64)m->flits * m->ndst : 0;
		}
		for (; d < r->got.dlv + r->got.ndlv && d->gen == m->gen &&
		       d->source == m->source && d->seq == m->seq; d++) {
			if (m->class != class || m->gen < r->window.start ||
			    m->gen >= r->window.end)
				continue;
			copies++;
			tails += d->tail;
		}
	}
	sum = cls->tail.sum.lo;
	printf("# class %u: %llu messages, %llu flits in the window, %llu copies\n", class,
	       (unsigned long long)messages, (unsigned long long)flits,
	       (unsigned long long)copies);
	assert_int_equal(cls->all.messages, messages);
	assert_int_equal(cls->tail.count, copies);
	assert_int_equal(sum, tails);
	assert_int_equal(r->loads.class[class].generated, flits);
	assert_int_equal(r->loads.class[class].destinations, asked);
	assert_true(copies > 100);
}

static void test_counts(void **state)
{
	struct mcfab_err err = { 0 };
	struct mcfab_fabric *f;
	u32 varied, i;
	struct run r;

	for (varied = 0; varied < 2; varied++) {
		u64 accepted = 0, delivered = 0;

		three(varied);
		memset(&r, 0, sizeof(r));
		capture = &r.got;
		f = mcfab_fabric_create(&fc, &err);
		assert_false(IS_ERR(f));
		if (mcfab_run_start(f, &rc, &err))
			fail_msg("%s", err.msg);
		mcfab_runner_wait(f);
		capture = NULL;
		assert_true(mcfab_stats_loads(&f->results.stats, &r.loads));
		r.window = f->results.stats.window;
		assert_int_equal(f->results.stats.classes, 3);
		for (i = 0; i < 3; i++) {
			expect_class(&r, &f->results.stats, i);
			accepted += r.loads.class[i].accepted;
			delivered += r.loads.class[i].delivered;
		}
		assert_int_equal(accepted, r.loads.flits.accepted);
		assert_int_equal(delivered, r.loads.flits.delivered);
		if (!varied)
			assert_int_equal(accepted, rc.flits * r.loads.sum.accepted);
		mcfab_fabric_destroy(f);
		capture_free(&r.got);
	}
	none();
}

/* a class that floods the network: the other one's load still comes through as far as it can */
static void test_queues(void **state)
{
	struct mcfab_workload_cfg *w;
	struct run r;

	mesh(8, 8, "unicast", 0, 1);
	rc.flits = 4;
	fc.startup = 0;
	rc.warmup = 2000;
	rc.batch_cycles = 500;
	none();
	w = class("quiet");
	w->rate = 1000000;
	w = class("flood");
	w->rate = 500000000;
	run(&r, 3);
	assert_int_equal(r.state, MCFAB_RUN_STATUS_SATURATED);
	printf("# offered %llu and %llu flits, accepted %llu and %llu; longest queue %u\n",
	       (unsigned long long)r.loads.class[0].generated,
	       (unsigned long long)r.loads.class[1].generated,
	       (unsigned long long)r.loads.class[0].accepted,
	       (unsigned long long)r.loads.class[1].accepted, r.queue_max);
	assert_true(r.loads.class[1].generated > 400 * r.loads.class[0].generated);
	assert_true(r.loads.class[1].accepted < r.loads.class[1].generated / 2);
	assert_true(r.loads.class[0].accepted < r.loads.class[0].generated);
	assert_true(r.queue_max > 1000);
	capture_free(&r.got);
	none();
}

static void refused(enum mcfab_option part, u32 index, const char *text)
{
	struct mcfab_err err = { 0 };
	struct mcfab_workload w;

	assert_true(mcfab_workload_open_run(&w, &rc, 7, NODES, &err) < 0);
	assert_int_equal(err.what, MCFAB_OPTION_RUN_TRAFFIC_CLASS);
	assert_int_equal(err.part, part);
	assert_int_equal(err.index, index);
	assert_non_null(strstr(err.msg, text));
	assert_null(w.class);
}

static void test_refused(void **state)
{
	three(false);
	rc.class[1].workload.multicast_ppm = 500000;
	refused(MCFAB_OPTION_RUN_MULTICAST_FRACTION_PPM, 1, "two classes");
	three(false);
	rc.class[2].workload.kind = MCFAB_WORKLOAD_TYPE_BURST;
	refused(MCFAB_OPTION_RUN_WORKLOAD, 2, "loads");
	three(false);
	rc.class[1].workload.dests = NODES;
	refused(MCFAB_OPTION_RUN_DESTS, 1, "at most 63");
	three(false);
	rc.class[0].workload.rate = 0;
	refused(MCFAB_OPTION_RUN_RATE_PPB, 0, "rate");
	none();
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_superposition),
		cmocka_unit_test(test_seeds),
		cmocka_unit_test(test_one),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_queues),
		cmocka_unit_test(test_refused),
	};

	return run_tap(tests);
}
