/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keyed random permutations without memory: element i of the permutation with a
 * key, and where an element stands, in constant time.
 */
#ifndef MCFAB_WORKLOAD_PERMUTATION_H
#define MCFAB_WORKLOAD_PERMUTATION_H

#include "base/types.h"

/** MCFAB_PERM_ROUNDS - half-rounds of the Feistel network */
#define MCFAB_PERM_ROUNDS	24

/**
 * struct mcfab_domain - what is permuted: 0 .. @size - 1
 * @size: elements
 * @rows: rows of the grid the elements are laid out on
 * @columns: columns of that grid, @rows * @columns at least @size
 */
struct mcfab_domain {
	u32 size;
	u32 rows;
	u32 columns;
};

/**
 * struct mcfab_perm - a permutation
 * @domain: of what
 * @key: of each half-round
 * @swap: 1: the first two places are exchanged, else 0
 */
struct mcfab_perm {
	struct mcfab_domain domain;
	u64 key[MCFAB_PERM_ROUNDS];
	u32 swap;
};

void mcfab_domain_init(struct mcfab_domain *domain, u32 size);
void mcfab_perm_init(struct mcfab_perm *perm, const struct mcfab_domain *domain, u64 key);
u32 mcfab_perm_at(const struct mcfab_perm *perm, u32 place);
void mcfab_perm_first(const struct mcfab_perm *perm, u32 count, u32 *element);
u32 mcfab_perm_place(const struct mcfab_perm *perm, u32 element);

#endif
