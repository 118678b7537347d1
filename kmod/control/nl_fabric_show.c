// SPDX-License-Identifier: GPL-2.0
/* Show fabrics: their options, their size, their state. */
#include "control/nl_job.h"
#include "stats/report.h"
#include "subnet/subnet.h"
#include "updown/updown.h"

static bool mcfab_nl_put_config(struct sk_buff *skb, const struct mcfab_fabric *core)
{
	const struct mcfab_fabric_cfg *cfg = &core->cfg;
	u32 dim;

	for (dim = 0; dim < cfg->ndims; dim++)
		if (nla_put_u32(skb, MCFAB_A_FABRIC_DIMS, cfg->radix[dim]))
			return false;

	return mcfab_nl_put_fields(skb, mcfab_nl_fabric_fields, mcfab_nl_fabric_nfields, cfg) &&
	       mcfab_nl_put_nonzero(skb, MCFAB_A_FABRIC_BUFFER_PACKETS, cfg->buffer_packets) &&
	       !nla_put_u32(skb, MCFAB_A_FABRIC_INJECT, core->view.inject) &&
	       !nla_put_u32(skb, MCFAB_A_FABRIC_CONSUME, core->view.consume) &&
	       !nla_put_uint(skb, MCFAB_A_FABRIC_SEED, cfg->seed) &&
	       !nla_put_s32(skb, MCFAB_A_FABRIC_NICE, cfg->nice) &&
	       !nla_put_u32(skb, MCFAB_A_FABRIC_SHARDS, cfg->shards) &&
	       mcfab_nl_put_host(skb, cfg);
}

static bool mcfab_nl_put_subnet(struct sk_buff *skb, const struct mcfab_fabric *core)
{
	/* pairs with mcfab_fabric_adopt(); a subnet never goes before its fabric */
	const struct mcfab_subnet *sn = smp_load_acquire(&core->subnet);

	if (!sn)
		return !nla_put_u32(skb, MCFAB_A_FABRIC_ADDRESSING, MCFAB_ADDRESSING_MODE_NODES);
	return !(nla_put_u32(skb, MCFAB_A_FABRIC_ADDRESSING, MCFAB_ADDRESSING_MODE_LID) ||
		 nla_put_u32(skb, MCFAB_A_FABRIC_SUBNET_GENERATION,
			     READ_ONCE(sn->generation)) ||
		 (READ_ONCE(sn->edited) &&
		  nla_put_flag(skb, MCFAB_A_FABRIC_TABLES_EDITED)) ||
		 mcfab_nl_put_rules(skb, sn));
}

static bool mcfab_nl_put_routing(struct sk_buff *skb, const struct mcfab_fabric_cfg *cfg)
{
	return !(nla_put_u32(skb, MCFAB_A_FABRIC_ROUTING, cfg->routing) ||
		 (cfg->routing == MCFAB_ROUTING_MODE_UPDOWN &&
		  nla_put_u32(skb, MCFAB_A_FABRIC_ROOT, cfg->root)));
}

static bool mcfab_nl_put_topology(struct sk_buff *skb, const struct mcfab_fabric *core)
{
	const struct mcfab_topo *topo = &core->topo;
	char name[16];
	u32 i;

	if (nla_put_u32(skb, MCFAB_A_FABRIC_NODES, topo->nodes) ||
	    nla_put_u32(skb, MCFAB_A_FABRIC_ROUTERS, topo->routers) ||
	    nla_put_u32(skb, MCFAB_A_FABRIC_PORTS, topo->ports) ||
	    nla_put_u32(skb, MCFAB_A_FABRIC_DEGREE, topo->degree) ||
	    nla_put_u32(skb, MCFAB_A_FABRIC_CHANNELS, core->wired))
		return false;
	for (i = 0; i < topo->ports; i++) {
		topo->ops->port_name(topo, i, name, sizeof(name));
		if (nla_put_string(skb, MCFAB_A_FABRIC_PORT_NAME, name))
			return false;
	}
	return true;
}

/* Progress of a request on which a thread works. */
static bool mcfab_nl_put_building(struct sk_buff *skb, const struct mcfab_nl_fabric *fabric)
{
	u64 done = READ_ONCE(fabric->work.done), total = READ_ONCE(fabric->work.total);

	return !(nla_put_u32(skb, MCFAB_A_FABRIC_STATE, MCFAB_RUN_STATUS_BUILDING) ||
		 (total && (nla_put_uint(skb, MCFAB_A_FABRIC_BUILD_DONE, done) ||
			    nla_put_uint(skb, MCFAB_A_FABRIC_BUILD_TOTAL, total))));
}

static bool mcfab_nl_put_run_state(struct sk_buff *skb, const struct mcfab_nl_fabric *fabric,
				   enum mcfab_run_status state)
{
	if ((READ_ONCE(fabric->job) || READ_ONCE(fabric->claimed)) &&
	    state != MCFAB_RUN_STATUS_RUNNING)
		return mcfab_nl_put_building(skb, fabric);
	return !nla_put_u32(skb, MCFAB_A_FABRIC_STATE, state);
}

static bool mcfab_nl_put_state(struct sk_buff *skb, struct mcfab_nl_fabric *fabric)
{
	struct mcfab_report *report = mcfab_report_get(&fabric->core->results);
	struct mcfab_updown *ud = mcfab_nl_updown(fabric);
	u64 bytes = mcfab_nl_fabric_bytes(fabric);
	struct mcfab_progress at;
	bool fits;

	/* a process that is being killed needs no answer */
	fits = !mcfab_report_progress(report, &at) &&
	       !(nla_put_uint(skb, MCFAB_A_FABRIC_BYTES, bytes) ||
		 !mcfab_nl_put_run_state(skb, fabric, at.state) ||
		 nla_put_u32(skb, MCFAB_A_FABRIC_RUN, at.run) ||
		 (ud && !mcfab_nl_put_down(skb, ud)));
	mcfab_updown_put(ud);
	mcfab_report_put(report);
	return fits;
}

/* What is known of a fabric that is being built. */
static bool mcfab_nl_put_early(struct sk_buff *skb, const struct mcfab_nl_fabric *fabric)
{
	u32 dim;

	for (dim = 0; dim < fabric->ndims; dim++)
		if (nla_put_u32(skb, MCFAB_A_FABRIC_DIMS, fabric->radix[dim]))
			return false;
	return mcfab_nl_put_building(skb, fabric);
}

static bool mcfab_nl_put_all(struct sk_buff *skb, struct mcfab_nl_fabric *fabric)
{
	const struct mcfab_fabric *core = fabric->core;

	return mcfab_nl_put_config(skb, core) &&
	       mcfab_nl_put_topology(skb, core) &&
	       mcfab_nl_put_subnet(skb, core) &&
	       mcfab_nl_put_routing(skb, &core->cfg) &&
	       mcfab_nl_put_state(skb, fabric) &&
	       mcfab_nl_put_cpus(skb, MCFAB_A_FABRIC_CPUS, fabric->cpus);
}

/**
 * mcfab_nl_fabric_fill() - one message about a fabric
 * @skb: message
 * @fabric: the fabric
 * @info: the request that it answers
 * @cb: the dump it is part of, or NULL
 *
 * Context: May sleep.
 * Return: 0, or -EMSGSIZE if it does not fit.
 */
int mcfab_nl_fabric_fill(struct sk_buff *skb, struct mcfab_nl_fabric *fabric,
			 const struct genl_info *info, struct netlink_callback *cb)
{
	void *hdr = mcfab_nl_put(skb, info, cb);

	if (!hdr)
		return -EMSGSIZE;
	if (nla_put_u32(skb, MCFAB_A_FABRIC_ID, fabric->id) ||
	    nla_put_string(skb, MCFAB_A_FABRIC_NAME, fabric->name) ||
	    nla_put_string(skb, MCFAB_A_FABRIC_TOPOLOGY, fabric->topology) ||
	    !(mcfab_nl_fabric_building(fabric) ? mcfab_nl_put_early(skb, fabric) :
						 mcfab_nl_put_all(skb, fabric))) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return 0;
}

/* A message about a fabric with eight dimensions and a long list of CPUs fits. */
static struct sk_buff *mcfab_nl_fabric_msg(struct mcfab_nl_fabric *fabric,
					   const struct genl_info *info)
{
	struct sk_buff *skb = mcfab_nl_new(GENLMSG_DEFAULT_SIZE);
	int ret;

	if (!skb)
		return ERR_PTR(-ENOMEM);
	ret = mcfab_nl_fabric_fill(skb, fabric, info, NULL);
	if (!ret)
		return skb;
	nlmsg_free(skb);
	return ERR_PTR(ret);
}

/* MCFAB_CMD_FABRIC_GET */
int mcfab_nl_fabric_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct mcfab_nl_fabric *fabric = mcfab_nl_fabric_find(info);
	struct sk_buff *msg;

	if (IS_ERR(fabric))
		return PTR_ERR(fabric);
	msg = mcfab_nl_fabric_msg(fabric, info);
	mcfab_nl_fabric_put(fabric);
	return IS_ERR(msg) ? PTR_ERR(msg) : genlmsg_reply(msg, info);
}

struct mcfab_nl_fabric_ctx {
	u32 id;		/* the last fabric shown */
};

int mcfab_nl_fabric_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct net *net = genl_info_net(genl_info_dump(cb));
	struct mcfab_nl_fabric_ctx *ctx = (void *)cb->ctx;
	struct mcfab_nl_fabric *fabric;
	int ret = 0;

	NL_ASSERT_DUMP_CTX_FITS(struct mcfab_nl_fabric_ctx);
	cb->seq = READ_ONCE(mcfab_nl_net(net)->generation);
	while (!ret) {
		fabric = mcfab_nl_fabric_after(net, ctx->id);
		if (IS_ERR_OR_NULL(fabric))
			return PTR_ERR(fabric);
		ret = mcfab_nl_fabric_fill(skb, fabric, genl_info_dump(cb), cb);
		if (!ret)
			ctx->id = fabric->id;
		mcfab_nl_fabric_put(fabric);
	}
	return ret;
}
