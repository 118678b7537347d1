// SPDX-License-Identifier: GPL-2.0
/* Multicast groups of a fabric with LIDs: show them. */
#include <linux/etherdevice.h>
#include "control/nl_job.h"
#include "subnet/subnet.h"

/* The multicast LID that all sources share, and the number of sources that have their own. */
static bool mcfab_nl_put_group_lids(struct sk_buff *skb, const struct mcfab_group *group)
{
	if (group->lid)
		return !nla_put_u32(skb, MCFAB_A_GROUP_LID, group->lid);
	return !nla_put_u32(skb, MCFAB_A_GROUP_LIDS_TOTAL, group->nlids);
}

static bool mcfab_nl_put_address(struct sk_buff *skb, const struct mcfab_group *group)
{
	char text[sizeof("xx:xx:xx:xx:xx:xx")];
	u8 addr[ETH_ALEN];

	if (!group->addr)
		return true;
	u64_to_ether_addr(group->addr, addr);
	snprintf(text, sizeof(text), "%02x:%02x:%02x:%02x:%02x:%02x", addr[0], addr[1], addr[2],
		 addr[3], addr[4], addr[5]);
	return !nla_put_string(skb, MCFAB_A_GROUP_ADDRESS, text);
}

/* What all messages about a group begin with. */
static bool mcfab_nl_put_group(struct sk_buff *skb, const struct mcfab_nl_fabric *fabric,
			       const struct mcfab_group *group)
{
	return !nla_put_u32(skb, MCFAB_A_GROUP_FABRIC_ID, fabric->id) &&
	       !nla_put_u32(skb, MCFAB_A_GROUP_ID, group->id) &&
	       !nla_put_string(skb, MCFAB_A_GROUP_NAME, group->name) &&
	       !nla_put_u32(skb, MCFAB_A_GROUP_MEMBERS_TOTAL, group->nmembers) &&
	       mcfab_nl_put_group_lids(skb, group) && mcfab_nl_put_address(skb, group);
}

/**
 * mcfab_nl_group_fill() - a group without its lists
 * @skb: message
 * @fabric: its fabric, locked
 * @group: the group
 * @source: node whose multicast LID is shown, too, if it has one; or MCFAB_NONE
 * @info: the request
 *
 * Context: Any.
 * Return: 0 or -EMSGSIZE.
 */
int mcfab_nl_group_fill(struct sk_buff *skb, const struct mcfab_nl_fabric *fabric,
			const struct mcfab_group *group, u32 source,
			const struct genl_info *info)
{
	void *hdr = mcfab_nl_put(skb, info, NULL);

	if (!hdr)
		return -EMSGSIZE;
	if (!mcfab_nl_put_group(skb, fabric, group))
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
	if (!mcfab_nl_put_group(skb, fabric, group))
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
