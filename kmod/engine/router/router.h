/* SPDX-License-Identifier: GPL-2.0 */
/* What a router does: requests of headers, VC allocation, switch allocation. */
#ifndef MCFAB_ENGINE_ROUTER_H
#define MCFAB_ENGINE_ROUTER_H

#include "engine/state/row_bits.h"

/* number of the shard that moves a worm's flits */
static inline u32 mcfab_mover(const struct mcfab_engine *e, u32 worm)
{
	return e->nshards == 1 ? 0 : e->shard_of_node[e->worm[worm].node];
}

static inline struct mcfab_grants *mcfab_grants_to(const struct mcfab_engine *e,
						   const struct mcfab_shard *s, u32 worm)
{
	return &s->grants[mcfab_mover(e, worm)];
}

/* mcfab_rec_channel() of a record in a source of @node */
static inline u32 mcfab_source_channel(const struct mcfab_engine *e, u32 rec, u32 node)
{
	return e->rec[rec].vc - e->hw.nvcs - node * e->hw.inject;
}

/*
 * Functions that get rules which may be on as a constant, @may, leave out what other rules need:
 * the compiler makes one function for each case. MCFAB_ENG_FIFOS there says that VCs' buffers hold
 * several packets.
 */
#define MCFAB_ALL_RULES	((u32)~MCFAB_ENG_FIFOS)

/* do VCs' buffers hold one packet? */
static __always_inline bool mcfab_slots_single(const struct mcfab_engine *e, const u32 may)
{
	return !(may & MCFAB_ENG_FIFOS) && e->hw.slots == 1;
}

/* request.c: headers request outputs */
u32 mcfab_vc_rank(const struct mcfab_engine *e, u32 vc);
u32 mcfab_header_rank(const struct mcfab_engine *e, u32 rec);
void mcfab_header_request(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec);
void mcfab_header_routed(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec);

/* vc_alloc.c: requests are granted */
void mcfab_routers_scan(struct mcfab_engine *e, struct mcfab_shard *s);

/* absorb.c: nodes copy packets */
void mcfab_absorb(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec, u32 node, u32 entry);
void mcfab_absorb_drop(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec, u32 node,
		       enum mcfab_drop reason);
void mcfab_absorb_lose(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec, u32 count);

/**
 * struct mcfab_allocator - how a router allocates virtual channels and its switch
 * @flags: MCFAB_ENG_* that it needs
 * @vc_turns: VC allocation: a request takes the first free VC of a channel behind the one that was
 *	      granted last; false: the lowest
 * @choose: switch allocation of a shard: which VC crosses each contended channel, and with limited
 *	    input speed-up which VC of each input port; called once a cycle
 *
 * A new allocator gets a file here, and a line in mcfab_allocator_of().
 */
struct mcfab_allocator {
	u32 flags;
	bool vc_turns;
	void (*choose)(struct mcfab_engine *e, struct mcfab_shard *s);
};

extern const struct mcfab_allocator mcfab_allocator_oldest;
extern const struct mcfab_allocator mcfab_allocator_separable;
extern const struct mcfab_allocator mcfab_allocator_islip;

/* are several VCs of a channel or an input port in use? */
static inline bool mcfab_chan_contended(const struct mcfab_chan *c)
{
	return c->used & (c->used - 1);
}

/* switch_alloc.c */
void mcfab_switch_land(struct mcfab_engine *e, struct mcfab_shard *s, u32 chan);

/**
 * mcfab_switch_own() - one more VC of a channel belongs to a worm
 * @e: engine
 * @s: shard that owns the channel's router
 * @chan: the channel
 * @v: the VC, counted within its channel
 *
 * While a channel is in the list of contended channels, the records of all its VCs but
 * mcfab_chan.chosen are held (mode row: the bits of the rows).
 *
 * Context: grant phase.
 */
static inline void mcfab_switch_own(struct mcfab_engine *e, struct mcfab_shard *s, u32 chan, u32 v)
{
	struct mcfab_chan *c = &e->chan[chan];
	u32 others = c->used, vc = chan * e->hw.vcs + v;

	c->used |= BIT(v);
	if (!others && !c->listed)
		return;
	if (e->flags & MCFAB_ENG_ROWS)
		mcfab_row_hold(e, vc, true, e->flags);
	else
		e->rec[mcfab_owner(e, vc)].entry |= MCFAB_ENTRY_HELD;
	if (e->flags & MCFAB_ENG_CRUISE && others)
		mcfab_switch_land(e, s, chan);
	if (!c->listed) {
		c->listed = 1;
		c->chosen = __ffs(others);
		s->contended[s->ncontended++] = chan;
	}
}

/**
 * mcfab_switch_disown() - one VC less of a channel belongs to a worm
 * @e: engine
 * @vc: the VC
 *
 * With less than two owned VCs, the channel leaves the list of contended channels at the next
 * choice.
 *
 * Context: grant phase of the shard that owns the channel.
 */
static inline void mcfab_switch_disown(struct mcfab_engine *e, u32 vc)
{
	u32 chan = mcfab_vc_chan(e, vc), v = vc - chan * e->hw.vcs;
	struct mcfab_chan *c = &e->chan[chan];

	c->used &= ~BIT(v);
	if (c->chosen == v)
		c->chosen = U8_MAX;
}

/* switch_alloc.c: which VC crosses a channel that several share */
void mcfab_switch_arrive(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec);
void mcfab_switch_leave(struct mcfab_engine *e, u32 vc);
void mcfab_switch_choose(struct mcfab_engine *e, struct mcfab_shard *s);
void mcfab_switch_consumers(struct mcfab_engine *e, struct mcfab_shard *s);
const struct mcfab_allocator *mcfab_allocator_of(enum mcfab_allocator_mode mode);

#endif
