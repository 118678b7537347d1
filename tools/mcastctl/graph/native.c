// SPDX-License-Identifier: GPL-2.0
/*
 * Our own format of topologies, a line for each thing:
 *
 *	switch I ports K [lid L] [guid G] [name "..."]
 *	host H switch I port P [lid L] [lmc M] [guid G] [node-guid G] [node-port N]
 *		[role aggregation] [rate 1/K [1/K2]] [name "..."]
 *	link I P J Q [delay N [N2]] [rate 1/K [1/K2]]
 *	root I
 *
 * in any order, with comments after #.
 */
#include <errno.h>
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "graph/graph.h"

/* No file has more switches or hosts than lines: a bound on what a wrong number costs. */
static u32 file_lines;

/* The next word of a line, or NULL; what stands between quotes is one. */
static enum status next_word(char **line, char **word)
{
	char *at = *line + strspn(*line, " \t\r"), *end;
	bool quoted = *at == '"';

	*word = NULL;
	*line = at;
	if (!*at || *at == '#')
		return STATUS_OK;
	at += quoted;
	end = at + strcspn(at, quoted ? "\"" : " \t\r#\"");
	if (quoted && *end != '"')
		return usage("a quote is not closed");
	if (!quoted && *end == '"')
		return usage("a quote in the middle of a word");
	if (*end == '#') {
		/* a comment without a blank before it */
		*line = end + strlen(end);
	} else {
		*line = *end ? end + 1 : end;
	}
	*end = '\0';
	*word = at;
	return STATUS_OK;
}

static enum status take_number(const char *word, const char *what, u64 min, u64 max, u64 *out)
{
	int err = number_u64(word, min, max, out);

	if (err == -ERANGE)
		return usage("%s %s: not in %llu to %llu", what, word, min, max);
	if (err)
		return usage("%s %s: not a number", what, word);
	return STATUS_OK;
}

static enum status need_number(char **line, const char *what, u64 min, u64 max, u64 *out)
{
	enum status status;
	char *word;

	status = next_word(line, &word);
	if (status)
		return status;
	if (!word)
		return usage("%s: a number is missing", what);
	return take_number(word, what, min, max, out);
}

static enum status take_delay(const char *word, struct graph_way *way)
{
	u64 delay = 0;
	enum status status = take_number(word, "delay", 0, MCFAB_MAX_DELAY, &delay);

	way->delay = delay;
	return status;
}

/* "1/K": a flit every K cycles */
static enum status take_rate(const char *word, struct graph_way *way)
{
	u64 cycles = 0;

	if (strncmp(word, "1/", 2) || number_u64(word + 2, 1, MCFAB_MAX_FLIT_CYCLES, &cycles))
		return usage("rate %.24s: not in 1/1 to 1/%d", word, MCFAB_MAX_FLIT_CYCLES);
	way->cycles = cycles;
	return STATUS_OK;
}

/** struct field - a keyword with a number, or a word, or (@take) what it says of a link */
struct field {
	const char *key;
	u64 max;
	bool required;
	bool given;
	u64 value;
	char *text;
	enum status (*take)(const char *word, struct graph_way *way);
	struct graph_way *way;	/* both ways */
};

/*
 * What is said of a link. "delay 3" holds both ways, "delay 3 5" is 3 there and 5 back, and so with
 * the rate. Delay 0 is the fabric's link-delay. @next is the word behind it.
 */
static enum status take_ways(char **line, const struct field *f, char **next)
{
	enum status status = next_word(line, next);

	if (!status && !*next)
		status = usage("%s: a number is missing", f->key);
	for (u32 i = 0; i < 2 && !status; i++)
		status = f->take(*next, &f->way[i]);
	if (!status)
		status = next_word(line, next);
	if (status || !*next || **next < '0' || **next > '9')
		return status;
	status = f->take(*next, &f->way[1]);
	return status ? status : next_word(line, next);
}

static enum status take_field(char **line, struct field *f, char **next)
{
	enum status status;

	if (f->given)
		return usage("%s is given twice", f->key);
	f->given = true;
	if (f->take)
		return take_ways(line, f, next);
	if (f->max)
		status = need_number(line, f->key, !f->required, f->max, &f->value);
	else
		status = next_word(line, &f->text);
	if (!status && !f->max)
		status = f->text ? graph_name(f->text) : usage("%s: nothing follows", f->key);
	return status ? status : next_word(line, next);
}

static enum status take_fields(char **line, struct field *field, u32 n)
{
	enum status status;
	char *word;
	u32 i;

	status = next_word(line, &word);
	while (!status && word) {
		for (i = 0; i < n && strcmp(field[i].key, word); i++)
			;
		status = i < n ? take_field(line, &field[i], &word) :
				 usage("%s: no such keyword here", word);
	}
	for (i = 0; i < n && !status; i++)
		if (field[i].required && !field[i].given)
			status = usage("%s is missing", field[i].key);
	return status;
}

static char *name_of(const struct field *f)
{
	return f->text && *f->text ? xstrdup(f->text) : NULL;
}

static enum status take_switch(char **line, u32 number, struct graph *g)
{
	struct field f[] = {
		{ .key = "ports", .max = MCFAB_GRAPH_PORTS_MAX, .required = true },
		{ .key = "lid", .max = GRAPH_LID_MAX }, { .key = "guid", .max = UINT64_MAX },
		{ .key = "name" },
	};
	struct graph_switch *sw;
	enum status status;
	u64 nr;

	status = need_number(line, "switch", 0, MCFAB_GRAPH_SWITCHES_MAX - 1, &nr);
	if (!status)
		status = take_fields(line, f, ARRAY_SIZE(f));
	if (status)
		return status;
	if (!f[0].value)
		return usage("ports 0: a switch has 1 to %d", MCFAB_GRAPH_PORTS_MAX);
	if (nr >= file_lines)
		return usage("switch %llu: they are numbered from 0 without a gap", nr);
	sw = graph_switch(g, nr);
	if (sw->ports)
		return usage("switch %llu was in line %u already", nr, sw->line);
	sw->ports = f[0].value;
	sw->lid = f[1].value;
	sw->guid = f[2].value;
	sw->name = name_of(&f[3]);
	sw->line = number;
	return STATUS_OK;
}

static enum status take_host(char **line, u32 number, struct graph *g)
{
	struct graph_way ways[2] = { 0 };
	struct field f[] = {
		{ .key = "switch", .max = MCFAB_GRAPH_SWITCHES_MAX - 1, .required = true },
		{ .key = "port", .max = MCFAB_GRAPH_PORTS_MAX - 1, .required = true },
		{ .key = "lid", .max = GRAPH_LID_MAX }, { .key = "guid", .max = UINT64_MAX },
		{ .key = "node-guid", .max = UINT64_MAX }, { .key = "node-port", .max = 254 },
		{ .key = "name" }, { .key = "lmc", .max = GRAPH_LMC_MAX }, { .key = "role" },
		{ .key = "rate", .take = take_rate, .way = ways },
	};
	struct graph_host *host;
	enum status status;
	u64 nr;

	status = need_number(line, "host", 0, MCFAB_MAX_NODES - 1, &nr);
	if (!status)
		status = take_fields(line, f, ARRAY_SIZE(f));
	if (status)
		return status;
	if (f[8].text && strcmp(f[8].text, "aggregation"))
		return usage("role %.24s: only \"aggregation\"", f[8].text);
	if (nr >= file_lines)
		return usage("host %llu: they are numbered from 0 without a gap", nr);
	host = graph_host(g, nr);
	if (host->line)
		return usage("host %llu was in line %u already", nr, host->line);
	host->at = f[0].value;
	host->port = f[1].value;
	host->lid = f[2].value;
	host->guid = f[3].value;
	host->node_guid = f[4].value;
	host->node_port = f[5].value;
	host->name = name_of(&f[6]);
	host->lmc = f[7].value;
	host->aggregation = f[8].text;
	host->way = ways[0];
	host->back = ways[1];
	host->line = number;
	return STATUS_OK;
}

static enum status no_more(char **line)
{
	enum status status;
	char *word;

	status = next_word(line, &word);
	if (!status && word)
		status = usage("%s: nothing may follow", word);
	return status;
}

static enum status take_link(char **line, u32 number, struct graph *g)
{
	static const char *const what[] = { "link: switch", "port", "switch", "port" };
	struct graph_link link = { .line = number };
	struct graph_way ways[2] = { 0 };
	struct field f[] = {
		{ .key = "delay", .take = take_delay, .way = ways },
		{ .key = "rate", .take = take_rate, .way = ways },
	};
	enum status status;
	u64 v[4];

	for (u32 i = 0; i < 4; i++) {
		status = need_number(line, what[i], 0, i % 2 ? MCFAB_GRAPH_PORTS_MAX - 1 :
				     MCFAB_GRAPH_SWITCHES_MAX - 1, &v[i]);
		if (status)
			return status;
	}
	link.a = v[0];
	link.port_a = v[1];
	link.b = v[2];
	link.port_b = v[3];
	status = take_fields(line, f, ARRAY_SIZE(f));
	link.way = ways[0];
	link.back = ways[1];
	return status ? status : graph_add_link(g, &link);
}

static enum status take_root(char **line, u32 number, struct graph *g)
{
	enum status status;
	u64 nr;

	if (g->root != GRAPH_NONE)
		return usage("the root was in line %u already", g->root_line);
	status = need_number(line, "root", 0, MCFAB_GRAPH_SWITCHES_MAX - 1, &nr);
	if (!status)
		status = no_more(line);
	if (status)
		return status;
	g->root = nr;
	g->root_line = number;
	return STATUS_OK;
}

static enum status take_line(void *data, char *line, u32 number)
{
	struct graph *g = data;
	static const struct {
		const char *word;
		enum status (*take)(char **line, u32 number, struct graph *g);
	} kinds[] = {
		{ "switch", take_switch }, { "host", take_host }, { "link", take_link },
		{ "root", take_root },
	};
	enum status status;
	char *word;

	status = next_word(&line, &word);
	if (status || !word)
		return status;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(word, kinds[i].word))
			return kinds[i].take(&line, number, g);
	return usage("%s: a line begins with switch, host, link or root", word);
}

enum status graph_parse_native(char *text, const char *path, struct graph *g)
{
	file_lines = 1;
	for (const char *end = strchr(text, '\n'); end; end = strchr(end + 1, '\n'))
		file_lines++;
	return graph_lines(text, path, take_line, g);
}
