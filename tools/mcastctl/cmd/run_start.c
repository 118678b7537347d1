// SPDX-License-Identifier: GPL-2.0
/* The keywords of a run, and how one is started: for every command that starts runs. */
#include <linux/mcfab.h>
#include <stdlib.h>

#include "ask/lookup.h"
#include "netlink/keyword.h"
#include "run_start.h"
#include "saturate.h"

#define PRECISION_HELP "stop when the 95 % half-width is below this fraction of the mean," \
	" default 0.05; 0: measure exactly the given batches"

#define FRACTION_HELP "fraction of multicasts, the rest is unicast, default 1"

#define FAIL_HELP "links and switches that fail during this run alone: CYCLE:SWITCH[:PORT]" \
	" or CYCLE:SWITCH[:PORT]:up, with commas, in ascending order"

#define REPLAY_HELP "in place of workload: repeat a deadlock from a file of verify's witness," \
	" with its flits, mtu and headers; anything else is an error"

#define PACE_HELP "a cycle takes cycle-ps times FACTOR of real time (ports);" \
	" without it the run goes as fast as it can"

#define RX_LIMIT_HELP "a port drops what comes while N frames wait for the network stack;" \
	" without it, they wait in the network"

#define PATTERN_HELP "where messages to one node go, and the centres of multicasts," \
	" default uniform"

#define HOTSPOTS_HELP "hot nodes (pattern hotspot), at most 32"

#define LENGTHS_HELP "lengths in flits, in place of flits, at most 16: each message draws one"

#define LENGTH_WEIGHTS_HELP "how often messages have each of the lengths, default equally often"

#define CLASS_HELP "a class of traffic; what follows is said of it, see below"

#define SEEDS_HELP "runs of each policy, with as many seeds in a row, 1 to 1000; default 5," \
	" with workload file 1"

#define ADVANCE_HELP "how packets are moved, with the same results: flit by flit (flit), by" \
	" events at heads and tails (worm; refused where that is not exact), or by such events" \
	" where that is exact (auto, default)"

#define NODE_BUSY_HELP "until when a send keeps its node from the next one: the end of its" \
	" start-up (startup, default), of its injection, or of its delivery"

#define ROUNDS_HELP "when the next round of a send begins: when the one before is delivered" \
	" (default for lone multicasts), or injected (default under load)"

#define WINDOW_HELP "the measuring window lasts batches times batch-cycles, or longer if" \
	" precision asks for it; default 20"

#define RUN_LOG_HELP "with workload ports: messages that are noted at most, for \"stats show" \
	" NAME arrivals\"; default 0, networks of up to 4096 nodes"

#define SLIP_LIMIT_HELP "with workload ports and pace: a delivery is late if it comes more" \
	" nanoseconds than this behind the pace, default 1000000"

#define FRAMES_MB_HELP "with workload ports: memory in MiB of frames that have left their node" \
	" and are under way, default 64. What is more is charged to the sending sockets until" \
	" it is delivered, and frames without a socket are dropped"

#define BATCHES		20	/* the module's own */
#define BATCH_CYCLES	5000
#define WARMUP_PART	4	/* of the window */

#define WEIGHTS_HELP "each hot node's part of what goes to them, default equal parts"

/* the names of gem5's Garnet */
static const struct keyword_alias patterns[] = {
	{ "uniform_random", "uniform", true }, { "bit_complement", "bitcomp", true },
	{ "bit_reverse", "bitrev", true }, { "bit_rotation", "bitrot", true },
	{ .name = NULL },
};

/* In the middle is what both commands have: "compare" has the first, too, "run" the last ones. */
static const struct keyword run_keys[] = {
	[RUN_SEEDS] = { .name = "seeds", .type = KEY_UINT, .arg = "N", .help = SEEDS_HELP },
	[RUN_POLICY] = { .name = "policy", .type = KEY_STRING, .attr = MCFAB_A_RUN_POLICY,
			 .arg = "POLICY", .required = true,
			 .help = PARAMS_HELP },
	[RUN_WORKLOAD] = { .name = "workload", .type = KEY_ENUM, .attr = MCFAB_A_RUN_WORKLOAD,
			   .required = true, .more_after = "file", .more = "FILE",
			   .help = "what traffic to make, see below" },
	[RUN_COUNT] = { .name = "count", .type = KEY_UINT, .attr = MCFAB_A_RUN_COUNT, .arg = "N" },
	[RUN_DESTS] = { .name = "dests", .type = KEY_UINT, .attr = MCFAB_A_RUN_DESTS, .arg = "N" },
	[RUN_GROUP] = { .name = "group", .type = KEY_STRING, .attr = MCFAB_A_RUN_GROUP,
			.arg = "NAME",
			.help = "multicast group, in place of dests" },
	[RUN_SET] = { .name = "set", .type = KEY_ENUM, .attr = MCFAB_A_RUN_SET },
	[RUN_RADIUS] = { .name = "radius", .type = KEY_UINT, .attr = MCFAB_A_RUN_RADIUS,
			 .arg = "N" },
	[RUN_PATTERN] = { .name = "pattern", .type = KEY_ENUM, .attr = MCFAB_A_RUN_PATTERN,
			  .alias = patterns, .arg = "PATTERN", .help = PATTERN_HELP },
	[RUN_SELF] = { .name = "self", .type = KEY_FLAG, .attr = MCFAB_A_RUN_SELF },
	[RUN_HOTSPOTS] = { .name = "hotspots", .type = KEY_LIST, .arg = "LIST",
			   .help = HOTSPOTS_HELP },
	[RUN_HOTSPOT_WEIGHTS] = { .name = "hotspot-weights", .type = KEY_NUMBERS,
				  .attr = MCFAB_A_RUN_HOTSPOT_WEIGHTS, .arg = "N,N...",
				  .help = WEIGHTS_HELP },
	[RUN_HOTSPOT_SHARE] = { .name = "hotspot-share", .type = KEY_DECIMAL,
				.attr = MCFAB_A_RUN_HOTSPOT_SHARE_PPM, .arg = "FRACTION",
				.scale = MCFAB_PPM,
				.help = "part of the messages that go to hot nodes, default 1" },
	[RUN_SOURCE] = { .name = "source", .type = KEY_NODE, .arg = "NODE",
			 .help = "the only source (default: drawn for lone, else every node)" },
	[RUN_RATE] = { .name = "rate", .type = KEY_DECIMAL, .attr = MCFAB_A_RUN_RATE_PPB,
		       .arg = "R",
		       .scale = MCFAB_PPB,
		       .help = "messages per node and cycle (poisson, bernoulli, on-off)" },
	[RUN_ALPHA] = { .name = "alpha", .type = KEY_DECIMAL, .attr = MCFAB_A_RUN_ALPHA_PPB,
			.arg = "A",
			.scale = MCFAB_PPB,
			.help = "probability that a node turns on in a cycle (on-off)" },
	[RUN_BETA] = { .name = "beta", .type = KEY_DECIMAL, .attr = MCFAB_A_RUN_BETA_PPB,
		       .arg = "B",
		       .scale = MCFAB_PPB,
		       .help = "probability that a node turns off in a cycle (on-off)" },
	[RUN_R1] = { .name = "r1", .type = KEY_DECIMAL, .attr = MCFAB_A_RUN_R1_PPB, .arg = "R",
		     .scale = MCFAB_PPB,
		     .help = "messages per cycle of a node that is on, in place of rate (on-off)" },
	[RUN_MULTICAST_FRACTION] = { .name = "multicast-fraction", .type = KEY_DECIMAL,
				     .attr = MCFAB_A_RUN_MULTICAST_FRACTION_PPM,
				     .arg = "FRACTION", .scale = MCFAB_PPM,
				     .help = FRACTION_HELP },
	[RUN_INTERVAL] = { .name = "interval", .type = KEY_UINT, .attr = MCFAB_A_RUN_INTERVAL,
			   .arg = "N" },
	[RUN_NETWORK] = { .name = "network", .type = KEY_FLAG, .attr = MCFAB_A_RUN_NETWORK },
	[RUN_FRACTION] = { .name = "fraction", .type = KEY_DECIMAL,
			   .attr = MCFAB_A_RUN_FRACTION_PPM,
			   .arg = "FRACTION", .scale = MCFAB_PPM,
			   .help = "fraction of the nodes that send (burst), default 1" },
	[RUN_SEED] = { .name = "seed", .type = KEY_UINT, .attr = MCFAB_A_RUN_SEED, .arg = "N" },
	[RUN_FLITS] = { .name = "flits", .type = KEY_UINT, .attr = MCFAB_A_RUN_FLITS, .arg = "N" },
	[RUN_LENGTHS] = { .name = "lengths", .type = KEY_NUMBERS, .attr = MCFAB_A_RUN_LENGTHS,
			  .arg = "N,N...", .help = LENGTHS_HELP },
	[RUN_WEIGHTS] = { .name = "weights", .type = KEY_NUMBERS, .attr = MCFAB_A_RUN_WEIGHTS,
			  .arg = "N,N...", .help = LENGTH_WEIGHTS_HELP },
	[RUN_MTU] = { .name = "mtu", .type = KEY_UINT, .attr = MCFAB_A_RUN_MTU, .arg = "N" },
	[RUN_ADVANCE] = { .name = "advance", .type = KEY_ENUM, .attr = MCFAB_A_RUN_ADVANCE,
			  .help = ADVANCE_HELP },
	[RUN_HEADERS] = { .name = "headers", .type = KEY_ENUM, .attr = MCFAB_A_RUN_HEADERS,
			  .help = HEADERS_HELP },
	[RUN_PREP] = { .name = "prep", .type = KEY_UINT, .attr = MCFAB_A_RUN_PREP, .arg = "N" },
	[RUN_PREP_RELAY] = { .name = "prep-relay", .type = KEY_UINT, .attr = MCFAB_A_RUN_PREP_RELAY,
			     .arg = "N" },
	[RUN_NODE_BUSY] = { .name = "node-busy", .type = KEY_ENUM, .attr = MCFAB_A_RUN_NODE_BUSY,
			    .help = NODE_BUSY_HELP },
	[RUN_ROUNDS] = { .name = "rounds", .type = KEY_ENUM, .attr = MCFAB_A_RUN_ROUNDS,
			 .help = ROUNDS_HELP },
	[RUN_WARMUP] = { .name = "warmup", .type = KEY_AUTO, .attr = MCFAB_A_RUN_WARMUP,
			 .arg = "N|auto" },
	[RUN_BATCHES] = { .name = "batches", .type = KEY_UINT, .attr = MCFAB_A_RUN_BATCHES,
			  .arg = "N",
			  .help = WINDOW_HELP },
	[RUN_BATCH_CYCLES] = { .name = "batch-cycles", .type = KEY_UINT,
			       .attr = MCFAB_A_RUN_BATCH_CYCLES, .arg = "N" },
	[RUN_PRECISION] = { .name = "precision", .type = KEY_DECIMAL,
			    .attr = MCFAB_A_RUN_PRECISION_PPM, .arg = "X", .scale = MCFAB_PPM,
			    .help = PRECISION_HELP },
	[RUN_MAX_CYCLES] = { .name = "max-cycles", .type = KEY_UINT, .attr = MCFAB_A_RUN_MAX_CYCLES,
			     .arg = "N" },
	[RUN_RECOVER] = { .name = "recover", .type = KEY_FLAG, .attr = MCFAB_A_RUN_RECOVER },
	[RUN_FAIL] = { .name = "fail", .type = KEY_STRING, .arg = "LIST",
		       .help = FAIL_HELP },
	[RUN_REPLAY] = { .name = "replay", .type = KEY_FILE, .arg = "FILE", .help = REPLAY_HELP,
			 .stands_for = "workload", .stands_word = "file" },
	[RUN_PACE] = { .name = "pace", .type = KEY_DECIMAL, .attr = MCFAB_A_RUN_PACE_PPM,
		       .arg = "FACTOR", .scale = MCFAB_PPM, .help = PACE_HELP },
	[RUN_LOG] = { .name = "log", .type = KEY_UINT, .attr = MCFAB_A_RUN_LOG, .arg = "N",
		      .help = RUN_LOG_HELP },
	[RUN_RX_LIMIT] = { .name = "rx-limit", .type = KEY_UINT, .attr = MCFAB_A_RUN_RX_LIMIT,
			   .arg = "N", .help = RX_LIMIT_HELP },
	[RUN_SLIP_LIMIT] = { .name = "slip-limit", .type = KEY_UINT,
			     .attr = MCFAB_A_RUN_SLIP_LIMIT_NS, .arg = "NS",
			     .help = SLIP_LIMIT_HELP },
	[RUN_FRAMES_MB] = { .name = "frames-mb", .type = KEY_UINT,
			    .attr = MCFAB_A_RUN_FRAMES_MB, .arg = "N",
			    .help = FRAMES_MB_HELP },
	[RUN_DETACH] = { .name = "detach", .type = KEY_FLAG,
			 .help = "return at once, do not wait" },
	[RUN_SATURATE] = { .name = "saturate", .type = KEY_FLAG, .help = SATURATE_HELP },
	[RUN_TOLERANCE] = { .name = "tolerance", .type = KEY_DECIMAL, .arg = "X",
			    .scale = MCFAB_PPM,
			    .help = TOLERANCE_HELP },
	/* it ends the other keywords, see below */
	[RUN_CLASS] = { .name = CLASS_WORD, .type = KEY_STRING, .arg = "NAME", .help = CLASS_HELP },
};

const struct grammar run_grammar = {
	.key = &run_keys[RUN_FIRST], .n = RUN_KEYS - RUN_FIRST,
	.cmd = MCFAB_CMD_RUN_START, .until = CLASS_WORD,
	GRAMMAR_PARAMS,
};

const struct grammar compare_grammar = {
	.key = run_keys, .n = RUN_FAIL,
	.cmd = MCFAB_CMD_RUN_START, .until = CLASS_WORD,
};

/** run_workload() - the workload in the spec's word; it may have been shortened */
const char *run_workload(const struct value *values)
{
	const struct attr_enum *words;

	words = attr_desc(attr_set_of_request(MCFAB_CMD_RUN_START), MCFAB_A_RUN_WORKLOAD)->words;
	return words->word[values[RUN_WORKLOAD].number - words->first].name;
}

/** run_lookup() - the nodes of "source" and "hotspots", if they are given; @nodes is to be freed */
enum status run_lookup(struct json_object *fabric, const struct value *source, u32 *node,
		       const struct value *hotspots, u32 **nodes)
{
	const struct node_list *list = &hotspots->list;
	enum status status = STATUS_OK;

	if (source->given)
		status = lookup_nodes(fabric, "source", &source->node, 1, node);
	if (status || !hotspots->given)
		return status;
	*nodes = xcalloc(list->n, sizeof(**nodes));
	return lookup_nodes(fabric, "hotspots", list->ref, list->n, *nodes);
}

/** run_put_nodes() - put them into a request */
void run_put_nodes(struct nl_request *rq, const struct value *source, u32 node,
		   const struct value *hotspots, const u32 *nodes)
{
	if (source->given)
		nl_put_u32(rq, MCFAB_A_RUN_SOURCE, node, nl_where("source", source->word));
	/* one too many is refused as more are */
	for (u32 i = 0; i < hotspots->list.n && i <= MCFAB_MAX_HOTSPOTS; i++)
		nl_put_u32(rq, MCFAB_A_RUN_HOTSPOTS, nodes[i],
			   nl_where("hotspots", hotspots->word));
}

/** run_prepare() - what needs the fabric: a source that is no id, a file of messages */
enum status run_prepare(struct run_ask *ask)
{
	const struct value *values = ask->values;
	struct json_object *fabric = NULL;
	enum status status;

	if (!values[RUN_SOURCE].given && !values[RUN_HOTSPOTS].given &&
	    !values[RUN_WORKLOAD].more && !classes_name_nodes(&ask->classes))
		return STATUS_OK;
	status = lookup_fabric(ask->fabric, &fabric);
	if (!status)
		status = run_lookup(fabric, &values[RUN_SOURCE], &ask->source,
				    &values[RUN_HOTSPOTS], &ask->hotspots);
	if (!status)
		status = classes_lookup(&ask->classes, fabric);
	if (!status && values[RUN_WORKLOAD].more)
		status = messages_read(values[RUN_WORKLOAD].more, fabric, &ask->messages);
	json_object_put(fabric);
	return status;
}

/** run_start() - start a run with the values as they are; a list of messages goes before it */
enum status run_start(const struct run_ask *ask_for, struct json_object **run)
{
	const struct value *values = ask_for->values;
	struct nl_request rq;
	enum status status;

	if (values[RUN_WORKLOAD].more) {
		status = upload_messages(ask_for->fabric, &ask_for->messages);
		if (status)
			return status;
	}
	nl_request_init(&rq, MCFAB_CMD_RUN_START, false);
	nl_put_str(&rq, MCFAB_A_RUN_FABRIC, ask_for->fabric, nl_where("fabric", ask_for->fabric));
	keywords_put(&rq, &run_grammar, values + RUN_FIRST);
	params_put(&rq, MCFAB_A_RUN_PARAM);
	faults_put(&rq, &ask_for->faults);
	run_put_nodes(&rq, &values[RUN_SOURCE], ask_for->source, &values[RUN_HOTSPOTS],
		      ask_for->hotspots);
	classes_put(&rq, &ask_for->classes);
	status = ask(&rq, run);
	nl_request_free(&rq);
	return status;
}

void run_ask_free(struct run_ask *ask)
{
	free(ask->hotspots);
	messages_free(&ask->messages);
	faults_free(&ask->faults);
	classes_free(&ask->classes);
}

static void set(struct value *v, u64 number)
{
	v->given = true;
	v->number = number;
}

/** run_fix_window() - runs that are compared have windows of the same length and place */
enum status run_fix_window(const struct run_window *w, const char *what)
{
	if (w->precision->given && w->precision->number)
		return usage("precision %s: not with %s, whose windows have a fixed length",
			     w->precision->word, what);
	if (w->warmup->word && !w->warmup->given)
		return usage("warmup %s: not with %s, whose windows have a fixed place",
			     w->warmup->word, what);
	set(w->precision, 0);
	if (!w->batches->given)
		set(w->batches, BATCHES);
	if (!w->batch_cycles->given)
		set(w->batch_cycles, BATCH_CYCLES);
	if (!w->warmup->given)
		set(w->warmup, w->batches->number * w->batch_cycles->number / WARMUP_PART);
	return STATUS_OK;
}
