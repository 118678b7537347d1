/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages with one delivery. The tail of the delivery is the message's completion and each of its
 * means, nothing varies, and all such messages of a run are of one class. So they are summed up
 * apart, and added to the numbers of their class many at a time.
 */
#ifndef MCFAB_STATS_SINGLE_H
#define MCFAB_STATS_SINGLE_H

#include "stats/moments.h"
#include "stats/totals.h"

struct mcfab_delivery;
struct mcfab_message;
struct mcfab_stats;

/**
 * struct mcfab_singles - messages with one delivery that are not in their class yet
 * @totals: their costs; @totals.messages is also the number of destinations and deliveries
 * @header: cycles to the header, of measured messages like all fields below
 * @tail: cycles to the tail
 * @additional: traffic less destinations
 */
struct mcfab_singles {
	struct mcfab_totals totals;
	struct mcfab_moments header;
	struct mcfab_moments tail;
	struct mcfab_moments additional;
};

bool mcfab_single_take(struct mcfab_stats *st, const struct mcfab_message *msg,
		       const struct mcfab_delivery *d);

#endif
