// SPDX-License-Identifier: GPL-2.0
/*
 * The search for the load at which a network saturates: runs at rates that are bisected
 * between one that is steady and one that is saturated, both by the verdict of the statistics.
 */
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>

#include "ask/lookup.h"
#include "ask/run_wait.h"
#include "base/options.h"
#include "base/table.h"
#include "netlink/keyword.h"
#include "run_start.h"
#include "saturate.h"

#define TOLERANCE	20000	/* all of these in 1e-6 */
#define TOLERANCE_MIN	1000
#define TOLERANCE_MAX	500000

#define FIRST_RATE	(MCFAB_PPB / 10000)
#define CUT_AT		8	/* times warm-up and window, or the next */
#define CUT_LEAST	100000
#define PROLONG		4	/* doublings of a window that is too short for a verdict */
#define SHARPEN		2	/* and of one that is too short to see little growth */

static void set(struct value *v, u64 number)
{
	v->given = true;
	v->number = number;
}

static u64 window(const struct saturate *s)
{
	return s->batches->number * s->batch_cycles->number;
}

static u64 tolerance_of(const struct saturate *s)
{
	return s->tolerance->given ? s->tolerance->number : TOLERANCE;
}

static enum status check_workload(const struct saturate *s)
{
	static const char *const without[] = { "lone", "fixed", "burst", "file" };

	for (size_t i = 0; i < ARRAY_SIZE(without); i++) {
		if (!strcmp(s->workload, without[i]))
			return usage("saturate: workload %s has no rate to vary", s->workload);
	}
	return STATUS_OK;
}

/** saturate_check() - do the user's words fit the search? Sets what was not given. */
enum status saturate_check(const struct saturate *s)
{
	const struct run_window window_of_run = {
		.warmup = s->warmup, .batches = s->batches, .batch_cycles = s->batch_cycles,
		.precision = s->precision,
	};
	u64 tolerance = tolerance_of(s);
	enum status status = check_workload(s);

	if (status)
		return status;
	if (tolerance < TOLERANCE_MIN || tolerance > TOLERANCE_MAX)
		return usage("tolerance %s: out of range (0.1%% to 50%%)", s->tolerance->word);
	if (s->detach->given)
		return usage("detach: not with saturate, which waits for each of its runs");
	if (s->count->given)
		return usage("count: not with saturate, whose load must last for the window");
	if (s->rate->given && !s->rate->number)
		return usage("rate %s: the search has to begin above 0", s->rate->word);
	status = run_fix_window(&window_of_run, "saturate");
	if (status)
		return status;
	if (!s->rate->given)
		set(s->rate, FIRST_RATE);
	if (s->max_cycles->given && s->max_cycles->number <= s->warmup->number + window(s))
		return usage("max-cycles %s: the window ends at cycle %llu", s->max_cycles->word,
			     s->warmup->number + window(s));
	return STATUS_OK;
}

/* Some attributes of a run or of its statistics, under their names. */
static void copy(struct json_object *to, struct json_object *from, const char *const *name,
		 size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct json_object *value = get_obj(from, name[i]);

		if (value)
			json_object_object_add(to, name[i], json_object_get(value));
	}
}

static struct json_object *probe_object(const struct saturate *s, struct json_object *run,
					struct json_object *stats)
{
	static const char *const of_run[] = { "run", "state", "why", "cycle", "hash" };
	static const char *const of_stats[] = { "offered-ppb", "accepted-ppb", "effective-ppb",
		"delivered-ppb", "throughput-ppb", "saturation" };
	struct json_object *probe = json_object_new_object(), *verdict;

	verdict = get_obj(get_obj(stats, "saturation"), "verdict");
	json_object_object_add(probe, "rate-ppb", json_object_new_uint64(s->rate->number));
	json_object_object_add(probe, "verdict", verdict ? json_object_get(verdict) :
			       json_object_new_string("unknown"));
	json_object_object_add(probe, "window", json_object_new_uint64(window(s)));
	copy(probe, run, of_run, ARRAY_SIZE(of_run));
	copy(probe, stats, of_stats, ARRAY_SIZE(of_stats));
	return probe;
}

/* The run with the values as they are, and what it measured. */
static enum status one_run(const struct saturate *s, struct json_object **probe)
{
	struct json_object *run = NULL, *end = NULL, *stats = NULL;
	enum status status;
	char *word = saturate_decimal(s->rate->number, MCFAB_PPB);

	s->rate->word = word;
	status = s->start(s->data, &run);
	if (!status)
		status = run_wait(s->fabric, get_u64(run, "run"), &end);
	if (!status)
		status = ask_one(MCFAB_CMD_STATS_GET, MCFAB_A_STATS_FABRIC, "fabric", s->fabric,
				 &stats);
	if (!status && get_u64(stats, "run") != get_u64(run, "run"))
		status = refused("run %s of %s is over and another one was started",
				 get_str(run, "run"), s->fabric);
	if (!status)
		*probe = probe_object(s, end, stats);
	json_object_put(run);
	json_object_put(end);
	json_object_put(stats);
	s->rate->word = NULL;
	free(word);
	return status;
}

/* Ends of a run that tell nothing of any load: the search ends, too. */
static enum status check_state(struct json_object *probe)
{
	char *rate = saturate_decimal(get_u64(probe, "rate-ppb"), MCFAB_PPB);
	const char *state = get_str(probe, "state"), *why = get_str(probe, "why");
	enum status status = STATUS_OK;

	if (!strcmp(state, "stopped"))
		status = refused("the run at rate %s was stopped", rate);
	else if (!strcmp(state, "failed") || !strcmp(state, "deadlocked"))
		status = refused("the run at rate %s %s%s%s", rate, state,
				 has(probe, "why") ? ": " : "", has(probe, "why") ? why : "");
	free(rate);
	return status;
}

static enum verdict verdict_of(struct json_object *probe)
{
	const char *verdict = get_str(probe, "verdict");

	if (!strcmp(verdict, "steady"))
		return STEADY;
	if (!strcmp(verdict, "saturated"))
		return SATURATED;
	return strcmp(get_str(probe, "state"), "cut") ? SHORT : CUT;
}

static void keep(struct json_object **at, struct json_object *probe)
{
	json_object_put(*at);
	*at = json_object_get(probe);
}

static void set_limit(struct search *se)
{
	const struct saturate *s = se->ask;

	u64 limit = CUT_AT * (s->warmup->number + window(s));

	if (!s->max_cycles->word)
		set(s->max_cycles, limit > CUT_LEAST ? limit : CUT_LEAST);
}

/* Nothing is known because the window is short: twice as long, a few times. */
static enum status prolong(struct search *se, u64 rate)
{
	const struct saturate *s = se->ask;
	enum status status;
	char *text;

	if (se->prolonged++ < PROLONG) {
		s->batches->number *= 2;
		set_limit(se);
		return STATUS_OK;
	}
	text = saturate_decimal(rate, MCFAB_PPB);
	status = refused("rate %s has no verdict in %llu cycles; use more batches or batch-cycles",
			 text, window(s));
	free(text);
	return status;
}

/* The lowest rate that is not steady, whether or not it is saturated; 0: none. */
static u64 upper(const struct search *se)
{
	return se->cut && (!se->high || se->cut < se->high) ? se->cut : se->high;
}

/* A window twice as long, in which a steady network shows that it is; false: it is long enough. */
static bool sharpen(struct search *se, struct json_object *probe)
{
	const struct saturate *s = se->ask;

	if (!upper(se) || !saturate_is_blunt(se, probe) || se->sharpened == SHARPEN)
		return false;
	if (!se->sharpened++) {
		se->blunt_batches = s->batches->number;
		se->blunt_cut = se->cut;
	}
	s->batches->number *= 2;
	set_limit(se);
	return true;
}

/* Longer windows lead to no verdict: back to the shorter ones. */
static bool unsharpen(struct search *se)
{
	if (!se->blunt_batches)
		return false;
	se->ask->batches->number = se->blunt_batches;
	se->cut = se->blunt_cut;
	se->blunt_batches = 0;
	se->sharpened = SHARPEN;
	set_limit(se);
	return true;
}

/* A rate that was steady in a shorter window is not. */
static void forget_low(struct search *se, u64 rate)
{
	if (se->low != rate)
		return;
	se->low = 0;
	json_object_put(se->steady);
	se->steady = NULL;
}

static void set_cut(struct search *se, u64 rate, struct json_object *probe)
{
	u64 asked = get_u64(probe, "effective-ppb");

	se->cut = rate;
	se->share = asked ? (double)get_u64(probe, "delivered-ppb") / asked : 1;
	snprintf(se->why, sizeof(se->why), "%s", get_str(probe, "why"));
}

/* A run at a rate, and what follows from its verdict. */
static enum status try_rate(struct search *se, u64 rate)
{
	struct json_object *probe = NULL;
	enum verdict verdict;
	enum status status;

	set(se->ask->rate, rate);
	status = one_run(se->ask, &probe);
	if (status)
		return status;
	json_object_array_add(se->probes, probe);
	status = check_state(probe);
	if (status)
		return status;
	se->last = rate;
	se->run = get_u64(probe, "run");
	verdict = verdict_of(probe);
	if (verdict == STEADY && sharpen(se, probe))
		verdict = BLUNT;
	saturate_progress(se, probe, verdict);
	switch (verdict) {
	case STEADY:
		se->low = rate;
		keep(&se->steady, probe);
		break;
	case BLUNT:
		break;
	case SATURATED:
		forget_low(se, rate);
		se->high = rate;
		keep(&se->saturated, probe);
		break;
	case CUT:
		forget_low(se, rate);
		set_cut(se, rate, probe);
		break;
	case SHORT:
		return prolong(se, rate);
	}
	return STATUS_OK;
}

static enum status none_steady(const struct search *se)
{
	return refused("no rate is steady; at 1e-9 the network is %s",
		       se->high == 1 ? "saturated" : "of unknown saturation");
}

static enum status unknown_above(const struct search *se)
{
	static const char advice[] = "a shorter window (batches, batch-cycles) may have a verdict";
	char *low = saturate_decimal(se->low, MCFAB_PPB);
	char *cut = saturate_decimal(se->cut, MCFAB_PPB);
	enum status status;

	status = refused("rate %s is steady, rate %s unknown: cut, %.1f %% delivered (%s); %s", low,
			 cut, 100 * se->share, se->why, advice);
	free(low);
	free(cut);
	return status;
}

/* The rate to try next, 0: the search is over. */
static enum status next_rate(struct search *se, u64 *rate)
{
	u64 top = upper(se);

	*rate = 0;
	if (!se->low && !top) {
		*rate = se->ask->rate->number;
	} else if (!se->low) {
		*rate = top / 2;
		return *rate ? STATUS_OK : none_steady(se);
	} else if (!top) {
		if (se->low == MCFAB_PPB)
			return refused("steady even at rate 1: the network does not saturate");
		*rate = se->low > MCFAB_PPB / 2 ? MCFAB_PPB : 2 * se->low;
	} else if ((top - se->low) * MCFAB_PPM > se->tolerance * se->low) {
		*rate = se->low + (top - se->low) / 2;
		if (*rate == se->low)
			return refused("rates of 1e-9 are too coarse for this tolerance");
	} else if (top != se->high) {
		return unsharpen(se) ? next_rate(se, rate) : unknown_above(se);
	} else if (get_u64(se->steady, "window") < window(se->ask)) {
		*rate = se->low;
	}
	return STATUS_OK;
}

/* The run that remains is the one at the highest steady rate. */
static enum status run_steady_last(struct search *se)
{
	struct json_object *probe = NULL;
	enum status status;

	if (se->last == se->low)
		return STATUS_OK;
	set(se->ask->rate, se->low);
	se->ask->batches->number = get_u64(se->steady, "window") / se->ask->batch_cycles->number;
	set_limit(se);
	status = one_run(se->ask, &probe);
	if (!status)
		status = check_state(probe);
	if (!status && strcmp(get_str(probe, "hash"), get_str(se->steady, "hash")))
		status = refused("%s has changed: the run at the steady rate has another hash now",
				 se->ask->fabric);
	if (!status)
		se->run = get_u64(probe, "run");
	json_object_put(probe);
	return status;
}

static enum status search(struct search *se)
{
	enum status status;
	u64 rate;

	set_limit(se);
	do {
		status = next_rate(se, &rate);
		if (!status && rate)
			status = try_rate(se, rate);
	} while (!status && rate);
	return status ? status : run_steady_last(se);
}

/** saturate() - search, and print what was found */
enum status saturate(const struct saturate *s)
{
	struct search se = { .ask = s, .tolerance = tolerance_of(s) };
	enum status status;

	se.probes = json_object_new_array();
	status = run_wait_begin();
	if (!status)
		status = search(&se);
	run_wait_end();
	if (status)
		saturate_print_partly(&se);
	if (options.json && json_object_array_length(se.probes))
		saturate_print_json(&se, !status);
	else if (!status)
		saturate_print_text(&se);
	json_object_put(se.steady);
	json_object_put(se.saturated);
	json_object_put(se.probes);
	return status;
}
