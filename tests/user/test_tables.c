// SPDX-License-Identifier: GPL-2.0
/*
 * Forwarding tables as users set and load them, what checks find in them, and runs and
 * messages to groups that follow them.
 */
#include <stdlib.h>

#include "fabric/runner.h"
#include "lib/subnet.h"
#include "workload/workload.h"

#include "lib/tap.h"

/* what the user sets survives new tables, until the group changes */
static void test_overrides(void **state)
{
	struct mcfab_entry restore = { .kind = MCFAB_TABLE_KIND_MFT, .sw = 0, .restore = true };
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
	restore.kind = MCFAB_TABLE_KIND_LFT;
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
		{ { MCFAB_TABLE_KIND_LFT, 9, 0, 1, 1, port }, "switch 9 is not below 9",
		  MCFAB_OPTION_TABLE_ENTRY_SWITCH },
		{ { MCFAB_TABLE_KIND_LFT, MCFAB_NONE, 3, 1, 1, port }, "no switch has the LID 3",
		  MCFAB_OPTION_TABLE_ENTRY_SWITCH_LID },
		{ { MCFAB_TABLE_KIND_LFT, 0, 0, 1, 2, port },
		  "LID 2: port 6 is not in 0 to 5 of switch 0", MCFAB_OPTION_TABLE_ENTRY_PORTS },
		{ { MCFAB_TABLE_KIND_LFT, 0, 0, 0, 1, port },
		  "LID 0 is no unicast LID, they are 1 to 49151", MCFAB_OPTION_TABLE_ENTRY_LID },
		{ { MCFAB_TABLE_KIND_LFT, 0, 0, 49151, 2, port },
		  "LID 49152 is no unicast LID, they are 1 to 49151",
			  MCFAB_OPTION_TABLE_ENTRY_LID },
		{ { MCFAB_TABLE_KIND_LFT, 0, 0, 19, 1, port }, "nobody has the LID 19",
		  MCFAB_OPTION_TABLE_ENTRY_LID },
		{ { MCFAB_TABLE_KIND_LFT, 0, 0, 1, 0, port }, "LID 1: ports are missing", 0 },
		{ { MCFAB_TABLE_KIND_LFT, 0, 0, 1, 1, port, true },
		  "LID 1: restore goes without ports",
		  MCFAB_OPTION_TABLE_ENTRY_RESTORE },
		{ { MCFAB_TABLE_KIND_MFT, 0, 0, 1, 1, port },
		  "LID 0x0001 is no multicast LID, they are 0xc000 to 0xfffe",
		  MCFAB_OPTION_TABLE_ENTRY_LID },
		{ { MCFAB_TABLE_KIND_MFT, 0, 0, 0xc000, 1, port },
		  "multicast LID 0xc000 belongs to no group", MCFAB_OPTION_TABLE_ENTRY_LID },
		{ { MCFAB_TABLE_KIND_MFT, 0, 0, 0xc000, 1, port + 2 },
		  "LID 0xc000: port 255 is not in 0 to 5 of switch 0",
			  MCFAB_OPTION_TABLE_ENTRY_PORTS },
		{ { MCFAB_TABLE_KIND_SL2VL, 0, 0, 1, 1, port },
		  "service levels and lanes are loaded as a whole",
		  MCFAB_OPTION_TABLE_ENTRY_KIND },
	};
	u32 i;

	sn_setup(&f, 3, 3);
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		struct mcfab_entry two[] = { { MCFAB_TABLE_KIND_LFT, 0, 0, 1, 1, port },
					     bad[i].entry };

		assert_int_equal(mcfab_table_set(f.sn, two, 2, &f.err), -EINVAL);
		assert_string_equal(f.err.msg, bad[i].msg);
		assert_int_equal(f.err.what, MCFAB_OPTION_TABLE_ENTRY);
		assert_int_equal(f.err.part, bad[i].part);
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
		.kind = lid < 0xc000 ? MCFAB_TABLE_KIND_LFT : MCFAB_TABLE_KIND_MFT, .sw = sw,
			.lid = lid,
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
	rc.workload.kind = MCFAB_WORKLOAD_TYPE_BURST;
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
		assert_int_equal(fabric->results.progress.state, MCFAB_RUN_STATUS_DONE);
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
	struct mcfab_workload_cfg cfg = { .kind = MCFAB_WORKLOAD_TYPE_FILE, .list = &list };
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
		cmocka_unit_test(test_run),
		cmocka_unit_test(test_list),
	};

	return run_tap(tests);
}
