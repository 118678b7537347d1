// SPDX-License-Identifier: GPL-2.0
/*
 * Links with rates of their own, hosts' links among them: worked numbers, predictions of lone messages against what comes,
 * and how much a slow link carries. test_engine_reference compares such runs cycle by cycle.
 */
#include <stdio.h>
#include <stdlib.h>
#include "lib/capture.h"
#include "lib/net.h"
#include "lib/random_case.h"
#include "lib/shortest.h"
#include "lib/tree.h"
#include "topology/graph.h"

#include "lib/tap.h"

#define FLITS	20

static struct mcfab_graph *graph;
static struct mcfab_fabric_cfg fc;
static struct mcfab_run_cfg rc;

/* @switches in a line, with a host each at port 2; link i leads from port 1 to port 0 */
static void line(u32 switches)
{
	u32 i;

	graph = graph_new(switches, switches, switches - 1);
	for (i = 0; i < switches; i++) {
		graph->sw[i].ports = 3;
		graph->host[i].at = i;
		graph->host[i].port = 2;
	}
	for (i = 0; i + 1 < switches; i++)
		graph->link[i] = (struct mcfab_graph_link){ .a = i, .port_a = 1, .b = i + 1 };
	mcfab_fabric_defaults_irregular(&fc);
	strcpy(fc.name, "f");
	strcpy(fc.topology, "irregular");
	fc.graph = graph;
	fc.node_model = MCFAB_NODE_MODEL_MODE_QUEUE;
	fc.startup = 0;
	fc.buffer = 2 * FLITS;
	mcfab_run_defaults(&rc);
	strcpy(rc.policy, "unicast");
	rc.flits = FLITS;
}

/* run a list of @n messages from the first host to the last; when the last of them has come */
static u32 send(u32 n, struct outcome *end)
{
	struct mcfab_msg_list *list = list_new(n, n);
	struct capture seen = { 0 };
	u32 last = 0, i;

	for (i = 0; i < n; i++) {
		list->first[i + 1] = i + 1;
		list->dst[i] = graph->hosts - 1;
	}
	rc.workload.kind = MCFAB_WORKLOAD_TYPE_FILE;
	rc.workload.list = list;
	capture = &seen;
	run_engine(&fc, &rc, true, end);
	capture = NULL;
	assert_int_equal(end->state, MCFAB_RUN_STATUS_DONE);
	assert_int_equal(seen.ndlv, n);
	for (i = 0; i < n; i++)
		last = max(last, seen.dlv[i].tail);
	capture_free(&seen);
	list_free(list);
	free(graph);
	return last;
}

/* inject-delay 1, route-delay 2 at three switches, two links and consume-delay 1: 10 cycles */
static void test_numbers(void **state)
{
	struct outcome end;

	line(3);
	assert_int_equal(send(1, &end), 10 + FLITS - 1);
	/* four cycles for a flit; the flits catch up with what the header waits at two switches */
	line(3);
	graph->link[0].pace = 4;
	assert_int_equal(send(1, &end), 10 + 4 * (FLITS - 1) - 2 * 2);
	line(3);
	graph->link[1].pace = 4;
	assert_int_equal(send(1, &end), 10 + 4 * (FLITS - 1) - 2);
	/* the slower of two links counts, and nothing of the way back */
	line(3);
	graph->link[0].pace = 2;
	graph->link[1].pace = 5;
	graph->link[0].pace_back = 60;
	assert_int_equal(send(1, &end), 10 + 5 * (FLITS - 1) - 2);
	/* a link from a host: the flits catch up at all three switches; a link to one: at none */
	line(3);
	graph->host[0].pace = 4;
	graph->host[0].pace_back = 60;
	assert_int_equal(send(1, &end), 10 + 4 * (FLITS - 1) - 3 * 2);
	line(3);
	graph->host[2].pace_back = 4;
	graph->host[2].pace = 60;
	assert_int_equal(send(1, &end), 10 + 4 * (FLITS - 1));
	/* whole flits are routed: there is nothing to catch up */
	line(3);
	fc.pipeline = MCFAB_PIPELINE_MODE_FLIT;
	graph->link[0].pace = 4;
	assert_int_equal(send(1, &end), 10 + 4 * (FLITS - 1));
}

/* worms that follow each other: a link takes a flit every 7 cycles, without a pause */
static void carry(u8 *pace)
{
	const u32 n = 50;
	struct outcome end;
	u32 last;

	fc.vcs = 2;
	*pace = 7;
	last = send(n, &end);
	printf("# %u flits in %u cycles\n", n * FLITS, last);
	assert_in_range(last, 7 * (n * FLITS - 1), 7 * (n * FLITS - 1) + 20);
}

static void test_carried(void **state)
{
	line(2);
	carry(&graph->link[0].pace);
	line(2);
	carry(&graph->host[0].pace);
	line(2);
	carry(&graph->host[1].pace_back);
}

/* one destination: exactly when predicted; several: never before */
static void test_predicted(void **state)
{
	const char *groups = getenv("MCFAB_GROUPS");
	u32 rounds = (groups ? atoi(groups) : 100000) / 100, exact = 0, slow = 0, i;
	u64 rnd = 5;

	for (i = 0; i < rounds; i++) {
		struct capture seen = { 0 };
		struct outcome end;
		bool single;
		u32 nodes;

		do {
			nodes = random_case(&rnd, &fc, &rc);
			single = one_in(&rnd, 2);
			random_links(rnd, &fc);
			rng(&rnd);
			if (fc.graph && mcfab_graph_slowest(fc.graph) > 1 &&
			    fc.node_model == MCFAB_NODE_MODEL_MODE_QUEUE)
				break;
			free((void *)fc.graph);
		} while (true);
		rc.mtu = 0;
		rc.workload.kind = MCFAB_WORKLOAD_TYPE_LONE;
		rc.workload.count = 3;
		rc.workload.dests = single ? 1 : pick(&rnd, 1, nodes - 1);
		/* credits that come late hold up flits, and so does a packet that is stored */
		fc.credit_delay = 0;
		fc.buffer = max(fc.buffer, rc.flits + 70U);
		capture = &seen;
		run_engine(&fc, &rc, false, &end);
		capture = NULL;
		if (end.state == MCFAB_RUN_STATUS_DONE &&
		    (seen.foretold != seen.nmsg || seen.earlier ||
		     (single && seen.exact != seen.nmsg &&
		      fc.switching != MCFAB_SWITCHING_MODE_STORE_AND_FORWARD))) {
			print_config(&fc, &rc);
			fail_msg("case %u: %u of %u foretold, %u earlier, %u then", i,
				 seen.foretold, seen.nmsg, seen.earlier, seen.exact);
		}
		exact += seen.exact;
		slow += seen.nmsg;
		capture_free(&seen);
		free((void *)fc.graph);
	}
	printf("# %u of %u lone messages came when predicted, none before\n", exact, slow);
	assert_true(rounds < 100 || (exact > slow / 4 && slow > rounds));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_carried),
		cmocka_unit_test(test_predicted),
	};

	mcfab_policy_register(&test_tree);
	mcfab_policy_register(&test_shortest);
	mcfab_policy_register(&test_shortest_tree);
	return run_tap(tests);
}
