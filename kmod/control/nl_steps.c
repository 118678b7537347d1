// SPDX-License-Identifier: GPL-2.0
/*
 * Estimates of the time that requests take, before they are begun, to decide whether a handler
 * serves them itself. An estimate may be too high: then a thread does what a handler would have
 * done in time. An estimate that is too low keeps others waiting.
 */
#include "control/nl_job.h"
#include "subnet/subnet.h"
#include "updown/updown.h"

/* Bytes of the log for a message from ports, at most. */
#define MCFAB_NL_LOG_BYTES	128

/* Steps of laying a subnet over a network: an entry for each LID of each switch. */
static u64 mcfab_nl_lid_steps(const struct mcfab_topo *topo)
{
	struct mcfab_err err = {};
	u32 lids;

	/* to be refused */
	if (mcfab_lids_count(topo, &lids, &err))
		return 0;
	return (u64)topo->routers * lids;
}

/* The same for up*-down* routing: a search from each switch. */
static u64 mcfab_nl_search_steps(u64 switches, u32 ports)
{
	return 2 * switches * switches * ports;
}

/**
 * mcfab_nl_new_steps() - steps of making a fabric
 * @info: request for it
 * @cfg: its configuration
 *
 * Context: May sleep.
 * Return: steps, for mcfab_nl_job_go(): one for each entry of a table and each step of a search.
 */
u64 mcfab_nl_new_steps(const struct genl_info *info, const struct mcfab_fabric_cfg *cfg)
{
	struct mcfab_topo topo = { .ops = mcfab_topo_find(cfg->topology), .ndims = cfg->ndims };
	bool lids = cfg->addressing == MCFAB_ADDRESSING_MODE_LID;
	bool updown = cfg->routing == MCFAB_ROUTING_MODE_UPDOWN;
	struct mcfab_nl_graph_size size;
	struct mcfab_err err = {};
	u64 steps;

	memcpy(topo.radix, cfg->radix, sizeof(cfg->radix));
	if (!strcmp(cfg->topology, mcfab_irregular_ops.name)) {
		mcfab_nl_graph_size(info, cfg->name, &size);
		/* the graph is put into one piece, and the fabric has a copy */
		steps = size.switches * size.ports + size.hosts +
			2 * mcfab_nl_copy_steps(size.bytes);
		if (lids)
			steps += size.switches * size.lids *
				(cfg->routing == MCFAB_ROUTING_MODE_MINHOP ? 2 * size.ports : 1);
		if (!lids || updown)
			steps += mcfab_nl_search_steps(size.switches, size.ports);
		return steps;
	}
	/* to be refused */
	if (!topo.ops || topo.ops->init(&topo, &err))
		return 0;
	steps = (u64)topo.routers * topo.ports;
	if (lids)
		steps += mcfab_nl_lid_steps(&topo);
	if (updown)
		steps += mcfab_nl_search_steps(topo.routers, topo.ports);
	return steps;
}

/**
 * mcfab_nl_fault_steps() - steps of finding routes after a failure or a repair
 * @core: the fabric
 *
 * Context: Any, under the fabric's lock.
 * Return: steps, for mcfab_nl_job_go().
 */
u64 mcfab_nl_fault_steps(const struct mcfab_fabric *core)
{
	const struct mcfab_topo *topo = &core->topo;
	u64 steps;

	if (!core->updown)
		return 0;
	steps = mcfab_nl_search_steps(topo->routers, topo->ports);
	/* reachability strings are made anew where a policy has asked for them */
	if (READ_ONCE(core->updown->down))
		steps += (u64)topo->routers * topo->ports * topo->nodes;
	return steps;
}

/* Multicast LIDs of the sources that send to groups, with their tables. */
static u64 mcfab_nl_assign_steps(const struct mcfab_fabric *core,
				 const struct mcfab_workload_cfg *w)
{
	const struct mcfab_subnet *sn = core->subnet;
	const struct mcfab_group *group = NULL;
	u64 steps = 0, sources;
	u32 i;

	if (!sn)
		return 0;
	if (w->kind == MCFAB_WORKLOAD_TYPE_FILE) {
		sources = min(w->list->nmsgs, core->topo.nodes);
		for (i = 0; w->list->group && i < sn->ngroups; i++)
			steps += mcfab_nl_group_steps(sn, sn->group[i]->nmembers, sources);
		return steps;
	}
	if (w->group[0])
		group = mcfab_group_find(sn, w->group);
	/* an unknown group is refused */
	return group ? mcfab_nl_group_steps(sn, group->nmembers, core->topo.nodes) : 0;
}

/* Steps for the kind of traffic, per message and destination. */
static u64 mcfab_nl_workload_steps(const struct mcfab_workload_cfg *w)
{
	switch (w->kind) {
	case MCFAB_WORKLOAD_TYPE_LONE:
		return 32ULL * w->count;
	case MCFAB_WORKLOAD_TYPE_FILE:
		return 4ULL * w->list->nmsgs + w->list->ndst;
	default:
		return 0;
	}
}

/**
 * mcfab_nl_start_steps() - steps of preparing a run
 * @core: the fabric
 * @cfg: the run
 *
 * For its threads, the state of the network, its traffic, what its policy needs, the tables of
 * groups, and the routes after each of its failures. The time to load a policy's module is not
 * known.
 *
 * Context: May sleep, under the fabric's lock.
 * Return: steps, for mcfab_nl_job_go().
 */
u64 mcfab_nl_start_steps(const struct mcfab_fabric *core, const struct mcfab_run_cfg *cfg)
{
	const struct mcfab_policy_ops *policy = mcfab_policy_get(cfg->policy);
	const struct mcfab_workload_cfg *w = &cfg->workload;
	u64 channels = (u64)core->topo.routers * core->topo.ports, steps;
	bool implied;

	if (!policy)
		return U64_MAX;
	implied = !core->subnet && policy->flags & MCFAB_POLICY_TABLE;
	mcfab_policy_put(policy);
	steps = core->cfg.shards * MCFAB_NL_THREAD_STEPS;
	steps += channels * core->cfg.vcs * (w->kind == MCFAB_WORKLOAD_TYPE_LONE ? 8 : 128);
	steps += mcfab_nl_workload_steps(w) + mcfab_nl_assign_steps(core, w);
	if (w->kind == MCFAB_WORKLOAD_TYPE_PORTS)
		steps += core->topo.nodes + mcfab_nl_copy_steps((u64)cfg->log * MCFAB_NL_LOG_BYTES);
	if (implied)
		steps += mcfab_nl_lid_steps(&core->topo);
	if (core->updown)
		steps += channels * core->topo.nodes;
	return steps + cfg->nfaults * mcfab_nl_fault_steps(core);
}
