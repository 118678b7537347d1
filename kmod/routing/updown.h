/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For multicast policies on up*-down* routing: shared parameters, checks of the fabric, the
 * decision of a worm that goes along one path.
 */
#ifndef MCFAB_ROUTING_UPDOWN_H
#define MCFAB_ROUTING_UPDOWN_H

#include "plan/policy.h"
#include "updown/updown.h"

/** MCFAB_UPDOWN_SERVES - topologies with up*-down* routing: all */
#define MCFAB_UPDOWN_SERVES	(MCFAB_POLICY_MESH | MCFAB_POLICY_TORUS | MCFAB_POLICY_STAR | \
				 MCFAB_POLICY_IRREGULAR)

extern const char *const mcfab_small_buffers_choices[];

/** MCFAB_PARAM_ADAPTIVE - the parameter "adaptive" */
#define MCFAB_PARAM_ADAPTIVE {							\
	.name		= "adaptive",						\
	.help		= "take any port of a shortest legal path, not the lowest",	\
	.type		= MCFAB_PARAM_KIND_BOOL,					\
	.def		= false,						\
}

/** MCFAB_PARAM_SMALL_BUFFERS - the parameter "small-buffers": 1 to allow */
#define MCFAB_PARAM_SMALL_BUFFERS {						\
	.name		= "small-buffers",					\
	.help		= "refuse or allow what can deadlock: short buffers, lock-step",	\
	.type		= MCFAB_PARAM_KIND_CHOICE,					\
	.def		= 0,							\
	.choices	= mcfab_small_buffers_choices,				\
}

int mcfab_updown_check(const struct mcfab_view *view, struct mcfab_err *err);
int mcfab_updown_check_copies(const struct mcfab_view *view, bool allow, struct mcfab_err *err);
void mcfab_updown_consume(struct mcfab_decision *out, u32 node, u32 entry);
void mcfab_updown_branch(const struct mcfab_view *view, const struct mcfab_header *hdr, u32 to,
			 bool adaptive, u32 first, u32 last, struct mcfab_decision *out);
void mcfab_updown_path(const struct mcfab_view *view, const struct mcfab_header *hdr,
		       bool adaptive, struct mcfab_decision *out);

#endif
