// SPDX-License-Identifier: GPL-2.0
/* New fabrics. Their names are taken at once, so that no two fabrics being built share a name. */
#include "control/nl_job.h"
#include "base/memory.h"
#include "fabric/runner.h"
#include "base/thread.h"
#include "topology/topology.h"

static int mcfab_nl_new_config(struct genl_info *info, struct mcfab_fabric_cfg *cfg)
{
	const struct nlattr *addressing = info->attrs[MCFAB_A_FABRIC_ADDRESSING];
	char topology[MCFAB_NAME_LEN];
	const struct nlattr *pos;
	int rem, ret;

	ret = mcfab_nl_name(info, MCFAB_A_FABRIC_TOPOLOGY, "topology", topology);
	if (ret)
		return ret;
	if (addressing && nla_get_u32(addressing) == MCFAB_ADDRESSING_MODE_LID)
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

	if (info->attrs[MCFAB_A_FABRIC_ROUTER])
		mcfab_fabric_router(cfg, nla_get_u32(info->attrs[MCFAB_A_FABRIC_ROUTER]));
	/* with a new length of the buffers, the number of packets in them holds no longer */
	if (info->attrs[MCFAB_A_FABRIC_BUFFER])
		cfg->buffer_packets = 0;
	mcfab_nl_take_fields(info, mcfab_nl_fabric_fields, mcfab_nl_fabric_nfields, cfg);
	mcfab_nl_set_u32(info, MCFAB_A_FABRIC_BUFFER_PACKETS, &cfg->buffer_packets);
	mcfab_nl_set_u32(info, MCFAB_A_FABRIC_INJECT, &cfg->inject);
	mcfab_nl_set_u32(info, MCFAB_A_FABRIC_CONSUME, &cfg->consume);
	if (info->attrs[MCFAB_A_FABRIC_ROUTING])
		cfg->routing = nla_get_u32(info->attrs[MCFAB_A_FABRIC_ROUTING]);
	mcfab_nl_set_u32(info, MCFAB_A_FABRIC_ROOT, &cfg->root);
	if (info->attrs[MCFAB_A_FABRIC_SEED])
		cfg->seed = nla_get_uint(info->attrs[MCFAB_A_FABRIC_SEED]);
	if (info->attrs[MCFAB_A_FABRIC_NICE])
		cfg->nice = nla_get_s32(info->attrs[MCFAB_A_FABRIC_NICE]);
	else
		cfg->nice = mcfab_thread_nice();
	ret = mcfab_nl_get_rules(info, &cfg->rules);
	return ret ?: mcfab_nl_host_config(info, cfg);
}

/* An option that the user did not give is not blamed, but the option from which it follows. */
static void mcfab_nl_new_blame(const struct genl_info *info, struct mcfab_err *err)
{
	if (err->what != MCFAB_OPTION_FABRIC_ROUTING || info->attrs[MCFAB_A_FABRIC_ROUTING])
		return;
	err->what = info->attrs[MCFAB_A_FABRIC_SWITCHES] ? MCFAB_OPTION_FABRIC_SWITCHES :
							   MCFAB_OPTION_FABRIC_TOPOLOGY;
}

/**
 * struct mcfab_nl_new - a fabric to be made
 * @job: the request
 * @cfg: its configuration
 * @graph: its network, if that is irregular
 * @core: the fabric, when it is made
 */
struct mcfab_nl_new {
	struct mcfab_nl_job job;
	struct mcfab_fabric_cfg cfg;
	struct mcfab_nl_graph *graph;
	struct mcfab_fabric *core;
};

static int mcfab_nl_new_core(struct mcfab_nl_new *new)
{
	struct mcfab_nl_fabric *fabric = new->job.fabric;
	struct genl_info *info = new->job.info;
	struct mcfab_err err = {};
	int ret;

	mcfab_nl_new_shards(&new->cfg, fabric->cpus, info->attrs[MCFAB_A_FABRIC_CPUS]);
	new->core = mcfab_fabric_create(&new->cfg, &err);
	if (IS_ERR(new->core)) {
		ret = PTR_ERR(new->core);
		new->core = NULL;
		mcfab_nl_new_blame(info, &err);
		return mcfab_nl_refuse(info, &err, ret);
	}
	new->core->owner = fabric;
	new->core->begun = mcfab_nl_begun;
	new->core->finished = mcfab_nl_finished;
	new->core->netns = fabric->net->ns.inum;
	new->core->id = fabric->id;
	ret = mcfab_runner_set_cpus(new->core, fabric->cpus, info->attrs[MCFAB_A_FABRIC_CPUS],
				    &err);
	return ret ? mcfab_nl_refuse(info, &err, ret) : 0;
}

static int mcfab_nl_new_work(struct mcfab_nl_job *job)
{
	struct mcfab_nl_new *new = container_of(job, struct mcfab_nl_new, job);
	struct mcfab_nl_graph *graph;

	mcfab_nl_free_wait(job);
	graph = mcfab_nl_graph_take(job->info, &new->cfg);
	if (IS_ERR(graph))
		return PTR_ERR(graph);
	new->graph = graph;
	return mcfab_nl_new_core(new);
}

/*
 * Other requests see the fabric before its event is sent, and the event is sent before any request
 * can remove the fabric, since removal takes the lock.
 */
static int mcfab_nl_new_finish(struct mcfab_nl_job *job, int ret)
{
	struct mcfab_nl_new *new = container_of(job, struct mcfab_nl_new, job);
	struct mcfab_nl_fabric *fabric = job->fabric;

	if (!ret) {
		/* pairs with mcfab_nl_fabric_building() */
		smp_store_release(&fabric->core, new->core);
		new->core = NULL;
		ret = mcfab_nl_fabric_fill(job->msg, fabric, job->info, NULL);
	}
	if (!ret) {
		mcfab_nl_graph_free(new->graph);
		new->graph = NULL;
		mcfab_nl_notify(fabric, job->deferred ? MCFAB_CMD_FABRIC_CHANGE_NTF :
							MCFAB_CMD_FABRIC_ADD_NTF);
		return 0;
	}
	mcfab_nl_fabric_unlist(fabric);
	if (job->deferred)
		mcfab_nl_notify(fabric, MCFAB_CMD_FABRIC_DEL_NTF);
	/* the index's hold; the request has a hold of its own */
	mcfab_nl_fabric_put(fabric);
	return ret;
}

static void mcfab_nl_new_free(struct mcfab_nl_job *job)
{
	struct mcfab_nl_new *new = container_of(job, struct mcfab_nl_new, job);

	if (new->core)
		mcfab_fabric_destroy(new->core);
	if (new->graph)
		mcfab_nl_graph_put(genl_info_net(job->info), new->graph);
}

static const struct mcfab_nl_job_ops mcfab_nl_new_ops = {
	.busy = "the fabric is being built",
	.work = mcfab_nl_new_work,
	.finish = mcfab_nl_new_finish,
	.free = mcfab_nl_new_free,
};

/* Name and number are given together, so that no two fabrics share one. */
static int mcfab_nl_new_add(struct genl_info *info, struct mcfab_nl_fabric *fabric)
{
	struct mcfab_nl_net *nlnet = mcfab_nl_net(fabric->net);
	int ret;

	if (mutex_lock_killable(&nlnet->lock))
		return -EINTR;
	if (mcfab_nl_find_name(nlnet, fabric->name)) {
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[MCFAB_A_FABRIC_NAME],
				    "a fabric of this name exists");
		ret = -EEXIST;
	} else if (nlnet->last_id >= U32_MAX - 1) {
		NL_SET_ERR_MSG(info->extack, "no number is left for a fabric");
		ret = -ENOSPC;
	} else {
		fabric->id = nlnet->last_id + 1;
		ret = xa_insert(&nlnet->fabrics, fabric->id, fabric, GFP_KERNEL);
	}
	if (!ret) {
		nlnet->last_id = fabric->id;
		kref_get(&fabric->ref);
		WRITE_ONCE(nlnet->generation, nlnet->generation + 1);
	}
	mutex_unlock(&nlnet->lock);
	return ret;
}

static struct mcfab_nl_fabric *mcfab_nl_fabric_alloc(struct net *net,
						     const struct mcfab_fabric_cfg *cfg)
{
	struct mcfab_nl_fabric *fabric = mcfab_memory_zalloc(1, sizeof(*fabric));

	if (!fabric)
		return NULL;
	if (!zalloc_cpumask_var(&fabric->cpus, GFP_KERNEL_ACCOUNT)) {
		mcfab_memory_free(fabric);
		return NULL;
	}
	kref_init(&fabric->ref);
	mutex_init(&fabric->lock);
	fabric->net = net;
	strscpy(fabric->name, cfg->name, sizeof(fabric->name));
	strscpy(fabric->topology, cfg->topology, sizeof(fabric->topology));
	fabric->ndims = cfg->ndims;
	memcpy(fabric->radix, cfg->radix, sizeof(fabric->radix));
	return fabric;
}

/* MCFAB_CMD_FABRIC_NEW */
int mcfab_nl_fabric_new_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct mcfab_nl_fabric *fabric;
	struct mcfab_nl_new *new;
	int ret;

	new = mcfab_nl_job_alloc(sizeof(*new), &mcfab_nl_new_ops, info);
	if (!new)
		return -ENOMEM;
	ret = mcfab_nl_new_config(info, &new->cfg);
	if (ret)
		goto free_new;
	fabric = mcfab_nl_fabric_alloc(genl_info_net(info), &new->cfg);
	if (!fabric) {
		ret = -ENOMEM;
		goto free_new;
	}
	ret = mcfab_nl_new_cpus(info, fabric->cpus);
	if (ret)
		goto put_fabric;
	mutex_lock(&fabric->lock);
	ret = mcfab_nl_new_add(info, fabric);
	if (!ret)
		return mcfab_nl_job_go(&new->job, fabric, skb,
				       mcfab_nl_new_steps(info, &new->cfg));
	mutex_unlock(&fabric->lock);
put_fabric:
	mcfab_nl_fabric_put(fabric);
free_new:
	mcfab_nl_job_free(&new->job);
	return ret;
}
