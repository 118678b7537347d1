// SPDX-License-Identifier: GPL-2.0
/* The worms of a deadlock: as text, as a picture, for Graphviz. */
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "cmd/deadlock.h"

char *deadlock_nodes(struct json_object *list, u64 total)
{
	size_t len, n = list ? json_object_array_length(list) : 0;
	char *text;
	FILE *f = text_file(&text, &len);

	for (size_t i = 0; i < n; i++)
		fprintf(f, "%s%llu", i ? "," : "",
			(u64)json_object_get_uint64(json_object_array_get_idx(list, i)));
	if (total > n)
		fprintf(f, " and %llu more", total - n);
	fclose(f);
	return text;
}

/* "message 3 of 12": which packet and worm of it is said where there are several. */
static void put_worm(FILE *f, struct json_object *worm)
{
	if (get_u64(worm, "packet"))
		fprintf(f, "packet %llu of ", get_u64(worm, "packet"));
	fprintf(f, "message %llu of %llu", get_u64(worm, "sequence"), get_u64(worm, "source"));
	if (get_u64(worm, "worm"))
		fprintf(f, " (worm %llu)", get_u64(worm, "worm"));
}

static void put_wanted(FILE *f, struct json_object *worm)
{
	if (has(worm, "port"))
		fprintf(f, "channel %llu -> %llu, VC %llu", get_u64(worm, "router"),
			get_u64(worm, "to-router"), get_u64(worm, "vc"));
	else
		fprintf(f, "%s of node %llu",
			has(worm, "memory") ? "the interface's memory" : "a consumption channel",
			get_u64(worm, "node"));
}

char *deadlock_wait_text(struct json_object *worms, struct json_object *worm)
{
	char *text;
	size_t len;
	FILE *f = text_file(&text, &len);

	put_worm(f, worm);
	fputs(" waits for ", f);
	put_wanted(f, worm);
	fputs(", held by ", f);
	put_worm(f, json_object_array_get_idx(worms, get_u64(worm, "holder")));
	fclose(f);
	return text;
}

/* The channels behind each other from @first on: "3 -> 4 -> 5, VC 0"; each is written once. */
static void put_chain(FILE *f, struct json_object *held, size_t first, bool *written)
{
	struct json_object *one = json_object_array_get_idx(held, first);
	size_t n = json_object_array_length(held), i = first;
	u64 vc = get_u64(one, "vc"), at;

	fprintf(f, "%llu", get_u64(one, "router"));
	do {
		written[i] = true;
		at = get_u64(json_object_array_get_idx(held, i), "to-router");
		fprintf(f, " -> %llu", at);
		for (i = 0; i < n; i++) {
			one = json_object_array_get_idx(held, i);
			if (!written[i] && has(one, "port") && get_u64(one, "router") == at &&
			    get_u64(one, "vc") == vc)
				break;
		}
	} while (i < n);
	fprintf(f, ", VC %llu", vc);
}

static void put_nodes(FILE *f, struct json_object *held, bool injection, const char *before)
{
	const char *sep = before;

	for (size_t i = 0; i < json_object_array_length(held); i++) {
		struct json_object *one = json_object_array_get_idx(held, i);

		if (has(one, "port") || has(one, "injection") != injection)
			continue;
		fprintf(f, "%s%llu", sep, get_u64(one, "node"));
		sep = ",";
	}
}

char *deadlock_held_text(struct json_object *worm)
{
	struct json_object *held = get_obj(worm, "held");
	size_t len, n = held ? json_object_array_length(held) : 0;
	bool *written = xcalloc(n, sizeof(*written));
	u64 total = get_u64(worm, "held-total");
	const char *sep = "channels ";
	char *text;
	FILE *f = text_file(&text, &len);

	for (size_t i = 0; i < n; i++) {
		if (written[i] || !has(json_object_array_get_idx(held, i), "port"))
			continue;
		fputs(sep, f);
		put_chain(f, held, i, written);
		sep = "; ";
	}
	if (n) {
		put_nodes(f, held, true, "; injection at ");
		put_nodes(f, held, false, "; consumption at ");
	}
	if (total > n)
		fprintf(f, "; %llu more", total - n);
	fclose(f);
	free(written);
	return text;
}

static struct drawn_resource wanted_by(struct json_object *worm)
{
	if (has(worm, "port"))
		return (struct drawn_resource){ DRAWN_CHANNEL, get_u64(worm, "router"),
						get_u64(worm, "port") };
	return (struct drawn_resource){ DRAWN_NODE, get_u64(worm, "node"), 0 };
}

static struct drawn_resource drawn_held(struct json_object *held)
{
	if (has(held, "port"))
		return (struct drawn_resource){ DRAWN_CHANNEL, get_u64(held, "router"),
						get_u64(held, "port") };
	return (struct drawn_resource){ has(held, "injection") ? DRAWN_INJECTION : DRAWN_NODE,
					get_u64(held, "node"), 0 };
}

static void draw_worm(struct drawn_wait *wait, struct json_object *worms,
		      struct json_object *worm)
{
	struct json_object *held = get_obj(worm, "held");

	wait->wanted = wanted_by(worm);
	wait->text = deadlock_wait_text(worms, worm);
	wait->nheld = held ? json_object_array_length(held) : 0;
	wait->held = xcalloc(wait->nheld, sizeof(*wait->held));
	for (u32 i = 0; i < wait->nheld; i++)
		wait->held[i] = drawn_held(json_object_array_get_idx(held, i));
}

void deadlock_draw(struct svg *s, const struct layout *l, const char *title,
		   struct json_object *worms)
{
	u32 n = json_object_array_length(worms);
	struct drawn_wait *wait = xcalloc(n, sizeof(*wait));

	for (u32 i = 0; i < n; i++)
		draw_worm(&wait[i], worms, json_object_array_get_idx(worms, i));
	waits_svg(s, l, title, wait, n);
	drawn_waits_free(wait, n);
}

void deadlock_put_dot(FILE *f, struct json_object *worms)
{
	fputs("digraph deadlock {\n\tnode [shape=box];\n", f);
	for (size_t i = 0; i < json_object_array_length(worms); i++) {
		struct json_object *worm = json_object_array_get_idx(worms, i);
		char *to = deadlock_nodes(get_obj(worm, "destinations"),
					  get_u64(worm, "destinations-total"));

		fprintf(f, "\t%zu [label=\"", i);
		put_worm(f, worm);
		fprintf(f, "\\nto %s\"];\n\t%zu -> %llu [label=\"", to, i,
			get_u64(worm, "holder"));
		put_wanted(f, worm);
		fputs("\"];\n", f);
		free(to);
	}
	fputs("}\n", f);
}
