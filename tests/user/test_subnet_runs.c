// SPDX-License-Identifier: GPL-2.0
/*
 * Traffic over the tables of a subnet, good ones and bad ones, flit by flit and by whole
 * packets: the same comes out, bad tables lose, double and strand packets that are
 * counted, and nothing goes on for ever.
 */
#include <stdio.h>
#include <stdlib.h>
#include "fabric/runner.h"
#include "engine/engine.h"
#include "lib/capture.h"
#include "lib/net.h"
#include "lib/random_case.h"
#include "lib/runner.h"
#include "subnet/subnet.h"

#include "lib/tap.h"

/* an entry of a table that a case sets */
struct entry {
	enum mcfab_table kind;
	u32 sw;
	u32 lid;	/* of an LFT: the node it is for; of an MFT: any, the group has one */
	u8 port[4];	/* 0: no further one */
};

struct traffic {
	u32 m, n;
	u32 vcs;
	u32 buffer_packets;
	bool drained;
	u32 consume;		/* then */
	bool lockstep;
	u32 flits, mtu;
	enum mcfab_node_bandwidth node_bandwidth;
	const char *policy, *set;
	const struct entry *entry;
	u32 nentries;
	struct mcfab_subnet_rules rules;	/* entries are given in the usual numbers */
	/* a message each, or all of them to the group */
	u32 source[40], dst[40], nmsgs;
	u32 member[8], nmembers;
};

static struct capture seen;
static struct outcome end;

static void set_tables(struct mcfab_fabric *f, const struct traffic *t, u32 mlid)
{
	struct mcfab_err err = { 0 };
	u32 i;

	for (i = 0; i < t->nentries; i++) {
		const struct entry *from = &t->entry[i];
		u8 port[ARRAY_SIZE(from->port)];
		struct mcfab_entry entry = { .kind = from->kind, .sw = from->sw, .port = port };

		entry.lid = from->kind == MCFAB_TABLE_MFT ? mlid : f->subnet->host_lid[from->lid];
		while (entry.nports < ARRAY_SIZE(port) && from->port[entry.nports]) {
			u32 usual = from->port[entry.nports];

			port[entry.nports++] = t->rules.port[0] && usual <= MCFAB_MESH_PORTS ?
				t->rules.port[usual - 1] : usual;
		}
		if (mcfab_table_set(f->subnet, &entry, 1, &err))
			fail_msg("entry %u: %s", i, err.msg);
	}
}

static void traffic_run(const struct traffic *t, enum mcfab_advance advance)
{
	struct mcfab_fabric_cfg fc;
	struct mcfab_run_cfg rc;
	struct mcfab_err err = { 0 };
	struct mcfab_msg_list *list = NULL;
	struct mcfab_group *group;
	struct mcfab_fabric *f;
	u32 mlid = 0, i;

	mcfab_fabric_defaults_lid(&fc);
	strcpy(fc.name, "f");
	strcpy(fc.topology, "mesh");
	fc.ndims = 2;
	fc.radix[0] = t->m;
	fc.radix[1] = t->n;
	fc.vcs = t->vcs ?: 1;
	fc.buffer_packets = t->buffer_packets ?: 1;
	if (t->drained) {
		fc.vc_release = MCFAB_RELEASE_DRAINED;
		fc.consume = t->consume;
	}
	if (t->lockstep)
		fc.replication = MCFAB_REPL_LOCKSTEP;
	fc.rules = t->rules;
	if (t->node_bandwidth)
		fc.node_bandwidth = t->node_bandwidth;
	mcfab_run_defaults(&rc);
	strcpy(rc.policy, t->policy);
	set_params(&rc, t->set);
	rc.flits = t->flits ?: 64;
	rc.mtu = t->mtu;
	rc.advance = advance;
	rc.max_cycles = 1000000;
	f = mcfab_fabric_create(&fc, &err);
	assert_false(IS_ERR(f));

	if (t->nmembers) {
		u32 member[8];

		memcpy(member, t->member, sizeof(member));
		group = mcfab_group_new(f->subnet, "g", member, t->nmembers, 0, &err);
		assert_false(IS_ERR(group));
		assert_int_equal(mcfab_group_assign(f->subnet, group, t->source[0], &err), 0);
		mlid = mcfab_group_lid(group, t->source[0]);
		rc.workload.kind = MCFAB_BURST;
		rc.workload.source = t->source[0];
		strcpy(rc.workload.group, "g");
		rc.workload.subnet = f->subnet;
	} else {
		list = list_new(t->nmsgs, t->nmsgs);
		for (i = 0; i < t->nmsgs; i++) {
			list->source[i] = t->source[i];
			list->dst[i] = t->dst[i];
			list->first[i + 1] = i + 1;
		}
		rc.workload.kind = MCFAB_FILE;
		rc.workload.list = list;
	}
	set_tables(f, t, mlid);
	capture_free(&seen);
	capture = &seen;
	if (mcfab_run_start(f, &rc, &err))
		fail_msg("%s", err.msg);
	mcfab_runner_wait(f);
	capture = NULL;
	end.state = f->results.progress.state;
	end.hash = f->results.progress.hash;
	end.progress = f->results.progress;
	end.deadlock = f->results.deadlock;
	end.bad = f->results.stats.bad_parts + f->results.stats.bad_messages;
	assert_int_equal(end.bad, 0);
	mcfab_fabric_destroy(f);
	if (list)
		list_free(list);
}

/* flit by flit and by whole packets, the same */
static void both(const struct traffic *t)
{
	struct mcfab_progress flit;
	u32 worms;

	traffic_run(t, MCFAB_ADVANCE_FLIT);
	flit = end.progress;
	worms = end.deadlock.worms;
	traffic_run(t, MCFAB_ADVANCE_WORM);
	assert_int_equal(flit.state, end.state);
	assert_int_equal(flit.hash, end.hash);
	assert_int_equal(flit.cycle, end.progress.cycle);
	assert_int_equal(flit.flit_hops, end.progress.flit_hops);
	assert_memory_equal(flit.drops, end.progress.drops, sizeof(flit.drops));
	assert_int_equal(worms, end.deadlock.worms);
}

static void dropped(enum mcfab_drop reason, u64 count)
{
	u32 i;

	for (i = 1; i <= MCFAB_DROPS; i++)
		if (end.progress.drops[i] != (i == reason ? count : 0))
			fail_msg("%llu copies dropped for reason %u",
				 (unsigned long long)end.progress.drops[i], i);
}

/*
 * The union paper's Fig. 1: four nodes send round a square, clockwise, each to the one
 * diagonally opposite. By XY routing (Fig. 2) two of them go the other way round.
 */
static void test_four_senders(void **state)
{
	static const struct entry clockwise[] = {
		{ MCFAB_TABLE_LFT, 1, 2, { MCFAB_TO_NORTH } },
		{ MCFAB_TABLE_LFT, 2, 1, { MCFAB_TO_SOUTH } },
	};
	struct traffic t = {
		.m = 2, .n = 2, .policy = "table", .set = "copies=source",
		.entry = clockwise, .nentries = 2,
		.source = { 0, 1, 3, 2 }, .dst = { 3, 2, 0, 1 }, .nmsgs = 4,
	};

	both(&t);
	assert_int_equal(end.state, MCFAB_RUN_DEADLOCKED);
	assert_int_equal(end.deadlock.worms, 4);
	assert_int_equal(end.deadlock.nwaits, 4);
	assert_int_equal(seen.ndlv, 0);
	t.nentries = 0;
	both(&t);
	assert_int_equal(end.state, MCFAB_RUN_DONE);
	assert_int_equal(seen.ndlv, 4);
	dropped(0, 0);
	/* two virtual lanes, or lanes of two packets, only make room for more of it */
	t.nentries = 2;
	t.buffer_packets = 2;
	both(&t);
	assert_int_equal(end.state, MCFAB_RUN_DONE);
}

/* Fig. 4: a union of negative-first paths; two members get two copies, one is told */
static void test_negative_first(void **state)
{
	static const struct entry negative_first[] = {
		{ MCFAB_TABLE_MFT, 1 + 4, 0, { MCFAB_TO_EAST, MCFAB_TO_NORTH } },
		{ MCFAB_TABLE_MFT, 1 + 8, 0, { MCFAB_TO_EAST } },
		{ MCFAB_TABLE_MFT, 2 + 8, 0, { MCFAB_TO_EAST, 5 } },
		{ MCFAB_TABLE_MFT, 2 + 4, 0, { MCFAB_TO_EAST } },
		{ MCFAB_TABLE_MFT, 3 + 4, 0, { MCFAB_TO_NORTH } },
		{ MCFAB_TABLE_MFT, 3 + 8, 0, { MCFAB_TO_NORTH, 5 } },
		{ MCFAB_TABLE_MFT, 3 + 12, 0, { 5 } },
	};
	struct traffic t = {
		.m = 4, .n = 4, .policy = "table", .set = "",
		.source = { 1 + 4 }, .member = { 2 + 8, 3 + 8, 3 + 12 }, .nmembers = 3,
	};

	both(&t);
	assert_int_equal(end.state, MCFAB_RUN_DONE);
	assert_int_equal(seen.ndlv, 3);
	assert_int_equal(seen.msg[0].traffic, 5);
	dropped(0, 0);
	t.entry = negative_first;
	t.nentries = ARRAY_SIZE(negative_first);
	for (t.mtu = 0; t.mtu <= 16; t.mtu += 16) {
		both(&t);
		assert_int_equal(end.state, MCFAB_RUN_DONE);
		assert_int_equal(seen.ndlv, 3);
		assert_true(seen.msg[0].complete);
		assert_int_equal(seen.msg[0].traffic, 8 * (t.mtu ? 4 : 1));
		/* (3,2) twice, and what it sends on to (3,3), too */
		dropped(MCFAB_DROP_DUPLICATE, 2 * (t.mtu ? 4 : 1));
	}
}

/* unicasts: no entry, an entry that leads back or out of the mesh, a circle of four */
static void test_lost_unicasts(void **state)
{
	static const struct {
		struct entry entry[4];
		u32 nentries;
		enum mcfab_drop reason;
		u32 hops;
	} cases[] = {
		{ { { MCFAB_TABLE_LFT, 1, 8, { 255 } } }, 1, MCFAB_DROP_NO_ENTRY, 1 },
		{ { { MCFAB_TABLE_LFT, 1, 8, { MCFAB_TO_NORTH } },
		    { MCFAB_TABLE_LFT, 4, 8, { MCFAB_TO_WEST } },
		    { MCFAB_TABLE_LFT, 3, 8, { MCFAB_TO_SOUTH } } }, 3, MCFAB_DROP_LOOP, 9 },
	};
	struct traffic t = {
		.m = 3, .n = 3, .policy = "table", .set = "copies=source",
		.source = { 0, 3, 6 }, .dst = { 8, 2, 7 }, .nmsgs = 3,
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		t.entry = cases[i].entry;
		t.nentries = cases[i].nentries;
		both(&t);
		assert_int_equal(end.state, MCFAB_RUN_DONE);
		dropped(cases[i].reason, 1);
		/* the other two came; the lost one is told of as incomplete */
		assert_int_equal(seen.ndlv, 2);
		assert_int_equal(seen.nmsg, 3);
		assert_int_equal(seen.msg[0].complete + seen.msg[1].complete +
				 seen.msg[2].complete, 2);
		assert_int_equal(seen.msg[0].traffic, cases[i].hops);
	}
}

static u64 last_tail(void)
{
	u64 tail = 0;
	u32 i;

	for (i = 0; i < seen.ndlv; i++)
		tail = max(tail, seen.dlv[i].tail);
	return tail;
}

/*
 * One link for all of a node's packets: what its own switch drops takes no turn there, nor
 * at any other node's. Even nodes lose a packet, odd ones send to an even one each.
 */
static void test_lost_at_source(void **state)
{
	struct entry entry[5];
	struct traffic t = {
		.m = 3, .n = 3, .policy = "table", .set = "copies=source", .flits = 16,
		.node_bandwidth = MCFAB_BANDWIDTH_SHARED, .entry = entry,
		.source = { 1, 3, 5, 7, 0, 2, 4, 6, 8 }, .dst = { 0, 6, 2, 8, 7, 7, 7, 7, 7 },
	};
	u64 alone;
	u32 i;

	t.nmsgs = 4;
	traffic_run(&t, MCFAB_ADVANCE_FLIT);
	assert_int_equal(seen.ndlv, 4);
	alone = last_tail();

	t.nmsgs = 9;
	t.nentries = 5;
	for (i = 0; i < t.nentries; i++)
		entry[i] = (struct entry){ MCFAB_TABLE_LFT, 2 * i, 7, { 255 } };
	traffic_run(&t, MCFAB_ADVANCE_FLIT);
	assert_int_equal(end.state, MCFAB_RUN_DONE);
	dropped(MCFAB_DROP_NO_ENTRY, 5);
	assert_int_equal(seen.ndlv, 4);
	assert_int_equal(last_tail(), alone);

	/* back to where it came from */
	for (i = 0; i < t.nentries; i++)
		entry[i].port[0] = 5;
	traffic_run(&t, MCFAB_ADVANCE_FLIT);
	dropped(MCFAB_DROP_DEAD_PORT, 5);
	assert_int_equal(last_tail(), alone);
}

/* a multicast that strands a copy, loses one, and leaves out a member */
static void test_bad_multicast(void **state)
{
	static const struct entry stray[] = {
		{ MCFAB_TABLE_MFT, 1, 0, { MCFAB_TO_EAST, 5 } },
	};
	static const struct entry lost[] = {
		{ MCFAB_TABLE_MFT, 1, 0, { 0 } },
	};
	/* round the square in the corner, and copies for the members each time */
	static const struct entry circle[] = {
		{ MCFAB_TABLE_MFT, 1, 0, { MCFAB_TO_NORTH, MCFAB_TO_EAST } },
		{ MCFAB_TABLE_MFT, 4, 0, { MCFAB_TO_WEST } },
		{ MCFAB_TABLE_MFT, 3, 0, { MCFAB_TO_SOUTH } },
		{ MCFAB_TABLE_MFT, 0, 0, { MCFAB_TO_EAST } },
	};
	struct traffic t = {
		.m = 3, .n = 3, .policy = "xy-union", .set = "",
		.source = { 0 }, .member = { 2, 8 }, .nmembers = 2,
	};

	t.entry = stray;
	t.nentries = 1;
	both(&t);
	assert_int_equal(end.state, MCFAB_RUN_DONE);
	assert_int_equal(seen.ndlv, 2);
	dropped(MCFAB_DROP_STRAY, 1);

	t.entry = lost;
	both(&t);
	assert_int_equal(end.state, MCFAB_RUN_DONE);
	assert_int_equal(seen.ndlv, 0);
	assert_false(seen.msg[0].complete);
	dropped(MCFAB_DROP_NO_ENTRY, 1);

	t.entry = circle;
	t.nentries = ARRAY_SIZE(circle);
	both(&t);
	assert_int_equal(end.state, MCFAB_RUN_DONE);
	assert_int_equal(seen.ndlv, 2);
	assert_true(seen.msg[0].complete);
	assert_int_equal(end.progress.drops[MCFAB_DROP_LOOP], 1);
	/* the second round; the third ends where nine channels are crossed */
	assert_int_equal(end.progress.drops[MCFAB_DROP_DUPLICATE], 2);
}

/*
 * A row of four switches that all send by all ports. They are a tree while no packet leaves by
 * the port it came in by; when packets may, copies multiply until they have crossed as many
 * channels as there are switches. The source gets its own packet back, as a stray.
 */
static void test_shared_tree(void **state)
{
	static const struct entry rows[] = {
		{ MCFAB_TABLE_MFT, 0, 0, { MCFAB_TO_EAST, 5 } },
		{ MCFAB_TABLE_MFT, 1, 0, { MCFAB_TO_EAST, MCFAB_TO_WEST, 5 } },
		{ MCFAB_TABLE_MFT, 2, 0, { MCFAB_TO_EAST, MCFAB_TO_WEST, 5 } },
		{ MCFAB_TABLE_MFT, 3, 0, { MCFAB_TO_WEST, 5 } },
	};
	struct traffic t = {
		.m = 4, .n = 1, .policy = "table", .set = "", .vcs = 2, .buffer_packets = 4,
		.entry = rows, .nentries = ARRAY_SIZE(rows),
		.source = { 0 }, .member = { 1, 2, 3 }, .nmembers = 3,
	};

	both(&t);
	assert_int_equal(end.state, MCFAB_RUN_DONE);
	assert_int_equal(seen.ndlv, 3);
	dropped(0, 0);
	t.rules.ingress = MCFAB_INGRESS_ALLOW;
	both(&t);
	assert_int_equal(end.state, MCFAB_RUN_DONE);
	assert_int_equal(seen.ndlv, 3);
	assert_true(seen.msg[0].complete);
	/* as test_tables counts them by hand, and in a plan */
	assert_int_equal(seen.msg[0].traffic, 1 + 2 + 3 + 5);
	assert_int_equal(end.progress.drops[MCFAB_DROP_STRAY], 2);
	assert_int_equal(end.progress.drops[MCFAB_DROP_DUPLICATE], 2);
	assert_int_equal(end.progress.drops[MCFAB_DROP_LOOP], 5);
}

/* random tables: whatever they say the run ends, and everything is accounted for */
static void test_garbage(void **state)
{
	const char *groups = getenv("MCFAB_GROUPS");
	u32 rounds = groups ? atoi(groups) / 100 : 2000, done = 0, deadlocked = 0, i, k;
	u64 rnd = 17, drops = 0;

	for (i = 0; i < rounds; i++) {
		struct entry entry[8];
		struct traffic t = {
			.m = pick(&rnd, 2, 4), .n = pick(&rnd, 2, 4), .vcs = pick(&rnd, 1, 2),
			.buffer_packets = pick(&rnd, 1, 3), .flits = pick(&rnd, 1, 24),
			.policy = "table", .set = one_in(&rnd, 2) ? "copies=source" : "",
			.entry = entry, .nentries = 8,
		};
		u32 nodes = t.m * t.n;

		if (t.vcs == 1 && one_in(&rnd, 2)) {
			t.drained = true;
			t.consume = pick(&rnd, 0, 1);
			t.lockstep = one_in(&rnd, 2);
		}
		if (one_in(&rnd, 3))
			t.mtu = t.flits / 3;
		/* whole packets are of one length, others move by heads and tails */
		if (t.mtu && !t.drained)
			t.flits -= t.flits % t.mtu;
		for (k = 0; k < 8; k++) {
			entry[k] = (struct entry){ MCFAB_TABLE_LFT, pick(&rnd, 0, nodes - 1),
						   pick(&rnd, 0, nodes - 1) };
			/* a port that is there, or none */
			do {
				u32 x = entry[k].sw % t.m, y = entry[k].sw / t.m;
				u32 port = pick(&rnd, 1, 6);

				if ((port == MCFAB_TO_EAST && x + 1 == t.m) || (port == MCFAB_TO_WEST && !x) ||
				    (port == MCFAB_TO_NORTH && y + 1 == t.n) || (port == MCFAB_TO_SOUTH && !y))
					continue;
				entry[k].port[0] = port == 6 ? 255 : port;
			} while (!entry[k].port[0]);
		}
		for (t.nmsgs = 0; t.nmsgs < ARRAY_SIZE(t.source); t.nmsgs++) {
			t.source[t.nmsgs] = pick(&rnd, 0, nodes - 1);
			t.dst[t.nmsgs] = (t.source[t.nmsgs] + pick(&rnd, 1, nodes - 1)) % nodes;
		}
		if (one_in(&rnd, 2))
			t.rules.ingress = MCFAB_INGRESS_ALLOW;
		both(&t);
		assert_true(end.state == MCFAB_RUN_DONE || end.state == MCFAB_RUN_DEADLOCKED);
		if (one_in(&rnd, 2)) {
			struct outcome usual = end;

			/* other numbers of the ports, the same traffic */
			for (k = 0; k < MCFAB_MESH_PORTS; k++)
				t.rules.port[k] = k + 1;
			for (k = MCFAB_MESH_PORTS - 1; k; k--) {
				u32 other = pick(&rnd, 0, k);

				swap(t.rules.port[k], t.rules.port[other]);
			}
			both(&t);
			assert_int_equal(usual.hash, end.hash);
			assert_memory_equal(usual.progress.drops, end.progress.drops,
					    sizeof(usual.progress.drops));
		}
		done += end.state == MCFAB_RUN_DONE;
		deadlocked += end.state == MCFAB_RUN_DEADLOCKED;
		for (k = 1; k <= MCFAB_DROPS; k++)
			drops += end.progress.drops[k];
	}
	printf("# %u runs done, %u deadlocked, %llu copies dropped\n", done, deadlocked,
	       (unsigned long long)drops);
	assert_true(done && drops);
}

/* the same of what is sent to a group: copies come in circles, or twice to one switch */
static void test_garbage_group(void **state)
{
	const char *groups = getenv("MCFAB_GROUPS");
	u32 rounds = groups ? atoi(groups) / 100 : 2000, done = 0, deadlocked = 0, i, k, p;
	u64 rnd = 18, drops = 0, deliveries = 0;

	for (i = 0; i < rounds; i++) {
		struct entry entry[16];
		struct traffic t = {
			.m = pick(&rnd, 2, 4), .n = pick(&rnd, 2, 4), .vcs = 1,
			.drained = true, .consume = pick(&rnd, 0, 1),
			.lockstep = one_in(&rnd, 2), .flits = pick(&rnd, 1, 24),
			.policy = "table", .set = "", .entry = entry, .nmembers = 3,
		};
		u32 nodes = t.m * t.n;

		if (one_in(&rnd, 2))
			t.mtu = pick(&rnd, 1, t.flits);
		t.source[0] = pick(&rnd, 0, nodes - 1);
		for (k = 0; k < t.nmembers; k++)
			t.member[k] = (t.source[0] + 1 + k) % nodes;
		for (k = 0; k < nodes; k++) {
			u32 x = k % t.m, y = k / t.m, n = 0;

			entry[k] = (struct entry){ MCFAB_TABLE_MFT, k, 0 };
			for (p = 1; p <= 5 && n < 4; p++) {
				if ((p == MCFAB_TO_EAST && x + 1 == t.m) || (p == MCFAB_TO_WEST && !x) ||
				    (p == MCFAB_TO_NORTH && y + 1 == t.n) || (p == MCFAB_TO_SOUTH && !y))
					continue;
				if (one_in(&rnd, p == 5 ? 2 : 3))
					entry[k].port[n++] = p;
			}
			t.nentries++;
		}
		if (one_in(&rnd, 4))
			t.rules.ingress = MCFAB_INGRESS_ALLOW;
		both(&t);
		deliveries += seen.ndlv;
		done += end.state == MCFAB_RUN_DONE;
		deadlocked += end.state == MCFAB_RUN_DEADLOCKED;
		for (k = 1; k <= MCFAB_DROPS; k++)
			drops += end.progress.drops[k];
	}
	printf("# %u runs to groups done, %u deadlocked, %llu deliveries, %llu copies dropped\n", done,
	       deadlocked, (unsigned long long)deliveries, (unsigned long long)drops);
	assert_true(done && drops);
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
		cmocka_unit_test(test_garbage),
		cmocka_unit_test(test_garbage_group),
	};

	return run_tap(tests);
}
