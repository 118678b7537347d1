// SPDX-License-Identifier: GPL-2.0
/*
 * Tables of least hops ("routing minhop") on random networks: path lengths against a plain search,
 * the spread over ports against a plain count, trees by what they deliver.
 *
 * MCFAB_GROUPS: random networks, in hundreds (default 20000)
 */
#include <stdlib.h>

#include "lib/shortest.h"
#include "lib/subnet.h"

#include "lib/tap.h"

static struct mcfab_graph *graph;

static bool setup(struct fixture *f, const struct mcfab_generate *gen)
{
	u32 i, lid = 64;

	graph = graph_generate(gen);
	if (!graph)
		return false;
	/* every third network: hosts have up to 8 LIDs, some have none of their own */
	for (i = 0; !(gen->seed % 3) && i < graph->hosts; i++) {
		if (i % 5 == 4)
			continue;
		graph->host[i].lid = lid;
		graph->host[i].lmc = i % 4;
		lid += 8;
	}
	memset(f, 0, sizeof(*f));
	f->net.topo.ops = mcfab_topo_find("irregular");
	f->net.topo.graph = graph;
	assert_int_equal(f->net.topo.ops->init(&f->net.topo, &f->err), 0);
	assert_int_equal(mcfab_topo_alloc(&f->net.topo), 0);
	f->rules.min_hop = true;
	f->sn = mcfab_subnet_create(&f->net.topo, &f->rules, 4, &f->err);
	if (IS_ERR(f->sn))
		fail_msg("%s", f->err.msg);
	return true;
}

static void teardown(struct fixture *f)
{
	mcfab_subnet_destroy(f->sn);
	mcfab_topo_free(&f->net.topo);
	free(graph);
}

/* hops between all switches, by repeated relaxation: networks here are small */
static u32 hops[64][64];

static void relax(const struct fixture *f)
{
	const struct mcfab_topo *topo = &f->net.topo;
	bool changed = true;
	u32 a, b, port, next;

	memset(hops, 0xff, sizeof(hops));
	for (a = 0; a < topo->routers; a++)
		hops[a][a] = 0;
	while (changed) {
		changed = false;
		for (a = 0; a < topo->routers; a++)
			for (port = 0; port < topo->ports; port++) {
				next = mcfab_topo_neighbour(topo, a, port);
				for (b = 0; next != MCFAB_NONE && b < topo->routers; b++)
					if (hops[next][b] + 1ULL < hops[a][b]) {
						hops[a][b] = hops[next][b] + 1;
						changed = true;
					}
			}
	}
}

/* LID by LID: the port with the fewest paths to hosts so far, of those that save a hop */
static void check_spread(const struct fixture *f)
{
	const struct mcfab_topo *topo = &f->net.topo;
	u32 *paths = calloc((size_t)topo->routers * topo->ports, sizeof(*paths));
	u32 lid, sw, to, port, least, taken, next;

	for (lid = 1; lid < f->sn->lids; lid++) {
		u32 owner = f->sn->owner[lid];

		if (owner == MCFAB_NONE)
			continue;
		to = owner & MCFAB_END_HOST ? owner & ~(u32)MCFAB_END_HOST : topo->router[owner];
		for (sw = 0; sw < topo->routers; sw++) {
			if (sw == to)
				continue;
			for (port = 0, least = U32_MAX; port < topo->ports; port++) {
				next = mcfab_topo_neighbour(topo, sw, port);
				if (next != MCFAB_NONE && hops[next][to] + 1 == hops[sw][to])
					least = min(least, paths[sw * topo->ports + port]);
			}
			taken = mcfab_subnet_end(f->sn, sw, mcfab_lft_port(f->sn, sw, lid));
			assert_true(mcfab_end_network(taken));
			next = mcfab_topo_neighbour(topo, sw, taken);
			assert_int_equal(hops[next][to] + 1, hops[sw][to]);
			assert_int_equal(paths[sw * topo->ports + taken], least);
			paths[sw * topo->ports + taken] += !(owner & MCFAB_END_HOST);
		}
	}
	free(paths);
}

/* links of all rows, each counted from both ends where it leads both ways */
static u32 tree_links(const struct fixture *f, const struct mcfab_mft *mft)
{
	u32 sw, port, n = 0;

	for (sw = 0; sw < f->sn->switches; sw++)
		for_each_set_bit(port, mft->row[sw].bit, f->sn->ports)
			n += mcfab_end_network(mcfab_subnet_end(f->sn, sw, port));
	return n;
}

/* Of a group's own trees none is longer than its unicasts. */
static void check_group(struct fixture *f, u64 *seed, u32 lid)
{
	u32 nodes = f->net.topo.nodes, member[256], n = 0, i, far = 0;
	struct mcfab_group *group;
	struct mcfab_mft *mft;

	for (i = 0; i < nodes && n < 255; i++)
		if (!rng_below(seed, 3))
			member[n++] = i;
	group = mcfab_group_new(f->sn, lid ? "shared" : "own", member, n, lid, &f->err);
	assert_false(IS_ERR(group));
	for (i = 0; !lid && i < n; i++)
		sn_mft(f, group, group->member[i]);
	assert_int_equal(sn_check(f), 0);
	for (i = 0; !lid && i < n; i++) {
		mft = mcfab_mft_find(f->sn, mcfab_group_lid(group, group->member[i]));
		far = tree_links(f, mft);
		assert_true(far < f->sn->switches);
	}
	if (lid) {
		far = tree_links(f, mcfab_mft_find(f->sn, lid));
		assert_true(!(far % 2) && far < 2 * f->sn->switches);
	}
	/* others come, some go: the rows are made anew */
	for (i = 0; i < nodes && mcfab_group_has(group, i); i++)
		;
	if (i < nodes)
		assert_int_equal(mcfab_group_join(f->sn, group, &i, 1, &f->err), 0);
	assert_int_equal(sn_check(f), 0);
	if (group->nmembers)
		assert_int_equal(mcfab_group_leave(f->sn, group, (u32[]){ group->member[0] }, 1,
						   &f->err), 0);
	assert_int_equal(sn_check(f), 0);
}

static void test_random(void **state)
{
	u64 rounds = env_number("MCFAB_GROUPS", 20000) / 100, seed = env_number("MCFAB_SEED", 1), i;
	struct fixture f;
	u32 tried = 0;

	for (i = 0; i < rounds; i++) {
		struct mcfab_generate gen = {
			.switches = 1 + rng_below(&seed, 16), .ports = 3 + rng_below(&seed, 12),
			.connectivity = 40 + rng_below(&seed, 61), .seed = i, .first = 1,
		};

		gen.hosts = 2 + rng_below(&seed, gen.switches * 2);
		if (!setup(&f, &gen))
			continue;
		tried++;
		assert_int_equal(sn_check(&f), 0);
		relax(&f);
		check_spread(&f);
		check_group(&f, &seed, 0);
		check_group(&f, &seed, 0xc123);
		teardown(&f);
	}
	assert_true(tried > rounds / 2);
}

/* What was set goes back to what was built, and rows of the user's stay. */
static void test_set(void **state)
{
	struct mcfab_generate gen = { .switches = 6, .ports = 8, .hosts = 12, .connectivity = 80,
				      .seed = 1, .first = 1 };
	struct mcfab_entry entry = { .kind = MCFAB_TABLE_KIND_LFT, .restore = true };
	u32 member[] = { 0, 3, 7 }, sw, lid, port;
	struct fixture f;

	assert_true(setup(&f, &gen));
	lid = f.sn->host_lid[7];
	sw = (f.net.topo.router[7] + 1) % 6;
	port = mcfab_lft_port(f.sn, sw, lid);
	assert_int_equal(sn_set_lft(&f, sw, lid, MCFAB_NO_PORT), 0);
	assert_int_equal(mcfab_lft_port(f.sn, sw, lid), MCFAB_NO_PORT);
	entry.sw = sw;
	entry.lid = lid;
	assert_int_equal(mcfab_table_set(f.sn, &entry, 1, &f.err), 0);
	assert_int_equal(mcfab_lft_port(f.sn, sw, lid), port);

	assert_false(IS_ERR(mcfab_group_new(f.sn, "g", member, 3, 0xc000, &f.err)));
	sw = f.net.topo.router[3];
	assert_int_equal(sn_set_row(&f, 0xc000, sw, BIT(1)), 0);
	assert_int_equal(sn_set_lft(&f, 0, lid, MCFAB_NO_PORT), 0);
	assert_int_equal(mcfab_mft_find(f.sn, 0xc000)->row[sw].bit[0], BIT(1));
	assert_true(sn_check(&f) > 0);
	entry = (struct mcfab_entry){ .kind = MCFAB_TABLE_KIND_MFT, .sw = sw, .lid = 0xc000,
				      .restore = true };
	assert_int_equal(mcfab_table_set(f.sn, &entry, 1, &f.err), 0);
	entry = (struct mcfab_entry){ .kind = MCFAB_TABLE_KIND_LFT, .sw = 0, .lid = lid,
				      .restore = true };
	assert_int_equal(mcfab_table_set(f.sn, &entry, 1, &f.err), 0);
	assert_int_equal(sn_check(&f), 0);
	teardown(&f);
}

/* Memory that is missing at each place in turn refuses a group, and leaves the tables as they were. */
static void test_refused(void **state)
{
	struct mcfab_generate gen = { .switches = 6, .ports = 8, .hosts = 12, .connectivity = 80,
				      .seed = 1, .first = 1 };
	struct mcfab_entry entry = { .kind = MCFAB_TABLE_KIND_MFT, .lid = 0xc000, .nports = 1,
				     .port = (const u8[]){ 1 } };
	u32 members[] = { 0, 3, 7 }, i, lid, failed[2] = {};
	struct mcfab_group *group;
	struct fixture f;
	u64 bytes;

	assert_true(setup(&f, &gen));
	/* rows of no group yet */
	assert_int_equal(mcfab_stage_begin(f.sn, &f.err), 0);
	assert_int_equal(mcfab_stage_append(f.sn, &entry, 1, &f.err), 0);
	assert_int_equal(mcfab_stage_commit(f.sn, true, &sn_found, &f.err), 0);
	for (lid = 0xc000; lid < 0xc002; lid++) {
		bytes = mcfab_subnet_bytes(f.sn);
		for (i = 1; ; i++) {
			shim_fail_alloc = i;
			group = mcfab_group_new(f.sn, "g", members, 3, lid, &f.err);
			shim_fail_alloc = 0;
			if (!IS_ERR(group))
				break;
			failed[lid - 0xc000]++;
			assert_int_equal(PTR_ERR(group), -ENOMEM);
			assert_int_equal(mcfab_subnet_bytes(f.sn), bytes);
			assert_int_equal(!!mcfab_mft_find(f.sn, lid), lid == 0xc000);
			assert_int_equal(f.sn->ngroups, 0);
		}
		/* loaded rows stay */
		if (lid == 0xc000)
			assert_int_equal(mcfab_mft_find(f.sn, lid)->row[0].bit[0], BIT(1));
		else
			assert_int_equal(sn_check(&f), 0);
		mcfab_group_del(f.sn, group);
	}
	assert_true(failed[0] >= 5 && failed[1] > failed[0]);
	teardown(&f);
}

/* Ports up to the highest number that there is. */
static void test_wide(void **state)
{
	struct mcfab_generate gen = { .switches = 2, .ports = 255, .hosts = 300, .connectivity = 100,
				      .seed = 4, .first = 1 };
	u32 highest = 0, lid, member[300], i;
	struct fixture f;

	gen.ports = MCFAB_GRAPH_PORTS_MAX - 1;
	assert_true(setup(&f, &gen));
	assert_int_equal(f.sn->ports, 255);
	assert_int_equal(sn_check(&f), 0);
	for (lid = 1; lid < f.sn->lids; lid++)
		highest = max(highest, mcfab_lft_port(f.sn, 0, lid));
	assert_true(highest > 250 && highest < MCFAB_NO_PORT);
	for (i = 0; i < 300; i++)
		member[i] = i;
	assert_false(IS_ERR(mcfab_group_new(f.sn, "all", member, 300, 0xc000, &f.err)));
	assert_int_equal(sn_check(&f), 0);
	teardown(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_set),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_wide),
	};

	return run_tap(tests);
}
