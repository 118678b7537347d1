// SPDX-License-Identifier: GPL-2.0
/*
 * Topologies as ibnetdiscover of infiniband-diags prints them. A switch with 36 ports
 * becomes one with the ports 0 .. 36, of which 0 is management. Every connected port of
 * a channel adapter (or router) becomes a host. What is kept: GUIDs, LIDs, ports, names;
 * what is not: vendor and device numbers, the system image, speeds and widths.
 *
 * Every link is there from both ends, which have to agree: a file that was cut off or
 * edited by half does not pass for a smaller network.
 */
#include <errno.h>
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>

#include "graph/graph.h"

#define LID_MAX	0xFFFF

/** struct ib_node - a switch, or a channel adapter */
struct ib_node {
	u64 guid;
	u32 ports;
	u32 lid;		/* of a switch */
	u32 line;
	u32 number;		/* switch in the graph */
	bool is_switch;
	char *name;
};

/** struct ib_end - a line about a port, one end of a link */
struct ib_end {
	u32 node;
	u32 port;
	u64 guid;		/* of this port (channel adapters) */
	u32 lid;		/* of this port (channel adapters) */
	bool to_switch;
	u64 peer_node;		/* GUID */
	u32 peer_port;
	u64 peer_guid;		/* of the peer's port, 0: not said */
	u32 peer_lid;		/* 0: not said */
	u32 line;
};

struct subnet {
	struct ib_node *node;
	struct ib_end *end;
	u32 *by_guid;		/* nodes in the order of their GUIDs */
	u32 nodes, ends;
	u32 node_room, end_room;
	bool lmc_told;
};

static bool eat(char **at, const char *word)
{
	size_t len = strlen(word);

	if (strncmp(*at, word, len))
		return false;
	*at += len;
	return true;
}

static void blanks(char **at)
{
	*at += strspn(*at, " \t\r");
}

static bool eat_number(char **at, u32 max, u32 *out)
{
	u32 value = 0;
	char *c = *at;

	for (; *c >= '0' && *c <= '9' && value <= max; c++)
		value = 10 * value + (u32)(*c - '0');
	if (c == *at || value > max)
		return false;
	*at = c;
	*out = value;
	return true;
}

static bool eat_guid(char **at, u64 *out)
{
	size_t len = strspn(*at, "0123456789abcdefABCDEF");

	if (!len || len > 16)
		return false;
	*out = strtoull(*at, at, 16);
	return true;
}

static enum status garbled(const char *what, const char *at)
{
	return usage("%s expected at \"%.24s\"", what, at);
}

/* "[7]", and the number on the chassis that may follow: "[ext 3]" */
static bool eat_port(char **at, u32 *port)
{
	u32 external;

	if (!eat(at, "[") || !eat_number(at, 255, port) || !eat(at, "]"))
		return false;
	return !eat(at, "[ext ") || (eat_number(at, UINT16_MAX, &external) && eat(at, "]"));
}

/* "S-0002c90200400000" in quotes */
static bool eat_node(char **at, bool *is_switch, u64 *guid)
{
	if (!eat(at, "\""))
		return false;
	*is_switch = eat(at, "S-");
	return (*is_switch || eat(at, "H-") || eat(at, "R-")) && eat_guid(at, guid) &&
	       eat(at, "\"");
}

/* "(2c903000000a1)" if it is there */
static bool eat_port_guid(char **at, u64 *guid)
{
	*guid = 0;
	return !eat(at, "(") || (eat_guid(at, guid) && eat(at, ")"));
}

/* " WORD N" somewhere in a comment, behind its description; 0 if it is not there */
static enum status comment_number(const char *comment, const char *word, u32 *out)
{
	char *at = strstr(comment, word);

	*out = 0;
	if (!at)
		return STATUS_OK;
	at += strlen(word);
	if (!eat_number(&at, LID_MAX, out))
		return garbled("a number", at);
	return STATUS_OK;
}

static enum status check_lid(u32 lid)
{
	if (lid > GRAPH_LID_MAX)
		return usage("lid %u is not in 1 to %u", lid, GRAPH_LID_MAX);
	return STATUS_OK;
}

static enum status take_lmc(struct subnet *s, const char *comment)
{
	enum status status;
	u32 lmc;

	status = comment_number(comment, " lmc ", &lmc);
	if (!status && lmc && !s->lmc_told) {
		warning("lmc %u: of several LIDs of a port only the first is kept", lmc);
		s->lmc_told = true;
	}
	return status;
}

/* The description in a comment, which is cut off before it; *@rest is what follows it. */
static enum status description(char *comment, char **name, char **rest)
{
	char *first = strchr(comment, '"'), *last = strrchr(comment, '"');

	*name = NULL;
	*rest = comment;
	if (!first)
		return STATUS_OK;
	if (first == last)
		return usage("a quote is not closed");
	*last = '\0';
	*first = '\0';
	*name = first + 1;
	*rest = last + 1;
	return graph_name(*name);
}

/* Behind "Switch" or "Ca": PORTS "GUID" # "DESCRIPTION" base port 0 lid L lmc M */
static enum status take_node(struct subnet *s, char *at, u32 number, bool is_switch)
{
	struct ib_node node = { .line = number, .is_switch = is_switch };
	char *name = NULL, *rest;
	enum status status = STATUS_OK;
	bool named;

	blanks(&at);
	if (!eat_number(&at, UINT16_MAX, &node.ports) || !node.ports)
		return garbled("a number of ports", at);
	if (node.ports >= MCFAB_GRAPH_PORTS_MAX)
		return usage("%u ports are more than %d", node.ports, MCFAB_GRAPH_PORTS_MAX - 1);
	blanks(&at);
	if (!eat_node(&at, &named, &node.guid) || named != is_switch)
		return garbled(is_switch ? "a switch \"S-...\"" : "an adapter \"H-...\"", at);
	blanks(&at);
	if (*at && *at != '#')
		return garbled("#", at);
	if (*at) {
		status = description(at, &name, &rest);
		if (!status && is_switch)
			status = comment_number(rest, " lid ", &node.lid);
		if (!status && is_switch)
			status = check_lid(node.lid);
		if (!status && is_switch)
			status = take_lmc(s, rest);
	}
	if (status)
		return status;
	node.name = name && *name ? xstrdup(name) : NULL;
	if (s->nodes == s->node_room) {
		s->node_room = s->node_room ? 2 * s->node_room : 64;
		s->node = xrealloc(s->node, s->node_room, sizeof(*s->node));
	}
	s->node[s->nodes++] = node;
	return STATUS_OK;
}

/* [PORT](GUID) "PEER"[PORT](GUID) # ... */
static enum status take_end(struct subnet *s, char *at, u32 number)
{
	struct ib_end end = { .line = number, .node = s->nodes - 1 };
	enum status status = STATUS_OK;
	struct ib_node *node;
	char *name, *rest;

	if (!s->nodes)
		return usage("a port before any Switch or Ca");
	node = &s->node[s->nodes - 1];
	if (!eat_port(&at, &end.port) || !eat_port_guid(&at, &end.guid))
		return garbled("[PORT]", at);
	if (!end.port || end.port > node->ports)
		return usage("port %u is not in 1 to %u", end.port, node->ports);
	blanks(&at);
	if (!eat_node(&at, &end.to_switch, &end.peer_node))
		return garbled("the other end, \"S-...\" or \"H-...\",", at);
	if (!eat_port(&at, &end.peer_port))
		return garbled("[PORT]", at);
	blanks(&at);
	if (!eat_port_guid(&at, &end.peer_guid))
		return garbled("(GUID)", at);
	blanks(&at);
	if (*at && *at != '#')
		return garbled("#", at);
	if (*at) {
		status = description(at, &name, &rest);
		/* an adapter's line has its own lid and lmc before the peer's name */
		if (!status && !node->is_switch && name)
			status = comment_number(at, " lid ", &end.lid);
		if (!status && !node->is_switch && name)
			status = take_lmc(s, at);
		if (!status && name)
			status = comment_number(rest, " lid ", &end.peer_lid);
		if (!status)
			status = check_lid(end.lid);
		if (!status)
			status = check_lid(end.peer_lid);
	}
	if (status)
		return status;
	if (!end.to_switch && !node->is_switch)
		return usage("two adapters are joined without a switch");
	if (s->ends == s->end_room) {
		s->end_room = s->end_room ? 2 * s->end_room : 64;
		s->end = xrealloc(s->end, s->end_room, sizeof(*s->end));
	}
	s->end[s->ends++] = end;
	return STATUS_OK;
}

static enum status take_line(void *data, char *at, u32 number)
{
	static const char *const ids[] = {
		"vendid=", "devid=", "sysimgguid=", "switchguid=", "caguid=", "rtguid=",
	};
	/* of ibnetdiscover -g */
	static const char *const groups[] = { "Non-Chassis Nodes", "Chassis ", "Hostname: " };
	struct subnet *s = data;
	u64 value;

	blanks(&at);
	if (!*at || *at == '#')
		return STATUS_OK;
	if (*at == '[')
		return take_end(s, at, number);
	if (eat(&at, "Switch\t") || eat(&at, "Switch "))
		return take_node(s, at, number, true);
	if (eat(&at, "Ca\t") || eat(&at, "Ca ") || eat(&at, "Rt\t") || eat(&at, "Rt "))
		return take_node(s, at, number, false);
	for (size_t i = 0; i < ARRAY_SIZE(ids); i++)
		if (eat(&at, ids[i]))
			return eat(&at, "0x") && eat_guid(&at, &value) ? STATUS_OK :
				garbled("a number in hexadecimal", at);
	for (size_t i = 0; i < ARRAY_SIZE(groups); i++)
		if (eat(&at, groups[i]))
			return STATUS_OK;
	return usage("\"%.24s\" is nothing that ibnetdiscover prints", at);
}

static int compare_nodes(const void *pa, const void *pb, void *arg)
{
	const struct subnet *s = arg;
	const struct ib_node *a = &s->node[*(const u32 *)pa], *b = &s->node[*(const u32 *)pb];

	if (a->is_switch != b->is_switch)
		return a->is_switch ? -1 : 1;
	if (a->guid != b->guid)
		return a->guid < b->guid ? -1 : 1;
	return a->line < b->line ? -1 : a->line > b->line;
}

static u32 find_node(const struct subnet *s, bool is_switch, u64 guid)
{
	u32 low = 0, high = s->nodes;

	while (low < high) {
		u32 mid = low + (high - low) / 2;
		const struct ib_node *n = &s->node[s->by_guid[mid]];

		if (n->is_switch == is_switch && n->guid == guid)
			return s->by_guid[mid];
		if (n->is_switch == is_switch ? n->guid < guid : n->is_switch)
			low = mid + 1;
		else
			high = mid;
	}
	return GRAPH_NONE;
}

static int compare_ends(const void *pa, const void *pb)
{
	const struct ib_end *a = pa, *b = pb;

	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	if (a->port != b->port)
		return a->port < b->port ? -1 : 1;
	return a->line < b->line ? -1 : a->line > b->line;
}

static const struct ib_end *find_end(const struct subnet *s, u32 node, u32 port)
{
	u32 low = 0, high = s->ends;

	while (low < high) {
		u32 mid = low + (high - low) / 2;
		const struct ib_end *e = &s->end[mid];

		if (e->node == node && e->port == port)
			return e;
		if (e->node != node ? e->node < node : e->port < port)
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

static enum status index_all(struct subnet *s, const char *path)
{
	s->by_guid = xcalloc(s->nodes, sizeof(*s->by_guid));
	for (u32 i = 0; i < s->nodes; i++)
		s->by_guid[i] = i;
	if (s->nodes)
		qsort_r(s->by_guid, s->nodes, sizeof(*s->by_guid), compare_nodes, s);
	for (u32 i = 1; i < s->nodes; i++) {
		const struct ib_node *a = &s->node[s->by_guid[i - 1]];
		const struct ib_node *b = &s->node[s->by_guid[i]];

		if (a->is_switch == b->is_switch && a->guid == b->guid) {
			set_location(path, b->line);
			return usage("guid %016llx was in line %u already", b->guid, a->line);
		}
	}
	if (s->ends)
		qsort(s->end, s->ends, sizeof(*s->end), compare_ends);
	for (u32 i = 1; i < s->ends; i++) {
		const struct ib_end *a = &s->end[i - 1], *b = &s->end[i];

		if (a->node == b->node && a->port == b->port) {
			set_location(path, b->line);
			return usage("port %u was in line %u already", b->port, a->line);
		}
	}
	return STATUS_OK;
}

/* What one end says of the other is what the other says of itself. */
static enum status match(const struct subnet *s, const struct ib_end *e,
			 const struct ib_end **other)
{
	u32 peer = find_node(s, e->to_switch, e->peer_node);
	const struct ib_node *node = &s->node[e->node];
	const struct ib_end *back;
	u32 lid;

	if (peer == GRAPH_NONE)
		return usage("%c-%016llx is not in this file: is it cut off?",
			     e->to_switch ? 'S' : 'H', e->peer_node);
	back = find_end(s, peer, e->peer_port);
	if (!back)
		return usage("%c-%016llx, in line %u, has no line for its port %u",
			     e->to_switch ? 'S' : 'H', e->peer_node, s->node[peer].line,
			     e->peer_port);
	if (back->peer_node != node->guid || back->to_switch != node->is_switch ||
	    back->peer_port != e->port)
		return usage("the other end, in line %u, leads elsewhere", back->line);
	if (e->peer_guid && back->guid && e->peer_guid != back->guid)
		return usage("the other end, in line %u, has port guid %llx, not %llx",
			     back->line, back->guid, e->peer_guid);
	lid = e->to_switch ? s->node[peer].lid : back->lid;
	if (e->peer_lid && lid && e->peer_lid != lid)
		return usage("the other end has lid %u, not %u, by line %u", lid, e->peer_lid,
			     e->to_switch ? s->node[peer].line : back->line);
	*other = back;
	return STATUS_OK;
}

static void add_host(struct graph *g, const struct subnet *s, const struct ib_end *e,
		     const struct ib_end *other)
{
	struct graph_host *h = graph_host(g, g->hosts);
	const struct ib_node *node = &s->node[e->node];

	h->guid = e->guid ? e->guid : other->peer_guid;
	h->node_guid = node->guid;
	h->at = s->node[other->node].number;
	h->port = other->port;
	h->lid = e->lid ? e->lid : other->peer_lid;
	h->node_port = e->port;
	h->line = e->line;
	h->name = node->name ? xstrdup(node->name) : NULL;
}

static enum status build(struct subnet *s, const char *path, struct graph *g)
{
	enum status status = STATUS_OK;

	for (u32 i = 0; i < s->nodes; i++) {
		struct graph_switch *sw;

		if (!s->node[i].is_switch)
			continue;
		if (g->switches == MCFAB_GRAPH_SWITCHES_MAX)
			return usage("%s: more than %d switches", path, MCFAB_GRAPH_SWITCHES_MAX);
		s->node[i].number = g->switches;
		sw = graph_switch(g, g->switches);
		sw->guid = s->node[i].guid;
		sw->ports = s->node[i].ports + 1;
		sw->lid = s->node[i].lid;
		sw->line = s->node[i].line;
		sw->name = s->node[i].name ? xstrdup(s->node[i].name) : NULL;
	}
	for (u32 i = 0; i < s->ends && !status; i++) {
		const struct ib_end *e = &s->end[i], *other = NULL;
		struct graph_link *l;

		set_location(path, e->line);
		status = match(s, e, &other);
		if (status)
			break;
		if (!s->node[e->node].is_switch) {
			if (g->hosts == MCFAB_MAX_NODES)
				return usage("more than %d hosts", MCFAB_MAX_NODES);
			add_host(g, s, e, other);
		} else if (e->to_switch && e <= other) {
			/* a link to itself comes once, to be refused */
			if (g->links == MCFAB_GRAPH_LINKS_MAX)
				return usage("more than %d links", MCFAB_GRAPH_LINKS_MAX);
			l = graph_link(g);
			*l = (struct graph_link){ s->node[e->node].number, e->port,
						  s->node[other->node].number, other->port,
						  e->line };
		}
	}
	return status;
}

enum status graph_parse_ibnetdiscover(char *text, const char *path, struct graph *g)
{
	struct subnet s = { 0 };
	enum status status = graph_lines(text, path, take_line, &s);

	if (!status)
		status = index_all(&s, path);
	if (!status)
		status = build(&s, path, g);
	for (u32 i = 0; i < s.nodes; i++)
		free(s.node[i].name);
	free(s.node);
	free(s.end);
	free(s.by_guid);
	return status;
}
