// SPDX-License-Identifier: GPL-2.0
/* stats show NAME deadlock. */
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>

#include "ask/lookup.h"
#include "base/options.h"
#include "base/table.h"
#include "cmd/deadlock.h"
#include "netlink/keyword.h"

static void print_holdings(struct json_object *waits)
{
	for (size_t i = 0; waits && i < json_object_array_length(waits); i++) {
		struct json_object *worm = json_object_array_get_idx(waits, i);
		char *held = deadlock_held_text(worm);
		char *to = deadlock_nodes(get_obj(worm, "destinations"),
					  get_u64(worm, "destinations-total"));

		printf("%zu goes to %s and holds\n    %s\n", i, to, held);
		free(held);
		free(to);
	}
}

static void print_deadlock(struct json_object *obj)
{
	static const char *const column[] = { "generated", "source", "sequence", "worm", "router" };
	struct json_object *waits = get_obj(obj, "wait");
	struct table t;

	printf("run %s on %s: deadlock found at cycle %s, %s worms can never move again\n",
	       get_str(obj, "run"), get_str(obj, "fabric"), get_str(obj, "cycle"),
	       get_str(obj, "worms"));
	table_init(&t, "INDEX GENERATED SOURCE SEQUENCE WORM ROUTER PORT TO VC SINCE HELD-BY");
	for (size_t i = 0; waits && i < json_object_array_length(waits); i++) {
		struct json_object *w = json_object_array_get_idx(waits, i);
		bool node = !has(w, "port");

		table_cell(&t, "%zu", i);
		for (size_t k = 0; k < ARRAY_SIZE(column); k++)
			table_cell(&t, "%s", get_str(w, column[k]));
		table_cell(&t, "%s", !node ? get_str(w, "port") :
			   has(w, "memory") ? "memory" : "node");
		table_cell(&t, "%s", get_str(w, node ? "node" : "to-router"));
		table_cell(&t, "%s", node ? "-" : get_str(w, "vc"));
		table_cell(&t, "%s", get_str(w, "since"));
		table_cell(&t, "%s", get_str(w, "holder"));
	}
	table_print(&t, stdout);
	print_holdings(waits);
}

static void put_dot(FILE *f, const void *data)
{
	deadlock_put_dot(f, (struct json_object *)data);
}

/** struct drawing - the files that are asked for */
struct drawing {
	struct layout layout;
	struct draw_file svg;
	struct draw_file dot;
};

/* What stands in the way of a file is known before any is written. */
static enum status begin_drawing(struct drawing *d, const char *fabric, const char *svg,
				 const char *dot)
{
	struct json_object *about = NULL;
	enum status status = STATUS_OK;

	if (svg) {
		status = lookup_fabric(fabric, &about);
		if (!status)
			status = layout_make(about, "svg", svg, &d->layout);
		if (!status)
			status = draw_file_open(&d->svg, "svg", svg);
		json_object_put(about);
	}
	if (!status && dot)
		status = draw_file_open(&d->dot, "dot", dot);
	return status;
}

static enum status draw_svg(struct drawing *d, const char *fabric, struct json_object *obj)
{
	struct svg svg = { 0 };
	enum status status;
	char *title;

	title = xasprintf("run %s on %s (%s): a deadlock, found at cycle %s", get_str(obj, "run"),
			  fabric, d->layout.name, get_str(obj, "cycle"));
	deadlock_draw(&svg, &d->layout, title, get_obj(obj, "wait"));
	status = draw_file_write(&d->svg, &svg);
	svg_free(&svg);
	free(title);
	return status;
}

enum status deadlock_show(const char *fabric, const char *svg, const char *dot)
{
	bool only = (svg && !strcmp(svg, "-")) || (dot && !strcmp(dot, "-"));
	struct drawing d = { 0 };
	struct json_object *obj = NULL;
	enum status status;

	if (only && options.json)
		return usage("%s -: standard output has the JSON; name a file, or leave out -j",
			     svg && !strcmp(svg, "-") ? "svg" : "dot");
	status = ask_one(MCFAB_CMD_DEADLOCK_GET, MCFAB_A_DEADLOCK_FABRIC, "fabric", fabric, &obj);
	if (!status)
		status = begin_drawing(&d, fabric, svg, dot);
	if (!status && svg)
		status = draw_svg(&d, fabric, obj);
	if (!status && dot)
		status = draw_file_put(&d.dot, put_dot, get_obj(obj, "wait"));
	if (!status && options.json)
		json_print(json_object_get(obj));
	else if (!status && !only)
		print_deadlock(obj);
	draw_file_close(&d.svg);
	draw_file_close(&d.dot);
	layout_free(&d.layout);
	json_object_put(obj);
	return status;
}
