// SPDX-License-Identifier: GPL-2.0
/*
 * Messages from outside: a run of them is the run of the list that its log is, delivery by
 * delivery; the outside is told of every delivery in its cycle and its order, of every tail that
 * has left its source, and once that the engine has done with a message. While a node is full no
 * header gets a consumption channel there, and all is delivered in the end.
 */
#include <stdio.h>
#include <stdlib.h>
#include "lib/capture.h"
#include "lib/net.h"
#include "lib/random_case.h"
#include "lib/runner.h"
#include "lib/shortest.h"
#include "lib/tree.h"
#include "workload/arrivals.h"
#include "workload/outside.h"

#include "engine/engine.h"
#include "fabric/runner.h"
#include "lib/tap.h"

/* what the outside knows of a message */
struct known {
	u32 delivered;
	bool sent;
	bool over;
};

/* a delivery that the outside was told of */
struct told {
	u64 cycle;
	u32 msg;
	u32 node;
};

/* a node was full from the end of a cycle to that of another */
struct shut {
	u32 node;
	u64 from;
	u64 to;
};

/* an outside that hands in the messages of a list, each in its cycle or before */
struct script {
	struct mcfab_outside o;
	struct mcfab_fabric *fabric;
	const struct mcfab_msg_list *list;
	const struct mcfab_run_cfg *rc;
	u32 *left;	/* [nmsgs] messages not handed in, in their order */
	u32 nleft;
	u32 size;	/* of inboxes */
	u64 stop_at;	/* stop the run in the midst of it */
	bool ahead;	/* hand messages in before their cycles */
	u32 fills;	/* after every so many deliveries the node is full; 0: never */
	u64 seed;	/* for how long */
	u64 rnd;
	u64 *until;	/* [nodes] the node is full up to this cycle */
	struct shut *shut;
	u32 nshut;
	u64 seen;	/* the last cycle of which it was told */
	u64 now;
	u32 nfull;	/* entries of @shut that have no end yet */
	bool stands;	/* time stands still while nothing moves */
	struct known *known;
	struct told *told;
	u32 ntold;
	bool stopped;
	bool ended;
};

static struct script *script_of(struct mcfab_outside *o)
{
	return container_of(o, struct script, o);
}

/* hand in what is due up to @now; return: the cycle of the next message, or U64_MAX */
static u64 hand_in(struct script *s, u64 now)
{
	const struct mcfab_msg_list *list = s->list;
	u32 i, kept = 0;
	u64 next = U64_MAX;

	for (i = 0; i < s->nleft; i++) {
		u32 nr = s->left[i];
		struct mcfab_inbox **in = &s->o.inbox[list->source[nr]];
		struct mcfab_offer offer = {
			.cycle = list->cycle[nr],
			.cookie = nr + 1,
			.dst = list->dst + list->first[nr],
			.listed = list->first[nr + 1] - list->first[nr],
			.ndst = list->first[nr + 1] - list->first[nr],
			.flits = list->flits && list->flits[nr] ? list->flits[nr] : s->rc->flits,
		};

		if (!*in)
			*in = mcfab_inbox_new(list->source[nr], s->size);
		if ((s->ahead || list->cycle[nr] <= now) &&
		    mcfab_inbox_put(&s->o, *in, &offer))
			continue;
		next = min(next, max(list->cycle[nr], now + 1));
		s->left[kept++] = nr;
	}
	s->nleft = kept;
	return next;
}

static u64 script_wait(struct mcfab_outside *o, u64 cycle, u64 next, bool idle, u32 ms)
{
	struct script *s = script_of(o);
	u64 before = s->nleft, then;

	assert_true(next > cycle);
	assert_true(idle ? !ms || ms < 1000 : !ms);
	s->now = cycle;
	s->seen = cycle;
	then = hand_in(s, cycle);
	if (!s->stopped &&
	    (cycle >= s->stop_at || (!s->nleft && before == s->nleft && idle && !s->nfull))) {
		s->stopped = true;
		mcfab_engine_stop(s->fabric->engine);
		return cycle;
	}
	/* real time goes on, even if simulated time does not */
	if (idle && s->nfull && s->stands)
		s->now = U64_MAX - 1;
	/* messages that were handed in may come before @next; so may those that come later */
	if (before != s->nleft || s->nfull)
		return cycle;
	return min(next, then) - 1;
}

/* a node is full for some cycles, now and then */
static bool room_is_left(struct script *s, u32 node, u64 cycle)
{
	if (!s->fills || rng_below(&s->rnd, s->fills))
		return true;
	if (s->o.holds && !s->until[node]) {
		s->shut[s->nshut++] = (struct shut){ node, s->seen, U64_MAX };
		s->nfull++;
	}
	s->until[node] = max(s->until[node], cycle + 1 + rng_below(&s->rnd, 200));
	return false;
}

static bool script_takes(struct mcfab_outside *o, u32 node)
{
	struct script *s = script_of(o);

	u32 i;

	assert_true(s->until[node]);
	if (s->now < s->until[node])
		return false;
	s->until[node] = 0;
	for (i = 0; s->shut[i].node != node || s->shut[i].to != U64_MAX; i++)
		assert_true(i < s->nshut);
	s->shut[i].to = s->seen;
	s->nfull--;
	return true;
}

static void script_kick(struct mcfab_outside *o)
{
}

static void script_links(struct mcfab_outside *o, const unsigned long *cut)
{
}

static void script_end(struct mcfab_outside *o)
{
	struct script *s = script_of(o);

	assert_false(s->ended);
	s->ended = true;
}

static bool script_deliver(struct mcfab_outside *o, u64 cookie, u32 node, u64 gen, u64 cycle)
{
	struct script *s = script_of(o);

	assert_false(s->ended);
	assert_false(s->known[cookie - 1].over);
	s->known[cookie - 1].delivered++;
	s->seen = max(s->seen, cycle);
	s->told[s->ntold++] = (struct told){ .cycle = cycle, .msg = cookie - 1, .node = node };
	return room_is_left(s, node, cycle);
}

static void script_sent(struct mcfab_outside *o, u64 cookie, u64 gen)
{
	struct known *k = &script_of(o)->known[cookie - 1];

	assert_true(gen >= script_of(o)->list->cycle[cookie - 1]);
	assert_false(k->sent);
	assert_false(k->over);
	k->sent = true;
}

static void script_over(struct mcfab_outside *o, u64 cookie)
{
	struct known *k = &script_of(o)->known[cookie - 1];

	assert_false(k->over);
	k->over = true;
}

static const struct mcfab_outside_ops script_ops = {
	.wait = script_wait,
	.kick = script_kick,
	.links = script_links,
	.end = script_end,
	.deliver = script_deliver,
	.takes = script_takes,
	.sent = script_sent,
	.over = script_over,
};

static u32 least_flits(const struct mcfab_msg_list *list, u32 flits)
{
	if (!list->flits || !list->shortest)
		return flits;
	return list->unsized ? min(flits, list->shortest) : list->shortest;
}

/* run the messages of a list as messages from outside */
static void run_script(struct script *s, const struct mcfab_fabric_cfg *fc,
		       const struct mcfab_run_cfg *rc, struct mcfab_run_cfg *run,
		       struct outcome *end)
{
	const struct mcfab_msg_list *list = rc->workload.list;
	struct mcfab_err err = { 0 };
	u32 i;

	s->fabric = mcfab_fabric_create(fc, &err);
	assert_false(IS_ERR(s->fabric));
	s->list = list;
	s->rc = rc;
	s->rnd = s->seed;
	assert_int_equal(mcfab_outside_open(&s->o, &script_ops, s->fabric->topo.nodes), 0);
	s->o.log = mcfab_arrivals_new(list->nmsgs, list->ndst);
	s->left = calloc(list->nmsgs, sizeof(u32));
	s->known = calloc(list->nmsgs, sizeof(*s->known));
	s->told = calloc(list->ndst + 1, sizeof(*s->told));
	s->until = calloc(s->fabric->topo.nodes, sizeof(*s->until));
	s->shut = calloc(list->ndst + 1, sizeof(*s->shut));
	for (i = 0; i < list->nmsgs; i++)
		s->left[i] = i;
	s->nleft = list->nmsgs;

	*run = *rc;
	run->flits = mcfab_run_longest(rc);
	run->workload = (struct mcfab_workload_cfg){
		.kind = MCFAB_WORKLOAD_TYPE_PORTS,
		.source = MCFAB_NONE,
		.outside = &s->o,
		.shortest = least_flits(list, rc->flits),
	};
	if (mcfab_run_start(s->fabric, run, &err)) {
		print_config(fc, rc);
		fail_msg("run: %s", err.msg);
	}
	mcfab_runner_wait(s->fabric);
	end->state = s->fabric->results.progress.state;
	end->hash = s->fabric->results.progress.has_hash ? s->fabric->results.progress.hash : 0;
	end->progress = s->fabric->results.progress;
	mcfab_fabric_destroy(s->fabric);
}

static void script_free(struct script *s, u32 nodes)
{
	mcfab_arrivals_put(s->o.log);
	mcfab_outside_close(&s->o, nodes);
	free(s->left);
	free(s->known);
	free(s->told);
	free(s->until);
	free(s->shut);
}

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

/* a random case whose messages come from outside */
static u32 random_script(u64 *rnd, struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc,
			 struct script *s)
{
	struct mcfab_msg_list *list;
	u32 nodes;

	while ((nodes = random_case(rnd, fc, rc)) < 2)
		free((void *)fc->graph);
	vary_lengths(*rnd, fc, rc);
	list = list_random(rnd, nodes, 1 + rng_below(rnd, 40), 1 + rng_below(rnd, 8),
			   rng_below(rnd, 3000));
	list_take_lengths(*rnd, list, rc);
	rc->workload.nlengths = 0;
	rc->workload.list = list;
	s->stop_at = one_in(rnd, 4) ? rng_below(rnd, 3000) : U64_MAX;
	s->size = 1 << rng_below(rnd, 6);
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
		.stop_at = s->stop_at, .size = s->size, .ahead = s->ahead, .fills = s->fills,
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
	u32 held = 0;
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
	assert_true(held > rounds / 20);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
	};

	mcfab_policy_register(&test_tree);
	mcfab_policy_register(&test_shortest);
	mcfab_policy_register(&test_shortest_tree);
	return run_tap(tests);
}
