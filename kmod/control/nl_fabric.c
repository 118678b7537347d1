// SPDX-License-Identifier: GPL-2.0
/*
 * Fabrics as objects of a network namespace: make, remove, find, show.
 */
#include "control/nl.h"
#include "core/runner.h"
#include "subnet/subnet.h"
#include "updown/updown.h"

/* Every message about a fabric starts with the same two numbers. */
static_assert(MCFAB_A_FABRIC_ID == MCFAB_NL_FABRIC_ID);
static_assert(MCFAB_A_FABRIC_NAME == MCFAB_NL_FABRIC);
static_assert(MCFAB_A_NODE_FABRIC_ID == MCFAB_NL_FABRIC_ID);
static_assert(MCFAB_A_NODE_FABRIC == MCFAB_NL_FABRIC);
static_assert(MCFAB_A_PLAN_FABRIC_ID == MCFAB_NL_FABRIC_ID);
static_assert(MCFAB_A_PLAN_FABRIC == MCFAB_NL_FABRIC);
static_assert(MCFAB_A_UPLOAD_FABRIC_ID == MCFAB_NL_FABRIC_ID);
static_assert(MCFAB_A_UPLOAD_FABRIC == MCFAB_NL_FABRIC);
static_assert(MCFAB_A_RUN_FABRIC_ID == MCFAB_NL_FABRIC_ID);
static_assert(MCFAB_A_RUN_FABRIC == MCFAB_NL_FABRIC);
static_assert(MCFAB_A_STATS_FABRIC_ID == MCFAB_NL_FABRIC_ID);
static_assert(MCFAB_A_STATS_FABRIC == MCFAB_NL_FABRIC);
static_assert(MCFAB_A_DEADLOCK_FABRIC_ID == MCFAB_NL_FABRIC_ID);
static_assert(MCFAB_A_DEADLOCK_FABRIC == MCFAB_NL_FABRIC);

/* The core's words are those of the UAPI. */
static_assert(MCFAB_NAME_MAX + 1 == MCFAB_NAME_LEN);
static_assert((int)MCFAB_STORE_AND_FORWARD == MCFAB_SWITCHING_MODE_STORE_AND_FORWARD);
static_assert((int)MCFAB_REPL_LOCKSTEP == MCFAB_REPLICATION_MODE_LOCKSTEP);
static_assert((int)MCFAB_RELEASE_SENT == MCFAB_VC_RELEASE_MODE_SENT);
static_assert((int)MCFAB_ARB_PACKET == MCFAB_LINK_ARBITRATION_MODE_PACKET);
static_assert((int)MCFAB_PIPELINE_FLIT == MCFAB_PIPELINE_MODE_FLIT);
static_assert((int)MCFAB_ALLOC_SEPARABLE == MCFAB_ALLOCATOR_MODE_SEPARABLE);
static_assert((int)MCFAB_BANDWIDTH_SHARED == MCFAB_NODE_BANDWIDTH_MODE_SHARED);
static_assert((int)MCFAB_RUN_FAILED == MCFAB_RUN_STATUS_FAILED);
static_assert((int)MCFAB_ADDRESS_LID == MCFAB_ADDRESSING_MODE_LID);
static_assert((int)MCFAB_ROUTING_UPDOWN == MCFAB_ROUTING_MODE_UPDOWN);

static void mcfab_nl_fabric_free(struct kref *ref)
{
	struct mcfab_nl_fabric *fabric = container_of(ref, struct mcfab_nl_fabric, ref);
	u32 i;

	if (fabric->core)
		mcfab_fabric_destroy(fabric->core);
	for (i = 0; i < ARRAY_SIZE(fabric->upload); i++)
		mcfab_nl_upload_free(&fabric->upload[i]);
	free_cpumask_var(fabric->cpus);
	mutex_destroy(&fabric->lock);
	kfree(fabric);
}

/**
 * mcfab_nl_fabric_put() - let go of a fabric
 * @fabric: the fabric; may be gone afterwards
 *
 * Context: May sleep; not under any lock of the control plane.
 */
void mcfab_nl_fabric_put(struct mcfab_nl_fabric *fabric)
{
	kref_put(&fabric->ref, mcfab_nl_fabric_free);
}

/**
 * mcfab_nl_find_name() - a fabric by its name
 * @nlnet: the namespace's part
 * @name: NUL-terminated
 *
 * Context: Under the namespace's lock.
 * Return: the fabric, not held, or NULL.
 */
struct mcfab_nl_fabric *mcfab_nl_find_name(struct mcfab_nl_net *nlnet, const char *name)
{
	struct mcfab_nl_fabric *fabric;

	list_for_each_entry(fabric, &nlnet->fabrics, list)
		if (!strcmp(fabric->core->cfg.name, name))
			return fabric;
	return NULL;
}

/* The first fabric with at least this id. */
static struct mcfab_nl_fabric *mcfab_nl_find_id(struct mcfab_nl_net *nlnet, u32 id)
{
	struct mcfab_nl_fabric *fabric;

	list_for_each_entry(fabric, &nlnet->fabrics, list)
		if (fabric->id >= id)
			return fabric;
	return NULL;
}

/**
 * mcfab_nl_fabric_by_id() - a fabric by its number
 * @net: namespace
 * @id: number
 *
 * Context: May sleep.
 * Return: the fabric, held, or NULL.
 */
struct mcfab_nl_fabric *mcfab_nl_fabric_by_id(struct net *net, u32 id)
{
	struct mcfab_nl_net *nlnet = mcfab_nl_net(net);
	struct mcfab_nl_fabric *fabric;

	mutex_lock(&nlnet->lock);
	fabric = mcfab_nl_find_id(nlnet, id);
	if (fabric && fabric->id != id)
		fabric = NULL;
	if (fabric)
		kref_get(&fabric->ref);
	mutex_unlock(&nlnet->lock);
	return fabric;
}

/**
 * mcfab_nl_fabric_get() - the fabric a request is about
 * @info: request, with a number, a name or both
 *
 * Context: May sleep.
 * Return: the fabric, held, or an ERR_PTR with the extack set.
 */
struct mcfab_nl_fabric *mcfab_nl_fabric_get(const struct genl_info *info)
{
	const struct nlattr *id = info->attrs[MCFAB_NL_FABRIC_ID];
	const struct nlattr *name = info->attrs[MCFAB_NL_FABRIC];
	struct mcfab_nl_net *nlnet = mcfab_nl_net(genl_info_net(info));
	struct mcfab_nl_fabric *fabric;
	char buf[MCFAB_NAME_LEN];

	if (!id && !name)
		return ERR_PTR(mcfab_nl_missing(info, MCFAB_NL_FABRIC, "name of the fabric"));
	if (name)
		nla_strscpy(buf, name, sizeof(buf));

	mutex_lock(&nlnet->lock);
	if (id) {
		fabric = mcfab_nl_find_id(nlnet, nla_get_u32(id));
		if (fabric && fabric->id != nla_get_u32(id))
			fabric = NULL;
	} else {
		fabric = mcfab_nl_find_name(nlnet, buf);
	}
	if (!fabric) {
		NL_SET_ERR_MSG_ATTR(info->extack, id ?: name, "no such fabric");
		fabric = ERR_PTR(-ENOENT);
	} else if (name && strcmp(fabric->core->cfg.name, buf)) {
		NL_SET_ERR_MSG_ATTR(info->extack, name,
				    "number and name are of different fabrics");
		fabric = ERR_PTR(-EINVAL);
	} else {
		kref_get(&fabric->ref);
	}
	mutex_unlock(&nlnet->lock);
	return fabric;
}

/**
 * mcfab_nl_fabric_lock() - the fabric a request is about, for a change
 * @info: request
 * @idle: refuse while a run is under way
 *
 * Context: May sleep.
 * Return: the fabric, held and locked, or an ERR_PTR with the extack set.
 */
struct mcfab_nl_fabric *mcfab_nl_fabric_lock(const struct genl_info *info, bool idle)
{
	struct mcfab_nl_fabric *fabric = mcfab_nl_fabric_get(info);
	int ret = 0;

	if (IS_ERR(fabric))
		return fabric;
	mutex_lock(&fabric->lock);
	if (fabric->gone) {
		NL_SET_ERR_MSG(info->extack, "no such fabric");
		ret = -ENOENT;
	} else if (idle && mcfab_run_active(fabric->core)) {
		NL_SET_ERR_MSG(info->extack, "a run is under way: stop it first");
		ret = -EBUSY;
	} else if (idle) {
		/* What has just ended may still be telling so. */
		mcfab_run_stop(fabric->core);
	}
	if (!ret)
		return fabric;
	if (info->attrs[MCFAB_NL_FABRIC])
		NL_SET_BAD_ATTR(info->extack, info->attrs[MCFAB_NL_FABRIC]);
	else
		NL_SET_BAD_ATTR(info->extack, info->attrs[MCFAB_NL_FABRIC_ID]);
	mcfab_nl_fabric_unlock(fabric);
	return ERR_PTR(ret);
}

/**
 * mcfab_nl_fabric_unlock() - unlock and let go of a fabric
 * @fabric: from mcfab_nl_fabric_lock()
 *
 * Context: May sleep.
 */
void mcfab_nl_fabric_unlock(struct mcfab_nl_fabric *fabric)
{
	mutex_unlock(&fabric->lock);
	mcfab_nl_fabric_put(fabric);
}

/**
 * mcfab_nl_fabric_dump() - the fabric whose parts a dump shows
 * @cb: the dump
 * @id: where the dump keeps its number; 0 at first
 *
 * Only the first part goes by what the request says, so that a dump never
 * slips to another fabric of the same name.
 *
 * Context: May sleep.
 * Return: the fabric, held, or an ERR_PTR with the extack set.
 */
struct mcfab_nl_fabric *mcfab_nl_fabric_dump(struct netlink_callback *cb, u32 *id)
{
	const struct genl_info *info = genl_info_dump(cb);
	struct mcfab_nl_fabric *fabric;

	if (!*id) {
		fabric = mcfab_nl_fabric_get(info);
		if (!IS_ERR(fabric))
			*id = fabric->id;
		return fabric;
	}
	fabric = mcfab_nl_fabric_by_id(genl_info_net(info), *id);
	if (!fabric) {
		NL_SET_ERR_MSG(info->extack, "the fabric was removed meanwhile");
		return ERR_PTR(-ENOENT);
	}
	return fabric;
}

/**
 * mcfab_nl_fabric_after() - the fabrics of a namespace one after the other
 * @net: namespace
 * @id: number of the one before, 0 for the first
 *
 * Context: May sleep.
 * Return: the next fabric, held, or NULL.
 */
struct mcfab_nl_fabric *mcfab_nl_fabric_after(struct net *net, u32 id)
{
	struct mcfab_nl_net *nlnet = mcfab_nl_net(net);
	struct mcfab_nl_fabric *fabric;

	mutex_lock(&nlnet->lock);
	fabric = mcfab_nl_find_id(nlnet, id + 1);
	if (fabric)
		kref_get(&fabric->ref);
	mutex_unlock(&nlnet->lock);
	return fabric;
}

static bool mcfab_nl_put_config(struct sk_buff *skb, const struct mcfab_fabric *core)
{
	const struct mcfab_fabric_cfg *cfg = &core->cfg;
	u32 dim;

	for (dim = 0; dim < cfg->ndims; dim++)
		if (nla_put_u32(skb, MCFAB_A_FABRIC_DIMS, cfg->radix[dim]))
			return false;

	return !(nla_put_u32(skb, MCFAB_A_FABRIC_VCS, cfg->vcs) ||
		 nla_put_u32(skb, MCFAB_A_FABRIC_BUFFER, cfg->buffer) ||
		 (cfg->buffer_packets &&
		  nla_put_u32(skb, MCFAB_A_FABRIC_BUFFER_PACKETS, cfg->buffer_packets)) ||
		 nla_put_u32(skb, MCFAB_A_FABRIC_SWITCHING, cfg->switching) ||
		 nla_put_u32(skb, MCFAB_A_FABRIC_REPLICATION, cfg->replication) ||
		 nla_put_u32(skb, MCFAB_A_FABRIC_VC_RELEASE, cfg->vc_release) ||
		 nla_put_u32(skb, MCFAB_A_FABRIC_LINK_ARBITRATION, cfg->link_arbitration) ||
		 nla_put_u32(skb, MCFAB_A_FABRIC_INPUT_SPEEDUP, cfg->input_speedup) ||
		 nla_put_u32(skb, MCFAB_A_FABRIC_INJECT, core->view.inject) ||
		 nla_put_u32(skb, MCFAB_A_FABRIC_CONSUME, core->view.consume) ||
		 nla_put_u32(skb, MCFAB_A_FABRIC_NODE_BANDWIDTH, cfg->node_bandwidth) ||
		 nla_put_u32(skb, MCFAB_A_FABRIC_PIPELINE, cfg->pipeline) ||
		 nla_put_u32(skb, MCFAB_A_FABRIC_ALLOCATOR, cfg->allocator) ||
		 nla_put_u32(skb, MCFAB_A_FABRIC_INJECT_DELAY, cfg->inject_delay) ||
		 nla_put_u32(skb, MCFAB_A_FABRIC_ROUTE_DELAY, cfg->route_delay) ||
		 nla_put_u32(skb, MCFAB_A_FABRIC_LINK_DELAY, cfg->link_delay) ||
		 nla_put_u32(skb, MCFAB_A_FABRIC_CONSUME_DELAY, cfg->consume_delay) ||
		 nla_put_u32(skb, MCFAB_A_FABRIC_CREDIT_DELAY, cfg->credit_delay) ||
		 nla_put_u32(skb, MCFAB_A_FABRIC_STARTUP, cfg->startup) ||
		 nla_put_u32(skb, MCFAB_A_FABRIC_CYCLE_PS, cfg->cycle_ps) ||
		 nla_put_u32(skb, MCFAB_A_FABRIC_STALL_LIMIT, cfg->stall_limit) ||
		 nla_put_uint(skb, MCFAB_A_FABRIC_SEED, cfg->seed) ||
		 nla_put_s32(skb, MCFAB_A_FABRIC_NICE, cfg->nice) ||
		 nla_put_u32(skb, MCFAB_A_FABRIC_SHARDS, cfg->shards) ||
		 !mcfab_nl_put_host(skb, cfg));
}

static bool mcfab_nl_put_subnet(struct sk_buff *skb, const struct mcfab_fabric *core)
{
	/* pairs with mcfab_fabric_adopt(); a subnet that is there stays */
	const struct mcfab_subnet *sn = smp_load_acquire(&core->subnet);

	if (!sn)
		return !nla_put_u32(skb, MCFAB_A_FABRIC_ADDRESSING, MCFAB_ADDRESS_NODES);
	return !(nla_put_u32(skb, MCFAB_A_FABRIC_ADDRESSING, MCFAB_ADDRESS_LID) ||
		 nla_put_u32(skb, MCFAB_A_FABRIC_SUBNET_GENERATION,
			     READ_ONCE(sn->generation)) ||
		 mcfab_nl_put_rules(skb, sn));
}

static bool mcfab_nl_put_routing(struct sk_buff *skb, const struct mcfab_fabric_cfg *cfg)
{
	return !(nla_put_u32(skb, MCFAB_A_FABRIC_ROUTING, cfg->routing) ||
		 (cfg->routing == MCFAB_ROUTING_UPDOWN &&
		  nla_put_u32(skb, MCFAB_A_FABRIC_ROOT, cfg->root)));
}

static bool mcfab_nl_put_topology(struct sk_buff *skb, const struct mcfab_topo *topo)
{
	u32 channels = 0, i;
	char name[16];

	for (i = 0; i < topo->routers * topo->ports; i++)
		if (topo->peer[i] != MCFAB_NONE)
			channels++;
	if (nla_put_u32(skb, MCFAB_A_FABRIC_NODES, topo->nodes) ||
	    nla_put_u32(skb, MCFAB_A_FABRIC_ROUTERS, topo->routers) ||
	    nla_put_u32(skb, MCFAB_A_FABRIC_PORTS, topo->ports) ||
	    nla_put_u32(skb, MCFAB_A_FABRIC_DEGREE, topo->degree) ||
	    nla_put_u32(skb, MCFAB_A_FABRIC_CHANNELS, channels))
		return false;
	for (i = 0; i < topo->ports; i++) {
		topo->ops->port_name(topo, i, name, sizeof(name));
		if (nla_put_string(skb, MCFAB_A_FABRIC_PORT_NAME, name))
			return false;
	}
	return true;
}

static bool mcfab_nl_put_state(struct sk_buff *skb, struct mcfab_fabric *core)
{
	u64 updown;
	bool fits;

	mutex_lock(&core->stats_lock);
	/* a policy may just be adding to it */
	updown = core->updown ? READ_ONCE(core->updown->bytes) : 0;
	fits = !(nla_put_uint(skb, MCFAB_A_FABRIC_BYTES,
			      core->progress.bytes + core->subnet_bytes + updown) ||
		 nla_put_u32(skb, MCFAB_A_FABRIC_STATE, core->progress.state) ||
		 nla_put_u32(skb, MCFAB_A_FABRIC_RUN, core->progress.run) ||
		 (core->updown && !mcfab_nl_put_down(skb, core->updown)));
	mutex_unlock(&core->stats_lock);
	return fits;
}

/**
 * mcfab_nl_fabric_fill() - one message about a fabric
 * @skb: where
 * @fabric: the fabric
 * @info: what it answers
 * @cb: the dump it is part of, or NULL
 *
 * Context: May sleep.
 * Return: 0, or -EMSGSIZE if it does not fit.
 */
int mcfab_nl_fabric_fill(struct sk_buff *skb, struct mcfab_nl_fabric *fabric,
			 const struct genl_info *info, struct netlink_callback *cb)
{
	struct mcfab_fabric *core = fabric->core;
	void *hdr = mcfab_nl_put(skb, info, cb);

	if (!hdr)
		return -EMSGSIZE;
	if (nla_put_u32(skb, MCFAB_A_FABRIC_ID, fabric->id) ||
	    nla_put_string(skb, MCFAB_A_FABRIC_NAME, core->cfg.name) ||
	    nla_put_string(skb, MCFAB_A_FABRIC_TOPOLOGY, core->topo.ops->name) ||
	    !mcfab_nl_put_config(skb, core) ||
	    !mcfab_nl_put_topology(skb, &core->topo) ||
	    !mcfab_nl_put_subnet(skb, core) ||
	    !mcfab_nl_put_routing(skb, &core->cfg) ||
	    !mcfab_nl_put_state(skb, core) ||
	    !mcfab_nl_put_cpus(skb, MCFAB_A_FABRIC_CPUS, fabric->cpus)) {
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
	struct mcfab_nl_fabric *fabric = mcfab_nl_fabric_get(info);
	struct sk_buff *msg;

	if (IS_ERR(fabric))
		return PTR_ERR(fabric);
	msg = mcfab_nl_fabric_msg(fabric, info);
	mcfab_nl_fabric_put(fabric);
	return IS_ERR(msg) ? PTR_ERR(msg) : genlmsg_reply(msg, info);
}

struct mcfab_nl_fabric_ctx {
	u32 id;		/* the last one shown */
};

int mcfab_nl_fabric_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct mcfab_nl_net *nlnet = mcfab_nl_net(genl_info_net(genl_info_dump(cb)));
	struct mcfab_nl_fabric_ctx *ctx = (void *)cb->ctx;
	struct mcfab_nl_fabric *fabric;
	int ret = 0;

	NL_ASSERT_DUMP_CTX_FITS(struct mcfab_nl_fabric_ctx);
	mutex_lock(&nlnet->lock);
	cb->seq = nlnet->generation;
	list_for_each_entry(fabric, &nlnet->fabrics, list) {
		if (fabric->id <= ctx->id)
			continue;
		ret = mcfab_nl_fabric_fill(skb, fabric, genl_info_dump(cb), cb);
		if (ret)
			break;
		ctx->id = fabric->id;
	}
	mutex_unlock(&nlnet->lock);
	return ret;
}

static int mcfab_nl_new_config(struct genl_info *info, struct mcfab_fabric_cfg *cfg)
{
	const struct nlattr *addressing = info->attrs[MCFAB_A_FABRIC_ADDRESSING];
	char topology[MCFAB_NAME_LEN];
	const struct nlattr *pos;
	int rem, ret;

	ret = mcfab_nl_name(info, MCFAB_A_FABRIC_TOPOLOGY, "topology", topology);
	if (ret)
		return ret;
	if (addressing && nla_get_u32(addressing) == MCFAB_ADDRESS_LID)
		mcfab_fabric_defaults_lid(cfg);
	else if (!strcmp(topology, mcfab_irregular_ops.name))
		mcfab_fabric_defaults_irregular(cfg);
	else
		mcfab_fabric_defaults(cfg);
	strscpy(cfg->topology, topology, sizeof(cfg->topology));
	ret = mcfab_nl_name(info, MCFAB_A_FABRIC_NAME, "name of the fabric", cfg->name);
	if (ret)
		return ret;
	if (!info->attrs[MCFAB_A_FABRIC_DIMS] &&
	    strcmp(cfg->topology, mcfab_irregular_ops.name))
		return mcfab_nl_missing(info, MCFAB_A_FABRIC_DIMS, "dims");
	cfg->ndims = 0;
	nlmsg_for_each_attr_type(pos, MCFAB_A_FABRIC_DIMS, info->nlhdr, GENL_HDRLEN, rem) {
		if (cfg->ndims == MCFAB_MAX_DIMS) {
			NL_SET_ERR_MSG_ATTR_FMT(info->extack, pos, "more than %u dimensions",
						MCFAB_MAX_DIMS);
			return -EINVAL;
		}
		cfg->radix[cfg->ndims++] = nla_get_u32(pos);
	}

	mcfab_nl_set_u32(info, MCFAB_A_FABRIC_VCS, &cfg->vcs);
	mcfab_nl_set_u32(info, MCFAB_A_FABRIC_BUFFER, &cfg->buffer);
	if (info->attrs[MCFAB_A_FABRIC_BUFFER])
		cfg->buffer_packets = 0;
	mcfab_nl_set_u32(info, MCFAB_A_FABRIC_BUFFER_PACKETS, &cfg->buffer_packets);
	mcfab_nl_set_u32(info, MCFAB_A_FABRIC_INPUT_SPEEDUP, &cfg->input_speedup);
	mcfab_nl_set_u32(info, MCFAB_A_FABRIC_INJECT, &cfg->inject);
	mcfab_nl_set_u32(info, MCFAB_A_FABRIC_CONSUME, &cfg->consume);
	mcfab_nl_set_u32(info, MCFAB_A_FABRIC_INJECT_DELAY, &cfg->inject_delay);
	mcfab_nl_set_u32(info, MCFAB_A_FABRIC_ROUTE_DELAY, &cfg->route_delay);
	mcfab_nl_set_u32(info, MCFAB_A_FABRIC_LINK_DELAY, &cfg->link_delay);
	mcfab_nl_set_u32(info, MCFAB_A_FABRIC_CONSUME_DELAY, &cfg->consume_delay);
	mcfab_nl_set_u32(info, MCFAB_A_FABRIC_CREDIT_DELAY, &cfg->credit_delay);
	mcfab_nl_set_u32(info, MCFAB_A_FABRIC_STARTUP, &cfg->startup);
	mcfab_nl_set_u32(info, MCFAB_A_FABRIC_CYCLE_PS, &cfg->cycle_ps);
	mcfab_nl_set_u32(info, MCFAB_A_FABRIC_STALL_LIMIT, &cfg->stall_limit);
	if (info->attrs[MCFAB_A_FABRIC_SWITCHING])
		cfg->switching = nla_get_u32(info->attrs[MCFAB_A_FABRIC_SWITCHING]);
	if (info->attrs[MCFAB_A_FABRIC_REPLICATION])
		cfg->replication = nla_get_u32(info->attrs[MCFAB_A_FABRIC_REPLICATION]);
	if (info->attrs[MCFAB_A_FABRIC_VC_RELEASE])
		cfg->vc_release = nla_get_u32(info->attrs[MCFAB_A_FABRIC_VC_RELEASE]);
	if (info->attrs[MCFAB_A_FABRIC_LINK_ARBITRATION])
		cfg->link_arbitration =
			nla_get_u32(info->attrs[MCFAB_A_FABRIC_LINK_ARBITRATION]);
	if (info->attrs[MCFAB_A_FABRIC_PIPELINE])
		cfg->pipeline = nla_get_u32(info->attrs[MCFAB_A_FABRIC_PIPELINE]);
	if (info->attrs[MCFAB_A_FABRIC_NODE_BANDWIDTH])
		cfg->node_bandwidth = nla_get_u32(info->attrs[MCFAB_A_FABRIC_NODE_BANDWIDTH]);
	if (info->attrs[MCFAB_A_FABRIC_ALLOCATOR])
		cfg->allocator = nla_get_u32(info->attrs[MCFAB_A_FABRIC_ALLOCATOR]);
	if (info->attrs[MCFAB_A_FABRIC_ROUTING])
		cfg->routing = nla_get_u32(info->attrs[MCFAB_A_FABRIC_ROUTING]);
	mcfab_nl_set_u32(info, MCFAB_A_FABRIC_ROOT, &cfg->root);
	if (info->attrs[MCFAB_A_FABRIC_SEED])
		cfg->seed = nla_get_uint(info->attrs[MCFAB_A_FABRIC_SEED]);
	if (info->attrs[MCFAB_A_FABRIC_NICE])
		cfg->nice = nla_get_s32(info->attrs[MCFAB_A_FABRIC_NICE]);
	ret = mcfab_nl_get_rules(info, &cfg->rules);
	return ret ?: mcfab_nl_host_config(info, cfg);
}

/* What nobody asked for by name is blamed on what it follows from. */
static void mcfab_nl_new_blame(const struct genl_info *info, struct mcfab_err *err)
{
	if (err->attr != MCFAB_A_FABRIC_ROUTING || info->attrs[MCFAB_A_FABRIC_ROUTING])
		return;
	err->attr = info->attrs[MCFAB_A_FABRIC_SWITCHES] ? MCFAB_A_FABRIC_SWITCHES :
							   MCFAB_A_FABRIC_TOPOLOGY;
}

static int mcfab_nl_new_core(struct genl_info *info, struct mcfab_nl_fabric *fabric,
			     struct mcfab_fabric_cfg *cfg)
{
	struct mcfab_err err = {};
	int ret;

	ret = mcfab_nl_new_cpus(info, fabric->cpus);
	if (ret)
		return ret;
	mcfab_nl_new_shards(cfg, fabric->cpus, info->attrs[MCFAB_A_FABRIC_CPUS]);
	fabric->core = mcfab_fabric_create(cfg, &err);
	if (IS_ERR(fabric->core)) {
		ret = PTR_ERR(fabric->core);
		fabric->core = NULL;
		mcfab_nl_new_blame(info, &err);
		return mcfab_nl_refuse(info, &err, ret);
	}
	fabric->core->owner = fabric;
	fabric->core->finished = mcfab_nl_finished;
	fabric->core->netns = fabric->net->ns.inum;
	return mcfab_runner_set_cpus(fabric->core, fabric->cpus, info->attrs[MCFAB_A_FABRIC_CPUS]);
}

/* Name and number are given together, so that no two fabrics share one. */
static int mcfab_nl_new_add(struct genl_info *info, struct mcfab_nl_fabric *fabric)
{
	struct mcfab_nl_net *nlnet = mcfab_nl_net(fabric->net);
	int ret = 0;

	mutex_lock(&nlnet->lock);
	if (mcfab_nl_find_name(nlnet, fabric->core->cfg.name)) {
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[MCFAB_A_FABRIC_NAME],
				    "a fabric of this name exists");
		ret = -EEXIST;
	} else if (nlnet->last_id >= U32_MAX - 1) {
		NL_SET_ERR_MSG(info->extack, "no number is left for a fabric");
		ret = -ENOSPC;
	} else {
		fabric->id = ++nlnet->last_id;
		fabric->core->id = fabric->id;
		kref_get(&fabric->ref);
		list_add_tail(&fabric->list, &nlnet->fabrics);
		WRITE_ONCE(nlnet->generation, nlnet->generation + 1);
	}
	mutex_unlock(&nlnet->lock);
	return ret;
}

static struct mcfab_nl_fabric *mcfab_nl_fabric_alloc(struct net *net)
{
	struct mcfab_nl_fabric *fabric = kzalloc(sizeof(*fabric), GFP_KERNEL_ACCOUNT);

	if (!fabric)
		return NULL;
	if (!zalloc_cpumask_var(&fabric->cpus, GFP_KERNEL_ACCOUNT)) {
		kfree(fabric);
		return NULL;
	}
	INIT_LIST_HEAD(&fabric->list);
	kref_init(&fabric->ref);
	mutex_init(&fabric->lock);
	fabric->net = net;
	return fabric;
}

/* MCFAB_CMD_FABRIC_NEW */
int mcfab_nl_fabric_new_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct mcfab_nl_net *nlnet = mcfab_nl_net(genl_info_net(info));
	struct mcfab_nl_fabric *fabric;
	struct mcfab_nl_graph *graph;
	struct mcfab_fabric_cfg cfg;
	struct sk_buff *msg;
	bool taken;
	int ret;

	ret = mcfab_nl_new_config(info, &cfg);
	if (ret)
		return ret;
	/* Not worth making it; whether the name is free counts at the end. */
	mutex_lock(&nlnet->lock);
	taken = mcfab_nl_find_name(nlnet, cfg.name);
	mutex_unlock(&nlnet->lock);
	if (taken) {
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[MCFAB_A_FABRIC_NAME],
				    "a fabric of this name exists");
		return -EEXIST;
	}

	graph = mcfab_nl_graph_take(info, &cfg);
	if (IS_ERR(graph))
		return PTR_ERR(graph);
	fabric = mcfab_nl_fabric_alloc(genl_info_net(info));
	if (!fabric) {
		mcfab_nl_graph_put(genl_info_net(info), graph);
		return -ENOMEM;
	}
	ret = mcfab_nl_new_core(info, fabric, &cfg);
	if (ret)
		goto out;
	/* Before it is known to anyone: afterwards it could not be undone. */
	msg = mcfab_nl_new(GENLMSG_DEFAULT_SIZE);
	if (!msg) {
		ret = -ENOMEM;
		goto out;
	}
	ret = mcfab_nl_new_add(info, fabric);
	if (!ret)
		ret = mcfab_nl_fabric_fill(msg, fabric, info, NULL);
	if (ret) {
		nlmsg_free(msg);
		goto out;
	}
	mcfab_nl_notify(fabric, MCFAB_CMD_FABRIC_ADD_NTF);
	ret = genlmsg_reply(msg, info);
	mcfab_nl_graph_free(graph);
	graph = NULL;
out:
	mcfab_nl_graph_put(genl_info_net(info), graph);
	mcfab_nl_fabric_put(fabric);
	return ret;
}

/**
 * mcfab_nl_fabric_end() - take a fabric out of its namespace
 * @nlnet: the namespace's part
 * @fabric: the fabric; a run is stopped
 *
 * Context: May sleep; the namespace goes, so nobody else changes it.
 */
void mcfab_nl_fabric_end(struct mcfab_nl_net *nlnet, struct mcfab_nl_fabric *fabric)
{
	mutex_lock(&fabric->lock);
	mcfab_run_stop(fabric->core);
	fabric->gone = true;
	mutex_unlock(&fabric->lock);
	mutex_lock(&nlnet->lock);
	list_del(&fabric->list);
	mutex_unlock(&nlnet->lock);
	mcfab_nl_fabric_put(fabric);
}

/* MCFAB_CMD_FABRIC_DEL */
int mcfab_nl_fabric_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct mcfab_nl_net *nlnet = mcfab_nl_net(genl_info_net(info));
	struct mcfab_nl_fabric *fabric = mcfab_nl_fabric_lock(info, true);

	if (IS_ERR(fabric))
		return PTR_ERR(fabric);
	fabric->gone = true;
	mutex_unlock(&fabric->lock);

	mutex_lock(&nlnet->lock);
	list_del(&fabric->list);
	WRITE_ONCE(nlnet->generation, nlnet->generation + 1);
	mutex_unlock(&nlnet->lock);
	mcfab_nl_notify(fabric, MCFAB_CMD_FABRIC_DEL_NTF);

	/* The namespace's hold, then ours. */
	mcfab_nl_fabric_put(fabric);
	mcfab_nl_fabric_put(fabric);
	return 0;
}
