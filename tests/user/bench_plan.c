// SPDX-License-Identifier: GPL-2.0
/* What it costs to make a plan: nanoseconds per destination, by policy and size. */
#include <stdio.h>
#include <time.h>

#include "lib/net.h"
#include "lib/tap.h"

static u64 now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static void measure(struct net *net, const char *policy, const char *set)
{
	static const u32 sizes[] = { 10, 100, 1000, 10000, 65535 };
	static u32 dst[65535], copy[65535], mark[65536];
	struct multicast mc;
	u64 seed = 1;
	u32 s;

	multicast_init(&mc, net, policy, set, ARRAY_SIZE(dst));
	printf("%-8s %-16s", policy, set);
	for (s = 0; s < ARRAY_SIZE(sizes); s++) {
		u32 times = 1 + 200000 / sizes[s], i;
		u64 took = 0, start;

		random_set(&seed, net->topo.nodes, 30000, dst, sizes[s], mark);
		for (i = 0; i < times; i++) {
			memcpy(copy, dst, sizes[s] * sizeof(*dst));
			start = now();
			assert_int_equal(mcfab_plan_prepare(&mc.pol, 30000, copy, sizes[s],
							    &mc.plan, mc.scratch), 0);
			took += now() - start;
		}
		printf(" %8llu", took / times / sizes[s]);
	}
	printf("\n");
	multicast_exit(&mc);
}

int main(void)
{
	static const u32 radix[][MCFAB_MAX_DIMS] = {
		{ 256, 256 }, { 4, 4, 4, 4, 4, 4, 4, 4 },
	};
	static const u32 ndims[] = { 2, 8 };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(ndims); i++) {
		struct net net;

		net_init(&net, ndims[i], radix[i]);
		printf("ns per destination, %u-D mesh of 65536 nodes\n%-25s %8s %8s %8s %8s %8s\n",
		       ndims[i], "destinations", "10", "100", "1000", "10000", "65535");
		measure(&net, "unicast", "");
		measure(&net, "dp", "");
		measure(&net, "mp", "");
		measure(&net, "cp", "");
		measure(&net, "qg", "");
		measure(&net, "qg", "td=0");
		measure(&net, "qg", "cover=multipath");
		net_exit(&net);
	}
	return 0;
}
