// SPDX-License-Identifier: GPL-2.0
/*
 * The engine against the slow simulator (lib/slow.c): every header and every tail
 * of random lists of messages on small networks, under every rule of the model.
 *
 * MCFAB_CASE=N runs one case, MCFAB_ROUNDS=N that many, MCFAB_FIRST=N from there on.
 */
#include <stdio.h>
#include <stdlib.h>
#include "lib/capture.h"
#include "lib/compare.h"
#include "lib/net.h"
#include "lib/random_case.h"
#include "lib/runner.h"
#include "lib/shortest.h"
#include "lib/tree.h"

#include "lib/tap.h"

static u32 counted[MCFAB_RUN_FAILED + 1];
static u64 deliveries, contended;

/* how the run ended, if a walk after any wait could end it */
static const char *compare_end(const struct slow_result *a, const struct outcome *end)
{
	if (end->state == MCFAB_RUN_DEADLOCKED && !a->stuck)
		return "a deadlock that is none";
	if (end->state == MCFAB_RUN_DONE && a->stuck)
		return "a deadlock was not found";
	/* it may be out of memory before anyone looks */
	if (end->state != MCFAB_RUN_DEADLOCKED && end->state != MCFAB_RUN_DONE &&
	    end->state != MCFAB_RUN_SATURATED)
		return end->progress.why;
	return NULL;
}

/* @crowd: many messages, and a look for deadlocks whenever a header waits */
static const char *one(u64 number, bool crowd, bool verbose)
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
	nodes = random_case(&state, &fc, &rc);
	nmsgs = pick(&state, 1, one_in(&state, 3) ? 4 : 3 * nodes);
	if (crowd) {
		nmsgs = 20 * nodes;
		fc.stall_limit = 20;
	}
	list = list_random(&state, nodes, nmsgs, pick(&state, 1, 8),
			   one_in(&state, 2) ? 0 : pick(&state, 1, 200));
	rc.workload.list = list;
	if (verbose)
		print_config(&fc, &rc);

	capture = &seen;
	run_engine(&fc, &rc, one_in(&state, 8), &end);
	capture = NULL;
	run_slow(&fc, &rc, &slow);
	wrong = crowd ? compare_end(&slow, &end) : compare_runs(&slow, &seen, &end);
	if (wrong) {
		printf("# case %llu: %s (engine: state %u, %s; %u deliveries; model: %s, %u)\n",
		       (unsigned long long)number, wrong, end.state, end.progress.why, seen.ndlv,
		       slow.stuck ? "stuck" : "done", slow.ndlv);
		print_config(&fc, &rc);
	}
	counted[end.state]++;
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

	mcfab_policy_register(&test_tree);
	mcfab_policy_register(&test_shortest);
	mcfab_policy_register(&test_shortest_tree);
	if (only) {
		assert_null(one(strtoull(only, NULL, 10), false, true));
		return;
	}
	for (i = 0; i < rounds && wrong < 20; i++)
		wrong += !!one(first + i, false, false);
	printf("# %u runs, %llu deliveries, %llu of them held up; %u runs deadlocked\n", i,
	       (unsigned long long)deliveries, (unsigned long long)contended,
	       counted[MCFAB_RUN_DEADLOCKED]);
	assert_int_equal(wrong, 0);
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
	found = counted[MCFAB_RUN_DEADLOCKED];
	for (i = 0; i < rounds; i++)
		wrong += !!one(i, true, false);
	printf("# %u crowds, %u of them deadlocked\n", i, counted[MCFAB_RUN_DEADLOCKED] - found);
	assert_int_equal(wrong, 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reference),
		cmocka_unit_test(test_crowds),
	};

	return run_tap(tests);
}
