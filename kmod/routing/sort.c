// SPDX-License-Identifier: GPL-2.0
/*
 * Orders of destinations, in place and without memory of their own.
 *
 * The kernel's sort() calls its compare function through a pointer and gives it no context. Every
 * order needed here is that of a number. So the destinations are turned into numbers, the numbers
 * are sorted, and turned back. As destinations are distinct, so are the numbers: any sort is a
 * stable one.
 */
#include <linux/sched.h>

#include "routing/routing.h"

/* Below this many elements insertion is faster. */
#define INSERTION	16
/* After so many elements other processes get the processor. */
#define BREATH		4096

#define DEFINE_HEAPSORT(name, type)					\
static void name##_sift(type key[], u32 hole, u32 n, type moved)		\
{									\
	u32 child;							\
									\
	while ((child = 2 * hole + 1) < n) {				\
		if (child + 1 < n && key[child] < key[child + 1])	\
			child++;					\
		if (key[child] <= moved)				\
			break;						\
		key[hole] = key[child];					\
		hole = child;						\
	}								\
	key[hole] = moved;						\
}									\
									\
static void name(type key[], u32 n)					\
{									\
	u32 i, j;							\
									\
	if (n <= INSERTION) {						\
		for (i = 1; i < n; i++) {				\
			type moved = key[i];				\
									\
			for (j = i; j && key[j - 1] > moved; j--)	\
				key[j] = key[j - 1];			\
			key[j] = moved;					\
		}							\
		return;							\
	}								\
	for (i = n / 2; i-- > 0;) {					\
		name##_sift(key, i, n, key[i]);				\
		if (unlikely(!(i % BREATH)))				\
			cond_resched();					\
	}								\
	for (i = n; i-- > 1;) {						\
		type moved = key[i];					\
									\
		key[i] = key[0];					\
		name##_sift(key, 0, i, moved);				\
		if (unlikely(!(i % BREATH)))				\
			cond_resched();					\
	}								\
}

DEFINE_HEAPSORT(sort_u32, u32)
DEFINE_HEAPSORT(sort_u64, u64)

/**
 * mcfab_sort_labels() - sort destinations by label
 * @topo: topology
 * @dst: distinct destinations
 * @ndst: how many
 * @descending: greatest label first
 *
 * Context: Any. O(k log k).
 */
void mcfab_sort_labels(const struct mcfab_topo *topo, u32 *dst, u32 ndst, bool descending)
{
	u32 flip = descending ? U32_MAX : 0;
	u32 i;

	for (i = 0; i < ndst; i++)
		dst[i] = topo->label[dst[i]] ^ flip;
	sort_u32(dst, ndst);
	for (i = 0; i < ndst; i++)
		dst[i] = topo->by_label[dst[i] ^ flip];
}
EXPORT_SYMBOL_NS_GPL(mcfab_sort_labels, MCFAB);

/**
 * mcfab_split_labels() - sort destinations by label and find a node among them
 * @topo: topology
 * @node: not one of them
 * @dst: distinct destinations, sorted ascending
 * @ndst: how many
 *
 * Context: Any. O(k log k).
 * Return: how many have smaller labels than @node.
 */
u32 mcfab_split_labels(const struct mcfab_topo *topo, u32 node, u32 *dst, u32 ndst)
{
	u32 low = 0, high = ndst;

	mcfab_sort_labels(topo, dst, ndst, false);
	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (topo->label[dst[middle]] < topo->label[node])
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
EXPORT_SYMBOL_NS_GPL(mcfab_split_labels, MCFAB);

/**
 * mcfab_sort_distance() - sort destinations by distance, equal ones by id
 * @topo: topology
 * @from: node from which distances count
 * @dst: distinct destinations
 * @ndst: how many
 * @keys: room for @ndst numbers
 *
 * Context: Any. O(k log k).
 */
void mcfab_sort_distance(const struct mcfab_topo *topo, u32 from, u32 *dst, u32 ndst, u64 *keys)
{
	u32 i;

	if (ndst == 1)
		return;
	for (i = 0; i < ndst; i++)
		keys[i] = (u64)mcfab_distance(topo, from, dst[i]) << 32 | dst[i];
	sort_u64(keys, ndst);
	for (i = 0; i < ndst; i++)
		dst[i] = keys[i];
}
EXPORT_SYMBOL_NS_GPL(mcfab_sort_distance, MCFAB);

/**
 * mcfab_sort_ids() - sort nodes, or other numbers, ascending
 * @dst: numbers
 * @ndst: how many
 *
 * Context: Any. O(k log k).
 */
void mcfab_sort_ids(u32 *dst, u32 ndst)
{
	sort_u32(dst, ndst);
}
EXPORT_SYMBOL_NS_GPL(mcfab_sort_ids, MCFAB);

/**
 * mcfab_sort_keys() - sort 64-bit keys ascending
 * @key: keys; bits that do not decide the order may be the low ones
 * @nkeys: how many
 *
 * Context: Any. O(k log k).
 */
void mcfab_sort_keys(u64 *key, u32 nkeys)
{
	sort_u64(key, nkeys);
}
EXPORT_SYMBOL_NS_GPL(mcfab_sort_keys, MCFAB);

/**
 * mcfab_coord_place() - where a node stands if all are ordered by their coordinates
 * @topo: network with coordinates
 * @node: the node
 *
 * The first dimension decides first.
 *
 * Context: Any.
 * Return: the place, 0 to nodes - 1.
 */
u32 mcfab_coord_place(const struct mcfab_topo *topo, u32 node)
{
	u32 dim, place = 0;

	for (dim = 0; dim < topo->ndims; dim++)
		place = place * topo->radix[dim] + mcfab_topo_coord(topo, node, dim);
	return place;
}
EXPORT_SYMBOL_NS_GPL(mcfab_coord_place, MCFAB);

/**
 * mcfab_scratch_keys() - the scratch() of policies that sort a key per destination
 * @view: not used
 * @priv: not used
 * @ndst: destinations
 *
 * Context: Any.
 * Return: bytes.
 */
size_t mcfab_scratch_keys(const struct mcfab_view *view, const void *priv, u32 ndst)
{
	return ndst * sizeof(u64);
}
EXPORT_SYMBOL_NS_GPL(mcfab_scratch_keys, MCFAB);
