/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Mode row: single flits of worms that are paths, by the simplest rules, or of packets with one
 * destination, by those of router booksim. All flits of a worm are moved at once.
 *
 * The buffers of a worm are a row, from buffer 0, which the header got last, to the buffer with the
 * tail, which is the source at first. Each buffer is one bit in the words of struct mcfab_row. A
 * flit leaves buffer k + 1 for buffer k if
 *
 *  - there is a flit, and no other virtual channel crosses the channel: buffer k is ready;
 *  - and buffer k has room (it is ready to go), or a flit leaves buffer k in this cycle.
 *
 * That is how a carry goes through an addition: bit k of a sum carries into bit k + 1 if both bits
 * are set, or if one is and there is a carry from bit k - 1. A carry into bit 0 says that the node
 * takes a flit from buffer 0. So the carries of "ready + go" are the buffers that a flit leaves.
 * The numbers of flits are binary numbers, whose digits stand in one word each, and are counted up
 * and down for all buffers together.
 *
 * By the rules of router booksim flits move by less: see rows_booksim.c. Packets that are copied on
 * their way: see row_copies.h.
 *
 * Only the two ends of a worm are looked at one by one. When the first flit enters buffer 0, its
 * router hears of the header. A buffer that gets empty at the end of the row has been left by the
 * tail. No other buffer sends credits: a buffer is shared with another packet only before the
 * packet's first flit comes to its front, and after its last flit has entered.
 *
 * Records do not count flits meanwhile; whoever wants to read counts calls mcfab_mode_show(). Where
 * ways are long, rows have several words (MCFAB_ENG_WIDE). If a worm has more buffers than its row
 * has bits, or if worms hardly meet, the run goes on in mode cruise, or else in path-flit.
 */
#ifndef MCFAB_ENGINE_FLIT_ROWS_H
#define MCFAB_ENGINE_FLIT_ROWS_H

#include "engine/state/engine.h"

/*
 * Are packets short? By the rules of router booksim a row costs as much for one flit as for many.
 * So it is worth it for long packets, and where the VCs of a channel compete.
 */
static inline bool mcfab_rows_short(const struct mcfab_engine *e)
{
	return e->flags & MCFAB_ENG_BOOKSIM && e->run.flits * e->hw.vcs < 24;
}

/* rows.c */
bool mcfab_rows_exact(const struct mcfab_engine *e, const char **why);
void mcfab_rows_size(struct mcfab_engine *e);
bool mcfab_rows_seldom(struct mcfab_engine *e);
void mcfab_row_granted(struct mcfab_engine *e, struct mcfab_worm *w, u32 nr);
void mcfab_row_copied(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr);
void mcfab_rows_move(struct mcfab_engine *e, struct mcfab_shard *s);

/* rows_booksim.c: the same by the rules of router booksim */
bool mcfab_rows_booksim_exact(const struct mcfab_engine *e, const char **why);
void mcfab_row_booksim_lengthen(struct mcfab_engine *e, u32 worm);
void mcfab_row_write_credits(struct mcfab_engine *e, u32 worm, u32 k, u32 nr);
void mcfab_rows_booksim_move(struct mcfab_engine *e, struct mcfab_shard *s);

/* rows_show.c */
void mcfab_rows_show(struct mcfab_engine *e);
void mcfab_rows_leave(struct mcfab_engine *e);

#endif
