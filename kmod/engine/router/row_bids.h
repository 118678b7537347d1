/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Bids in switch allocation in mode row by the rules of router booksim: what bids.h finds in
 * records, this finds in the rows of worms.
 */
#ifndef MCFAB_ENGINE_ROUTER_ROW_BIDS_H
#define MCFAB_ENGINE_ROUTER_ROW_BIDS_H

#include "engine/state/row_booksim.h"

/* the packets at the front of the VCs, or injection channels, of an input port */
static __always_inline struct mcfab_row_vc *mcfab_row_fronts(const struct mcfab_engine *e, u32 chan)
{
	if (chan < e->hw.nchans)
		return &e->rows.came[chan * e->hw.vcs];
	return &e->rows.source[(chan - e->hw.nchans) * e->hw.inject];
}

/**
 * mcfab_row_bid() - is there a flit in a buffer, and a way on for it?
 * @e: engine
 * @worm: the worm
 * @index: the buffer in its row
 * @arrived: the way on may be to a node
 * @room: set to: there is room behind the channel, or a node takes it
 * @firm: set to: so there is, and the channel was granted in an earlier cycle
 *
 * Context: end of the grant phase.
 * Return: true if there is; else @room and @firm have no meaning.
 */
static __always_inline bool mcfab_row_bid(const struct mcfab_engine *e, u32 worm, u32 index,
					  const bool arrived, bool *room, bool *firm)
{
	const struct mcfab_row *row = &e->rows.row[worm];

	if (!(row->some >> index & 1))
		return false;
	if (index) {
		*room = !(row->full >> (index - 1) & 1);
		*firm = *room;
		return true;
	}
	*firm = arrived && row->arrived;
	*room = *firm || row->next_owed < e->hw.buffer;
	/* the worm has not heard of a channel granted in this cycle */
	return *firm || row->given != row->granted;
}

/* the same for a packet at the front of a buffer */
static __always_inline bool mcfab_row_input_bid(const struct mcfab_engine *e,
						const struct mcfab_row_vc *front, bool *room,
						bool *firm)
{
	return mcfab_row_bid(e, front->worm, mcfab_row_front_index(e, front), true, room, firm);
}

/* ... for a VC that a worm has; false also if the input port has chosen another packet */
static __always_inline bool mcfab_row_output_bid(const struct mcfab_engine *e,
						 const struct mcfab_row_vc *vc, bool *room,
						 bool *firm)
{
	const struct mcfab_row *row = &e->rows.row[vc->worm];
	u32 index = (u8)(row->granted + 1 - vc->place);

	return mcfab_row_bit(&row->open, index) &&
	       mcfab_row_bid(e, vc->worm, index, false, room, firm);
}

/* could a node take a flit of the packet at the front of a buffer in this cycle? */
static __always_inline bool mcfab_row_consumes(const struct mcfab_engine *e,
					       const struct mcfab_row_vc *front)
{
	const struct mcfab_row *row = &e->rows.row[front->worm];

	return row->arrived && row->some & 1 && mcfab_row_bit(&row->open, 0);
}

/* its input port has chosen it */
static __always_inline void mcfab_row_tell(struct mcfab_engine *e, const struct mcfab_row_vc *front)
{
	mcfab_row_put(e, &e->rows.row[front->worm].open, mcfab_row_front_index(e, front), true);
}

/* the input port chooses anew; return: has a flit crossed, or was this packet not told? */
static __always_inline bool mcfab_row_settle(struct mcfab_engine *e,
					     const struct mcfab_row_vc *front)
{
	struct mcfab_row *row = &e->rows.row[front->worm];
	u32 index = mcfab_row_front_index(e, front);
	bool gone = mcfab_row_bit(&row->gone, index);

	if (!mcfab_row_bit(&row->open, index))
		return true;
	mcfab_row_put(e, &row->open, index, false);
	mcfab_row_put(e, &row->gone, index, false);
	return gone;
}

#endif
