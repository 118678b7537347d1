// SPDX-License-Identifier: GPL-2.0
/*
 * What is done before and after the handlers of requests about one fabric that is there, as
 * the specification says (pre, post): the fabric is found, held and maybe locked; handlers
 * have it in info->user_ptr[0]. Requests that threads may take over do it by themselves.
 */
#include "control/nl.h"

static int mcfab_nl_have(struct genl_info *info, struct mcfab_nl_fabric *fabric)
{
	if (IS_ERR(fabric))
		return PTR_ERR(fabric);
	info->user_ptr[0] = fabric;
	return 0;
}

/* For a look: it stays there. */
int mcfab_nl_hold_pre(const struct genl_split_ops *ops, struct sk_buff *skb,
		      struct genl_info *info)
{
	return mcfab_nl_have(info, mcfab_nl_fabric_get(info));
}

void mcfab_nl_hold_post(const struct genl_split_ops *ops, struct sk_buff *skb,
			struct genl_info *info)
{
	mcfab_nl_fabric_put(info->user_ptr[0]);
}

/* Nobody changes it. */
int mcfab_nl_lock_pre(const struct genl_split_ops *ops, struct sk_buff *skb,
		      struct genl_info *info)
{
	return mcfab_nl_have(info, mcfab_nl_fabric_lock(info, false));
}

/* Nor is a run under way. */
int mcfab_nl_idle_pre(const struct genl_split_ops *ops, struct sk_buff *skb,
		      struct genl_info *info)
{
	return mcfab_nl_have(info, mcfab_nl_fabric_lock(info, true));
}

/* A run reads the message list it was given, so that one stays until the run has ended. */
int mcfab_nl_upload_pre(const struct genl_split_ops *ops, struct sk_buff *skb,
			struct genl_info *info)
{
	const struct nlattr *type = info->attrs[MCFAB_A_UPLOAD_TYPE];

	if (!type)
		return mcfab_nl_missing(info, MCFAB_A_UPLOAD_TYPE, "type");
	return mcfab_nl_have(info, mcfab_nl_fabric_lock(info, nla_get_u32(type) ==
							MCFAB_UPLOAD_TYPE_MESSAGES));
}

void mcfab_nl_lock_post(const struct genl_split_ops *ops, struct sk_buff *skb,
			struct genl_info *info)
{
	mcfab_nl_fabric_unlock(info->user_ptr[0]);
}
