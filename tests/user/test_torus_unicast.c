// SPDX-License-Identifier: GPL-2.0
/*
 * The rules of policy unicast on tori: "ties" and "dateline". Paths, virtual channels, how
 * evenly channels are loaded, what decisions promise for the routers ahead, and that no rule
 * deadlocks: channel dependencies of every pair of nodes, as the engine would route them.
 */
#include <stdio.h>

#include "lib/graph.h"
#include "lib/net.h"
#include "lib/tap.h"
#include "routing/routing.h"

static const struct rule {
	const char *set;
	enum mcfab_ties ties;
	bool by_crossing;
} rules[] = {
	{ "", MCFAB_TIES_BALANCED, true },
	{ "ties=balanced dateline=at-crossing", MCFAB_TIES_BALANCED, false },
	{ "ties=positive dateline=class-by-crossing", MCFAB_TIES_POSITIVE, true },
	{ "ties=positive dateline=at-crossing", MCFAB_TIES_POSITIVE, false },
	{ "ties=drawn", MCFAB_TIES_DRAWN, true },
	{ "ties=drawn dateline=at-crossing", MCFAB_TIES_DRAWN, false },
};

/* packets of a sender after which all ways between two nodes have been seen */
static u32 all_ways(const struct rule *rule, u32 ndims)
{
	return rule->ties == MCFAB_TIES_DRAWN ? 1 << ndims : 1;
}

static const u32 tori[][4] = {
	{ 2, 2, 2 }, { 2, 4, 4 }, { 2, 5, 6 }, { 2, 6, 5 }, { 2, 2, 7 }, { 2, 8, 8 }, { 2, 7, 7 },
	{ 2, 12, 3 }, { 3, 2, 3, 4 }, { 3, 4, 4, 4 }, { 3, 5, 3, 4 }, { 3, 6, 2, 5 },
};

struct way {
	u32 hops;
	u32 port[64];
	u32 vcs[64];
};

/* the turn from the channel by which a header came is one of those that the policy knows */
static void check_turn(const struct multicast *mc, const struct mcfab_header *hdr, u32 in_vcs,
		       const struct mcfab_branch *b)
{
	const struct mcfab_policy_ops *ops = mc->pol.ops;
	struct mcfab_turn turn = {
		.router = hdr->router, .in_port = hdr->in_port, .in_vc = __builtin_ctz(in_vcs),
		.out_port = b->port[0], .out_vc = __builtin_ctz(b->vcs[0]),
	};

	assert_true(ops->turn(&mc->pol.view, mc->pol.priv, &turn));
}

/* follow packet @serial from @from to @to, and hold decisions to what was promised */
static void follow(struct multicast *mc, u32 from, u32 to, u32 serial, struct way *way)
{
	const struct mcfab_topo *topo = mc->pol.view.topo;
	struct mcfab_header hdr = {
		.router = from, .in_port = MCFAB_PORT_ANY, .sender = from,
		.first_port = MCFAB_PORT_ANY, .serial = serial, .dst = &to, .last = 1,
		.arg = mc->pol.ops->unicast_arg(mc->pol.priv),
	};
	u32 run = 0, state = 0, peer;
	struct mcfab_decision out;

	for (way->hops = 0; hdr.router != to; way->hops++) {
		const struct mcfab_branch *b = out.branch;
		bool same;

		assert_true(way->hops < ARRAY_SIZE(way->port));
		out.straight = 0;
		out.ends = false;
		mc->pol.ops->route(&mc->pol.view, mc->pol.priv, &hdr, &out);
		assert_int_equal(out.nbranches, 1);
		assert_int_equal(b->node, MCFAB_NONE);
		assert_false(out.ends);
		if (way->hops)
			check_turn(mc, &hdr, way->vcs[way->hops - 1], b);
		way->port[way->hops] = b->port[0];
		way->vcs[way->hops] = b->vcs[0];
		same = way->hops && b->port[0] == way->port[way->hops - 1] &&
		       b->vcs[0] == way->vcs[way->hops - 1] && b->state == state;
		/* as long as the decision stays the same, and no longer */
		assert_int_equal(same, run > 0);
		if (run)
			assert_int_equal(out.straight, run - 1);
		run = out.straight;
		state = b->state;
		peer = topo->peer[mcfab_topo_channel(topo, hdr.router, b->port[0])];
		hdr.in_port = peer % topo->ports;
		hdr.router = peer / topo->ports;
		hdr.state = b->state;
	}
	assert_int_equal(run, 0);
}

/* ports in dimension order, and on each ring the virtual channels of the rule */
static void check_way(const struct net *net, const struct rule *rule, u32 from, u32 to,
		      const struct way *way)
{
	const struct mcfab_topo *topo = &net->topo;
	u32 p = mcfab_vcs_p(&net->view), q = mcfab_vcs_q(&net->view), at = from, i, k, end;

	assert_int_equal(way->hops, mcfab_distance(topo, from, to));
	for (i = 0; i < way->hops; i = end) {
		bool crosses = false, crossed = false;
		u32 ring = at;

		for (end = i; end < way->hops && way->port[end] == way->port[i]; end++) {
			crosses |= mcfab_topo_wraps(topo, ring, way->port[i]);
			ring = mcfab_topo_neighbour(topo, ring, way->port[i]);
		}
		for (k = i; k < end; k++) {
			crossed |= mcfab_topo_wraps(topo, at, way->port[k]);
			assert_int_equal(way->vcs[k],
					 (rule->by_crossing ? crosses : crossed) ? q : p);
			at = mcfab_topo_neighbour(topo, at, way->port[k]);
		}
		if (rule->ties == MCFAB_TIES_POSITIVE && 2 * (end - i) == topo->radix[way->port[i] / 2])
			assert_int_equal(way->port[i] & 1, 0);
		if (end < way->hops)
			assert_true(way->port[end] / 2 > way->port[i] / 2);
	}
	assert_int_equal(at, to);
}

static void try_torus(const char *topology, u32 ndims, const u32 *radix, u32 vcs,
		      const struct rule *rule)
{
	struct multicast mc;
	struct graph g;
	struct net net;
	struct way way;
	u32 a, b, i, n = all_ways(rule, ndims);

	net_init_vcs(&net, topology, ndims, radix, vcs);
	multicast_init(&mc, &net, "unicast", rule->set, net.topo.nodes - 1);
	graph_init(&g, net.topo.routers * net.topo.ports * net.view.vcs);
	for (a = 0; a < net.topo.nodes; a++) {
		for (b = 0; b < net.topo.nodes; b++) {
			for (i = 0; i < n; i++) {
				follow(&mc, a, b, i, &way);
				check_way(&net, rule, a, b, &way);
				graph_unicast(&g, &mc, a, b, i);
			}
		}
	}
	if (graph_cyclic(&g))
		fail_msg("%s of %u dimensions, %ux..., %s: channel dependencies have a cycle",
			 topology, ndims, radix[0], rule->set);
	graph_exit(&g);
	multicast_exit(&mc);
	net_exit(&net);
}

static void test_rules(void **state)
{
	u32 r, s, k, vcs;

	for (r = 0; r < ARRAY_SIZE(rules); r++) {
		for (k = 2; k <= 12; k++)
			for (vcs = 2; vcs <= 5; vcs++)
				try_torus("ring", 1, &k, vcs, &rules[r]);
		for (s = 0; s < ARRAY_SIZE(tori); s++)
			try_torus("torus", tori[s][0], tori[s] + 1, 2, &rules[r]);
	}
}

/* a virtual channel of the channel from a node of a ring to the next one */
static u32 lane(const struct net *net, u32 node, u32 vc)
{
	return mcfab_topo_channel(&net->topo, node, 0) * net->view.vcs + vc;
}

/*
 * Why the two datelines must not meet: worms that go farther than half round, as those of t2w
 * do, and change at the wrap link close the ring of q with unicasts whose class is chosen by
 * the crossing. With unicasts that change at the wrap link, too, they do not.
 */
static bool mixed(const char *topology, u32 ndims, const u32 *radix, u32 row,
		  const struct rule *rule)
{
	u32 k = radix[0], first = row * k, n = all_ways(rule, ndims), a, b, i;
	struct multicast mc;
	struct graph g;
	struct net net;
	bool cyclic;

	net_init_vcs(&net, topology, ndims, radix, 2);
	multicast_init(&mc, &net, "unicast", rule->set, net.topo.nodes - 1);
	graph_init(&g, net.topo.routers * net.topo.ports * 2);
	for (a = 0; a < k; a++) {
		for (b = 0; b < k * n; b++)
			graph_unicast(&g, &mc, first + a, first + b / n, b % n);
		/* all the way round but one link, q from the wrap link on */
		for (i = 0; i + 2 < k; i++)
			graph_edge(&g, lane(&net, first + (a + i) % k, a + i >= k - 1),
				   lane(&net, first + (a + i + 1) % k, a + i + 1 >= k - 1));
	}
	cyclic = graph_cyclic(&g);
	graph_exit(&g);
	multicast_exit(&mc);
	net_exit(&net);
	return cyclic;
}

/* with ties to both sides it depends on who goes half way round by the wrap link: see below */
static bool left_open(u32 k, const struct rule *rule)
{
	return k == 6 && rule->ties == MCFAB_TIES_BALANCED && rule->by_crossing;
}

static void test_mixed(void **state)
{
	static const u32 six[] = { 6, 16 };
	u32 k, r, row, closed = 0;

	for (k = 6; k <= 11; k++)
		for (r = 0; r < ARRAY_SIZE(rules); r++)
			assert_int_equal(mixed("ring", 1, &k, 0, &rules[r]),
					 rules[r].by_crossing && !left_open(k, &rules[r]));
	for (row = 0; row < six[1]; row++)
		closed += mixed("torus", 2, six, row, &rules[0]);
	printf("# by default %u of %u rings of 6 are closed\n", closed, six[1]);
	assert_true(closed > 0);
}

/* how often the channels of an 8x8 torus are used if every node sends to all others */
static void loads(const struct rule *rule, double *least, double *most)
{
	static const u32 radix[] = { 8, 8 };
	u32 use[64 * 4] = { 0 }, a, b, i, at;
	struct multicast mc;
	struct net net;
	struct way way;

	net_init_vcs(&net, "torus", 2, radix, 2);
	multicast_init(&mc, &net, "unicast", rule->set, 63);
	for (a = 0; a < 64; a++) {
		for (b = 0; b < 64; b++) {
			follow(&mc, a, b, 0, &way);
			for (i = 0, at = a; i < way.hops; i++) {
				use[mcfab_topo_channel(&net.topo, at, way.port[i])]++;
				at = mcfab_topo_neighbour(&net.topo, at, way.port[i]);
			}
		}
	}
	*least = 1e9;
	*most = 0;
	for (i = 0; i < ARRAY_SIZE(use); i++) {
		*least = min(*least, use[i] / 64.);
		*most = max(*most, use[i] / 64.);
	}
	multicast_exit(&mc);
	net_exit(&net);
}

static void test_ties(void **state)
{
	double least, most;

	/* 1 + 2 + 3 + 4 hops to +, 1 + 2 + 3 to - */
	loads(&rules[3], &least, &most);
	printf("# ties positive: channels are used %.3f to %.3f times\n", least, most);
	assert_true(least == 0.75 && most == 1.25);
	/* a channel has ties of 4 senders, to 8 destinations or from 8 sources each */
	loads(&rules[0], &least, &most);
	printf("# ties balanced: channels are used %.3f to %.3f times\n", least, most);
	assert_true(least > 0.8 && most < 1.2);
}

/* of four packets in a row each goes another way; of many, as many go each way at first */
static void test_drawn(void **state)
{
	static const u32 radix[] = { 8, 8 };
	u32 seen, first[2] = { 0 }, i;
	struct multicast mc;
	struct net net;
	struct way way;

	net_init_vcs(&net, "torus", 2, radix, 2);
	multicast_init(&mc, &net, "unicast", "ties=drawn", 63);
	for (i = 0, seen = 0; i < 4000; i++) {
		/* half way round both rings */
		follow(&mc, 9, 9 + 4 + 4 * 8, i, &way);
		seen |= 1 << (2 * (way.port[0] & 1) + (way.port[4] & 1));
		if (i % 4 == 3) {
			assert_int_equal(seen, 15);
			seen = 0;
		}
		/* and the first of four is any of them */
		if (i % 4 == 0)
			first[way.port[0] & 1]++;
	}
	assert_true(first[0] > 400 && first[1] > 400);
	multicast_exit(&mc);
	net_exit(&net);
}

static void test_refusals(void **state)
{
	static const u32 radix[] = { 4, 4 };
	static const struct {
		const char *topology, *set, *want;
		u32 index;
	} bad[] = {
		{ "mesh", "ties=positive", "ties positive needs a torus, and routing policy", 1 },
		{ "mesh", "dateline=at-crossing",
		  "dateline at-crossing needs a torus, and routing policy", 2 },
		{ "torus", "ties=negative", "parameter ties is one of: balanced positive drawn", 1 },
	};
	struct mcfab_policy pol;
	struct mcfab_err err;
	struct net net;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		net_init_vcs(&net, bad[i].topology, 2, radix, 2);
		assert_true(net_policy(&net, &pol, "unicast", bad[i].set, &err) < 0);
		if (!strstr(err.msg, bad[i].want))
			fail_msg("%s %s: %s", bad[i].topology, bad[i].set, err.msg);
		assert_int_equal(net_policy(&net, &pol, "unicast",
					    "ties=balanced dateline=class-by-crossing", &err), 0);
		mcfab_policy_close(&pol);
		net_exit(&net);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rules),
		cmocka_unit_test(test_mixed),
		cmocka_unit_test(test_ties),
		cmocka_unit_test(test_drawn),
		cmocka_unit_test(test_refusals),
	};

	return run_tap(tests);
}
