/* SPDX-License-Identifier: GPL-2.0 */
/* A page about scenarios: pictures, published values, claims and where the numbers are from. */
#ifndef MCASTCTL_EXPERIMENT_REPORT_H
#define MCASTCTL_EXPERIMENT_REPORT_H

#include "experiment/experiment.h"

/** enum report_format - of the page */
enum report_format {
	REPORT_HTML,		/* with its pictures inside */
	REPORT_MARKDOWN,	/* with links to the pictures of "plot" beside it */
};

/* Write FOLDER/report.html or FOLDER/report.md about @n scenarios, in their order. */
enum status report_write(struct scenario *const *scenario, u32 n, enum report_format format,
			 const struct experiment_options *o);

#endif
