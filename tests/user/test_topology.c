// SPDX-License-Identifier: GPL-2.0
/* Tori, rings, hypercubes and star graphs: tables, labels, distances, refusals. */
#include <stdio.h>
#include <stdlib.h>
#include "lib/net.h"
#include "lib/tap.h"

static const struct shape {
	const char *topology;
	u32 ndims, radix[MCFAB_MAX_DIMS];
	u32 nodes, ports, degree, links;
	bool closed;
} shapes[] = {
	{ "torus", 1, { 2 }, 2, 2, 2, 4, true },
	{ "torus", 1, { 5 }, 5, 2, 2, 10, true },
	{ "torus", 2, { 2, 2 }, 4, 4, 4, 16, true },
	{ "torus", 2, { 4, 4 }, 16, 4, 4, 64, true },
	{ "torus", 2, { 5, 4 }, 20, 4, 4, 80, true },
	{ "torus", 2, { 4, 5 }, 20, 4, 4, 80, false },
	{ "torus", 2, { 7, 2 }, 14, 4, 4, 56, true },
	{ "torus", 2, { 2, 3 }, 6, 4, 4, 24, false },
	{ "torus", 3, { 3, 4, 5 }, 60, 6, 6, 360, false },
	{ "torus", 3, { 5, 3, 6 }, 90, 6, 6, 540, true },
	{ "torus", 3, { 2, 3, 2 }, 12, 6, 6, 72, true },
	{ "torus", 4, { 3, 2, 4, 3 }, 72, 8, 8, 576, false },
	{ "torus", 8, { 2, 2, 2, 2, 2, 2, 2, 2 }, 256, 16, 16, 4096, true },
	{ "torus", 2, { 1024, 1024 }, 1048576, 4, 4, 4194304, true },
	{ "ring", 1, { 2 }, 2, 2, 2, 4, true },
	{ "ring", 1, { 3 }, 3, 2, 2, 6, true },
	{ "ring", 1, { 64 }, 64, 2, 2, 128, true },
	{ "ring", 1, { 65536 }, 65536, 2, 2, 131072, true },
	{ "hypercube", 1, { 1 }, 2, 2, 1, 2, true },
	{ "hypercube", 1, { 4 }, 16, 8, 4, 64, true },
	{ "hypercube", 1, { 10 }, 1024, 20, 10, 10240, true },
	{ "hypercube", 1, { 16 }, 65536, 32, 16, 1048576, true },
	{ "star", 1, { 3 }, 6, 2, 2, 12, true },
	{ "star", 1, { 4 }, 24, 3, 3, 72, true },
	{ "star", 1, { 5 }, 120, 4, 4, 480, true },
	{ "star", 1, { 6 }, 720, 5, 5, 3600, true },
	{ "star", 1, { 7 }, 5040, 6, 6, 30240, true },
	{ "star", 1, { 8 }, 40320, 7, 7, 282240, true },
};

static void check_tables(const struct shape *shape, const struct mcfab_topo *topo)
{
	u32 links = 0, i, port;

	assert_int_equal(topo->nodes, shape->nodes);
	assert_int_equal(topo->routers, shape->nodes);
	assert_int_equal(topo->ports, shape->ports);
	assert_int_equal(topo->degree, shape->degree);
	assert_int_equal(topo->closed, shape->closed);
	for (i = 0; i < topo->routers * topo->ports; i++) {
		if (topo->peer[i] == MCFAB_NONE)
			continue;
		links++;
		assert_int_equal(topo->peer[topo->peer[i]], i);
		assert_int_equal(mcfab_distance(topo, i / topo->ports,
						topo->peer[i] / topo->ports), 1);
		/* of the two channels of a link, each network has one */
		assert_int_equal(mcfab_link_high(topo, i / topo->ports, i % topo->ports) +
				 mcfab_link_high(topo, topo->peer[i] / topo->ports,
						 topo->peer[i] % topo->ports), 1);
	}
	assert_int_equal(links, shape->links);
	for (i = 0; i < topo->nodes; i++) {
		assert_int_equal(topo->router[i], i);
		assert_int_equal(topo->label[topo->by_label[i]], i);
		assert_int_equal(topo->by_label[topo->label[i]], i);
		assert_int_equal(mcfab_distance(topo, i, i), 0);
		if (!i)
			continue;
		for (port = 0; port < topo->ports; port++)
			if (mcfab_topo_neighbour(topo, topo->by_label[i - 1], port) ==
			    topo->by_label[i])
				break;
		assert_true(port < topo->ports);
	}
}

static void test_shapes(void **state)
{
	u32 s;

	for (s = 0; s < ARRAY_SIZE(shapes); s++) {
		struct net net;

		net_init_as(&net, shapes[s].topology, shapes[s].ndims, shapes[s].radix);
		check_tables(&shapes[s], &net.topo);
		net_exit(&net);
	}
}

/* Distances against a search through the tables, from a few nodes. */
static void test_distances(void **state)
{
	u32 s, from, i, port;

	for (s = 0; s < ARRAY_SIZE(shapes); s++) {
		struct net net;
		u32 *queue, *hops;

		if (shapes[s].nodes > 5040)
			continue;
		net_init_as(&net, shapes[s].topology, shapes[s].ndims, shapes[s].radix);
		queue = calloc(net.topo.nodes, sizeof(u32));
		hops = calloc(net.topo.nodes, sizeof(u32));
		for (from = 0; from < net.topo.nodes; from += 1 + net.topo.nodes / 40) {
			u32 head = 0, tail = 0;

			for (i = 0; i < net.topo.nodes; i++)
				hops[i] = MCFAB_NONE;
			hops[from] = 0;
			queue[tail++] = from;
			while (head < tail) {
				u32 at = queue[head++];

				for (port = 0; port < net.topo.ports; port++) {
					u32 next = mcfab_topo_neighbour(&net.topo, at, port);

					if (next == MCFAB_NONE || hops[next] != MCFAB_NONE)
						continue;
					hops[next] = hops[at] + 1;
					queue[tail++] = next;
				}
			}
			assert_int_equal(tail, net.topo.nodes);
			for (i = 0; i < net.topo.nodes; i++)
				assert_int_equal(mcfab_distance(&net.topo, from, i), hops[i]);
		}
		free(queue);
		free(hops);
		net_exit(&net);
	}
}

static void test_wrap_links(void **state)
{
	static const u32 two[] = { 2 }, radix[] = { 5, 4 };
	struct net net;

	/* the inner link joins + of 0 and - of 1, the wrap link the other two ports */
	net_init_as(&net, "torus", 1, two);
	assert_int_equal(net.topo.peer[0], 1 * 2 + 1);
	assert_int_equal(net.topo.peer[1], 1 * 2 + 0);
	assert_false(mcfab_link_boundary(&net.topo, 0, 0));
	assert_true(mcfab_link_boundary(&net.topo, 0, 1));
	assert_true(mcfab_link_boundary(&net.topo, 1, 0));
	net_exit(&net);

	net_init_as(&net, "torus", 2, radix);
	assert_int_equal(mcfab_topo_neighbour(&net.topo, 4, 0), 0);
	assert_int_equal(mcfab_topo_neighbour(&net.topo, 0, 1), 4);
	assert_int_equal(mcfab_topo_neighbour(&net.topo, 17, 2), 2);
	assert_int_equal(mcfab_topo_neighbour(&net.topo, 2, 3), 17);
	/* wrap links of the last dimension only */
	assert_false(mcfab_link_boundary(&net.topo, 4, 0));
	assert_true(mcfab_link_boundary(&net.topo, 17, 2));
	assert_true(mcfab_link_high(&net.topo, 17, 2));
	assert_false(mcfab_link_high(&net.topo, 2, 3));
	net_exit(&net);
}

/* Where the paper's rule for boundary links holds, both rules say the same. */
static void test_boundary_rule(void **state)
{
	static const u32 radices[][3] = { { 4, 4, 0 }, { 5, 4, 0 }, { 3, 8, 0 }, { 7, 6, 0 },
					  { 3, 4, 6 }, { 16, 16, 0 } };
	u32 s, i;

	for (s = 0; s < ARRAY_SIZE(radices); s++) {
		struct net net;

		net_init_as(&net, "torus", radices[s][2] ? 3 : 2, radices[s]);
		for (i = 0; i < net.topo.routers * net.topo.ports; i++) {
			u32 a = net.topo.label[i / net.topo.ports];
			u32 b = net.topo.label[net.topo.peer[i] / net.topo.ports];

			assert_int_equal(mcfab_link_boundary(&net.topo, i / net.topo.ports,
							     i % net.topo.ports),
					 abs_diff(a, b) > net.topo.nodes / 2);
		}
		net_exit(&net);
	}
}

/* Every label that the paper prints for the 4-star. */
static void test_star_paper(void **state)
{
	static const struct {
		const char *node;
		u32 label;
	} printed[] = {
		{ "1432", 17 }, { "2134", 1 }, { "3124", 2 }, { "2314", 4 }, { "1243", 7 },
		{ "4123", 9 }, { "3412", 12 }, { "3421", 19 }, { "2341", 21 }, { "3241", 22 },
		{ "2413", 11 }, { "1234", 0 },
	};
	static const u32 four[] = { 4 };
	struct net net;
	u32 i, p;

	net_init_as(&net, "star", 1, four);
	for (p = 0; p < ARRAY_SIZE(printed); p++) {
		u32 node = net.topo.by_label[printed[p].label];

		for (i = 0; i < 4; i++)
			assert_int_equal(mcfab_topo_coord(&net.topo, node, i),
					 printed[p].node[i] - '0');
	}
	net_exit(&net);
}

static void test_star_ids(void **state)
{
	static const u32 five[] = { 5 };
	struct net net;
	char name[8];
	u32 i, d;

	net_init_as(&net, "star", 1, five);
	for (i = 0; i < 5; i++) {
		assert_int_equal(mcfab_topo_coord(&net.topo, 0, i), i + 1);
		assert_int_equal(mcfab_topo_coord(&net.topo, 119, i), 5 - i);
	}
	/* lexicographic order */
	for (i = 1; i < 120; i++) {
		for (d = 0; mcfab_topo_coord(&net.topo, i, d) ==
			    mcfab_topo_coord(&net.topo, i - 1, d); d++)
			;
		assert_true(mcfab_topo_coord(&net.topo, i, d) >
			    mcfab_topo_coord(&net.topo, i - 1, d));
	}
	/* port 2 exchanges the first and the fourth symbol: 12345 and 42315 */
	i = mcfab_topo_neighbour(&net.topo, 0, 2);
	assert_int_equal(mcfab_topo_coord(&net.topo, i, 0), 4);
	assert_int_equal(mcfab_topo_coord(&net.topo, i, 3), 1);
	net.topo.ops->port_name(&net.topo, 2, name, sizeof(name));
	assert_string_equal(name, "g4");
	net.topo.ops->port_name(&net.topo, 4, name, sizeof(name));
	assert_string_equal(name, "?");
	net_exit(&net);
}

static void test_hypercube_ports(void **state)
{
	static const u32 twelve[] = { 12 };
	struct net net;
	char name[8];

	net_init_as(&net, "hypercube", 1, twelve);
	assert_int_equal(mcfab_topo_neighbour(&net.topo, 0, 22), 1 << 11);
	assert_int_equal(mcfab_topo_neighbour(&net.topo, 0, 23), MCFAB_NONE);
	net.topo.ops->port_name(&net.topo, 22, name, sizeof(name));
	assert_string_equal(name, "+11");
	net_exit(&net);
}

static void test_refusals(void **state)
{
	static const struct {
		const char *topology;
		u32 ndims, radix[MCFAB_MAX_DIMS], index;
		const char *msg;
	} bad[] = {
		{ "torus", 0, { 4 }, 0, "a torus has 1 to 8 dimensions, not 0" },
		{ "torus", 9, { 4 }, 0, "a torus has 1 to 8 dimensions, not 9" },
		{ "torus", 2, { 4, 0 }, 1, "dimension 1 has no nodes" },
		{ "torus", 3, { 4, 4, 1 }, 2,
		  "dimension 2 needs 2 nodes: a node has no link to itself" },
		{ "torus", 2, { 1024, 1025 }, 1, "more than 1048576 nodes from dimension 1 on" },
		{ "ring", 1, { 1 }, 0, "dimension 0 needs 2 nodes: a node has no link to itself" },
		{ "ring", 2, { 4, 4 }, 0, "a ring has one number, that of its nodes" },
		{ "ring", 1, { 65537 }, 0, "dimension 0 has more than 65536 nodes" },
		{ "hypercube", 1, { 0 }, 0, "a hypercube has 1 to 16 dimensions, not 0" },
		{ "hypercube", 1, { 17 }, 0, "a hypercube has 1 to 16 dimensions, not 17" },
		{ "hypercube", 2, { 2, 2 }, 0,
		  "a hypercube has one number, that of its dimensions" },
		{ "star", 1, { 2 }, 0, "a star graph has 3 to 8 symbols, not 2" },
		{ "star", 1, { 9 }, 0, "a star graph has 3 to 8 symbols, not 9" },
		{ "star", 1, { U32_MAX }, 0, "a star graph has 3 to 8 symbols, not 4294967295" },
		{ "star", 2, { 4, 4 }, 0, "a star graph has one number, that of its symbols" },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		struct mcfab_topo topo = { .ops = mcfab_topo_find(bad[i].topology),
					   .ndims = bad[i].ndims };
		struct mcfab_err err;

		memcpy(topo.radix, bad[i].radix, sizeof(bad[i].radix));
		memset(&err, 0xff, sizeof(err));
		assert_int_equal(topo.ops->init(&topo, &err), -EINVAL);
		assert_int_equal(err.index, bad[i].index);
		assert_string_equal(err.msg, bad[i].msg);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shapes),
		cmocka_unit_test(test_distances),
		cmocka_unit_test(test_wrap_links),
		cmocka_unit_test(test_boundary_rule),
		cmocka_unit_test(test_star_paper),
		cmocka_unit_test(test_star_ids),
		cmocka_unit_test(test_hypercube_ports),
		cmocka_unit_test(test_refusals),
	};

	return run_tap(tests);
}
