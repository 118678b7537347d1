// SPDX-License-Identifier: GPL-2.0
/*
 * up*-down* routing on fabrics: what they make of routing and root, branches of headers,
 * the policy unicast and its plans.
 */
#include <stdlib.h>
#include "fabric/fabric.h"
#include "lib/graph.h"
#include "lib/net.h"
#include "lib/shortest.h"
#include "routing/updown.h"
#include "updown/updown.h"

#include "lib/tap.h"

static struct mcfab_fabric *fabric_of(struct mcfab_fabric_cfg *cfg, const struct mcfab_graph *g)
{
	struct mcfab_fabric *f;
	struct mcfab_err err;

	strcpy(cfg->name, "f");
	strcpy(cfg->topology, "irregular");
	cfg->graph = g;
	f = mcfab_fabric_create(cfg, &err);
	if (IS_ERR(f))
		fail_msg("%s", err.msg);
	return f;
}

/* what fabrics make of routing and root */
static void test_fabric(void **state)
{
	struct mcfab_graph *g = graph_new(3, 2, 2);
	struct mcfab_fabric_cfg cfg;
	struct mcfab_fabric *f;
	struct mcfab_err err = {};
	u32 i;

	/* a line, s1 in its middle */
	for (i = 0; i < 3; i++)
		g->sw[i].ports = 4;
	g->link[0] = (struct mcfab_graph_link){ 0, 1, 3, 1 };
	g->link[1] = (struct mcfab_graph_link){ 1, 2, 3, 1 };
	g->host[0] = (struct mcfab_graph_host){ .at = 0, .port = 2 };
	g->host[1] = (struct mcfab_graph_host){ .at = 2, .port = 2 };

	mcfab_fabric_defaults(&cfg);
	f = fabric_of(&cfg, g);
	assert_int_equal(f->cfg.routing, MCFAB_ROUTING_MODE_UPDOWN);
	assert_int_equal(f->cfg.root, 1);
	assert_int_equal(f->topo.graph->root, 1);
	assert_ptr_equal(f->view.updown, f->updown);
	assert_int_equal(f->updown->root, 1);
	mcfab_fabric_destroy(f);

	/* the graph's root, unless another is asked for */
	g->root = 2;
	f = fabric_of(&cfg, g);
	assert_int_equal(f->cfg.root, 2);
	mcfab_fabric_destroy(f);
	cfg.root = 0;
	f = fabric_of(&cfg, g);
	assert_int_equal(f->updown->root, 0);
	assert_int_equal(f->topo.graph->root, 0);
	mcfab_fabric_destroy(f);

	cfg.root = 3;
	assert_int_equal(PTR_ERR(mcfab_fabric_create(&cfg, &err)), -ERANGE);
	assert_string_equal(err.msg, "there is no switch 3 to be the root, the last is 2");
	cfg.root = 1;
	cfg.routing = MCFAB_ROUTING_MODE_POLICY;
	assert_int_equal(PTR_ERR(mcfab_fabric_create(&cfg, &err)), -EINVAL);
	assert_string_equal(err.msg, "root 1: only routing updown has one");
	cfg.root = MCFAB_NONE;
	f = fabric_of(&cfg, g);
	assert_null(f->view.updown);
	assert_int_equal(f->topo.graph->root, 2);
	mcfab_fabric_destroy(f);

	mcfab_fabric_defaults_lid(&cfg);
	f = fabric_of(&cfg, g);
	assert_int_equal(f->cfg.routing, MCFAB_ROUTING_MODE_POLICY);
	assert_null(f->updown);
	mcfab_fabric_destroy(f);
	free(g);
}

/* a header's branch: the lowest port, or the packet's window of them */
static void test_branch(void **state)
{
	struct mcfab_graph *g = graph_new(2, 2, 7);
	struct mcfab_decision out;
	struct mcfab_header hdr = { .in_port = MCFAB_PORT_ANY };
	struct mcfab_fabric_cfg cfg;
	struct mcfab_fabric *f;
	u32 i, seen;

	/* seven parallel links by ports 1 .. 7 */
	g->sw[0].ports = 9;
	g->sw[1].ports = 9;
	for (i = 0; i < 7; i++)
		g->link[i] = (struct mcfab_graph_link){ 0, 1, i + 1, 7 - i };
	g->host[0] = (struct mcfab_graph_host){ .at = 0, .port = 0 };
	g->host[1] = (struct mcfab_graph_host){ .at = 1, .port = 8 };
	mcfab_fabric_defaults(&cfg);
	cfg.vcs = 3;
	f = fabric_of(&cfg, g);
	out.nbranches = 0;
	mcfab_updown_branch(&f->view, &hdr, 1, false, 3, 5, &out);
	assert_int_equal(out.nbranches, 1);
	assert_int_equal(out.branch[0].node, MCFAB_NONE);
	assert_int_equal(out.branch[0].nports, 1);
	assert_int_equal(out.branch[0].port[0], 1);
	assert_int_equal(out.branch[0].vcs[0], 7);
	assert_int_equal(out.branch[0].first, 3);
	assert_int_equal(out.branch[0].last, 5);
	for (hdr.serial = 0; hdr.serial < 14; hdr.serial++) {
		out.nbranches = 1;
		mcfab_updown_branch(&f->view, &hdr, 1, true, 3, 5, &out);
		assert_int_equal(out.nbranches, 2);
		assert_int_equal(out.branch[1].nports, MCFAB_MAX_ALTERNATIVES);
		for (seen = 0, i = 0; i < MCFAB_MAX_ALTERNATIVES; i++) {
			assert_true(!i || out.branch[1].port[i] > out.branch[1].port[i - 1]);
			assert_int_equal(out.branch[1].vcs[i], 7);
			seen |= 1 << out.branch[1].port[i];
		}
		for (i = 0; i < MCFAB_MAX_ALTERNATIVES; i++)
			assert_true(seen & 1 << ((hdr.serial + i) % 7 + 1));
	}
	/* from s1 to s0 it goes up: not for who came down */
	hdr.router = 1;
	out.nbranches = 0;
	mcfab_updown_branch(&f->view, &hdr, 0, true, 0, 1, &out);
	assert_int_equal(out.nbranches, 1);
	hdr.in_port = 4;
	mcfab_updown_branch(&f->view, &hdr, 0, true, 0, 1, &out);
	mcfab_updown_branch(&f->view, &hdr, 0, false, 0, 1, &out);
	assert_int_equal(out.nbranches, 1);
	mcfab_fabric_destroy(f);
	free(g);
}

static void check_unicast(struct net *net, u64 *rnd, const char *set)
{
	u32 nodes = net->topo.nodes, *mark = calloc(nodes, sizeof(u32)), hops, before = 0, i;
	u32 *dst = calloc(nodes, sizeof(u32)), source = rng_below(rnd, nodes), n, to;
	const u32 *router = net->topo.router;
	struct multicast mc;

	n = 1 + rng_below(rnd, nodes - 1);
	random_set(rnd, nodes, source, dst, n, mark);
	multicast_init(&mc, net, "unicast", set, n);
	multicast_plan(&mc, source, dst, n);
	assert_int_equal(mc.plan.nworms, n);
	for (i = 0; i < n; i++) {
		to = mc.plan.dst[i];
		hops = graph_unicast(NULL, &mc, source, to, 0);
		assert_int_equal(hops, mcfab_updown_distance(net->view.updown, router[source],
							     router[to], MCFAB_UPDOWN_UP));
		/* nearest first, then lowest id */
		assert_true(!i || hops > before || (hops == before && to > mc.plan.dst[i - 1]));
		before = hops;
	}
	multicast_exit(&mc);
	free(mark);
	free(dst);
}

/* a plan's list of hops, hosts included, from any place on */
static void check_listed(struct net *net, u64 *rnd)
{
	u32 nodes = net->topo.nodes, *mark = calloc(nodes, sizeof(u32)), n, w, i, hops;
	u32 *dst = calloc(nodes, sizeof(u32)), source = rng_below(rnd, nodes), at;
	const u32 *router = net->topo.router;
	struct mcfab_walk_event event;
	struct multicast mc;

	n = 1 + rng_below(rnd, nodes - 1);
	random_set(rnd, nodes, source, dst, n, mark);
	multicast_init(&mc, net, "unicast", NULL, n);
	multicast_plan(&mc, source, dst, n);
	for (w = 0; w < n; w++) {
		hops = mcfab_updown_distance(net->view.updown, router[source],
					     router[mc.plan.dst[w]], MCFAB_UPDOWN_UP);
		assert_int_equal(mcfab_walk_seek(&mc.walk, w, rng_below(rnd, hops + 3)), 0);
		assert_int_equal(mcfab_walk_seek(&mc.walk, w, 0), 0);
		at = router[source];
		for (i = 0; i < hops + 2; i++) {
			assert_int_equal(mcfab_walk_listed(&mc.walk, &event), 1);
			assert_int_equal(event.kind, !i ? MCFAB_WALK_INJECT : i <= hops ?
					 MCFAB_WALK_HOP : MCFAB_WALK_DELIVER);
			assert_int_equal(event.from, i ? at : source);
			at = event.to;
		}
		assert_int_equal(event.to, mc.plan.dst[w]);
		assert_int_equal(mcfab_walk_listed(&mc.walk, &event), 0);
	}
	multicast_exit(&mc);
	free(mark);
	free(dst);
}

static void test_unicast(void **state)
{
	u64 rnd = 9, rounds = env_number("MCFAB_GROUPS", 10000) / 100;
	u32 radix[2] = { 4, 4 };
	struct mcfab_policy pol;
	struct mcfab_err err;
	struct net net;
	u32 i;

	for (i = 0; i < rounds; i++) {
		struct mcfab_graph *g = graph_random(&rnd, 2 + i % 15);
		struct mcfab_fabric_cfg cfg;
		struct mcfab_fabric *f;

		mcfab_fabric_defaults(&cfg);
		f = fabric_of(&cfg, g);
		net.topo = f->topo;
		net.view = f->view;
		check_unicast(&net, &rnd, i & 1 ? "adaptive=on" : NULL);
		check_listed(&net, &rnd);
		mcfab_fabric_destroy(f);
		free(g);
	}
	/* a torus with one virtual channel, which its own routing does not do with */
	net_init_as(&net, "torus", 2, radix);
	assert_int_equal(net_policy(&net, &pol, "unicast", NULL, &err), -EOPNOTSUPP);
	assert_int_equal(net_policy(&net, &pol, "unicast", "adaptive=on", &err), -EOPNOTSUPP);
	assert_string_equal(err.msg, "adaptive needs a fabric with routing updown");
	net.view.updown = mcfab_updown_create(&net.topo, 5, &err);
	assert_false(IS_ERR(net.view.updown));
	for (i = 0; i < 20; i++)
		check_unicast(&net, &rnd, i & 1 ? "adaptive=on" : NULL);
	mcfab_updown_put(net.view.updown);
	net_exit(&net);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fabric),
		cmocka_unit_test(test_branch),
		cmocka_unit_test(test_unicast),
	};

	return run_tap(tests);
}
