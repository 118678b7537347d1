/* SPDX-License-Identifier: GPL-2.0 */
/* Mode row: the bits of a buffer, or of a VC, in the words of struct mcfab_row. */
#ifndef MCFAB_ENGINE_STATE_ROW_BITS_H
#define MCFAB_ENGINE_STATE_ROW_BITS_H

#include <linux/bitops.h>
#include "engine/state/engine.h"

/* the words with bit 0, and the properties of the worm */
static __always_inline struct mcfab_row *mcfab_row(const struct mcfab_engine *e, u32 worm)
{
	return &e->rows.row[worm];
}

/* the words with bit @index, which is bit @index % BITS_PER_LONG there */
static __always_inline struct mcfab_row *mcfab_row_at(const struct mcfab_engine *e,
						      struct mcfab_row *row, u32 index,
						      const u32 flags)
{
	if (!(flags & MCFAB_ENG_WIDE) || likely(index < BITS_PER_LONG))
		return row;
	return &e->rows.more[(row - e->rows.row) * (e->rows.words - 1) +
			     index / BITS_PER_LONG - 1];
}

/* do FIFOs say which worms got their VCs last? else mcfab_rows.vc does */
static __always_inline bool mcfab_row_fifos(const u32 flags)
{
	return (flags & (MCFAB_ENG_CREDITS | MCFAB_ENG_STAMPS)) == MCFAB_ENG_CREDITS;
}

/* a VC is granted to a worm, as its channel number @place */
static inline void mcfab_row_note(struct mcfab_engine *e, u32 vc, u32 worm, u8 place)
{
	if (mcfab_row_fifos(e->flags)) {
		e->fifo[vc].worm = worm;
		e->fifo[vc].place = place;
	} else {
		e->rows.vc[vc].worm = worm;
		e->rows.vc[vc].place = place;
	}
}

/* are flits of other packets ahead of those of the worm that got the VC last? */
static inline bool mcfab_fifo_shared(const struct mcfab_fifo *fifo)
{
	return fifo->oldest != fifo->newest;
}

/**
 * mcfab_row_of() - row of the worm that has a VC
 * @e: engine with MCFAB_ENG_ROWS
 * @vc: the VC
 * @flags: MCFAB_ENG_WIDE, MCFAB_ENG_CREDITS and MCFAB_ENG_STAMPS, if they are on
 * @index: set to the number of the VC's bit in mcfab_row.held
 *
 * The VC's buffer is one number lower. So this is the number of the buffer from which flits cross
 * the channel, if the worm has heard of the grant; 0 in the grant phase of the grant, when buffer 0
 * is that before the channel.
 *
 * Context: grant phase of the shard that owns the channel.
 * Return: the row.
 */
static __always_inline struct mcfab_row *mcfab_row_of(const struct mcfab_engine *e, u32 vc,
						      const u32 flags, u32 *index)
{
	const bool fifos = mcfab_row_fifos(flags);
	u32 worm = fifos ? e->fifo[vc].worm : e->rows.vc[vc].worm;
	u8 place = fifos ? e->fifo[vc].place : e->rows.vc[vc].place;
	struct mcfab_row *row = mcfab_row(e, worm);

	*index = (u8)(row->granted + 1 - place);
	return row;
}

/* one of the binary numbers with the digits @digit */
static __always_inline u32 mcfab_row_number(const unsigned long *digit, u32 bit)
{
	u32 number = 0, d;

	for (d = 0; d < MCFAB_ROW_DIGITS; d++)
		number |= (digit[d] >> bit & 1) << d;
	return number;
}

/* flits in buffer @k; not of the source */
static __always_inline u32 mcfab_row_flits(const struct mcfab_engine *e, struct mcfab_row *row,
					   u32 k, const u32 flags)
{
	return mcfab_row_number(mcfab_row_at(e, row, k, flags)->digit, k % BITS_PER_LONG);
}

/* grant phase: read a bit of a word of which other shards may write other bits */
static __always_inline bool mcfab_row_bit(const unsigned long *word, u32 bit)
{
	return READ_ONCE(*word) >> bit & 1;
}

/* ... and write one */
static __always_inline void mcfab_row_put(const struct mcfab_engine *e, unsigned long *word,
					  u32 bit, bool on)
{
	if (mcfab_alone(e) && on)
		__set_bit(bit, word);
	else if (mcfab_alone(e))
		__clear_bit(bit, word);
	else if (on)
		set_bit(bit, word);
	else
		clear_bit(bit, word);
}

/**
 * mcfab_row_hold() - from this cycle on, another VC of the channel crosses it, or not any more
 * @e: engine with MCFAB_ENG_ROWS
 * @vc: the VC, which a worm has
 * @hold: another VC does
 * @flags: as for mcfab_row_of()
 *
 * Context: grant phase of the shard that owns the channel. Other shards may write the same word.
 */
static __always_inline void mcfab_row_hold(struct mcfab_engine *e, u32 vc, bool hold,
					   const u32 flags)
{
	u32 index;
	struct mcfab_row *row = mcfab_row_of(e, vc, flags, &index);

	mcfab_row_put(e, &mcfab_row_at(e, row, index, flags)->held, index % BITS_PER_LONG, hold);
}

/* a worm is injected; @rec: record of its source */
static inline void mcfab_row_begin(struct mcfab_engine *e, u32 worm, u32 rec)
{
	struct mcfab_row *row = mcfab_row(e, worm);

	*row = (struct mcfab_row) { .some = 1, .left = e->run.flits, .length = 1 };
	e->worm[worm].rear = rec;
	if (e->flags & MCFAB_ENG_PASSING)
		memset(&e->rows.copies[(size_t)worm * e->rows.words], 0,
		       e->rows.words * sizeof(*e->rows.copies));
	if (e->flags & MCFAB_ENG_BOOKSIM)
		e->rows.flits[worm] = (struct mcfab_row_flits) { .digit = { 1 } };
	else
		row->digit[0] = 1;
}

#endif
