/* SPDX-License-Identifier: GPL-2.0 */
/* The same messages through several policies. */
#ifndef MCASTCTL_COMPARE_H
#define MCASTCTL_COMPARE_H

#include <json-c/json.h>

#include "ask/lookup.h"
#include "base/student.h"
#include "experiment/results.h"
#include "netlink/keyword.h"

#define COMPARE_MIN	2
#define COMPARE_MAX	16
#define COMPARE_SEEDS	1000

/** struct compared - a policy, and what it did with each seed */
struct compared {
	char *name;
	char *fabric;			/* "on FABRIC"; NULL: on that of the comparison */
	char *label;			/* the name, parameters and fabric if there are any */
	struct params_set params;
	struct result *run;		/* [seeds] */
	u64 *number;			/* [seeds] of the run */
};

/** struct comparison - several policies */
struct comparison {
	const char *fabric;
	const char *workload;
	u32 n;
	struct compared policy[COMPARE_MAX];
	u64 seed;			/* the first one */
	u32 seeds;
	bool seeded;			/* all runs say the seed: it need not be the fabric's */
};

static inline const char *compared_on(const struct comparison *c, u32 policy)
{
	return c->policy[policy].fabric ? c->policy[policy].fabric : c->fabric;
}

/** struct compared_metric - a metric that policies are compared by */
struct compared_metric {
	const struct metric *metric;
	bool more;			/* more is better */
	bool load;			/* only with a window; also if saturated */
};

/** enum difference - what is known of the second policy, seen from the first */
enum difference { SAME, LOWER, HIGHER, UNDECIDED, INCOMPARABLE };

/** struct paired - the second policy less the first, seed by seed */
struct paired {
	enum difference verdict;
	struct student_mean mean;	/* unless INCOMPARABLE */
};

/* "A[ PARAM VALUE]..., B[...]" behind "policy"; what follows the list is left. */
enum status compare_read(struct words *w, struct comparison *c);
void compare_free(struct comparison *c);

/* The metrics that a comparison has values of: @index from 0, false: no more. */
bool compare_metric(const struct comparison *c, u32 *index, struct compared_metric *cm);
/* The mean of a policy over the seeds; half is negative where there is no interval. */
bool compare_mean(const struct comparison *c, const struct compared_metric *cm, u32 policy,
		  struct student_mean *mean);
/* Did all of its runs end in a way that this metric means something? */
bool compare_sound(const struct comparison *c, const struct compared_metric *cm, u32 policy);
struct paired compare_pair(const struct comparison *c, const struct compared_metric *cm, u32 first,
			   u32 second);
/* Who is best: the one with the best mean, and all that it is not known to be better than. */
u32 compare_best(const struct comparison *c, const struct compared_metric *cm, u32 *best);
const char *compare_verdict(enum difference verdict);

/* "table compare": the same messages by the tables of two fabrics. */
enum status compare_tables(struct words *w);

void compare_print_text(const struct comparison *c);
void compare_print_json(const struct comparison *c);

#endif
