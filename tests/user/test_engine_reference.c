// SPDX-License-Identifier: GPL-2.0
/*
 * The engine against the slow simulator (lib/slow.c): every header and every tail
 * of random lists of messages on small networks, under every rule of the model.
 *
 * MCFAB_CASE=N runs one case, MCFAB_ROUNDS=N that many, MCFAB_FIRST=N from there on;
 * MCFAB_TEST=test_booksim only this test.
 */
#include <stdio.h>
#include <stdlib.h>
#include "engine/state/engine.h"
#include "lib/capture.h"
#include "lib/compare.h"
#include "lib/net.h"
#include "lib/random_case.h"
#include "lib/runner.h"
#include "lib/shortest.h"
#include "lib/tree.h"

#include "lib/tap.h"
#include "topology/graph.h"

static u32 counted[MCFAB_RUN_STATUS_CUT + 1];
static u64 deliveries, contended, varied, segmented, sized, uneven, slowed;
static u32 branched;
/* runs of test_meetings() that were once found, whose messages are equally long */
static bool rings_again;

/* how the run ended, if a walk after any wait could end it */
static const char *compare_end(const struct slow_result *a, const struct outcome *end)
{
	if (end->state == MCFAB_RUN_STATUS_DEADLOCKED && !a->stuck)
		return "a deadlock that is none";
	if (a->stuck && (end->state == MCFAB_RUN_STATUS_DONE ||
			 strstr(end->progress.why, "max-cycles")))
		return "a deadlock was not found";
	/* it may be out of memory before anyone looks */
	if (end->state != MCFAB_RUN_STATUS_DEADLOCKED && end->state != MCFAB_RUN_STATUS_DONE &&
	    end->state != MCFAB_RUN_STATUS_CUT)
		return end->progress.why;
	return NULL;
}

enum kind {
	ANY,
	CROWD,			/* many messages, a look for deadlocks whenever a header waits */
	MEETING,		/* lock-step, trees that meet again and share channels */
	SIMPLE,			/* the rules that paths.c has */
	BOOKSIM,		/* the rules of router booksim */
	MATCHING,		/* allocator islip, routers with so many bids that rounds follow */
};

/* a random case with trees of shortest paths on an irregular network, in lock-step */
static u32 random_meeting(u64 *state, struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc)
{
	u32 nodes;

	for (;;) {
		nodes = random_case(state, fc, rc);
		if (fc->graph && nodes >= 6 && !rc->headers)
			break;
		free((void *)fc->graph);
	}
	strcpy(rc->policy, test_shortest_tree.name);
	fc->replication = MCFAB_REPLICATION_MODE_LOCKSTEP;
	fc->allocator = MCFAB_ALLOCATOR_MODE_OLDEST;
	if (fc->vcs < 2)
		fc->vcs = pick(state, 2, 5);
	/* worms that have all their channels and wait for each other's room in FIFOs */
	if (one_in(state, 2) && fc->switching == MCFAB_SWITCHING_MODE_WORMHOLE) {
		fc->vc_release = MCFAB_VC_RELEASE_MODE_SENT;
		fc->buffer = 1;
		fc->buffer_packets = 0;
		rc->flits = 1;
		rc->mtu = 0;
	}
	fc->stall_limit = 20;
	rc->max_cycles = 100000;
	return nodes;
}

/* a random case in which islip's rounds go on: several VCs, none of whose bids have to wait */
static u32 random_matching(u64 *state, struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc)
{
	u32 nodes;

	for (;;) {
		nodes = random_case(state, fc, rc);
		if (!strcmp(fc->topology, "hypercube") && nodes >= 16 && !rc->headers)
			break;
		free((void *)fc->graph);
	}
	fc->vcs = pick(state, max(fc->vcs, 4U), 6);
	fc->input_speedup = 1;
	fc->replication = MCFAB_REPLICATION_MODE_ASYNC;
	fc->link_arbitration = MCFAB_LINK_ARBITRATION_MODE_FLIT;
	fc->allocator = MCFAB_ALLOCATOR_MODE_ISLIP;
	return nodes;
}

/* irregular networks have no shared bandwidth of nodes */
static u32 random_booksim(u64 *state, struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc)
{
	u32 nodes;

	for (;;) {
		nodes = random_case(state, fc, rc);
		if (!fc->graph)
			break;
		free((void *)fc->graph);
	}
	suit_booksim(state, fc, rc);
	return nodes;
}

static const char *one(u64 number, enum kind kind, bool verbose)
{
	u64 state = (number + 1) * 0xd1342543de82ef95ull;
	struct mcfab_fabric_cfg fc;
	struct mcfab_run_cfg rc;
	struct slow_result slow;
	struct capture seen = { 0 };
	static struct outcome end;	/* its reason may be returned */
	struct mcfab_msg_list *list;
	const char *wrong;
	u32 nodes, i, nmsgs;

	state = rng(&state);
	if (kind == MEETING)
		nodes = random_meeting(&state, &fc, &rc);
	else if (kind == MATCHING)
		nodes = random_matching(&state, &fc, &rc);
	else if (kind == BOOKSIM)
		nodes = random_booksim(&state, &fc, &rc);
	else
		nodes = random_case(&state, &fc, &rc);
	if (kind == SIMPLE)
		suit_paths(&state, &fc, &rc);
	else if (kind != BOOKSIM && !rings_again)
		vary_lengths(state, &fc, &rc);
	if (kind != SIMPLE && kind != BOOKSIM && !rings_again) {
		random_links(state, &fc);
		uneven += fc.graph && mcfab_graph_longest(fc.graph);
		slowed += fc.graph && mcfab_graph_slowest(fc.graph) > 1;
	}
	nmsgs = pick(&state, 1, one_in(&state, 3) ? 4 : 3 * nodes);
	if (kind == CROWD) {
		nmsgs = 20 * nodes;
		fc.stall_limit = 20;
	}
	if (kind == MATCHING)
		nmsgs = 10 * nodes;
	list = list_random(&state, nodes, nmsgs, kind == MEETING ? nodes : pick(&state, 1, 8),
			   one_in(&state, 2) ? 0 : pick(&state, 1, 200));
	rc.workload.list = list;
	varied += !!rc.workload.nlengths;
	list_take_lengths(state, list, &rc);
	sized += !!list->flits;
	segmented += rc.mtu && mcfab_run_shortest(&rc) != mcfab_run_longest(&rc);
	if (verbose)
		print_config(&fc, &rc);

	capture = &seen;
	run_engine(&fc, &rc, one_in(&state, 8), &end);
	capture = NULL;
	run_slow(&fc, &rc, &slow);
	/* with a short limit a deadlock ends the run while others are under way */
	if (kind == SIMPLE && !end.paths)
		wrong = "flits went by other rules than those of paths.c";
	else if (kind == BOOKSIM && !(end.rules & MCFAB_ENG_BOOKSIM))
		wrong = "flits went by other rules than those of router booksim";
	else if (kind == CROWD || (kind == MEETING && slow.stuck))
		wrong = compare_end(&slow, &end);
	else
		wrong = compare_runs(&slow, &seen, &end);
	if (wrong) {
		printf("# case %llu: %s (engine: state %u, %s; %u deliveries; model: %s, %u)\n",
		       (unsigned long long)number, wrong, end.state, end.progress.why, seen.ndlv,
		       slow.stuck ? "stuck" : "done", slow.ndlv);
		print_config(&fc, &rc);
	}
	counted[end.state]++;
	branched += !end.paths;
	deliveries += slow.ndlv;
	for (i = 0; i < seen.ndlv; i++)
		contended += !!seen.dlv[i].part[MCFAB_PART_BLOCKING];
	capture_free(&seen);
	slow_free(&slow);
	list_free(list);
	free((void *)fc.graph);
	return wrong;
}

static void test_reference(void **state)
{
	const char *only = getenv("MCFAB_CASE"), *count = getenv("MCFAB_ROUNDS");
	const char *groups = getenv("MCFAB_GROUPS");
	u32 rounds = count ? atoi(count) : groups ? atoi(groups) / 200 : 2000;
	u64 first = getenv("MCFAB_FIRST") ? strtoull(getenv("MCFAB_FIRST"), NULL, 10) : 0;
	u32 wrong = 0, i;

	if (only) {
		assert_null(one(strtoull(only, NULL, 10), ANY, true));
		return;
	}
	for (i = 0; i < rounds && wrong < 20; i++)
		wrong += !!one(first + i, ANY, false);
	printf("# %u runs, %llu deliveries, %llu of them held up; %u runs deadlocked\n", i,
	       (unsigned long long)deliveries, (unsigned long long)contended,
	       counted[MCFAB_RUN_STATUS_DEADLOCKED]);
	printf("# %llu of them with messages of several lengths\n", (unsigned long long)varied);
	assert_int_equal(wrong, 0);
	assert_true(i < 100 || varied > i / 10);
	printf("# %llu of them cut into packets\n", (unsigned long long)segmented);
	assert_true(i < 100 || segmented > i / 50);
	printf("# %llu of them by lengths in the list\n", (unsigned long long)sized);
	assert_true(i < 100 || sized > i / 30);
	printf("# %llu runs with links of different delays\n", (unsigned long long)uneven);
	assert_true(i < 100 || uneven > i / 30);
	printf("# %llu runs with links of different rates\n", (unsigned long long)slowed);
	assert_true(i < 100 || slowed > i / 30);
}

/*
 * Deadlocks, and waits that are none: buffers may be long, worms short, trees go on with
 * one branch while another one waits.
 */
static void test_crowds(void **state)
{
	const char *groups = getenv("MCFAB_GROUPS");
	u32 rounds = groups ? atoi(groups) / 1000 : 200, wrong = 0, found, i;

	if (getenv("MCFAB_CASE"))
		return;
	found = counted[MCFAB_RUN_STATUS_DEADLOCKED];
	for (i = 0; i < rounds; i++)
		wrong += !!one(i, CROWD, false);
	printf("# %u crowds, %u of them deadlocked\n", i,
	       counted[MCFAB_RUN_STATUS_DEADLOCKED] - found);
	assert_int_equal(wrong, 0);
}

/* branches of one worm that share channels, or have an input port in common with others */
static void test_meetings(void **state)
{
	const char *groups = getenv("MCFAB_GROUPS");
	u32 rounds = groups ? atoi(groups) / 500 : 1000, wrong = 0, found, i;
	/* rings of worms without a request among them, as long as random_case() draws so */
	static const u32 rings[] = { 12186, 13259, 15095, 16512, 25882, 27509 };

	if (getenv("MCFAB_CASE"))
		return;
	found = counted[MCFAB_RUN_STATUS_DEADLOCKED];
	rings_again = true;
	for (i = 0; i < ARRAY_SIZE(rings); i++)
		wrong += !!one(rings[i], MEETING, false);
	rings_again = false;
	for (i = 0; i < rounds && wrong < 10; i++)
		wrong += !!one(i, MEETING, false);
	printf("# %u meetings, %u of them deadlocked\n", i + (u32)ARRAY_SIZE(rings),
	       counted[MCFAB_RUN_STATUS_DEADLOCKED] - found);
	assert_int_equal(wrong, 0);
}

/* routers in which many VCs bid for many outputs: islip takes all rounds that add something */
static void test_matchings(void **state)
{
	const char *groups = getenv("MCFAB_GROUPS");
	u32 rounds = groups ? atoi(groups) / 1000 : 200, wrong = 0, i;

	if (getenv("MCFAB_CASE"))
		return;
	for (i = 0; i < rounds && wrong < 10; i++)
		wrong += !!one(i, MATCHING, false);
	printf("# %u matchings\n", i);
	assert_int_equal(wrong, 0);
}

/* rules for which there is code of their own */
static void all_of(enum kind kind, const char *name)
{
	const char *count = getenv("MCFAB_ROUNDS"), *groups = getenv("MCFAB_GROUPS");
	u32 rounds = count ? atoi(count) : groups ? atoi(groups) / 200 : 2000;
	u64 first = getenv("MCFAB_FIRST") ? strtoull(getenv("MCFAB_FIRST"), NULL, 10) : 0;
	u64 held_up = contended;
	u32 wrong = 0, before = branched, i;

	if (getenv("MCFAB_CASE"))
		return;
	for (i = 0; i < rounds && wrong < 10; i++)
		wrong += !!one(first + i, kind, false);
	printf("# %u runs by %s, %u of them with worms that branch, %llu deliveries held up\n", i,
	       name, branched - before, (unsigned long long)(contended - held_up));
	assert_int_equal(wrong, 0);
}

/* most runs of users are of this kind */
static void test_simple(void **state)
{
	all_of(SIMPLE, "the simplest rules");
}

static void test_booksim(void **state)
{
	all_of(BOOKSIM, "the rules of router booksim");
}

/*
 * A tree that comes to switch 0 by two ways, over 6 to hosts 1 and 2 and over 7 to hosts 3
 * and 4, and from there needs the same two links twice:
 *
 *	    6       1 - 3
 *	  /   \   /
 *	5       0		hosts 1 to 4 on the switches of their numbers,
 *	  \   /   \		0 on switch 5, 5 on switch 0
 *	    7       2 - 4
 */
static struct mcfab_graph *graph_meeting(void)
{
	static const struct mcfab_graph_link links[] = {
		{ 5, 6, 0, 0 }, { 5, 7, 1, 0 }, { 6, 0, 1, 0 }, { 7, 0, 1, 2 },
		{ 0, 1, 4, 0 }, { 1, 3, 1, 0 }, { 0, 2, 5, 0 }, { 2, 4, 1, 0 },
	};
	static const u8 at[] = { 5, 1, 2, 3, 4, 0 };
	struct mcfab_graph *g = graph_new(8, ARRAY_SIZE(at), ARRAY_SIZE(links));
	u32 i;

	for (i = 0; i < g->switches; i++)
		g->sw[i].ports = 8;
	for (i = 0; i < g->hosts; i++) {
		g->host[i].at = at[i];
		g->host[i].port = 7;
	}
	memcpy(g->link, links, sizeof(links));
	return g;
}

/*
 * Lock-step, and one VC of one of these links taken when the tree comes: what came over
 * switch 6 gets VCs 0 and 1, what came over 7 gets 1 and 0. By the VCs' numbers the one
 * would be chosen on this link and the other on that one, and neither could ever move.
 */
static void test_crossed(void **state)
{
	struct mcfab_graph *graph = graph_meeting();
	struct mcfab_msg_list *list = list_new(2, 5);
	u32 buffer, shards, dst;

	list->source[0] = 5;
	list->dst[0] = 2;
	list->first[1] = 1;
	list->cycle[1] = 4;
	list->first[2] = 5;
	for (dst = 1; dst <= 4; dst++)
		list->dst[dst] = dst;
	for (buffer = 1; buffer <= 20; buffer++) {
		for (shards = 1; shards <= 8; shards += 7) {
			struct mcfab_fabric_cfg fc;
			struct mcfab_run_cfg rc;
			struct slow_result slow;
			struct capture seen = { 0 };
			struct outcome end;
			const char *wrong;

			mcfab_fabric_defaults(&fc);
			strcpy(fc.name, "f");
			strcpy(fc.topology, "irregular");
			fc.graph = graph;
			fc.startup = 0;
			fc.vcs = 2;
			fc.switching = MCFAB_SWITCHING_MODE_WORMHOLE;
			fc.vc_release = MCFAB_VC_RELEASE_MODE_DRAINED;
			fc.buffer = buffer;
			fc.replication = MCFAB_REPLICATION_MODE_LOCKSTEP;
			fc.shards = shards;
			mcfab_run_defaults(&rc);
			strcpy(rc.policy, "test-shortest-tree");
			rc.flits = 16;
			rc.max_cycles = 10000;
			rc.workload.kind = MCFAB_WORKLOAD_TYPE_FILE;
			rc.workload.list = list;
			capture = &seen;
			run_engine(&fc, &rc, true, &end);
			capture = NULL;
			run_slow(&fc, &rc, &slow);
			wrong = compare_runs(&slow, &seen, &end);
			if (wrong || slow.stuck) {
				print_config(&fc, &rc);
				fail_msg("%s", wrong ? wrong : "the model is stuck");
			}
			assert_int_equal(end.progress.deliveries, 5);
			capture_free(&seen);
			slow_free(&slow);
		}
	}
	list_free(list);
	free(graph);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reference),
		cmocka_unit_test(test_crowds),
		cmocka_unit_test(test_meetings),
		cmocka_unit_test(test_matchings),
		cmocka_unit_test(test_simple),
		cmocka_unit_test(test_booksim),
		cmocka_unit_test(test_crossed),
	};

	mcfab_policy_register(&test_tree);
	mcfab_policy_register(&test_shortest);
	mcfab_policy_register(&test_shortest_tree);
	return run_tap(tests);
}
