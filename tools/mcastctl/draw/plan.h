/* SPDX-License-Identifier: GPL-2.0 */
/* The worms of a plan, collected from its messages, and a picture of them. */
#ifndef MCASTCTL_DRAW_PLAN_H
#define MCASTCTL_DRAW_PLAN_H

#include "draw/net.h"
#include "draw/svg.h"
#include "print/plan_print.h"

/** struct drawn_hop - a channel that a worm takes; numbers of hosts are marked */
struct drawn_hop {
	u32 from;
	u32 to;
	u32 port;
};

struct drawn_worm {
	u32 step;
	u32 source;
	u32 first;		/* of its hops */
	u32 hops;
	u32 lane;		/* on channels that others take, too */
};

/** struct drawn_plan - a plan as it comes in */
struct drawn_plan {
	struct plan_print *print;	/* what is known from the text */
	struct drawn_worm *worm;
	struct drawn_hop *hop;
	u32 worms;
	u32 worm_room;
	u32 hops;
	u32 hop_room;
};

/* A reply for nl_talk(): collect, and print. */
enum status drawn_plan_message(const struct nlmsghdr *nlh, void *plan);
void drawn_plan_free(struct drawn_plan *p);
/* @params: of the policy, as the user gave them */
void drawn_plan_svg(struct svg *s, struct drawn_plan *p, const struct layout *l,
		    const char *params);

/* plan_marks.c: who is who in a plan */
enum { MARK_SOURCE = 1, MARK_DESTINATION = 2, MARK_RELAY = 4 };

/** struct marks - nodes by what they are in the plan */
struct marks {
	u8 *node;		/* [nodes] MARK_... */
	u32 nodes;
};

void marks_make(struct marks *m, const struct drawn_plan *p, const struct layout *l);
void marks_free(struct marks *m);
/* Shapes and numbers of nodes. */
void marks_shapes(struct svg *s, const struct marks *m, const struct layout *l);
void marks_names(struct svg *s, const struct marks *m, const struct layout *l);
void marks_legend(struct svg *s, const struct marks *m, struct svg_legend *legend);

#endif
