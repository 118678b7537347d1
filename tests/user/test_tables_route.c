// SPDX-License-Identifier: GPL-2.0
/* What packets that follow forwarding tables do: in switches, and in plans. */

#include "lib/subnet.h"

#include "lib/tap.h"

/* what a switch does with one packet */
static u32 route(struct fixture *f, struct mcfab_policy *pol, u32 router, u32 in, u16 arg,
		 u32 *dst, u32 ndst, struct mcfab_decision *out)
{
	struct mcfab_header hdr = {
		.router = router, .in_port = in, .sender = 0, .first_port = MCFAB_PORT_ANY,
		.arg = arg, .serial = 5, .dst = dst, .last = ndst,
	};

	out->nbranches = 99;
	out->drop = 0;
	pol->ops->route(&pol->view, pol->priv, &hdr, out);
	return out->nbranches;
}

static void test_route(void **state)
{
	static struct mcfab_decision out;
	u32 member[] = { 1, 2, 3, 5 }, dst[] = { 1, 2, 3, 5 };
	struct mcfab_group *group;
	struct mcfab_policy pol;
	struct fixture f;
	u32 lid;

	sn_setup(&f, 3, 3);
	f.net.view.vcs = 4;
	assert_int_equal(net_policy(&f.net, &pol, "table", NULL, &f.err), 0);
	group = sn_group(&f, "g", member, 4);
	sn_mft(&f, group, 0);
	lid = mcfab_group_lid(group, 0);
	/* at the source: east and north, the lane is that of the service level */
	assert_int_equal(route(&f, &pol, 0, MCFAB_PORT_ANY, lid, dst, 4, &out), 2);
	assert_true(out.branch[0].node == MCFAB_NONE && out.branch[1].node == MCFAB_NONE);
	assert_int_equal(out.branch[0].port[0], 0);
	assert_int_equal(out.branch[1].port[0], 2);
	assert_int_equal(out.branch[0].vcs[0], BIT(1));
	assert_true(out.branch[1].first == 0 && out.branch[1].last == 4);
	/* at 1, from the west: on to the east, and the host */
	assert_int_equal(route(&f, &pol, 1, 1, lid, dst, 4, &out), 2);
	assert_int_equal(out.branch[0].port[0], 0);
	assert_int_equal(out.branch[1].node, 1);
	assert_int_equal(out.branch[1].first, 0);
	/* never back: what came from the east does not leave there; a host that is no member */
	assert_int_equal(sn_set_row(&f, lid, 4, PORTS(EAST, HOST)), 0);
	assert_int_equal(route(&f, &pol, 4, 0, lid, dst, 4, &out), 1);
	assert_int_equal(out.branch[0].node, 4);
	assert_int_equal(out.branch[0].first, MCFAB_NONE);
	/* nor to the host it came from */
	assert_int_equal(sn_set_row(&f, lid, 0, PORTS(HOST)), 0);
	assert_int_equal(route(&f, &pol, 0, MCFAB_PORT_ANY, lid, dst, 4, &out), 0);
	assert_int_equal(out.drop, MCFAB_DROP_DEAD_PORT);
	assert_int_equal(route(&f, &pol, 8, 1, lid, dst, 4, &out), 0);
	assert_int_equal(out.drop, MCFAB_DROP_NO_ENTRY);
	assert_int_equal(route(&f, &pol, 8, 1, 0xc123, dst, 4, &out), 0);
	assert_int_equal(out.drop, MCFAB_DROP_NO_ENTRY);

	/* no group: each destination by its own LID, those of a port in one range */
	assert_int_equal(route(&f, &pol, 0, MCFAB_PORT_ANY, 0, dst, 4, &out), 2);
	assert_int_equal(out.branch[0].port[0], 0);
	assert_true(out.branch[0].first == 0 && out.branch[0].last == 3);
	assert_true(dst[0] + dst[1] + dst[2] == 1 + 2 + 5);
	assert_int_equal(out.branch[1].port[0], 2);
	assert_true(out.branch[1].first == 3 && out.branch[1].last == 4 && dst[3] == 3);
	assert_int_equal(sn_set_lft(&f, 0, f.sn->host_lid[3], SOUTH), 0);
	assert_int_equal(route(&f, &pol, 0, MCFAB_PORT_ANY, 0, dst, 4, &out), 1);

	/* unicast: on, at home, at the wrong host, dropped */
	dst[0] = 2;
	lid = f.sn->host_lid[2];
	assert_int_equal(route(&f, &pol, 1, 1, lid, dst, 1, &out), 1);
	assert_int_equal(out.branch[0].port[0], 0);
	assert_int_equal(route(&f, &pol, 2, 1, lid, dst, 1, &out), 1);
	assert_true(out.branch[0].node == 2 && out.branch[0].first == 0);
	assert_int_equal(sn_set_lft(&f, 1, lid, HOST), 0);
	assert_int_equal(route(&f, &pol, 1, 1, lid, dst, 1, &out), 1);
	assert_true(out.branch[0].node == 1 && out.branch[0].first == MCFAB_NONE);
	assert_int_equal(sn_set_lft(&f, 1, lid, WEST), 0);
	assert_int_equal(route(&f, &pol, 1, 1, lid, dst, 1, &out), 0);
	assert_int_equal(out.drop, MCFAB_DROP_DEAD_PORT);
	assert_int_equal(sn_set_lft(&f, 1, lid, 255), 0);
	assert_int_equal(route(&f, &pol, 1, 1, lid, dst, 1, &out), 0);
	assert_int_equal(out.drop, MCFAB_DROP_NO_ENTRY);
	mcfab_policy_close(&pol);
	sn_teardown(&f);
}

/*
 * Packets that may leave by the port they came in by. A row of four switches with a tree that
 * all sources share, as real subnets have: good while they may not, a loop when they may.
 */
static void test_ingress(void **state)
{
	static struct mcfab_decision out;
	struct mcfab_timing timing = { .flits = 8, .link_delay = 1, .consume_delay = 1 };
	struct mcfab_subnet_rules rules = { .ingress = MCFAB_INGRESS_MODE_ALLOW };
	u32 member[] = { 0, 1, 2, 3 }, dst[] = { 1, 2, 3 }, node[3], sw, allow;
	struct mcfab_prediction cost = { .node = node };
	struct mcfab_group *group;
	struct multicast mc;
	struct fixture f;
	u64 arrival[3];
	bool stray = false, loop = false;
	u32 i;

	cost.arrival = arrival;
	for (allow = 0; allow < 2; allow++) {
		rules.ingress = allow ? MCFAB_INGRESS_MODE_ALLOW : MCFAB_INGRESS_MODE_EXCLUDE;
		sn_setup_rules(&f, 4, 1, &rules);
		f.net.view.inject = 1;
		group = mcfab_group_new(f.sn, "g", member, 4, 0xc000, &f.err);
		assert_false(IS_ERR(group));
		for (sw = 0; sw < 4; sw++)
			assert_int_equal(sn_set_row(&f, 0xc000, sw, BIT(HOST) |
						    (sw < 3 ? BIT(EAST) : 0) |
						    (sw ? BIT(WEST) : 0)), 0);
		multicast_init(&mc, &f.net, "table", NULL, 3);
		mc.plan.group = 0;
		multicast_plan(&mc, 0, dst, 3);
		assert_int_equal(route(&f, &mc.pol, 1, 1, 0xc000, dst, 3, &out), allow ? 3 : 2);
		assert_int_equal(route(&f, &mc.pol, 0, MCFAB_PORT_ANY, 0xc000, dst, 3, &out),
				 allow ? 2 : 1);
		/* a unicast that is to turn round does */
		assert_int_equal(sn_set_lft(&f, 1, f.sn->host_lid[3], WEST), 0);
		assert_int_equal(route(&f, &mc.pol, 1, 1, f.sn->host_lid[3], dst + 2, 1, &out), allow);
		if (!allow)
			assert_int_equal(out.drop, MCFAB_DROP_DEAD_PORT);
		assert_int_equal(sn_set_lft(&f, 1, f.sn->host_lid[3], EAST), 0);

		assert_int_equal(mcfab_walk_predict(&mc.walk, &timing, &cost), 0);
		assert_int_equal(cost.ndst, 3);
		/* by hand, channel by channel; nothing crosses more than four */
		assert_int_equal(cost.traffic, allow ? 1 + 2 + 3 + 5 : 3);
		assert_int_equal(cost.strays, allow ? 2 : 0);
		assert_int_equal(cost.duplicates, allow ? 2 : 0);
		assert_int_equal(cost.drops, allow ? 5 : 0);
		sn_check(&f);
		if (!allow)
			assert_int_equal(sn_found.total, 0);
		for (i = 0; i < sn_found.count; i++) {
			stray |= sn_found.item[i].type == MCFAB_FINDING_TYPE_STRAY &&
				sn_found.item[i].node == sn_found.item[i].source;
			loop |= sn_found.item[i].type == MCFAB_FINDING_TYPE_LOOP;
		}
		multicast_exit(&mc);
		sn_teardown(&f);
	}
	assert_true(stray && loop);
}

static void test_lanes(void **state)
{
	static const u32 two[] = { 0, 0, 1, 1 }, four[] = { 0, 1, 2, 3 };
	struct mcfab_policy pol;
	struct fixture f;
	u32 sl, d;

	sn_setup(&f, 3, 3);
	for (sl = 0; sl < MCFAB_SLS; sl++)
		for (d = 0; d < 4; d++) {
			assert_int_equal(mcfab_lane_vl(f.sn, 4, MCFAB_LANE_MODE_SHARED, 4, d + 1, sl),
					 sl % 4);
			assert_int_equal(mcfab_lane_vl(f.sn, 2, MCFAB_LANE_MODE_DEDICATED, 4, d + 1,
						       sl), two[d]);
			assert_int_equal(mcfab_lane_vl(f.sn, 4, MCFAB_LANE_MODE_DEDICATED, 4, d + 1,
						       sl), four[d]);
			assert_int_equal(mcfab_lane_vl(f.sn, 1, MCFAB_LANE_MODE_DEDICATED, 4, d + 1,
						       sl), 0);
		}
	f.net.view.vcs = 3;
	assert_int_equal(net_policy(&f.net, &pol, "xy-union", "lanes=dedicated", &f.err),
			 -EOPNOTSUPP);
	assert_string_equal(f.err.msg, "lanes dedicated needs vcs 1, 2 or 4, the fabric has 3");
	f.net.view.vcs = 4;
	assert_int_equal(net_policy(&f.net, &pol, "xy-union", "lanes=dedicated lane-select=free",
				    &f.err), -EINVAL);
	assert_string_equal(f.err.msg, "lane-select free means nothing to lanes dedicated");
	assert_int_equal(f.err.index, 1);
	assert_int_equal(net_policy(&f.net, &pol, "xy-union", "lanes=dedicated", &f.err), 0);
	mcfab_policy_close(&pol);
	f.net.view.switching = MCFAB_SWITCHING_MODE_WORMHOLE;
	assert_int_equal(net_policy(&f.net, &pol, "xy-unicast", NULL, &f.err), -EOPNOTSUPP);
	assert_string_equal(f.err.msg, "switches buffer whole packets: set switching vct or saf");
	f.net.view.subnet = NULL;
	assert_int_equal(net_policy(&f.net, &pol, "table", NULL, &f.err), -EOPNOTSUPP);
	assert_string_equal(f.err.msg, "forwarding tables need a fabric with addressing lid");
	sn_teardown(&f);
}

static void test_unicast(void **state)
{
	struct mcfab_timing timing = { .flits = 8, .link_delay = 1, .consume_delay = 1 };
	static const u32 sorted[] = { 1, 4, 8 };
	u32 dst[] = { 8, 1, 4 }, node[3], i;
	struct mcfab_prediction cost = { .node = node };
	u64 arrival[3];
	struct multicast mc;
	struct fixture f;

	sn_setup(&f, 3, 3);
	f.net.view.inject = 1;
	multicast_init(&mc, &f.net, "xy-unicast", NULL, 3);
	multicast_plan(&mc, 0, dst, 3);
	assert_int_equal(mc.plan.nworms, 3);
	for (i = 0; i < 3; i++) {
		assert_int_equal(mc.plan.dst[i], sorted[i]);
		assert_int_equal(mc.plan.worm[i].arg, f.sn->host_lid[mc.plan.dst[i]]);
		assert_int_equal(mc.plan.worm[i].round, i);
	}
	cost.arrival = arrival;
	assert_int_equal(mcfab_walk_predict(&mc.walk, &timing, &cost), 0);
	assert_int_equal(cost.traffic, 1 + 2 + 4);
	/* one in circles, one without an entry: the walk ends and says so */
	assert_int_equal(sn_set_lft(&f, 1, f.sn->host_lid[8], NORTH), 0);
	assert_int_equal(sn_set_lft(&f, 4, f.sn->host_lid[8], WEST), 0);
	assert_int_equal(sn_set_lft(&f, 3, f.sn->host_lid[8], SOUTH), 0);
	assert_int_equal(sn_set_lft(&f, 1, f.sn->host_lid[4], 255), 0);
	assert_int_equal(mcfab_walk_predict(&mc.walk, &timing, &cost), 0);
	assert_int_equal(cost.ndst, 1);
	assert_int_equal(cost.lost, 2);
	assert_int_equal(cost.drops, 2);
	assert_int_equal(node[1], 4);
	assert_int_equal(arrival[1], U64_MAX);
	multicast_exit(&mc);
	sn_teardown(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_route),
		cmocka_unit_test(test_ingress),
		cmocka_unit_test(test_lanes),
		cmocka_unit_test(test_unicast),
	};

	return run_tap(tests);
}
