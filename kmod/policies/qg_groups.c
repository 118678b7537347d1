// SPDX-License-Identifier: GPL-2.0
/*
 * Qualified groups: phases 1 to 3, from the destinations to the groups. qg.c explains the
 * computation.
 *
 * A group is a range of dst[]; to divide it is to partition its range. A group's
 * box halves with every cut, so that a destination takes part in at most
 * sum(log2 radix) of them: O(k log N) in all.
 */
#include "policies/qg.h"
#include "routing/routing.h"

struct box {
	u16 lo[MCFAB_MAX_COORDS];
	u16 hi[MCFAB_MAX_COORDS];
};

static void box_add(const struct mcfab_topo *topo, struct box *box, u32 node)
{
	const u16 *at = topo->coord + node * topo->ndims;
	u32 dim;

	for (dim = 0; dim < topo->ndims; dim++) {
		box->lo[dim] = min(box->lo[dim], at[dim]);
		box->hi[dim] = max(box->hi[dim], at[dim]);
	}
}

static void box_init(const struct mcfab_topo *topo, struct box *box, u32 node)
{
	const u16 *at = topo->coord + node * topo->ndims;
	u32 dim;

	for (dim = 0; dim < topo->ndims; dim++) {
		box->lo[dim] = at[dim];
		box->hi[dim] = at[dim];
	}
}

/* Definition 3: the lower half is lo .. mid. */
static u32 box_mid(const struct box *box, u32 dim)
{
	return ((u32)box->lo[dim] + box->hi[dim]) / 2;
}

/**
 * qg_divisor() - divisor dimension of a set in its own box
 * @topo: mesh
 * @dst: destinations, at least one
 * @ndst: how many
 * @mid: set to the last coordinate of the lower half in that dimension
 *
 * Two distinct destinations differ in some dimension, and both halves of that dimension then have a
 * destination. A dimension without extent has all destinations in its lower half and is only chosen
 * for a set of one.
 *
 * Context: Any.
 * Return: the dimension whose halves differ least in their destinations, lowest
 * dimension first.
 */
u32 qg_divisor(const struct mcfab_topo *topo, const u32 *dst, u32 ndst, u32 *mid)
{
	u32 upper[MCFAB_MAX_COORDS] = { 0 };
	u32 dim, i, best = 0, least = U32_MAX;
	struct box box;

	box_init(topo, &box, dst[0]);
	for (i = 1; i < ndst; i++)
		box_add(topo, &box, dst[i]);
	for (i = 0; i < ndst; i++)
		for (dim = 0; dim < topo->ndims; dim++)
			upper[dim] += mcfab_topo_coord(topo, dst[i], dim) > box_mid(&box, dim);
	for (dim = 0; dim < topo->ndims; dim++) {
		u32 lower = ndst - upper[dim];
		u32 differ = upper[dim] > lower ? upper[dim] - lower : lower - upper[dim];

		if (differ < least) {
			least = differ;
			best = dim;
		}
	}
	*mid = box_mid(&box, best);
	return best;
}

/* Eqs. (2) to (4), and the representative. Ties: lowest id. */
static void weigh(const struct mcfab_topo *topo, u32 source, const u32 *dst,
		  struct qg_group *group)
{
	u32 near_hops = U32_MAX, far_hops = 0, near = MCFAB_NONE, far = MCFAB_NONE;
	u32 lowest = MCFAB_NONE, i;

	for (i = group->start; i < group->start + group->count; i++) {
		u32 node = dst[i];
		u32 hops = mcfab_distance(topo, source, node);

		if (hops < near_hops || (hops == near_hops && node < near)) {
			near_hops = hops;
			near = node;
		}
		if (hops > far_hops || (hops == far_hops && node < far)) {
			far_hops = hops;
			far = node;
		}
		lowest = min(lowest, node);
	}
	group->rep = near;
	group->lowest = lowest;
	group->weight = mcfab_distance(topo, far, near) + group->count + near_hops;
}

/* Phases 1 and 2: the non-empty orthants of the multicast area, in dst[] order. */
static u32 form_primary(const struct mcfab_topo *topo, u32 source, u32 *dst, u32 ndst,
			struct qg_work *work)
{
	u32 orthants = 1u << topo->ndims;
	/* bits of an id: 20 beside 8 of an orthant in a mesh, 16 beside 16 in a hypercube */
	u32 bits = fls(topo->nodes - 1);
	u32 *bucket = work->bucket;
	u32 dim, i, groups = 0;
	u16 mid[MCFAB_MAX_COORDS];
	struct box box;

	box_init(topo, &box, source);
	for (i = 0; i < ndst; i++)
		box_add(topo, &box, dst[i]);
	for (dim = 0; dim < topo->ndims; dim++)
		mid[dim] = box_mid(&box, dim);

	/* Distribute by orthant: a counting sort. */
	memset(bucket, 0, (orthants + 1) * sizeof(*bucket));
	for (i = 0; i < ndst; i++) {
		u32 orthant = 0;

		for (dim = 0; dim < topo->ndims; dim++)
			if (mcfab_topo_coord(topo, dst[i], dim) > mid[dim])
				orthant |= 1u << dim;
		bucket[orthant + 1]++;
		work->spare[i] = orthant << bits | dst[i];
	}
	for (i = 0; i < orthants; i++) {
		if (bucket[i + 1]) {
			work->primary[groups].start = bucket[i];
			work->primary[groups].count = bucket[i + 1];
			groups++;
		}
		bucket[i + 1] += bucket[i];
	}
	for (i = 0; i < ndst; i++)
		dst[bucket[work->spare[i] >> bits]++] = work->spare[i] & (BIT(bits) - 1);
	for (i = 0; i < groups; i++)
		weigh(topo, source, dst, &work->primary[i]);
	return groups;
}

#define ID_BITS		20
#define START_BITS	20

/*
 * A max-heap of the parts to divide: heaviest first, then the part with the lowest destination id.
 * No two parts share a destination, so the start of a part, in the low bits, never decides.
 */
static u64 heap_key(const struct qg_group *part)
{
	static_assert(MCFAB_MAX_NODES <= 1 << ID_BITS && MCFAB_MAX_NODES <= 1 << START_BITS);
	u64 high_id = (1 << ID_BITS) - 1 - part->lowest;

	return (u64)part->weight << (ID_BITS + START_BITS) | high_id << START_BITS | part->start;
}

static u32 heap_start(u64 key)
{
	return key & ((1 << START_BITS) - 1);
}

static void heap_push(u64 *heap, u32 *count, u64 key)
{
	u32 at = (*count)++;

	while (at && heap[(at - 1) / 2] < key) {
		heap[at] = heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	heap[at] = key;
}

static u64 heap_pop(u64 *heap, u32 *count)
{
	u64 top = heap[0], key = heap[--*count];
	u32 at = 0, child;

	while ((child = 2 * at + 1) < *count) {
		if (child + 1 < *count && heap[child + 1] > heap[child])
			child++;
		if (heap[child] <= key)
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = key;
	return top;
}

/* Partition a range at its divisor dimension; return the size of its lower half. */
static u32 cut(const struct mcfab_topo *topo, u32 *dst, u32 ndst)
{
	u32 mid, dim = qg_divisor(topo, dst, ndst, &mid);
	u32 i, lower = 0;

	for (i = 0; i < ndst; i++) {
		if (mcfab_topo_coord(topo, dst[i], dim) > mid)
			continue;
		swap(dst[i], dst[lower]);
		lower++;
	}
	return lower;
}

struct limit {
	u64 groups;	/* primary groups, in millionths */
	u64 weights;	/* sum of their weights, times 1 + TD in millionths */
};

/*
 * Definition 7, W <= (1 + TD) * W_av, in whole numbers. A weight is below 2^22, those of all
 * primary groups together are below 2^28, there are at most 2^16 of them (of a hypercube, where
 * weights are below 2^17), and 1 + TD is below 2^30 millionths: no product reaches 2^63.
 */
static bool qualified(const struct limit *limit, u32 weight)
{
	return weight * limit->groups <= limit->weights;
}

/* Phase 3 for one primary group: divide it and append its parts. */
static u32 divide(const struct mcfab_topo *topo, u32 source, u32 *dst,
		  const struct qg_group *primary, const struct limit *limit,
		  struct qg_work *work, u32 groups)
{
	u32 *count = work->spare;	/* by the start of a part */
	u32 most = 1u << topo->ndims;
	u32 parts = 1, nheap = 0, start;
	struct qg_group part;

	count[primary->start] = primary->count;
	if (primary->count > 1 && !qualified(limit, primary->weight))
		heap_push(work->keys, &nheap, heap_key(primary));
	while (nheap && parts < most) {
		u32 end, lower;

		start = heap_start(heap_pop(work->keys, &nheap));
		end = start + count[start];
		lower = cut(topo, dst + start, count[start]);
		count[start] = lower;
		count[start + lower] = end - start - lower;
		parts++;
		for (; start < end; start += count[start]) {
			part.start = start;
			part.count = count[start];
			if (part.count == 1)
				continue;
			weigh(topo, source, dst, &part);
			if (!qualified(limit, part.weight))
				heap_push(work->keys, &nheap, heap_key(&part));
		}
	}
	for (start = primary->start; parts; parts--, start += count[start]) {
		part.start = start;
		part.count = count[start];
		weigh(topo, source, dst, &part);
		work->group[groups++] = part;
	}
	return groups;
}

/**
 * qg_form_groups() - divide destinations into qualified groups
 * @topo: mesh
 * @source: the multicast's source
 * @dst: distinct destinations without @source; reordered so that groups are ranges
 * @ndst: how many
 * @td: threshold TD in millionths
 * @work: working space; its primary and group arrays are filled in
 *
 * Context: Any. O(k log N).
 * Return: number of groups.
 */
u32 qg_form_groups(const struct mcfab_topo *topo, u32 source, u32 *dst, u32 ndst, u64 td,
		   struct qg_work *work)
{
	u32 primaries, i, groups = 0;
	struct limit limit = { 0 };

	if (!ndst)
		return 0;
	primaries = form_primary(topo, source, dst, ndst, work);
	limit.groups = (u64)primaries * 1000000;
	for (i = 0; i < primaries; i++)
		limit.weights += work->primary[i].weight * (1000000 + td);
	for (i = 0; i < primaries; i++)
		groups = divide(topo, source, dst, &work->primary[i], &limit, work, groups);
	return groups;
}
