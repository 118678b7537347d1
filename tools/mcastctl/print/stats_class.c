// SPDX-License-Identifier: GPL-2.0
/* Classes of messages in statistics. */
#include "base/table.h"
#include "print/stats_class.h"

/** stats_classes() - the classes of messages that @stats has; return: how many there are */
u32 stats_classes(struct json_object *stats, struct stats_class class[MCFAB_MAX_TRAFFIC_CLASSES])
{
	static const char *const mixed[] = { "multicast", "unicast" };
	struct json_object *list = get_obj(stats, "traffic-class");
	u32 n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(mixed); i++) {
		if (!has(stats, mixed[i]))
			continue;
		class[n++] = (struct stats_class){
			.name = mixed[i], .stats = get_obj(stats, mixed[i]),
		};
	}
	for (size_t i = 0; list && i < json_object_array_length(list) &&
	     n < MCFAB_MAX_TRAFFIC_CLASSES; i++) {
		struct json_object *traffic = json_object_array_get_idx(list, i);

		class[n++] = (struct stats_class){
			.name = get_str(traffic, "name"), .stats = get_obj(traffic, "stats"),
			.traffic = traffic,
		};
	}
	return n;
}
