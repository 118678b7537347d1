// SPDX-License-Identifier: GPL-2.0
/* What the search for saturation says: while it goes on, and at its end. */
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/table.h"
#include "netlink/keyword.h"
#include "saturate.h"

/* A decimal number, for people and for messages about what was sent. */
char *saturate_decimal(u64 value, u32 scale)
{
	char text[48];

	number_format(text, sizeof(text), value, scale);
	return xstrdup(text);
}

/* Least growth that a verdict tells from none, in 1e-6 of the load. */
u64 saturate_resolution(struct json_object *probe)
{
	struct json_object *sat = get_obj(probe, "saturation");
	u64 generated = get_u64(sat, "generated-micro"), least = MCFAB_PPM / 100, ppm;

	ppm = generated ? get_u64(sat, "threshold-micro") * MCFAB_PPM / generated : MCFAB_PPM;
	return ppm > least ? ppm : least;
}

bool saturate_is_blunt(const struct search *se, struct json_object *probe)
{
	u64 ppm = saturate_resolution(probe);

	return ppm > MCFAB_PPM / 100 && ppm > se->tolerance;
}

/* One line for each probe, for whoever waits at a terminal. */
void saturate_progress(const struct search *se, struct json_object *probe, enum verdict verdict)
{
	static const char *const what[] = {
		[BLUNT] = "; the window is too short to see little growth; on with a longer one",
		[CUT] = "; the run was cut; on with a lower rate",
		[SHORT] = "; the window is too short; on with a longer one",
	};
	char *rate;

	if (!isatty(STDERR_FILENO))
		return;
	rate = saturate_decimal(get_u64(probe, "rate-ppb"), MCFAB_PPB);
	fprintf(stderr, "probe %zu: rate %s, %s, accepted %.6f flits per node and cycle%s\n",
		json_object_array_length(se->probes), rate, get_str(probe, "verdict"),
		get_u64(probe, "accepted-ppb") / 1e9, what[verdict] ? what[verdict] : "");
	free(rate);
}

static void add_number(struct json_object *obj, const char *name, u64 value)
{
	json_object_object_add(obj, name, json_object_new_uint64(value));
}

static u64 distance(const struct search *se)
{
	return (se->high - se->low) * MCFAB_PPM / se->low;
}

void saturate_print_json(const struct search *se, bool found)
{
	struct json_object *obj = json_object_new_object();

	json_object_object_add(obj, "fabric", json_object_new_string(se->ask->fabric));
	add_number(obj, "tolerance-ppm", se->tolerance);
	add_number(obj, "warmup", se->ask->warmup->number);
	if (se->run)
		add_number(obj, "run", se->run);
	json_object_object_add(obj, "found", json_object_new_boolean(found));
	if (found) {
		add_number(obj, "distance-ppm", distance(se));
		add_number(obj, "resolution-ppm", saturate_resolution(se->steady));
	}
	if (se->steady)
		json_object_object_add(obj, "steady", json_object_get(se->steady));
	if (se->saturated)
		json_object_object_add(obj, "saturated", json_object_get(se->saturated));
	json_object_object_add(obj, "probes", json_object_get(se->probes));
	json_print(obj);
}

static void add_row(struct table *t, struct json_object *probe)
{
	static const char *const load[] = { "offered-ppb", "accepted-ppb", "effective-ppb",
		"delivered-ppb" };
	char *rate = saturate_decimal(get_u64(probe, "rate-ppb"), MCFAB_PPB);

	table_cell(t, "%s", get_str(probe, "verdict"));
	table_cell(t, "%s", rate);
	for (size_t i = 0; i < ARRAY_SIZE(load); i++)
		table_cell(t, "%.6f", get_u64(probe, load[i]) / 1e9);
	free(rate);
}

void saturate_print_text(const struct search *se)
{
	char *high = saturate_decimal(se->high, MCFAB_PPB);
	char *low = saturate_decimal(se->low, MCFAB_PPB);
	char *tolerance = saturate_decimal(se->tolerance, MCFAB_PPM / 100);
	struct table t;

	printf("saturation between %s and %s messages per node and cycle\n", low, high);
	table_init(&t, "<VERDICT RATE OFFERED ACCEPTED EFFECTIVE DELIVERED");
	add_row(&t, se->steady);
	add_row(&t, se->saturated);
	table_print(&t, stdout);
	printf("loads in flits per node and cycle; rates %.2f %% apart (tolerance %s %%)\n",
	       distance(se) / 1e4, tolerance);
	printf("%zu probes; window of %s cycles from cycle %llu, where growth below %.2f %%\n"
	       "  of the load is not seen\n",
	       json_object_array_length(se->probes), get_str(se->steady, "window"),
	       se->ask->warmup->number, saturate_resolution(se->steady) / 1e4);
	if (saturate_is_blunt(se, se->steady))
		puts("WARNING: that is above the tolerance; use more batches or batch-cycles");
	printf("run %llu on %s is the one at the steady rate: \"stats show %s\"\n",
	       se->run, se->ask->fabric, se->ask->fabric);
	free(low);
	free(high);
	free(tolerance);
}

/* How far a search got that did not end. */
void saturate_print_partly(const struct search *se)
{
	char *high = saturate_decimal(se->high, MCFAB_PPB);
	char *low = saturate_decimal(se->low, MCFAB_PPB);
	size_t n = json_object_array_length(se->probes);

	if (!n)
		return;
	fprintf(stderr, "after %zu probe%s: ", n, n > 1 ? "s" : "");
	if (se->low)
		fprintf(stderr, "steady at rate %s, ", low);
	if (se->high)
		fprintf(stderr, "saturated at rate %s\n", high);
	else
		fprintf(stderr, "%s\n", se->low ? "none known as saturated" : "nothing known");
	free(low);
	free(high);
}

