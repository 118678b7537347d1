// SPDX-License-Identifier: GPL-2.0
/* See lib/updown.h. */
#include <stdlib.h>

#include "lib/tap.h"
#include "lib/updown.h"
#include "updown/updown.h"

/** struct look - what is known of a network without the module's tables */
struct look {
	const struct mcfab_topo *topo;
	const struct mcfab_updown *ud;
	u32 *level;		/* [routers] */
	u32 *hops;		/* [2 * routers] of shortest legal paths from one switch */
	u8 *below;		/* [nodes] behind one switch, going down */
};

/* the channel of switch @sw's port @port; false: there is none */
static bool link_of(const struct mcfab_topo *topo, u32 sw, u32 port, u32 *next)
{
	u32 peer = topo->peer[sw * topo->ports + port];

	*next = peer / topo->ports;
	return peer != MCFAB_NONE;
}

/* a channel goes up if it leads to the smaller (level, switch) */
static bool goes_up(const struct look *l, u32 from, u32 to)
{
	return l->level[to] < l->level[from] || (l->level[to] == l->level[from] && to < from);
}

/* until nothing changes any more: as slow as it is plain */
static void find_levels(struct look *l)
{
	const struct mcfab_topo *topo = l->topo;
	u32 sw, port, next;
	bool changed = true;

	for (sw = 0; sw < topo->routers; sw++)
		l->level[sw] = sw == l->ud->root ? 0 : topo->routers;
	while (changed) {
		changed = false;
		for (sw = 0; sw < topo->routers; sw++)
			for (port = 0; port < topo->ports; port++)
				if (link_of(topo, sw, port, &next) &&
				    l->level[next] + 1 < l->level[sw]) {
					l->level[sw] = l->level[next] + 1;
					changed = true;
				}
	}
}

static void check_tree(struct look *l)
{
	const struct mcfab_topo *topo = l->topo;
	const struct mcfab_updown *ud = l->ud;
	u32 sw, port, next, parent, parent_port = 0, deepest = 0, i;

	for (sw = 0; sw < topo->routers; sw++) {
		parent = MCFAB_NONE;
		assert_int_equal(ud->level[sw], l->level[sw]);
		deepest = max(deepest, l->level[sw]);
		for (port = topo->ports; port-- > 0;) {
			if (!link_of(topo, sw, port, &next))
				continue;
			assert_int_equal(mcfab_updown_is_up(ud, sw, port), goes_up(l, sw, next));
			/* going through the ports backwards, the lowest is met last */
			if (l->level[next] < l->level[sw] && next <= parent) {
				parent = next;
				parent_port = port;
			}
		}
		assert_int_equal(ud->parent[sw], parent);
		assert_int_equal(parent == MCFAB_NONE, sw == ud->root);
		if (parent != MCFAB_NONE)
			assert_int_equal(ud->parent_port[sw], parent_port);
	}
	assert_int_equal(ud->levels, deepest + 1);
	for (i = 1; i < topo->routers; i++)
		assert_true(goes_up(l, ud->order[i - 1], ud->order[i]));
}

/* forwards from @from, whence one may go up or not: hops[2 * sw + went down] */
static void find_paths(struct look *l, u32 from, enum mcfab_updown_phase phase)
{
	const struct mcfab_topo *topo = l->topo;
	u32 sw, port, next, hops;
	bool changed = true, down, went;

	for (sw = 0; sw < 2 * topo->routers; sw++)
		l->hops[sw] = MCFAB_NONE;
	l->hops[2 * from + (phase == MCFAB_UPDOWN_DOWN)] = 0;
	for (hops = 0; changed; hops++) {
		changed = false;
		for (sw = 0; sw < 2 * topo->routers; sw++) {
			if (l->hops[sw] != hops)
				continue;
			went = sw & 1;
			for (port = 0; port < topo->ports; port++) {
				if (!link_of(topo, sw / 2, port, &next))
					continue;
				down = !goes_up(l, sw / 2, next);
				if ((went && !down) || l->hops[2 * next + down] != MCFAB_NONE)
					continue;
				l->hops[2 * next + down] = hops + 1;
				changed = true;
			}
		}
	}
}

/* of all ports those on shortest paths: no turn from down to up, and none is missing */
static void check_ports(const struct look *l, u32 from, u32 to, enum mcfab_updown_phase phase)
{
	const struct mcfab_updown *ud = l->ud;
	u32 far = mcfab_updown_distance(ud, from, to, phase), count, port, next, left;
	struct mcfab_updown_ports ports;
	bool up, want;

	count = mcfab_updown_ports(ud, from, to, phase, &ports);
	assert_int_equal(count > 0, far && far != MCFAB_UPDOWN_FAR);
	assert_int_equal(count, bitmap_weight(ports.bit, MCFAB_GRAPH_PORTS_MAX));
	for (port = 0; port < l->topo->ports; port++) {
		want = false;
		if (far != MCFAB_UPDOWN_FAR && link_of(l->topo, from, port, &next)) {
			up = goes_up(l, from, next);
			left = mcfab_updown_distance(ud, next, to, up ? MCFAB_UPDOWN_UP :
						     MCFAB_UPDOWN_DOWN);
			want = left + 1 == far && !(up && phase == MCFAB_UPDOWN_DOWN);
		}
		assert_int_equal(test_bit(port, ports.bit), want);
	}
}

/* every pair has a legal path, and its length in either phase is right */
static void check_pairs(struct look *l)
{
	u32 from, to, hops, phase;

	for (phase = 0; phase < MCFAB_UPDOWN_PHASES; phase++)
		for (from = 0; from < l->topo->routers; from++) {
			find_paths(l, from, phase);
			for (to = 0; to < l->topo->routers; to++) {
				hops = min(l->hops[2 * to], l->hops[2 * to + 1]);
				if (phase == MCFAB_UPDOWN_UP)
					assert_int_not_equal(hops, MCFAB_NONE);
				assert_int_equal(mcfab_updown_distance(l->ud, from, to, phase),
						 min(hops, (u32)MCFAB_UPDOWN_FAR));
				check_ports(l, from, to, phase);
			}
		}
}

/* which nodes are behind @sw, going down: those of switches that down channels lead to */
static void find_below(struct look *l, u32 sw)
{
	const struct mcfab_topo *topo = l->topo;
	u8 *seen = calloc(topo->routers, 1);
	bool changed = true;
	u32 at, port, next, node;

	seen[sw] = 1;
	while (changed) {
		changed = false;
		for (at = 0; at < topo->routers; at++)
			for (port = 0; seen[at] && port < topo->ports; port++)
				if (link_of(topo, at, port, &next) && !seen[next] &&
				    !goes_up(l, at, next)) {
					seen[next] = 1;
					changed = true;
				}
	}
	for (node = 0; node < topo->nodes; node++)
		l->below[node] = seen[topo->router[node]];
	free(seen);
}

/* total strings by search; each node below behind one port, the highest there is */
static void check_strings(struct look *l)
{
	const struct mcfab_topo *topo = l->topo;
	const struct mcfab_updown *ud = l->ud;
	u32 sw, node, port, next, want, dist;

	for (sw = 0; sw < topo->routers; sw++) {
		find_below(l, sw);
		for (node = 0; node < topo->nodes; node++) {
			want = MCFAB_UPDOWN_NOT;
			dist = mcfab_updown_distance(ud, sw, topo->router[node],
						     MCFAB_UPDOWN_DOWN);
			assert_int_equal(l->below[node], dist != MCFAB_UPDOWN_FAR);
			if (topo->router[node] == sw)
				want = topo->host_port ? topo->host_port[node] : MCFAB_UPDOWN_HERE;
			for (port = 0; port < topo->ports && topo->router[node] != sw; port++)
				if (link_of(topo, sw, port, &next) && !goes_up(l, sw, next) &&
				    mcfab_updown_distance(ud, next, topo->router[node],
							  MCFAB_UPDOWN_DOWN) != MCFAB_UPDOWN_FAR)
					want = port;
			assert_int_equal(mcfab_updown_below(ud, sw, node), want);
		}
	}
}

/*
 * A channel is waited for by who holds one that leads to it, if some packet turns so: up
 * before down, and deeper channels after. Numbers that ascend along every turn that the
 * tables make exclude cycles; here they are looked for without numbers.
 */
static void check_cycles(struct look *l)
{
	const struct mcfab_topo *topo = l->topo;
	u32 channels = topo->routers * topo->ports, chan, port, to, sw, phase, left, head = 0;
	u8 *edge = calloc(channels, topo->ports);
	u32 *before = calloc(channels, sizeof(u32)), *queue = calloc(channels, sizeof(u32));
	struct mcfab_updown_ports ports;
	u32 tail = 0, here = 0;

	for (chan = 0; chan < channels; chan++) {
		if (topo->peer[chan] == MCFAB_NONE)
			continue;
		here++;
		sw = topo->peer[chan] / topo->ports;
		phase = mcfab_updown_phase(l->ud, sw, topo->peer[chan] % topo->ports);
		assert_int_equal(phase, goes_up(l, chan / topo->ports, sw) ? MCFAB_UPDOWN_UP :
				 MCFAB_UPDOWN_DOWN);
		for (to = 0; to < topo->routers; to++) {
			/* only who is on a path that the tables have */
			left = mcfab_updown_distance(l->ud, sw, to, phase);
			if (left == MCFAB_UPDOWN_FAR)
				continue;
			mcfab_updown_ports(l->ud, sw, to, phase, &ports);
			for_each_set_bit(port, ports.bit, MCFAB_GRAPH_PORTS_MAX)
				edge[(size_t)chan * topo->ports + port] = 1;
		}
		for (port = 0; port < topo->ports; port++)
			before[sw * topo->ports + port] += edge[(size_t)chan * topo->ports + port];
	}
	/* channels that nobody holds another one for, taken away one by one */
	for (chan = 0; chan < channels; chan++)
		if (topo->peer[chan] != MCFAB_NONE && !before[chan])
			queue[tail++] = chan;
	while (head < tail) {
		chan = queue[head++];
		sw = topo->peer[chan] / topo->ports;
		for (port = 0; port < topo->ports; port++)
			if (edge[(size_t)chan * topo->ports + port] &&
			    !--before[sw * topo->ports + port])
				queue[tail++] = sw * topo->ports + port;
	}
	assert_int_equal(tail, here);
	free(edge);
	free(before);
	free(queue);
}

void updown_check_root(const struct mcfab_topo *topo, u32 root, u32 *best)
{
	struct mcfab_updown *ud;
	struct mcfab_err err;
	u32 sw, least = MCFAB_NONE;

	assert_int_equal(mcfab_updown_best_root(topo, best, &err), 0);
	if (root)
		return;
	/* the tree from a switch has its eccentricity for a depth */
	for (sw = 0; sw < topo->routers; sw++) {
		ud = mcfab_updown_create(topo, sw, &err);
		assert_false(IS_ERR(ud));
		if (ud->levels < least) {
			least = ud->levels;
			root = sw;
		}
		mcfab_updown_put(ud);
	}
	assert_int_equal(*best, root);
}

void updown_check_network(const struct mcfab_topo *topo, u32 root)
{
	struct look l = { .topo = topo };
	struct mcfab_updown *ud;
	struct mcfab_err err;
	u64 bytes;

	ud = mcfab_updown_create(topo, root, &err);
	if (IS_ERR(ud))
		fail_msg("%s", err.msg);
	l.ud = ud;
	l.level = calloc(topo->routers, sizeof(u32));
	l.hops = calloc(topo->routers, 2 * sizeof(u32));
	l.below = calloc(topo->nodes, 1);
	find_levels(&l);
	check_tree(&l);
	check_pairs(&l);
	check_cycles(&l);
	bytes = ud->bytes;
	assert_null(ud->down);
	assert_int_equal(mcfab_updown_strings(ud, &err), 0);
	assert_int_equal(ud->bytes, bytes + (u64)topo->routers * topo->nodes);
	assert_int_equal(mcfab_updown_strings(ud, &err), 0);
	assert_int_equal(ud->bytes, bytes + (u64)topo->routers * topo->nodes);
	check_strings(&l);
	mcfab_updown_put(ud);
	free(l.level);
	free(l.hops);
	free(l.below);
}

void updown_topo(struct mcfab_topo *topo, const struct mcfab_graph *g)
{
	struct mcfab_err err;

	memset(topo, 0, sizeof(*topo));
	topo->ops = mcfab_topo_find("irregular");
	topo->graph = g;
	if (topo->ops->init(topo, &err))
		fail_msg("%s", err.msg);
	assert_int_equal(mcfab_topo_alloc(topo), 0);
}
