// SPDX-License-Identifier: GPL-2.0
/* Meshes of one to eight dimensions: channels, labels, routing functions. */
#include <kunit/test.h>

#include "routing/dimension.h"
#include "routing/routing.h"
#include "topology/topology.h"

static const u32 shapes[][MCFAB_MAX_DIMS] = {
	{ 9 }, { 1 }, { 4, 4 }, { 6, 6 }, { 5, 7 }, { 3, 4, 5 }, { 4, 4, 4 }, { 2, 1, 3 },
	{ 3, 2, 4, 3 }, { 2, 2, 2, 2, 2, 2, 2, 2 },
};

static void describe(const u32 (*shape)[MCFAB_MAX_DIMS], char *name)
{
	u32 dim, at = 0;

	for (dim = 0; dim < MCFAB_MAX_DIMS && (*shape)[dim]; dim++)
		at += scnprintf(name + at, KUNIT_PARAM_DESC_SIZE - at, "%s%u", dim ? "x" : "",
				(*shape)[dim]);
}

KUNIT_ARRAY_PARAM(shape, shapes, describe);

static void build(struct kunit *test, struct mcfab_topo *topo)
{
	const u32 *radix = test->param_value;
	struct mcfab_err err;

	memset(topo, 0, sizeof(*topo));
	topo->ops = &mcfab_mesh_ops;
	while (topo->ndims < MCFAB_MAX_DIMS && radix[topo->ndims]) {
		topo->radix[topo->ndims] = radix[topo->ndims];
		topo->ndims++;
	}
	KUNIT_ASSERT_EQ(test, topo->ops->init(topo, &err), 0);
	KUNIT_ASSERT_EQ(test, mcfab_topo_alloc(topo), 0);
}

static void test_channels(struct kunit *test)
{
	struct mcfab_topo topo;
	u32 i, dim, id, channels = 0, want = 0;

	build(test, &topo);
	for (dim = 0; dim < topo.ndims; dim++)
		want += 2 * (topo.nodes / topo.radix[dim]) * (topo.radix[dim] - 1);
	for (i = 0; i < topo.routers * topo.ports; i++) {
		if (topo.peer[i] == MCFAB_NONE)
			continue;
		channels++;
		KUNIT_EXPECT_EQ(test, topo.peer[topo.peer[i]], i);
		KUNIT_EXPECT_EQ(test, mcfab_distance(&topo, i / topo.ports,
						     topo.peer[i] / topo.ports), 1);
	}
	KUNIT_EXPECT_EQ(test, channels, want);
	for (i = 0; i < topo.nodes; i++) {
		for (dim = 0, id = 0; dim < topo.ndims; dim++)
			id += topo.stride[dim] * mcfab_topo_coord(&topo, i, dim);
		KUNIT_EXPECT_EQ(test, id, i);
	}
	mcfab_topo_free(&topo);
}

static void test_labels(struct kunit *test)
{
	struct mcfab_topo topo;
	u32 i;

	build(test, &topo);
	for (i = 0; i < topo.nodes; i++) {
		KUNIT_EXPECT_EQ(test, topo.label[topo.by_label[i]], i);
		if (i)
			KUNIT_EXPECT_EQ(test, mcfab_distance(&topo, topo.by_label[i - 1],
							     topo.by_label[i]), 1);
	}
	mcfab_topo_free(&topo);
}

/* every pair: a minimal path; of labels: a monotone one; by dimension: in order */
static void test_routing(struct kunit *test)
{
	struct mcfab_topo topo;
	struct mcfab_straight way = { 0 };
	u32 a, b, at, port, next, last, hops, run;

	build(test, &topo);
	for (a = 0; a < topo.nodes; a++) {
		for (b = 0; b < topo.nodes; b++) {
			for (at = a, hops = 0; at != b; at = next, hops++) {
				port = mcfab_step_label(&topo, at, b);
				next = mcfab_topo_neighbour(&topo, at, port);
				KUNIT_ASSERT_NE(test, next, MCFAB_NONE);
				KUNIT_ASSERT_EQ(test, topo.label[next] > topo.label[at],
						topo.label[b] > topo.label[a]);
			}
			KUNIT_ASSERT_EQ(test, hops, mcfab_distance(&topo, a, b));
			for (at = a, hops = 0, last = 0, run = 0; at != b; at = next, hops++) {
				port = mcfab_step_dimension(&topo, at, b);
				next = mcfab_topo_neighbour(&topo, at, port);
				KUNIT_ASSERT_NE(test, next, MCFAB_NONE);
				KUNIT_ASSERT_GE(test, port / 2, last);
				last = port / 2;
				/* as many as were announced go on by the same port */
				if (run)
					KUNIT_ASSERT_EQ(test, port, way.port);
				else
					way = mcfab_straight_dimension(&topo, at, b);
				run = run ? run - 1 : way.routers;
				if (!run)
					KUNIT_ASSERT_EQ(test, next == b, way.ends);
			}
			KUNIT_ASSERT_EQ(test, hops, mcfab_distance(&topo, a, b));
		}
	}
	mcfab_topo_free(&topo);
}

/* labels of the 4x4 mesh, row by row, as drawn in Lin and Ni */
static void test_worked(struct kunit *test)
{
	static const u32 label[] = { 0, 1, 2, 3, 7, 6, 5, 4, 8, 9, 10, 11, 15, 14, 13, 12 };
	static const u32 radix[MCFAB_MAX_DIMS] = { 4, 4 };
	struct mcfab_topo topo;
	u32 i;

	test->param_value = radix;
	build(test, &topo);
	for (i = 0; i < topo.nodes; i++)
		KUNIT_EXPECT_EQ(test, topo.label[i], label[i]);
	mcfab_topo_free(&topo);
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(test_channels, shape_gen_params),
	KUNIT_CASE_PARAM(test_labels, shape_gen_params),
	KUNIT_CASE_PARAM(test_routing, shape_gen_params),
	KUNIT_CASE(test_worked),
	{}
};

static struct kunit_suite suite = { .name = "mcfab_mesh", .test_cases = cases };

kunit_test_suite(suite);
