// SPDX-License-Identifier: GPL-2.0
/*
 * The move phase of mode row by the rules of router booksim. Routers see room later than it is
 * made. So a flit moves by what was there at the start of the cycle: there are no carries from
 * buffer to buffer. Flits on links, and credits on their way back, are words of the last cycles.
 *
 * Whether there is room in a buffer, a worm knows from the flits that it owes: those that have
 * crossed the channel, less the credits that have come. While its flits enter a FIFO behind other
 * packets, the flits of these count, too. Their worms send it an event for each flit that leaves.
 * Once the tail has entered, the FIFO itself counts the flits that leave, for the next worm.
 */
#include "engine/flit/row_step.h"

/* where the VCs of a channel compete, rows are worth it for short packets, too, from here on */
#define FEW_FLITS	16

/**
 * mcfab_rows_booksim_exact() - does mcfab_rows_booksim_move() know all rules of a run?
 * @e: engine with MCFAB_ENG_BOOKSIM
 * @why: set to what stands against it
 *
 * Context: any.
 * Return: true if so.
 */
bool mcfab_rows_booksim_exact(const struct mcfab_engine *e, const char **why)
{
	if (e->hw.slots == 1)
		*why = "vc-release drained";
	else if (e->hw.link_delay - 1 > MCFAB_ROW_DELAY)
		*why = "links above 5 cycles";
	else if (e->hw.credit_delay > MCFAB_ROW_DELAY)
		*why = "a credit-delay above 4";
	else if (e->hw.credit_delay == 1)
		*why = "a credit-delay of 1";
	else if (mcfab_rows_short(e) && (e->hw.vcs == 1 || e->run.flits * e->hw.vcs < FEW_FLITS))
		*why = "packets of few flits";
	else if (e->run.tables)
		*why = "routers' tables";
	return !*why;
}

/**
 * mcfab_row_booksim_lengthen() - a worm has one more channel, so its row gets longer
 * @e: engine with MCFAB_ENG_ROWS and MCFAB_ENG_BOOKSIM
 * @worm: the worm
 *
 * Context: beginning of the move phase.
 */
void mcfab_row_booksim_lengthen(struct mcfab_engine *e, u32 worm)
{
	struct mcfab_row_flits *f = &e->rows.flits[worm];
	struct mcfab_row *row = &e->rows.row[worm];
	const u32 delay = e->hw.credit_delay;
	u32 i;

	row->some <<= 1;
	row->full <<= 1;
	row->held <<= 1;
	row->open <<= 1;
	row->gone <<= 1;
	for (i = 0; i < MCFAB_ROW_DIGITS; i++) {
		f->digit[i] <<= 1;
		f->owed[i] = f->owed[i] << 1 | (row->next_owed >> i & 1);
	}
	for (i = 0; i < delay; i++)
		f->credit[i] <<= 1;
	for (i = 1; i < delay; i++)
		f->credit[(e->cycle - i) % delay] |= row->next_recent >> i & 1;
	for (i = 0; i < e->hw.link_delay - 1; i++)
		f->crossing[i] <<= 1;
	if (row->next_owed == e->hw.buffer)
		row->full |= 1;
	if (++row->length == BITS_PER_LONG - 1)
		WRITE_ONCE(e->boundary.rows_end, true);
}

/**
 * mcfab_row_write_credits() - write into a FIFO how many flits have left it
 * @e: engine with MCFAB_ENG_ROWS and MCFAB_ENG_BOOKSIM
 * @worm: worm whose flits enter the FIFO
 * @k: number of the buffer in the worm's row
 * @nr: record of the VC with this FIFO; its @sent is up to date
 *
 * If a flit of the worm has left, all flits of packets ahead have. Else packets ahead write it.
 *
 * Context: move phase, before the FIFO counts the packet; or boundary.
 */
void mcfab_row_write_credits(struct mcfab_engine *e, u32 worm, u32 k, u32 nr)
{
	const struct mcfab_row_flits *f = &e->rows.flits[worm];
	struct mcfab_fifo *fifo = &e->fifo[e->rec[nr].vc];
	u32 left = e->rec[nr].sent - mcfab_row_number(f->digit, k), recent = 0, i;
	const u32 delay = e->hw.credit_delay;

	for (i = 0; i < e->hw.link_delay - 1; i++)
		left -= f->crossing[i] >> k & 1;
	if (!left)
		return;
	for (i = 0; i < delay; i++)
		recent |= (f->credit[(e->cycle - i) % delay] >> k & 1) << i;
	WRITE_ONCE(fifo->credits, mcfab_credit_word(fifo->entered + left, recent, e->cycle));
}

/* a flit leaves the last buffer of a row; return: its bit if it is a source with more flits */
static __always_inline unsigned long read_last(struct mcfab_engine *e, struct mcfab_shard *s,
					       const struct mcfab_worm *w, struct mcfab_row *row,
					       unsigned long last)
{
	struct mcfab_fifo *fifo;

	if (row->left)
		return --row->left ? last : 0;
	fifo = &e->fifo[w->rear_vc];
	WRITE_ONCE(fifo->credits, mcfab_credit_give(fifo->credits, e->cycle));
	/* the worm behind counts the flits ahead of its own */
	if (fifo->newest != w->rear)
		mcfab_outbox_post(mcfab_outbox_up(e, s, w->rear_vc), MCFAB_EVENT_CREDIT,
				  w->rear_vc);
	return 0;
}

/**
 * struct slots - words of struct mcfab_row_flits
 * @crossing: the one in mcfab_row_flits.crossing for this cycle
 * @links: how many there are
 * @credit: likewise in mcfab_row_flits.credit
 * @credits: how many there are
 */
struct slots {
	u32 crossing;
	u32 links;
	u32 credit;
	u32 credits;
};

/* no flit of a worm moves, nor is one on a link; return: may one move in the next cycle? */
static bool waits(const struct mcfab_row *row, const struct mcfab_row_flits *f,
		  const struct slots *at)
{
	unsigned long more = row->some & (row->held | ~row->open) & ~BIT(0);
	u32 i;

	for (i = 0; i < at->credits; i++)
		more |= f->credit[i];
	return more || row->ends;
}

/*
 * Move a worm's flits by one cycle. @moved: flits that have left buffers are added. Return: may
 * flits move in the next cycle, without an event that says so?
 */
static __always_inline bool step(struct mcfab_engine *e, struct mcfab_shard *s,
				 struct mcfab_worm *w, struct mcfab_row *row,
				 struct mcfab_row_flits *f, const struct slots *at,
				 unsigned long *moved)
{
	const unsigned long last = BIT(row->length - 1);
	unsigned long in = (row->some & row->open & ~row->held) >> 1 & ~row->full;
	unsigned long out = in << 1 | row->node, stays = 0, come, seen, crossing = in;
	const u32 buffer = e->hw.buffer;
	u32 i;

	f->credit[at->credit] = out;
	seen = f->credit[at->credit + 1 < at->credits ? at->credit + 1 : 0];
	for (i = 0; i < at->links; i++)
		crossing |= f->crossing[i];
	if (!(out | seen | crossing))
		return waits(row, f, at);
	come = f->crossing[at->crossing];
	f->crossing[at->crossing] = in;
	row->node = false;
	row->gone |= out;
	*moved |= out;
	if (row->fresh && in & 1)
		mcfab_row_enter(e, s, w, row);
	if (row->heading && out & 1) {
		row->heading = false;
		e->head[w->newest].delivered = e->cycle + e->hw.consume_delay - 1;
	}
	if (out & last)
		stays = read_last(e, s, w, row, last);
	if (come != (out & ~stays)) {
		mcfab_row_add(f->digit, come, out & ~stays);
		row->some = mcfab_row_some(f->digit);
	}
	if (in != seen) {
		mcfab_row_add(f->owed, in, seen);
		row->full = mcfab_row_full(f->owed, buffer);
	}
	if ((row->some | crossing) & last)
		return true;
	if (mcfab_row_leave(e, s, w, row, MCFAB_ENG_BOOKSIM | MCFAB_ENG_CREDITS))
		return true;
	w->newest = MCFAB_NONE;
	mcfab_worm_over(e, s, w - e->worm);
	return false;
}

/**
 * mcfab_rows_booksim_move() - move the flits of a shard's worms
 * @e: engine with MCFAB_ENG_ROWS and MCFAB_ENG_BOOKSIM
 * @s: the shard, whose worms have heard of their grants, see mcfab_flits_hear()
 *
 * Context: move phase.
 */
void mcfab_rows_booksim_move(struct mcfab_engine *e, struct mcfab_shard *s)
{
	const struct slots at = {
		.crossing = e->cycle % (e->hw.link_delay - 1),
		.links = e->hw.link_delay - 1,
		.credit = e->cycle % e->hw.credit_delay,
		.credits = e->hw.credit_delay,
	};
	unsigned long moved = 0;
	u32 i = 0, worm, left;

	/* @left is one less each time */
	while ((left = s->nactive - i)) {
		mcfab_breathe(left);
		if (i + 4 < s->nactive) {
			worm = s->active[i + 4];
			prefetchw(&e->rows.row[worm]);
			prefetchw(&e->rows.flits[worm]);
			prefetchw(&e->worm[worm]);
		}
		worm = s->active[i];
		if (step(e, s, &e->worm[worm], &e->rows.row[worm], &e->rows.flits[worm], &at,
			 &moved)) {
			i++;
		} else {
			e->worm[worm].active = false;
			s->active[i] = s->active[--s->nactive];
		}
	}
	if (moved)
		s->credits_until = e->cycle + e->hw.credit_delay;
}
