// SPDX-License-Identifier: GPL-2.0
/*
 * Runs with the option recover, on random networks with policies that deadlock: every deadlock ends
 * with the abortion of a worm, and the runs come to their end; nothing is left of the worms (the
 * engine's own checks at the end, and in some runs of every cycle); every destination is reached or
 * counted as lost; runs without a deadlock are as those without the option; and all of this is the
 * same by flits, by the fastest mode, and for any number of shards and threads.
 *
 * MCFAB_CASE=N runs one case, MCFAB_FIRST=N from there on.
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

static u64 messages, incomplete, lost, recovered, aborting, ended, hosts, other_modes;

/* destinations of all messages, those that were reached, and those that were not */
static const char *account(const struct capture *c, const struct outcome *end)
{
	const u64 *drops = end->progress.drops;
	u64 ndst = 0, missed = 0;
	u32 i;

	for (i = 0; i < c->nmsg; i++) {
		ndst += c->msg[i].ndst;
		missed += !c->msg[i].complete;
	}
	if (end->state != MCFAB_RUN_STATUS_DONE)
		return NULL;
	if (ndst < c->ndlv)
		return "more was delivered than there were destinations";
	if (!!missed != (ndst != c->ndlv))
		return "messages are incomplete and all was delivered, or the other way round";
	if (!!drops[MCFAB_DROP_DEADLOCK] != !!drops[MCFAB_DROP_RECOVERED] ||
	    drops[MCFAB_DROP_DEADLOCK] < drops[MCFAB_DROP_RECOVERED])
		return "worms were aborted and lost nothing, or the other way round";
	if (missed && !drops[MCFAB_DROP_DEADLOCK])
		return "messages are incomplete and nothing was lost";
	/* what a packet loses, its message loses; so does who gets it from a later sender */
	if (drops[MCFAB_DROP_DEADLOCK] && !missed)
		return "destinations were lost and all messages are complete";
	messages += c->nmsg;
	incomplete += missed;
	lost += ndst - c->ndlv;
	recovered += drops[MCFAB_DROP_RECOVERED];
	aborting += !!drops[MCFAB_DROP_RECOVERED];
	return NULL;
}

static const char *differ(const struct capture *a, const struct capture *b,
			  const struct outcome *ea, const struct outcome *eb)
{
	u32 i;

	if (ea->state != eb->state || ea->cycle != eb->cycle || ea->hash != eb->hash)
		return "the run ends otherwise";
	if (a->ndlv != b->ndlv || a->nmsg != b->nmsg)
		return "there are other deliveries or messages";
	for (i = 0; i < a->ndlv; i++)
		if (memcmp(&a->dlv[i], &b->dlv[i], sizeof(*a->dlv)))
			return "a delivery differs";
	if (memcmp(ea->progress.drops, eb->progress.drops, sizeof(ea->progress.drops)))
		return "other worms were aborted";
	return NULL;
}

/* short buffers and few consumption channels, and more messages than they are good for */
static u32 random_crowd(u64 *state, struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc)
{
	u32 nodes;

	do {
		nodes = random_case(state, fc, rc);
		fc->node_bandwidth = MCFAB_NODE_BANDWIDTH_MODE_CHANNEL;
		if (one_in(state, 4) && !rc->headers)
			random_hosts(state, fc, rc);
		if (fc->node_model == MCFAB_NODE_MODEL_MODE_HOST && one_in(state, 2))
			random_later(state, fc, rc);
	} while (fc->addressing == MCFAB_ADDRESSING_MODE_LID);
	if (one_in(state, 3))
		suit_trees(state, fc, rc);
	if (one_in(state, 2))
		fc->consume = 1;
	/* others refuse buffers that are shorter than a packet */
	if (fc->switching == MCFAB_SWITCHING_MODE_WORMHOLE && !fc->graph &&
	    fc->routing != MCFAB_ROUTING_MODE_UPDOWN && one_in(state, 2)) {
		if (is_tree_policy(rc->policy))
			set_params(rc, "allow-deadlock=on");
		fc->buffer = pick(state, 1, 4);
		fc->buffer_packets = 0;
		rc->headers = false;
	}
	vary_lengths(*state, fc, rc);
	random_links(*state, fc);
	random_memory(*state, fc, rc);
	fc->stall_limit = pick(state, 20, 200);
	rc->max_cycles = 1000000;
	rc->recover = true;
	return nodes;
}

static const char *one(u64 number, bool verbose)
{
	u64 state = (number + 1) * 0xd1342543de82ef95ull;
	struct capture seen = { 0 }, again = { 0 };
	static struct outcome end, other;
	struct mcfab_fabric_cfg fc;
	struct mcfab_run_cfg rc;
	struct mcfab_msg_list *list;
	const char *wrong;
	u32 nodes;

	state = rng(&state);
	nodes = random_crowd(&state, &fc, &rc);
	list = list_random(&state, nodes, pick(&state, 1, 20 * nodes), pick(&state, 1, 8),
			   one_in(&state, 2) ? 0 : pick(&state, 1, 200));
	rc.workload.list = list;
	if (verbose)
		print_config(&fc, &rc);
	rc.advance = MCFAB_ADVANCE_MODE_FLIT;
	capture = &seen;
	run_engine(&fc, &rc, one_in(&state, 4), &end);
	capture = &again;
	rc.advance = MCFAB_ADVANCE_MODE_AUTO;
	fc.shards = pick(&state, 1, 5);
	runner_threads = one_in(&state, 6) ? pick(&state, 2, 4) : 1;
	run_engine(&fc, &rc, one_in(&state, 4), &other);
	runner_threads = 1;
	capture = NULL;
	other_modes += strcmp(end.progress.chosen.mode, other.progress.chosen.mode) != 0;
	wrong = account(&seen, &end);
	if (!wrong)
		wrong = differ(&seen, &again, &end, &other);
	/* without a request that can be given up, a run may still end in a deadlock */
	if (!wrong && end.state != MCFAB_RUN_STATUS_DONE &&
	    end.state != MCFAB_RUN_STATUS_DEADLOCKED && end.state != MCFAB_RUN_STATUS_CUT)
		wrong = "the run does not come to its end";
	if (!wrong && !end.progress.drops[MCFAB_DROP_RECOVERED]) {
		rc.recover = false;
		run_engine(&fc, &rc, false, &other);
		if (other.state != end.state || other.hash != end.hash)
			wrong = "no deadlock was ended, and the run is another one without recover";
	}
	if (wrong) {
		printf("# case %llu: %s (state %u, %s; %u deliveries; again: %u, %s, %u)\n",
		       (unsigned long long)number, wrong, end.state, end.progress.why, seen.ndlv,
		       other.state, other.progress.why, again.ndlv);
		print_config(&fc, &rc);
	}
	ended += end.state == MCFAB_RUN_STATUS_DEADLOCKED;
	hosts += fc.node_model == MCFAB_NODE_MODEL_MODE_HOST;
	capture_free(&seen);
	capture_free(&again);
	list_free(list);
	free((void *)fc.graph);
	return wrong;
}

static void test_random(void **state)
{
	const char *only = getenv("MCFAB_CASE");
	u32 rounds = env_number("MCFAB_GROUPS", 100000) / 500, wrong = 0, i;
	u64 first = env_number("MCFAB_FIRST", 0);

	mcfab_policy_register(&test_tree);
	mcfab_policy_register(&test_shortest);
	mcfab_policy_register(&test_shortest_tree);
	mcfab_policy_register(&test_later);
	mcfab_policy_register(&test_later_tree);
	if (only) {
		assert_null(one(strtoull(only, NULL, 10), true));
		return;
	}
	for (i = 0; i < rounds && wrong < 10; i++)
		wrong += !!one(first + i, false);
	printf("# %u runs, %llu messages, %llu incomplete, %llu destinations lost; %llu runs aborted %llu worms; %llu with hosts, %llu in two modes, %llu deadlocked all the same\n",
	       i, (unsigned long long)messages, (unsigned long long)incomplete,
	       (unsigned long long)lost, (unsigned long long)aborting,
	       (unsigned long long)recovered, (unsigned long long)hosts,
	       (unsigned long long)other_modes, (unsigned long long)ended);
	assert_int_equal(wrong, 0);
	assert_true(i < 50 || (aborting > i / 10 && other_modes > i / 10 && ended < i / 20));
}

/*
 * Two trees of TASNEM, each waiting for the other (test_engine_ends): the younger one, node 9's as
 * sources break ties, loses what its header has not reached. The report says what it held.
 */
static void test_youngest(void **state)
{
	static const u32 dst[] = { 5, 4, 6, 6 };
	/* by hops; router or node, port */
	static const struct mcfab_holding first[] = {
		{ 0, 9, MCFAB_HOLDING_INJECTION, 0, 0 }, { 1, 9, MCFAB_HOLDING_CHANNEL, 1, 0 },
		{ 1, 9, MCFAB_HOLDING_CHANNEL, 3, 0 }, { 2, 5, MCFAB_HOLDING_CHANNEL, 0, 0 },
	};
	struct mcfab_msg_list *list = list_new(2, 4);
	struct capture seen = { 0 };
	struct mcfab_fabric_cfg fc;
	struct mcfab_run_cfg rc;
	struct outcome out;
	u32 i, k, n;

	list->source[0] = 9;
	list->source[1] = 8;
	list->first[1] = 3;
	list->first[2] = 4;
	memcpy(list->dst, dst, sizeof(dst));
	mcfab_fabric_defaults(&fc);
	strcpy(fc.name, "f");
	strcpy(fc.topology, "torus");
	fc.ndims = 2;
	fc.radix[0] = 4;
	fc.radix[1] = 4;
	fc.vcs = 2;
	fc.buffer = 1;
	fc.replication = MCFAB_REPLICATION_MODE_LOCKSTEP;
	mcfab_run_defaults(&rc);
	strcpy(rc.policy, "tasnem");
	set_params(&rc, "allow-deadlock=on");
	rc.flits = 16;
	rc.recover = true;
	rc.workload.kind = MCFAB_WORKLOAD_TYPE_FILE;
	rc.workload.list = list;
	capture = &seen;
	run_engine(&fc, &rc, true, &out);
	capture = NULL;
	assert_int_equal(out.state, MCFAB_RUN_STATUS_DONE);
	assert_int_equal(out.progress.drops[MCFAB_DROP_RECOVERED], 1);
	assert_int_equal(out.progress.drops[MCFAB_DROP_DEADLOCK], 1);
	/* the report of the deadlock that was ended */
	for (i = 0; out.deadlock.wait[i].source != 9; i++)
		;
	assert_int_equal(out.deadlock.wait[i].ndests, 3);
	/* in the order of the plan */
	for (k = 0; k < 3; k++)
		assert_int_equal(out.deadlock.dest[out.deadlock.wait[i].first_dest + k], 4 + k);
	assert_true(out.deadlock.wait[i].nheld >= ARRAY_SIZE(first));
	for (n = 0, k = 0; k < out.deadlock.wait[i].nheld && n < ARRAY_SIZE(first); k++)
		n += !memcmp(&out.deadlock.list[out.deadlock.wait[i].first_held + k], &first[n],
			     sizeof(first[n]));
	assert_int_equal(n, ARRAY_SIZE(first));
	/* 9's branch to 4 waits; the branch to 5 and 6 has come */
	assert_int_equal(seen.ndlv, 3);
	for (i = 0; i < seen.ndlv; i++)
		assert_int_not_equal(seen.dlv[i].dst, 4);
	capture_free(&seen);
	list_free(list);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_youngest),
	};

	return run_tap(tests);
}
