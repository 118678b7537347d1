// SPDX-License-Identifier: GPL-2.0
/*
 * Patterns of traffic against definitions of their own, written with lists of bits and digits;
 * messages to self; hot nodes; and what is refused.
 */
#include "workload/workload.h"

#include <math.h>
#include <stdlib.h>

#include "lib/check.h"
#include "lib/net.h"
#include "lib/tap.h"
#include "lib/traffic.h"

/* where a message goes, by the words of the page of definitions */
static u32 expected(enum mcfab_traffic_pattern pattern, u32 node, u32 size, u32 bits)
{
	static const u32 two[32] = { [0 ... 31] = 2 };
	u32 from[32], to[32], i, k;

	if (pattern == MCFAB_TRAFFIC_PATTERN_TORNADO || pattern == MCFAB_TRAFFIC_PATTERN_NEIGHBOR) {
		digits(node, traffic_size[size].ndims, traffic_size[size].radix, from);
		for (i = 0; i < traffic_size[size].ndims; i++) {
			k = traffic_size[size].radix[i];
			to[i] = (from[i] + (pattern == MCFAB_TRAFFIC_PATTERN_NEIGHBOR ? 1 :
					    (u32)ceil(k / 2.0) - 1)) % k;
		}
		return number(traffic_size[size].ndims, traffic_size[size].radix, to);
	}
	digits(node, bits, two, from);
	for (i = 0; i < bits; i++) {
		switch (pattern) {
		case MCFAB_TRAFFIC_PATTERN_TRANSPOSE:
			to[(i + bits / 2) % bits] = from[i];
			break;
		case MCFAB_TRAFFIC_PATTERN_BITCOMP:
			to[i] = 1 - from[i];
			break;
		case MCFAB_TRAFFIC_PATTERN_BITREV:
			to[bits - 1 - i] = from[i];
			break;
		case MCFAB_TRAFFIC_PATTERN_SHUFFLE:
			to[(i + 1) % bits] = from[i];
			break;
		default:	/* BITROT */
			to[i] = from[(i + 1) % bits];
		}
	}
	return number(bits, two, to);
}

/* all messages of a node go where they should, or there are none */
static void check_fixed(const struct mcfab_workload *w, u32 node, u32 want)
{
	struct mcfab_source src;
	bool unicast;
	u32 dst, i;

	mcfab_workload_first(w, node, &src);
	if (want == node && !w->cfg.self) {
		check(src.gen == U64_MAX, "a node that is its own destination generates nothing");
		return;
	}
	for (i = 0; i < 3; i++) {
		check(src.gen != U64_MAX && src.index == i, "messages are numbered");
		check(mcfab_workload_ndests(w, node, i) == 1, "one destination");
		check(mcfab_workload_dests(w, node, i, &dst, &unicast) == 1, "one is drawn");
		if (dst != want)
			fail_msg("pattern %u of %u nodes: node %u sends to %u, not to %u",
				 w->cfg.pattern, w->nodes, node, dst, want);
		mcfab_workload_next(w, node, &src);
	}
}

static void test_definitions(void **state)
{
	enum mcfab_traffic_pattern pattern;
	struct mcfab_workload_cfg cfg;
	struct mcfab_workload w;
	u32 size, node, bits, checked = 0;
	struct net net;

	for (size = 0; size < TRAFFIC_SIZES; size++) {
		net_init_as(&net, traffic_size[size].topology, traffic_size[size].ndims, traffic_size[size].radix);
		bits = lround(log2(net.topo.nodes));
		for (pattern = MCFAB_TRAFFIC_PATTERN_TRANSPOSE;
		     pattern <= MCFAB_TRAFFIC_PATTERN_NEIGHBOR; pattern++) {
			if (pattern < MCFAB_TRAFFIC_PATTERN_TORNADO && net.topo.nodes != 1u << bits)
				continue;
			cfg = traffic_config(pattern);
			cfg.topo = &net.topo;
			cfg.self = size % 2;
			traffic_open(&w, &cfg, 3, net.topo.nodes);
			for (node = 0; node < net.topo.nodes; node++)
				check_fixed(&w, node, expected(pattern, node, size, bits));
			checked += node;
			mcfab_workload_close(&w);
		}
		net_exit(&net);
	}
	note("%u sources", checked);

	/* 15 is 1111, 6 is 0110: by hand */
	check(expected(MCFAB_TRAFFIC_PATTERN_SHUFFLE, 6, 0, 4) == 12, "0110 to 1100");
	check(expected(MCFAB_TRAFFIC_PATTERN_BITROT, 6, 0, 4) == 3, "0110 to 0011");
	check(expected(MCFAB_TRAFFIC_PATTERN_TRANSPOSE, 6, 0, 4) == 9, "0110 to 1001");
	check(expected(MCFAB_TRAFFIC_PATTERN_BITREV, 1, 0, 4) == 8, "0001 to 1000");
	check(expected(MCFAB_TRAFFIC_PATTERN_TORNADO, 6, 0, 4) == 11, "(2,1) to (3,2)");
}

static void test_randperm(void **state)
{
	struct mcfab_workload_cfg cfg = traffic_config(MCFAB_TRAFFIC_PATTERN_RANDPERM);
	u32 seed, node, dst, differ = 0, last[64] = { 0 };
	struct mcfab_workload w;
	bool seen[64], unicast;

	cfg.self = true;
	for (seed = 1; seed < 20; seed++) {
		memset(seen, 0, sizeof(seen));
		traffic_open(&w, &cfg, seed, 64);
		for (node = 0; node < 64; node++) {
			mcfab_workload_dests(&w, node, 0, &dst, &unicast);
			check_fixed(&w, node, dst);
			check(dst < 64 && !seen[dst], "a permutation");
			seen[dst] = true;
			differ += dst != last[node];
			last[node] = dst;
		}
		mcfab_workload_close(&w);
	}
	check(differ > 19 * 60, "each seed has its own");
}

/* how many of @n messages of a node go to each of all nodes; return: cycles they took */
static u64 count_dests(const struct mcfab_workload *w, u32 node, u32 n, u32 *count)
{
	struct mcfab_source src;
	u32 i, dst[8];
	bool unicast;

	memset(count, 0, w->nodes * sizeof(*count));
	mcfab_workload_first(w, node, &src);
	for (i = 0; i < n; i++) {
		check(src.index == i, "numbered without holes");
		check(mcfab_workload_dests(w, node, i, dst, &unicast) ==
		      mcfab_workload_ndests(w, node, i), "as many as there are said to be");
		if (unicast || w->cfg.dests == 1)
			count[dst[0]]++;
		mcfab_workload_next(w, node, &src);
	}
	return src.gen;
}

/* @n messages at a mean of @gap cycles, from a process of about exponential gaps */
static bool near_gap(u64 cycles, u32 n, double gap)
{
	return fabs(cycles - n * gap) < 5 * gap * sqrt(n);
}

static void test_self(void **state)
{
	struct mcfab_workload_cfg cfg = traffic_config(MCFAB_TRAFFIC_PATTERN_DIAGONAL);
	struct mcfab_workload w;
	u32 count[64], i;
	u64 cycles;

	/* two thirds stay: the others come at a third of the rate */
	traffic_open(&w, &cfg, 5, 64);
	cycles = count_dests(&w, 63, 30000, count);
	check(count[0] == 30000, "only what leaves the node");
	check(near_gap(cycles, 30000, 300), "at a third of the rate");
	mcfab_workload_close(&w);

	cfg.self = true;
	traffic_open(&w, &cfg, 5, 64);
	cycles = count_dests(&w, 63, 30000, count);
	check(near(count[63], 30000, 2 / 3.0) && near(count[0], 30000, 1 / 3.0), "2/3 and 1/3");
	check(near_gap(cycles, 30000, 100), "at the whole rate");
	mcfab_workload_close(&w);

	/* uniform over all, or over the others */
	cfg.pattern = MCFAB_TRAFFIC_PATTERN_UNIFORM;
	traffic_open(&w, &cfg, 5, 64);
	count_dests(&w, 7, 64000, count);
	for (i = 0; i < 64; i++)
		check(near(count[i], 64000, 1 / 64.0), "each node as often");
	mcfab_workload_close(&w);
	cfg.self = false;
	traffic_open(&w, &cfg, 5, 64);
	count_dests(&w, 7, 63000, count);
	for (i = 0; i < 64; i++)
		check(i == 7 ? !count[i] : near(count[i], 63000, 1 / 63.0), "each but itself");
	mcfab_workload_close(&w);
}

/* equal intervals: what is left out leaves a gap of a whole number of them */
static void test_self_fixed(void **state)
{
	struct mcfab_workload_cfg cfg = traffic_config(MCFAB_TRAFFIC_PATTERN_DIAGONAL);
	u32 i, network, owner, sum = 0;
	struct mcfab_source src;
	struct mcfab_workload w;
	bool taken[40000];
	u64 last;

	cfg.kind = MCFAB_WORKLOAD_TYPE_FIXED;
	for (network = 0; network < 2; network++) {
		cfg.network = network;
		memset(taken, 0, sizeof(taken));
		traffic_open(&w, &cfg, 5, 16);
		for (owner = 0; owner < 16; owner++) {
			mcfab_workload_first(&w, owner, &src);
			for (i = 0, last = src.gen; src.gen < 4000000; i++) {
				check(network || (src.gen - last) % 100 == 0, "whole intervals");
				check(!network || !taken[src.gen / 100], "one in an interval");
				taken[src.gen / 100] = true;
				last = src.gen;
				mcfab_workload_next(&w, owner, &src);
			}
			sum += network ? i : 0;
			check(near(i, network ? 2500 : 40000, 1 / 3.0), "a third of them");
		}
		mcfab_workload_close(&w);
	}
	check(near(sum, 40000, 1 / 3.0), "a third of the network's");

	/* a burst of which a third leaves its node */
	cfg.kind = MCFAB_WORKLOAD_TYPE_BURST;
	traffic_open(&w, &cfg, 5, 30000);
	for (owner = sum = 0; owner < 30000; owner++) {
		mcfab_workload_first(&w, owner, &src);
		sum += src.gen == 0;
	}
	check(near(sum, 30000, 1 / 3.0), "a third of a burst");
	mcfab_workload_close(&w);
}

/* a node on the diagonal has no unicasts, but multicasts it has */
static void test_mixed(void **state)
{
	struct mcfab_workload_cfg cfg = traffic_config(MCFAB_TRAFFIC_PATTERN_TRANSPOSE);
	struct mcfab_workload w;
	u32 count[64];
	u64 cycles;

	cfg.multicast_ppm = 200000;
	cfg.dests = 5;
	traffic_open(&w, &cfg, 9, 64);
	cycles = count_dests(&w, 9, 10000, count);
	check(!count[9], "no message to self");
	check(near_gap(cycles, 10000, 500), "a fifth of its messages are left");
	cycles = count_dests(&w, 1, 10000, count);
	check(near(count[8], 10000, 0.8), "four fifths are unicasts to one node");
	check(near_gap(cycles, 10000, 100), "at the whole rate");
	mcfab_workload_close(&w);

	/* so few that they are all that such a node ever has */
	cfg.multicast_ppm = 1;
	cfg.rate = MCFAB_RATE_ONE;
	traffic_open(&w, &cfg, 9, 64);
	count_dests(&w, 9, 3, count);
	check(!count[9], "multicasts only");
	mcfab_workload_close(&w);

	/* none at all */
	cfg.multicast_ppm = 0;
	cfg.dests = 0;
	traffic_open(&w, &cfg, 9, 64);
	check_fixed(&w, 9, 9);
	check_fixed(&w, 1, 8);
	mcfab_workload_close(&w);
}

static void test_hotspot(void **state)
{
	struct mcfab_workload_cfg cfg = traffic_config(MCFAB_TRAFFIC_PATTERN_HOTSPOT);
	struct mcfab_workload w;
	u32 count[64], i;
	u64 cycles;

	cfg.nhotspots = 3;
	cfg.hotspot[0] = 5;
	cfg.hotspot[1] = 60;
	cfg.hotspot[2] = 9;
	cfg.hotspot_weight[0] = 5;
	cfg.hotspot_weight[1] = 1;
	cfg.hotspot_weight[2] = 2;
	cfg.hotspot_ppm = 400000;
	traffic_open(&w, &cfg, 5, 64);
	count_dests(&w, 0, 63000, count);
	for (i = 1; i < 64; i++) {
		double p = 0.6 / 63 + (i == 5 ? 0.25 : i == 60 ? 0.05 : i == 9 ? 0.1 : 0);

		check(near(count[i], 63000, p), "each hot node's part, and the rest");
	}
	check(!count[0], "nothing to self");
	cycles = count_dests(&w, 5, 30000, count);
	check(!count[5] && near_gap(cycles, 30000, 100 / 0.75), "a hot node has less to send");
	mcfab_workload_close(&w);

	/* one hot node alone: it is silent, and everybody else sends there */
	cfg.nhotspots = 1;
	cfg.hotspot_ppm = MCFAB_PPM;
	traffic_open(&w, &cfg, 5, 64);
	for (i = 0; i < 64; i++)
		check_fixed(&w, i, 5);
	mcfab_workload_close(&w);

	/* and almost alone */
	cfg.hotspot_ppm = MCFAB_PPM - 1;
	cfg.rate = MCFAB_RATE_ONE;
	traffic_open(&w, &cfg, 5, 64);
	count_dests(&w, 5, 3, count);
	check(!count[5], "nothing to self");
	mcfab_workload_close(&w);
}

static void test_lone(void **state)
{
	struct mcfab_workload_cfg cfg = traffic_config(MCFAB_TRAFFIC_PATTERN_TRANSPOSE);
	u32 i, source, again, dst, count[16] = { 0 };
	struct mcfab_workload w;

	cfg.kind = MCFAB_WORKLOAD_TYPE_LONE;
	cfg.count = 12000;
	traffic_open(&w, &cfg, 4, 16);
	for (i = 0; i < cfg.count; i++) {
		check(mcfab_workload_lone(&w, i, &source, &dst) == 1, "one destination");
		check(dst == (source >> 2 | (source & 3) << 2) && dst != source, "transposed");
		mcfab_workload_lone(&w, i, &again, NULL);
		check(again == source, "the same source without its destination");
		count[source]++;
	}
	for (i = 0; i < 16; i++)
		check(i % 5 ? near(count[i], cfg.count, 1 / 12.0) : !count[i], "uniform sources");
	mcfab_workload_close(&w);
}

static void refused(const struct mcfab_workload_cfg *cfg, u32 nodes, enum mcfab_option what,
		    const char *words)
{
	struct mcfab_workload w = { 0 };
	struct mcfab_err err = { 0 };

	if (!mcfab_workload_open(&w, cfg, 1, nodes, &err))
		fail_msg("accepted, not refused as \"%s\"", words);
	if (!strstr(err.msg, words) || err.what != what)
		fail_msg("\"%s\", not \"%s\"", err.msg, words);
}

static void test_refused(void **state)
{
	struct mcfab_workload_cfg cfg = traffic_config(MCFAB_TRAFFIC_PATTERN_TRANSPOSE);
	const u32 radix[] = { 2, 2, 2 };
	struct net net;

	refused(&cfg, 8, MCFAB_OPTION_RUN_PATTERN, "needs an even number of bits: 8 nodes have 3");
	refused(&cfg, 36, MCFAB_OPTION_RUN_PATTERN, "transpose needs a power of two of nodes, not 36");
	cfg.dests = 3;
	refused(&cfg, 64, MCFAB_OPTION_RUN_PATTERN, "dests 1, unicasts, or the centre of a set");
	cfg = traffic_config(MCFAB_TRAFFIC_PATTERN_UNIFORM);
	cfg.self = true;
	cfg.dests = 3;
	refused(&cfg, 64, MCFAB_OPTION_RUN_SELF, "dests 1, or unicasts");
	cfg = traffic_config(MCFAB_TRAFFIC_PATTERN_SHUFFLE);
	refused(&cfg, 2, MCFAB_OPTION_RUN_PATTERN, "every node's messages to itself");
	cfg.source = 15;
	refused(&cfg, 16, MCFAB_OPTION_RUN_SOURCE, "has no other node for source 15");
	cfg = traffic_config(99);
	refused(&cfg, 16, MCFAB_OPTION_RUN_PATTERN, "unknown pattern 99");
	cfg = traffic_config(MCFAB_TRAFFIC_PATTERN_TORNADO);
	refused(&cfg, 16, MCFAB_OPTION_RUN_PATTERN, "needs a mesh or a torus");
	net_init(&net, 3, radix);
	cfg.topo = &net.topo;
	refused(&cfg, 8, MCFAB_OPTION_RUN_PATTERN, "every node's messages to itself");
	net_exit(&net);

	cfg = traffic_config(MCFAB_TRAFFIC_PATTERN_HOTSPOT);
	refused(&cfg, 16, MCFAB_OPTION_RUN_HOTSPOTS, "needs hotspots, 1 to 32 nodes");
	cfg.nhotspots = 2;
	cfg.hotspot[0] = 16;
	refused(&cfg, 16, MCFAB_OPTION_RUN_HOTSPOTS, "hot node 16 is not below 16");
	cfg.hotspot[0] = 0;
	refused(&cfg, 16, MCFAB_OPTION_RUN_HOTSPOT_WEIGHTS, "weight is 1 to 1000000");
	cfg.hotspot_weight[0] = 1;
	cfg.hotspot_weight[1] = 1;
	refused(&cfg, 16, MCFAB_OPTION_RUN_HOTSPOTS, "hot node 0 is named twice");
	cfg.hotspot_ppm = 0;
	refused(&cfg, 16, MCFAB_OPTION_RUN_HOTSPOT_SHARE_PPM, "above 0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_definitions),
		cmocka_unit_test(test_randperm),
		cmocka_unit_test(test_self),
		cmocka_unit_test(test_self_fixed),
		cmocka_unit_test(test_mixed),
		cmocka_unit_test(test_hotspot),
		cmocka_unit_test(test_lone),
		cmocka_unit_test(test_refused),
	};

	return run_tap(tests);
}
