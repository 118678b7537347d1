/* SPDX-License-Identifier: GPL-2.0 */
/* What mode row does in the move phase by all rules: flits are counted, the ends of worms go on. */
#ifndef MCFAB_ENGINE_FLIT_ROW_STEP_H
#define MCFAB_ENGINE_FLIT_ROW_STEP_H

#include "engine/flit/path.h"
#include "engine/flit/rows.h"
#include "engine/state/row_booksim.h"

/* count binary numbers with the digits @digit up where @in has bits, and down where @out has */
static __always_inline void mcfab_row_add(unsigned long *digit, unsigned long in, unsigned long out)
{
	unsigned long more = in & ~out, less = out & ~in;
	u32 d;

	for (d = 0; d < MCFAB_ROW_DIGITS; d++) {
		unsigned long before = digit[d];

		digit[d] ^= more ^ less;
		more &= before;
		less &= ~before;
	}
}

/* @word shifted up by one, and the highest bit of the word below it, @below, in */
static __always_inline unsigned long mcfab_row_up(unsigned long word, unsigned long below)
{
	return word << 1 | below >> (BITS_PER_LONG - 1);
}

/* where are the numbers @digit not 0? */
static __always_inline unsigned long mcfab_row_some(const unsigned long *digit)
{
	unsigned long some = 0;
	u32 d;

	for (d = 0; d < MCFAB_ROW_DIGITS; d++)
		some |= digit[d];
	return some;
}

/* where are they @buffer, the largest that they may be? there they have all of its digits */
static __always_inline unsigned long mcfab_row_full(const unsigned long *digit, const u32 buffer)
{
	unsigned long full = ~0UL;
	u32 d;

	for (d = 0; d < MCFAB_ROW_DIGITS; d++)
		full &= digit[d] | (buffer >> d & 1 ? 0 : ~0UL);
	return full;
}

/* the tail leaves the last buffer of a row; return: are there others? */
static __always_inline bool mcfab_row_leave(struct mcfab_engine *e, struct mcfab_shard *s,
					    struct mcfab_worm *w, struct mcfab_row *row,
					    const u32 flags)
{
	u32 from = w->rear, nr;
	struct mcfab_rec *p = &e->rec[from], *r;

	/* others read its counts until its node has heard of the end */
	if (p->flags & MCFAB_REC_INJECT)
		p->freed = e->run.flits;
	if (!--row->length) {
		mcfab_rec_deliver(e, s, from);
		mcfab_path_drained(e, s, from, p, e->flags);
		return false;
	}
	nr = p->newer;
	r = &e->rec[nr];
	r->sent = e->run.flits;
	if (flags & MCFAB_ENG_BOOKSIM)
		mcfab_row_write_credits(e, w - e->worm, row->length - 1, nr);
	mcfab_path_crossed(e, s, w, nr, r, e->flags);
	w->rear = nr;
	w->rear_vc = r->vc;
	row->credits = r->entry & MCFAB_ENTRY_CREDITS;
	mcfab_path_drained(e, s, from, p, e->flags);
	return true;
}

/* the first flit is in buffer 0 */
static __always_inline void mcfab_row_enter(struct mcfab_engine *e, struct mcfab_shard *s,
					    const struct mcfab_worm *w, struct mcfab_row *row)
{
	u32 nr = w->newest;

	row->fresh = false;
	e->head[nr].crossed = e->cycle;
	mcfab_outbox_post(mcfab_outbox_down(e, s, w->front_vc), MCFAB_EVENT_HEADER, nr);
}

#endif
