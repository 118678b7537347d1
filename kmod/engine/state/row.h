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
/** MCFAB_ROW_DELAY - most cycles of a flit on a link, less one, and of a credit on its way back */
#define MCFAB_ROW_DELAY		4U

/**
 * struct mcfab_row - where the flits of a worm are
 * @some: bit k: there are flits in buffer k
 * @full: bit k: there is no room in buffer k
 * @held: bit k + 1: another VC crosses the channel into buffer k. Bit 0: into the buffer behind the
 *	  channel that was granted in this cycle
 * @digit: bit k of word d: binary digit d of the number of flits in buffer k; of the source, digit
 *	   0 says whether it has flits
 * @open: router booksim, in place of @digit, bit k: the input port lets flits of buffer k cross
 * @gone: ... bit k: and one has crossed since the port chose the packet
 * @given: ... channels granted to the worm, modulo 256; from a grant until the worm has heard of it
 *	   one more than @granted
 * @next_owed: ... of the channel granted last: what is to be mcfab_row_flits.owed of its buffer
 * @next_recent: ... bit k: a credit is under way for a flit that has left this buffer k cycles
 *		 before the grant
 * @arrived: ... the packet is at its destination, which is to copy it from buffer 0
 * @node: ... and which takes a flit in this cycle
 * @left: flits in the source
 * @granted: channels that the worm has heard of, modulo 256
 * @length: its buffers, the source included
 * @fresh: no flit has entered buffer 0
 * @behind: flits of another packet may be in buffer 0, so its credits decide
 * @ends: a node takes the flits from buffer 0
 * @heading: ... and has taken none (router booksim)
 * @credits: a flit that leaves the last buffer sends a credit. The router that grants the buffer's
 *	     VC to another worm writes it in the grant phase, so it is a byte of its own.
 *
 * The buffers of a worm count from its header: 0 is that of the channel granted last, the last one
 * has the tail. With MCFAB_ENG_WIDE a worm has several of these structures, for more buffers: bit k
 * is bit k % BITS_PER_LONG of structure k / BITS_PER_LONG. Those after the first are in
 * mcfab_rows.more, and their fields from @left on are not in use.
 *
 * In the grant phase a router writes bits in @held, and in @open and @gone those of the buffers
 * that it reads. The router that has the header writes the fields from @given to @node.
 */
struct mcfab_row {
	unsigned long some;
	unsigned long full;
	unsigned long held;
	union {
		unsigned long digit[MCFAB_ROW_DIGITS];
		struct {
			unsigned long open;
			unsigned long gone;
			u8 given;
			u8 next_owed;
			u8 next_recent;
			bool arrived;
			bool node;
		};
	};
	u32 left;
	u8 granted;
	u8 length;
	bool fresh : 1;
	bool behind : 1;
	bool ends : 1;
	bool heading : 1;
	bool credits;
} __aligned(64);

/**
 * struct mcfab_row_flits - the flits of a worm by the rules of router booksim
 * @digit: as mcfab_row.digit
 * @owed: likewise: flits in buffer k, or on the link to it, for which no credit has come. Those of
 *	  packets ahead in the same FIFO count, too
 * @credit: bit k of word c % credit-delay: in cycle c, one of the last ones, a flit has left buffer
 *	    k, or a flit of a packet ahead has left its FIFO. For the latter the router that fills
 *	    the buffer writes the bit, in the grant phase
 * @crossing: bit k of word c % (link-delay - 1): in cycle c, one of the last ones, a flit has
 *	      crossed the channel to buffer k
 */
struct mcfab_row_flits {
	unsigned long digit[MCFAB_ROW_DIGITS];
	unsigned long owed[MCFAB_ROW_DIGITS];
	unsigned long credit[MCFAB_ROW_DELAY];
	unsigned long crossing[MCFAB_ROW_DELAY];
} __aligned(64);

/**
 * struct mcfab_row_copies - nodes that copy a worm's packet on its way (MCFAB_ENG_PASSING)
 * @copied: bit k: a node copies the packet in buffer k, and has not taken the last flit
 * @digit: as mcfab_row.digit: flits in buffer k that it has not taken
 *
 * As many as @words of struct mcfab_rows, as for mcfab_row.
 */
struct mcfab_row_copies {
	unsigned long copied;
	unsigned long digit[MCFAB_ROW_DIGITS];
};

/**
 * struct mcfab_row_vc - whose a VC, or a packet, is, and where its buffer is in that worm's row
 * @worm: as in struct mcfab_fifo
 * @place: likewise
 * @port: MCFAB_ENG_BOOKSIM: the port at the other end of the crossbar: of a VC that is granted, the
 *	  input port from which the packet comes; of a packet at the front of a buffer, the output
 *	  port to which it goes, once that is granted. MCFAB_NODE_PORT: a node
 */
struct mcfab_row_vc {
	u32 worm;
	u8 place;
	u16 port;
};

/**
 * struct mcfab_rows - what mode row has (MCFAB_ENG_ROWS)
 * @row: [worms] the first structures
 * @more: [worms * (@words - 1)] the others
 * @vc: [nvcs] if slots == 1, or with MCFAB_ENG_STAMPS: the worms that got the VCs last
 * @copies: [worms * @words] with MCFAB_ENG_PASSING
 * @flits: [worms] with MCFAB_ENG_BOOKSIM
 * @came: [nvcs] with MCFAB_ENG_BOOKSIM: the packets of mcfab_engine.came; worm 0, whose row is
 *	  empty: none
 * @source: [injection channels] likewise, of mcfab_engine.source
 * @words: structures of each worm
 * @since: mcfab_rows_seldom(): cycle of its last count
 * @flit_hops: ... which found so many
 */
struct mcfab_rows {
	struct mcfab_row *row;
	struct mcfab_row *more;
	struct mcfab_row_vc *vc;
	struct mcfab_row_copies *copies;
	struct mcfab_row_flits *flits;
	struct mcfab_row_vc *came;
	struct mcfab_row_vc *source;
	u32 words;
	u64 since;
	u64 flit_hops;
};

#endif
