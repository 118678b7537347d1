/* SPDX-License-Identifier: GPL-2.0 */
/* What the commands "experiment ..." do with one scenario. */
#ifndef MCASTCTL_EXPERIMENT_EXPERIMENT_H
#define MCASTCTL_EXPERIMENT_EXPERIMENT_H

#include "experiment/curves.h"

/** struct experiment_options - what the user asked for */
struct experiment_options {
	const char *out;	/* folder of the results */
	bool quick;		/* the quick set alone */
	bool replace;		/* forget results that are there */
	u32 jobs;		/* points at the same time; 0: as many as there are CPUs */
	u32 shard, shards;
};

/*
 * Run the points that have no result yet. What was run stays in the journal if that is
 * interrupted or fails.
 */
enum status experiment_run(const struct scenario *s, const struct experiment_options *o);

/* Put the results of all shards together; the shards' files stay. */
enum status experiment_merge(const struct scenario *s, const struct experiment_options *o);

/* Print the curves, the published values and the verdicts on claims. */
enum status experiment_show(const struct scenario *s, const struct experiment_options *o);

/* Draw a picture for each metric, as SVG and as PNG. */
enum status experiment_plot(const struct scenario *s, const struct experiment_options *o);

/*
 * Have @what look at the curves of a scenario: of the results that a folder has, in the JSON
 * file or else in the journal.
 */
enum status experiment_look(const struct scenario *s, const struct experiment_options *o,
			    enum status (*what)(const struct curves *c, const char *folder,
						void *data), void *data);

#endif
