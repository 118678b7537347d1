// SPDX-License-Identifier: GPL-2.0
/*
 * Messages from outside: a run of them is the run of the list that its log is, delivery by
 * delivery; the outside is told of every delivery in its cycle and its order, of every tail that
 * has left its source, and once that the engine has done with a message. While a node is full no
 * header gets a consumption channel there, and all is delivered in the end. Messages for which a run
 * has no room wait.
 */
#include <stdio.h>
#include <stdlib.h>
#include "lib/capture.h"
#include "lib/later.h"
#include "lib/net.h"
#include "lib/random_case.h"
#include "lib/random_hosts.h"
#include "lib/runner.h"
#include "lib/script.h"
#include "lib/shortest.h"
#include "lib/tree.h"
#include "workload/arrivals.h"

#include "lib/tap.h"

/* the run of the log must be the same, delivery by delivery */
static void same_as_list(struct script *s, const struct mcfab_fabric_cfg *fc,
			 const struct mcfab_run_cfg *run, const struct outcome *end,
			 const struct capture *seen)
{
	struct mcfab_run_cfg replay = *run;
	struct capture again = { 0 };
	struct outcome other;

	replay.workload = (struct mcfab_workload_cfg){
		.kind = MCFAB_WORKLOAD_TYPE_FILE,
		.source = MCFAB_NONE,
		.list = &s->o.log->list,
	};
	capture = &again;
	run_engine(fc, &replay, false, &other);
	capture = NULL;
	if (other.state != end->state || other.hash != end->hash)
		print_config(fc, &replay);
	assert_int_equal(other.state, end->state);
	assert_int_equal(other.hash, end->hash);
	assert_int_equal(again.ndlv, seen->ndlv);
	assert_memory_equal(again.dlv, seen->dlv, seen->ndlv * sizeof(*seen->dlv));
	capture_free(&again);
}

/* what the outside was told is what the statistics got */
static void same_as_seen(const struct script *s, const struct capture *seen)
{
	u32 *number = calloc(s->list->nmsgs, sizeof(u32)), *count = calloc(4096, sizeof(u32)), i, k;

	/* the sequence number of each message of the list */
	for (i = 0; i < s->list->nmsgs; i++)
		number[i] = count[s->list->source[i]]++;
	assert_int_equal(s->ntold, seen->ndlv);
	for (i = 0; i < s->ntold; i++) {
		const struct told *t = &s->told[i];

		for (k = 0; k < seen->ndlv; k++)
			if (seen->dlv[k].source == s->list->source[t->msg] &&
			    seen->dlv[k].seq == number[t->msg] && seen->dlv[k].dst == t->node)
				break;
		assert_in_range(k, 0, seen->ndlv - 1);
		assert_int_equal(seen->dlv[k].gen + seen->dlv[k].tail, t->cycle);
		if (i)
			assert_true(t->cycle >= s->told[i - 1].cycle);
	}
	free(number);
	free(count);
}

/* does a header go to its node in the cycle in which it is granted a consumption channel? */
static bool first_flit_goes_at_once(const struct mcfab_fabric_cfg *fc,
				    const struct mcfab_run_cfg *rc)
{
	return !rc->headers && fc->node_model != MCFAB_NODE_MODEL_MODE_HOST && !fc->input_speedup &&
	       fc->replication != MCFAB_REPLICATION_MODE_LOCKSTEP &&
	       fc->node_bandwidth != MCFAB_NODE_BANDWIDTH_MODE_SHARED;
}

/* no header got a consumption channel at a node while it was full */
static u32 none_came(const struct script *s, const struct capture *seen,
		     const struct mcfab_fabric_cfg *fc)
{
	u32 i, k, held = 0;

	for (i = 0; i < s->nshut; i++) {
		const struct shut *shut = &s->shut[i];

		for (k = 0; k < seen->ndlv; k++) {
			/* the first flit has come to the node in this cycle */
			u64 header = seen->dlv[k].gen + seen->dlv[k].header;

			if (seen->dlv[k].dst != shut->node)
				continue;
			/* the channel was granted @consume_delay before */
			assert_false(header > shut->from + fc->consume_delay &&
				     header <= shut->to);
			held += header > shut->to && header <= shut->to + 2 + fc->consume_delay;
		}
	}
	return held;
}

/* let half of the messages go from where others come from to where these go */
static void repeat(u64 *rnd, struct mcfab_msg_list *list)
{
	u32 i, k;

	for (i = 1; i < list->nmsgs; i++) {
		u32 n = list->first[i + 1] - list->first[i];

		k = rng_below(rnd, 2 * i);
		if (k >= i || list->first[k + 1] - list->first[k] != n)
			continue;
		list->source[i] = list->source[k];
		memcpy(list->dst + list->first[i], list->dst + list->first[k], n * sizeof(u32));
	}
}

/* a random case whose messages come from outside */
static u32 random_script(u64 *rnd, struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc,
			 struct script *s)
{
	struct mcfab_msg_list *list;
	u32 nodes;

	while ((nodes = random_case(rnd, fc, rc)) < 2)
		free((void *)fc->graph);
	if (one_in(rnd, 4))
		random_hosts(rnd, fc, rc);
	vary_lengths(*rnd, fc, rc);
	list = list_random(rnd, nodes, 1 + rng_below(rnd, 40), 1 + rng_below(rnd, 8),
			   rng_below(rnd, 3000));
	repeat(rnd, list);
	list_take_lengths(*rnd, list, rc);
	rc->workload.nlengths = 0;
	rc->workload.list = list;
	s->stop_at = one_in(rnd, 4) ? rng_below(rnd, 3000) : U64_MAX;
	s->size = 1 << rng_below(rnd, 6);
	s->most = one_in(rnd, 3) ? 1 + rng_below(rnd, 10) : 0;
	s->sets = !one_in(rnd, 3);
	s->ahead = one_in(rnd, 3);
	s->fills = one_in(rnd, 3) ? 1 + rng_below(rnd, 20) : 0;
	s->o.holds = s->fills && !one_in(rnd, 4);
	s->seed = *rnd;
	s->stands = one_in(rnd, 2);
	return nodes;
}

/* whatever the threads: the outside is told the same, in the same order */
static void same_by_threads(const struct script *s, const struct mcfab_fabric_cfg *fc,
			    const struct mcfab_run_cfg *rc, u32 nodes)
{
	struct script other = {
		.stop_at = s->stop_at, .size = s->size, .sets = !s->sets, .ahead = s->ahead,
		.most = s->most, .fills = s->fills,
		.o.holds = s->o.holds, .seed = s->seed, .stands = s->stands,
	};
	struct mcfab_fabric_cfg split = *fc;
	struct mcfab_run_cfg run;
	struct outcome end;

	split.shards = fc->shards == 1 ? 3 : 1;
	runner_threads = split.shards == 1 ? 1 : 2;
	run_script(&other, &split, rc, &run, &end);
	assert_int_equal(other.ntold, s->ntold);
	assert_memory_equal(other.told, s->told, s->ntold * sizeof(*s->told));
	script_free(&other, nodes);
}

static void test_random(void **state)
{
	const char *groups = getenv("MCFAB_GROUPS");
	u32 rounds = (groups ? atoi(groups) : 100000) / 100, i, k, deadlocked = 0, left = 0;
	u32 held = 0, crowded = 0;
	u64 rnd = 3, messages = 0;

	for (i = 0; i < rounds; i++) {
		struct script s = { 0 };
		struct mcfab_fabric_cfg fc;
		struct mcfab_run_cfg rc, run;
		struct capture seen = { 0 };
		struct outcome end;
		u32 nodes = random_script(&rnd, &fc, &rc, &s), over = 0;
		struct mcfab_msg_list *list = (struct mcfab_msg_list *)rc.workload.list;
		const struct mcfab_msg_list *log;

		runner_threads = one_in(&rnd, 4) ? 2 : 1;
		capture = &seen;
		run_script(&s, &fc, &rc, &run, &end);
		capture = NULL;
		log = &s.o.log->list;
		crowded += s.most && s.crowd == s.most;
		for (k = 0; k < list->nmsgs; k++) {
			over += s.known[k].over;
			if (end.state != MCFAB_RUN_STATUS_DONE || !s.known[k].over)
				continue;
			assert_true(s.known[k].sent);
			assert_int_equal(s.known[k].delivered,
					 list->first[k + 1] - list->first[k]);
		}
		assert_int_equal(over, log->nmsgs);
		assert_true(s.ended);
		if (end.state == MCFAB_RUN_STATUS_DONE) {
			assert_int_equal(s.stop_at == U64_MAX ? s.nleft : 0, 0);
			assert_true(end.hash);
			same_as_seen(&s, &seen);
			if (first_flit_goes_at_once(&fc, &rc))
				held += none_came(&s, &seen, &fc);
			/* a list knows nothing of full nodes */
			if (log->nmsgs && !s.nshut)
				same_as_list(&s, &fc, &run, &end, &seen);
			if (one_in(&rnd, 3))
				same_by_threads(&s, &fc, &rc, nodes);
			messages += log->nmsgs;
			left += log->nmsgs < list->nmsgs;
		} else {
			if (end.state != MCFAB_RUN_STATUS_DEADLOCKED) {
				print_config(&fc, &rc);
				fail_msg("state %d: %s", end.state, end.progress.why);
			}
			deadlocked++;
		}
		capture_free(&seen);
		script_free(&s, nodes);
		list_free(list);
		free((void *)fc.graph);
	}
	runner_threads = 1;
	printf("# %u runs, %llu messages; %u runs stopped before the last message, %u deadlocked\n",
	       rounds, (unsigned long long)messages, left, deadlocked);
	printf("# %u deliveries began when a full node had room again\n", held);
	printf("# in %u runs as many messages were under way as there was room for\n", crowded);
	assert_true(held > rounds / 20);
	assert_true(crowded > rounds / 20);
}

static void mesh_4x4(struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc, const char *policy)
{
	mcfab_fabric_defaults(fc);
	mcfab_run_defaults(rc);
	strcpy(fc->topology, "mesh");
	fc->ndims = 2;
	fc->radix[0] = 4;
	fc->radix[1] = 4;
	strcpy(rc->policy, policy);
}

/* all of 16 nodes send to all others, at once; return: how the run ended */
static enum mcfab_run_status flood(u32 messages, u32 *crowd)
{
	struct script s = { .size = 256, .stop_at = U64_MAX };
	struct mcfab_run_cfg rc, run;
	struct mcfab_msg_list *list;
	struct mcfab_fabric_cfg fc;
	struct outcome end;
	u64 rnd = 7;
	u32 i, k;

	mesh_4x4(&fc, &rc, test_later.name);
	rc.flits = 4;
	list = list_random(&rnd, 16, messages, 15, 0);
	for (i = 0; i < messages; i++) {
		list->source[i] = i % 16;
		list->cycle[i] = 0;
		list->first[i + 1] = 15 * (i + 1);
		for (k = 0; k < 15; k++)
			list->dst[15 * i + k] = (i + k + 1) % 16;
	}
	list->ndst = list->first[messages];
	rc.workload.list = list;
	run_script(&s, &fc, &rc, &run, &end);
	printf("# %s; at most %u messages under way\n", end.progress.why, s.crowd);
	if (end.state == MCFAB_RUN_STATUS_DONE)
		assert_int_equal(s.ntold, list->ndst);
	*crowd = s.crowd;
	script_free(&s, 16);
	list_free(list);
	return end.state;
}

/* however much is handed in: it waits until the run has room for it, and all arrives */
static void test_flood(void **state)
{
	u32 crowd;

	assert_int_equal(flood(12000, &crowd), MCFAB_RUN_STATUS_DONE);
	/* it was held back */
	assert_in_range(crowd, 1000, 10000);
}

static void (*prepare)(const struct mcfab_view *view, const void *priv, u32 source, u32 *dst,
		       u32 ndst, struct mcfab_plan *plan, void *scratch);
static u32 prepared;

static void count_prepare(const struct mcfab_view *view, const void *priv, u32 source, u32 *dst,
			  u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	prepared++;
	prepare(view, priv, source, dst, ndst, plan, scratch);
}

/* how often is the policy asked for the plans of 200 messages, by 2 nodes to 3 sets each? */
static u32 plans(bool sets)
{
	struct script s = { .sets = sets, .size = 16, .stop_at = U64_MAX };
	struct mcfab_fabric_cfg fc;
	struct mcfab_run_cfg rc, run;
	struct mcfab_msg_list *list;
	struct outcome end;
	u64 rnd = 7;
	u32 i, k;

	mesh_4x4(&fc, &rc, test_tree.name);
	list = list_random(&rnd, 16, 200, 1, 9000);
	for (i = 0; i < list->nmsgs; i++) {
		k = rng_below(&rnd, 6);
		list->source[i] = k % 2;
		list->dst[i] = 2 + k / 2;
	}
	rc.workload.list = list;
	prepare = test_tree.prepare;
	test_tree.prepare = count_prepare;
	prepared = 0;
	run_script(&s, &fc, &rc, &run, &end);
	test_tree.prepare = prepare;
	assert_int_equal(end.state, MCFAB_RUN_STATUS_DONE);
	assert_int_equal(s.ntold, list->nmsgs);
	script_free(&s, 16);
	list_free(list);
	return prepared;
}

/* where the outside numbers sets, the policy plans once for each set of each node */
static void test_plans(void **state)
{
	assert_int_equal(plans(false), 200);
	assert_int_equal(plans(true), 6);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_plans),
		cmocka_unit_test(test_flood),
	};

	mcfab_policy_register(&test_tree);
	mcfab_policy_register(&test_shortest);
	mcfab_policy_register(&test_shortest_tree);
	mcfab_policy_register(&test_later);
	return run_tap(tests);
}
