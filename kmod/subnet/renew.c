// SPDX-License-Identifier: GPL-2.0
/*
 * Tables of multicast LIDs that are made anew because members of a group or unicast paths change.
 * New tables are made beside those in use, and take their places when all of them are there. So a
 * process that gives up meanwhile, or finds no room for a table, has changed nothing.
 */
#include <linux/sched.h>

#include "base/job.h"
#include "base/memory.h"
#include "subnet/subnet.h"

/**
 * mcfab_renew_begin() - begin to make tables anew
 *
 * Context: May sleep. Memory is charged to the caller's cgroup.
 * Return: no tables yet, to be freed with mcfab_renew_end(), or NULL.
 */
struct mcfab_renewal *mcfab_renew_begin(void)
{
	return mcfab_memory_zalloc(1, sizeof(struct mcfab_renewal));
}

/**
 * mcfab_renew_add() - make new tables of a multicast LID
 * @sn: subnet
 * @r: the tables made anew
 * @lid: multicast LID; there are no new tables of it yet
 * @like: tables of the same group and source
 * @keep: copy the rows of @like, too; else the new tables have no rows
 *
 * Context: May sleep. Memory is charged to the caller's cgroup.
 * Return: 0, -ENOMEM, or -EINTR if the work is to be given up.
 */
int mcfab_renew_add(const struct mcfab_subnet *sn, struct mcfab_renewal *r, u32 lid,
		    const struct mcfab_mft *like, bool keep)
{
	struct mcfab_mft *mft = mcfab_mft_alloc(sn);

	if (!mft)
		return -ENOMEM;
	mft->group = like->group;
	mft->source = like->source;
	if (keep) {
		memcpy(mft->row, like->row, sn->switches * sizeof(*mft->row));
		bitmap_copy(mft->user, like->user, sn->switches);
	}
	r->mft[lid - MCFAB_MULTICAST_LID_MIN] = mft;
	__set_bit(lid - MCFAB_MULTICAST_LID_MIN, r->set);
	r->lids++;
	return mcfab_job_step(0, 0);
}

/**
 * mcfab_renew_build() - build the rows of new tables that the user did not set
 * @sn: subnet, with the members and unicast paths for these tables
 * @r: the tables made anew
 *
 * Context: May sleep.
 * Return: 0, or -EINTR if the work is to be given up.
 */
int mcfab_renew_build(const struct mcfab_subnet *sn, struct mcfab_renewal *r)
{
	u32 i, done = 0;
	int ret = 0;

	for_each_set_bit(i, r->set, MCFAB_MLIDS) {
		struct mcfab_mft *mft = r->mft[i];

		if (mft->group)
			ret = mcfab_mft_build(sn, mft,
					      sn->group[mcfab_group_place(sn, mft->group)],
					      done, r->lids);
		if (ret)
			return ret;
		done++;
	}
	return 0;
}

/**
 * mcfab_renew_swap() - swap the tables in use and those made anew
 * @sn: subnet; no run reads it
 * @r: the tables made anew
 *
 * A second call puts all tables back.
 *
 * Context: Any.
 */
void mcfab_renew_swap(struct mcfab_subnet *sn, struct mcfab_renewal *r)
{
	u32 i;

	for_each_set_bit(i, r->set, MCFAB_MLIDS)
		swap(sn->mft[i], r->mft[i]);
}

/**
 * mcfab_renew_end() - free the tables that are not in use
 * @r: the tables made anew, or NULL
 *
 * Context: May sleep.
 */
void mcfab_renew_end(struct mcfab_renewal *r)
{
	u32 i;

	if (!r)
		return;
	for_each_set_bit(i, r->set, MCFAB_MLIDS) {
		mcfab_mft_free(r->mft[i]);
		cond_resched();
	}
	mcfab_memory_free(r);
}

/**
 * mcfab_renew_refuse() - say why tables cannot be made anew
 * @err: filled in
 * @ret: -ENOMEM or -EINTR
 *
 * Context: Any.
 * Return: @ret.
 */
int mcfab_renew_refuse(struct mcfab_err *err, int ret)
{
	if (ret == -EINTR)
		return mcfab_refuse(err, ret, 0, "interrupted");
	return mcfab_refuse(err, ret, 0, "the tables do not fit, see max_memory_mb");
}
