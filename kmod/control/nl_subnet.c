// SPDX-License-Identifier: GPL-2.0
/*
 * What groups and tables have in common: the fabric has to have LIDs.
 */
#include "control/nl.h"
#include "subnet/subnet.h"

static int mcfab_nl_no_subnet(const struct genl_info *info)
{
	const struct nlattr *nla = info->attrs[MCFAB_NL_FABRIC];

	NL_SET_ERR_MSG_ATTR(info->extack, nla ?: info->attrs[MCFAB_NL_FABRIC_ID],
			    "the fabric has no LIDs: make it with addressing lid");
	return -EOPNOTSUPP;
}

/**
 * mcfab_nl_subnet_lock() - the fabric with LIDs that a request is about
 * @info: request
 * @idle: refuse while a run is under way
 *
 * Context: May sleep.
 * Return: the fabric, held and locked, or an ERR_PTR with the extack set.
 */
struct mcfab_nl_fabric *mcfab_nl_subnet_lock(const struct genl_info *info, bool idle)
{
	struct mcfab_nl_fabric *fabric = mcfab_nl_fabric_lock(info, idle);

	if (IS_ERR(fabric) || fabric->core->subnet)
		return fabric;
	mcfab_nl_fabric_unlock(fabric);
	return ERR_PTR(mcfab_nl_no_subnet(info));
}

/**
 * mcfab_nl_subnet_dump() - the fabric with LIDs whose parts a dump shows
 * @cb: the dump; marked as inconsistent if groups or tables have changed
 * @id: where the dump keeps its number; 0 at first
 *
 * Context: May sleep.
 * Return: the fabric, held and locked, or an ERR_PTR with the extack set.
 */
struct mcfab_nl_fabric *mcfab_nl_subnet_dump(struct netlink_callback *cb, u32 *id)
{
	struct mcfab_nl_fabric *fabric = mcfab_nl_fabric_dump(cb, id);

	if (IS_ERR(fabric))
		return fabric;
	mutex_lock(&fabric->lock);
	if (!fabric->core->subnet) {
		mcfab_nl_fabric_unlock(fabric);
		return ERR_PTR(mcfab_nl_no_subnet(genl_info_dump(cb)));
	}
	cb->seq = fabric->core->subnet->generation;
	return fabric;
}

/**
 * mcfab_nl_subnet_changed() - groups or tables of a fabric have changed
 * @fabric: the fabric, locked
 *
 * Context: May sleep.
 */
void mcfab_nl_subnet_changed(struct mcfab_nl_fabric *fabric)
{
	mcfab_fabric_account(fabric->core);
	mcfab_nl_notify(fabric, MCFAB_CMD_FABRIC_CHANGE_NTF);
}
