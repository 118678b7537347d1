// SPDX-License-Identifier: GPL-2.0
/*
 * What every plan of every policy must keep to, on random multicasts.
 *
 * MCFAB_GROUPS: multicasts in all (default 100000). MCFAB_SEED: where the random
 * numbers start (default 1).
 */
#include <stdio.h>

#include "lib/net.h"
#include "lib/tap.h"
#include "routing/cover.h"

/* Dimensions, radices, weight: how much of the work goes to this mesh. */
static const struct shape {
	u32 ndims, radix[MCFAB_MAX_DIMS], weight;
} shapes[] = {
	{ 1, { 2 }, 1000 },		{ 1, { 37 }, 1000 },
	{ 2, { 1, 9 }, 1000 },		{ 2, { 9, 1 }, 1000 },
	{ 2, { 2, 2 }, 1000 },		{ 2, { 3, 5 }, 1000 },
	{ 2, { 6, 6 }, 3000 },		{ 2, { 7, 4 }, 2000 },
	{ 2, { 10, 10 }, 3000 },	{ 2, { 16, 16 }, 3000 },
	{ 2, { 32, 32 }, 1500 },	{ 3, { 3, 4, 5 }, 2000 },
	{ 3, { 4, 1, 3 }, 1000 },	{ 3, { 8, 8, 8 }, 1500 },
	{ 4, { 3, 2, 4, 3 }, 1500 },	{ 4, { 5, 5, 5, 5 }, 1000 },
	{ 5, { 2, 3, 1, 3, 4 }, 1000 },	{ 6, { 3, 3, 2, 3, 2, 3 }, 1000 },
	{ 7, { 2, 3, 2, 1, 2, 2, 3 }, 500 }, { 8, { 2, 2, 2, 2, 2, 2, 2, 2 }, 1000 },
	{ 2, { 256, 256 }, 4 },		{ 1, { 65536 }, 1 },
	{ 8, { 4, 4, 4, 4, 4, 4, 4, 4 }, 10 }, { 3, { 64, 32, 32 }, 6 },
};

enum {
	LABEL		= BIT(0),	/* every worm is label-monotone */
	ORDERED		= BIT(1),	/* every worm is one dimension-order path */
	APART		= BIT(2),	/* worms of one sender share no channel */
	CROSSES		= BIT(3),	/* a worm may use a channel twice */
	TWO_STEPS	= BIT(4),
	TREE		= BIT(5),	/* as few steps as a binomial tree of its nodes */
};

static const struct subject {
	const char *policy, *set;
	u32 promise;
	u32 weight;
} subjects[] = {
	{ "unicast", "", ORDERED, 2 },
	{ "umesh", "", ORDERED | TREE, 2 },
	{ "dp", "", LABEL | APART, 3 },
	{ "ld", "", LABEL | APART, 1 },
	{ "mp", "", LABEL | APART, 3 },
	{ "cp", "", ORDERED, 3 },
	{ "qg", "", ORDERED | TWO_STEPS, 3 },
	{ "qg", "td=0", ORDERED | TWO_STEPS, 1 },
	{ "qg", "td=2", ORDERED | TWO_STEPS, 1 },
	{ "qg", "cover=label", LABEL | APART | TWO_STEPS, 1 },
	{ "qg", "cover=label td=0.1", LABEL | APART | TWO_STEPS, 1 },
	{ "qg", "cover=multipath", LABEL | APART | TWO_STEPS, 1 },
	{ "qg", "cover=multipath td=0", LABEL | APART | TWO_STEPS, 1 },
	{ "qg", "cover=chain", CROSSES | TWO_STEPS, 1 },
	{ "qg", "cover=chain td=0", CROSSES | TWO_STEPS, 1 },
};

struct check {
	struct net net;
	struct multicast mc;
	const struct subject *subject;
	u64 seed;		/* of the multicast under test */
	u32 *mark;
	u32 *dst;
	u64 *used;		/* by channel: worm and sender that used it last */
	u64 worms;		/* walked so far */
	u64 sender;		/* senders so far */
};

#define REQUIRE(check, cond)						\
do {									\
	if (!(cond))							\
		fail_msg("%s %s, multicast %llu: %s",			\
			 (check)->subject->policy, (check)->subject->set, \
			 (check)->seed, #cond);				\
} while (0)

static void check_worm(struct check *c, u32 index)
{
	const struct mcfab_plan_worm *worm = &c->mc.plan.worm[index];
	const struct mcfab_topo *topo = &c->net.topo;
	u32 promise = c->subject->promise;
	u32 at = worm->sender, leg = worm->sender, leg_hops = 0, hops = 0, entry = 0;
	u32 dim = 0, leg_dim = 0, taken[MCFAB_MAX_DIMS] = { 0 };
	struct mcfab_walk_event event;
	bool up = false;
	int ret;

	c->worms++;
	mcfab_walk_start(&c->mc.walk, index);
	while ((ret = mcfab_walk_next(&c->mc.walk, &event)) == 1) {
		u64 *used;

		REQUIRE(c, event.from == at);
		if (event.kind == MCFAB_WALK_DELIVER) {
			REQUIRE(c, event.to == at);
			REQUIRE(c, event.to == c->mc.plan.dst[worm->first + entry]);
			REQUIRE(c, event.hops == hops);
			REQUIRE(c, leg_hops == mcfab_distance(topo, leg, at));
			entry++;
			leg = at;
			leg_hops = 0;
			leg_dim = 0;
			continue;
		}
		REQUIRE(c, mcfab_distance(topo, at, event.to) == 1);
		used = &c->used[mcfab_topo_channel(topo, at, event.port)];
		if (promise & APART)
			REQUIRE(c, *used >> 32 != c->sender);
		if (!(promise & CROSSES))
			REQUIRE(c, (u32)*used != (u32)c->worms);
		*used = c->sender << 32 | (u32)c->worms;
		if (promise & LABEL) {
			if (!hops)
				up = topo->label[event.to] > topo->label[at];
			REQUIRE(c, (topo->label[event.to] > topo->label[at]) == up);
		} else {
			REQUIRE(c, event.port / 2 >= leg_dim);
			leg_dim = event.port / 2;
		}
		if (promise & ORDERED) {
			REQUIRE(c, event.port / 2 >= dim);
			dim = event.port / 2;
			taken[dim] |= BIT(event.port & 1);
			REQUIRE(c, taken[dim] != 3);
		}
		at = event.to;
		hops++;
		leg_hops++;
	}
	REQUIRE(c, ret == 0);
	REQUIRE(c, entry == worm->count);
}

/* Worms of one sender: how many there may be, and in which rounds. */
static void check_sender(struct check *c, u32 first, u32 end)
{
	const char *policy = c->subject->policy, *set = c->subject->set;
	const struct mcfab_plan_worm *worm = c->mc.plan.worm;
	u32 ndims = c->net.topo.ndims, count = end - first, i;

	if (!strcmp(policy, "dp") || !strcmp(policy, "ld") || strstr(set, "label"))
		REQUIRE(c, count <= 2);
	if (!strcmp(policy, "mp") || strstr(set, "multipath"))
		REQUIRE(c, count <= 2 * ndims);
	if (strstr(set, "chain") && worm[first].step == 2)
		REQUIRE(c, count == 1);
	if (!strcmp(policy, "unicast"))
		REQUIRE(c, count == c->mc.plan.ndst);
	for (i = first; i < end; i++)
		REQUIRE(c, worm[i].round == (i - first) / c->net.view.inject);
	if (!strcmp(policy, "cp")) {
		u32 stride = c->net.topo.stride[ndims - 1];

		/* No column gets more than two, all its destinations in them. */
		memset(c->mark, 0, stride * sizeof(*c->mark));
		for (i = first; i < end; i++) {
			u32 j, column = c->mc.plan.dst[worm[i].first] % stride;

			REQUIRE(c, ++c->mark[column] <= 2);
			for (j = 1; j < worm[i].count; j++)
				REQUIRE(c, c->mc.plan.dst[worm[i].first + j] % stride == column);
		}
		memset(c->mark, 0, stride * sizeof(*c->mark));
	}
}

static void check_multicast(struct check *c, u32 source, u32 ndst)
{
	const struct mcfab_plan_worm *worm = c->mc.plan.worm;
	u32 i, first = 0, reps = 0;

	multicast_plan(&c->mc, source, c->dst, ndst);	/* with mcfab_plan_check() */
	c->sender++;
	for (i = 0; i < c->mc.plan.nworms; i++) {
		REQUIRE(c, worm[i].step <= (c->subject->promise & TREE ? fls(ndst) :
					    c->subject->promise & TWO_STEPS ? 2 : 1));
		if (worm[i].step == 1)
			reps += worm[i].count;
		if (i && (worm[i].sender != worm[first].sender ||
			  worm[i].after != worm[first].after)) {
			check_sender(c, first, i);
			first = i;
			c->sender++;
		}
		check_worm(c, i);
	}
	check_sender(c, first, i);
	if (c->subject->promise & TWO_STEPS)
		REQUIRE(c, reps <= 1u << 2 * c->net.topo.ndims);
}

static void test_promises(void **state)
{
	u64 groups = env_number("MCFAB_GROUPS", 100000), seed = env_number("MCFAB_SEED", 1);
	u64 shape_sum = 0, subject_sum = 0, done = 0;
	u32 s, p;

	for (s = 0; s < ARRAY_SIZE(shapes); s++)
		shape_sum += shapes[s].weight;
	for (p = 0; p < ARRAY_SIZE(subjects); p++)
		subject_sum += subjects[p].weight;
	for (s = 0; s < ARRAY_SIZE(shapes); s++) {
		struct check c = { .seed = 0 };
		u32 channels;

		net_init(&c.net, shapes[s].ndims, shapes[s].radix);
		channels = c.net.topo.routers * c.net.topo.ports;
		c.mark = calloc(c.net.topo.nodes, sizeof(u32));
		c.dst = calloc(c.net.topo.nodes, sizeof(u32));
		c.used = calloc(channels, sizeof(u64));
		for (p = 0; p < ARRAY_SIZE(subjects); p++) {
			u64 n = groups * shapes[s].weight * subjects[p].weight /
				(shape_sum * subject_sum) + 1;

			c.subject = &subjects[p];
			c.net.view.inject = 1 + p % 5;
			multicast_init(&c.mc, &c.net, c.subject->policy, c.subject->set,
				       c.net.topo.nodes - 1);
			for (; n; n--, done++) {
				u64 draw = seed + done * 0x10001;
				u32 source, size;

				c.seed = done;
				source = rng_below(&draw, c.net.topo.nodes);
				size = random_size(&draw, c.net.topo.nodes);
				random_set(&draw, c.net.topo.nodes, source, c.dst, size, c.mark);
				check_multicast(&c, source, size);
			}
			multicast_exit(&c.mc);
		}
		free(c.mark);
		free(c.dst);
		free(c.used);
		net_exit(&c.net);
	}
	printf("# %llu multicasts, seed %llu\n", done, seed);
	assert_true(done >= groups);
}

/* A broadcast in the largest mesh: every bound at its limit. */
static void test_broadcast(void **state)
{
	static const struct shape large[] = {
		{ 2, { 256, 256 } }, { 1, { 65536 } }, { 8, { 4, 4, 4, 4, 4, 4, 4, 4 } },
		{ 2, { 1, 65536 } }, { 2, { 65536, 1 } },
	};
	u32 s, p, i;

	for (s = 0; s < ARRAY_SIZE(large); s++) {
		struct check c = { .seed = 0 };

		net_init(&c.net, large[s].ndims, large[s].radix);
		c.mark = calloc(65536, sizeof(u32));
		c.dst = calloc(65536, sizeof(u32));
		c.used = calloc(c.net.topo.routers * c.net.topo.ports, sizeof(u64));
		for (p = 0; p < ARRAY_SIZE(subjects); p++) {
			u32 source = 30000 + p;

			/* 65,535 unicasts of 10,000 hops each tell nothing new */
			if (!strcmp(subjects[p].policy, "unicast") && large[s].ndims < 8)
				continue;
			if (subjects[p].promise & ORDERED && large[s].radix[0] == 65536 &&
			    large[s].ndims == 2)
				continue;
			c.subject = &subjects[p];
			multicast_init(&c.mc, &c.net, c.subject->policy, c.subject->set, 65535);
			for (i = 0; i < 65535; i++)
				c.dst[i] = i + (i >= source);
			check_multicast(&c, source, 65535);
			multicast_exit(&c.mc);
		}
		free(c.mark);
		free(c.dst);
		free(c.used);
		net_exit(&c.net);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_promises),
		cmocka_unit_test(test_broadcast),
	};

	return run_tap(tests);
}
