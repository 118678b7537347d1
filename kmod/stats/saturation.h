/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Is a network saturated? It is if more was generated in the measuring window than completed, by
 * more than chance explains.
 */
#ifndef MCFAB_STATS_SATURATION_H
#define MCFAB_STATS_SATURATION_H

#include "stats/moments.h"

/** MCFAB_WINDOW_PARTS - parts of the window that are compared; even */
#define MCFAB_WINDOW_PARTS	32U

struct mcfab_load;
struct mcfab_stats;

/**
 * struct mcfab_saturation - a verdict and its numbers
 * @verdict: the verdict
 * @generated: messages generated in all parts
 * @growth: of the parts: messages generated less messages completed
 * @late: the sum of @growth over the second half of the parts
 * @threshold: bound that the mean of @growth has to exceed, in 1e-6
 */
struct mcfab_saturation {
	enum mcfab_verdict verdict;
	u64 generated;
	struct mcfab_moments growth;
	s64 late;
	u64 threshold;
};

void mcfab_saturation(const struct mcfab_load *load, u64 start, u64 end,
		      struct mcfab_saturation *out);
void mcfab_stats_saturation(const struct mcfab_stats *st, struct mcfab_saturation *out);
bool mcfab_stats_blurred(const struct mcfab_stats *st);
bool mcfab_stats_overdue(const struct mcfab_stats *st, u64 cycle);
void mcfab_stats_overtake(struct mcfab_stats *st);

#endif
