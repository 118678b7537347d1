// SPDX-License-Identifier: GPL-2.0
/*
 * What a policy is promised from init() to exit(): routing that it may look at in every call, the
 * last one included, also when links fail on the way and when a run never begins.
 */
#include <string.h>
#include "fabric/runner.h"
#include "engine/engine.h"
#include "lib/capture.h"
#include "routing/updown.h"

#include "lib/tap.h"

static u32 inits, exits, seen, changes;
static bool faulty;
static const struct mcfab_topo *topo;
static const struct mcfab_updown *last;

/* all of the routing is there */
static void look(const struct mcfab_view *view)
{
	const struct mcfab_updown *ud = view->updown;
	u32 sw;

	assert_ptr_equal(ud->topo, view->topo);
	assert_in_range(atomic_read(&ud->users), 1, 100);
	for (sw = 0; sw < ud->switches; sw++)
		seen += ud->level[sw] + ud->distance[sw] + test_bit(0, ud->dead);
	changes += last && last != ud;
	last = ud;
	faulty = ud->faulty;
}

static int init(const struct mcfab_view *view, const u32 *values, void *priv,
		struct mcfab_err *err)
{
	inits++;
	last = NULL;
	changes = 0;
	topo = view->topo;
	look(view);
	return 0;
}

static void leave(const struct mcfab_view *view, void *priv)
{
	exits++;
	assert_ptr_equal(view->topo, topo);
	look(view);
}

static void prepare(const struct mcfab_view *view, const void *priv, u32 source, u32 *dst,
		    u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	u32 i;

	look(view);
	for (i = 0; i < ndst; i++) {
		mcfab_plan_worm(plan, source, MCFAB_NONE, MCFAB_PORT_ANY, 0);
		mcfab_plan_dst(plan, dst[i]);
	}
}

static void route(const struct mcfab_view *view, const void *priv, const struct mcfab_header *hdr,
		  struct mcfab_decision *out)
{
	look(view);
	mcfab_updown_path(view, hdr, false, out);
}

static struct mcfab_policy_ops policy = {
	.name		= "test-life",
	.title		= "unicasts, and a look at the routing whenever there is occasion",
	.flags		= MCFAB_UPDOWN_SERVES | MCFAB_POLICY_SINGLE,
	.init		= init,
	.exit		= leave,
	.prepare	= prepare,
	.route		= route,
};

static void set_up(struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc)
{
	mcfab_fabric_defaults(fc);
	strcpy(fc->name, "f");
	strcpy(fc->topology, "mesh");
	fc->ndims = 2;
	fc->radix[0] = 4;
	fc->radix[1] = 4;
	fc->buffer = 4;
	fc->routing = MCFAB_ROUTING_MODE_UPDOWN;
	mcfab_run_defaults(rc);
	strcpy(rc->policy, "test-life");
	rc->flits = 4;
	rc->workload.kind = MCFAB_WORKLOAD_TYPE_POISSON;
	rc->workload.rate = 1000000;
	rc->workload.dests = 3;
	rc->warmup = 0;
	rc->batch_cycles = 500;
	rc->max_cycles = 50000;
}

/* links that fail in the run: the routing of exit() is nobody's but the run's */
static void test_faults(void **state)
{
	struct mcfab_fabric_cfg fc;
	struct mcfab_run_cfg rc;
	struct outcome out;

	set_up(&fc, &rc);
	rc.nfaults = 2;
	rc.fault[0].cycle = 2000;
	rc.fault[0].sw = 5;
	rc.fault[0].port = 0;
	rc.fault[1].cycle = 4000;
	rc.fault[1].sw = 9;
	rc.fault[1].port = MCFAB_NONE;
	run_engine(&fc, &rc, false, &out);
	assert_int_equal(out.state, MCFAB_RUN_STATUS_DONE);
	assert_int_equal(inits, exits);
	assert_int_equal(changes, 2);
	assert_true(faulty);
}

/* a link fails from outside while a run is under way */
static void test_request(void **state)
{
	struct mcfab_fault fault = { .sw = 6, .port = 0 };
	struct mcfab_err err = { 0 };
	struct mcfab_fabric_cfg fc;
	struct mcfab_fabric *f;
	struct mcfab_run_cfg rc;

	set_up(&fc, &rc);
	f = mcfab_fabric_create(&fc, &err);
	assert_false(IS_ERR(f));
	assert_int_equal(mcfab_run_start(f, &rc, &err), 0);
	assert_int_equal(mcfab_fabric_fault(f, &fault, &err), 0);
	mcfab_runner_wait(f);
	assert_int_equal(f->results.progress.state, MCFAB_RUN_STATUS_DONE);
	assert_int_equal(inits, exits);
	assert_true(faulty);
	mcfab_fabric_destroy(f);
}

/* refused when the policy is open already: it is closed again */
static void test_refused(void **state)
{
	struct mcfab_err err = { 0 };
	struct mcfab_fabric_cfg fc;
	struct mcfab_fabric *f;
	struct mcfab_run_cfg rc;
	u32 before = inits;

	set_up(&fc, &rc);
	f = mcfab_fabric_create(&fc, &err);
	assert_false(IS_ERR(f));
	rc.workload.dests = 16;
	assert_int_not_equal(mcfab_run_start(f, &rc, &err), 0);
	assert_int_equal(inits, before + 1);
	assert_int_equal(inits, exits);
	mcfab_fabric_destroy(f);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_request),
		cmocka_unit_test(test_refused),
	};
	int ret;

	mcfab_policy_register(&policy);
	ret = run_tap(tests);
	mcfab_policy_unregister(&policy);
	return ret;
}
