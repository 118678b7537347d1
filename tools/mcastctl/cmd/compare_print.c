// SPDX-License-Identifier: GPL-2.0
/* A comparison as tables and as JSON. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "cmd/compare.h"
#include "netlink/keyword.h"

/* "5 done", "3 done, 2 saturated"; to be freed */
static char *states_text(const struct comparison *c, u32 policy)
{
	const struct result *run = c->policy[policy].run;
	char *text = xstrdup(""), *longer;

	for (u32 k = 0; k < c->seeds; k++) {
		u32 n = 0, before = 0;

		for (u32 i = 0; i < c->seeds; i++) {
			bool equal = !strcmp(run[i].state, run[k].state);

			n += equal;
			before += equal && i < k;
		}
		if (before)
			continue;
		longer = xasprintf("%s%s%u %s", text, *text ? ", " : "", n, run[k].state);
		free(text);
		text = longer;
	}
	return text;
}

static void print_policies(const struct comparison *c)
{
	struct table t;

	printf("%u policies on %s, workload %s, ", c->n, c->fabric, c->workload);
	if (c->seeds > 1)
		printf("%u seeds from %llu on\n", c->seeds, c->seed);
	else
		printf("%s\n", strcmp(c->workload, "file") ? "one seed: no intervals" :
							     "one run each: no intervals");
	table_init(&t, "NR <POLICY <RUNS");
	for (u32 p = 0; p < c->n; p++) {
		char *states = states_text(c, p);

		table_cell(&t, "%u", p + 1);
		table_cell(&t, "%s", c->policy[p].label);
		table_cell(&t, "%s", states);
		free(states);
	}
	table_print(&t, stdout);
}

static int digits_of(const struct metric *m)
{
	return strcmp(m->column, "ratio") ? m->scale > 1e6 ? 6 : 3 : 4;
}

static void cell_half(struct table *t, double half, int digits)
{
	if (half < 0)
		table_cell(t, "-");
	else
		table_cell(t, "%.*f", digits, half);
}

static const char *best_text(const struct comparison *c, const struct compared_metric *cm,
			     u32 policy)
{
	u32 best[COMPARE_MAX], n = compare_best(c, cm, best);

	for (u32 i = 0; i < n; i++) {
		if (best[i] == policy)
			return n > 1 ? "tie" : "best";
	}
	return "-";
}

static void add_row(struct table *t, const struct comparison *c, const struct compared_metric *cm,
		    u32 policy)
{
	struct paired pair = compare_pair(c, cm, 0, policy);
	int digits = digits_of(cm->metric);
	struct student_mean mean;

	table_cell(t, "%s", policy ? "" : cm->metric->name);
	table_cell(t, "%s", policy ? "" : cm->metric->unit);
	table_cell(t, "%u %s", policy + 1, c->policy[policy].name);
	if (compare_mean(c, cm, policy, &mean)) {
		table_cell(t, "%.*f%s", digits, mean.mean, compare_sound(c, cm, policy) ? "" : "?");
		cell_half(t, mean.half, digits);
	} else {
		table_cell(t, "-");
		table_cell(t, "-");
	}
	if (!policy) {
		table_cell(t, "-");
		table_cell(t, "-");
		table_cell(t, "-");
	} else if (pair.verdict == INCOMPARABLE) {
		table_cell(t, "-");
		table_cell(t, "-");
		table_cell(t, "%s", compare_verdict(pair.verdict));
	} else {
		table_cell(t, "%+.*f", digits, pair.mean.mean);
		cell_half(t, pair.mean.half, digits);
		table_cell(t, "%s", compare_verdict(pair.verdict));
	}
	table_cell(t, "%s", best_text(c, cm, policy));
}

void compare_print_text(const struct comparison *c)
{
	struct compared_metric cm;
	bool doubt = false;
	struct table t;
	u32 at = 0;

	print_policies(c);
	table_init(&t, "<METRIC <UNIT <POLICY MEAN ±95% MINUS-1 ±95% <VERDICT <BEST");
	while (compare_metric(c, &at, &cm)) {
		for (u32 p = 0; p < c->n; p++) {
			add_row(&t, c, &cm, p);
			doubt |= !compare_sound(c, &cm, p);
		}
	}
	table_print(&t, stdout);
	puts("MINUS-1: the difference to policy 1, seed by seed");
	if (doubt)
		puts("?: NOT A STEADY STATE: not all runs were done; not compared");
}

static void add_number(struct json_object *obj, const char *name, u64 value)
{
	json_object_object_add(obj, name, json_object_new_uint64(value));
}

static void add_text(struct json_object *obj, const char *name, const char *text)
{
	json_object_object_add(obj, name, json_object_new_string(text));
}

/* A value of a metric in the unit that the name says: mean-micro, mean-ppb */
static void add_value(struct json_object *obj, const char *name, const struct metric *m,
		      double value)
{
	bool ppb = m->scale > 1e6;
	char *key = xasprintf("%s-%s", name, ppb ? "ppb" : "micro");

	json_object_object_add(obj, key, json_object_new_int64(llround(value * (ppb ? 1e9 : 1e6))));
	free(key);
}

static struct json_object *run_json(const struct comparison *c, u32 policy, u32 seed)
{
	const struct result *run = &c->policy[policy].run[seed];
	struct json_object *obj = json_object_new_object();
	struct compared_metric cm;
	u32 at = 0;

	if (strcmp(c->workload, "file"))
		add_number(obj, "seed", c->seed + seed);
	add_number(obj, "run", c->policy[policy].number[seed]);
	add_text(obj, "state", run->state);
	if (*run->why)
		add_text(obj, "why", run->why);
	if (*run->saturation)
		add_text(obj, "verdict", run->saturation);
	add_number(obj, "hash", strtoull(run->hash, NULL, 16));
	while (compare_metric(c, &at, &cm)) {
		const struct metric_value *value = &run->metric[cm.metric - metrics];

		if (value->there)
			add_value(obj, cm.metric->name, cm.metric, value->mean);
	}
	return obj;
}

static struct json_object *policy_json(const struct comparison *c, u32 policy)
{
	const struct compared *p = &c->policy[policy];
	struct json_object *obj = json_object_new_object(), *list = json_object_new_array(), *one;

	add_number(obj, "number", policy + 1);
	add_text(obj, "policy", p->name);
	if (p->fabric)
		add_text(obj, "fabric", p->fabric);
	for (u32 i = 0; i < p->params.n; i++) {
		one = json_object_new_object();
		add_text(one, "name", p->params.set[i].name);
		add_text(one, "value", p->params.set[i].value);
		json_object_array_add(list, one);
	}
	json_object_object_add(obj, "param", list);
	list = json_object_new_array();
	for (u32 k = 0; k < c->seeds; k++)
		json_object_array_add(list, run_json(c, policy, k));
	json_object_object_add(obj, "runs", list);
	return obj;
}

static struct json_object *pair_json(const struct comparison *c, const struct compared_metric *cm,
				     u32 first, u32 second)
{
	struct paired pair = compare_pair(c, cm, first, second);
	struct json_object *obj = json_object_new_object();

	add_number(obj, "first", first + 1);
	add_number(obj, "second", second + 1);
	add_text(obj, "verdict", compare_verdict(pair.verdict));
	if (pair.verdict == INCOMPARABLE)
		return obj;
	add_value(obj, "difference", cm->metric, pair.mean.mean);
	if (pair.mean.half >= 0)
		add_value(obj, "half-width", cm->metric, pair.mean.half);
	return obj;
}

static struct json_object *means_json(const struct comparison *c, const struct compared_metric *cm)
{
	struct json_object *list = json_object_new_array(), *obj;
	struct student_mean mean;

	for (u32 p = 0; p < c->n; p++) {
		obj = json_object_new_object();
		add_number(obj, "number", p + 1);
		json_object_object_add(obj, "comparable",
				       json_object_new_boolean(compare_sound(c, cm, p)));
		if (compare_mean(c, cm, p, &mean)) {
			add_value(obj, "mean", cm->metric, mean.mean);
			if (mean.half >= 0)
				add_value(obj, "half-width", cm->metric, mean.half);
		}
		json_object_array_add(list, obj);
	}
	return list;
}

static struct json_object *metric_json(const struct comparison *c,
				       const struct compared_metric *cm)
{
	struct json_object *obj = json_object_new_object(), *list = json_object_new_array();
	u32 best[COMPARE_MAX], n = compare_best(c, cm, best);

	add_text(obj, "metric", cm->metric->name);
	add_text(obj, "unit", cm->metric->unit);
	add_text(obj, "better", cm->more ? "higher" : "lower");
	json_object_object_add(obj, "means", means_json(c, cm));
	for (u32 first = 0; first < c->n; first++) {
		for (u32 second = first + 1; second < c->n; second++)
			json_object_array_add(list, pair_json(c, cm, first, second));
	}
	json_object_object_add(obj, "pairs", list);
	list = json_object_new_array();
	for (u32 i = 0; i < n; i++)
		json_object_array_add(list, json_object_new_uint64(best[i] + 1));
	json_object_object_add(obj, "best", list);
	return obj;
}

void compare_print_json(const struct comparison *c)
{
	struct json_object *obj = json_object_new_object(), *list = json_object_new_array();
	struct compared_metric cm;
	u32 at = 0;

	add_text(obj, "fabric", c->fabric);
	add_text(obj, "workload", c->workload);
	add_number(obj, "seeds", c->seeds);
	for (u32 p = 0; p < c->n; p++)
		json_object_array_add(list, policy_json(c, p));
	json_object_object_add(obj, "policies", list);
	list = json_object_new_array();
	while (compare_metric(c, &at, &cm))
		json_object_array_add(list, metric_json(c, &cm));
	json_object_object_add(obj, "metrics", list);
	json_print(obj);
}
