// SPDX-License-Identifier: GPL-2.0
/*
 * Worms by events against flit by flit, with buffers of whole packets or of any size: where
 * "advance worm" is not refused it makes the same deliveries in the same cycles, of the same
 * parts, at the same cost, ends in the same way, and counts the same flits on every channel,
 * for any number of shards and threads.
 *
 * MCFAB_CASE=N runs one case, MCFAB_ROUNDS=N that many, MCFAB_FIRST=N from there on.
 */
#include <stdio.h>
#include <stdlib.h>
#include "fabric/runner.h"
#include "engine/engine.h"
#include "engine/flight/flight.h"
#include "lib/capture.h"
#include "lib/net.h"
#include "lib/random_case.h"
#include "lib/random_hosts.h"
#include "lib/runner.h"
#include "lib/shortest.h"
#include "lib/tree.h"

#include "lib/tap.h"

static u64 multicasts, deliveries, contended, deadlocked, refused, varied;

/* runs of these numbers and above are as they were when they were found: all messages equally long */
#define FOUND	900000

/* how worms were moved */
enum way {
	WHOLE,		/* packets as a whole */
	PATHS,		/* by heads and tails, on paths */
	FLIGHTS,	/* ... where headers fly ahead */
	FLIGHTS_SCARCE,	/* ... with few consumption channels */
	TREES,		/* ... that branch */
	TOGETHER,	/* ... in lock-step */
	PATHS_TOGETHER,
	PATHS_SCARCE,	/* with few consumption channels */
	CRUISE,		/* while nothing is in the way, see test_cruise() */
	ROWS,		/* see test_rows() */
	HOPS,		/* see test_hops() */
	WAYS
};

static const char *const ways[WAYS] = {
	"whole packets", "paths", "headers that fly ahead",
	"headers that fly ahead to few consumption channels", "trees", "trees in lock-step", "paths in lock-step",
	"paths with few consumption channels", "paths while nothing is in the way",
	"rows of buffers", "hops of single flits",
};

static u64 went[WAYS];

static enum way way(const struct outcome *out)
{
	bool tree = out->policy & (MCFAB_POLICY_TREE | MCFAB_POLICY_COPIES);

	if (out->rules & MCFAB_ENG_WORM)
		return WHOLE;
	/* rows may have room for mode cruise, too */
	if (out->rules & MCFAB_ENG_ROWS)
		return ROWS;
	if (out->rules & MCFAB_ENG_HOPS)
		return HOPS;
	if (out->rules & MCFAB_ENG_CRUISE)
		return CRUISE;
	if (out->flights)
		return out->rules & MCFAB_ENG_SCARCE ? FLIGHTS_SCARCE : FLIGHTS;
	if (!(out->rules & MCFAB_ENG_TREES))
		return PATHS;
	if (out->rules & MCFAB_ENG_LOCKSTEP)
		return tree ? TOGETHER : PATHS_TOGETHER;
	return tree ? TREES : PATHS_SCARCE;
}

/* the first complete message from @i on */
static u32 complete(const struct capture *c, u32 i)
{
	while (i < c->nmsg && !c->msg[i].complete)
		i++;
	return i;
}

/* Deliveries before the last cycle: of a run that a dry pool ended, see below. */
static u32 before_end(struct capture *c, const struct outcome *end)
{
	u32 i, n = 0;

	for (i = 0; i < c->ndlv; i++)
		if (c->dlv[i].gen + c->dlv[i].tail < end->cycle)
			c->dlv[n++] = c->dlv[i];
	return n;
}

static const char *differ(struct capture *a, struct capture *b,
			  const struct outcome *ea, const struct outcome *eb)
{
	u32 i, k;

	if (ea->state != eb->state || ea->cycle != eb->cycle)
		return "the run ends otherwise";
	/*
	 * Who went without when a pool ran dry is a matter of threads. In the same cycle those
	 * may already have been there who did not.
	 */
	if (strstr(ea->progress.why, "ran out")) {
		a->ndlv = before_end(a, ea);
		b->ndlv = before_end(b, eb);
	} else if (ea->hash != eb->hash) {
		return "the hash differs";
	}
	for (i = 0; i < a->ndlv && i < b->ndlv; i++)
		if (memcmp(&a->dlv[i], &b->dlv[i], sizeof(*a->dlv)))
			return "a delivery differs";
	if (a->ndlv != b->ndlv)
		return "other deliveries were made";
	for (i = 0, k = 0;; i++, k++) {
		i = complete(a, i);
		k = complete(b, k);
		if (i == a->nmsg || k == b->nmsg)
			break;
		if (memcmp(&a->msg[i], &b->msg[k], sizeof(*a->msg)))
			return "a message's cost differs";
	}
	if (i < a->nmsg || k < b->nmsg)
		return "other messages are complete";
	if (ea->progress.flit_hops != eb->progress.flit_hops)
		return "flit-hops differ";
	if (ea->deadlock.worms != eb->deadlock.worms ||
	    memcmp(&ea->deadlock, &eb->deadlock, sizeof(ea->deadlock)))
		return "the deadlock differs";
	if (ea->channels != eb->channels)
		return "channels have carried other flits, or made headers wait otherwise";
	return NULL;
}

/* cycle after which headers do not fly ahead any more, as if somebody began to trace */
static u64 leave_at = U64_MAX;
static u64 left;

bool __real_mcfab_engine_boundary(struct mcfab_engine *e);
bool __wrap_mcfab_engine_boundary(struct mcfab_engine *e);

bool __wrap_mcfab_engine_boundary(struct mcfab_engine *e)
{
	if (e->mode->leave && e->cycle >= leave_at) {
		left++;
		mcfab_mode_leave(e);
	}
	return __real_mcfab_engine_boundary(e);
}

/* makes a random case one for a mode with rules of its own; NULL: none */
static void (*suit)(u64 *state, struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc);
/* worms that cruise: how many have landed, and taken off again */
static u64 landed, risen;

void __real_mcfab_cruise_leave(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm);
void __wrap_mcfab_cruise_leave(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm);

void __wrap_mcfab_cruise_leave(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm)
{
	landed++;
	__real_mcfab_cruise_leave(e, s, worm);
}

bool __real_mcfab_cruise_take_off(struct mcfab_engine *e, struct mcfab_shard *s,
				  struct mcfab_worm *w);
bool __wrap_mcfab_cruise_take_off(struct mcfab_engine *e, struct mcfab_shard *s,
				  struct mcfab_worm *w);

bool __wrap_mcfab_cruise_take_off(struct mcfab_engine *e, struct mcfab_shard *s,
				  struct mcfab_worm *w)
{
	bool takes_off = __real_mcfab_cruise_take_off(e, s, w);

	risen += takes_off;
	return takes_off;
}

/* a random case for @suit */
static u32 random_suited(u64 *state, struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc)
{
	u32 nodes;

	for (;;) {
		nodes = random_case(state, fc, rc);
		if (!strcmp(fc->topology, "mesh") || !strcmp(fc->topology, "torus") ||
		    !strcmp(fc->topology, "hypercube"))
			break;
		free((void *)fc->graph);
	}
	suit(state, fc, rc);
	/* rows of several words */
	if (suit == suit_rows && one_in(state, 24)) {
		strcpy(fc->topology, "mesh");
		fc->ndims = 1;
		fc->radix[0] = pick(state, 65, 260);
		strcpy(rc->policy, fc->consume || fc->input_speedup ? "unicast" : "dp");
		rc->nset = 0;
		return fc->radix[0];
	}
	return nodes;
}

/* flits by which packets are longer than is usual */
static u32 longer;

static const char *one(u64 number, bool verbose)
{
	u64 state = (number + 1) * 0x9fb21c651e98df25ull;
	struct mcfab_fabric_cfg fc;
	struct mcfab_run_cfg rc;
	struct capture flit = { 0 }, worm = { 0 };
	static struct outcome fend, wend;
	struct mcfab_msg_list *list;
	const char *wrong;
	bool fly = false, whole = false;
	u32 nodes, i;

	state = rng(&state);
	nodes = suit ? random_suited(&state, &fc, &rc) : random_case(&state, &fc, &rc);
	if (!suit && one_in(&state, 4))
		random_updown(&state, &fc, &rc, nodes);
	if (suit) {
		/* has its own rules */
	} else if (!longer && one_in(&state, 2)) {
		suit_trees(&state, &fc, &rc);
	} else if (longer || one_in(&state, 2)) {
		fly = suit_tails(&state, &fc, &rc);
	} else {
		suit_worms(&state, &fc, &rc);
		whole = true;
	}
	if (longer) {
		rc.flits += longer;
		rc.mtu = 0;
		fc.switching = MCFAB_SWITCHING_MODE_WORMHOLE;
		fc.link_arbitration = MCFAB_LINK_ARBITRATION_MODE_FLIT;
		fc.buffer_packets = 0;
	}
	if (!suit && !whole && number < FOUND && (!fly || number % 4 == 0))
		vary_lengths(state, &fc, &rc);
	varied += !!rc.workload.nlengths;
	fc.stall_limit = one_in(&state, 2) ? 50 : 50000;
	if (one_in(&state, 8))
		rc.max_cycles = pick(&state, 20, 400);
	list = list_random(&state, nodes, longer ? 10 : pick(&state, 1, 6 * nodes),
			   pick(&state, 1, 8),
			   one_in(&state, 2) ? 0 : pick(&state, 1, 200));
	rc.workload.list = list;
	if (verbose)
		print_config(&fc, &rc);

	rc.advance = MCFAB_ADVANCE_MODE_FLIT;
	capture = &flit;
	run_engine(&fc, &rc, false, &fend);
	rc.advance = MCFAB_ADVANCE_MODE_WORM;
	capture = &worm;
	fc.shards = fly || suit == suit_cruise ? 1 : pick(&state, 1, 7);
	runner_threads = one_in(&state, 8) ? 2 : 1;
	leave_at = one_in(&state, 2) ? pick(&state, 1, 200) : U64_MAX;
	run_engine(&fc, &rc, one_in(&state, 3), &wend);
	leave_at = U64_MAX;
	runner_threads = 1;
	capture = NULL;

	wrong = differ(&flit, &worm, &fend, &wend);
	if (wrong) {
		printf("# case %llu: %s (flit: state %u cycle %llu, %u deliveries; worm: %u, %llu, %u; %s)\n",
		       (unsigned long long)number, wrong, fend.state,
		       (unsigned long long)fend.cycle, flit.ndlv, wend.state,
		       (unsigned long long)wend.cycle, worm.ndlv, wend.progress.why);
		print_config(&fc, &rc);
	}
	multicasts += list->nmsgs;
	went[way(&wend)] += list->nmsgs;
	deliveries += flit.ndlv;
	deadlocked += fend.state == MCFAB_RUN_STATUS_DEADLOCKED;
	for (i = 0; i < flit.ndlv; i++)
		contended += !!flit.dlv[i].part[MCFAB_PART_BLOCKING];
	capture_free(&flit);
	capture_free(&worm);
	list_free(list);
	free((void *)fc.graph);
	return wrong;
}

/* runs that once differed, and that so many others had not found */
static const u64 found[] = { 900777, 2000600, 2006383, 2023417, 2029707 };

static void test_equal(void **state)
{
	const char *only = getenv("MCFAB_CASE"), *count = getenv("MCFAB_ROUNDS");
	const char *groups = getenv("MCFAB_GROUPS");
	u32 rounds = count ? atoi(count) : groups ? atoi(groups) / 200 : 2000;
	u64 first = getenv("MCFAB_FIRST") ? strtoull(getenv("MCFAB_FIRST"), NULL, 10) : 0;
	u32 wrong = 0, i;

	if (only) {
		assert_null(one(strtoull(only, NULL, 10), true));
		return;
	}
	for (i = 0; i < ARRAY_SIZE(found); i++)
		wrong += !!one(found[i], false);
	for (i = 0; i < rounds && wrong < 10; i++)
		wrong += !!one(first + i, false);
	printf("# %u runs, %llu multicasts, %llu deliveries, %llu held up; %llu runs deadlocked\n",
	       i, (unsigned long long)multicasts, (unsigned long long)deliveries,
	       (unsigned long long)contended, (unsigned long long)deadlocked);
	for (i = 0; i < CRUISE; i++)
		printf("#   %llu by %s\n", (unsigned long long)went[i], ways[i]);
	printf("#   in %llu runs headers flew ahead for a while only\n", (unsigned long long)left);
	printf("#   %llu runs had messages of several lengths\n", (unsigned long long)varied);
	assert_int_equal(wrong, 0);
	assert_true(rounds < 1000 || varied > rounds / 10);
	assert_true(rounds < 1000 || left > rounds / 100);
	for (i = 0; i < CRUISE; i++)
		assert_true(rounds < 1000 || went[i] > multicasts / 300);
	/* a comparison of quiet networks would be worth little */
	assert_true(contended > deliveries / 4);
}

/* six runs in 60,000, where flits that a node took did not use the turn of their input port */
static const u64 found_cruising[] = { 206792, 220633, 231535, 234751, 235541, 257719 };

/* Compare runs for which fn() makes a mode exact. Return: how many; 0: one that was asked for. */
static u32 compare_suited(void (*fn)(u64 *state, struct mcfab_fabric_cfg *fc,
				     struct mcfab_run_cfg *rc),
			  const u64 *known, u32 nknown)
{
	const char *only = getenv("MCFAB_CASE"), *count = getenv("MCFAB_ROUNDS");
	u32 rounds = count ? atoi(count) : 2000, wrong = 0, i;
	u64 first = getenv("MCFAB_FIRST") ? strtoull(getenv("MCFAB_FIRST"), NULL, 10) : 0;

	multicasts = 0;
	deadlocked = 0;
	left = 0;
	memset(went, 0, sizeof(went));
	suit = fn;
	if (only)
		assert_null(one(strtoull(only, NULL, 10), true));
	for (i = 0; !only && i < nknown; i++)
		wrong += !!one(known[i], false);
	for (i = 0; !only && i < rounds && wrong < 10; i++)
		wrong += !!one(first + i, false);
	suit = NULL;
	assert_int_equal(wrong, 0);
	return only ? 0 : rounds;
}

/* worms that are left alone while nothing is in their way, land before it, and take off again */
static void test_cruise(void **state)
{
	u32 rounds = compare_suited(suit_cruise, found_cruising, ARRAY_SIZE(found_cruising));

	printf("# %llu of %llu multicasts by %s; worms landed %llu times, and took off again %llu times\n",
	       (unsigned long long)went[CRUISE], (unsigned long long)multicasts, ways[CRUISE],
	       (unsigned long long)landed, (unsigned long long)risen);
	assert_true(!rounds || went[CRUISE] > multicasts / 2);
	assert_true(!rounds || (landed > rounds && risen > rounds / 2));
}

/* worms whose buffers are rows; some runs go on in mode cruise or path-flit */
static void test_rows(void **state)
{
	u32 rounds = compare_suited(suit_rows, NULL, 0);

	printf("# %llu of %llu multicasts by %s; %llu runs went on in another mode\n",
	       (unsigned long long)went[ROWS], (unsigned long long)multicasts, ways[ROWS],
	       (unsigned long long)left);
	assert_true(!rounds || went[ROWS] > multicasts / 3);
	assert_true(!rounds || left > rounds / 10);
}

/* packets of one flit, in FIFOs */
static void test_hops(void **state)
{
	u32 rounds = compare_suited(suit_hops, NULL, 0);

	printf("# %llu of %llu multicasts by %s; %llu runs deadlocked\n",
	       (unsigned long long)went[HOPS], (unsigned long long)multicasts, ways[HOPS],
	       (unsigned long long)deadlocked);
	assert_true(!rounds || went[HOPS] > multicasts / 2);
	assert_true(rounds < 1000 || deadlocked > rounds / 500);
}

/* packets whose events are more than one lap of a wheel away, which has 4096 cycles */
static void test_long(void **state)
{
	u64 paths = went[PATHS], flights = went[FLIGHTS], cruises = went[CRUISE];
	u32 wrong = 0, i;

	for (i = 0; i < 40; i++) {
		longer = 4000 + 131 * i;
		wrong += !!one(i, false);
	}
	suit = suit_cruise;
	for (i = 0; i < 20; i++) {
		longer = 4000 + 131 * i;
		wrong += !!one(i, false);
	}
	suit = NULL;
	longer = 0;
	printf("# %llu multicasts by %s, %llu by %s, %llu by %s\n",
	       (unsigned long long)(went[PATHS] - paths), ways[PATHS],
	       (unsigned long long)(went[FLIGHTS] - flights), ways[FLIGHTS],
	       (unsigned long long)(went[CRUISE] - cruises), ways[CRUISE]);
	assert_int_equal(wrong, 0);
	assert_true(went[PATHS] > paths && went[FLIGHTS] > flights && went[CRUISE] > cruises);
}

/* what is not exact is refused, with the reason; auto goes flit by flit then */
static void test_refused(void **state)
{
	static const struct {
		const char *why;
		u32 vcs, buffer, switching, arbitration, release, speedup, credit, lockstep;
		u32 flits, mtu, headers, consume, link;
	} cases[] = {
		{ "saf", 1, 8, MCFAB_SWITCHING_MODE_STORE_AND_FORWARD, 1, 1, 0, 0, 0, 8, 0, 0, 0,
		  1 },
		{ "headers on", 1, 64, MCFAB_SWITCHING_MODE_CUT_THROUGH, 1, 1, 0, 0, 0, 8, 0, 1, 0,
		  1 },
		{ "mtu", 2, 8, MCFAB_SWITCHING_MODE_CUT_THROUGH, 2, 1, 0, 0, 0, 8, 3, 0, 0, 1 },
		{ "input-speedup", 2, 8, MCFAB_SWITCHING_MODE_CUT_THROUGH, 2, 1, 1, 0, 0, 8, 0, 0,
		  0, 1 },
		{ "credit-delay", 1, 8, MCFAB_SWITCHING_MODE_CUT_THROUGH, 1, 2, 0, 2, 0, 8, 0, 0, 0,
		  1 },
		{ "link-arbitration flit", 2, 8, MCFAB_SWITCHING_MODE_CUT_THROUGH, 1, 1, 0, 0, 0, 8,
		  0, 0, 0, 1 },
		{ "link-delay", 1, 7, MCFAB_SWITCHING_MODE_WORMHOLE, 1, 1, 0, 0, 0, 8, 0, 0, 0, 8 },
		{ "its header's way", 1, 8, MCFAB_SWITCHING_MODE_WORMHOLE, 1, 2, 0, 0, 0, 1, 0, 0,
		  0, 1 },
		{ "whole packets", 1, 12, MCFAB_SWITCHING_MODE_CUT_THROUGH, 1, 2, 0, 0, 0, 8, 0, 0,
		  0, 1 },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct mcfab_fabric_cfg fc;
		struct mcfab_run_cfg rc;
		struct mcfab_err err = { 0 };
		struct outcome out;
		struct mcfab_fabric *f;

		mcfab_fabric_defaults(&fc);
		strcpy(fc.name, "f");
		strcpy(fc.topology, "mesh");
		fc.ndims = 2;
		fc.radix[0] = 4;
		fc.radix[1] = 4;
		fc.vcs = cases[i].vcs;
		fc.buffer = cases[i].buffer;
		fc.switching = cases[i].switching;
		fc.link_arbitration = cases[i].arbitration;
		fc.vc_release = cases[i].release;
		fc.input_speedup = cases[i].speedup;
		fc.credit_delay = cases[i].credit;
		fc.consume = cases[i].consume;
		fc.link_delay = cases[i].link;
		if (cases[i].lockstep)
			fc.replication = MCFAB_REPLICATION_MODE_LOCKSTEP;
		mcfab_run_defaults(&rc);
		strcpy(rc.policy, "dp");
		rc.flits = cases[i].flits;
		rc.mtu = cases[i].mtu;
		rc.headers = cases[i].headers;
		rc.workload.dests = 5;
		rc.advance = MCFAB_ADVANCE_MODE_WORM;
		f = mcfab_fabric_create(&fc, &err);
		assert_false(IS_ERR(f));
		assert_int_equal(mcfab_run_start(f, &rc, &err), -EOPNOTSUPP);
		assert_non_null(strstr(err.msg, cases[i].why));
		refused++;
		mcfab_fabric_destroy(f);
		rc.advance = MCFAB_ADVANCE_MODE_AUTO;
		run_engine(&fc, &rc, true, &out);
		assert_int_equal(out.state, MCFAB_RUN_STATUS_DONE);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equal),
		cmocka_unit_test(test_cruise),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_hops),
		cmocka_unit_test(test_long),
		cmocka_unit_test(test_refused),
	};

	mcfab_policy_register(&test_tree);
	mcfab_policy_register(&test_shortest);
	mcfab_policy_register(&test_shortest_tree);
	return run_tap(tests);
}
