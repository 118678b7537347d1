// SPDX-License-Identifier: GPL-2.0
/*
 * Routing and the policies unicast and dp on tori, rings, hypercubes and star graphs:
 * paths, virtual channels, freedom from deadlock, plans of random multicasts.
 *
 * MCFAB_GROUPS: random multicasts in all (default 20000).
 */
#include "lib/graph.h"
#include "lib/net.h"
#include "lib/tap.h"
#include "routing/cover.h"
#include "routing/routing.h"

static const struct shape {
	const char *topology;
	u32 ndims, radix[MCFAB_MAX_DIMS];
	u32 vcs;	/* that unicast needs */
} shapes[] = {
	{ "torus", 1, { 2 }, 2 },	{ "torus", 1, { 7 }, 2 },
	{ "torus", 2, { 2, 2 }, 2 },	{ "torus", 2, { 4, 4 }, 2 },
	{ "torus", 2, { 5, 6 }, 2 },	{ "torus", 2, { 2, 5 }, 2 },
	{ "torus", 2, { 8, 3 }, 2 },	{ "torus", 3, { 4, 3, 5 }, 2 },
	{ "torus", 3, { 2, 4, 2 }, 2 },	{ "torus", 4, { 3, 2, 4, 3 }, 2 },
	{ "ring", 1, { 3 }, 2 },	{ "ring", 1, { 16 }, 2 },
	{ "hypercube", 1, { 1 }, 1 },	{ "hypercube", 1, { 6 }, 1 },
	{ "star", 1, { 3 }, 3 },	{ "star", 1, { 4 }, 4 },
	{ "star", 1, { 5 }, 6 },
};

static void open_shape(struct net *net, const struct shape *shape, u32 vcs)
{
	net_init_vcs(net, shape->topology, shape->ndims, shape->radix, vcs);
}

static void test_unicast_paths(void **state)
{
	u32 s, a, b;

	for (s = 0; s < ARRAY_SIZE(shapes); s++) {
		struct graph g;
		struct multicast mc;
		struct net net;

		open_shape(&net, &shapes[s], shapes[s].vcs);
		multicast_init(&mc, &net, "unicast", "", net.topo.nodes - 1);
		graph_init(&g, net.topo.routers * net.topo.ports * net.view.vcs);
		for (a = 0; a < net.topo.nodes; a++)
			for (b = 0; b < net.topo.nodes; b++)
				assert_int_equal(graph_unicast(&g, &mc, a, b, 0),
						 mcfab_distance(&net.topo, a, b));
		assert_false(graph_cyclic(&g));
		graph_exit(&g);
		multicast_exit(&mc);
		net_exit(&net);
	}
}

/* The dateline is what breaks the cycle: the test above finds it if it is left out. */
static void test_cycle_found(void **state)
{
	static const struct shape ring = { "ring", 1, { 5 }, 2 };
	struct graph g;
	struct net net;
	u32 a, b;

	open_shape(&net, &ring, 1);
	graph_init(&g, net.topo.routers * net.topo.ports);
	for (a = 0; a < 5; a++) {
		for (b = 0; b < 5; b++) {
			u32 at = a, last = MCFAB_NONE;

			while (at != b) {
				u32 c = mcfab_topo_channel(&net.topo, at,
							   mcfab_step_torus(&net.topo, at, b));

				if (last != MCFAB_NONE)
					graph_edge(&g, last, c);
				last = c;
				at = net.topo.peer[c] / net.topo.ports;
			}
		}
	}
	assert_true(graph_cyclic(&g));
	graph_exit(&g);
	net_exit(&net);
}

static void expect_hop(struct net *net, mcfab_hop_fn next, u32 at, u32 to, u32 state, u32 port,
		       u32 vcs, u32 then)
{
	struct mcfab_header hdr = { .router = at, .state = state };
	struct mcfab_hop hop = { .port = MCFAB_PORT_ANY, .vcs = mcfab_vcs_all(&net->view) };

	next(&net->view, &hdr, to, &hop);
	assert_int_equal(hop.port, port);
	assert_int_equal(hop.vcs, vcs);
	assert_int_equal(hop.state, then);
}

static void test_datelines(void **state)
{
	static const struct shape torus = { "torus", 2, { 6, 4 }, 2 };
	struct net net;

	open_shape(&net, &torus, 5);
	assert_int_equal(mcfab_vcs_p(&net.view), 0x03);
	assert_int_equal(mcfab_vcs_q(&net.view), 0x1c);
	/* (4,0) to (1,1): +x to 5 on p, the wrap link on q, on q to 1, then p again */
	expect_hop(&net, mcfab_hop_torus, 4, 7, 0, 0, 0x03, 0);
	expect_hop(&net, mcfab_hop_torus, 5, 7, 0, 0, 0x1c, 1);
	expect_hop(&net, mcfab_hop_torus, 0, 7, 1, 0, 0x1c, 1);
	expect_hop(&net, mcfab_hop_torus, 1, 7, 1, 2, 0x03, 2);
	/* half way round: to +, that is from 4 over the wrap link */
	expect_hop(&net, mcfab_hop_torus, 4, 1, 0, 0, 0x03, 0);
	expect_hop(&net, mcfab_hop_torus, 1, 4, 0, 0, 0x03, 0);
	/* down over the wrap link of y */
	expect_hop(&net, mcfab_hop_torus, 0, 18, 0, 3, 0x1c, 3);
	net_exit(&net);
}

static void test_star_hops(void **state)
{
	static const struct shape star = { "star", 1, { 4 }, 4 };
	struct net net;
	u32 home;

	open_shape(&net, &star, 4);
	home = net_star_node(&net, "1234");
	/* 2143: 2 goes home, then 1 is home: exchanged with 4, then 4 goes home, then 3 */
	expect_hop(&net, mcfab_hop_star, net_star_node(&net, "2143"), home, 0, 0, 1, 1);
	expect_hop(&net, mcfab_hop_star, net_star_node(&net, "1243"), home, 1, 1, 2, 2);
	expect_hop(&net, mcfab_hop_star, net_star_node(&net, "4213"), home, 2, 2, 4, 3);
	expect_hop(&net, mcfab_hop_star, net_star_node(&net, "3214"), home, 3, 1, 8, 4);
	/* no virtual channel is left */
	expect_hop(&net, mcfab_hop_star, net_star_node(&net, "3214"), home, 4, 1, 0, 5);
	net_exit(&net);
}

/* Label routing over all links, against its definition. */
static void test_links(void **state)
{
	u32 s, a, b, port;

	for (s = 0; s < ARRAY_SIZE(shapes); s++) {
		const struct mcfab_topo *topo;
		struct net net;

		open_shape(&net, &shapes[s], 1);
		topo = &net.topo;
		for (a = 0; a < topo->nodes; a++) {
			for (b = 0; b < topo->nodes; b++) {
				u32 at = topo->label[a], goal = topo->label[b], best = at, next;

				if (a == b)
					continue;
				for (port = 0; port < topo->ports; port++) {
					next = mcfab_topo_neighbour(topo, a, port);
					if (next == MCFAB_NONE)
						continue;
					next = topo->label[next];
					if (at < goal ? next > best && next <= goal :
							next < best && next >= goal)
						best = next;
				}
				next = mcfab_topo_neighbour(topo, a, mcfab_step_links(topo, a, b));
				assert_int_equal(topo->label[next], best);
				assert_int_not_equal(best, at);
			}
		}
		net_exit(&net);
	}
}

/* Every hop of a worm climbs or every hop descends; returns the hops. */
static void check_labels(const struct mcfab_topo *topo, struct multicast *mc, u32 index)
{
	const struct mcfab_plan_worm *worm = &mc->plan.worm[index];
	struct mcfab_walk_event event;
	u32 at = worm->sender, entry = 0;
	bool up = topo->label[mc->plan.dst[worm->first]] > topo->label[at];
	int ret;

	mcfab_walk_start(&mc->walk, index);
	while ((ret = mcfab_walk_next(&mc->walk, &event)) == 1) {
		assert_int_equal(event.from, at);
		if (event.kind == MCFAB_WALK_DELIVER) {
			assert_int_equal(event.to, mc->plan.dst[worm->first + entry++]);
			continue;
		}
		assert_int_equal(topo->label[event.to] > topo->label[at], up);
		at = event.to;
	}
	assert_int_equal(ret, 0);
	assert_int_equal(entry, worm->count);
}

static void test_plans(void **state)
{
	u32 groups = env_number("MCFAB_GROUPS", 20000) / (2 * ARRAY_SIZE(shapes)) + 1;
	static u32 dst[720], mark[720];
	u64 seed = 11;
	u32 s, i, w;

	for (s = 0; s < ARRAY_SIZE(shapes); s++) {
		struct multicast dp, unicast;
		struct net net;

		open_shape(&net, &shapes[s], shapes[s].vcs);
		multicast_init(&dp, &net, "dp", "", net.topo.nodes - 1);
		multicast_init(&unicast, &net, "unicast", "", net.topo.nodes - 1);
		for (i = 0; i < groups; i++) {
			u32 source = rng_below(&seed, net.topo.nodes);
			u32 ndst = 1 + rng_below(&seed, net.topo.nodes - 1);
			u32 last = 0;

			random_set(&seed, net.topo.nodes, source, dst, ndst, mark);
			multicast_plan(&dp, source, dst, ndst);
			assert_true(dp.plan.nworms <= 2);
			for (w = 0; w < dp.plan.nworms; w++)
				check_labels(&net.topo, &dp, w);
			multicast_plan(&unicast, source, dst, ndst);
			assert_int_equal(unicast.plan.nworms, ndst);
			for (w = 0; w < ndst; w++) {
				u32 hops = mcfab_distance(&net.topo, source, unicast.plan.dst[w]);

				assert_true(hops >= last);
				last = hops;
				assert_int_equal(graph_unicast(NULL, &unicast, source,
							      unicast.plan.dst[w], 0), hops);
			}
		}
		multicast_exit(&dp);
		multicast_exit(&unicast);
		net_exit(&net);
	}
}

/* Without wrap links a torus is planned as the mesh is. */
static void test_wrap_off(void **state)
{
	static const struct shape torus = { "torus", 2, { 6, 5 }, 2 };
	static const u32 radix[] = { 6, 5 };
	struct mcfab_walk_event a, b;
	struct multicast on_torus, on_mesh;
	static u32 dst[29], mark[30];
	struct net t, m;
	u64 seed = 3;
	u32 i, w;
	int ret;

	open_shape(&t, &torus, 1);
	net_init(&m, 2, radix);
	multicast_init(&on_torus, &t, "dp", "wrap=off", 29);
	multicast_init(&on_mesh, &m, "dp", "", 29);
	for (i = 0; i < 500; i++) {
		u32 source = rng_below(&seed, 30), ndst = 1 + rng_below(&seed, 29);

		random_set(&seed, 30, source, dst, ndst, mark);
		multicast_plan(&on_torus, source, dst, ndst);
		multicast_plan(&on_mesh, source, dst, ndst);
		assert_int_equal(on_torus.plan.nworms, on_mesh.plan.nworms);
		for (w = 0; w < on_mesh.plan.nworms; w++) {
			mcfab_walk_start(&on_torus.walk, w);
			mcfab_walk_start(&on_mesh.walk, w);
			do {
				ret = mcfab_walk_next(&on_torus.walk, &a);
				assert_int_equal(mcfab_walk_next(&on_mesh.walk, &b), ret);
				if (ret == 1) {
					assert_int_equal(a.kind, b.kind);
					assert_int_equal(a.to, b.to);
				}
			} while (ret == 1);
			assert_int_equal(ret, 0);
		}
	}
	multicast_exit(&on_torus);
	multicast_exit(&on_mesh);
	net_exit(&t);
	net_exit(&m);
}

static void test_refusals(void **state)
{
	static const struct shape torus = { "torus", 2, { 4, 4 }, 2 };
	static const struct shape star = { "star", 1, { 8 }, 10 };
	static const char *const of_meshes[] = { "mp", "cp", "qg" };
	struct mcfab_policy pol;
	struct mcfab_err err;
	struct net net;
	u32 i;

	open_shape(&net, &torus, 1);
	assert_int_equal(net_policy(&net, &pol, "unicast", "", &err), -EOPNOTSUPP);
	assert_string_equal(err.msg, "shortest paths on this torus need vcs 2, the fabric has 1");
	for (i = 0; i < ARRAY_SIZE(of_meshes); i++) {
		assert_int_equal(net_policy(&net, &pol, of_meshes[i], "", &err), -EOPNOTSUPP);
		assert_non_null(strstr(err.msg, "cannot serve topology torus"));
	}
	assert_int_equal(net_policy(&net, &pol, "dp", "wrap=maybe", &err), -EINVAL);
	assert_int_equal(net_policy(&net, &pol, "dp", "", &err), 0);
	mcfab_policy_close(&pol);
	net_exit(&net);

	open_shape(&net, &star, 9);
	assert_int_equal(net_policy(&net, &pol, "unicast", "", &err), -EOPNOTSUPP);
	assert_string_equal(err.msg, "shortest paths on this star need vcs 10, the fabric has 9");
	assert_int_equal(net_policy(&net, &pol, "qg", "", &err), -EOPNOTSUPP);
	assert_int_equal(net_policy(&net, &pol, "dp", "", &err), 0);
	mcfab_policy_close(&pol);
	net.view.vcs = 10;
	assert_int_equal(net_policy(&net, &pol, "unicast", "", &err), 0);
	mcfab_policy_close(&pol);
	net_exit(&net);
}

/* Policies of meshes serve hypercubes of more dimensions than meshes have. */
static void test_hypercube(void **state)
{
	static const struct shape cube = { "hypercube", 1, { 16 }, 1 };
	static const char *const policies[][2] = {
		{ "unicast", "" }, { "dp", "" }, { "mp", "" }, { "cp", "" }, { "qg", "" },
		{ "qg", "cover=label" }, { "qg", "cover=multipath" }, { "qg", "cover=chain" },
		{ "qg", "td=0" },
	};
	static u32 dst[65535], mark[65536];
	u64 seed = 5;
	u32 p, i, w;

	for (p = 0; p < ARRAY_SIZE(policies); p++) {
		struct multicast mc;
		struct net net;

		open_shape(&net, &cube, 1);
		multicast_init(&mc, &net, policies[p][0], policies[p][1], 65535);
		for (i = 0; i < 4; i++) {
			u32 source = rng_below(&seed, 65536), ndst = 1 + rng_below(&seed, 2000);
			struct mcfab_walk_event event;
			int ret = 1;

			random_set(&seed, 65536, source, dst, ndst, mark);
			multicast_plan(&mc, source, dst, ndst);
			for (w = 0; w < mc.plan.nworms; w++) {
				u32 entry = 0;

				mcfab_walk_start(&mc.walk, w);
				while ((ret = mcfab_walk_next(&mc.walk, &event)) == 1)
					entry += event.kind == MCFAB_WALK_DELIVER;
				assert_int_equal(ret, 0);
				assert_int_equal(entry, mc.plan.worm[w].count);
			}
		}
		multicast_exit(&mc);
		net_exit(&net);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unicast_paths),
		cmocka_unit_test(test_cycle_found),
		cmocka_unit_test(test_datelines),
		cmocka_unit_test(test_star_hops),
		cmocka_unit_test(test_links),
		cmocka_unit_test(test_plans),
		cmocka_unit_test(test_wrap_off),
		cmocka_unit_test(test_hypercube),
		cmocka_unit_test(test_refusals),
	};

	return run_tap(tests);
}
