/* SPDX-License-Identifier: GPL-2.0 */
/* The search for the load at which a network saturates. */
#ifndef MCASTCTL_SATURATE_H
#define MCASTCTL_SATURATE_H

#include <json-c/json.h>

#include "netlink/keyword.h"

#define SATURATE_HELP "look for the highest rate the network carries: many runs; see below"
#define TOLERANCE_HELP "with saturate: how far the two rates may be apart at the end, as a part" \
	" of the lower one (0.1% to 50%), default 2%"

/**
 * struct saturate - a search
 * @fabric: name of the fabric
 * @workload: the workload in the spec's word
 * @tolerance: how far the two rates may be apart
 * @rate: where to begin; set anew for each run, as is what follows
 * @warmup: cycles before the window
 * @batches: batches of the window
 * @batch_cycles: cycles of a batch
 * @precision: always 0
 * @max_cycles: where a run is cut
 * @detach: given, it is refused
 * @count: given, it is refused
 * @start: starts a run with the values as they are
 * @data: for @start
 */
struct saturate {
	const char *fabric;
	const char *workload;
	const struct value *tolerance;
	struct value *rate;
	struct value *warmup;
	struct value *batches;
	struct value *batch_cycles;
	struct value *precision;
	struct value *max_cycles;
	const struct value *detach;
	const struct value *count;
	enum status (*start)(const void *data, struct json_object **run);
	const void *data;
};

/** enum verdict - what a probe says; BLUNT: steady, but the window is too short to be sure */
enum verdict { STEADY, BLUNT, SATURATED, CUT, SHORT };

/** struct search - how far the search is */
struct search {
	const struct saturate *ask;
	u64 tolerance;
	u64 low;			/* highest rate that is steady, 0: none */
	u64 high;			/* lowest rate that is saturated, 0: none */
	u64 cut;			/* lowest rate of which nothing is known, 0: none */
	u64 last;			/* the rate of the last run */
	u64 run;			/* and its number */
	u32 prolonged;
	u32 sharpened;
	u64 blunt_batches;		/* before that */
	u64 blunt_cut;			/* @cut before that */
	char why[160];			/* nothing is known of the rate @cut */
	double share;			/* what was delivered there of what was asked for */
	struct json_object *probes;
	struct json_object *steady;	/* the probe at the rate @low */
	struct json_object *saturated;
};

/* Do the user's words fit the search? Sets what was not given. */
enum status saturate_check(const struct saturate *s);
/* Search, and print what was found. */
enum status saturate(const struct saturate *s);

/* What is said of it. */
char *saturate_decimal(u64 value, u32 scale);		/* to be freed */
u64 saturate_resolution(struct json_object *probe);	/* in 1e-6 of the load */
bool saturate_is_blunt(const struct search *se, struct json_object *probe);
void saturate_progress(const struct search *se, struct json_object *probe, enum verdict verdict);
void saturate_print_json(const struct search *se, bool found);
void saturate_print_text(const struct search *se);
void saturate_print_partly(const struct search *se);

#endif
