// SPDX-License-Identifier: GPL-2.0
/*
 * Proofs that nothing can deadlock: every policy with the least that it accepts, the classic
 * deadlocks, and random fabrics: crowds of messages never deadlock where that was proved.
 *
 * MCFAB_FABRICS: random fabrics (default 2000)
 * MCFAB_FIRST: number of the first of them (default 0)
 */
#include <stdlib.h>

#include "lib/capture.h"
#include "lib/cycle.h"
#include "lib/net.h"
#include "lib/prove.h"
#include "lib/random_case.h"
#include "lib/runner.h"
#include "lib/shortest.h"
#include "lib/tree.h"
#include "lib/verify_policies.h"

#include "lib/tap.h"

static struct mcfab_fabric_cfg fc;
static struct mcfab_run_cfg rc;

static void network(const char *topology, u32 x, u32 y, const char *policy, const char *set)
{
	mcfab_fabric_defaults(&fc);
	strcpy(fc.name, "f");
	strcpy(fc.topology, topology);
	fc.ndims = y ? 2 : 1;
	fc.radix[0] = x;
	fc.radix[1] = y;
	mcfab_run_defaults(&rc);
	strcpy(rc.policy, policy);
	set_params(&rc, set);
}

static void expect(bool proved, enum mcfab_verify_scope scope)
{
	struct proof p;

	prove(&fc, &rc, 0, 1000, &p);
	if (p.ret) {
		print_config(&fc, &rc);
		fail_msg("%d: %s", p.ret, p.why);
	}
	if (p.v.free != proved || p.scope != scope) {
		print_config(&fc, &rc);
		fail_msg("%s, scope %u, %u waits", p.v.free ? "proved" : "a cycle", p.scope,
			 p.v.length);
	}
}

/* the least VCs, and buffers of a flit, with which a policy is accepted without being allowed to
 * deadlock
 */
static void test_shipped(void **state)
{
	static const struct {
		const char *topology;
		u32 x;
		u32 y;
		u32 vcs;
		const char *policy;
		const char *set;
		enum mcfab_verify_scope scope;
	} least[] = {
		{ "mesh", 6, 5, 1, "dp", "", MCFAB_VERIFY_SCOPE_TURNS },
		{ "mesh", 6, 5, 1, "ld", "", MCFAB_VERIFY_SCOPE_TURNS },
		{ "mesh", 6, 5, 1, "mp", "", MCFAB_VERIFY_SCOPE_TURNS },
		{ "mesh", 6, 5, 1, "cp", "", MCFAB_VERIFY_SCOPE_TURNS },
		{ "mesh", 6, 5, 1, "unicast", "", MCFAB_VERIFY_SCOPE_TURNS },
		{ "mesh", 6, 5, 1, "qg", "", MCFAB_VERIFY_SCOPE_TURNS },
		{ "mesh", 6, 5, 1, "qg", "cover=label", MCFAB_VERIFY_SCOPE_TURNS },
		{ "mesh", 6, 5, 1, "qg", "cover=multipath", MCFAB_VERIFY_SCOPE_TURNS },
		{ "mesh", 6, 5, 1, "qg", "routing=west-first", MCFAB_VERIFY_SCOPE_TURNS },
		{ "mesh", 6, 5, 1, "qg", "routing=negative-first", MCFAB_VERIFY_SCOPE_TURNS },
		{ "torus", 6, 5, 1, "dp", "", MCFAB_VERIFY_SCOPE_TURNS },
		{ "torus", 6, 5, 1, "dp", "wrap=off", MCFAB_VERIFY_SCOPE_TURNS },
		{ "torus", 6, 5, 2, "unicast", "", MCFAB_VERIFY_SCOPE_SINGLE },
		{ "torus", 6, 5, 2, "unicast", "ties=positive dateline=at-crossing",
		  MCFAB_VERIFY_SCOPE_TURNS },
		{ "torus", 6, 5, 2, "unicast", "ties=positive", MCFAB_VERIFY_SCOPE_SINGLE },
		{ "torus", 6, 5, 2, "unicast", "ties=drawn", MCFAB_VERIFY_SCOPE_TURNS },
		{ "torus", 6, 5, 2, "unicast", "ties=drawn dateline=at-crossing",
		  MCFAB_VERIFY_SCOPE_TURNS },
		{ "torus", 5, 6, 2, "hcm-uniform", "", MCFAB_VERIFY_SCOPE_TURNS },
		{ "torus", 5, 6, 2, "hcm-fixed", "", MCFAB_VERIFY_SCOPE_TURNS },
		{ "torus", 5, 6, 2, "hcm-multipath", "", MCFAB_VERIFY_SCOPE_TURNS },
		{ "torus", 5, 6, 2, "rg", "", MCFAB_VERIFY_SCOPE_TURNS },
		{ "torus", 5, 6, 2, "t2w", "", MCFAB_VERIFY_SCOPE_TURNS },
		{ "torus", 6, 5, 2, "ttpm", "", MCFAB_VERIFY_SCOPE_TURNS },
		{ "torus", 6, 5, 2, "gttpm", "", MCFAB_VERIFY_SCOPE_TURNS },
		{ "star", 4, 0, 1, "dp", "", MCFAB_VERIFY_SCOPE_TURNS },
		{ "star", 4, 0, 2, "hcm-uniform", "", MCFAB_VERIFY_SCOPE_TURNS },
		{ "star", 4, 0, 2, "rg", "", MCFAB_VERIFY_SCOPE_TURNS },
		{ "star", 4, 0, 4, "unicast", "", MCFAB_VERIFY_SCOPE_SINGLE },
		{ "hypercube", 4, 0, 1, "dp", "", MCFAB_VERIFY_SCOPE_TURNS },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(least); i++) {
		network(least[i].topology, least[i].x, least[i].y, least[i].policy, least[i].set);
		fc.vcs = least[i].vcs;
		expect(true, least[i].scope);
	}
	/* buffers of a packet */
	for (i = 4; i <= 7; i++) {
		network("torus", 6, i, "tasnem", "");
		fc.vcs = 2;
		fc.buffer = rc.flits;
		expect(true, MCFAB_VERIFY_SCOPE_TURNS);
		strcpy(rc.policy, "torus-tree");
		expect(true, MCFAB_VERIFY_SCOPE_TURNS);
		fc.ndims = 4;
		fc.radix[0] = 2;
		fc.radix[2] = 3;
		fc.radix[3] = 2;
		expect(true, MCFAB_VERIFY_SCOPE_TURNS);
	}
	/* in lock-step, too: all decisions of a header occur with so few destinations */
	for (i = 3; i <= 5; i++) {
		struct proof p;

		network("torus", i, 8 - i, "tasnem", "");
		fc.vcs = 2;
		fc.buffer = rc.flits;
		fc.replication = MCFAB_REPLICATION_MODE_LOCKSTEP;
		prove(&fc, &rc, 4, 0, &p);
		assert_true(!p.ret && p.v.free && p.scope == MCFAB_VERIFY_SCOPE_SETS);
	}
	for (i = 0; i < 2; i++) {
		network("mesh", 5, 4, i ? "xy-union" : "xy-unicast", "");
		fc.switching = MCFAB_SWITCHING_MODE_CUT_THROUGH;
		fc.buffer = rc.flits;
		expect(true, MCFAB_VERIFY_SCOPE_TABLES);
	}
}

static void test_updown(void **state)
{
	static const char *const policies[] = {
		"unicast", "binomial", "kbinomial", "multidrop", "ssr", "bitstring"
	};
	u64 rng = 7;
	u32 i, k;

	for (i = 0; i < 20; i++) {
		struct mcfab_graph *g = graph_random(&rng, 8);

		for (k = 0; k < ARRAY_SIZE(policies); k++) {
			network("irregular", 0, 0, policies[k], "");
			mcfab_fabric_defaults_irregular(&fc);
			strcpy(fc.name, "f");
			strcpy(fc.topology, "irregular");
			fc.graph = g;
			fc.buffer = rc.flits;
			if (g->hosts > 1)
				expect(true, MCFAB_VERIFY_SCOPE_TURNS);
		}
		free(g);
	}
}

/* the fewest messages of a crowd that deadlock do so again, by themselves, and none of them less */
static void check_witness(struct mcfab_msg_list *list)
{
	struct outcome out;

	rc.workload.kind = MCFAB_WORKLOAD_TYPE_FILE;
	rc.workload.list = list;
	fc.stall_limit = 2000;
	run_engine(&fc, &rc, false, &out);
	assert_int_equal(out.state, MCFAB_RUN_STATUS_DEADLOCKED);
	assert_true(out.deadlock.nwaits >= 1);
	/* without the last one they do not */
	if (list->nmsgs > 1) {
		list->nmsgs--;
		list->ndst = list->first[list->nmsgs];
		run_engine(&fc, &rc, false, &out);
		assert_int_equal(out.state, MCFAB_RUN_STATUS_DONE);
	}
}

/* a cycle, and messages that deadlock */
static void expect_deadlock(enum mcfab_verify_scope scope)
{
	struct mcfab_msg_list *list = NULL;
	struct proof p;

	expect(false, scope);
	prove(&fc, &rc, 0, 1000, &p);
	if (!find_deadlock(&fc, &rc, &p, 60, &list)) {
		print_config(&fc, &rc);
		fail_msg("no crowd deadlocks");
	}
	printf("# %s on %s: %u messages\n", rc.policy, fc.topology, list->nmsgs);
	check_witness(list);
	list_free(list);
}

/* what the literature knows to deadlock */
static void test_classics(void **state)
{
	struct mcfab_graph *g;

	network("mesh", 4, 4, "dp", "");
	fc.consume = 1;
	expect_deadlock(MCFAB_VERIFY_SCOPE_SAMPLES);
	fc.buffer = rc.flits;
	expect(true, MCFAB_VERIFY_SCOPE_TURNS);
	fc.buffer = rc.flits - 1;
	expect_deadlock(MCFAB_VERIFY_SCOPE_SAMPLES);
	fc.consume = 4;
	expect(true, MCFAB_VERIFY_SCOPE_TURNS);

	network("mesh", 4, 4, "cp", "");
	fc.consume = 1;
	expect_deadlock(MCFAB_VERIFY_SCOPE_SAMPLES);

	network("mesh", 4, 4, "qg", "cover=chain allow-deadlock=on");
	expect_deadlock(MCFAB_VERIFY_SCOPE_SAMPLES);

	network("torus", 4, 4, "tasnem", "allow-deadlock=on");
	fc.vcs = 2;
	fc.replication = MCFAB_REPLICATION_MODE_LOCKSTEP;
	expect_deadlock(MCFAB_VERIFY_SCOPE_SAMPLES);
	fc.buffer = rc.flits - 1;
	expect_deadlock(MCFAB_VERIFY_SCOPE_SAMPLES);
	fc.replication = MCFAB_REPLICATION_MODE_ASYNC;
	expect_deadlock(MCFAB_VERIFY_SCOPE_SAMPLES);

	fc.replication = MCFAB_REPLICATION_MODE_LOCKSTEP;
	fc.buffer = rc.flits;
	fc.consume = 1;
	expect_deadlock(MCFAB_VERIFY_SCOPE_SAMPLES);

	network("torus", 4, 4, "torus-tree", "allow-deadlock=on");
	fc.vcs = 2;
	expect_deadlock(MCFAB_VERIFY_SCOPE_SAMPLES);
	fc.buffer = rc.flits;
	fc.replication = MCFAB_REPLICATION_MODE_LOCKSTEP;
	expect_deadlock(MCFAB_VERIFY_SCOPE_SAMPLES);

	network("ring", 8, 0, "test-merged", "");
	expect_deadlock(MCFAB_VERIFY_SCOPE_SINGLE);
	network("torus", 4, 5, "test-merged", "");
	fc.vcs = 2;
	expect_deadlock(MCFAB_VERIFY_SCOPE_SINGLE);
	network("star", 4, 0, "test-star-merged", "");
	expect_deadlock(MCFAB_VERIFY_SCOPE_SINGLE);
	network("mesh", 4, 4, "test-adaptive", "");
	expect_deadlock(MCFAB_VERIFY_SCOPE_SINGLE);

	network("irregular", 0, 0, "test-ugal", "");
	fc.ndims = 0;
	g = dragonfly();
	fc.graph = g;
	fc.vcs = 3;
	expect_deadlock(MCFAB_VERIFY_SCOPE_SINGLE);
	strcpy(rc.policy, "test-ugal-hops");
	fc.vcs = 6;
	expect(true, MCFAB_VERIFY_SCOPE_SINGLE);
	free(g);

	network("mesh", 4, 4, "test-tree", "");
	fc.replication = MCFAB_REPLICATION_MODE_LOCKSTEP;
	expect_deadlock(MCFAB_VERIFY_SCOPE_SAMPLES);
	fc.replication = MCFAB_REPLICATION_MODE_ASYNC;
	fc.buffer = rc.flits;
	expect(true, MCFAB_VERIFY_SCOPE_SAMPLES);
}

static void deadlocks_not(struct mcfab_msg_list *list, u32 nr)
{
	struct outcome out;

	rc.workload.list = list;
	run_engine(&fc, &rc, false, &out);
	if (out.state == MCFAB_RUN_STATUS_DEADLOCKED) {
		print_config(&fc, &rc);
		fail_msg("fabric number %u was proved, and deadlocks", nr);
	}
}

/* crowds in which most fabrics that can deadlock do */
static bool crowd(u64 *rng, u32 nodes, u32 nr, u32 most, bool proved)
{
	struct mcfab_msg_list *list = list_random(rng, nodes, 300, most, 50);
	struct outcome out = {};

	fc.stall_limit = 2000;
	if (proved) {
		deadlocks_not(list, nr);
	} else {
		rc.workload.list = list;
		run_engine(&fc, &rc, false, &out);
	}
	list_free(list);
	return out.state == MCFAB_RUN_STATUS_DEADLOCKED;
}

/* @switches in a line, with two hosts each, whose interfaces send on */
static struct mcfab_graph *relays(u32 switches, u32 memory)
{
	struct mcfab_graph *g = graph_new(switches, 2 * switches, switches - 1);
	u32 i;

	for (i = 0; i < switches; i++)
		g->sw[i].ports = 4;
	for (i = 0; i < 2 * switches; i++) {
		g->host[i].at = i / 2;
		g->host[i].port = 2 + i % 2;
	}
	for (i = 0; i + 1 < switches; i++)
		g->link[i] = (struct mcfab_graph_link){ .a = i, .port_a = 1, .b = i + 1 };
	network("irregular", 0, 0, "kbinomial", "");
	mcfab_fabric_defaults_irregular(&fc);
	strcpy(fc.name, "f");
	strcpy(fc.topology, "irregular");
	fc.graph = g;
	fc.startup = 5;
	fc.host_receive = 5;
	fc.ni_send = 2;
	fc.ni_receive = 2;
	fc.buffer = 4;
	fc.ni_memory = memory;
	rc.mtu = rc.flits / 4;
	rc.workload.kind = MCFAB_WORKLOAD_TYPE_FILE;
	return g;
}

/*
 * Network interfaces that wait for room in each other: packets in the memory of each are to go on to
 * the other.
 */
static void test_memory(void **state)
{
	struct mcfab_graph *g;
	u32 memory;

	for (memory = 1; memory <= 3; memory++) {
		g = relays(3, memory);
		expect_deadlock(MCFAB_VERIFY_SCOPE_SINGLE);
		free(g);
	}
	g = relays(3, 0);
	expect(true, MCFAB_VERIFY_SCOPE_TURNS);
	free(g);
	/* what only its host gets needs no room */
	g = relays(3, 1);
	strcpy(rc.policy, "binomial");
	expect(true, MCFAB_VERIFY_SCOPE_TURNS);
	free(g);
}

/* the same on random networks: what is proved does not deadlock */
static void test_memory_sound(void **state)
{
	u32 cases = env_thorough() ? 1000 : 100, i, proved = 0, found = 0;
	struct proof p;
	u64 rng = 11;

	for (i = 0; i < cases; i++) {
		struct mcfab_graph *g;

		free(relays(2, one_in(&rng, 4) ? 0 : pick(&rng, 1, 3)));
		g = graph_random(&rng, 6);
		fc.graph = g;
		fc.buffer = pick(&rng, 1, 2 * rc.flits);
		rc.mtu = one_in(&rng, 2) ? pick(&rng, 8, rc.flits) : 0;
		if (g->hosts > 2) {
			prove(&fc, &rc, 0, 100, &p);
			proved += p.v.free;
			found += crowd(&rng, g->hosts, i, g->hosts - 1, p.v.free);
		}
		free(g);
	}
	printf("# %u networks: %u proved, %u deadlocked\n", cases, proved, found);
	assert_true(proved > cases / 10 && found > cases / 20);
}

/* cycles from which there is always a way out */
static void test_escape_channels(void **state)
{
	struct proof p;
	u32 vcs;

	for (vcs = 2; vcs <= 4; vcs++) {
		network("mesh", 4, 5, "test-escape", "");
		fc.vcs = vcs;
		prove(&fc, &rc, 0, 0, &p);
		assert_true(p.v.free && !p.v.acyclic);
	}
}

/* policies that declare what their worms do not keep to are found out */
static void test_lies(void **state)
{
	struct proof p;

	network("mesh", 4, 4, "test-liar", "");
	prove(&fc, &rc, 0, 100, &p);
	assert_int_equal(p.ret, -EINVAL);
	assert_string_equal(p.why, "a worm turns as the policy says that none does");
	network("mesh", 4, 4, "test-not-single", "");
	prove(&fc, &rc, 0, 100, &p);
	assert_int_equal(p.ret, -EINVAL);
	assert_string_equal(p.why, "worms differ from plans for one destination");
}

static u32 number_of(const char *name, u32 usual)
{
	const char *text = getenv(name);

	return text ? strtoul(text, NULL, 10) : usual;
}

static void test_sound(void **state)
{
	u32 first = number_of("MCFAB_FIRST", 0), cases = number_of("MCFAB_FABRICS", env_thorough() ? 2000 : 300);
	u32 i, proved = 0, open = 0, found = 0, nodes, most;
	struct proof p;
	u64 rng;

	for (i = first; i < first + cases; i++) {
		rng = i;
		nodes = random_case(&rng, &fc, &rc);
		if (nodes > 1) {
			prove(&fc, &rc, 0, 200, &p);
			proved += p.v.free;
			open += !p.v.free;
			/* where not all sets were looked at, those of two were */
			most = p.v.free && p.scope == MCFAB_VERIFY_SCOPE_SAMPLES ? 2 :
			       i & 1 ? 3 : 10;
			found += crowd(&rng, nodes, i, most, p.v.free);
		}
		free((void *)fc.graph);
	}
	printf("# fabrics from number %u on: %u proved, %u with a cycle, of which %u deadlocked\n",
	       first, proved, open, found);
	/* too few cases may have no deadlock */
	if (cases >= 200)
		assert_true(proved > cases / 4 && found > cases / 50);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shipped),
		cmocka_unit_test(test_updown),
		cmocka_unit_test(test_classics),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_memory_sound),
		cmocka_unit_test(test_escape_channels),
		cmocka_unit_test(test_lies),
		cmocka_unit_test(test_sound),
	};

	mcfab_policy_register(&test_tree);
	mcfab_policy_register(&test_merged);
	mcfab_policy_register(&test_star_merged);
	mcfab_policy_register(&test_ugal);
	mcfab_policy_register(&test_ugal_hops);
	mcfab_policy_register(&test_escape);
	mcfab_policy_register(&test_adaptive);
	mcfab_policy_register(&test_liar);
	mcfab_policy_register(&test_not_single);
	mcfab_policy_register(&test_shortest);
	mcfab_policy_register(&test_shortest_tree);
	return run_tap(tests);
}
