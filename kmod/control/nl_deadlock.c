// SPDX-License-Identifier: GPL-2.0
/*
 * Show the deadlock that ended a run.
 */
#include "control/nl.h"

/* MCFAB_DEADLOCK_WORMS at 100 bytes. */
#define MCFAB_NL_DEADLOCK_SIZE	8192

static bool mcfab_nl_put_wait(struct sk_buff *skb, const struct mcfab_wait *wait)
{
	struct nlattr *nest = nla_nest_start(skb, MCFAB_A_DEADLOCK_WAIT);

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
 * @skb: where
 * @fabric: the fabric
 * @info: what it answers
 * @cb: the dump it is part of, or NULL
 *
 * Context: May sleep.
 * Return: 0, or -EMSGSIZE if it does not fit.
 */
int mcfab_nl_deadlock_fill(struct sk_buff *skb, struct mcfab_nl_fabric *fabric,
			   const struct genl_info *info, struct netlink_callback *cb)
{
	struct mcfab_fabric *core = fabric->core;
	void *hdr = mcfab_nl_put(skb, info, cb);
	bool fits;
	u32 i;

	if (!hdr)
		return -EMSGSIZE;
	mutex_lock(&core->stats_lock);
	fits = !(nla_put_u32(skb, MCFAB_A_DEADLOCK_FABRIC_ID, fabric->id) ||
		 nla_put_string(skb, MCFAB_A_DEADLOCK_FABRIC, core->cfg.name) ||
		 nla_put_u32(skb, MCFAB_A_DEADLOCK_RUN, core->progress.run) ||
		 nla_put_uint(skb, MCFAB_A_DEADLOCK_CYCLE, core->deadlock.cycle) ||
		 nla_put_u32(skb, MCFAB_A_DEADLOCK_WORMS, core->deadlock.worms));
	for (i = 0; fits && i < core->deadlock.nwaits; i++)
		fits = mcfab_nl_put_wait(skb, &core->deadlock.wait[i]);
	mutex_unlock(&core->stats_lock);
	if (!fits) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return 0;
}

/* MCFAB_CMD_DEADLOCK_GET */
int mcfab_nl_deadlock_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct sk_buff *msg = mcfab_nl_new(MCFAB_NL_DEADLOCK_SIZE);
	struct mcfab_nl_fabric *fabric;
	struct mcfab_fabric *core;
	bool deadlocked;
	int ret;

	if (!msg)
		return -ENOMEM;
	fabric = mcfab_nl_fabric_get(info);
	if (IS_ERR(fabric)) {
		nlmsg_free(msg);
		return PTR_ERR(fabric);
	}
	core = fabric->core;
	mutex_lock(&core->stats_lock);
	deadlocked = core->progress.state == MCFAB_RUN_DEADLOCKED;
	mutex_unlock(&core->stats_lock);
	if (deadlocked) {
		ret = mcfab_nl_deadlock_fill(msg, fabric, info, NULL);
	} else {
		NL_SET_ERR_MSG(info->extack, "the last run did not end in a deadlock");
		ret = -ENODATA;
	}
	mcfab_nl_fabric_put(fabric);
	if (!ret)
		return genlmsg_reply(msg, info);
	nlmsg_free(msg);
	return ret;
}
