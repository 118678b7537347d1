// SPDX-License-Identifier: GPL-2.0
/*
 * Show the deadlock that ended a run.
 */
#include "control/nl.h"
#include "stats/report.h"

/* MCFAB_DEADLOCK_WORMS at 100 bytes. */
#define MCFAB_NL_DEADLOCK_SIZE	8192

/**
 * mcfab_nl_put_wait() - show a worm of a deadlock
 * @skb: message
 * @attr: attribute in which it is nested
 * @wait: the worm, and what it waits for
 *
 * Context: Any.
 * Return: false if it does not fit.
 */
bool mcfab_nl_put_wait(struct sk_buff *skb, int attr, const struct mcfab_wait *wait)
{
	struct nlattr *nest = nla_nest_start(skb, attr);

	if (!nest ||
	    nla_put_uint(skb, MCFAB_A_WAIT_GENERATED, wait->gen) ||
	    nla_put_u32(skb, MCFAB_A_WAIT_SOURCE, wait->source) ||
	    nla_put_u32(skb, MCFAB_A_WAIT_SEQUENCE, wait->seq) ||
	    nla_put_u32(skb, MCFAB_A_WAIT_WORM, wait->worm) ||
	    nla_put_u32(skb, MCFAB_A_WAIT_ROUTER, wait->router) ||
	    (wait->port != MCFAB_PORT_ANY &&
	     (nla_put_u32(skb, MCFAB_A_WAIT_PORT, wait->port) ||
	      nla_put_u32(skb, MCFAB_A_WAIT_VC, wait->vc))) ||
	    nla_put_uint(skb, MCFAB_A_WAIT_SINCE, wait->since) ||
	    nla_put_u32(skb, MCFAB_A_WAIT_HOLDER, wait->holder))
		return false;
	nla_nest_end(skb, nest);
	return true;
}

/**
 * mcfab_nl_deadlock_fill() - one message about the deadlock of a fabric
 * @skb: message
 * @fabric: the fabric
 * @info: the request that it answers
 * @cb: the dump it is part of, or NULL
 *
 * Context: May sleep; never waits for a run.
 * Return: 0, -ENODATA if its last run did not end in a deadlock, -EMSGSIZE if it does not fit,
 * -EINTR if the process is being killed.
 */
int mcfab_nl_deadlock_fill(struct sk_buff *skb, struct mcfab_nl_fabric *fabric,
			   const struct genl_info *info, struct netlink_callback *cb)
{
	struct mcfab_report *report = mcfab_report_get(&fabric->core->results);
	const struct mcfab_deadlock *d = &report->deadlock;
	void *hdr = mcfab_nl_put(skb, info, cb);
	struct mcfab_progress at;
	int ret = -EMSGSIZE;
	u32 i;

	if (!hdr)
		goto put_report;
	ret = mcfab_report_progress(report, &at);
	if (!ret && at.state != MCFAB_RUN_STATUS_DEADLOCKED)
		ret = -ENODATA;
	if (ret)
		goto cancel;
	ret = -EMSGSIZE;
	if (nla_put_u32(skb, MCFAB_A_DEADLOCK_FABRIC_ID, fabric->id) ||
	    nla_put_string(skb, MCFAB_A_DEADLOCK_FABRIC, fabric->core->cfg.name) ||
	    nla_put_u32(skb, MCFAB_A_DEADLOCK_RUN, at.run) ||
	    nla_put_uint(skb, MCFAB_A_DEADLOCK_CYCLE, d->cycle) ||
	    nla_put_u32(skb, MCFAB_A_DEADLOCK_WORMS, d->worms))
		goto cancel;
	for (i = 0; i < d->nwaits; i++)
		if (!mcfab_nl_put_wait(skb, MCFAB_A_DEADLOCK_WAIT, &d->wait[i]))
			goto cancel;
	genlmsg_end(skb, hdr);
	ret = 0;
	goto put_report;
cancel:
	genlmsg_cancel(skb, hdr);
put_report:
	mcfab_report_put(report);
	return ret;
}

/* MCFAB_CMD_DEADLOCK_GET */
int mcfab_nl_deadlock_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct sk_buff *msg = mcfab_nl_new(MCFAB_NL_DEADLOCK_SIZE);
	int ret;

	if (!msg)
		return -ENOMEM;
	ret = mcfab_nl_deadlock_fill(msg, info->user_ptr[0], info, NULL);
	if (ret == -ENODATA)
		NL_SET_ERR_MSG(info->extack, "the last run did not end in a deadlock");
	if (!ret)
		return genlmsg_reply(msg, info);
	nlmsg_free(msg);
	return ret;
}
