/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The pictures of a scenario: those that its lines "figure" name, and one for each other metric,
 * with all panels side by side.
 */
#ifndef MCASTCTL_EXPERIMENT_PLOT_H
#define MCASTCTL_EXPERIMENT_PLOT_H

#include "experiment/curves.h"
#include "experiment/gnuplot.h"

/** struct plot_picture - one of them */
struct plot_picture {
	char *name;		/* of its file, without a suffix */
	const struct scenario_metric *metric;
	s32 panel;		/* this one alone; -1: all */
};

/* All pictures, metric by metric, without those of panels that were not run; *@n of them. */
struct plot_picture *plot_pictures(const struct curves *c, u32 *n);
void plot_pictures_free(struct plot_picture *picture, u32 n);

/* Draw a picture into a file of @folder; *@path is the file, to be freed. */
enum status plot_picture(const struct curves *c, const struct plot_picture *picture,
			 enum picture_format format, const char *folder, char **path);

#endif
