// SPDX-License-Identifier: GPL-2.0
/*
 * Multicast LIDs of the sources of a group, with their tables. They are given when a source first
 * needs them, and taken back when the request that needed them is refused.
 */
#include <linux/sched.h>

#include "base/memory.h"
#include "subnet/subnet.h"

/**
 * mcfab_assign_begin() - note that multicast LIDs may have to be taken back from here on
 * @sn: subnet, or NULL
 *
 * Context: Any, under the caller's lock, up to the last mcfab_group_assign() that belongs to this
 * call, or to mcfab_assign_undo().
 */
void mcfab_assign_begin(struct mcfab_subnet *sn)
{
	if (!sn)
		return;
	bitmap_zero(sn->fresh, MCFAB_MLIDS);
	sn->before = sn->generation;
}

static void take_back(struct mcfab_subnet *sn, u32 lid)
{
	struct mcfab_mft *mft = mcfab_mft_find(sn, lid);
	struct mcfab_group *group = sn->group[mcfab_group_place(sn, mft->group)];

	group->lids[mft->source] = 0;
	group->nlids--;
	__clear_bit(lid - MCFAB_MULTICAST_LID_MIN, sn->fresh);
	mcfab_mft_drop(sn, lid);
}

/**
 * mcfab_assign_undo() - take back all multicast LIDs given since mcfab_assign_begin()
 * @sn: subnet, or NULL
 *
 * The subnet is then as it was, its generation included.
 *
 * Context: May sleep, under the same lock. No packet and no run uses these multicast LIDs yet.
 */
void mcfab_assign_undo(struct mcfab_subnet *sn)
{
	u32 i;

	if (!sn)
		return;
	for_each_set_bit(i, sn->fresh, MCFAB_MLIDS) {
		take_back(sn, MCFAB_MULTICAST_LID_MIN + i);
		cond_resched();
	}
	sn->generation = sn->before;
}

/* @done of @total sources have their multicast LID already; @total 0: show no progress */
static int assign_one(struct mcfab_subnet *sn, struct mcfab_group *group, u32 source, u32 *lid,
		      u32 done, u32 total)
{
	struct mcfab_mft *mft = mcfab_mft_alloc(sn);
	int ret;

	if (!mft)
		return -ENOMEM;
	while (mcfab_mft_find(sn, *lid))
		++*lid;
	mft->group = group->id;
	mft->source = source;
	ret = mcfab_mft_build(sn, mft, group, done, total);
	if (ret) {
		mcfab_mft_free(mft);
		return ret;
	}
	mcfab_mft_publish(sn, *lid, mft);
	__set_bit(*lid - MCFAB_MULTICAST_LID_MIN, sn->fresh);
	group->lids[source] = *lid;
	group->nlids++;
	return 0;
}

/* Gives the sources from @first to before @last the LIDs that they @had. */
static void undo_sources(struct mcfab_subnet *sn, struct mcfab_group *group, u32 first, u32 last,
			 const unsigned long *had)
{
	u32 i;

	for (i = first; i < last; i++) {
		if (!group->lids[i] || test_bit(i - first, had))
			continue;
		take_back(sn, group->lids[i]);
		cond_resched();
	}
}

/**
 * mcfab_group_assign() - give sources of a group their multicast LIDs and tables
 * @sn: subnet
 * @group: the group
 * @source: the source; MCFAB_NONE: all nodes
 * @err: filled in when the request is refused
 *
 * Sources that have a multicast LID keep it; where all sources share one there is nothing to do. A
 * refusal changes nothing.
 *
 * Context: May sleep; a run may read other tables of the subnet meanwhile.
 * Return: 0, -ENOSPC if there are not enough multicast LIDs, -ENOMEM, -EINTR if the process
 * is being killed.
 */
int mcfab_group_assign(struct mcfab_subnet *sn, struct mcfab_group *group, u32 source,
		       struct mcfab_err *err)
{
	u32 first = source == MCFAB_NONE ? 0 : source;
	u32 last = source == MCFAB_NONE ? sn->topo->nodes : source + 1;
	u32 i, need = 0, done = 0, unused, lid = MCFAB_MULTICAST_LID_MIN;
	unsigned long *had;
	int ret = 0;

	if (group->lid)
		return 0;
	for (i = first; i < last; i++)
		need += !group->lids[i];
	if (!need)
		return 0;
	unused = mcfab_mft_unused(sn);
	if (need > unused)
		return mcfab_refuse(err, -ENOSPC, 0,
				    "%u sources need multicast LIDs, %u are left to 0x%04x", need,
				    unused, MCFAB_MULTICAST_LID_MAX);
	had = mcfab_memory_zalloc(BITS_TO_LONGS(last - first), sizeof(*had));
	if (!had)
		return mcfab_refuse(err, -ENOMEM, 0, "not enough memory");
	for (i = first; i < last; i++)
		if (group->lids[i])
			__set_bit(i - first, had);
	for (i = first; i < last && !ret; i++) {
		if (group->lids[i])
			continue;
		/* a single source has no progress to show */
		ret = assign_one(sn, group, i, &lid, done++, need > 1 ? need : 0);
		if (ret == -EINTR)
			mcfab_refuse(err, ret, 0, "interrupted");
		else if (ret)
			mcfab_refuse(err, ret, 0,
				     "tables of %u multicast LIDs do not fit, see max_memory_mb",
				     need);
	}
	if (ret)
		undo_sources(sn, group, first, last, had);
	else
		sn->generation++;
	mcfab_memory_free(had);
	return ret;
}
