// SPDX-License-Identifier: GPL-2.0
/*
 * Traffic over the tables of a subnet, good ones and bad ones, flit by flit and by whole
 * packets: the same comes out, bad tables lose, double and strand packets that are
 * counted, and nothing goes on for ever.
 */
#include "lib/subnet_run.h"

#include "lib/tap.h"

/*
 * The union paper's Fig. 1: four nodes send round a square, clockwise, each to the one
 * diagonally opposite. By XY routing (Fig. 2) two of them go the other way round.
 */
static void test_four_senders(void **state)
{
	static const struct table_entry clockwise[] = {
		{ MCFAB_TABLE_KIND_LFT, 1, 2, { MCFAB_TO_NORTH } },
		{ MCFAB_TABLE_KIND_LFT, 2, 1, { MCFAB_TO_SOUTH } },
	};
	struct traffic t = {
		.m = 2, .n = 2, .policy = "table", .set = "copies=source",
		.entry = clockwise, .nentries = 2,
		.source = { 0, 1, 3, 2 }, .dst = { 3, 2, 0, 1 }, .nmsgs = 4,
	};

	run_both(&t);
	assert_int_equal(run_end.state, MCFAB_RUN_STATUS_DEADLOCKED);
	assert_int_equal(run_end.deadlock.worms, 4);
	assert_int_equal(run_end.deadlock.nwaits, 4);
	assert_int_equal(run_seen.ndlv, 0);
	t.nentries = 0;
	run_both(&t);
	assert_int_equal(run_end.state, MCFAB_RUN_STATUS_DONE);
	assert_int_equal(run_seen.ndlv, 4);
	run_dropped(0, 0);
	/* two virtual lanes, or lanes of two packets, only make room for more of it */
	t.nentries = 2;
	t.buffer_packets = 2;
	run_both(&t);
	assert_int_equal(run_end.state, MCFAB_RUN_STATUS_DONE);
}

/* Fig. 4: a union of negative-first paths; two members get two copies, one is told */
static void test_negative_first(void **state)
{
	static const struct table_entry negative_first[] = {
		{ MCFAB_TABLE_KIND_MFT, 1 + 4, 0, { MCFAB_TO_EAST, MCFAB_TO_NORTH } },
		{ MCFAB_TABLE_KIND_MFT, 1 + 8, 0, { MCFAB_TO_EAST } },
		{ MCFAB_TABLE_KIND_MFT, 2 + 8, 0, { MCFAB_TO_EAST, 5 } },
		{ MCFAB_TABLE_KIND_MFT, 2 + 4, 0, { MCFAB_TO_EAST } },
		{ MCFAB_TABLE_KIND_MFT, 3 + 4, 0, { MCFAB_TO_NORTH } },
		{ MCFAB_TABLE_KIND_MFT, 3 + 8, 0, { MCFAB_TO_NORTH, 5 } },
		{ MCFAB_TABLE_KIND_MFT, 3 + 12, 0, { 5 } },
	};
	struct traffic t = {
		.m = 4, .n = 4, .policy = "table", .set = "",
		.source = { 1 + 4 }, .member = { 2 + 8, 3 + 8, 3 + 12 }, .nmembers = 3,
	};

	run_both(&t);
	assert_int_equal(run_end.state, MCFAB_RUN_STATUS_DONE);
	assert_int_equal(run_seen.ndlv, 3);
	assert_int_equal(run_seen.msg[0].traffic, 5);
	run_dropped(0, 0);
	t.entry = negative_first;
	t.nentries = ARRAY_SIZE(negative_first);
	for (t.mtu = 0; t.mtu <= 16; t.mtu += 16) {
		run_both(&t);
		assert_int_equal(run_end.state, MCFAB_RUN_STATUS_DONE);
		assert_int_equal(run_seen.ndlv, 3);
		assert_true(run_seen.msg[0].complete);
		assert_int_equal(run_seen.msg[0].traffic, 8 * (t.mtu ? 4 : 1));
		/* (3,2) twice, and what it sends on to (3,3), too */
		run_dropped(MCFAB_DROP_DUPLICATE, 2 * (t.mtu ? 4 : 1));
	}
}

/* unicasts: no entry, an entry that leads back or out of the mesh, a circle of four */
static void test_lost_unicasts(void **state)
{
	static const struct {
		struct table_entry entry[4];
		u32 nentries;
		enum mcfab_drop reason;
		u32 hops;
	} cases[] = {
		{ { { MCFAB_TABLE_KIND_LFT, 1, 8, { 255 } } }, 1, MCFAB_DROP_NO_ENTRY, 1 },
		{ { { MCFAB_TABLE_KIND_LFT, 1, 8, { MCFAB_TO_NORTH } },
		    { MCFAB_TABLE_KIND_LFT, 4, 8, { MCFAB_TO_WEST } },
		    { MCFAB_TABLE_KIND_LFT, 3, 8, { MCFAB_TO_SOUTH } } }, 3, MCFAB_DROP_LOOP, 9 },
	};
	struct traffic t = {
		.m = 3, .n = 3, .policy = "table", .set = "copies=source",
		.source = { 0, 3, 6 }, .dst = { 8, 2, 7 }, .nmsgs = 3,
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		t.entry = cases[i].entry;
		t.nentries = cases[i].nentries;
		run_both(&t);
		assert_int_equal(run_end.state, MCFAB_RUN_STATUS_DONE);
		run_dropped(cases[i].reason, 1);
		/* the other two came; the lost one is told of as incomplete */
		assert_int_equal(run_seen.ndlv, 2);
		assert_int_equal(run_seen.nmsg, 3);
		assert_int_equal(run_seen.msg[0].complete + run_seen.msg[1].complete +
				 run_seen.msg[2].complete, 2);
		assert_int_equal(run_seen.msg[0].traffic, cases[i].hops);
	}
}

static u64 last_tail(void)
{
	u64 tail = 0;
	u32 i;

	for (i = 0; i < run_seen.ndlv; i++)
		tail = max(tail, run_seen.dlv[i].tail);
	return tail;
}

/*
 * One link for all of a node's packets: what its own switch drops takes no turn there, nor
 * at any other node's. Even nodes lose a packet, odd ones send to an even one each.
 */
static void test_lost_at_source(void **state)
{
	struct table_entry entry[5];
	struct traffic t = {
		.m = 3, .n = 3, .policy = "table", .set = "copies=source", .flits = 16,
		.node_bandwidth = MCFAB_NODE_BANDWIDTH_MODE_SHARED, .entry = entry,
		.source = { 1, 3, 5, 7, 0, 2, 4, 6, 8 }, .dst = { 0, 6, 2, 8, 7, 7, 7, 7, 7 },
	};
	u64 alone;
	u32 i;

	t.nmsgs = 4;
	traffic_run(&t, MCFAB_ADVANCE_MODE_FLIT);
	assert_int_equal(run_seen.ndlv, 4);
	alone = last_tail();

	t.nmsgs = 9;
	t.nentries = 5;
	for (i = 0; i < t.nentries; i++)
		entry[i] = (struct table_entry){ MCFAB_TABLE_KIND_LFT, 2 * i, 7, { 255 } };
	traffic_run(&t, MCFAB_ADVANCE_MODE_FLIT);
	assert_int_equal(run_end.state, MCFAB_RUN_STATUS_DONE);
	run_dropped(MCFAB_DROP_NO_ENTRY, 5);
	assert_int_equal(run_seen.ndlv, 4);
	assert_int_equal(last_tail(), alone);

	/* back to where it came from */
	for (i = 0; i < t.nentries; i++)
		entry[i].port[0] = 5;
	traffic_run(&t, MCFAB_ADVANCE_MODE_FLIT);
	run_dropped(MCFAB_DROP_DEAD_PORT, 5);
	assert_int_equal(last_tail(), alone);
}

/* a multicast that strands a copy, loses one, and leaves out a member */
static void test_bad_multicast(void **state)
{
	static const struct table_entry stray[] = {
		{ MCFAB_TABLE_KIND_MFT, 1, 0, { MCFAB_TO_EAST, 5 } },
	};
	static const struct table_entry lost[] = {
		{ MCFAB_TABLE_KIND_MFT, 1, 0, { 0 } },
	};
	/* round the square in the corner, and copies for the members each time */
	static const struct table_entry circle[] = {
		{ MCFAB_TABLE_KIND_MFT, 1, 0, { MCFAB_TO_NORTH, MCFAB_TO_EAST } },
		{ MCFAB_TABLE_KIND_MFT, 4, 0, { MCFAB_TO_WEST } },
		{ MCFAB_TABLE_KIND_MFT, 3, 0, { MCFAB_TO_SOUTH } },
		{ MCFAB_TABLE_KIND_MFT, 0, 0, { MCFAB_TO_EAST } },
	};
	struct traffic t = {
		.m = 3, .n = 3, .policy = "xy-union", .set = "",
		.source = { 0 }, .member = { 2, 8 }, .nmembers = 2,
	};

	t.entry = stray;
	t.nentries = 1;
	run_both(&t);
	assert_int_equal(run_end.state, MCFAB_RUN_STATUS_DONE);
	assert_int_equal(run_seen.ndlv, 2);
	run_dropped(MCFAB_DROP_STRAY, 1);

	t.entry = lost;
	run_both(&t);
	assert_int_equal(run_end.state, MCFAB_RUN_STATUS_DONE);
	assert_int_equal(run_seen.ndlv, 0);
	assert_false(run_seen.msg[0].complete);
	run_dropped(MCFAB_DROP_NO_ENTRY, 1);

	t.entry = circle;
	t.nentries = ARRAY_SIZE(circle);
	run_both(&t);
	assert_int_equal(run_end.state, MCFAB_RUN_STATUS_DONE);
	assert_int_equal(run_seen.ndlv, 2);
	assert_true(run_seen.msg[0].complete);
	assert_int_equal(run_end.progress.drops[MCFAB_DROP_LOOP], 1);
	/* the second round; the third ends where nine channels are crossed */
	assert_int_equal(run_end.progress.drops[MCFAB_DROP_DUPLICATE], 2);
}

/*
 * A row of four switches that all send by all ports. They are a tree while no packet leaves by
 * the port it came in by; when packets may, copies multiply until they have crossed as many
 * channels as there are switches. The source gets its own packet back, as a stray.
 */
static void test_shared_tree(void **state)
{
	static const struct table_entry rows[] = {
		{ MCFAB_TABLE_KIND_MFT, 0, 0, { MCFAB_TO_EAST, 5 } },
		{ MCFAB_TABLE_KIND_MFT, 1, 0, { MCFAB_TO_EAST, MCFAB_TO_WEST, 5 } },
		{ MCFAB_TABLE_KIND_MFT, 2, 0, { MCFAB_TO_EAST, MCFAB_TO_WEST, 5 } },
		{ MCFAB_TABLE_KIND_MFT, 3, 0, { MCFAB_TO_WEST, 5 } },
	};
	struct traffic t = {
		.m = 4, .n = 1, .policy = "table", .set = "", .vcs = 2, .buffer_packets = 4,
		.entry = rows, .nentries = ARRAY_SIZE(rows),
		.source = { 0 }, .member = { 1, 2, 3 }, .nmembers = 3,
	};

	run_both(&t);
	assert_int_equal(run_end.state, MCFAB_RUN_STATUS_DONE);
	assert_int_equal(run_seen.ndlv, 3);
	run_dropped(0, 0);
	t.rules.ingress = MCFAB_INGRESS_MODE_ALLOW;
	run_both(&t);
	assert_int_equal(run_end.state, MCFAB_RUN_STATUS_DONE);
	assert_int_equal(run_seen.ndlv, 3);
	assert_true(run_seen.msg[0].complete);
	/* as test_tables counts them by hand, and in a plan */
	assert_int_equal(run_seen.msg[0].traffic, 1 + 2 + 3 + 5);
	assert_int_equal(run_end.progress.drops[MCFAB_DROP_STRAY], 2);
	assert_int_equal(run_end.progress.drops[MCFAB_DROP_DUPLICATE], 2);
	assert_int_equal(run_end.progress.drops[MCFAB_DROP_LOOP], 5);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_four_senders),
		cmocka_unit_test(test_negative_first),
		cmocka_unit_test(test_lost_unicasts),
		cmocka_unit_test(test_lost_at_source),
		cmocka_unit_test(test_bad_multicast),
		cmocka_unit_test(test_shared_tree),
	};

	return run_tap(tests);
}
