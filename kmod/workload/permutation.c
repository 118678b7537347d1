// SPDX-License-Identifier: GPL-2.0
/*
 * A Feistel network on a grid: x is laid out as (row, column), and each half-round shifts one
 * coordinate cyclically by a random function of the other. A result outside of the domain is sent
 * through again until it is back (cycle walking; Black, Rogaway, "Ciphers with arbitrary finite
 * domains", CT-RSA 2002). The grid is as square as possible, with at most one row more than the
 * domain needs, so walking is rare but on the smallest domains.
 *
 * On grids with odd sides all of this makes even permutations only; therefore the first two places
 * are exchanged for half of the keys.
 *
 * Ciphers of this kind use few rounds on large domains. The domains here go down to two elements,
 * where only many half-rounds make every order equally likely: with 16 the orders of six elements
 * (the slowest to mix) differ by 2.3 % of their mean, with 20 by 0.5 %, with 24 by less than seven
 * million draws can show.
 */
#include "workload/permutation.h"
#include "base/random.h"

/* a random number below the bound for a coordinate under a half-round's key */
static u32 shift_below(u64 key, u32 coordinate, u32 bound)
{
	return (mcfab_mix64(key + coordinate) >> 32) * bound >> 32;
}

/**
 * mcfab_domain_init() - lay a domain out
 * @domain: what to fill in
 * @size: elements, at least 1
 *
 * Context: any.
 */
void mcfab_domain_init(struct mcfab_domain *domain, u32 size)
{
	u32 columns = 1;

	while ((u64)columns * columns < size)
		columns++;
	domain->size = size;
	domain->columns = columns;
	domain->rows = (size - 1) / columns + 1;
}

/**
 * mcfab_perm_init() - make the permutation of a key
 * @perm: what to fill in
 * @domain: of what
 * @key: random word
 *
 * Context: any.
 */
void mcfab_perm_init(struct mcfab_perm *perm, const struct mcfab_domain *domain, u64 key)
{
	int i;

	perm->domain = *domain;
	for (i = 0; i < MCFAB_PERM_ROUNDS; i++) {
		key = mcfab_mix64(key + 0x9e3779b97f4a7c15ULL);
		perm->key[i] = key;
	}
	/* nothing to exchange in a domain of one element */
	perm->swap = domain->size > 1 && mcfab_mix64(key) >> 63;
}

/* one pass through the network: of a place on the grid, that may be outside the domain */
static u32 pass(const struct mcfab_perm *perm, u32 place)
{
	u32 rows = perm->domain.rows, columns = perm->domain.columns;
	u32 row = place / columns, column = place % columns;
	int i;

	for (i = 0; i < MCFAB_PERM_ROUNDS; i += 2) {
		row += shift_below(perm->key[i], column, rows);
		if (row >= rows)
			row -= rows;
		column += shift_below(perm->key[i + 1], row, columns);
		if (column >= columns)
			column -= columns;
	}
	return row * columns + column;
}

/* most places that go through the network together */
#define LANES	8

/* the same of @n places: each step waits for the one before, but not for the others' */
static void pass_lanes(const struct mcfab_perm *perm, u32 *place, u32 n)
{
	u32 rows = perm->domain.rows, columns = perm->domain.columns;
	u32 row[LANES], column[LANES], i, k;

	for (k = 0; k < n; k++) {
		row[k] = place[k] / columns;
		column[k] = place[k] % columns;
	}
	for (i = 0; i < MCFAB_PERM_ROUNDS; i += 2) {
		for (k = 0; k < n; k++) {
			row[k] += shift_below(perm->key[i], column[k], rows);
			row[k] -= row[k] >= rows ? rows : 0;
		}
		for (k = 0; k < n; k++) {
			column[k] += shift_below(perm->key[i + 1], row[k], columns);
			column[k] -= column[k] >= columns ? columns : 0;
		}
	}
	for (k = 0; k < n; k++)
		place[k] = row[k] * columns + column[k];
}

/**
 * mcfab_perm_at() - which element stands at a place
 * @perm: permutation
 * @place: place, below the size of the domain
 *
 * Context: any.
 * Return: the element, below the size of the domain.
 */
u32 mcfab_perm_at(const struct mcfab_perm *perm, u32 place)
{
	if (place < 2)
		place ^= perm->swap;
	do {
		place = pass(perm, place);
	} while (place >= perm->domain.size);
	return place;
}

/**
 * mcfab_perm_first() - which elements stand at the first places
 * @perm: permutation
 * @count: how many, at most the size of the domain
 * @element: [@count] filled in
 *
 * As mcfab_perm_at() for each of them, in less time.
 *
 * Context: any.
 */
void mcfab_perm_first(const struct mcfab_perm *perm, u32 count, u32 *element)
{
	u32 lane[LANES], i, k, n, passes = DIV_ROUND_UP(count, LANES);

	/* as many each time */
	for (i = 0; i < count; i += n, passes--) {
		n = DIV_ROUND_UP(count - i, passes);
		for (k = 0; k < n; k++)
			lane[k] = i + k < 2 ? (i + k) ^ perm->swap : i + k;
		pass_lanes(perm, lane, n);
		for (k = 0; k < n; k++) {
			while (unlikely(lane[k] >= perm->domain.size))
				lane[k] = pass(perm, lane[k]);
			element[i + k] = lane[k];
		}
	}
}

/**
 * mcfab_perm_place() - at which place an element stands
 * @perm: permutation
 * @element: element, below the size of the domain
 *
 * Context: any.
 * Return: the place; the inverse of mcfab_perm_at().
 */
u32 mcfab_perm_place(const struct mcfab_perm *perm, u32 element)
{
	u32 rows = perm->domain.rows, columns = perm->domain.columns;
	int i;

	do {
		u32 row = element / columns, column = element % columns;

		for (i = MCFAB_PERM_ROUNDS - 2; i >= 0; i -= 2) {
			column += columns - shift_below(perm->key[i + 1], row, columns);
			if (column >= columns)
				column -= columns;
			row += rows - shift_below(perm->key[i], column, rows);
			if (row >= rows)
				row -= rows;
		}
		element = row * columns + column;
	} while (element >= perm->domain.size);
	return element < 2 ? element ^ perm->swap : element;
}
