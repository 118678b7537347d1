// SPDX-License-Identifier: GPL-2.0
/*
 * Multicast groups of a fabric with LIDs: make, change, show.
 */
#include "control/nl_job.h"
#include "base/memory.h"
#include "subnet/subnet.h"

/* The multicast LID that all sources share, and the number of sources that have their own. */
static bool mcfab_nl_put_group_lids(struct sk_buff *skb, const struct mcfab_group *group)
{
	if (group->lid)
		return !nla_put_u32(skb, MCFAB_A_GROUP_LID, group->lid);
	return !nla_put_u32(skb, MCFAB_A_GROUP_LIDS_TOTAL, group->nlids);
}

/* A group without its lists, with the multicast LID of @source if it has one. */
static int mcfab_nl_group_fill(struct sk_buff *skb, const struct mcfab_nl_fabric *fabric,
			       const struct mcfab_group *group, u32 source,
			       const struct genl_info *info)
{
	void *hdr = mcfab_nl_put(skb, info, NULL);

	if (!hdr)
		return -EMSGSIZE;
	if (nla_put_u32(skb, MCFAB_A_GROUP_FABRIC_ID, fabric->id) ||
	    nla_put_u32(skb, MCFAB_A_GROUP_ID, group->id) ||
	    nla_put_string(skb, MCFAB_A_GROUP_NAME, group->name) ||
	    nla_put_u32(skb, MCFAB_A_GROUP_MEMBERS_TOTAL, group->nmembers) ||
	    !mcfab_nl_put_group_lids(skb, group))
		goto too_long;
	if (source != MCFAB_NONE) {
		u32 lid = mcfab_group_lid(group, source);

		if (nla_put_u32(skb, MCFAB_A_GROUP_SOURCE, source) ||
		    (lid && nla_put_u32(skb, MCFAB_A_GROUP_SOURCE_LID, lid)))
			goto too_long;
	}
	genlmsg_end(skb, hdr);
	return 0;

too_long:
	genlmsg_cancel(skb, hdr);
	return -EMSGSIZE;
}

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

static struct mcfab_group *mcfab_nl_group_find(const struct genl_info *info,
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

static int mcfab_nl_group_source(const struct genl_info *info,
				 const struct mcfab_nl_fabric *fabric, u32 *source)
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

static struct mcfab_group *mcfab_nl_group_make(const struct genl_info *info,
					       struct mcfab_nl_fabric *fabric, u32 *member,
					       u32 nmembers)
{
	char name[MCFAB_NAME_LEN];
	struct mcfab_group *group;
	struct mcfab_err err = {};
	u32 lid = 0;
	int ret;

	ret = mcfab_nl_name(info, MCFAB_A_GROUP_NAME, "name of the group", name);
	if (ret)
		return ERR_PTR(ret);
	mcfab_nl_set_u32(info, MCFAB_A_GROUP_LID, &lid);
	group = mcfab_group_new(fabric->core->subnet, name, member, nmembers, lid, &err);
	if (IS_ERR(group))
		mcfab_nl_refuse(info, &err, PTR_ERR(group));
	return group;
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

/* MCFAB_CMD_GROUP_GET */
int mcfab_nl_group_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct sk_buff *msg = mcfab_nl_new(GENLMSG_DEFAULT_SIZE);
	struct mcfab_nl_fabric *fabric;
	struct mcfab_group *group;
	u32 source;
	int ret;

	if (!msg)
		return -ENOMEM;
	fabric = mcfab_nl_subnet_lock(info, false);
	ret = PTR_ERR_OR_ZERO(fabric);
	if (ret)
		goto free_msg;
	group = mcfab_nl_group_find(info, fabric);
	ret = PTR_ERR_OR_ZERO(group);
	if (!ret)
		ret = mcfab_nl_group_source(info, fabric, &source);
	if (!ret)
		ret = mcfab_nl_group_fill(msg, fabric, group, source, info);
	mcfab_nl_fabric_unlock(fabric);
	if (!ret)
		return genlmsg_reply(msg, info);
free_msg:
	nlmsg_free(msg);
	return ret;
}

/**
 * struct mcfab_nl_group_ctx - position of a dump of groups
 * @fabric: number of the fabric
 * @group: number of the group under way, or of the last one; 0 at first
 * @begun: a part of the group was shown
 * @member: its next member
 * @node: the next node whose multicast LID is to be shown
 * @lid: multicast LIDs shown
 * @looked: nodes looked at for this part
 */
struct mcfab_nl_group_ctx {
	u32 fabric;
	u32 group;
	bool begun;
	u32 member;
	u32 node;
	u32 lid;
	u32 looked;
};

static int mcfab_nl_put_members(struct sk_buff *skb, const struct mcfab_group *group,
				struct mcfab_nl_group_ctx *ctx)
{
	u32 n = mcfab_nl_room(skb, sizeof(u32), 1, group->nmembers - ctx->member);

	if (!n || nla_put_u32(skb, MCFAB_A_GROUP_MEMBER_OFFSET, ctx->member) ||
	    nla_put(skb, MCFAB_A_GROUP_MEMBERS, n * sizeof(u32), group->member + ctx->member))
		return -EMSGSIZE;
	ctx->member += n;
	return 0;
}

/*
 * Goes to the next source that has a multicast LID of its own; false: all were shown. These sources
 * are counted, so that the search ends with the last one.
 */
static bool mcfab_nl_group_seek(const struct mcfab_group *group, u32 nodes,
				struct mcfab_nl_group_ctx *ctx)
{
	if (ctx->lid >= group->nlids)
		return false;
	for (; ctx->node < nodes && !group->lids[ctx->node]; ctx->node++)
		ctx->looked++;
	return ctx->node < nodes;
}

/*
 * Sources from the cursor on, which stands at the first of them. They are counted before room is
 * made for them: between two parts of a dump sources on either side of the cursor may get LIDs.
 */
static int mcfab_nl_put_sources(struct sk_buff *skb, const struct mcfab_group *group, u32 nodes,
				struct mcfab_nl_group_ctx *ctx)
{
	u32 most = mcfab_nl_room(skb, 2 * sizeof(u32), 2, group->nlids - ctx->lid), n = 0, node;
	struct nlattr *nla;
	u32 *to;

	for (node = ctx->node; n < most && node < nodes; node++)
		n += !!group->lids[node];
	if (!n || nla_put_u32(skb, MCFAB_A_GROUP_LID_OFFSET, ctx->lid))
		return -EMSGSIZE;
	nla = nla_reserve(skb, MCFAB_A_GROUP_LIDS, 2 * n * sizeof(u32));
	if (!nla)
		return -EMSGSIZE;
	to = nla_data(nla);
	ctx->looked += node - ctx->node;
	ctx->lid += n;
	for (; n; ctx->node++) {
		if (!group->lids[ctx->node])
			continue;
		*to++ = ctx->node;
		*to++ = group->lids[ctx->node];
		n--;
	}
	return 0;
}

/* One message; the cursor moves on only if it got in. */
static int mcfab_nl_group_part(struct sk_buff *skb, const struct mcfab_nl_fabric *fabric,
			       const struct mcfab_group *group, struct netlink_callback *cb)
{
	struct mcfab_nl_group_ctx *ctx = (void *)cb->ctx, next = *ctx;
	void *hdr = mcfab_nl_put(skb, genl_info_dump(cb), cb);
	u32 nodes = fabric->core->topo.nodes;
	int ret = -EMSGSIZE;

	if (!hdr)
		return -EMSGSIZE;
	if (nla_put_u32(skb, MCFAB_A_GROUP_FABRIC_ID, fabric->id) ||
	    nla_put_u32(skb, MCFAB_A_GROUP_ID, group->id) ||
	    nla_put_string(skb, MCFAB_A_GROUP_NAME, group->name) ||
	    nla_put_u32(skb, MCFAB_A_GROUP_MEMBERS_TOTAL, group->nmembers) ||
	    !mcfab_nl_put_group_lids(skb, group))
		goto cancel;
	ret = 0;
	if (next.member < group->nmembers)
		ret = mcfab_nl_put_members(skb, group, &next);
	else if (mcfab_nl_group_seek(group, nodes, &next))
		ret = mcfab_nl_put_sources(skb, group, nodes, &next);
	if (ret)
		goto cancel;
	genlmsg_end(skb, hdr);
	*ctx = next;
	ctx->begun = true;
	return 0;

cancel:
	genlmsg_cancel(skb, hdr);
	return ret;
}

/* The group under way, or the next one unless only @one is shown; NULL behind the last. */
static const struct mcfab_group *mcfab_nl_group_next(const struct mcfab_subnet *sn, bool one,
						     struct mcfab_nl_group_ctx *ctx)
{
	u32 place = mcfab_group_from(sn, ctx->group);
	const struct mcfab_group *group;

	if (place < sn->ngroups && sn->group[place]->id == ctx->group) {
		group = sn->group[place];
		if (!ctx->begun || ctx->member < group->nmembers ||
		    mcfab_nl_group_seek(group, sn->topo->nodes, ctx))
			return group;
		place++;
	}
	if (one || place == sn->ngroups)
		return NULL;
	ctx->group = sn->group[place]->id;
	ctx->begun = false;
	ctx->member = 0;
	ctx->node = 0;
	ctx->lid = 0;
	return sn->group[place];
}

/* Nodes to look at for a part, so that other requests get the fabric: more than a subnet has. */
#define MCFAB_NL_GROUP_NODES	65536

int mcfab_nl_group_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	const struct genl_info *info = genl_info_dump(cb);
	struct mcfab_nl_group_ctx *ctx = (void *)cb->ctx;
	bool one = info->attrs[MCFAB_A_GROUP_NAME];
	const struct mcfab_group *group = NULL;
	struct mcfab_nl_fabric *fabric;
	int ret;

	NL_ASSERT_DUMP_CTX_FITS(struct mcfab_nl_group_ctx);
	fabric = mcfab_nl_subnet_dump(cb, &ctx->fabric);
	if (IS_ERR(fabric))
		return PTR_ERR(fabric);
	/* An unknown name is refused, but not when the group was removed meanwhile. */
	if (one && !ctx->group)
		group = mcfab_nl_group_find(info, fabric);
	ret = PTR_ERR_OR_ZERO(group);
	if (!ret && group)
		ctx->group = group->id;
	ctx->looked = 0;
	while (!ret) {
		group = mcfab_nl_group_next(fabric->core->subnet, one, ctx);
		if (!group)
			break;
		/* the rest comes in the next part; this part has a message */
		ret = ctx->looked > MCFAB_NL_GROUP_NODES ? -EMSGSIZE :
		      mcfab_nl_group_part(skb, fabric, group, cb);
	}
	mcfab_nl_fabric_unlock(fabric);
	return ret;
}
