/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Mode cruise: worms on paths, moved by the events of mode path-tail as long as nothing stands in
 * their way, and flit by flit from then on.
 *
 * A worm of L flits cruises from its injection on. Its header gets each channel in the cycle in
 * which it asks for it, H cycles after the channel before. The other flits follow, one per cycle:
 * flit n (counted from 0) crosses a channel n cycles after the header. It has come by then, as it
 * needs H cycles at most from channel to channel, and its source has it from the beginning. There
 * is room for it, too, if credits take C cycles and buffers have B >= H + C flits: flit n - B has
 * left the buffer by then, and its credit has come. So the cycle in which the header crosses a
 * channel says where all flits are, at any time. Two events per channel remain: the header's grant
 * and the tail's crossing, L - 1 cycles after it. Cycles in between are skipped, if nothing else is
 * to be done.
 *
 * A worm lands when this may not hold any longer, before the flits of that cycle move. From then on
 * its flits are moved one by one. It lands
 *
 *  - if its header has to wait for a channel that is not its first, or for a node;
 *  - if a header gets a channel whose buffer still has flits of another packet: both worms land;
 *  - if two VCs of a channel belong to worms, or packets in two VCs compete for the crossbar of a
 *    router, or for the link of a node: both land;
 *  - if the packet is dropped.
 *
 * A node that copies the packet on its way takes a flit in the cycle in which the flit goes on.
 *
 * A worm that has landed takes off again when a flit has crossed each of its channels for as many
 * cycles as a flit is on a link, or a credit on its way: nothing from before is under way then.
 * Again no other packet may be in its buffers or compete with it. Its header must be on a link, and
 * its flits have followed without a gap; or its node takes a flit in each cycle. Nodes that copy it
 * on its way must have taken one in each cycle, too, and must not be behind the flits that go on;
 * they may be ahead, if the packet had to wait for its next channel.
 *
 * mcfab_head.due has the cycle of the tail's crossing. Records of a worm that cruises do not count
 * flits; whoever wants to read counts calls mcfab_mode_show().
 */
#ifndef MCFAB_ENGINE_CRUISE_CRUISE_H
#define MCFAB_ENGINE_CRUISE_CRUISE_H

#include "engine/state/engine.h"

void mcfab_cruise_show(struct mcfab_engine *e);
u64 mcfab_cruise_rest(const struct mcfab_engine *e);
void mcfab_cruise_credits(struct mcfab_engine *e, u32 nr, u32 freed, u64 last);
void mcfab_cruise_leave(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm);
void mcfab_cruise_consume(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr);

/* does a worm cruise? context: any phase */
static inline bool mcfab_cruises(const struct mcfab_engine *e, u32 worm)
{
	return e->flags & MCFAB_ENG_CRUISE && e->worm[worm].cruises;
}

/* a worm is injected; @r: record at its source. (Other modes may need @behind of old records.) */
static inline void mcfab_cruise_begin(struct mcfab_worm *w, struct mcfab_rec *r)
{
	w->cruises = true;
	w->expected = false;
	r->onward = MCFAB_NONE;
}

/* cycle in which a node takes the last flit of a worm that cruises, which it copies from @nr */
static inline u64 mcfab_cruise_arrival(const struct mcfab_engine *e, u32 nr)
{
	const struct mcfab_head *f = &e->head[nr];

	return f->delivered - e->hw.consume_delay + f->late + e->run.flits;
}

/**
 * mcfab_cruise_land() - move a worm's flits one by one from this cycle on
 * @e: engine
 * @s: the shard, the only one
 * @worm: the worm; if it does not cruise, nothing happens
 *
 * Context: grant phase.
 */
static inline void mcfab_cruise_land(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm)
{
	if (mcfab_cruises(e, worm))
		mcfab_cruise_leave(e, s, worm);
}

#endif
