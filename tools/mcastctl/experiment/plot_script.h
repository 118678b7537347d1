/* SPDX-License-Identifier: GPL-2.0 */
/* What gnuplot draws: the curves of a metric. */
#ifndef MCASTCTL_EXPERIMENT_PLOT_SCRIPT_H
#define MCASTCTL_EXPERIMENT_PLOT_SCRIPT_H

#include "experiment/curves.h"
#include "experiment/gnuplot.h"

/*
 * The script of a picture, with panel number @only alone, or with all (-1); to be freed. NULL:
 * there is no memory for it.
 */
char *plot_script(const struct curves *c, const struct scenario_metric *m, s32 only,
		  struct picture *picture);

#endif
