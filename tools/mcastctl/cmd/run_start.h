/* SPDX-License-Identifier: GPL-2.0 */
/* The keywords of a run, and how one is started: for every command that starts runs. */
#ifndef MCASTCTL_RUN_START_H
#define MCASTCTL_RUN_START_H

#include <json-c/json.h>

#include "cmd/classes.h"
#include "netlink/keyword.h"
#include "netlink/upload.h"
#include "print/faults.h"

/* Values of both commands. */
enum {
	RUN_SEEDS, RUN_POLICY, RUN_WORKLOAD, RUN_COUNT, RUN_DESTS, RUN_GROUP, RUN_SET, RUN_RADIUS,
	RUN_PATTERN, RUN_SELF, RUN_HOTSPOTS, RUN_HOTSPOT_WEIGHTS, RUN_HOTSPOT_SHARE, RUN_SOURCE,
	RUN_RATE, RUN_ALPHA, RUN_BETA, RUN_R1, RUN_MULTICAST_FRACTION, RUN_INTERVAL, RUN_NETWORK,
	RUN_FRACTION, RUN_SEED, RUN_FLITS, RUN_LENGTHS, RUN_WEIGHTS, RUN_MTU, RUN_ADVANCE,
	RUN_HEADERS, RUN_PREP, RUN_PREP_RELAY, RUN_NODE_BUSY, RUN_ROUNDS, RUN_WARMUP, RUN_BATCHES,
	RUN_BATCH_CYCLES, RUN_PRECISION, RUN_MAX_CYCLES, RUN_RECOVER, RUN_FAIL, RUN_REPLAY,
	RUN_PACE, RUN_LOG, RUN_RX_LIMIT, RUN_SLIP_LIMIT, RUN_FRAMES_MB, RUN_DETACH, RUN_SATURATE,
	RUN_TOLERANCE, RUN_CLASS, RUN_KEYS,
};

#define RUN_FIRST	RUN_POLICY	/* of run_grammar */

extern const struct grammar run_grammar;	/* its values begin at RUN_FIRST */
extern const struct grammar compare_grammar;	/* its values begin at 0; no parameters */

/**
 * struct run_ask - what was asked for
 * @fabric: name of the fabric
 * @values: [RUN_KEYS] of the keywords
 * @source: node of "source"
 * @hotspots: nodes of "hotspots"
 * @messages: those of a file
 * @faults: of "fail"
 * @classes: of "class"
 */
struct run_ask {
	const char *fabric;
	const struct value *values;
	u32 source;
	u32 *hotspots;
	struct messages messages;
	struct faults faults;
	struct classes classes;
};

const char *run_workload(const struct value *values);
enum status run_prepare(struct run_ask *ask);
enum status run_start(const struct run_ask *ask_for, struct json_object **run);
void run_ask_free(struct run_ask *ask);

/* The nodes of "source" and "hotspots": look them up, put them into a request. */
enum status run_lookup(struct json_object *fabric, const struct value *source, u32 *node,
		       const struct value *hotspots, u32 **nodes);
void run_put_nodes(struct nl_request *rq, const struct value *source, u32 node,
		   const struct value *hotspots, const u32 *nodes);

/** struct run_window - the values that say where a run measures */
struct run_window {
	struct value *warmup;
	struct value *batches;
	struct value *batch_cycles;
	struct value *precision;
};

/* Set what was not given, for a window of fixed length and place; @what needs one. */
enum status run_fix_window(const struct run_window *w, const char *what);

#endif
