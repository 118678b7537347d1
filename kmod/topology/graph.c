// SPDX-License-Identifier: GPL-2.0
/*
 * Graphs: their memory, which is one piece, and the checks whether a graph can be a fabric. A graph
 * may come from a file that people wrote: an error names the number of the switch, host or link.
 */
#include "base/memory.h"
#include "topology/graph.h"

/**
 * mcfab_graph_bytes() - memory that a graph takes
 * @switches: switches, at most MCFAB_GRAPH_SWITCHES_MAX
 * @hosts: hosts, at most MCFAB_MAX_NODES
 * @links: links, at most MCFAB_GRAPH_LINKS_MAX
 *
 * Context: Any.
 * Return: bytes.
 */
u64 mcfab_graph_bytes(u32 switches, u32 hosts, u32 links)
{
	return sizeof(struct mcfab_graph) + (u64)switches * sizeof(struct mcfab_graph_switch) +
	       (u64)hosts * sizeof(struct mcfab_graph_host) +
	       (u64)links * sizeof(struct mcfab_graph_link);
}

/**
 * mcfab_graph_place() - lay out a graph
 * @mem: mcfab_graph_bytes() bytes, aligned for any type
 * @switches: switches
 * @hosts: hosts
 * @links: links
 *
 * Context: Any.
 * Return: the graph, at @mem, without a root; its arrays are as they were in @mem.
 */
struct mcfab_graph *mcfab_graph_place(void *mem, u32 switches, u32 hosts, u32 links)
{
	struct mcfab_graph *graph = mem;

	graph->switches = switches;
	graph->hosts = hosts;
	graph->links = links;
	graph->root = MCFAB_NONE;
	graph->sw = (struct mcfab_graph_switch *)(graph + 1);
	graph->host = (struct mcfab_graph_host *)(graph->sw + switches);
	graph->link = (struct mcfab_graph_link *)(graph->host + hosts);
	return graph;
}

/**
 * mcfab_graph_copy() - copy a graph
 * @mem: as of mcfab_graph_place()
 * @graph: the graph
 *
 * Context: Any.
 * Return: the copy, at @mem.
 */
struct mcfab_graph *mcfab_graph_copy(void *mem, const struct mcfab_graph *graph)
{
	struct mcfab_graph *copy = mcfab_graph_place(mem, graph->switches, graph->hosts,
						     graph->links);

	copy->root = graph->root;
	memcpy(copy->sw, graph->sw, graph->switches * sizeof(*graph->sw));
	memcpy(copy->host, graph->host, graph->hosts * sizeof(*graph->host));
	memcpy(copy->link, graph->link, graph->links * sizeof(*graph->link));
	return copy;
}

/**
 * mcfab_graph_longest() - the longest delay that a link has of its own
 * @graph: the graph
 *
 * Context: any.
 * Return: cycles; 0: all links have the fabric's link-delay.
 */
u32 mcfab_graph_longest(const struct mcfab_graph *graph)
{
	u32 i, longest = 0;

	for (i = 0; i < graph->links; i++)
		longest = max3(longest, (u32)graph->link[i].delay,
			       (u32)graph->link[i].delay_back);
	return longest;
}

/**
 * mcfab_graph_slowest() - the most cycles that a link takes for a flit
 * @graph: the graph
 *
 * Context: any.
 * Return: cycles, 1 at least.
 */
u32 mcfab_graph_slowest(const struct mcfab_graph *graph)
{
	u32 i, slowest = 1;

	for (i = 0; i < graph->links; i++)
		slowest = max3(slowest, (u32)graph->link[i].pace, (u32)graph->link[i].pace_back);
	for (i = 0; i < graph->hosts; i++)
		slowest = max3(slowest, (u32)graph->host[i].pace, (u32)graph->host[i].pace_back);
	return slowest;
}

/**
 * mcfab_graph_slow_hosts() - do links of hosts take more than a cycle for a flit?
 * @graph: the graph
 *
 * Context: any.
 * Return: true if one or more do, either way.
 */
bool mcfab_graph_slow_hosts(const struct mcfab_graph *graph)
{
	u32 i;

	for (i = 0; i < graph->hosts; i++)
		if (max(graph->host[i].pace, graph->host[i].pace_back) > 1)
			return true;
	return false;
}

/**
 * struct check - state of a check
 * @graph: the graph
 * @err: where to put the error
 * @taken: a bit for every port of every switch
 * @lids: a bit for every LID
 * @guid: all GUIDs
 * @group: a switch joined to this one; in the end the least such switch
 */
struct check {
	const struct mcfab_graph *graph;
	struct mcfab_err *err;
	unsigned long *taken;
	unsigned long *lids;
	u64 *guid;
	u32 *group;
};

static int refuse(const struct check *c, int code, const char *what, u32 nr, const char *why)
{
	return mcfab_refuse(c->err, code, MCFAB_OPTION_FABRIC_TOPOLOGY, "%s %u: %s", what, nr, why);
}

/* Names go into files, between quotes. */
static bool name_valid(const char *name)
{
	u32 i;

	for (i = 0; i < MCFAB_GRAPH_NAME && name[i]; i++)
		if ((u8)name[i] < ' ' || name[i] == 0x7f || name[i] == '"')
			return false;
	return i < MCFAB_GRAPH_NAME;
}

/* @lmc: it has 2^@lmc LIDs, from @lid on */
static int check_identity(struct check *c, const char *what, u32 nr, u16 lid, u32 lmc,
			  const char *name)
{
	u32 last = lid + BIT(lmc) - 1, i;

	if (!name_valid(name))
		return refuse(c, -EINVAL, what, nr, "its name has a character that is not allowed");
	if (!lid && lmc)
		return refuse(c, -EINVAL, what, nr, "an lmc needs a lid");
	if (!lid)
		return 0;
	if (last > MCFAB_UNICAST_LID_MAX)
		return mcfab_refuse(c->err, -ERANGE, MCFAB_OPTION_FABRIC_TOPOLOGY,
				    "%s %u: lid %u is not in 1 to %u", what, nr, last,
				    MCFAB_UNICAST_LID_MAX);
	if (lid & (BIT(lmc) - 1))
		return mcfab_refuse(c->err, -EINVAL, MCFAB_OPTION_FABRIC_TOPOLOGY,
				    "%s %u: lid %u is no multiple of %lu, its lids (lmc %u)", what,
				    nr, lid, BIT(lmc), lmc);
	for (i = lid; i <= last; i++)
		if (__test_and_set_bit(i, c->lids))
			return mcfab_refuse(c->err, -EEXIST, MCFAB_OPTION_FABRIC_TOPOLOGY,
					    "%s %u: lid %u is another's already", what, nr, i);
	return 0;
}

static int check_port(struct check *c, const char *what, u32 nr, u32 at, u32 port)
{
	const struct mcfab_graph *graph = c->graph;

	if (at >= graph->switches)
		return mcfab_refuse(c->err, -ENOENT, MCFAB_OPTION_FABRIC_TOPOLOGY,
				    "%s %u: there is no switch %u", what, nr, at);
	if (port >= graph->sw[at].ports)
		return mcfab_refuse(c->err, -ERANGE, MCFAB_OPTION_FABRIC_TOPOLOGY,
				    "%s %u: switch %u has no port %u, its last is %u", what, nr,
				    at, port, graph->sw[at].ports - 1);
	if (__test_and_set_bit((size_t)at * MCFAB_GRAPH_PORTS_MAX + port, c->taken))
		return mcfab_refuse(c->err, -EEXIST, MCFAB_OPTION_FABRIC_TOPOLOGY,
				    "%s %u: port %u of switch %u is taken already", what, nr,
				    port, at);
	return 0;
}

/* the least switch known to be joined to this one */
static u32 leader(const struct check *c, u32 sw)
{
	while (c->group[sw] != sw) {
		c->group[sw] = c->group[c->group[sw]];
		sw = c->group[sw];
	}
	return sw;
}

static int check_switches(struct check *c)
{
	const struct mcfab_graph *graph = c->graph;
	u32 i;
	int ret;

	for (i = 0; i < graph->switches; i++) {
		const struct mcfab_graph_switch *sw = &graph->sw[i];

		BUILD_BUG_ON(MCFAB_GRAPH_PORTS_MAX > U8_MAX);
		if (!sw->ports)
			return mcfab_refuse(c->err, -ERANGE, MCFAB_OPTION_FABRIC_TOPOLOGY,
					    "switch %u: 0 ports are not 1 to %u", i,
					    MCFAB_GRAPH_PORTS_MAX);
		ret = check_identity(c, "switch", i, sw->lid, 0, sw->name);
		if (ret)
			return ret;
		c->group[i] = i;
	}
	return 0;
}

static int check_paces(struct check *c, const char *what, u32 nr, u32 pace, u32 pace_back)
{
	u32 slower = max(pace, pace_back);

	if (slower <= MCFAB_MAX_FLIT_CYCLES)
		return 0;
	return mcfab_refuse(c->err, -ERANGE, MCFAB_OPTION_FABRIC_TOPOLOGY,
			    "%s %u: rate 1/%u is less than 1/%u", what, nr, slower,
			    MCFAB_MAX_FLIT_CYCLES);
}

static int check_hosts(struct check *c)
{
	u32 i;
	int ret;

	for (i = 0; i < c->graph->hosts; i++) {
		const struct mcfab_graph_host *host = &c->graph->host[i];

		if (i && host[-1].aggregation && !host->aggregation)
			return refuse(c, -EINVAL, "host", i, "aggregation nodes have to come last");
		ret = check_port(c, "host", i, host->at, host->port);
		if (!ret)
			ret = check_identity(c, "host", i, host->lid, host->lmc, host->name);
		if (!ret)
			ret = check_paces(c, "host", i, host->pace, host->pace_back);
		if (ret)
			return ret;
	}
	return 0;
}

static int check_links(struct check *c)
{
	const struct mcfab_graph *graph = c->graph;
	u32 i, a, b;
	int ret;

	for (i = 0; i < graph->links; i++) {
		const struct mcfab_graph_link *link = &graph->link[i];

		ret = check_port(c, "link", i, link->a, link->port_a);
		if (!ret)
			ret = check_port(c, "link", i, link->b, link->port_b);
		if (!ret)
			ret = check_paces(c, "link", i, link->pace, link->pace_back);
		if (ret)
			return ret;
		if (max(link->delay, link->delay_back) > MCFAB_MAX_DELAY)
			return mcfab_refuse(c->err, -ERANGE, MCFAB_OPTION_FABRIC_TOPOLOGY,
					    "link %u: delay %u is not in 1 to %u", i,
					    max(link->delay, link->delay_back), MCFAB_MAX_DELAY);
		if (link->a == link->b)
			return mcfab_refuse(c->err, -EINVAL, MCFAB_OPTION_FABRIC_TOPOLOGY,
					    "link %u: joins switch %u to itself", i, link->a);
		a = leader(c, link->a);
		b = leader(c, link->b);
		c->group[max(a, b)] = min(a, b);
	}
	for (i = 0; i < graph->switches; i++)
		if (leader(c, i))
			return refuse(c, -EINVAL, "switch", i, "no links lead there from switch 0");
	return 0;
}

static int compare_guids(const void *a, const void *b)
{
	const u64 *ga = a, *gb = b;

	return *ga < *gb ? -1 : *ga > *gb;
}

static int check_guids(struct check *c)
{
	const struct mcfab_graph *graph = c->graph;
	u32 i, n = 0;

	for (i = 0; i < graph->switches; i++)
		if (graph->sw[i].guid)
			c->guid[n++] = graph->sw[i].guid;
	for (i = 0; i < graph->hosts; i++)
		if (graph->host[i].guid)
			c->guid[n++] = graph->host[i].guid;
	sort(c->guid, n, sizeof(*c->guid), compare_guids, NULL);
	for (i = 1; i < n; i++)
		if (c->guid[i] == c->guid[i - 1])
			return mcfab_refuse(c->err, -EEXIST, MCFAB_OPTION_FABRIC_TOPOLOGY,
					    "guid 0x%016llx is given twice",
					    (unsigned long long)c->guid[i]);
	return 0;
}

static int check_counts(const struct check *c)
{
	const struct mcfab_graph *graph = c->graph;

	if (!graph->switches || graph->switches > MCFAB_GRAPH_SWITCHES_MAX)
		return mcfab_refuse(c->err, -ERANGE, MCFAB_OPTION_FABRIC_TOPOLOGY,
				    "a graph has 1 to %u switches, not %u",
					    MCFAB_GRAPH_SWITCHES_MAX,
				    graph->switches);
	if (!graph->hosts || graph->hosts > MCFAB_MAX_NODES)
		return mcfab_refuse(c->err, -ERANGE, MCFAB_OPTION_FABRIC_TOPOLOGY,
				    "a graph has 1 to %u hosts, not %u", MCFAB_MAX_NODES,
				    graph->hosts);
	if (graph->links > MCFAB_GRAPH_LINKS_MAX)
		return mcfab_refuse(c->err, -ERANGE, MCFAB_OPTION_FABRIC_TOPOLOGY,
				    "a graph has at most %u links, not %u", MCFAB_GRAPH_LINKS_MAX,
				    graph->links);
	if (graph->root != MCFAB_NONE && graph->root >= graph->switches)
		return refuse(c, -ENOENT, "root", graph->root, "there is no such switch");
	return 0;
}

/**
 * mcfab_graph_check() - can a graph be a fabric?
 * @graph: the graph; may have any content
 * @err: filled in when it cannot
 *
 * Every host and link is on a port that its switch has and that no other host or link is on, LIDs
 * and GUIDs are given once, and links join all switches.
 *
 * Context: May sleep.
 * Return: 0, -EINVAL, -ERANGE, -ENOENT, -EEXIST, or -ENOMEM.
 */
int mcfab_graph_check(const struct mcfab_graph *graph, struct mcfab_err *err)
{
	struct check c = { .graph = graph, .err = err };
	int ret = check_counts(&c);

	if (ret)
		return ret;
	c.taken = mcfab_memory_zalloc(BITS_TO_LONGS((size_t)graph->switches *
						    MCFAB_GRAPH_PORTS_MAX), sizeof(long));
	c.lids = mcfab_memory_zalloc(BITS_TO_LONGS(MCFAB_UNICAST_LID_MAX + 1), sizeof(long));
	c.guid = mcfab_memory_zalloc((size_t)graph->switches + graph->hosts, sizeof(*c.guid));
	c.group = mcfab_memory_zalloc(graph->switches, sizeof(*c.group));
	if (c.taken && c.lids && c.guid && c.group) {
		ret = check_switches(&c);
		if (!ret)
			ret = check_hosts(&c);
		if (!ret)
			ret = check_links(&c);
		if (!ret)
			ret = check_guids(&c);
	} else {
		ret = mcfab_refuse(err, -ENOMEM, 0, "out of memory");
	}
	mcfab_memory_free(c.taken);
	mcfab_memory_free(c.lids);
	mcfab_memory_free(c.guid);
	mcfab_memory_free(c.group);
	return ret;
}
