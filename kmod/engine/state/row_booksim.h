/* SPDX-License-Identifier: GPL-2.0 */
/* Mode row by the rules of router booksim: what routers write into the rows of worms. */
#ifndef MCFAB_ENGINE_STATE_ROW_BOOKSIM_H
#define MCFAB_ENGINE_STATE_ROW_BOOKSIM_H

#include "engine/state/credit.h"
#include "engine/state/row_bits.h"

/* the packet at the front of a VC's buffer, or after all VCs of an injection channel */
static inline struct mcfab_row_vc *mcfab_row_front(const struct mcfab_engine *e, u32 vc)
{
	return vc < e->hw.nvcs ? &e->rows.came[vc] : &e->rows.source[vc - e->hw.nvcs];
}

/* number of its buffer in the row of its worm */
static __always_inline u32 mcfab_row_front_index(const struct mcfab_engine *e,
						 const struct mcfab_row_vc *front)
{
	return (u8)(e->rows.row[front->worm].granted - front->place);
}

/* a packet's header has come to the front, or (@rec is MCFAB_NO_REC) the packet there has left */
static inline void mcfab_row_came(struct mcfab_engine *e, u32 vc, u32 rec)
{
	*mcfab_row_front(e, vc) = (struct mcfab_row_vc) {
		.worm = e->rec[rec].worm,
		.place = rec == MCFAB_NO_REC || vc >= e->hw.nvcs ? 0 : e->head[rec].hops,
		.port = MCFAB_NODE_PORT,
	};
}

/**
 * mcfab_row_give() - a packet at the front of a buffer gets a channel
 * @e: engine with MCFAB_ENG_ROWS and MCFAB_ENG_BOOKSIM
 * @vc: its VC; mcfab_row_note() was called
 * @from: VC of the buffer, or after all VCs an injection channel
 *
 * Writes down what is in the FIFO behind the channel from packets ahead.
 *
 * Context: grant phase of the shard that grants the channel.
 */
static inline void mcfab_row_give(struct mcfab_engine *e, u32 vc, u32 from)
{
	struct mcfab_row *row = &e->rows.row[e->rows.vc[vc].worm];
	const struct mcfab_fifo *fifo = &e->fifo[vc];
	u32 chan = mcfab_vc_chan(e, vc), delay = e->hw.credit_delay;

	mcfab_row_front(e, from)->port = mcfab_chan_port(e, chan);
	e->rows.vc[vc].port = from >= e->hw.nvcs ? MCFAB_NODE_PORT :
			      mcfab_chan_port(e, e->topo->peer[mcfab_vc_chan(e, from)]);
	row->given = e->rows.vc[vc].place;
	row->next_owed = fifo->entered - mcfab_credit_seen(fifo->credits, e->cycle, delay);
	row->next_recent = mcfab_credit_recent(fifo->credits, e->cycle) & GENMASK(delay - 1, 0);
}

/**
 * mcfab_row_credit() - a flit of a packet ahead has left a FIFO in the last cycle
 * @e: engine with MCFAB_ENG_ROWS and MCFAB_ENG_BOOKSIM
 * @vc: VC of the FIFO
 *
 * The worm that has the VC counts the flits ahead of its own, and so gets the credit.
 *
 * Context: beginning of the grant phase of the shard that owns the channel.
 * Return: the worm, which may move again; MCFAB_NONE: no worm has the VC.
 */
static inline u32 mcfab_row_credit(struct mcfab_engine *e, u32 vc)
{
	u32 slot = (e->cycle - 1) % e->hw.credit_delay, worm = e->rows.vc[vc].worm, index;

	if (!e->fifo[vc].owned)
		return MCFAB_NONE;
	mcfab_row_of(e, vc, MCFAB_ENG_CREDITS | MCFAB_ENG_STAMPS, &index);
	mcfab_row_put(e, &e->rows.flits[worm].credit[slot], index - 1, true);
	return worm;
}

#endif
