/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Multicast in phases with multidestination worms: the sender of each worm, and the worm after
 * which it is sent.
 *
 * Irregular paper, sections 5.2.3 to 5.2.5.
 */
#ifndef MCFAB_ROUTING_PHASES_H
#define MCFAB_ROUTING_PHASES_H

#include "routing/updown.h"

/** enum mcfab_schedule - holders of the message, in the order of the parameter's words */
enum mcfab_schedule {
	MCFAB_GREEDY,		/* every node that has the message */
	MCFAB_LESS_GREEDY,	/* of each switch the first node that has it */
};

extern const char *const mcfab_schedule_choices[];

/**
 * MCFAB_PARAM_SCHEDULE - the parameter "schedule", before "adaptive" and "small-buffers"
 */
#define MCFAB_PARAM_SCHEDULE {							\
	.name		= "schedule",						\
	.help		= "who sends on: all who have the message, or one of each switch",	\
	.type		= MCFAB_PARAM_KIND_CHOICE,					\
	.def		= MCFAB_LESS_GREEDY,					\
	.choices	= mcfab_schedule_choices,				\
}

/**
 * struct mcfab_phases - private area of a policy in phases
 * @schedule: the holders of the message
 * @adaptive: any port of a shortest legal path, not the lowest
 */
struct mcfab_phases {
	enum mcfab_schedule schedule;
	bool adaptive;
};

int mcfab_phases_init(const struct mcfab_view *view, const u32 *values, void *priv,
		      struct mcfab_err *err);
size_t mcfab_phases_scratch(const struct mcfab_view *view, const void *priv, u32 ndst);
void mcfab_phases_plan(const struct mcfab_view *view, const struct mcfab_phases *phases,
		       u32 source, const u32 *dst, u32 ndst, bool single,
		       struct mcfab_plan *plan, void *scratch);
void mcfab_phases_route(const struct mcfab_view *view, const void *priv,
			const struct mcfab_header *hdr, struct mcfab_decision *out);
u32 mcfab_phases_header(const struct mcfab_view *view, const void *priv, const u32 *dst,
			u32 first, u32 last);

#endif
