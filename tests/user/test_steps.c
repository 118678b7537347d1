// SPDX-License-Identifier: GPL-2.0
/*
 * Long work of requests has scheduling points, in proportion to what there is to do, and gives
 * up at any of them when it is told to: nothing is left behind then.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/sched.h>

#include "fabric/fabric.h"
#include "base/memory.h"
#include "subnet/subnet.h"
#include "updown/updown.h"
#include "workload/workload.h"

#include "lib/tap.h"

#define SIDE	40
#define DIMS	9

/* work that may be done again and again, and changes nothing in the end */
struct work {
	const char *what;
	int (*begin)(struct mcfab_err *err);
	void (*end)(void);
};

static struct mcfab_fabric *fabric;
static struct mcfab_workload load;

static int make(const char *topology, u32 ndims, u32 radix, bool lids, struct mcfab_err *err)
{
	struct mcfab_fabric_cfg cfg;
	u32 i;

	if (lids)
		mcfab_fabric_defaults_lid(&cfg);
	else
		mcfab_fabric_defaults(&cfg);
	strcpy(cfg.name, "f");
	strcpy(cfg.topology, topology);
	cfg.ndims = ndims;
	for (i = 0; i < ndims; i++)
		cfg.radix[i] = radix;
	if (!lids)
		cfg.routing = MCFAB_ROUTING_MODE_UPDOWN;
	fabric = mcfab_fabric_create(&cfg, err);
	return PTR_ERR_OR_ZERO(fabric);
}

static void unmake(void)
{
	mcfab_fabric_destroy(fabric);
}

static int make_lids(struct mcfab_err *err)
{
	return make("mesh", 2, SIDE, true, err);
}

static int make_strings(struct mcfab_err *err)
{
	return mcfab_updown_strings(fabric->updown, err);
}

/* as mcfab_updown_put() does */
static void drop_strings(void)
{
	struct mcfab_updown *ud = fabric->updown;
	u64 bytes = (u64)ud->switches * ud->topo->nodes;

	kvfree(ud->down);
	ud->down = NULL;
	ud->bytes -= bytes;
	mcfab_memory_uncharge(bytes);
}

static int make_stage(struct mcfab_err *err)
{
	static const u8 port = 1;
	const struct mcfab_entry entry = {
		.kind = MCFAB_TABLE_KIND_LFT, .sw = 0, .lid = 1, .nports = 1, .port = &port,
	};

	return mcfab_stage_append(fabric->subnet, &entry, 1, err);
}

static void drop_stage(void)
{
	struct mcfab_err err;

	assert_int_equal(mcfab_stage_begin(fabric->subnet, &err), 0);
}

static struct mcfab_msg_list list;

static int open_list(struct mcfab_err *err)
{
	const struct mcfab_workload_cfg cfg = {
		.kind = MCFAB_WORKLOAD_TYPE_FILE, .source = MCFAB_NONE, .list = &list,
	};

	return mcfab_workload_open(&load, &cfg, 1, SIDE * SIDE, err);
}

static void close_list(void)
{
	mcfab_workload_close(&load);
}

/* How many points there are; told to give up at each of some of them, it does. */
static unsigned long points(const struct work *work)
{
	unsigned long before = shim_rescheds, all, n;
	struct mcfab_err err = {};
	u64 left;

	assert_int_equal(work->begin(&err), 0);
	all = shim_rescheds - before;
	work->end();
	printf("# %s: %lu points\n", work->what, all);
	left = mcfab_memory_left();
	for (n = 1; n <= all; n += 1 + all / 7) {
		shim_stop_at = n;
		if (work->begin(&err) != -EINTR)
			fail_msg("%s: goes on after point %lu", work->what, n);
		shim_stop_at = 0;
		assert_string_equal(err.msg, "interrupted");
		assert_true(mcfab_memory_left() == left);
	}
	/* the last one may be behind everything */
	assert_int_equal(work->begin(&err), 0);
	work->end();
	assert_true(mcfab_memory_left() == left);
	return all;
}

static void test_lids(void **state)
{
	static const struct work work = { "LIDs of a mesh", make_lids, unmake };

	/* 65536 entries of forwarding tables at a time */
	assert_true(points(&work) >= SIDE * SIDE * (2 * SIDE * SIDE + 1) / 65536 - 1);
}

static void test_strings(void **state)
{
	static const struct work work = { "reachability strings", make_strings, drop_strings };
	struct mcfab_err err = {};

	assert_int_equal(make("hypercube", 1, DIMS, false, &err), 0);
	/* to clear a switch's, to fill it, and for each of its links that lead down */
	assert_true(points(&work) >= (2 + DIMS / 2) * BIT(DIMS));
	unmake();
}

static void test_stage(void **state)
{
	static const struct work work = { "tables that are loaded", make_stage, drop_stage };
	struct mcfab_err err = {};

	assert_int_equal(make_lids(&err), 0);
	drop_stage();
	assert_true(points(&work) >= SIDE * SIDE);
	unmake();
}

static void test_list(void **state)
{
	static const struct work work = { "a list of messages", open_list, close_list };
	u32 nmsgs = 20000, each = 20, i;

	list.nmsgs = nmsgs;
	list.ndst = nmsgs * each;
	list.cycle = calloc(nmsgs, sizeof(*list.cycle));
	list.source = calloc(nmsgs, sizeof(*list.source));
	list.first = calloc(nmsgs + 1, sizeof(*list.first));
	list.dst = calloc(list.ndst, sizeof(*list.dst));
	for (i = 0; i <= nmsgs; i++)
		list.first[i] = i * each;
	for (i = 0; i < list.ndst; i++)
		list.dst[i] = 1 + i % each;
	assert_true(points(&work) >= (list.ndst + 3 * nmsgs) / 4096);
	free(list.cycle);
	free(list.source);
	free(list.first);
	free(list.dst);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lids),
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_stage),
		cmocka_unit_test(test_list),
	};

	return run_tap(tests);
}
