// SPDX-License-Identifier: GPL-2.0
/* compare: the same messages through several policies, seed by seed. */
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ask/run_wait.h"
#include "base/options.h"
#include "base/table.h"
#include "base/words.h"
#include "cmd/compare.h"
#include "cmd/run_start.h"
#include "command.h"

#define SEEDS	5

static void set(struct value *v, u64 number)
{
	v->given = true;
	v->number = number;
}

/* Ends of a run that no statistics are taken of. */
static enum status check_state(const struct comparison *c, u32 policy, u32 seed,
			       struct json_object *run)
{
	const char *state = get_str(run, "state");

	if (strcmp(state, "stopped") && strcmp(state, "failed"))
		return STATUS_OK;
	return refused("policy %u %s: the run with seed %llu %s%s%s%s", policy + 1,
		       c->policy[policy].label, c->seed + seed,
		       strcmp(state, "failed") ? "was " : "", state, has(run, "why") ? ": " : "",
		       get_str(run, "why"));
}

static enum status one_run(struct comparison *c, const struct run_ask *ask_for, u32 policy,
			   u32 seed)
{
	struct json_object *run = NULL, *end = NULL, *stats = NULL;
	struct compared *p = &c->policy[policy];
	struct run_ask there = *ask_for;
	enum status status;

	there.fabric = compared_on(c, policy);
	params_use(&p->params);
	status = run_start(&there, &run);
	if (status) {
		fprintf(stderr, "policy %u %s, seed %llu: no run; nothing is compared\n",
			policy + 1, p->label, c->seed + seed);
		return status;
	}
	p->number[seed] = get_u64(run, "run");
	status = run_wait(there.fabric, p->number[seed], &end);
	if (!status)
		status = check_state(c, policy, seed, end);
	if (!status)
		status = ask_one(MCFAB_CMD_STATS_GET, MCFAB_A_STATS_FABRIC, "fabric", there.fabric,
				 &stats);
	if (!status && get_u64(stats, "run") != p->number[seed])
		status = refused("run %llu of %s is over and another one was started",
				 p->number[seed], there.fabric);
	if (!status)
		result_take(&p->run[seed], end, stats);
	json_object_put(run);
	json_object_put(end);
	json_object_put(stats);
	return status;
}

/* For whoever waits at a terminal. */
static void progress(const struct comparison *c, u32 policy, u32 seed)
{
	const struct compared *p = &c->policy[policy];

	if (isatty(STDERR_FILENO))
		fprintf(stderr, "run %u of %u: seed %llu, policy %u %s: %s\n",
			seed * c->n + policy + 1, c->seeds * c->n, c->seed + seed, policy + 1,
			p->label, p->run[seed].state);
}

/* All policies with one seed, then with the next: what is refused shows at once. */
static enum status all_runs(struct comparison *c, const struct run_ask *ask_for,
			    struct value *values)
{
	enum status status = run_wait_begin();

	for (u32 k = 0; !status && k < c->seeds; k++) {
		if (c->seeds > 1 || values[RUN_SEED].given || c->seeded)
			set(&values[RUN_SEED], c->seed + k);
		for (u32 p = 0; !status && p < c->n; p++) {
			values[RUN_POLICY].word = c->policy[p].name;
			status = one_run(c, ask_for, p, k);
			if (!status)
				progress(c, p, k);
		}
	}
	run_wait_end();
	return status;
}

/* The same messages can be sent on fabrics with as many nodes only. */
static enum status check_fabrics(struct comparison *c)
{
	struct json_object *first = NULL, *other = NULL;
	enum status status = lookup_fabric(c->fabric, &first);

	for (u32 p = 0; !status && p < c->n; p++) {
		const char *on = c->policy[p].fabric;

		if (!on)
			continue;
		c->seeded = strcmp(c->workload, "file");
		status = lookup_fabric(on, &other);
		if (!status && get_u64(first, "nodes") != get_u64(other, "nodes"))
			status = usage("policy %u on %s: it has %s nodes, %s has %s", p + 1, on,
				       get_str(other, "nodes"), c->fabric,
				       get_str(first, "nodes"));
		json_object_put(other);
		other = NULL;
	}
	json_object_put(first);
	return status;
}

/* How many seeds, which is the first one; a file has the same messages for all. */
static enum status set_seeds(struct comparison *c, const struct value *values)
{
	const struct value *seeds = &values[RUN_SEEDS], *seed = &values[RUN_SEED];
	bool file = !strcmp(c->workload, "file");
	struct json_object *fabric = NULL;
	enum status status;

	if (seeds->given && (!seeds->number || seeds->number > COMPARE_SEEDS))
		return usage("seeds %s: out of range (1 to %u)", seeds->word, COMPARE_SEEDS);
	if (file && seeds->given && seeds->number > 1)
		return usage("seeds %s: workload file has the same messages with every seed",
			     seeds->word);
	c->seeds = seeds->given ? seeds->number : file ? 1 : SEEDS;
	status = lookup_fabric(c->fabric, &fabric);
	if (status)
		return status;
	c->seed = seed->given ? seed->number : get_u64(fabric, "seed");
	json_object_put(fabric);
	if (c->seed + c->seeds - 1 < c->seed)
		return usage("seed %llu: %u seeds from there on are too many", c->seed, c->seeds);
	return STATUS_OK;
}

/* The same messages are measured only if all windows are at the same place. */
static enum status set_window(const struct comparison *c, struct value *values)
{
	static const char *const without[] = { "lone", "burst" };
	const struct run_window window = {
		.warmup = &values[RUN_WARMUP], .batches = &values[RUN_BATCHES],
		.batch_cycles = &values[RUN_BATCH_CYCLES], .precision = &values[RUN_PRECISION],
	};

	for (size_t i = 0; i < ARRAY_SIZE(without); i++) {
		if (!strcmp(c->workload, without[i]))
			return STATUS_OK;
	}
	if (!strcmp(c->workload, "file") && !window.warmup->word && !window.batches->given &&
	    !window.batch_cycles->given && !window.precision->given)
		return STATUS_OK;
	return run_fix_window(&window, "compare");
}

/* "policy" and the list, the first thing behind the fabric. */
static enum status read_policies(struct words *w, struct comparison *c, struct value *values)
{
	const char *word = words_next(w);

	if (!word || WORD_FIND(word, compare_grammar.key, compare_grammar.n) != RUN_POLICY)
		return usage("policy A, B, ... is missing behind the fabric");
	values[RUN_POLICY].given = true;
	return compare_read(w, c);
}

/* The fabric with the other tables: "table" there, too. */
static enum status read_tables(struct words *w, struct comparison *c, struct value *values)
{
	const char *other = words_next(w);

	if (!other || WORD_EXACT(other, compare_grammar.key, compare_grammar.n) >= 0)
		return usage("the fabric with the other tables is missing");
	values[RUN_POLICY].given = true;
	for (c->n = 0; c->n < 2; c->n++)
		c->policy[c->n].name = xstrdup("table");
	c->policy[0].label = xstrdup("table");
	c->policy[1].label = xasprintf("table on %s", other);
	c->policy[1].fabric = xstrdup(other);
	return STATUS_OK;
}

static enum status compare_by(struct words *w, enum status (*read)(struct words *w,
								   struct comparison *c,
								   struct value *values))
{
	struct value values[RUN_KEYS] = { 0 };
	struct comparison c = { .fabric = words_next(w) };
	struct run_ask ask_for = { .fabric = c.fabric, .values = values };
	enum status status;

	status = nl_open(options.netns);
	if (!status)
		status = read(w, &c, values);
	if (!status)
		status = keywords_parse(w, &compare_grammar, values);
	if (!status)
		status = classes_parse(&ask_for.classes, w);
	if (!status) {
		c.workload = run_workload(values);
		status = set_window(&c, values);
	}
	if (!status)
		status = check_fabrics(&c);
	if (!status)
		status = set_seeds(&c, values);
	if (!status)
		status = run_prepare(&ask_for);
	for (u32 p = 0; !status && p < c.n; p++) {
		c.policy[p].run = xcalloc(c.seeds, sizeof(*c.policy[p].run));
		c.policy[p].number = xcalloc(c.seeds, sizeof(*c.policy[p].number));
	}
	if (!status)
		status = all_runs(&c, &ask_for, values);
	if (!status && options.json)
		compare_print_json(&c);
	else if (!status)
		compare_print_text(&c);
	compare_free(&c);
	run_ask_free(&ask_for);
	keywords_free(&compare_grammar, values);
	return status;
}

static enum status do_compare(struct words *w)
{
	return compare_by(w, read_policies);
}

enum status compare_tables(struct words *w)
{
	return compare_by(w, read_tables);
}

static const struct command commands[] = {
	{
		.synopsis = "NAME policy A [ PARAM VALUE ]... [ on FABRIC ], B... workload W ...",
		.help = "send the same messages by several policies and compare what is measured",
		.more =
		"2 to 16 policies, with commas: \"policy dp, mp\", \"policy qg td 0.2, qg td 0.5,mp\".\n"
		"\"on FABRIC\" behind a policy and its parameters runs it on another fabric with as many\n"
		"nodes: other buffers, another topology, other tables.\n"
		"Workloads and the other keywords are those of \"run\". Each policy runs with \"seeds\"\n"
		"seeds in a row, from \"seed\" on, or that of the fabric; with a seed, all policies send\n"
		"the same messages. Windows have the length batches x batch-cycles and begin after a\n"
		"quarter of that, or after \"warmup\".\n\n"
		"Printed for each metric and policy: the mean over the seeds with half of its 95 %\n"
		"interval by Student's t; the difference to the first policy, seed by seed, with its\n"
		"interval, and what that says: lower, higher, same (in every seed), undecided (the\n"
		"interval contains 0), incomparable (a run was saturated, cut or deadlocked). \"best\"\n"
		"are the policies that none is known to be better than.\n",
		.operand = OPERAND_FABRIC, .grammar = &compare_grammar, .run = do_compare,
	},
};

const struct object object_compare = {
	.name = "compare", .help = "The same traffic by several policies.",
	.command = commands, .n = ARRAY_SIZE(commands),
};
