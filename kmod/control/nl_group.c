// SPDX-License-Identifier: GPL-2.0
/* Multicast groups of a fabric with LIDs: make and change. nl_group_show.c shows them. */
#include <linux/etherdevice.h>
#include "control/nl_job.h"
#include "base/memory.h"
#include "subnet/subnet.h"

/* Members in the request, to be freed with mcfab_memory_free(). */
static int mcfab_nl_group_members(const struct genl_info *info, u32 **member, u32 *nmembers)
{
	int ret = mcfab_nl_count(info, MCFAB_A_GROUP_MEMBERS, sizeof(u32), nmembers);

	if (ret)
		return ret;
	*member = mcfab_memory_alloc(max(*nmembers, 1U), sizeof(**member));
	if (!*member)
		return -ENOMEM;
	mcfab_nl_copy(info, MCFAB_A_GROUP_MEMBERS, *member);
	return 0;
}

/**
 * mcfab_nl_group_find() - find the group of a request
 * @info: the request
 * @fabric: its fabric, locked
 *
 * Context: Any.
 * Return: the group; ERR_PTR(-EINVAL): no name was given, ERR_PTR(-ENOENT): there is none.
 */
struct mcfab_group *mcfab_nl_group_find(const struct genl_info *info,
					const struct mcfab_nl_fabric *fabric)
{
	const struct nlattr *nla = info->attrs[MCFAB_A_GROUP_NAME];
	struct mcfab_group *group;
	char name[MCFAB_NAME_LEN];

	if (!nla)
		return ERR_PTR(mcfab_nl_missing(info, MCFAB_A_GROUP_NAME, "name of the group"));
	nla_strscpy(name, nla, sizeof(name));
	group = mcfab_group_find(fabric->core->subnet, name);
	if (group)
		return group;
	NL_SET_ERR_MSG_ATTR_FMT(info->extack, nla, "there is no group %s", name);
	return ERR_PTR(-ENOENT);
}

/**
 * mcfab_nl_group_source() - the source in a request
 * @info: the request
 * @fabric: its fabric, locked
 * @source: filled in; MCFAB_NONE: none is given
 *
 * Context: Any.
 * Return: 0 or -EINVAL.
 */
int mcfab_nl_group_source(const struct genl_info *info, const struct mcfab_nl_fabric *fabric,
			  u32 *source)
{
	const struct nlattr *nla = info->attrs[MCFAB_A_GROUP_SOURCE];

	*source = MCFAB_NONE;
	if (!nla)
		return 0;
	*source = nla_get_u32(nla);
	if (*source < fabric->core->topo.nodes)
		return 0;
	NL_SET_ERR_MSG_ATTR_FMT(info->extack, nla, "source %u is not below %u", *source,
				fabric->core->topo.nodes);
	return -EINVAL;
}

/* The Ethernet address in the request, 0: there is none. */
static int mcfab_nl_group_address(const struct genl_info *info, u64 *addr)
{
	const struct nlattr *nla = info->attrs[MCFAB_A_GROUP_ADDRESS];
	char text[sizeof("xx:xx:xx:xx:xx:xx")];
	u8 bytes[ETH_ALEN];

	*addr = 0;
	if (!nla)
		return 0;
	nla_strscpy(text, nla, sizeof(text));
	if (!mac_pton(text, bytes)) {
		NL_SET_ERR_MSG_ATTR(info->extack, nla, "address is not like 01:00:5e:01:02:03");
		return -EINVAL;
	}
	*addr = ether_addr_to_u64(bytes);
	return 0;
}

static struct mcfab_group *mcfab_nl_group_make(const struct genl_info *info,
					       struct mcfab_nl_fabric *fabric, u32 *member,
					       u32 nmembers)
{
	char name[MCFAB_NAME_LEN];
	struct mcfab_group *group;
	struct mcfab_err err = {};
	u32 lid = 0;
	u64 addr;
	int ret;

	ret = mcfab_nl_name(info, MCFAB_A_GROUP_NAME, "name of the group", name) ?:
	      mcfab_nl_group_address(info, &addr);
	if (ret)
		return ERR_PTR(ret);
	mcfab_nl_set_u32(info, MCFAB_A_GROUP_LID, &lid);
	group = mcfab_group_new(fabric->core->subnet, name, member, nmembers, lid, &err);
	if (IS_ERR(group)) {
		mcfab_nl_refuse(info, &err, PTR_ERR(group));
		return group;
	}
	ret = addr ? mcfab_group_bind(fabric->core->subnet, group, addr, &err) : 0;
	if (!ret)
		return group;
	mcfab_group_del(fabric->core->subnet, group);
	return ERR_PTR(mcfab_nl_refuse(info, &err, ret));
}

static struct mcfab_group *mcfab_nl_group_change(const struct genl_info *info,
						 struct mcfab_nl_fabric *fabric, u32 *member,
						 u32 nmembers)
{
	struct mcfab_group *group = mcfab_nl_group_find(info, fabric);
	struct mcfab_subnet *sn = fabric->core->subnet;
	struct mcfab_err err = {};
	int ret;

	if (IS_ERR(group))
		return group;
	if (!nmembers)
		return ERR_PTR(mcfab_nl_missing(info, MCFAB_A_GROUP_MEMBERS, "list of members"));
	if (info->genlhdr->cmd == MCFAB_CMD_GROUP_JOIN)
		ret = mcfab_group_join(sn, group, member, nmembers, &err);
	else
		ret = mcfab_group_leave(sn, group, member, nmembers, &err);
	return ret ? ERR_PTR(mcfab_nl_refuse(info, &err, ret)) : group;
}

/**
 * struct mcfab_nl_change - a change of a group
 * @job: the request
 * @group: the group; set when the change is done
 * @member: [@nmembers] members in the request
 * @nmembers: how many
 * @source: the source in the request, or MCFAB_NONE
 */
struct mcfab_nl_change {
	struct mcfab_nl_job job;
	struct mcfab_group *group;
	u32 *member;
	u32 nmembers;
	u32 source;
};

/* Give one or all sources of a group their multicast LIDs. */
static struct mcfab_group *mcfab_nl_group_assign(const struct genl_info *info,
						 struct mcfab_nl_fabric *fabric, u32 *source)
{
	struct mcfab_group *group = mcfab_nl_group_find(info, fabric);
	struct mcfab_err err = {};
	int ret;

	if (IS_ERR(group))
		return group;
	ret = mcfab_nl_group_source(info, fabric, source);
	if (ret)
		return ERR_PTR(ret);
	ret = mcfab_group_assign(fabric->core->subnet, group, *source, &err);
	return ret ? ERR_PTR(mcfab_nl_refuse(info, &err, ret)) : group;
}

static int mcfab_nl_change_work(struct mcfab_nl_job *job)
{
	struct mcfab_nl_change *change = container_of(job, struct mcfab_nl_change, job);
	struct mcfab_nl_fabric *fabric = job->fabric;
	const struct genl_info *info = job->info;
	struct mcfab_group *group;

	mcfab_nl_free_wait(job);
	switch (info->genlhdr->cmd) {
	case MCFAB_CMD_GROUP_NEW:
		group = mcfab_nl_group_make(info, fabric, change->member, change->nmembers);
		break;
	case MCFAB_CMD_GROUP_DEL:
		group = mcfab_nl_group_find(info, fabric);
		if (!IS_ERR(group))
			mcfab_group_del(fabric->core->subnet, group);
		break;
	case MCFAB_CMD_GROUP_ASSIGN:
		group = mcfab_nl_group_assign(info, fabric, &change->source);
		break;
	default:
		group = mcfab_nl_group_change(info, fabric, change->member, change->nmembers);
	}
	change->group = group;
	return PTR_ERR_OR_ZERO(group);
}

static int mcfab_nl_change_finish(struct mcfab_nl_job *job, int ret)
{
	struct mcfab_nl_change *change = container_of(job, struct mcfab_nl_change, job);

	if (ret)
		return ret;
	mcfab_nl_subnet_changed(job->fabric);
	if (job->info->genlhdr->cmd != MCFAB_CMD_GROUP_DEL)
		return mcfab_nl_group_fill(job->msg, job->fabric, change->group, change->source,
					   job->info);
	/* there is no group to show */
	mcfab_nl_job_silent(job);
	return 0;
}

static void mcfab_nl_change_free(struct mcfab_nl_job *job)
{
	mcfab_memory_free(container_of(job, struct mcfab_nl_change, job)->member);
}

static const struct mcfab_nl_job_ops mcfab_nl_change_ops = {
	.busy = "a group is being changed: try again later",
	.work = mcfab_nl_change_work,
	.finish = mcfab_nl_change_finish,
	.free = mcfab_nl_change_free,
};

/* Steps of a change with @nmembers: tables of multicast LIDs that are made, or made anew. */
static u64 mcfab_nl_change_steps(const struct genl_info *info,
				 const struct mcfab_nl_fabric *fabric, u32 nmembers)
{
	const struct nlattr *nla = info->attrs[MCFAB_A_GROUP_NAME];
	const struct mcfab_subnet *sn = fabric->core->subnet;
	const struct mcfab_group *group;
	char name[MCFAB_NAME_LEN];

	if (!nla)
		return 0;
	nla_strscpy(name, nla, sizeof(name));
	group = mcfab_group_find(sn, name);
	if (!group)
		return sn->rules.min_hop ? mcfab_nl_group_steps(sn, nmembers, 1) : 0;
	nmembers += group->nmembers;
	if (info->genlhdr->cmd != MCFAB_CMD_GROUP_ASSIGN)
		return mcfab_nl_group_steps(sn, nmembers, group->nlids + !!group->lid);
	return mcfab_nl_group_steps(sn, nmembers,
				    info->attrs[MCFAB_A_GROUP_SOURCE] ? 1 : sn->topo->nodes);
}

static int mcfab_nl_group_go(struct sk_buff *skb, struct genl_info *info)
{
	/* A run does not look at LIDs that are given while the run is under way. */
	bool idle = info->genlhdr->cmd != MCFAB_CMD_GROUP_ASSIGN;
	struct mcfab_nl_fabric *fabric;
	struct mcfab_nl_change *change;
	int ret;

	change = mcfab_nl_job_alloc(sizeof(*change), &mcfab_nl_change_ops, info);
	if (!change)
		return -ENOMEM;
	change->source = MCFAB_NONE;
	ret = mcfab_nl_group_members(info, &change->member, &change->nmembers);
	if (ret)
		goto free;
	fabric = mcfab_nl_subnet_lock(info, idle);
	ret = PTR_ERR_OR_ZERO(fabric);
	if (!ret)
		return mcfab_nl_job_go(&change->job, fabric, skb,
				       mcfab_nl_change_steps(info, fabric, change->nmembers));
free:
	mcfab_nl_job_free(&change->job);
	return ret;
}

/* MCFAB_CMD_GROUP_NEW */
int mcfab_nl_group_new_doit(struct sk_buff *skb, struct genl_info *info)
{
	return mcfab_nl_group_go(skb, info);
}

/* MCFAB_CMD_GROUP_JOIN */
int mcfab_nl_group_join_doit(struct sk_buff *skb, struct genl_info *info)
{
	return mcfab_nl_group_go(skb, info);
}

/* MCFAB_CMD_GROUP_LEAVE */
int mcfab_nl_group_leave_doit(struct sk_buff *skb, struct genl_info *info)
{
	return mcfab_nl_group_go(skb, info);
}

/* MCFAB_CMD_GROUP_DEL */
int mcfab_nl_group_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	return mcfab_nl_group_go(skb, info);
}

/* MCFAB_CMD_GROUP_ASSIGN */
int mcfab_nl_group_assign_doit(struct sk_buff *skb, struct genl_info *info)
{
	return mcfab_nl_group_go(skb, info);
}
