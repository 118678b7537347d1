/* SPDX-License-Identifier: GPL-2.0 */
/* Channel load of a run, drawn on the network. */
#ifndef MCASTCTL_DRAW_HEAT_H
#define MCASTCTL_DRAW_HEAT_H

#include <json-c/json.h>

#include "draw/svg.h"

#define HEAT_SVG_CLASSES	8
#define HEAT_TEXT_CLASSES	9

/** struct heat_channel - what one channel carried */
struct heat_channel {
	u32 nr;
	u32 from;
	u32 to;
	u32 port;
	u64 flits;
	u64 ppb;		/* utilisation */
};

/** struct heat - what all of them carried */
struct heat {
	struct json_object *fabric;
	struct json_object *stats;
	struct json_object *list;	/* as the kernel sent it */
	struct heat_channel *channel;
	u32 channels;
	u64 max_ppb;
	u32 busiest;			/* index */
};

/* Show the load of @name, and draw it into @svg (NULL: into no file). */
enum status heat_show(const char *name, const char *svg);
/* Class of a load, 1 to @classes in equal parts of the greatest one; 0: nothing went there. */
u32 heat_class(const struct heat *h, u64 ppb, u32 classes);
/* How a router is written, and a port. */
const char *heat_router(const struct heat *h, u32 router, char *text, size_t size);
const char *heat_port(const struct heat *h, u32 port);

void heat_text(const struct heat *h);
void heat_svg(struct svg *s, const struct heat *h, const struct layout *l);

#endif
