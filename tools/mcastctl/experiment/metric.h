/* SPDX-License-Identifier: GPL-2.0 */
/* What is taken from a run's statistics: a name, a unit, and where the statistics have it. */
#ifndef MCASTCTL_EXPERIMENT_METRIC_H
#define MCASTCTL_EXPERIMENT_METRIC_H

#include <json-c/json.h>

#include "base/util.h"

/** struct metric_value - of one run, or of several */
struct metric_value {
	bool there;
	double mean;
	double half;		/* half of the 95 % interval; negative: not known */
};

/** struct metric - a figure of a run */
struct metric {
	const char *name;
	const char *unit;	/* for people; "": none */
	const char *column;	/* for the name of a column: cycles, flits_per_node_cycle, … */
	const char *path;	/* in the JSON of "stats show"; NULL: from "run ... saturate" */
	const char *key;	/* of the value there; "mean-micro" has an interval beside it */
	double scale;		/* the JSON's value is so many times as large */
	const char *label;	/* for axes, where a scenario has none */
};

#define METRICS		32
extern const struct metric metrics[METRICS];

/* The metric of a name; NULL: there is none. */
const struct metric *metric_find(const char *name);
/* What the JSON of "run" and of "stats show" say of it. */
struct metric_value metric_take(const struct metric *m, struct json_object *run,
				struct json_object *stats);

#endif
