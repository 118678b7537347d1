// SPDX-License-Identifier: GPL-2.0
/*
 * Forwarding tables of a fabric with LIDs: show, set, load, check.
 */
#include "control/nl.h"

static int mcfab_nl_table_none(const struct netlink_ext_ack *extack)
{
	struct netlink_ext_ack *to = (struct netlink_ext_ack *)extack;

	NL_SET_ERR_MSG(to, "the fabric has no tables");
	return -EOPNOTSUPP;
}

/* MCFAB_CMD_TABLE_SET */
int mcfab_nl_table_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	return mcfab_nl_table_none(info->extack);
}

/* MCFAB_CMD_TABLE_BEGIN */
int mcfab_nl_table_begin_doit(struct sk_buff *skb, struct genl_info *info)
{
	return mcfab_nl_table_none(info->extack);
}

/* MCFAB_CMD_TABLE_APPEND */
int mcfab_nl_table_append_doit(struct sk_buff *skb, struct genl_info *info)
{
	return mcfab_nl_table_none(info->extack);
}

/* MCFAB_CMD_TABLE_COMMIT */
int mcfab_nl_table_commit_doit(struct sk_buff *skb, struct genl_info *info)
{
	return mcfab_nl_table_none(info->extack);
}

/* MCFAB_CMD_TABLE_ABORT */
int mcfab_nl_table_abort_doit(struct sk_buff *skb, struct genl_info *info)
{
	return mcfab_nl_table_none(info->extack);
}

/* MCFAB_CMD_TABLE_GET */
int mcfab_nl_table_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	return mcfab_nl_table_none(cb->extack);
}

/* MCFAB_CMD_TABLE_CHECK */
int mcfab_nl_table_check_start(struct netlink_callback *cb)
{
	return mcfab_nl_table_none(cb->extack);
}

int mcfab_nl_table_check_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	return mcfab_nl_table_none(cb->extack);
}

int mcfab_nl_table_check_done(struct netlink_callback *cb)
{
	return 0;
}
