// SPDX-License-Identifier: GPL-2.0
/* Qualified groups: phase 4, from the groups to worms. qg.c explains how a sender covers a set. */
#include "policies/qg.h"
#include "routing/cover.h"
#include "routing/routing.h"

/*
 * One worm that sweeps a set along a dimension, in dimension order between one destination and the
 * next. It starts at the end nearer to the sender. Destinations with the same coordinate go by id.
 */
static void cover_chain(const struct mcfab_topo *topo, u32 sender, u32 after, u32 dim,
			const u32 *dst, u32 ndst, struct mcfab_plan *plan, u64 *keys)
{
	u32 at = mcfab_topo_coord(topo, sender, dim);
	u32 lo = at, hi = at, flip = 0, i;

	for (i = 0; i < ndst; i++) {
		u32 coord = mcfab_topo_coord(topo, dst[i], dim);

		lo = min(lo, coord);
		hi = max(hi, coord);
	}
	if (hi - at < at - lo)
		flip = U16_MAX;
	for (i = 0; i < ndst; i++)
		keys[i] = (u64)(mcfab_topo_coord(topo, dst[i], dim) ^ flip) << 32 | dst[i];
	mcfab_sort_keys(keys, ndst);
	mcfab_plan_worm(plan, sender, after, MCFAB_PORT_ANY, MCFAB_BASE_DIMENSION);
	for (i = 0; i < ndst; i++)
		mcfab_plan_dst(plan, (u32)keys[i]);
}

static const struct qg_group *find_group(const struct qg_work *work, u32 ngroups, u32 rep)
{
	u32 low = 0, high = ngroups;

	while (high - low > 1) {
		u32 middle = low + (high - low) / 2;

		if (work->by_rep[middle] >> 32 <= rep)
			low = middle;
		else
			high = middle;
	}
	return &work->group[(u32)work->by_rep[low]];
}

/* Step 2: the representative of a group covers the rest of it. */
static void cover_group(const struct mcfab_topo *topo, enum qg_cover cover,
			mcfab_cover_fn cover_set, u32 after, u32 *dst,
			const struct qg_group *group, struct mcfab_plan *plan,
			struct qg_work *work)
{
	u32 *set = dst + group->start;
	u32 i, mid, dim = 0;

	if (group->count == 1)
		return;
	if (cover == QG_CHAIN)
		dim = qg_divisor(topo, set, group->count, &mid);
	for (i = 0; set[i] != group->rep; i++)
		;
	swap(set[0], set[i]);
	if (cover == QG_CHAIN)
		cover_chain(topo, group->rep, after, dim, set + 1, group->count - 1, plan,
			    work->keys);
	else
		cover_set(topo, group->rep, after, set + 1, group->count - 1, plan, work->keys);
}

/**
 * qg_cover() - make the worms of both steps
 * @topo: mesh
 * @cover: how a sender covers a set
 * @source: the multicast's source
 * @dst: destinations, ordered by qg_form_groups(); reordered within the groups
 * @ngroups: number of groups in @work
 * @plan: where the worms go
 * @work: working space with the groups
 *
 * Context: Any. O(k log k).
 */
void qg_cover(const struct mcfab_topo *topo, enum qg_cover cover, u32 source, u32 *dst,
	      u32 ngroups, struct mcfab_plan *plan, struct qg_work *work)
{
	static const mcfab_cover_fn cover_fn[] = {
		[QG_COLUMN]	= mcfab_cover_column,
		[QG_LABEL]	= mcfab_cover_dual,
		[QG_MULTIPATH]	= mcfab_cover_multi,
		[QG_CHAIN]	= mcfab_cover_unicast,	/* step 1 only */
		[QG_WEST]	= qg_cover_west,
		[QG_NEGATIVE]	= qg_cover_negative,
	};
	u32 i, worm, entry, nentries, nworms;

	for (i = 0; i < ngroups; i++) {
		work->reps[i] = work->group[i].rep;
		work->by_rep[i] = (u64)work->group[i].rep << 32 | i;
	}
	mcfab_sort_keys(work->by_rep, ngroups);
	cover_fn[cover](topo, source, MCFAB_NONE, work->reps, ngroups, plan, work->keys);

	/* Representatives send in the order in which they are reached. */
	nworms = plan->nworms;
	nentries = plan->ndst;
	for (worm = 0, entry = 0; worm < nworms; worm++) {
		u32 end = worm + 1 < nworms ? plan->worm[worm + 1].first : nentries;

		for (; entry < end; entry++)
			cover_group(topo, cover, cover_fn[cover], worm, dst,
				    find_group(work, ngroups, plan->dst[entry]), plan, work);
	}
}
