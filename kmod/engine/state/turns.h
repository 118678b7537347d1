/* SPDX-License-Identifier: GPL-2.0 */
/* Round robin among VCs that share a channel or an input port. */
#ifndef MCFAB_ENGINE_STATE_TURNS_H
#define MCFAB_ENGINE_STATE_TURNS_H

#include "engine/state/engine.h"

/* the VC of @mask whose turn comes first; @mask is not empty */
static inline u32 mcfab_in_turn(const struct mcfab_chan *c, u32 mask)
{
	u32 behind = mask >> c->next << c->next;

	return __ffs(behind ? behind : mask);
}

/**
 * mcfab_take_turns() - round robin among the VCs of a channel or an input port
 * @c: the channel or input port
 * @width: number of its VCs
 * @ready: bit mask of the VCs with a flit to send
 * @roomy: the VCs of @ready that had room at the start of the cycle
 *
 * A VC that is ready alone may use room that is made in this very cycle.
 *
 * Context: end of the grant phase.
 */
static inline void mcfab_take_turns(struct mcfab_chan *c, u32 width, u32 ready, u32 roomy)
{
	if (!(ready & (ready - 1))) {
		c->chosen = ready ? __ffs(ready) : U8_MAX;
		return;
	}
	if (!roomy) {
		c->chosen = U8_MAX;
		return;
	}
	c->chosen = mcfab_in_turn(c, roomy);
	c->next = mcfab_next_vc(c->chosen, width);
}

#endif
