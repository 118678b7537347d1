// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "lib/cycle.h"
#include "lib/tap.h"

#define REQUIRE(c, cond)						\
do {									\
	if (!(cond))							\
		fail_msg("%s on %s of %u nodes, multicast %llu from %u: %s", \
			 (c)->mc.pol.ops->name, (c)->net->topo.ops->name, \
			 (c)->net->topo.nodes, (unsigned long long)(c)->number, \
			 (c)->worm[0].sender, #cond);			\
} while (0)

void cycle_check_init(struct cycle_check *c, struct net *net, const char *policy, u32 room)
{
	memset(c, 0, sizeof(*c));
	c->net = net;
	c->multipath = !strcmp(policy, "hcm-multipath");
	c->rg = !strcmp(policy, "rg");
	c->fixed = c->rg || !strcmp(policy, "hcm-fixed");
	multicast_init(&c->mc, net, policy, "", room);
	c->member = calloc(net->topo.nodes, 1);
	c->order = calloc(net->topo.nodes, sizeof(u32));
	c->dst = calloc(net->topo.nodes, sizeof(u32));
	c->worm = calloc(net->topo.nodes, sizeof(*c->worm));
	assert_true(c->member && c->order && c->dst && c->worm);
}

void cycle_check_exit(struct cycle_check *c)
{
	multicast_exit(&c->mc);
	free(c->member);
	free(c->order);
	free(c->dst);
	free(c->worm);
}

/* Labels differ by more than ceil(N / 2); on tori also where that fails, below 4 rows. */
static bool is_boundary(const struct mcfab_topo *topo, u32 node, u32 port, u32 next)
{
	u32 differ = abs_diff(topo->label[node], topo->label[next]), last = topo->ndims - 1;
	u32 at, radix = topo->radix[last];

	if (strcmp(topo->ops->name, "star") && radix < 4) {
		at = mcfab_topo_coord(topo, node, last);
		return port / 2 == last && at == (port % 2 ? 0 : radix - 1);
	}
	return differ > (topo->nodes + 1) / 2;
}

static bool is_row_wrap(const struct mcfab_topo *topo, u32 node, u32 port)
{
	u32 x = mcfab_topo_coord(topo, node, 0);

	return port < 2 && x == (port ? 0 : topo->radix[0] - 1);
}

static bool in_network(const struct mcfab_topo *topo, u32 node, u32 port, u32 next, bool high)
{
	bool up = topo->label[next] > topo->label[node];

	if (is_boundary(topo, node, port, next))
		up = !up;
	return up == high;
}

/* The paper's six cases: label of the next node from @here to @to. */
static u32 next_label(const struct cycle_check *c, u32 here, u32 to, bool high)
{
	const struct mcfab_topo *topo = &c->net->topo;
	u32 lu = topo->label[here], lv = topo->label[to], port;
	int max_not_above = -1, max_above = -1, min_not_below = -1, min_below = -1;

	for (port = 0; port < topo->ports; port++) {
		u32 next = mcfab_topo_neighbour(topo, here, port);
		int lx = topo->label[next];

		if (!in_network(topo, here, port, next, high))
			continue;
		if (c->multipath && is_row_wrap(topo, here, port))
			continue;
		if (lx <= (int)lv && lx > max_not_above)
			max_not_above = lx;
		if (lx > (int)lv && lx > max_above)
			max_above = lx;
		if (lx >= (int)lv && (min_not_below < 0 || lx < min_not_below))
			min_not_below = lx;
		if (lx < (int)lv && (min_below < 0 || lx < min_below))
			min_below = lx;
	}
	if (high) {
		if (lu < lv)
			return max_not_above;
		return max_not_above >= 0 ? max_not_above : max_above;
	}
	if (lu > lv)
		return min_not_below;
	return min_not_below >= 0 ? min_not_below : min_below;
}

/* Labels from the sender on, in the direction of the network. */
static u32 way(const struct mcfab_topo *topo, u32 from, u32 to, bool high)
{
	u32 up = (topo->label[to] + topo->nodes - topo->label[from]) % topo->nodes;

	return high || !up ? up : topo->nodes - up;
}

static void want_worm(struct cycle_check *c, u32 sender, u32 after, bool high)
{
	struct cycle_worm *worm = &c->worm[c->nworms++];

	worm->sender = sender;
	worm->after = after;
	worm->first = c->ndst;
	worm->count = 0;
	worm->high = high;
}

static void want_dst(struct cycle_check *c, u32 node)
{
	c->worm[c->nworms - 1].count++;
	c->dst[c->ndst++] = node;
}

static void want_half(struct cycle_check *c, u32 source, const u32 *dst, u32 ndst, bool high)
{
	const struct mcfab_topo *topo = &c->net->topo;
	u32 i, side;

	for (side = 0; side < (c->multipath ? 2 : 1); side++) {
		u32 before = c->ndst;

		want_worm(c, source, MCFAB_NONE, high);
		for (i = 0; i < ndst; i++) {
			int x = mcfab_topo_coord(topo, dst[i], 0);
			int xs = mcfab_topo_coord(topo, source, 0);
			int e = mcfab_topo_coord(topo, source, 1 % topo->ndims) % 2 ? -1 : 1;
			bool first = high ? (x - xs) * e > 0 : (xs - x) * e > 0;

			if (!c->multipath || first == !side)
				want_dst(c, dst[i]);
		}
		if (c->ndst == before)
			c->nworms--;
	}
}

static u32 group_size(u32 count)
{
	u32 size = 1;

	while (size * size < count)
		size++;
	return size;
}

static void want_leaders(struct cycle_check *c, u32 source, const u32 *dst, u32 ndst, bool high)
{
	u32 i;

	if (!ndst)
		return;
	want_worm(c, source, MCFAB_NONE, high);
	for (i = 0; i < ndst; i += group_size(ndst))
		want_dst(c, dst[i]);
}

static void want_groups(struct cycle_check *c, u32 after, const u32 *dst, u32 ndst, bool high)
{
	u32 size = group_size(ndst), i;

	for (i = 0; i < ndst; i++) {
		if (i % size == 0)
			continue;
		if (i % size == 1)
			want_worm(c, dst[i - 1], after, high);
		want_dst(c, dst[i]);
	}
}

static void want(struct cycle_check *c, u32 source, u32 ndst)
{
	const struct mcfab_topo *topo = &c->net->topo;
	u32 nodes = topo->nodes, half = (nodes + 1) / 2, ls = topo->label[source];
	u32 *high = c->order, *low, nhigh = 0, n = 0, i;

	for (i = 1; i < nodes; i++) {
		u32 node = topo->by_label[(ls + i) % nodes], label = topo->label[node];
		bool goes_high;

		if (!c->member[node])
			continue;
		if (!c->fixed)
			goes_high = n < (ndst + 1) / 2;
		else if (ls < half)
			goes_high = label > ls && label < ls + half;
		else
			goes_high = !(label > ls - half && label < ls);
		nhigh += goes_high;
		c->order[n++] = node;
	}
	low = high + nhigh;
	for (i = 0; i < (ndst - nhigh) / 2; i++)
		swap(low[i], low[ndst - nhigh - 1 - i]);

	c->nworms = 0;
	c->ndst = 0;
	if (c->rg) {
		want_leaders(c, source, high, nhigh, true);
		want_leaders(c, source, low, ndst - nhigh, false);
		want_groups(c, 0, high, nhigh, true);
		want_groups(c, nhigh ? 1 : 0, low, ndst - nhigh, false);
	} else {
		want_half(c, source, high, nhigh, true);
		want_half(c, source, low, ndst - nhigh, false);
	}
}

static void add_edge(struct cycle_check *c, u32 *last, u32 channel, u32 vc)
{
	u32 lane = c->merge_lanes ? channel : channel * c->net->view.vcs + vc;

	if (c->graph && *last != MCFAB_NONE)
		graph_edge(c->graph, *last, lane);
	*last = lane;
}

/*
 * Of hcm-multipath: along the row if the first destination is ahead, in the source's row or
 * the one that comes next in the network's direction; else along the column.
 */
static bool leaves_by_row(const struct cycle_check *c, u32 from, u32 to, bool high)
{
	const struct mcfab_topo *topo = &c->net->topo;
	u32 rows = topo->radix[1], y = mcfab_topo_coord(topo, from, 1);
	u32 apart = (mcfab_topo_coord(topo, to, 1) + rows - y) % rows;
	bool right = (y % 2 == 0) == high;
	u32 x = mcfab_topo_coord(topo, from, 0), goal = mcfab_topo_coord(topo, to, 0);

	if (!high)
		apart = (rows - apart) % rows;
	return apart <= 1 && (right ? goal > x : goal < x);
}

static void check_worm(struct cycle_check *c, u32 index)
{
	const struct mcfab_topo *topo = &c->net->topo;
	const struct cycle_worm *want = &c->worm[index];
	u32 at = want->sender, entry = 0, last = MCFAB_NONE;
	struct mcfab_walk_event event;
	bool crossed = false;
	int ret;

	mcfab_walk_start(&c->mc.walk, index);
	while ((ret = mcfab_walk_next(&c->mc.walk, &event)) == 1) {
		u32 target, channel;

		REQUIRE(c, entry < want->count);
		target = c->dst[want->first + entry];
		REQUIRE(c, event.from == at);
		if (event.kind == MCFAB_WALK_DELIVER) {
			REQUIRE(c, event.to == at && at == target);
			entry++;
			continue;
		}
		channel = mcfab_topo_channel(topo, at, event.port);
		REQUIRE(c, topo->peer[channel] / topo->ports == event.to);
		REQUIRE(c, topo->label[event.to] == next_label(c, at, target, want->high));
		REQUIRE(c, in_network(topo, at, event.port, event.to, want->high));
		REQUIRE(c, !c->multipath || !is_row_wrap(topo, at, event.port));
		REQUIRE(c, !c->multipath || at != want->sender ||
			   (event.port < 2) == leaves_by_row(c, at, target, want->high));
		/* on along the cycle, and not past the destination */
		REQUIRE(c, way(topo, want->sender, event.to, want->high) >
			   way(topo, want->sender, at, want->high));
		REQUIRE(c, way(topo, want->sender, event.to, want->high) <=
			   way(topo, want->sender, target, want->high));
		if (is_boundary(topo, at, event.port, event.to)) {
			REQUIRE(c, !crossed);
			crossed = true;
		}
		REQUIRE(c, event.vc == (crossed ? c->net->view.vcs / 2 : 0));
		add_edge(c, &last, channel, event.vc);
		at = event.to;
	}
	REQUIRE(c, ret == 0);
	REQUIRE(c, entry == want->count);
}

void cycle_check(struct cycle_check *c, u32 source, const u32 *dst, u32 ndst)
{
	u32 i, j;

	multicast_plan(&c->mc, source, dst, ndst);	/* with mcfab_plan_check() */
	for (i = 0; i < ndst; i++)
		c->member[dst[i]] = 1;
	want(c, source, ndst);
	for (i = 0; i < ndst; i++)
		c->member[dst[i]] = 0;
	REQUIRE(c, c->mc.plan.nworms == c->nworms);
	for (i = 0; i < c->nworms; i++) {
		const struct mcfab_plan_worm *worm = &c->mc.plan.worm[i];

		REQUIRE(c, worm->sender == c->worm[i].sender);
		REQUIRE(c, worm->after == c->worm[i].after);
		REQUIRE(c, worm->count == c->worm[i].count);
		for (j = 0; j < worm->count; j++)
			REQUIRE(c, c->mc.plan.dst[worm->first + j] == c->dst[c->worm[i].first + j]);
		check_worm(c, i);
	}
}

/* A background unicast goes the way of fewer labels, ties high, by the same R. */
void cycle_check_unicast(struct cycle_check *c, u32 from, u32 to)
{
	const struct mcfab_topo *topo = &c->net->topo;
	bool high = way(topo, from, to, true) <= way(topo, from, to, false);
	u32 at = from, hops = 0;

	for (; at != to; hops++)
		at = topo->by_label[next_label(c, at, to, high)];
	c->worm[0].sender = from;
	REQUIRE(c, graph_unicast(c->merge_lanes ? NULL : c->graph, &c->mc, from, to, 0) == hops);
}
