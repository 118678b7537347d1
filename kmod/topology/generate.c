// SPDX-License-Identifier: GPL-2.0
/*
 * Random irregular networks, after the irregular paper, section 6.3: of s switches with k ports
 * each, p ports have hosts, and of the others a fraction, the connectivity, have links:
 * floor(connectivity * (s * k - p) / 200) links, connectivity in percent.
 *
 * Switches are first joined to a random tree, one after the other in a random order, each to any
 * free port of the switches in the tree. Then links join random pairs of free ports of different
 * switches; two switches may have several links. Hosts come last, to random ports that are still
 * free, so that there is room for every link whatever ports hosts take. Hosts are numbered by
 * switch and port.
 *
 * The tree needs a port at either end of s - 1 links; of switches with two ports or more it never
 * fills all ports. Further links never run out of pairs: see draw_link().
 */
#include <linux/sched.h>

#include "base/memory.h"
#include "topology/generate.h"
#include "base/random.h"

/** TAKEN_BY_HOST - in struct maker.peer: a host is on the port */
#define TAKEN_BY_HOST	(MCFAB_NONE - 1)

/*
 * struct maker - a network being made; a port has the number switch * gen->ports + port
 * @gen: what is asked for
 * @drawn: random numbers so far
 * @nfree: entries of @free
 * @free: [ports of all] free ports of switches that are in the network
 * @place: [ports of all] where in @free a port is, or MCFAB_NONE
 * @peer: [ports of all] far end of its link, TAKEN_BY_HOST or MCFAB_NONE
 * @nports: [switches] free ports of each
 * @order: [switches] in which the tree takes them
 */
struct maker {
	const struct mcfab_generate *gen;
	u64 drawn;
	u32 nfree;
	u32 *free;
	u32 *place;
	u32 *peer;
	u8 *nports;
	u32 *order;
};

static int refuse_range(struct mcfab_err *err, enum mcfab_option blame, const char *what, u32 value,
			u32 most)
{
	return mcfab_refuse(err, -ERANGE, blame, "%s %u: it is 1 to %u", what, value, most);
}

static int check_ranges(const struct mcfab_generate *gen, struct mcfab_err *err)
{
	if (gen->switches < 1 || gen->switches > MCFAB_GRAPH_SWITCHES_MAX)
		return refuse_range(err, MCFAB_OPTION_FABRIC_SWITCHES, "switches", gen->switches,
				    MCFAB_GRAPH_SWITCHES_MAX);
	if (gen->ports < 1 || gen->ports > MCFAB_GRAPH_PORTS_MAX - gen->first)
		return refuse_range(err, MCFAB_OPTION_FABRIC_SWITCH_PORTS, "ports", gen->ports,
				    MCFAB_GRAPH_PORTS_MAX - gen->first);
	if (gen->hosts < 1 || gen->hosts > MCFAB_MAX_NODES)
		return refuse_range(err, MCFAB_OPTION_FABRIC_HOSTS, "hosts", gen->hosts,
				    MCFAB_MAX_NODES);
	if (gen->connectivity < 1 || gen->connectivity > 100)
		return refuse_range(err, MCFAB_OPTION_FABRIC_CONNECTIVITY, "connectivity",
				    gen->connectivity, 100);
	return 0;
}

/**
 * mcfab_generate_links() - check a request and count its links
 * @gen: the request
 * @links: set to the number of links; with one switch none
 * @err: filled in when the request is refused; the blamed attribute is one of a fabric's
 *
 * Context: Any.
 * Return: 0, -ERANGE, or -EINVAL if ports or links are too few to join all switches.
 */
int mcfab_generate_links(const struct mcfab_generate *gen, u32 *links, struct mcfab_err *err)
{
	u32 ports = gen->switches * gen->ports, tree = gen->switches - 1;
	int ret = check_ranges(gen, err);

	if (ret)
		return ret;
	if (gen->hosts + 2 * tree > ports)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_FABRIC_SWITCH_PORTS,
				    "too few ports: %u; hosts and a tree of %u links take %u",
				    ports, tree, gen->hosts + 2 * tree);
	/* both factors together are below 2^32 */
	*links = tree ? (ports - gen->hosts) * gen->connectivity / 200 : 0;
	if (*links < tree)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_FABRIC_CONNECTIVITY,
				    "connectivity %u makes %u links, to join the switches takes %u",
				    gen->connectivity, *links, tree);
	if (*links > MCFAB_GRAPH_LINKS_MAX)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_FABRIC_CONNECTIVITY,
				    "connectivity %u makes %u links, most are %u",
				    gen->connectivity, *links, MCFAB_GRAPH_LINKS_MAX);
	return 0;
}

static u32 draw(struct maker *m, u32 bound)
{
	return mcfab_random_below(m->gen->seed, 0, MCFAB_STREAM_GRAPH, m->drawn++, bound);
}

static void add_free(struct maker *m, u32 port)
{
	m->place[port] = m->nfree;
	m->free[m->nfree++] = port;
	m->nports[port / m->gen->ports]++;
}

static void take(struct maker *m, u32 port, u32 peer)
{
	u32 last = m->free[--m->nfree];

	m->free[m->place[port]] = last;
	m->place[last] = m->place[port];
	m->place[port] = MCFAB_NONE;
	m->nports[port / m->gen->ports]--;
	m->peer[port] = peer;
}

static void join(struct maker *m, u32 a, u32 b)
{
	take(m, a, b);
	take(m, b, a);
}

static void make_tree(struct maker *m)
{
	u32 ports = m->gen->ports, switches = m->gen->switches, i, other, port, at;

	for (i = 0; i < switches; i++)
		m->order[i] = i;
	for (i = switches; i > 1; i--) {
		other = draw(m, i);
		swap(m->order[i - 1], m->order[other]);
	}
	for (i = 0; i < switches; i++) {
		at = i ? m->free[draw(m, m->nfree)] : 0;
		for (port = 0; port < ports; port++)
			add_free(m, m->order[i] * ports + port);
		if (i)
			join(m, at, m->order[i] * ports + draw(m, ports));
		cond_resched();
	}
}

/* any free port of switch @sw, which has a free port */
static u32 draw_port(struct maker *m, u32 sw)
{
	u32 port = sw * m->gen->ports, nth = draw(m, m->nports[sw]);

	for (;; port++)
		if (m->place[port] != MCFAB_NONE && !nth--)
			return port;
}

/*
 * A link between any two free ports of different switches that leaves room for @left - 1 further
 * links. There is room for as many links as free ports lie outside any one switch. Where all of
 * these ports are needed, one end of each link has to be at that switch: otherwise a link would use
 * up two of them. This is so from the tree on: of s >= 2 switches with k >= 2 ports, a switch has k
 * - 1 free ports at most, which leaves (s - 1)(k - 2) + 1 other ports or more, and links to come
 * are at most s * k / 2 - (s - 1).
 */
static void draw_link(struct maker *m, u32 left)
{
	u32 ports = m->gen->ports, a = MCFAB_NONE, b, sw;

	/* no switch has more than @ports free ports: only the last links need a look */
	if (m->nfree - left <= ports)
		for (sw = 0; sw < m->gen->switches; sw++)
			if (m->nfree - m->nports[sw] == left)
				a = sw;
	a = a == MCFAB_NONE ? m->free[draw(m, m->nfree)] : draw_port(m, a);
	do {
		b = m->free[draw(m, m->nfree)];
	} while (b / ports == a / ports);
	join(m, a, b);
}

static void place_hosts(struct maker *m)
{
	u32 i;

	for (i = 0; i < m->gen->hosts; i++) {
		take(m, m->free[draw(m, m->nfree)], TAKEN_BY_HOST);
		if (i % 1024 == 0)
			cond_resched();
	}
}

/* Hosts and links in the order of their ports. */
static void write_down(const struct maker *m, struct mcfab_graph *graph)
{
	u32 ports = m->gen->ports, first = m->gen->first, hosts = 0, links = 0, sw, port, peer;

	for (sw = 0; sw < m->gen->switches; sw++) {
		graph->sw[sw].ports = first + ports;
		for (port = 0; port < ports; port++) {
			peer = m->peer[sw * ports + port];
			if (peer == TAKEN_BY_HOST) {
				graph->host[hosts].at = sw;
				graph->host[hosts++].port = first + port;
			} else if (peer != MCFAB_NONE && peer > sw * ports + port) {
				graph->link[links].a = sw;
				graph->link[links].port_a = first + port;
				graph->link[links].b = peer / ports;
				graph->link[links++].port_b = first + peer % ports;
			}
		}
	}
}

/**
 * mcfab_generate_fill() - make a random network
 * @gen: a request that mcfab_generate_links() has accepted
 * @graph: filled in: an empty graph of so many switches, hosts and links
 * @err: filled in when it fails
 *
 * Context: May sleep.
 * Return: 0 or -ENOMEM.
 */
int mcfab_generate_fill(const struct mcfab_generate *gen, struct mcfab_graph *graph,
			struct mcfab_err *err)
{
	u32 all = gen->switches * gen->ports, left;
	struct maker m = { .gen = gen };
	int ret = 0;

	m.free = mcfab_memory_alloc(all, sizeof(*m.free));
	m.place = mcfab_memory_alloc(all, sizeof(*m.place));
	m.peer = mcfab_memory_alloc(all, sizeof(*m.peer));
	m.nports = mcfab_memory_zalloc(gen->switches, sizeof(*m.nports));
	m.order = mcfab_memory_alloc(gen->switches, sizeof(*m.order));
	if (m.free && m.place && m.peer && m.nports && m.order) {
		memset(m.place, 0xff, all * sizeof(*m.place));
		memset(m.peer, 0xff, all * sizeof(*m.peer));
		make_tree(&m);
		for (left = graph->links - (gen->switches - 1); left; left--) {
			draw_link(&m, left);
			cond_resched();
		}
		place_hosts(&m);
		write_down(&m, graph);
	} else {
		ret = mcfab_refuse(err, -ENOMEM, 0, "out of memory");
	}
	mcfab_memory_free(m.free);
	mcfab_memory_free(m.place);
	mcfab_memory_free(m.peer);
	mcfab_memory_free(m.nports);
	mcfab_memory_free(m.order);
	return ret;
}
