// SPDX-License-Identifier: GPL-2.0
/*
 * Fixed intervals, bursts and lists; and every request for traffic that is
 * refused, with its words.
 */
#include "workload/workload.h"

#include <stdlib.h>

#include "lib/check.h"
#include "lib/tap.h"

static struct mcfab_workload_cfg config(enum mcfab_workload_type kind, u32 dests)
{
	return (struct mcfab_workload_cfg){
		.kind = kind, .count = kind == MCFAB_WORKLOAD_TYPE_LONE, .dests = dests,
		.source = MCFAB_NONE, .rate = 5000000, .multicast_ppm = MCFAB_PPM,
		.interval = 250, .fraction_ppm = MCFAB_PPM,
	};
}

static void open_ok(struct mcfab_workload *w, const struct mcfab_workload_cfg *cfg, u32 nodes)
{
	struct mcfab_err err = { 0 };

	if (mcfab_workload_open(w, cfg, 21, nodes, &err))
		fail_msg("refused: %s", err.msg);
}

static void test_fixed(void **state)
{
	struct mcfab_workload_cfg cfg = config(MCFAB_WORKLOAD_TYPE_FIXED, 3);
	u32 node, i, offsets = 0, seen[250] = { 0 };
	struct mcfab_source src;
	struct mcfab_workload w;

	cfg.count = 50;
	open_ok(&w, &cfg, 100);
	for (node = 0; node < 100; node++) {
		u64 first;

		mcfab_workload_first(&w, node, &src);
		first = src.gen;
		check(first < 250, "offset below the interval");
		offsets += !seen[first]++;
		for (i = 0; i < 50; i++) {
			check(src.gen == first + 250 * i && src.index == i, "equal intervals");
			mcfab_workload_next(&w, node, &src);
		}
		check(src.gen == U64_MAX, "ends after its count");
	}
	/* 100 draws out of 250 hit 83 different ones on average, deviation 3.2 */
	check(offsets > 69 && offsets < 97, "offsets differ as random ones do");
	mcfab_workload_close(&w);

	cfg.count = 0;
	cfg.interval = U32_MAX;
	open_ok(&w, &cfg, MCFAB_MAX_NODES);
	mcfab_workload_first(&w, 5, &src);
	src.index = U32_MAX - 2;
	mcfab_workload_next(&w, 5, &src);
	check(src.index == U32_MAX - 1 && src.gen / U32_MAX == U32_MAX - 1ULL, "last message");
	mcfab_workload_next(&w, 5, &src);
	check(src.gen == U64_MAX, "sequence numbers end with 32 bits");
	mcfab_workload_close(&w);
}

static void try_network(u32 nodes, u32 epochs, bool *differ)
{
	struct mcfab_workload_cfg cfg = config(MCFAB_WORKLOAD_TYPE_FIXED, 1);
	u32 *owner = calloc(nodes * epochs, sizeof(*owner)), node, i;
	struct mcfab_source src;
	struct mcfab_workload w;

	cfg.network = true;
	open_ok(&w, &cfg, nodes);
	for (node = 0; node < nodes; node++) {
		mcfab_workload_first(&w, node, &src);
		for (i = 0; i < epochs; i++) {
			u64 slot = src.gen / 250;

			check(src.gen % 250 == 0 && slot / nodes == i, "one message per epoch");
			check(!owner[slot], "one message per interval");
			owner[slot] = node + 1;
			mcfab_workload_next(&w, node, &src);
		}
	}
	*differ = false;
	for (i = 0; i < nodes; i++)
		*differ |= owner[i] != owner[i + nodes];
	free(owner);
	mcfab_workload_close(&w);
}

static void test_network(void **state)
{
	struct mcfab_workload_cfg cfg = config(MCFAB_WORKLOAD_TYPE_FIXED, 1);
	struct mcfab_source src;
	struct mcfab_workload w;
	bool differ;
	u32 i;

	try_network(2, 100, &differ);
	try_network(7, 100, &differ);
	try_network(1000, 20, &differ);
	check(differ, "epochs have orders of their own");

	/* and so have seeds: in 16 nodes' first epoch everyone is first now and then */
	cfg.network = true;
	for (i = 0, differ = false; i < 200; i++) {
		struct mcfab_err err;

		assert_int_equal(mcfab_workload_open(&w, &cfg, i, 16, &err), 0);
		mcfab_workload_first(&w, 3, &src);
		differ |= src.gen == 0;
		mcfab_workload_close(&w);
	}
	check(differ, "seeds have orders of their own");

	cfg.source = 5;
	open_ok(&w, &cfg, 16);
	mcfab_workload_first(&w, 4, &src);
	check(src.gen == U64_MAX, "only the source asked for sends");
	mcfab_workload_first(&w, 5, &src);
	check(src.gen == 0, "from cycle 0");
	mcfab_workload_next(&w, 5, &src);
	check(src.gen == 250 && src.index == 1, "in every interval");
	mcfab_workload_close(&w);
}

static void test_burst(void **state)
{
	static const struct { u32 nodes, ppm, want; } cases[] = {
		{ 256, 1000000, 256 }, { 256, 250000, 64 }, { 10, 250000, 3 }, { 10, 240000, 2 },
		{ 3, 500000, 2 }, { 65536, 1, 0 }, { 65536, 8, 1 }, { 65536, 999999, 65536 },
	};
	struct mcfab_workload_cfg cfg = config(MCFAB_WORKLOAD_TYPE_BURST, 2);
	struct mcfab_source src;
	struct mcfab_workload w;
	u32 i, node, sends, dst[2];
	bool unicast;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct mcfab_err err;

		cfg.fraction_ppm = cases[i].ppm;
		if (!cases[i].want) {
			assert_int_equal(mcfab_workload_open(&w, &cfg, 1, cases[i].nodes, &err),
					 -EINVAL);
			continue;
		}
		open_ok(&w, &cfg, cases[i].nodes);
		for (sends = 0, node = 0; node < cases[i].nodes; node++) {
			mcfab_workload_first(&w, node, &src);
			if (src.gen == U64_MAX)
				continue;
			check(src.gen == 0 && src.index == 0, "in cycle 0");
			check(mcfab_workload_dests(&w, node, 0, dst, &unicast) == 2 && !unicast &&
			      dst[0] != node && dst[1] != node && dst[0] != dst[1], "destinations");
			mcfab_workload_next(&w, node, &src);
			check(src.gen == U64_MAX, "once");
			sends++;
		}
		check(sends == cases[i].want, "as many as the rounded fraction");
		mcfab_workload_close(&w);
	}
	cfg.source = 4;
	cfg.fraction_ppm = 1;
	open_ok(&w, &cfg, 10);
	for (sends = 0, node = 0; node < 10; node++) {
		mcfab_workload_first(&w, node, &src);
		sends += src.gen == 0 ? node : 0;
	}
	check(sends == 4, "only the source asked for");
	mcfab_workload_close(&w);
}

/* five messages of three sources on ten nodes */
static u64 cycle[] = { 7, 3, 7, 9, 3 };
static u32 source[] = { 2, 0, 2, 2, 9 };
static u32 first[] = { 0, 2, 3, 6, 7, 9 };
static u32 dst[] = { 3, 1, 9, 0, 1, 8, 4, 5, 0 };
static struct mcfab_msg_list list = {
	.nmsgs = 5, .ndst = 9, .cycle = cycle, .source = source, .first = first, .dst = dst,
};

/* lengths in a list, with the run's for a message that has none */
static void test_list_lengths(void **state)
{
	static const struct { u32 node, index, flits; } want[] = {
		{ 0, 0, 3 }, { 2, 0, 9 }, { 2, 1, 16 }, { 2, 2, 4 }, { 9, 0, 1 },
	};
	u32 flits[] = { 9, 3, 0, 4, 1 }, i;
	struct mcfab_workload_cfg cfg = config(MCFAB_WORKLOAD_TYPE_FILE, 0);
	struct mcfab_run_cfg run = { .flits = 16 };
	struct mcfab_msg_list sized = list;
	struct mcfab_err err = {};
	struct mcfab_workload w;

	sized.flits = flits;
	for (i = 0; i < ARRAY_SIZE(flits); i++)
		mcfab_list_note_flits(&sized, flits[i]);
	cfg.list = &sized;
	run.workload = cfg;
	check(mcfab_run_shortest(&run) == 1 && mcfab_run_longest(&run) == 16, "with the run's");
	run.flits = 2;
	check(mcfab_run_longest(&run) == 9, "the longest of the list");
	sized.unsized = false;
	run.flits = 16;
	check(mcfab_run_longest(&run) == 9, "without the run's where all have one");
	open_ok(&w, &cfg, 10);
	w.flits = 16;
	for (i = 0; i < ARRAY_SIZE(want); i++)
		assert_int_equal(mcfab_workload_length(&w, want[i].node, want[i].index),
				 want[i].flits);
	mcfab_workload_close(&w);

	cfg.nlengths = 1;
	cfg.length[0] = 4;
	cfg.weight[0] = 1;
	assert_int_equal(mcfab_workload_open(&w, &cfg, 1, 10, &err), -EINVAL);
	assert_int_equal(err.what, MCFAB_OPTION_RUN_LENGTHS);
	cfg.nlengths = 0;
	flits[3] = MCFAB_MAX_FLITS + 1;
	assert_int_equal(mcfab_workload_open(&w, &cfg, 1, 10, &err), -ERANGE);
	check(err.what == MCFAB_OPTION_RUN_WORKLOAD && err.index == 3, "names the message");
}

/* a list ends as a whole, a load at each node; a window begins before the end */
static void test_list_end(void **state)
{
	struct mcfab_workload_cfg cfg = config(MCFAB_WORKLOAD_TYPE_FILE, 0);
	struct mcfab_err err = {};
	struct mcfab_workload w;

	cfg.list = &list;
	open_ok(&w, &cfg, 10);
	check(w.last == 9 && mcfab_workload_ended(&w, 3) == 10, "the end of a list");
	assert_int_equal(mcfab_workload_check_warmup(&w, 9, &err), 0);
	assert_int_equal(mcfab_workload_check_warmup(&w, MCFAB_NONE, &err), 0);
	assert_int_equal(mcfab_workload_check_warmup(&w, 10, &err), -EINVAL);
	assert_int_equal(err.what, MCFAB_OPTION_RUN_WARMUP);
	mcfab_workload_close(&w);

	cfg = config(MCFAB_WORKLOAD_TYPE_FIXED, 2);
	cfg.interval = 100;
	open_ok(&w, &cfg, 10);
	check(mcfab_workload_ended(&w, 300) == 301, "the end of a load");
	assert_int_equal(mcfab_workload_check_warmup(&w, 1000, &err), 0);
	mcfab_workload_close(&w);
}

static void test_list(void **state)
{
	struct mcfab_workload_cfg cfg = config(MCFAB_WORKLOAD_TYPE_FILE, 0);
	struct mcfab_source src;
	struct mcfab_workload w;
	u32 got[3];
	bool unicast;

	cfg.list = &list;
	open_ok(&w, &cfg, 10);
	check(mcfab_workload_max_dests(&w) == 3, "most destinations");
	mcfab_workload_first(&w, 2, &src);
	check(src.gen == 7 && src.index == 0, "first of source 2");
	check(mcfab_workload_dests(&w, 2, 0, got, &unicast) == 2 && got[0] == 3 && got[1] == 1 &&
	      !unicast, "in the order of the list");
	mcfab_workload_next(&w, 2, &src);
	check(src.gen == 7 && src.index == 1 && mcfab_workload_dests(&w, 2, 1, got, &unicast) == 3 &&
	      got[0] == 0 && got[2] == 8, "second of source 2");
	mcfab_workload_next(&w, 2, &src);
	check(src.gen == 9 && src.index == 2 && mcfab_workload_dests(&w, 2, 2, got, &unicast) == 1 &&
	      got[0] == 4, "third of source 2");
	mcfab_workload_next(&w, 2, &src);
	check(src.gen == U64_MAX, "no fourth");
	mcfab_workload_first(&w, 9, &src);
	check(src.gen == 3, "last node");
	mcfab_workload_next(&w, 9, &src);
	check(src.gen == U64_MAX, "one message");
	mcfab_workload_first(&w, 5, &src);
	check(src.gen == U64_MAX, "a node without messages");
	mcfab_workload_close(&w);
}

static void refused(const struct mcfab_workload_cfg *cfg, u32 nodes, const char *words)
{
	long before = shim_allocated;
	struct mcfab_err err = { 0 };
	struct mcfab_workload w;

	assert_int_equal(mcfab_workload_open(&w, cfg, 1, nodes, &err), -EINVAL);
	if (!strstr(err.msg, words))
		fail_msg("\"%s\" does not say \"%s\"", err.msg, words);
	check(strlen(err.msg) < sizeof(err.msg) - 1, "message is whole");
	check(shim_allocated == before, "nothing is leaked");
}

/* refuse the list with *@place changed to @value */
static void refused_list(u32 *place, u32 value, const char *words)
{
	struct mcfab_workload_cfg cfg = config(MCFAB_WORKLOAD_TYPE_FILE, 0);
	u32 kept = *place;

	cfg.list = &list;
	*place = value;
	refused(&cfg, 10, words);
	*place = kept;
}

static void test_refused(void **state)
{
	struct mcfab_workload_cfg cfg = config(MCFAB_WORKLOAD_TYPE_POISSON, 10);

	refused(&cfg, 10, "dests must be at most 9");
	refused(&cfg, 1, "2 to 1048576 nodes");
	refused(&cfg, MCFAB_MAX_NODES + 1, "2 to 1048576 nodes");
	cfg.dests = 0;
	refused(&cfg, 10, "dests must be at least 1");
	cfg.dests = 1;
	cfg.multicast_ppm = 1000001;
	refused(&cfg, 10, "multicast fraction is above 1");
	cfg.multicast_ppm = 500000;
	refused(&cfg, 10, "dests must be at least 2");
	cfg = config(MCFAB_WORKLOAD_TYPE_POISSON, 5);
	cfg.rate = 0;
	refused(&cfg, 10, "rate must be at least");
	cfg.rate = 1000000001;
	refused(&cfg, 10, "rate must be at most 1");
	cfg.rate = 1;
	cfg.source = 10;
	refused(&cfg, 10, "source 10 is not below 10");
	cfg = config(MCFAB_WORKLOAD_TYPE_FIXED, 5);
	cfg.interval = 0;
	refused(&cfg, 10, "interval must be at least 1");
	cfg = config(MCFAB_WORKLOAD_TYPE_BURST, 5);
	cfg.fraction_ppm = 1000001;
	refused(&cfg, 10, "fraction is above 1");
	cfg.fraction_ppm = 0;
	refused(&cfg, 10, "no node sends");
	cfg = config(MCFAB_WORKLOAD_TYPE_LONE, 5);
	cfg.kind = 0;
	refused(&cfg, 10, "unknown workload 0");

	cfg = config(MCFAB_WORKLOAD_TYPE_FILE, 0);
	refused(&cfg, 10, "list is empty");
	refused_list(&list.nmsgs, 0, "list is empty");
	refused_list(&first[3], 3, "message 2 has no destinations");
	refused_list(&first[3], 2, "destinations of message 2 are out of bounds");
	refused_list(&first[5], 10, "destinations of message 4 are out of bounds");
	refused_list(&list.ndst, 10, "destinations without a message");
	refused_list(&source[1], 10, "message 1: source 10 is not below 10");
	refused_list(&dst[3], 10, "message 2: destination 10 is not below 10");
	refused_list(&dst[3], U32_MAX, "message 2: destination 4294967295 is not below 10");
	refused_list(&dst[3], 2, "message 2: source 2 is among the destinations");
	refused_list(&dst[3], 8, "message 2: destination 8 occurs twice");
	cfg.list = &list;
	cycle[2] = 6;
	refused(&cfg, 10, "message 2 is earlier");
	cycle[2] = 7;
	cycle[3] = U64_MAX;
	refused(&cfg, 10, "message 3: cycle is out of range");
	cycle[3] = 9;
}

static void test_memory(void **state)
{
	struct mcfab_workload_cfg cfg = config(MCFAB_WORKLOAD_TYPE_FILE, 0);
	long before = shim_allocated, fail;
	struct mcfab_err err = { 0 };
	struct mcfab_workload w;
	int ret = -ENOMEM;

	cfg.list = &list;
	for (fail = 1; ret && fail < 10; fail++) {
		shim_fail_alloc = fail;
		ret = mcfab_workload_open(&w, &cfg, 1, 10, &err);
		check(!ret || (ret == -ENOMEM && shim_allocated == before), "nothing is leaked");
	}
	shim_fail_alloc = 0;
	check(fail == 5, "every allocation was made to fail once");
	mcfab_workload_close(&w);
	check(shim_allocated == before, "everything is freed");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fixed),
		cmocka_unit_test(test_network),
		cmocka_unit_test(test_burst),
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_list_lengths),
		cmocka_unit_test(test_list_end),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_memory),
	};

	return run_tap(tests);
}
