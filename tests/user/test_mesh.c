// SPDX-License-Identifier: GPL-2.0
/* Meshes: ids, labels, channels, refusals, memory. */
#include "lib/net.h"
#include "lib/tap.h"

static const u32 shapes[][MCFAB_MAX_DIMS + 1] = {
	{ 1, 1 }, { 1, 2 }, { 1, 17 }, { 2, 4, 4 }, { 2, 5, 3 }, { 2, 1, 6 }, { 2, 6, 1 },
	{ 2, 16, 16 }, { 2, 32, 32 }, { 3, 3, 4, 5 }, { 3, 2, 1, 3 }, { 4, 3, 2, 4, 3 },
	{ 5, 2, 3, 2, 3, 2 }, { 6, 3, 3, 3, 3, 3, 3 }, { 7, 2, 2, 2, 2, 2, 2, 2 },
	{ 8, 4, 4, 4, 4, 4, 4, 4, 4 }, { 8, 1, 1, 1, 1, 1, 1, 1, 1 }, { 1, 65536 },
	{ 2, 65536, 1 }, { 2, 1, 65536 }, { 2, 1024, 1024 }, { 2, 65536, 16 },
};

static void test_shapes(void **state)
{
	u32 s, i, dim, port;

	for (s = 0; s < ARRAY_SIZE(shapes); s++) {
		struct net net;
		u32 links = 0, expect = 0;

		net_init(&net, shapes[s][0], shapes[s] + 1);
		for (dim = 0; dim < net.topo.ndims; dim++)
			expect += net.topo.nodes / net.topo.radix[dim] * (net.topo.radix[dim] - 1);
		for (i = 0; i < net.topo.nodes; i++) {
			u32 at[MCFAB_MAX_DIMS];

			for (dim = 0; dim < net.topo.ndims; dim++)
				at[dim] = mcfab_topo_coord(&net.topo, i, dim);
			assert_int_equal(net_node(&net, at), i);
			assert_int_equal(net.topo.router[i], i);
			assert_int_equal(net.topo.by_label[net.topo.label[i]], i);
			for (port = 0; port < net.topo.ports; port++) {
				u32 c = mcfab_topo_channel(&net.topo, i, port);
				u32 to = mcfab_topo_neighbour(&net.topo, i, port);

				if (to == MCFAB_NONE)
					continue;
				links++;
				assert_int_equal(net.topo.peer[net.topo.peer[c]], c);
				assert_int_equal(mcfab_distance(&net.topo, i, to), 1);
				at[port / 2] += port & 1 ? -1 : 1;
				assert_int_equal(net_node(&net, at), to);
				at[port / 2] -= port & 1 ? -1 : 1;
			}
			/* Hamiltonian path: consecutive labels are neighbours. */
			if (i)
				assert_int_equal(mcfab_distance(&net.topo, net.topo.by_label[i - 1],
								net.topo.by_label[i]), 1);
		}
		assert_int_equal(links, 2 * expect);
		net_exit(&net);
	}
}

static void test_labels_2d(void **state)
{
	static const u32 radix[] = { 5, 4 };
	struct net net;
	u32 x, y;

	net_init(&net, 2, radix);
	for (y = 0; y < 4; y++)
		for (x = 0; x < 5; x++)
			assert_int_equal(net.topo.label[y * 5 + x],
					 y % 2 ? y * 5 + 4 - x : y * 5 + x);
	net_exit(&net);
}

static void test_refusals(void **state)
{
	static const struct {
		u32 ndims, radix[MCFAB_MAX_DIMS], index;
		const char *msg;
	} bad[] = {
		{ 0, { 4 }, 0, "a mesh has 1 to 8 dimensions, not 0" },
		{ 9, { 1, 1, 1, 1, 1, 1, 1, 1 }, 0, "a mesh has 1 to 8 dimensions, not 9" },
		{ U32_MAX, { 4 }, 0, "a mesh has 1 to 8 dimensions, not 4294967295" },
		{ 2, { 4, 0 }, 1, "dimension 1 has no nodes" },
		{ 1, { 1048577 }, 0, "more than 1048576 nodes from dimension 0 on" },
		{ 1, { 65537 }, 0, "dimension 0 has more than 65536 nodes" },
		{ 2, { 1, 1048576 }, 1, "dimension 1 has more than 65536 nodes" },
		{ 2, { 1024, 1025 }, 1, "more than 1048576 nodes from dimension 1 on" },
		{ 2, { 65536, 65536 }, 1, "more than 1048576 nodes from dimension 1 on" },
		{ 2, { 65536, U32_MAX }, 1, "more than 1048576 nodes from dimension 1 on" },
		{ 3, { 4, U32_MAX, U32_MAX }, 1, "more than 1048576 nodes from dimension 1 on" },
		{ 4, { 65536, 16, 1, 2 }, 3, "more than 1048576 nodes from dimension 3 on" },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		struct mcfab_topo topo = { .ops = &mcfab_mesh_ops, .ndims = bad[i].ndims };
		struct mcfab_err err;

		memcpy(topo.radix, bad[i].radix, sizeof(bad[i].radix));
		memset(&err, 0xff, sizeof(err));
		assert_int_equal(mcfab_mesh_ops.init(&topo, &err), -EINVAL);
		assert_int_equal(err.index, bad[i].index);
		assert_string_equal(err.msg, bad[i].msg);
	}
}

static void test_memory(void **state)
{
	struct mcfab_topo topo = { .ops = &mcfab_mesh_ops, .ndims = 2, .radix = { 16, 16 } };
	struct mcfab_err err;
	long before = shim_allocated;

	assert_int_equal(mcfab_mesh_ops.init(&topo, &err), 0);
	assert_int_equal(mcfab_topo_bytes(&topo), 256 * (4 * 4 + 3 * 4 + 2 * 2));
	shim_fail_alloc = 1;
	assert_int_equal(mcfab_topo_alloc(&topo), -ENOMEM);
	shim_fail_alloc = 0;
	mcfab_topo_free(&topo);
	assert_int_equal(mcfab_topo_alloc(&topo), 0);
	mcfab_topo_free(&topo);
	mcfab_topo_free(&topo);
	assert_int_equal(shim_allocated, before);
}

static void test_names(void **state)
{
	static const u32 radix[] = { 2, 2, 2, 2, 2 };
	struct net net;
	char name[8];

	net_init(&net, 5, radix);
	net.topo.ops->port_name(&net.topo, 0, name, sizeof(name));
	assert_string_equal(name, "+x");
	net.topo.ops->port_name(&net.topo, 3, name, sizeof(name));
	assert_string_equal(name, "-y");
	net.topo.ops->port_name(&net.topo, 9, name, sizeof(name));
	assert_string_equal(name, "-4");
	net.topo.ops->port_name(&net.topo, 10, name, sizeof(name));
	assert_string_equal(name, "?");
	net_exit(&net);
	assert_ptr_equal(mcfab_topo_at(0), &mcfab_mesh_ops);
	assert_null(mcfab_topo_find("rin"));
	assert_null(mcfab_topo_at(100));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shapes),
		cmocka_unit_test(test_labels_2d),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_names),
	};

	return run_tap(tests);
}
