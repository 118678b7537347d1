// SPDX-License-Identifier: GPL-2.0
/* Sets of pairs of numbers: hash tables with open addressing that grow by doubling. */
#include <linux/sched.h>

#include "base/memory.h"
#include "base/random.h"
#include "proof/pairs.h"

/* places of the first table */
#define FIRST		1024
/* Places between two scheduling points. */
#define BREATH		65536
/* tables of more places are refused: 24 GB */
#define MOST		BIT(30)

static bool is_empty(const struct mcfab_pair *p)
{
	return p->a == MCFAB_NONE && p->b == MCFAB_NONE;
}

/* The place of a pair, or the empty place where it belongs. */
static struct mcfab_pair *place(const struct mcfab_pairs *set, u32 a, u32 b)
{
	u32 mask = set->room - 1, i = mcfab_mix64((u64)a << 32 | b) & mask;

	while (!is_empty(&set->at[i]) && (set->at[i].a != a || set->at[i].b != b))
		i = (i + 1) & mask;
	return &set->at[i];
}

static int grow(struct mcfab_pairs *set)
{
	struct mcfab_pairs big = { .room = set->room ? 2 * set->room : FIRST, .count = set->count };
	const struct mcfab_pair *p = NULL;

	if (big.room > MOST)
		return -ENOMEM;
	big.at = mcfab_memory_alloc(big.room, sizeof(*big.at));
	if (!big.at)
		return -ENOMEM;
	memset(big.at, 0xff, big.room * sizeof(*big.at));
	while ((p = mcfab_pairs_next(set, p)))
		*place(&big, p->a, p->b) = *p;
	mcfab_memory_free(set->at);
	*set = big;
	return 0;
}

/**
 * mcfab_pairs_add() - add a pair, unless the set has it
 * @set: the set; all zero while it is empty
 * @a: first number
 * @b: second number, not MCFAB_NONE as @a
 * @note: kept with the pair if it is new
 *
 * Context: May sleep.
 * Return: 1 if the pair is new, 0 if it was there, -ENOMEM.
 */
int mcfab_pairs_add(struct mcfab_pairs *set, u32 a, u32 b, u64 note)
{
	int ret;

	if (mcfab_pairs_find(set, a, b))
		return 0;
	/* a quarter stays empty */
	if (set->count >= set->room / 4 * 3) {
		ret = grow(set);
		if (ret)
			return ret;
	}
	*place(set, a, b) = (struct mcfab_pair){ .a = a, .b = b, .note = note };
	set->count++;
	return 1;
}

/**
 * mcfab_pairs_find() - look for a pair
 * @set: the set
 * @a: first number
 * @b: second number
 *
 * Context: Any.
 * Return: the pair, in use until the set changes; NULL: the set does not have it.
 */
const struct mcfab_pair *mcfab_pairs_find(const struct mcfab_pairs *set, u32 a, u32 b)
{
	const struct mcfab_pair *p = set->room ? place(set, a, b) : NULL;

	return p && !is_empty(p) ? p : NULL;
}

/**
 * mcfab_pairs_next() - go through the pairs of a set, in no particular order
 * @set: the set, which does not change meanwhile
 * @after: the last pair, or NULL
 *
 * Context: May sleep.
 * Return: the next pair, or NULL.
 */
const struct mcfab_pair *mcfab_pairs_next(const struct mcfab_pairs *set,
					  const struct mcfab_pair *after)
{
	u32 i = after ? after - set->at + 1 : 0;

	for (; i < set->room; i++) {
		if (!(i % BREATH))
			cond_resched();
		if (!is_empty(&set->at[i]))
			return &set->at[i];
	}
	return NULL;
}

/**
 * mcfab_pairs_free() - empty a set
 * @set: the set
 *
 * Context: May sleep.
 */
void mcfab_pairs_free(struct mcfab_pairs *set)
{
	mcfab_memory_free(set->at);
	memset(set, 0, sizeof(*set));
}
