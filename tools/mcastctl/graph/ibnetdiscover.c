// SPDX-License-Identifier: GPL-2.0
/*
 * Topologies as ibnetdiscover of infiniband-diags prints them. A switch with 36 ports
 * becomes one with the ports 0 .. 36, of which 0 is management. Every connected port of
 * a channel adapter (or router) becomes a host. What is kept: GUIDs, LIDs, ports, names;
 * what is not: vendor and device numbers, the system image. Adapters that
 * describe themselves as aggregation nodes (SHARP) are hosts that take part in no traffic by
 * default.
 */
#include <errno.h>
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>

#include "base/stray.h"
#include "graph/ibnetdiscover.h"

#define LID_MAX	0xFFFF

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

static enum status take_lmc(const char *comment, u32 *lmc)
{
	enum status status = comment_number(comment, " lmc ", lmc);

	if (!status && *lmc > GRAPH_LMC_MAX)
		return usage("lmc %u is not in 0 to %d", *lmc, GRAPH_LMC_MAX);
	return status;
}

/* A switch has one LID here, and needs no more: nothing is sent to it. */
static enum status take_switch_lmc(struct ib_file *s, const char *comment)
{
	u32 lmc;
	enum status status = take_lmc(comment, &lmc);

	if (!status && lmc && !s->lmc_told) {
		warning("lmc %u: of several LIDs of a switch only the first is kept", lmc);
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
static enum status take_node(struct ib_file *s, char *at, u32 number, bool is_switch)
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
			status = take_switch_lmc(s, rest);
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
static enum status take_end(struct ib_file *s, char *at, u32 number)
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
			status = take_lmc(at, &end.lmc);
		if (!status && name)
			status = comment_number(rest, " lid ", &end.peer_lid);
		if (!status)
			status = check_lid(end.lid);
		if (!status)
			status = check_lid(end.peer_lid);
		if (!status)
			speed_find(rest, &end.speed);
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
	struct ib_file *s = data;
	u64 value;

	blanks(&at);
	if (!*at || *at == '#' || stray_line(at, &s->stray_told))
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

enum status graph_parse_ibnetdiscover(char *text, const char *path, struct graph *g)
{
	struct ib_file s = { 0 };
	enum status status = graph_lines(text, path, take_line, &s);

	if (!status)
		status = ib_build(&s, path, g);
	for (u32 i = 0; i < s.nodes; i++)
		free(s.node[i].name);
	free(s.node);
	free(s.end);
	free(s.by_guid);
	return status;
}
