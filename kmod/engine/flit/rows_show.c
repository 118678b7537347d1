// SPDX-License-Identifier: GPL-2.0
/* Mode row, see rows.h: records get the counts of flits that other modes have there. */
#include "engine/flit/row_copies.h"
#include "engine/router/router.h"
#include "engine/state/rec.h"
#include "engine/state/row_booksim.h"

/* what is done with each row in use */
typedef void (*visit_fn)(struct mcfab_engine *e, u32 worm);

static void visit(struct mcfab_engine *e, visit_fn each)
{
	u32 done = 0, nr, worm;

	for (nr = mcfab_first_rec(e); nr != MCFAB_NO_REC; nr = mcfab_next_rec(e, nr)) {
		mcfab_breathe(++done);
		worm = e->rec[nr].worm;
		if (e->worm[worm].newest == nr)
			each(e, worm);
	}
}

/*
 * By the rules of router booksim: which flits are on the link to buffer @k, of the @sent that have
 * crossed. Return: how many are there, or in the buffer.
 */
static u32 show_link(struct mcfab_engine *e, u32 worm, u32 nr, u32 k, u32 sent)
{
	const struct mcfab_row_flits *f = &e->rows.flits[worm];
	struct mcfab_wire *wire = &e->wire[nr];
	const u32 words = e->hw.link_delay - 1;
	u32 i;

	wire->crossing = 0;
	for (i = 0; i < words; i++) {
		/* the word of @i cycles ago */
		u64 word = f->crossing[(e->cycle + i * (words - 1)) % words];

		wire->crossing |= (word >> k & 1) << i;
	}
	wire->arrived = sent - hweight64(wire->crossing);
	return sent - wire->arrived + mcfab_row_number(f->digit, k);
}

/* MCFAB_ENG_PASSING: how many flits a node has taken from buffer @k; @sent is up to date */
static void show_copy(struct mcfab_engine *e, u32 worm, u32 nr, u32 k)
{
	const struct mcfab_row_copies *c = mcfab_row_copies(e, worm, k / BITS_PER_LONG);

	e->head[nr].cons = e->rec[nr].sent - mcfab_row_number(c->digit, k % BITS_PER_LONG);
}

/* flits of a packet that have entered a buffer have left the buffer before */
static void show(struct mcfab_engine *e, u32 worm)
{
	struct mcfab_row *row = mcfab_row(e, worm);
	const struct mcfab_worm *w = &e->worm[worm];
	u32 nr = w->rear, k = row->length, sent = e->run.flits;

	for (;; nr = e->rec[nr].newer) {
		struct mcfab_rec *r = &e->rec[nr];

		/* flits in the source have a count of their own */
		k--;
		r->sent = sent;
		if (r->flags & MCFAB_REC_INJECT) {
			sent -= row->left;
		} else {
			sent -= e->flags & MCFAB_ENG_BOOKSIM ? show_link(e, worm, nr, k, sent) :
							       mcfab_row_flits(e, row, k, e->flags);
		}
		r->freed = sent;
		if (e->flags & MCFAB_ENG_PASSING && r->flags & MCFAB_REC_ABSORB)
			show_copy(e, worm, nr, k);
		/* of the last buffer the FIFO counts all */
		if (e->flags & MCFAB_ENG_BOOKSIM && nr != w->rear)
			mcfab_row_write_credits(e, worm, k, nr);
		if (nr == w->newest)
			break;
	}
	if (e->rec[nr].flags & MCFAB_REC_ABSORB && row->ends)
		e->head[nr].cons = sent;
}

/* by the rules of router booksim: the turn of a packet in a buffer */
static void leave_turns(struct mcfab_engine *e, u32 worm, u32 nr, u32 k)
{
	const struct mcfab_row *row = &e->rows.row[worm];

	e->wire[nr].turn = (row->open >> k & 1 ? MCFAB_TURN_INPUT : 0) |
			   (row->gone >> k & 1 ? MCFAB_TURN_USED : 0);
}

/* go on with single records, linked from the newest one to the oldest one */
static void leave(struct mcfab_engine *e, u32 worm)
{
	struct mcfab_row *row = mcfab_row(e, worm);
	struct mcfab_worm *w = &e->worm[worm];
	u32 nr = w->rear, older = MCFAB_NONE, k = row->length, i;

	show(e, worm);
	for (;;) {
		struct mcfab_rec *r = &e->rec[nr];
		u32 newer = r->newer;

		if (mcfab_row_at(e, row, k, e->flags)->held >> k % BITS_PER_LONG & 1)
			r->entry |= MCFAB_ENTRY_HELD;
		k--;
		if (e->flags & MCFAB_ENG_BOOKSIM)
			leave_turns(e, worm, nr, k);
		r->older = older;
		if (nr == w->newest)
			break;
		older = nr;
		nr = newer;
	}
	for (i = 0; i < MCFAB_WORM_BEHIND; i++) {
		w->behind[i] = older == MCFAB_NONE ? MCFAB_NO_REC : older;
		older = older == MCFAB_NONE ? older : e->rec[older].older;
	}
	/* for mode cruise: it has landed */
	w->expected = false;
	w->steady = 0;
	mcfab_worm_activate(e, &e->shard[mcfab_mover(e, worm)], worm);
}

/**
 * mcfab_rows_show() - write into the records how many flits have entered and left their buffers
 * @e: engine with MCFAB_ENG_ROWS
 *
 * Context: boundary.
 */
void mcfab_rows_show(struct mcfab_engine *e)
{
	visit(e, show);
}

/**
 * mcfab_rows_leave() - go on with single records from the next cycle on
 * @e: engine with MCFAB_ENG_ROWS
 *
 * Context: boundary.
 */
void mcfab_rows_leave(struct mcfab_engine *e)
{
	visit(e, leave);
	/* worms have no trails */
	e->flags &= ~(MCFAB_ENG_FAR | MCFAB_ENG_WIDE | MCFAB_ENG_PASSING);
	e->boundary.rows_end = false;
}
