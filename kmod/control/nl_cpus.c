// SPDX-License-Identifier: GPL-2.0
/* The CPUs of a fabric, and the number of its shards. */
#include <linux/sched/isolation.h>

#include "control/nl_job.h"
#include "fabric/runner.h"

/*
 * Writes CPUs like 0-2,5. Returns the length that this takes, as snprintf() does. Written by hand,
 * as user space has no %*pbl.
 */
static size_t mcfab_nl_list_cpus(char *buf, size_t size, const struct cpumask *cpus)
{
	size_t len = 0;
	u32 cpu;

	for_each_cpu(cpu, cpus) {
		bool begins = !cpu || !cpumask_test_cpu(cpu - 1, cpus);
		bool ends = cpu + 1 == nr_cpu_ids || !cpumask_test_cpu(cpu + 1, cpus);
		const char *before = begins && len ? "," : begins ? "" : "-";

		if (begins || ends)
			len += snprintf(len < size ? buf + len : NULL,
					len < size ? size - len : 0, "%s%u", before, cpu);
	}
	return len;
}

/**
 * mcfab_nl_put_cpus() - put a list of CPUs into a message
 * @skb: the message
 * @attr: number of the attribute
 * @cpus: the CPUs
 *
 * Context: Any.
 * Return: false if there is no room.
 */
bool mcfab_nl_put_cpus(struct sk_buff *skb, int attr, const struct cpumask *cpus)
{
	size_t len = mcfab_nl_list_cpus(NULL, 0, cpus);
	struct nlattr *nla = nla_reserve(skb, attr, len + 1);

	if (!nla)
		return false;
	/* All of the attribute is written, even if the list gets shorter meanwhile. */
	memset(nla_data(nla), 0, len + 1);
	mcfab_nl_list_cpus(nla_data(nla), len + 1, cpus);
	return true;
}

static int mcfab_nl_list_online(struct genl_info *info, const struct nlattr *nla,
				struct cpumask *cpus)
{
	char online[48];	/* as much as the message has room for */
	char *list = nla_strdup(nla, GFP_KERNEL_ACCOUNT);
	int ret;

	if (!list)
		return -ENOMEM;
	ret = cpulist_parse(list, cpus);
	kfree(list);
	mcfab_nl_list_cpus(online, sizeof(online), cpu_online_mask);
	if (ret == -ERANGE || ret == -EOVERFLOW) {
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, nla, "no such CPU, %s are online", online);
		return -EINVAL;
	}
	if (ret) {
		NL_SET_ERR_MSG_ATTR(info->extack, nla, "not a list of CPUs like 0-2,5");
		return -EINVAL;
	}
	if (cpumask_empty(cpus)) {
		NL_SET_ERR_MSG_ATTR(info->extack, nla, "no CPU is listed");
		return -EINVAL;
	}
	if (!cpumask_subset(cpus, cpu_online_mask)) {
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, nla, "CPUs are not online, %s are", online);
		return -EINVAL;
	}
	return 0;
}

/**
 * mcfab_nl_new_cpus() - the CPUs a new fabric may use
 * @info: the request, which gives CPUs; without them all that are not isolated
 * @cpus: set to them
 *
 * Context: May sleep.
 * Return: 0, or a negative error with the extack set.
 */
int mcfab_nl_new_cpus(struct genl_info *info, struct cpumask *cpus)
{
	const struct nlattr *nla = info->attrs[MCFAB_A_FABRIC_CPUS];
	unsigned int cpu;

	if (nla)
		return mcfab_nl_list_online(info, nla, cpus);
	cpumask_copy(cpus, cpu_online_mask);
	for_each_cpu(cpu, cpu_online_mask)
		if (cpu_is_isolated(cpu))
			cpumask_clear_cpu(cpu, cpus);
	if (!cpumask_empty(cpus))
		return 0;
	NL_SET_ERR_MSG(info->extack, "all CPUs are isolated: name those that it may use");
	return -EINVAL;
}

/**
 * struct mcfab_nl_move - a fabric that gets other CPUs
 * @job: the request
 * @cpus: the CPUs
 */
struct mcfab_nl_move {
	struct mcfab_nl_job job;
	cpumask_var_t cpus;
};

static int mcfab_nl_move_work(struct mcfab_nl_job *job)
{
	struct mcfab_nl_move *move = container_of(job, struct mcfab_nl_move, job);
	struct mcfab_err err = {};
	int ret;

	ret = mcfab_runner_set_cpus(job->fabric->core, move->cpus, true, &err);
	if (!ret)
		return 0;
	err.what = MCFAB_OPTION_FABRIC_CPUS;
	return mcfab_nl_refuse(job->info, &err, ret);
}

/* There is nothing to show. */
static int mcfab_nl_move_finish(struct mcfab_nl_job *job, int ret)
{
	struct mcfab_nl_move *move = container_of(job, struct mcfab_nl_move, job);

	if (!ret) {
		cpumask_copy(job->fabric->cpus, move->cpus);
		mcfab_nl_notify(job->fabric, MCFAB_CMD_FABRIC_CHANGE_NTF);
	}
	mcfab_nl_job_silent(job);
	return ret;
}

static void mcfab_nl_move_free(struct mcfab_nl_job *job)
{
	free_cpumask_var(container_of(job, struct mcfab_nl_move, job)->cpus);
}

static const struct mcfab_nl_job_ops mcfab_nl_move_ops = {
	.busy = "its threads are being moved: try again later",
	.work = mcfab_nl_move_work,
	.finish = mcfab_nl_move_finish,
	.free = mcfab_nl_move_free,
};

/* MCFAB_CMD_FABRIC_SET */
int mcfab_nl_fabric_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *nla = info->attrs[MCFAB_A_FABRIC_CPUS];
	struct mcfab_nl_fabric *fabric;
	struct mcfab_nl_move *move;
	int ret;

	if (!nla)
		return mcfab_nl_missing(info, MCFAB_A_FABRIC_CPUS, "cpus");
	move = mcfab_nl_job_alloc(sizeof(*move), &mcfab_nl_move_ops, info);
	if (!move)
		return -ENOMEM;
	ret = zalloc_cpumask_var(&move->cpus, GFP_KERNEL_ACCOUNT) ? 0 : -ENOMEM;
	if (!ret)
		ret = mcfab_nl_list_online(info, nla, move->cpus);
	if (ret)
		goto free;
	fabric = mcfab_nl_fabric_lock(info, false);
	ret = PTR_ERR_OR_ZERO(fabric);
	if (!ret)
		return mcfab_nl_job_go(&move->job, fabric, skb,
				       fabric->core->cfg.shards * MCFAB_NL_THREAD_STEPS);
free:
	mcfab_nl_job_free(&move->job);
	return ret;
}

/* With fewer routers than this a thread waits for other threads longer than it works. */
#define MCFAB_NL_ROUTERS_PER_THREAD	512

/**
 * mcfab_nl_new_shards() - choose the number of a new fabric's shards
 * @cfg: its configuration, in which the number is set
 * @cpus: its CPUs; needless ones are left out
 * @asked: the user asked for these CPUs
 *
 * One shard per CPU, as far as there are routers. A user who asks for no CPUs gets as many as are
 * of use.
 *
 * Context: Any.
 */
void mcfab_nl_new_shards(struct mcfab_fabric_cfg *cfg, struct cpumask *cpus, bool asked)
{
	const struct mcfab_topo_ops *ops = mcfab_topo_find(cfg->topology);
	struct mcfab_topo topo = { .ops = ops, .ndims = cfg->ndims, .graph = cfg->graph };
	u32 most = MCFAB_MAX_SHARDS, cpu, n = 0;
	struct mcfab_err err = {};

	memcpy(topo.radix, cfg->radix, sizeof(cfg->radix));
	/* A bad topology is refused with a message when the fabric is made. */
	if (ops && !ops->init(&topo, &err))
		most = min(most, asked ? topo.routers :
			   max(topo.routers / MCFAB_NL_ROUTERS_PER_THREAD, 1U));
	for_each_cpu(cpu, cpus)
		if (++n > most && asked)
			cpumask_clear_cpu(cpu, cpus);
	cfg->shards = min(n, most);
	cfg->fewer_shards = !asked;
}
