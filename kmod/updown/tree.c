// SPDX-License-Identifier: GPL-2.0
/* The breadth-first tree of up*-down* routing, and the directions of links. */

#include "base/memory.h"
#include "updown/updown.h"

/* Levels of all switches that links join to @root; adds them to @queue, returns their number. */
static u32 set_levels(struct mcfab_updown *ud, u32 root, u32 *queue)
{
	u32 ports = ud->topo->ports, head = 0, tail = 1, sw, next, port;

	ud->level[root] = 0;
	queue[0] = root;
	while (head < tail) {
		sw = queue[head++];
		for (port = 0; port < ports; port++) {
			next = ud->neighbour[sw * ports + port];
			if (next == MCFAB_NONE || ud->level[next] != MCFAB_NONE)
				continue;
			ud->level[next] = ud->level[sw] + 1;
			queue[tail++] = next;
		}
	}
	ud->levels = max(ud->levels, ud->level[queue[tail - 1]] + 1);
	return tail;
}

/* Failures may have cut the network to pieces: each has a root. Returns the switches found. */
static u32 set_all_levels(struct mcfab_updown *ud, u32 *queue)
{
	u32 sw, found = 0;

	for (sw = 0; sw < ud->switches; sw++)
		ud->level[sw] = MCFAB_NONE;
	ud->levels = 0;
	if (!test_bit(ud->root, ud->dead_switch))
		found = set_levels(ud, ud->root, queue);
	for (sw = 0; ud->faulty && sw < ud->switches; sw++)
		if (ud->level[sw] == MCFAB_NONE && !test_bit(sw, ud->dead_switch))
			found += set_levels(ud, sw, queue);
	return found;
}

/* Is @a the up end of a link to @b? In parts without a root all levels are MCFAB_NONE. */
static bool above(const struct mcfab_updown *ud, u32 a, u32 b)
{
	return ud->level[a] < ud->level[b] || (ud->level[a] == ud->level[b] && a < b);
}

static void set_ways(struct mcfab_updown *ud, u32 sw)
{
	u32 ports = ud->topo->ports, port, next;

	ud->parent[sw] = MCFAB_NONE;
	ud->parent_port[sw] = 0;
	for (port = 0; port < ports; port++) {
		next = ud->neighbour[sw * ports + port];
		if (next == MCFAB_NONE || !above(ud, next, sw))
			continue;
		__set_bit(mcfab_topo_channel(ud->topo, sw, port), ud->up);
		/* parallel links: the lowest port is met first */
		if (ud->level[next] < ud->level[sw] && next < ud->parent[sw]) {
			ud->parent[sw] = next;
			ud->parent_port[sw] = port;
		}
	}
}

/*
 * A counting sort by level from the deepest one; @start is where each level's switches begin, and
 * switches without a level come last.
 */
static void set_order(struct mcfab_updown *ud, u32 *start)
{
	u32 i, sw, sum = 0, count;

	memset(start, 0, (ud->levels + 1) * sizeof(*start));
	for (sw = 0; sw < ud->switches; sw++)
		start[min(ud->level[sw], ud->levels)]++;
	for (i = ud->levels; i-- > 0;) {
		count = start[i];
		start[i] = sum;
		sum += count;
	}
	start[ud->levels] = sum;
	for (sw = ud->switches; sw-- > 0;)
		ud->order[start[min(ud->level[sw], ud->levels)]++] = sw;
}

/**
 * mcfab_updown_tree() - fill in levels, parents, directions and the order of switches
 * @ud: routing with its arrays
 * @err: filled in when it is refused
 *
 * Context: May sleep.
 * Return: 0, -EINVAL if a switch that has hosts cannot be reached, -ENOMEM.
 */
int mcfab_updown_tree(struct mcfab_updown *ud, struct mcfab_err *err)
{
	const struct mcfab_topo *topo = ud->topo;
	u32 *queue = mcfab_memory_alloc(ud->switches + 1, sizeof(*queue));
	u32 i, found, missed = MCFAB_NONE;
	int ret = 0;

	if (!queue)
		return mcfab_refuse(err, -ENOMEM, 0, "out of memory");
	found = set_all_levels(ud, queue);
	for (i = 0; !ud->faulty && found < ud->switches && i < topo->nodes; i++)
		if (ud->level[topo->router[i]] == MCFAB_NONE)
			missed = min(missed, topo->router[i]);
	if (missed != MCFAB_NONE) {
		ret = mcfab_refuse(err, -EINVAL, MCFAB_OPTION_FABRIC_ROUTING,
				   "switch %u: no links lead there from the root, switch %u",
				   missed, ud->root);
	} else {
		for (i = 0; i < ud->switches; i++)
			set_ways(ud, i);
		set_order(ud, queue);
	}
	mcfab_memory_free(queue);
	return ret;
}
