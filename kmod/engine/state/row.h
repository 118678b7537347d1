/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Mode row: where the flits of worms are, in bits of words; see flit/rows.h.
 */
#ifndef MCFAB_ENGINE_STATE_ROW_H
#define MCFAB_ENGINE_STATE_ROW_H

#include "base/types.h"

/** MCFAB_ROW_DIGITS - binary digits of the number of flits in a buffer */
#define MCFAB_ROW_DIGITS	4U
/** MCFAB_ROW_WORDS - most words of each kind that a worm has */
#define MCFAB_ROW_WORDS		4U

/**
 * struct mcfab_row - where the flits of a worm are
 * @some: bit k: there are flits in buffer k
 * @full: bit k: there is no room in buffer k
 * @held: bit k + 1: another VC crosses the channel into buffer k. Bit 0: into the buffer behind the
 *	  channel that was granted in this cycle
 * @digit: bit k of word d: binary digit d of the number of flits in buffer k; of the source, digit
 *	   0 says whether it has flits
 * @left: flits in the source
 * @granted: channels that the worm has heard of, modulo 256
 * @length: its buffers, the source included
 * @fresh: no flit has entered buffer 0
 * @behind: flits of another packet may be in buffer 0, so its credits decide
 * @ends: a node takes the flits from buffer 0
 * @credits: a flit that leaves the last buffer sends a credit. The router that grants the buffer's
 *	     VC to another worm writes it in the grant phase, so it is a byte of its own.
 *
 * The buffers of a worm count from its header: 0 is that of the channel granted last, the last one
 * has the tail. With MCFAB_ENG_WIDE a worm has several of these structures, for more buffers: bit k
 * is bit k % BITS_PER_LONG of structure k / BITS_PER_LONG. The fields from @left on are those of
 * the first.
 */
struct mcfab_row {
	unsigned long some;
	unsigned long full;
	unsigned long held;
	unsigned long digit[MCFAB_ROW_DIGITS];
	u32 left;
	u8 granted;
	u8 length;
	bool fresh : 1;
	bool behind : 1;
	bool ends : 1;
	bool credits;
} __aligned(64);

/**
 * struct mcfab_row_vc - where the buffer of a VC without a FIFO is in a row
 * @worm: as in struct mcfab_fifo
 * @place: likewise
 */
struct mcfab_row_vc {
	u32 worm;
	u8 place;
};

/**
 * struct mcfab_rows - what mode row has (MCFAB_ENG_ROWS)
 * @row: [worms * @words]
 * @vc: [nvcs] if slots == 1
 * @words: structures of each worm in @row
 */
struct mcfab_rows {
	struct mcfab_row *row;
	struct mcfab_row_vc *vc;
	u32 words;
};

#endif
