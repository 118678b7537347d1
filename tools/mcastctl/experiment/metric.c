// SPDX-License-Identifier: GPL-2.0
/* The metrics of experiments. A new one is a line here and in Documentation/scenarios.md. */
#include <string.h>

#include "base/table.h"
#include "base/words.h"
#include "experiment/metric.h"

/* The middle between the two rates that "saturate" ends with, and how far they are from it. */
static struct metric_value saturation_rate(struct json_object *run)
{
	struct json_object *steady = get_obj(run, "steady"), *saturated = get_obj(run, "saturated");
	struct metric_value v = { .half = -1 };
	double low, high;

	if (!steady || !saturated)
		return v;
	low = get_u64(steady, "rate-ppb") / 1e9;
	high = get_u64(saturated, "rate-ppb") / 1e9;
	return (struct metric_value){ .there = true, .mean = (low + high) / 2,
				      .half = (high - low) / 2 };
}

const struct metric metrics[METRICS] = {
	{ "completion", "cycles", "cycles", "multicast/completion", "mean-micro", 1e6,
	  "latency to the last destination" },
	{ "completion-max", "cycles", "cycles", "multicast/completion", "maximum", 1,
	  "largest latency to the last destination" },
	{ "completion-p99", "cycles", "cycles", "multicast/completion-quantiles", "p99", 1,
	  "99 % of multicasts complete within" },
	{ "destination", "cycles", "cycles", "multicast/mean-destination", "mean-micro", 1e6,
	  "mean latency over destinations" },
	{ "worm", "cycles", "cycles", "multicast/mean-worm", "mean-micro", 1e6,
	  "mean latency over worms" },
	{ "header", "cycles", "cycles", "multicast/header", "mean-micro", 1e6,
	  "latency of headers" },
	{ "cv-tail", "", "ratio", "multicast/cv-tail", "mean-micro", 1e6,
	  "CV of arrivals within a multicast" },
	{ "cv-header", "", "ratio", "multicast/cv-header", "mean-micro", 1e6,
	  "CV of headers' arrivals within a multicast" },
	{ "additional", "channels", "channels", "multicast/additional", "mean-micro", 1e6,
	  "additional traffic" },
	{ "traffic", "channels", "channels", "multicast", "traffic-micro", 1e6,
	  "traffic of a multicast" },
	{ "channel-cycles", "channel-cycles", "channel_cycles",
	  "multicast", "channel-cycles-micro", 1e6, "channel-cycles of a multicast" },
	{ "worms", "worms", "worms", "multicast", "worms-micro", 1e6,
	  "worms of a multicast" },
	{ "startups", "start-ups", "startups", "multicast", "startups-micro", 1e6,
	  "start-ups of a multicast" },
	{ "network-latency", "hops", "hops", "multicast/network-latency", "mean-micro", 1e6,
	  "network latency" },
	{ "predicted-completion", "cycles", "cycles",
	  "multicast/predicted-completion", "mean-micro", 1e6,
	  "latency to the last destination by the equations" },
	{ "predicted-destination", "cycles", "cycles",
	  "multicast/predicted-destination", "mean-micro", 1e6,
	  "mean latency over destinations by the equations" },
	{ "predicted-worm", "cycles", "cycles", "multicast/predicted-worm", "mean-micro", 1e6,
	  "mean latency over worms by the equations" },
	{ "unicast", "cycles", "cycles", "unicast/completion", "mean-micro", 1e6,
	  "latency of unicasts" },
	{ "unicast-p99", "cycles", "cycles", "unicast/completion-quantiles", "p99", 1,
	  "99 % of unicasts arrive within" },
	{ "unicast-max", "cycles", "cycles", "unicast/completion", "maximum", 1,
	  "largest latency of unicasts" },
	{ "offered", "flits per node and cycle", "flits_per_node_cycle", "", "offered-ppb", 1e9,
	  "offered load" },
	{ "accepted", "flits per node and cycle", "flits_per_node_cycle", "", "accepted-ppb", 1e9,
	  "accepted load" },
	{ "effective", "flits per node and cycle", "flits_per_node_cycle", "", "effective-ppb", 1e9,
	  "effective load" },
	{ "delivered", "flits per node and cycle", "flits_per_node_cycle", "", "delivered-ppb", 1e9,
	  "delivered load" },
	{ "throughput", "copies per node and cycle", "copies_per_node_cycle",
	  "", "throughput-ppb", 1e9, "throughput" },
	{ "queue", "messages", "messages", "", "queue-mean-micro", 1e6,
	  "mean length of source queues" },
	{ "utilisation", "", "ratio", "balance", "mean-ppb", 1e9,
	  "mean utilisation of channels" },
	{ "utilisation-max", "", "ratio", "balance", "maximum-ppb", 1e9,
	  "utilisation of the busiest channel" },
	{ "load-cv", "", "ratio", "balance", "cv-ppm", 1e6,
	  "CV of channel loads" },
	{ "jain", "", "ratio", "balance", "jain-ppm", 1e6,
	  "Jain's index of channel loads" },
	{ "end", "cycles", "cycles", "", "cycle", 1,
	  "cycle in which the run ended" },
	{ "saturation-rate", "messages per node and cycle", "messages_per_node_cycle",
	  NULL, NULL, 1, "rate at which the network saturates" },
};

const struct metric *metric_find(const char *name)
{
	int i = WORD_EXACT(name, metrics, METRICS);

	return i < 0 ? NULL : &metrics[i];
}

static struct json_object *at_path(struct json_object *obj, const char *path)
{
	char *copy = xstrdup(path), *rest = copy, *part;

	while (obj && (part = strsep(&rest, "/")) && *part)
		obj = get_obj(obj, part);
	free(copy);
	return obj;
}

struct metric_value metric_take(const struct metric *m, struct json_object *run,
				struct json_object *stats)
{
	struct metric_value v = { .half = -1 };
	struct json_object *obj, *value, *count;

	if (!m->path)
		return saturation_rate(run);
	obj = at_path(stats, m->path);
	value = obj ? get_obj(obj, m->key) : NULL;
	/* a class without messages has zeros */
	count = obj ? get_obj(obj, "count") : NULL;
	if (!value || (count && !json_object_get_int64(count)))
		return v;
	v.there = true;
	v.mean = json_object_get_double(value) / m->scale;
	if (!strcmp(m->key, "mean-micro") && has(obj, "half-width-micro"))
		v.half = get_u64(obj, "half-width-micro") / m->scale;
	return v;
}
