// SPDX-License-Identifier: GPL-2.0
/*
 * Lengths of messages: how often each is drawn, of what the draw is a function, and what is refused.
 * Runs with them are in test_engine_traffic.c, test_engine_reference.c and test_loads.c.
 */
#include "fabric/fabric.h"

#include "lib/check.h"
#include "lib/net.h"
#include "lib/tap.h"
#include "lib/traffic.h"

#define DRAWS	200000U

static const struct {
	u32 n;
	u32 length[MCFAB_MAX_LENGTHS];
	u32 weight[MCFAB_MAX_LENGTHS];
} lists[] = {
	{ 1, { 7 }, { 5 } },
	{ 2, { 1, 5 }, { 4, 1 } },
	{ 2, { 64, 4 }, { 1, 1 } },
	{ 3, { 10, 20, 30 }, { MCFAB_MAX_WEIGHT, 1, MCFAB_MAX_WEIGHT / 2 } },
	{ 16, { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, MCFAB_MAX_FLITS },
	  { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 } },
};

static struct mcfab_workload_cfg lengths_config(u32 list)
{
	struct mcfab_workload_cfg cfg = traffic_config(MCFAB_TRAFFIC_PATTERN_UNIFORM);

	cfg.nlengths = lists[list].n;
	memcpy(cfg.length, lists[list].length, sizeof(cfg.length));
	memcpy(cfg.weight, lists[list].weight, sizeof(cfg.weight));
	return cfg;
}

/* messages of one node, of many nodes, and lone multicasts have each length as often as it weighs */
static void test_weights(void **state)
{
	u32 i, k, way;

	for (i = 0; i < ARRAY_SIZE(lists); i++) {
		for (way = 0; way < 3; way++) {
			struct mcfab_workload_cfg cfg = lengths_config(i);
			u32 count[MCFAB_MAX_LENGTHS] = { 0 };
			struct mcfab_workload w;
			double sum = 0;

			if (way == 2)
				cfg.kind = MCFAB_WORKLOAD_TYPE_LONE;
			traffic_open(&w, &cfg, 3 + i, 1024);
			for (k = 0; k < DRAWS; k++) {
				u32 at, flits = way == 1 ? mcfab_workload_length(&w, k % 1024, k / 1024) :
							   mcfab_workload_length(&w, 17, k);

				for (at = 0; lists[i].length[at] != flits; at++)
					check(at + 1 < lists[i].n, "a length of the list");
				count[at]++;
			}
			for (k = 0; k < lists[i].n; k++)
				sum += lists[i].weight[k];
			for (k = 0; k < lists[i].n; k++)
				check(near(count[k], DRAWS, lists[i].weight[k] / sum),
				      "each length as often as it weighs");
			mcfab_workload_close(&w);
		}
	}
}

/* of the seed, the source and the number alone; a lone multicast has the same from any source */
static void test_function(void **state)
{
	struct mcfab_workload_cfg cfg = lengths_config(4), other = cfg;
	u32 seeds = 0, sources = 0, i;
	struct mcfab_workload a, b, c;

	other.kind = MCFAB_WORKLOAD_TYPE_BERNOULLI;
	other.rate = 123456;
	other.dests = 9;
	other.multicast_ppm = 400000;
	other.pattern = MCFAB_TRAFFIC_PATTERN_RANDPERM;
	traffic_open(&a, &cfg, 1, 64);
	traffic_open(&b, &other, 1, 1024);
	traffic_open(&c, &cfg, 2, 64);
	for (i = 0; i < 1000; i++) {
		u32 flits = mcfab_workload_length(&a, 5, i);

		assert_int_equal(mcfab_workload_length(&b, 5, i), flits);
		seeds += mcfab_workload_length(&c, 5, i) != flits;
		sources += mcfab_workload_length(&a, 6, i) != flits;
	}
	assert_true(seeds > 500 && sources > 500);
	mcfab_workload_close(&a);
	mcfab_workload_close(&b);
	mcfab_workload_close(&c);
	cfg.kind = MCFAB_WORKLOAD_TYPE_LONE;
	traffic_open(&a, &cfg, 1, 64);
	for (i = 0; i < 1000; i++)
		assert_int_equal(mcfab_workload_length(&a, 5, i), mcfab_workload_length(&a, 6, i));
	mcfab_workload_close(&a);
}

static struct mcfab_fabric_cfg fc;
static struct mcfab_run_cfg rc;

static void defaults(void)
{
	mcfab_fabric_defaults(&fc);
	strcpy(fc.name, "f");
	strcpy(fc.topology, "mesh");
	fc.ndims = 2;
	fc.radix[0] = 4;
	fc.radix[1] = 4;
	mcfab_run_defaults(&rc);
	strcpy(rc.policy, "dp");
	rc.workload = lengths_config(1);
	rc.workload.kind = MCFAB_WORKLOAD_TYPE_LONE;
}

/* a message of 3 or 8 flits has packets of at most mtu, the last of which may be shorter */
static void test_packets(void **state)
{
	struct mcfab_err err = { 0 };
	struct mcfab_fabric *f;
	u32 mtu, least;

	for (mtu = 0; mtu < 8; mtu++) {
		defaults();
		rc.workload.nlengths = 2;
		rc.workload.length[0] = 3;
		rc.workload.length[1] = 8;
		rc.mtu = mtu;
		least = !mtu || mtu > 3 ? 3 : mtu;
		if (mtu)
			least = min(least, min(2 % mtu, 7 % mtu) + 1);
		assert_int_equal(mcfab_run_least_packet(&rc), least);
	}
	/* the buffers need room for a packet, not for the longest message */
	fc.switching = MCFAB_SWITCHING_MODE_CUT_THROUGH;
	fc.buffer = 4;
	rc.mtu = 4;
	f = mcfab_fabric_create(&fc, &err);
	assert_false(IS_ERR(f));
	assert_int_equal(mcfab_run_start(f, &rc, &err), 0);
	mcfab_fabric_destroy(f);
}

/* of a list the divisor that all lengths have in common is known */
static void test_common(void **state)
{
	u32 mtu, least;

	for (mtu = 1; mtu < 40; mtu++) {
		struct mcfab_msg_list list = { 0 };

		mcfab_list_note_flits(&list, 24);
		mcfab_list_note_flits(&list, 36);
		defaults();
		rc.workload = (struct mcfab_workload_cfg) {
			.kind = MCFAB_WORKLOAD_TYPE_FILE,
			.list = &list,
		};
		rc.mtu = mtu;
		least = mtu >= 36 ? 24 : gcd(12, mtu);
		assert_int_equal(mcfab_run_least_packet(&rc), least);
		if (mtu >= 36)
			continue;
		/* some messages have the run's length */
		mcfab_list_note_flits(&list, 0);
		rc.flits = 30;
		assert_int_equal(mcfab_run_least_packet(&rc), gcd(6, mtu));
	}
}

static void refused(enum mcfab_option what, const char *words)
{
	struct mcfab_err err = { 0 };
	struct mcfab_fabric *f = mcfab_fabric_create(&fc, &err);

	assert_false(IS_ERR(f));
	if (!mcfab_run_start(f, &rc, &err))
		fail_msg("accepted, not refused as \"%s\"", words);
	if (!strstr(err.msg, words) || err.what != what)
		fail_msg("\"%s\", not \"%s\"", err.msg, words);
	mcfab_fabric_destroy(f);
}

static void test_refused(void **state)
{
	defaults();
	rc.workload.nlengths = MCFAB_MAX_LENGTHS + 1;
	refused(MCFAB_OPTION_RUN_LENGTHS, "more than 16 lengths");
	defaults();
	rc.workload.length[1] = 0;
	refused(MCFAB_OPTION_RUN_LENGTHS, "length 0 is not in 1 to 1048576");
	rc.workload.length[1] = MCFAB_MAX_FLITS + 1;
	refused(MCFAB_OPTION_RUN_LENGTHS, "length 1048577 is not in 1 to 1048576");
	defaults();
	rc.workload.weight[0] = 0;
	refused(MCFAB_OPTION_RUN_WEIGHTS, "weight 0 is not in 1 to 1000000");
	rc.workload.weight[0] = MCFAB_MAX_WEIGHT + 1;
	refused(MCFAB_OPTION_RUN_WEIGHTS, "weight 1000001 is not in 1 to 1000000");
	defaults();
	rc.headers = true;
	refused(MCFAB_OPTION_RUN_LENGTHS, "not modelled with headers on");
	defaults();
	fc.buffer = 4;
	fc.switching = MCFAB_SWITCHING_MODE_CUT_THROUGH;
	refused(MCFAB_OPTION_RUN_LENGTHS, "needs buffers of a packet: 4 of 5 flits");
	fc.buffer = 8;
	fc.switching = MCFAB_SWITCHING_MODE_STORE_AND_FORWARD;
	refused(MCFAB_OPTION_RUN_LENGTHS, "not modelled with switching saf");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_weights),
		cmocka_unit_test(test_function),
		cmocka_unit_test(test_packets),
		cmocka_unit_test(test_common),
		cmocka_unit_test(test_refused),
	};

	return run_tap(tests);
}
