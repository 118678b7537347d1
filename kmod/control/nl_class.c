// SPDX-License-Identifier: GPL-2.0
/* Classes of traffic in a run: what is asked for, and what is shown of it. */
#include "control/nl.h"

/* What is said of the run is of a class, where there are classes. */
static int mcfab_nl_class_only(const struct genl_info *info)
{
	u32 i;

	/* attributes of classes that a run may have, too, were there before classes */
	for (i = 0; i < MCFAB_A_RUN_TRAFFIC_CLASS; i++) {
		if (!info->attrs[i] || !mcfab_traffic_class_nl_policy[i].type ||
		    i == MCFAB_A_RUN_WORKLOAD || i == MCFAB_A_RUN_RATE_PPB ||
		    i == MCFAB_A_RUN_SEED)
			continue;
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[i],
				    "with classes of traffic this is said of a class, not of the run");
		return -EINVAL;
	}
	return 0;
}

/* The rate of a class: its own, or its share of the run's. @shares: sum of the shares */
static int mcfab_nl_class_rate(const struct genl_info *info, const struct nlattr *nest,
			       u64 rate, struct mcfab_workload_cfg *cfg, u32 *shares)
{
	const struct nlattr *share = info->attrs[MCFAB_A_RUN_SHARE_PPM];
	bool own = info->attrs[MCFAB_A_RUN_RATE_PPB] || info->attrs[MCFAB_A_RUN_R1_PPB] ||
		   cfg->kind == MCFAB_WORKLOAD_TYPE_FIXED;

	if (!share) {
		if (!rate || own)
			return 0;
		NL_SET_ERR_MSG_ATTR(info->extack, nest, "share is missing, as the run has a rate");
		return -EINVAL;
	}
	if (!rate) {
		NL_SET_ERR_MSG_ATTR(info->extack, share, "there is no rate of the run to share");
		return -EINVAL;
	}
	if (own) {
		NL_SET_ERR_MSG_ATTR(info->extack, share,
				    "share is in place of a rate of the class: leave one of them out");
		return -EINVAL;
	}
	cfg->rate = mul_u64_u32_div(rate, nla_get_u32(share), MCFAB_PPM);
	*shares += nla_get_u32(share);
	return 0;
}

static int mcfab_nl_class_name(const struct genl_info *info, const struct nlattr *nest,
			       struct mcfab_run_cfg *run)
{
	char *name = run->class[run->nclasses].name;
	u32 i;
	int ret;

	if (!info->attrs[MCFAB_A_RUN_CLASS_NAME]) {
		NL_SET_ERR_MSG_ATTR(info->extack, nest, "class-name is missing");
		return -EINVAL;
	}
	ret = mcfab_nl_name(info, MCFAB_A_RUN_CLASS_NAME, "class", name);
	for (i = 0; i < run->nclasses && !ret; i++) {
		if (strcmp(run->class[i].name, name))
			continue;
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, info->attrs[MCFAB_A_RUN_CLASS_NAME],
					"there are two classes %s", name);
		ret = -EEXIST;
	}
	return ret;
}

static int mcfab_nl_run_class(const struct genl_info *info, const struct nlattr *nest,
			      struct mcfab_nl_fabric *fabric, struct mcfab_run_cfg *run,
			      u32 *shares)
{
	struct nlattr *tb[MCFAB_A_RUN_MAX + 1];
	struct mcfab_workload_cfg *cfg;
	struct genl_info sub = *info;
	u64 rate = 0;
	int ret;

	if (run->nclasses == MCFAB_MAX_TRAFFIC_CLASSES) {
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, nest, "more than %u classes",
					MCFAB_MAX_TRAFFIC_CLASSES);
		return -EINVAL;
	}
	ret = nla_parse_nested(tb, MCFAB_A_RUN_MAX, nest, mcfab_traffic_class_nl_policy,
			       info->extack);
	if (ret)
		return ret;
	sub.attrs = tb;
	if (info->attrs[MCFAB_A_RUN_RATE_PPB])
		rate = nla_get_uint(info->attrs[MCFAB_A_RUN_RATE_PPB]);
	cfg = &run->class[run->nclasses].workload;
	*cfg = run->workload;
	mcfab_nl_set_u32(&sub, MCFAB_A_RUN_WORKLOAD, &cfg->kind);
	ret = mcfab_nl_class_name(&sub, nest, run) ?:
	      mcfab_nl_take_workload(&sub, nest, fabric, cfg) ?:
	      mcfab_nl_class_rate(&sub, nest, rate, cfg, shares);
	run->nclasses++;
	return ret;
}

/**
 * mcfab_nl_run_classes() - the classes of traffic in a request for a run
 * @info: the request
 * @fabric: the fabric
 * @run: its workload has a kind, and is as by default otherwise; its classes are filled in
 *
 * Context: Any, under the fabric's lock.
 * Return: 0, -EINVAL or -EEXIST.
 */
int mcfab_nl_run_classes(const struct genl_info *info, struct mcfab_nl_fabric *fabric,
			 struct mcfab_run_cfg *run)
{
	const struct nlattr *pos;
	u32 shares = 0;
	int rem, ret;

	if (!info->attrs[MCFAB_A_RUN_TRAFFIC_CLASS])
		return 0;
	ret = mcfab_nl_class_only(info);
	if (ret)
		return ret;
	nlmsg_for_each_attr_type(pos, MCFAB_A_RUN_TRAFFIC_CLASS, info->nlhdr, GENL_HDRLEN, rem) {
		ret = mcfab_nl_run_class(info, pos, fabric, run, &shares);
		if (ret)
			return ret;
	}
	run->counted = run->nclasses;
	if (!shares || shares == MCFAB_PPM)
		return 0;
	NL_SET_ERR_MSG_ATTR_FMT(info->extack, info->attrs[MCFAB_A_RUN_TRAFFIC_CLASS],
				"the shares of the classes add up to %u.%06u, not 1",
				shares / MCFAB_PPM, shares % MCFAB_PPM);
	return -EINVAL;
}

/**
 * mcfab_nl_put_traffic() - show all traffic of a run
 * @skb: where
 * @run: the run
 *
 * Context: Any.
 * Return: false if it does not fit.
 */
bool mcfab_nl_put_traffic(struct sk_buff *skb, const struct mcfab_run_cfg *run)
{
	const struct mcfab_workload_cfg *w = &run->workload;
	struct nlattr *nest;
	u32 i;

	if (!run->nclasses)
		return mcfab_nl_put_workload(skb, w);
	if (nla_put_u32(skb, MCFAB_A_RUN_WORKLOAD, w->kind) ||
	    (w->seeded && nla_put_uint(skb, MCFAB_A_RUN_SEED, w->seed)))
		return false;
	for (i = 0; i < run->nclasses; i++) {
		nest = nla_nest_start(skb, MCFAB_A_RUN_TRAFFIC_CLASS);
		if (!nest ||
		    nla_put_string(skb, MCFAB_A_RUN_CLASS_NAME, run->class[i].name) ||
		    !mcfab_nl_put_workload(skb, &run->class[i].workload))
			return false;
		nla_nest_end(skb, nest);
	}
	return true;
}
