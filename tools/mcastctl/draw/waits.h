/* SPDX-License-Identifier: GPL-2.0 */
/* Who waits for what, drawn on the network. */
#ifndef MCASTCTL_DRAW_WAITS_H
#define MCASTCTL_DRAW_WAITS_H

#include "draw/svg.h"

enum drawn_place {
	DRAWN_CHANNEL,		/* that leaves a router by a port */
	DRAWN_NODE,		/* what a node consumes with */
	DRAWN_INJECTION,	/* what a node injects with */
};

/** struct drawn_resource - what is held, or waited for */
struct drawn_resource {
	enum drawn_place place;
	u32 at;			/* router, or node */
	u32 port;		/* of a channel */
};

/** struct drawn_wait - what holds things and waits for another */
struct drawn_wait {
	struct drawn_resource *held;
	u32 nheld;
	struct drawn_resource wanted;
	char *text;		/* for the list below the picture */
};

/* With all that they point to. */
void drawn_waits_free(struct drawn_wait *wait, u32 n);

/* @title: one line; @n waits, of which each holds what another waits for. */
void waits_svg(struct svg *s, const struct layout *l, const char *title,
	       const struct drawn_wait *wait, u32 n);

#endif
