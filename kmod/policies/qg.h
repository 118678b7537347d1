/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Qualified groups: declarations for its files. qg.c is the policy, qg_groups.c divides the
 * destinations, qg_cover.c makes worms of the groups, qg_turns.c worms that keep to a turn model.
 */
#ifndef MCFAB_POLICIES_QG_H
#define MCFAB_POLICIES_QG_H

#include "plan/policy.h"

/** enum qg_cover - how a sender covers a set, in the order of the option's words */
enum qg_cover {
	QG_COLUMN,
	QG_LABEL,
	QG_MULTIPATH,
	QG_CHAIN,
	/* of the option "routing" */
	QG_WEST,
	QG_NEGATIVE,
};

/**
 * struct qg_group - a group
 * @start: its first destination in dst[]; a group is a range
 * @count: destinations
 * @rep: its representative: nearest to the source, then lowest id
 * @weight: W of the group
 * @lowest: lowest id of its destinations
 */
struct qg_group {
	u32 start;
	u32 count;
	u32 rep;
	u32 weight;
	u32 lowest;
};

/**
 * struct qg_work - working space, carved from the scratch area
 * @keys: [k] heap of groups to divide, later keys of worms
 * @by_rep: [k] representatives with their groups, sorted
 * @group: [k] the groups
 * @primary: [2^n] the primary groups
 * @reps: [k] the representatives
 * @spare: [k] room to distribute destinations, later sizes of parts
 * @bucket: [2^n + 1] where the orthants start
 */
struct qg_work {
	u64 *keys;
	u64 *by_rep;
	struct qg_group *group;
	struct qg_group *primary;
	u32 *reps;
	u32 *spare;
	u32 *bucket;
};

u32 qg_divisor(const struct mcfab_topo *topo, const u32 *dst, u32 ndst, u32 *mid);
u32 qg_form_groups(const struct mcfab_topo *topo, u32 source, u32 *dst, u32 ndst, u64 td,
		   struct qg_work *work);
void qg_cover_west(const struct mcfab_topo *topo, u32 sender, u32 after, u32 *dst, u32 ndst,
		   struct mcfab_plan *plan, u64 *keys);
void qg_cover_negative(const struct mcfab_topo *topo, u32 sender, u32 after, u32 *dst, u32 ndst,
		       struct mcfab_plan *plan, u64 *keys);
void qg_cover(const struct mcfab_topo *topo, enum qg_cover cover, u32 source, u32 *dst,
	      u32 ngroups, struct mcfab_plan *plan, struct qg_work *work);

#endif
