// SPDX-License-Identifier: GPL-2.0
/* Routing functions, the decision of path worms, and the sorts. */
#include "lib/net.h"
#include "lib/tap.h"
#include "routing/routing.h"

static const u32 shapes[][MCFAB_MAX_DIMS + 1] = {
	{ 1, 9 }, { 2, 4, 4 }, { 2, 5, 7 }, { 2, 8, 6 }, { 2, 1, 5 }, { 3, 3, 4, 5 },
	{ 3, 4, 4, 4 }, { 3, 2, 1, 3 }, { 4, 3, 2, 4, 3 }, { 5, 2, 3, 2, 3, 2 },
	{ 8, 2, 2, 2, 2, 2, 2, 2, 2 },
};

/* The definition, by trying every neighbour. */
static u32 slow_label(struct mcfab_topo *topo, u32 here, u32 dst)
{
	bool up = topo->label[dst] > topo->label[here];
	u32 port, best = MCFAB_NONE, best_port = MCFAB_NONE;

	for (port = 0; port < topo->ports; port++) {
		u32 next = mcfab_topo_neighbour(topo, here, port), label;

		if (next == MCFAB_NONE ||
		    mcfab_distance(topo, next, dst) >= mcfab_distance(topo, here, dst))
			continue;
		label = topo->label[next];
		if (up ? label > topo->label[dst] : label < topo->label[dst])
			continue;
		if (best == MCFAB_NONE || (up ? label > best : label < best)) {
			best = label;
			best_port = port;
		}
	}
	assert_int_not_equal(best_port, MCFAB_NONE);
	return best_port;
}

static void test_label(void **state)
{
	u32 s, a, b;

	for (s = 0; s < ARRAY_SIZE(shapes); s++) {
		struct net net;

		net_init(&net, shapes[s][0], shapes[s] + 1);
		for (a = 0; a < net.topo.nodes; a++) {
			for (b = 0; b < net.topo.nodes; b++) {
				u32 at = a, hops = 0;
				bool up = net.topo.label[b] > net.topo.label[a];

				while (at != b) {
					u32 port = mcfab_step_label(&net.topo, at, b), next;

					assert_int_equal(port, slow_label(&net.topo, at, b));
					next = mcfab_topo_neighbour(&net.topo, at, port);
					assert_int_equal(net.topo.label[next] >
							 net.topo.label[at], up);
					at = next;
					hops++;
				}
				assert_int_equal(hops, mcfab_distance(&net.topo, a, b));
			}
		}
		net_exit(&net);
	}
}

/* In two dimensions R is Lin and Ni's rule over all neighbours. */
static void test_label_classic(void **state)
{
	static const u32 radix[] = { 7, 6 };
	struct net net;
	u32 a, b, port;

	net_init(&net, 2, radix);
	for (a = 0; a < net.topo.nodes; a++) {
		for (b = 0; b < net.topo.nodes; b++) {
			bool up = net.topo.label[b] > net.topo.label[a];
			u32 best = MCFAB_NONE, best_port = 0;

			if (a == b)
				continue;
			for (port = 0; port < 4; port++) {
				u32 next = mcfab_topo_neighbour(&net.topo, a, port), label;

				if (next == MCFAB_NONE)
					continue;
				label = net.topo.label[next];
				if (up ? label > net.topo.label[b] : label < net.topo.label[b])
					continue;
				if (best == MCFAB_NONE || (up ? label > best : label < best)) {
					best = label;
					best_port = port;
				}
			}
			assert_int_equal(mcfab_step_label(&net.topo, a, b), best_port);
		}
	}
	net_exit(&net);
}

static void test_dimension(void **state)
{
	u32 s, a, b;

	for (s = 0; s < ARRAY_SIZE(shapes); s++) {
		struct net net;

		net_init(&net, shapes[s][0], shapes[s] + 1);
		for (a = 0; a < net.topo.nodes; a++) {
			for (b = 0; b < net.topo.nodes; b++) {
				u32 at = a, hops = 0, dim = 0;

				while (at != b) {
					u32 port = mcfab_step_dimension(&net.topo, at, b);

					assert_true(port / 2 >= dim);
					dim = port / 2;
					at = mcfab_topo_neighbour(&net.topo, at, port);
					assert_int_not_equal(at, MCFAB_NONE);
					hops++;
				}
				assert_int_equal(hops, mcfab_distance(&net.topo, a, b));
			}
		}
		net_exit(&net);
	}
}

static void test_path_decision(void **state)
{
	static const u32 radix[] = { 4, 4 };
	u32 dst[] = { 5, 6 | MCFAB_DST_RELAY, 9 };
	struct mcfab_header hdr = {
		.router = 4, .in_port = MCFAB_PORT_ANY, .first_port = MCFAB_PORT_ANY, .dst = dst,
		.last = 3, .state = 7,
	};
	struct mcfab_decision out;
	struct net net;

	net_init(&net, 2, radix);
	net.view.vcs = 3;

	mcfab_route_path(&net.view, &hdr, mcfab_step_dimension, &out);
	assert_int_equal(out.nbranches, 1);
	assert_int_equal(out.branch[0].node, MCFAB_NONE);
	assert_int_equal(out.branch[0].nports, 1);
	assert_int_equal(out.branch[0].port[0], 0);
	assert_int_equal(out.branch[0].vcs[0], 7);
	assert_int_equal(out.branch[0].first, 0);
	assert_int_equal(out.branch[0].last, 3);
	assert_int_equal(out.branch[0].state, 7);

	/* A forced port counts where the worm is injected, not later. */
	hdr.first_port = 2;
	mcfab_route_path(&net.view, &hdr, mcfab_step_dimension, &out);
	assert_int_equal(out.branch[0].port[0], 2);
	hdr.in_port = 1;
	mcfab_route_path(&net.view, &hdr, mcfab_step_dimension, &out);
	assert_int_equal(out.branch[0].port[0], 0);

	/* Delivery and on; relays are delivered too. */
	hdr.router = 6;
	hdr.first = 1;
	mcfab_route_path(&net.view, &hdr, mcfab_step_dimension, &out);
	assert_int_equal(out.nbranches, 2);
	assert_int_equal(out.branch[0].node, 6);
	assert_int_equal(out.branch[0].first, 1);
	assert_int_equal(out.branch[1].node, MCFAB_NONE);
	assert_int_equal(out.branch[1].port[0], 1);
	assert_int_equal(out.branch[1].first, 2);
	assert_int_equal(out.branch[1].last, 3);

	/* The last one. */
	hdr.router = 9;
	hdr.first = 2;
	mcfab_route_path(&net.view, &hdr, mcfab_step_dimension, &out);
	assert_int_equal(out.nbranches, 1);
	assert_int_equal(out.branch[0].node, 9);

	hdr.first = 3;
	mcfab_route_path(&net.view, &hdr, mcfab_step_dimension, &out);
	assert_int_equal(out.nbranches, 0);
	net_exit(&net);
}

/* one header's way: a run is as long as the decision stays the same, and no longer */
static void check_runs(struct net *net, u32 source, u32 dst)
{
	struct mcfab_header hdr = {
		.router = source, .in_port = MCFAB_PORT_ANY, .first_port = MCFAB_PORT_ANY,
		.dst = &dst, .last = 1,
	};
	struct mcfab_decision out;
	struct mcfab_branch before;
	u32 run = 0, hops;

	for (hops = 0; hdr.router != dst; hops++) {
		const struct mcfab_branch *b = out.branch;
		bool same;

		out.straight = 0;
		mcfab_route_hops(&net->view, &hdr, mcfab_hop_torus, &out);
		assert_int_equal(out.nbranches, 1);
		assert_int_equal(b->node, MCFAB_NONE);
		same = hops && b->port[0] == before.port[0] && b->vcs[0] == before.vcs[0] &&
		       b->state == before.state;
		assert_int_equal(same, run > 0);
		if (run)
			assert_int_equal(out.straight, run - 1);
		run = out.straight;
		before = *b;
		hdr.router = mcfab_topo_neighbour(&net->topo, hdr.router, b->port[0]);
		hdr.in_port = 0;
		hdr.state = b->state;
	}
	assert_int_equal(run, 0);
	assert_int_equal(hops, mcfab_distance(&net->topo, source, dst));
}

static void test_torus_runs(void **state)
{
	static const u32 tori[][MCFAB_MAX_DIMS + 1] = {
		{ 1, 8 }, { 1, 9 }, { 2, 4, 4 }, { 2, 5, 7 }, { 2, 2, 5 }, { 2, 6, 3 }, { 3, 3, 4, 5 },
	};
	u32 s, a, b;

	for (s = 0; s < ARRAY_SIZE(tori); s++) {
		struct net net;

		net_init_vcs(&net, "torus", tori[s][0], tori[s] + 1, 2);
		for (a = 0; a < net.topo.nodes; a++)
			for (b = 0; b < net.topo.nodes; b++)
				check_runs(&net, a, b);
		net_exit(&net);
	}
}

static void test_sorts(void **state)
{
	static const u32 radix[] = { 16, 16, 16, 16 };
	static u32 dst[20000], mark[65536];
	static u64 keys[20000];
	u64 seed = 7;
	struct net net;
	u32 n, i;

	net_init(&net, 4, radix);
	for (n = 1; n <= ARRAY_SIZE(dst); n = n < 40 ? n + 1 : n * 3) {
		u32 source = rng_below(&seed, net.topo.nodes);

		random_set(&seed, net.topo.nodes, source, dst, n, mark);
		mcfab_sort_labels(&net.topo, dst, n, false);
		for (i = 1; i < n; i++)
			assert_true(net.topo.label[dst[i - 1]] < net.topo.label[dst[i]]);
		mcfab_sort_labels(&net.topo, dst, n, true);
		for (i = 1; i < n; i++)
			assert_true(net.topo.label[dst[i - 1]] > net.topo.label[dst[i]]);
		mcfab_sort_distance(&net.topo, source, dst, n, keys);
		for (i = 1; i < n; i++) {
			u32 a = mcfab_distance(&net.topo, source, dst[i - 1]);
			u32 b = mcfab_distance(&net.topo, source, dst[i]);

			assert_true(a < b || (a == b && dst[i - 1] < dst[i]));
		}
		for (i = 0; i < n; i++)
			keys[i] = rng(&seed);
		mcfab_sort_keys(keys, n);
		for (i = 1; i < n; i++)
			assert_true(keys[i - 1] <= keys[i]);
		mcfab_sort_ids(dst, n);
		for (i = 0; i < n; i++) {
			assert_true(!i || dst[i - 1] < dst[i]);
			assert_int_equal(mark[dst[i]], mark[source]);
		}
	}
	net_exit(&net);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_label),
		cmocka_unit_test(test_label_classic),
		cmocka_unit_test(test_dimension),
		cmocka_unit_test(test_path_decision),
		cmocka_unit_test(test_torus_runs),
		cmocka_unit_test(test_sorts),
	};

	return run_tap(tests);
}
