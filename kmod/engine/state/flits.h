/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How many flits are in which buffer: the counts that switch allocation and the move phase
 * need, as of the start of the cycle.
 */
#ifndef MCFAB_ENGINE_STATE_FLITS_H
#define MCFAB_ENGINE_STATE_FLITS_H

#include "engine/state/engine.h"

/*
 * A header has one flit. With MCFAB_ENG_HEADERS it has as many as the policy says, by default
 * one for every remaining destination, so a packet gets shorter on its way. A branch strips the
 * flits that name destinations of other branches. These are the packet's first flits; they are
 * stripped one per cycle. Hot paths pass the rules that are on as a constant, @flags.
 */

/* why a mode in which all packets have the same length is not exact (MCFAB_ENG_LENGTHS) */
static inline const char *mcfab_why_lengths(const struct mcfab_engine *e)
{
	return e->run.varied ? "messages of several lengths" : "a last packet shorter than mtu";
}

/* why a mode for links as short as can be is not exact (MCFAB_ENG_LINKS) */
static inline const char *mcfab_why_links(const struct mcfab_engine *e)
{
	return e->cfg->link_delay > 1 ? "a link-delay above 1" : "a route-delay with pipeline flit";
}

/* flits of the packet in a record */
static inline u32 mcfab_len(const struct mcfab_engine *e, u32 nr, const u32 flags)
{
	return flags & (MCFAB_ENG_HEADERS | MCFAB_ENG_LENGTHS) ? e->len[nr] : e->run.flits;
}

/* flits of the copy that a node gets of the packet: without header flits for other destinations */
static inline u32 mcfab_copy_len(const struct mcfab_engine *e, u32 nr, const u32 flags)
{
	return flags & MCFAB_ENG_LENGTHS ? e->len[nr] : e->run.flits;
}

/* flits that a record has still to strip from the flits that it reads */
static inline u32 mcfab_strip(const struct mcfab_engine *e, u32 nr, const u32 flags)
{
	return flags & MCFAB_ENG_HEADERS ? e->strip[nr] : 0;
}

/* flits that a record has read from its parent, sent or stripped; only while it has more to send */
static inline u32 mcfab_read(const struct mcfab_engine *e, u32 nr, const u32 flags)
{
	const struct mcfab_rec *r = &e->rec[nr];

	if (!(flags & MCFAB_ENG_HEADERS))
		return r->sent;
	return r->sent + e->len[r->parent] - e->len[nr] - e->strip[nr];
}

/* flits that have reached a record's buffer by the start of the cycle */
static inline u32 mcfab_arrived(const struct mcfab_engine *e, u32 nr, const u32 flags)
{
	/* the wire of a source's record has them all, too, but for ports of hosts */
	if (flags & MCFAB_ENG_LINKS &&
	    (flags & MCFAB_ENG_BOOKSIM || !(e->rec[nr].flags & MCFAB_REC_INJECT)))
		return e->wire[nr].arrived;
	return e->rec[nr].sent;
}

/*
 * A cycle has passed; @crossed: a flit has crossed the channel in it. Does what mcfab_wire_step()
 * and mcfab_wire_cross() do; @last: bit of a flit that is at the buffer next.
 */
static __always_inline void mcfab_wire_pass(struct mcfab_wire *wire, u64 last, bool crossed)
{
	u64 crossing = wire->crossing << 1 | crossed;

	wire->arrived += !!(crossing & last);
	wire->crossing = crossing & (last - 1);
}

/* a cycle passes: a flit that has been on the link for @delay - 1 cycles is at the buffer next */
static __always_inline void mcfab_wire_step(struct mcfab_wire *wire, u32 delay)
{
	u64 last = BIT_ULL(delay - 1);

	if (!wire->crossing)
		return;
	wire->crossing <<= 1;
	if (wire->crossing & last) {
		wire->crossing ^= last;
		wire->arrived++;
	}
}

/* a flit crosses the channel, after mcfab_wire_step() of the cycle */
static __always_inline void mcfab_wire_cross(struct mcfab_wire *wire, u32 delay)
{
	if (delay == 1)
		wire->arrived++;
	else
		wire->crossing |= 1;
}

/*
 * Are a record's flits the only ones in its FIFO, and not counted there? No other packet may
 * enter before the record's last flit has.
 */
static inline bool mcfab_rec_alone(const struct mcfab_engine *e, const struct mcfab_rec *r,
				   const u32 flags)
{
	return !(flags & MCFAB_ENG_STAMPS) && (flags & MCFAB_ENG_FIFOS || e->hw.lazy_credits) &&
	       !(r->entry & MCFAB_ENTRY_COUNTED);
}

/* is there room in a FIFO for one more flit of a record, by the counts of the FIFO? */
static __always_inline bool mcfab_rec_credits(const struct mcfab_engine *e,
					      const struct mcfab_fifo *fifo,
					      const struct mcfab_rec *r, const u32 flags)
{
	if (flags & MCFAB_ENG_STAMPS)
		return mcfab_fifo_roomy(e, fifo, fifo->entered + mcfab_rec_counts(r));
	return fifo->entered + mcfab_rec_counts(r) - fifo->departed < e->hw.buffer;
}

/* is there room for a flit in a VC's buffer, counting nothing freed in this cycle? */
static inline bool mcfab_room_at_start(const struct mcfab_engine *e, u32 vc,
				       const struct mcfab_rec *r, const u32 flags)
{
	if (flags & MCFAB_ENG_CREDITS && !mcfab_rec_alone(e, r, flags))
		return mcfab_rec_credits(e, &e->fifo[vc], r, flags);
	return r->sent - r->freed < e->hw.buffer;
}

/* may a channel with a rate of its own (MCFAB_ENG_RATES) take a flit in this cycle? */
static inline bool mcfab_link_open(const struct mcfab_engine *e, u32 vc, const u32 flags)
{
	return !(flags & MCFAB_ENG_RATES) || e->next_flit[mcfab_vc_chan(e, vc)] <= e->cycle;
}

/* room for flits that have left a host: in the buffer, and in the registers of a long link */
static inline u32 mcfab_port_room(const struct mcfab_engine *e)
{
	return e->hw.buffer + max(e->hw.inject_delay, 1U) - 1;
}

/* the consumption channel of a copy that goes to a node */
static inline struct mcfab_tap *mcfab_copy_tap(const struct mcfab_engine *e,
					       const struct mcfab_copy *copy)
{
	return &e->tap[copy->node * e->cfg->consume + copy->channel];
}

/* may a copy take a flit in this cycle, as far as its node's link goes? */
static inline bool mcfab_copy_open(const struct mcfab_engine *e, const struct mcfab_copy *copy,
				   const u32 flags)
{
	return !(flags & MCFAB_ENG_RATES) || copy->node == MCFAB_NONE ||
	       mcfab_copy_tap(e, copy)->next <= e->cycle;
}

/* ... and all copies of a record? */
static inline bool mcfab_copies_open(const struct mcfab_engine *e, u32 nr, const u32 flags)
{
	u32 k;

	if (!(flags & MCFAB_ENG_RATES))
		return true;
	for (k = e->copies[nr]; k != MCFAB_NONE; k = e->copy[k].next)
		if (!mcfab_copy_open(e, &e->copy[k], flags))
			return false;
	return true;
}

/* MCFAB_ENG_WORM: flits that have crossed a record's channel up to the end of this cycle */
static inline u32 mcfab_crossing_moved(const struct mcfab_engine *e, u32 nr)
{
	if (e->intervals.begun[nr] > e->cycle)
		return 0;
	return min_t(u64, e->cycle - e->intervals.begun[nr] + 1, e->run.flits);
}

/*
 * The input port to which a VC, or an injection channel, leads: a channel, or after all channels a
 * node; @v: set to its number there.
 */
static inline u32 mcfab_vc_input(const struct mcfab_engine *e, u32 vc, u32 *v)
{
	u32 chan, node;

	if (vc >= e->hw.nvcs) {
		node = mcfab_divide(vc - e->hw.nvcs, e->hw.by_inject);
		*v = vc - e->hw.nvcs - node * e->hw.inject;
		return e->hw.nchans + node;
	}
	chan = mcfab_vc_chan(e, vc);
	*v = vc - chan * e->hw.vcs;
	return chan;
}

/* may the packet in @nr's buffer cross its router's crossbar in this cycle? */
static inline bool mcfab_input_open(const struct mcfab_engine *e, u32 nr, const u32 flags)
{
	u32 chan, v;

	if (flags & MCFAB_ENG_BOOKSIM)
		return e->wire[nr].turn & MCFAB_TURN_INPUT;
	if (e->rec[nr].flags & MCFAB_REC_INJECT && !(flags & MCFAB_ENG_SHARED))
		return true;
	chan = mcfab_vc_input(e, e->rec[nr].vc, &v);
	return e->inport[chan].chosen == v;
}

/*
 * May a flit leave @nr's buffer for its node in this cycle (MCFAB_ENG_SHARED)? A packet that the
 * router drops takes no turn at the node's link, and may still be in its source.
 */
static inline bool mcfab_consumes(const struct mcfab_engine *e, u32 nr, const u32 flags)
{
	if (e->rec[nr].flags & MCFAB_REC_DROP && e->head[nr].dropper == MCFAB_NONE)
		return true;
	if (flags & MCFAB_ENG_BOOKSIM)
		return e->wire[nr].turn & MCFAB_TURN_NODE;
	return e->consumer[mcfab_vc_to(e, mcfab_rec_vc(e, nr))].chosen == nr;
}

#endif
