/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Results as curves: the seeds of a place are put together; panels, series and places along a
 * curve are what the scenario's lines "panel", "series" and "x" say.
 */
#ifndef MCASTCTL_EXPERIMENT_CURVES_H
#define MCASTCTL_EXPERIMENT_CURVES_H

#include "experiment/results.h"

/** enum place_state - what the runs of a place are worth */
enum place_state {
	PLACE_EMPTY,		/* not run: not in the quick set */
	PLACE_STEADY,
	PLACE_SATURATED,	/* a run was saturated: latencies depend on its length */
	PLACE_CUT,		/* a run was cut before its window was over: overload, mostly */
	PLACE_GAP,		/* a run was refused, failed or deadlocked: no values */
};

/** struct curve_place - a place of a curve */
struct curve_place {
	enum place_state state;
	u32 seeds;		/* the largest seed that was run */
	u32 first;		/* the number of the point with seed 1; others follow */
	const char *run_state;	/* of the worst run: done, saturated, refused, … */
	const char *why;
	double x;		/* a number; without one the value's number, from 0 */
	struct metric_value metric[METRICS];
};

/** struct curves - all of a scenario */
struct curves {
	const struct results *r;
	s32 along;		/* the variable that changes along a curve; -1: none */
	bool numeric;		/* x is a number */
	u32 npanels, nseries, nplaces;	/* at least 1 each */
	struct curve_place *place;
};

void curves_make(struct curves *c, const struct results *r);
void curves_free(struct curves *c);
struct curve_place *curves_at(const struct curves *c, u32 panel, u32 series, u32 place);
/* The label of a panel or series ("": there is one alone), and of a place. */
const char *curves_panel(const struct curves *c, u32 panel);
const char *curves_series(const struct curves *c, u32 series);
const char *curves_place(const struct curves *c, u32 place);
bool curves_panel_empty(const struct curves *c, u32 panel);	/* nothing was run for it */
s32 curves_find_series(const struct curves *c, const char *label);	/* -1: none */

/** struct curve_value - what is compared: a place, or its ratio to another one */
struct curve_value {
	const struct curve_place *place;
	const struct curve_place *per;	/* what it is divided by; NULL: nothing */
};

/* The mean over seeds. */
struct metric_value curves_value(const struct curves *c, struct curve_value v,
				 const struct metric *m);
/*
 * How much larger @b is than @a: with several seeds from the differences of runs that have the same
 * seed, and so the same messages; else with an interval as wide as both together.
 */
struct metric_value curves_difference(const struct curves *c, struct curve_value a,
				      struct curve_value b, const struct metric *m);
/* What an axis is called, with its unit; to be freed. */
char *curves_x_label(const struct curves *c);
char *curves_metric_label(const struct scenario_metric *m);

/* Does a metric grow without bound in a saturated network? Then its value there is none. */
bool metric_needs_steady(const struct metric *m);

#endif
