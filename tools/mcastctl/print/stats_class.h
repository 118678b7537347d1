/* SPDX-License-Identifier: GPL-2.0 */
/* Classes of messages in statistics: multicasts and unicasts, or the traffic's own classes. */
#ifndef MCASTCTL_STATS_CLASS_H
#define MCASTCTL_STATS_CLASS_H

#include <json-c/json.h>
#include <linux/mcfab.h>

#include "base/util.h"

/**
 * struct stats_class - a class of messages
 * @name: its name
 * @stats: what was measured of it
 * @traffic: a class of traffic: its name and loads; NULL: multicasts or unicasts
 */
struct stats_class {
	const char *name;
	struct json_object *stats;
	struct json_object *traffic;
};

u32 stats_classes(struct json_object *stats, struct stats_class class[MCFAB_MAX_TRAFFIC_CLASSES]);

#endif
