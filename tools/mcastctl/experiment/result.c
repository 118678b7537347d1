// SPDX-License-Identifier: GPL-2.0
/* The result of a point: made from a run's statistics, turned into JSON and read again. */
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/options.h"
#include "base/table.h"
#include "experiment/results.h"
#include "netlink/keyword.h"

void results_init(struct results *r, const struct scenario *s, bool quick, u32 shard, u32 shards)
{
	struct utsname name;

	*r = (struct results){ .s = s, .quick = quick, .shard = shard, .shards = shards };
	r->n = scenario_points(s, quick);
	r->point = xcalloc(r->n, sizeof(*r->point));
	r->version = xstrdup(VERSION);
	r->engine = xstrdup(options.user ? "user" : "kernel");
	r->kernel = uname(&name) ? xstrdup("unknown") :
		    xasprintf("%s %s %s", name.sysname, name.release, name.machine);
}

void result_free(struct result *result)
{
	free(result->state);
	free(result->why);
	free(result->saturation);
	free(result->hash);
}

void results_free(struct results *r)
{
	for (u32 i = 0; i < r->n; i++)
		result_free(&r->point[i]);
	free(r->point);
	free(r->version);
	free(r->engine);
	free(r->kernel);
}

bool results_mine(const struct results *r, u32 point)
{
	return point % r->shards == r->shard - 1;
}

u32 results_there(const struct results *r)
{
	u32 there = 0;

	for (u32 i = 0; i < r->n; i++)
		there += r->point[i].there;
	return there;
}

u32 results_missing(const struct results *r)
{
	u32 missing = 0;

	for (u32 i = 0; i < r->n; i++)
		missing += results_mine(r, i) && !r->point[i].there;
	return missing;
}

static void set(struct result *result, const char *state, const char *why, const char *saturation,
		char *hash)
{
	result->there = true;
	result->state = xstrdup(state);
	result->why = xstrdup(why);
	result->saturation = xstrdup(saturation);
	result->hash = hash;
}

void result_set_refused(struct result *result, const char *why)
{
	set(result, "refused", why, "", xstrdup(""));
}

void result_take(struct result *result, struct json_object *run, struct json_object *stats)
{
	struct json_object *steady = get_obj(run, "steady"), *last = steady ? steady : run;

	set(result, get_str(last, "state"), get_str(last, "why"),
	    stats ? get_str(get_obj(stats, "saturation"), "verdict") : "",
	    xasprintf("%016llx", get_u64(last, "hash")));
	for (u32 i = 0; i < METRICS && stats; i++)
		result->metric[i] = metric_take(&metrics[i], run, stats);
}

struct json_object *result_number(double value)
{
	char text[32];

	snprintf(text, sizeof(text), "%.12g", value);
	return json_object_new_double_s(value, text);
}

static struct json_object *metrics_json(const struct result *result)
{
	struct json_object *all = json_object_new_object(), *one;

	for (u32 i = 0; i < METRICS; i++) {
		if (!result->metric[i].there)
			continue;
		one = json_object_new_object();
		json_object_object_add(one, "mean", result_number(result->metric[i].mean));
		if (result->metric[i].half >= 0)
			json_object_object_add(one, "half", result_number(result->metric[i].half));
		json_object_object_add(all, metrics[i].name, one);
	}
	return all;
}

static void add_text(struct json_object *obj, const char *name, const char *text)
{
	json_object_object_add(obj, name, json_object_new_string(text));
}

struct json_object *result_json(const struct results *r, u32 nr)
{
	struct json_object *obj = json_object_new_object(), *values = json_object_new_object();
	struct scenario_point p = scenario_point(r->s, r->quick, nr);
	const struct result *result = &r->point[nr];

	json_object_object_add(obj, "point", json_object_new_int64(nr));
	for (u32 i = 0; i < r->s->nvars; i++) {
		if (r->s->var[i].swept)
			add_text(values, r->s->var[i].name,
				 r->s->var[i].value[p.value[i]].label);
	}
	json_object_object_add(obj, "values", values);
	json_object_object_add(obj, "seed", json_object_new_int64(p.seed));
	add_text(obj, "state", result->state);
	if (*result->why)
		add_text(obj, "why", result->why);
	if (*result->saturation)
		add_text(obj, "saturation", result->saturation);
	if (*result->hash)
		add_text(obj, "hash", result->hash);
	json_object_object_add(obj, "metrics", metrics_json(result));
	return obj;
}

enum status result_read(struct results *r, struct json_object *obj, u32 *nr)
{
	struct json_object *all = get_obj(obj, "metrics"), *one;
	struct result *result;

	if (!has(obj, "point") || !has(obj, "state") || !all || get_u64(obj, "point") >= r->n)
		return usage("this is no point of the scenario");
	*nr = get_u64(obj, "point");
	result = &r->point[*nr];
	if (result->there)
		return STATUS_OK;
	set(result, get_str(obj, "state"), get_str(obj, "why"), get_str(obj, "saturation"),
	    xstrdup(get_str(obj, "hash")));
	for (u32 i = 0; i < METRICS; i++) {
		one = get_obj(all, metrics[i].name);
		if (!one)
			continue;
		result->metric[i].there = true;
		result->metric[i].mean = json_object_get_double(get_obj(one, "mean"));
		result->metric[i].half = has(one, "half") ?
					 json_object_get_double(get_obj(one, "half")) : -1;
	}
	return STATUS_OK;
}
