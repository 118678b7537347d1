// SPDX-License-Identifier: GPL-2.0
/*
 * Reads multicasts from stdin, prints the plans the module makes of them, for
 * reference.py to compare. One multicast per line:
 *
 *	[t]RADIX,RADIX,... POLICY SET|- INJECT SOURCE NODE,NODE,...
 *
 * on a mesh, or with "t" on a torus of two virtual channels,
 * and one line of answer, worms separated by ';':
 *
 *	SENDER AFTER ROUND NODE,NODE,... HOP,HOP,... LAST-ARRIVAL
 *
 * where AFTER is -1 for the source and a HOP is the node it leads to.
 */
#include <inttypes.h>
#include <stdio.h>

#include "lib/net.h"
#include "lib/tap.h"

static u32 numbers(char *text, u32 *out, u32 room)
{
	char *word, *rest = text;
	u32 n = 0;

	while ((word = strtok_r(rest, ",", &rest))) {
		assert_true(n < room);
		out[n++] = strtoul(word, NULL, 10);
	}
	return n;
}

static void print_plan(struct multicast *mc)
{
	static const struct mcfab_timing timing = {
		.flits = 32, .prep = 2, .prep_relay = 5, .startup = 33, .link_delay = 1,
		.consume_delay = 1, .rounds = MCFAB_ROUNDS_MODE_DELIVERED,
	};
	u32 node[4096], i, j, hops;
	u64 arrival[4096];
	struct mcfab_prediction out = { .node = node, .arrival = arrival };
	struct mcfab_walk_event event;

	assert_true(mc->plan.ndst <= ARRAY_SIZE(node));
	assert_int_equal(mcfab_walk_predict(&mc->walk, &timing, &out), 0);
	for (i = 0; i < mc->plan.nworms; i++) {
		const struct mcfab_plan_worm *worm = &mc->plan.worm[i];

		printf("%s%u %d %u ", i ? ";" : "", worm->sender, (int)worm->after, worm->round);
		for (j = 0; j < worm->count; j++)
			printf("%s%u", j ? "," : "", mc->plan.dst[worm->first + j]);
		printf(" ");
		hops = 0;
		mcfab_walk_start(&mc->walk, i);
		while (mcfab_walk_next(&mc->walk, &event) == 1)
			if (event.kind == MCFAB_WALK_HOP)
				printf("%s%u", hops++ ? "," : "", event.to);
		printf(" %" PRIu64, (uint64_t)arrival[worm->first + worm->count - 1]);
	}
	printf("\n");
}

int main(void)
{
	char dims[64], policy[64], set[128], list[32768];
	u32 radix[MCFAB_MAX_DIMS], dst[4096], inject, source;

	while (scanf("%63s %63s %127s %u %u %32767s", dims, policy, set, &inject, &source,
		     list) == 6) {
		struct multicast mc;
		struct net net;
		bool torus = *dims == 't';
		u32 ndims = numbers(dims + torus, radix, ARRAY_SIZE(radix));
		u32 ndst = numbers(list, dst, ARRAY_SIZE(dst));

		net_init_vcs(&net, torus ? "torus" : "mesh", ndims, radix, 1 + torus);
		net.view.inject = inject;
		for (char *p = set; *p; p++)
			if (*p == '/')
				*p = ' ';
		multicast_init(&mc, &net, policy, strcmp(set, "-") ? set : "", ndst);
		multicast_plan(&mc, source, dst, ndst);
		print_plan(&mc);
		multicast_exit(&mc);
		net_exit(&net);
	}
	return 0;
}
