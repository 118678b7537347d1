/* SPDX-License-Identifier: GPL-2.0 */
/* Inside of reading a scenario: what is run is read in one file, what is shown in another. */
#ifndef MCASTCTL_EXPERIMENT_SCENARIO_READER_H
#define MCASTCTL_EXPERIMENT_SCENARIO_READER_H

#include <string.h>

#include "experiment/scenario.h"

/** struct reader - a scenario while it is read */
struct reader {
	struct scenario *s;
	u32 line;
	char **word;		/* the words behind the key */
	u32 n;
};

#define GROW(array, n)	((array) = xrealloc(array, (n) + 1, sizeof(*(array))), \
			 memset(&(array)[n], 0, sizeof(*(array))), &(array)[(n)++])

/* Words from @at on as one text; to be freed. */
char *scenario_join(const struct reader *r, u32 at);

enum status scenario_read_x(struct reader *r);
enum status scenario_read_series(struct reader *r);
enum status scenario_read_panel(struct reader *r);
enum status scenario_read_metric(struct reader *r);
enum status scenario_read_figure(struct reader *r);
enum status scenario_read_published(struct reader *r);
enum status scenario_read_claim(struct reader *r);
enum status scenario_read_check(struct reader *r);

/* If some panels of a metric have pictures of their own, each must have one. */
enum status scenario_check_figures(const struct scenario *s);

#endif
