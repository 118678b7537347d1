/* SPDX-License-Identifier: GPL-2.0 */
/* Sets of pairs of numbers, each with a note: edges while a graph is being collected. */
#ifndef MCFAB_PROOF_PAIRS_H
#define MCFAB_PROOF_PAIRS_H

#include "base/types.h"

/**
 * struct mcfab_pair - an entry of a set
 * @a: first number
 * @b: second number; @a and @b are MCFAB_NONE both: the place is empty
 * @note: the note that the pair was added with first
 */
struct mcfab_pair {
	u32 a;
	u32 b;
	u64 note;
};

/**
 * struct mcfab_pairs - a set of pairs
 * @at: [@room] hash table with open addressing; NULL while there is no pair
 * @room: a power of two, or 0
 * @count: pairs
 */
struct mcfab_pairs {
	struct mcfab_pair *at;
	u32 room;
	u32 count;
};

int mcfab_pairs_add(struct mcfab_pairs *set, u32 a, u32 b, u64 note);
const struct mcfab_pair *mcfab_pairs_find(const struct mcfab_pairs *set, u32 a, u32 b);
const struct mcfab_pair *mcfab_pairs_next(const struct mcfab_pairs *set,
					  const struct mcfab_pair *after);
void mcfab_pairs_free(struct mcfab_pairs *set);

#endif
