// SPDX-License-Identifier: GPL-2.0
/*
 * Sets of destinations around a centre against definitions with coordinates, and what is refused.
 */
#include "workload/workload.h"

#include "lib/check.h"
#include "lib/net.h"
#include "lib/tap.h"
#include "lib/traffic.h"

static const struct {
	enum mcfab_destination_set set;
	u32 size, radius, dests;
} sets[] = {
	{ MCFAB_DESTINATION_SET_CLUSTERED, 0, 1, 8 }, { MCFAB_DESTINATION_SET_CLUSTERED, 0, 1, 1 },
	{ MCFAB_DESTINATION_SET_CLUSTERED, 1, 2, 5 }, { MCFAB_DESTINATION_SET_CLUSTERED, 3, 3, 20 },
	{ MCFAB_DESTINATION_SET_CLUSTERED, 4, 1, 26 }, { MCFAB_DESTINATION_SET_CLUSTERED, 5, 100, 8 },
	{ MCFAB_DESTINATION_SET_COLUMN, 0, 0, 3 }, { MCFAB_DESTINATION_SET_COLUMN, 2, 0, 2 },
	{ MCFAB_DESTINATION_SET_COLUMN, 4, 0, 1 }, { MCFAB_DESTINATION_SET_COLUMN, 5, 0, 8 },
	{ MCFAB_DESTINATION_SET_SUBMESH, 0, 0, 15 }, { MCFAB_DESTINATION_SET_SUBMESH, 1, 0, 9 },
	{ MCFAB_DESTINATION_SET_SUBMESH, 2, 0, 6 }, { MCFAB_DESTINATION_SET_SUBMESH, 3, 0, 300 },
	{ MCFAB_DESTINATION_SET_SUBMESH, 4, 0, 104 }, { MCFAB_DESTINATION_SET_SUBMESH, 4, 0, 12 },
};

/* is coordinate @x one of @width around @c, in a row of @k nodes? */
static bool within(u32 x, u32 c, u32 width, u32 k, bool torus, u32 *offset)
{
	int first = (int)c - ((int)width - 1) / 2;

	if (!torus && first < 0)
		first = 0;
	if (!torus && first + width > k)
		first = k - width;
	for (*offset = 0; *offset < width; ++*offset)
		if ((first + (int)*offset + (int)k) % (int)k == (int)x)
			return true;
	return false;
}

/* sides of the box of a set, for @room nodes of a submesh */
static void box_of(u32 i, u32 room, u32 *width)
{
	const u32 *k = traffic_size[sets[i].size].radix;
	u32 n = traffic_size[sets[i].size].ndims, dim, side, nodes;

	for (dim = 0; dim < n; dim++)
		width[dim] = sets[i].set == MCFAB_DESTINATION_SET_COLUMN ?
			     (dim + 1 == n ? k[dim] : 1) : min(2 * sets[i].radius + 1, k[dim]);
	/* cubes of one side, and those of which the first dimensions are one longer */
	for (side = 1; sets[i].set == MCFAB_DESTINATION_SET_SUBMESH; side++) {
		u32 longer;

		for (longer = 0; longer < n; longer++) {
			for (dim = 0, nodes = 1; dim < n; dim++) {
				width[dim] = min(side + (dim < longer), k[dim]);
				nodes *= width[dim];
			}
			if (nodes >= room)
				return;
		}
	}
}

/* one multicast: its destinations are in the box, which they fill in order if it is a submesh */
static void check_set(const struct mcfab_workload *w, u32 i, u32 node, const u32 *dst, u32 centre)
{
	const u32 *k = traffic_size[sets[i].size].radix;
	u32 n = traffic_size[sets[i].size].ndims, count = sets[i].dests, at[4], c[4], width[4], offset[4];
	bool torus = !strcmp(traffic_size[sets[i].size].topology, "torus"), inside = true;
	static u8 seen[1024];
	u32 j, dim, order, last = 0, box = 1;

	memset(seen, 0, sizeof(seen));
	digits(centre, n, k, c);
	digits(node, n, k, at);
	box_of(i, count, width);
	for (dim = 0; dim < n; dim++) {
		inside &= within(at[dim], c[dim], width[dim], k[dim], torus, offset);
		box *= width[dim];
	}
	if (inside && box == count)
		box_of(i, count + 1, width);
	for (j = 0; j < count; j++) {
		check(dst[j] < w->nodes && dst[j] != node && !seen[dst[j]], "distinct, no source");
		seen[dst[j]] = 1;
		digits(dst[j], n, k, at);
		for (dim = 0; dim < n; dim++)
			if (!within(at[dim], c[dim], width[dim], k[dim], torus, offset + dim))
				fail_msg("set %u: %u is not around %u", i, dst[j], centre);
		order = number(n, width, offset);
		if (sets[i].set == MCFAB_DESTINATION_SET_SUBMESH)
			check(order <= j + 1 && (!j || order > last), "the first nodes in order");
		last = order;
	}
	if (sets[i].set != MCFAB_DESTINATION_SET_SUBMESH && centre != node)
		check(seen[centre], "the centre is one");
}

static void test_sets(void **state)
{
	struct mcfab_workload_cfg cfg;
	u32 i, j, node, dst[512];
	struct mcfab_workload w;
	struct net net;
	bool unicast;

	for (i = 0; i < ARRAY_SIZE(sets); i++) {
		u32 size = sets[i].size;

		net_init_as(&net, traffic_size[size].topology, traffic_size[size].ndims, traffic_size[size].radix);
		/* everywhere, its own source included where there is a middle */
		cfg = traffic_config(i % 2 ? MCFAB_TRAFFIC_PATTERN_NEIGHBOR : MCFAB_TRAFFIC_PATTERN_DIAGONAL);
		cfg.topo = &net.topo;
		cfg.set = sets[i].set;
		cfg.radius = sets[i].radius;
		cfg.dests = sets[i].dests;
		traffic_open(&w, &cfg, 3, net.topo.nodes);
		for (node = 0; node < w.nodes; node++) {
			for (j = 0; j < 3; j++) {
				u32 centre = w.pattern.dest(&w, node,
							    mcfab_random(3, node, MCFAB_STREAM_DEST, j));

				check(mcfab_workload_ndests(&w, node, j) == cfg.dests, "so many");
				mcfab_workload_dests(&w, node, j, dst, &unicast);
				check(!unicast, "a multicast");
				check_set(&w, i, node, dst, centre);
			}
		}
		mcfab_workload_close(&w);
		net_exit(&net);
	}
}

/* each node of a cluster is drawn as often as any other, from inside and from outside */
static void test_cluster_uniform(void **state)
{
	struct mcfab_workload_cfg cfg = traffic_config(MCFAB_TRAFFIC_PATTERN_TRANSPOSE);
	u32 count[64] = { 0 }, i, j, node, dst[3], x, y;
	const u32 radix[] = { 8, 8 };
	struct mcfab_workload w;
	struct net net;
	bool unicast;

	net_init(&net, 2, radix);
	cfg.topo = &net.topo;
	cfg.set = MCFAB_DESTINATION_SET_CLUSTERED;
	cfg.radius = 1;
	cfg.dests = 3;
	traffic_open(&w, &cfg, 3, 64);
	/* (3,4) is around (4,3), (3,1) is not around (1,3) */
	for (node = 11; node <= 35; node += 24) {
		double p = node == 35 ? 2 / 7.0 : 2 / 8.0;

		memset(count, 0, sizeof(count));
		for (i = 0; i < 20000; i++) {
			mcfab_workload_dests(&w, node, i, dst, &unicast);
			for (j = 0; j < 3; j++)
				count[dst[j]]++;
		}
		for (i = 0; i < 64; i++) {
			x = i % 8 - node / 8 + 1;
			y = i / 8 - node % 8 + 1;
			if (x > 2 || y > 2 || i == node)
				check(!count[i], "nobody else");
			else
				check(x == 1 && y == 1 ? count[i] == 20000 : near(count[i], 20000, p),
				      "the centre always, others as often as each other");
		}
	}
	mcfab_workload_close(&w);
	net_exit(&net);
}

static void refused(const struct mcfab_workload_cfg *cfg, u32 nodes, enum mcfab_option what,
		    const char *words)
{
	struct mcfab_workload w = { 0 };
	struct mcfab_err err = { 0 };

	if (!mcfab_workload_open(&w, cfg, 1, nodes, &err))
		fail_msg("accepted, not refused as \"%s\"", words);
	if (!strstr(err.msg, words) || err.what != what)
		fail_msg("\"%s\", not \"%s\"", err.msg, words);
}

static void test_refused(void **state)
{
	struct mcfab_workload_cfg cfg;
	const u32 radix[] = { 2, 2, 2 };
	struct net net;

	cfg = traffic_config(MCFAB_TRAFFIC_PATTERN_UNIFORM);
	cfg.set = MCFAB_DESTINATION_SET_COLUMN;
	cfg.dests = 3;
	refused(&cfg, 16, MCFAB_OPTION_RUN_SET, "set column needs a mesh or a torus");
	net_init(&net, 3, radix);
	cfg.topo = &net.topo;
	refused(&cfg, 8, MCFAB_OPTION_RUN_DESTS, "at most 1: set column has 2 nodes");
	cfg.set = MCFAB_DESTINATION_SET_CLUSTERED;
	refused(&cfg, 8, MCFAB_OPTION_RUN_RADIUS, "needs a radius");
	cfg.multicast_ppm = 0;
	refused(&cfg, 8, MCFAB_OPTION_RUN_SET, "there are none");
	cfg.set = 77;
	refused(&cfg, 8, MCFAB_OPTION_RUN_SET, "unknown set 77");
	net_exit(&net);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sets),
		cmocka_unit_test(test_cluster_uniform),
		cmocka_unit_test(test_refused),
	};

	return run_tap(tests);
}
