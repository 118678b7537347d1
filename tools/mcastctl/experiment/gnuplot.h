/* SPDX-License-Identifier: GPL-2.0 */
/* Pictures by gnuplot: a script goes in, a file comes out as a whole or not at all. */
#ifndef MCASTCTL_EXPERIMENT_GNUPLOT_H
#define MCASTCTL_EXPERIMENT_GNUPLOT_H

#include <stdio.h>

#include "base/util.h"

/** enum picture_format - of a file */
enum picture_format { PICTURE_SVG, PICTURE_PNG, PICTURE_FORMATS };

/** struct picture - what is drawn: columns and rows of panels, and a script without a terminal */
struct picture {
	u32 columns, rows;
	const char *script;
};

extern const char *const picture_suffix[PICTURE_FORMATS];

/* Have gnuplot draw a picture into a file. */
enum status gnuplot_draw(const struct picture *p, enum picture_format format, const char *path);

/* A text as a string of gnuplot, in quotes. */
void gnuplot_put_text(FILE *f, const char *text);

#endif
