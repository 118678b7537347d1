// SPDX-License-Identifier: GPL-2.0
/*
 * What is generated, accepted and delivered, and what it costs to know what waits at the sources.
 * What waits there is in test_waits.c, the verdict on it in test_saturation.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include "fabric/runner.h"
#include "engine/engine.h"
#include "lib/capture.h"
#include "lib/loads.h"
#include "lib/net.h"
#include "lib/runner.h"
#include "lib/tap.h"

static u64 steps;

void __real_mcfab_workload_next(const struct mcfab_workload *w, u32 node,
				struct mcfab_source *src);
void __wrap_mcfab_workload_next(const struct mcfab_workload *w, u32 node,
				struct mcfab_source *src);

/* what a node's stream costs */
void __wrap_mcfab_workload_next(const struct mcfab_workload *w, u32 node,
				struct mcfab_source *src)
{
	__atomic_fetch_add(&steps, 1, __ATOMIC_RELAXED);
	__real_mcfab_workload_next(w, node, src);
}

/* messages of all nodes before a cycle, their flits, and the most messages that a node has */
static u64 generated(u64 before, u32 nodes, u32 *most, u64 *flits)
{
	struct mcfab_err err = { 0 };
	struct mcfab_workload w;
	struct mcfab_source src;
	u64 count = 0;
	u32 i;

	*most = 0;
	*flits = 0;
	assert_int_equal(mcfab_workload_open(&w, &rc.workload, fc.seed, nodes, &err), 0);
	for (i = 0; i < nodes; i++) {
		mcfab_workload_first(&w, i, &src);
		while (src.gen < before) {
			*flits += rc.workload.nlengths ? mcfab_workload_length(&w, i, src.index) :
							 rc.flits;
			__real_mcfab_workload_next(&w, i, &src);
		}
		*most = max(*most, src.index);
		count += src.index;
	}
	mcfab_workload_close(&w);
	return count;
}

/* a message is generated twice at most, however long it waits, for any number of shards */
static void test_queues_cost(void **state)
{
	u32 s, most, longest = 0;

	for (s = 1; s <= 8; s += 1 + s / 2) {
		struct mcfab_err err = { 0 };
		struct mcfab_fabric *f;
		u64 made, flits;

		mesh(8, 8, "unicast", 400000000, 1);
		rc.max_cycles = 20000;
		fc.shards = s;
		f = mcfab_fabric_create(&fc, &err);
		assert_false(IS_ERR(f));
		steps = 0;
		assert_int_equal(mcfab_run_start(f, &rc, &err), 0);
		mcfab_runner_wait(f);
		made = generated(f->results.progress.cycle, 64, &most, &flits);
		printf("# %u shards: %llu messages in %llu cycles, %llu steps, longest queue %u\n", s,
		       (unsigned long long)made, (unsigned long long)f->results.progress.cycle,
		       (unsigned long long)steps, f->results.queue_max);
		/* the first of each node needs no step, the ones behind the end do */
		assert_in_range(steps, made, 2 * made + 64);
		/* nearly all of them wait: what a node could send is a small part */
		assert_in_range(f->results.queue_max, most * 9 / 10, most);
		if (s > 1)
			assert_int_equal(f->results.queue_max, longest);
		longest = f->results.queue_max;
		mcfab_fabric_destroy(f);
	}
}

/* what the deliveries and the sources' streams say of the same cycles */
static void expect(const struct run *r, u32 nodes)
{
	const struct mcfab_loads *l = &r->loads;
	const struct mcfab_delivery *d = r->got.dlv;
	u64 delivered = 0, delivered_flits = 0, completed = 0, made, before, flits, flits_before;
	u32 i, k, most;

	before = generated(l->start, nodes, &most, &flits_before);
	made = generated(l->end, nodes, &most, &flits) - before;
	flits -= flits_before;
	assert_int_equal(l->sum.generated, made);
	assert_int_equal(l->sum.destinations, made * rc.workload.dests);
	assert_int_equal(l->flits.generated, flits);
	assert_int_equal(l->flits.destinations, flits * rc.workload.dests);
	for (i = 0; i < r->got.nmsg; i++) {
		const struct mcfab_message *m = &r->got.msg[i];
		u64 last = 0;

		for (k = 0; d < r->got.dlv + r->got.ndlv && d->gen == m->gen &&
		     d->source == m->source && d->seq == m->seq; k++, d++) {
			delivered += inside(l, m->gen + d->tail);
			delivered_flits += inside(l, m->gen + d->tail) * m->flits;
			last = max(last, m->gen + d->tail);
		}
		completed += m->complete && inside(l, last);
	}
	assert_ptr_equal(d, r->got.dlv + r->got.ndlv);
	assert_int_equal(l->sum.delivered, delivered);
	assert_int_equal(l->flits.delivered, delivered_flits);
	assert_int_equal(l->sum.completed, completed);
	/* nothing is delivered that was not accepted, nothing accepted that was not generated */
	assert_in_range(l->sum.accepted, 0, before + made);
	assert_in_range(l->flits.accepted, 0, flits_before + flits);
	if (!rc.workload.nlengths)
		assert_int_equal(l->flits.accepted, rc.flits * l->sum.accepted);
}

static const struct {
	const char *policy;
	u64 rate;
	u32 dests;
	u32 startup;
} loads[] = {
	{ "unicast", 2000000, 1, 0 },
	{ "unicast", 4000000, 1, 0 },
	{ "unicast", 4000000, 1, 100 },
	{ "unicast", 100000000, 1, 0 },		/* far more than the mesh carries */
	{ "unicast", 200000, 20, 5 },		/* rounds */
	{ "unicast", 400000, 20, 5 },
	{ "dp", 100000, 10, 33 },
	{ "dp", 600000, 10, 33 },
	{ "qg", 100000, 10, 33 },
	{ "mp", 200000, 10, 0 },
};

/* loads are what the sources made and what was delivered, for any number of shards */
static void test_conservation(void **state)
{
	struct run one, more;
	u32 i, s;

	for (i = 0; i < 2 * ARRAY_SIZE(loads); i++) {
		u32 nr = i / 2;

		mesh(8, 8, loads[nr].policy, loads[nr].rate, loads[nr].dests);
		fc.startup = loads[nr].startup;
		/* 32 flits on average */
		rc.workload.nlengths = i % 2 ? 2 : 0;
		rc.workload.length[0] = 8;
		rc.workload.weight[0] = 3;
		rc.workload.length[1] = 104;
		rc.workload.weight[1] = 1;
		rc.warmup = 3000;
		rc.batch_cycles = 500;
		rc.max_cycles = 15000;
		run(&one, 1);
		printf("# %s at %llu: state %u, %llu of %llu messages accepted, %llu of %llu copies\n",
		       loads[nr].policy, (unsigned long long)loads[nr].rate, one.state,
		       (unsigned long long)one.loads.sum.accepted,
		       (unsigned long long)one.loads.sum.generated,
		       (unsigned long long)one.loads.sum.delivered,
		       (unsigned long long)one.loads.sum.destinations);
		expect(&one, 64);
		for (s = 2; s <= 8; s += 2 + s / 4) {
			run(&more, s);
			assert_int_equal(more.state, one.state);
			assert_memory_equal(&more.loads, &one.loads, sizeof(one.loads));
			capture_free(&more.got);
		}
		capture_free(&one.got);
	}
}

/* what is offered does not fall when the network carries no more */
static void test_offered(void **state)
{
	struct run r;
	double offered, accepted;

	mesh(16, 16, "dp", 1000000, 10);
	rc.warmup = 5000;
	rc.max_cycles = 40000;
	run(&r, 1);
	offered = 32.0 * r.loads.sum.generated / 256 / (r.loads.end - r.loads.start);
	accepted = 32.0 * r.loads.sum.accepted / 256 / (r.loads.end - r.loads.start);
	printf("# offered %.5f, accepted %.5f\n", offered, accepted);
	/* 280,000 messages: one in 500 is the standard deviation */
	assert_true(offered > 0.0315 && offered < 0.0325 && accepted < offered / 4);
	capture_free(&r.got);
}

/* the window ends with the first source's last message; all are delivered */
static void test_exhausted(void **state)
{
	struct mcfab_err err = { 0 };
	struct mcfab_workload w;
	struct mcfab_source src;
	u64 first = U64_MAX;
	struct run r;
	u32 i, s;

	for (s = 1; s <= 8; s += 7) {
		mesh(8, 8, "dp", 200000, 10);
		rc.workload.count = 30;
		rc.warmup = 5000;
		assert_int_equal(mcfab_workload_open(&w, &rc.workload, fc.seed, 64, &err), 0);
		for (i = 0; i < 64; i++) {
			mcfab_workload_first(&w, i, &src);
			while (src.index < 29)
				__real_mcfab_workload_next(&w, i, &src);
			first = min(first, src.gen + 1);
		}
		mcfab_workload_close(&w);
		run(&r, s);
		assert_int_equal(r.state, MCFAB_RUN_STATUS_DONE);
		assert_int_equal(r.got.nmsg, 30 * 64);
		assert_true(r.window.exhausted);
		assert_int_equal(r.window.end, first);
		assert_true(r.window.end < 5000 + 20 * rc.batch_cycles);
		capture_free(&r.got);
		/* more than the network carries, delivered in the end: saturated all the same */
		rc.workload.rate = 5000000;
		rc.workload.count = 100;
		rc.warmup = 1000;
		run(&r, s);
		assert_int_equal(r.state, MCFAB_RUN_STATUS_SATURATED);
		assert_int_equal(r.got.nmsg, 100 * 64);
		assert_true(r.window.exhausted);
		capture_free(&r.got);
		rc.workload.rate = 200000;
		rc.warmup = 5000;
		/* enough of them: 20 batches are 20 batches */
		rc.workload.count = 1000;
		run(&r, s);
		assert_false(r.window.exhausted);
		assert_int_equal(r.window.end, 5000 + 20 * rc.batch_cycles);
		capture_free(&r.got);
	}
}

/* a load that is exhausted before the window begins: what is measured is not what was asked for */
static void test_late(void **state)
{
	struct run r;
	u32 s;

	for (s = 1; s <= 4; s += 3) {
		mesh(16, 16, "cp", 50000, 10);
		rc.warmup = MCFAB_NONE;
		rc.workload.count = 4;
		run(&r, s);
		assert_int_equal(r.state, MCFAB_RUN_STATUS_DONE);
		assert_true(r.window.exhausted && r.window.limit < r.window.start);
		assert_int_equal(r.window.end - r.window.start, 100000);
		assert_true(r.window.unsettled);
		assert_int_equal(r.sat.verdict, MCFAB_VERDICT_UNKNOWN);
		capture_free(&r.got);
	}
}

/* a run that ends before its window begins has none */
static void test_never_began(void **state)
{
	struct run r;

	mesh(16, 16, "cp", 50000, 10);
	rc.warmup = MCFAB_NONE;
	rc.max_cycles = 10000;
	run(&r, 1);
	assert_int_equal(r.state, MCFAB_RUN_STATUS_CUT);
	assert_int_equal(r.window.start, U64_MAX);
	assert_int_equal(r.loads.start, 0);
	assert_int_equal(r.loads.end, 10000);
	capture_free(&r.got);
}

/* few messages, each of which takes long: the pilot phase lasts until it is long for them, too */
static void test_long_messages(void **state)
{
	struct run r;

	mesh(8, 8, "unicast", 10000, 63);
	fc.startup = 1000;
	rc.warmup = MCFAB_NONE;
	run(&r, 1);
	printf("# window from %llu to %llu, the longest message of the pilot phase took %u\n",
	       (unsigned long long)r.window.start, (unsigned long long)r.window.end,
	       r.window.longest);
	assert_int_equal(r.state, MCFAB_RUN_STATUS_DONE);
	assert_true(r.window.longest > 25000);
	assert_false(r.window.unsettled);
	assert_true(r.window.start >= 2ULL * r.window.longest);
	capture_free(&r.got);
}

/* channels are counted while the load lasts, not until the last message is delivered */
static void test_channels(void **state)
{
	u32 i, k, s;

	for (i = 0; i < 2; i++) {
		for (s = 1; s <= 4; s += 3) {
			double traffic = 0, want, got;
			struct run r;

			mesh(16, 16, "cp", 50000, 10);
			rc.warmup = 2000;
			if (i)
				rc.workload.count = 10;
			run(&r, s);
			assert_true(i == r.window.exhausted);
			for (k = 0; k < r.got.nmsg; k++)
				if (inside(&r.loads, r.got.msg[k].gen))
					traffic += r.got.msg[k].traffic;
			want = traffic * rc.flits / r.balance.channels / (r.loads.end - r.loads.start);
			got = r.balance.mean_util / 1e9;
			printf("# channels are used to %.5f in %llu cycles, a window of %llu takes %.5f\n",
			       got, (unsigned long long)r.balance_cycles,
			       (unsigned long long)(r.window.end - r.window.start), want);
			assert_true(got > 0.97 * want && got < 1.03 * want);
			assert_true(r.balance_cycles + 1024 > r.window.end - r.window.start);
			assert_true(r.balance_cycles < r.window.end - r.window.start + 1024);
			capture_free(&r.got);
		}
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_queues_cost),
		cmocka_unit_test(test_conservation),
		cmocka_unit_test(test_offered),
		cmocka_unit_test(test_exhausted),
		cmocka_unit_test(test_late),
		cmocka_unit_test(test_never_began),
		cmocka_unit_test(test_long_messages),
		cmocka_unit_test(test_channels),
	};

	return run_tap(tests);
}
