// SPDX-License-Identifier: GPL-2.0
/*
 * Statistics as text. The attributes are fixed point with the unit in the name:
 * -ucycles and -micro are millionths, -ppm too, -ppb billionths.
 */
#include <linux/mcfab.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask/lookup.h"
#include "base/table.h"
#include "print/stats_class.h"
#include "print/stats_print.h"

static double micro(struct json_object *obj, const char *name)
{
	return json_object_get_int64(get_obj(obj, name)) / 1e6;
}

static double nano(struct json_object *obj, const char *name)
{
	return get_u64(obj, name) / 1e9;
}

/* A number with @digits behind the point, or a dash if it is not known. */
static void cell_micro(struct table *t, struct json_object *obj, const char *name, int digits)
{
	if (has(obj, name))
		table_cell(t, "%.*f", digits, micro(obj, name));
	else
		table_cell(t, "-");
}

/* A half-width, with a question mark if the batches it is from were too short. */
static void cell_half(struct table *t, struct json_object *obj, const char *name, int digits)
{
	if (has(obj, name))
		table_cell(t, "%.*f%s", digits, micro(obj, name),
			   has(obj, "correlated") ? "?" : "");
	else
		table_cell(t, "-");
}

static void cell_int(struct table *t, struct json_object *obj, const char *name)
{
	table_cell(t, "%s", has(obj, name) ? get_str(obj, name) : "-");
}

static void interval_row(struct table *t, struct json_object *class, const char *text,
			 const char *interval, const char *sample, const char *quantiles,
			 u64 cycle_ps)
{
	struct json_object *i = get_obj(class, interval), *s = get_obj(class, sample);
	struct json_object *q = get_obj(class, quantiles);

	table_cell(t, "%s", text);
	cell_micro(t, i, "mean-ucycles", 3);
	table_cell(t, "%.1f", micro(i, "mean-ucycles") * cycle_ps / 1e3);
	cell_half(t, i, "half-width-ucycles", 3);
	if (has(i, "relative-ppm"))
		table_cell(t, "%.2f %%", 100 * micro(i, "relative-ppm"));
	else
		table_cell(t, "-");
	cell_int(t, i, "observations");
	if (has(i, "lag1-ppm") && json_object_get_int64(get_obj(i, "lag1-ppm")))
		table_cell(t, "%.3f", micro(i, "lag1-ppm"));
	else
		table_cell(t, "-");
	cell_int(t, s, "minimum");
	cell_int(t, s, "maximum");
	cell_int(t, q, "p50");
	cell_int(t, q, "p99");
}

/* Means over messages of what is a property of a destination or worm. */
static void print_intervals(struct json_object *class, u64 cycle_ps)
{
	struct table t;

	table_init(&t, "<cycles mean in-ns ±95% relative observed lag-1 min max p50 p99");
	interval_row(&t, class, "  completion", "completion-interval", "completion",
		     "completion-quantiles", cycle_ps);
	interval_row(&t, class, "  mean over destinations", "destination-interval", "tail",
		     "tail-quantiles", cycle_ps);
	interval_row(&t, class, "  mean over worms", "worm-interval", "worm", "",
		     cycle_ps);
	table_print(&t, stdout);
}

static void mean_of(const char *text, struct json_object *class, const char *sample, int digits)
{
	struct json_object *s = get_obj(class, sample);

	if (!has(s, "mean-micro"))
		return;
	printf("%s%.*f", text, digits, micro(s, "mean-micro"));
	if (has(s, "half-width-micro"))
		printf(" ±%.*f%s", digits, micro(s, "half-width-micro"),
		       has(s, "correlated") ? "?" : "");
}

static void print_class(struct json_object *class, u64 cycle_ps)
{
	struct json_object *measured = get_obj(class, "measured");
	char a[32];

	if (!get_u64(measured, "messages")) {
		puts("  no message was measured");
		return;
	}
	if (get_u64(get_obj(class, "completion"), "count"))
		print_intervals(class, cycle_ps);
	else
		puts("  no message reached all of its destinations");
	if (has(get_obj(class, "predicted-worm"), "mean-micro")) {
		printf("  without contention:");
		mean_of(" completion ", class, "predicted-completion", 3);
		mean_of(",\n    mean over destinations ", class, "predicted-destination", 3);
		mean_of(", mean over worms ", class, "predicted-worm", 3);
		putchar('\n');
	}
	if (has(get_obj(class, "cv-tail"), "mean-micro")) {
		mean_of("  CV of arrivals: by header ", class, "cv-header", 4);
		mean_of(", by tail ", class, "cv-tail", 4);
		putchar('\n');
	}
	if (has(class, "traffic-micro")) {
		printf("  per message: worms %.3f, start-ups %.3f, channel-cycles %.1f,\n",
		       micro(class, "worms-micro"), micro(class, "startups-micro"),
		       micro(class, "channel-cycles-micro"));
		printf("    traffic %.3f channels", micro(class, "traffic-micro"));
		mean_of(", network latency ", class, "network-latency", 3);
		mean_of(", additional ", class, "additional", 3);
		putchar('\n');
	}
	printf("  measured: %s messages",
	       group_digits(a, sizeof(a), get_u64(measured, "messages")));
	if (get_u64(measured, "incomplete"))
		printf(", %s of them INCOMPLETE", get_str(measured, "incomplete"));
	printf(", %s deliveries\n", group_digits(a, sizeof(a), get_u64(measured, "deliveries")));
}

/* Is the interval of any latency from batches that are too short for it? */
static bool is_correlated(struct json_object *stats)
{
	static const char *const intervals[] = {
		"completion-interval", "destination-interval", "worm-interval",
	};
	struct stats_class class[MCFAB_MAX_TRAFFIC_CLASSES];
	u32 n = stats_classes(stats, class);

	for (u32 i = 0; i < n; i++)
		for (size_t k = 0; k < ARRAY_SIZE(intervals); k++)
			if (has(get_obj(class[i].stats, intervals[k]), "correlated"))
				return true;
	return false;
}

/* Had a source sent all before the window began, which has less of a load for that? */
static bool is_late(struct json_object *stats)
{
	return has(stats, "exhausted") && has(stats, "window-start") &&
	       get_u64(stats, "exhausted") <= get_u64(stats, "window-start");
}

/* A run that ended before it measured has no window. */
static bool never_began(struct json_object *stats)
{
	return has(stats, "batches") && !has(stats, "window-start") &&
	       strcmp(get_str(stats, "state"), "running");
}

/* What is to be doubted of the means; NULL: nothing. */
static const char *doubt(struct json_object *stats)
{
	if (never_began(stats))
		return "no window: the run ended before one began";
	if (is_late(stats))
		return "NOT THE LOAD asked for: a source had sent its count, or the list had ended";
	if (has(stats, "unsettled"))
		return "NOT SETTLED: no end of the transient was found";
	return NULL;
}

static void print_window(struct json_object *stats)
{
	const char *why = doubt(stats);

	if (never_began(stats))
		puts(why);
	if (!has(stats, "window-start"))
		return;
	printf("window: from cycle %s", get_str(stats, "window-start"));
	if (has(stats, "window-end"))
		printf(" to %s", get_str(stats, "window-end"));
	if (get_u64(stats, "batches"))
		printf(", intervals from %s batches of %s cycles", get_str(stats, "batches"),
		       get_str(stats, "batch-cycles"));
	printf("%s%s\n", why ? ", " : "", why ? why : "");
	if (is_correlated(stats))
		puts("  ±?: the batches are CORRELATED: the interval may be too narrow");
}

static void print_lower_bound(struct json_object *stats)
{
	if (has(stats, "lower-bound"))
		puts("LOWER BOUNDS: means of latencies and queues would grow in a longer run");
}

/* Is the run a measure of the network? */
static void print_verdict(struct json_object *stats)
{
	struct json_object *sat = get_obj(stats, "saturation");

	if (has(stats, "exhausted"))
		printf("WARNING: a source's count or the list ended at cycle %s: %s\n",
		       get_str(stats, "exhausted"),
		       is_late(stats) || never_began(stats) ?
		       "that is before the window began" : "the window ends there");
	if (has(sat, "parts"))
		printf("saturation: %s; in each of %s parts of the window %.1f messages were\n"
		       "  generated, and %.3f %s completed (threshold %.3f)\n",
		       get_str(sat, "verdict"), get_str(sat, "parts"),
		       micro(sat, "generated-micro"), fabs(micro(sat, "growth-micro")),
		       micro(sat, "growth-micro") < 0 ? "more" : "fewer",
		       micro(sat, "threshold-micro"));
	else if (sat && is_late(stats))
		puts("saturation: unknown, the window has less of a load than was asked for");
	else if (sat && never_began(stats))
		puts("saturation: unknown, there was no window");
	else if (sat && !strcmp(get_str(stats, "state"), "done"))
		puts("saturation: unknown, the window is too short for a verdict");
	else if (sat)
		printf("saturation: unknown, the run was %s\n", get_str(stats, "state"));
	print_lower_bound(stats);
}

static void print_load(struct json_object *stats)
{
	struct json_object *balance = get_obj(stats, "balance");

	if (has(stats, "offered-ppb"))
		printf("load in flits per node and cycle: offered %.6f, accepted %.6f,\n"
		       "  effective %.6f, delivered %.6f (throughput %.6f copies)\n",
		       nano(stats, "offered-ppb"), nano(stats, "accepted-ppb"),
		       nano(stats, "effective-ppb"), nano(stats, "delivered-ppb"),
		       nano(stats, "throughput-ppb"));
	if (has(stats, "queue-mean-micro"))
		printf("source queues: mean %.6f messages, longest %s,\n"
		       "  %.6f wait for an injection channel\n", micro(stats, "queue-mean-micro"),
		       has(stats, "queue-maximum") ? get_str(stats, "queue-maximum") : "not seen",
		       micro(stats, "queue-injection-micro"));
	if (!has(balance, "channels"))
		return;
	printf("channels: %s of %s used, utilisation mean %.5f, maximum %.5f\n",
	       get_str(balance, "used"), get_str(balance, "channels"), nano(balance, "mean-ppb"),
	       nano(balance, "maximum-ppb"));
	printf("  (channel %s), maximum/mean %.3f, CV %.4f, Jain %.4f\n",
	       get_str(balance, "busiest"), micro(balance, "maximum-to-mean-micro"),
	       micro(balance, "cv-ppm"), micro(balance, "jain-ppm"));
}

/* Copies by reason, then what dead links and recovery did that is no copy. */
static void print_dropped(struct json_object *dropped)
{
	const char *before = "\ndropped copies: ";

	json_object_object_foreach(dropped, reason, count) {
		if (!strcmp(reason, "unreachable") || !strcmp(reason, "aborted") ||
		    !strcmp(reason, "recovered"))
			continue;
		printf("%s%s %s", before, json_object_get_string(count), reason);
		before = ", ";
	}
	before = "\ndead links: ";
	if (has(dropped, "aborted")) {
		printf("%s%s worm%s aborted", before, get_str(dropped, "aborted"),
		       get_u64(dropped, "aborted") == 1 ? "" : "s");
		before = ", ";
	}
	if (has(dropped, "unreachable"))
		printf("%s%s destination%s left out", before, get_str(dropped, "unreachable"),
		       get_u64(dropped, "unreachable") == 1 ? "" : "s");
	if (has(dropped, "recovered"))
		printf("\ndeadlocks: %s worm%s aborted", get_str(dropped, "recovered"),
		       get_u64(dropped, "recovered") == 1 ? "" : "s");
}

/** stats_print_counts() - what runs and their statistics have in common */
void stats_print_counts(struct json_object *obj)
{
	char a[32], b[32], c[32];

	if (!strcmp(get_str(obj, "state"), "idle")) {
		printf("%s: %s\n", get_str(obj, "fabric"),
		       get_u64(obj, "run") ? "statistics were cleared" : "no run yet");
		return;
	}
	printf("run %s on %s: %s", get_str(obj, "run"), get_str(obj, "fabric"),
	       get_str(obj, "state"));
	if (*get_str(obj, "policy"))
		printf(", policy %s", get_str(obj, "policy"));
	if (*get_str(obj, "why") && strcmp(get_str(obj, "why"), get_str(obj, "state")))
		printf(" (%s)", get_str(obj, "why"));
	printf("\n%s messages, %s deliveries, %s flit-hops, %.2f s",
	       group_digits(a, sizeof(a), get_u64(obj, "messages")),
	       group_digits(b, sizeof(b), get_u64(obj, "deliveries")),
	       group_digits(c, sizeof(c), get_u64(obj, "flit-hops")),
	       get_u64(obj, "wall-ns") / 1e9);
	if (get_u64(obj, "stalls"))
		printf(", %s stalls", get_str(obj, "stalls"));
	if (has(obj, "dropped"))
		print_dropped(get_obj(obj, "dropped"));
	if (has(obj, "hash"))
		printf("\nend at cycle %s, hash %016llx", get_str(obj, "cycle"),
		       get_u64(obj, "hash"));
	else if (has(obj, "cycle"))
		printf("\nat cycle %s", get_str(obj, "cycle"));
	putchar('\n');
	if (has(obj, "mode"))
		printf("mode %s%s%s%s\n", get_str(obj, "mode"), has(obj, "mode-why") ? " (" : "",
		       has(obj, "mode-why") ? get_str(obj, "mode-why") : "",
		       has(obj, "mode-why") ? ")" : "");
}

/* memory of network interfaces */
static void print_ni(struct json_object *ni)
{
	if (!ni)
		return;
	printf("network interfaces: %s packets sent on, at most %s held at once, ",
	       get_str(ni, "packets"), get_str(ni, "peak"));
	printf("%.1f cycles each, at most %s\n", get_u64(ni, "residence-micro") / 1e6,
	       get_str(ni, "residence-maximum"));
}

/* how far deliveries to ports came behind the pace of the run */
static void print_slip(struct json_object *slip)
{
	u64 deliveries = slip ? get_u64(slip, "deliveries") : 0, late;

	if (!deliveries)
		return;
	late = get_u64(slip, "late");
	printf("behind its pace: mean %.1f us, at most %.1f us; ",
	       get_u64(slip, "mean-ns") / 1e3, get_u64(slip, "maximum-ns") / 1e3);
	printf("%.3g %% of %llu came more than %g us late%s\n",
	       100.0 * late / deliveries, (unsigned long long)deliveries,
	       get_u64(slip, "limit-ns") / 1e3, late ? ": the run did not keep its pace" : "");
}

/* What a class of traffic offered, and what came of it. */
static void print_traffic(struct json_object *traffic)
{
	printf("class %s:\n", get_str(traffic, "name"));
	if (!has(traffic, "load"))
		return;
	printf("  load in flits per node and cycle: offered %.6f, accepted %.6f,\n"
	       "    effective %.6f, delivered %.6f\n", get_u64(traffic, "offered-ppb") / 1e9,
	       get_u64(traffic, "accepted-ppb") / 1e9, get_u64(traffic, "effective-ppb") / 1e9,
	       get_u64(traffic, "delivered-ppb") / 1e9);
}

static void print_body(struct json_object *stats)
{
	struct stats_class class[MCFAB_MAX_TRAFFIC_CLASSES];
	u32 n = stats_classes(stats, class);

	for (u32 i = 0; i < n; i++) {
		if (class[i].traffic)
			print_traffic(class[i].traffic);
		else if (n > 1)
			printf("%ss:\n", class[i].name);
		print_class(class[i].stats, get_u64(stats, "cycle-ps"));
	}
	print_window(stats);
	print_load(stats);
	print_verdict(stats);
	print_ni(get_obj(stats, "ni"));
	print_slip(get_obj(stats, "slip"));
	if (get_u64(stats, "bad-parts") || get_u64(stats, "bad-messages"))
		printf("BUG: bad parts of %s deliveries, contradictions in %s messages\n",
		       get_str(stats, "bad-parts"), get_str(stats, "bad-messages"));
}

void stats_print(struct json_object *stats)
{
	stats_print_counts(stats);
	if (strcmp(get_str(stats, "state"), "idle"))
		print_body(stats);
}

void stats_print_summary(const char *fabric)
{
	struct json_object *stats = ask_quietly(MCFAB_CMD_STATS_GET, MCFAB_A_STATS_FABRIC, fabric);

	if (stats)
		print_body(stats);
	json_object_put(stats);
}

static void print_samples(struct json_object *class)
{
	static const struct {
		const char *name;
		double unit;		/* of minimum and maximum */
	} samples[] = {
		{ "tail", 1 }, { "header", 1 }, { "completion", 1 }, { "worm", 1 },
		{ "mean-destination", 1e6 }, { "mean-worm", 1e6 },
		{ "cv-header", 1e6 }, { "cv-tail", 1e6 }, { "additional", 1 },
	};
	struct table t;

	table_init(&t, "<sample count mean deviation ±95% minimum maximum");
	for (size_t i = 0; i < ARRAY_SIZE(samples); i++) {
		struct json_object *s = get_obj(class, samples[i].name);
		int digits = samples[i].unit > 1 ? 4 : 0;

		if (!s)
			continue;
		table_cell(&t, "  %s", samples[i].name);
		cell_int(&t, s, "count");
		cell_micro(&t, s, "mean-micro", 4);
		cell_micro(&t, s, "deviation-micro", 4);
		cell_half(&t, s, "half-width-micro", 4);
		if (has(s, "minimum")) {
			table_cell(&t, "%.*f", digits,
				   json_object_get_int64(get_obj(s, "minimum")) / samples[i].unit);
			table_cell(&t, "%.*f", digits,
				   json_object_get_int64(get_obj(s, "maximum")) / samples[i].unit);
		} else {
			table_cell(&t, "-");
			table_cell(&t, "-");
		}
	}
	table_print(&t, stdout);
}

static void print_quantiles(struct json_object *class)
{
	static const char *const names[] = { "tail", "completion" };
	static const char *const points[] = { "p50", "p90", "p95", "p99" };
	struct table t;

	table_init(&t, "<quantiles p50 p90 p95 p99");
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		char *key = xasprintf("%s-quantiles", names[i]);
		struct json_object *q = get_obj(class, key);

		free(key);
		table_cell(&t, "  %s", names[i]);
		for (size_t k = 0; k < ARRAY_SIZE(points); k++)
			cell_int(&t, q, points[k]);
	}
	table_print(&t, stdout);
}

/* Where the cycles of the tails went, as means and shares. */
static void print_parts(struct json_object *class)
{
	struct json_object *parts = get_obj(class, "parts"), *tail = get_obj(class, "tail");
	u64 count = get_u64(tail, "count"), all = 0;
	struct table t;

	if (!parts || !count)
		return;
	json_object_object_foreach(parts, name, value) {
		(void)name;
		all += json_object_get_uint64(value);
	}
	table_init(&t, "<parts mean share");
	json_object_object_foreach(parts, key, sum) {
		u64 cycles = json_object_get_uint64(sum);

		table_cell(&t, "  %s", key);
		table_cell(&t, "%.4f", (double)cycles / count);
		table_cell(&t, "%.2f %%", all ? 100.0 * cycles / all : 0);
	}
	table_print(&t, stdout);
}

void stats_print_latency(struct json_object *stats)
{
	struct stats_class class[MCFAB_MAX_TRAFFIC_CLASSES];
	u32 n = stats_classes(stats, class);

	stats_print_counts(stats);
	for (u32 i = 0; i < n; i++) {
		printf("%s%s latency, in cycles:\n", class[i].traffic ? "class " : "",
		       class[i].name);
		print_samples(class[i].stats);
		print_quantiles(class[i].stats);
		print_parts(class[i].stats);
	}
	print_lower_bound(stats);
	if (doubt(stats))
		puts(doubt(stats));
}
