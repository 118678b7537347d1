/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Mail from one shard to another. A box has one writer and one reader, which
 * work in different phases of the cycle with a barrier in between: no locks.
 * The order of the letters in a box carries no meaning. Those of a kind are read one
 * after the other: with letters as they come, the processor could not guess the next one's kind.
 */
#ifndef MCFAB_ENGINE_STATE_MAIL_H
#define MCFAB_ENGINE_STATE_MAIL_H

#include "base/types.h"

/** enum mcfab_letter - what a letter says; its payload is a number */
enum mcfab_letter {
	/* mail: written in the move phase, read in the next grant phase */
	MCFAB_LETTER_HEADER,	/* record: its header has crossed into the buffer */
	MCFAB_LETTER_RELEASE,	/* record: its VC is free again (FIFOs of several packets: VC) */
	MCFAB_LETTER_FREE,	/* record: it is not in use any more (if that comes later) */
	MCFAB_LETTER_FRONT,	/* VC: the packet at the front of the FIFO has left it */
	MCFAB_LETTER_CREDIT,	/* VC: a flit left its buffer */
	MCFAB_LETTER_INJECTED,	/* injection record: the worm's tail left the source */
	MCFAB_LETTER_CONSUMED,	/* node: a consumption channel is free again */
	MCFAB_LETTER_RELAY,	/* relay: a later sender has the whole message */
	MCFAB_LETTER_ENDED,	/* worm: its last record is released (MCFAB_ENG_WORM) */
	MCFAB_MAIL_KINDS,
	/* grants: written in the grant phase, read in the next move phase */
	MCFAB_LETTER_GRANT = 0,	/* record: granted, link it to its worm */
	MCFAB_LETTER_WAKE,	/* worm: something it waited for has come */
	MCFAB_LETTER_COPY,	/* record: the node begins to copy it (MCFAB_ENG_TAILS) */
};

/* records, the most numerous of what letters are about, are fewer than 2^28 */
#define MCFAB_LETTER_SHIFT	28

/**
 * struct mcfab_mail - mail from one shard to another
 * @count: letters of each kind
 * @letter: their payloads; who only reads where they are is not to wait for who counts
 */
struct mcfab_mail {
	u32 count[MCFAB_MAIL_KINDS];
	u32 *letter[MCFAB_MAIL_KINDS] ____cacheline_aligned_in_smp;
} ____cacheline_aligned_in_smp;

/**
 * struct mcfab_box - grants from one shard to another
 * @count: letters in @letter
 * @letter: enum mcfab_letter in the top 4 bits, payload below
 */
struct mcfab_box {
	u32 count;
	u32 *letter;
} ____cacheline_aligned_in_smp;

static inline void mcfab_mail_post(struct mcfab_mail *mail, enum mcfab_letter what, u32 payload)
{
	mail->letter[what][mail->count[what]++] = payload;
}

/* is there any letter? */
static inline bool mcfab_mail_any(const struct mcfab_mail *mail)
{
	u32 any = 0, i;

	for (i = 0; i < MCFAB_MAIL_KINDS; i++)
		any |= mail->count[i];
	return any;
}

static inline u32 mcfab_letter_payload(u32 letter)
{
	return letter & GENMASK(MCFAB_LETTER_SHIFT - 1, 0);
}

static inline void mcfab_box_post(struct mcfab_box *box, enum mcfab_letter what, u32 payload)
{
	box->letter[box->count++] = (u32)what << MCFAB_LETTER_SHIFT | payload;
}

#endif
