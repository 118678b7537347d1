// SPDX-License-Identifier: GPL-2.0
/* Graphs in memory, and what is wrong with them, line by line. */
#include <errno.h>
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "graph/graph.h"

void graph_init(struct graph *g)
{
	memset(g, 0, sizeof(*g));
	g->root = GRAPH_NONE;
}

void graph_free(struct graph *g)
{
	for (u32 i = 0; i < g->switches; i++)
		free(g->sw[i].name);
	for (u32 i = 0; i < g->hosts; i++)
		free(g->host[i].name);
	free(g->sw);
	free(g->host);
	free(g->link);
	graph_init(g);
}

/* Make room for element number @nr; new ones are all zero. */
static void *grow(void *array, u32 *room, u32 nr, size_t size)
{
	u32 more = *room;

	while (more <= nr)
		more = more ? 2 * more : 16;
	if (more == *room)
		return array;
	array = xrealloc(array, more, size);
	memset((char *)array + *room * size, 0, (more - *room) * size);
	*room = more;
	return array;
}

struct graph_switch *graph_switch(struct graph *g, u32 nr)
{
	g->sw = grow(g->sw, &g->sw_room, nr, sizeof(*g->sw));
	if (nr >= g->switches)
		g->switches = nr + 1;
	return &g->sw[nr];
}

struct graph_host *graph_host(struct graph *g, u32 nr)
{
	g->host = grow(g->host, &g->host_room, nr, sizeof(*g->host));
	if (nr >= g->hosts)
		g->hosts = nr + 1;
	return &g->host[nr];
}

struct graph_link *graph_link(struct graph *g)
{
	g->link = grow(g->link, &g->link_room, g->links, sizeof(*g->link));
	return &g->link[g->links++];
}

enum status graph_add_link(struct graph *g, const struct graph_link *link)
{
	if (g->links == MCFAB_GRAPH_LINKS_MAX)
		return usage("more than %d links", MCFAB_GRAPH_LINKS_MAX);
	*graph_link(g) = *link;
	return STATUS_OK;
}

enum status graph_lines(char *text, const char *path,
			enum status (*take)(void *data, char *line, u32 number), void *data)
{
	enum status status = STATUS_OK;
	char *line = text, *next;

	for (u32 number = 1; line && !status; number++, line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		set_location(path, number);
		status = take(data, line, number);
	}
	set_location(NULL, 0);
	return status;
}

enum status graph_name(const char *name)
{
	if (strlen(name) > MCFAB_GRAPH_NAME_MAX)
		return usage("name \"%s\": longer than %d bytes", name, MCFAB_GRAPH_NAME_MAX);
	for (const char *c = name; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f || *c == '"')
			return usage("a name has a character that is not allowed");
	return STATUS_OK;
}

/** struct check - what was seen so far: lines in which it was, 0: not yet */
struct check {
	const char *path;
	u32 *port;		/* [switches * MCFAB_GRAPH_PORTS_MAX] */
	u32 *leader;		/* [switches] a switch joined to this one */
};

static enum status check_port(struct check *c, const struct graph *g, u32 sw, u32 port, u32 line)
{
	u32 *seen;

	if (sw >= g->switches || !g->sw[sw].ports)
		return usage("there is no switch %u", sw);
	if (port >= g->sw[sw].ports)
		return usage("switch %u has no port %u, its last is %u", sw, port,
			     g->sw[sw].ports - 1);
	seen = &c->port[(size_t)sw * MCFAB_GRAPH_PORTS_MAX + port];
	if (*seen)
		return usage("port %u of switch %u is taken already, in line %u", port, sw, *seen);
	*seen = line;
	return STATUS_OK;
}

static enum status check_switches(struct check *c, const struct graph *g)
{
	for (u32 i = 0; i < g->switches; i++) {
		if (!g->sw[i].ports) {
			set_location(NULL, 0);
			return usage("%s: switch %u is missing: they are numbered from 0", c->path,
				     i);
		}
		c->leader[i] = i;
	}
	return STATUS_OK;
}

static enum status check_hosts(struct check *c, const struct graph *g)
{
	enum status status = STATUS_OK;

	for (u32 i = 0; i < g->hosts && !status; i++) {
		const struct graph_host *h = &g->host[i];

		if (!h->line) {
			set_location(NULL, 0);
			return usage("%s: host %u is missing: they are numbered from 0", c->path,
				     i);
		}
		set_location(c->path, h->line);
		if (i && h[-1].aggregation && !h->aggregation)
			return usage("host %u: aggregation nodes have to come last", i);
		status = check_port(c, g, h->at, h->port, h->line);
	}
	return status;
}

static u32 leader(struct check *c, u32 sw)
{
	while (c->leader[sw] != sw) {
		c->leader[sw] = c->leader[c->leader[sw]];
		sw = c->leader[sw];
	}
	return sw;
}

static enum status check_links(struct check *c, const struct graph *g)
{
	enum status status = STATUS_OK;

	for (u32 i = 0; i < g->links && !status; i++) {
		const struct graph_link *l = &g->link[i];

		set_location(c->path, l->line);
		status = check_port(c, g, l->a, l->port_a, l->line);
		if (!status)
			status = check_port(c, g, l->b, l->port_b, l->line);
		if (status)
			break;
		if (l->a == l->b)
			return usage("a link joins switch %u to itself", l->a);
		c->leader[leader(c, l->b)] = leader(c, l->a);
	}
	for (u32 i = 1; i < g->switches && !status; i++) {
		set_location(c->path, g->sw[i].line);
		if (leader(c, i) != leader(c, 0))
			status = usage("no links lead to switch %u from switch 0", i);
	}
	return status;
}

/** struct name - a GUID or LID, and who has it */
struct name {
	u64 value;
	u32 line;
};

static int compare_names(const void *pa, const void *pb)
{
	const struct name *a = pa, *b = pb;

	if (a->value != b->value)
		return a->value < b->value ? -1 : 1;
	return a->line < b->line ? -1 : a->line > b->line;
}

/* All LIDs of a host are its own, and the first is a multiple of their number. */
static enum status check_lids(const struct check *c, const struct graph_host *host)
{
	u32 lids = 1u << host->lmc;

	set_location(c->path, host->line);
	if (host->lmc && !host->lid)
		return usage("lmc %u needs a lid", host->lmc);
	if (host->lid % lids)
		return usage("lid %u is no multiple of %u, the number of lids with lmc %u",
			     host->lid, lids, host->lmc);
	if (host->lid + lids - 1 > GRAPH_LID_MAX)
		return usage("lid %u is not in 1 to %u", host->lid + lids - 1, GRAPH_LID_MAX);
	return STATUS_OK;
}

static enum status check_names(const struct check *c, const struct graph *g, bool guids)
{
	enum status status = STATUS_OK;
	struct name *all;
	size_t room = g->switches;
	u32 n = 0;

	for (u32 i = 0; i < g->hosts && !status; i++) {
		room += 1u << g->host[i].lmc;
		status = check_lids(c, &g->host[i]);
	}
	if (status)
		return status;
	all = xcalloc(room, sizeof(*all));

	for (u32 i = 0; i < g->switches; i++)
		all[n++] = (struct name){ guids ? g->sw[i].guid : g->sw[i].lid, g->sw[i].line };
	for (u32 i = 0; i < g->hosts; i++) {
		const struct graph_host *h = &g->host[i];
		u32 lids = guids || !h->lid ? 1 : 1u << h->lmc;

		for (u32 k = 0; k < lids; k++)
			all[n++] = (struct name){ guids ? h->guid : h->lid + k, h->line };
	}
	qsort(all, n, sizeof(*all), compare_names);
	for (u32 i = 1; i < n && !status; i++) {
		set_location(c->path, all[i].line);
		if (!all[i].value || all[i].value != all[i - 1].value)
			continue;
		if (guids)
			status = usage("guid 0x%016llx is another's already, in line %u",
				       all[i].value, all[i - 1].line);
		else
			status = usage("lid %llu is another's already, in line %u", all[i].value,
				       all[i - 1].line);
	}
	free(all);
	return status;
}

static int compare_links(const void *pa, const void *pb)
{
	const struct graph_link *a = pa, *b = pb;

	if (a->a != b->a)
		return a->a < b->a ? -1 : 1;
	return a->port_a < b->port_a ? -1 : a->port_a > b->port_a;
}

/* A network has one form: links from the lesser switch, in the order of its ports. */
static void sort_links(struct graph *g)
{
	for (u32 i = 0; i < g->links; i++) {
		struct graph_link *l = &g->link[i], old = *l;

		if (l->a > l->b)
			*l = (struct graph_link){ old.b, old.port_b, old.a, old.port_a, old.line,
						  old.back, old.way };
	}
	if (g->links)
		qsort(g->link, g->links, sizeof(*g->link), compare_links);
}

enum status graph_check(struct graph *g, const char *path)
{
	struct check c = { .path = path };
	enum status status;

	if (!g->switches)
		return usage("%s: no switches in it", path);
	if (!g->hosts)
		return usage("%s: no hosts in it", path);
	c.port = xcalloc((size_t)g->switches * MCFAB_GRAPH_PORTS_MAX, sizeof(*c.port));
	c.leader = xcalloc(g->switches, sizeof(*c.leader));
	status = check_switches(&c, g);
	if (!status)
		status = check_hosts(&c, g);
	if (!status)
		status = check_links(&c, g);
	if (!status)
		status = check_names(&c, g, false);
	if (!status)
		status = check_names(&c, g, true);
	set_location(path, g->root_line);
	if (!status && g->root != GRAPH_NONE && g->root >= g->switches)
		status = usage("root: there is no switch %u", g->root);
	set_location(NULL, 0);
	free(c.port);
	free(c.leader);
	sort_links(g);
	return status;
}

/*
 * ibnetdiscover calls a node "S-...", "H-..." or "R-..."; other names are ibsim's, and adapters
 * that it calls Hca.
 */
static enum graph_format detect_node(const char *line)
{
	const char *name = line + strcspn(line, "\"\n");
	bool other = name[0] == '"' && name[1] && name[1] != '\n' && name[2] != '-';

	return other || *line == 'H' ? GRAPH_IBSIM : GRAPH_IBNETDISCOVER;
}

/*
 * Only ibnetdiscover has GUIDs with an equals sign; it and ibsim alone have nodes in capitals. Only
 * anynet has routers and nodes.
 */
static enum graph_format detect(const char *text)
{
	static const char *const sign[] = {
		"vendid=", "switchguid=", "caguid=", "Switch\t", "Switch ", "Ca\t", "Ca ", "Hca\t",
		"Hca ",
	};

	while (text) {
		text += strspn(text, " \t\r\n");
		if (!strncmp(text, "router ", 7) || !strncmp(text, "node ", 5))
			return GRAPH_ANYNET;
		for (size_t i = 0; i < ARRAY_SIZE(sign); i++)
			if (!strncmp(text, sign[i], strlen(sign[i])))
				return strchr(sign[i], '=') ? GRAPH_IBNETDISCOVER :
							      detect_node(text);
		text = strchr(text, '\n');
	}
	return GRAPH_NATIVE;
}

static enum status parse(char *text, const char *path, enum graph_format format, struct graph *g)
{
	switch (format) {
	case GRAPH_IBNETDISCOVER:
		return graph_parse_ibnetdiscover(text, path, g);
	case GRAPH_IBSIM:
		return graph_parse_ibsim(text, path, g);
	case GRAPH_ANYNET:
		return graph_parse_anynet(text, path, g);
	default:
		return graph_parse_native(text, path, g);
	}
}

enum status graph_parse(char *text, const char *path, enum graph_format format, struct graph *g)
{
	size_t len = strlen(text);
	enum status status;

	if (len && text[len - 1] != '\n') {
		u32 line = 1;

		for (size_t i = 0; i < len; i++)
			line += text[i] == '\n';
		set_location(path, line);
		status = usage("the file ends within this line");
		set_location(NULL, 0);
		return status;
	}
	if (format == GRAPH_AUTO)
		format = detect(text);
	status = parse(text, path, format, g);
	set_location(NULL, 0);
	return status ? status : graph_check(g, path);
}

enum status graph_read(const char *path, enum graph_format format, struct graph *g)
{
	enum status status;
	size_t len;
	char *text;
	int err = text_read(path, GRAPH_FILE_MAX, &text, &len);

	if (err)
		return text_refuse(path, GRAPH_FILE_MAX, err);
	if (strlen(text) != len)
		status = usage("%s: is no text: it has a zero byte", path);
	else
		status = graph_parse(text, path, format, g);
	free(text);
	return status;
}
