// SPDX-License-Identifier: GPL-2.0
/*
 * Multidestination worms on irregular networks (irregular paper, section 3.4.2): switches
 * that can hold a whole packet never deadlock, however crowded; those that cannot do, and
 * the run says who waits for whom. The deadlock that is shown is also the proof that the
 * load is one in which the others might have had one.
 */
#include <stdio.h>
#include <stdlib.h>
#include "lib/capture.h"
#include "lib/shortest.h"
#include "lib/tap.h"

#define PACKET	128
#define NETWORKS 10

static const u32 dests[] = { 2, 3, 7, 15 };
static const char *const policies[] = { "ssr", "multidrop", "bitstring" };

static struct mcfab_graph *network(u64 seed)
{
	struct mcfab_generate gen = {
		.switches = 8, .ports = 8, .hosts = 32, .connectivity = MCFAB_CONNECTIVITY,
		.seed = seed,
	};
	struct mcfab_graph *g = graph_generate(&gen);

	assert_non_null(g);
	return g;
}

static void configure(const struct mcfab_graph *g, const char *policy,
		      struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc)
{
	mcfab_fabric_defaults_irregular(fc);
	strcpy(fc->name, "crowd");
	strcpy(fc->topology, "irregular");
	fc->graph = g;
	mcfab_run_defaults(rc);
	strcpy(rc->policy, policy);
	rc->flits = PACKET;
}

/* all hosts send at once, as fast as the network takes it */
static void crowd(const struct mcfab_graph *g, const char *policy, u32 buffer, u32 dests,
		  u32 packets, struct outcome *out)
{
	struct mcfab_fabric_cfg fc;
	struct mcfab_run_cfg rc;

	configure(g, policy, &fc, &rc);
	fc.buffer = buffer;
	fc.startup = 0;
	fc.io_bus = 0;
	fc.stall_limit = 2000;
	set_params(&rc, buffer < PACKET ? "small-buffers=allow" : "");
	rc.flits = PACKET * packets;
	rc.mtu = PACKET;
	rc.workload.kind = MCFAB_WORKLOAD_TYPE_BURST;
	rc.workload.dests = dests;
	run_engine(&fc, &rc, false, out);
	assert_int_equal(out->bad, 0);
	free((void *)g);
}

static void test_whole_packets(void **state)
{
	static const u32 buffers[] = { 128, 200, 640 };
	struct outcome out;
	u32 i, k, p, n;

	for (i = 0; i < NETWORKS; i++) {
		for (k = 0; k < ARRAY_SIZE(buffers); k++) {
			for (p = 0; p < ARRAY_SIZE(policies); p++) {
				n = dests[i % ARRAY_SIZE(dests)];
				crowd(network(i), policies[p], buffers[k], n, 1 + 3 * (i % 2), &out);
				if (out.state != MCFAB_RUN_STATUS_DONE)
					fail_msg("network %u, %s, buffer %u: state %u: %s", i,
						 policies[p], buffers[k], out.state,
						 out.progress.why);
				assert_int_equal(out.progress.deliveries, 32 * n);
			}
		}
	}
}

/* is what a worm waits for in the list of what its holder holds? */
static bool listed(const struct mcfab_deadlock *d, const struct mcfab_wait *wait)
{
	const struct mcfab_wait *holder = &d->wait[wait->holder];
	const struct mcfab_holding *list = &d->list[holder->first_held];
	u32 i;

	for (i = 0; i < holder->nheld; i++) {
		if (wait->port == MCFAB_PORT_ANY ? list[i].kind == MCFAB_HOLDING_CONSUMPTION &&
						   list[i].at == wait->node :
		    list[i].kind == MCFAB_HOLDING_CHANNEL && list[i].at == wait->router &&
		    list[i].port == wait->port)
			return true;
	}
	/* far from its headers there may have been no room */
	return holder->held > holder->nheld;
}

static void check_deadlock(const struct mcfab_deadlock *d)
{
	u32 i;

	assert_true(d->nwaits >= 2 && d->worms >= d->nwaits);
	for (i = 0; i < d->nwaits; i++) {
		assert_true(d->wait[i].holder < d->nwaits && d->wait[i].holder != i);
		assert_true(listed(d, &d->wait[i]));
	}
}

static void test_parts_of_packets(void **state)
{
	u32 found[ARRAY_SIZE(policies)] = {}, i, k, p;
	struct outcome out;

	for (i = 0; i < NETWORKS; i++) {
		for (k = 0; k < ARRAY_SIZE(dests); k++) {
			for (p = 0; p < ARRAY_SIZE(policies); p++) {
				crowd(network(i), policies[p], 16, dests[k], 4, &out);
				if (out.state == MCFAB_RUN_STATUS_DONE)
					continue;
				assert_int_equal(out.state, MCFAB_RUN_STATUS_DEADLOCKED);
				check_deadlock(&out.deadlock);
				found[p]++;
			}
		}
	}
	for (p = 0; p < ARRAY_SIZE(policies); p++)
		printf("# %s: %u of %u crowds deadlocked\n", policies[p], found[p],
		       NETWORKS * (u32)ARRAY_SIZE(dests));
	assert_true(found[1] + found[2] > 0);
}

/* the most ports that a switch may have: a header has an output for each of them */
static void test_wide(void **state)
{
	struct mcfab_generate gen = {
		.switches = 2, .ports = MCFAB_GRAPH_PORTS_MAX, .hosts = 300,
		.connectivity = MCFAB_CONNECTIVITY, .seed = 1,
	};
	struct mcfab_graph *g = graph_generate(&gen);
	struct mcfab_fabric_cfg fc;
	struct mcfab_run_cfg rc;
	struct outcome out;

	assert_non_null(g);
	configure(g, "bitstring", &fc, &rc);
	rc.workload.kind = MCFAB_WORKLOAD_TYPE_LONE;
	rc.workload.count = 2;
	rc.workload.dests = 299;
	run_engine(&fc, &rc, false, &out);
	assert_int_equal(out.state, MCFAB_RUN_STATUS_DONE);
	assert_int_equal(out.progress.deliveries, 2 * 299);
	free(g);
}

/* packets of a flit over a host's long link: as many are under way there as it has registers */
static void test_short_packets(void **state)
{
	struct mcfab_graph *g = network(1);
	struct mcfab_fabric_cfg fc;
	struct mcfab_run_cfg rc;
	struct outcome out;

	configure(g, "unicast", &fc, &rc);
	fc.buffer = 1;
	fc.inject = 3;
	fc.inject_delay = 16;
	fc.startup = 0;
	fc.io_bus = 0;
	rc.flits = 40;
	rc.mtu = 1;
	rc.workload.kind = MCFAB_WORKLOAD_TYPE_BURST;
	rc.workload.dests = 6;
	run_engine(&fc, &rc, false, &out);
	assert_int_equal(out.bad, 0);
	assert_int_equal(out.state, MCFAB_RUN_STATUS_DONE);
	assert_int_equal(out.progress.deliveries, 32 * 6);
	free(g);
}

/* copies of one packet to all hosts of a switch end in one cycle, those of other packets with them */
static void test_many_ends(void **state)
{
	struct mcfab_generate gen = {
		.switches = 2, .ports = 26, .hosts = 48, .connectivity = MCFAB_CONNECTIVITY,
		.seed = 1,
	};
	struct mcfab_graph *g = graph_generate(&gen);
	struct mcfab_fabric_cfg fc;
	struct mcfab_run_cfg rc;
	struct outcome out;
	u32 scarce;

	assert_non_null(g);
	for (scarce = 0; scarce < 2; scarce++) {
		configure(g, "bitstring", &fc, &rc);
		fc.consume = scarce ? 20 : 64;
		fc.node_model = scarce ? MCFAB_NODE_MODEL_MODE_QUEUE : MCFAB_NODE_MODEL_MODE_HOST;
		fc.startup = 0;
		rc.workload.kind = MCFAB_WORKLOAD_TYPE_BURST;
		rc.workload.dests = 47;
		run_engine(&fc, &rc, true, &out);
		if (out.bad || out.state != MCFAB_RUN_STATUS_DONE)
			fail_msg("state %u, %s", out.state, out.progress.why);
		assert_int_equal(out.progress.deliveries, 48 * 47);
	}
	free(g);
}

/* hosts that always have something to send: the run ends as saturated, and it does end */
static void test_overload(void **state)
{
	struct mcfab_graph *g = network(1);
	struct mcfab_fabric_cfg fc;
	struct mcfab_run_cfg rc;
	struct outcome out;

	configure(g, "kbinomial", &fc, &rc);
	rc.workload.kind = MCFAB_WORKLOAD_TYPE_POISSON;
	rc.workload.rate = 10000000;
	rc.workload.dests = 15;
	rc.warmup = 0;
	rc.max_cycles = 10000000;
	run_engine(&fc, &rc, false, &out);
	assert_int_equal(out.state, MCFAB_RUN_STATUS_CUT);
	assert_int_equal(out.bad, 0);
	free(g);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole_packets),
		cmocka_unit_test(test_parts_of_packets),
		cmocka_unit_test(test_wide),
		cmocka_unit_test(test_short_packets),
		cmocka_unit_test(test_many_ends),
		cmocka_unit_test(test_overload),
	};

	return run_tap(tests);
}
