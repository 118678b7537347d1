// SPDX-License-Identifier: GPL-2.0
/* Network devices on nodes (netdev/): they find fabrics by name. */
#include "control/nl.h"
#include "netdev/ports.h"

/* Under RTNL, so nobody may ask for RTNL under the lock of a namespace's fabrics. */
static struct mcfab_fabric *mcfab_nl_ports_get(struct net *net, const char *name,
					       struct netlink_ext_ack *extack)
{
	struct mcfab_nl_net *nlnet = mcfab_nl_net(net);
	struct mcfab_nl_fabric *fabric;
	int ret = 0;

	if (mutex_lock_killable(&nlnet->lock))
		return ERR_PTR(-EINTR);
	fabric = mcfab_nl_find_name(nlnet, name);
	if (!fabric) {
		NL_SET_ERR_MSG_FMT(extack, "there is no fabric %s", name);
		ret = -ENODEV;
	} else if (mcfab_nl_fabric_building(fabric)) {
		NL_SET_ERR_MSG_FMT(extack, "fabric %s is being built", name);
		ret = -EBUSY;
	} else {
		kref_get(&fabric->ref);
	}
	mutex_unlock(&nlnet->lock);
	return ret ? ERR_PTR(ret) : fabric->core;
}

static void mcfab_nl_ports_put(struct mcfab_fabric *core)
{
	mcfab_nl_fabric_put(core->owner);
}

const struct mcfab_ports_ops mcfab_nl_ports_ops = {
	.get = mcfab_nl_ports_get,
	.put = mcfab_nl_ports_put,
};

/**
 * mcfab_nl_run_ports() - the rest of a run whose messages come from ports
 * @info: the request
 * @cfg: the run, otherwise as the user wrote it; filled in
 *
 * Such a run ends when it is stopped, if the user has not set another end. Its longest message is
 * the longest frame of a port, if the user has not said otherwise (mcfab_ports_prepare()).
 *
 * Context: Any.
 */
void mcfab_nl_run_ports(const struct genl_info *info, struct mcfab_run_cfg *cfg)
{
	if (!info->attrs[MCFAB_A_RUN_FLITS])
		cfg->flits = 0;
	if (!info->attrs[MCFAB_A_RUN_MAX_CYCLES])
		cfg->max_cycles = U64_MAX;
	if (info->attrs[MCFAB_A_RUN_PACE_PPM])
		cfg->pace_ppm = nla_get_uint(info->attrs[MCFAB_A_RUN_PACE_PPM]);
	mcfab_nl_set_u32(info, MCFAB_A_RUN_LOG, &cfg->log);
	mcfab_nl_set_u32(info, MCFAB_A_RUN_RX_LIMIT, &cfg->rx_limit);
	if (info->attrs[MCFAB_A_RUN_SLIP_LIMIT_NS])
		cfg->slip_limit_ns = nla_get_uint(info->attrs[MCFAB_A_RUN_SLIP_LIMIT_NS]);
	mcfab_nl_set_u32(info, MCFAB_A_RUN_FRAMES_MB, &cfg->frames_mb);
}

/**
 * mcfab_nl_put_run_ports() - show the part of a run that concerns ports
 * @skb: message
 * @cfg: the run
 *
 * Context: Any.
 * Return: false without room.
 */
bool mcfab_nl_put_run_ports(struct sk_buff *skb, const struct mcfab_run_cfg *cfg)
{
	if (cfg->workload.kind != MCFAB_WORKLOAD_TYPE_PORTS)
		return true;
	return !((cfg->pace_ppm && (nla_put_uint(skb, MCFAB_A_RUN_PACE_PPM, cfg->pace_ppm) ||
				    nla_put_uint(skb, MCFAB_A_RUN_SLIP_LIMIT_NS,
						 cfg->slip_limit_ns))) ||
		 (cfg->log && nla_put_u32(skb, MCFAB_A_RUN_LOG, cfg->log)) ||
		 (cfg->rx_limit && nla_put_u32(skb, MCFAB_A_RUN_RX_LIMIT, cfg->rx_limit)) ||
		 nla_put_u32(skb, MCFAB_A_RUN_FRAMES_MB, cfg->frames_mb));
}
