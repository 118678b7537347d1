// SPDX-License-Identifier: GPL-2.0
/*
 * Functions before and after the handlers of requests about one existing fabric, as the
 * specification says (pre, post): the fabric is found, held and maybe locked; handlers have it in
 * info->user_ptr[0]. Requests that threads may take over do this by themselves.
 */
#include "control/nl.h"

static int mcfab_nl_have(struct genl_info *info, struct mcfab_nl_fabric *fabric)
{
	if (IS_ERR(fabric))
		return PTR_ERR(fabric);
	info->user_ptr[0] = fabric;
	return 0;
}

/* For reading: the fabric is held. */
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

/* For a change: the fabric is locked. */
int mcfab_nl_lock_pre(const struct genl_split_ops *ops, struct sk_buff *skb,
		      struct genl_info *info)
{
	return mcfab_nl_have(info, mcfab_nl_fabric_lock(info, false));
}

/* For a change while no run is under way. */
int mcfab_nl_idle_pre(const struct genl_split_ops *ops, struct sk_buff *skb,
		      struct genl_info *info)
{
	return mcfab_nl_have(info, mcfab_nl_fabric_lock(info, true));
}

/* A run reads its message list, so that list stays until the run has ended. */
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
