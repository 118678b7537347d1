// SPDX-License-Identifier: GPL-2.0
/* VC allocation in turns: a request takes the first free VC after the VC that was granted last. */
#include "engine/router/router.h"

/**
 * mcfab_vc_turn() - where a request begins to look for a free VC
 * @e: engine
 * @chan: the channel
 *
 * Context: grant phase of the shard that owns the router. An op of struct mcfab_allocator.
 * Return: the VC, counted within its channel.
 */
u32 mcfab_vc_turn(const struct mcfab_engine *e, u32 chan)
{
	return e->chan[chan].turn;
}

/**
 * mcfab_vc_turn_over() - a VC was granted: the next one has its turn
 * @e: engine
 * @chan: the channel
 * @vc: the VC, counted within its channel
 *
 * Context: as mcfab_vc_turn().
 */
void mcfab_vc_turn_over(struct mcfab_engine *e, u32 chan, u32 vc)
{
	e->chan[chan].turn = mcfab_next_vc(vc, e->hw.vcs);
}
