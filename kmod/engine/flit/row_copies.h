/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Mode row: nodes that copy packets in passing (MCFAB_ENG_PASSING), by the simplest rules. Such a
 * node never holds a flit up: it begins when the packet is at the front, before a flit goes on, and
 * takes a flit in each cycle in which there is one. So the flits of a row move as if nobody copied
 * them. Only the cycle in which a node takes the last flit has to be found out. For that the row
 * counts the flits in each buffer that the node has not taken. The last flit of a packet can only
 * be in the last buffer.
 */
#ifndef MCFAB_ENGINE_FLIT_ROW_COPIES_H
#define MCFAB_ENGINE_FLIT_ROW_COPIES_H

#include "engine/flit/row_step.h"
#include "engine/state/row_bits.h"

/* the words of a worm's copies for the buffers from BITS_PER_LONG * @word on */
static __always_inline struct mcfab_row_copies *mcfab_row_copies(const struct mcfab_engine *e,
								 u32 worm, u32 word)
{
	return &e->rows.copies[(size_t)worm * e->rows.words + word];
}

/* one more buffer; @word: the word of the last one: shift all bits by one */
static inline void mcfab_row_copies_lengthen(struct mcfab_engine *e, u32 worm, u32 word)
{
	struct mcfab_row_copies *c = mcfab_row_copies(e, worm, word);
	u32 d;

	for (; word; word--, c--) {
		c->copied = mcfab_row_up(c->copied, c[-1].copied);
		for (d = 0; d < MCFAB_ROW_DIGITS; d++)
			c->digit[d] = mcfab_row_up(c->digit[d], c[-1].digit[d]);
	}
	c->copied <<= 1;
	for (d = 0; d < MCFAB_ROW_DIGITS; d++)
		c->digit[d] <<= 1;
}

/* a node begins to copy the packet in buffer 0, and takes a flit in this cycle */
static inline void mcfab_row_copies_begin(struct mcfab_engine *e, u32 worm)
{
	struct mcfab_row_copies *c = mcfab_row_copies(e, worm, 0);
	const struct mcfab_row *row = mcfab_row(e, worm);
	u32 d;

	c->copied |= 1;
	for (d = 0; d < MCFAB_ROW_DIGITS; d++)
		c->digit[d] |= row->digit[d] & 1;
}

/**
 * mcfab_row_copies_move() - nodes take flits of a worm
 * @e: engine with MCFAB_ENG_PASSING
 * @s: the shard
 * @w: the worm
 * @last: bit of its last buffer, in the last word
 * @in: flits that enter buffers in this cycle, by word
 * @words: words in use
 *
 * Context: move phase, before the worm's tail leaves its last buffer.
 * Return: true if nodes take flits in the next cycle.
 */
static __always_inline bool mcfab_row_copies_move(struct mcfab_engine *e, struct mcfab_shard *s,
						  struct mcfab_worm *w, unsigned long last,
						  const unsigned long *in, const u32 words)
{
	struct mcfab_row_copies *c = mcfab_row_copies(e, w - e->worm, 0);
	unsigned long more = 0, took, some;
	u32 i;

	for (i = 0; i < words; i++, c++) {
		if (!c->copied)
			continue;
		took = mcfab_row_some(c->digit);
		mcfab_row_add(c->digit, in[i] & c->copied, took);
		some = mcfab_row_some(c->digit);
		more |= some;
		if (i + 1 == words && c->copied & last & ~some) {
			c->copied &= ~last;
			mcfab_rec_deliver(e, s, w->rear);
		}
	}
	return more;
}

#endif
