/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Turns that headers make: what the routing functions of this folder promise about the channels by
 * which a header comes and goes, whatever its destinations. For mcfab_policy_ops.turn.
 */
#ifndef MCFAB_ROUTING_TURNS_H
#define MCFAB_ROUTING_TURNS_H

#include "routing/cover.h"

bool mcfab_turn_dimension(const struct mcfab_turn *turn);
bool mcfab_turn_negative(const struct mcfab_turn *turn);
bool mcfab_turn_west(const struct mcfab_turn *turn);
bool mcfab_turn_label(const struct mcfab_view *view, const struct mcfab_turn *turn, bool wrap);
bool mcfab_turn_torus(const struct mcfab_view *view, const struct mcfab_turn *turn, u32 first);
bool mcfab_turn_crossing(const struct mcfab_view *view, const struct mcfab_turn *turn);
bool mcfab_turn_cycle(const struct mcfab_view *view, const void *priv,
		      const struct mcfab_turn *turn);
bool mcfab_turn_updown(const struct mcfab_view *view, const void *priv,
		       const struct mcfab_turn *turn);
bool mcfab_turn_base(const struct mcfab_view *view, const struct mcfab_turn *turn,
		     enum mcfab_base base);

/** mcfab_turn_on() - the port by which a header leaves that goes straight on, on a mesh or torus */
static inline u32 mcfab_turn_on(const struct mcfab_turn *turn)
{
	return turn->in_port ^ 1;
}

/** mcfab_turn_is_q() - is a virtual channel in the upper half, mcfab_vcs_q()? */
static inline bool mcfab_turn_is_q(const struct mcfab_view *view, u32 vc)
{
	return vc >= view->vcs / 2;
}

#endif
