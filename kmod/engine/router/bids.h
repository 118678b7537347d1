/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Bids in switch allocation, shared by all allocators. A VC bids if it has a flit to send, as of
 * the end of the last cycle.
 */
#ifndef MCFAB_ENGINE_ROUTER_BIDS_H
#define MCFAB_ENGINE_ROUTER_BIDS_H

#include "engine/router/row_bids.h"
#include "engine/router/router.h"
#include "engine/lib/breath.h"
#include "engine/state/flits.h"
#include "engine/state/row_bits.h"

/**
 * struct mcfab_bids - VCs of an input port or a channel, as bit masks
 * @ready: VCs with a flit to send
 * @roomy: VCs of @ready that had room for the flit at the start of the cycle
 * @firm: VCs of @roomy whose channel was granted in an earlier cycle (MCFAB_ENG_SEPARABLE)
 */
struct mcfab_bids {
	u32 ready;
	u32 roomy;
	u32 firm;
};

/* a VC is ready */
static __always_inline void mcfab_bid(struct mcfab_bids *bids, u32 v, bool room, bool firm)
{
	bids->ready |= BIT(v);
	bids->roomy |= (u32)room << v;
	bids->firm |= (u32)firm << v;
}

/* record of the worm to which a VC belongs: one of mcfab_chan.used */
static __always_inline u32 mcfab_user_of(const struct mcfab_engine *e, u32 vc, const u32 flags)
{
	if (!(flags & MCFAB_ENG_FIFOS) && e->hw.slots == 1)
		return e->owner[vc];
	return e->fifo[vc].newest;
}

/* rules with more to a bid than a flit and room for it */
#define MCFAB_MORE_BIDS	(MCFAB_ENG_LOCKSTEP | MCFAB_ENG_SPEEDUP | MCFAB_ENG_SEPARABLE | \
			 MCFAB_ENG_PACKET | MCFAB_ENG_HEADERS | MCFAB_ENG_LENGTHS | \
			 MCFAB_ENG_LINKS | MCFAB_ENG_RATES)

/* MCFAB_ENG_ROWS: mcfab_branch_ready() for a VC that a worm has */
static __always_inline bool mcfab_row_ready(const struct mcfab_engine *e, u32 vc, const u32 flags,
					    bool *room)
{
	u32 index, k, there = 0;
	struct mcfab_row *row = mcfab_row_of(e, vc, flags, &index);

	if (!(mcfab_row_at(e, row, index, flags)->some >> index % BITS_PER_LONG & 1))
		return false;
	k = index - 1;
	if (flags & MCFAB_ENG_CREDITS && unlikely(mcfab_fifo_shared(&e->fifo[vc]))) {
		const struct mcfab_fifo *fifo = &e->fifo[vc];

		if (index)
			there = mcfab_row_flits(e, row, k, flags);
		*room = fifo->entered + there - fifo->departed < e->hw.buffer;
	} else {
		*room = !index ||
			!(mcfab_row_at(e, row, k, flags)->full >> k % BITS_PER_LONG & 1);
	}
	return true;
}

/* has a branch a flit to take, on a link that can take one, and room at the start of the cycle? */
static __always_inline bool mcfab_branch_ready(const struct mcfab_engine *e, u32 nr,
					       const u32 flags, bool *room)
{
	const struct mcfab_rec *r = &e->rec[nr];
	u32 there;

	/* the whole packet has crossed: the parent may be another worm's record by now */
	if (r->sent >= mcfab_len(e, nr, flags) || mcfab_strip(e, nr, flags))
		return false;
	there = mcfab_arrived(e, r->parent, flags);
	if (there <= mcfab_read(e, nr, flags) || !mcfab_link_open(e, r->vc, flags))
		return false;
	*room = mcfab_room_at_start(e, mcfab_rec_vc(e, nr), r, flags);
	return true;
}

/* was the channel granted in an earlier cycle? only MCFAB_ENG_SEPARABLE reads the cold head */
static inline bool mcfab_is_firm(const struct mcfab_engine *e, const u32 flags, u32 nr)
{
	return flags & MCFAB_ENG_SEPARABLE && e->head[nr].granted != e->cycle;
}

/* could a node copy a flit from a record? */
static inline bool mcfab_copy_ready(const struct mcfab_engine *e, u32 nr, const u32 flags)
{
	const struct mcfab_rec *r = &e->rec[nr];
	u32 strip, arrived, k;

	if (!(r->flags & MCFAB_REC_ABSORB))
		return false;
	arrived = mcfab_arrived(e, nr, flags);
	strip = mcfab_len(e, nr, flags) - mcfab_copy_len(e, nr, flags);
	if (!(flags & MCFAB_ENG_COPIES))
		return arrived > e->head[nr].cons && e->head[nr].cons >= strip;
	for (k = e->copies[nr]; k != MCFAB_NONE; k = e->copy[k].next)
		if (arrived > e->copy[k].cons && e->copy[k].cons >= strip &&
		    mcfab_copy_open(e, &e->copy[k], flags))
			return true;
	return false;
}

/* lock-step: has every branch of the packet in @nr's buffer room, and do all links take a flit? */
static inline bool mcfab_all_roomy(const struct mcfab_engine *e, u32 nr)
{
	u32 child;

	for (child = e->children[nr]; child != MCFAB_NONE; child = e->sibling[child])
		if (!mcfab_link_open(e, mcfab_rec_vc(e, child), e->flags) ||
		    !mcfab_room_at_start(e, mcfab_rec_vc(e, child), &e->rec[child], e->flags))
			return false;
	return !(e->rec[nr].flags & MCFAB_REC_ABSORB) || mcfab_copies_open(e, nr, e->flags);
}

/* number of VCs of an input port, or of injection channels of a node */
static inline u32 mcfab_input_width(const struct mcfab_engine *e, u32 chan)
{
	return chan < e->hw.nchans ? e->hw.vcs : e->hw.inject;
}

/* records at the front of such VCs or injection channels, each a record or MCFAB_NO_REC */
static inline const u32 *mcfab_input_recs(const struct mcfab_engine *e, u32 chan)
{
	if (chan < e->hw.nchans)
		return &e->came[chan * e->hw.vcs];
	return &e->source[(chan - e->hw.nchans) * e->hw.inject];
}

static inline u32 mcfab_input_rec(const struct mcfab_engine *e, u32 chan, u32 v)
{
	return mcfab_input_recs(e, chan)[v];
}

/* a flit of the VC that an input port has chosen crosses: turns pass */
static inline void mcfab_input_pass(struct mcfab_engine *e, u32 chan)
{
	struct mcfab_chan *port = &e->inport[chan];

	port->next = mcfab_next_vc(port->chosen, mcfab_input_width(e, chan));
	port->last = port->port;
}

/*
 * MCFAB_ENG_BOOKSIM, before an input port chooses: the turn passes if a flit of the VC chosen last
 * has crossed. If the VC's record was not told of the choice, the record that was told has left the
 * port with its last flit.
 */
static __always_inline void mcfab_input_settle(struct mcfab_engine *e, u32 chan, const u32 flags)
{
	struct mcfab_chan *port = &e->inport[chan];
	struct mcfab_wire *wire;

	if (port->chosen == U8_MAX)
		return;
	if (flags & MCFAB_ENG_ROWS) {
		if (mcfab_row_settle(e, mcfab_row_fronts(e, chan) + port->chosen))
			mcfab_input_pass(e, chan);
		return;
	}
	wire = &e->wire[mcfab_input_rec(e, chan, port->chosen)];
	if (!(wire->turn & MCFAB_TURN_INPUT) || wire->turn & MCFAB_TURN_USED)
		mcfab_input_pass(e, chan);
	if (wire->turn & MCFAB_TURN_INPUT)
		wire->turn &= ~(MCFAB_TURN_INPUT | MCFAB_TURN_USED);
}

/* ... and after its choice: tell the packet */
static __always_inline void mcfab_input_tell(struct mcfab_engine *e, u32 chan, u32 v,
					     const u32 flags)
{
	e->inport[chan].chosen = v;
	if (flags & MCFAB_ENG_ROWS)
		mcfab_row_tell(e, mcfab_row_fronts(e, chan) + v);
	else
		e->wire[mcfab_input_rec(e, chan, v)].turn |= MCFAB_TURN_INPUT;
}

/* does one of a channel's VCs, or the only one in use, cross it in this cycle? */
static inline bool mcfab_output_open(const struct mcfab_engine *e, u32 nr)
{
	u32 vc = mcfab_rec_vc(e, nr);
	const struct mcfab_chan *c = &e->chan[mcfab_vc_chan(e, vc)];

	return !mcfab_chan_contended(c) || c->chosen == mcfab_vc_index(e, vc);
}

/* the branch of a packet after @child; the packets of worms that are paths have one at most */
static __always_inline u32 mcfab_sibling(const struct mcfab_engine *e, u32 child, const u32 flags)
{
	return flags & MCFAB_ENG_PATHS ? MCFAB_NONE : e->sibling[child];
}

/* mode row: mcfab_input_bids() for the VCs @left of an input port with the packets @fronts */
static __always_inline void mcfab_row_inputs(const struct mcfab_engine *e,
					     const struct mcfab_row_vc *fronts, u32 left,
					     struct mcfab_bids *bids)
{
	for (; left; left &= left - 1) {
		u32 v = __ffs(left);
		bool room, firm;

		if (mcfab_row_input_bid(e, &fronts[v], &room, &firm))
			mcfab_bid(bids, v, room, firm);
	}
}

/**
 * mcfab_input_bids() - which VCs of an input port could send a flit
 * @e: engine with MCFAB_ENG_SPEEDUP
 * @chan: channel that leads to the port, or, after all channels, a node
 * @flags: the engine's, perhaps as a constant
 * @bids: filled in
 *
 * Context: end of the grant phase.
 */
static __always_inline void mcfab_input_bids(const struct mcfab_engine *e, u32 chan,
					     const u32 flags, struct mcfab_bids *bids)
{
	const bool lockstep = flags & MCFAB_ENG_LOCKSTEP;
	const u32 *front = mcfab_input_recs(e, chan);
	u32 left = e->inport[chan].used, child;

	*bids = (struct mcfab_bids) { 0 };
	if (flags & MCFAB_ENG_ROWS) {
		mcfab_row_inputs(e, mcfab_row_fronts(e, chan), left, bids);
		return;
	}
	for (; left; left &= left - 1) {
		u32 v = __ffs(left), nr = front[v];
		const struct mcfab_rec *r = &e->rec[nr];

		/*
		 * A packet that waits for a grant cannot move, and must not get a turn: cycles
		 * without anything to do are skipped, and no turn may pass in them.
		 */
		if (lockstep && r->waiting)
			continue;
		if (mcfab_copy_ready(e, nr, flags)) {
			bids->ready |= BIT(v);
			bids->roomy |= BIT(v);
			bids->firm |= BIT(v);
		}
		for (child = e->children[nr]; child != MCFAB_NONE;
		     child = mcfab_sibling(e, child, flags)) {
			bool room = false;

			if (!mcfab_branch_ready(e, child, flags, &room))
				continue;
			bids->ready |= BIT(v);
			if (room)
				bids->roomy |= BIT(v);
			if (room && mcfab_is_firm(e, flags, child))
				bids->firm |= BIT(v);
		}
		if (lockstep && !mcfab_all_roomy(e, nr))
			bids->roomy &= ~BIT(v);
	}
}

/**
 * mcfab_output_bids() - which VCs of a channel could send a flit over it
 * @e: engine
 * @chan: the channel
 * @flags: the engine's rules that count here; a caller that knows that none of MCFAB_MORE_BIDS is
 *	   on masks them, so that the compiler leaves out their code
 * @bids: filled in
 *
 * With limited input speed-up only VCs bid that their input ports have chosen.
 *
 * Context: end of the grant phase.
 */
static __always_inline void mcfab_output_bids(const struct mcfab_engine *e, u32 chan,
					      const u32 flags, struct mcfab_bids *bids)
{
	bool lockstep = flags & MCFAB_ENG_LOCKSTEP;
	u32 left = e->chan[chan].used;

	*bids = (struct mcfab_bids) { 0 };
	for (; left; left &= left - 1) {
		u32 v = __ffs(left), nr = chan * e->hw.vcs + v;
		bool room = false;

		if (flags & MCFAB_ENG_ROWS && flags & MCFAB_ENG_BOOKSIM) {
			bool firm = false;

			if (mcfab_row_output_bid(e, &e->rows.vc[nr], &room, &firm))
				mcfab_bid(bids, v, room, firm);
			continue;
		}
		if (flags & MCFAB_ENG_ROWS) {
			if (mcfab_row_ready(e, nr, flags, &room))
				mcfab_bid(bids, v, room, false);
			continue;
		}
		nr = mcfab_user_of(e, nr, flags);
		/* once the whole packet has crossed, the parent may be another worm's record */
		if (flags & MCFAB_ENG_SPEEDUP && !mcfab_input_open(e, e->rec[nr].parent, flags))
			continue;
		if (!mcfab_branch_ready(e, nr, flags, &room))
			continue;
		if (lockstep && e->rec[e->rec[nr].parent].waiting)
			continue;
		bids->ready |= BIT(v);
		if (room && (!lockstep || mcfab_all_roomy(e, e->rec[nr].parent)))
			bids->roomy |= BIT(v);
		if (room && mcfab_is_firm(e, flags, nr))
			bids->firm |= BIT(v);
	}
}

/* the choice among the VCs of each input port; a port leaves the list if @input is false */
static __always_inline void mcfab_switch_inputs(struct mcfab_engine *e, struct mcfab_shard *s,
						bool (*input)(struct mcfab_engine *e, u32 chan,
							      const u32 flags),
						const u32 flags)
{
	u32 i = 0;

	while (i < s->ninports) {
		mcfab_breathe(s->ninports - i);
		if (input(e, s->inports[i], flags)) {
			i++;
			continue;
		}
		e->inport[s->inports[i]].listed = 0;
		s->inports[i] = s->inports[--s->ninports];
	}
}

/*
 * MCFAB_ENG_FAR, before the choice for contended channel number @i: prefetch what the choices after
 * it will read. Each step finds in the cache where the next one has to look: the channel and its
 * FIFOs, the records of its VCs, the records from which these read.
 */
static __always_inline void mcfab_outputs_ahead(const struct mcfab_engine *e,
						const struct mcfab_shard *s, u32 i)
{
	u32 chan, left, nr;

	if (i + 12 < s->ncontended) {
		chan = s->contended[i + 12];
		prefetchw(&e->chan[chan]);
		if (e->hw.slots == 1)
			prefetch(&e->owner[chan * e->hw.vcs]);
		else
			prefetch(&e->fifo[chan * e->hw.vcs]);
	}
	if (i + 8 < s->ncontended) {
		chan = s->contended[i + 8];
		for (left = e->chan[chan].used; left; left &= left - 1)
			prefetchw(&e->rec[mcfab_user_of(e, chan * e->hw.vcs + __ffs(left), 0)]);
	}
	if (i + 4 < s->ncontended) {
		chan = s->contended[i + 4];
		for (left = e->chan[chan].used; left; left &= left - 1) {
			nr = mcfab_user_of(e, chan * e->hw.vcs + __ffs(left), 0);
			prefetch(&e->rec[e->rec[nr].parent]);
		}
	}
}

/* ... in mode row: the channel and what says whose its VCs are, then the rows of these worms */
static __always_inline void mcfab_rows_ahead(const struct mcfab_engine *e,
					     const struct mcfab_shard *s, u32 i, const u32 flags)
{
	u32 chan, left, index;

	if (i + 12 < s->ncontended) {
		chan = s->contended[i + 12];
		prefetchw(&e->chan[chan]);
		if (flags & MCFAB_ENG_CREDITS)
			prefetch(&e->fifo[chan * e->hw.vcs]);
		else
			prefetch(&e->rows.vc[chan * e->hw.vcs]);
	}
	if (i + 6 < s->ncontended) {
		chan = s->contended[i + 6];
		for (left = e->chan[chan].used; left; left &= left - 1)
			prefetchw(mcfab_row_of(e, chan * e->hw.vcs + __ffs(left), flags, &index));
	}
}

/* a VC of a contended channel is to be held, or not any more; U8_MAX: none is */
static __always_inline void mcfab_output_hold(struct mcfab_engine *e, u32 chan, u32 v, bool hold,
					      const u32 flags)
{
	u32 vc = chan * e->hw.vcs + v;

	if (v == U8_MAX)
		return;
	if (flags & MCFAB_ENG_ROWS)
		mcfab_row_hold(e, vc, hold, flags);
	else if (hold)
		e->rec[mcfab_user_of(e, vc, flags)].entry |= MCFAB_ENTRY_HELD;
	else
		e->rec[mcfab_user_of(e, vc, flags)].entry &= ~MCFAB_ENTRY_HELD;
}

/*
 * The choice among the VCs of each channel of which worms own several VCs. The move phase asks for
 * every flit whether it is held. It finds the answer in the record, so that threads do not share
 * lines with many channels.
 */
static __always_inline void mcfab_switch_outputs(struct mcfab_engine *e, struct mcfab_shard *s,
						 void (*output)(struct mcfab_engine *e, u32 chan,
								const u32 flags),
						 const u32 flags)
{
	u32 i = 0;

	while (i < s->ncontended) {
		u32 chan = s->contended[i];
		struct mcfab_chan *c = &e->chan[chan];
		u8 before = c->chosen;

		mcfab_breathe(s->ncontended - i);
		if (flags & MCFAB_ENG_FAR && flags & MCFAB_ENG_ROWS)
			mcfab_rows_ahead(e, s, i, flags);
		else if (flags & MCFAB_ENG_FAR)
			mcfab_outputs_ahead(e, s, i);
		if (!mcfab_chan_contended(c)) {
			c->listed = 0;
			mcfab_output_hold(e, chan, c->used ? __ffs(c->used) : U8_MAX, false,
					  flags);
			s->contended[i] = s->contended[--s->ncontended];
			continue;
		}
		output(e, chan, flags);
		if (c->chosen != before) {
			mcfab_output_hold(e, chan, before, true, flags);
			mcfab_output_hold(e, chan, c->chosen, false, flags);
		}
		i++;
	}
}

#endif
