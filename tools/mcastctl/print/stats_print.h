/* SPDX-License-Identifier: GPL-2.0 */
/* Statistics as text. */
#ifndef MCASTCTL_STATS_PRINT_H
#define MCASTCTL_STATS_PRINT_H

#include <json-c/json.h>

/* Everything of one screen: what "stats show NAME" and the end of a run print. */
void stats_print(struct json_object *stats);
/* The same, asked for by name; nothing if there are none. */
void stats_print_summary(const char *fabric);
/* The head of both, for runs and statistics. */
void stats_print_counts(struct json_object *obj);
/* Every latency with its moments, quantiles and parts. */
void stats_print_latency(struct json_object *stats);

#endif
