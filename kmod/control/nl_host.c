// SPDX-License-Identifier: GPL-2.0
/*
 * Nodes with hosts and network interfaces: their part of a fabric's configuration.
 */
#include "control/nl.h"
#include "base/memory.h"
#include "plan/predict_host.h"

/* Attributes without an effect are refused, so that no user relies on them. */
static int mcfab_nl_host_unused(const struct genl_info *info)
{
	static const struct {
		int attr;
		const char *name;
	} unused[] = {
		{ MCFAB_A_FABRIC_HOST_RECEIVE, "host-receive" },
		{ MCFAB_A_FABRIC_NI_SEND, "ni-send" },
		{ MCFAB_A_FABRIC_NI_RECEIVE, "ni-receive" },
		{ MCFAB_A_FABRIC_NI_RATIO, "ni-ratio" },
		{ MCFAB_A_FABRIC_IO_BUS, "io-bus" },
		{ MCFAB_A_FABRIC_NI_MEMORY, "ni-memory" },
		{ MCFAB_A_FABRIC_HOST_OVERHEAD, "host-overhead" },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(unused); i++) {
		if (!info->attrs[unused[i].attr])
			continue;
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, info->attrs[unused[i].attr],
					"%s means something with node-model host only",
					unused[i].name);
		return -EINVAL;
	}
	return 0;
}

/**
 * mcfab_nl_host_config() - options for hosts and network interfaces in a request
 * @info: the request
 * @cfg: defaults, changed where the request has an option
 *
 * Context: May sleep.
 * Return: 0, or -EINVAL if two attributes contradict each other, or have no effect.
 */
int mcfab_nl_host_config(const struct genl_info *info, struct mcfab_fabric_cfg *cfg)
{
	if (info->attrs[MCFAB_A_FABRIC_NI_RATIO] && info->attrs[MCFAB_A_FABRIC_NI_SEND]) {
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[MCFAB_A_FABRIC_NI_RATIO],
				    "ni-ratio and ni-send say the same: give one of them");
		return -EINVAL;
	}
	if (info->attrs[MCFAB_A_FABRIC_NODE_MODEL])
		cfg->node_model = nla_get_u32(info->attrs[MCFAB_A_FABRIC_NODE_MODEL]);
	if (info->attrs[MCFAB_A_FABRIC_HOST_OVERHEAD])
		cfg->host_overhead = nla_get_u32(info->attrs[MCFAB_A_FABRIC_HOST_OVERHEAD]);
	mcfab_nl_set_u32(info, MCFAB_A_FABRIC_HOST_RECEIVE, &cfg->host_receive);
	mcfab_nl_set_u32(info, MCFAB_A_FABRIC_NI_SEND, &cfg->ni_send);
	mcfab_nl_set_u32(info, MCFAB_A_FABRIC_NI_RECEIVE, &cfg->ni_receive);
	mcfab_nl_set_u32(info, MCFAB_A_FABRIC_NI_RATIO, &cfg->ni_ratio);
	mcfab_nl_set_u32(info, MCFAB_A_FABRIC_IO_BUS, &cfg->io_bus);
	mcfab_nl_set_u32(info, MCFAB_A_FABRIC_NI_MEMORY, &cfg->ni_memory);
	return cfg->node_model == MCFAB_NODE_MODEL_MODE_HOST ? 0 : mcfab_nl_host_unused(info);
}

/**
 * mcfab_nl_put_host() - show hosts and network interfaces of a fabric
 * @skb: message
 * @cfg: the fabric's configuration
 *
 * Context: Any.
 * Return: false if it does not fit.
 */
bool mcfab_nl_put_host(struct sk_buff *skb, const struct mcfab_fabric_cfg *cfg)
{
	if (nla_put_u32(skb, MCFAB_A_FABRIC_NODE_MODEL, cfg->node_model))
		return false;
	if (cfg->node_model != MCFAB_NODE_MODEL_MODE_HOST)
		return true;
	return !(nla_put_u32(skb, MCFAB_A_FABRIC_HOST_RECEIVE, cfg->host_receive) ||
		 nla_put_u32(skb, MCFAB_A_FABRIC_NI_SEND, cfg->ni_send) ||
		 nla_put_u32(skb, MCFAB_A_FABRIC_NI_RECEIVE, cfg->ni_receive) ||
		 nla_put_u32(skb, MCFAB_A_FABRIC_IO_BUS, cfg->io_bus) ||
		 nla_put_u32(skb, MCFAB_A_FABRIC_NI_MEMORY, cfg->ni_memory) ||
		 nla_put_u32(skb, MCFAB_A_FABRIC_HOST_OVERHEAD, cfg->host_overhead));
}

/**
 * mcfab_nl_host_predict() - prediction of a plan on nodes with hosts
 * @walk: a walk that was set up for the plan
 * @timing: delays
 * @mtu: longest packet of a message of @timing->flits, or 0
 * @cfg: the fabric's configuration
 * @out: filled in; its arrays but @out->hops and @out->links are the caller's
 *
 * Context: May sleep.
 * Return: 0, -ENOMEM, or a negative error as of mcfab_walk_predict().
 */
int mcfab_nl_host_predict(struct mcfab_walk *walk, const struct mcfab_timing *timing, u32 mtu,
			  const struct mcfab_fabric_cfg *cfg, struct mcfab_prediction *out)
{
	const struct mcfab_plan *plan = walk->plan;
	struct mcfab_host_timing host;
	int ret = -ENOMEM;
	u64 *starts;

	mcfab_host_timing_init(&host, cfg, walk->pol, timing->flits, mtu);
	starts = mcfab_memory_alloc(1, mcfab_host_predict_bytes(plan->nworms, host.packets));
	out->hops = mcfab_memory_alloc(plan->ndst, sizeof(*out->hops));
	out->links = mcfab_memory_alloc(plan->ndst, sizeof(*out->links));
	if (starts && out->hops && out->links)
		ret = mcfab_host_predict(walk, timing, &host, out, starts);
	mcfab_memory_free(out->links);
	out->links = NULL;
	mcfab_memory_free(out->hops);
	out->hops = NULL;
	mcfab_memory_free(starts);
	return ret;
}
