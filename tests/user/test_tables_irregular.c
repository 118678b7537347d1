// SPDX-License-Identifier: GPL-2.0
/*
 * Forwarding tables of networks that come as graphs, with numbers of their own for ports and
 * LIDs; one of them is a mesh, and known as one.
 */
#include <stdlib.h>

#include "lib/shortest.h"
#include "lib/subnet.h"

#include "lib/tap.h"

/* two switches and three hosts, with numbers of their own; tables are empty until loaded */
static void test_irregular(void **state)
{
	static const u8 far[] = { 3, 3, 7 }, near[] = { 2, 4, 1 };
	struct mcfab_graph *g = graph_new(2, 3, 1);
	u32 dst[] = { 1, 2 }, node[2], members[] = { 0, 1, 2 };
	struct mcfab_timing timing = { .flits = 8, .link_delay = 1, .consume_delay = 1 };
	struct mcfab_prediction cost = { .node = node };
	struct multicast mc;
	struct mcfab_policy pol;
	struct fixture f = {};
	u64 arrival[2];

	g->sw[0].ports = 9;
	g->sw[1].ports = 5;
	g->sw[0].lid = 20;
	g->host[0] = (struct mcfab_graph_host){ .at = 1, .port = 2, .lid = 7 };
	g->host[1] = (struct mcfab_graph_host){ .at = 1, .port = 4 };
	g->host[2] = (struct mcfab_graph_host){ .at = 0, .port = 1, .lid = 1 };
	g->link[0] = (struct mcfab_graph_link){ 0, 1, 3, 1 };
	f.net.topo.ops = mcfab_topo_find("irregular");
	f.net.topo.graph = g;
	assert_int_equal(f.net.topo.ops->init(&f.net.topo, &f.err), 0);
	assert_int_equal(mcfab_topo_alloc(&f.net.topo), 0);
	f.sn = mcfab_subnet_create(&f.net.topo, &f.rules, 4, &f.err);
	assert_false(IS_ERR(f.sn));
	f.net.view = (struct mcfab_view){ .topo = &f.net.topo, .vcs = 1, .buffer = 32, .inject = 1,
		.consume = 1, .flits = 32, .switching = MCFAB_SWITCHING_MODE_CUT_THROUGH, .subnet = f.sn };
	/* given LIDs stay, the others are the lowest free ones, hosts first */
	assert_true(f.sn->host_lid[0] == 7 && f.sn->host_lid[1] == 2 && f.sn->host_lid[2] == 1);
	assert_true(f.sn->switch_lid[0] == 20 && f.sn->switch_lid[1] == 3);
	assert_int_equal(f.sn->lids, 21);
	assert_false(f.sn->mesh);
	assert_int_equal(net_policy(&f.net, &pol, "xy-union", NULL, &f.err), -EOPNOTSUPP);
	assert_string_equal(f.err.msg,
			    "XY routing is for meshes of two dimensions: use policy table");
	assert_int_equal(sn_check(&f), 3);
	/* a switch has its own number of ports */
	assert_int_equal(sn_set_lft(&f, 1, 1, 5), -EINVAL);
	assert_string_equal(f.err.msg, "LID 1: port 5 is not in 0 to 4 of switch 1");

	multicast_init(&mc, &f.net, "table", NULL, 2);
	multicast_plan(&mc, 0, dst, 2);
	cost.arrival = arrival;
	assert_int_equal(mcfab_walk_predict(&mc.walk, &timing, &cost), 0);
	assert_true(cost.lost == 2 && cost.drops == 1);
	assert_int_equal(sn_set_lft(&f, 0, 7, far[0]), 0);
	assert_int_equal(sn_set_lft(&f, 0, 2, far[1]), 0);
	assert_int_equal(sn_set_lft(&f, 0, 1, near[2]), 0);
	assert_int_equal(sn_set_lft(&f, 1, 7, near[0]), 0);
	assert_int_equal(sn_set_lft(&f, 1, 2, near[1]), 0);
	assert_int_equal(sn_set_lft(&f, 1, 1, 1), 0);
	assert_int_equal(sn_check(&f), 0);
	assert_int_equal(mcfab_walk_predict(&mc.walk, &timing, &cost), 0);
	assert_true(cost.ndst == 2 && cost.traffic == 1 && !cost.lost);
	sn_group(&f, "g", members, 3);
	mc.plan.group = 0;
	sn_mft(&f, f.sn->group[0], 0);
	multicast_plan(&mc, 0, dst, 2);
	assert_int_equal(mcfab_walk_predict(&mc.walk, &timing, &cost), 0);
	assert_true(cost.ndst == 2 && cost.traffic == 1 && !cost.lost);
	multicast_exit(&mc);
	mcfab_subnet_destroy(f.sn);
	/* with LIDs, port 0 is the switch */
	g->host[2].port = 0;
	mcfab_topo_free(&f.net.topo);
	f.net.topo.graph = g;
	assert_int_equal(mcfab_topo_alloc(&f.net.topo), 0);
	assert_int_equal(PTR_ERR(mcfab_subnet_create(&f.net.topo, &f.rules, 4, &f.err)), -EOPNOTSUPP);
	assert_string_equal(f.err.msg, "with LIDs, port 0 is the switch itself: free it at switch 0");
	g->host[2].port = 1;
	mcfab_topo_free(&f.net.topo);
	f.net.topo.graph = g;
	assert_int_equal(mcfab_topo_alloc(&f.net.topo), 0);
	memcpy(f.rules.port, ((const u32[]){ 1, 2, 3, 4, 5 }), sizeof(f.rules.port));
	assert_int_equal(PTR_ERR(mcfab_subnet_create(&f.net.topo, &f.rules, 4, &f.err)), -EOPNOTSUPP);
	assert_string_equal(f.err.msg,
			    "the ports of an irregular topology have the numbers they were given");
	mcfab_topo_free(&f.net.topo);
	free(g);
}

/* a mesh that comes as a graph, with port numbers of its own, is routed as one */
static void test_recognised(void **state)
{
	static const u8 to[] = { 0, 7, 2, 3, 6 };
	struct mcfab_graph *g = graph_new(9, 9, 12);
	u32 x, y, node[3], member[] = { 2, 6, 7 }, link = 0, d;
	struct mcfab_timing timing = { .flits = 8, .link_delay = 1, .consume_delay = 1 };
	struct mcfab_prediction cost = { .node = node };
	struct fixture f = {};
	struct multicast mc;
	u64 arrival[3];

	for (y = 0; y < 3; y++)
		for (x = 0; x < 3; x++) {
			u32 sw = x + 3 * y;

			g->sw[sw].ports = 9;
			g->host[sw] = (struct mcfab_graph_host){ .at = sw, .port = 8 };
			if (x < 2)
				g->link[link++] = (struct mcfab_graph_link){ sw, sw + 1, to[1], to[3] };
			if (y < 2)
				g->link[link++] = (struct mcfab_graph_link){ sw, sw + 3, to[2], to[4] };
		}
	f.net.topo.ops = mcfab_topo_find("irregular");
	f.net.topo.graph = g;
	assert_int_equal(f.net.topo.ops->init(&f.net.topo, &f.err), 0);
	assert_int_equal(mcfab_topo_alloc(&f.net.topo), 0);
	f.sn = mcfab_subnet_create(&f.net.topo, &f.rules, 4, &f.err);
	assert_false(IS_ERR(f.sn));
	assert_true(f.sn->mesh);
	assert_int_equal(sn_check(&f), 0);
	for (d = MCFAB_TO_EAST; d <= MCFAB_TO_SOUTH; d++) {
		assert_int_equal(f.sn->direction[4 * 9 + to[d]], d);
		assert_int_equal(mcfab_lane_vl(f.sn, 4, MCFAB_LANE_MODE_DEDICATED, 4, to[d], 9), d - 1);
	}
	assert_int_equal(mcfab_lft_port(f.sn, 0, f.sn->host_lid[8]), to[1]);
	assert_int_equal(mcfab_lft_port(f.sn, 2, f.sn->host_lid[8]), to[2]);

	f.net.view = (struct mcfab_view){ .topo = &f.net.topo, .vcs = 1, .buffer = 32, .inject = 1,
		.consume = 1, .flits = 32, .switching = MCFAB_SWITCHING_MODE_CUT_THROUGH, .subnet = f.sn };
	sn_group(&f, "g", member, 3);
	sn_mft(&f, f.sn->group[0], 0);
	multicast_init(&mc, &f.net, "xy-union", NULL, 3);
	mc.plan.group = 0;
	multicast_plan(&mc, 0, member, 3);
	cost.arrival = arrival;
	assert_int_equal(mcfab_walk_predict(&mc.walk, &timing, &cost), 0);
	assert_true(cost.ndst == 3 && cost.traffic == 2 + 2 + 2 && !cost.lost);
	multicast_exit(&mc);
	mcfab_subnet_destroy(f.sn);
	mcfab_topo_free(&f.net.topo);
	free(g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_irregular),
		cmocka_unit_test(test_recognised),
	};

	return run_tap(tests);
}
