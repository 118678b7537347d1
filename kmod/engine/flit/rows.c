// SPDX-License-Identifier: GPL-2.0
/* The move phase of mode row, see rows.h. */
#include "engine/flit/cruise.h"
#include "engine/flit/row_copies.h"
#include "engine/flit/rows.h"
#include "engine/state/flits.h"
#include "engine/state/row_bits.h"

/* may nodes copy packets that go on? */
static bool copied_in_passing(const struct mcfab_engine *e)
{
	return e->run.max_dst > 1 && !(e->pol->ops->flags & MCFAB_POLICY_SINGLE);
}

/* worms of one multicast hardly meet: is mode cruise exact, which is faster then? */
static bool cruises(const struct mcfab_engine *e)
{
	const char *why;

	return e->run.lone && mcfab_cruise_exact(e, &why);
}

/**
 * mcfab_rows_exact() - does mcfab_rows_move() know all rules of a run?
 * @e: engine; its flags, counts and delays are set
 * @why: set to what stands against it
 *
 * Context: any.
 * Return: true if every delivery is the same as flit by flit, to the cycle.
 */
bool mcfab_rows_exact(const struct mcfab_engine *e, const char **why)
{
	if (!mcfab_paths_exact(e, why))
		return false;
	if (e->flags & MCFAB_ENG_BOOKSIM && !mcfab_rows_booksim_exact(e, why))
		return false;
	if (copied_in_passing(e) && e->flags & MCFAB_ENG_BOOKSIM)
		*why = "packets with several destinations";
	else if (copied_in_passing(e) && e->run.held)
		*why = MCFAB_WHY_HELD;
	else if (copied_in_passing(e) && cruises(e))
		*why = "one multicast at a time";
	else if (e->outside.from)
		*why = "messages from outside";
	else if (e->hw.may_cut)
		*why = MCFAB_WHY_CUT;
	else if (e->flags & MCFAB_ENG_PORTS)
		*why = MCFAB_WHY_PORTS;
	else if (e->hw.packet_room)
		*why = MCFAB_WHY_ROOM;
	else if (e->run.flits == 1)
		*why = "packets of one flit";
	else if (e->hw.buffer >> MCFAB_ROW_DIGITS)
		*why = "buffers above 15 flits";
	return !*why;
}

/*
 * Flits that wait for their turns have gaps between them. But a worm hardly ever has more buffers
 * than this many for each flit and each VC of a channel: 1.3 at most on a 256x256 torus at half of
 * what it carries.
 */
#define SPREAD	2

/**
 * mcfab_rows_size() - choose how many buffers rows have room for
 * @e: engine; its mode is chosen
 *
 * On a grid, for the longest of the shortest ways between two nodes, or for a way past all nodes
 * where packets are copied on it, if there are flits enough to fill it. Elsewhere one word has to
 * do. If a row has not enough, the run goes on in another mode.
 *
 * Context: any.
 */
void mcfab_rows_size(struct mcfab_engine *e)
{
	u32 longest = 0, i;

	if (!(e->flags & MCFAB_ENG_ROWS))
		return;
	e->rows.words = 1;
	if (copied_in_passing(e))
		e->flags |= MCFAB_ENG_PASSING;
	/* flits that cross channels in one cycle are some buffers apart */
	if (e->flags & MCFAB_ENG_BOOKSIM)
		return;
	for (i = 0; i < e->topo->ndims; i++)
		longest += e->topo->closed ? e->topo->radix[i] / 2 : e->topo->radix[i] - 1;
	if (copied_in_passing(e))
		longest = e->topo->routers;
	/* with the source, and there have to be more bits than buffers, see lengthen() */
	longest = min_t(u64, longest + 3, (u64)SPREAD * e->run.flits * e->hw.vcs);
	e->rows.words = clamp(DIV_ROUND_UP(longest, BITS_PER_LONG), 1, MCFAB_ROW_WORDS);
	if (e->rows.words > 1)
		e->flags |= MCFAB_ENG_WIDE;
}

/* cycles in which flits are counted; before that as many pass in which the network may fill */
#define SELDOM_CYCLES	1024U

/**
 * mcfab_rows_seldom() - do so few flits move that worms hardly meet?
 * @e: engine with MCFAB_ENG_ROWS
 *
 * Then mode cruise is faster, where it is exact: below 1/16 flits per channel and cycle, with one
 * VC to a channel, or short packets, below 1/8. If packets are copied on their way it is not.
 *
 * Context: boundary, now and then.
 * Return: true if so.
 */
bool mcfab_rows_seldom(struct mcfab_engine *e)
{
	u64 cycles = e->cycle - e->rows.since, moved = e->shard->flit_hops - e->rows.flit_hops;
	bool first = !e->rows.since, soon = e->hw.vcs == 1 || mcfab_rows_short(e);

	if (!(e->layout & MCFAB_ENG_CRUISE) || e->flags & MCFAB_ENG_PASSING ||
	    cycles < SELDOM_CYCLES)
		return false;
	e->rows.since = e->cycle;
	e->rows.flit_hops += moved;
	return !first && moved < div_u64(cycles * e->hw.nchans, soon ? 8 : 16);
}

/* shift all bits by one, and the highest ones of the words before, @below, in */
static __always_inline void shift_up(struct mcfab_row *row, const struct mcfab_row *below)
{
	u32 d;

	row->some = mcfab_row_up(row->some, below ? below->some : 0);
	row->full = mcfab_row_up(row->full, below ? below->full : 0);
	row->held = mcfab_row_up(row->held, below ? below->held : 0);
	for (d = 0; d < MCFAB_ROW_DIGITS; d++)
		row->digit[d] = mcfab_row_up(row->digit[d], below ? below->digit[d] : 0);
}

/* one more buffer */
static __always_inline void lengthen(struct mcfab_engine *e, struct mcfab_row *row)
{
	u32 length = ++row->length, i = length / BITS_PER_LONG * BITS_PER_LONG;

	if (e->flags & MCFAB_ENG_PASSING)
		mcfab_row_copies_lengthen(e, row - e->rows.row, length / BITS_PER_LONG);
	/* nothing is in these words but what was held when they were last in use */
	if (unlikely(i == length))
		mcfab_row_at(e, row, i, e->flags)->held = 0;
	for (; unlikely(i); i -= BITS_PER_LONG)
		shift_up(mcfab_row_at(e, row, i, e->flags),
			 mcfab_row_at(e, row, i - BITS_PER_LONG, e->flags));
	shift_up(row, NULL);
	if (length == e->rows.words * BITS_PER_LONG - 1)
		WRITE_ONCE(e->boundary.rows_end, true);
}

/**
 * mcfab_row_granted() - a worm has one more channel: its row gets longer
 * @e: engine with MCFAB_ENG_ROWS
 * @w: the worm
 * @nr: record of the channel
 *
 * Context: beginning of the move phase.
 */
void mcfab_row_granted(struct mcfab_engine *e, struct mcfab_worm *w, u32 nr)
{
	const struct mcfab_rec *r = &e->rec[nr];
	struct mcfab_row *row = mcfab_row(e, r->worm);

	e->rec[w->newest].newer = nr;
	w->newest = nr;
	w->front_vc = r->vc;
	row->granted++;
	row->fresh = true;
	if (e->flags & MCFAB_ENG_BOOKSIM) {
		mcfab_row_booksim_lengthen(e, r->worm);
		return;
	}
	lengthen(e, row);
	row->behind = r->entry & MCFAB_ENTRY_COUNTED;
}

/**
 * mcfab_row_copied() - a worm hears that a node takes its flits, or that the router drops them
 * @e: engine with MCFAB_ENG_ROWS
 * @s: the worm's shard
 * @nr: record of the worm's last channel
 *
 * Context: beginning of the move phase; the header's flit leaves the buffer in this cycle.
 */
void mcfab_row_copied(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	const struct mcfab_head *f = &e->head[nr];
	u32 worm = e->rec[nr].worm;

	/* it has more destinations, so it goes on */
	if (f->last - f->first > 1 && !(e->rec[nr].flags & MCFAB_REC_DROP)) {
		mcfab_row_copies_begin(e, worm);
	} else {
		mcfab_row(e, worm)->ends = true;
		mcfab_row(e, worm)->heading = true;
	}
	e->head[nr].delivered = e->cycle + e->hw.consume_delay - 1;
	mcfab_worm_activate(e, s, worm);
}

/* a flit leaves the last buffer of a row; it does not get empty by that if it is the source */
static __always_inline unsigned long read_last(struct mcfab_engine *e, struct mcfab_shard *s,
					       struct mcfab_worm *w, struct mcfab_row *row,
					       unsigned long last)
{
	if (row->left)
		return --row->left ? last : 0;
	if (row->credits)
		mcfab_outbox_post(mcfab_outbox_up(e, s, w->rear_vc), MCFAB_EVENT_CREDIT,
				  w->rear_vc);
	return 0;
}

/* has buffer 0 room, where flits of another packet are ahead? by the FIFO's credits */
static noinline bool roomy_behind(struct mcfab_engine *e, const struct mcfab_worm *w,
				  struct mcfab_row *row)
{
	const struct mcfab_fifo *fifo = &e->fifo[w->front_vc];

	row->behind = mcfab_fifo_shared(fifo);
	return !row->behind || fifo->entered + mcfab_row_flits(e, row, 0, 0) - fifo->departed <
			       e->hw.buffer;
}

/* @low shifted down by one, and the lowest bit of the words after it, @high, in */
static __always_inline unsigned long shift_down(unsigned long low, unsigned long high)
{
	return low >> 1 | high << (BITS_PER_LONG - 1);
}

/*
 * Move a worm's flits by one cycle; @buffer: flits of a buffer; @words: that hold the bits of its
 * buffers; @passing: MCFAB_ENG_PASSING. Return: may flits move in the next cycle, without an event
 * that says so?
 */
static __always_inline bool step(struct mcfab_engine *e, struct mcfab_shard *s,
				 struct mcfab_worm *w, struct mcfab_row *row, const u32 buffer,
				 const u32 words, const bool passing)
{
	const unsigned long last = BIT((row->length - 1) % BITS_PER_LONG);
	const u32 end = words > 1 ? (row->length - 1) / BITS_PER_LONG : 0;
	unsigned long out[MCFAB_ROW_WORDS], in[MCFAB_ROW_WORDS];
	unsigned long stays = 0, moved = 0, stopped = 0;
	unsigned long carry = row->ends & row->some;
	struct mcfab_row *part[MCFAB_ROW_WORDS];
	u32 i;

	for (i = 0; i < words; i++)
		part[i] = i ? mcfab_row_at(e, row, i * BITS_PER_LONG, MCFAB_ENG_WIDE) : row;
	for (i = 0; i < words; i++) {
		bool more = i + 1 < words;
		unsigned long wait = shift_down(part[i]->some, more ? part[i + 1]->some : 0);
		unsigned long held = shift_down(part[i]->held, more ? part[i + 1]->held : 0);
		unsigned long ready = wait & ~held, go = ready & ~part[i]->full;

		if (!i && unlikely(row->behind) && !roomy_behind(e, w, row))
			go &= ~BIT(0);
		out[i] = (ready + go + carry) ^ ready ^ go;
		carry = (go | (ready & out[i])) >> (BITS_PER_LONG - 1);
		moved |= out[i];
		stopped |= wait & (held | (!i && row->behind));
	}
	for (i = 0; i < words; i++)
		in[i] = shift_down(out[i], i + 1 < words ? out[i + 1] : 0);
	if (passing && mcfab_row_copies_move(e, s, w, last, in, end + 1))
		stopped = true;
	if (!moved)
		return stopped;
	if (row->fresh && out[0] & BIT(1))
		mcfab_row_enter(e, s, w, row);
	if (out[end] & last)
		stays = read_last(e, s, w, row, last);
	for (i = 0; i < words; i++) {
		mcfab_row_add(part[i]->digit, in[i], i == end ? out[i] & ~stays : out[i]);
		part[i]->some = mcfab_row_some(part[i]->digit);
		part[i]->full = mcfab_row_full(part[i]->digit, buffer);
	}
	if (part[end]->some & last || mcfab_row_leave(e, s, w, row, 0))
		return true;
	w->newest = MCFAB_NONE;
	mcfab_worm_over(e, s, w - e->worm);
	return false;
}

static noinline bool step_long(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm)
{
	struct mcfab_row *row = mcfab_row(e, worm);

	return step(e, s, &e->worm[worm], row, e->hw.buffer, row->length / BITS_PER_LONG + 1,
		    e->flags & MCFAB_ENG_PASSING);
}

/*
 * Prefetch what worms need that are next in the list: first their rows. MCFAB_ENG_FAR: then the
 * records that their tails leave.
 */
static __always_inline void look_ahead(const struct mcfab_engine *e, const struct mcfab_shard *s,
				       u32 i, const u32 flags)
{
	u32 worm;

	if (i + 4 < s->nactive) {
		worm = s->active[i + 4];
		prefetchw(mcfab_row(e, worm));
		prefetchw(&e->worm[worm]);
	}
	if (flags & MCFAB_ENG_FAR && i + 2 < s->nactive) {
		worm = s->active[i + 2];
		if (!mcfab_row(e, worm)->left)
			prefetchw(&e->rec[e->worm[worm].rear]);
		worm = s->active[i + 1];
		if (!mcfab_row(e, worm)->left)
			prefetchw(&e->rec[e->rec[e->worm[worm].rear].newer]);
	}
}

static __always_inline void move(struct mcfab_engine *e, struct mcfab_shard *s, const u32 flags)
{
	const u32 buffer = e->hw.buffer;
	u32 i = 0, worm, left;
	struct mcfab_row *row;

	/* @left is one less each time */
	while ((left = s->nactive - i)) {
		mcfab_breathe(left);
		look_ahead(e, s, i, flags);
		worm = s->active[i];
		row = mcfab_row(e, worm);
		if (flags & MCFAB_ENG_WIDE && unlikely(row->length >= BITS_PER_LONG) ?
		    step_long(e, s, worm) :
		    step(e, s, &e->worm[worm], row, buffer, 1, flags & MCFAB_ENG_PASSING)) {
			i++;
		} else {
			e->worm[worm].active = false;
			s->active[i] = s->active[--s->nactive];
		}
	}
}

static noinline void move_far(struct mcfab_engine *e, struct mcfab_shard *s)
{
	move(e, s, MCFAB_ENG_FAR);
}

static noinline void move_wide(struct mcfab_engine *e, struct mcfab_shard *s)
{
	move(e, s, MCFAB_ENG_WIDE | (e->flags & MCFAB_ENG_FAR));
}

static noinline void move_passing(struct mcfab_engine *e, struct mcfab_shard *s)
{
	move(e, s, MCFAB_ENG_PASSING | (e->flags & (MCFAB_ENG_WIDE | MCFAB_ENG_FAR)));
}

/**
 * mcfab_rows_move() - move the flits of a shard's worms
 * @e: engine with MCFAB_ENG_ROWS
 * @s: the shard, whose worms have heard of their grants, see mcfab_flits_hear()
 *
 * Context: move phase.
 */
void mcfab_rows_move(struct mcfab_engine *e, struct mcfab_shard *s)
{
	if (e->flags & MCFAB_ENG_BOOKSIM)
		mcfab_rows_booksim_move(e, s);
	else if (e->flags & MCFAB_ENG_PASSING)
		move_passing(e, s);
	else if (e->flags & MCFAB_ENG_WIDE)
		move_wide(e, s);
	else if (e->flags & MCFAB_ENG_FAR)
		move_far(e, s);
	else
		move(e, s, 0);
}
