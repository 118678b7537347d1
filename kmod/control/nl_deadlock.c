// SPDX-License-Identifier: GPL-2.0
/*
 * Show the deadlock that ended a run.
 */
#include "control/nl.h"
#include "stats/report.h"

/* MCFAB_DEADLOCK_WORMS at 136 bytes, MCFAB_DEADLOCK_HELD at 36, MCFAB_DEADLOCK_DESTS at 4 */
#define MCFAB_NL_DEADLOCK_SIZE	28672

/* The router at the far end of a channel. */
static u32 mcfab_nl_far_end(const struct mcfab_topo *topo, u32 router, u32 port)
{
	return topo->peer[mcfab_topo_channel(topo, router, port)] / topo->ports;
}

static bool mcfab_nl_put_held(struct sk_buff *skb, const struct mcfab_topo *topo,
			      const struct mcfab_holding *held)
{
	struct nlattr *nest = nla_nest_start(skb, MCFAB_A_WAIT_HELD);

	if (!nest)
		return false;
	if (held->kind == MCFAB_HOLDING_CHANNEL) {
		if (nla_put_u32(skb, MCFAB_A_HELD_ROUTER, held->at) ||
		    nla_put_u32(skb, MCFAB_A_HELD_PORT, held->port) ||
		    nla_put_u32(skb, MCFAB_A_HELD_VC, held->vc) ||
		    nla_put_u32(skb, MCFAB_A_HELD_TO_ROUTER,
				mcfab_nl_far_end(topo, held->at, held->port)))
			return false;
	} else if (nla_put_u32(skb, MCFAB_A_HELD_NODE, held->at) ||
		   (held->kind == MCFAB_HOLDING_INJECTION &&
		    nla_put_flag(skb, MCFAB_A_HELD_INJECTION))) {
		return false;
	}
	nla_nest_end(skb, nest);
	return true;
}

/* What a worm holds, and where it is to go. */
static bool mcfab_nl_put_holdings(struct sk_buff *skb, const struct mcfab_topo *topo,
				  const struct mcfab_deadlock *d, const struct mcfab_wait *wait)
{
	u32 i;

	for (i = 0; i < wait->nheld; i++)
		if (!mcfab_nl_put_held(skb, topo, &d->list[wait->first_held + i]))
			return false;
	return !nla_put_u32(skb, MCFAB_A_WAIT_HELD_TOTAL, wait->held) &&
	       !nla_put(skb, MCFAB_A_WAIT_DESTINATIONS, wait->ndests * sizeof(u32),
			&d->dest[wait->first_dest]) &&
	       !nla_put_u32(skb, MCFAB_A_WAIT_DESTINATIONS_TOTAL, wait->dests);
}

/**
 * mcfab_nl_put_wait() - show a worm of a deadlock
 * @skb: message
 * @attr: attribute in which it is nested
 * @topo: topology of the fabric
 * @d: the deadlock
 * @i: index of the worm in it
 * @holdings: also what the worm holds, and its destinations
 *
 * Context: Any.
 * Return: false if it does not fit.
 */
bool mcfab_nl_put_wait(struct sk_buff *skb, int attr, const struct mcfab_topo *topo,
		       const struct mcfab_deadlock *d, u32 i, bool holdings)
{
	struct nlattr *nest = nla_nest_start(skb, attr);
	const struct mcfab_wait *wait = &d->wait[i];

	if (!nest ||
	    nla_put_uint(skb, MCFAB_A_WAIT_GENERATED, wait->gen) ||
	    nla_put_u32(skb, MCFAB_A_WAIT_SOURCE, wait->source) ||
	    nla_put_u32(skb, MCFAB_A_WAIT_SEQUENCE, wait->seq) ||
	    nla_put_u32(skb, MCFAB_A_WAIT_WORM, wait->worm) ||
	    nla_put_u32(skb, MCFAB_A_WAIT_ROUTER, wait->router) ||
	    nla_put_u32(skb, MCFAB_A_WAIT_PACKET, wait->packet) ||
	    (wait->port != MCFAB_PORT_ANY &&
	     (nla_put_u32(skb, MCFAB_A_WAIT_PORT, wait->port) ||
	      nla_put_u32(skb, MCFAB_A_WAIT_VC, wait->vc) ||
	      nla_put_u32(skb, MCFAB_A_WAIT_TO_ROUTER,
			  mcfab_nl_far_end(topo, wait->router, wait->port)))) ||
	    (wait->port == MCFAB_PORT_ANY &&
	     nla_put_u32(skb, MCFAB_A_WAIT_NODE, wait->node)) ||
	    (wait->memory && nla_put_flag(skb, MCFAB_A_WAIT_MEMORY)) ||
	    nla_put_uint(skb, MCFAB_A_WAIT_SINCE, wait->since) ||
	    nla_put_u32(skb, MCFAB_A_WAIT_HOLDER, wait->holder) ||
	    (holdings && !mcfab_nl_put_holdings(skb, topo, d, wait)))
		return false;
	nla_nest_end(skb, nest);
	return true;
}

/**
 * mcfab_nl_deadlock_fill() - one message about the deadlock of a fabric
 * @skb: message
 * @fabric: the fabric
 * @info: the request that it answers, or the event
 * @holdings: also what the worms hold, and their destinations
 *
 * Context: May sleep; never waits for a run.
 * Return: 0, -ENODATA if its last run did not end in a deadlock, -EMSGSIZE if it does not fit,
 * -EINTR if the process is being killed.
 */
int mcfab_nl_deadlock_fill(struct sk_buff *skb, struct mcfab_nl_fabric *fabric,
			   const struct genl_info *info, bool holdings)
{
	struct mcfab_report *report = mcfab_report_get(&fabric->core->results);
	const struct mcfab_deadlock *d = &report->deadlock;
	void *hdr = mcfab_nl_put(skb, info, NULL);
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
		if (!mcfab_nl_put_wait(skb, MCFAB_A_DEADLOCK_WAIT, &fabric->core->topo, d, i,
				       holdings))
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
	ret = mcfab_nl_deadlock_fill(msg, info->user_ptr[0], info, true);
	if (ret == -ENODATA)
		NL_SET_ERR_MSG(info->extack, "the last run did not end in a deadlock");
	if (!ret)
		return genlmsg_reply(msg, info);
	nlmsg_free(msg);
	return ret;
}
