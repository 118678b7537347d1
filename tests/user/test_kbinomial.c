// SPDX-License-Identifier: GPL-2.0
/*
 * Trees of unicasts: the policies binomial and kbinomial against Lemma 4, Theorem 3 and the
 * printed numbers of steps, with a simulation of the paper's steps.
 */
#include <stdlib.h>
#include "lib/shortest.h"
#include "lib/switches.h"
#include "routing/kbinomial.h"

#include "lib/tap.h"

#define NODES		64
#define PACKETS		16

/*
 * Steps until all have all packets. A node sends one packet in a step, to one child, and
 * each packet to all its children before the next one (fpfs). It can send a packet in the
 * step after the one in which it came.
 */
static u32 steps(const struct mcfab_plan *plan, u32 packets)
{
	/* [worm][packet] step in which it comes */
	static u32 came[NODES][PACKETS];
	u32 w, end, i, p, n, last = 0;

	/* a sender's worms follow each other, after the worm that reaches it */
	for (w = 0; w < plan->nworms; w = end) {
		const u32 *have = plan->worm[w].after == MCFAB_NONE ? NULL :
				  came[plan->worm[w].after];
		u32 now = 0, children;

		for (end = w; end < plan->nworms; end++)
			if (plan->worm[end].after != plan->worm[w].after)
				break;
		children = end - w;
		for (n = 0; n < children * packets; n++) {
			p = n / children;
			i = w + n % children;
			now = max(now, have ? have[p] : 0) + 1;
			came[i][p] = now;
			last = max(last, now);
		}
	}
	return last;
}

/* everyone hears once, has at most k children, and the root has them in the order of the plan */
static u32 most_children(const struct mcfab_plan *plan, u32 source, u32 nodes)
{
	u32 *children = calloc(nodes, sizeof(u32)), *heard = calloc(nodes, sizeof(u32)), most = 0, i;

	for (i = 0; i < plan->nworms; i++) {
		const struct mcfab_plan_worm *worm = &plan->worm[i];

		assert_int_equal(worm->count, 1);
		assert_int_equal(heard[plan->dst[worm->first]]++, 0);
		if (worm->after == MCFAB_NONE)
			assert_int_equal(worm->sender, source);
		else
			assert_int_equal(worm->sender, plan->dst[plan->worm[worm->after].first]);
		most = max(most, ++children[worm->sender]);
	}
	assert_int_equal(heard[source], 0);
	free(children);
	free(heard);
	return most;
}

static void make(struct multicast *mc, u32 n)
{
	u32 dst[NODES], i;

	for (i = 1; i < n; i++)
		dst[i - 1] = i;
	multicast_plan(mc, 0, dst, n - 1);
	assert_int_equal(mc->plan.nworms, n - 1);
}

static void open_mesh(struct switches *s)
{
	static const u32 radix[] = { 8, 8 };

	switches_regular(s, "mesh", 2, radix, 0);
}

/* N(s, k) as Lemma 4 says it */
static u64 lemma4(u32 s, u32 k)
{
	u64 sum = 1;
	u32 i;

	if (s <= k)
		return 1ull << s;
	for (i = 1; i <= k; i++)
		sum += lemma4(s - i, k);
	return sum;
}

static void test_lemma(void **state)
{
	static u32 nodes[4096];
	u32 n, k, s, l1;

	for (k = 1; k <= 12; k++) {
		for (n = 2; n <= (k == 1 ? 20 : 4096); n += 1 + n / 7) {
			l1 = mcfab_kbinomial_steps(n, k, nodes);
			for (s = 0; s <= l1; s++)
				assert_int_equal(nodes[s], lemma4(s, k));
			assert_true(nodes[l1] >= n && nodes[l1 - 1] < n);
		}
	}
}

struct printed {
	const char *policy, *set;
	u32 n, packets, steps;
};

static void test_printed(void **state)
{
	/* Figs. 7(a), 7(b) and 8; the best of the two is found */
	static const struct printed printed[] = {
		{ "binomial", "", 4, 3, 6 },
		{ "kbinomial", "k=1", 4, 3, 5 },
		{ "kbinomial", "", 4, 3, 5 },
		{ "binomial", "", 8, 3, 9 },
		{ "kbinomial", "k=3", 8, 3, 9 },
		{ "binomial", "", 4, 1, 2 },
		{ "kbinomial", "", 16, 1, 4 },
	};
	struct multicast mc;
	struct switches s;
	u32 i;

	open_mesh(&s);
	for (i = 0; i < ARRAY_SIZE(printed); i++) {
		s.net.view.packets = printed[i].packets;
		multicast_init(&mc, &s.net, printed[i].policy, printed[i].set, NODES);
		make(&mc, printed[i].n);
		assert_int_equal(steps(&mc.plan, printed[i].packets), printed[i].steps);
		multicast_exit(&mc);
	}
	/* unknown packets: one */
	s.net.view.packets = 0;
	multicast_init(&mc, &s.net, "kbinomial", "", NODES);
	make(&mc, 8);
	assert_int_equal(steps(&mc.plan, 1), 3);
	multicast_exit(&mc);
	switches_exit(&s);
}

/* a tree's steps, by k and packets, of all trees on n nodes */
static void simulate(struct switches *s, u32 n, u32 steps_of[][PACKETS + 1], bool *assumed)
{
	u32 k, m, nodes[NODES];

	for (k = 1; k <= mcfab_kbinomial_most(n); k++) {
		struct multicast mc;
		char set[8];
		u32 root = 0, most, l1;

		snprintf(set, sizeof(set), "k=%u", k);
		multicast_init(&mc, &s->net, "kbinomial", set, NODES);
		make(&mc, n);
		most = most_children(&mc.plan, 0, NODES);
		assert_true(most <= k);
		while (root < mc.plan.nworms && mc.plan.worm[root].after == MCFAB_NONE)
			root++;
		l1 = mcfab_kbinomial_steps(n, k, nodes);
		assumed[k] = root == k;
		for (m = 1; m <= PACKETS; m++) {
			steps_of[k][m] = steps(&mc.plan, m);
			/* Theorem 2 where its assumptions hold: the root has k children */
			if (assumed[k])
				assert_int_equal(steps_of[k][m], l1 + (m - 1) * k);
			/* never more than that */
			assert_true(steps_of[k][m] <= l1 + (m - 1) * k);
		}
		assert_int_equal(steps_of[k][1], l1);
		multicast_exit(&mc);
	}
}

static void test_theorem(void **state)
{
	static u32 steps_of[8][PACKETS + 1];
	u32 n, m, k, cost, nodes[NODES], broken = 0;
	bool assumed[8];
	struct switches s;

	open_mesh(&s);
	for (n = 2; n <= NODES; n++) {
		simulate(&s, n, steps_of, assumed);
		for (m = 1; m <= PACKETS; m++) {
			u32 best = mcfab_kbinomial_best(n, m, nodes), least = UINT_MAX;

			for (k = 1; k <= mcfab_kbinomial_most(n); k++) {
				least = min(least, steps_of[k][m]);
				broken += !assumed[k];
			}
			assert_int_equal(steps_of[best][m], least);
			/* the smallest of several that cost as much by the theorem */
			cost = mcfab_kbinomial_steps(n, best, nodes) + (m - 1) * best;
			for (k = 1; k <= mcfab_kbinomial_most(n); k++) {
				u32 other = mcfab_kbinomial_steps(n, k, nodes) + (m - 1) * k;

				assert_true(k < best ? other > cost : other >= cost);
			}
		}
	}
	/* the assumption fails for some trees, else there was no need to simulate */
	assert_true(broken);
	switches_exit(&s);
}

/* The tree as section 4.3.4 has it, on nodes in a row: parents of the nodes @at + 1 .. */
static void build(u32 *parent, u32 at, u32 count, u32 k)
{
	u32 s = 0, rest = count, i, take;

	while (lemma4(s, k) < count)
		s++;
	for (i = 1; rest > 1; i++) {
		take = min_t(u64, lemma4(s - i, k), rest - 1);
		rest -= take;
		parent[at + rest] = at;
		build(parent, at + rest, take, k);
	}
}

/* On one switch the row is the source and then all others in ascending order. */
static void test_trees(void **state)
{
	struct mcfab_graph *g = graph_new(1, NODES, 0);
	u32 parent[NODES], k, n, i;
	struct multicast mc;
	struct switches s;
	char set[8];

	g->sw[0].ports = NODES;
	for (i = 0; i < NODES; i++)
		g->host[i].port = i;
	switches_graph(&s, g, 0);
	for (k = 1; k <= mcfab_kbinomial_most(NODES); k++) {
		snprintf(set, sizeof(set), "k=%u", k);
		multicast_init(&mc, &s.net, "kbinomial", set, NODES);
		for (n = 2; n <= NODES; n++) {
			make(&mc, n);
			build(parent, 0, n, k);
			for (i = 0; i < mc.plan.nworms; i++)
				assert_int_equal(mc.plan.worm[i].sender,
						 parent[mc.plan.dst[mc.plan.worm[i].first]]);
		}
		multicast_exit(&mc);
	}
	switches_exit(&s);
}

static void test_forwarding(void **state)
{
	static const struct {
		const char *policy, *set;
		enum mcfab_forward forward;
	} cases[] = {
		{ "kbinomial", "", MCFAB_FORWARD_FPFS },
		{ "kbinomial", "forwarding=fpfs", MCFAB_FORWARD_FPFS },
		{ "kbinomial", "forwarding=fcfs", MCFAB_FORWARD_FCFS },
	};
	struct mcfab_policy pol;
	struct mcfab_err err;
	struct switches s;
	u32 i;

	open_mesh(&s);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(net_policy(&s.net, &pol, cases[i].policy, cases[i].set, &err), 0);
		assert_int_equal(pol.ops->forward(pol.priv), cases[i].forward);
		mcfab_policy_close(&pol);
	}
	/* hosts send on */
	assert_int_equal(net_policy(&s.net, &pol, "binomial", "", &err), 0);
	assert_null(pol.ops->forward);
	mcfab_policy_close(&pol);
	assert_int_equal(net_policy(&s.net, &pol, "kbinomial", "k=7", &err), -ERANGE);
	assert_string_equal(err.msg, "k of 64 nodes is 1 to 6, or 0 for the best, not 7");
	assert_int_equal(net_policy(&s.net, &pol, "kbinomial", "k=21", &err), -ERANGE);
	assert_int_equal(net_policy(&s.net, &pol, "kbinomial", "forwarding=lifo", &err), -EINVAL);
	switches_exit(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lemma),
		cmocka_unit_test(test_printed),
		cmocka_unit_test(test_theorem),
		cmocka_unit_test(test_trees),
		cmocka_unit_test(test_forwarding),
	};

	return run_tap(tests);
}
