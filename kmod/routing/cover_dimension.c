// SPDX-License-Identifier: GPL-2.0
/*
 * Covering a set by worms on shortest paths (on meshes and tori dimension order): separate unicasts
 * and column paths. Column paths are explained in policies/cp.c.
 */
#include "routing/cover.h"
#include "routing/routing.h"

/**
 * mcfab_cover_unicast() - one worm per destination, nearest first, then lowest id
 * @topo: topology; the worms follow mcfab_base_unicast()
 * @sender: node that sends
 * @after: the worm that delivers to it, or MCFAB_NONE
 * @dst: destinations
 * @ndst: how many
 * @plan: where the worms go
 * @keys: room for @ndst numbers
 *
 * Context: Any.
 */
void mcfab_cover_unicast(const struct mcfab_topo *topo, u32 sender, u32 after,
			 u32 *dst, u32 ndst, struct mcfab_plan *plan, u64 *keys)
{
	enum mcfab_base base = mcfab_base_unicast(topo);
	u32 i;

	mcfab_sort_distance(topo, sender, dst, ndst, keys);
	for (i = 0; i < ndst; i++) {
		mcfab_plan_worm(plan, sender, after, MCFAB_PORT_ANY, base);
		mcfab_plan_dst(plan, dst[i]);
	}
}
EXPORT_SYMBOL_NS_GPL(mcfab_cover_unicast, MCFAB);

/*
 * Key of a column's worm: longest first, then by column, then upper first. The low bits hold the
 * index of its first destination. An index and a column are below the number of nodes, hops below
 * twice that.
 */
#define KEY_BITS	20
#define KEY_MASK	(BIT(KEY_BITS) - 1)
#define KEY_LOWER	BIT_ULL(KEY_BITS)
#define KEY_COLUMN	(KEY_BITS + 1)
#define KEY_HOPS	(2 * KEY_BITS + 1)

static u64 worm_key(const struct mcfab_topo *topo, u32 sender, u32 first, u32 last_node,
		    u32 column, bool lower)
{
	u64 hops = mcfab_distance(topo, sender, last_node);

	BUILD_BUG_ON(MCFAB_MAX_NODES >> KEY_BITS > 1);
	return (2 * MCFAB_MAX_NODES - hops) << KEY_HOPS | (u64)column << KEY_COLUMN |
	       (lower ? KEY_LOWER : 0) | first;
}

/**
 * mcfab_cover_column() - column paths: up to two worms into each column
 * @topo: mesh
 * @sender: node that sends
 * @after: the worm that delivers to it, or MCFAB_NONE
 * @dst: destinations
 * @ndst: how many
 * @plan: where the worms go
 * @keys: room for @ndst numbers
 *
 * Context: Any.
 */
void mcfab_cover_column(const struct mcfab_topo *topo, u32 sender, u32 after,
			u32 *dst, u32 ndst, struct mcfab_plan *plan, u64 *keys)
{
	u32 dim = topo->ndims - 1;
	u32 stride = topo->stride[dim];
	u32 row = mcfab_topo_coord(topo, sender, dim);
	/*
	 * bits of a coordinate: a column and a coordinate together have one bit more than an id, at
	 * most
	 */
	u32 bits = fls(topo->radix[dim] - 1);
	u32 i, end, split, nkeys = 0;

	/* Sort by column, then by the last coordinate. */
	for (i = 0; i < ndst; i++) {
		u32 last = mcfab_topo_coord(topo, dst[i], dim);

		dst[i] = (dst[i] - last * stride) << bits | last;
	}
	mcfab_sort_ids(dst, ndst);

	for (i = 0; i < ndst; i = end) {
		u32 column = dst[i] >> bits;

		split = i;
		for (end = i; end < ndst && dst[end] >> bits == column; end++) {
			u32 last = dst[end] & (BIT(bits) - 1);

			if (last < row)
				split = end + 1;
			dst[end] = column + last * stride;
		}
		if (split < end)
			keys[nkeys++] = worm_key(topo, sender, split, dst[end - 1], column, false);
		if (split > i)
			keys[nkeys++] = worm_key(topo, sender, split - 1, dst[i], column, true);
	}
	mcfab_sort_keys(keys, nkeys);

	for (i = 0; i < nkeys; i++) {
		u32 at = keys[i] & KEY_MASK;
		u32 column = keys[i] >> KEY_COLUMN & KEY_MASK;

		mcfab_plan_worm(plan, sender, after, MCFAB_PORT_ANY, MCFAB_BASE_DIMENSION);
		if (keys[i] & KEY_LOWER) {
			for (end = at + 1; end-- > 0;) {
				u32 last = mcfab_topo_coord(topo, dst[end], dim);

				if (dst[end] - last * stride != column)
					break;
				mcfab_plan_dst(plan, dst[end]);
			}
			continue;
		}
		for (end = at; end < ndst; end++) {
			u32 last = mcfab_topo_coord(topo, dst[end], dim);

			if (dst[end] - last * stride != column)
				break;
			mcfab_plan_dst(plan, dst[end]);
		}
	}
}
EXPORT_SYMBOL_NS_GPL(mcfab_cover_column, MCFAB);
