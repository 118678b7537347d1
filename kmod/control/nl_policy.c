// SPDX-License-Identifier: GPL-2.0
/* Show all topologies, and the policies that are loaded. */
#include "control/nl_job.h"

/* A policy with MCFAB_MAX_PARAMS parameters and wordy help. */
#define MCFAB_NL_POLICY_SIZE	8192
static_assert(MCFAB_NL_POLICY_SIZE <= MCFAB_NL_EVENT_SIZE);

#define MCFAB_NL_SERVES	(MCFAB_SERVES_MESH | MCFAB_SERVES_TORUS | MCFAB_SERVES_STAR | \
			 MCFAB_SERVES_IRREGULAR)

static int mcfab_nl_put_param(struct sk_buff *skb, const struct mcfab_param *param)
{
	const char *const *choice = param->choices;
	struct nlattr *nest = nla_nest_start(skb, MCFAB_A_POLICY_PARAM);

	/* A nest that does not fit is cancelled with the whole message. */
	if (!nest ||
	    nla_put_string(skb, MCFAB_A_PARAM_INFO_NAME, param->name) ||
	    nla_put_string(skb, MCFAB_A_PARAM_INFO_HELP, param->help ?: "") ||
	    nla_put_u32(skb, MCFAB_A_PARAM_INFO_KIND, param->type) ||
	    nla_put_u32(skb, MCFAB_A_PARAM_INFO_DEFAULT, param->def))
		return -EMSGSIZE;
	if ((param->type == MCFAB_PARAM_KIND_U32 || param->type == MCFAB_PARAM_KIND_DECIMAL) &&
	    (nla_put_u32(skb, MCFAB_A_PARAM_INFO_MINIMUM, param->min) ||
	     nla_put_u32(skb, MCFAB_A_PARAM_INFO_MAXIMUM, param->max)))
		return -EMSGSIZE;
	if (param->type == MCFAB_PARAM_KIND_CHOICE)
		for (; *choice; choice++)
			if (nla_put_string(skb, MCFAB_A_PARAM_INFO_CHOICE, *choice))
				return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int mcfab_nl_policy_fill(struct sk_buff *skb, const struct mcfab_policy_ops *ops,
				const struct genl_info *info, struct netlink_callback *cb)
{
	void *hdr = mcfab_nl_put(skb, info, cb);
	u32 i;

	if (!hdr)
		return -EMSGSIZE;
	if (nla_put_string(skb, MCFAB_A_POLICY_NAME, ops->name) ||
	    nla_put_string(skb, MCFAB_A_POLICY_TITLE, ops->title) ||
	    nla_put_u32(skb, MCFAB_A_POLICY_SERVES, ops->flags & MCFAB_NL_SERVES) ||
	    nla_put_u32(skb, MCFAB_A_POLICY_PREP, ops->prep))
		goto too_long;
	for (i = 0; i < ops->nparams; i++)
		if (mcfab_nl_put_param(skb, &ops->params[i]))
			goto too_long;
	genlmsg_end(skb, hdr);
	return 0;

too_long:
	genlmsg_cancel(skb, hdr);
	return -EMSGSIZE;
}

/**
 * mcfab_nl_load_policy() - load the module of the policy that a request names
 * @info: request
 * @attr: number of the attribute with the name
 *
 * A missing name, or one of no policy, is refused when the policy is looked up.
 *
 * Context: May sleep for long; before any look-up, and with no lock held.
 */
void mcfab_nl_load_policy(const struct genl_info *info, int attr)
{
	char name[MCFAB_NAME_LEN];

	if (!info->attrs[attr])
		return;
	nla_strscpy(name, info->attrs[attr], sizeof(name));
	mcfab_policy_load(name);
}

/**
 * struct mcfab_nl_ask - a policy to be shown
 * @job: the request
 * @name: its name
 */
struct mcfab_nl_ask {
	struct mcfab_nl_job job;
	char name[MCFAB_NAME_LEN];
};

/* Only a thread loads a module: it holds no lock of generic netlink. */
static int mcfab_nl_ask_work(struct mcfab_nl_job *job)
{
	if (job->deferred)
		mcfab_policy_load(container_of(job, struct mcfab_nl_ask, job)->name);
	return 0;
}

static int mcfab_nl_ask_finish(struct mcfab_nl_job *job, int ret)
{
	const struct mcfab_policy_ops *ops;

	if (ret)
		return ret;
	ops = mcfab_policy_get(container_of(job, struct mcfab_nl_ask, job)->name);
	if (!ops) {
		NL_SET_ERR_MSG_ATTR(job->info->extack, job->info->attrs[MCFAB_A_POLICY_NAME],
				    "no such policy, or its module is not loaded");
		return -ENOENT;
	}
	ret = mcfab_nl_policy_fill(job->msg, ops, job->info, NULL);
	mcfab_policy_put(ops);
	return ret;
}

static const struct mcfab_nl_job_ops mcfab_nl_ask_ops = {
	.work = mcfab_nl_ask_work,
	.finish = mcfab_nl_ask_finish,
};

/* MCFAB_CMD_POLICY_GET */
int mcfab_nl_policy_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct mcfab_nl_ask *ask = mcfab_nl_job_alloc(sizeof(*ask), &mcfab_nl_ask_ops, info);
	int ret;

	if (!ask)
		return -ENOMEM;
	ret = mcfab_nl_name(info, MCFAB_A_POLICY_NAME, "name of the policy", ask->name);
	if (!ret)
		/* the time to load a module is not known */
		return mcfab_nl_job_go(&ask->job, NULL, skb,
				       mcfab_policy_wants_load(ask->name) ? U64_MAX : 0);
	mcfab_nl_job_free(&ask->job);
	return ret;
}

struct mcfab_nl_policy_ctx {
	char after[MCFAB_NAME_LEN];	/* the last policy shown */
};

int mcfab_nl_policy_get_start(struct netlink_callback *cb)
{
	/* Else a policy with many parameters might never fit. */
	cb->min_dump_alloc = MCFAB_NL_POLICY_SIZE;
	return 0;
}

int mcfab_nl_policy_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct mcfab_nl_policy_ctx *ctx = (void *)cb->ctx;
	const struct mcfab_policy_ops *ops;
	int ret = 0;

	NL_ASSERT_DUMP_CTX_FITS(struct mcfab_nl_policy_ctx);
	while (!ret) {
		ops = mcfab_policy_next(ctx->after);
		if (!ops)
			break;
		ret = mcfab_nl_policy_fill(skb, ops, genl_info_dump(cb), cb);
		if (!ret)
			strscpy(ctx->after, ops->name, sizeof(ctx->after));
		mcfab_policy_put(ops);
	}
	return ret;
}

struct mcfab_nl_topology_ctx {
	u32 index;	/* the next topology */
};

/* MCFAB_CMD_TOPOLOGY_GET */
int mcfab_nl_topology_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct mcfab_nl_topology_ctx *ctx = (void *)cb->ctx;
	const struct mcfab_topo_ops *ops;
	void *hdr;

	NL_ASSERT_DUMP_CTX_FITS(struct mcfab_nl_topology_ctx);
	while ((ops = mcfab_topo_at(ctx->index))) {
		hdr = mcfab_nl_put(skb, genl_info_dump(cb), cb);
		if (!hdr)
			return -EMSGSIZE;
		if (nla_put_string(skb, MCFAB_A_TOPOLOGY_NAME, ops->name) ||
		    nla_put_string(skb, MCFAB_A_TOPOLOGY_TITLE, ops->title)) {
			genlmsg_cancel(skb, hdr);
			return -EMSGSIZE;
		}
		genlmsg_end(skb, hdr);
		ctx->index++;
	}
	return 0;
}
