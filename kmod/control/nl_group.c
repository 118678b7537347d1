// SPDX-License-Identifier: GPL-2.0
/*
 * Multicast groups of a fabric with LIDs: make, change, show.
 */
#include "control/nl.h"

static int mcfab_nl_group_none(const struct netlink_ext_ack *extack)
{
	struct netlink_ext_ack *to = (struct netlink_ext_ack *)extack;

	NL_SET_ERR_MSG(to, "the fabric has no groups");
	return -EOPNOTSUPP;
}

/* MCFAB_CMD_GROUP_NEW */
int mcfab_nl_group_new_doit(struct sk_buff *skb, struct genl_info *info)
{
	return mcfab_nl_group_none(info->extack);
}

/* MCFAB_CMD_GROUP_DEL */
int mcfab_nl_group_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	return mcfab_nl_group_none(info->extack);
}

/* MCFAB_CMD_GROUP_JOIN */
int mcfab_nl_group_join_doit(struct sk_buff *skb, struct genl_info *info)
{
	return mcfab_nl_group_none(info->extack);
}

/* MCFAB_CMD_GROUP_LEAVE */
int mcfab_nl_group_leave_doit(struct sk_buff *skb, struct genl_info *info)
{
	return mcfab_nl_group_none(info->extack);
}

/* MCFAB_CMD_GROUP_ASSIGN */
int mcfab_nl_group_assign_doit(struct sk_buff *skb, struct genl_info *info)
{
	return mcfab_nl_group_none(info->extack);
}

/* MCFAB_CMD_GROUP_GET */
int mcfab_nl_group_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	return mcfab_nl_group_none(info->extack);
}

int mcfab_nl_group_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	return mcfab_nl_group_none(cb->extack);
}
