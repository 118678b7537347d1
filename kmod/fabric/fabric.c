// SPDX-License-Identifier: GPL-2.0
/* A fabric from its creation to its end: its tables; config.c has the defaults and checks. */
#include "fabric/fabric.h"
#include "base/memory.h"
#include "stats/report.h"
#include "fabric/runner.h"
#include "engine/engine.h"
#include "subnet/subnet.h"
#include "topology/graph.h"
#include "updown/updown.h"

/* the option that asks for a fabric's size */
static enum mcfab_option size_blame(const struct mcfab_fabric *fabric)
{
	return fabric->topo.graph ? MCFAB_OPTION_FABRIC_TOPOLOGY : MCFAB_OPTION_FABRIC_DIMS;
}

/* is there memory for the tables and the smallest run, the biggest parts of a fabric? */
static int check_memory(const struct mcfab_fabric *fabric, struct mcfab_err *err)
{
	struct mcfab_network net = { .cfg = &fabric->cfg, .topo = &fabric->topo };
	u64 bytes = mcfab_topo_bytes(&fabric->topo) + mcfab_engine_bytes(&net);

	if (bytes <= mcfab_memory_left())
		return 0;
	return mcfab_refuse(err, -ENOMEM, size_blame(fabric),
			    "the fabric needs %llu MiB, %llu are left of max_memory_mb",
			    (unsigned long long)(bytes >> 20) + 1,
			    (unsigned long long)(mcfab_memory_left() >> 20));
}

static void set_view(struct mcfab_fabric *fabric)
{
	const struct mcfab_fabric_cfg *cfg = &fabric->cfg;

	fabric->view.topo = &fabric->topo;
	fabric->view.vcs = cfg->vcs;
	fabric->view.buffer = cfg->buffer;
	fabric->view.inject = cfg->inject;
	fabric->view.consume = cfg->consume;
	fabric->view.switching = cfg->switching;
	fabric->view.replication = cfg->replication;
	fabric->view.vc_release = cfg->vc_release;
	fabric->view.subnet = fabric->subnet;
	fabric->view.updown = fabric->updown;
}

static u64 table_bytes(const struct mcfab_fabric *fabric)
{
	u64 channels = (u64)fabric->topo.routers * fabric->topo.ports;

	return mcfab_topo_bytes(&fabric->topo) + 2 * channels * sizeof(u64) +
	       (u64)fabric->topo.nodes * sizeof(struct mcfab_source_load);
}

static int alloc_tables(struct mcfab_fabric *fabric, struct mcfab_err *err)
{
	u32 channels = fabric->topo.routers * fabric->topo.ports;

	fabric->table_bytes = table_bytes(fabric);
	if (!mcfab_memory_charge(fabric->table_bytes)) {
		fabric->table_bytes = 0;
		return mcfab_refuse(err, -ENOMEM, size_blame(fabric), "max_memory_mb is used up");
	}
	fabric->results.channel_flits = kvcalloc(max(channels, 1U), sizeof(u64), MCFAB_GFP);
	fabric->results.channel_wait = kvcalloc(max(channels, 1U), sizeof(u64), MCFAB_GFP);
	fabric->results.sources = kvcalloc(fabric->topo.nodes, sizeof(*fabric->results.sources),
					   MCFAB_GFP);
	if (!fabric->results.channel_flits || !fabric->results.channel_wait ||
	    !fabric->results.sources ||
	    mcfab_topo_alloc(&fabric->topo))
		return mcfab_refuse(err, -ENOMEM, 0, "out of memory");
	mcfab_topo_set_links(&fabric->topo, fabric->cfg.link_delay);
	return 0;
}

static int alloc_subnet(struct mcfab_fabric *fabric, struct mcfab_err *err)
{
	struct mcfab_subnet *sn = mcfab_subnet_create(&fabric->topo, &fabric->cfg.rules,
						      fabric->cfg.vcs, err);

	if (IS_ERR(sn))
		return PTR_ERR(sn);
	fabric->subnet = sn;
	fabric->subnet_bytes = mcfab_subnet_bytes(sn);
	return 0;
}

static int check_minhop(struct mcfab_fabric *fabric, struct mcfab_err *err)
{
	struct mcfab_fabric_cfg *cfg = &fabric->cfg;

	cfg->rules.min_hop = cfg->routing == MCFAB_ROUTING_MODE_MINHOP;
	if (!cfg->rules.min_hop)
		return 0;
	if (!fabric->topo.graph)
		return mcfab_refuse(err, -EOPNOTSUPP, MCFAB_OPTION_FABRIC_ROUTING,
				    "routing minhop is for irregular topologies");
	if (cfg->addressing != MCFAB_ADDRESSING_MODE_LID)
		return mcfab_refuse(err, -EOPNOTSUPP, MCFAB_OPTION_FABRIC_ROUTING,
				    "routing minhop builds tables: set addressing lid");
	return 0;
}

static bool routes_updown(const struct mcfab_fabric *fabric)
{
	if (fabric->cfg.routing == MCFAB_ROUTING_DEFAULT)
		return fabric->topo.graph && fabric->cfg.addressing != MCFAB_ADDRESSING_MODE_LID;
	return fabric->cfg.routing == MCFAB_ROUTING_MODE_UPDOWN;
}

/* The root that was chosen becomes the graph's root: the graph then makes the same fabric again. */
static int alloc_updown(struct mcfab_fabric *fabric, struct mcfab_err *err)
{
	u32 root = fabric->cfg.root;
	struct mcfab_updown *ud;

	if (!routes_updown(fabric)) {
		if (!fabric->cfg.rules.min_hop)
			fabric->cfg.routing = MCFAB_ROUTING_MODE_POLICY;
		if (root == MCFAB_NONE)
			return 0;
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_FABRIC_ROOT,
				    "root %u: only routing updown has one", root);
	}
	fabric->cfg.routing = MCFAB_ROUTING_MODE_UPDOWN;
	if (root == MCFAB_NONE && fabric->topo.graph)
		root = fabric->topo.graph->root;
	ud = mcfab_updown_create(&fabric->topo, root, err);
	if (IS_ERR(ud))
		return PTR_ERR(ud);
	fabric->updown = ud;
	fabric->cfg.root = ud->root;
	mcfab_topo_set_root(&fabric->topo, ud->root);
	return 0;
}

/* count channels that lead to a router: every answer about the fabric has this count */
static void count_channels(struct mcfab_fabric *fabric)
{
	const struct mcfab_topo *topo = &fabric->topo;
	u32 i;

	for (i = 0; i < topo->routers * topo->ports; i++)
		fabric->wired += topo->peer[i] != MCFAB_NONE;
}

/**
 * mcfab_fabric_create() - make a fabric
 * @cfg: its configuration; is copied
 * @err: filled in when it is refused
 *
 * Context: may sleep; memory is charged to the caller's cgroup.
 * Return: the fabric or an error pointer: -EINVAL, -ERANGE, -ENOENT (no such
 *	   topology), -ENOMEM, -EINTR if the process is being killed.
 */
struct mcfab_fabric *mcfab_fabric_create(const struct mcfab_fabric_cfg *cfg, struct mcfab_err *err)
{
	struct mcfab_fabric *fabric;
	int ret;

	fabric = mcfab_memory_zalloc(1, sizeof(*fabric));
	if (!fabric) {
		mcfab_refuse(err, -ENOMEM, 0, "no memory for a fabric, see max_memory_mb");
		return ERR_PTR(-ENOMEM);
	}
	fabric->cfg = *cfg;
	mutex_init(&fabric->results.lock);
	spin_lock_init(&fabric->results.report_lock);
	spin_lock_init(&fabric->part_lock);
	fabric->results.progress.state = MCFAB_RUN_STATUS_IDLE;
	fabric->results.report = mcfab_report_new(NULL);
	if (!fabric->results.report) {
		ret = mcfab_refuse(err, -ENOMEM, 0, "no memory for a fabric, see max_memory_mb");
		goto fail;
	}

	ret = mcfab_fabric_overheads(&fabric->cfg, err);
	if (!ret)
		ret = mcfab_fabric_check(&fabric->cfg, err);
	if (ret)
		goto fail;
	fabric->topo.ops = mcfab_topo_find(cfg->topology);
	if (!fabric->topo.ops) {
		ret = mcfab_refuse(err, -ENOENT, MCFAB_OPTION_FABRIC_TOPOLOGY,
				   "there is no topology %s", cfg->topology);
		goto fail;
	}
	fabric->topo.graph = cfg->graph;
	fabric->topo.ndims = cfg->ndims;
	memcpy(fabric->topo.radix, cfg->radix, sizeof(cfg->radix));
	ret = fabric->topo.ops->init(&fabric->topo, err);
	if (ret)
		goto fail;

	fabric->cfg.inject = cfg->inject ?: max(fabric->topo.degree, 1U);
	fabric->cfg.consume = cfg->consume ?: max(fabric->topo.degree * cfg->vcs, 1U);
	fabric->cfg.shards = min(cfg->shards, fabric->topo.routers);
	ret = mcfab_fabric_check_bandwidth(&fabric->cfg, &fabric->topo, err);
	if (!ret)
		ret = check_minhop(fabric, err);
	if (!ret)
		ret = check_memory(fabric, err);
	if (!ret)
		ret = alloc_tables(fabric, err);
	if (!ret && cfg->addressing == MCFAB_ADDRESSING_MODE_LID)
		ret = alloc_subnet(fabric, err);
	if (!ret)
		ret = alloc_updown(fabric, err);
	if (!ret) {
		count_channels(fabric);
		set_view(fabric);
		ret = mcfab_runner_open(fabric);
		if (ret)
			mcfab_refuse(err, ret, 0,
				     "no memory for router threads, see max_memory_mb");
	}
	if (ret)
		goto fail;
	fabric->cfg.graph = fabric->topo.graph;
	fabric->results.progress.bytes = fabric->table_bytes;
	mcfab_report_publish(&fabric->results);
	return fabric;

fail:
	mcfab_fabric_destroy(fabric);
	return ERR_PTR(ret);
}

/**
 * mcfab_fabric_destroy() - free a fabric
 * @fabric: the fabric; if a run is under way, it is stopped first
 *
 * Context: may sleep, until the run's threads have ended (at most 100 ms).
 */
void mcfab_fabric_destroy(struct mcfab_fabric *fabric)
{
	if (fabric->runner) {
		mcfab_run_stop(fabric);
		mcfab_runner_close(fabric);
	}
	mcfab_stats_close(&fabric->results.stats);
	mcfab_memory_uncharge(fabric->stats_bytes);
	mcfab_subnet_destroy(fabric->subnet);
	mcfab_updown_put(fabric->updown);
	mcfab_topo_free(&fabric->topo);
	kvfree(fabric->results.channel_flits);
	kvfree(fabric->results.channel_wait);
	kvfree(fabric->results.sources);
	mcfab_memory_uncharge(fabric->table_bytes);
	mcfab_report_put(fabric->results.report);
	mutex_destroy(&fabric->results.lock);
	mcfab_memory_free(fabric);
}

static int check_packets(const struct mcfab_fabric_cfg *cfg, u32 flits, u32 mtu, bool headers,
			 struct mcfab_err *err)
{
	bool saf = cfg->switching == MCFAB_SWITCHING_MODE_STORE_AND_FORWARD;

	if (flits % mcfab_packet_flits(flits, mtu) && (headers || saf))
		return mcfab_refuse(err, -EOPNOTSUPP, MCFAB_OPTION_RUN_MTU,
				    "%s needs equal packets: flits %u is no multiple of mtu %u",
				    headers ? "headers" : "saf", flits, mtu);
	if (headers && saf)
		return mcfab_refuse(err, -EOPNOTSUPP, MCFAB_OPTION_RUN_HEADERS,
				    "headers of several flits are not modelled with store-and-forward");
	if (headers && cfg->replication == MCFAB_REPLICATION_MODE_LOCKSTEP)
		return mcfab_refuse(err, -EOPNOTSUPP, MCFAB_OPTION_RUN_HEADERS,
				    "headers of several flits are not modelled with lock-step replication");
	return 0;
}

/**
 * mcfab_fabric_packets() - fill in what a policy sees of packets and buffers
 * @fabric: the fabric
 * @policy: name of the policy
 * @flits: length of a message
 * @mtu: longest packet, or 0
 * @named: most destinations that a header names with a flit each; 0: headers have one flit
 * @view: its packets and buffer are filled in
 * @err: filled in when it is refused; the blamed attribute is one of a run's
 *
 * A header of several flits makes packets longer, by as much as the policy says. A buffer
 * that is counted in packets has room for the longest.
 *
 * Context: may sleep.
 * Return: 0, or -EOPNOTSUPP for packets that are not modelled.
 */
int mcfab_fabric_packets(const struct mcfab_fabric *fabric, const char *policy, u32 flits,
			 u32 mtu, u32 named, struct mcfab_view *view, struct mcfab_err *err)
{
	int ret = check_packets(&fabric->cfg, flits, mtu, named, err);
	const struct mcfab_policy_ops *ops;
	u32 header = named;

	if (ret)
		return ret;
	view->flits = mcfab_packet_flits(flits, mtu);
	view->packets = DIV_ROUND_UP(flits, view->flits);
	if (named) {
		/* a policy that does not exist is refused when it is opened */
		ops = mcfab_policy_get(policy);
		if (ops && ops->header_flits)
			header = ops->header_flits(view, NULL, NULL, 0, header);
		mcfab_policy_put(ops);
		view->flits += header - 1;
	}
	view->buffer = fabric->cfg.buffer_packets ? fabric->cfg.buffer_packets * view->flits :
						    fabric->cfg.buffer;
	return 0;
}

/**
 * mcfab_fabric_imply() - give a view the subnet that a policy needs
 * @fabric: the fabric
 * @policy: name of the policy
 * @view: the view with which the policy will be opened
 * @fresh: set to a new subnet to which @view now points, to be adopted or destroyed; else to
 *	   NULL
 * @err: filled in when it is refused
 *
 * A policy whose packets follow tables makes the fabric a fabric with LIDs.
 *
 * Context: may sleep.
 * Return: 0, -EOPNOTSUPP, -ENOMEM.
 */
int mcfab_fabric_imply(const struct mcfab_fabric *fabric, const char *policy,
		       struct mcfab_view *view, struct mcfab_subnet **fresh,
		       struct mcfab_err *err)
{
	const struct mcfab_policy_ops *ops;
	bool need;
	int ret;

	*fresh = NULL;
	if (view->subnet)
		return 0;
	ops = mcfab_policy_get(policy);
	/* a policy that does not fit the topology is refused when it is opened */
	need = ops && ops->flags & MCFAB_POLICY_TABLE && ops->flags & fabric->topo.ops->serve;
	mcfab_policy_put(ops);
	if (!need)
		return 0;
	*fresh = mcfab_subnet_create(&fabric->topo, &fabric->cfg.rules, fabric->cfg.vcs, err);
	if (IS_ERR(*fresh)) {
		ret = PTR_ERR(*fresh);
		*fresh = NULL;
		err->what = MCFAB_OPTION_RUN_POLICY;
		return ret;
	}
	view->subnet = *fresh;
	return 0;
}

/**
 * mcfab_fabric_adopt() - keep the subnet that a policy needs
 * @fabric: the fabric
 * @fresh: from mcfab_fabric_imply(), or NULL
 *
 * Context: any; no other thread changes the fabric.
 */
void mcfab_fabric_adopt(struct mcfab_fabric *fabric, struct mcfab_subnet *fresh)
{
	if (fresh) {
		fabric->view.subnet = fresh;
		fabric->cfg.addressing = MCFAB_ADDRESSING_MODE_LID;
		/* Pairs with readers that look at LIDs without the owner's lock. */
		smp_store_release(&fabric->subnet, fresh);
	}
	mcfab_fabric_account(fabric);
}

/**
 * mcfab_fabric_account() - note how much memory the subnet takes, after a change
 * @fabric: the fabric
 *
 * Context: may sleep; no other thread changes the fabric.
 */
void mcfab_fabric_account(struct mcfab_fabric *fabric)
{
	WRITE_ONCE(fabric->subnet_bytes, mcfab_subnet_bytes(fabric->subnet));
}

/**
 * mcfab_fabric_bytes() - memory that is charged for a fabric
 * @fabric: the fabric, its part_lock held
 *
 * Context: any.
 * Return: bytes: the fabric itself, its tables, subnet, routing and statistics, the run.
 */
u64 mcfab_fabric_bytes(struct mcfab_fabric *fabric)
{
	u64 bytes = mcfab_memory_size(fabric) + mcfab_runner_bytes(fabric->runner) +
		    mcfab_report_bytes(&fabric->results) +
		    fabric->table_bytes + fabric->stats_bytes + fabric->subnet_bytes;

	/* a policy may be adding to the routing's memory at this moment */
	if (fabric->updown)
		bytes += READ_ONCE(fabric->updown->bytes);
	/* engine and policy exist as long as a run is under way and @engine is set */
	if (fabric->active && fabric->engine)
		bytes += mcfab_memory_size(fabric->engine) + READ_ONCE(fabric->engine->bytes) +
			 mcfab_memory_size(fabric->policy.priv) +
			 mcfab_memory_size(fabric->engine->work.msg_order) +
			 mcfab_memory_size(fabric->engine->work.msg_first);
	return bytes;
}
