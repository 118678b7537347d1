// SPDX-License-Identifier: GPL-2.0
/*
 * Nodes with hosts, I/O buses and network interfaces: the engine against the slow
 * simulator (lib/slow_hosts.c), every header, every tail and what each latency is made of,
 * flit by flit and by whole packets.
 *
 * MCFAB_CASE=N runs one case, MCFAB_ROUNDS=N that many, MCFAB_FIRST=N from there on.
 */
#include <stdio.h>
#include <stdlib.h>
#include "lib/capture.h"
#include "lib/compare.h"
#include "lib/later.h"
#include "lib/net.h"
#include "lib/random_case.h"
#include "lib/random_hosts.h"
#include "lib/runner.h"
#include "lib/shortest.h"
#include "lib/tree.h"

#include "lib/tap.h"

static u64 deliveries, contended, waited, deadlocked, worms, others, varied, segmented, limited;

static const char *compare_advances(const struct capture *a, const struct capture *b,
				    const struct outcome *ea, const struct outcome *eb)
{
	u32 i;

	if (ea->state != eb->state || ea->cycle != eb->cycle || ea->hash != eb->hash)
		return "by whole packets the run ends otherwise";
	if (a->ndlv != b->ndlv)
		return "by whole packets other deliveries are made";
	for (i = 0; i < a->ndlv; i++)
		if (memcmp(&a->dlv[i], &b->dlv[i], sizeof(*a->dlv)))
			return "by whole packets a delivery differs";
	return NULL;
}

/* a random case of hosts with the messages of @rc->workload.list, to be freed */
static void random_run(u64 number, struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc,
		       u64 *state, bool whole)
{
	struct mcfab_msg_list *list;
	u32 nodes;

	*state = (number + 1) * 0xa24baed4963ee407ull;
	*state = rng(state);
	nodes = random_case(state, fc, rc);
	random_hosts(state, fc, rc);
	if (one_in(state, 3))
		others += random_updown(state, fc, rc, nodes);
	else if (!one_in(state, 4))
		random_later(state, fc, rc);
	/* the same trees where nodes have no hosts */
	if (number % 8 == 5)
		fc->node_model = MCFAB_NODE_MODEL_MODE_QUEUE;
	if (whole && number % 8 == 3 && one_in(state, 2))
		suit_tails(state, fc, rc);
	else if (whole && number % 8 == 3)
		suit_trees(state, fc, rc);
	else if (whole)
		suit_worms(state, fc, rc);
	else
		more_packets(state, fc, rc);
	if (!whole && number % 8 == 6)
		vary_lengths(*state, fc, rc);
	varied += !!rc->workload.nlengths;
	segmented += rc->workload.nlengths && rc->mtu;
	if (!whole)
		random_links(*state, fc);
	random_memory(*state, fc, rc);
	limited += !!fc->ni_memory;
	list = list_random(state, nodes, one_in(state, 4) ? 1 : pick(state, 1, 3 * nodes),
			   pick(state, 1, 12), one_in(state, 2) ? 0 : pick(state, 1, 400));
	rc->workload.list = list;
}

static const char *one(u64 number, bool verbose)
{
	struct capture seen = { 0 }, again = { 0 };
	static struct outcome end, wend;	/* the reason may be returned */
	bool whole = number % 4 == 3;
	struct mcfab_fabric_cfg fc;
	struct mcfab_run_cfg rc;
	struct slow_result slow;
	const char *wrong;
	u64 state;
	u32 i;

	random_run(number, &fc, &rc, &state, whole);
	if (verbose)
		print_config(&fc, &rc);
	rc.advance = MCFAB_ADVANCE_MODE_FLIT;
	runner_threads = one_in(&state, 8) ? pick(&state, 2, 4) : 1;
	capture = &seen;
	run_engine(&fc, &rc, one_in(&state, 8), &end);
	capture = NULL;
	run_slow(&fc, &rc, &slow);
	wrong = compare_runs(&slow, &seen, &end);
	if (!wrong && whole) {
		rc.advance = MCFAB_ADVANCE_MODE_WORM;
		fc.shards = pick(&state, 1, 4);
		capture = &again;
		run_engine(&fc, &rc, false, &wend);
		capture = NULL;
		wrong = compare_advances(&seen, &again, &end, &wend);
		worms++;
	}
	runner_threads = 1;
	if (wrong) {
		printf("# case %llu: %s (engine: state %u, %s; %u deliveries; model: %s, %u)\n",
		       (unsigned long long)number, wrong, end.state, end.progress.why, seen.ndlv,
		       slow.stuck ? "stuck" : "done", slow.ndlv);
		print_config(&fc, &rc);
	}
	deadlocked += end.state == MCFAB_RUN_STATUS_DEADLOCKED;
	deliveries += slow.ndlv;
	for (i = 0; i < seen.ndlv; i++) {
		contended += !!seen.dlv[i].part[MCFAB_PART_BLOCKING];
		waited += !!seen.dlv[i].part[MCFAB_PART_QUEUE];
	}
	capture_free(&seen);
	capture_free(&again);
	slow_free(&slow);
	list_free((struct mcfab_msg_list *)rc.workload.list);
	free((void *)fc.graph);
	return wrong;
}

/*
 * What once went wrong: trees in lock-step, branches of one worm that meet again in a
 * switch. The numbers mean other cases once a random choice is added to random_run().
 */
static const u64 found[] = { 1004832, 1018785, 1028042 };

static void test_reference(void **state)
{
	const char *only = getenv("MCFAB_CASE"), *count = getenv("MCFAB_ROUNDS");
	const char *groups = getenv("MCFAB_GROUPS");
	u32 rounds = count ? atoi(count) : groups ? atoi(groups) / 100 : 4000;
	u64 first = env_number("MCFAB_FIRST", 0);
	u32 wrong = 0, i;

	if (only) {
		assert_null(one(strtoull(only, NULL, 10), true));
		return;
	}
	for (i = 0; i < ARRAY_SIZE(found); i++)
		wrong += !!one(found[i], false);
	for (i = 0; i < rounds && wrong < 10; i++)
		wrong += !!one(first + i, false);
	printf("# %u runs, %llu deliveries, %llu held up, %llu waited for a host or a channel; %llu by whole packets, %llu on up*-down* routes, %llu deadlocked\n",
	       i, (unsigned long long)deliveries, (unsigned long long)contended,
	       (unsigned long long)waited, (unsigned long long)worms,
	       (unsigned long long)others, (unsigned long long)deadlocked);
	printf("# %llu of them with messages of several lengths, %llu cut into packets; %llu with a limit of ni-memory\n",
	       (unsigned long long)varied, (unsigned long long)segmented,
	       (unsigned long long)limited);
	assert_int_equal(wrong, 0);
	assert_true(rounds < 1000 || varied > rounds / 100);
	assert_true(rounds < 1000 || segmented > rounds / 200);
	/* a comparison of idle nodes would be worth little */
	assert_true(waited > deliveries / 2);
}

/* loads and bursts, which the slow simulator does not draw: the same for any threads */
static void test_loads(void **state)
{
	u32 rounds = env_number("MCFAB_GROUPS", 100000) / 1000, done = 0, i;
	u64 rnd = 5;

	for (i = 0; i < rounds; i++) {
		struct outcome alone, together;
		struct mcfab_fabric_cfg fc;
		struct mcfab_run_cfg rc;
		u32 nodes = random_case(&rnd, &fc, &rc);

		random_hosts(&rnd, &fc, &rc);
		if (one_in(&rnd, 3))
			random_updown(&rnd, &fc, &rc, nodes);
		else
			random_later(&rnd, &fc, &rc);
		more_packets(&rnd, &fc, &rc);
		random_memory(rnd, &fc, &rc);
		rc.workload.kind = one_in(&rnd, 3) ? MCFAB_WORKLOAD_TYPE_BURST :
				   MCFAB_WORKLOAD_TYPE_POISSON;
		rc.workload.rate = pick(&rnd, 20000, 2000000);
		rc.workload.dests = pick(&rnd, 1, min(nodes - 1, 8U));
		if (rc.workload.dests > 1 && one_in(&rnd, 2))
			rc.workload.multicast_ppm = 300000;
		rc.max_cycles = 4000;
		fc.shards = 1;
		run_engine(&fc, &rc, one_in(&rnd, 4), &alone);
		fc.shards = pick(&rnd, 2, 5);
		runner_threads = one_in(&rnd, 4) ? pick(&rnd, 2, 4) : 1;
		run_engine(&fc, &rc, false, &together);
		runner_threads = 1;
		if (alone.bad || together.bad || alone.state != together.state ||
		    alone.hash != together.hash || alone.cycle != together.cycle ||
		    alone.state == MCFAB_RUN_STATUS_FAILED) {
			print_config(&fc, &rc);
			fail_msg("load %u: states %u and %u, cycles %llu and %llu, %s", i,
				 alone.state, together.state, (unsigned long long)alone.cycle,
				 (unsigned long long)together.cycle, alone.progress.why);
		}
		done += alone.state == MCFAB_RUN_STATUS_DONE;
		free((void *)fc.graph);
	}
	printf("# %u loads, %u of them done\n", i, done);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reference),
		cmocka_unit_test(test_loads),
	};

	mcfab_policy_register(&test_tree);
	mcfab_policy_register(&test_shortest);
	mcfab_policy_register(&test_shortest_tree);
	mcfab_policy_register(&test_later);
	mcfab_policy_register(&test_later_tree);
	return run_tap(tests);
}
