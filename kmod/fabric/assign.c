// SPDX-License-Identifier: GPL-2.0
/* Multicast LIDs for the senders of a run. */
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include "engine/engine.h"
#include "fabric/fabric.h"
#include "subnet/subnet.h"

/* messages between two scheduling points, which also check whether the process is being killed */
#define BREATH		4096

static int breathe(u32 i, struct mcfab_err *err)
{
	if (i % BREATH)
		return 0;
	cond_resched();
	return fatal_signal_pending(current) ? mcfab_refuse(err, -EINTR, 0, "interrupted") : 0;
}

static int assign_list(struct mcfab_subnet *sn, const struct mcfab_msg_list *list,
		       struct mcfab_err *err)
{
	u32 i, place;
	int ret = 0;

	for (i = 0; list->group && i < list->nmsgs && !ret; i++) {
		place = mcfab_group_place(sn, list->group[i]);
		if (place != MCFAB_NONE)
			ret = mcfab_group_assign(sn, sn->group[place], list->source[i], err);
		ret = ret ?: breathe(i, err);
	}
	return ret;
}

/* Give the senders of lone multicasts a multicast LID each, until every node has one. */
static int assign_lone(struct mcfab_subnet *sn, const struct mcfab_workload *w,
		       struct mcfab_group *group, struct mcfab_err *err)
{
	u32 count = w->cfg.source == MCFAB_NONE ? w->cfg.count : 1, i, source;
	int ret = 0;

	for (i = 0; i < count && group->nlids < sn->topo->nodes && !ret; i++) {
		mcfab_workload_lone(w, i, &source, NULL);
		ret = mcfab_group_assign(sn, group, source, err) ?: breathe(i, err);
	}
	return ret;
}

/* Give the nodes that send to a load's group a multicast LID each. */
static int assign_load(struct mcfab_subnet *sn, const struct mcfab_workload *w,
		       struct mcfab_group *group, struct mcfab_err *err)
{
	struct mcfab_source src;
	int ret = 0;
	u32 i;

	for (i = 0; i < sn->topo->nodes && !ret; i++) {
		mcfab_workload_first(w, i, &src);
		if (src.gen != U64_MAX)
			ret = mcfab_group_assign(sn, group, i, err);
		ret = ret ?: breathe(i, err);
	}
	return ret;
}

/* The same for all nodes that send to the group of a workload. */
static int assign_group(struct mcfab_subnet *sn, const struct mcfab_workload *w,
			struct mcfab_err *err)
{
	struct mcfab_group *group;

	if (!w->group)
		return 0;
	group = sn->group[mcfab_group_place(sn, w->group->id)];
	/* all sources share the group's LID */
	if (group->lid)
		return 0;
	if (w->cfg.kind == MCFAB_WORKLOAD_TYPE_LONE)
		return assign_lone(sn, w, group, err);
	return assign_load(sn, w, group, err);
}

/* Groups to which frames of ports go: any node may send to them. */
static int assign_bound(struct mcfab_subnet *sn, struct mcfab_err *err)
{
	u32 i, node;
	int ret = 0;

	for (i = 0; i < sn->ngroups; i++) {
		if (!sn->group[i]->addr || sn->group[i]->lid)
			continue;
		for (node = 0; node < sn->topo->nodes && !ret; node++)
			ret = mcfab_group_assign(sn, sn->group[i], node, err) ?:
			      breathe(node, err);
	}
	return ret;
}

/**
 * mcfab_fabric_assign() - give all nodes that will send to a group a multicast LID
 * @fabric: the fabric; its engine is open
 * @err: filled in when it is refused
 *
 * A run cannot make a LID later.
 *
 * Context: may sleep.
 * Return: 0, -EINTR if the process is being killed, or what mcfab_group_assign() refuses.
 */
int mcfab_fabric_assign(struct mcfab_fabric *fabric, struct mcfab_err *err)
{
	u32 tables = fabric->policy.ops->flags & (MCFAB_POLICY_TABLE | MCFAB_POLICY_SINGLE), i;
	const struct mcfab_workload *w = &fabric->engine->work;
	struct mcfab_subnet *sn = fabric->subnet;
	int ret = 0;

	if (tables != MCFAB_POLICY_TABLE || !sn)
		return 0;
	if (w->cfg.kind == MCFAB_WORKLOAD_TYPE_PORTS)
		return assign_bound(sn, err);
	if (w->cfg.kind == MCFAB_WORKLOAD_TYPE_FILE)
		return assign_list(sn, w->cfg.list, err);
	if (!w->nclasses)
		return assign_group(sn, w, err);
	for (i = 0; i < w->nclasses && !ret; i++)
		ret = assign_group(sn, &w->class[i], err);
	return ret;
}
