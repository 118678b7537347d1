// SPDX-License-Identifier: GPL-2.0
/* run and stop: traffic through a fabric. */
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "faults.h"
#include "lookup.h"
#include "run_wait.h"
#include "saturate.h"
#include "stats_print.h"
#include "table.h"
#include "upload.h"

enum {
	POLICY, WORKLOAD, COUNT, DESTS, GROUP, SET, RADIUS, PATTERN, SELF, HOTSPOTS,
	HOTSPOT_WEIGHTS, HOTSPOT_SHARE, SOURCE, RATE, ALPHA, BETA, R1, MULTICAST_FRACTION,
	INTERVAL, NETWORK, FRACTION, FLITS, MTU, ADVANCE, HEADERS, PREP, PREP_RELAY, NODE_BUSY,
	ROUNDS, WARMUP, BATCHES, BATCH_CYCLES, PRECISION, MAX_CYCLES, FAIL, DETACH,
	SATURATE, TOLERANCE, KEYS,
};

#define PRECISION_HELP "stop when the 95 % half-width is below this fraction of the mean," \
	" default 0.05; 0: measure exactly the given batches"

#define FAIL_HELP "links and switches that fail during this run alone: CYCLE:SWITCH[:PORT]" \
	" or CYCLE:SWITCH[:PORT]:up, with commas, in ascending order"

#define PATTERN_HELP "where messages to one node go, and the centres of multicasts," \
	" default uniform"

#define HOTSPOTS_HELP "hot nodes (pattern hotspot), at most 32"

#define WEIGHTS_HELP "each hot node's part of what goes to them, default equal parts"

/* the names of gem5's Garnet */
static const struct keyword_alias patterns[] = {
	{ "uniform_random", "uniform", true }, { "bit_complement", "bitcomp", true },
	{ "bit_reverse", "bitrev", true }, { "bit_rotation", "bitrot", true },
	{ .name = NULL },
};

static const struct keyword run_keys[] = {
	[POLICY] = { .name = "policy", .type = KEY_STRING, .attr = MCFAB_A_RUN_POLICY,
		     .arg = "POLICY", .required = true,
		     .help = PARAMS_HELP },
	[WORKLOAD] = { .name = "workload", .type = KEY_ENUM, .attr = MCFAB_A_RUN_WORKLOAD,
		       .required = true, .more_after = "file", .more = "FILE",
		       .help = "what traffic to make, see below" },
	[COUNT] = { .name = "count", .type = KEY_UINT, .attr = MCFAB_A_RUN_COUNT, .arg = "N" },
	[DESTS] = { .name = "dests", .type = KEY_UINT, .attr = MCFAB_A_RUN_DESTS, .arg = "N" },
	[GROUP] = { .name = "group", .type = KEY_STRING, .attr = MCFAB_A_RUN_GROUP, .arg = "NAME",
		    .help = "multicast group, in place of dests" },
	[SET] = { .name = "set", .type = KEY_ENUM, .attr = MCFAB_A_RUN_SET },
	[RADIUS] = { .name = "radius", .type = KEY_UINT, .attr = MCFAB_A_RUN_RADIUS, .arg = "N" },
	[PATTERN] = { .name = "pattern", .type = KEY_ENUM, .attr = MCFAB_A_RUN_PATTERN,
		      .alias = patterns, .arg = "PATTERN", .help = PATTERN_HELP },
	[SELF] = { .name = "self", .type = KEY_FLAG, .attr = MCFAB_A_RUN_SELF },
	[HOTSPOTS] = { .name = "hotspots", .type = KEY_LIST, .arg = "LIST",
		       .help = HOTSPOTS_HELP },
	[HOTSPOT_WEIGHTS] = { .name = "hotspot-weights", .type = KEY_NUMBERS,
			      .attr = MCFAB_A_RUN_HOTSPOT_WEIGHTS, .arg = "N,N...",
			      .help = WEIGHTS_HELP },
	[HOTSPOT_SHARE] = { .name = "hotspot-share", .type = KEY_DECIMAL,
			    .attr = MCFAB_A_RUN_HOTSPOT_SHARE_PPM, .arg = "FRACTION",
			    .scale = MCFAB_PPM,
			    .help = "part of the messages that go to hot nodes, default 1" },
	[SOURCE] = { .name = "source", .type = KEY_NODE, .arg = "NODE",
		     .help = "the only source (default: drawn for lone, else every node)" },
	[RATE] = { .name = "rate", .type = KEY_DECIMAL, .attr = MCFAB_A_RUN_RATE_PPB, .arg = "R",
		   .scale = MCFAB_PPB,
		   .help = "messages per node and cycle (poisson, bernoulli, on-off)" },
	[ALPHA] = { .name = "alpha", .type = KEY_DECIMAL, .attr = MCFAB_A_RUN_ALPHA_PPB, .arg = "A",
		    .scale = MCFAB_PPB,
		    .help = "probability that a node turns on in a cycle (on-off)" },
	[BETA] = { .name = "beta", .type = KEY_DECIMAL, .attr = MCFAB_A_RUN_BETA_PPB, .arg = "B",
		   .scale = MCFAB_PPB,
		   .help = "probability that a node turns off in a cycle (on-off)" },
	[R1] = { .name = "r1", .type = KEY_DECIMAL, .attr = MCFAB_A_RUN_R1_PPB, .arg = "R",
		 .scale = MCFAB_PPB,
		 .help = "messages per cycle of a node that is on, in place of rate (on-off)" },
	[MULTICAST_FRACTION] = { .name = "multicast-fraction", .type = KEY_DECIMAL,
				 .attr = MCFAB_A_RUN_MULTICAST_FRACTION_PPM,
				 .arg = "FRACTION", .scale = MCFAB_PPM,
				 .help = "fraction of multicasts, the rest is unicast, default 1" },
	[INTERVAL] = { .name = "interval", .type = KEY_UINT, .attr = MCFAB_A_RUN_INTERVAL,
		       .arg = "N" },
	[NETWORK] = { .name = "network", .type = KEY_FLAG, .attr = MCFAB_A_RUN_NETWORK },
	[FRACTION] = { .name = "fraction", .type = KEY_DECIMAL, .attr = MCFAB_A_RUN_FRACTION_PPM,
		       .arg = "FRACTION", .scale = MCFAB_PPM,
		       .help = "fraction of the nodes that send (burst), default 1" },
	[FLITS] = { .name = "flits", .type = KEY_UINT, .attr = MCFAB_A_RUN_FLITS, .arg = "N" },
	[MTU] = { .name = "mtu", .type = KEY_UINT, .attr = MCFAB_A_RUN_MTU, .arg = "N" },
	[ADVANCE] = { .name = "advance", .type = KEY_ENUM, .attr = MCFAB_A_RUN_ADVANCE },
	[HEADERS] = { .name = "headers", .type = KEY_ENUM, .attr = MCFAB_A_RUN_HEADERS },
	[PREP] = { .name = "prep", .type = KEY_UINT, .attr = MCFAB_A_RUN_PREP, .arg = "N" },
	[PREP_RELAY] = { .name = "prep-relay", .type = KEY_UINT, .attr = MCFAB_A_RUN_PREP_RELAY,
			 .arg = "N" },
	[NODE_BUSY] = { .name = "node-busy", .type = KEY_ENUM, .attr = MCFAB_A_RUN_NODE_BUSY },
	[ROUNDS] = { .name = "rounds", .type = KEY_ENUM, .attr = MCFAB_A_RUN_ROUNDS },
	[WARMUP] = { .name = "warmup", .type = KEY_AUTO, .attr = MCFAB_A_RUN_WARMUP,
		     .arg = "N|auto" },
	[BATCHES] = { .name = "batches", .type = KEY_UINT, .attr = MCFAB_A_RUN_BATCHES,
		      .arg = "N" },
	[BATCH_CYCLES] = { .name = "batch-cycles", .type = KEY_UINT,
			   .attr = MCFAB_A_RUN_BATCH_CYCLES, .arg = "N" },
	[PRECISION] = { .name = "precision", .type = KEY_DECIMAL,
			.attr = MCFAB_A_RUN_PRECISION_PPM, .arg = "X", .scale = MCFAB_PPM,
			.help = PRECISION_HELP },
	[MAX_CYCLES] = { .name = "max-cycles", .type = KEY_UINT, .attr = MCFAB_A_RUN_MAX_CYCLES,
			 .arg = "N" },
	[FAIL] = { .name = "fail", .type = KEY_STRING, .arg = "LIST",
		   .help = FAIL_HELP },
	[DETACH] = { .name = "detach", .type = KEY_FLAG, .help = "return at once, do not wait" },
	[SATURATE] = { .name = "saturate", .type = KEY_FLAG, .help = SATURATE_HELP },
	[TOLERANCE] = { .name = "tolerance", .type = KEY_DECIMAL, .arg = "X", .scale = MCFAB_PPM,
			.help = TOLERANCE_HELP },
};

static const struct grammar run_grammar = {
	KEYWORDS(run_keys),
	.cmd = MCFAB_CMD_RUN_START,
	GRAMMAR_PARAMS,
};

/** struct asked - what was asked for and is no keyword's plain value */
struct asked {
	const char *fabric;
	const struct value *values;
	u32 source;
	u32 *hotspots;
	struct faults faults;
};

/* What needs the fabric: a source that is no id, a file of messages. */
static enum status prepare(struct asked *asked)
{
	const struct value *values = asked->values;
	const char *name = asked->fabric;
	struct json_object *fabric = NULL;
	struct messages m = { 0 };
	enum status status;

	if (!values[SOURCE].given && !values[HOTSPOTS].given && !values[WORKLOAD].more)
		return STATUS_OK;
	status = lookup_fabric(name, &fabric);
	if (!status && values[SOURCE].given)
		status = lookup_nodes(fabric, "source", &values[SOURCE].node, 1,
				      &asked->source);
	if (!status && values[HOTSPOTS].given) {
		const struct node_list *list = &values[HOTSPOTS].list;

		asked->hotspots = xcalloc(list->n, sizeof(*asked->hotspots));
		status = lookup_nodes(fabric, "hotspots", list->ref, list->n, asked->hotspots);
	}
	if (!status && values[WORKLOAD].more) {
		status = messages_read(values[WORKLOAD].more, fabric, &m);
		if (!status)
			status = upload_messages(name, &m);
		messages_free(&m);
	}
	json_object_put(fabric);
	return status;
}

static enum status start(const struct asked *asked, struct json_object **run)
{
	const struct value *values = asked->values;
	struct nl_request rq;
	enum status status;

	nl_request_init(&rq, MCFAB_CMD_RUN_START, false);
	nl_put_str(&rq, MCFAB_A_RUN_FABRIC, asked->fabric, nl_where("fabric", asked->fabric));
	keywords_put(&rq, &run_grammar, values);
	params_put(&rq, MCFAB_A_RUN_PARAM);
	faults_put(&rq, &asked->faults);
	if (values[SOURCE].given)
		nl_put_u32(&rq, MCFAB_A_RUN_SOURCE, asked->source,
			   nl_where("source", values[SOURCE].word));
	/* one too many is refused as more are */
	for (u32 i = 0; i < values[HOTSPOTS].list.n && i <= MCFAB_MAX_HOTSPOTS; i++)
		nl_put_u32(&rq, MCFAB_A_RUN_HOTSPOTS, asked->hotspots[i],
			   nl_where("hotspots", values[HOTSPOTS].word));
	status = ask(&rq, run);
	nl_request_free(&rq);
	return status;
}

/* A run that was cut short or broke is a failure; any other result is a result. */
static enum status verdict(struct json_object *run)
{
	const char *state = get_str(run, "state");

	return strcmp(state, "stopped") && strcmp(state, "failed") ? STATUS_OK : STATUS_REFUSED;
}

static enum status run_and_wait(const struct asked *asked)
{
	const char *name = asked->fabric;
	struct json_object *run = NULL, *end = NULL;
	enum status status;

	status = run_wait_begin();
	if (!status)
		status = start(asked, &run);
	if (!status)
		status = run_wait(name, get_u64(run, "run"), &end);
	run_wait_end();
	json_object_put(run);
	if (status)
		return status;
	status = verdict(end);
	if (options.json) {
		json_print(end);
		return status;
	}
	stats_print_counts(end);
	json_object_put(end);
	stats_print_summary(name);
	return status;
}

static enum status start_probe(const void *asked, struct json_object **run)
{
	return start(asked, run);
}

/* The workload in the spec's word; it may have been shortened. */
static const char *workload_word(const struct value *values)
{
	const struct attr_enum *words;

	words = attr_desc(attr_set_of_request(MCFAB_CMD_RUN_START), MCFAB_A_RUN_WORKLOAD)->words;
	return words->word[values[WORKLOAD].number - words->first].name;
}

static struct saturate search_of(const struct asked *asked, struct value *values)
{
	return (struct saturate){
		.fabric = asked->fabric, .workload = workload_word(values),
		.tolerance = &values[TOLERANCE], .rate = &values[RATE],
		.warmup = &values[WARMUP], .batches = &values[BATCHES],
		.batch_cycles = &values[BATCH_CYCLES], .precision = &values[PRECISION],
		.max_cycles = &values[MAX_CYCLES], .detach = &values[DETACH],
		.count = &values[COUNT], .start = start_probe, .data = asked,
	};
}

static enum status check_search(struct saturate *s, const struct asked *asked,
				struct value *values)
{
	if (!values[SATURATE].given)
		return values[TOLERANCE].given ? usage("tolerance: only with saturate") : STATUS_OK;
	*s = search_of(asked, values);
	return saturate_check(s);
}

static enum status do_run(struct words *w)
{
	struct value values[KEYS] = { 0 };
	struct asked asked = { .fabric = words_next(w), .values = values };
	struct saturate search = { 0 };
	struct json_object *obj = NULL;
	enum status status;

	params_begin();
	status = keywords_parse(w, &run_grammar, values);
	if (!status)
		status = check_search(&search, &asked, values);
	if (!status && values[FAIL].given)
		status = faults_parse(&asked.faults, values[FAIL].word);
	if (!status)
		status = nl_open(options.netns);
	if (!status)
		status = prepare(&asked);
	if (!status && values[SATURATE].given) {
		status = saturate(&search);
	} else if (!status && !values[DETACH].given) {
		status = run_and_wait(&asked);
	} else if (!status) {
		status = start(&asked, &obj);
		if (!status && options.json)
			json_print(json_object_get(obj));
		else if (!status)
			printf("run %s on %s started\n", get_str(obj, "run"), asked.fabric);
	}
	json_object_put(obj);
	free(asked.hotspots);
	faults_free(&asked.faults);
	keywords_free(&run_grammar, values);
	return status;
}

static enum status stop(struct words *w)
{
	const char *name = words_next(w);
	struct json_object *obj = NULL;
	enum status status;

	status = command_end(w);
	if (!status)
		status = ask_one(MCFAB_CMD_RUN_STOP, MCFAB_A_RUN_FABRIC, "fabric", name, &obj);
	if (status)
		return status;
	if (options.json)
		json_print(json_object_get(obj));
	else
		stats_print_counts(obj);
	json_object_put(obj);
	return STATUS_OK;
}

static const struct command run_commands[] = {
	{
		.synopsis = "NAME policy P [ PARAM VALUE ]... workload W [ KEYWORD VALUE ]...",
		.help = "send traffic through a fabric and wait until it is over",
		.more =
		"Workloads:\n"
		"  lone [count N] dests K [source NODE]      each multicast in an empty network\n"
		"  poisson rate R dests K                    exponential gaps at each node\n"
		"    [multicast-fraction F]\n"
		"  bernoulli rate R dests K                  a message in a cycle or none\n"
		"  on-off rate R alpha A beta B dests K      the same in bursts; with r1 R,\n"
		"                                            the rate while on, for rate\n"
		"  fixed interval N dests K [network]        equal gaps\n"
		"  burst dests K [fraction F]                all at cycle 0\n"
		"  file FILE                                 lines CYCLE SOURCE LIST,\n"
		"                                            or CYCLE SOURCE group NAME\n"
		"\"pattern P\" says where messages to one node go: those of dests 1, and unicasts.\n"
		"\"set S\" says which nodes multicasts go to, around one that the pattern names.\n"
		"\"group NAME\" in place of \"dests K\" sends to the members of a multicast group.\n\n"
		"\"saturate\" looks for the load at which the network saturates: runs at rates that are\n"
		"doubled or halved, from \"rate\" if it is given, then bisected between one that is\n"
		"steady and one that is saturated, until they are as near as \"tolerance\" says.\n"
		"Windows have the length batches x batch-cycles and begin after a quarter of that,\n"
		"or after \"warmup\". The run that remains is the one at the highest steady rate.\n\n"
		"An interrupt (Ctrl-C) stops the run. The exit status is 0 if the run ended by\n"
		"itself (done, saturated, cut, deadlocked), 1 if it was stopped or failed.\n",
		.operand = OPERAND_FABRIC, .grammar = &run_grammar, .run = do_run,
	},
};

const struct object object_run = {
	.name = "run", .help = "Traffic through a fabric.",
	.command = run_commands, .n = ARRAY_SIZE(run_commands),
};

static const struct command stop_commands[] = {
	{
		.synopsis = "NAME", .help = "stop the run of a fabric and wait until it stands",
		.operand = OPERAND_FABRIC, .run = stop,
	},
};

const struct object object_stop = {
	.name = "stop", .help = "End a run early.",
	.command = stop_commands, .n = ARRAY_SIZE(stop_commands),
};
