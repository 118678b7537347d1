// SPDX-License-Identifier: GPL-2.0
/*
 * Loading whole tables: they are collected beside the tables in use, checked, and put in place at
 * once. Entries for unknown LIDs or switches are left out and reported.
 *
 * If no table of a kind was loaded, the tables of that kind stay as they are. Loaded linear
 * forwarding tables replace all old ones, and rows of groups are built anew from them. Loaded
 * multicast forwarding tables replace all rows of their LIDs, and all rows that the user had set.
 * Groups keep their LIDs; rows of LIDs that were not loaded are built. Loaded SL-to-VL tables, and
 * loaded service levels of paths, replace those that were loaded before.
 */
#include <linux/sched.h>

#include "base/job.h"
#include "base/memory.h"
#include "subnet/levels.h"

static bool has_rows(const struct mcfab_subnet *sn, const struct mcfab_mft *mft)
{
	return find_first_bit(mft->user, sn->switches) < sn->switches;
}

/**
 * mcfab_stage_bytes() - memory of tables that are being loaded
 * @sn: subnet
 *
 * Context: Any, under the caller's lock.
 * Return: bytes.
 */
u64 mcfab_stage_bytes(const struct mcfab_subnet *sn)
{
	const struct mcfab_stage *stage = sn->stage;
	u64 bytes;
	u32 i;

	if (!stage)
		return 0;
	bytes = stage->bytes + mcfab_levels_bytes(&stage->levels);
	for (i = 0; stage->mft && i < MCFAB_MLIDS; i++)
		bytes += stage->mft[i] ? stage->mft[i]->bytes : 0;
	return bytes;
}

/**
 * mcfab_stage_abort() - forget the tables that are being loaded
 * @sn: subnet
 *
 * Context: May sleep.
 */
void mcfab_stage_abort(struct mcfab_subnet *sn)
{
	struct mcfab_stage *stage = sn->stage;
	u32 i;

	if (!stage)
		return;
	for (i = 0; stage->mft && i < MCFAB_MLIDS; i++)
		mcfab_mft_free(stage->mft[i]);
	kvfree(stage->mft);
	kvfree(stage->lft);
	mcfab_levels_free(&stage->levels);
	mcfab_memory_uncharge(stage->bytes);
	kvfree(stage);
	sn->stage = NULL;
}

/**
 * mcfab_stage_begin() - begin to load tables
 * @sn: subnet
 * @err: filled in when the request is refused
 *
 * Context: May sleep. Memory is charged to the caller's cgroup.
 * Return: 0 or -ENOMEM; tables that were being loaded before are forgotten.
 */
int mcfab_stage_begin(struct mcfab_subnet *sn, struct mcfab_err *err)
{
	struct mcfab_stage *stage;

	if (!mcfab_memory_charge(sizeof(*stage)))
		return mcfab_refuse(err, -ENOMEM, 0, "max_memory_mb is used up");
	stage = kvzalloc(sizeof(*stage), MCFAB_GFP);
	if (!stage) {
		mcfab_memory_uncharge(sizeof(*stage));
		return mcfab_refuse(err, -ENOMEM, 0, "not enough memory");
	}
	stage->bytes = sizeof(*stage);
	mcfab_stage_abort(sn);
	sn->stage = stage;
	return 0;
}

static void *stage_array(struct mcfab_stage *stage, size_t bytes, gfp_t gfp)
{
	void *array;

	if (!mcfab_memory_charge(bytes))
		return NULL;
	array = kvmalloc(bytes, MCFAB_GFP | gfp);
	if (array)
		stage->bytes += bytes;
	else
		mcfab_memory_uncharge(bytes);
	return array;
}

static int no_room(struct mcfab_err *err)
{
	return mcfab_renew_refuse(err, -ENOMEM);
}

static void stage_drop(struct mcfab_stage *stage, void *array, size_t bytes)
{
	kvfree(array);
	mcfab_memory_uncharge(bytes);
	stage->bytes -= bytes;
}

/* Row by row: all rows together may be 2 GB. */
static int stage_lft_room(struct mcfab_subnet *sn, struct mcfab_err *err)
{
	size_t bytes = (size_t)sn->switches * sn->lids;
	struct mcfab_stage *stage = sn->stage;
	u32 sw;

	stage->lft = stage_array(stage, bytes, 0);
	if (!stage->lft)
		return no_room(err);
	for (sw = 0; sw < sn->switches; sw++) {
		memset(stage->lft + (size_t)sw * sn->lids, MCFAB_NO_PORT, sn->lids);
		if (!mcfab_job_step(sw, sn->switches))
			continue;
		stage_drop(stage, stage->lft, bytes);
		stage->lft = NULL;
		return mcfab_renew_refuse(err, -EINTR);
	}
	return 0;
}

/* Makes room for an entry. Room that is made here and not filled counts as nothing. */
static int stage_room(struct mcfab_subnet *sn, const struct mcfab_entry *entry,
		      struct mcfab_err *err)
{
	u32 i = entry->lid - MCFAB_MULTICAST_LID_MIN;
	struct mcfab_stage *stage = sn->stage;
	int ret;

	if (entry->kind == MCFAB_TABLE_KIND_LFT)
		return stage->lft ? 0 : stage_lft_room(sn, err);
	if (entry->kind != MCFAB_TABLE_KIND_MFT) {
		ret = mcfab_levels_room(sn, &stage->levels, entry->kind);
		return ret ? mcfab_renew_refuse(err, ret) : 0;
	}
	if (!stage->mft)
		stage->mft = stage_array(stage, MCFAB_MLIDS * sizeof(*stage->mft), __GFP_ZERO);
	if (!stage->mft)
		return no_room(err);
	if (stage->mft[i])
		return 0;
	stage->mft[i] = mcfab_mft_alloc(sn);
	if (!stage->mft[i])
		return no_room(err);
	__set_bit(i, stage->fresh);
	cond_resched();
	return 0;
}

/* Makes room for entries: for all of them or none. */
static int stage_rooms(struct mcfab_subnet *sn, const struct mcfab_entry *entry, u32 count,
		       struct mcfab_err *err)
{
	struct mcfab_stage *stage = sn->stage;
	struct mcfab_levels levels = stage->levels;
	bool lft = stage->lft, mft = stage->mft;
	int ret = 0;
	u32 i;

	bitmap_zero(stage->fresh, MCFAB_MLIDS);
	for (i = 0; i < count && !ret; i++)
		ret = stage_room(sn, &entry[i], err);
	if (!ret)
		return 0;
	for_each_set_bit(i, stage->fresh, MCFAB_MLIDS) {
		mcfab_mft_free(stage->mft[i]);
		stage->mft[i] = NULL;
		cond_resched();
	}
	if (!mft && stage->mft) {
		stage_drop(stage, stage->mft, MCFAB_MLIDS * sizeof(*stage->mft));
		stage->mft = NULL;
	}
	if (!lft && stage->lft) {
		stage_drop(stage, stage->lft, (size_t)sn->switches * sn->lids);
		stage->lft = NULL;
	}
	/* what was there before stays */
	if (levels.vl)
		stage->levels.vl = NULL;
	if (levels.path)
		stage->levels.path = NULL;
	mcfab_levels_free(&stage->levels);
	stage->levels = levels;
	return ret;
}

static void stage_lft(struct mcfab_subnet *sn, u32 sw, const struct mcfab_entry *entry)
{
	struct mcfab_stage *stage = sn->stage;
	struct mcfab_finding *finding;
	u32 i, lid;

	for (i = 0; i < entry->nports; i++) {
		lid = entry->lid + i;
		if (lid < sn->lids && sn->owner[lid] != MCFAB_NONE) {
			stage->lft[(size_t)sw * sn->lids + lid] = entry->port[i];
			stage->entries++;
			continue;
		}
		if (entry->port[i] == MCFAB_NO_PORT)
			continue;
		finding = mcfab_found(&stage->left_out, MCFAB_FINDING_TYPE_UNKNOWN_LID,
				      MCFAB_TABLE_KIND_LFT, lid);
		if (finding)
			finding->sw = sw;
	}
}

static void stage_path(struct mcfab_subnet *sn, const struct mcfab_entry *entry)
{
	struct mcfab_stage *stage = sn->stage;
	struct mcfab_finding *finding;
	u32 i;

	for (i = 0; i < entry->nlevels; i++) {
		if (mcfab_levels_set_path(sn, &stage->levels, entry, i)) {
			stage->entries++;
			continue;
		}
		finding = mcfab_found(&stage->left_out, MCFAB_FINDING_TYPE_UNKNOWN_LID,
				      MCFAB_TABLE_KIND_PATH_SL, entry->lid + i);
		if (finding)
			finding->source = entry->node;
	}
}

static void stage_entry(struct mcfab_subnet *sn, const struct mcfab_entry *entry)
{
	u32 sw = mcfab_entry_switch(sn, entry);
	struct mcfab_stage *stage = sn->stage;
	struct mcfab_finding *finding;

	if (entry->kind == MCFAB_TABLE_KIND_PATH_SL) {
		stage_path(sn, entry);
	} else if (sw == MCFAB_NONE) {
		finding = mcfab_found(&stage->left_out, MCFAB_FINDING_TYPE_UNKNOWN_SWITCH,
				      entry->kind, MCFAB_NONE);
		if (finding) {
			finding->sw = entry->sw;
			finding->switch_lid = entry->switch_lid;
		}
	} else if (entry->kind == MCFAB_TABLE_KIND_LFT) {
		stage_lft(sn, sw, entry);
	} else if (entry->kind == MCFAB_TABLE_KIND_SL2VL) {
		mcfab_levels_set_lanes(sn, &stage->levels, sw, entry);
		stage->entries++;
	} else {
		mcfab_mft_set(stage->mft[entry->lid - MCFAB_MULTICAST_LID_MIN], sw, entry);
		stage->entries++;
	}
}

/**
 * mcfab_stage_append() - load entries, all or none
 * @sn: subnet, of which tables are being loaded
 * @entry: the entries
 * @count: how many
 * @err: filled in when the request is refused; its index is that of the entry
 *
 * A refusal changes nothing.
 *
 * Context: May sleep. Memory is charged to the caller's cgroup.
 * Return: 0, -EINVAL for an entry that no table can hold, -ENOMEM, -EINTR if the process is being
 * killed.
 */
int mcfab_stage_append(struct mcfab_subnet *sn, const struct mcfab_entry *entry, u32 count,
		       struct mcfab_err *err)
{
	u32 i;
	int ret;

	for (i = 0; i < count; i++) {
		err->index = i;
		ret = mcfab_entry_check(sn, &entry[i], err);
		if (ret)
			return ret;
		if (entry[i].restore)
			return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_TABLE_ENTRY,
					    "there is nothing to restore while tables are loaded");
	}
	ret = stage_rooms(sn, entry, count, err);
	if (ret) {
		err->index = 0;
		return ret;
	}
	for (i = 0; i < count; i++)
		stage_entry(sn, &entry[i]);
	return 0;
}

/*
 * Gives loaded tables to the groups that have their LIDs now. Groups whose LIDs were not loaded
 * have tables in any case: @made, to be built. If no multicast tables were loaded, @made keeps rows
 * that the user has set, and tables that are not built stay as they are.
 */
static int stage_groups(struct mcfab_subnet *sn, struct mcfab_renewal *made)
{
	struct mcfab_mft **loaded = sn->stage->mft;
	int ret = 0;
	u32 i;

	for (i = 0; i < MCFAB_MLIDS && !ret; i++) {
		const struct mcfab_mft *now = sn->mft[i];
		bool grouped = now && now->group;

		if (loaded && loaded[i] && !has_rows(sn, loaded[i])) {
			/* all entries of this LID were left out */
			mcfab_mft_free(loaded[i]);
			loaded[i] = NULL;
		}
		if (loaded && loaded[i]) {
			loaded[i]->group = grouped ? now->group : 0;
			loaded[i]->source = grouped ? now->source : MCFAB_NONE;
			/* a loaded LID has only the loaded rows */
			bitmap_fill(loaded[i]->user, sn->switches);
			ret = mcfab_job_step(0, 0);
		} else if (grouped && (loaded || now->source != MCFAB_NONE)) {
			ret = mcfab_renew_add(sn, made, MCFAB_MULTICAST_LID_MIN + i, now, !loaded);
		}
	}
	return ret;
}

/* Swaps the loaded tables and the tables in use. */
static void swap_lft(struct mcfab_subnet *sn)
{
	if (sn->stage->lft)
		swap(sn->lft, sn->stage->lft);
}

static void swap_mft(struct mcfab_subnet *sn)
{
	if (sn->stage->mft)
		swap(sn->mft, sn->stage->mft);
}

/*
 * Checks the loaded tables in the place of the tables in use. @made: tables that groups get beside
 * the loaded ones. Afterwards all tables are where they were.
 */
static int check_staged(struct mcfab_subnet *sn, struct mcfab_renewal *made,
			struct mcfab_findings *found, struct mcfab_err *err)
{
	bool ways = sn->stage->lft || sn->stage->mft;
	int ret = 0;

	if (!ways && !sn->stage->left_out.total &&
	    !mcfab_levels_bytes(&sn->stage->levels))
		return mcfab_refuse(err, -ENODATA, 0, "nothing was loaded");
	if (!made)
		return mcfab_renew_refuse(err, -ENOMEM);
	swap_lft(sn);
	if (ways)
		ret = stage_groups(sn, made) ?: mcfab_renew_build(sn, made);
	if (ret) {
		mcfab_renew_refuse(err, ret);
	} else {
		*found = sn->stage->left_out;
		swap_mft(sn);
		mcfab_renew_swap(sn, made);
		/* lanes and levels change no way: what is wrong with the ways was found before */
		if (ways)
			ret = mcfab_subnet_check(sn, found);
		mcfab_renew_swap(sn, made);
		swap_mft(sn);
	}
	swap_lft(sn);
	return ret;
}

/**
 * mcfab_stage_check() - check the tables that are being loaded
 * @sn: subnet, of which tables are being loaded
 * @found: findings, entries that were left out first
 * @err: filled in when the request is refused
 *
 * Context: May sleep; no run reads the subnet, which is unchanged afterwards.
 * Return: 0, -ENODATA if nothing was loaded, -ENOMEM, -EINTR.
 */
int mcfab_stage_check(struct mcfab_subnet *sn, struct mcfab_findings *found,
		      struct mcfab_err *err)
{
	struct mcfab_renewal *made = mcfab_renew_begin();
	int ret = check_staged(sn, made, found, err);

	mcfab_renew_end(made);
	return ret;
}

static int refuse_findings(const struct mcfab_findings *found, struct mcfab_err *err)
{
	char text[sizeof(err->msg) - 24];

	mcfab_finding_text(&found->item[0], text, sizeof(text));
	if (found->total == 1)
		return mcfab_refuse(err, -EINVAL, 0, "%s", text);
	return mcfab_refuse(err, -EINVAL, 0, "%u findings: %s", found->total, text);
}

/**
 * mcfab_stage_commit() - put the loaded tables in place
 * @sn: subnet, of which tables are being loaded
 * @force: ignore findings
 * @found: the findings
 * @err: filled in when the request is refused
 *
 * Context: May sleep; no run reads the subnet.
 * Return: 0; -EINVAL if there are findings; else as of mcfab_stage_check(). On failure nothing has
 * changed and the loaded tables are still there.
 */
int mcfab_stage_commit(struct mcfab_subnet *sn, bool force, struct mcfab_findings *found,
		       struct mcfab_err *err)
{
	struct mcfab_renewal *made = mcfab_renew_begin();
	int ret = check_staged(sn, made, found, err);

	if (!ret && found->total && !force)
		ret = refuse_findings(found, err);
	if (!ret) {
		swap_lft(sn);
		swap_mft(sn);
		mcfab_levels_swap(&sn->levels, &sn->stage->levels);
		mcfab_renew_swap(sn, made);
		mcfab_stage_abort(sn);
		sn->generation++;
		sn->edited = true;
	}
	/* the tables that were in use, or none */
	mcfab_renew_end(made);
	return ret;
}
