// SPDX-License-Identifier: GPL-2.0
/* A picture of a deadlock that verify found, or of a cycle of waits. */
#include <stdlib.h>
#include <string.h>

#include "cmd/verify.h"
#include "draw/waits.h"
#include "lookup.h"
#include "table.h"

enum status verify_draw_begin(struct answer *a, const char *name, const char *path)
{
	struct json_object *fabric = NULL;
	enum status status = lookup_fabric(name, &fabric);

	if (!status)
		status = layout_make(fabric, "svg", path, &a->layout);
	if (!status)
		status = draw_file_open(&a->svg, "svg", path);
	json_object_put(fabric);
	return status;
}

/* What a worm of a deadlock waits for. */
static struct drawn_resource wanted_by(struct json_object *worm)
{
	struct drawn_resource r = { .place = DRAWN_ROUTER, .at = get_u64(worm, "router") };

	if (has(worm, "port")) {
		r.place = DRAWN_CHANNEL;
		r.port = get_u64(worm, "port");
	}
	return r;
}

/* What another worm waits for is what this one holds. */
static struct drawn_resource held_by(struct json_object *blocked, size_t worm)
{
	size_t n = json_object_array_length(blocked);

	for (size_t i = 0; i < n; i++)
		if (get_u64(json_object_array_get_idx(blocked, i), "holder") == worm)
			return wanted_by(json_object_array_get_idx(blocked, i));
	return wanted_by(json_object_array_get_idx(blocked, worm));
}

static void draw_blocked(const struct answer *a, struct drawn_wait *wait)
{
	for (size_t i = 0; i < json_object_array_length(a->blocked); i++) {
		struct json_object *worm = json_object_array_get_idx(a->blocked, i);

		wait[i].wanted = wanted_by(worm);
		wait[i].held = held_by(a->blocked, i);
		wait[i].text = verify_blocked_text(a->blocked, worm);
	}
}

/* A resource of a wait of the graph; @wanted: the one that is asked for. */
static struct drawn_resource resource_of(struct json_object *wait, bool wanted)
{
	const char *node = wanted ? "wanted-node" : "node";
	struct drawn_resource r = { .place = DRAWN_NODE, .at = get_u64(wait, node) };

	if (!has(wait, node)) {
		r.place = DRAWN_CHANNEL;
		r.at = get_u64(wait, wanted ? "wanted-router" : "router");
		r.port = get_u64(wait, wanted ? "wanted-port" : "port");
	}
	return r;
}

static void draw_cycle(const struct answer *a, struct drawn_wait *wait)
{
	for (size_t i = 0; i < json_object_array_length(a->waits); i++) {
		struct json_object *one = json_object_array_get_idx(a->waits, i);

		wait[i].wanted = resource_of(one, true);
		wait[i].held = resource_of(one, false);
		wait[i].text = verify_wait_text(one);
	}
}

enum status verify_draw(struct answer *a, const char *name, const char *policy)
{
	bool found = json_object_array_length(a->blocked);
	u32 n = json_object_array_length(found ? a->blocked : a->waits);
	struct drawn_wait *wait = xcalloc(n, sizeof(*wait));
	struct svg svg = { 0 };
	enum status status;
	char *title;

	if (found)
		draw_blocked(a, wait);
	else
		draw_cycle(a, wait);
	title = xasprintf("%s on %s (%s): %s", policy, name, a->layout.name,
			  found ? "a deadlock" : n ? "a cycle of waits" :
			  "proved free of deadlock");
	waits_svg(&svg, &a->layout, title, wait, n);
	status = draw_file_write(&a->svg, &svg);
	svg_free(&svg);
	free(title);
	for (u32 i = 0; i < n; i++)
		free(wait[i].text);
	free(wait);
	return status;
}
