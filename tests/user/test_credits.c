// SPDX-License-Identifier: GPL-2.0
/*
 * Credit loops of forwarding tables, with and without SL-to-VL tables, and the graphs in which they
 * are found, against a plain reference: dependencies packet by packet, and which node reaches which
 * by Warshall's algorithm.
 *
 * MCFAB_GROUPS: random graphs, and in hundreds random subnets (default 20000)
 */
#include <stdlib.h>

#include "lib/subnet.h"
#include "proof/digraph.h"
#include "subnet/levels.h"

#include "lib/tap.h"

#define LANES	2
#define NODES	(LANES * 48)	/* lanes of the channels of a mesh of 12 switches */

/* reaches[a][b]: a way of one edge or more leads from a to b */
static bool reaches[NODES][NODES];

static void close_ways(u32 nodes)
{
	u32 a, b, via;

	for (via = 0; via < nodes; via++)
		for (a = 0; a < nodes; a++)
			for (b = 0; reaches[a][via] && b < nodes; b++)
				reaches[a][b] |= reaches[via][b];
}

static void random_graph(u64 *state, u32 nodes, struct mcfab_digraph *g)
{
	u32 edges = rng_below(state, 2 * nodes + 1), a, b, i;

	memset(reaches, 0, sizeof(reaches));
	for (i = 0; i < edges; i++)
		reaches[rng_below(state, nodes)][rng_below(state, nodes)] = true;
	for (a = 0, edges = 0; a < nodes; a++)
		for (b = 0; b < nodes; b++)
			edges += reaches[a][b];
	assert_int_equal(mcfab_digraph_alloc(g, nodes, edges), 0);
	for (a = 0, i = 0; a < nodes; a++) {
		g->first[a] = i;
		for (b = 0; b < nodes; b++)
			if (reaches[a][b])
				g->to[i++] = b;
	}
	g->first[nodes] = i;
}

static bool has_edge(const struct mcfab_digraph *g, u32 a, u32 b)
{
	u32 i;

	for (i = g->first[a]; i < g->first[a + 1]; i++)
		if (g->to[i] == b)
			return true;
	return false;
}

/* edges of a shortest way from a node back to it, through its component alone or not */
static u32 girth(const struct mcfab_digraph *g, u32 node)
{
	u32 far[NODES], queue[NODES], head, met = 0, i;

	memset(far, 0xff, sizeof(far));
	for (i = g->first[node]; i < g->first[node + 1]; i++)
		if (far[g->to[i]] == MCFAB_NONE) {
			far[g->to[i]] = 1;
			queue[met++] = g->to[i];
		}
	for (head = 0; head < met; head++)
		for (i = g->first[queue[head]]; i < g->first[queue[head] + 1]; i++)
			if (far[g->to[i]] == MCFAB_NONE) {
				far[g->to[i]] = far[queue[head]] + 1;
				queue[met++] = g->to[i];
			}
	return far[node];
}

static void check_graph(const struct mcfab_digraph *g)
{
	u32 a, b, i, cycle[NODES], length, shortest;
	struct mcfab_components c;

	assert_int_equal(mcfab_digraph_components(g, &c), 0);
	for (a = 0; a < g->nodes; a++) {
		assert_int_equal(c.of[a] != MCFAB_NONE, reaches[a][a]);
		for (b = 0; b < g->nodes; b++)
			assert_int_equal(c.of[a] == c.of[b] && c.of[a] != MCFAB_NONE,
					 reaches[a][b] && reaches[b][a]);
	}
	for (i = 0; i < c.count; i++) {
		assert_int_equal(mcfab_digraph_cycle(g, &c, i, cycle, &length), 0);
		assert_true(length);
		for (a = 0; a < length; a++) {
			assert_int_equal(c.of[cycle[a]], i);
			assert_true(has_edge(g, cycle[a], cycle[(a + 1) % length]));
		}
		for (a = 0, shortest = MCFAB_NONE; a < g->nodes; a++)
			if (c.of[a] == i)
				shortest = min(shortest, girth(g, a));
		assert_int_equal(length, shortest);
	}
	mcfab_components_free(&c);
}

static void test_graphs(void **state)
{
	u64 groups = env_number("MCFAB_GROUPS", 20000), seed = env_number("MCFAB_SEED", 1), i;
	struct mcfab_digraph g;
	u32 nodes;

	for (i = 0; i < groups; i++) {
		nodes = 1 + rng_below(&seed, 12);
		random_graph(&seed, nodes, &g);
		close_ways(nodes);
		check_graph(&g);
		mcfab_digraph_free(&g);
	}
}

static u32 credits(const struct fixture *f)
{
	memset(&sn_found, 0, sizeof(sn_found));
	assert_int_equal(mcfab_check_credits(f->sn, &sn_found), 0);
	return sn_found.total;
}

/* The tables that a mesh has are XY routing: from x to y, never back. */
static void test_built(void **state)
{
	u32 member[] = { 0, 3, 5, 8, 11 };
	struct mcfab_group *group;
	struct fixture f;
	u32 i;

	sn_setup(&f, 4, 3);
	assert_int_equal(credits(&f), 0);
	group = sn_group(&f, "g", member, ARRAY_SIZE(member));
	for (i = 0; i < ARRAY_SIZE(member); i++)
		sn_mft(&f, group, member[i]);
	assert_int_equal(credits(&f), 0);
	sn_teardown(&f);
}

/* Round four switches: a host at each corner sends to the opposite one, all the same way round. */
static void test_ring(void **state)
{
	struct fixture f;

	sn_setup(&f, 2, 2);
	/* 0 > 1 > 3, 1 > 3 > 2, 3 > 2 > 0, 2 > 0 > 1 */
	assert_int_equal(sn_set_lft(&f, 0, f.sn->host_lid[3], EAST), 0);
	assert_int_equal(sn_set_lft(&f, 1, f.sn->host_lid[2], NORTH), 0);
	assert_int_equal(sn_set_lft(&f, 3, f.sn->host_lid[0], WEST), 0);
	assert_int_equal(credits(&f), 0);
	assert_int_equal(sn_set_lft(&f, 2, f.sn->host_lid[1], SOUTH), 0);
	assert_int_equal(credits(&f), 1);
	assert_string_equal(sn_text(0), "credit loop of switches 0 > 1 > 3 > 2 > 0, "
			    "packets for LIDs 4, 2, 1, 3");
	assert_int_equal(sn_check(&f), 0);
	sn_teardown(&f);
}

/*
 * The same ring with two lanes: packets change to lane 1 where they come to switch 0 or go on from
 * there, as at a dateline. Levels with the same lanes are looked at once.
 */
static void test_dateline(void **state)
{
	u8 keep[MCFAB_SLS] = {}, change[MCFAB_SLS];
	struct mcfab_entry entry = { .kind = MCFAB_TABLE_KIND_SL2VL, .nlevels = MCFAB_SLS };
	struct fixture f;
	u32 sls;

	sn_setup(&f, 2, 2);
	memset(change, 1, sizeof(change));
	assert_int_equal(sn_set_lft(&f, 0, f.sn->host_lid[3], EAST), 0);
	assert_int_equal(sn_set_lft(&f, 1, f.sn->host_lid[2], NORTH), 0);
	assert_int_equal(sn_set_lft(&f, 3, f.sn->host_lid[0], WEST), 0);
	assert_int_equal(sn_set_lft(&f, 2, f.sn->host_lid[1], SOUTH), 0);
	assert_int_equal(credits(&f), 1);
	assert_int_equal(sn_found.item[0].vls[0], MCFAB_LANE_NONE);
	/* all on lane 0, whatever their level */
	assert_int_equal(mcfab_stage_begin(f.sn, &f.err), 0);
	entry.level = keep;
	for (entry.sw = 0; entry.sw < 4; entry.sw++)
		for (entry.in = 0; entry.in <= HOST; entry.in++)
			for (entry.out = 1; entry.out < HOST; entry.out++)
				assert_int_equal(mcfab_stage_append(f.sn, &entry, 1, &f.err), 0);
	assert_int_equal(mcfab_stage_commit(f.sn, false, &sn_found, &f.err), 0);
	assert_int_equal(mcfab_levels_distinct(f.sn, &sls), 0);
	assert_int_equal(sls, BIT(0));
	assert_int_equal(credits(&f), 1);
	assert_string_equal(sn_text(0), "credit loop of switches 0 > 1 > 3 > 2 > 0 from lane 0 on, "
			    "packets for LIDs 4, 2, 1, 3");
	assert_int_equal(sn_found.item[0].vls[0], 0);
	/* what was loaded before is replaced as a whole: level 1 keeps its lane, 0 changes */
	assert_int_equal(mcfab_stage_begin(f.sn, &f.err), 0);
	change[1] = 0;
	for (entry.sw = 0; entry.sw < 4; entry.sw++)
		for (entry.in = 0; entry.in <= HOST; entry.in++)
			for (entry.out = 1; entry.out < HOST; entry.out++) {
				entry.level = entry.sw == 0 && entry.in == NORTH ? change : keep;
				assert_int_equal(mcfab_stage_append(f.sn, &entry, 1, &f.err), 0);
			}
	assert_int_equal(mcfab_stage_commit(f.sn, false, &sn_found, &f.err), 0);
	assert_int_equal(mcfab_levels_distinct(f.sn, &sls), 0);
	assert_int_equal(sls, BIT(0) | BIT(1));
	assert_int_equal(credits(&f), 1);
	/* with levels of paths only level 0 is in use */
	assert_int_equal(mcfab_stage_begin(f.sn, &f.err), 0);
	entry = (struct mcfab_entry){ .kind = MCFAB_TABLE_KIND_PATH_SL, .lid = 1, .nlevels = 1,
				      .level = keep };
	assert_int_equal(mcfab_stage_append(f.sn, &entry, 1, &f.err), 0);
	assert_int_equal(mcfab_stage_commit(f.sn, false, &sn_found, &f.err), 0);
	assert_int_equal(credits(&f), 0);
	sn_teardown(&f);
}

/*
 * Unicasts and multicasts together: neither alone is a circle. Unicasts turn at one corner of the
 * ring alone, multicasts at the three others.
 */
static void test_together(void **state)
{
	u32 member[] = { 0, 1, 2, 3 };
	struct mcfab_group *group;
	struct fixture f;

	sn_setup(&f, 2, 2);
	group = mcfab_group_new(f.sn, "g", member, 4, 0xc000, &f.err);
	assert_false(IS_ERR(group));
	/* a line 0 - 1 - 3 - 2 */
	assert_int_equal(sn_set_row(&f, 0xc000, 0, PORTS(EAST, HOST)), 0);
	assert_int_equal(sn_set_row(&f, 0xc000, 1, PORTS(WEST, NORTH, HOST)), 0);
	assert_int_equal(sn_set_row(&f, 0xc000, 3, PORTS(SOUTH, WEST, HOST)), 0);
	assert_int_equal(sn_set_row(&f, 0xc000, 2, PORTS(EAST, HOST)), 0);
	assert_int_equal(sn_check(&f), 0);
	assert_int_equal(credits(&f), 0);
	/* and unicasts 3 > 2 > 0 and 2 > 0 > 1 */
	assert_int_equal(sn_set_lft(&f, 3, f.sn->host_lid[0], WEST), 0);
	assert_int_equal(sn_set_lft(&f, 2, f.sn->host_lid[1], SOUTH), 0);
	assert_int_equal(credits(&f), 1);
	assert_int_equal(sn_found.item[0].nswitches, 4);
	assert_int_equal(sn_found.item[0].kind, 0);
	sn_teardown(&f);
}

/* The reference: one packet after the other. */

struct packet {
	u32 lid;
	u32 level;
	bool seen[NODES];	/* lanes by which copies of it have come */
};

/* The lane of a packet that came in by port @in and leaves by @port, or MCFAB_NONE. */
static u32 lane_behind(const struct fixture *f, u32 sw, u32 in, u32 port, u32 level)
{
	u32 end = mcfab_subnet_end(f->sn, sw, port), vl = 0;

	if (!mcfab_end_network(end))
		return MCFAB_NONE;
	if (f->sn->levels.vl)
		vl = mcfab_levels_lane(f->sn, sw, in, port, level);
	return vl < LANES ? mcfab_topo_channel(f->sn->topo, sw, end) * LANES + vl : MCFAB_NONE;
}

/* the port of the switch behind @sw's @port that leads back: directions are 1 to 4 in a circle */
static u32 back(u32 port)
{
	return (port + 1) % 4 + 1;
}

static void send_copy(const struct fixture *f, struct packet *p, u32 sw, u32 in, u32 from)
{
	const struct mcfab_mft *mft = mcfab_mft_find(f->sn, p->lid);
	u32 port, lane;

	for (port = 1; port < HOST; port++) {
		if (port == in || !(mft ? mft->row[sw].bit[0] & BIT(port) :
				    mcfab_lft_port(f->sn, sw, p->lid) == port))
			continue;
		lane = lane_behind(f, sw, in, port, p->level);
		if (lane == MCFAB_NONE)
			continue;
		if (from != MCFAB_NONE)
			reaches[from][lane] = true;
		if (p->seen[lane])
			continue;
		p->seen[lane] = true;
		send_copy(f, p, mcfab_topo_neighbour(f->sn->topo, sw,
						     lane / LANES % f->sn->topo->ports),
			  back(port), lane);
	}
}

/* Packets of all levels that packets of this node and LID may have. */
static void send_packets(const struct fixture *f, u32 lid, u32 node)
{
	u32 level;

	for (level = 0; level < MCFAB_SLS; level++) {
		struct packet p = { .lid = lid, .level = level };

		if (!f->sn->levels.path || mcfab_levels_path(f->sn, node, lid, 0) == level)
			send_copy(f, &p, node, HOST, MCFAB_NONE);
	}
}

static bool refers_to_itself(const struct fixture *f, u32 lanes)
{
	u32 nodes = f->m * f->n, node, lid, i;

	memset(reaches, 0, sizeof(reaches));
	for (node = 0; node < nodes; node++) {
		for (lid = 1; lid < f->sn->lids; lid++)
			if (f->sn->owner[lid] < nodes)
				send_packets(f, lid, node);
		send_packets(f, 0xc000, node);
	}
	close_ways(lanes);
	for (i = 0; i < lanes; i++)
		if (reaches[i][i])
			return true;
	return false;
}

/* A group of all nodes to which no switch sends, and some entries that lead anywhere. */
static void scramble(struct fixture *f, u64 *seed, u32 changes)
{
	u32 nodes = f->m * f->n, member[NODES], i, sw, lid;

	for (i = 0; i < nodes; i++)
		member[i] = i;
	assert_false(IS_ERR(mcfab_group_new(f->sn, "g", member, nodes, 0xc000, &f->err)));
	for (sw = 0; sw < nodes; sw++)
		assert_int_equal(sn_set_row(f, 0xc000, sw, BIT(HOST)), 0);
	for (i = 0; i < changes; i++) {
		sw = rng_below(seed, nodes);
		lid = f->sn->host_lid[rng_below(seed, nodes)];
		assert_int_equal(sn_set_lft(f, sw, lid, 1 + rng_below(seed, HOST)), 0);
	}
	for (i = 0; i < changes / 2; i++)
		assert_int_equal(sn_set_row(f, 0xc000, rng_below(seed, nodes),
					    BIT(1 + rng_below(seed, HOST)) | BIT(HOST)), 0);
}

/* Load any SL-to-VL tables, of few levels that differ, and perhaps any levels of paths. */
static void load_levels(struct fixture *f, u64 *seed)
{
	u32 nodes = f->m * f->n, kinds = 1 + rng_below(seed, 4), sw, in, out, sl;
	u8 vl[MCFAB_SLS], level[NODES];
	struct mcfab_entry entry = { .kind = MCFAB_TABLE_KIND_SL2VL, .nlevels = MCFAB_SLS };

	assert_int_equal(mcfab_stage_begin(f->sn, &f->err), 0);
	for (sw = 0; sw < nodes; sw++)
		for (in = 1; in <= HOST; in++)
			for (out = 1; out < HOST; out++) {
				for (sl = 0; sl < MCFAB_SLS; sl++)
					vl[sl] = sl < kinds ? rng_below(seed, LANES) :
							      vl[sl % kinds];
				if (!rng_below(seed, 20))
					vl[0] = MCFAB_LANE_NONE;
				entry.sw = sw;
				entry.in = in;
				entry.out = out;
				entry.level = vl;
				assert_int_equal(mcfab_stage_append(f->sn, &entry, 1, &f->err), 0);
			}
	entry.kind = MCFAB_TABLE_KIND_PATH_SL;
	entry.lid = 1;
	entry.nlevels = nodes;
	entry.level = level;
	for (entry.node = 0; kinds % 2 && entry.node < nodes; entry.node++) {
		for (sl = 0; sl < nodes; sl++)
			level[sl] = rng_below(seed, kinds);
		assert_int_equal(mcfab_stage_append(f->sn, &entry, 1, &f->err), 0);
	}
	assert_int_equal(mcfab_stage_commit(f->sn, true, &sn_found, &f->err), 0);
}

static void test_random(void **state)
{
	u64 rounds = env_number("MCFAB_GROUPS", 20000) / 100, seed = env_number("MCFAB_SEED", 1), i;
	u32 loops[2] = {}, free[2] = {};
	struct fixture f;
	bool loop, lanes;

	for (i = 0; i < rounds; i++) {
		sn_setup(&f, 2 + rng_below(&seed, 3), 2 + rng_below(&seed, 2));
		scramble(&f, &seed, rng_below(&seed, 40));
		lanes = i % 2;
		if (lanes)
			load_levels(&f, &seed);
		loop = refers_to_itself(&f, f.m * f.n * f.sn->topo->ports * LANES);
		if (loop != !!credits(&f))
			fail_msg("round %llu, mesh %ux%u: found %u, reference %d", i, f.m, f.n,
				 sn_found.total, loop);
		loops[lanes] += loop;
		free[lanes] += !loop;
		sn_teardown(&f);
	}
	for (i = 0; i < 2; i++) {
		print_message("# %s lanes: %u with credit loops, %u without\n",
			      i ? "with" : "without", loops[i], free[i]);
		assert_true(loops[i] > rounds / 40 && free[i] > rounds / 40);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_graphs),
		cmocka_unit_test(test_built),
		cmocka_unit_test(test_ring),
		cmocka_unit_test(test_dateline),
		cmocka_unit_test(test_together),
		cmocka_unit_test(test_random),
	};

	return run_tap(tests);
}
