// SPDX-License-Identifier: GPL-2.0
/*
 * Fabrics as objects of a network namespace: find, show, remove; nl_fabric_new.c makes them.
 */
#include "control/nl_job.h"
#include "base/memory.h"
#include "stats/report.h"
#include "fabric/runner.h"
#include "base/thread.h"
#include "subnet/subnet.h"
#include "updown/updown.h"

/* Every message about a fabric starts with the same two numbers. */
#define MCFAB_NL_STARTS(set)						\
	static_assert((MCFAB_A_##set##_FABRIC_ID) == MCFAB_NL_FABRIC_ID &&	\
		      (MCFAB_A_##set##_FABRIC) == MCFAB_NL_FABRIC)

static_assert(MCFAB_A_FABRIC_ID == MCFAB_NL_FABRIC_ID);
static_assert(MCFAB_A_FABRIC_NAME == MCFAB_NL_FABRIC);
MCFAB_NL_STARTS(BATCH);
MCFAB_NL_STARTS(BUCKET);
MCFAB_NL_STARTS(DEADLOCK);
MCFAB_NL_STARTS(FAULT);
MCFAB_NL_STARTS(GRAPH);
MCFAB_NL_STARTS(GROUP);
MCFAB_NL_STARTS(LINK);
MCFAB_NL_STARTS(NODE);
MCFAB_NL_STARTS(NODE_LOAD);
MCFAB_NL_STARTS(PLAN);
MCFAB_NL_STARTS(ROUTE);
MCFAB_NL_STARTS(RUN);
MCFAB_NL_STARTS(STATS);
MCFAB_NL_STARTS(TABLE);
MCFAB_NL_STARTS(UPLOAD);

/* What is charged for the fabric here; the core knows the rest. */
static u64 mcfab_nl_bytes(const struct mcfab_nl_fabric *fabric)
{
	u64 bytes = mcfab_memory_size(fabric) + atomic64_read(&fabric->plan_bytes);
	u32 i;

	for (i = 0; i < ARRAY_SIZE(fabric->upload); i++)
		bytes += READ_ONCE(fabric->upload[i].bytes);
	return bytes;
}

/**
 * mcfab_nl_fabric_destroy() - free all of a fabric
 * @fabric: the fabric, which nobody holds
 *
 * Context: May sleep.
 */
void mcfab_nl_fabric_destroy(struct mcfab_nl_fabric *fabric)
{
	u32 i;

	if (fabric->core)
		mcfab_fabric_destroy(fabric->core);
	for (i = 0; i < ARRAY_SIZE(fabric->upload); i++)
		mcfab_nl_upload_free(&fabric->upload[i]);
	free_cpumask_var(fabric->cpus);
	mutex_destroy(&fabric->lock);
	mcfab_memory_free(fabric);
}

static void mcfab_nl_fabric_release(struct kref *ref)
{
	struct mcfab_nl_fabric *fabric = container_of(ref, struct mcfab_nl_fabric, ref);
	u64 bytes = mcfab_nl_bytes(fabric);

	if (fabric->core) {
		spin_lock(&fabric->core->part_lock);
		bytes += mcfab_fabric_bytes(fabric->core);
		spin_unlock(&fabric->core->part_lock);
	}
	mcfab_nl_free(fabric, bytes);
}

/**
 * mcfab_nl_fabric_put() - let go of a fabric
 * @fabric: the fabric; may be gone afterwards
 *
 * Context: May sleep; not under any lock of the control plane.
 */
void mcfab_nl_fabric_put(struct mcfab_nl_fabric *fabric)
{
	kref_put(&fabric->ref, mcfab_nl_fabric_release);
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
	unsigned long id;

	xa_for_each(&nlnet->fabrics, id, fabric)
		if (!strcmp(fabric->name, name))
			return fabric;
	return NULL;
}

/**
 * mcfab_nl_fabric_building() - is a fabric still being built?
 * @fabric: the fabric
 *
 * Context: Any.
 * Return: whether its @core is not there yet.
 */
bool mcfab_nl_fabric_building(const struct mcfab_nl_fabric *fabric)
{
	/* pairs with mcfab_nl_new_finish() */
	return !smp_load_acquire(&fabric->core);
}

/**
 * mcfab_nl_fabric_by_id() - a fabric by its number
 * @net: namespace
 * @id: number
 *
 * Context: May sleep.
 * Return: the fabric, held, NULL, or ERR_PTR(-EINTR) if the process is being killed.
 */
struct mcfab_nl_fabric *mcfab_nl_fabric_by_id(struct net *net, u32 id)
{
	struct mcfab_nl_net *nlnet = mcfab_nl_net(net);
	struct mcfab_nl_fabric *fabric;

	if (mutex_lock_killable(&nlnet->lock))
		return ERR_PTR(-EINTR);
	fabric = xa_load(&nlnet->fabrics, id);
	if (fabric && mcfab_nl_fabric_building(fabric))
		fabric = NULL;
	if (fabric)
		kref_get(&fabric->ref);
	mutex_unlock(&nlnet->lock);
	return fabric;
}

/* The fabric a request is about, held, even if it is still being built. */
static struct mcfab_nl_fabric *mcfab_nl_fabric_find(const struct genl_info *info)
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

	if (mutex_lock_killable(&nlnet->lock))
		return ERR_PTR(-EINTR);
	fabric = id ? xa_load(&nlnet->fabrics, nla_get_u32(id)) : mcfab_nl_find_name(nlnet, buf);
	if (!fabric) {
		NL_SET_ERR_MSG_ATTR(info->extack, id ?: name, "no such fabric");
		fabric = ERR_PTR(-ENOENT);
	} else if (name && strcmp(fabric->name, buf)) {
		NL_SET_ERR_MSG_ATTR(info->extack, name,
				    "number and name are of different fabrics");
		fabric = ERR_PTR(-EINVAL);
	} else {
		kref_get(&fabric->ref);
	}
	mutex_unlock(&nlnet->lock);
	return fabric;
}

/* Blame the name of the fabric, or its number. */
static void mcfab_nl_blame_fabric(const struct genl_info *info)
{
	NL_SET_BAD_ATTR(info->extack, info->attrs[MCFAB_NL_FABRIC] ?:
				      info->attrs[MCFAB_NL_FABRIC_ID]);
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
	struct mcfab_nl_fabric *fabric = mcfab_nl_fabric_find(info);

	if (IS_ERR(fabric) || !mcfab_nl_fabric_building(fabric))
		return fabric;
	NL_SET_ERR_MSG(info->extack, "the fabric is being built");
	mcfab_nl_blame_fabric(info);
	mcfab_nl_fabric_put(fabric);
	return ERR_PTR(-EBUSY);
}

/**
 * mcfab_nl_fabric_busy() - refuse a change while a thread works on another one, or a claim
 * @info: request
 * @fabric: the fabric, locked
 *
 * Context: Any.
 * Return: 0, or -EBUSY with the extack set.
 */
int mcfab_nl_fabric_busy(const struct genl_info *info, const struct mcfab_nl_fabric *fabric)
{
	/* pairs with mcfab_nl_unclaim(): a claim may end any time, but none begins now */
	const char *why = smp_load_acquire(&fabric->claimed);

	if (fabric->job)
		why = fabric->job->ops->busy;
	if (!why)
		return 0;
	NL_SET_ERR_MSG_FMT(info->extack, "%s", why);
	mcfab_nl_blame_fabric(info);
	return -EBUSY;
}

/**
 * mcfab_nl_fabric_idle() - refuse what cannot be while a run is under way
 * @info: request
 * @fabric: the fabric, locked or claimed
 *
 * Context: Any.
 * Return: 0, or -EBUSY with the extack set.
 */
int mcfab_nl_fabric_idle(const struct genl_info *info, const struct mcfab_nl_fabric *fabric)
{
	if (!mcfab_run_active(fabric->core))
		return 0;
	NL_SET_ERR_MSG(info->extack, "a run is under way: stop it first");
	mcfab_nl_blame_fabric(info);
	return -EBUSY;
}

/* Lock a fabric that was found, unless it is not there any more. */
static struct mcfab_nl_fabric *mcfab_nl_fabric_lock_it(const struct genl_info *info,
						       struct mcfab_nl_fabric *fabric)
{
	if (IS_ERR(fabric))
		return fabric;
	if (mutex_lock_killable(&fabric->lock)) {
		mcfab_nl_fabric_put(fabric);
		return ERR_PTR(-EINTR);
	}
	if (!fabric->gone)
		return fabric;
	NL_SET_ERR_MSG(info->extack, "no such fabric");
	mcfab_nl_blame_fabric(info);
	mcfab_nl_fabric_unlock(fabric);
	return ERR_PTR(-ENOENT);
}

/**
 * mcfab_nl_fabric_look() - the fabric a request is about, locked, whoever works on it
 * @info: request; does not disturb a request that a thread works on
 *
 * Context: May sleep.
 * Return: the fabric, held and locked, or an ERR_PTR with the extack set.
 */
struct mcfab_nl_fabric *mcfab_nl_fabric_look(const struct genl_info *info)
{
	return mcfab_nl_fabric_lock_it(info, mcfab_nl_fabric_get(info));
}

/**
 * mcfab_nl_fabric_lock() - the fabric a request is about, for a change
 * @info: request
 * @idle: refuse while a run is under way
 *
 * Context: May sleep.
 * Return: the fabric, held and locked, or an ERR_PTR with the extack set: -EBUSY while a
 *	   thread works on another request or a process has claimed it.
 */
struct mcfab_nl_fabric *mcfab_nl_fabric_lock(const struct genl_info *info, bool idle)
{
	struct mcfab_nl_fabric *fabric = mcfab_nl_fabric_get(info);
	int ret;

	if (IS_ERR(fabric))
		return fabric;
	mcfab_nl_claim_wait(fabric);
	fabric = mcfab_nl_fabric_lock_it(info, fabric);
	if (IS_ERR(fabric))
		return fabric;
	ret = mcfab_nl_fabric_busy(info, fabric);
	if (!ret && idle)
		ret = mcfab_nl_fabric_idle(info, fabric);
	if (ret) {
		mcfab_nl_fabric_unlock(fabric);
		return ERR_PTR(ret);
	}
	/* What has just ended may still be telling so. */
	if (idle)
		mcfab_run_stop(fabric->core);
	return fabric;
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
	if (IS_ERR(fabric))
		return fabric;
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
 * Return: the next fabric, which may be still being built, held, NULL, or ERR_PTR(-EINTR) if
 *	   the process is being killed.
 */
struct mcfab_nl_fabric *mcfab_nl_fabric_after(struct net *net, u32 id)
{
	struct mcfab_nl_net *nlnet = mcfab_nl_net(net);
	struct mcfab_nl_fabric *fabric;
	unsigned long index = id;

	if (mutex_lock_killable(&nlnet->lock))
		return ERR_PTR(-EINTR);
	fabric = xa_find_after(&nlnet->fabrics, &index, ULONG_MAX, XA_PRESENT);
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

/* How far a request is that a thread works on. */
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
	u64 bytes = mcfab_nl_bytes(fabric);
	struct mcfab_progress at;
	bool fits;

	spin_lock(&fabric->core->part_lock);
	bytes += mcfab_fabric_bytes(fabric->core);
	spin_unlock(&fabric->core->part_lock);
	/* who is being killed needs no answer */
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
	u32 id;		/* the last one shown */
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

/**
 * mcfab_nl_fabric_unlist() - take a fabric out of its namespace's index
 * @fabric: the fabric, locked; the index's hold is the caller's now
 *
 * Context: May sleep.
 */
void mcfab_nl_fabric_unlist(struct mcfab_nl_fabric *fabric)
{
	struct mcfab_nl_net *nlnet = mcfab_nl_net(fabric->net);

	fabric->gone = true;
	mutex_lock(&nlnet->lock);
	xa_erase(&nlnet->fabrics, fabric->id);
	WRITE_ONCE(nlnet->generation, nlnet->generation + 1);
	mutex_unlock(&nlnet->lock);
}

/**
 * mcfab_nl_fabric_end() - take a fabric out of its namespace
 * @fabric: the fabric; a run is stopped, and nobody waits for it
 *
 * Context: May sleep; the namespace goes, so nobody else changes it.
 */
void mcfab_nl_fabric_end(struct mcfab_nl_fabric *fabric)
{
	mutex_lock(&fabric->lock);
	mcfab_nl_fabric_unlist(fabric);
	mutex_unlock(&fabric->lock);
	mcfab_nl_orphan(fabric);
	mcfab_nl_end_later(fabric);
}

/**
 * struct mcfab_nl_del - a fabric to be removed
 * @job: the request
 * @nr: number of the request about the fabric that was under way, and is to end first
 */
struct mcfab_nl_del {
	struct mcfab_nl_job job;
	unsigned long nr;
};

static bool mcfab_nl_del_ready(struct mcfab_nl_job *job)
{
	return mcfab_nl_defer_ended(job->fabric, container_of(job, struct mcfab_nl_del, job)->nr);
}

/* There is nothing to show. */
static int mcfab_nl_del_finish(struct mcfab_nl_job *job, int ret)
{
	struct mcfab_nl_fabric *fabric = job->fabric;

	mcfab_nl_job_silent(job);
	/* One that was being built has never been there. */
	if (ret || fabric->gone)
		return ret;
	if (fabric->job) {
		/* another one, which has begun just now */
		NL_SET_ERR_MSG_FMT(job->info->extack, "%s", fabric->job->ops->busy);
		return -EBUSY;
	}
	ret = mcfab_nl_fabric_idle(job->info, fabric);
	if (ret)
		return ret;
	/* What has just ended may still be telling so. */
	mcfab_run_stop(fabric->core);
	mcfab_nl_fabric_unlist(fabric);
	mcfab_nl_notify(fabric, MCFAB_CMD_FABRIC_DEL_NTF);
	/* the namespace's hold; the request has another one */
	mcfab_nl_fabric_put(fabric);
	return 0;
}

static const struct mcfab_nl_job_ops mcfab_nl_del_ops = {
	.ready = mcfab_nl_del_ready,
	.finish = mcfab_nl_del_finish,
};

/* MCFAB_CMD_FABRIC_DEL */
int mcfab_nl_fabric_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct mcfab_nl_fabric *fabric;
	struct mcfab_nl_del *del;

	del = mcfab_nl_job_alloc(sizeof(*del), &mcfab_nl_del_ops, info);
	if (!del)
		return -ENOMEM;
	fabric = mcfab_nl_fabric_lock_it(info, mcfab_nl_fabric_find(info));
	if (IS_ERR(fabric)) {
		mcfab_nl_job_free(&del->job);
		return PTR_ERR(fabric);
	}
	del->nr = mcfab_nl_defer_stop(fabric);
	return mcfab_nl_defer_wait(&del->job, fabric, skb);
}
