// SPDX-License-Identifier: GPL-2.0
/* stats: what a run measured. */
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>

#include "ask/lookup.h"
#include "base/options.h"
#include "base/table.h"
#include "base/words.h"
#include "cmd/deadlock.h"
#include "cmd/repeat.h"
#include "command.h"
#include "draw/heat.h"
#include "print/openmetrics.h"
#include "print/stats_print.h"

enum view { SUMMARY, LATENCY, CHANNELS, ROUTERS, SOURCES, BATCHES, HISTOGRAM, ARRIVALS, DEADLOCK,
	    HEAT, OPENMETRICS };

static const struct attr_word views[] = {
	[SUMMARY] = { "summary", "what fits a screen (default)" },
	[LATENCY] = { "latency", "moments, quantiles and parts of the latencies" },
	[CHANNELS] = { "channels", "what each channel carried" },
	[ROUTERS] = { "routers", "what passed by each router" },
	[SOURCES] = { "sources", "what each node sent, and what waits at it" },
	[BATCHES] = { "batches", "the batches of the measuring window" },
	[HISTOGRAM] = { "histogram", "how often latencies occurred" },
	[ARRIVALS] = { "arrivals", "messages from ports (log N), as a file for workload file" },
	[DEADLOCK] = { "deadlock", "who waits for whom, if the run ended so" },
	[HEAT] = { "heat", "the load of channels, drawn on the network" },
	[OPENMETRICS] = { "openmetrics", "counters, gauges and latencies for Prometheus" },
};

/** struct dump - a view that is a table: columns are attributes of the answer */
struct dump {
	u8 cmd;
	u16 fabric;			/* attribute with the fabric's name */
	const char *head;
	const char *column[8];
};

static const struct dump dumps[] = {
	[CHANNELS] = { MCFAB_CMD_LINK_GET, MCFAB_A_LINK_FABRIC,
		       "CHANNEL FROM TO PORT FLITS UTILISATION",
		       { "channel", "from", "to", "port", "flits", "utilisation-ppb" } },
	[ROUTERS] = { MCFAB_CMD_NODE_LOAD_GET, MCFAB_A_NODE_LOAD_FABRIC,
		      "ROUTER FLITS-IN FLITS-OUT UTILISATION-IN UTILISATION-OUT",
		      { "router", "flits-in", "flits-out", "in-ppb", "out-ppb" } },
	[SOURCES] = { MCFAB_CMD_SOURCE_LOAD_GET, MCFAB_A_SOURCE_LOAD_FABRIC,
		      "NODE TAKEN PER-CYCLE WAITING OLDEST",
		      { "node", "taken", "taken-ppb", "waiting", "oldest" } },
	[BATCHES] = { MCFAB_CMD_BATCH_GET, MCFAB_A_BATCH_FABRIC,
		      "<CLASS BATCH START MESSAGES COMPLETION OVER-DESTINATIONS OVER-WORMS",
		      { "class", "index", "start", "messages", "completion-ucycles",
			"destination-ucycles", "worm-ucycles" } },
	[HISTOGRAM] = { MCFAB_CMD_HISTOGRAM_GET, MCFAB_A_BUCKET_FABRIC,
			"<CLASS <LATENCY FROM TO COUNT",
			{ "class", "type", "low", "high", "count" } },
};

static bool ends_in(const char *s, const char *end)
{
	size_t len = strlen(s), n = strlen(end);

	return len >= n && !strcmp(s + len - n, end);
}

static void cell(struct table *t, struct json_object *row, const char *name)
{
	/* in place of the class of mixed traffic there may be one of the traffic's own */
	if (!strcmp(name, "class") && has(row, "traffic-class"))
		name = "traffic-class";
	if (!has(row, name))
		table_cell(t, "-");
	else if (ends_in(name, "-ppb"))
		table_cell(t, "%.6f", get_u64(row, name) / 1e9);
	else if (ends_in(name, "-ucycles"))
		table_cell(t, "%.3f", get_u64(row, name) / 1e6);
	else
		table_cell(t, "%s", get_str(row, name));
}

static enum status show_dump(const struct dump *d, const char *fabric)
{
	struct json_object *all = NULL;
	enum status status;
	struct table t;

	status = ask_all_of(d->cmd, d->fabric, fabric, &all);
	if (status)
		return status;
	if (options.json) {
		json_print(all);
		return STATUS_OK;
	}
	table_init(&t, d->head);
	for (size_t i = 0; i < json_object_array_length(all); i++) {
		for (size_t k = 0; k < ARRAY_SIZE(d->column) && d->column[k]; k++)
			cell(&t, json_object_array_get_idx(all, i), d->column[k]);
	}
	table_print(&t, stdout);
	json_object_put(all);
	return STATUS_OK;
}

/* A line for each message, as workload file reads it. */
static enum status show_arrivals(const char *fabric)
{
	struct json_object *all = NULL, *msg, *dst;
	enum status status;
	u64 missed = 0;

	status = ask_all_of(MCFAB_CMD_ARRIVAL_GET, MCFAB_A_ARRIVAL_FABRIC, fabric, &all);
	if (status)
		return status;
	if (options.json) {
		json_print(all);
		return STATUS_OK;
	}
	for (size_t i = 0; i < json_object_array_length(all); i++) {
		msg = json_object_array_get_idx(all, i);
		if (has(msg, "missed")) {
			missed = get_u64(msg, "missed");
			continue;
		}
		dst = json_object_object_get(msg, "destinations");
		printf("%s %s flits=%s ", get_str(msg, "cycle"), get_str(msg, "source"),
		       get_str(msg, "flits"));
		for (size_t k = 0; k < json_object_array_length(dst); k++)
			printf("%s%s", k ? "," : "",
			       json_object_get_string(json_object_array_get_idx(dst, k)));
		printf("\n");
	}
	if (!json_object_array_length(all))
		puts("# no messages were noted: a run from ports notes them with log N");
	if (missed)
		printf("# %llu later messages are not here: log was too short\n",
		       (unsigned long long)missed);
	json_object_put(all);
	return STATUS_OK;
}

static enum status show_object(enum view view, const char *fabric)
{
	struct json_object *obj = NULL, *repeat = NULL;
	enum status status;

	status = ask_one(MCFAB_CMD_STATS_GET, MCFAB_A_STATS_FABRIC, "fabric", fabric, &obj);
	if (status)
		return status;
	if (view == SUMMARY)
		repeat = repeat_of(fabric, obj);
	if (repeat && options.json)
		json_object_object_add(obj, "repeat", json_object_get(repeat));
	if (options.json)
		json_print(json_object_get(obj));
	else if (view == LATENCY)
		stats_print_latency(obj);
	else
		stats_print(obj);
	if (repeat && !options.json)
		repeat_print(repeat);
	json_object_put(repeat);
	json_object_put(obj);
	return STATUS_OK;
}

#define DRAWN_HELP \
	"draw heat or deadlock into this file, too; -: print the picture alone"

enum { DRAWN_SVG, DRAWN_DOT, DRAWN_KEYS };

static const struct keyword drawn_keys[] = {
	[DRAWN_SVG] = { .name = "svg", .type = KEY_FILE, .arg = "FILE",
			.help = DRAWN_HELP },
	[DRAWN_DOT] = { .name = "dot", .type = KEY_FILE, .arg = "FILE",
			.help = "write who waits for whom in a deadlock, for Graphviz" },
};

static const struct grammar drawn_grammar = {
	KEYWORDS(drawn_keys),
	.cmd = MCFAB_CMD_LINK_GET,
};

static const char *const drawn_views[] = { "heat", "deadlock", NULL };

static enum status show_drawn(struct words *w, int view, const char *fabric)
{
	struct value value[DRAWN_KEYS] = { 0 };
	enum status status = keywords_parse(w, &drawn_grammar, value);
	const char *svg = value[DRAWN_SVG].given ? value[DRAWN_SVG].word : NULL;
	const char *dot = value[DRAWN_DOT].given ? value[DRAWN_DOT].word : NULL;

	if (status)
		return status;
	if (view == DEADLOCK)
		return deadlock_show(fabric, svg, dot);
	if (dot)
		return usage("dot %s: only a deadlock can be written for Graphviz", dot);
	return heat_show(fabric, svg);
}

static enum status show(struct words *w)
{
	const char *name = words_next(w), *word = words_next(w), *closest;
	int view = SUMMARY;
	enum status status;
	char *all;

	if (word)
		view = WORD_FIND(word, views, ARRAY_SIZE(views));
	if (view < 0) {
		closest = WORD_CLOSEST(word, views, ARRAY_SIZE(views));
		all = WORD_LIST("", views, ARRAY_SIZE(views));
		if (closest)
			usage("\"%s\" is no statistics; did you mean \"%s\"? there are: %s",
			      word, closest, all);
		else
			usage("\"%s\" is no statistics; there are: %s", word, all);
		free(all);
		return STATUS_USAGE;
	}
	if (view == HEAT || view == DEADLOCK)
		return show_drawn(w, view, name);
	status = command_end(w);
	if (status)
		return status;
	if (view == OPENMETRICS) {
		if (!options.json)
			return openmetrics_show(name);
		usage("openmetrics is a format of its own; without -j");
		return STATUS_USAGE;
	}
	if (view == ARRIVALS)
		return show_arrivals(name);
	if ((size_t)view < ARRAY_SIZE(dumps) && dumps[view].cmd)
		return show_dump(&dumps[view], name);
	return show_object(view, name);
}

static enum status reset(struct words *w)
{
	const char *name = words_next(w);
	struct nl_request rq;
	enum status status;

	status = command_end(w);
	if (!status)
		status = nl_open(options.netns);
	if (status)
		return status;
	nl_request_init(&rq, MCFAB_CMD_STATS_RESET, false);
	nl_put_str(&rq, MCFAB_A_STATS_FABRIC, name, nl_where("fabric", name));
	status = nl_talk(&rq, NULL, NULL);
	nl_request_free(&rq);
	return status;
}

static const struct command commands[] = {
	{
		.name = "show",
		.synopsis = "NAME [ VIEW ] | NAME heat|deadlock [ svg FILE ] [ dot FILE ]",
		.help = "show what the current or last run of a fabric measured",
		.more =
		"With -j, summary and latency are one object with every attribute of the netlink\n"
		"spec under its name there, the others lists of objects.\n",
		.operand = OPERAND_FABRIC, .words = views, .nwords = ARRAY_SIZE(views),
		.grammar = &drawn_grammar, .grammar_after = drawn_views, .run = show,
	}, {
		.name = "reset", .synopsis = "NAME", .help = "clear the statistics of the last run",
		.operand = OPERAND_FABRIC, .run = reset,
	},
};

const struct object object_stats = {
	.name = "stats", .help = "What runs measured.",
	.command = commands, .n = ARRAY_SIZE(commands),
};
