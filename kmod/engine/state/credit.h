/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Credits by time stamp (MCFAB_ENG_STAMPS). A flit that leaves a buffer writes down when, and the
 * upstream router sees the room so many cycles later: no event for each flit. All of it is in one
 * word, as a thread may read it while another one writes it:
 *
 *  bits 0 to 15	flits that have left the buffer, modulo 2^16
 *  bits 16 to 23	bit 16 + k: a flit has left k cycles before the last one
 *  bits 24 to 63	cycle in which the last one has left, modulo 2^40
 */
#ifndef MCFAB_ENGINE_STATE_CREDIT_H
#define MCFAB_ENGINE_STATE_CREDIT_H

#include <linux/bitops.h>
#include "base/types.h"

/** MCFAB_STAMPS_DELAY - longest credit-delay for which the word has room */
#define MCFAB_STAMPS_DELAY	8U
/** MCFAB_STAMPS_BUFFER - longest buffer for which it has room */
#define MCFAB_STAMPS_BUFFER	32767U

/* flits that have left in the last MCFAB_STAMPS_DELAY cycles; bit k: k cycles before @cycle */
static __always_inline u32 mcfab_credit_recent(u64 word, u64 cycle)
{
	u64 age = (cycle - (word >> 24)) & GENMASK_ULL(39, 0);

	return age < MCFAB_STAMPS_DELAY ? (word >> 16 & 0xff) << age : 0;
}

/* the word when @left flits have left; bit k of @recent: one has k cycles before @cycle */
static __always_inline u64 mcfab_credit_word(u16 left, u8 recent, u64 cycle)
{
	return cycle << 24 | (u64)recent << 16 | left;
}

/* the word after a flit has left in a cycle */
static __always_inline u64 mcfab_credit_give(u64 word, u64 cycle)
{
	u64 recent = (mcfab_credit_recent(word, cycle) | 1) & 0xff;

	return mcfab_credit_word(word + 1, recent, cycle);
}

/* the word after @count flits have left, one per cycle, the last one in @cycle */
static __always_inline u64 mcfab_credit_give_all(u64 word, u32 count, u64 cycle)
{
	u64 recent = 0xff;

	if (!count)
		return word;
	if (count < MCFAB_STAMPS_DELAY)
		recent = (mcfab_credit_recent(word, cycle) | (BIT(count) - 1)) & 0xff;
	return mcfab_credit_word(word + count, recent, cycle);
}

/* flits, modulo 2^16, whose credits have come by a cycle; @delay: of a credit, in cycles */
static __always_inline u16 mcfab_credit_seen(u64 word, u64 cycle, u32 delay)
{
	return word - hweight8(mcfab_credit_recent(word, cycle) & GENMASK(delay - 1, 0));
}

#endif
