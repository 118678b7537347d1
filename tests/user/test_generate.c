// SPDX-License-Identifier: GPL-2.0
/*
 * Random irregular networks are as they were asked for, and repeat themselves; what there can
 * be none of is refused.
 */
#include <linux/mcfab.h>
#include <stdlib.h>

#include "lib/net.h"
#include "lib/shortest.h"
#include "lib/updown.h"
#include "topology/generate.h"

#include "lib/tap.h"

/* a random network as asked for, or NULL if there can be none */
static struct mcfab_graph *generated(const struct mcfab_generate *gen)
{
	u32 free = gen->switches * gen->ports - gen->hosts, links, want;
	struct mcfab_graph *g;
	struct mcfab_err err = {};
	int ret;

	ret = mcfab_generate_links(gen, &links, &err);
	/* s - 1 links join s switches; half of the ports are one end of a link */
	want = gen->switches == 1 ? 0 : free * gen->connectivity / 100 / 2;
	if (gen->hosts > gen->switches * gen->ports || free < 2 * (gen->switches - 1)) {
		assert_int_equal(ret, -EINVAL);
		assert_int_equal(err.what, MCFAB_OPTION_FABRIC_SWITCH_PORTS);
		return NULL;
	}
	if (want < gen->switches - 1) {
		assert_int_equal(ret, -EINVAL);
		assert_int_equal(err.what, MCFAB_OPTION_FABRIC_CONNECTIVITY);
		return NULL;
	}
	assert_int_equal(ret, 0);
	assert_int_equal(links, want);
	g = graph_new(gen->switches, gen->hosts, links);
	assert_int_equal(mcfab_generate_fill(gen, g, &err), 0);
	return g;
}

/* the same again from the same seed */
static void check_repeats(const struct mcfab_generate *gen, const struct mcfab_graph *g)
{
	struct mcfab_graph *again = generated(gen);

	assert_memory_equal(again->host, g->host, g->hosts * sizeof(*g->host));
	assert_memory_equal(again->link, g->link, g->links * sizeof(*g->link));
	free(again);
}

static void test_generated(void **state)
{
	static const u32 sizes[] = { 1, 2, 3, 4, 8, 12, 16, 24 };
	u64 rnd = 7, rounds = env_number("MCFAB_GROUPS", 10000) / 100;
	u32 i, made = 0, unlike = 0, best;

	for (i = 0; made < rounds; i++) {
		struct mcfab_generate gen = { .switches = sizes[i % ARRAY_SIZE(sizes)], .seed = i };
		struct mcfab_graph *g, *other;
		struct mcfab_topo topo;

		gen.ports = 1 + rng_below(&rnd, 12);
		gen.hosts = 1 + rng_below(&rnd, gen.switches * gen.ports);
		gen.connectivity = i % 3 ? 80 : 1 + rng_below(&rnd, 100);
		g = generated(&gen);
		if (!g)
			continue;
		made++;
		/* init checks it: ports used once, no link to itself, all joined */
		updown_topo(&topo, g);
		updown_check_root(&topo, i % 50, &best);
		updown_check_network(&topo, best);
		mcfab_topo_free(&topo);
		check_repeats(&gen, g);
		gen.seed += rounds << 32;
		other = generated(&gen);
		unlike += memcmp(other->link, g->link, g->links * sizeof(*g->link)) ||
			  memcmp(other->host, g->host, g->hosts * sizeof(*g->host));
		free(other);
		free(g);
	}
	/* the smallest ones can only be alike */
	assert_true(unlike > rounds * 3 / 4);
}

/* All ports in use, and a switch with far more free ones than the others have. */
static void test_full(void **state)
{
	struct mcfab_generate gen = { .switches = 8, .ports = 8, .hosts = 32, .connectivity = 80 };
	struct mcfab_err err = {};
	struct mcfab_graph *g;
	u32 links, i;

	/* the networks of the irregular paper */
	assert_int_equal(mcfab_generate_links(&gen, &links, &err), 0);
	assert_int_equal(links, 12);
	for (gen.seed = 0; gen.seed < 300; gen.seed++) {
		gen.connectivity = 100;
		gen.hosts = 2;
		gen.switches = 2 + gen.seed % 3;
		gen.ports = 2 + gen.seed % 7;
		g = generated(&gen);
		assert_non_null(g);
		assert_int_equal(g->links, (gen.switches * gen.ports - 2) / 2);
		assert_int_equal(mcfab_graph_check(g, &err), 0);
		free(g);
	}
	for (i = 0; i < 6; i++) {
		static const struct mcfab_generate wrong[] = {
			{ 0, 8, 4, 80 }, { 65537, 8, 4, 80 }, { 8, 256, 4, 80 }, { 8, 8, 0, 80 },
			{ 8, 8, 4, 101 }, { 8, 255, 4, 80, .first = 1 },
		};
		static const u32 what[] = {
			MCFAB_OPTION_FABRIC_SWITCHES, MCFAB_OPTION_FABRIC_SWITCHES,
			MCFAB_OPTION_FABRIC_SWITCH_PORTS, MCFAB_OPTION_FABRIC_HOSTS,
			MCFAB_OPTION_FABRIC_CONNECTIVITY, MCFAB_OPTION_FABRIC_SWITCH_PORTS,
		};

		assert_int_equal(mcfab_generate_links(&wrong[i], &links, &err), -ERANGE);
		assert_int_equal(err.what, what[i]);
	}
}

/* With ports from 1 on it is the same network. */
static void test_first_port(void **state)
{
	struct mcfab_generate gen = { .switches = 8, .ports = 8, .hosts = 32, .connectivity = 80 };
	struct mcfab_graph *zero, *one;
	struct mcfab_err err = {};
	u32 i;

	zero = generated(&gen);
	gen.first = 1;
	one = generated(&gen);
	assert_int_equal(mcfab_graph_check(one, &err), 0);
	for (i = 0; i < zero->switches; i++)
		assert_int_equal(one->sw[i].ports, 9);
	for (i = 0; i < zero->hosts; i++) {
		assert_int_equal(one->host[i].at, zero->host[i].at);
		assert_int_equal(one->host[i].port, zero->host[i].port + 1);
	}
	for (i = 0; i < zero->links; i++) {
		assert_int_equal(one->link[i].a, zero->link[i].a);
		assert_int_equal(one->link[i].b, zero->link[i].b);
		assert_int_equal(one->link[i].port_a, zero->link[i].port_a + 1);
		assert_int_equal(one->link[i].port_b, zero->link[i].port_b + 1);
	}
	free(zero);
	free(one);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_generated),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_first_port),
	};

	return run_tap(tests);
}
