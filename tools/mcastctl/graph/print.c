// SPDX-License-Identifier: GPL-2.0
/* Graphs as files: our own format, ibnetdiscover's, and DOT for Graphviz. */
#include <linux/mcfab.h>
#include <stdlib.h>

#include "graph/graph.h"
#include "graph/speed.h"

/* Made up for what has none, so that ibnetdiscover's format can name it. */
#define NO_SWITCH_GUID	0x5300000000000000ull
#define NO_HOST_GUID	0x4800000000000000ull

static void print_identity(FILE *f, u32 lid, u64 guid)
{
	if (lid)
		fprintf(f, " lid %u", lid);
	if (guid)
		fprintf(f, " guid 0x%016llx", guid);
}

static void print_name(FILE *f, const char *name)
{
	if (name)
		fprintf(f, " name \"%s\"", name);
	fputc('\n', f);
}

static u32 cycles_of(const struct graph_way *way)
{
	return way->cycles ? way->cycles : 1;
}

static bool is_slow(const struct graph_way *way)
{
	return way->cycles > 1;
}

static void print_rate(FILE *f, const struct graph_way *way, const struct graph_way *back)
{
	if (is_slow(way) || is_slow(back))
		fprintf(f, " rate 1/%u", cycles_of(way));
	if (cycles_of(way) != cycles_of(back))
		fprintf(f, " 1/%u", cycles_of(back));
}

void graph_print_native(FILE *f, const struct graph *g)
{
	for (u32 i = 0; i < g->switches; i++) {
		fprintf(f, "switch %u ports %u", i, g->sw[i].ports);
		print_identity(f, g->sw[i].lid, g->sw[i].guid);
		print_name(f, g->sw[i].name);
	}
	for (u32 i = 0; i < g->hosts; i++) {
		const struct graph_host *h = &g->host[i];

		fprintf(f, "host %u switch %u port %u", i, h->at, h->port);
		print_identity(f, h->lid, h->guid);
		if (h->lmc)
			fprintf(f, " lmc %u", h->lmc);
		if (h->node_guid)
			fprintf(f, " node-guid 0x%016llx", h->node_guid);
		if (h->node_port)
			fprintf(f, " node-port %u", h->node_port);
		if (h->aggregation)
			fputs(" role aggregation", f);
		print_rate(f, &h->way, &h->back);
		print_name(f, h->name);
	}
	for (u32 i = 0; i < g->links; i++) {
		const struct graph_link *l = &g->link[i];

		fprintf(f, "link %u %u %u %u", l->a, l->port_a, l->b, l->port_b);
		if (l->way.delay || l->back.delay)
			fprintf(f, " delay %u", l->way.delay);
		if (l->way.delay != l->back.delay)
			fprintf(f, " %u", l->back.delay);
		print_rate(f, &l->way, &l->back);
		fputc('\n', f);
	}
	if (g->root != GRAPH_NONE)
		fprintf(f, "root %u\n", g->root);
}

u64 graph_switch_guid(const struct graph *g, u32 i)
{
	return g->sw[i].guid ? g->sw[i].guid : NO_SWITCH_GUID + i;
}

u64 graph_host_guid(const struct graph *g, u32 i)
{
	return g->host[i].guid ? g->host[i].guid : NO_HOST_GUID + i;
}

static u64 node_guid(const struct graph *g, u32 i)
{
	return g->host[i].node_guid ? g->host[i].node_guid : graph_host_guid(g, i);
}

/** struct adapter_port - a host as a port of its channel adapter */
struct adapter_port {
	u64 guid;
	u32 port;
	u32 host;
};

/** struct map - who is where */
struct map {
	const struct graph *g;
	u32 *peer;		/* [switch * MCFAB_GRAPH_PORTS_MAX + port] the other end */
	u32 *host;		/* the same, or the host there; GRAPH_NONE: none */
	const char **speed;	/* the same, or the speed of the link there */
	const char *fastest;	/* speed of links of rate 1 */
	struct adapter_port *port;	/* [hosts] by adapter, then port */
	u32 *place;		/* [hosts] where a host is in @port */
};

static int compare_ports(const void *pa, const void *pb)
{
	const struct adapter_port *a = pa, *b = pb;

	if (a->guid != b->guid)
		return a->guid < b->guid ? -1 : 1;
	if (a->port != b->port)
		return a->port < b->port ? -1 : 1;
	return a->host < b->host ? -1 : a->host > b->host;
}

/* Does a speed tell the rate of a link? Notes that there is a slow or a fast one. */
static bool tells(const struct graph_way *way, const struct graph_way *back, bool *slow, bool *fast)
{
	*slow |= is_slow(way);
	*fast |= !is_slow(way);
	return cycles_of(way) == cycles_of(back) && speed_slower(cycles_of(way));
}

/* Speeds tell rates by the fastest link, so one has to be fast if others are slow. */
static bool speeds_tell(const struct graph *g, bool *slow)
{
	bool fast = false;

	*slow = false;
	for (u32 i = 0; i < g->links; i++)
		if (!tells(&g->link[i].way, &g->link[i].back, slow, &fast))
			return false;
	for (u32 i = 0; i < g->hosts; i++)
		if (!tells(&g->host[i].way, &g->host[i].back, slow, &fast))
			return false;
	return fast || !*slow;
}

bool graph_has_speeds(const struct graph *g)
{
	bool slow;

	return speeds_tell(g, &slow);
}

static const char *speed_of(const struct map *m, bool speeds, const struct graph_way *way)
{
	return speeds && is_slow(way) ? speed_slower(way->cycles) : m->fastest;
}

static void map_init(struct map *m, const struct graph *g)
{
	size_t n = (size_t)g->switches * MCFAB_GRAPH_PORTS_MAX;
	bool slow, speeds = speeds_tell(g, &slow);

	m->g = g;
	/* the slowest of all speeds if no link is slower, or no speeds tell it */
	m->fastest = slow && speeds ? speed_slower(1) : "1xSDR";
	m->speed = xcalloc(n, sizeof(*m->speed));
	m->peer = xcalloc(n, sizeof(*m->peer));
	m->host = xcalloc(n, sizeof(*m->host));
	m->port = xcalloc(g->hosts, sizeof(*m->port));
	m->place = xcalloc(g->hosts, sizeof(*m->place));
	for (size_t i = 0; i < n; i++) {
		m->peer[i] = GRAPH_NONE;
		m->host[i] = GRAPH_NONE;
	}
	for (u32 i = 0; i < g->links; i++) {
		const struct graph_link *l = &g->link[i];
		u32 a = l->a * MCFAB_GRAPH_PORTS_MAX + l->port_a;
		u32 b = l->b * MCFAB_GRAPH_PORTS_MAX + l->port_b;

		m->peer[a] = b;
		m->peer[b] = a;
		m->speed[a] = speed_of(m, speeds, &l->way);
		m->speed[b] = m->speed[a];
	}
	for (u32 i = 0; i < g->hosts; i++) {
		u32 at = g->host[i].at * MCFAB_GRAPH_PORTS_MAX + g->host[i].port;

		m->host[at] = i;
		m->speed[at] = speed_of(m, speeds, &g->host[i].way);
		m->port[i] = (struct adapter_port){ node_guid(g, i), g->host[i].node_port, i };
	}
	if (g->hosts)
		qsort(m->port, g->hosts, sizeof(*m->port), compare_ports);
	/* who does not say which port it is gets the next one */
	for (u32 i = 0; i < g->hosts; i++) {
		if (!m->port[i].port)
			m->port[i].port = i && m->port[i - 1].guid == m->port[i].guid ?
					  m->port[i - 1].port + 1 : 1;
		m->place[m->port[i].host] = i;
	}
}

static void map_free(struct map *m)
{
	free(m->peer);
	free(m->speed);
	free(m->host);
	free(m->port);
	free(m->place);
}

static const char *text(const char *name)
{
	return name ? name : "";
}

static void print_ids(FILE *f, u64 guid)
{
	fprintf(f, "\nvendid=0x0\ndevid=0x0\nsysimgguid=0x%llx\n", guid);
}

static void print_switch(FILE *f, const struct map *m, u32 sw)
{
	const struct graph *g = m->g;
	const struct graph_switch *s = &g->sw[sw];

	print_ids(f, graph_switch_guid(g, sw));
	fprintf(f, "switchguid=0x%llx(%llx)\n", graph_switch_guid(g, sw), graph_switch_guid(g, sw));
	fprintf(f, "Switch\t%u \"S-%016llx\"\t\t# \"%s\" base port 0 lid %u lmc 0\n", s->ports - 1,
		graph_switch_guid(g, sw), text(s->name), s->lid);
	for (u32 port = 1; port < s->ports; port++) {
		u32 peer = m->peer[sw * MCFAB_GRAPH_PORTS_MAX + port];
		u32 host = m->host[sw * MCFAB_GRAPH_PORTS_MAX + port];

		if (peer != GRAPH_NONE) {
			u32 to = peer / MCFAB_GRAPH_PORTS_MAX;

			fprintf(f, "[%u]\t\"S-%016llx\"[%u]\t\t# \"%s\" lid %u %s\n", port,
				graph_switch_guid(g, to), peer % MCFAB_GRAPH_PORTS_MAX,
				text(g->sw[to].name), g->sw[to].lid,
				m->speed[sw * MCFAB_GRAPH_PORTS_MAX + port]);
		} else if (host != GRAPH_NONE) {
			fprintf(f, "[%u]\t\"H-%016llx\"[%u](%llx) \t\t# \"%s\" lid %u %s\n",
				port, node_guid(g, host), m->port[m->place[host]].port,
				graph_host_guid(g, host), text(g->host[host].name),
				g->host[host].lid, m->speed[sw * MCFAB_GRAPH_PORTS_MAX + port]);
		}
	}
}

/* The channel adapter whose ports are @first .. @last - 1 of the map. */
static void print_adapter(FILE *f, const struct map *m, u32 first, u32 last)
{
	const struct graph *g = m->g;

	print_ids(f, m->port[first].guid);
	fprintf(f, "caguid=0x%llx\n", m->port[first].guid);
	fprintf(f, "Ca\t%u \"H-%016llx\"\t\t# \"%s\"\n", m->port[last - 1].port,
		m->port[first].guid, text(g->host[m->port[first].host].name));
	for (u32 i = first; i < last; i++) {
		const struct graph_host *h = &g->host[m->port[i].host];

		fprintf(f, "[%u](%llx) \t\"S-%016llx\"[%u]\t\t", m->port[i].port,
			graph_host_guid(g, m->port[i].host), graph_switch_guid(g, h->at), h->port);
		fprintf(f, "# lid %u lmc %u \"%s\" lid %u %s\n", h->lid, h->lmc,
			text(g->sw[h->at].name), g->sw[h->at].lid,
			m->speed[h->at * MCFAB_GRAPH_PORTS_MAX + h->port]);
	}
}

/* An adapter comes where the first of its hosts would. */
static void print_adapters(FILE *f, const struct map *m)
{
	const struct graph *g = m->g;

	for (u32 i = 0; i < g->hosts; i++) {
		u32 first = m->place[i], last = first + 1, least = i;

		while (first && m->port[first - 1].guid == m->port[first].guid)
			first--;
		while (last < g->hosts && m->port[last].guid == m->port[first].guid)
			last++;
		for (u32 k = first; k < last; k++)
			least = m->port[k].host < least ? m->port[k].host : least;
		if (least == i)
			print_adapter(f, m, first, last);
	}
}

static enum status check_infiniband(const struct map *m)
{
	const struct graph *g = m->g;

	for (u32 i = 0; i < g->switches; i++)
		if (m->peer[i * MCFAB_GRAPH_PORTS_MAX] != GRAPH_NONE ||
		    m->host[i * MCFAB_GRAPH_PORTS_MAX] != GRAPH_NONE)
			return refused("port 0 of switch %u is in use: InfiniBand keeps it", i);
	for (u32 i = 0; i < g->hosts; i++)
		if (m->port[i].port > 254 ||
		    (i && m->port[i].guid == m->port[i - 1].guid &&
		     m->port[i].port == m->port[i - 1].port))
			return refused("hosts %u and %u are the same port of an adapter",
				       m->port[i ? i - 1 : 0].host, m->port[i].host);
	return STATUS_OK;
}

enum status graph_print_ibnetdiscover(FILE *f, const struct graph *g)
{
	enum status status;
	struct map m;

	map_init(&m, g);
	status = check_infiniband(&m);
	if (!status) {
		fputs("#\n# Topology file: written by mcastctl\n#\n", f);
		for (u32 i = 0; i < g->switches; i++)
			print_switch(f, &m, i);
		print_adapters(f, &m);
	}
	map_free(&m);
	return status;
}

/* Quotes are not in names; what else DOT would read in a label is. */
static void print_label(FILE *f, const char *name)
{
	for (; *name; name++) {
		if (*name == '\\')
			fputc('\\', f);
		fputc(*name, f);
	}
}

/* "20", or "20/12" there and back, is the delay; "rate 1/4" or "rate 1/4, 1/2" the rate */
static void print_ways(FILE *f, const struct graph_way *way, const struct graph_way *back)
{
	bool slow = is_slow(way) || is_slow(back);

	if (!way->delay && !back->delay && !slow)
		return;
	fputs(", label=\"", f);
	if (way->delay != back->delay)
		fprintf(f, "%u/%u", way->delay, back->delay);
	else if (way->delay)
		fprintf(f, "%u", way->delay);
	if (slow && (way->delay || back->delay))
		fputs(", ", f);
	if (slow)
		fprintf(f, "rate 1/%u", cycles_of(way));
	if (cycles_of(way) != cycles_of(back))
		fprintf(f, ", 1/%u", cycles_of(back));
	fputc('"', f);
}

void graph_print_dot(FILE *f, const struct graph *g, const char *name)
{
	fputs("graph \"", f);
	print_label(f, name);
	fputs("\" {\n\tnode [shape=box];\n\tedge [fontsize=9];\n", f);
	for (u32 i = 0; i < g->switches; i++) {
		fprintf(f, "\ts%u [label=\"", i);
		if (g->sw[i].name)
			print_label(f, g->sw[i].name);
		else
			fprintf(f, "switch %u", i);
		if (g->sw[i].lid)
			fprintf(f, "\\nlid %u", g->sw[i].lid);
		fprintf(f, "\"%s];\n", g->root == i ? ", peripheries=2" : "");
	}
	for (u32 i = 0; i < g->hosts; i++) {
		fprintf(f, "\th%u [shape=ellipse, label=\"", i);
		if (g->host[i].name)
			print_label(f, g->host[i].name);
		else
			fprintf(f, "host %u", i);
		if (g->host[i].lid)
			fprintf(f, "\\nlid %u", g->host[i].lid);
		fprintf(f, "\"];\n\ts%u -- h%u [taillabel=\"%u\"", g->host[i].at, i,
			g->host[i].port);
		/* the edge begins at the switch */
		print_ways(f, &g->host[i].back, &g->host[i].way);
		fputs("];\n", f);
	}
	for (u32 i = 0; i < g->links; i++) {
		const struct graph_link *l = &g->link[i];

		fprintf(f, "\ts%u -- s%u [taillabel=\"%u\", headlabel=\"%u\"", l->a, l->b,
			l->port_a, l->port_b);
		print_ways(f, &l->way, &l->back);
		fputs("];\n", f);
	}
	fputs("}\n", f);
}
