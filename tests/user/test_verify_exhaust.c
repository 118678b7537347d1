// SPDX-License-Identifier: GPL-2.0
/*
 * Tiny fabrics that verify proves free of deadlock, in the slow simulator: any two messages, whatever
 * their sources and their destinations (up to two, or all other nodes), whatever the time between
 * them, and many random sets of three to six messages. None deadlocks. The same is done where
 * nothing was proved, and there some do.
 *
 * MCFAB_FABRICS: fabrics (default one for each 25000 of MCFAB_GROUPS)
 * MCFAB_FIRST: number of the first of them (default 0)
 * MCFAB_SETS: random sets of messages for each fabric (default one for 100 of MCFAB_GROUPS)
 * With fewer than 200000 of MCFAB_GROUPS (sanitizers), a twentieth of the pairs.
 */
#include <stdlib.h>

#include "lib/capture.h"
#include "lib/net.h"
#include "lib/prove.h"
#include "lib/random_case.h"
#include "lib/tree.h"
#include "lib/verify_policies.h"

#include "lib/tap.h"

#define NODES	6
/* cycles between two messages: a worm has gone its way in fewer */
#define APART	12
/* messages of a random set */
#define MOST	6

/* a message: its source and its destinations, a bit for each */
struct message {
	u32 source;
	u32 dst;
};

static struct mcfab_fabric_cfg fc;
static struct mcfab_run_cfg rc;
static struct mcfab_fabric *fabric;
static struct mcfab_policy policy;
static struct message message[NODES * (NODES * NODES)];
static u32 nmessages;
static u64 runs;

static void choose_network(u64 *rng)
{
	static const struct {
		const char *topology;
		u32 x;
		u32 y;
		u32 vcs;
		const char *policies[6];
	} nets[] = {
		{ "mesh", 2, 2, 1, { "dp", "mp", "cp", "qg", "unicast", "test-tree" } },
		{ "mesh", 3, 2, 1, { "dp", "mp", "cp", "qg", "unicast", "test-tree" } },
		{ "mesh", 4, 0, 1, { "dp", "cp", "qg", "unicast", "dp", "test-tree" } },
		{ "ring", 4, 0, 1, { "test-merged" } },
		{ "ring", 5, 0, 2, { "hcm-uniform", "hcm-fixed", "unicast", "test-merged" } },
		{ "torus", 3, 2, 2, { "hcm-uniform", "t2w", "unicast", "rg", "test-merged" } },
	};
	u32 i = rng_below(rng, ARRAY_SIZE(nets)), k;

	mcfab_fabric_defaults(&fc);
	strcpy(fc.name, "f");
	strcpy(fc.topology, nets[i].topology);
	fc.ndims = nets[i].y ? 2 : 1;
	fc.radix[0] = nets[i].x;
	fc.radix[1] = nets[i].y;
	fc.vcs = nets[i].vcs;
	mcfab_run_defaults(&rc);
	do {
		k = rng_below(rng, ARRAY_SIZE(nets[i].policies));
	} while (!nets[i].policies[k]);
	strcpy(rc.policy, nets[i].policies[k]);
}

static void choose_rules(u64 *rng)
{
	rc.flits = pick(rng, 1, 5);
	fc.buffer = pick(rng, 1, rc.flits);
	fc.startup = 0;
	fc.inject = pick(rng, 1, 2);
	fc.consume = one_in(rng, 3) ? 0 : pick(rng, 1, 2);
	if (one_in(rng, 3))
		fc.replication = MCFAB_REPLICATION_MODE_LOCKSTEP;
	if (one_in(rng, 3))
		fc.vc_release = MCFAB_VC_RELEASE_MODE_SENT;
	if (one_in(rng, 4)) {
		fc.switching = MCFAB_SWITCHING_MODE_CUT_THROUGH;
		fc.buffer = rc.flits;
	}
	rc.rounds = MCFAB_ROUNDS_MODE_INJECTED;
	rc.workload.kind = MCFAB_WORKLOAD_TYPE_FILE;
}

static void list_messages(u32 nodes)
{
	u32 source, set;

	nmessages = 0;
	for (source = 0; source < nodes; source++) {
		for (set = 1; set < BIT(nodes); set++) {
			if (set & BIT(source))
				continue;
			if (hweight32(set) > 2 && hweight32(set) != nodes - 1)
				continue;
			message[nmessages++] = (struct message) { source, set };
		}
	}
}

/* @order: [@n] numbers of messages, @at: [@n] their cycles, ascending */
static bool deadlocks(const u32 *order, const u64 *at, u32 n)
{
	struct mcfab_msg_list *list = list_new(n, n * NODES);
	struct slow_result out;
	u32 i, node, ndst = 0;
	bool stuck;

	for (i = 0; i < n; i++) {
		list->cycle[i] = at[i];
		list->source[i] = message[order[i]].source;
		list->first[i] = ndst;
		for (node = 0; node < NODES; node++)
			if (message[order[i]].dst & BIT(node))
				list->dst[ndst++] = node;
	}
	list->first[n] = ndst;
	list->ndst = ndst;
	rc.workload.list = list;
	slow_run(&fabric->cfg, &fabric->topo, &policy, &rc, &out);
	stuck = out.stuck;
	slow_free(&out);
	list_free(list);
	runs++;
	return stuck;
}

/* messages that deadlock; false: there are none */
static bool search(u64 *rng, u32 more, u32 stride)
{
	u64 at[MOST] = { 0 };
	u32 order[MOST], i, k, n;

	for (order[0] = 0; order[0] < nmessages; order[0]++)
		for (order[1] = order[0] % stride; order[1] < nmessages; order[1] += stride)
			for (at[1] = 0; at[1] < APART; at[1]++)
				if (deadlocks(order, at, 2))
					return true;
	for (i = 0; i < more; i++) {
		n = pick(rng, 3, MOST);
		for (k = 0; k < n; k++) {
			order[k] = rng_below(rng, nmessages);
			at[k] = k ? at[k - 1] + rng_below(rng, i % APART + 1) : 0;
		}
		if (deadlocks(order, at, n))
			return true;
	}
	return false;
}

static void open_fabric(void)
{
	struct mcfab_err err = { 0 };
	struct mcfab_view view;

	fabric = mcfab_fabric_create(&fc, &err);
	if (IS_ERR(fabric))
		fail_msg("fabric: %s", err.msg);
	view = fabric->view;
	view.load = true;
	if (mcfab_fabric_packets(fabric, rc.policy, rc.flits, 0, 0, &view, &err) ||
	    mcfab_policy_open(&policy, rc.policy, &view, rc.set, rc.nset, &err))
		fail_msg("policy %s: %s", rc.policy, err.msg);
}

static void test_exhaustive(void **state)
{
	u32 groups = env_number("MCFAB_GROUPS", 1000000), i, proved = 0, found = 0;
	u32 first = env_number("MCFAB_FIRST", 0);
	u32 cases = env_number("MCFAB_FABRICS", groups / 25000);
	u32 more = env_number("MCFAB_SETS", groups / 100);
	struct proof p;
	bool stuck;
	u64 rng;

	for (i = first; i < first + cases; i++) {
		rng = (i + 1) * 0xd1342543de82ef95ull;
		choose_network(&rng);
		choose_rules(&rng);
		prove(&fc, &rc, 0, 200, &p);
		if (p.ret)
			fail_msg("%s", p.why);
		open_fabric();
		list_messages(fabric->topo.nodes);
		stuck = search(&rng, more, env_thorough() ? 1 : 20);
		if (p.v.free && stuck) {
			print_config(&fabric->cfg, &rc);
			fail_msg("fabric number %u was proved, and deadlocks", i);
		}
		proved += p.v.free;
		found += stuck;
		mcfab_policy_close(&policy);
		mcfab_fabric_destroy(fabric);
	}
	printf("# fabrics from number %u on: %u proved, of the other %u %u deadlocked; %llu runs\n",
	       first, proved, cases - proved, found, (unsigned long long)runs);
	if (cases >= 20)
		assert_true(proved > cases / 4 && found > cases / 20);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exhaustive),
	};

	mcfab_policy_register(&test_tree);
	mcfab_policy_register(&test_merged);
	return run_tap(tests);
}
