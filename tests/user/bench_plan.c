// SPDX-License-Identifier: GPL-2.0
/* What it costs to make a plan: nanoseconds per destination, by policy and size. */
#include <stdio.h>
#include <time.h>

#include "lib/net.h"
#include "lib/tap.h"

static u64 now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static const u32 sizes[] = { 10, 100, 1000, 10000, 65535, 100000 };

static void measure(struct net *net, const char *policy, const char *set)
{
	static u32 dst[100000], copy[100000], mark[1 << 20];
	u32 most = min_t(u32, ARRAY_SIZE(dst), net->topo.nodes - 1), s;
	struct mcfab_blame blame;
	struct multicast mc;
	u64 seed = 1;

	multicast_init(&mc, net, policy, set, most);
	printf("%-13s %-16s", policy, set);
	for (s = 0; s < ARRAY_SIZE(sizes) && sizes[s] <= most; s++) {
		u32 times = 1 + 100000 / sizes[s], i;
		u64 took = 0, start;

		memset(mark, 0, net->topo.nodes * sizeof(*mark));
		random_set(&seed, net->topo.nodes, 30000, dst, sizes[s], mark);
		for (i = 0; i < times; i++) {
			memcpy(copy, dst, sizes[s] * sizeof(*dst));
			start = now();
			assert_int_equal(mcfab_plan_prepare(&mc.pol, 30000, copy, sizes[s],
							    &mc.plan, mc.scratch, &blame), 0);
			took += now() - start;
		}
		printf(" %8llu", (unsigned long long)took / times / sizes[s]);
		fflush(stdout);
	}
	printf("\n");
	multicast_exit(&mc);
}

int main(void)
{
	static const struct {
		const char *policy, *set;
	} mesh[] = {
		{ "unicast", "" }, { "dp", "" }, { "mp", "" }, { "cp", "" }, { "qg", "" },
		{ "qg", "td=0" }, { "qg", "cover=multipath" }, {}
	}, torus[] = {
		{ "unicast", "" }, { "dp", "" }, { "hcm-uniform", "" }, { "hcm-fixed", "" },
		{ "hcm-multipath", "" }, { "tasnem", "allow-deadlock=on" }, { "t2w", "" }, { "ttpm", "" },
		{ "gttpm", "" }, { "rg", "" }, {}
	}, *policy;
	static const struct {
		const char *topology;
		u32 ndims;
		u32 radix[MCFAB_MAX_DIMS];
	} nets[] = {
		{ "mesh", 2, { 256, 256 } }, { "mesh", 8, { 4, 4, 4, 4, 4, 4, 4, 4 } },
		{ "torus", 2, { 1024, 1024 } },
	};
	u32 i, s;

	for (i = 0; i < ARRAY_SIZE(nets); i++) {
		bool is_torus = !strcmp(nets[i].topology, "torus");
		struct net net;

		net_init_vcs(&net, nets[i].topology, nets[i].ndims, nets[i].radix, 2);
		printf("ns per destination, %u-D %s of %u nodes\n%-30s", nets[i].ndims,
		       nets[i].topology, net.topo.nodes, "destinations");
		for (s = 0; s < ARRAY_SIZE(sizes) && sizes[s] < net.topo.nodes; s++)
			printf(" %8u", sizes[s]);
		printf("\n");
		for (policy = is_torus ? torus : mesh; policy->policy; policy++)
			measure(&net, policy->policy, policy->set);
		net_exit(&net);
	}
	return 0;
}
