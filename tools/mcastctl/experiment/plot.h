/* SPDX-License-Identifier: GPL-2.0 */
/* Curves as pictures: one for each metric of a scenario, with its panels side by side. */
#ifndef MCASTCTL_EXPERIMENT_PLOT_H
#define MCASTCTL_EXPERIMENT_PLOT_H

#include "experiment/curves.h"
#include "experiment/gnuplot.h"

/* FOLDER/NAME.svg, or FOLDER/NAME.METRIC.svg if there are several metrics; to be freed. */
char *plot_path(const struct scenario *s, const char *folder, u32 metric,
		enum picture_format format);

/* Draw metric number @metric of the scenario. */
enum status plot_metric(const struct curves *c, u32 metric, enum picture_format format,
			const char *path);

#endif
