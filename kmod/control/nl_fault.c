// SPDX-License-Identifier: GPL-2.0
/*
 * Links and switches that fail: taking them down, mending them, showing them, and the failures of a
 * run.
 */
#include "control/nl_job.h"
#include "updown/updown.h"

/**
 * enum mcfab_nl_fault_part - what a message of a dump shows
 * @MCFAB_NL_FAULT_SUM: how much is down
 * @MCFAB_NL_FAULT_LINK: a link
 * @MCFAB_NL_FAULT_SWITCH: a switch
 * @MCFAB_NL_FAULT_NODE: a node that cannot be reached
 * @MCFAB_NL_FAULT_END: nothing
 */
enum mcfab_nl_fault_part {
	MCFAB_NL_FAULT_SUM,
	MCFAB_NL_FAULT_LINK,
	MCFAB_NL_FAULT_SWITCH,
	MCFAB_NL_FAULT_NODE,
	MCFAB_NL_FAULT_END,
};

/**
 * struct mcfab_nl_fault_ctx - position of a dump
 * @fabric: number of the fabric
 * @part: enum mcfab_nl_fault_part
 * @at: next channel, switch or node
 */
struct mcfab_nl_fault_ctx {
	u32 fabric;
	u32 part;
	u32 at;
};

/* A link has two channels: the dump shows it at the channel with the lower number. */
static bool mcfab_nl_is_dead_link(const struct mcfab_updown *ud, u32 chan)
{
	u32 peer = ud->topo->peer[chan];

	return test_bit(chan, ud->dead_link) && (peer == MCFAB_NONE || chan < peer);
}

static u32 mcfab_nl_dead_links(const struct mcfab_updown *ud)
{
	u32 links = 0, chan;

	for_each_set_bit(chan, ud->dead_link, ud->switches * ud->topo->ports)
		links += mcfab_nl_is_dead_link(ud, chan);
	return links;
}

/**
 * mcfab_nl_put_down() - put how much of a fabric is down, if anything, into a message about it
 * @skb: message
 * @ud: its routing, held
 *
 * Context: Any.
 * Return: false if it does not fit.
 */
bool mcfab_nl_put_down(struct sk_buff *skb, const struct mcfab_updown *ud)
{
	u32 switches = bitmap_weight(ud->dead_switch, ud->switches);
	u32 links = mcfab_nl_dead_links(ud);

	return !((links && nla_put_u32(skb, MCFAB_A_FABRIC_LINKS_DOWN, links)) ||
		 (switches && nla_put_u32(skb, MCFAB_A_FABRIC_SWITCHES_DOWN, switches)));
}

static bool mcfab_nl_put_sum(struct sk_buff *skb, const struct mcfab_updown *ud)
{
	u32 nodes = 0, i;

	for (i = 0; i < ud->topo->nodes; i++)
		nodes += !mcfab_updown_reaches(ud, ud->centre, i);
	return !(nla_put_u32(skb, MCFAB_A_FAULT_LINKS, mcfab_nl_dead_links(ud)) ||
		 nla_put_u32(skb, MCFAB_A_FAULT_SWITCHES,
			     bitmap_weight(ud->dead_switch, ud->switches)) ||
		 nla_put_u32(skb, MCFAB_A_FAULT_NODES, nodes));
}

static bool mcfab_nl_put_dead_link(struct sk_buff *skb, const struct mcfab_topo *topo, u32 chan)
{
	u32 peer = topo->peer[chan];

	if (nla_put_u32(skb, MCFAB_A_FAULT_SWITCH, chan / topo->ports) ||
	    nla_put_u32(skb, MCFAB_A_FAULT_PORT, chan % topo->ports))
		return false;
	if (peer == MCFAB_NONE)
		return !nla_put_u32(skb, MCFAB_A_FAULT_HOST, topo->host[chan]);
	return !(nla_put_u32(skb, MCFAB_A_FAULT_PEER_SWITCH, peer / topo->ports) ||
		 nla_put_u32(skb, MCFAB_A_FAULT_PEER_PORT, peer % topo->ports));
}

/* Goes on to the next failure to show, from the dump's position. */
static void mcfab_nl_fault_seek(const struct mcfab_updown *ud, struct mcfab_nl_fault_ctx *ctx)
{
	if (ctx->part == MCFAB_NL_FAULT_LINK) {
		while (ctx->at < ud->switches * ud->topo->ports &&
		       !mcfab_nl_is_dead_link(ud, ctx->at))
			ctx->at++;
		if (ctx->at < ud->switches * ud->topo->ports)
			return;
		ctx->part = MCFAB_NL_FAULT_SWITCH;
		ctx->at = 0;
	}
	if (ctx->part == MCFAB_NL_FAULT_SWITCH) {
		ctx->at = find_next_bit(ud->dead_switch, ud->switches, ctx->at);
		if (ctx->at < ud->switches)
			return;
		ctx->part = MCFAB_NL_FAULT_NODE;
		ctx->at = 0;
	}
	if (ctx->part == MCFAB_NL_FAULT_NODE) {
		while (ctx->at < ud->topo->nodes &&
		       mcfab_updown_reaches(ud, ud->centre, ctx->at))
			ctx->at++;
		if (ctx->at == ud->topo->nodes)
			ctx->part = MCFAB_NL_FAULT_END;
	}
}

static bool mcfab_nl_fault_put_part(struct sk_buff *skb, const struct mcfab_updown *ud,
				    const struct mcfab_nl_fault_ctx *ctx)
{
	switch (ctx->part) {
	case MCFAB_NL_FAULT_SUM:
		return mcfab_nl_put_sum(skb, ud);
	case MCFAB_NL_FAULT_LINK:
		return mcfab_nl_put_dead_link(skb, ud->topo, ctx->at);
	case MCFAB_NL_FAULT_SWITCH:
		return !nla_put_u32(skb, MCFAB_A_FAULT_SWITCH, ctx->at);
	default:
		return !nla_put_u32(skb, MCFAB_A_FAULT_UNREACHABLE, ctx->at);
	}
}

/* One message. */
static int mcfab_nl_fault_fill(struct sk_buff *skb, const struct genl_info *info,
			       struct netlink_callback *cb, const struct mcfab_updown *ud,
			       const struct mcfab_nl_fault_ctx *ctx)
{
	void *hdr = mcfab_nl_put(skb, info, cb);

	if (!hdr)
		return -EMSGSIZE;
	if (nla_put_u32(skb, MCFAB_A_FAULT_FABRIC_ID, ctx->fabric) ||
	    !mcfab_nl_fault_put_part(skb, ud, ctx)) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return 0;
}

static int mcfab_nl_fault_config(struct genl_info *info, struct mcfab_fault *fault)
{
	if (!info->attrs[MCFAB_A_FAULT_SWITCH])
		return mcfab_nl_missing(info, MCFAB_A_FAULT_SWITCH, "switch");
	if (!info->attrs[MCFAB_A_FAULT_STATE])
		return mcfab_nl_missing(info, MCFAB_A_FAULT_STATE, "state");
	fault->sw = nla_get_u32(info->attrs[MCFAB_A_FAULT_SWITCH]);
	fault->port = MCFAB_NONE;
	mcfab_nl_set_u32(info, MCFAB_A_FAULT_PORT, &fault->port);
	fault->up = nla_get_u32(info->attrs[MCFAB_A_FAULT_STATE]) == MCFAB_LINK_STATUS_UP;
	return 0;
}

/**
 * struct mcfab_nl_fault_set - a link or switch to be taken down or mended
 * @job: the request
 * @fault: the link or switch
 * @ctx: position in the answer
 */
struct mcfab_nl_fault_set {
	struct mcfab_nl_job job;
	struct mcfab_fault fault;
	struct mcfab_nl_fault_ctx ctx;
};

static int mcfab_nl_fault_work(struct mcfab_nl_job *job)
{
	struct mcfab_nl_fault_set *set = container_of(job, struct mcfab_nl_fault_set, job);
	struct mcfab_fabric *core = job->fabric->core;
	struct mcfab_err err = {};
	int ret = mcfab_fabric_fault(core, &set->fault, &err);

	if (ret)
		return mcfab_nl_refuse(job->info, &err, ret);
	set->ctx.fabric = job->fabric->id;
	set->ctx.part = MCFAB_NL_FAULT_SUM;
	return 0;
}

static int mcfab_nl_fault_finish(struct mcfab_nl_job *job, int ret)
{
	struct mcfab_nl_fault_set *set = container_of(job, struct mcfab_nl_fault_set, job);

	if (ret)
		return ret;
	mcfab_nl_notify(job->fabric, MCFAB_CMD_FABRIC_CHANGE_NTF);
	return mcfab_nl_fault_fill(job->msg, job->info, NULL, job->fabric->core->updown,
				   &set->ctx);
}

static const struct mcfab_nl_job_ops mcfab_nl_fault_ops = {
	.busy = "a link or switch is being taken down or mended: try again soon",
	.work = mcfab_nl_fault_work,
	.finish = mcfab_nl_fault_finish,
};

/* MCFAB_CMD_FAULT_SET */
int mcfab_nl_fault_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct mcfab_nl_fault_set *set;
	struct mcfab_nl_fabric *fabric;
	int ret;

	set = mcfab_nl_job_alloc(sizeof(*set), &mcfab_nl_fault_ops, info);
	if (!set)
		return -ENOMEM;
	ret = mcfab_nl_fault_config(info, &set->fault);
	if (ret)
		goto free;
	fabric = mcfab_nl_fabric_lock(info, false);
	if (!IS_ERR(fabric))
		return mcfab_nl_job_go(&set->job, fabric, skb,
				       mcfab_nl_fault_steps(fabric->core));
	ret = PTR_ERR(fabric);
free:
	mcfab_nl_job_free(&set->job);
	return ret;
}

/* MCFAB_CMD_FAULT_GET */
int mcfab_nl_fault_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	const struct genl_info *info = genl_info_dump(cb);
	struct mcfab_nl_fault_ctx *ctx = (void *)cb->ctx;
	struct mcfab_nl_fabric *fabric;
	struct mcfab_updown *ud;
	int ret = 0;

	NL_ASSERT_DUMP_CTX_FITS(struct mcfab_nl_fault_ctx);
	fabric = mcfab_nl_fabric_dump(cb, &ctx->fabric);
	if (IS_ERR(fabric))
		return PTR_ERR(fabric);
	ud = mcfab_nl_updown(fabric);
	if (!ud) {
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[MCFAB_A_FAULT_FABRIC] ?:
				    info->attrs[MCFAB_A_FAULT_FABRIC_ID],
				    "links fail with routing updown only: make it with that");
		ret = -EOPNOTSUPP;
	}
	while (!ret && ctx->part != MCFAB_NL_FAULT_END) {
		ret = mcfab_nl_fault_fill(skb, info, cb, ud, ctx);
		if (ret)
			break;
		if (ctx->part == MCFAB_NL_FAULT_SUM)
			ctx->part++;
		else
			ctx->at++;
		mcfab_nl_fault_seek(ud, ctx);
	}
	mcfab_updown_put(ud);
	mcfab_nl_fabric_put(fabric);
	return ret;
}

/**
 * mcfab_nl_updown() - hold the up*-down* routing of a fabric
 * @fabric: the fabric
 *
 * Context: May sleep.
 * Return: the routing, to be given to mcfab_updown_put(), or NULL.
 */
struct mcfab_updown *mcfab_nl_updown(struct mcfab_nl_fabric *fabric)
{
	struct mcfab_updown *ud;

	spin_lock(&fabric->core->part_lock);
	ud = mcfab_updown_get(fabric->core->updown);
	spin_unlock(&fabric->core->part_lock);
	return ud;
}

/**
 * mcfab_nl_run_faults() - the failures in a request for a run
 * @info: the request
 * @cfg: the run; its faults are filled in
 *
 * Context: Any.
 * Return: 0 or -EINVAL.
 */
int mcfab_nl_run_faults(const struct genl_info *info, struct mcfab_run_cfg *cfg)
{
	struct nlattr *tb[MCFAB_A_RUN_FAULT_MAX + 1];
	struct mcfab_fault *fault;
	const struct nlattr *pos;
	int rem, ret;

	nlmsg_for_each_attr_type(pos, MCFAB_A_RUN_FAULT, info->nlhdr, GENL_HDRLEN, rem) {
		if (cfg->nfaults == MCFAB_MAX_FAULTS) {
			NL_SET_ERR_MSG_ATTR_FMT(info->extack, pos, "more than %u failures",
						MCFAB_MAX_FAULTS);
			return -EINVAL;
		}
		ret = nla_parse_nested(tb, MCFAB_A_RUN_FAULT_MAX, pos, mcfab_run_fault_nl_policy,
				       info->extack);
		if (ret)
			return ret;
		if (!tb[MCFAB_A_RUN_FAULT_AT] || !tb[MCFAB_A_RUN_FAULT_SWITCH] ||
		    !tb[MCFAB_A_RUN_FAULT_STATE]) {
			NL_SET_ERR_MSG_ATTR(info->extack, pos,
					    "a failure has a cycle, a switch and a state");
			return -EINVAL;
		}
		fault = &cfg->fault[cfg->nfaults++];
		fault->cycle = nla_get_uint(tb[MCFAB_A_RUN_FAULT_AT]);
		fault->sw = nla_get_u32(tb[MCFAB_A_RUN_FAULT_SWITCH]);
		fault->port = MCFAB_NONE;
		if (tb[MCFAB_A_RUN_FAULT_PORT])
			fault->port = nla_get_u32(tb[MCFAB_A_RUN_FAULT_PORT]);
		fault->up = nla_get_u32(tb[MCFAB_A_RUN_FAULT_STATE]) == MCFAB_LINK_STATUS_UP;
	}
	return 0;
}

/**
 * mcfab_nl_put_run_faults() - show the failures of a run
 * @skb: message
 * @cfg: the run
 *
 * Context: Any.
 * Return: false if they do not fit.
 */
bool mcfab_nl_put_run_faults(struct sk_buff *skb, const struct mcfab_run_cfg *cfg)
{
	struct nlattr *nest;
	u32 i;

	for (i = 0; i < cfg->nfaults; i++) {
		const struct mcfab_fault *fault = &cfg->fault[i];

		nest = nla_nest_start(skb, MCFAB_A_RUN_FAULT);
		if (!nest || nla_put_uint(skb, MCFAB_A_RUN_FAULT_AT, fault->cycle) ||
		    nla_put_u32(skb, MCFAB_A_RUN_FAULT_SWITCH, fault->sw) ||
		    (fault->port != MCFAB_NONE &&
		     nla_put_u32(skb, MCFAB_A_RUN_FAULT_PORT, fault->port)) ||
		    nla_put_u32(skb, MCFAB_A_RUN_FAULT_STATE, fault->up ? MCFAB_LINK_STATUS_UP :
				MCFAB_LINK_STATUS_DOWN))
			return false;
		nla_nest_end(skb, nest);
	}
	return true;
}
