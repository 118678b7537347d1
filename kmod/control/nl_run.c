// SPDX-License-Identifier: GPL-2.0
/*
 * Runs: start and show; nl_stop.c stops them. A start returns as soon as the router threads have
 * their work; no request waits for simulated time.
 */
#include "control/nl_job.h"
#include "netdev/ports.h"
#include "stats/report.h"
#include "updown/updown.h"

/**
 * mcfab_nl_settings() - the parameters of a policy as the user wrote them
 * @info: the request
 * @attr: number of the attribute that holds a parameter
 * @set: room for MCFAB_MAX_PARAMS
 * @nset: set to their number
 *
 * Context: Any.
 * Return: 0 or -EINVAL.
 */
int mcfab_nl_settings(const struct genl_info *info, int attr, struct mcfab_setting *set,
		      u32 *nset)
{
	struct nlattr *tb[MCFAB_A_PARAM_MAX + 1];
	const struct nlattr *pos;
	int rem, ret;

	*nset = 0;
	nlmsg_for_each_attr_type(pos, attr, info->nlhdr, GENL_HDRLEN, rem) {
		if (*nset == MCFAB_MAX_PARAMS) {
			NL_SET_ERR_MSG_ATTR_FMT(info->extack, pos, "more than %u parameters",
						MCFAB_MAX_PARAMS);
			return -EINVAL;
		}
		ret = nla_parse_nested(tb, MCFAB_A_PARAM_MAX, pos, mcfab_param_nl_policy,
				       info->extack);
		if (ret)
			return ret;
		if (!tb[MCFAB_A_PARAM_NAME] || !tb[MCFAB_A_PARAM_VALUE]) {
			NL_SET_ERR_MSG_ATTR(info->extack, pos,
					    "a parameter has a name and a value");
			return -EINVAL;
		}
		nla_strscpy(set[*nset].name, tb[MCFAB_A_PARAM_NAME], sizeof(set->name));
		nla_strscpy(set[*nset].value, tb[MCFAB_A_PARAM_VALUE], sizeof(set->value));
		++*nset;
	}
	return 0;
}

static int mcfab_nl_run_config(const struct genl_info *info, struct mcfab_nl_fabric *fabric,
			       struct mcfab_run_cfg *cfg)
{
	u32 headers = MCFAB_HEADERS_MODE_OFF;
	int ret;

	mcfab_run_defaults(cfg);
	ret = mcfab_nl_name(info, MCFAB_A_RUN_POLICY, "policy", cfg->policy);
	if (!ret)
		ret = mcfab_nl_settings(info, MCFAB_A_RUN_PARAM, cfg->set, &cfg->nset);
	if (!ret)
		ret = mcfab_nl_run_workload(info, fabric, cfg);
	if (!ret)
		ret = mcfab_nl_run_faults(info, cfg);
	if (ret)
		return ret;

	mcfab_nl_set_u32(info, MCFAB_A_RUN_FLITS, &cfg->flits);
	mcfab_nl_set_u32(info, MCFAB_A_RUN_MTU, &cfg->mtu);
	if (info->attrs[MCFAB_A_RUN_ADVANCE])
		cfg->advance = nla_get_u32(info->attrs[MCFAB_A_RUN_ADVANCE]);
	mcfab_nl_set_u32(info, MCFAB_A_RUN_HEADERS, &headers);
	cfg->headers = headers == MCFAB_HEADERS_MODE_ON;
	mcfab_nl_set_u32(info, MCFAB_A_RUN_PREP, &cfg->prep);
	mcfab_nl_set_u32(info, MCFAB_A_RUN_PREP_RELAY, &cfg->prep_relay);
	mcfab_nl_run_window(info, cfg);
	if (info->attrs[MCFAB_A_RUN_NODE_BUSY])
		cfg->node_busy = nla_get_u32(info->attrs[MCFAB_A_RUN_NODE_BUSY]);
	if (info->attrs[MCFAB_A_RUN_ROUNDS])
		cfg->rounds = nla_get_u32(info->attrs[MCFAB_A_RUN_ROUNDS]);
	if (info->attrs[MCFAB_A_RUN_MAX_CYCLES])
		cfg->max_cycles = nla_get_uint(info->attrs[MCFAB_A_RUN_MAX_CYCLES]);
	cfg->recover = info->attrs[MCFAB_A_RUN_RECOVER];
	if (cfg->workload.kind == MCFAB_WORKLOAD_TYPE_PORTS)
		mcfab_nl_run_ports(info, cfg);
	return 0;
}

static bool mcfab_nl_put_settings(struct sk_buff *skb, const struct mcfab_run_cfg *cfg)
{
	struct nlattr *nest;
	u32 i;

	for (i = 0; i < cfg->nset; i++) {
		nest = nla_nest_start(skb, MCFAB_A_RUN_PARAM);
		if (!nest ||
		    nla_put_string(skb, MCFAB_A_PARAM_NAME, cfg->set[i].name) ||
		    nla_put_string(skb, MCFAB_A_PARAM_VALUE, cfg->set[i].value))
			return false;
		nla_nest_end(skb, nest);
	}
	return true;
}

static bool mcfab_nl_put_run(struct sk_buff *skb, const struct mcfab_run_cfg *cfg)
{
	return !(nla_put_string(skb, MCFAB_A_RUN_POLICY, cfg->policy) ||
		 !mcfab_nl_put_settings(skb, cfg) ||
		 (!cfg->workload.nlengths &&
		  nla_put_u32(skb, MCFAB_A_RUN_FLITS, cfg->flits)) ||
		 (cfg->mtu && nla_put_u32(skb, MCFAB_A_RUN_MTU, cfg->mtu)) ||
		 nla_put_u32(skb, MCFAB_A_RUN_ADVANCE, cfg->advance) ||
		 nla_put_u32(skb, MCFAB_A_RUN_HEADERS, cfg->headers) ||
		 (cfg->prep != MCFAB_NONE && nla_put_u32(skb, MCFAB_A_RUN_PREP, cfg->prep)) ||
		 nla_put_u32(skb, MCFAB_A_RUN_PREP_RELAY, cfg->prep_relay) ||
		 nla_put_u32(skb, MCFAB_A_RUN_NODE_BUSY, cfg->node_busy) ||
		 (cfg->rounds != MCFAB_ROUNDS_DEFAULT &&
		  nla_put_u32(skb, MCFAB_A_RUN_ROUNDS, cfg->rounds)) ||
		 !mcfab_nl_put_traffic(skb, cfg) ||
		 !mcfab_nl_put_run_window(skb, cfg) ||
		 (cfg->max_cycles != U64_MAX &&
		  nla_put_uint(skb, MCFAB_A_RUN_MAX_CYCLES, cfg->max_cycles)) ||
		 !mcfab_nl_put_run_ports(skb, cfg) ||
		 (cfg->recover && nla_put_flag(skb, MCFAB_A_RUN_RECOVER)) ||
		 !mcfab_nl_put_run_faults(skb, cfg));
}

static bool mcfab_nl_put_progress(struct sk_buff *skb, const struct mcfab_progress *at)
{
	return !(nla_put_u32(skb, MCFAB_A_RUN_RUN, at->run) ||
		 nla_put_uint(skb, MCFAB_A_RUN_CYCLE, at->cycle) ||
		 nla_put_uint(skb, MCFAB_A_RUN_MESSAGES, at->messages) ||
		 (at->expected && nla_put_uint(skb, MCFAB_A_RUN_EXPECTED, at->expected)) ||
		 nla_put_uint(skb, MCFAB_A_RUN_DELIVERIES, at->deliveries) ||
		 nla_put_uint(skb, MCFAB_A_RUN_FLIT_HOPS, at->flit_hops) ||
		 nla_put_uint(skb, MCFAB_A_RUN_STALLS, at->stalls) ||
		 !mcfab_nl_put_drops(skb, MCFAB_A_RUN_DROPPED, at->drops) ||
		 (at->has_hash && nla_put_uint(skb, MCFAB_A_RUN_HASH, at->hash)) ||
		 nla_put_uint(skb, MCFAB_A_RUN_WALL_NS, mcfab_nl_wall_ns(at)) ||
		 nla_put_u32(skb, MCFAB_A_RUN_THREADS, at->threads) ||
		 (at->chosen.mode[0] &&
		  nla_put_string(skb, MCFAB_A_RUN_MODE, at->chosen.mode)) ||
		 (at->chosen.why[0] &&
		  nla_put_string(skb, MCFAB_A_RUN_MODE_WHY, at->chosen.why)) ||
		 (at->why[0] && nla_put_string(skb, MCFAB_A_RUN_WHY, at->why)));
}

/* Shows a request that takes long; a run that is under way goes on meanwhile. */
static enum mcfab_run_status mcfab_nl_run_state(const struct mcfab_nl_fabric *fabric,
						enum mcfab_run_status state)
{
	bool building = READ_ONCE(fabric->job) || READ_ONCE(fabric->claimed);

	return building && state != MCFAB_RUN_STATUS_RUNNING ? MCFAB_RUN_STATUS_BUILDING : state;
}

/**
 * mcfab_nl_run_fill() - one message about the current or last run of a fabric
 * @skb: message
 * @fabric: the fabric
 * @info: the request that it answers
 * @cb: the dump it is part of, or NULL
 *
 * Context: May sleep; never waits for a run.
 * Return: 0, -EMSGSIZE if it does not fit, -EINTR if the process is being killed.
 */
int mcfab_nl_run_fill(struct sk_buff *skb, struct mcfab_nl_fabric *fabric,
		      const struct genl_info *info, struct netlink_callback *cb)
{
	void *hdr = mcfab_nl_put(skb, info, cb);
	struct mcfab_progress at;
	struct mcfab_report *report;
	bool fits;
	int ret;

	if (!hdr)
		return -EMSGSIZE;
	report = mcfab_report_get(&fabric->core->results);
	ret = mcfab_report_progress(report, &at);
	if (!ret) {
		fits = !(nla_put_u32(skb, MCFAB_A_RUN_FABRIC_ID, fabric->id) ||
			 nla_put_string(skb, MCFAB_A_RUN_FABRIC, fabric->core->cfg.name) ||
			 nla_put_u32(skb, MCFAB_A_RUN_STATE, mcfab_nl_run_state(fabric, at.state)));
		if (fits && at.run)
			fits = mcfab_nl_put_run(skb, &report->cfg) &&
			       mcfab_nl_put_progress(skb, &at);
		ret = fits ? 0 : -EMSGSIZE;
	}
	mcfab_report_put(report);
	if (ret) {
		genlmsg_cancel(skb, hdr);
		return ret;
	}
	genlmsg_end(skb, hdr);
	return 0;
}

/**
 * struct mcfab_nl_start - a run to be started
 * @job: the request
 * @cfg: the run
 */
struct mcfab_nl_start {
	struct mcfab_nl_job job;
	struct mcfab_run_cfg cfg;
};

/**
 * mcfab_nl_begun() - a run is about to begin: send event and answer
 * @core: its fabric
 *
 * The event and the answer are sent before the run can end, and show it as running.
 *
 * Context: May sleep; of the process or thread that starts the run.
 */
void mcfab_nl_begun(struct mcfab_fabric *core)
{
	struct mcfab_nl_fabric *fabric = core->owner;
	struct mcfab_nl_job *job = fabric->starting;

	mcfab_nl_notify(fabric, MCFAB_CMD_FABRIC_CHANGE_NTF);
	/* There is room for the longest answer. */
	if (!mcfab_nl_run_fill(job->msg, fabric, job->info, NULL))
		mcfab_nl_job_reply(job);
}

static int mcfab_nl_start_work(struct mcfab_nl_job *job)
{
	struct mcfab_nl_start *start = container_of(job, struct mcfab_nl_start, job);
	struct mcfab_err err = {};
	int ret = 0;

	/*
	 * Only a thread loads a module: a handler holds locks, even if the policy was there a
	 * moment ago.
	 */
	if (job->deferred)
		mcfab_policy_load(start->cfg.policy);
	mcfab_nl_free_wait(job);
	job->fabric->starting = job;
	if (start->cfg.workload.kind == MCFAB_WORKLOAD_TYPE_PORTS)
		ret = mcfab_ports_prepare(job->fabric->core, &start->cfg, &err);
	if (!ret)
		ret = mcfab_run_start(job->fabric->core, &start->cfg, &err);
	if (ret)
		return mcfab_nl_refuse(job->info, &err, ret);
	if (err.msg[0])	/* a warning */
		NL_SET_ERR_MSG_FMT(job->info->extack, "%s", err.msg);
	return 0;
}

/* Event and answer have been sent when the run begins, unless it was stopped a moment before. */
static int mcfab_nl_start_finish(struct mcfab_nl_job *job, int ret)
{
	struct mcfab_nl_fabric *fabric = job->fabric;

	fabric->starting = NULL;
	if (ret)
		return ret;
	WRITE_ONCE(fabric->begun_by, job->nr);
	/* pairs with mcfab_nl_stop_ready() */
	smp_store_release(&fabric->begun_run, fabric->core->results.progress.run);
	if (job->unwanted)
		mcfab_run_ask_stop(fabric->core);
	return 0;
}

static const struct mcfab_nl_job_ops mcfab_nl_start_ops = {
	.busy = "a run is being prepared: stop it first",
	.work = mcfab_nl_start_work,
	.finish = mcfab_nl_start_finish,
	.starts = true,
};

/* MCFAB_CMD_RUN_START */
int mcfab_nl_run_start_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct mcfab_nl_fabric *fabric;
	struct mcfab_nl_start *start;
	int ret;

	start = mcfab_nl_job_alloc(sizeof(*start), &mcfab_nl_start_ops, info);
	if (!start)
		return -ENOMEM;
	fabric = mcfab_nl_fabric_lock(info, true);
	if (IS_ERR(fabric)) {
		ret = PTR_ERR(fabric);
		goto free;
	}
	ret = mcfab_nl_run_config(info, fabric, &start->cfg);
	if (!ret)
		return mcfab_nl_job_go(&start->job, fabric, skb,
				       mcfab_nl_start_steps(fabric->core, &start->cfg));
	mcfab_nl_fabric_unlock(fabric);
free:
	mcfab_nl_job_free(&start->job);
	return ret;
}

/* MCFAB_CMD_RUN_GET */
int mcfab_nl_run_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct sk_buff *msg = mcfab_nl_new(GENLMSG_DEFAULT_SIZE);
	int ret;

	if (!msg)
		return -ENOMEM;
	ret = mcfab_nl_run_fill(msg, info->user_ptr[0], info, NULL);
	if (!ret)
		return genlmsg_reply(msg, info);
	nlmsg_free(msg);
	return ret;
}

struct mcfab_nl_run_ctx {
	u32 id;		/* the last fabric shown */
};

int mcfab_nl_run_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct net *net = genl_info_net(genl_info_dump(cb));
	struct mcfab_nl_run_ctx *ctx = (void *)cb->ctx;
	struct mcfab_nl_fabric *fabric;
	int ret = 0;

	NL_ASSERT_DUMP_CTX_FITS(struct mcfab_nl_run_ctx);
	cb->seq = READ_ONCE(mcfab_nl_net(net)->generation);
	while (!ret) {
		fabric = mcfab_nl_fabric_after(net, ctx->id);
		if (IS_ERR_OR_NULL(fabric))
			return PTR_ERR(fabric);
		if (!mcfab_nl_fabric_building(fabric))
			ret = mcfab_nl_run_fill(skb, fabric, genl_info_dump(cb), cb);
		if (!ret)
			ctx->id = fabric->id;
		mcfab_nl_fabric_put(fabric);
	}
	return ret;
}
