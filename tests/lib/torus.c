// SPDX-License-Identifier: GPL-2.0
/* See lib/torus.h. */
#include <stdlib.h>

#include "lib/tap.h"
#include "lib/torus.h"

void torus_open(struct torus *c, const char *policy, u32 m, u32 n)
{
	u32 radix[] = { m, n };

	memset(c, 0, sizeof(*c));
	net_init_as(&c->net, "torus", 2, radix);
	c->net.view.vcs = 2;
	c->net.view.consume = 8;
	c->net.view.buffer = 32;
	c->tree = !strcmp(policy, "tasnem");
	c->ring = !strcmp(policy, "t2w") ? 2 : strcmp(policy, "gttpm") != 0;
	multicast_init(&c->mc, &c->net, policy, "", m * n - 1);
	assert_int_equal(c->mc.pol.ops->prep, 0);
	c->entry = calloc(m * n, sizeof(u32));
	c->seen = calloc(m * n, sizeof(u32));
	c->lane = calloc(m * n, sizeof(u32));
	c->high = calloc(m * n, 1);
	c->used = calloc(m * n * 4, sizeof(u64));
}

void torus_close(struct torus *c)
{
	free(c->entry);
	free(c->seen);
	free(c->lane);
	free(c->high);
	free(c->used);
	multicast_exit(&c->mc);
	net_exit(&c->net);
}

#define REQUIRE(c, cond)						\
do {									\
	if (!(cond))							\
		fail_msg("%s on %ux%u from %u, worm from %u: %s",	\
			 (c)->mc.pol.ops->name, (c)->net.topo.radix[0],	\
			 (c)->net.topo.radix[1], source, worm->sender, #cond); \
} while (0)

static void check_hop(struct torus *c, u32 source, const struct mcfab_plan_worm *worm,
		      const struct mcfab_walk_event *event)
{
	const struct mcfab_topo *topo = &c->net.topo;
	u32 from = event->from, channel = mcfab_topo_channel(topo, from, event->port);
	u64 stamp = c->multicasts << 20 | worm->sender;
	bool wraps = mcfab_topo_wraps(topo, from, event->port), high = c->high[from];

	REQUIRE(c, c->seen[from] == c->worm);
	REQUIRE(c, c->seen[event->to] != c->worm);
	REQUIRE(c, mcfab_topo_neighbour(topo, from, event->port) == event->to);
	REQUIRE(c, !wraps || c->ring == 2 || event->port / 2 == c->ring);
	/* the worms of one sender share no channel */
	REQUIRE(c, c->used[channel] != stamp || c->tree);
	c->used[channel] = stamp;
	/* q from a wrap link on; rings of another dimension begin with p again */
	if (!c->tree && from != worm->sender &&
	    c->lane[from] / 2 % topo->ports / 2 != event->port / 2)
		high = false;
	high |= wraps;
	REQUIRE(c, event->vc == high);
	c->seen[event->to] = c->worm;
	c->high[event->to] = high;
	c->lane[event->to] = 2 * channel + event->vc;
	if (c->graph && c->lane[from] != MCFAB_NONE)
		graph_edge(c->graph, c->lane[from], c->lane[event->to]);
}

static void check_worm(struct torus *c, u32 source, u32 index)
{
	const struct mcfab_plan_worm *worm = &c->mc.plan.worm[index];
	struct mcfab_walk_event event;
	u32 delivered = 0, i;
	int ret;

	c->worm++;
	for (i = worm->first; i < worm->first + worm->count; i++)
		c->entry[c->mc.plan.dst[i] & ~MCFAB_DST_RELAY] = c->worm;
	c->seen[worm->sender] = c->worm;
	c->lane[worm->sender] = MCFAB_NONE;
	c->high[worm->sender] = false;
	mcfab_walk_start(&c->mc.walk, index);
	while ((ret = mcfab_walk_next(&c->mc.walk, &event)) == 1) {
		if (event.kind == MCFAB_WALK_HOP) {
			check_hop(c, source, worm, &event);
			continue;
		}
		i = event.to & ~MCFAB_DST_RELAY;
		REQUIRE(c, event.from == i && c->entry[i] == c->worm);
		c->entry[i] = 0;
		delivered++;
	}
	REQUIRE(c, ret == 0);
	REQUIRE(c, delivered == worm->count);
}

void torus_multicast(struct torus *c, u32 source, const u32 *dst, u32 ndst)
{
	u32 i, begun = 0;

	multicast_plan(&c->mc, source, dst, ndst);
	c->multicasts++;
	for (i = 0; i < c->mc.plan.nworms; i++) {
		const struct mcfab_plan_worm *worm = &c->mc.plan.worm[i];

		REQUIRE(c, worm->step <= (c->tree ? 1 : 2));
		begun = i && worm->sender == worm[-1].sender ? begun + 1 : 1;
		REQUIRE(c, begun <= (c->ring == 2 || c->tree || worm->step == 2 ? 2 : 4));
		REQUIRE(c, c->ring != 2 || worm->step == 1 || begun == 1);
		check_worm(c, source, i);
	}
}

void torus_refused(struct net *net, const char *policy, const char *set, int code,
		    const char *want)
{
	struct mcfab_policy pol;
	struct mcfab_err err;
	int ret = net_policy(net, &pol, policy, set, &err);

	if (!ret)
		mcfab_policy_close(&pol);
	if (ret != code || (code && !strstr(err.msg, want)))
		fail_msg("%s %s: %d, %s", policy, set, ret, err.msg);
}

u32 torus_groups(void)
{
	const char *text = getenv("MCFAB_GROUPS");

	return text ? strtoul(text, NULL, 10) : 20000;
}

u32 torus_everyone(u32 nodes, u32 source, u32 *dst)
{
	u32 i, ndst = 0;

	for (i = 0; i < nodes; i++)
		if (i != source)
			dst[ndst++] = i;
	return ndst;
}

u32 torus_node(const struct torus *c, u32 x, u32 y)
{
	return net_node(&c->net, (u32[]){ x, y });
}
