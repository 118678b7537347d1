// SPDX-License-Identifier: GPL-2.0
/* Classes of traffic in a run. */
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>

#include "ask/lookup.h"
#include "classes.h"
#include "netlink/keyword.h"
#include "run_start.h"

/* Keywords of a run that are also those of a class; the share is a class's own. */
static const u32 of_run[] = {
	RUN_WORKLOAD, RUN_COUNT, RUN_DESTS, RUN_GROUP, RUN_SET, RUN_RADIUS, RUN_PATTERN, RUN_SELF,
	RUN_HOTSPOTS, RUN_HOTSPOT_WEIGHTS, RUN_HOTSPOT_SHARE, RUN_SOURCE, RUN_RATE, RUN_ALPHA,
	RUN_BETA, RUN_R1, RUN_MULTICAST_FRACTION, RUN_INTERVAL, RUN_NETWORK, RUN_SEED, RUN_LENGTHS,
	RUN_WEIGHTS,
};

enum { CLASS_SHARE = ARRAY_SIZE(of_run), CLASS_KEYS };

static u32 place_of(u32 run_key)
{
	u32 i = 0;

	while (of_run[i] != run_key)
		i++;
	return i;
}

/** class_grammar() - the keywords of a class: those of a run, and the share */
const struct grammar *class_grammar(void)
{
	static struct keyword key[CLASS_KEYS] = {
		[CLASS_SHARE] = { .name = "share", .type = KEY_DECIMAL,
				  .attr = MCFAB_A_RUN_SHARE_PPM, .arg = "FRACTION",
				  .scale = MCFAB_PPM },
	};
	static const struct grammar grammar = {
		.key = key, .n = CLASS_KEYS, .cmd = MCFAB_CMD_RUN_START, .until = CLASS_WORD,
	};

	for (u32 i = 0; i < ARRAY_SIZE(of_run) && !key[i].name; i++) {
		key[i] = run_grammar.key[of_run[i] - RUN_FIRST];
		key[i].required = false;
		key[i].more_after = NULL;
	}
	return &grammar;
}

enum status classes_parse(struct classes *classes, struct words *w)
{
	enum status status = STATUS_OK;
	struct traffic_class *class;

	while (!status && words_next(w)) {
		classes->class = xrealloc(classes->class, classes->n + 1, sizeof(*class));
		class = &classes->class[classes->n++];
		*class = (struct traffic_class){
			.values = xcalloc(CLASS_KEYS, sizeof(*class->values)),
		};
		class->name = words_next(w);
		if (!class->name)
			return usage(CLASS_WORD ": NAME is missing");
		status = keywords_parse(w, class_grammar(), class->values);
	}
	return status;
}

static bool names_nodes(const struct traffic_class *class)
{
	return class->values[place_of(RUN_SOURCE)].given ||
	       class->values[place_of(RUN_HOTSPOTS)].given;
}

bool classes_name_nodes(const struct classes *classes)
{
	for (u32 i = 0; i < classes->n; i++) {
		if (names_nodes(&classes->class[i]))
			return true;
	}
	return false;
}

enum status classes_lookup(struct classes *classes, struct json_object *fabric)
{
	enum status status = STATUS_OK;

	for (u32 i = 0; !status && i < classes->n; i++) {
		struct traffic_class *class = &classes->class[i];

		status = run_lookup(fabric, &class->values[place_of(RUN_SOURCE)], &class->source,
				    &class->values[place_of(RUN_HOTSPOTS)], &class->hotspots);
	}
	return status;
}

void classes_put(struct nl_request *rq, const struct classes *classes)
{
	const struct grammar *outer = rq->grammar;

	for (u32 i = 0; i < classes->n; i++) {
		const struct traffic_class *class = &classes->class[i];
		struct nl_where where = nl_where(CLASS_WORD, class->name);
		size_t nest = nl_nest(rq, MCFAB_A_RUN_TRAFFIC_CLASS, where);

		nl_put_str(rq, MCFAB_A_RUN_CLASS_NAME, class->name, where);
		rq->of = class->name;
		keywords_put(rq, class_grammar(), class->values);
		run_put_nodes(rq, &class->values[place_of(RUN_SOURCE)], class->source,
			      &class->values[place_of(RUN_HOTSPOTS)], class->hotspots);
		rq->of = NULL;
		nl_nest_end(rq, nest);
	}
	rq->grammar = outer;
}

void classes_free(struct classes *classes)
{
	for (u32 i = 0; i < classes->n; i++) {
		keywords_free(class_grammar(), classes->class[i].values);
		free(classes->class[i].values);
		free(classes->class[i].hotspots);
	}
	free(classes->class);
}
