// SPDX-License-Identifier: GPL-2.0
/* Parameters, topologies, policies and plans that are refused; the registry. */

#include "lib/net.h"
#include "lib/tap.h"
#include "policies/qg.h"

static const u32 mesh10[] = { 10, 10 };

#define NOT_DECIMAL	"parameter td is a number with up to 6 decimals"

static void test_parameters(void **state)
{
	static const struct {
		const char *policy, *set;
		int err;
		u32 index;
		bool load;
		const char *msg;
	} bad[] = {
		{ "qq", "", -ENOENT, 0, false, "unknown policy qq" },
		{ "../x", "", -ENOENT, 0, false, "unknown policy ../x" },
		{ "", "", -ENOENT, 0, false, "unknown policy " },
		{ "dp", "td=1", -EINVAL, 0, false, "policy dp has no parameter td" },
		{ "qg", "td=0.5 te=1", -EINVAL, 1, false, "policy qg has no parameter te" },
		{ "qg", "td=0.5 td=1", -EINVAL, 1, false, "parameter td is given twice" },
		{ "qg", "td=x", -EINVAL, 0, false, NOT_DECIMAL },
		{ "qg", "td=", -EINVAL, 0, false, NOT_DECIMAL },
		{ "qg", "td=.", -EINVAL, 0, false, NOT_DECIMAL },
		{ "qg", "td=-1", -EINVAL, 0, false, NOT_DECIMAL },
		{ "qg", "td=0.1234567", -EINVAL, 0, false, NOT_DECIMAL },
		{ "qg", "td=1000.000001", -ERANGE, 0, false,
		  "parameter td is from 0.000000 to 1000.000000" },
		{ "qg", "td=99999999999999999999", -ERANGE, 0, false,
		  "parameter td is from 0.000000 to 1000.000000" },
		{ "qg", "cover=row", -EINVAL, 0, false,
		  "parameter cover is one of: column label multipath chain" },
		{ "qg", "allow-deadlock=1", -EINVAL, 0, false,
		  "parameter allow-deadlock is on or off" },
		{ "qg", "td=1 cover=chain", -EINVAL, 1, true,
		  "cover chain can deadlock under load: needs allow-deadlock on" },
	};
	long before = shim_allocated;
	struct mcfab_policy pol;
	struct mcfab_err err;
	struct net net;
	u32 i;

	net_init(&net, 2, mesh10);
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		net.view.load = bad[i].load;
		assert_int_equal(net_policy(&net, &pol, bad[i].policy, bad[i].set, &err),
				 bad[i].err);
		assert_string_equal(err.msg, bad[i].msg);
		assert_int_equal(err.index, bad[i].index);
		assert_null(pol.ops);
		mcfab_policy_close(&pol);
	}
	assert_int_equal(net_policy(&net, &pol, "qg", "cover=chain allow-deadlock=on td=.25",
				    &err), 0);
	assert_int_equal(pol.values[0], 250000);
	assert_int_equal(pol.values[1], QG_CHAIN);
	assert_int_equal(pol.values[2], true);
	mcfab_policy_close(&pol);
	shim_fail_alloc = 1;
	assert_int_equal(net_policy(&net, &pol, "qg", "", &err), -ENOMEM);
	shim_fail_alloc = 0;
	net_exit(&net);
	assert_int_equal(shim_allocated, before);
}

static void test_topology_refused(void **state)
{
	static const struct mcfab_topo_ops ring = { .name = "ring", .serve = BIT(20) };
	struct mcfab_policy pol;
	struct mcfab_err err;
	struct net net;

	net_init(&net, 2, mesh10);
	net.topo.ops = &ring;
	assert_int_equal(net_policy(&net, &pol, "dp", "", &err), -EOPNOTSUPP);
	assert_string_equal(err.msg, "policy dp cannot serve topology ring");
	net_exit(&net);
}

static void no_prepare(const struct mcfab_view *view, const void *priv, u32 source, u32 *dst,
		       u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	u32 i;

	/* Overruns its bound by one worm and one entry. */
	for (i = 0; i <= ndst; i++) {
		mcfab_plan_worm(plan, source, MCFAB_NONE, MCFAB_PORT_ANY, 0);
		mcfab_plan_dst(plan, dst[0]);
	}
}

static void no_route(const struct mcfab_view *view, const void *priv,
		     const struct mcfab_header *hdr, struct mcfab_decision *out)
{
}

static void test_registry(void **state)
{
	static const char *const names[] = { "cp", "dp", "mp", "qg", "unicast", "zz" };
	struct mcfab_policy_ops zz = {
		.name = "zz", .title = "none", .flags = MCFAB_POLICY_MESH,
		.prepare = no_prepare, .route = no_route,
	}, twice = zz, broken = zz;
	const struct mcfab_policy_ops *ops;
	struct mcfab_policy pol = { .ops = &zz };
	struct mcfab_plan_worm worm[2];
	u32 dst[2] = { 1, 2 }, list[2];
	struct mcfab_plan plan = { .max_worms = 2, .max_dst = 2, .worm = worm, .dst = list };
	static const u32 radix[] = { 4, 4 };
	unsigned long scratch[1] = { 0 };
	struct mcfab_blame blame;
	const char *after = "";
	struct net net;
	u32 i = 0;

	assert_int_equal(mcfab_policy_register(&zz), 0);
	assert_int_equal(mcfab_policy_register(&twice), -EEXIST);
	broken.name = "broken";
	broken.route = NULL;
	assert_int_equal(mcfab_policy_register(&broken), -EINVAL);
	broken.route = no_route;
	broken.name = "a-name-that-is-one-byte-too-long";
	assert_int_equal(mcfab_policy_register(&broken), -EINVAL);
	/* in the order of their names; there are more than these */
	while ((ops = mcfab_policy_next(after))) {
		assert_true(strcmp(after, ops->name) < 0);
		after = ops->name;
		i += i < ARRAY_SIZE(names) && !strcmp(after, names[i]);
		mcfab_policy_put(ops);
	}
	assert_int_equal(i, ARRAY_SIZE(names));
	mcfab_policy_unregister(&zz);
	assert_null(mcfab_policy_get("zz"));
	net_init(&net, 2, radix);
	pol.view.topo = &net.topo;
	assert_int_equal(mcfab_plan_prepare(&pol, 0, dst, 2, &plan, scratch, &blame), -EINVAL);
	assert_string_equal(blame.what, "the plan is longer than its own bound");
	net_exit(&net);
}

/* What mcfab_plan_check() is there to find. */
static void test_plan_check(void **state)
{
	static const u32 radix[] = { 4, 4 };
	u32 dst[] = { 1, 2, 3 }, list[] = { 1, 2, 3, 5 };
	struct mcfab_plan_worm good[] = {
		{ .sender = 0, .after = MCFAB_NONE, .first = 0, .count = 2, .step = 1 },
		{ .sender = 2, .after = 0, .first = 2, .count = 1, .step = 2 },
	}, worm[2];
	struct mcfab_plan plan = {
		.nworms = 2, .ndst = 3, .max_worms = 2, .max_dst = 4, .worm = worm, .dst = list,
	};
	unsigned long seen[1];
	struct mcfab_blame blame;
	struct net net;

#define CHECK(code)							\
	assert_int_equal(mcfab_plan_check(&net.topo, 0, dst, 3, &plan, seen, &blame), code)
	net_init(&net, 2, radix);
	memcpy(worm, good, sizeof(worm));
	CHECK(0);
	list[1] = 1;
	CHECK(-EINVAL);		/* twice */
	list[1] = 2;
	list[2] = 5;
	CHECK(-EINVAL);		/* for nothing */
	list[2] = 0;
	CHECK(-EINVAL);		/* the source */
	list[2] = 16;
	CHECK(-EINVAL);		/* no node */
	list[2] = 3;
	plan.ndst = 2;
	CHECK(-EINVAL);		/* one missing */
	plan.ndst = 3;
	worm[1].sender = 4;
	CHECK(-EINVAL);		/* does not get it */
	worm[1].sender = 2;
	worm[1].step = 3;
	CHECK(-EINVAL);
	worm[1].step = 2;
	worm[1].after = 1;
	CHECK(-EINVAL);
	worm[1].after = MCFAB_NONE;
	CHECK(-EINVAL);
	worm[1].after = 0;
	worm[0].count = 0;
	CHECK(-EINVAL);
	worm[0].count = 2;
	list[1] |= MCFAB_DST_RELAY;
	CHECK(-EINVAL);		/* a destination as a relay only */
	list[1] = 2;
	CHECK(0);
	net_exit(&net);
#undef CHECK
}

/* Policies that misroute are stopped, not followed. */
static u32 bad_kind;

static void bad_route(const struct mcfab_view *view, const void *priv,
		      const struct mcfab_header *hdr, struct mcfab_decision *out)
{
	out->nbranches = bad_kind != 0;
	out->branch[0] = (struct mcfab_branch) {
		.node = MCFAB_NONE, .nports = 1, .vcs = { 1 }, .first = hdr->first,
		.last = hdr->last, .port = { hdr->router == 0 ? 0 : 1 },
	};
	if (bad_kind == 2)
		out->branch[0].port[0] = 3;	/* off the mesh */
	if (bad_kind == 3)
		out->branch[0].port[0] = 40;
	if (bad_kind == 4)
		out->branch[0].last++;
	if (bad_kind == 5)
		out->nbranches = MCFAB_MAX_BRANCHES + 1;
	if (bad_kind == 6)
		out->straight = 1;	/* but turns back */
	if (bad_kind == 7)
		out->ends = true;	/* but goes on */
}

static void test_walk_misrouted(void **state)
{
	static const int want[] = { -ENETUNREACH, -ELOOP, -ENETUNREACH, -ENETUNREACH,
				    -EOVERFLOW, -EOVERFLOW, -EOVERFLOW, -EOVERFLOW };
	struct mcfab_policy_ops bad = { .route = bad_route };
	struct mcfab_walk_event event;
	struct multicast mc;
	struct net net;
	u32 dst[] = { 7 };
	int ret;

	net_init(&net, 2, mesh10);
	multicast_init(&mc, &net, "dp", "", 1);
	multicast_plan(&mc, 0, dst, 1);
	for (bad_kind = 0; bad_kind < ARRAY_SIZE(want); bad_kind++) {
		struct mcfab_policy pol = mc.pol;

		pol.ops = &bad;
		mcfab_walk_init(&mc.walk, &pol, &mc.plan, mc.walk_mem);
		do {
			ret = mcfab_walk_next(&mc.walk, &event);
		} while (ret == 1);
		assert_int_equal(ret, want[bad_kind]);
	}
	multicast_exit(&mc);
	net_exit(&net);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parameters),
		cmocka_unit_test(test_topology_refused),
		cmocka_unit_test(test_registry),
		cmocka_unit_test(test_plan_check),
		cmocka_unit_test(test_walk_misrouted),
	};

	return run_tap(tests);
}
