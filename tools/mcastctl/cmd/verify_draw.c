// SPDX-License-Identifier: GPL-2.0
/* A picture of a deadlock that verify found, or of a cycle of waits. */
#include <stdlib.h>
#include <string.h>

#include "ask/lookup.h"
#include "base/table.h"
#include "cmd/deadlock.h"
#include "cmd/verify.h"

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

static void draw_cycle(const struct answer *a, struct svg *s, const char *title)
{
	u32 n = json_object_array_length(a->waits);
	struct drawn_wait *wait = xcalloc(n, sizeof(*wait));

	for (u32 i = 0; i < n; i++) {
		struct json_object *one = json_object_array_get_idx(a->waits, i);

		wait[i].wanted = resource_of(one, true);
		wait[i].held = xcalloc(1, sizeof(*wait[i].held));
		wait[i].held[0] = resource_of(one, false);
		wait[i].nheld = 1;
		wait[i].text = verify_wait_text(one);
	}
	waits_svg(s, &a->layout, title, wait, n);
	drawn_waits_free(wait, n);
}

enum status verify_draw(struct answer *a, const char *name, const char *policy)
{
	bool found = json_object_array_length(a->blocked);
	struct svg svg = { 0 };
	enum status status;
	char *title;

	title = xasprintf("%s on %s (%s): %s", policy, name, a->layout.name,
			  found ? "a deadlock" :
			  json_object_array_length(a->waits) ? "a cycle of waits" :
			  "proved free of deadlock");
	if (found)
		deadlock_draw(&svg, &a->layout, title, a->blocked);
	else
		draw_cycle(a, &svg, title);
	status = draw_file_write(&a->svg, &svg);
	svg_free(&svg);
	free(title);
	return status;
}
