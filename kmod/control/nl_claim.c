// SPDX-License-Identifier: GPL-2.0
/*
 * Claims. A dump that computes for long does so in a later part, which is under no lock of generic
 * netlink: the process that reads it computes, on its own time, and can be killed. Meanwhile it
 * claims the fabric. Groups, tables and routing then stay as they are, without a lock that others
 * would have to wait for: a request that would change them is refused.
 */
#include <linux/jiffies.h>
#include <linux/wait.h>

#include "control/nl.h"

/* Most claims are shorter: a request waits so long before it is refused. */
#define MCFAB_NL_CLAIM_WAIT	(HZ / 20)

static DECLARE_WAIT_QUEUE_HEAD(mcfab_nl_unclaimed);

/**
 * mcfab_nl_claim_wait() - wait for the end of a short claim
 * @fabric: the fabric, held, not locked
 *
 * Context: May sleep, for 50 ms.
 */
void mcfab_nl_claim_wait(struct mcfab_nl_fabric *fabric)
{
	if (READ_ONCE(fabric->claimed))
		wait_event_killable_timeout(mcfab_nl_unclaimed, !READ_ONCE(fabric->claimed),
					    MCFAB_NL_CLAIM_WAIT);
}

/**
 * mcfab_nl_claim_lock() - lock a fabric that is not claimed
 * @fabric: the fabric, held
 *
 * Context: May sleep, as long as another process has it; a later part of a dump.
 * Return: 0, or -EINTR if the process is being killed.
 */
int mcfab_nl_claim_lock(struct mcfab_nl_fabric *fabric)
{
	for (;;) {
		if (wait_event_killable(mcfab_nl_unclaimed, !READ_ONCE(fabric->claimed)) ||
		    mutex_lock_killable(&fabric->lock))
			return -EINTR;
		/* pairs with mcfab_nl_unclaim() */
		if (!smp_load_acquire(&fabric->claimed))
			return 0;
		mutex_unlock(&fabric->lock);
	}
}

/**
 * mcfab_nl_claim() - claim a fabric
 * @info: request
 * @fabric: the fabric, held, not locked
 * @why: reason of the claim, for requests that are refused
 *
 * Context: as mcfab_nl_claim_lock().
 * Return: 0, or -EINTR, -ENOENT, or -EBUSY if a thread works on a request; the extack is set.
 */
int mcfab_nl_claim(const struct genl_info *info, struct mcfab_nl_fabric *fabric, const char *why)
{
	int ret = mcfab_nl_claim_lock(fabric);

	if (ret) {
		NL_SET_ERR_MSG(info->extack, "interrupted");
		return ret;
	}
	if (fabric->gone) {
		NL_SET_ERR_MSG(info->extack, "the fabric was removed meanwhile");
		ret = -ENOENT;
	} else {
		ret = mcfab_nl_fabric_busy(info, fabric);
	}
	if (!ret)
		WRITE_ONCE(fabric->claimed, why);
	mutex_unlock(&fabric->lock);
	return ret;
}

/**
 * mcfab_nl_unclaim() - give up a claim
 * @fabric: the fabric, which this process has claimed
 *
 * Context: May sleep; never waits for others.
 */
void mcfab_nl_unclaim(struct mcfab_nl_fabric *fabric)
{
	/* pairs with mcfab_nl_fabric_busy(), which sees all changes of the claim */
	smp_store_release(&fabric->claimed, NULL);
	wake_up_all(&mcfab_nl_unclaimed);
}
