// SPDX-License-Identifier: GPL-2.0
/*
 * Statistics as OpenMetrics text (openmetrics.io, version 1.0). Each run has series of its own, as
 * the label "run" tells runs apart: so counters never go back. Units are in the names.
 */
#include <linux/mcfab.h>
#include <stdio.h>
#include <string.h>

#include "ask/lookup.h"
#include "base/table.h"
#include "print/openmetrics.h"
#include "print/stats_class.h"

/** struct sample - what all samples of a run have in common */
struct sample {
	const char *family;	/* name of the metric */
	const char *fabric;
	const char *run;
};

/* A label's value: quotes, backslashes and ends of lines are escaped. */
static void put_value(const char *s)
{
	putchar('"');
	for (; *s; s++) {
		if (*s == '\n') {
			fputs("\\n", stdout);
			continue;
		}
		if (*s == '"' || *s == '\\')
			putchar('\\');
		putchar(*s);
	}
	putchar('"');
}

static void put_label(const char *name, const char *value)
{
	printf(",%s=", name);
	put_value(value);
}

/* A new metric. @unit: NULL, or the end of its name. */
static struct sample family(struct json_object *stats, const char *name, const char *type,
			    const char *unit, const char *help)
{
	printf("# TYPE mcfab_%s %s\n", name, type);
	if (unit)
		printf("# UNIT mcfab_%s %s\n", name, unit);
	printf("# HELP mcfab_%s %s\n", name, help);
	return (struct sample){ name, get_str(stats, "fabric"), get_str(stats, "run") };
}

/* The name of a sample and its first labels. @suffix: "_total" and the like. */
static void begin(const struct sample *s, const char *suffix)
{
	printf("mcfab_%s%s{fabric=", s->family, suffix);
	put_value(s->fabric);
	put_label("run", s->run);
}

static void end_count(u64 value)
{
	printf("} %llu\n", (unsigned long long)value);
}

static void end_number(double value)
{
	printf("} %.9g\n", value);
}

static void counter(struct json_object *stats, const char *name, const char *key, const char *unit,
		    const char *help)
{
	struct sample s = family(stats, name, "counter", unit, help);

	begin(&s, "_total");
	end_count(get_u64(stats, key));
}

static void put_state(struct json_object *stats)
{
	struct sample s = family(stats, "run_state", "gauge", NULL, "The run is in this state");

	begin(&s, "");
	put_label("state", get_str(stats, "state"));
	put_label("policy", get_str(stats, "policy"));
	end_count(1);
}

/* One sample for each of several attributes of the answer. */
static void put_kinds(struct json_object *stats, const struct sample *s, const char *const *key,
		      const char *const *kind, u32 n, double unit)
{
	for (u32 i = 0; i < n; i++) {
		if (!has(stats, key[i]))
			continue;
		begin(s, "");
		put_label("kind", kind[i]);
		end_number(get_u64(stats, key[i]) / unit);
	}
}

static void put_loads(struct json_object *stats)
{
	static const char *const load[] = { "offered-ppb", "accepted-ppb", "effective-ppb",
					    "delivered-ppb" };
	static const char *const loads[] = { "offered", "accepted", "effective", "delivered" };
	static const char *const queue[] = { "queue-mean-micro", "queue-injection-micro" };
	static const char *const queues[] = { "mean", "mean_for_injection" };
	struct sample s = family(stats, "load_flits_per_node_cycle", "gauge", NULL,
				 "Load in the measuring window");

	put_kinds(stats, &s, load, loads, ARRAY_SIZE(load), 1e9);
	s = family(stats, "source_queue_messages", "gauge", "messages",
		   "Messages that wait at their sources");
	put_kinds(stats, &s, queue, queues, ARRAY_SIZE(queue), 1e6);
	if (!has(stats, "queue-maximum"))
		return;
	begin(&s, "");
	put_label("kind", "longest");
	end_count(get_u64(stats, "queue-maximum"));
}

static void latency_labels(const struct sample *s, const char *suffix, const char *class,
			   const char *of)
{
	begin(s, suffix);
	put_label("class", class);
	put_label("of", of);
}

/* @moments: count and sum; @quantiles: p50 and so on */
static void put_latency(const struct sample *s, struct json_object *class, const char *name,
			const char *of, const char *moments, const char *quantiles)
{
	struct json_object *m = get_obj(class, moments), *q = get_obj(class, quantiles);
	static const char *const key[] = { "p50", "p90", "p95", "p99" };
	static const char *const share[] = { "0.5", "0.9", "0.95", "0.99" };

	if (!m || !get_u64(m, "count"))
		return;
	for (u32 i = 0; q && i < ARRAY_SIZE(key); i++) {
		if (!has(q, key[i]))
			continue;
		latency_labels(s, "", name, of);
		put_label("quantile", share[i]);
		end_count(get_u64(q, key[i]));
	}
	latency_labels(s, "_count", name, of);
	end_count(get_u64(m, "count"));
	latency_labels(s, "_sum", name, of);
	end_count(get_u64(m, "sum"));
}

static void put_latencies(struct json_object *stats)
{
	struct sample s = family(stats, "latency_cycles", "summary", "cycles",
				 "Latency from generation, in the measuring window");
	struct stats_class class[MCFAB_MAX_TRAFFIC_CLASSES];
	u32 n = stats_classes(stats, class);

	for (u32 i = 0; i < n; i++) {
		put_latency(&s, class[i].stats, class[i].name, "completion", "completion",
			    "completion-quantiles");
		put_latency(&s, class[i].stats, class[i].name, "delivery", "tail",
			    "tail-quantiles");
	}
}

static void put_channels(struct json_object *stats, struct json_object *list, const char *name,
			 const char *key, const char *unit, const char *help)
{
	struct sample s = family(stats, name, "counter", unit, help);

	for (size_t i = 0; i < json_object_array_length(list); i++) {
		struct json_object *channel = json_object_array_get_idx(list, i);

		begin(&s, "_total");
		put_label("channel", get_str(channel, "channel"));
		put_label("router", get_str(channel, "from"));
		put_label("port", get_str(channel, "port"));
		put_label("to", get_str(channel, "to"));
		end_count(get_u64(channel, key));
	}
}

enum status openmetrics_show(const char *fabric)
{
	struct json_object *stats = NULL, *list = NULL;
	enum status status;

	status = ask_one(MCFAB_CMD_STATS_GET, MCFAB_A_STATS_FABRIC, "fabric", fabric, &stats);
	if (!status && !has(stats, "policy"))
		status = refused("fabric %s has had no run", fabric);
	if (!status)
		status = ask_all_of(MCFAB_CMD_LINK_GET, MCFAB_A_LINK_FABRIC, fabric, &list);
	if (!status) {
		put_state(stats);
		counter(stats, "simulated_cycles", "cycle", "cycles", "Simulated time");
		counter(stats, "messages", "messages", "messages", "Complete messages");
		counter(stats, "deliveries", "deliveries", "deliveries", "Copies delivered");
		counter(stats, "flit_hops", "flit-hops", "hops",
			"Flits that crossed a network channel");
		put_loads(stats);
		put_latencies(stats);
		put_channels(stats, list, "link_flits", "flits", "flits",
			     "Flits that crossed the channel in the measuring window");
		put_channels(stats, list, "link_wait_cycles", "wait-cycles", "cycles",
			     "Cycles that headers waited for the channel, likewise");
		puts("# EOF");
	}
	json_object_put(list);
	json_object_put(stats);
	return status;
}
