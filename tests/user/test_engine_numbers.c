// SPDX-License-Identifier: GPL-2.0
/* The worked numbers of the engine's model, and its law of an empty network. */
#include <stdio.h>
#include <stdlib.h>
#include "lib/capture.h"
#include "lib/net.h"

#include "lib/tap.h"

static struct mcfab_fabric_cfg fc;
static struct mcfab_run_cfg rc;
static struct mcfab_msg_list *list;
static struct capture seen;
static struct outcome end;

static void mesh(u32 ndims, u32 a, u32 b, u32 c)
{
	mcfab_fabric_defaults(&fc);
	strcpy(fc.name, "f");
	strcpy(fc.topology, "mesh");
	fc.ndims = ndims;
	fc.radix[0] = a;
	fc.radix[1] = b;
	fc.radix[2] = c;
	mcfab_run_defaults(&rc);
	strcpy(rc.policy, "dp");
	rc.workload.kind = MCFAB_WORKLOAD_TYPE_FILE;
}

static void message(u32 nr, u64 cycle, u32 source, u32 dst)
{
	if (!nr)
		list = list_new(16, 16);
	list->nmsgs = nr + 1;
	list->ndst = nr + 1;
	list->cycle[nr] = cycle;
	list->source[nr] = source;
	list->first[nr + 1] = nr + 1;
	list->dst[nr] = dst;
	rc.workload.list = list;
}

static void go(void)
{
	memset(&seen, 0, sizeof(seen));
	capture = &seen;
	run_engine(&fc, &rc, true, &end);
	capture = NULL;
	if (end.state != MCFAB_RUN_STATUS_DONE || end.bad)
		fail_msg("state %u: %s", end.state, end.progress.why);
}

static void done(void)
{
	capture_free(&seen);
	list_free(list);
}

static void test_dp(void **state)
{
	mesh(2, 16, 16, 0);
	message(0, 0, 0, 10);
	go();
	assert_int_equal(seen.ndlv, 1);
	assert_int_equal(seen.dlv[0].hops, 10);
	assert_int_equal(seen.dlv[0].header, 46);
	assert_int_equal(seen.dlv[0].tail, 77);
	assert_int_equal(end.cycle, 78);	/* nothing is left in the next one */
	assert_int_equal(seen.msg[0].channel_cycles, 10 * 33);
	done();
}

/* header in cycle @want of a message to the next node whose header asks in @asks */
static void second(u32 asks, u32 want)
{
	mesh(2, 16, 16, 0);
	message(0, 0, 0, 10);
	message(1, asks - 36, 3, 4);
	go();
	assert_int_equal(seen.ndlv, 2);
	assert_int_equal(seen.dlv[0].tail, 77);
	assert_int_equal(seen.dlv[1].source, 3);
	assert_int_equal(seen.dlv[1].gen + seen.dlv[1].header, want);
	assert_int_equal(seen.dlv[1].gen + seen.dlv[1].tail, want + 31);
	done();
}

/* granted in 39, released in 71, granted again in 72: there in the cycle after it */
static void test_release(void **state)
{
	second(40, 73);
	second(46, 73);
	second(71, 73);
	second(72, 73);
	second(73, 74);
}

/* in the cycle of the fourth channel's grant the header that comes by the network is first */
static void test_rank(void **state)
{
	mesh(2, 16, 16, 0);
	message(0, 0, 0, 10);
	message(1, 3, 3, 4);
	go();
	assert_int_equal(seen.dlv[0].tail, 77);
	assert_int_equal(seen.dlv[1].gen + seen.dlv[1].header, 73);
	done();

	/* one cycle earlier it has the channel, 39 - 1 + 32 is its release */
	mesh(2, 16, 16, 0);
	message(0, 0, 0, 10);
	message(1, 2, 3, 4);
	go();
	assert_int_equal(seen.dlv[1].gen + seen.dlv[1].header, 39);
	assert_int_equal(seen.dlv[0].header, 46 + 71 - 39);
	done();
}

static u64 alone(u32 switches, u32 flits, u32 buffer)
{
	u64 tail;

	mesh(1, 16, 0, 0);
	fc.buffer = buffer;
	fc.startup = 0;
	fc.inject_delay = 1;
	fc.route_delay = 2;
	rc.prep = 0;
	rc.flits = flits;
	message(0, 0, 0, switches - 1);
	go();
	tail = seen.dlv[0].tail;
	done();
	return tail;
}

static void test_irregular(void **state)
{
	u32 h, l, b;

	for (h = 2; h <= 16; h++)
		for (l = 1; l <= 40; l += 13)
			for (b = 1; b <= 5; b += 2)
				assert_int_equal(alone(h, l, b), 3 * h + l);
}

static void test_booksim(void **state)
{
	u32 h, l;

	for (h = 2; h <= 16; h++) {
		for (l = 1; l <= 40; l += 13) {
			mesh(1, 16, 0, 0);
			fc.startup = 0;
			fc.inject_delay = 2;
			fc.route_delay = 2;
			rc.prep = 0;
			rc.flits = l;
			message(0, 0, h - 1, 0);
			go();
			assert_int_equal(seen.dlv[0].tail, 3 * h + 2 + l - 1);
			done();
		}
	}
}

/* rule 8 for any delays, as long as buffers are as long as links */
static void test_zero_load(void **state)
{
	u64 rnd = 7;
	u32 i;

	for (i = 0; i < 500; i++) {
		u32 a, b, t, h;

		mesh(3, 2 + rng_below(&rnd, 4), 1 + rng_below(&rnd, 4), 1 + rng_below(&rnd, 4));
		fc.startup = rng_below(&rnd, 50);
		fc.inject_delay = rng_below(&rnd, 9);
		fc.route_delay = rng_below(&rnd, 9);
		fc.link_delay = 1 + rng_below(&rnd, 64);
		fc.consume_delay = 1 + rng_below(&rnd, 9);
		fc.credit_delay = rng_below(&rnd, 64);
		fc.vcs = 1 + rng_below(&rnd, 3);
		fc.buffer = fc.link_delay + fc.credit_delay + rng_below(&rnd, 3);
		fc.vc_release = 1 + rng_below(&rnd, 2);
		rc.prep = rng_below(&rnd, 5);
		rc.flits = 1 + rng_below(&rnd, 99);
		a = rng_below(&rnd, fc.radix[0] * fc.radix[1] * fc.radix[2]);
		do {
			b = rng_below(&rnd, fc.radix[0] * fc.radix[1] * fc.radix[2]);
		} while (a == b);
		message(0, rng_below(&rnd, 1000), a, b);
		go();
		h = seen.dlv[0].hops;
		t = rc.prep + fc.startup;
		if (seen.dlv[0].tail != t + fc.inject_delay + (h + 1) * fc.route_delay +
		    h * fc.link_delay + fc.consume_delay + rc.flits - 1) {
			print_config(&fc, &rc);
			fail_msg("tail %u", seen.dlv[0].tail);
		}
		assert_int_equal(seen.dlv[0].tail - seen.dlv[0].header, rc.flits - 1);
		assert_int_equal(seen.dlv[0].part[MCFAB_PART_BLOCKING], 0);
		done();
	}
}

/*
 * A header flit for each of three destinations in a row: the tail comes two cycles
 * later than with one for all, and each stretch of the path carries one flit less.
 */
static void test_headers(void **state)
{
	static const u32 hops[] = { 3, 6, 10 };
	u32 i;

	mesh(2, 16, 16, 0);
	message(0, 0, 0, 3);
	list->first[1] = 3;
	list->ndst = 3;
	list->dst[1] = 6;
	list->dst[2] = 10;
	rc.headers = true;
	go();
	assert_int_equal(seen.ndlv, 3);
	for (i = 0; i < 3; i++) {
		assert_int_equal(seen.dlv[i].tail, 35 + hops[i] + 32 + 2);
		assert_int_equal(seen.dlv[i].header, 35 + hops[i] + 3);
		assert_int_equal(seen.dlv[i].part[MCFAB_PART_BLOCKING], 0);
	}
	assert_int_equal(end.progress.flit_hops, 3 * 34 + 3 * 33 + 4 * 32);
	done();

	/* to one destination it is the same with and without */
	mesh(2, 16, 16, 0);
	message(0, 0, 0, 10);
	rc.headers = true;
	go();
	assert_int_equal(seen.dlv[0].tail, 77);
	done();
}

/* blocked with buffer 1 a worm stops in place and goes on without a gap */
static void test_stops_in_place(void **state)
{
	mesh(1, 12, 0, 0);
	fc.startup = 0;
	rc.prep = 0;
	rc.flits = 100;
	message(0, 0, 5, 6);	/* holds 5 -> 6 in cycles 1 to 101 */
	message(1, 0, 0, 11);	/* waits for it from cycle 6 on, gets it in 102 */
	go();
	assert_int_equal(seen.dlv[1].source, 5);
	assert_int_equal(seen.dlv[1].tail, 101);
	assert_int_equal(seen.dlv[0].header, 102 + 6);
	assert_int_equal(seen.dlv[0].tail, 102 + 6 + 99);
	assert_int_equal(seen.dlv[0].part[MCFAB_PART_BLOCKING], 96);
	done();
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dp),
		cmocka_unit_test(test_release),
		cmocka_unit_test(test_rank),
		cmocka_unit_test(test_irregular),
		cmocka_unit_test(test_booksim),
		cmocka_unit_test(test_zero_load),
		cmocka_unit_test(test_headers),
		cmocka_unit_test(test_stops_in_place),
	};

	return run_tap(tests);
}
