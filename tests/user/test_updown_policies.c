// SPDX-License-Identifier: GPL-2.0
/*
 * What plans of the policies on up*-down* routing must keep to, on random multicasts in
 * random irregular networks, meshes, tori and star graphs. What is legal and how far is
 * found out from the links (lib/switches.c).
 *
 * MCFAB_GROUPS: multicasts in all, a tenth of them for each scheme (default 20000).
 * MCFAB_SEED: where the random numbers start (default 1).
 */
#include <stdio.h>
#include <stdlib.h>
#include "lib/switches.h"

#include "lib/tap.h"

/* multicasts on one network before the next is made */
#define PER_NETWORK	100

enum {
	SINGLE	= BIT(0),	/* one destination for each worm */
	SWITCH	= BIT(1),	/* one switch for each worm */
	CHAIN	= BIT(2),	/* each switch a level further down for each of its hops */
	TREE	= BIT(3),
	GREEDY	= BIT(4),	/* all who have the message send on */
	ONE	= BIT(5),	/* one of each switch */
	UP_ANY	= BIT(6),	/* ports differ from packet to packet */
};

static const struct subject {
	const char *policy, *set;
	u32 promise;
} subjects[] = {
	{ "binomial", "", SINGLE },
	{ "kbinomial", "", SINGLE },
	{ "kbinomial", "k=1 adaptive=on", SINGLE | UP_ANY },
	{ "ssr", "schedule=greedy", SWITCH | GREEDY },
	{ "ssr", "schedule=less-greedy adaptive=on", SWITCH | ONE | UP_ANY },
	{ "multidrop", "schedule=greedy", CHAIN | GREEDY },
	{ "multidrop", "schedule=less-greedy", CHAIN | ONE },
	{ "multidrop", "adaptive=on", CHAIN | ONE | UP_ANY },
	{ "bitstring", "", TREE },
	{ "bitstring", "adaptive=on", TREE | UP_ANY },
};

struct check {
	struct switches s;
	struct multicast mc;
	const struct subject *subject;
	u64 seed;		/* of the multicast */
	u32 *crossed;		/* by channel: the last worm that took it */
	u32 worms;
	u32 *dst;
	u32 *mark;
	u32 *step;		/* by worm: when it is sent */
	u32 *speaker;		/* by switch: its host that sends on */
	bool *covered;		/* by switch */
};

#define REQUIRE(check, cond)						\
do {									\
	if (!(cond))							\
		fail_msg("%s %s, multicast %llu: %s",			\
			 (check)->subject->policy, (check)->subject->set, \
			 (unsigned long long)(check)->seed, #cond);	\
} while (0)

/* does the channel by which the header that is being decided on came go down? */
static bool came_down(const struct check *c, const struct mcfab_header *hdr)
{
	const struct mcfab_topo *topo = &c->s.net.topo;
	u32 from;

	if (hdr->in_port == MCFAB_PORT_ANY)
		return false;
	from = topo->peer[mcfab_topo_channel(topo, hdr->router, hdr->in_port)];
	return !switches_up(&c->s, from / topo->ports, from % topo->ports);
}

/* Hop by hop: over links that are there, never up after down, each entry once. */
static void check_worm(struct check *c, u32 index)
{
	const struct mcfab_plan_worm *worm = &c->mc.plan.worm[index];
	const struct mcfab_topo *topo = &c->s.net.topo;
	u32 promise = c->subject->promise, entries = 0, last = topo->router[worm->sender];
	u32 since = 0, *came = calloc(worm->count, sizeof(u32));
	struct mcfab_walk_event event;
	bool first = true;
	int ret;

	c->worms++;
	mcfab_walk_start(&c->mc.walk, index);
	while ((ret = mcfab_walk_next(&c->mc.walk, &event)) == 1) {
		const struct mcfab_header *hdr = &c->mc.walk.hdr;

		REQUIRE(c, event.from == hdr->router);
		if (event.kind == MCFAB_WALK_HOP) {
			u32 channel = mcfab_topo_channel(topo, event.from, event.port);

			REQUIRE(c, topo->peer[channel] / topo->ports == event.to);
			REQUIRE(c, !came_down(c, hdr) || !switches_up(&c->s, event.from, event.port));
			REQUIRE(c, c->crossed[channel] != c->worms);
			c->crossed[channel] = c->worms;
			continue;
		}
		REQUIRE(c, event.kind == MCFAB_WALK_DELIVER);
		REQUIRE(c, topo->router[event.to] == event.from);
		REQUIRE(c, event.entry < worm->count && !came[event.entry]++);
		entries++;
		if (promise & TREE)
			continue;
		REQUIRE(c, event.to == c->mc.plan.dst[worm->first + event.entry]);
		REQUIRE(c, event.entry == entries - 1);
		/* pieces are as short as legal ones can be, and go down in a chain */
		if (event.from == last) {
			REQUIRE(c, event.hops == since);
			first = false;
			continue;
		}
		REQUIRE(c, event.hops - since == switches_hops(&c->s, last, event.from, !first));
		if (!first)
			REQUIRE(c, event.hops - since == c->s.level[event.from] - c->s.level[last]);
		last = event.from;
		since = event.hops;
		first = false;
	}
	REQUIRE(c, !ret);
	REQUIRE(c, entries == worm->count);
	if (promise & SINGLE)
		REQUIRE(c, worm->count == 1);
	if (promise & SWITCH)
		REQUIRE(c, last == topo->router[c->mc.plan.dst[worm->first]]);
	free(came);
}

/* No switch has its destinations in two worms, or in two places of one. */
static u32 check_switches(struct check *c)
{
	const struct mcfab_topo *topo = &c->s.net.topo;
	const struct mcfab_plan *plan = &c->mc.plan;
	u32 i, j, count = 0;

	memset(c->covered, 0, topo->routers);
	for (i = 0; i < plan->nworms; i++) {
		u32 at = MCFAB_NONE;

		for (j = plan->worm[i].first; j < plan->worm[i].first + plan->worm[i].count; j++) {
			u32 sw = topo->router[plan->dst[j]];

			if (sw == at)
				continue;
			REQUIRE(c, !c->covered[sw]);
			c->covered[sw] = true;
			at = sw;
			count++;
		}
	}
	return count;
}

/*
 * Step by step: whoever may send does as long as worms are left, the largest ones first.
 * @holders is how many have the message and may send it on.
 */
static void check_schedule(struct check *c, u32 source)
{
	const struct mcfab_topo *topo = &c->s.net.topo;
	const struct mcfab_plan *plan = &c->mc.plan;
	u32 i, j, left = plan->nworms, holders = 1, step, last = UINT_MAX, position = 0;

	for (i = 0; i < plan->nworms; i++) {
		const struct mcfab_plan_worm *w = &plan->worm[i];

		position = i && w->sender == w[-1].sender ? position + 1 : 1;
		c->step[i] = position + (w->after == MCFAB_NONE ? 0 : c->step[w->after]);
	}
	for (step = 1; left; step++) {
		u32 sent = 0, more = 0, least = UINT_MAX, most = 0;

		for (i = 0; i < plan->nworms; i++) {
			const struct mcfab_plan_worm *w = &plan->worm[i];
			u32 at = MCFAB_NONE;

			if (c->step[i] != step)
				continue;
			sent++;
			least = min(least, w->count);
			most = max(most, w->count);
			for (j = w->first; j < w->first + w->count; j++) {
				u32 sw = topo->router[plan->dst[j]];

				if (c->subject->promise & GREEDY || (sw != at && sw != topo->router[source]))
					more++;
				at = sw;
			}
		}
		REQUIRE(c, sent == min(holders, left));
		REQUIRE(c, most <= last);
		last = least;
		left -= sent;
		holders += more;
	}
}

/* all destinations of a switch are sent on by one of them at most */
static void check_speakers(struct check *c, u32 source)
{
	const struct mcfab_topo *topo = &c->s.net.topo;
	const struct mcfab_plan *plan = &c->mc.plan;
	u32 i;

	memset(c->speaker, 0xff, topo->routers * sizeof(u32));
	c->speaker[topo->router[source]] = source;
	for (i = 0; i < plan->nworms; i++) {
		u32 sw = topo->router[plan->worm[i].sender];

		REQUIRE(c, c->speaker[sw] == MCFAB_NONE || c->speaker[sw] == plan->worm[i].sender);
		c->speaker[sw] = plan->worm[i].sender;
	}
}

static void check_multicast(struct check *c, u32 source, u32 ndst)
{
	const struct mcfab_topo *topo = &c->s.net.topo;
	u32 promise = c->subject->promise, i, switches = 0;

	multicast_plan(&c->mc, source, c->dst, ndst);	/* with mcfab_plan_check() */
	for (i = 0; i < c->mc.plan.nworms; i++)
		check_worm(c, i);
	if (promise & SINGLE)
		REQUIRE(c, c->mc.plan.nworms == ndst);
	if (promise & TREE)
		REQUIRE(c, c->mc.plan.nworms == 1);
	if (!(promise & (SWITCH | CHAIN)))
		return;
	memset(c->covered, 0, topo->routers);
	for (i = 0; i < ndst; i++) {
		switches += !c->covered[topo->router[c->dst[i]]];
		c->covered[topo->router[c->dst[i]]] = true;
	}
	/* so many worms SSR has, and path worms are never more */
	REQUIRE(c, check_switches(c) == switches);
	if (promise & SWITCH)
		REQUIRE(c, c->mc.plan.nworms == switches);
	else
		REQUIRE(c, c->mc.plan.nworms <= switches);
	check_schedule(c, source);
	if (promise & ONE)
		check_speakers(c, source);
}

static void open_network(struct check *c, u64 *state, u32 nr)
{
	switches_any(&c->s, state, nr);
	c->crossed = calloc(c->s.net.topo.routers * c->s.net.topo.ports, sizeof(u32));
	c->worms = 0;
	c->dst = calloc(c->s.net.topo.nodes, sizeof(u32));
	c->mark = calloc(c->s.net.topo.nodes, sizeof(u32));
	c->step = calloc(c->s.net.topo.nodes, sizeof(u32));
	c->speaker = calloc(c->s.net.topo.routers, sizeof(u32));
	c->covered = calloc(c->s.net.topo.routers, sizeof(bool));
}

static void close_network(struct check *c)
{
	switches_exit(&c->s);
	free(c->crossed);
	free(c->dst);
	free(c->mark);
	free(c->step);
	free(c->speaker);
	free(c->covered);
}

static void test_promises(void **state)
{
	u64 groups = env_number("MCFAB_GROUPS", 20000), start = env_number("MCFAB_SEED", 1);
	u64 each = groups / ARRAY_SIZE(subjects), done, networks = 0;
	struct check c;
	u32 p, i, nr;

	for (p = 0; p < ARRAY_SIZE(subjects); p++) {
		c.subject = &subjects[p];
		for (done = 0, nr = 0; done < each; nr++) {
			u64 seed = start + nr;

			c.seed = start + done;
			open_network(&c, &seed, nr);
			networks++;
			/* lengths of the message, so that k differs */
			c.s.net.view.packets = c.subject->promise & UP_ANY ? 1 : nr % 5;
			multicast_init(&c.mc, &c.s.net, c.subject->policy,
				       c.subject->set, c.s.net.topo.nodes - 1);
			for (i = 0; i < PER_NETWORK && done < each; i++, done++) {
				u32 nodes = c.s.net.topo.nodes, source = rng_below(&seed, nodes);
				u32 ndst = random_size(&seed, nodes);

				c.seed = start + done;
				random_set(&seed, nodes, source, c.dst, ndst, c.mark);
				check_multicast(&c, source, ndst);
			}
			multicast_exit(&c.mc);
			close_network(&c);
		}
	}
	printf("# %llu multicasts of each of %zu schemes in %llu networks\n",
	       (unsigned long long)each, ARRAY_SIZE(subjects), (unsigned long long)networks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_promises),
	};

	return run_tap(tests);
}
