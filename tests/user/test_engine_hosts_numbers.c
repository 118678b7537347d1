// SPDX-License-Identifier: GPL-2.0
/*
 * The irregular paper's numbers of network interfaces that send messages on: steps of
 * Figs. 7 and 8, latencies of section 4.1, and what section 4.2.3 says of the memory that
 * they need. All hosts are on one switch.
 */
#include <stdio.h>
#include <stdlib.h>
#include "lib/capture.h"
#include "lib/later.h"
#include "lib/net.h"
#include "lib/shortest.h"

#include "lib/tap.h"

#define STEP	100000		/* t_ns beside which the network's cycles are nothing */

static struct mcfab_policy_ops fan;
static struct mcfab_graph *graph;
static struct mcfab_fabric_cfg fc;
static struct mcfab_run_cfg rc;
static struct outcome end;

static void hosts(u32 nodes, const char *policy, const char *set)
{
	u32 i;

	graph = graph_new(1, nodes, 0);
	graph->sw[0].ports = nodes;
	for (i = 0; i < nodes; i++)
		graph->host[i].port = i;
	mcfab_fabric_defaults_irregular(&fc);
	strcpy(fc.name, "f");
	strcpy(fc.topology, "irregular");
	fc.graph = graph;
	fc.io_bus = 0;
	fc.startup = 0;
	fc.host_receive = 0;
	fc.ni_send = STEP;
	fc.ni_receive = 0;
	mcfab_run_defaults(&rc);
	strcpy(rc.policy, policy);
	set_params(&rc, set);
	rc.flits = 1;
}

/* a multicast from the first host to all others; returns its last delivery */
static u32 completion(void)
{
	u32 n = graph->hosts - 1, last = 0, i;
	struct mcfab_msg_list *list = list_new(1, n);
	struct capture seen = { 0 };

	list->first[1] = n;
	for (i = 0; i < n; i++)
		list->dst[i] = i + 1;
	rc.workload.kind = MCFAB_FILE;
	rc.workload.list = list;
	capture = &seen;
	run_engine(&fc, &rc, true, &end);
	capture = NULL;
	assert_int_equal(end.state, MCFAB_RUN_DONE);
	assert_int_equal(end.bad, 0);
	assert_int_equal(seen.ndlv, n);
	for (i = 0; i < n; i++)
		last = max(last, seen.dlv[i].tail);
	capture_free(&seen);
	list_free(list);
	free(graph);
	return last;
}

static u32 steps(u32 nodes, u32 packets, const char *set)
{
	u32 last;

	hosts(nodes, "kbinomial", set);
	rc.flits = packets;
	rc.mtu = 1;
	last = completion();
	/* what is not a step is some cycles of the network for each of them */
	assert_true(last % STEP < 10 * (last / STEP));
	return last / STEP;
}

static void test_steps(void **state)
{
	/* Fig. 7: three packets to three destinations by a binomial tree and by a line */
	assert_int_equal(steps(4, 3, "k=2"), 6);
	assert_int_equal(steps(4, 3, "k=1"), 5);
	assert_int_equal(steps(4, 3, "k=0"), 5);
	/* Fig. 8: to seven destinations */
	assert_int_equal(steps(8, 3, "k=3"), 9);
	/* a single packet takes as many steps as the tree has */
	assert_int_equal(steps(8, 1, "k=3"), 3);
	assert_int_equal(steps(8, 1, "k=1"), 7);
	/* Theorem 1: one packet more takes as many as the root has children */
	assert_int_equal(steps(16, 5, "k=4"), 4 + 4 * 4);
	/* first child first: the root sends all packets to its first child before the second */
	assert_int_equal(steps(4, 3, "k=2 forwarding=fcfs"), 6);
	assert_int_equal(steps(4, 3, "k=1 forwarding=fcfs"), 5);
}

/* Fig. 5: t_hs 1000, t_hr 300, a step of t_ns 70, the network and t_nr 50 */
static u32 single(const char *policy, const char *set)
{
	hosts(4, policy, set);
	fc.startup = 1000;
	fc.host_receive = 300;
	fc.ni_send = 70;
	fc.ni_receive = 50;
	rc.flits = 8;
	rc.prep = 0;
	return completion();
}

static void test_single(void **state)
{
	/* injection 1, routing 2 in the one switch, consumption 1, and 7 more flits */
	u32 step = 70 + 1 + 2 + 1 + 7 + 50;

	assert_int_equal(single("binomial", ""), 2 * (1000 + step + 300));
	assert_int_equal(single("kbinomial", "k=2"), 1000 + 2 * step + 300);
	assert_int_equal(single("kbinomial", "k=2 forwarding=fcfs"), 1000 + 2 * step + 300);
}

/* the source's only child sends to all others */
static void fan_prepare(const struct mcfab_view *view, const void *priv, u32 source, u32 *dst,
			u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	u32 i;

	for (i = 0; i < ndst; i++) {
		mcfab_plan_worm(plan, i ? dst[0] : source, i ? 0 : MCFAB_NONE, MCFAB_PORT_ANY, 0);
		mcfab_plan_dst(plan, dst[i]);
	}
}

/* packets follow each other without delay, as the paper has it */
static void test_residence(void **state)
{
	u32 k, p;

	for (k = 1; k <= 5; k++) {
		for (p = 1; p <= 6; p++) {
			hosts(k + 2, "test-fan", "forwarding=fpfs");
			rc.flits = p;
			rc.mtu = 1;
			completion();
			assert_int_equal(end.progress.ni.packets, p);
			assert_int_equal(end.progress.ni.residence_max, k * STEP);
			assert_int_equal(end.progress.ni.residence, p * k * STEP);
			/* one comes every step, one goes every k; who comes is there first */
			assert_int_equal(end.progress.ni.peak, p < 2 ? p : p - (p - 2) / k);

			hosts(k + 2, "test-fan", "forwarding=fcfs");
			rc.flits = p;
			rc.mtu = 1;
			completion();
			assert_int_equal(end.progress.ni.packets, p);
			/* (p - i + 1) + (k - 2) p + i steps, the same for each packet */
			assert_int_equal(end.progress.ni.residence_max, ((k - 1) * p + 1) * STEP);
			assert_int_equal(end.progress.ni.residence,
					 p * ((k - 1) * p + 1) * STEP);
			assert_int_equal(end.progress.ni.peak, k == 1 ? min(p, 2U) : p);
		}
	}
}

/* hosts send on: interfaces keep nothing */
static void test_conventional(void **state)
{
	hosts(5, "test-fan", "forwarding=host");
	rc.flits = 4;
	rc.mtu = 1;
	/* 4 packets to the child, then 4 to each of its three */
	assert_int_equal(completion() / STEP, 4 + 3 * 4);
	assert_int_equal(end.progress.ni.packets, 0);
	assert_int_equal(end.progress.ni.peak, 0);
}

/* 1000 B cross a bus of 266 MB/s in 752 cycles of 5 ns, twice; the last packet is shorter */
static void test_bus(void **state)
{
	hosts(2, "kbinomial", "k=1");
	fc.io_bus = 266;
	fc.ni_send = 0;
	rc.flits = 1000;
	assert_int_equal(completion(), 752 + 1 + 2 + 1 + 999 + 752);

	hosts(2, "kbinomial", "k=1");
	fc.io_bus = 266;
	fc.ni_send = 0;
	rc.mtu = 600;
	rc.flits = 1000;
	/* the second one comes while the first one is on the receiver's bus */
	assert_int_equal(completion(), 452 + 1 + 2 + 1 + 599 + 452 + 301);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_single),
		cmocka_unit_test(test_residence),
		cmocka_unit_test(test_conventional),
		cmocka_unit_test(test_bus),
	};

	fan = test_later;
	fan.name = "test-fan";
	fan.prepare = fan_prepare;
	mcfab_policy_register(&fan);
	return run_tap(tests);
}
