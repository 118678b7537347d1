// SPDX-License-Identifier: GPL-2.0
/* Irregular networks: the checks of graphs, and the tables that are made of them. */
#include <stdio.h>
#include <stdlib.h>
#include "fabric/fabric.h"
#include "lib/net.h"
#include "lib/shortest.h"

#include "lib/tap.h"

/* two switches, joined twice, with two hosts on the first and one on the second */
static struct mcfab_graph *small(void)
{
	struct mcfab_graph *g = graph_new(2, 3, 2);
	static const struct mcfab_graph_link links[] = {
		{ 0, 1, 1, 1 }, { 1, 0, 2, 4 },
	};

	g->sw[0].ports = 5;
	g->sw[1].ports = 4;
	memcpy(g->link, links, sizeof(links));
	g->host[0].at = 0;
	g->host[0].port = 3;
	g->host[1].at = 1;
	g->host[1].port = 3;
	g->host[2].at = 0;
	g->host[2].port = 2;
	return g;
}

static void test_tables(void **state)
{
	struct mcfab_graph *g = small();
	struct mcfab_topo topo = { .ops = mcfab_topo_find("irregular"), .graph = g };
	struct mcfab_err err;
	char name[8];
	u32 i;

	assert_int_equal(topo.ops->init(&topo, &err), 0);
	assert_int_equal(topo.nodes, 3);
	assert_int_equal(topo.routers, 2);
	assert_int_equal(topo.ports, 5);
	assert_int_equal(topo.degree, 1);
	assert_int_equal(mcfab_topo_alloc(&topo), 0);
	assert_ptr_not_equal(topo.graph, g);
	free(g);
	assert_int_equal(topo.graph->hosts, 3);
	assert_int_equal(mcfab_topo_neighbour(&topo, 0, 1), 1);
	assert_int_equal(topo.peer[mcfab_topo_channel(&topo, 0, 4)],
			 mcfab_topo_channel(&topo, 1, 2));
	for (i = 0; i < topo.routers * topo.ports; i++) {
		if (topo.peer[i] != MCFAB_NONE)
			assert_int_equal(topo.peer[topo.peer[i]], i);
		if (topo.host[i] != MCFAB_NONE)
			assert_int_equal(topo.peer[i], MCFAB_NONE);
	}
	for (i = 0; i < topo.nodes; i++)
		assert_int_equal(topo.host[mcfab_topo_channel(&topo, topo.router[i],
							      topo.host_port[i])], i);
	assert_null(topo.label);
	assert_false(topo.closed);
	topo.ops->port_name(&topo, 4, name, sizeof(name));
	assert_string_equal(name, "4");
	mcfab_topo_free(&topo);
}

struct wrong {
	void (*spoil)(struct mcfab_graph *g);
	int code;
	const char *why;
};

static void no_ports(struct mcfab_graph *g) { g->sw[1].ports = 0; }
static void no_switch(struct mcfab_graph *g) { g->host[1].at = 2; }
static void no_port(struct mcfab_graph *g) { g->host[1].port = 4; }
static void taken(struct mcfab_graph *g) { g->host[2].port = 3; }
static void taken_by_link(struct mcfab_graph *g) { g->link[1].port_b = 2; }
static void link_nowhere(struct mcfab_graph *g) { g->link[1].b = 7; }
static void link_no_port(struct mcfab_graph *g) { g->link[0].port_b = 9; }
static void self_link(struct mcfab_graph *g) { g->link[1].b = 1; g->link[1].port_b = 0; }
static void apart(struct mcfab_graph *g) { g->links = 0; }
static void no_hosts(struct mcfab_graph *g) { g->hosts = 0; }
static void no_switches(struct mcfab_graph *g) { g->switches = 0; }
static void bad_root(struct mcfab_graph *g) { g->root = 2; }
static void same_lid(struct mcfab_graph *g) { g->sw[1].lid = 9; g->host[2].lid = 9; }
static void bad_lid(struct mcfab_graph *g) { g->sw[1].lid = 0xC000; }
static void same_guid(struct mcfab_graph *g) { g->sw[1].guid = 9; g->host[0].guid = 9; }
static void bad_name(struct mcfab_graph *g) { strcpy(g->host[1].name, "a\"b"); }
static void long_name(struct mcfab_graph *g) { memset(g->sw[0].name, 'x', MCFAB_GRAPH_NAME); }

static const struct wrong wrongs[] = {
	{ no_ports, -ERANGE, "switch 1: 0 ports are not 1 to 255" },
	{ no_switch, -ENOENT, "host 1: there is no switch 2" },
	{ no_port, -ERANGE, "host 1: switch 1 has no port 4, its last is 3" },
	{ taken, -EEXIST, "host 2: port 3 of switch 0 is taken already" },
	{ taken_by_link, -EEXIST, "link 1: port 2 of switch 0 is taken already" },
	{ link_nowhere, -ENOENT, "link 1: there is no switch 7" },
	{ link_no_port, -ERANGE, "link 0: switch 1 has no port 9, its last is 3" },
	{ self_link, -EINVAL, "link 1: joins switch 1 to itself" },
	{ apart, -EINVAL, "switch 1: no links lead there from switch 0" },
	{ no_hosts, -ERANGE, "a graph has 1 to 1048576 hosts, not 0" },
	{ no_switches, -ERANGE, "a graph has 1 to 65536 switches, not 0" },
	{ bad_root, -ENOENT, "root 2: there is no such switch" },
	{ same_lid, -EEXIST, "host 2: lid 9 is another's already" },
	{ bad_lid, -ERANGE, "switch 1: lid 49152 is not in 1 to 49151" },
	{ same_guid, -EEXIST, "guid 0x0000000000000009 is given twice" },
	{ bad_name, -EINVAL, "host 1: its name has a character that is not allowed" },
	{ long_name, -EINVAL, "switch 0: its name has a character that is not allowed" },
};

static void test_refusals(void **state)
{
	struct mcfab_err err;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(wrongs); i++) {
		struct mcfab_graph *g = small();

		assert_int_equal(mcfab_graph_check(g, &err), 0);
		wrongs[i].spoil(g);
		memset(&err, 0, sizeof(err));
		assert_int_equal(mcfab_graph_check(g, &err), wrongs[i].code);
		assert_string_equal(err.msg, wrongs[i].why);
		free(g);
	}
}

/* what is asked for beside a graph, and policies that know coordinates or labels */
static void test_fabric(void **state)
{
	static const char *const regular[] = { "dp", "cp", "hcm-uniform", "ttpm" };
	struct mcfab_fabric_cfg cfg;
	struct mcfab_policy pol;
	struct mcfab_fabric *f;
	struct mcfab_err err;
	u32 i;

	mcfab_fabric_defaults(&cfg);
	strcpy(cfg.name, "f");
	strcpy(cfg.topology, "irregular");
	cfg.vcs = 2;
	assert_int_equal(PTR_ERR(mcfab_fabric_create(&cfg, &err)), -ENOENT);
	assert_string_equal(err.msg, "topology irregular needs a graph: upload one first");
	cfg.graph = small();
	cfg.ndims = 1;
	assert_int_equal(PTR_ERR(mcfab_fabric_create(&cfg, &err)), -EINVAL);
	cfg.ndims = 0;
	f = mcfab_fabric_create(&cfg, &err);
	assert_false(IS_ERR(f));
	assert_ptr_not_equal(f->cfg.graph, cfg.graph);
	assert_int_equal(f->cfg.inject, 1);
	assert_int_equal(f->cfg.consume, 2);
	for (i = 0; i < ARRAY_SIZE(regular); i++) {
		assert_int_equal(mcfab_policy_open(&pol, regular[i], &f->view, NULL, 0, &err),
				 -EOPNOTSUPP);
		assert_non_null(strstr(err.msg, "cannot serve topology irregular"));
	}
	mcfab_fabric_destroy(f);
	free((void *)cfg.graph);
}

static void test_random(void **state)
{
	struct mcfab_err err;
	u64 rnd = 3;
	u32 i;

	for (i = 0; i < 500; i++) {
		struct mcfab_graph *g = graph_random(&rnd, 1 + i % 12);

		memset(&err, 0, sizeof(err));
		if (mcfab_graph_check(g, &err))
			fail_msg("graph %u: %s", i, err.msg);
		free(g);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tables),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_fabric),
		cmocka_unit_test(test_random),
	};

	return run_tap(tests);
}
