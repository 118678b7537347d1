// SPDX-License-Identifier: GPL-2.0
/*
 * Forwarding tables as users set and load them, what checks find in them, and what packets
 * that follow them do: in switches, in plans, in a run.
 */
#include <stdlib.h>

#include <linux/mcfab.h>
#include "fabric/runner.h"
#include "lib/shortest.h"
#include "lib/subnet.h"
#include "workload/workload.h"

#include "lib/tap.h"

/* what the user sets survives new tables, until the group changes */
static void test_overrides(void **state)
{
	struct mcfab_entry restore = { .kind = MCFAB_TABLE_MFT, .sw = 0, .restore = true };
	u32 member[] = { 2, 8 }, four[] = { 4 };
	struct mcfab_group *group;
	struct fixture f;

	sn_setup(&f, 3, 3);
	group = sn_group(&f, "g", member, 2);
	sn_mft(&f, group, 0);
	restore.lid = mcfab_group_lid(group, 0);
	assert_int_equal(sn_row(sn_mft(&f, group, 0), 0), PORTS(EAST));
	assert_int_equal(sn_set_row(&f, restore.lid, 0, PORTS(NORTH)), 0);
	assert_int_equal(sn_set_row(&f, restore.lid, 1, 0), 0);
	assert_int_equal(sn_row(sn_mft(&f, group, 0), 0), PORTS(NORTH));
	assert_int_equal(sn_row(sn_mft(&f, group, 0), 1), 0);
	/* N(2,0) sends the one to 8 west instead of north: the tables of the rest follow */
	assert_int_equal(sn_set_lft(&f, 2, f.sn->host_lid[8], HOST), 0);
	assert_int_equal(sn_row(sn_mft(&f, group, 0), 0), PORTS(NORTH));
	assert_int_equal(sn_row(sn_mft(&f, group, 0), 2), PORTS(HOST));
	assert_int_equal(sn_row(sn_mft(&f, group, 0), 5), 0);
	assert_int_equal(mcfab_table_set(f.sn, &restore, 1, &f.err), 0);
	assert_int_equal(sn_row(sn_mft(&f, group, 0), 0), PORTS(EAST));
	assert_int_equal(sn_row(sn_mft(&f, group, 0), 1), 0);
	assert_int_equal(mcfab_group_join(f.sn, group, four, 1, &f.err), 0);
	assert_int_equal(sn_row(sn_mft(&f, group, 0), 1), PORTS(EAST, NORTH));
	restore.kind = MCFAB_TABLE_LFT;
	restore.sw = 2;
	restore.lid = f.sn->host_lid[8];
	assert_int_equal(mcfab_table_set(f.sn, &restore, 1, &f.err), 0);
	assert_int_equal(sn_row(sn_mft(&f, group, 0), 2), PORTS(HOST, NORTH));
	assert_int_equal(sn_check(&f), 0);
	sn_teardown(&f);
}

static void test_bad_entries(void **state)
{
	u8 port[] = { 1, 6, 255 };
	struct fixture f;
	const struct {
		struct mcfab_entry entry;
		const char *msg;
		u32 part;
	} bad[] = {
		{ { MCFAB_TABLE_LFT, 9, 0, 1, 1, port }, "switch 9 is not below 9",
		  MCFAB_A_TABLE_ENTRY_SWITCH },
		{ { MCFAB_TABLE_LFT, MCFAB_NONE, 3, 1, 1, port }, "no switch has the LID 3",
		  MCFAB_A_TABLE_ENTRY_SWITCH_LID },
		{ { MCFAB_TABLE_LFT, 0, 0, 1, 2, port },
		  "LID 2: port 6 is not in 0 to 5 of switch 0", MCFAB_A_TABLE_ENTRY_PORTS },
		{ { MCFAB_TABLE_LFT, 0, 0, 0, 1, port },
		  "LID 0 is no unicast LID, they are 1 to 49151", MCFAB_A_TABLE_ENTRY_LID },
		{ { MCFAB_TABLE_LFT, 0, 0, 49151, 2, port },
		  "LID 49152 is no unicast LID, they are 1 to 49151", MCFAB_A_TABLE_ENTRY_LID },
		{ { MCFAB_TABLE_LFT, 0, 0, 19, 1, port }, "nobody has the LID 19",
		  MCFAB_A_TABLE_ENTRY_LID },
		{ { MCFAB_TABLE_LFT, 0, 0, 1, 0, port }, "LID 1: ports are missing", 0 },
		{ { MCFAB_TABLE_LFT, 0, 0, 1, 1, port, true }, "LID 1: restore goes without ports",
		  MCFAB_A_TABLE_ENTRY_RESTORE },
		{ { MCFAB_TABLE_MFT, 0, 0, 1, 1, port },
		  "LID 0x0001 is no multicast LID, they are 0xc000 to 0xfffe",
		  MCFAB_A_TABLE_ENTRY_LID },
		{ { MCFAB_TABLE_MFT, 0, 0, 0xc000, 1, port },
		  "multicast LID 0xc000 belongs to no group", MCFAB_A_TABLE_ENTRY_LID },
		{ { MCFAB_TABLE_MFT, 0, 0, 0xc000, 1, port + 2 },
		  "LID 0xc000: port 255 is not in 0 to 5 of switch 0", MCFAB_A_TABLE_ENTRY_PORTS },
		{ { MCFAB_TABLE_SL2VL, 0, 0, 1, 1, port },
		  "SL-to-VL tables follow from vcs and the policy's lanes",
		  MCFAB_A_TABLE_ENTRY_KIND },
	};
	u32 i;

	sn_setup(&f, 3, 3);
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		struct mcfab_entry two[] = { { MCFAB_TABLE_LFT, 0, 0, 1, 1, port }, bad[i].entry };

		assert_int_equal(mcfab_table_set(f.sn, two, 2, &f.err), -EINVAL);
		assert_string_equal(f.err.msg, bad[i].msg);
		assert_int_equal(f.err.attr, MCFAB_A_TABLE_ENTRY);
		assert_int_equal(f.err.nested, bad[i].part);
		assert_int_equal(f.err.index, 1);
		/* all or none */
		assert_int_equal(mcfab_lft_port(f.sn, 0, 1), HOST);
	}
	assert_int_equal(sn_check(&f), 0);
	sn_teardown(&f);
}

static void test_findings(void **state)
{
	u32 lid, member[] = { 5, 8 };
	struct mcfab_group *group;
	struct fixture f;

	sn_setup(&f, 3, 3);
	lid = f.sn->host_lid[8];
	assert_int_equal(lid, 9);
	/* 0 > 1 > 4 > 3 > 0 */
	assert_int_equal(sn_set_lft(&f, 0, lid, EAST), 0);
	assert_int_equal(sn_set_lft(&f, 1, lid, NORTH), 0);
	assert_int_equal(sn_set_lft(&f, 4, lid, WEST), 0);
	assert_int_equal(sn_set_lft(&f, 3, lid, SOUTH), 0);
	assert_int_equal(sn_check(&f), 2);
	assert_string_equal(sn_text(0), "LID 9: loop of switches 0 > 1 > 4 > 3 > 0");
	assert_string_equal(sn_text(1), "LID 9: node 8 is not reached from switch 0");
	/* a dead port at the border, the wrong host, no entry */
	assert_int_equal(sn_set_lft(&f, 0, lid, SOUTH), 0);
	assert_int_equal(sn_set_lft(&f, 2, lid, HOST), 0);
	assert_int_equal(sn_set_lft(&f, 6, lid, 255), 0);
	assert_int_equal(sn_check(&f), 3);
	assert_string_equal(sn_text(0), "LID 9: port 4 of switch 0 leads nowhere");
	assert_string_equal(sn_text(1),
			    "LID 9: switch 2 delivers to node 2, which is no destination");
	assert_string_equal(sn_text(2), "LID 9: node 8 is not reached from switch 0");

	/* multicast: a loop, members without a copy, a stray, port 0 does not count */
	assert_int_equal(mcfab_lft_build(f.sn, f.sn->lft, &(struct mcfab_err){}), 0);
	group = sn_group(&f, "g", member, 2);
	sn_mft(&f, group, 0);
	lid = mcfab_group_lid(group, 0);
	assert_int_equal(sn_set_row(&f, lid, 0, PORTS(EAST, NORTH)), 0);
	assert_int_equal(sn_set_row(&f, lid, 1, PORTS(NORTH, WEST) | 1), 0);
	assert_int_equal(sn_set_row(&f, lid, 4, PORTS(WEST, HOST)), 0);
	assert_int_equal(sn_set_row(&f, lid, 3, PORTS(SOUTH)), 0);
	assert_int_equal(sn_check(&f), 4);
	assert_string_equal(sn_text(0), "LID 0xc000: loop of switches 1 > 4 > 3 > 0 > 1");
	assert_string_equal(sn_text(1),
			    "LID 0xc000: switch 4 delivers to node 4, which is no destination");
	assert_string_equal(sn_text(2), "LID 0xc000: member 5 is not reached from node 0");
	assert_string_equal(sn_text(3), "LID 0xc000: member 8 is not reached from node 0");
	sn_teardown(&f);
}

static int load(struct fixture *f, u32 sw, u32 lid, const u8 *port, u32 nports)
{
	struct mcfab_entry entry = {
		.kind = lid < 0xc000 ? MCFAB_TABLE_LFT : MCFAB_TABLE_MFT, .sw = sw, .lid = lid,
		.nports = nports, .port = port,
	};

	return mcfab_stage_append(f->sn, &entry, 1, &f->err);
}

static void load_all(struct fixture *f)
{
	u32 sw;

	assert_int_equal(mcfab_stage_begin(f->sn, &f->err), 0);
	for (sw = 0; sw < f->sn->switches; sw++)
		assert_int_equal(load(f, sw, 1, f->sn->lft + sw * f->sn->lids + 1,
				      f->sn->lids - 1), 0);
}

static void test_load(void **state)
{
	static const u8 east = EAST, north = NORTH, six = 6, tree[] = { HOST, EAST, WEST };
	u32 lid, member[] = { 5, 8 }, generation;
	struct mcfab_group *group;
	struct fixture f;
	long before;

	sn_setup(&f, 3, 3);
	before = shim_allocated;
	group = sn_group(&f, "g", member, 2);
	sn_mft(&f, group, 0);
	generation = f.sn->generation;
	lid = f.sn->host_lid[8];

	assert_int_equal(mcfab_stage_begin(f.sn, &f.err), 0);
	assert_int_equal(mcfab_stage_commit(f.sn, false, &sn_found, &f.err), -ENODATA);
	assert_string_equal(f.err.msg, "nothing was loaded");
	/* the same again */
	load_all(&f);
	assert_int_equal(f.sn->stage->entries, 9 * 18);
	assert_int_equal(load(&f, 0, 1, &six, 1), -EINVAL);
	assert_int_equal(mcfab_stage_commit(f.sn, false, &sn_found, &f.err), 0);
	assert_null(f.sn->stage);
	assert_int_equal(f.sn->generation, generation + 1);
	assert_int_equal(sn_check(&f), 0);

	/* a loop: refused, nothing changed; what was loaded can be looked at */
	load_all(&f);
	assert_int_equal(load(&f, 1, lid, &north, 1), 0);
	assert_int_equal(load(&f, 4, lid, &(u8){ SOUTH }, 1), 0);
	assert_int_equal(mcfab_stage_commit(f.sn, false, &sn_found, &f.err), -EINVAL);
	assert_string_equal(f.err.msg, "3 findings: LID 9: loop of switches 1 > 4 > 1");
	assert_int_equal(mcfab_lft_port(f.sn, 1, lid), EAST);
	assert_int_equal(sn_check(&f), 0);
	memset(&sn_found, 0, sizeof(sn_found));
	assert_int_equal(mcfab_stage_check(f.sn, &sn_found, &f.err), 0);
	assert_int_equal(sn_found.total, 3);
	assert_int_equal(mcfab_lft_port(f.sn, 1, lid), EAST);
	assert_int_equal(mcfab_stage_commit(f.sn, true, &sn_found, &f.err), 0);
	assert_int_equal(sn_found.total, 3);
	assert_int_equal(mcfab_lft_port(f.sn, 1, lid), NORTH);
	assert_int_equal(sn_check(&f), 3);

	/* what is not there is left out and reported */
	assert_int_equal(mcfab_lft_build(f.sn, f.sn->lft, &(struct mcfab_err){}), 0);
	load_all(&f);
	assert_int_equal(load(&f, 0, 4711, &east, 1), 0);
	assert_int_equal(load(&f, 77, 1, &east, 1), 0);
	assert_int_equal(mcfab_stage_commit(f.sn, false, &sn_found, &f.err), -EINVAL);
	assert_string_equal(f.err.msg, "2 findings: LID 4711: nobody has it, switch 0 has an entry");
	assert_int_equal(sn_found.total, 2);
	assert_string_equal(sn_text(1), "there is no switch 77");
	assert_int_equal(mcfab_stage_commit(f.sn, true, &sn_found, &f.err), 0);
	assert_int_equal(sn_check(&f), 0);

	/* multicast tables: of the group's LID, and of one that a group takes later */
	assert_int_equal(mcfab_stage_begin(f.sn, &f.err), 0);
	assert_int_equal(load(&f, 0, 0xc000, &north, 1), 0);
	assert_int_equal(load(&f, 3, 0xc00a, tree, 2), 0);
	assert_int_equal(load(&f, 4, 0xc00a, tree, 3), 0);
	assert_int_equal(load(&f, 5, 0xc00a, (const u8[]){ HOST, WEST }, 2), 0);
	assert_int_equal(mcfab_stage_commit(f.sn, false, &sn_found, &f.err), -EINVAL);
	assert_string_equal(f.err.msg, "2 findings: LID 0xc000: member 5 is not reached from node 0");
	assert_int_equal(sn_row(mcfab_mft_find(f.sn, 0xc000), 0), PORTS(EAST));
	assert_null(mcfab_mft_find(f.sn, 0xc00a));
	assert_int_equal(mcfab_stage_commit(f.sn, true, &sn_found, &f.err), 0);
	assert_int_equal(sn_row(mcfab_mft_find(f.sn, 0xc000), 0), PORTS(NORTH));
	assert_int_equal(sn_row(mcfab_mft_find(f.sn, 0xc000), 5), 0);
	assert_int_equal(sn_row(mcfab_mft_find(f.sn, 0xc00a), 4), PORTS(HOST, EAST, WEST));
	mcfab_group_del(f.sn, group);
	/* a tree that three hosts share: each reaches the others */
	assert_int_equal(sn_check(&f), 0);
	group = mcfab_group_new(f.sn, "s", (u32[]){ 3, 4, 5 }, 3, 0xc00a, &f.err);
	assert_false(IS_ERR(group));
	assert_int_equal(sn_check(&f), 0);
	assert_int_equal(mcfab_group_join(f.sn, group, (u32[]){ 0 }, 1, &f.err), 0);
	assert_int_equal(sn_check(&f), 6);
	assert_string_equal(sn_text(0), "LID 0xc00a: member 3 is not reached from node 0");
	/* loaded anew without it: the group keeps its LID, without any port */
	assert_int_equal(mcfab_stage_begin(f.sn, &f.err), 0);
	assert_int_equal(load(&f, 0, 0xc00b, &north, 1), 0);
	assert_int_equal(mcfab_stage_commit(f.sn, true, &sn_found, &f.err), 0);
	assert_int_equal(sn_row(mcfab_mft_find(f.sn, 0xc00a), 4), 0);
	mcfab_group_del(f.sn, group);
	assert_null(mcfab_mft_find(f.sn, 0xc00a));
	assert_non_null(mcfab_mft_find(f.sn, 0xc00b));
	mcfab_stage_begin(f.sn, &f.err);
	load(&f, 0, 0xc00c, &north, 1);
	mcfab_stage_abort(f.sn);
	assert_int_equal(shim_allocated, before + 1);	/* 0xc00b */
	sn_teardown(&f);
}

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
	struct mcfab_subnet_rules rules = { .ingress = MCFAB_INGRESS_ALLOW };
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
		rules.ingress = allow ? MCFAB_INGRESS_ALLOW : MCFAB_INGRESS_EXCLUDE;
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
			stray |= sn_found.item[i].type == MCFAB_FIND_STRAY &&
				sn_found.item[i].node == sn_found.item[i].source;
			loop |= sn_found.item[i].type == MCFAB_FIND_LOOP;
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
			assert_int_equal(mcfab_lane_vl(f.sn, 4, MCFAB_LANES_SHARED, 4, d + 1, sl),
					 sl % 4);
			assert_int_equal(mcfab_lane_vl(f.sn, 2, MCFAB_LANES_DEDICATED, 4, d + 1,
						       sl), two[d]);
			assert_int_equal(mcfab_lane_vl(f.sn, 4, MCFAB_LANES_DEDICATED, 4, d + 1,
						       sl), four[d]);
			assert_int_equal(mcfab_lane_vl(f.sn, 1, MCFAB_LANES_DEDICATED, 4, d + 1,
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
	f.net.view.switching = MCFAB_WORMHOLE;
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
	f.sn = mcfab_subnet_create(&f.net.topo, &f.rules, &f.err);
	assert_false(IS_ERR(f.sn));
	f.net.view = (struct mcfab_view){ .topo = &f.net.topo, .vcs = 1, .buffer = 32, .inject = 1,
		.consume = 1, .flits = 32, .switching = MCFAB_CUT_THROUGH, .subnet = f.sn };
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
	assert_int_equal(PTR_ERR(mcfab_subnet_create(&f.net.topo, &f.rules, &f.err)), -EOPNOTSUPP);
	assert_string_equal(f.err.msg, "with LIDs, port 0 is the switch itself: free it at switch 0");
	g->host[2].port = 1;
	mcfab_topo_free(&f.net.topo);
	f.net.topo.graph = g;
	assert_int_equal(mcfab_topo_alloc(&f.net.topo), 0);
	memcpy(f.rules.port, ((const u32[]){ 1, 2, 3, 4, 5 }), sizeof(f.rules.port));
	assert_int_equal(PTR_ERR(mcfab_subnet_create(&f.net.topo, &f.rules, &f.err)), -EOPNOTSUPP);
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
	f.sn = mcfab_subnet_create(&f.net.topo, &f.rules, &f.err);
	assert_false(IS_ERR(f.sn));
	assert_true(f.sn->mesh);
	assert_int_equal(sn_check(&f), 0);
	for (d = MCFAB_TO_EAST; d <= MCFAB_TO_SOUTH; d++) {
		assert_int_equal(f.sn->direction[4 * 9 + to[d]], d);
		assert_int_equal(mcfab_lane_vl(f.sn, 4, MCFAB_LANES_DEDICATED, 4, to[d], 9), d - 1);
	}
	assert_int_equal(mcfab_lft_port(f.sn, 0, f.sn->host_lid[8]), to[1]);
	assert_int_equal(mcfab_lft_port(f.sn, 2, f.sn->host_lid[8]), to[2]);

	f.net.view = (struct mcfab_view){ .topo = &f.net.topo, .vcs = 1, .buffer = 32, .inject = 1,
		.consume = 1, .flits = 32, .switching = MCFAB_CUT_THROUGH, .subnet = f.sn };
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

/* every node sends to a group: each member gets what is not its own, over LIDs made at once */
static void test_run(void **state)
{
	static const char *const policies[] = { "xy-union", "xy-unicast", "table", "dp" };
	u32 members[] = { 0, 3, 4, 8 }, i;
	struct mcfab_fabric_cfg fc;
	struct mcfab_err err = { 0 };
	struct mcfab_run_cfg rc;
	struct mcfab_fabric *fabric;

	mcfab_fabric_defaults_lid(&fc);
	strcpy(fc.name, "f");
	strcpy(fc.topology, "mesh");
	fc.ndims = 2;
	fc.radix[0] = 3;
	fc.radix[1] = 3;
	fabric = mcfab_fabric_create(&fc, &err);
	if (IS_ERR(fabric))
		fail_msg("%s", err.msg);
	assert_false(IS_ERR(mcfab_group_new(fabric->subnet, "g", members, 4, 0, &err)));
	mcfab_run_defaults(&rc);
	rc.workload.kind = MCFAB_BURST;
	rc.workload.subnet = fabric->subnet;
	strcpy(rc.workload.group, "h");
	strcpy(rc.policy, policies[0]);
	assert_int_equal(mcfab_run_start(fabric, &rc, &err), -ENOENT);
	assert_string_equal(err.msg, "there is no group h");
	strcpy(rc.workload.group, "g");
	for (i = 0; i < ARRAY_SIZE(policies); i++) {
		strcpy(rc.policy, policies[i]);
		if (mcfab_run_start(fabric, &rc, &err))
			fail_msg("%s: %s", policies[i], err.msg);
		mcfab_runner_wait(fabric);
		assert_int_equal(fabric->results.progress.state, MCFAB_RUN_DONE);
		assert_int_equal(fabric->results.progress.messages, 9);
		assert_int_equal(fabric->results.progress.deliveries, 9 * 4 - 4);
		assert_int_equal(fabric->subnet->group[0]->nlids, 9);
	}
	mcfab_fabric_destroy(fabric);
}

/* messages of a list may be for a group, by its number */
static void test_list(void **state)
{
	u32 source[] = { 1, 0, 4 }, first[] = { 0, 0, 2, 2 }, dst[] = { 7, 8 }, group[] = { 1, 0, 1 };
	struct mcfab_msg_list list = { .nmsgs = 3, .ndst = 2, .cycle = (u64[]){ 0, 5, 9 },
		.source = source, .first = first, .dst = dst, .group = group };
	struct mcfab_workload_cfg cfg = { .kind = MCFAB_FILE, .list = &list };
	u32 members[] = { 1, 4, 6 }, one[] = { 4 }, got[3];
	struct mcfab_workload w;
	struct fixture f;
	bool unicast;

	sn_setup(&f, 3, 3);
	sn_group(&f, "g", members, 3);
	assert_int_equal(mcfab_workload_open(&w, &cfg, 1, 9, &f.err), -ENOENT);
	assert_string_equal(f.err.msg, "message 0: there is no group of number 1");
	cfg.subnet = f.sn;
	assert_int_equal(mcfab_workload_open(&w, &cfg, 1, 9, &f.err), 0);
	assert_int_equal(mcfab_workload_max_dests(&w), 3);
	assert_int_equal(mcfab_workload_dests(&w, 1, 0, got, &unicast), 2);
	assert_true(got[0] == 4 && got[1] == 6);
	assert_ptr_equal(mcfab_workload_group(&w, 1, 0), f.sn->group[0]);
	assert_int_equal(mcfab_workload_dests(&w, 0, 0, got, &unicast), 2);
	assert_true(got[0] == 7 && got[1] == 8);
	assert_null(mcfab_workload_group(&w, 0, 0));
	mcfab_workload_close(&w);

	group[1] = 1;
	assert_int_equal(mcfab_workload_open(&w, &cfg, 1, 9, &f.err), -EINVAL);
	assert_string_equal(f.err.msg, "message 1 has a group and destinations");
	group[1] = 0;
	sn_group(&f, "h", one, 1);
	group[2] = 2;
	assert_int_equal(mcfab_workload_open(&w, &cfg, 1, 9, &f.err), -EINVAL);
	assert_string_equal(f.err.msg, "message 2: its group has no member but source 4");
	sn_teardown(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_overrides),
		cmocka_unit_test(test_bad_entries),
		cmocka_unit_test(test_findings),
		cmocka_unit_test(test_load),
		cmocka_unit_test(test_route),
		cmocka_unit_test(test_ingress),
		cmocka_unit_test(test_lanes),
		cmocka_unit_test(test_unicast),
		cmocka_unit_test(test_irregular),
		cmocka_unit_test(test_recognised),
		cmocka_unit_test(test_run),
		cmocka_unit_test(test_list),
	};

	return run_tap(tests);
}
