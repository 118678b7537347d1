// SPDX-License-Identifier: GPL-2.0
/* Mode row, see rows.h: records get the counts of flits that other modes have there. */
#include "engine/flit/rows.h"
#include "engine/router/router.h"
#include "engine/state/rec.h"
#include "engine/state/row_bits.h"

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

/* flits of a packet that have entered a buffer have left the buffer before */
static void show(struct mcfab_engine *e, u32 worm)
{
	struct mcfab_row *row = mcfab_row(e, worm, e->flags);
	const struct mcfab_worm *w = &e->worm[worm];
	u32 nr = w->rear, k = row->length, sent = e->run.flits;

	for (;; nr = e->rec[nr].newer) {
		struct mcfab_rec *r = &e->rec[nr];

		/* flits in the source have a count of their own */
		k--;
		r->sent = sent;
		r->freed = sent - (nr == w->rear && row->left ? row->left :
							       mcfab_row_flits(row, k, e->flags));
		sent = r->freed;
		if (nr == w->newest)
			break;
	}
	if (e->rec[nr].flags & MCFAB_REC_ABSORB)
		e->head[nr].cons = sent;
}

/* go on with single records, linked from the newest one to the oldest one */
static void leave(struct mcfab_engine *e, u32 worm)
{
	struct mcfab_row *row = mcfab_row(e, worm, e->flags);
	struct mcfab_worm *w = &e->worm[worm];
	u32 nr = w->rear, older = MCFAB_NONE, k = row->length, i;

	show(e, worm);
	for (;;) {
		struct mcfab_rec *r = &e->rec[nr];
		u32 newer = r->newer;

		if (mcfab_row_at(row, k, e->flags)->held >> k % BITS_PER_LONG & 1)
			r->entry |= MCFAB_ENTRY_HELD;
		k--;
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
 * mcfab_rows_leave() - go on in mode path-flit from the next cycle on
 * @e: engine with MCFAB_ENG_ROWS
 *
 * Context: boundary.
 */
void mcfab_rows_leave(struct mcfab_engine *e)
{
	visit(e, leave);
	/* worms have no trails */
	e->flags &= ~(MCFAB_ENG_FAR | MCFAB_ENG_WIDE);
	e->boundary.row_full = false;
}
