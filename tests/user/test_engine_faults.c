// SPDX-License-Identifier: GPL-2.0
/*
 * Links and switches that fail and are mended while traffic is under way: runs come to
 * their end, nothing is left of worms that were cut (the engine's own checks at the end and,
 * in some, of every cycle), every destination is either reached or accounted for, whoever
 * sends after a failure reaches all that can be reached, and all of this is the same by
 * whole packets, for any number of shards and threads.
 *
 * MCFAB_CASE=N runs one case, MCFAB_ROUNDS=N that many, MCFAB_FIRST=N from there on.
 */
#include <stdio.h>
#include <stdlib.h>
#include "lib/capture.h"
#include "lib/later.h"
#include "lib/net.h"
#include "lib/random_case.h"
#include "lib/random_hosts.h"
#include "lib/runner.h"
#include "lib/shortest.h"
#include "lib/tree.h"
#include "updown/updown.h"

#include "lib/tap.h"

static u64 messages, incomplete, lost, left_out, aborted, worms, strangers, deadlocked, varied;

static const char *differ(const struct capture *a, const struct capture *b,
			  const struct outcome *ea, const struct outcome *eb)
{
	u32 i;

	if (ea->state != eb->state || ea->cycle != eb->cycle)
		return "the run ends otherwise";
	if (ea->hash != eb->hash)
		return "the hash differs";
	if (a->ndlv != b->ndlv || a->nmsg != b->nmsg)
		return "there are other deliveries or messages";
	for (i = 0; i < a->ndlv; i++)
		if (memcmp(&a->dlv[i], &b->dlv[i], sizeof(*a->dlv)))
			return "a delivery differs";
	for (i = 0; i < a->nmsg; i++)
		if (memcmp(&a->msg[i], &b->msg[i], sizeof(*a->msg)))
			return "a message differs";
	if (memcmp(ea->progress.drops, eb->progress.drops, sizeof(ea->progress.drops)))
		return "other copies are dropped";
	if (ea->progress.flit_hops != eb->progress.flit_hops || ea->channels != eb->channels)
		return "channels have carried other flits, or made headers wait otherwise";
	return NULL;
}

/* failures that make sense one after the other, each before it is mended */
static void random_faults(u64 *rnd, const struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc,
			  u32 spread)
{
	struct mcfab_err err = { 0 };
	struct mcfab_fabric *f = mcfab_fabric_create(fc, &err);
	struct mcfab_updown *ud = mcfab_updown_get(f->updown), *next;
	u32 want = pick(rnd, 1, 6), tries;
	u64 cycle = 0;

	rc->nfaults = 0;
	for (tries = 0; tries < 60 && rc->nfaults < want; tries++) {
		struct mcfab_fault *fault = &rc->fault[rc->nfaults];

		fault->sw = rng_below(rnd, f->topo.routers);
		fault->port = one_in(rnd, 5) ? MCFAB_NONE : rng_below(rnd, f->topo.ports);
		fault->up = one_in(rnd, 3);
		fault->cycle = cycle + (one_in(rnd, 4) ? 0 : rng_below(rnd, spread));
		fault->cycle = max(fault->cycle, 1ULL);
		next = mcfab_updown_change(ud, fault, &err);
		if (IS_ERR(next))
			continue;
		cycle = fault->cycle;
		mcfab_updown_put(ud);
		ud = next;
		rc->nfaults++;
	}
	mcfab_updown_put(ud);
	mcfab_fabric_destroy(f);
}

/* @tidy: the policy goes by up*-down* routes */
static const char *account(const struct capture *c, const struct outcome *end,
			   const struct mcfab_run_cfg *rc, bool tidy)
{
	const u64 *drops = end->progress.drops;
	u64 last = rc->nfaults ? rc->fault[rc->nfaults - 1].cycle : 0, missed = 0;
	u64 ndst = 0;
	u32 i;

	if (end->bad)
		return "the statistics found messages or parts that are wrong";
	for (i = 0; i < c->nmsg; i++) {
		const struct mcfab_message *m = &c->msg[i];

		ndst += m->ndst;
		incomplete += !m->complete;
		missed += !m->complete;
		/* it was drawn when the new routes were in force */
		if (tidy && !m->complete && m->gen >= last && end->state == MCFAB_RUN_STATUS_DONE)
			return "a message after the last failure did not come to all";
	}
	if (end->state != MCFAB_RUN_STATUS_DONE)
		return NULL;
	if (ndst < c->ndlv)
		return "more was delivered than there were destinations";
	if (missed && !drops[MCFAB_DROP_LINK])
		return "messages are incomplete and nothing was lost";
	if (!missed && ndst != c->ndlv)
		return "messages are complete and destinations without a delivery";
	if (!!drops[MCFAB_DROP_LINK] != !!drops[MCFAB_DROP_ABORTED] ||
	    drops[MCFAB_DROP_LINK] < drops[MCFAB_DROP_ABORTED])
		return "worms were aborted and lost nothing, or the other way round";
	messages += c->nmsg;
	lost += ndst - c->ndlv;
	left_out += drops[MCFAB_DROP_UNREACHABLE];
	aborted += drops[MCFAB_DROP_ABORTED];
	return NULL;
}

static void random_run(u64 number, struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc,
		       u64 *state, bool whole, bool *tidy)
{
	struct mcfab_msg_list *list;
	u32 nodes, spread = 20;

	*state = (number + 1) * 0xd1342543de82ef95ull;
	*state = rng(state);
	/* up*-down* routing is for graphs, and for what asks for it */
	do {
		nodes = random_case(state, fc, rc);
		if (number % 3)
			random_hosts(state, fc, rc);
		*tidy = !one_in(state, 4);
		fc->routing = MCFAB_ROUTING_MODE_UPDOWN;
		fc->node_bandwidth = MCFAB_NODE_BANDWIDTH_MODE_CHANNEL;
		if (*tidy && !random_updown(state, fc, rc, nodes)) {
			strcpy(rc->policy, "unicast");
			set_params(rc, "");
		} else if (!*tidy && one_in(state, 2)) {
			random_later(state, fc, rc);
		}
	} while (fc->addressing == MCFAB_ADDRESSING_MODE_LID);
	if (whole && number % 8 == 3 && one_in(state, 2))
		suit_tails(state, fc, rc);
	else if (whole && number % 8 == 3)
		suit_trees(state, fc, rc);
	else if (whole)
		suit_worms(state, fc, rc);
	else if (fc->node_model == MCFAB_NODE_MODEL_MODE_HOST && number % 8 != 6)
		more_packets(state, fc, rc);
	/* mode packet is for packets of one length */
	if (!whole || number % 8 == 3)
		vary_lengths(*state, fc, rc);
	varied += !!rc->workload.nlengths;
	if (!whole)
		random_links(*state, fc);
	random_memory(*state, fc, rc);
	if (!one_in(state, 4))
		spread = pick(state, 20, 600);
	list = list_random(state, nodes, pick(state, 1, 4 * nodes), pick(state, 1, 12), spread);
	rc->workload.list = list;
	random_faults(state, fc, rc, spread);
}

static const char *one(u64 number, bool verbose)
{
	struct capture seen = { 0 }, again = { 0 };
	static struct outcome end, wend;
	bool whole = number % 4 == 3, tidy;
	struct mcfab_fabric_cfg fc;
	struct mcfab_run_cfg rc;
	const char *wrong;
	u64 state;
	u32 i;

	random_run(number, &fc, &rc, &state, whole, &tidy);
	if (verbose)
		print_config(&fc, &rc);
	rc.advance = MCFAB_ADVANCE_MODE_FLIT;
	capture = &seen;
	run_engine(&fc, &rc, one_in(&state, 4), &end);
	capture = &again;
	if (whole)
		rc.advance = MCFAB_ADVANCE_MODE_WORM;
	fc.shards = pick(&state, 1, 5);
	runner_threads = one_in(&state, 6) ? pick(&state, 2, 4) : 1;
	run_engine(&fc, &rc, whole && one_in(&state, 4), &wend);
	runner_threads = 1;
	capture = NULL;
	wrong = account(&seen, &end, &rc, tidy);
	if (!wrong)
		wrong = differ(&seen, &again, &end, &wend);
	if (!wrong && end.state != MCFAB_RUN_STATUS_DONE &&
	    end.state != MCFAB_RUN_STATUS_DEADLOCKED)
		wrong = "the run does not come to its end";
	if (wrong) {
		printf("# case %llu: %s (state %u, %s; %u deliveries; again: %u, %s, %u)\n",
		       (unsigned long long)number, wrong, end.state, end.progress.why, seen.ndlv,
		       wend.state, wend.progress.why, again.ndlv);
		print_config(&fc, &rc);
		for (i = 0; i < rc.nfaults; i++)
			printf("#   cycle %llu switch %u port %d %s\n",
			       (unsigned long long)rc.fault[i].cycle, rc.fault[i].sw,
			       (int)rc.fault[i].port, rc.fault[i].up ? "up" : "down");
	}
	deadlocked += end.state == MCFAB_RUN_STATUS_DEADLOCKED;
	worms += whole;
	strangers += !tidy;
	capture_free(&seen);
	capture_free(&again);
	list_free((struct mcfab_msg_list *)rc.workload.list);
	free((void *)fc.graph);
	return wrong;
}

static void test_random(void **state)
{
	const char *only = getenv("MCFAB_CASE"), *count = getenv("MCFAB_ROUNDS");
	u32 rounds = count ? atoi(count) : env_number("MCFAB_GROUPS", 100000) / 200, wrong = 0, i;
	u64 first = env_number("MCFAB_FIRST", 0);

	if (only) {
		assert_null(one(strtoull(only, NULL, 10), true));
		return;
	}
	for (i = 0; i < rounds && wrong < 10; i++)
		wrong += !!one(first + i, false);
	printf("# %u runs, %llu messages, %llu incomplete, %llu destinations lost, %llu left out, %llu worms aborted; %llu by whole packets, %llu by policies with other routes, %llu deadlocked\n",
	       i, (unsigned long long)messages, (unsigned long long)incomplete,
	       (unsigned long long)lost, (unsigned long long)left_out,
	       (unsigned long long)aborted, (unsigned long long)worms,
	       (unsigned long long)strangers, (unsigned long long)deadlocked);
	printf("# %llu of them with messages of several lengths\n", (unsigned long long)varied);
	assert_int_equal(wrong, 0);
	assert_true(rounds < 1000 || varied > rounds / 50);
	/* failures that hit nobody would be worth little */
	assert_true(aborted > rounds / 4);
}

static struct mcfab_graph *sixteen(void)
{
	struct mcfab_generate gen = {
		.switches = 16, .ports = 8, .hosts = 48, .connectivity = 80, .seed = 3,
	};
	struct mcfab_graph *g = graph_generate(&gen);

	assert_non_null(g);
	return g;
}

/* a load with an end, so that whatever is left over is found there */
static void load(const struct mcfab_graph *g, const char *policy, struct mcfab_fabric_cfg *fc,
		 struct mcfab_run_cfg *rc)
{
	mcfab_fabric_defaults_irregular(fc);
	strcpy(fc->name, "sixteen");
	strcpy(fc->topology, "irregular");
	fc->graph = g;
	fc->startup = 100;
	mcfab_run_defaults(rc);
	strcpy(rc->policy, policy);
	rc->flits = 128;
	rc->mtu = 64;
	rc->workload.kind = MCFAB_WORKLOAD_TYPE_POISSON;
	rc->workload.rate = 400000;
	rc->workload.count = 12;
	rc->workload.dests = 7;
	rc->warmup = 0;
	rc->batch_cycles = 100000;
	rc->precision_ppm = 0;
}

/* each link and each switch of 16 in turn */
static void test_each(void **state)
{
	static const char *const policies[] = {
		"unicast", "binomial", "kbinomial", "ssr", "multidrop", "bitstring",
	};
	struct mcfab_graph *g = sixteen();
	u32 links = g->links, hosts = g->hosts, i, runs = 0;
	u64 cut_worms = 0;

	for (i = 0; i < links + hosts + g->switches; i++) {
		struct capture seen = { 0 };
		struct mcfab_fabric_cfg fc;
		struct mcfab_run_cfg rc;
		struct outcome end;
		const char *wrong;

		load(g, policies[i % ARRAY_SIZE(policies)], &fc, &rc);
		rc.nfaults = 2;
		rc.fault[0].cycle = 9000;
		rc.fault[0].port = MCFAB_NONE;
		if (i < links) {
			rc.fault[0].sw = g->link[i].a;
			rc.fault[0].port = g->link[i].port_a;
		} else if (i < links + hosts) {
			rc.fault[0].sw = g->host[i - links].at;
			rc.fault[0].port = g->host[i - links].port;
		} else {
			rc.fault[0].sw = i - links - hosts;
		}
		rc.fault[1] = rc.fault[0];
		rc.fault[1].cycle = 16000;
		rc.fault[1].up = true;
		capture = &seen;
		run_engine(&fc, &rc, false, &end);
		capture = NULL;
		wrong = account(&seen, &end, &rc, true);
		if (wrong || end.state != MCFAB_RUN_STATUS_DONE)
			fail_msg("switch %u port %d: %s, state %u: %s", rc.fault[0].sw,
				 (int)rc.fault[0].port, wrong, end.state, end.progress.why);
		cut_worms += end.progress.drops[MCFAB_DROP_ABORTED];
		capture_free(&seen);
		runs++;
	}
	printf("# %u runs, %llu worms aborted\n", runs, (unsigned long long)cut_worms);
	assert_true(cut_worms > runs);
	free(g);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_each),
	};

	mcfab_policy_register(&test_tree);
	mcfab_policy_register(&test_shortest);
	mcfab_policy_register(&test_shortest_tree);
	mcfab_policy_register(&test_later);
	mcfab_policy_register(&test_later_tree);
	return run_tap(tests);
}
