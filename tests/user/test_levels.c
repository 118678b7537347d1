// SPDX-License-Identifier: GPL-2.0
/* Service levels and virtual lanes that the user loads: what is refused, kept, and looked up. */
#include <stdlib.h>

#include "base/memory.h"
#include "lib/subnet.h"
#include "subnet/levels.h"

#include "lib/tap.h"

static u8 lanes[MCFAB_SLS];

static struct mcfab_entry lane_entry(u32 sw, u32 in, u32 out)
{
	return (struct mcfab_entry){ .kind = MCFAB_TABLE_KIND_SL2VL, .sw = sw, .in = in,
				     .out = out, .nlevels = MCFAB_SLS, .level = lanes };
}

static struct mcfab_entry path_entry(u32 node, u32 lid, const u8 *level, u32 n)
{
	return (struct mcfab_entry){ .kind = MCFAB_TABLE_KIND_PATH_SL, .sw = MCFAB_NONE,
				     .node = node, .lid = lid, .nlevels = n, .level = level };
}

static void test_bad_entries(void **state)
{
	static const u8 high[MCFAB_SLS] = { [7] = 4 }, levels[] = { 3, 16 };
	struct fixture f;
	const struct {
		struct mcfab_entry entry;
		const char *msg;
		u32 part;
	} bad[] = {
		{ lane_entry(0, 6, 1), "input port 6 is not in 0 to 5",
		  MCFAB_OPTION_TABLE_ENTRY_IN_PORT },
		{ lane_entry(0, 1, 6), "output port 6 is not in 0 to 5",
		  MCFAB_OPTION_TABLE_ENTRY_PORT },
		{ { .kind = MCFAB_TABLE_KIND_SL2VL, .level = lanes, .nlevels = 15 },
		  "lanes for 15 service levels, there are 16", MCFAB_OPTION_TABLE_ENTRY_VLS },
		{ { .kind = MCFAB_TABLE_KIND_SL2VL, .level = high, .nlevels = 16 },
		  "lane 4 of service level 7: the fabric has vcs 4", MCFAB_OPTION_TABLE_ENTRY_VLS },
		{ path_entry(9, 1, levels, 1), "node 9 is not below 9",
		  MCFAB_OPTION_TABLE_ENTRY_NODE },
		{ path_entry(0, 0, levels, 1),
		  "1 service levels from LID 0 on: unicast LIDs are 1 to 49151",
		  MCFAB_OPTION_TABLE_ENTRY_LID },
		{ path_entry(0, 49151, levels, 2),
		  "2 service levels from LID 49151 on: unicast LIDs are 1 to 49151",
		  MCFAB_OPTION_TABLE_ENTRY_LID },
		{ path_entry(0, 1, levels, 2), "LID 2: service level 16 is not in 0 to 15",
		  MCFAB_OPTION_TABLE_ENTRY_SLS },
		{ path_entry(0, 1, levels, 0),
		  "0 service levels from LID 1 on: unicast LIDs are 1 to 49151",
		  MCFAB_OPTION_TABLE_ENTRY_LID },
	};
	struct mcfab_entry two[2];
	u64 bytes;
	u32 i;

	sn_setup(&f, 3, 3);
	assert_int_equal(mcfab_stage_begin(f.sn, &f.err), 0);
	bytes = mcfab_stage_bytes(f.sn);
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		two[0] = lane_entry(0, 1, 1);
		two[1] = bad[i].entry;
		assert_int_equal(mcfab_stage_append(f.sn, two, 2, &f.err), -EINVAL);
		assert_string_equal(f.err.msg, bad[i].msg);
		assert_int_equal(f.err.part, bad[i].part);
		assert_int_equal(f.err.index, 1);
		/* all or none */
		assert_int_equal(mcfab_stage_bytes(f.sn), bytes);
	}
	assert_int_equal(mcfab_stage_commit(f.sn, false, &sn_found, &f.err), -ENODATA);
	sn_teardown(&f);
}

/* What is loaded replaces what was loaded before; the kind that is not loaded stays. */
static void test_replaced(void **state)
{
	static const u8 levels[] = { 3, 0, 7 };
	struct mcfab_entry entry;
	struct fixture f;
	u64 bytes;
	u32 sl;

	sn_setup(&f, 3, 3);
	bytes = mcfab_subnet_bytes(f.sn);
	for (sl = 0; sl < MCFAB_SLS; sl++)
		lanes[sl] = 3 - sl % 4;
	lanes[5] = MCFAB_LANE_NONE;
	assert_int_equal(mcfab_levels_path(f.sn, 0, 1, 18), 2);
	assert_int_equal(mcfab_stage_begin(f.sn, &f.err), 0);
	entry = lane_entry(4, WEST, EAST);
	assert_int_equal(mcfab_stage_append(f.sn, &entry, 1, &f.err), 0);
	assert_null(f.sn->levels.vl);
	assert_int_equal(mcfab_stage_commit(f.sn, false, &sn_found, &f.err), 0);
	for (sl = 0; sl < MCFAB_SLS; sl++) {
		assert_int_equal(mcfab_levels_lane(f.sn, 4, WEST, EAST, sl), lanes[sl]);
		/* where nothing was loaded */
		assert_int_equal(mcfab_levels_lane(f.sn, 4, EAST, WEST, sl), sl % 4);
		assert_int_equal(mcfab_levels_lane(f.sn, 8, HOST, WEST, sl), sl % 4);
	}
	assert_int_equal(mcfab_subnet_bytes(f.sn), bytes + mcfab_levels_bytes(&f.sn->levels));
	assert_null(f.sn->levels.path);

	/* node 2 to LIDs 8, 9 and 10, of which 10 is a switch's, and 19, which nobody has */
	assert_int_equal(mcfab_stage_begin(f.sn, &f.err), 0);
	entry = path_entry(2, 8, levels, 3);
	assert_int_equal(mcfab_stage_append(f.sn, &entry, 1, &f.err), 0);
	entry = path_entry(2, 19, levels, 1);
	assert_int_equal(mcfab_stage_append(f.sn, &entry, 1, &f.err), 0);
	assert_int_equal(mcfab_stage_commit(f.sn, false, &sn_found, &f.err), -EINVAL);
	assert_string_equal(f.err.msg,
			    "LID 19: nobody has it, node 2 has a level for it");
	assert_int_equal(mcfab_stage_commit(f.sn, true, &sn_found, &f.err), 0);
	assert_int_equal(mcfab_levels_path(f.sn, 2, 8, 5), 3);
	assert_int_equal(mcfab_levels_path(f.sn, 2, 10, 5), 7);
	assert_int_equal(mcfab_levels_path(f.sn, 2, 7, 5), 0);
	assert_int_equal(mcfab_levels_path(f.sn, 1, 8, 5), 0);
	assert_int_equal(mcfab_levels_path(f.sn, 2, 0xc000, 5), 0);
	assert_int_equal(mcfab_levels_lane(f.sn, 4, WEST, EAST, 0), 3);

	/* nobody asks for the ways now, in which there is a loop */
	assert_int_equal(sn_set_lft(&f, 0, f.sn->host_lid[8], EAST), 0);
	assert_int_equal(sn_set_lft(&f, 1, f.sn->host_lid[8], WEST), 0);
	assert_true(sn_check(&f) > 0);
	/* tables of the same kind, in which that switch has none */
	assert_int_equal(mcfab_stage_begin(f.sn, &f.err), 0);
	entry = lane_entry(3, WEST, EAST);
	assert_int_equal(mcfab_stage_append(f.sn, &entry, 1, &f.err), 0);
	assert_int_equal(mcfab_stage_commit(f.sn, false, &sn_found, &f.err), 0);
	assert_int_equal(mcfab_levels_lane(f.sn, 4, WEST, EAST, 0), 0);
	assert_int_equal(mcfab_levels_path(f.sn, 2, 8, 5), 3);
	assert_int_equal(mcfab_subnet_bytes(f.sn), bytes + mcfab_levels_bytes(&f.sn->levels));
	sn_teardown(&f);
	assert_int_equal(mcfab_memory_left(), mcfab_memory_limit());
}

/* A packet of policy table takes the lane of its level, and is dropped where there is none. */
static void test_routed(void **state)
{
	static const u8 level = 5;
	struct mcfab_table_priv table = {};
	struct mcfab_decision out = {};
	struct mcfab_header hdr = { .in_port = MCFAB_PORT_ANY, .serial = 2 };
	const u32 values[] = { 2, 0 };
	struct mcfab_entry entry[2];
	struct fixture f;
	u32 dst = 8;

	sn_setup(&f, 3, 3);
	f.net.view.vcs = 4;
	hdr.dst = &dst;
	hdr.last = 1;
	hdr.arg = f.sn->host_lid[dst];
	assert_int_equal(mcfab_table_init(&f.net.view, values, &table, &f.err), -EOPNOTSUPP);
	assert_string_equal(f.err.msg,
			    "lanes tables needs SL-to-VL tables, which \"table load\" loads");
	memset(lanes, 1, sizeof(lanes));
	lanes[2] = 3;
	lanes[5] = MCFAB_LANE_NONE;
	assert_int_equal(mcfab_stage_begin(f.sn, &f.err), 0);
	entry[0] = lane_entry(0, HOST, EAST);
	entry[1] = lane_entry(1, WEST, EAST);
	assert_int_equal(mcfab_stage_append(f.sn, entry, 2, &f.err), 0);
	assert_int_equal(mcfab_stage_commit(f.sn, false, &sn_found, &f.err), 0);
	assert_int_equal(mcfab_table_init(&f.net.view, values, &table, &f.err), 0);
	mcfab_table_route(&f.net.view, &table, &hdr, &out);
	assert_int_equal(out.nbranches, 1);
	assert_int_equal(out.branch[0].vcs[0], BIT(3));
	hdr.serial = 16 + 3;
	mcfab_table_route(&f.net.view, &table, &hdr, &out);
	assert_int_equal(out.branch[0].vcs[0], BIT(1));
	hdr.serial = 5;
	mcfab_table_route(&f.net.view, &table, &hdr, &out);
	assert_int_equal(out.nbranches, 0);
	assert_int_equal(out.drop, MCFAB_DROP_NO_ENTRY);
	/* the levels of paths say that packets from node 0 to its LID have level 5, to others 0 */
	assert_int_equal(mcfab_stage_begin(f.sn, &f.err), 0);
	entry[0] = path_entry(0, hdr.arg, &level, 1);
	assert_int_equal(mcfab_stage_append(f.sn, entry, 1, &f.err), 0);
	assert_int_equal(mcfab_stage_commit(f.sn, false, &sn_found, &f.err), 0);
	hdr.serial = 2;
	mcfab_table_route(&f.net.view, &table, &hdr, &out);
	assert_int_equal(out.nbranches, 0);
	dst = 7;
	hdr.arg = f.sn->host_lid[dst];
	mcfab_table_route(&f.net.view, &table, &hdr, &out);
	assert_int_equal(out.nbranches, 1);
	assert_int_equal(out.branch[0].vcs[0], BIT(1));
	sn_teardown(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bad_entries),
		cmocka_unit_test(test_replaced),
		cmocka_unit_test(test_routed),
	};

	return run_tap(tests);
}
