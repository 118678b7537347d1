// SPDX-License-Identifier: GPL-2.0
/* run and stop: traffic through a fabric. */
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>

#include "ask/lookup.h"
#include "ask/run_wait.h"
#include "base/options.h"
#include "base/table.h"
#include "command.h"
#include "print/stats_print.h"
#include "run_start.h"
#include "saturate.h"
#include "witness.h"

/* A run that was cut short or broke is a failure; any other result is a result. */
static enum status verdict(struct json_object *run)
{
	const char *state = get_str(run, "state");

	return strcmp(state, "stopped") && strcmp(state, "failed") ? STATUS_OK : STATUS_REFUSED;
}

static enum status run_and_wait(const struct run_ask *asked, const struct witness *witness)
{
	const char *replayed = asked->values[RUN_REPLAY].word;
	const char *name = asked->fabric;
	struct json_object *run = NULL, *end = NULL;
	enum status status;

	status = run_wait_begin();
	if (!status)
		status = run_start(asked, &run);
	if (!status)
		status = run_wait(name, get_u64(run, "run"), &end);
	run_wait_end();
	json_object_put(run);
	if (status)
		return status;
	status = verdict(end);
	if (options.json) {
		json_print(json_object_get(end));
	} else {
		stats_print_counts(end);
		stats_print_summary(name);
	}
	if (!status && replayed)
		status = witness_compare(witness, replayed, name, end);
	json_object_put(end);
	return status;
}

static enum status start_probe(const void *asked, struct json_object **run)
{
	return run_start(asked, run);
}

static struct saturate search_of(const struct run_ask *asked, struct value *values)
{
	return (struct saturate){
		.fabric = asked->fabric, .workload = run_workload(values),
		.tolerance = &values[RUN_TOLERANCE], .rate = &values[RUN_RATE],
		.warmup = &values[RUN_WARMUP], .batches = &values[RUN_BATCHES],
		.batch_cycles = &values[RUN_BATCH_CYCLES], .precision = &values[RUN_PRECISION],
		.max_cycles = &values[RUN_MAX_CYCLES], .detach = &values[RUN_DETACH],
		.count = &values[RUN_COUNT], .start = start_probe, .data = asked,
	};
}

static enum status check_search(struct saturate *s, const struct run_ask *asked,
				struct value *values)
{
	if (!values[RUN_SATURATE].given && values[RUN_TOLERANCE].given)
		return usage("tolerance: only with saturate");
	if (!values[RUN_SATURATE].given)
		return STATUS_OK;
	*s = search_of(asked, values);
	return saturate_check(s);
}

static enum status begin_replay(struct value *values, struct witness *witness)
{
	enum status status;

	if (!values[RUN_REPLAY].given)
		return STATUS_OK;
	if (values[RUN_DETACH].given || values[RUN_SATURATE].given)
		return usage("replay: not with %s",
			     values[RUN_DETACH].given ? "detach" : "saturate");
	status = witness_read(values[RUN_REPLAY].word, witness);
	if (!status)
		status = witness_apply(witness, &run_grammar, values + RUN_FIRST);
	return status;
}

static enum status do_run(struct words *w)
{
	struct value values[RUN_KEYS] = { 0 };
	struct run_ask asked = { .fabric = words_next(w), .values = values };
	struct saturate search = { 0 };
	struct witness witness = { 0 };
	struct json_object *obj = NULL;
	enum status status;

	params_begin();
	status = keywords_parse(w, &run_grammar, values + RUN_FIRST);
	if (!status)
		status = classes_parse(&asked.classes, w);
	if (!status)
		status = begin_replay(values, &witness);
	if (!status)
		status = check_search(&search, &asked, values);
	if (!status && values[RUN_FAIL].given)
		status = faults_parse(&asked.faults, values[RUN_FAIL].word);
	if (!status)
		status = nl_open(options.netns);
	if (!status)
		status = run_prepare(&asked);
	if (!status && values[RUN_SATURATE].given) {
		status = saturate(&search);
	} else if (!status && !values[RUN_DETACH].given) {
		status = run_and_wait(&asked, &witness);
	} else if (!status) {
		status = run_start(&asked, &obj);
		if (!status && options.json)
			json_print(json_object_get(obj));
		else if (!status)
			printf("run %s on %s started\n", get_str(obj, "run"), asked.fabric);
	}
	json_object_put(obj);
	run_ask_free(&asked);
	witness_free(&witness);
	keywords_free(&run_grammar, values + RUN_FIRST);
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
		"  file FILE                                 lines CYCLE SOURCE [flits=N] LIST,\n"
		"                                            or ... group NAME; gzip or not;\n"
		"                                            with warmup or batches: a window\n"
		"  ports [pace FACTOR] [log N]               frames of network devices on the\n"
		"                                            nodes, until the run is stopped\n"
		"\"pattern P\" says where messages to one node go: those of dests 1, and unicasts.\n"
		"\"set S\" says which nodes multicasts go to, around one that the pattern names.\n"
		"\"group NAME\" in place of \"dests K\" sends to the members of a multicast group.\n\n"
		"\"class NAME KEYWORD VALUE ...\", up to 8 times behind all else, makes classes of\n"
		"traffic, each a load with keywords and statistics of its own: workload (else the\n"
		"run's), rate or \"share\" of the run's rate, dests, pattern, lengths ... A class of\n"
		"\"multicast-fraction 0\" has unicasts. Its messages wait in the same source queues.\n\n"
		"\"saturate\" looks for the load at which the network saturates: runs at rates that are\n"
		"doubled or halved, from \"rate\" if it is given, then bisected between one that is\n"
		"steady and one that is saturated, until they are as near as \"tolerance\" says.\n"
		"Windows have the length batches x batch-cycles and begin after a quarter of that,\n"
		"or after \"warmup\". The run that remains is the one at the highest steady rate.\n\n"
		"An interrupt (Ctrl-C) stops the run, a second one ends mcastctl. The exit status is 0\n"
		"if the run ended by itself (done, saturated, cut, deadlocked), 1 if it was stopped or\n"
		"failed, or if replay did not come to the deadlock of its file.\n",
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
