// SPDX-License-Identifier: GPL-2.0
/*
 * How runs end: deadlocks and their cycle of waits, stalls that are none, and no
 * deadlock where the policies promise that there is none; lone multicasts arrive
 * when the plan says.
 */
#include <stdio.h>
#include <stdlib.h>
#include "engine/engine.h"
#include "fabric/fabric.h"
#include "lib/capture.h"
#include "lib/net.h"
#include "lib/runner.h"
#include "topology/generate.h"

#include "lib/tap.h"

static struct mcfab_fabric_cfg fc;
static struct mcfab_run_cfg rc;
static u32 walks, cycles;

bool __real_mcfab_stall_walk(struct mcfab_engine *e, u64 oldest, u64 newest);
bool __wrap_mcfab_stall_walk(struct mcfab_engine *e, u64 oldest, u64 newest);

static bool is_worm(const struct mcfab_engine *e, u32 nr, const struct mcfab_wait *w)
{
	const struct mcfab_worm *worm = &e->worm[nr];
	const struct mcfab_mcast *m = &e->mcast[worm->mcast];

	return m->gen == w->gen && m->source == w->source && m->seq == w->seq &&
	       worm->index == w->worm;
}

/* does the holder of a wait really hold what is waited for? */
static bool holds(const struct mcfab_engine *e, const struct mcfab_wait *w,
		  const struct mcfab_wait *holder)
{
	u32 p, v, nr;

	if (w->port != MCFAB_PORT_ANY) {
		u32 vc = (w->router * e->hw.ports + w->port) * e->hw.vcs + w->vc;

		nr = mcfab_owner(e, vc);
		if (nr != MCFAB_NO_REC && is_worm(e, e->rec[nr].worm, holder))
			return true;
		nr = mcfab_vc_front(e, vc);
		return e->rec[nr].worm != MCFAB_NO_WORM && is_worm(e, e->rec[nr].worm, holder);
	}
	for (p = 0; p < e->hw.ports; p++) {
		u32 in = e->topo->peer[w->router * e->hw.ports + p];

		for (v = 0; in != MCFAB_NONE && v < e->hw.vcs; v++) {
			nr = mcfab_vc_front(e, in * e->hw.vcs + v);
			if (e->rec[nr].worm != MCFAB_NO_WORM &&
			    e->rec[nr].flags & MCFAB_REC_ABSORB && e->head[nr].cons < e->run.flits &&
			    is_worm(e, e->rec[nr].worm, holder))
				return true;
		}
	}
	return false;
}

bool __wrap_mcfab_stall_walk(struct mcfab_engine *e, u64 oldest, u64 newest)
{
	bool found = __real_mcfab_stall_walk(e, oldest, newest);
	const struct mcfab_deadlock *d = &e->results->deadlock;
	u32 i;

	walks++;
	if (!found)
		return false;
	cycles++;
	if (!d->nwaits || d->nwaits == MCFAB_DEADLOCK_WORMS)
		fail_msg("a deadlock with %u waits", d->nwaits);
	for (i = 0; i < d->nwaits; i++) {
		if (d->wait[i].holder != (i + 1) % d->nwaits)
			fail_msg("the waits are no cycle");
		if (!holds(e, &d->wait[i], &d->wait[d->wait[i].holder]))
			fail_msg("wait %u of %u: nobody holds what it waits for", i, d->nwaits);
	}
	return true;
}

/* two dimensions, or one if @y is 0 */
static void network(const char *topology, u32 x, u32 y, const char *policy)
{
	mcfab_fabric_defaults(&fc);
	strcpy(fc.name, "f");
	strcpy(fc.topology, topology);
	fc.ndims = y ? 2 : 1;
	fc.radix[0] = x;
	fc.radix[1] = y;
	fc.startup = 5;
	mcfab_run_defaults(&rc);
	strcpy(rc.policy, policy);
	rc.flits = 16;
	rc.workload.kind = MCFAB_WORKLOAD_TYPE_POISSON;
	rc.workload.dests = 8;
	rc.workload.count = 0;
	rc.warmup = 0;
	rc.batch_cycles = 1000;
	rc.precision_ppm = 0;
	rc.max_cycles = 30000;
}

static void mesh(u32 x, u32 y, const char *policy)
{
	network("mesh", x, y, policy);
}

/* the same end for every number of shards */
static void deadlocks(struct outcome *one)
{
	struct outcome other;
	u32 s;

	fc.stall_limit = 1000;
	run_engine(&fc, &rc, true, one);
	if (one->state != MCFAB_RUN_STATUS_DEADLOCKED) {
		print_config(&fc, &rc);
		fail_msg("state %u: %s", one->state, one->progress.why);
	}
	for (s = 2; s <= 7; s += 1 + s / 4) {
		fc.shards = s;
		run_engine(&fc, &rc, false, &other);
		assert_int_equal(other.state, MCFAB_RUN_STATUS_DEADLOCKED);
		assert_true(one->hash == other.hash && one->cycle == other.cycle);
		assert_memory_equal(&one->deadlock, &other.deadlock, sizeof(one->deadlock));
	}
}

static void test_deadlocks(void **state)
{
	struct outcome out;
	u32 v;

	mesh(6, 6, "qg");
	rc.workload.rate = 20000000;
	set_params(&rc, "cover=chain allow-deadlock=on");
	deadlocks(&out);
	for (v = 1; v <= 2; v++) {
		/* those with several packets in a FIFO: test_engine_reference */
		mesh(6, 6, "dp");
		fc.vcs = v;
		fc.consume = 1;
		rc.workload.rate = 20000000;
		deadlocks(&out);
	}
	printf("# %u walks, %u deadlocks\n", walks, cycles);
}

static void expect_wait(const struct mcfab_deadlock *d, u32 source, u32 router, u32 port)
{
	u32 i;

	for (i = 0; i < d->nwaits; i++) {
		if (d->wait[i].source != source)
			continue;
		assert_int_equal(d->wait[i].router, router);
		assert_int_equal(d->wait[i].port, port);
		assert_int_equal(d->wait[i].vc, 0);
		assert_int_not_equal(d->wait[d->wait[i].holder].source, source);
		return;
	}
	fail_msg("no worm of %u waits", source);
}

/*
 * Two trees of TASNEM whose branches wait for each other, although no worm waits for a
 * channel before one that it holds: in a 4x4 torus
 *
 *	(1,2) to (1,1), (0,1), (2,1): splits at (1,2), to (0,2) and to (1,1); this branch
 *	holds (1,1) -> (2,1), the other one waits for (0,2) -> (0,1)
 *	(0,2) to (2,1): holds (0,2) -> (0,1) and (0,1) -> (1,1), waits for (1,1) -> (2,1)
 *
 * In lock step the first worm's flits stop at (1,2) for the branch that waits.
 */
static void test_tasnem_deadlock(void **state)
{
	static const u32 dst[] = { 5, 4, 6, 6 };
	struct mcfab_msg_list *list = list_new(2, 4);
	struct outcome out;

	list->source[0] = 9;
	list->source[1] = 8;
	list->first[1] = 3;
	list->first[2] = 4;
	memcpy(list->dst, dst, sizeof(dst));
	network("torus", 4, 4, "tasnem");
	fc.vcs = 2;
	rc.workload.kind = MCFAB_WORKLOAD_TYPE_FILE;
	rc.workload.list = list;
	fc.replication = MCFAB_REPLICATION_MODE_LOCKSTEP;
	fc.buffer = 1;
	set_params(&rc, "allow-deadlock=on");
	deadlocks(&out);
	assert_int_equal(out.deadlock.worms, 2);
	assert_int_equal(out.deadlock.nwaits, 2);
	expect_wait(&out.deadlock, 9, 8, 3);
	expect_wait(&out.deadlock, 8, 5, 0);

	network("torus", 4, 4, "tasnem");
	fc.vcs = 2;
	rc.workload.kind = MCFAB_WORKLOAD_TYPE_FILE;
	rc.workload.list = list;
	fc.buffer = rc.flits;
	run_engine(&fc, &rc, true, &out);
	assert_int_equal(out.state, MCFAB_RUN_STATUS_DONE);
	assert_int_equal(out.progress.deliveries, 4);
	list_free(list);
}

/*
 * Trees of bitstring in lock-step, in buffers that hold a packet, but not always the whole
 * of the next one: the switch where a tree splits hands nothing on to one branch while the
 * other waits for room. Found by trying random networks; asynchronously it goes on.
 */
static void test_bitstring_deadlock(void **state)
{
	struct mcfab_generate gen = {
		.switches = 9, .ports = 8, .hosts = 27, .connectivity = 94, .seed = 648,
	};
	struct mcfab_err err = { 0 };
	struct mcfab_graph *graph;
	struct outcome out;
	u32 links, r;

	assert_int_equal(mcfab_generate_links(&gen, &links, &err), 0);
	graph = mcfab_graph_place(calloc(1, mcfab_graph_bytes(gen.switches, gen.hosts, links)),
				  gen.switches, gen.hosts, links);
	assert_int_equal(mcfab_generate_fill(&gen, graph, &err), 0);
	for (r = MCFAB_REPLICATION_MODE_ASYNC; r <= MCFAB_REPLICATION_MODE_LOCKSTEP; r++) {
		network("irregular", 0, 0, "bitstring");
		fc.ndims = 0;
		fc.graph = graph;
		fc.vc_release = MCFAB_VC_RELEASE_MODE_SENT;
		fc.replication = r;
		fc.buffer = 58;
		fc.inject = 2;
		fc.consume = 3;
		fc.startup = 0;
		rc.flits = 33;
		rc.workload.dests = 5;
		rc.workload.rate = 8000000;
		rc.batch_cycles = 150;
		rc.max_cycles = 4000;
		set_params(&rc, "small-buffers=allow");
		if (r == MCFAB_REPLICATION_MODE_LOCKSTEP) {
			deadlocks(&out);
			continue;
		}
		fc.stall_limit = 100;
		run_engine(&fc, &rc, true, &out);
		assert_int_equal(out.state, MCFAB_RUN_STATUS_SATURATED);
		assert_true(out.progress.stalls);
	}
	free(graph);
}

/* these are free of deadlock whatever the load */
static void test_no_deadlock(void **state)
{
	static const struct {
		const char *topology;
		u32 x, y;
		const char *policy;
		u32 vcs;
	} cases[] = {
		{ "mesh", 6, 6, "unicast", 1 },		{ "mesh", 6, 6, "dp", 1 },
		{ "mesh", 6, 6, "ld", 1 },
		{ "mesh", 6, 6, "mp", 1 },		{ "mesh", 6, 6, "cp", 1 },
		{ "mesh", 6, 6, "qg", 1 },		{ "torus", 5, 6, "hcm-uniform", 2 },
		{ "torus", 6, 6, "hcm-fixed", 2 },	{ "torus", 6, 6, "rg", 2 },
		{ "torus", 6, 6, "hcm-multipath", 2 },	{ "ring", 20, 0, "hcm-fixed", 2 },
		{ "star", 4, 0, "hcm-uniform", 2 },	{ "star", 4, 0, "hcm-fixed", 2 },
		{ "star", 4, 0, "rg", 2 },		{ "torus", 6, 5, "t2w", 2 },
		{ "torus", 6, 5, "ttpm", 2 },		{ "torus", 6, 5, "gttpm", 2 },
		{ "torus", 6, 5, "tasnem", 2 },		{ "torus", 6, 5, "torus-tree", 2 },
	};
	u64 stalls = 0;
	u32 p, v, r;

	for (p = 0; p < ARRAY_SIZE(cases); p++) {
		for (v = cases[p].vcs; v <= cases[p].vcs + 2; v += 2) {
			for (r = MCFAB_VC_RELEASE_MODE_DRAINED;
			     r <= MCFAB_VC_RELEASE_MODE_SENT; r++) {
				struct outcome out;

				network(cases[p].topology, cases[p].x, cases[p].y,
					cases[p].policy);
				fc.vcs = v;
				fc.vc_release = r;
				fc.buffer = r == MCFAB_VC_RELEASE_MODE_SENT ? 40 : 1;
				if (is_tree_policy(rc.policy))
					fc.buffer = max(fc.buffer, rc.flits);
				if (fc.vcs > 1)
					rc.workload.multicast_ppm = 700000;
				fc.stall_limit = 100;
				rc.workload.rate = 20000000;
				rc.max_cycles = 10000;
				run_engine(&fc, &rc, false, &out);
				if (out.state != MCFAB_RUN_STATUS_CUT || out.bad) {
					print_config(&fc, &rc);
					fail_msg("state %u: %s", out.state, out.progress.why);
				}
				stalls += out.progress.stalls;
			}
		}
	}
	printf("# %llu stalls that were none\n", (unsigned long long)stalls);
	assert_true(stalls);
}

/* a long wait is counted and the run goes on to its end */
static void test_stall(void **state)
{
	struct mcfab_msg_list *list = list_new(2, 2);
	struct outcome out;

	mesh(6, 2, "dp");
	rc.flits = 5000;
	rc.workload.kind = MCFAB_WORKLOAD_TYPE_FILE;
	rc.workload.list = list;
	rc.max_cycles = 1000000;
	fc.stall_limit = 1000;
	list->source[0] = 0;
	list->dst[0] = 3;
	list->source[1] = 1;
	list->dst[1] = 3;
	list->first[1] = 1;
	list->first[2] = 2;
	list->cycle[1] = 10;
	run_engine(&fc, &rc, true, &out);
	assert_int_equal(out.state, MCFAB_RUN_STATUS_DONE);
	assert_int_equal(out.progress.stalls, 1);
	assert_int_equal(out.progress.deliveries, 2);
	list_free(list);
}

/* short messages bring more deliveries than the log holds between two looks at it */
static void test_short_messages(void **state)
{
	struct outcome one, other;
	u32 s;

	mesh(8, 8, "unicast");
	fc.startup = 0;
	fc.buffer = 8;
	fc.vc_release = MCFAB_VC_RELEASE_MODE_SENT;
	rc.flits = 1;
	rc.prep = 0;
	rc.workload.dests = 1;
	rc.workload.rate = 300000000;
	rc.max_cycles = 100000;
	run_engine(&fc, &rc, false, &one);
	if (one.state != MCFAB_RUN_STATUS_DONE)
		fail_msg("state %u: %s", one.state, one.progress.why);
	for (s = 2; s < 5; s++) {
		fc.shards = s;
		run_engine(&fc, &rc, false, &other);
		assert_true(one.hash == other.hash && one.cycle == other.cycle);
	}
}

/* these share no channel: alone they arrive when the plan says */
static void test_as_planned(void **state)
{
	static const struct {
		const char *topology, *policy;
		bool lockstep;
	} cases[] = {
		{ "mesh", "unicast" },		{ "mesh", "dp" },
		{ "torus", "hcm-uniform" },	{ "torus", "hcm-fixed" },
		{ "torus", "rg" },		{ "star", "hcm-uniform" },
		{ "star", "hcm-fixed" },	{ "star", "rg" },
		{ "torus", "t2w" },		{ "torus", "ttpm" },
		{ "torus", "gttpm" },		{ "torus", "tasnem" },
		{ "torus", "tasnem", true },	{ "mesh", "ld" },
		{ "torus", "torus-tree" },	{ "torus", "torus-tree", true },
	};
	u64 rnd = 3;
	u32 i, j;

	for (i = 0; i < 1200; i++) {
		u32 radix[2] = { 2 + rng_below(&rnd, 7), 2 + rng_below(&rnd, 7) };
		const char *topology = cases[i % ARRAY_SIZE(cases)].topology;
		const char *policy = cases[i % ARRAY_SIZE(cases)].policy;
		bool lockstep = cases[i % ARRAY_SIZE(cases)].lockstep;
		bool cycle = !strncmp(policy, "hcm", 3) || !strcmp(policy, "rg");
		struct capture seen = { 0 };
		struct outcome out;
		struct multicast mc;
		struct net net;
		u32 dst[12], ndst = 1 + rng_below(&rnd, 3), source, mark[64] = { 0 };
		/* with relays */
		u32 node[24], hops[24];
		u64 arrival[24];
		struct mcfab_prediction pr = { .node = node, .arrival = arrival, .hops = hops };
		struct mcfab_timing t = { .rounds = MCFAB_ROUNDS_MODE_DELIVERED };
		struct mcfab_msg_list *list;

		if (!strcmp(topology, "torus") && cycle)
			radix[1] = (radix[1] + 1) & ~1u;
		if (!strcmp(topology, "star")) {
			radix[0] = 4;
			radix[1] = 0;
		}
		network(topology, radix[0], radix[1], policy);
		if (strcmp(topology, "mesh"))
			fc.vcs = 2 + rng_below(&rnd, 3);
		net_init_vcs(&net, topology, fc.ndims, radix, fc.vcs);
		if (!strcmp(policy, "unicast"))
			ndst = 1;
		else if (net.topo.nodes > 12)
			ndst += rng_below(&rnd, 9);
		rc.flits = t.flits = 1 + rng_below(&rnd, 40);
		rc.headers = t.headers = !lockstep && rng_below(&rnd, 2);
		rc.prep = t.prep = rng_below(&rnd, 9);
		rc.prep_relay = t.prep_relay = rng_below(&rnd, 9);
		fc.startup = t.startup = rng_below(&rnd, 40);
		fc.inject_delay = t.inject_delay = rng_below(&rnd, 4);
		fc.route_delay = t.route_delay = rng_below(&rnd, 4);
		fc.consume_delay = t.consume_delay = 1 + rng_below(&rnd, 4);
		fc.link_delay = t.link_delay = 1 + rng_below(&rnd, 4);
		fc.buffer = fc.link_delay + fc.route_delay;
		if (lockstep)
			fc.replication = MCFAB_REPLICATION_MODE_LOCKSTEP;
		if (is_tree_policy(policy))
			set_params(&rc, "allow-deadlock=on");
		source = rng_below(&rnd, net.topo.nodes);
		random_set(&rnd, net.topo.nodes, source, dst, ndst, mark);
		list = list_new(1, ndst);
		list->source[0] = source;
		list->first[1] = ndst;
		memcpy(list->dst, dst, ndst * sizeof(u32));
		rc.workload.kind = MCFAB_WORKLOAD_TYPE_FILE;
		rc.workload.list = list;
		capture = &seen;
		run_engine(&fc, &rc, true, &out);
		capture = NULL;

		net.view.buffer = net.view.flits;
		multicast_init(&mc, &net, rc.policy, "", ndst);
		multicast_plan(&mc, source, dst, ndst);
		assert_int_equal(mcfab_walk_predict(&mc.walk, &t, &pr), 0);
		assert_int_equal(seen.ndlv, pr.ndst);
		for (j = 0; j < seen.ndlv; j++) {
			u32 k = 0;

			while (node[k] != seen.dlv[j].dst)
				k++;
			assert_int_equal(seen.dlv[j].hops, hops[k]);
			if (seen.dlv[j].tail != arrival[k]) {
				print_config(&fc, &rc);
				fail_msg("to %u in %u, not %llu", node[k], seen.dlv[j].tail,
					 (unsigned long long)arrival[k]);
			}
		}
		assert_int_equal(seen.nmsg, 1);
		assert_int_equal(seen.msg[0].traffic, pr.traffic);
		multicast_exit(&mc);
		net_exit(&net);
		list_free(list);
		capture_free(&seen);
	}
}

/* a big network does not go on for long after the cycles that were asked for */
static void test_big(void **state)
{
	struct outcome out;

	mesh(256, 256, "unicast");
	rc.workload.rate = 50000;
	rc.workload.dests = 1;
	rc.warmup = 100;
	rc.batches = 20;
	rc.batch_cycles = 60;
	run_engine(&fc, &rc, false, &out);
	assert_int_equal(out.state, MCFAB_RUN_STATUS_DONE);
	/* asked for are 1300; then the messages of the last ones have to come to their ends */
	assert_in_range(out.cycle, 1300, 2 * 1300);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_deadlocks),
		cmocka_unit_test(test_tasnem_deadlock),
		cmocka_unit_test(test_bitstring_deadlock),
		cmocka_unit_test(test_no_deadlock),
		cmocka_unit_test(test_stall),
		cmocka_unit_test(test_short_messages),
		cmocka_unit_test(test_as_planned),
		cmocka_unit_test(test_big),
	};

	return run_tap(tests);
}
