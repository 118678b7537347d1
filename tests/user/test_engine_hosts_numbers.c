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
	rc.workload.kind = MCFAB_WORKLOAD_TYPE_FILE;
	rc.workload.list = list;
	capture = &seen;
	run_engine(&fc, &rc, true, &end);
	capture = NULL;
	assert_int_equal(end.state, MCFAB_RUN_STATUS_DONE);
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

#define L 8	/* flits of the packets below */

static u32 link_buffer = 640;

/* three hosts on a switch, @model; messages to host 2: (cycle, source) */
static void link_runs(enum mcfab_node_model_mode model, const u32 (*msg)[2], u32 count,
		      struct capture *seen)
{
	struct mcfab_msg_list *list = list_new(count, count);
	u32 i;

	hosts(3, "unicast", "");
	fc.node_model = model;
	fc.ni_send = 0;
	fc.buffer = link_buffer;
	rc.flits = L;
	rc.prep = 0;
	for (i = 0; i < count; i++) {
		list->cycle[i] = msg[i][0];
		list->source[i] = msg[i][1];
		list->dst[i] = 2;
		list->first[i + 1] = i + 1;
	}
	rc.workload.kind = MCFAB_WORKLOAD_TYPE_FILE;
	rc.workload.list = list;
	memset(seen, 0, sizeof(*seen));
	capture = seen;
	run_engine(&fc, &rc, true, &end);
	capture = NULL;
	assert_int_equal(end.state, MCFAB_RUN_STATUS_DONE);
	assert_int_equal(seen->ndlv, count);
	list_free(list);
	free(graph);
}

/* a message's latency, and how long of it before it had the link */
static void expect(const struct capture *seen, u32 source, u32 seq, u32 tail, u32 queue,
		   u32 blocking)
{
	u32 i;

	for (i = 0; i < seen->ndlv; i++) {
		const struct mcfab_delivery *d = &seen->dlv[i];

		if (d->source != source || d->seq != seq)
			continue;
		assert_int_equal(d->tail, tail);
		assert_int_equal(d->part[MCFAB_PART_QUEUE], queue);
		assert_int_equal(d->part[MCFAB_PART_BLOCKING], blocking);
		return;
	}
	fail_msg("message %u of host %u is missing", seq, source);
}

/*
 * A packet keeps its host's link for L cycles. Generated in cycle 0, it has the link in cycle 1,
 * is at the front of the port in 2, asks in 4, and its tail is at its destination in L + 3. The
 * next one has the link in cycle L + 1, is at the front when the first one has left, in L + 4,
 * asks in L + 6, and is there in 2 L + 5: links are taken every L cycles, and routing
 * makes that L + 2 behind the port.
 */
static void test_link(void **state)
{
	static const u32 four[][2] = { { 0, 0 }, { 0, 0 }, { 0, 0 }, { 0, 0 } };
	static const u32 blocked[][2] = { { 0, 1 }, { 1, 0 }, { 1, 0 } };
	static const enum mcfab_node_model_mode models[] = {
		MCFAB_NODE_MODEL_MODE_QUEUE, MCFAB_NODE_MODEL_MODE_HOST
	};
	struct capture seen;
	u32 i, k;

	for (k = 0; k < ARRAY_SIZE(models); k++) {
		link_runs(models[k], four, 4, &seen);
		for (i = 0; i < 4; i++)
			expect(&seen, 0, i, L + 3 + i * (L + 2), i * L, 2 * i);
		capture_free(&seen);
		/*
		 * Host 1's packet comes up to cycle L + 3. Host 0's first one asks in cycle 5 and
		 * waits until L + 4, in the port: its second one has the link L cycles after it.
		 */
		link_runs(models[k], blocked, 3, &seen);
		expect(&seen, 1, 0, L + 3, 0, 0);
		expect(&seen, 0, 0, 2 * L + 2, 0, L - 1);
		expect(&seen, 0, 1, 3 * L + 4, L, L + 1);
		capture_free(&seen);
	}
}

/*
 * The same with a port that has room for one packet. The second one has the link from L + 2 on,
 * and room for its last flit when the first one has been read, in 2 L + 3: the third one has the
 * link from 2 L + 4 on, and is at its destination when it would have been.
 */
static void test_full(void **state)
{
	static const u32 msg[][2] = { { 0, 1 }, { 1, 0 }, { 1, 0 }, { 1, 0 } };
	struct capture seen;
	u32 full;

	for (full = 0; full < 2; full++) {
		link_buffer = full ? L : 640;
		link_runs(MCFAB_NODE_MODEL_MODE_QUEUE, msg, 4, &seen);
		expect(&seen, 0, 1, 3 * L + 4, L, L + 1);
		expect(&seen, 0, 2, 4 * L + 6, 2 * L + 2 * full, L + 3 - 2 * full);
		capture_free(&seen);
	}
	link_buffer = 640;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_single),
		cmocka_unit_test(test_residence),
		cmocka_unit_test(test_conventional),
		cmocka_unit_test(test_bus),
		cmocka_unit_test(test_link),
		cmocka_unit_test(test_full),
	};

	fan = test_later;
	fan.name = "test-fan";
	fan.prepare = fan_prepare;
	mcfab_policy_register(&fan);
	return run_tap(tests);
}
