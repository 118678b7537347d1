// SPDX-License-Identifier: GPL-2.0
/* Channel load: asking for it, and where it is drawn. */
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>

#include "ask/lookup.h"
#include "base/nodes.h"
#include "base/options.h"
#include "base/table.h"
#include "draw/heat.h"
#include "netlink/keyword.h"
#include "print/stats_print.h"

u32 heat_class(const struct heat *h, u64 ppb, u32 classes)
{
	u64 class;

	if (!ppb || !h->max_ppb)
		return 0;
	class = (ppb * classes + h->max_ppb - 1) / h->max_ppb;
	return class > classes ? classes : class;
}

const char *heat_router(const struct heat *h, u32 router, char *text, size_t size)
{
	u32 symbols = lookup_symbols(h->fabric);

	if (symbols)
		return node_permutation(text, size, router, symbols);
	snprintf(text, size, "%s%u",
		 strcmp(get_str(h->fabric, "topology"), "irregular") ? "" : "s", router);
	return text;
}

const char *heat_port(const struct heat *h, u32 port)
{
	struct json_object *names = get_obj(h->fabric, "port-name");
	struct json_object *name = names ? json_object_array_get_idx(names, port) : NULL;

	return name ? json_object_get_string(name) : "?";
}

static void take_channels(struct heat *h)
{
	h->channels = json_object_array_length(h->list);
	h->channel = xcalloc(h->channels, sizeof(*h->channel));
	for (u32 i = 0; i < h->channels; i++) {
		struct json_object *obj = json_object_array_get_idx(h->list, i);

		h->channel[i] = (struct heat_channel){
			.nr = get_u64(obj, "channel"), .from = get_u64(obj, "from"),
			.to = get_u64(obj, "to"), .port = get_u64(obj, "port"),
			.flits = get_u64(obj, "flits"), .ppb = get_u64(obj, "utilisation-ppb"),
		};
		if (h->channel[i].ppb <= h->max_ppb)
			continue;
		h->max_ppb = h->channel[i].ppb;
		h->busiest = i;
	}
}

static enum status ask_heat(const char *name, struct heat *h)
{
	enum status status = lookup_fabric(name, &h->fabric);

	if (!status)
		status = ask_one(MCFAB_CMD_STATS_GET, MCFAB_A_STATS_FABRIC, "fabric", name,
				 &h->stats);
	if (!status)
		status = ask_all_of(MCFAB_CMD_LINK_GET, MCFAB_A_LINK_FABRIC, name, &h->list);
	if (!status)
		take_channels(h);
	return status;
}

static enum status draw(const struct heat *h, const char *path)
{
	struct draw_file file = { 0 };
	struct layout layout = { 0 };
	struct svg svg = { 0 };
	enum status status;

	status = layout_make(h->fabric, "svg", path, &layout);
	if (!status)
		status = draw_file_open(&file, "svg", path);
	if (!status) {
		heat_svg(&svg, h, &layout);
		status = draw_file_write(&file, &svg);
	}
	svg_free(&svg);
	draw_file_close(&file);
	layout_free(&layout);
	return status;
}

static void heat_free(struct heat *h)
{
	json_object_put(h->fabric);
	json_object_put(h->stats);
	json_object_put(h->list);
	free(h->channel);
}

enum status heat_show(const char *name, const char *svg)
{
	bool only = svg && !strcmp(svg, "-");
	struct heat h = { 0 };
	enum status status;

	if (only && options.json)
		return usage("svg -: standard output has the JSON; name a file, or leave out -j");
	status = ask_heat(name, &h);
	if (!status && svg && !h.channels)
		status = refused("svg %s: fabric %s has no run to draw", svg, name);
	if (!status && svg)
		status = draw(&h, svg);
	if (!status && options.json)
		json_print(json_object_get(h.list));
	else if (!status && !h.channels)
		stats_print_counts(h.stats);
	else if (!status && !only)
		heat_text(&h);
	heat_free(&h);
	return status;
}
