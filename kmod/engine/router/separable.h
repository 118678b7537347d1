/* SPDX-License-Identifier: GPL-2.0 */
/* Allocator separable: how the bids of an input port or a channel are answered. */
#ifndef MCFAB_ENGINE_ROUTER_SEPARABLE_H
#define MCFAB_ENGINE_ROUTER_SEPARABLE_H

#include "engine/router/bids.h"
#include "engine/state/turns.h"

/* how long a port has to wait for its turn: its place behind the last one */
static inline u32 mcfab_port_turns(const struct mcfab_chan *c, u32 port)
{
	return (u16)(port - c->last - 1);
}

/* the port at the other end of the crossbar for a VC of a port; @first: channel of the router */
typedef u32 (*mcfab_port_fn)(const struct mcfab_engine *e, u32 chan, u32 v, u32 first,
			     const u32 flags);

/*
 * Choose the VC, among @width, that wins a port, and set @port to the port at the other end of the
 * crossbar. Headers that got their channel in this very cycle yield to firm VCs. Ports of the other
 * end take turns, and the VCs for the same one. Turns do not pass here.
 */
static __always_inline void mcfab_take_bids(const struct mcfab_engine *e, u32 chan,
					    struct mcfab_chan *c, u32 width,
					    const struct mcfab_bids *bids, u32 *port,
					    mcfab_port_fn port_of, u32 first, const u32 flags)
{
	u32 able = bids->firm ?: bids->roomy, left = able, least = U32_MAX, same = 0;

	if (!able) {
		/* a VC that is ready alone may use room that is made in this very cycle */
		c->chosen = is_power_of_2(bids->ready) ? __ffs(bids->ready) : U8_MAX;
		*port = c->last;
		return;
	}
	for (; left; left &= left - 1) {
		u32 v = __ffs(left), at = port_of(e, chan, v, first, flags);
		u32 turns = mcfab_port_turns(c, at);

		if (turns < least) {
			least = turns;
			*port = at;
			same = 0;
		}
		if (turns == least)
			same |= BIT(v);
	}
	c->chosen = mcfab_in_turn(c, same);
}

#endif
