// SPDX-License-Identifier: GPL-2.0
/* up*-down* routing against its definition (lib/updown.c), and what it refuses. */
#include <stdlib.h>

#include "lib/net.h"
#include "lib/shortest.h"
#include "lib/updown.h"
#include "updown/updown.h"

#include "lib/tap.h"

static void test_regular(void **state)
{
	static const struct {
		const char *name;
		u32 ndims, radix[3];
	} nets[] = {
		{ "mesh", 2, { 5, 4 } }, { "mesh", 3, { 3, 2, 3 } }, { "hypercube", 1, { 4 } },
		{ "torus", 2, { 4, 5 } }, { "torus", 2, { 2, 3 } }, { "ring", 1, { 7 } },
		{ "star", 1, { 4 } }, { "mesh", 1, { 6 } },
	};
	struct net net;
	u32 i, root, best;

	for (i = 0; i < ARRAY_SIZE(nets); i++) {
		net_init_as(&net, nets[i].name, nets[i].ndims, nets[i].radix);
		for (root = 0; root < net.topo.routers; root++)
			updown_check_network(&net.topo, root);
		updown_check_root(&net.topo, 0, &best);
		net_exit(&net);
	}
}

static void test_random(void **state)
{
	u64 rnd = 5, rounds = env_number("MCFAB_GROUPS", 10000) / 100;
	struct mcfab_topo topo;
	u32 i, best;

	for (i = 0; i < rounds; i++) {
		struct mcfab_graph *g = graph_random(&rnd, 1 + i % 16);

		updown_topo(&topo, g);
		updown_check_root(&topo, i % 10, &best);
		updown_check_network(&topo, best);
		updown_check_network(&topo, rng_below(&rnd, topo.routers));
		mcfab_topo_free(&topo);
		free(g);
	}
}

/* hosts that no links join, and what is too big */
static void test_refusals(void **state)
{
	struct mcfab_topo topo = {
		.routers = 3, .ports = 1, .by_ports = mcfab_divide_by(1), .nodes = 2,
	};
	u32 peer[3] = { 1, 0, MCFAB_NONE }, router[2] = { 0, 2 }, best;
	struct mcfab_updown *ud;
	struct mcfab_err err = {};

	topo.peer = peer;
	topo.router = router;
	assert_int_equal(PTR_ERR(mcfab_updown_create(&topo, 0, &err)), -EINVAL);
	assert_string_equal(err.msg,
			    "switch 2: no links lead there from the root, switch 0");
	assert_int_equal(PTR_ERR(mcfab_updown_create(&topo, 1, &err)), -EINVAL);
	/* the one apart has no host any more */
	router[1] = 1;
	assert_int_equal(mcfab_updown_best_root(&topo, &best, &err), 0);
	assert_int_equal(best, 0);
	ud = mcfab_updown_create(&topo, 1, &err);
	assert_false(IS_ERR(ud));
	assert_int_equal(ud->level[0], 1);
	assert_int_equal(ud->level[2], MCFAB_NONE);
	assert_int_equal(ud->order[2], 2);
	assert_int_equal(mcfab_updown_distance(ud, 0, 2, MCFAB_UPDOWN_UP), MCFAB_UPDOWN_FAR);
	mcfab_updown_put(ud);
	topo.routers = 30000;
	assert_int_equal(PTR_ERR(mcfab_updown_create(&topo, 1, &err)), -ENOMEM);
	assert_string_equal(err.msg, "routing updown needs 3434 MiB, see max_memory_mb");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_regular),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_refusals),
	};

	return run_tap(tests);
}
